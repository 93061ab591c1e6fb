"""Speed of the engine: actions a second in random games, loading a whole game, listing legal track.

    python benchmarks/engine_speed.py [games]

Prints a table. The whole game is the recorded one of 686 actions, 60 of them runs of trains.
"""

from __future__ import annotations

import gzip
import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

from trunkline.engine import game
from trunkline.engine.bots.random_play import play
from trunkline.engine.log import Log
from trunkline.engine.options import Options
from trunkline.engine.rules.run import Solver
from trunkline.engine.state import OPERATE, TRACK
from trunkline.engine.wire.importer import import_game
from trunkline.solver import solve, warm_up

RECORDED = Path(__file__).parents[1] / "tests" / "engine" / "games" / "bank.json.gz"


def timed(work: Callable[[], object], times: int = 5) -> float:
    """Seconds, the median of some runs."""
    seconds = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)


def random_games(games: int, solver: Solver | None) -> tuple[int, float]:
    """Actions taken and seconds for random games of two to five players, at most 1,500 actions each."""
    actions, start = 0, time.perf_counter()
    for seed in range(games):
        names = ("Ann", "Bob", "Cem", "Dan", "Eva")[: 2 + seed % 4]
        actions += len(play(Options(players=names), seed, solver, most=1500).actions)
    return actions, time.perf_counter() - start


def legal_track(log: Log) -> tuple[float, float, float]:
    """Milliseconds to list the track actions of the last two sets of operating rounds: median, 99 %; actions listed."""
    state = game.new_game(log.options, log.seed)
    seconds, listed = [], []
    for action in log.actions:
        if state.stage == OPERATE and state.operating.step == TRACK and not state.pending and state.round >= 4:
            fresh = state.copy()
            fresh.map_changed()
            start = time.perf_counter()
            listed.append(len(game.legal_actions(fresh)))
            seconds.append(time.perf_counter() - start)
        state = game.apply(state, action)
    cut = statistics.quantiles(seconds, n=100)[98]
    return 1000 * statistics.median(seconds), 1000 * cut, statistics.median(listed)


def main(games: int) -> None:
    """Measure and print."""
    warm_up()
    data = json.loads(gzip.decompress(RECORDED.read_bytes()))
    log = import_game(data).log
    text = log.dumps()
    rows = []
    for name, solver in (("without solver", None), ("best run at each run", solve)):
        actions, seconds = random_games(games, solver)
        rows.append((f"random games, {name}", f"{actions / seconds:,.0f} actions/s ({actions:,} actions)"))
    rows.append(("import of a game of 18xx.games", f"{timed(lambda: import_game(data)):.2f} s"))
    rows.append(("whole game from its log", f"{timed(lambda: Log.loads(text).replay()):.2f} s (must: 2 s)"))
    median, worst, listed = legal_track(log)
    what = f"{median:.1f} ms median, {worst:.1f} ms 99 % ({listed:.0f} actions; must: 100 ms)"
    rows.append(("legal track actions, late game", what))
    for name, figure in rows:
        print(f"{name:42} {figure}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 8)
