"""Row 9: station tokens (rules section 8.3)."""

import pytest

from tests.engine.tables import cash, hold, lay, operating
from trunkline.engine import game
from trunkline.engine.actions import Pass, PlaceToken
from trunkline.engine.errors import RuleError
from trunkline.engine.invariants import violations
from trunkline.engine.rules import grid
from trunkline.engine.state import EXTRA, TOKEN, PlacedToken
from trunkline.solver import StopId


def reached(state, company="BNR"):
    return grid.reach(state, company).cities


@pytest.fixture
def joined():
    """BNR in Nagpur joined with Chennai by a straight of its own: I20 to the south, then to K30."""
    state = operating("BNR", cash_=300, step=TOKEN)
    lay(state, "I20", "57", 0)
    for hex_ in ("I22", "I24", "I26", "I28"):
        lay(state, hex_, "9", 0)
    lay(state, "I30", "8", 3)
    lay(state, "J31", "8", 2)
    state.reserved = {}
    state.map_changed()
    return state


def test_a_token_costs_forty_then_a_hundred(joined):
    assert joined.company.unplaced == [40, 100, 100, 100]
    assert ("K30", 0) in reached(joined)
    state = game.apply(joined, PlaceToken(0, "K30", 0))
    assert state.companies["BNR"].cash == 260
    assert state.companies["BNR"].unplaced == [100, 100, 100]
    assert state.companies["BNR"].tokens[-1] == PlacedToken("K30", 0, 0)
    assert violations(state) == []


def test_one_token_a_turn(joined):
    state = game.apply(joined, PlaceToken(0, "K30", 0))
    assert state.operating.token
    assert state.operating.step != TOKEN


def test_the_city_must_be_reached(joined):
    with pytest.raises(RuleError, match="does not reach city 0 of D3"):
        game.apply(joined, PlaceToken(0, "D3", 0))


def test_a_free_slot_that_is_not_reserved(joined):
    state = joined
    state.reserved = {"MR": ("K30", 0)}
    state.map_changed()
    assert game.allowed(state, PlaceToken(0, "K30", 0)), "Chennai has two slots"
    state.companies[next(n for n in state.companies if n != "BNR")].tokens.append(PlacedToken("K30", 0, 0))
    state.map_changed()
    with pytest.raises(RuleError, match="no free slot that is not reserved"):
        game.apply(state, PlaceToken(0, "K30", 0))


def test_not_two_in_one_hex(joined):
    with pytest.raises(RuleError, match="has a token in I20"):
        game.apply(joined, PlaceToken(0, "I20", 0))


def test_money_and_tokens_are_needed(joined):
    cash(joined, "BNR", 39)
    with pytest.raises(RuleError, match="the token costs 40"):
        game.apply(joined, PlaceToken(0, "K30", 0))
    joined.company.unplaced.clear()
    with pytest.raises(RuleError, match="no token left"):
        game.apply(joined, PlaceToken(0, "K30", 0))


@pytest.mark.parametrize(("hex_", "city"), [("K30", 1), ("I22", 0), ("Z9", 0), ("M24", 0)])
def test_only_cities_take_tokens(joined, hex_, city):
    with pytest.raises(RuleError, match="there is no city"):
        game.apply(joined, PlaceToken(0, hex_, city))


def test_only_in_the_token_step(joined):
    state = game.apply(joined, Pass(0))
    with pytest.raises(RuleError):
        game.apply(state, PlaceToken(0, "K30", 0))


def test_a_city_filled_by_others_is_reached_but_not_passed(joined):
    others = [n for n in joined.companies if n != "BNR"][:2]
    for i, name in enumerate(others):
        joined.companies[name].tokens.append(PlacedToken("K30", 0, i))
    joined.map_changed()
    assert ("K30", 0) in reached(joined)
    lay(joined, "K28", "9", 0)
    assert "K28" not in {h for h, _ in grid.reach(joined, "BNR").track}
    joined.companies[others[0]].tokens.clear()
    joined.map_changed()
    assert "K28" in {h for h, _ in grid.reach(joined, "BNR").track}


# --- the Danish East India Company


@pytest.fixture
def danish(joined):
    hold(joined, 0, "P5")
    return joined


def test_p5_places_the_token_of_the_turn_anywhere_for_nothing(danish):
    before = danish.players[0].cash
    state = game.apply(danish, PlaceToken(0, "D3", 0, "P5"))
    c = state.companies["BNR"]
    assert c.tokens[-1] == PlacedToken("D3", 0, 0)
    assert c.cash == 300
    assert c.unplaced == [100, 100, 100], "the next available token"
    assert state.players[0].cash == before + 115
    assert state.players[0].certificates == ["BNR_0"]
    assert state.operating.token
    with pytest.raises(RuleError):
        game.apply(state, PlaceToken(0, "K30", 0))


def test_p5_in_a_full_city_lies_beside_it_and_moves_in_when_a_slot_opens(danish):
    other = next(n for n in danish.companies if n != "BNR")
    lay(danish, "H31", "57", 0)
    danish.companies[other].tokens.append(PlacedToken("H31", 0, 0))
    danish.map_changed()
    state = game.apply(danish, PlaceToken(0, "H31", 0, "P5"))
    assert state.companies["BNR"].tokens[-1] == PlacedToken("H31", 0, EXTRA)
    from trunkline.engine.rules import run, track

    city = StopId("H31", "city", 0)
    assert run.board(state).cities[city].extras == ("BNR",)
    track.put_tile(state, "BNR", "H31", "14", 0)
    assert state.companies["BNR"].tokens[-1] == PlacedToken("H31", 0, 1)
    assert run.board(state).cities[city].slots == (other, "BNR")


def test_p5_does_not_take_the_last_reserved_slot(danish):
    danish.reserved = {"PNS": ("D3", 0)}
    danish.map_changed()
    state = game.apply(danish, PlaceToken(0, "D3", 0, "P5"))
    assert state.companies["BNR"].tokens[-1].slot == EXTRA
    assert grid.open_slots(state, "D3", 0, "PNS") == [0]


def test_an_extra_token_is_an_own_token_for_reach_and_for_the_solver(danish):
    from trunkline.engine.rules import run

    other = next(n for n in danish.companies if n != "BNR")
    danish.companies[other].tokens.append(PlacedToken("D3", 0, 0))
    danish.map_changed()
    state = game.apply(danish, PlaceToken(0, "D3", 0, "P5"))
    assert ("D3", 0) in grid.reach(state, "BNR").cities
    assert any(hex_ == "D3" for hex_, _ in grid.reach(state, "BNR").sides)
    assert run.board(state).cities[StopId("D3", "city", 0)].extras == ("BNR",)


def test_p5_of_another_player_cannot_be_used(joined):
    hold(joined, 1, "P5")
    with pytest.raises(RuleError, match="belongs neither"):
        game.apply(joined, PlaceToken(0, "D3", 0, "P5"))
