"""Row 12: trains bought and sold, phases by trains (rules sections 1.6, 1.7, 10.2)."""

import pytest

from tests.engine.tables import cash, operating, train
from trunkline.engine import game
from trunkline.engine.actions import AnswerOffer, BuyTrain, Pass, SellTrain
from trunkline.engine.box.box import TITLE
from trunkline.engine.errors import RuleError
from trunkline.engine.invariants import violations
from trunkline.engine.state import TRAINS


def buying(*others, cash_=2000, **kwargs):
    return operating("EIR", *others, step=TRAINS, cash_=cash_, **kwargs)


def sold_out(state, *names):
    """Move all new trains of these types to the open market."""
    for t in [t for t in state.depot if t.rpartition("-")[0] in names]:
        state.depot.remove(t)
        state.used_trains.append(t)
    return state


def test_new_trains_come_in_order():
    state = buying()
    with pytest.raises(RuleError, match=r"not on sale in the bank.*legal: 2"):
        game.apply(state, BuyTrain(0, "3-0", "bank", 300, "3"))
    state = game.apply(state, BuyTrain(0, "2-0", "bank", 180, "2"))
    assert state.companies["EIR"].cash == 1820
    assert state.companies["EIR"].trains == ["2-0"]


@pytest.mark.parametrize(
    ("gone", "card", "phase_before", "phase"),
    [
        ((), "2", "I", "I"),
        (("2",), "3", "I", "II"),
        (("2",), "3", "II", "II"),
        (("2", "3"), "4", "II", "III"),
    ],
)
def test_phases_begin_with_new_trains_at_once(gone, card, phase_before, phase):
    state = sold_out(buying(phase=phase_before), *gone)
    price = TITLE.cards[card].price
    assert game.apply(state, BuyTrain(0, f"{card}-0", "bank", price, card)).phase == phase


def test_the_last_four_puts_all_types_of_phase_four_on_sale():
    state = sold_out(buying(phase="III"), "2", "3")
    state.depot = [t for t in state.depot if t not in ("4-0", "4-1")]
    state.used_trains += ["4-0", "4-1"]
    with pytest.raises(RuleError):
        game.apply(state, BuyTrain(0, "3x3-0", "bank", 900, "3x3"))
    state = game.apply(state, BuyTrain(0, "4-2", "bank", 450, "4E"))
    assert state.phase == "III'"
    assert state.sides["4-2"] == "4E"
    for card in ("3x2", "3x3", "4x2", "4x3"):
        after = game.apply(state, BuyTrain(0, f"{card}-1", "bank", TITLE.cards[card].price, card))
        assert after.phase == "IV"


@pytest.mark.parametrize(("card", "sides"), [("4", ("4", "4E")), ("4x2", ("4x2", "4Ex2")), ("4x3", ("4x3", "4Ex3"))])
def test_the_buyer_chooses_the_side(card, sides):
    state = sold_out(buying(phase="II" if card == "4" else "III'"), "2", "3", *(() if card == "4" else ("4",)))
    for side in sides:
        bought = game.apply(state, BuyTrain(0, f"{card}-0", "bank", TITLE.cards[card].price, side))
        assert bought.sides[f"{card}-0"] == side
    with pytest.raises(RuleError, match="has no side '3E'"):
        game.apply(state, BuyTrain(0, f"{card}-0", "bank", TITLE.cards[card].price, "3E"))


def test_trains_of_the_open_market_cost_their_list_price_and_begin_no_phase():
    state = buying()
    state.depot.remove("3x3-0")
    state.used_trains = ["3x3-0"]
    with pytest.raises(RuleError, match="costs 900, not 700"):
        game.apply(state, BuyTrain(0, "3x3-0", "market", 700, "3x3"))
    state = game.apply(state, BuyTrain(0, "3x3-0", "market", 900, "3x3"))
    assert state.phase == "I"
    assert state.companies["EIR"].trains == ["3x3-0"]


def test_at_most_two_trains():
    state = buying()
    train(state, "EIR", "2")
    train(state, "EIR", "2")
    with pytest.raises(RuleError, match="the limit"):
        game.apply(state, BuyTrain(0, "2-2", "bank", 180, "2"))


@pytest.mark.parametrize("one", [True, False])
def test_a_second_train_of_phase_four_needs_the_switch_off(one):
    state = sold_out(buying("BNR", phase="III'", switches={"one_phase_four_train": one}), "2", "3", "4")
    train(state, "EIR", "3x2")
    second = BuyTrain(0, "3x3-0", "bank", 900, "3x3")
    assert game.allowed(state, second) == (not one)
    other = train(state, "BNR", "4x2")
    assert game.allowed(state, BuyTrain(0, other, "BNR", 5)) == (not one), "from a company neither"


def test_the_money_must_be_there_and_nobody_adds_any():
    state = buying(cash_=179)
    with pytest.raises(RuleError, match="costs 180, EIR has 179"):
        game.apply(state, BuyTrain(0, "2-0", "bank", 180, "2"))


def test_there_is_no_duty_to_buy():
    state = buying()
    assert Pass(0) in game.legal_actions(state)


# --- selling


@pytest.mark.parametrize(
    ("card", "price"), [("2", 180), ("3", 300), ("4", 300), ("3x2", 500), ("3x3", 700), ("4x2", 650)]
)
def test_the_bank_buys_back_at_fixed_values(card, price):
    state = buying(cash_=0)
    sold = train(state, "EIR", card)
    state = game.apply(state, SellTrain(0, sold))
    assert state.companies["EIR"].cash == price
    assert state.used_trains == [sold]
    assert sold not in state.sides
    assert violations(state) == []


def test_a_4x3_is_not_taken():
    state = buying()
    with pytest.raises(RuleError, match="does not take a 4x3"):
        game.apply(state, SellTrain(0, train(state, "EIR", "4x3")))


def test_one_may_sell_and_then_buy():
    state = buying(cash_=0)
    state = game.apply(state, SellTrain(0, train(state, "EIR", "2")))
    state = game.apply(state, BuyTrain(0, state.depot[0], "bank", 180, "2"))
    assert state.companies["EIR"].cash == 0


def test_a_train_bought_in_this_turn_is_not_sold():
    state = buying()
    state = game.apply(state, BuyTrain(0, "2-0", "bank", 180, "2"))
    with pytest.raises(RuleError, match="bought in this turn"):
        game.apply(state, SellTrain(0, "2-0"))


@pytest.mark.parametrize("resell", [True, False])
def test_one_bought_from_a_company_only_with_the_switch(resell):
    state = buying("BNR", switches={"resell_new_trains": resell, "train_sale_consent": False})
    other = train(state, "BNR", "2")
    state = game.apply(state, BuyTrain(0, other, "BNR", 5))
    assert game.allowed(state, SellTrain(0, other)) == resell


# --- from other companies


def test_a_train_of_an_own_company_for_any_price_from_one():
    state = buying("BNR", players=2)
    state.companies["BNR"].controller = 0
    state.players[0].certificates += state.players[1].certificates
    state.players[1].certificates = []
    other = train(state, "BNR", "4", "4E")
    cash(state, "BNR", 0)
    state = game.apply(state, BuyTrain(0, other, "BNR", 1))
    assert state.companies["BNR"].cash == 1
    assert state.sides[other] == "4E", "the side stays"
    assert state.companies["EIR"].trains == [other]
    assert state.phase == "I"


def test_the_owner_of_another_company_is_asked():
    state = buying("BNR")
    other = train(state, "BNR", "2")
    state = game.apply(state, BuyTrain(0, other, "BNR", 77))
    assert game.actors(state) == (1,)
    assert state.companies["BNR"].trains == [other]
    refused = game.apply(state, AnswerOffer(1, False))
    assert refused.companies["EIR"].trains == []
    assert game.actors(refused) == (0,)
    sold = game.apply(state, AnswerOffer(1, True))
    assert sold.companies["EIR"].trains == [other]
    assert sold.companies["EIR"].cash == 2000 - 77
    with pytest.raises(RuleError, match="not possible now"):
        game.apply(sold, AnswerOffer(0, True))


def test_without_the_switch_for_consent_it_is_sold_at_once():
    state = buying("BNR", switches={"train_sale_consent": False})
    other = train(state, "BNR", "2")
    assert game.apply(state, BuyTrain(0, other, "BNR", 77)).companies["EIR"].trains == [other]


@pytest.mark.parametrize(
    ("source", "price", "side", "why"),
    [
        ("BNR", 0, "", "1 or more"),
        ("BNR", 3000, "", "has 2000"),
        ("BNR", 5, "4E", "changes only at the bank"),
        ("EIR", 5, "", "no other company"),
        ("XYZ", 5, "", "no other company"),
        ("SIR", 5, "", "no other company"),
    ],
)
def test_what_cannot_be_bought_of_a_company(source, price, side, why):
    state = buying("BNR")
    other = train(state, "BNR", "2")
    with pytest.raises(RuleError, match=why):
        game.apply(state, BuyTrain(0, other, source, price, side))


def test_after_the_last_step_without_trains_comes_the_next_company():
    state = buying("BNR")
    state = game.apply(state, Pass(0))
    while state.operating.company == "EIR":
        state = game.apply(state, Pass(0))
    assert state.operating.company == "BNR"
