"""A game exported by 18xx.games becomes a log here, under the option set ``18xx.games``, and goes on from there.

``import_game(data)`` takes the exported JSON: players, settings (the seed, from which the deal follows) and actions,
undo and redo among them. It gives the log and, for each action of the site that counts, how many engine actions there
are once it is done. Raises SiteGameError: names the action by its number and the rule that forbids it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from trunkline.engine import actions as a
from trunkline.engine import game
from trunkline.engine.box.box import BOX, TITLE, is_bond, is_director, is_private, percent, train_card
from trunkline.engine.errors import LogError, RuleError
from trunkline.engine.log import Log
from trunkline.engine.options import SITE, Options
from trunkline.engine.rules import run, trains
from trunkline.engine.state import BUY, OPERATE, RUN, SELL, STEPS, TRAINS, State
from trunkline.engine.wire.site_files import Raw, effective, unwrapped
from trunkline.engine.wire.site_files import SiteGameError as SiteGameError
from trunkline.solver.board import CITY, TOWN, DrawnRoute, StopId

# What the site notes beside the moves; nothing changes on the table.
_IGNORED = ("message", "program_disable", "program_share_pass", "program_buy_shares")
# The step of an operating round an action belongs to, by the site's name of the action.
_STEP = {
    "run_routes": RUN,
    "buy_train": TRAINS,
    "sell_train": TRAINS,
    "corporate_sell_shares": SELL,
    "corporate_sell_company": SELL,
    "corporate_buy_shares": BUY,
    "corporate_buy_company": BUY,
}


@dataclass(frozen=True, slots=True)
class Imported:
    """A game taken over from 18xx.games.

    ``log``: the game. ``after``: the site's number of each action that counts, and how many actions of the log there
    are by then. ``read``: how many entries the export has, those that were taken back and messages among them.
    """

    log: Log
    after: tuple[tuple[int, int], ...]
    read: int = 0


def import_game(data: Raw, progress: Callable[[int, int], None] | None = None) -> Imported:
    """Take over a game that 18xx.games exported, under the option set ``18xx.games``.

    Parameters
    ----------
    data
        The exported JSON: ``title``, ``players``, ``settings`` with the seed, ``actions`` with undo and redo; or an
        object that holds it under ``game`` or ``data``. What else is in it, such as chat, is left aside.
    progress
        Called after each action with how many are done and how many there are.

    Returns
    -------
    Imported
        The game as a log, and where in it each action of the site ends.

    Raises
    ------
    SiteGameError
        Names the field that cannot be read, or the action and the rule that forbids it.
    """
    data = unwrapped(data)
    if not isinstance(data, Mapping) or data.get("title") != "18 India":
        title = data.get("title") if isinstance(data, Mapping) else None
        raise SiteGameError(f"title: {title!r} is not a game of 18 India")
    people = _list(data, "players")
    for i, p in enumerate(people):
        if not isinstance(p, Mapping) or not isinstance(p.get("name"), str) or not isinstance(p.get("id"), int):
            raise SiteGameError(f"players[{i}]: expected an object with a name and a number as id")
    names = tuple(p["name"] for p in people)
    options = Options(players=names, rules=SITE)
    seed = _seed(data)
    seats = {p["id"]: seat for seat, p in enumerate(people)}
    replay = _Replay(game.new_game(options, seed), seats)
    after = []
    entries = _list(data, "actions")
    kept = effective(entries)
    for raw in kept:
        replay.take(raw)
        after.append((int(raw["id"]), len(replay.actions)))
        if progress:
            progress(len(after), len(kept))
    return Imported(Log(options, seed, tuple(replay.actions)), tuple(after), len(entries))


def _list(data: Raw, name: str) -> list[Any]:
    value = data.get(name)
    if not isinstance(value, list):
        raise SiteGameError(f"{name}: expected a list")
    return value


def _seed(data: Raw) -> int:
    """The seed in the settings, or where it is empty the number in the id of the game, as the site does."""
    settings = data.get("settings")
    seed = settings.get("seed") if isinstance(settings, Mapping) else None
    if isinstance(seed, int) and not isinstance(seed, bool):
        return seed
    digits = re.search(r"\d+", str(seed or data.get("id", "")))
    if not digits:
        raise SiteGameError("settings.seed: there is no seed, nor a number in the id of the game")
    return int(digits[0])


@dataclass(slots=True)
class _Replay:
    """The game so far. ``tile_hex``: where the tile of the site's name lies."""

    state: State
    seats: Mapping[Any, int]
    actions: list[a.Action] = field(default_factory=list)
    tile_hex: dict[str, str] = field(default_factory=dict)

    def take(self, raw: Raw) -> None:
        """Take one action of the site, with the passes that it makes by itself."""
        number = raw["id"]
        try:
            self._take(raw)
            for extra in raw.get("auto_actions") or ():
                self._take(extra)
        except RuleError as e:
            raise SiteGameError(f"action {number} ({raw['type']} by {raw.get('entity')}): {e}", number) from e
        except (KeyError, TypeError, ValueError, AttributeError, IndexError) as e:
            if isinstance(e, LogError):
                raise
            raise SiteGameError(f"action {number} ({raw['type']}): cannot be read ({e!r})", number) from e

    def _take(self, raw: Raw) -> None:
        kind = raw["type"]
        if kind in _IGNORED:
            return
        reader = _READERS.get(kind)
        if reader is None:
            raise SiteGameError(f"action {raw.get('id')}: the type {kind!r} is not known in 18 India", raw.get("id"))
        if kind != "end_game":
            self._catch_up(raw)
        action = reader(self, raw)
        if action is not None:
            self.do(action)

    def do(self, action: a.Action) -> None:
        """Take an engine action."""
        game.perform(self.state, action)
        self.actions.append(action)

    def _catch_up(self, raw: Raw) -> None:
        """Leave the steps that the site has left by itself, because nothing could be done in them there."""
        step = _STEP.get(raw["type"])
        while step and not self.state.pending and self.state.stage == OPERATE:
            turn = self.state.operating
            if turn.company != raw["entity"] or turn.step not in STEPS or STEPS.index(turn.step) >= STEPS.index(step):
                return
            self.do(a.Run(self.seat, ()) if turn.step == RUN else a.Pass(self.seat))

    @property
    def seat(self) -> int:
        """Who acts."""
        return game.actors(self.state)[0]

    def who(self, raw: Raw) -> int:
        """The seat of an action's entity: a player, or who runs the company."""
        entity = raw["entity"]
        if entity in self.seats:
            return self.seats[entity]
        if entity in self.state.companies and not self.state.pending:
            if self.state.operating.company != entity:
                raise RuleError("7", f"{entity} does not operate", self.state.operating.company or "no company")
            return self.state.company.controller
        if entity not in self.state.companies and not is_private(str(entity)):
            raise RuleError("3", f"there is no player or company {entity!r} in this game")
        return self.seat

    def city(self, raw: Raw) -> tuple[str, int]:
        """Hex and city of a name such as ``235-0-1``: the tile 235-0, city 1; printed tiles have the hex's name."""
        tile, _, number = str(raw["city"]).rpartition("-")
        hex_ = self.tile_hex.get(tile) or tile.rpartition("-")[0]
        if hex_ not in TITLE.hexes:
            raise RuleError("8.3", f"there is no city {raw['city']!r} on the map")
        return hex_, city_number(hex_, int(number))


def city_number(hex_: str, number: int) -> int:
    """The number here of a city or town that 18xx.games gives a number."""
    there: dict[str, list[int]] = BOX.site["cities"]
    return there[hex_].index(number) if hex_ in there and number in there[hex_] else number


def _keep(r: _Replay, raw: Raw) -> a.Action:
    return a.Keep(r.who(raw), tuple(raw["companies"]))


def _bid(r: _Replay, raw: Raw) -> a.Action:
    return a.Draft(r.who(raw), raw["company"])


def _pass(r: _Replay, raw: Raw) -> a.Action:
    return a.Pass(r.who(raw))


def _buy_card(r: _Replay, raw: Raw) -> a.Action:
    """A card of the IPO, the open market or the own hand: the site has one action for all of them."""
    seat, card = r.who(raw), raw["company"]
    row = next((i for i, cards in enumerate(r.state.ipo) if card in cards), None)
    if row is not None:
        if r.state.ipo[row][0] != card:
            raise RuleError("6", f"{card} is not the first card of IPO row {row}", r.state.ipo[row][0])
        return a.BuyFromIpo(seat, row)
    if is_bond(card):
        return a.BuyBond(seat)
    if card in r.state.market:
        return a.BuyFromMarket(seat, card)
    return a.BuyFromHand(seat, (card,))


def _buy_share(r: _Replay, raw: Raw) -> a.Action:
    return a.BuyFromMarket(r.who(raw), raw["shares"][0])


def _sell(r: _Replay, raw: Raw) -> a.Action:
    """Half of a Director's certificate can be sold there: the certificate comes with a ten-percent share to keep."""
    things = list(raw["shares"]) if "shares" in raw else [raw["company"]]
    over = sum(map(percent, things)) - raw.get("percent", 0) if "shares" in raw and "percent" in raw else 0
    while over > 0:
        stays = next((c for c in things if not is_director(c)), None)
        if stays is None:
            raise RuleError("5", f"half of {things[0]} is sold", "the whole of a Director's certificate")
        things.remove(stays)
        over -= percent(stays)
    return a.Sell(r.who(raw), tuple(things))


def _company_sell(r: _Replay, raw: Raw) -> a.Action:
    things = raw["shares"] if "shares" in raw else [raw["company"]]
    return a.CompanySell(r.who(raw), tuple(things))


def _convert(r: _Replay, raw: Raw) -> a.Action:
    return a.ConvertBond(r.who(raw))


def _lay(r: _Replay, raw: Raw) -> a.Action:
    name = str(raw["tile"]).rpartition("-")[0]
    hex_, rotation = raw["hex"], raw["rotation"]
    if r.state.pending and r.state.pending[0].kind == "national_home":
        action: a.Action = a.LayHome(r.seat, hex_, name, rotation)
    else:
        action = a.LayTile(r.who(raw), hex_, name, rotation, _private(raw))
    r.tile_hex = {tile: h for tile, h in r.tile_hex.items() if h != hex_}
    r.tile_hex[raw["tile"]] = hex_
    return action


def _private(raw: Raw) -> str:
    return raw["entity"] if is_private(str(raw["entity"])) else ""


def _token(r: _Replay, raw: Raw) -> a.Action:
    hex_, city = r.city(raw)
    if r.state.pending:
        pending = r.state.pending[0]
        if pending.kind == "assign":
            company = raw.get("tokener") or pending.companies[0]
            return a.AssignCity(r.seat, company, city)
        return a.PlaceHome(r.seat, hex_, city)
    return a.PlaceToken(r.who(raw), hex_, city, _private(raw))


def _exchange(r: _Replay, raw: Raw) -> a.Action:
    return a.ExchangeToken(r.seat, r.city(raw)[0])


def _run(r: _Replay, raw: Raw) -> a.Action | None:
    """The site's connections as exact track: the readings of the waypoints decide where they leave a choice.

    None for a run of nothing where no route was found here: there is no run to decide on.
    """
    if not raw["routes"] and r.state.operating.company == raw["entity"] and r.state.operating.step != RUN:
        return None
    from trunkline.solver.check import evaluate

    owned = r.state.company.trains
    drawn = [DrawnRoute(owned.index(route["train"]), waypoints=tuple(_waypoints(r, route))) for route in raw["routes"]]
    found = evaluate(run.position(r.state), drawn)
    if not found.legal:
        raise RuleError("9", "; ".join(map(str, found.faults)))
    runs = [
        a.TrainRun(owned[route.train], tuple(tuple((t.hex, t.path) for t in segment) for segment in route.track))
        for route in found.routes
    ]
    return a.Run(r.who(raw), tuple(runs))


def _waypoints(r: _Replay, route: Raw) -> Iterator[str | StopId]:
    """Stops in the order of ``hexes``, and between them the hexes of each connection, turned to lead from one to next.

    ``nodes`` tells which city or town of the hex each stop is; they come in no certain order.
    """
    numbers: dict[str, list[int]] = {}
    for node in route["nodes"]:
        hex_, _, number = str(node).rpartition("-")
        numbers.setdefault(hex_, []).append(int(number))
    hexes = list(route["hexes"])
    for i, hex_ in enumerate(hexes):
        if i:
            between = list(route["connections"][i - 1])
            if between[0] != hexes[i - 1]:
                between.reverse()
            yield from between[1:-1]
        kind = CITY if run.board(r.state).hexes[hex_].tile.of_kind(CITY) else TOWN
        of_hex = numbers[hex_]
        part = of_hex.pop(0) if len(of_hex) > 1 else of_hex[0]
        yield StopId(hex_, kind, city_number(hex_, part))


def _dividend(r: _Replay, raw: Raw) -> a.Action:
    return a.Dividend(r.who(raw), raw["kind"] == "payout")


def _buy_train(r: _Replay, raw: Raw) -> a.Action:
    train = raw["train"]
    if train in r.state.depot:
        source = trains.FROM_BANK
    elif train in r.state.used_trains:
        source = trains.FROM_MARKET
    else:
        source = next((name for name, c in r.state.companies.items() if train in c.trains), trains.FROM_BANK)
    side = "" if source in r.state.companies else raw.get("variant") or train_card(train)
    return a.BuyTrain(r.who(raw), train, source, raw["price"], side)


def _sell_train(r: _Replay, raw: Raw) -> a.Action:
    return a.SellTrain(r.who(raw), raw["train"])


def _discount(r: _Replay, raw: Raw) -> a.Action:
    return a.UseDiscount(r.seat)


def _jewelry(r: _Replay, raw: Raw) -> a.Action:
    return a.PlaceJewelry(r.seat, raw["target"])


def _marker(r: _Replay, raw: Raw) -> a.Action:
    hex_ = raw["hex"]
    return a.RemoveMarker(r.who(raw), (hex_, TITLE.hexes[hex_].neighbors[raw["edge"]]))


def _end(r: _Replay, raw: Raw) -> a.Action:
    return a.EndGame(r.seat)


_READERS: dict[str, Callable[[_Replay, Raw], a.Action | None]] = {
    "select_multiple_companies": _keep,
    "bid": _bid,
    "pass": _pass,
    "buy_company": _buy_card,
    "buy_shares": _buy_share,
    "sell_shares": _sell,
    "sell_company": _sell,
    "choose": _convert,
    "lay_tile": _lay,
    "place_token": _token,
    "remove_token": _exchange,
    "run_routes": _run,
    "dividend": _dividend,
    "buy_train": _buy_train,
    "sell_train": _sell_train,
    "corporate_buy_shares": _buy_share,
    "corporate_buy_company": _buy_card,
    "corporate_sell_shares": _company_sell,
    "corporate_sell_company": _company_sell,
    "choose_ability": _discount,
    "assign": _jewelry,
    "remove_border": _marker,
    "end_game": _end,
}
