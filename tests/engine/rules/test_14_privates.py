"""Row 14: the six private companies, used by owner or company (rules sections 1.4, 7, 9.6)."""

import pytest

from tests.engine.tables import hold, lay, operating
from trunkline.engine import game
from trunkline.engine.actions import ClosePrivate, LayTile, Pass, PlaceJewelry, UseDiscount
from trunkline.engine.errors import RuleError
from trunkline.engine.invariants import violations
from trunkline.engine.state import TOKEN, TRACK


def bnr(*certificates, owner=0, **kwargs):
    """BNR in Nagpur with some track; ``owner`` (a seat or the company) has the privates."""
    state = operating("BNR", **kwargs)
    lay(state, "I20", "57", 0)
    lay(state, "I18", "9", 0)
    lay(state, "I22", "9", 0)
    hold(state, owner, *certificates)
    return state


@pytest.mark.parametrize("owner", [0, "BNR"])
def test_used_it_closes_and_its_owner_gets_the_face_value(owner):
    from trunkline.engine.rules import money

    state = bnr("P2", owner=owner)
    before = money.cash(state, owner)
    state = game.apply(state, LayTile(0, "I16", "9", 0, "P2"))
    spent = 15 if owner == "BNR" else 0
    assert money.cash(state, owner) == before + 35 - spent
    assert "P2" in state.gone
    assert violations(state) == []


def test_p2_lays_one_more_yellow_tile_apart_from_the_line():
    state = bnr("P2")
    for hex_, tile in (("I24", "9"), ("I26", "9"), ("I28", "9"), ("I30", "9")):
        state = game.apply(state, LayTile(0, hex_, tile, 0))
    assert state.operating.step == TOKEN, "the token step waits for P2"
    state = game.apply(state, LayTile(0, "I16", "9", 0, "P2"))
    assert state.tiles["I16"] == ("9", 0)
    assert state.operating.line == ("I24", "I26", "I28", "I30")


def test_p2_needs_reach_and_lays_no_upgrade():
    state = bnr("P2")
    with pytest.raises(RuleError, match="no track of BNR"):
        game.apply(state, LayTile(0, "D15", "9", 0, "P2"))
    with pytest.raises(RuleError, match="P3 does"):
        game.apply(state, LayTile(0, "I20", "14", 0, "P2"))


def test_p3_upgrades_one_more_tile():
    state = bnr("P3")
    state = game.apply(state, LayTile(0, "I20", "14", 0))
    state = game.apply(state, LayTile(0, "I18", "82", 0, "P3"))
    assert state.tiles["I18"][0] == "82"
    assert "P3" in state.gone
    other = bnr("P3")
    with pytest.raises(RuleError, match="P2 does"):
        game.apply(other, LayTile(0, "I16", "9", 0, "P3"))


def test_an_upgrade_by_p3_leaves_the_track_action_free():
    state = game.apply(bnr("P3"), LayTile(0, "I20", "14", 0, "P3"))
    assert state.operating.step == TRACK
    assert game.allowed(state, LayTile(0, "I16", "9", 0))


def test_p4_takes_up_to_forty_off_the_terrain_of_the_turn():
    state = bnr("P4")
    before = state.players[0].cash
    state = game.apply(state, UseDiscount(0))
    assert state.players[0].cash == before + 75, "it closes at once"
    state = game.apply(state, LayTile(0, "I16", "9", 0))  # 15
    assert state.companies["BNR"].cash == 1000
    state = game.apply(state, LayTile(0, "I14", "9", 0))  # 30, of which 25 are left to save
    assert state.companies["BNR"].cash == 995
    assert state.operating.discount == 0


def test_p4_ends_with_the_turn():
    state = operating("BNR", "EIR")
    hold(state, 0, "P4")
    state = game.apply(state, UseDiscount(0))
    while state.operating.company == "BNR":
        state = game.apply(state, Pass(0))
    assert state.operating.discount == 0


def test_p4_closes_after_the_track_step_as_on_18xx_games():
    state = bnr("P4", switches={"late_french_closing": True})
    before = state.players[0].cash
    state = game.apply(state, UseDiscount(0))
    assert state.players[0].cash == before
    assert "P4" in state.players[0].certificates
    with pytest.raises(RuleError, match="belongs neither"):
        game.apply(state, UseDiscount(0))
    state = game.apply(state, Pass(0))
    assert state.players[0].cash >= before + 75
    assert "P4" in state.gone


def test_p6_places_the_jewelry_and_gives_the_company_its_concession():
    state = bnr("P6")
    before = state.players[0].cash
    state = game.apply(state, PlaceJewelry(0, "I18"))
    assert state.jewelry_hex == "I18", "it may share a hex with a commodity"
    assert state.companies["BNR"].concessions == ["JEWELRY"]
    assert state.players[0].cash == before + 150
    from trunkline.engine.rules import run

    assert run.position(state).held_concessions == {"JEWELRY"}
    assert violations(state) == []


@pytest.mark.parametrize("hex_", ["I20", "D3", "E4", "C6", "C18", "Z1", ""])
def test_the_jewelry_goes_on_a_hex_without_town_or_city(hex_):
    with pytest.raises(RuleError, match=r"rules section 9\.6"):
        game.apply(bnr("P6"), PlaceJewelry(0, hex_))


def test_p1_has_no_power_and_pays_five_like_all_pay_their_income():
    state = operating("BNR", step="buy")
    hold(state, 0, "P1", "P2")
    hold(state, 1, "P6", "RB0")
    hold(state, "BNR", "P5")
    before = [p.cash for p in state.players]
    treasury = state.companies["BNR"].cash
    state = game.apply(state, Pass(0))  # the last company: the next operating round begins
    assert state.operating_round == 2
    assert [p.cash - b for p, b in zip(state.players, before, strict=True)] == [10, 35, 0]
    assert state.companies["BNR"].cash == treasury + 20


def test_a_private_may_be_closed_without_using_its_power():
    state = bnr("P1", "P5")
    before = state.players[0].cash
    state = game.apply(state, ClosePrivate(0, "P1"))
    assert state.players[0].cash == before + 25
    assert state.operating.step == TRACK


def test_not_as_on_18xx_games():
    with pytest.raises(RuleError, match="only by using its power"):
        game.apply(bnr("P1", rules="18xx.games"), ClosePrivate(0, "P1"))


@pytest.mark.parametrize("private", ["P1", "P7", "BNR_1", ""])
def test_only_an_own_private_can_be_closed(private):
    state = bnr("P2")
    hold(state, 1, "P1")
    with pytest.raises(RuleError):
        game.apply(state, ClosePrivate(0, private))


def test_a_company_that_owns_one_uses_it_whoever_runs_it():
    state = bnr("P4", owner="BNR")
    cash = state.companies["BNR"].cash
    state = game.apply(state, UseDiscount(0))
    assert state.companies["BNR"].cash == cash + 75


def test_p4_gives_back_what_was_paid_for_terrain_before_it_was_used():
    """Up to 40 off the total of the turn (rules section 8.2), whenever in the turn it is used."""
    state = game.apply(bnr("P4"), LayTile(0, "I16", "9", 0))  # 15
    assert state.companies["BNR"].cash == 985
    state = game.apply(state, UseDiscount(0))
    assert state.companies["BNR"].cash == 1000
    assert state.operating.discount == 25
    assert violations(state) == []
    state = game.apply(state, LayTile(0, "I14", "9", 0))  # 30
    assert state.companies["BNR"].cash == 995


def test_p4_is_not_used_for_nothing_after_the_track_step():
    state = game.apply(bnr("P4"), LayTile(0, "I16", "9", 0))
    state = game.apply(state, Pass(0))
    assert state.operating.step != TRACK
    assert game.apply(state, UseDiscount(0)).companies["BNR"].cash == 1000
    state = game.apply(bnr("P4"), Pass(0))
    with pytest.raises(RuleError, match="no terrain was paid"):
        game.apply(state, UseDiscount(0))
