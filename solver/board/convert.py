"""A dump of a title turned into the tables of a title's folder, with a list of what these could not say.

The dump is one JSON object with what other front ends keep of a title: ``hexes`` and ``tiles`` in the tile notation,
``companies``, ``privates``, ``trains`` and ``phases``. Facts are copied as they are, also in words that the notation
does not know yet: :func:`~trunkline.solver.board.load.load_title` says what it refuses. Rules of routes that are code
elsewhere are in no dump; they have to be written by hand.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from trunkline.solver.board.coordinates import OFFSETS
from trunkline.solver.board.form import Check, Names, any_name, faults, one_of, whole
from trunkline.solver.board.hexes import Hex
from trunkline.solver.board.notation import parse_tile
from trunkline.solver.board.tile import CITY, COLORS, STOP_KINDS, End, Path, Tile
from trunkline.solver.board.title import UNLIMITED, Title
from trunkline.solver.errors import Fault, NotationError, TrunklineError

NO_LIMIT = 99
"""A dump that lets a train visit so many stops means any number."""
MOST_NAMED = 8
"""Hexes named of those that one line is about."""


@dataclass(frozen=True)
class Conversion:
    """The tables of each file of a title, by its name without ``.toml``, and what they do not say, line by line."""

    title_id: str
    files: Mapping[str, Mapping[str, Any]]
    unsaid: tuple[str, ...]


def convert(dump: Any) -> Conversion:
    """The folder of a title from its dump.

    Raises TrunklineError: the dump is not of the form; every fault is named with its place.
    """
    if found := list(faults(dump, _FORM)):
        raise TrunklineError("\n".join(map(str, found)))
    return _Converter(dump).convert()


@dataclass(slots=True)
class _Converter:
    dump: dict[str, Any]
    unsaid: list[str] = field(default_factory=list)

    def convert(self) -> Conversion:
        title_id = re.sub(r"[^A-Za-z0-9]", "", self.dump["title"])
        if not title_id:
            raise TrunklineError(f"title: {self.dump['title']!r} has no letters or digits for an id")
        self.unsaid.append("title: designer and publisher, and the rules of routes that are its own, are in no dump")
        files = {
            "title": {
                "id": title_id,
                "name": self.dump["title"],
                "layout": self.dump["layout"],
                "phases": self.phases(),
            },
            "map": (map_ := self.map()),
            "tiles": {"first": self.first(map_["hexes"], map_["plain"]), "tiles": self.tiles()},
            "companies": {"companies": self.companies()},
            "trains": self.trains(),
        }
        if (axes := self.axes()) is not None:
            files["title"]["axes"] = axes
        self.privates()
        return Conversion(title_id, files, tuple(self.unsaid))

    def say(self, place: str, text: str) -> None:
        self.unsaid.append(f"{place}: {text}")

    def axes(self) -> str | None:
        """What letters count where that is not as the layout has it."""
        columns = self.dump["axes"]["x"] == "letter"
        return None if columns == (self.dump["layout"] == "flat") else "columns" if columns else "rows"

    def phases(self) -> dict[str, Any]:
        return {p["name"]: {"colors": p["tiles"]} for p in self.dump["phases"]}

    def map(self) -> dict[str, Any]:
        plain, hexes = [], dict[str, dict[str, Any]]()
        for hx in self.dump["hexes"]:
            name = hx["id"]
            if name in hexes or name in plain:
                self.say(f"hexes.{name}", "is in the dump twice; the first is kept")
                continue
            printed = {"name": hx["name"] or "", "color": hx["color"], "code": turned(hx["code"], hx["rotation"])}
            printed = {key: value for key, value in printed.items() if value and (key, value) != ("color", "white")}
            if printed:
                hexes[name] = printed
            else:
                plain.append(name)
        return {"plain": plain, "hexes": hexes}

    def tiles(self) -> dict[str, Any]:
        unlimited = [n for n, t in self.dump["tiles"].items() if t["count"] is None]
        if unlimited:
            self.say("tiles", f"{_some(unlimited)} without limit, written as {UNLIMITED} copies")
        upgrades = self.upgrades()
        return {
            name: {
                "count": UNLIMITED if t["count"] is None else t["count"],
                "color": t["color"],
                "code": t["code"],
                "upgrades": upgrades[name],
            }
            for name, t in self.dump["tiles"].items()
        }

    def upgrades(self) -> dict[str, list[str]]:
        """What each tile may be upgraded to: as the dump says, or, where it says it of no tile, by their look.

        By their look: the next colour, as many cities and towns, no label lost, and in some rotation all the track.
        """
        given = {name: list(t["upgrades"]) for name, t in self.dump["tiles"].items()}
        if any(given.values()):
            return given
        tiles: dict[str, Tile] = {}
        for name, t in self.dump["tiles"].items():
            with suppress(NotationError):
                tiles[name] = parse_tile(t["code"], name, t["color"] if t["color"] in COLORS else "white")
        found = {
            name: [other for other, tile in tiles.items() if name in tiles and _upgrades_to(tiles[name], tile)]
            for name in given
        }
        if any(found.values()):
            self.say("tiles", "upgrades are in no dump of this title; taken by their look, check them")
        return found

    def first(self, hexes: dict[str, dict[str, Any]], plain: list[str]) -> dict[str, list[str]]:
        """The rows of first tiles: for each kind of white hex what most take; all others name their row."""
        taking = [
            (hx["id"], _kind(hx), tuple(hx["first"]))
            for hx in self.dump["hexes"]
            if hx["color"] == "white" or hx["first"]
        ]
        rows = dict[str, tuple[str, ...]]()
        for kind in dict.fromkeys(kind for _, kind, _ in taking if kind):
            rows[kind] = Counter(tiles for _, of, tiles in taking if of == kind).most_common(1)[0][0]
        for name, kind, tiles in taking:
            if rows.get(kind) != tiles:
                row = next((row for row, same in rows.items() if same == tiles), f"as {name}")
                rows[row] = tiles
                hexes.setdefault(name, {})["first"] = row
                plain[:] = [h for h in plain if h != name]
        return {row: list(tiles) for row, tiles in rows.items()}

    def companies(self) -> dict[str, Any]:
        found = {}
        types: dict[str, list[str]] = {}
        for c in self.dump["companies"]:
            place, company = f"companies.{c['id']}", {"name": c["name"], "token_costs": c["tokens"]}
            if color := _color(c["color"] or ""):
                company["color"] = color
            elif c["color"]:
                self.say(place, f"the colour {c['color']!r}")
            company |= self.home(place, _listed(c["home"]), _listed(c["city"]))
            if c["type"]:
                types.setdefault(c["type"], []).append(c["id"])
            if c["abilities"]:
                self.say(place, f"abilities {', '.join(map(str, c['abilities']))}")
            found[c["id"]] = company
        for kind, ids in types.items():
            self.say("companies", f"{_some(ids)} of the type {kind}")
        return found

    def home(self, place: str, homes: list[str], cities: list[int]) -> dict[str, Any]:
        """The home of a company and its cities there: those named, else all that are printed."""
        if not homes:
            return {}
        if len(homes) > 1:
            self.say(place, f"one of several homes: {', '.join(homes)}")
            return {}
        code = next((hx["code"] for hx in self.dump["hexes"] if hx["id"] == homes[0]), None)
        if code is None:
            self.say(place, f"the home {homes[0]}, which is not on the map")
            return {}
        printed = range(sum(part.startswith(f"{CITY}=") for part in code.split(";")))
        later = [str(n) for n in cities if n not in printed]
        if later:
            self.say(place, f"city {', '.join(later)} of the home {homes[0]}, which has {len(printed)} printed")
        return {"home": homes[0], "home_cities": [n for n in cities or printed if n in printed]}

    def trains(self) -> dict[str, Any]:
        trains, cards = dict[str, Any](), dict[str, Any]()
        for card in self.dump["trains"]:
            count = UNLIMITED if card["unlimited"] or card["count"] is None else card["count"]
            if card["name"] in cards:
                count += cards[card["name"]]["count"]
            if card["price"] is None:
                self.say(f"trains.{card['name']}", "without a price, written as 0")
            cards[card["name"]] = {"count": count, "price": card["price"] or 0}
            if card["no_local"]:
                self.say(f"trains.{card['name']}", "may not run in one city alone (no_local)")
            for side in card["variants"] or [card]:
                train = self.train(card, side)
                if train is not None:
                    trains[side["name"]] = train
        return {"cards": cards, "trains": trains}

    def train(self, card: Mapping[str, Any], side: Mapping[str, Any]) -> dict[str, Any] | None:
        place, rows = f"trains.{side['name']}", side["distance"]
        if rows is None:
            self.say(place, "without a distance; left out")
            return None
        if isinstance(rows, int):
            rows = [{"nodes": list(STOP_KINDS), "pay": rows}]
        track = side.get("track_type") or card["track"]
        if track not in (None, "broad"):
            self.say(place, f"runs on {track} track")
        if card["requires_token"] is False:
            self.say(place, "needs no own token")
        base = side["multiplier"] or card["multiplier"] or 1
        factors = {row.get("multiplier") or base for row in rows if row["pay"]}
        if len(factors) > 1:
            self.say(place, "multiplies by kind of stop; left out")
            return None
        train: dict[str, Any] = {"card": card["name"], "visits": [_row(row) for row in rows]}
        if factors and (factor := factors.pop()) > 1:
            train["multiplier"] = factor
        if card["requires_token"] is not False and any("pay" in row for row in train["visits"]):
            train["own_token_counts"] = True
        return train

    def privates(self) -> None:
        for p in self.dump["privates"]:
            if p["abilities"]:
                self.say(f"privates.{p['id']} ({p['name']})", "; ".join(map(_ability, p["abilities"])))


_NEXT = {"yellow": "green", "green": "brown", "brown": "gray"}


def _upgrades_to(old: Tile, new: Tile) -> bool:
    """Whether a tile looks like an upgrade of another."""

    def stops(tile: Tile) -> list[str]:
        return sorted(stop.kind for stop in tile.stops)

    if _NEXT.get(old.color) != new.color or stops(old) != stops(new) or not set(old.labels) <= set(new.labels):
        return False
    if old.stops:
        return any(old.exits <= new.rotated(turn).exits for turn in range(6))
    return any(set(map(_track, old.paths)) <= set(map(_track, new.rotated(turn).paths)) for turn in range(6))


def _track(path: Path) -> frozenset[End]:
    return frozenset((path.a, path.b))


def _kind(hx: Mapping[str, Any]) -> str:
    """The kind of hex that ``first`` goes by; empty for one with a colour, or that the notation does not take."""
    try:
        tile = parse_tile(hx["code"], hx["id"], hx["color"])
    except NotationError:
        return ""
    return Title("", "", hexes={hx["id"]: Hex(hx["id"], tile)}).hex_class(hx["id"])


def _row(row: Mapping[str, Any]) -> dict[str, Any]:
    visit, pay = row.get("visit", row["pay"]), row["pay"]
    found: dict[str, Any] = {"kinds": row["nodes"]}
    if visit < NO_LIMIT:
        found["visit"] = visit
    if pay < min(visit, NO_LIMIT):
        found["pay"] = pay
    return found


def _ability(ability: Mapping[str, Any]) -> str:
    text = str(ability["type"])
    if ability.get("amount") is not None:
        text += f" {ability['amount']}"
    hexes = _listed(ability.get("hexes"))
    return f"{text} at {_some(hexes)}" if hexes else text


def _listed(value: Any) -> list[Any]:
    """One value, several or none, as a list."""
    return value if isinstance(value, list) else [] if value is None or value == "" else [value]


def _color(text: str) -> str:
    """A colour with two digits each; empty if it is none."""
    if re.fullmatch("#[0-9a-fA-F]{3}", text):
        return "#" + "".join(digit * 2 for digit in text[1:])
    return text if re.fullmatch("#[0-9a-fA-F]{6}", text) else ""


def _some(names: Sequence[str]) -> str:
    rest = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {rest} more" if rest > 0 else "")


def turned(code: str, rotation: int) -> str:
    """A code as it reads when the tile is turned clockwise by sixths of a full turn."""
    if not rotation % 6:
        return code

    def turn(match: re.Match[str]) -> str:
        return f"{match[1]}{(int(match[2]) + rotation) % 6}"

    return re.sub(r"(?<=[=,])((?:a|b|edge):)([0-5])(?![0-9.])", turn, code)


def _or_none(form: Any) -> Check:
    def check(value: Any, table: Mapping[str, Any]) -> str:
        return "" if value is None else _join(faults(value, form, "", table))

    return check


def _any_of(*forms: Any) -> Check:
    def check(value: Any, table: Mapping[str, Any]) -> str:
        tried = [_join(faults(value, form, "", table)) for form in forms]
        return "" if "" in tried else min(tried, key=len)

    return check


def _join(found: Iterable[Fault]) -> str:
    return "; ".join(map(str, found))


def _anything(_: Any, __: Mapping[str, Any]) -> str:
    return ""


_COUNT = whole(0, 1_000_000)
_ROWS = [{"nodes!": [str], "pay!": _COUNT, "visit": _COUNT, "multiplier": _or_none(_COUNT)}]
_DISTANCE = _or_none(_any_of(_COUNT, _ROWS))
_VARIANT = {"name!": str, "distance!": _DISTANCE, "multiplier!": _or_none(_COUNT), "track_type": _or_none(str)}
_ABILITY = {"type!": str, "hexes": _or_none(_any_of(str, [str])), "amount": _anything}
_FORM: dict[str, Any] = {
    "title!": str,
    "id": str,
    "stage": _or_none(str),
    "layout!": one_of("layout", tuple(OFFSETS)),
    "axes!": {"x!": one_of("axis", ("letter", "number")), "y!": one_of("axis", ("letter", "number"))},
    "hexes!": [
        {"id!": str, "name!": _or_none(str), "color!": str, "code!": str, "rotation!": whole(0, 5), "first!": [str]}
    ],
    "tiles!": Names(any_name, {"count!": _or_none(_COUNT), "color!": str, "code!": str, "upgrades!": [str]}),
    "companies!": [
        {
            "id!": str,
            "name!": str,
            "type!": _or_none(str),
            "home!": _or_none(_any_of(str, [str])),
            "city!": _or_none(_any_of(_COUNT, [_COUNT])),
            "tokens!": [_COUNT],
            "color!": _or_none(str),
            "abilities!": [str],
        }
    ],
    "privates!": [{"id!": str, "name!": str, "value": _anything, "revenue": _anything, "abilities!": [_ABILITY]}],
    "trains!": [
        {
            "name!": str,
            "count!": _or_none(_COUNT),
            "unlimited!": bool,
            "distance!": _DISTANCE,
            "price!": _or_none(_COUNT),
            "multiplier!": _or_none(_COUNT),
            "track!": _or_none(str),
            "requires_token!": _or_none(bool),
            "no_local!": _or_none(bool),
            "rusts_on": _anything,
            "variants!": [_VARIANT],
        }
    ],
    "phases!": [{"name!": str, "tiles!": [str], "on": _anything, "train_limit": _anything}],
    "track": _anything,
    "bankrupt": _anything,
}
