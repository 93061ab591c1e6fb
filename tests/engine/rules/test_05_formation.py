"""Row 5: formation of companies, control, home tokens (rules sections 4, 7, 8.4)."""

import pytest

from tests.engine.tables import all_pass, cash, hold, lay, operating, stock_round, take
from trunkline.engine import game
from trunkline.engine.actions import (
    AssignCity,
    BuyFromHand,
    BuyFromMarket,
    LayHome,
    LayTile,
    Pass,
    PlaceHome,
    PlaceToken,
)
from trunkline.engine.box.box import BOX
from trunkline.engine.errors import RuleError
from trunkline.engine.invariants import violations
from trunkline.engine.rules import grid, shares
from trunkline.engine.state import EXTRA, OPERATE, CompanyTurn, PlacedToken


def buy(state, *cards):
    """The player to act buys cards that are put into the hand for it."""
    seat = game.actors(state)[0]
    state.players[seat].hand += take(state, *cards)
    return game.apply(state, BuyFromHand(seat, cards))


def test_the_directors_certificate_forms_a_directed_company_at_once():
    state = buy(stock_round("BNR"), "BNR_0")
    c = state.companies["BNR"]
    assert c.formed
    assert state.directed("BNR")
    assert c.controller == 0
    assert state.price("BNR") == 82
    assert c.cash == 164, "the treasury is what was paid, nothing more"
    assert c.tokens == [PlacedToken("I20", 0, 0)]
    assert c.unplaced == [40, 100, 100, 100]
    assert violations(state) == []


def test_the_marker_comes_behind_those_on_its_space():
    state = buy(buy(stock_round("NWR", "EIR"), "NWR_0"), "EIR_0")
    assert state.spaces[BOX.market.index(100)] == ["NWR", "EIR"]


def test_thirty_percent_with_players_form_a_managed_company():
    state = buy(buy(stock_round("BNR"), "BNR_1"), "BNR_2")
    assert not state.companies["BNR"].formed
    assert state.companies["BNR"].controller == 0, "the first holder is the manager to be"
    state = buy(state, "BNR_3")
    assert state.companies["BNR"].formed
    assert not state.directed("BNR")


def test_shares_in_the_open_market_count_for_the_thirty_percent():
    state = stock_round("BNR")
    state.market = take(state, "BNR_1", "BNR_2")
    state = buy(state, "BNR_3")
    assert state.companies["BNR"].formed


def test_thirty_percent_already_out_form_with_the_first_share_a_player_buys():
    state = stock_round("BNR")
    state.market = take(state, "BNR_1", "BNR_2", "BNR_3")
    assert not state.companies["BNR"].formed, "no manager yet"
    state = game.apply(state, BuyFromMarket(0, "BNR_2"))
    assert state.companies["BNR"].formed
    assert state.companies["BNR"].controller == 0


@pytest.mark.parametrize(("count_them", "formed"), [(False, False), (True, True)])
def test_shares_of_companies_count_only_with_the_switch(count_them, formed):
    state = stock_round("BNR", "EIR", switches={"company_shares_form": count_them})
    hold(state, 0, "EIR_0")
    hold(state, "EIR", "BNR_1")
    hold(state, 1, "BNR_2")
    hold(state, 2, "BNR_3")
    assert state.companies["BNR"].formed == formed


def test_on_a_tie_the_first_stays_and_more_takes_over():
    state = buy(buy(stock_round("BNR"), "BNR_1", "BNR_2"), "BNR_3", "BNR_4")
    assert state.companies["BNR"].controller == 0
    assert state.companies["BNR"].formed
    state = buy(state, "BNR_5", "BNR_6", "BNR_7")
    assert state.companies["BNR"].controller == 2


def test_if_all_sell_out_the_last_manager_stays_and_the_next_buyer_takes_over():
    state = stock_round("BNR")
    hold(state, 0, "BNR_1", "BNR_2", "BNR_3")
    shares.to_market(state, 0, ["BNR_1", "BNR_2", "BNR_3"])
    assert state.companies["BNR"].controller == 0
    state.turn = 1
    state = game.apply(state, BuyFromMarket(1, "BNR_1"))
    assert state.companies["BNR"].controller == 1


def test_who_gets_more_than_the_director_swaps_two_shares_for_the_certificate():
    state = stock_round("BNR")
    hold(state, 0, "BNR_0")
    hold(state, 1, "BNR_1", "BNR_2")
    assert state.companies["BNR"].controller == 0
    hold(state, 1, "BNR_3")
    assert state.companies["BNR"].controller == 1
    assert "BNR_0" in state.players[1].certificates
    assert state.percent(0, "BNR") == 20
    assert state.percent(1, "BNR") == 30
    assert len(state.players[1].certificates) == 2


@pytest.mark.parametrize(("to_buyer", "director"), [(True, 1), (False, 0)])
def test_directors_certificate_of_a_managed_company_and_a_tie(to_buyer, director):
    state = stock_round("BNR", switches={"director_tie_to_buyer": to_buyer})
    hold(state, 0, "BNR_1", "BNR_2", "BNR_3")
    hold(state, 1, "BNR_4", "BNR_0")
    assert state.companies["BNR"].controller == director
    assert "BNR_0" in state.players[director].certificates
    assert state.percent(0, "BNR") == state.percent(1, "BNR") == 30
    assert violations(state) == []


def test_a_manager_with_more_gets_the_directors_certificate_another_bought():
    state = stock_round("BNR")
    hold(state, 0, "BNR_1", "BNR_2", "BNR_3")
    hold(state, 1, "BNR_0")
    assert state.companies["BNR"].controller == 0
    assert "BNR_0" in state.players[0].certificates
    assert state.percent(1, "BNR") == 20


# --- the national railway


def test_the_national_railway_needs_three_shares_and_its_manager_chooses_a_home():
    state = buy(stock_round("BNR"), "GIPR_0", "GIPR_1", "GIPR_2")
    assert state.companies["GIPR"].formed
    assert state.price("GIPR") == 112
    assert game.actors(state) == (0,)
    kinds = {type(a) for a in game.legal_actions(state)}
    assert kinds == {PlaceHome, LayHome}
    state = game.apply(state, PlaceHome(0, "D17", 0)) if "WR" not in state.reserved else state
    if state.pending:
        state = game.apply(state, PlaceHome(0, "K30", 0))
    assert len(state.companies["GIPR"].tokens) == 1
    assert game.actors(state) == (1,)


def test_the_national_railway_may_turn_a_town_into_its_home_and_pays_for_the_terrain():
    state = buy(stock_round("BNR"), "GIPR_0", "GIPR_1", "GIPR_2")
    before = state.companies["GIPR"].cash
    state = game.apply(state, LayHome(0, "F25", "13", 0))
    assert state.tiles["F25"] == ("13", 0)
    assert state.companies["GIPR"].cash == before - 30
    assert state.companies["GIPR"].tokens == [PlacedToken("F25", 0, 0)]


@pytest.mark.parametrize(
    ("hex_", "tile", "rotation", "why"),
    [
        ("K38", "13", 1, "not exactly one town|K38"),
        ("E22", "13", 0, "not exactly one town"),
        ("F25", "14", 0, "no green city with one slot"),
        ("A16", "13", 0, "not exactly one town"),
    ],
)
def test_a_home_tile_elsewhere_is_refused(hex_, tile, rotation, why):
    state = buy(stock_round("BNR"), "GIPR_0", "GIPR_1", "GIPR_2")
    with pytest.raises(RuleError, match=why):
        game.apply(state, LayHome(0, hex_, tile, rotation))


def test_the_national_railway_may_not_take_a_reserved_home():
    state = buy(stock_round("BNR"), "GIPR_0", "GIPR_1", "GIPR_2")
    with pytest.raises(RuleError, match="no free slot"):
        game.apply(state, PlaceHome(0, "I20", 0))


def test_it_does_not_operate_before_phase_two():
    for phase, there in (("I", False), ("II", True)):
        state = stock_round("BNR")
        hold(state, 0, "GIPR_0", "GIPR_1", "GIPR_2")
        hold(state, 0, "BNR_0")
        state.pending.clear()
        state.phase = phase
        state = all_pass(state)
        assert state.stage == OPERATE
        assert ("GIPR" in state.line_up) == there


@pytest.mark.parametrize(("count_them", "formed"), [(True, True), (False, False)])
def test_bond_shares_count_for_its_thirty_percent(count_them, formed):
    state = stock_round("BNR", switches={"bond_shares_form": count_them})
    hold(state, 0, "GIPR_0", "GIPR_1")
    hold(state, 1, "GIPR_10")
    assert state.companies["GIPR"].formed == formed


def test_with_the_switch_off_its_home_is_placed_when_it_first_operates():
    state = stock_round("BNR", switches={"national_home_on_forming": False})
    hold(state, 0, "GIPR_0", "GIPR_1", "GIPR_2")
    state.phase = "II"
    assert not state.pending
    state = all_pass(state)
    assert state.operating.company == "GIPR"
    assert state.pending[0].kind == "national_home"
    state = game.apply(state, next(a for a in game.legal_actions(state) if isinstance(a, LayHome)))
    assert state.companies["GIPR"].tokens


# --- home tokens


def test_bombay_and_tirhoot_choose_one_of_their_two_cities():
    state = buy(stock_round("TR"), "TR_0")
    assert game.legal_actions(state) == [PlaceHome(0, "M10", 0), PlaceHome(0, "M10", 1)]
    state = game.apply(state, PlaceHome(0, "M10", 1))
    assert state.companies["TR"].tokens == [PlacedToken("M10", 1, 0)]
    with pytest.raises(RuleError, match="not possible now"):
        game.apply(state, PlaceHome(1, "M10", 0))


def test_there_is_no_choice_when_only_one_city_is_free():
    state = stock_round("TR", "BNR")
    hold(state, 1, "BNR_0")
    state.companies["BNR"].tokens.append(PlacedToken("M10", 0, 0))
    state.map_changed()
    state = buy(state, "TR_0")
    assert state.companies["TR"].tokens == [PlacedToken("M10", 1, 0)]


def test_the_last_slot_of_a_home_stays_reserved_over_both_cities():
    state = operating("BNR", "TR")
    state.companies["TR"].tokens.clear()
    state.companies["TR"].price = -1
    state.reserved["TR"] = ("M10", -1)
    state.map_changed()
    assert grid.open_slots(state, "M10", 0, "BNR") == [0]
    state.companies["BNR"].tokens.append(PlacedToken("M10", 1, 0))
    state.map_changed()
    assert grid.open_slots(state, "M10", 0, "BNR") == []
    assert grid.open_slots(state, "M10", 0, "TR") == [0]


def test_delhi_has_a_printed_circle_for_each_of_its_companies():
    state = buy(buy(stock_round("NWR", "SPD"), "NWR_0"), "SPD_0")
    assert state.companies["NWR"].tokens == [PlacedToken("G8", 0, 0)]
    assert state.companies["SPD"].tokens == [PlacedToken("G8", 1, 0)]


def test_who_lays_the_yellow_double_city_says_which_city_each_token_gets():
    state = operating("NWR", "SPD")
    state = game.apply(state, LayTile(0, "G8", "235", 0))
    assert state.pending[0].kind == "assign"
    with pytest.raises(RuleError, match="no token waiting"):
        game.apply(state, AssignCity(0, "EIR", 0))
    after = game.apply(state, AssignCity(0, "SPD", 0))
    assert after.companies["SPD"].tokens == [PlacedToken("G8", 0, 0)]
    assert after.companies["NWR"].tokens == [PlacedToken("G8", 1, 0)]
    assert violations(after) == []
    assert not any(a.hex == "G10" for a in game.legal_actions(after) if isinstance(a, LayTile)), "no track of NWR now"
    after = game.apply(state, AssignCity(0, "NWR", 0))
    assert any(a.hex == "G10" for a in game.legal_actions(after) if isinstance(a, LayTile))


def test_the_reserved_home_of_the_other_company_moves_to_the_other_city():
    state = stock_round("NWR", "SPD")
    hold(state, 0, "SPD_0")
    state.stage, state.operating_round, state.line_up, state.turn = OPERATE, 1, ["SPD"], 0
    state.operating = CompanyTurn("SPD", "track")
    state = game.apply(state, LayTile(0, "G8", "235", 0))
    state = game.apply(state, AssignCity(0, "SPD", 0))
    assert state.reserved["NWR"] == ("G8", 1)


def test_a_third_company_may_lay_it_and_decide():
    state = operating("BNR", "NWR")
    lay(state, "I20", "57", 0)
    for hex_ in ("I18", "I16", "I14", "I12", "I10"):
        lay(state, hex_, "9", 0)
    lay(state, "I8", "58", 0)
    lay(state, "H7", "8", 5)
    found = [a for a in game.legal_actions(state) if isinstance(a, LayTile) and a.hex == "G8"]
    assert found
    state = game.apply(state, found[0])
    assert game.actors(state) == (0,)
    state = game.apply(state, AssignCity(0, "NWR", 1))
    assert state.companies["NWR"].tokens == [PlacedToken("G8", 1, 0)]


def test_money_of_the_buyer_is_needed():
    state = stock_round("BNR")
    cash(state, 0, 163)
    with pytest.raises(RuleError, match="BNR_0 costs 164"):
        buy(state, "BNR_0")
    state.players[0].hand = ["BNR_1"]
    assert game.allowed(state, Pass(0))


def test_an_extra_token_on_the_circle_stays_beside_while_the_slot_is_a_reserved_home():
    state = operating("NWR", "BNR", number=2)
    state.reserved["SPD"] = ("G8", 1)
    state.companies["BNR"].tokens.append(PlacedToken("G8", 1, EXTRA))
    state.companies["BNR"].unplaced.pop(0)
    state.map_changed()
    state = game.apply(state, LayTile(0, "G8", "235", 0))
    state = game.apply(state, AssignCity(0, "NWR", 1))
    assert state.companies["NWR"].tokens == [PlacedToken("G8", 1, 0)]
    assert state.reserved["SPD"] == ("G8", 0), "the home left over"
    for city in (0, 1):
        after = game.apply(state, AssignCity(0, "BNR", city))
        assert after.companies["BNR"].tokens[-1] == PlacedToken("G8", city, EXTRA)
        assert violations(after) == []


def test_an_extra_token_never_pushes_a_token_out_of_its_circle():
    state = operating("NWR", "SPD", "BNR")
    state.companies["BNR"].tokens.append(PlacedToken("G8", 0, EXTRA))
    state.map_changed()
    state = game.apply(state, LayTile(0, "G8", "235", 0))
    assert [p.companies for p in state.pending] == [("NWR", "SPD"), ("BNR",)]
    with pytest.raises(RuleError, match="BNR has no token waiting"):
        game.apply(state, AssignCity(0, "BNR", 0))
    state = game.apply(state, AssignCity(0, "SPD", 0))
    for city in (0, 1):
        after = game.apply(state, AssignCity(0, "BNR", city))
        at_delhi = {n: next(t for t in after.companies[n].tokens if t.hex == "G8") for n in ("NWR", "SPD", "BNR")}
        assert at_delhi == {
            "NWR": PlacedToken("G8", 1, 0),
            "SPD": PlacedToken("G8", 0, 0),
            "BNR": PlacedToken("G8", city, EXTRA),
        }


@pytest.mark.parametrize("fixed", [False, True])
def test_with_one_home_company_in_play_the_connected_city_is_open_to_others(fixed):
    state = operating("PNS", without=("SPD",), also=("NWR",), switches={"double_city_home_fixed": fixed})
    assert state.reserved["NWR"] == ("G8", 0)
    lay(state, "E4", "4", 2)
    lay(state, "F5", "IND4", 0)
    lay(state, "G6", "58", 0)
    state = game.apply(state, LayTile(0, "G8", "235", 3))
    state = game.apply(state, Pass(0))
    offered = [a for a in game.legal_actions(state) if isinstance(a, PlaceToken) and a.hex == "G8"]
    if fixed:
        assert offered == []
        return
    assert offered == [PlaceToken(0, "G8", 0)]
    state = game.apply(state, offered[0])
    hold(state, 1, "NWR_0")
    assert state.pending == []
    assert state.companies["NWR"].tokens == [PlacedToken("G8", 1, 0)]
    assert violations(state) == []


def test_the_home_to_come_chooses_its_city_if_both_are_free():
    state = operating("PNS", without=("SPD",), also=("NWR",))
    lay(state, "E4", "4", 2)
    lay(state, "F5", "IND4", 0)
    lay(state, "G6", "58", 0)
    state = game.apply(state, LayTile(0, "G8", "235", 3))
    hold(state, 1, "NWR_0")
    assert game.actors(state) == (1,)
    assert game.legal_actions(state) == [PlaceHome(1, "G8", 0), PlaceHome(1, "G8", 1)]


def test_a_national_railway_that_has_only_exchange_tokens_still_places_its_home_when_it_first_operates():
    state = operating("EIR", "GIPR", step="buy", phase="II", switches={"national_home_on_forming": False}, cash_=0)
    state.bonds.clear()
    state.spaces[state.companies["EIR"].price].remove("EIR")
    state.companies["EIR"].price = 1
    state.spaces[1].append("EIR")
    state.line_up, state.turn = ["EIR", "GIPR"], 0
    game.settle(state)
    assert state.companies["EIR"].closed
    assert [t.exchange for t in state.companies["GIPR"].tokens] == [True]
    assert (state.operating.company, [p.kind for p in state.pending]) == ("GIPR", ["national_home"])
