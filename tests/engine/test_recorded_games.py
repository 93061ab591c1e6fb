"""Four public games of 18India in the test fixtures of 18xx.games, replayed under the option set of that site.

``games/NAME.json.gz`` is the export, ``games/NAME.trace.jsonl.gz`` what that site's own engine had on the table after
each action that counts, as changes: money, hands, certificates, prices, trains, tokens, holdings, market, phase.
"""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from tests.engine.tables import hold, stock_round
from trunkline.engine import game
from trunkline.engine.actions import Sell
from trunkline.engine.box.box import BOX
from trunkline.engine.invariants import violations
from trunkline.engine.log import Log
from trunkline.engine.options import Options
from trunkline.engine.rules import finish, shares
from trunkline.engine.state import OPERATE, STOCK
from trunkline.engine.wire.importer import _READERS, SiteGameError, _Replay, import_game
from trunkline.engine.wire.site_files import effective

GAMES = Path(__file__).parent / "games"
NAMES = ("bank", "exchange", "share_return", "double_city")

# How that site shows a decision that is not taken yet (docs/conflicts.md): it takes tokens of a double city off the
# map until their city is chosen, and counts a replaced home token as unplaced until its company has closed.
SHOWN_OTHERWISE = {
    ("bank", 89): {"EIR tokens", "EIR unplaced"},
    ("exchange", 41): {"EIR tokens", "EIR unplaced"},
    ("exchange", 50): {"SPD tokens", "SPD unplaced"},
    ("exchange", 494): {"WR unplaced"},
    ("share_return", 41): {"EIR tokens", "EIR unplaced"},
    ("share_return", 50): {"SPD tokens", "SPD unplaced"},
    ("double_city", 103): {"NWR tokens", "NWR unplaced", "SPD tokens", "SPD unplaced"},
}
SITE_STEPS_WHILE_A_DECISION_WAITS = {"HomeTrack", "ExchangeToken"}


def load(name):
    return json.loads(gzip.decompress((GAMES / f"{name}.json.gz").read_bytes()))


def trace(name):
    """The facts on the table before the first action (number 0) and after each."""
    facts: dict[str, Any] = {}
    for line in gzip.decompress((GAMES / f"{name}.trace.jsonl.gz").read_bytes()).decode().splitlines():
        entry = json.loads(line)
        facts = {k: v for k, v in facts.items() if k not in entry["gone"]} | entry["now"]
        yield entry["id"], facts


def table(state):
    """The same facts of a state here."""
    facts = {
        "bank": state.bank,
        "limit": shares.limit(state, 0),
        "phase": state.phase,
        "companies": sorted(state.alive),
    }
    for seat, p in enumerate(state.players):
        facts |= {
            f"player {seat} cash": p.cash,
            f"player {seat} hand": sorted(p.hand),
            f"player {seat} certificates": sorted(p.certificates),
            f"player {seat} counted": shares.counted(state, seat),
        }
    for name in state.alive:
        c = state.companies[name]
        facts |= {
            f"{name} cash": c.cash,
            f"{name} price": state.price(name),
            f"{name} formed": c.formed,
            f"{name} run by": c.controller,
            f"{name} trains": sorted(f"{t}:{state.sides[t]}" for t in c.trains),
            f"{name} tokens": sorted([t.hex, t.city] for t in c.tokens),
            f"{name} unplaced": c.unplaced,
            f"{name} certificates": sorted(c.certificates),
            f"{name} guaranty": c.guaranty,
            f"{name} concessions": sorted(c.concessions),
            f"{name} directed": state.directed(name),
            f"{name} book value": finish.book_value(state, name),
        }
    facts |= {
        "market": sorted(state.market),
        "bonds": len(state.bonds),
        "depot": state.depot,
        "used trains": sorted(state.used_trains),
        "chart": [[BOX.market[i], space] for i, space in enumerate(state.spaces) if space],
        "unclaimed": sorted(state.unclaimed),
        "jewelry": state.jewelry_hex,
        "markers": sorted(map(list, state.markers)),
        "bond shares": len(state.bond_shares),
    }
    facts |= {f"ipo {i}": row for i, row in enumerate(state.ipo)}
    if state.stage == STOCK:
        facts |= {"round": f"SR {state.round}.1", "order": state.order, "turn": game.actors(state)[0], "step": ""}
    if state.stage == OPERATE:
        facts["round"] = f"OR {state.round}.{state.operating_round}"
        facts |= {"order": state.line_up, "turn": state.operating.company, "step": state.operating.step}
    if state.scores:
        facts["scores"] = state.scores
    return facts


def expected(name, number, facts):
    """The site's facts without what it only shows otherwise."""
    facts = {k: v for k, v in facts.items() if k not in SHOWN_OTHERWISE.get((name, number), ())}
    if facts.get("step") in SITE_STEPS_WHILE_A_DECISION_WAITS:
        facts = {k: v for k, v in facts.items() if k not in ("step", "turn")}
    if facts.get("step") == "SellOnceThenBuyCerts":
        facts["step"] = ""
    return facts


@pytest.mark.parametrize("name", NAMES)
def test_after_every_action_the_table_is_that_of_the_site(name):
    imported = import_game(load(name))
    after = dict(imported.after)
    state, done = game.new_game(imported.log.options, imported.log.seed), 0
    compared = 0
    for number, facts in trace(name):
        while done < after.get(number, 0):
            state = game.apply(state, imported.log.actions[done])
            done += 1
        mine = table(state)
        wanted = expected(name, number, facts)
        assert {k: mine.get(k) for k in wanted} == wanted, f"after action {number}"
        assert violations(state) == []
        compared += 1
    assert done == len(imported.log.actions)
    assert compared == len(after) + 1


def test_the_whole_game_ends_with_the_scores_of_the_site():
    imported = import_game(load("bank"))
    state = imported.log.replay()
    assert sorted(state.scores, reverse=True) == [16599, 14005, 12814, 11775]
    assert state.ended_by == "bank"
    assert imported.log.options.rules == "18xx.games"
    assert Log.loads(imported.log.dumps()).replay() == state


@pytest.mark.parametrize("name", NAMES)
def test_undo_and_redo_leave_the_actions_that_the_site_keeps(name):
    kept = [raw["id"] for raw in effective(load(name)["actions"])]
    assert kept == [number for number, _ in trace(name)][1:]


def raws(*kinds):
    return [{"type": kind, "id": i, **more} for i, (kind, more) in enumerate(kinds, 1)]


def test_undo_takes_back_the_last_action_or_all_after_one_and_redo_brings_them_back():
    bids: list[tuple[str, dict[str, Any]]] = [("bid", {})] * 3
    assert [r["id"] for r in effective(raws(*bids, ("undo", {})))] == [1, 2]
    assert [r["id"] for r in effective(raws(*bids, ("undo", {"action_id": 1})))] == [1]
    assert [r["id"] for r in effective(raws(*bids, ("undo", {"action_id": 0})))] == []
    assert [r["id"] for r in effective(raws(*bids, ("undo", {"action_id": 1}), ("redo", {})))] == [1, 2, 3]
    assert [r["id"] for r in effective(raws(*bids, ("undo", {}), ("message", {}), ("redo", {})))] == [1, 2, 3]


def test_after_a_new_action_there_is_nothing_to_redo():
    with pytest.raises(SiteGameError, match="action 5: there is nothing to redo"):
        effective(raws(("bid", {}), ("bid", {}), ("undo", {}), ("bid", {}), ("redo", {})))


def test_an_imported_game_goes_on_from_there():
    data = load("bank")
    data["actions"] = data["actions"][:700]
    state = import_game(data).log.replay()
    found = game.legal_actions(state)
    assert found
    assert game.apply(state, found[0]) != state


def test_the_deal_follows_from_the_seed_or_the_number_in_the_name_of_the_game():
    data = load("exchange")
    assert data["settings"]["seed"] == ""
    assert import_game(data).log.seed == 1756324649


def broken(change):
    data = load("double_city")
    change(data)
    return data


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d.update(title="1830"), "title: '1830'"),
        (lambda d: d.update(actions="none"), "actions: expected a list"),
        (lambda d: d["actions"].insert(0, {"type": "undo", "id": 0}), "action 0: there is nothing to undo"),
        (lambda d: d["actions"].insert(0, {"type": "redo", "id": 0}), "action 0: there is nothing to redo"),
        (lambda d: d["actions"].insert(0, {"type": "par", "id": 0, "entity": 0}), "type 'par' is not known"),
        (lambda d: d["actions"].insert(0, {"type": "bid", "id": 0, "entity": 0}), r"action 0 \(bid\): cannot be read"),
        (lambda d: d["actions"].insert(0, 5), r"actions\[0\]: expected an object"),
        (lambda d: d["actions"][0]["companies"].pop(), r"action 1 .*rules section 2"),
        (lambda d: d["settings"].update(seed="") or d.update(id="x"), "settings.seed"),
        (lambda d: d["settings"].update(seed=1), r"action 1 .*is not in the hand"),
        (lambda d: d.update(players=[]), "players"),
        (lambda d: d.update(players=["A", "B"]), r"players\[0\]: expected an object"),
        (lambda d: d["actions"][0].pop("entity"), r"action 1 .*cannot be read"),
        (lambda d: d["actions"][0].update(entity="nobody"), r"action 1 "),
        (lambda d: d["actions"][0].update(companies=5), r"action 1 "),
    ],
)
def test_what_cannot_be_taken_over_names_itself_and_the_rule(change, message):
    from trunkline.engine.errors import LogError

    with pytest.raises(LogError, match=message):
        import_game(broken(change))


def test_an_action_out_of_place_carries_its_number():
    data = load("double_city")
    first_lay = next(i for i, a in enumerate(data["actions"]) if a["type"] == "lay_tile")
    data["actions"][first_lay]["hex"] = "A16"
    data["actions"] = data["actions"][: first_lay + 1]
    with pytest.raises(SiteGameError, match=r"rules section 8\.2") as caught:
        import_game(data)
    assert caught.value.action_id == data["actions"][first_lay]["id"]


def test_the_set_of_the_rulebook_plays_the_same_seed_otherwise():
    options = Options(players=("A", "B"), rules="18xx.games")
    assert game.new_game(options, 5) != game.new_game(Options(players=("A", "B")), 5)


@pytest.mark.parametrize(
    ("shares", "percent", "sold"),
    [
        (["BNR_1", "BNR_0"], 20, ("BNR_0",)),
        (["BNR_1", "BNR_0"], 30, ("BNR_1", "BNR_0")),
        (["BNR_1"], 10, ("BNR_1",)),
        (["BNR_0"], 20, ("BNR_0",)),
    ],
)
def test_of_a_bundle_with_a_directors_certificate_only_the_percentage_is_sold(shares, percent, sold):
    replay = _Replay(stock_round("BNR"), {7: 0})
    raw = {"type": "sell_shares", "id": 1, "entity": 7, "shares": shares, "percent": percent}
    assert _READERS["sell_shares"](replay, raw) == Sell(0, sold)


def test_half_of_a_directors_certificate_cannot_be_sold_and_says_so():
    state = stock_round("BNR")
    state.moves = 0
    hold(state, 0, "BNR_0")
    hold(state, 1, "BNR_1", "BNR_2")
    with pytest.raises(SiteGameError, match=r"action 5 .*half of BNR_0 is sold"):
        _Replay(state, {7: 0}).take({"type": "sell_shares", "id": 5, "entity": 7, "shares": ["BNR_0"], "percent": 10})
