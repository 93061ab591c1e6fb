"""Row 7: buying turns of a stock round (rules section 6)."""

from itertools import permutations

import pytest

from tests.engine.tables import all_pass, cash, hold, stock_round, take
from trunkline.engine import game
from trunkline.engine.actions import BuyBond, BuyFromHand, BuyFromIpo, BuyFromMarket, ConvertBond, Pass
from trunkline.engine.errors import RuleError
from trunkline.engine.invariants import violations
from trunkline.engine.rules import shares
from trunkline.engine.state import OPERATE, STOCK


def with_hand(state, *cards, seat=0):
    state.players[seat].hand = take(state, *cards)
    return state


# --- from the hand


def test_several_certificates_of_one_company_at_once_and_the_company_is_paid():
    state = with_hand(stock_round("BNR"), "BNR_0", "BNR_1", "BNR_2", "P4")
    before = state.players[0].cash
    state = game.apply(state, BuyFromHand(0, ("BNR_0", "BNR_1", "BNR_2")))
    assert state.players[0].hand == ["P4"]
    assert state.companies["BNR"].cash == before - state.players[0].cash == 4 * 82
    assert game.actors(state) == (1,)


def test_several_privates_at_once_and_the_bank_is_paid():
    state = with_hand(stock_round("BNR"), "P1", "P4", "BNR_1")
    bank = state.bank
    state = game.apply(state, BuyFromHand(0, ("P1", "P4")))
    assert state.bank == bank + 100
    assert state.players[0].certificates == ["P1", "P4"]


def test_it_costs_the_ipo_price_whatever_the_price_is():
    state = with_hand(stock_round("BNR"), "BNR_1")
    hold(state, 1, "BNR_0")
    state.companies["BNR"].price += 5
    before = state.players[0].cash
    state = game.apply(state, BuyFromHand(0, ("BNR_1",)))
    assert before - state.players[0].cash == 82


@pytest.mark.parametrize("cards", [("BNR_1", "P4"), ("BNR_1", "EIR_1"), (), ("BNR_7",), ("BNR_1", "BNR_1")])
def test_cards_of_different_kinds_or_not_in_the_hand_are_refused(cards):
    state = with_hand(stock_round("BNR", "EIR"), "BNR_1", "EIR_1", "P4")
    with pytest.raises(RuleError):
        game.apply(state, BuyFromHand(0, cards))


# --- from the IPO


@pytest.fixture
def rows():
    state = stock_round("BNR", "EIR")
    state.ipo = [take(state, "BNR_1", "EIR_1", "BNR_2"), take(state, "P2", "P3"), take(state, "EIR_2")]
    return state


@pytest.mark.parametrize(("count", "bought"), [(1, ["BNR_1"]), (2, ["BNR_1", "EIR_1"])])
def test_the_first_card_or_the_first_two_of_one_row(rows, count, bought):
    state = game.apply(rows, BuyFromIpo(0, 0, count))
    assert state.players[0].certificates == bought
    assert state.companies["BNR"].cash == 82
    assert state.companies["EIR"].cash == (100 if count == 2 else 0)
    assert game.actors(state) == (1,)


def test_privates_of_the_ipo_pay_the_bank(rows):
    bank = rows.bank
    state = game.apply(rows, BuyFromIpo(0, 1, 2))
    assert state.bank == bank + 35 + 60


@pytest.mark.parametrize(("row", "count"), [(0, 3), (0, 0), (3, 1), (-1, 1), (2, 2)])
def test_other_cards_of_the_ipo_are_refused(rows, row, count):
    with pytest.raises(RuleError):
        game.apply(rows, BuyFromIpo(0, row, count))


@pytest.mark.parametrize(("closed", "allowed"), [(True, False), (False, True)])
def test_players_may_not_buy_from_the_ipo_in_the_first_round(closed, allowed):
    state = stock_round("BNR", number=1, switches={"ipo_closed_first_round": closed})
    state.ipo[0] = take(state, "BNR_1")
    assert game.allowed(state, BuyFromIpo(0, 0)) == allowed


# --- from the open market, bonds


def test_one_share_of_the_market_at_the_current_price_and_the_bank_is_paid():
    state = stock_round("BNR")
    hold(state, 1, "BNR_0")
    state.market = take(state, "BNR_1", "BNR_2")
    state.companies["BNR"].price += 1
    bank = state.bank
    state = game.apply(state, BuyFromMarket(0, "BNR_2"))
    assert state.bank == bank + 90
    assert state.companies["BNR"].cash == 0
    assert state.percent(0, "BNR") == 10


def test_a_private_of_the_market_at_face():
    state = stock_round("BNR")
    state.market = take(state, "P5")
    before = state.players[0].cash
    state = game.apply(state, BuyFromMarket(0, "P5"))
    assert before - state.players[0].cash == 115


def test_a_bond_costs_a_hundred_and_does_not_count_against_the_limit():
    state = stock_round("BNR")
    counted = shares.counted(state, 0)
    bank = state.bank
    state = game.apply(state, BuyBond(0))
    assert state.bank == bank + 100
    assert state.players[0].certificates == ["RB0"]
    assert shares.counted(state, 0) == counted
    assert len(state.bonds) == 9


def test_ten_bonds_only():
    state = stock_round("BNR")
    state.gone += state.bonds
    state.bonds = []
    with pytest.raises(RuleError, match="no Railroad Bond is left"):
        game.apply(state, BuyBond(0))


# --- conversion


@pytest.fixture
def bond():
    state = stock_round("BNR")
    hold(state, 0, "RB0")
    state.phase = "IV"
    return state


def test_conversion_before_phase_four_or_without_a_bond_is_refused(bond):
    bond.phase = "III'"
    with pytest.raises(RuleError, match="from phase IV on"):
        game.apply(bond, ConvertBond(0))
    bond.phase, bond.turn = "IV", 1
    with pytest.raises(RuleError, match="has no Railroad Bond"):
        game.apply(bond, ConvertBond(1))


@pytest.mark.parametrize(("price", "cost"), [(None, 12), (90, 0), (100, 0), (160, 60)])
def test_the_difference_above_a_hundred_is_paid_and_the_railway_gets_a_hundred(bond, price, cost):
    if price:
        hold(bond, 1, "GIPR_0", "GIPR_1", "GIPR_2")
        bond.pending.clear()
        from trunkline.engine.box.box import BOX

        national = bond.companies["GIPR"]
        bond.spaces[national.price].remove("GIPR")
        national.price = BOX.market.index(price)
        bond.spaces[national.price].append("GIPR")
    cash(bond, 0, 200)
    bank = bond.bank
    state = game.apply(bond, ConvertBond(0))
    assert state.players[0].cash == 200 - cost
    assert state.companies["GIPR"].cash == 100
    assert state.bank == bank + cost - 100
    assert state.players[0].certificates == ["GIPR_10"]
    assert "RB0" in state.gone
    assert len(state.bond_shares) == 9
    assert violations(state) == []


def test_a_conversion_needs_room_and_is_the_whole_turn(bond):
    state = game.apply(bond, ConvertBond(0))
    assert game.actors(state) == (1,)
    limit = shares.limit(bond, 0)
    bond.players[0].certificates += take(bond, *[c for c in bond.gone if c.endswith(("_1", "_2", "_3"))][:limit])
    with pytest.raises(RuleError, match="over the limit"):
        game.apply(bond, ConvertBond(0))


def test_up_to_two_hundred_percent_of_the_national_railway():
    state = stock_round("BNR")
    hold(state, 0, *(f"GIPR_{i}" for i in range(20)))
    assert state.percent(0, "GIPR") == 200


# --- limits, passing


def test_a_hundred_percent_of_a_company_may_be_held():
    state = with_hand(stock_round("BNR"), "BNR_8")
    hold(state, 0, "BNR_0", *(f"BNR_{i}" for i in range(1, 8)))
    state = game.apply(state, BuyFromHand(0, ("BNR_8",)))
    assert state.percent(0, "BNR") == 100


def test_the_certificate_limit_is_checked_for_all_that_is_bought():
    state = with_hand(stock_round("BNR"), "BNR_4", "BNR_5")
    limit = shares.limit(state, 0)
    state.players[0].certificates = take(state, *[c for c in state.gone if "BNR" not in c][: limit - 1])
    cash(state, 0, 1000)
    assert game.allowed(state, BuyFromHand(0, ("BNR_4",)))
    with pytest.raises(RuleError, match=r"rules section 1\.1"):
        game.apply(state, BuyFromHand(0, ("BNR_4", "BNR_5")))


def test_it_goes_round_until_all_pass_in_succession_and_a_pass_is_not_final():
    state = stock_round("BNR")
    hold(state, 0, "BNR_0")
    state = game.apply(game.apply(state, Pass(0)), Pass(1))
    state = game.apply(state, BuyBond(2))
    state = game.apply(state, BuyBond(0))
    for seat in (1, 2):
        state = game.apply(state, Pass(seat))
    assert state.stage == STOCK
    state = game.apply(state, Pass(0))
    assert state.stage == OPERATE


def test_the_order_of_the_last_passes_is_the_next_turn_order():
    state = stock_round("BNR")
    hold(state, 0, "BNR_0")
    for seat, buys in ((0, False), (1, True), (2, False), (0, True), (1, False), (2, False), (0, False)):
        state = game.apply(state, BuyBond(seat) if buys else Pass(seat))
    assert state.order == [2, 1, 0], "2 passed first and never bought after it"


def test_one_purchase_a_turn():
    state = with_hand(stock_round("BNR"), "BNR_1", "BNR_2")
    state = game.apply(state, BuyFromHand(0, ("BNR_1",)))
    with pytest.raises(RuleError, match="not seat 0's turn"):
        game.apply(state, BuyFromHand(0, ("BNR_2",)))


def test_piecemeal_as_on_18xx_games():
    state = with_hand(stock_round("BNR", "EIR", rules="18xx.games"), "BNR_1", "BNR_2", "EIR_1")
    state = game.apply(state, BuyFromHand(0, ("BNR_1",)))
    with pytest.raises(RuleError, match="cards of BNR and EIR"):
        game.apply(state, BuyFromHand(0, ("EIR_1",)))
    state = game.apply(state, BuyFromHand(0, ("BNR_2",)))
    assert game.actors(state) == (1,), "nothing more of the kind in the hand"


@pytest.mark.parametrize("rules", ["rulebook", "18xx.games"])
def test_who_can_do_nothing_is_asked_only_in_the_rulebook_set(rules):
    state = stock_round("BNR", rules=rules)
    hold(state, 0, "BNR_0")
    for seat in (0, 1, 2):
        cash(state, seat, 99)
    game.settle(state)
    assert (state.stage == OPERATE) == (rules == "18xx.games")


def test_all_passing_in_the_first_round_begins_operating_rounds_without_companies():
    state = all_pass(stock_round("BNR", number=1))
    assert state.round == 2
    assert state.stage == STOCK


def test_when_nobody_can_ever_act_again_the_game_is_over():
    state = stock_round("BNR", rules="18xx.games")
    for seat in (0, 1, 2):
        cash(state, seat, 20)
    game.settle(state)
    assert state.ended_by == "stalemate"
    assert state.scores == [20, 20, 20]


@pytest.mark.parametrize("cards", list(permutations(("BNR_0", "BNR_4"))))
def test_the_order_of_the_cards_of_one_purchase_means_nothing(cards):
    """The Director's certificate and a share: 30 % against the manager's 30 %, a tie that the buyer wins (C17)."""
    state = stock_round("BNR")
    hold(state, 1, "BNR_1", "BNR_2", "BNR_3")
    state = game.apply(with_hand(state, *cards), BuyFromHand(0, cards))
    assert state.companies["BNR"].controller == 0
    assert violations(state) == []


@pytest.mark.parametrize("cards", list(permutations(("TR_0", "TR_3", "TR_4"), 2)))
def test_who_runs_a_company_after_the_purchase_that_forms_it_chooses_its_home(cards):
    state = stock_round("TR")
    hold(state, 1, "TR_1")
    state.market = take(state, "TR_2")
    state = game.apply(with_hand(state, *cards), BuyFromHand(0, cards))
    assert state.companies["TR"].controller == 0
    assert game.actors(state) == (0,)
    assert violations(state) == []


def test_two_cards_of_an_ipo_row_are_bought_at_one_time():
    state = stock_round("GIPR")
    hold(state, 1, "GIPR_1")
    state.market = take(state, "GIPR_2")
    state.ipo[0] = take(state, "GIPR_3", "GIPR_4")
    state = game.apply(state, BuyFromIpo(0, 0, 2))
    assert state.companies["GIPR"].controller == 0
    assert game.actors(state) == (0,)


@pytest.mark.parametrize("certificate", ["BNR_0", "BNR_99", "BNR_x", "BNR_"])
def test_only_a_share_that_there_is_can_be_asked_for_in_the_open_market(certificate):
    state = stock_round("BNR")
    state.market = take(state, "BNR_3")
    assert game.apply(state, BuyFromMarket(0, "BNR_5")).players[0].certificates == ["BNR_3"], "shares are alike"
    with pytest.raises(RuleError, match=f"{certificate} is not in the open market"):
        game.apply(state, BuyFromMarket(0, certificate))
