"""Random games to their end: all that must always hold, after every action (properties of the whole engine)."""

import contextlib
import random

import pytest

from tests.engine.tables import NAMES
from trunkline.engine import game
from trunkline.engine.actions import Action
from trunkline.engine.bots.random_play import mostly_wrong, play
from trunkline.engine.errors import RuleError
from trunkline.engine.invariants import violations
from trunkline.engine.log import Log
from trunkline.engine.options import Options
from trunkline.engine.state import END
from trunkline.solver import solve

KINDS_THAT_OCCUR: set[type[Action]] = set()


def watcher(seed, every=1):
    """Checks after each action; ``every`` so many actions also that what is listed is accepted, others refused."""
    source = random.Random(seed)
    count = 0

    def watch(before, action, after):
        nonlocal count
        count += 1
        KINDS_THAT_OCCUR.add(type(action))
        assert violations(after) == [], action
        if count % every:
            return
        text = after.to_json()
        for listed in game.legal_actions(after)[:60]:
            game.apply(after, listed)
        for other in mostly_wrong(after, source):
            with contextlib.suppress(RuleError):
                game.apply(after, other)
        assert after.to_json() == text

    return watch


def play_and_check(options, seed, every):
    log = play(options, seed, solve, watcher(seed, every))
    state = log.replay()
    assert state.stage == END, f"seed {seed} did not end"
    assert state.ended_by in ("bank", "price", "stalemate")
    assert Log.loads(log.dumps()).replay() == state
    return log, state


@pytest.mark.parametrize(
    ("players", "rules", "start", "variant"),
    [
        (2, "rulebook", "draft", "dummy"),
        (3, "rulebook", "draft", ""),
        (4, "18xx.games", "draft", ""),
        (2, "rulebook", "auction", "removed"),
    ],
)
def test_a_random_game_keeps_all_invariants_to_its_end(players, rules, start, variant):
    options = Options(players=NAMES[:players], rules=rules, start=start, variant=variant)
    play_and_check(options, 5, every=40)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(24))
def test_many_random_games(seed):
    players = 2 + seed % 4
    variant = ("", "removed", "dummy")[seed // 4 % 3] if players == 2 else ""
    for rules in ("rulebook", "18xx.games"):
        start = "auction" if seed % 5 == 4 else "draft"
        options = Options(players=NAMES[:players], rules=rules, start=start, variant=variant)
        play_and_check(options, 100 + seed, every=25)
