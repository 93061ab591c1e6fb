"""Row 16: the end of the game, book value, final scores (rules section 11)."""

from dataclasses import replace

import pytest

from tests.engine.tables import all_pass, give, hold, operating, stock_round, train
from trunkline.engine import game
from trunkline.engine.actions import BuyBond, Dividend, EndGame, Pass
from trunkline.engine.box.box import BOX
from trunkline.engine.errors import RuleError
from trunkline.engine.invariants import violations
from trunkline.engine.rules import finish
from trunkline.engine.state import DIVIDEND, END


def drain(state, leave=0):
    """Move the money of the bank to a player."""
    give(state, 2, state.bank - leave)
    return state


def pass_until(state, condition):
    while not condition(state):
        seat = game.actors(state)[0]
        action = Pass(seat)
        state = game.apply(state, action if game.allowed(state, action) else game.legal_actions(state)[-1])
    return state


def test_when_the_bank_breaks_the_set_of_operating_rounds_is_finished():
    state = operating("EIR", step=DIVIDEND)
    train(state, "EIR", "2")
    drain(state, 10)
    state.operating = replace(state.operating, revenue=100)
    state = game.apply(state, Dividend(0, True))
    assert state.bank_broken
    assert state.bank == 10 - 20
    state = pass_until(state, lambda s: s.operating_round == 2 or s.stage == END)
    assert state.stage != END
    state = pass_until(state, lambda s: s.round == 3 or s.stage == END)
    assert state.stage == END
    assert state.ended_by == "bank"
    assert game.actors(state) == ()
    assert violations(state) == []


def test_payments_go_on_without_limit():
    state = operating("EIR", step=DIVIDEND)
    drain(state)
    assert state.bank_broken
    state.operating = replace(state.operating, revenue=500)
    before = state.players[0].cash
    state = game.apply(state, Dividend(0, True))
    assert state.players[0].cash == before + 100
    assert state.bank < 0


def test_in_a_stock_round_it_and_the_set_after_it_are_finished():
    state = stock_round("EIR")
    hold(state, 0, "EIR_0")
    drain(state)
    state = game.apply(state, BuyBond(0))
    assert state.bank > 0, "money that comes back does not mend it"
    for seat in (1, 2, 0):
        state = game.apply(state, Pass(seat))
    assert state.stage == "operate"
    state = pass_until(state, lambda s: s.stage != "operate")
    assert state.stage == END
    assert state.ended_by == "bank"


def test_a_price_of_four_hundred_ends_the_game_after_this_operating_round():
    state = operating("EIR", "BNR", step=DIVIDEND)
    train(state, "EIR", "2")
    state.spaces[state.companies["EIR"].price].remove("EIR")
    state.companies["EIR"].price = BOX.market.index(380)
    state.spaces[state.companies["EIR"].price].append("EIR")
    state.operating = replace(state.operating, revenue=400)
    state = game.apply(state, Dividend(0, True))
    assert state.price("EIR") == 400
    assert state.end_price_reached
    state = pass_until(state, lambda s: s.operating.company == "BNR")
    state = pass_until(state, lambda s: s.stage == END or s.operating_round == 2)
    assert state.stage == END
    assert state.ended_by == "price"


@pytest.mark.parametrize(("own", "book"), [(False, 30 + 450 + 75 + 100 + 82), (True, 30 + 450 + 75 + 100 + 82 + 100)])
def test_the_book_value_of_a_company(own, book):
    state = operating("EIR", "BNR", cash_=30, switches={"own_shares_in_book": own})
    train(state, "EIR", "4")
    hold(state, "EIR", "P4", "RB0", "BNR_1", "EIR_1")
    assert finish.book_value(state, "EIR") == book
    assert finish.share_value(state, "EIR") == 100 + book // 10


def test_the_score_of_a_player():
    state = operating("EIR", "BNR", cash_=55)
    hold(state, 0, "P4", "RB0", "EIR_1", "GIPR_1")
    state.players[0].hand = ["BNR_2"]
    state.companies["BNR"].cash = 0
    cash = state.players[0].cash
    # 30 % of EIR at 100 + 5, an unformed share at its IPO price, private and bond at face, nothing for the hand
    assert finish.score(state, 0) == cash + 3 * 105 + 112 + state.companies["GIPR"].cash // 10 + 75 + 100


def test_shares_of_the_national_railway_count_a_tenth_of_the_book_each():
    state = operating("GIPR", phase="IV", cash_=200)
    state.pending.clear()
    hold(state, 2, *(f"GIPR_{i}" for i in range(3, 15)))
    assert finish.score(state, 2) == state.players[2].cash + 12 * (112 + 20)


def test_no_action_after_the_end():
    state = operating("EIR")
    finish.end(state, "bank")
    with pytest.raises(RuleError, match="the game is over"):
        game.apply(state, Pass(0))
    assert game.legal_actions(state) == []
    assert state.scores == [finish.score(state, seat) for seat in (0, 1, 2)]


@pytest.mark.parametrize("rules", ["rulebook", "18xx.games"])
def test_ending_by_agreement_is_a_thing_of_18xx_games(rules):
    state = operating("EIR", rules=rules)
    if rules == "rulebook":
        with pytest.raises(RuleError, match="the game ends when"):
            game.apply(state, EndGame(1))
    else:
        assert game.apply(state, EndGame(1)).ended_by == "agreement"


def test_a_bond_bought_in_time_does_not_break_the_bank():
    state = all_pass(stock_round("EIR"))
    assert not state.bank_broken


@pytest.mark.parametrize(("rules", "broken"), [("rulebook", True), ("18xx.games", False)])
def test_whether_a_bank_with_nothing_left_is_broken_is_a_switch(rules, broken):
    state = drain(stock_round("BNR", rules=rules), 1)
    assert not state.bank_broken
    give(state, 2, 1)
    assert state.bank_broken is broken
    assert violations(state) == []
    give(state, 2, 1)
    assert state.bank_broken
