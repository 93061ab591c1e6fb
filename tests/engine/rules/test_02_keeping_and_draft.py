"""Row 2: keeping cards, and the draft (rules section 2, steps 7 to 11)."""

import pytest

from tests.engine.tables import options
from trunkline.engine import game
from trunkline.engine.actions import Draft, Keep, Pass
from trunkline.engine.errors import RuleError
from trunkline.engine.invariants import violations
from trunkline.engine.state import DRAFT, KEEP, STOCK


def keep_all(state):
    for seat in game.actors(state):
        state = game.apply(state, Keep(seat, tuple(state.players[seat].hand[: 8 - len(state.players) + 2])))
    return state


def drafted(state):
    """Who drafted, in order, to the first stock round."""
    seats = []
    while state.stage == DRAFT:
        seat = game.actors(state)[0]
        seats.append(seat)
        state = game.apply(state, Draft(seat, state.pool[0]))
    return seats, state


def test_all_choose_at_the_same_time_in_any_order():
    state = game.new_game(options(3), 1)
    assert game.actors(state) == (0, 1, 2)
    state = game.apply(state, Keep(2, tuple(state.players[2].hand[:7])))
    assert game.actors(state) == (0, 1)
    with pytest.raises(RuleError, match="not seat 2's turn"):
        game.apply(state, Keep(2, tuple(state.players[2].hand[:7])))
    assert state.stage == KEEP
    assert len(state.pool) == 9, "nothing is discarded before all have chosen"


def test_the_others_and_the_directors_certificates_are_the_pool():
    before = game.new_game(options(3), 1)
    state = keep_all(before)
    assert state.stage == DRAFT
    assert [len(p.hand) for p in state.players] == [7, 7, 7]
    discards = [c for p in before.players for c in p.hand[7:]]
    assert sorted(state.pool) == sorted(discards + before.pool)
    assert violations(state) == []


@pytest.mark.parametrize("number", [6, 8])
def test_keeping_another_number_is_refused(number):
    state = game.new_game(options(3), 1)
    with pytest.raises(RuleError, match="keep 7 cards"):
        game.apply(state, Keep(0, tuple(state.players[0].hand[:number])))


def test_keeping_a_card_of_another_hand_or_twice_is_refused():
    state = game.new_game(options(3), 1)
    mine, theirs = state.players[0].hand, state.players[1].hand
    with pytest.raises(RuleError, match="not in the hand"):
        game.apply(state, Keep(0, (*mine[:6], theirs[0])))
    with pytest.raises(RuleError, match="not that often"):
        game.apply(state, Keep(0, (*mine[:6], mine[0])))


@pytest.mark.parametrize(("players", "last", "starts"), [(2, 0, 1), (3, 2, 0), (4, 0, 1), (5, 3, 4)])
def test_first_in_reverse_order_then_always_in_turn_order(players, last, starts):
    seats, state = drafted(keep_all(game.new_game(options(players), 1)))
    order = list(range(players))
    assert seats[:players] == order[::-1]
    assert seats[players : 2 * players] == order, "not a snake"
    assert seats[2 * players : 3 * players] == order
    assert seats[-1] == last
    assert state.stage == STOCK
    assert state.order == order[starts:] + order[:starts]
    assert game.actors(state) == (starts,)


@pytest.mark.parametrize(("players", "more"), [(2, 1), (3, 0), (4, 1), (5, 4)])
def test_the_first_players_in_turn_order_get_one_more(players, more):
    seats, _ = drafted(keep_all(game.new_game(options(players), 1)))
    counts = [seats.count(s) for s in range(players)]
    assert counts == [max(counts)] * more + [min(counts)] * (players - more) or more == 0
    assert max(counts) - min(counts) == (1 if more else 0)


def test_drafted_cards_are_open_and_kept_ones_are_not():
    state = keep_all(game.new_game(options(3), 1))
    seat = game.actors(state)[0]
    card = state.pool[4]
    state = game.apply(state, Draft(seat, card))
    assert state.players[seat].open_cards == [card]
    assert card in state.players[seat].hand


def test_nobody_may_pass_or_take_what_is_not_there():
    state = keep_all(game.new_game(options(3), 1))
    with pytest.raises(RuleError, match="draft"):
        game.apply(state, Pass(game.actors(state)[0]))
    with pytest.raises(RuleError, match="not in the pool"):
        game.apply(state, Draft(game.actors(state)[0], "XYZ_1"))
