"""Row 13: certificates bought and sold by companies (rules section 10.3)."""

import pytest

from tests.engine.tables import hold, operating, take
from trunkline.engine import game
from trunkline.engine.actions import BuyBond, BuyFromHand, BuyFromIpo, BuyFromMarket, CompanySell, ConvertBond, Pass
from trunkline.engine.errors import RuleError
from trunkline.engine.invariants import violations
from trunkline.engine.rules import market
from trunkline.engine.state import BUY, SELL


def at(step, *others, **kwargs):
    return operating("EIR", *(others or ("BNR",)), step=step, **kwargs)


def test_it_sells_any_number_first_at_the_current_price_or_face():
    state = at(SELL, cash_=0)
    hold(state, "EIR", "BNR_1", "P2", "RB0")
    market.move(state, "BNR", 1)
    state = game.apply(state, CompanySell(0, ("BNR_1", "P2", "RB0")))
    assert state.companies["EIR"].cash == 90 + 35 + 100
    assert state.companies["EIR"].certificates == []
    assert state.market == ["BNR_1", "P2"]
    assert "RB0" in state.bonds
    assert violations(state) == []


def test_then_it_buys_one_and_its_turn_is_over():
    state = at(BUY)
    state.ipo[0] = take(state, "BNR_1", "BNR_2")
    before = state.companies["BNR"].cash
    state = game.apply(state, BuyFromIpo(0, 0))
    assert state.companies["EIR"].certificates == ["BNR_1"]
    assert state.companies["BNR"].cash == before + 82, "the company concerned is paid"
    assert state.operating.company == "BNR"


def test_one_certificate_only():
    state = at(BUY)
    state.ipo[0] = take(state, "BNR_1", "BNR_2")
    with pytest.raises(RuleError, match="buys one certificate"):
        game.apply(state, BuyFromIpo(0, 0, 2))


def test_not_its_own_share_from_the_ipo_but_from_the_market():
    state = at(BUY)
    state.ipo[0] = take(state, "EIR_1")
    state.market = take(state, "EIR_2")
    with pytest.raises(RuleError, match="its own share from the IPO"):
        game.apply(state, BuyFromIpo(0, 0))
    bank = state.bank
    state = game.apply(state, BuyFromMarket(0, "EIR_2"))
    assert state.companies["EIR"].certificates == ["EIR_2"]
    assert state.bank == bank + 100


def test_companies_buy_from_the_ipo_in_the_first_rounds_already():
    state = at(BUY, number=1)
    state.ipo[0] = take(state, "BNR_1")
    assert game.allowed(state, BuyFromIpo(0, 0))


def test_a_private_of_ipo_or_market_and_a_bond_at_face():
    state = at(BUY)
    state.ipo[1] = take(state, "P3")
    state.market = take(state, "P2")
    for action, price in ((BuyFromIpo(0, 1), 60), (BuyFromMarket(0, "P2"), 35), (BuyBond(0), 100)):
        assert game.apply(state, action).companies["EIR"].cash == 1000 - price


def test_at_most_three_certificates_bonds_are_free():
    state = at(BUY)
    hold(state, "EIR", "BNR_1", "BNR_2", "P1", "RB0")
    state.market = take(state, "BNR_3")
    with pytest.raises(RuleError, match="limit of 3"):
        game.apply(state, BuyFromMarket(0, "BNR_3"))
    assert game.allowed(state, BuyBond(0))


def test_control_follows_the_players_only():
    state = at(BUY)
    hold(state, "EIR", "BNR_1", "BNR_2", "BNR_3")
    assert state.companies["BNR"].controller == 1


def test_it_may_convert_a_bond_in_place_of_a_purchase():
    state = at(BUY, phase="IV")
    hold(state, "EIR", "RB0")
    after = game.apply(state, ConvertBond(0))
    assert after.companies["EIR"].certificates == ["GIPR_10"]
    assert after.companies["EIR"].cash == 1000 - 12
    assert after.operating.company == "BNR"
    state.phase = "III"
    with pytest.raises(RuleError, match="from phase IV on"):
        game.apply(state, ConvertBond(0))


def test_money_and_the_step_are_needed():
    state = at(BUY, cash_=81)
    state.ipo[0] = take(state, "BNR_1")
    with pytest.raises(RuleError, match="EIR has 81"):
        game.apply(state, BuyFromIpo(0, 0))
    state = at(SELL)
    hold(state, "EIR", "BNR_1")
    with pytest.raises(RuleError, match="does not own BNR_2"):
        game.apply(state, CompanySell(0, ("BNR_2",)))
    with pytest.raises(RuleError, match="buy step"):
        game.apply(state, BuyBond(0))
    with pytest.raises(RuleError, match="not possible now"):
        game.apply(state, BuyFromHand(0, ("BNR_2",)))


def test_the_sell_step_is_left_out_when_there_is_nothing_to_sell():
    state = at("trains")
    state = game.apply(state, Pass(0))
    assert state.operating.step == BUY


def test_a_share_bought_by_a_company_can_complete_the_formation_only_with_the_switch():
    for on in (True, False):
        state = at(BUY, switches={"company_shares_form": on})
        hold(state, 0, "GIPR_0", "GIPR_1")
        state.ipo[0] = take(state, "GIPR_2")
        state = game.apply(state, BuyFromIpo(0, 0))
        assert state.companies["GIPR"].formed == on
        assert bool(state.pending) == on, "its manager chooses the home before the game goes on"
