"""Hidden things: a seat sees no other hand, no face-down card, nothing to come; nor does a spectator."""

import json

import pytest

from tests.engine.tables import options
from trunkline.engine import game
from trunkline.engine.actions import Keep
from trunkline.engine.bots.random_play import play
from trunkline.engine.box.box import HIDDEN, company_of, is_director
from trunkline.engine.log import Log, seen_by
from trunkline.engine.rules import market
from trunkline.engine.state import KEEP, State
from trunkline.engine.views import view


def states(**kwargs):
    """States from all parts of a game."""
    log = play(options(2, **kwargs), 6, most=400)
    return [log.replay(n) for n in (0, 1, 2, 5, 20, 60, 150, 300) if n <= len(log.actions)]


def shuffled(state, seat):
    """The same game with everything the seat may not see dealt otherwise: the hidden cards change places."""
    other = state.copy()
    places = [other.dummy, other.unseen]
    for s, p in enumerate(other.players):
        if s != seat:
            places.append(p.hand)
    hidden = []
    for place in places:
        owner = next((p for p in other.players if p.hand is place), None)
        open_ = list(owner.open_cards) if owner else []
        secret = list(place)
        for c in open_:
            secret.remove(c)
        hidden.append((place, secret, open_, owner))
    pool = [c for _, secret, _, _ in hidden for c in secret][::-1]
    for place, secret, open_, owner in hidden:
        new = [pool.pop() for _ in secret][::-1] if len(hidden) == 1 else [pool.pop(0) for _ in secret]
        place[:] = new + open_
        if owner and owner.kept is not None:
            owner.kept = new[: len(owner.kept)]
    return other


@pytest.mark.parametrize("variant", ["", "removed", "dummy"])
@pytest.mark.parametrize("seat", [0, 1, None])
def test_two_games_that_differ_only_in_what_is_hidden_look_the_same(variant, seat):
    differ = 0
    for state in states(variant=variant):
        other = shuffled(state, seat)
        differ += other != state
        assert view(state, seat) == view(other, seat)
        assert view(state, seat).to_json() == view(other, seat).to_json()
    assert differ


@pytest.mark.parametrize("variant", ["", "removed", "dummy"])
def test_no_hidden_card_is_anywhere_in_the_json_of_a_view(variant):
    for state in states(variant=variant):
        text = json.dumps(view(state, 0).to_json())
        hidden = [*state.dummy, *state.unseen, *state.players[1].hand, *(state.players[1].kept or ())]
        for c in hidden:
            assert f'"{c}"' not in text or c in state.players[1].open_cards


def test_the_own_hand_is_seen_and_the_size_of_the_others():
    state = game.new_game(options(3), 1)
    seen = view(state, 1)
    assert seen.players[1].hand == state.players[1].hand
    assert seen.players[0].hand == [HIDDEN] * 13
    assert view(state, None).players[1].hand == [HIDDEN] * 13


def test_who_has_chosen_is_seen_not_what():
    state = game.new_game(options(3), 1)
    state = game.apply(state, Keep(0, tuple(state.players[0].hand[:7])))
    assert state.stage == KEEP
    assert view(state, 1).players[0].kept == [HIDDEN] * 7
    assert view(state, 1).players[2].kept is None
    assert view(state, 0).players[0].kept == state.players[0].hand[:7]


def test_drafted_cards_stay_visible():
    log = play(options(3), 3, most=30)
    state = log.replay()
    drafted = state.players[0].open_cards
    assert drafted
    assert set(drafted) <= set(view(state, 1).players[0].hand)
    assert any(map(is_director, state.pool + drafted + state.players[1].hand + state.players[2].hand))


def test_a_view_tells_no_seed_and_is_itself_a_state():
    state = game.new_game(options(3), 123456789)
    text = json.dumps(view(state, 0).to_json())
    assert "123456789" not in text
    assert State.from_json(json.loads(text)) == view(state, 0)


def test_the_view_leaves_the_state_alone():
    state = game.new_game(options(3), 1)
    before = state.to_json()
    view(state, 0)
    assert state.to_json() == before


def test_what_others_kept_is_not_in_the_actions_a_seat_sees():
    log = play(options(3), 3, most=20)
    for seat in (0, 1, 2, None):
        for action, seen in zip(log.actions, log.seen_by(seat), strict=True):
            if isinstance(action, Keep) and action.seat != seat:
                assert isinstance(seen, Keep)
                assert set(seen.cards) == {HIDDEN}
                assert len(seen.cards) == 7
            else:
                assert seen == action
    assert seen_by(log.actions[0], log.actions[0].seat) == log.actions[0]
    assert isinstance(log, Log)


def test_shares_of_a_closed_company_do_not_show_which_of_them_are_still_face_down():
    state = game.new_game(options(2, variant="dummy"), 1)
    hidden = next(c for c in state.dummy if company_of(c))
    company = company_of(hidden)
    state.closing = company
    state.companies[company].price = 1
    state.spaces[1].append(company)
    market.finish_closing(state)
    assert hidden in state.dummy
    assert any(company_of(c) == company for c in state.gone)
    for seat in (0, 1, None):
        seen = view(state, seat)
        assert not any(company_of(c) for c in seen.gone)
        assert len(seen.dummy) == len(state.dummy) == 13
