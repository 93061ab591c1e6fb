"""Steps where 18xx.games asks and the rules leave one way only, or acts by itself: its set of rules does the same."""

import gzip
import json
from pathlib import Path

import pytest

from tests.engine.tables import hold, lay, operating, stock_round, train
from trunkline.engine import game
from trunkline.engine.actions import AssignCity, BuyFromHand, ExchangeToken, LayTile, Pass, PlaceHome, Run
from trunkline.engine.errors import RuleError
from trunkline.engine.options import SITE
from trunkline.engine.rules import market, stock
from trunkline.engine.state import RUN, TRACK, PlacedToken
from trunkline.engine.wire.importer import _Replay, city_number, import_game

GAMES = Path(__file__).parent / "games"


@pytest.mark.parametrize(
    "name", ["second_city_of_nepal", "train_without_route", "home_with_one_free_city", "upgrade_with_private"]
)
def test_games_that_the_site_went_on_with_are_taken_over(name):
    data = json.loads(gzip.decompress((GAMES / f"{name}.json.gz").read_bytes()))
    imported = import_game(data)
    assert [number for number, _ in imported.after] == [raw["id"] for raw in data["actions"]]
    state = imported.log.replay()
    if name == "second_city_of_nepal":
        assert state.companies["TR"].tokens == [PlacedToken("M10", 1, 0)]
    if name == "train_without_route":
        assert state.operating.company == "EBR"
        assert state.operating.step not in (RUN, TRACK)
    if name == "home_with_one_free_city":
        assert state.companies["BR"].tokens[0].hex == "D23"
    if name == "upgrade_with_private":
        assert data["actions"][-1]["train"] in state.companies["NCR"].trains


def test_the_second_city_of_nepal_has_number_3_there_and_others_count_on():
    assert [city_number("M10", n) for n in (0, 3)] == [0, 1]
    assert [city_number("D23", n) for n in (0, 1)] == [0, 1]


@pytest.mark.parametrize(("rules", "skipped"), [("rulebook", False), (SITE, True)])
def test_a_company_with_trains_and_no_route_does_not_run(rules, skipped):
    state = operating("EIR", rules=rules, step=TRACK)
    train(state, "EIR", "2")
    state = game.apply(state, Pass(0))
    while state.operating.step == "token":
        state = game.apply(state, Pass(0))
    assert (state.operating.step != RUN) == skipped


def test_a_run_of_nothing_there_is_no_action_where_the_run_is_left_out_here():
    state = operating("EIR", rules=SITE, step="trains")
    replay = _Replay(state, {})
    replay.take({"type": "run_routes", "id": 1, "entity": "EIR", "routes": []})
    assert replay.actions == []
    replay.state = operating("EIR", rules=SITE, step=RUN)
    replay.take({"type": "run_routes", "id": 1, "entity": "EIR", "routes": []})
    assert replay.actions == [Run(0, ())]


@pytest.mark.parametrize(("rules", "asked"), [("rulebook", False), (SITE, True)])
def test_a_home_with_one_free_city_is_asked_for(rules, asked):
    state = stock_round("TR", "EIR", number=1, rules=rules)
    state.companies["EIR"].tokens.append(PlacedToken("M10", 0, 0))
    state.map_changed()
    state.gone.remove("TR_0")
    state.players[0].hand.append("TR_0")
    state = game.apply(state, BuyFromHand(0, ("TR_0",)))
    assert bool(state.pending) == asked
    if asked:
        assert game.legal_actions(state) == [PlaceHome(0, "M10", 1)]


@pytest.mark.parametrize(("rules", "asked"), [("rulebook", False), (SITE, True)])
def test_a_home_on_a_double_city_laid_with_tokens_on_it_is_asked_for(rules, asked):
    state = operating("NWR", rules=rules, also=("SPD",))
    state = game.apply(state, LayTile(0, "G8", "235", 0))
    state = game.apply(state, AssignCity(0, "NWR", 0))
    hold(state, 1, "SPD_0")
    assert bool(state.pending) == asked
    if asked:
        assert game.legal_actions(state) == [PlaceHome(1, "G8", 1)]
        state = game.apply(state, PlaceHome(1, "G8", 1))
    assert state.companies["SPD"].tokens == [PlacedToken("G8", 1, 0)]


@pytest.mark.parametrize(("rules", "stays"), [("rulebook", False), (SITE, True)])
def test_the_track_step_of_a_company_that_owns_p3_goes_on_after_an_upgrade(rules, stays):
    state = operating("BNR", rules=rules)
    hold(state, "BNR", "P3")
    lay(state, "I20", "57")
    tile = next(a for a in game.legal_actions(state) if isinstance(a, LayTile) and a.hex == "I20" and not a.private)
    state = game.apply(state, tile)
    assert (state.operating.step == TRACK) == stays


@pytest.mark.parametrize(("rules", "asked"), [("rulebook", False), (SITE, True)])
def test_an_exchange_token_is_offered_when_none_is_left(rules, asked):
    state = operating("EIR", "GIPR", rules=rules)
    national = state.companies["GIPR"]
    national.tokens, national.exchange = [PlacedToken("H15", 0, 0)], 1
    state.companies["EIR"].tokens.append(PlacedToken("R17", 0, 0))
    state.pending.clear()
    state.map_changed()
    market.close(state, "EIR")
    assert national.exchange == 0
    assert bool(state.pending) == asked
    if asked:
        assert game.legal_actions(state) == [Pass(1)]
        with pytest.raises(RuleError, match="no exchange token left"):
            game.apply(state, ExchangeToken(1, "R17"))


@pytest.mark.parametrize(("switch", "asked"), [(False, False), (True, True)])
def test_a_bond_is_offered_for_conversion_when_the_national_railway_is_closed(switch, asked):
    state = stock_round("EIR", switches={"auto_pass": True, "forced_choices": switch})
    state.phase, state.moves = "IV", len(state.order)
    hold(state, 0, "RB0")
    state.companies["GIPR"].closed = True
    state.bonds, state.players[0].cash = [], 0
    assert stock.can_act(state, 0) == asked
    state.players[0].certificates.clear()
    assert not stock.can_act(state, 0)
