"""State, actions and log: values, exact JSON forms, replay bit for bit, undo, errors that name the place."""

import json
from dataclasses import replace

import pytest

from tests.engine.tables import options, stock_round
from trunkline.engine import game
from trunkline.engine.actions import KINDS, BuyFromIpo, Draft, Pass, action_from_json, action_to_json
from trunkline.engine.bots.random_play import play
from trunkline.engine.errors import LogError, RuleError
from trunkline.engine.log import Log
from trunkline.engine.state import State


@pytest.fixture(scope="module")
def log():
    """A random game without running trains, cut after a while."""
    return play(options(3), 4, most=700)


def through_json(value):
    return json.loads(json.dumps(value))


def test_a_state_survives_its_json_form(log):
    for upto in (0, 1, 40, 200, len(log.actions)):
        state = log.replay(upto)
        assert State.from_json(through_json(state.to_json())) == state


def test_every_action_survives_its_json_form(log):
    for action in log.actions:
        assert action_from_json(through_json(action_to_json(action))) == action


def test_the_text_of_a_log_gives_the_same_log_and_state(log):
    again = Log.loads(log.dumps())
    assert again == log
    assert again.replay() == log.replay()
    assert again.dumps() == log.dumps()


def test_apply_leaves_the_state_alone_and_replay_gives_the_same(log):
    state = game.new_game(log.options, log.seed)
    for action in log.actions[:300]:
        before = through_json(state.to_json())
        after = game.apply(state, action)
        assert state.to_json() == before
        state = after
    assert log.replay(300) == state


def test_undo_is_a_shorter_log(log):
    cut = log.undo(120)
    assert cut.replay() == log.replay(120)
    assert cut.add(log.actions[120]).replay() == log.replay(121)
    with pytest.raises(LogError, match="there is no action 99999"):
        log.undo(99999)
    with pytest.raises(LogError, match="there is no action -1"):
        log.replay(-1)


def test_a_refused_action_changes_nothing_and_names_rule_and_alternatives():
    state = stock_round("BNR")
    before = through_json(state.to_json())
    with pytest.raises(RuleError) as caught:
        game.apply(state, Draft(0, "BNR_1"))
    assert state.to_json() == before
    assert caught.value.section == "6"
    assert "buy_from_market" in caught.value.legal
    with pytest.raises(RuleError, match="turn of Ann"):
        game.apply(state, Pass(1))
    with pytest.raises(RuleError, match="not seat 7's turn"):
        game.apply(state, Pass(7))


def lines(log):
    return log.dumps().splitlines()


def with_line(log, number, **changes):
    """The text with a field of one line changed (None: taken out)."""
    text = lines(log)
    entry = json.loads(text[number]) | changes
    text[number] = json.dumps({k: v for k, v in entry.items() if v is not None})
    return "\n".join(text)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda log: "", "the log is empty"),
        (lambda log: "{", "line 1: is not JSON"),
        (lambda log: "[1]", "line 1: expected an object"),
        (lambda log: with_line(log, 0, format="pgn"), "line 1: format 'pgn'"),
        (lambda log: with_line(log, 0, version=2), "line 1: version 2 is not known"),
        (lambda log: with_line(log, 0, version=True), "line 1: version True is not known"),
        (lambda log: with_line(log, 0, version=1.0), "line 1: version 1.0 is not known"),
        (lambda log: with_line(log, 0, seed="x"), "line 1: seed: expected int"),
        (lambda log: with_line(log, 0, seed=True), "line 1: seed: expected int"),
        (lambda log: with_line(log, 0, options=None), "line 1: options: expected an object"),
        (lambda log: with_line(log, 0, extra=1), "line 1: unknown field 'extra'"),
        (lambda log: with_line(log, 0, options={"rules": "house"}), "options.rules: unknown value"),
        (lambda log: with_line(log, 0, options={"colour": 1}), "line 1: options.colour: unknown field"),
        (lambda log: with_line(log, 0, options={"players": "AB"}), "line 1: options.players: expected a list"),
        (lambda log: "\n".join(lines(log)[:3] + lines(log)[4:]), "line 4: expected action number 3, found 4"),
        (lambda log: "\n".join([*lines(log)[:3], "{..."]), "line 4: is not JSON"),
        (lambda log: with_line(log, 2, type="castle"), "line 3.type: unknown action 'castle'"),
        (lambda log: with_line(log, 2, cards="P1"), "line 3.cards: expected a list"),
        (lambda log: with_line(log, 2, cards=None), "line 3.cards: is missing"),
        (lambda log: with_line(log, 2, price=5), "line 3.price: unknown field"),
        (lambda log: with_line(log, 2, seat="0"), "line 3.seat: expected int"),
    ],
)
def test_a_broken_log_names_the_line_and_the_field(log, change, message):
    with pytest.raises(LogError, match=message.replace("[", r"\[").replace("(", r"\(")):
        Log.loads(change(log))


def test_a_seed_that_is_too_large_is_refused():
    for seed in (2**63, -(2**63) - 1, 10**4000):
        with pytest.raises(LogError, match="64 bits"):
            Log(options(2), seed).replay()


def test_a_log_with_an_action_that_is_not_legal_names_it_and_the_rule(log):
    wrong = Log(log.options, log.seed, (*log.actions[:2], replace(log.actions[2], cards=()), *log.actions[3:]))
    with pytest.raises(LogError, match=r"action 3 .*keep 7 cards.*rules section 2"):
        wrong.replay()


@pytest.mark.parametrize("data", [None, [], {"options": {}}, {"options": {"players": ["A", "B"]}, "bank": "much"}])
def test_a_broken_state_names_the_field(data):
    with pytest.raises(LogError):
        State.from_json(data)


def test_every_kind_of_action_can_be_read_by_its_name():
    assert KINDS["buy_from_ipo"] is BuyFromIpo
    assert len(KINDS) == 29


def test_the_same_random_game_twice():
    a, b = (play(options(2), 9, most=150) for _ in range(2))
    assert a == b
