"""Row 3: the certificate auction in place of the draft (rules section 2.1)."""

from typing import Any

import pytest

from tests.engine.tables import cash, options
from trunkline.engine import game
from trunkline.engine.actions import Bid, Draft, Keep, Nominate, Pass
from trunkline.engine.errors import RuleError
from trunkline.engine.invariants import violations
from trunkline.engine.state import AUCTION, STOCK


@pytest.fixture
def start():
    state = game.new_game(options(3, start="auction"), 1)
    for seat in (0, 1, 2):
        state = game.apply(state, Keep(seat, tuple(state.players[seat].hand[:7])))
    return state


def test_the_first_player_nominates_and_zero_is_allowed(start):
    assert start.stage == AUCTION
    assert game.actors(start) == (0,)
    state = game.apply(start, Nominate(0, start.pool[0], 0))
    assert game.actors(state) == (1,)
    state = game.apply(game.apply(state, Pass(1)), Pass(2))
    assert start.pool[0] in state.players[0].hand
    assert state.players[0].cash == 733
    assert game.actors(state) == (1,), "the next in turn order nominates, whoever won"


def test_bids_go_round_by_one_rupee_until_one_is_left_and_the_bank_is_paid(start):
    card = start.pool[3]
    state = game.apply(start, Nominate(0, card, 5))
    state = game.apply(state, Bid(1, 6))
    state = game.apply(state, Bid(2, 7))
    state = game.apply(state, Pass(0))
    assert game.actors(state) == (1,)
    state = game.apply(state, Bid(1, 8))
    state = game.apply(state, Pass(2))
    assert state.lot is None
    assert state.players[1].hand[-1] == card
    assert state.players[1].cash == 733 - 8
    assert state.bank == start.bank + 8
    assert game.actors(state) == (1,)
    assert violations(state) == []


def test_a_pass_is_final_for_the_card(start):
    state = game.apply(start, Nominate(0, start.pool[0], 0))
    state = game.apply(state, Pass(1))
    state = game.apply(state, Bid(2, 1))
    state = game.apply(state, Bid(0, 2))
    assert game.actors(state) == (2,)


@pytest.mark.parametrize("amount", [-1, 5, 734])
def test_a_bid_must_be_higher_and_within_the_cash(start, amount):
    state = game.apply(start, Nominate(0, start.pool[0], 5))
    with pytest.raises(RuleError, match=r"2\.1.*6 to 733"):
        game.apply(state, Bid(1, amount))


def test_other_actions_do_not_belong_here(start):
    with pytest.raises(RuleError, match="nominate a card"):
        game.apply(start, Bid(0, 5))
    with pytest.raises(RuleError, match="not possible now"):
        game.apply(start, Draft(0, start.pool[0]))
    with pytest.raises(RuleError, match="may pass"):
        game.apply(start, Pass(0))
    with pytest.raises(RuleError, match="not in the pool"):
        game.apply(start, Nominate(0, "P9", 0))


def test_it_ends_with_the_pool_and_the_player_after_the_last_nominator_starts(start):
    state = start
    nominators = []
    while state.stage == AUCTION:
        seat = game.actors(state)[0]
        if state.lot is None:
            nominators.append(seat)
            state = game.apply(state, Nominate(seat, state.pool[-1], 0))
        else:
            state = game.apply(state, Pass(seat))
    assert nominators == [i % 3 for i in range(27)]
    assert state.stage == STOCK
    assert game.actors(state) == ((nominators[-1] + 1) % 3,)


def test_nominations_are_listed_once_also_without_cash(start):
    state = start.copy()
    cash(state, 0, 0)
    found: Any = game.legal_actions(state, 0)
    assert sorted(a.card for a in found) == sorted(state.pool)
