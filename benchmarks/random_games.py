"""Random games to their end, with every check after every action: the engine's long test, and what it met.

    python benchmarks/random_games.py [games] [first seed] [every]

For all numbers of players, both starts, the two-player variants and both rule sets: after each action money,
certificates, tiles, trains and tokens are conserved; at every so many (1: each), apply accepts all of legal_actions
and refuses or takes other actions without changing the state; the log replays to the same state, also from its text.
Prints how the games ended and how often each kind of action and event occurred.
"""

from __future__ import annotations

import contextlib
import pickle
import random
import sys
import time
from collections import Counter

from trunkline.engine import game
from trunkline.engine.actions import Action, type_name
from trunkline.engine.bots.random_play import mostly_wrong, play
from trunkline.engine.errors import RuleError
from trunkline.engine.invariants import violations
from trunkline.engine.log import Log
from trunkline.engine.options import RULE_SETS, Options
from trunkline.engine.state import EXTRA, State
from trunkline.solver import solve, warm_up

NAMES = ("Ann", "Bob", "Cem", "Dan", "Eva")


def options(seed: int) -> Options:
    """All combinations come round: players, rules, start, variant."""
    players = 2 + seed % 4
    variant = ("", "removed", "dummy")[seed // 8 % 3] if players == 2 else ""
    start = "auction" if seed % 5 == 4 else "draft"
    return Options(NAMES[:players], start, variant, RULE_SETS[seed // 4 % 2])


class Watch:
    """Checks after each action, and counts what happened."""

    def __init__(self, seed: int, met: Counter[str], every: int) -> None:
        self.source = random.Random(seed)
        self.met = met
        self.every = every
        self.count = 0

    def __call__(self, before: State, action: Action, after: State) -> None:
        """See the module."""
        self.count += 1
        self.met[type_name(type(action))] += 1
        self.events(before, after)
        if found := violations(after):
            raise AssertionError(f"after {action}: {found}")
        if self.count % self.every == 0:
            kept = pickle.loads(pickle.dumps(after))
            for listed in game.legal_actions(after):
                game.apply(after, listed)
            for other in mostly_wrong(after, self.source):
                with contextlib.suppress(RuleError):
                    game.apply(after, other)
            if after != kept:
                raise AssertionError(f"after {action}: a state changed by trying actions")

    def events(self, before: State, after: State) -> None:
        """Events that are no action of their own."""
        for name, c in after.companies.items():
            was = before.companies[name]
            self.met["* company formed"] += c.formed and not was.formed
            self.met["* company closed"] += c.closed and not was.closed
            self.met["* change of control"] += (
                -1 not in (was.controller, c.controller) and was.controller != c.controller
            )
            self.met["* concession claimed"] += len(c.concessions) > len(was.concessions)
            self.met["* exchange token"] += sum(t.exchange for t in c.tokens) > sum(t.exchange for t in was.tokens)
            self.met["* token beside the slots"] += any(t.slot == EXTRA for t in c.tokens) and not any(
                t.slot == EXTRA for t in was.tokens
            )
        self.met[f"* phase {after.phase}"] += after.phase != before.phase
        self.met["* gauge-change marker placed"] += len(after.markers) > len(before.markers)
        self.met["* bank broken"] += after.bank_broken and not before.bank_broken


def main(games: int, first: int, every: int) -> None:
    """Play, check, print."""
    warm_up()
    met: Counter[str] = Counter()
    ends: Counter[str] = Counter()
    actions, start = 0, time.perf_counter()
    for seed in range(first, first + games):
        log = play(options(seed), seed, solve, Watch(seed, met, every))
        state = log.replay()
        if not state.ended_by or Log.loads(log.dumps()).replay() != state:
            raise AssertionError(f"seed {seed}: the game did not end, or its log gives another state")
        ends[f"{log.options.rules}, ended by {state.ended_by}"] += 1
        actions += len(log.actions)
        print(f"\r{seed - first + 1} games, {actions:,} actions", end="", flush=True)
    print(f"\r{games} games, {actions:,} actions, {time.perf_counter() - start:,.0f} s, no fault")
    for name, n in sorted(ends.items()) + sorted(met.items()):
        print(f"  {name:40} {n:>9,}")


if __name__ == "__main__":
    main(*(int(a) for a in [*sys.argv[1:], *("20", "0", "1")[len(sys.argv) - 1 :]]))
