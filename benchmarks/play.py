"""The engine: actions a second in random games, recorded games from their logs, what is legal late in a game."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median

from benchmarks.measure import SPREAD_COLUMNS, Findings, Row, Sample, Seconds, Spread, Table, Track, timed
from benchmarks.plan import Plan
from trunkline.engine import game
from trunkline.engine.bots.random_play import play
from trunkline.engine.log import Log
from trunkline.engine.options import Options
from trunkline.engine.rules.run import Solver
from trunkline.engine.state import OPERATE, TRACK, State
from trunkline.engine.wire.importer import import_game
from trunkline.solver import Position, Solution, solve, warm_up

GAMES = Path(__file__).parents[1] / "tests" / "engine" / "games"
LATE = 2 / 3
"""From this share of its actions on a game is late."""


@dataclass(slots=True)
class Stopwatch:
    """A solver that notes how long it is at work and how often it is asked."""

    seconds: float = 0.0
    runs: int = 0

    def __call__(self, position: Position) -> Solution:
        solution, took = timed(lambda: solve(position))
        self.seconds += took.wall
        self.runs += 1
        return solution


def run(plan: Plan, track: Track) -> Findings:
    """Measure."""
    warm_up()
    findings = Findings()
    logs = {name: import_game(_exported(name)).log for name in plan.recorded_games}
    findings.tables.append(_random_games(plan, track))
    _loading(logs, findings, track)
    _late_track(logs, findings, track)
    return findings


def _exported(name: str) -> dict[str, object]:
    exported: dict[str, object] = json.loads(gzip.decompress((GAMES / f"{name}.json.gz").read_bytes()))
    return exported


def _random_games(plan: Plan, track: Track) -> Table:
    rows: list[Row] = []
    logs: list[Log] = []
    for solved in track([False, True], "random games"):
        watch = Stopwatch()
        played = [_play(plan, seed, watch if solved else None) for seed in range(plan.games)]
        logs = [log for log, _ in played]
        way = "played, best routes at each run" if solved else "played, trains idle"
        rows.append(_rates(way, logs, [took for _, took in played], watch))
    replayed = [timed(log.replay)[1] for log in logs]
    rows.append(_rates("the same games replayed", logs, replayed, Stopwatch()))
    columns = ("way", "games", "actions", "actions a second", "a second of CPU", "solver asked", "its share of time, %")
    note = (
        "Four players, seeded. Playing lists the legal actions before each action and keeps the state before it; "
        "replaying only takes the actions of a log."
    )
    return Table("Random games", columns, rows, note)


def _rates(way: str, logs: Sequence[Log], took: Sequence[Seconds], watch: Stopwatch) -> Row:
    actions, wall = sum(len(log.actions) for log in logs), sum(t.wall for t in took)
    share = 100 * watch.seconds / wall if watch.runs else None
    return way, len(logs), actions, actions / wall, actions / sum(t.cpu for t in took), watch.runs or None, share


def _play(plan: Plan, seed: int, solver: Solver | None) -> tuple[Log, Seconds]:
    return timed(lambda: play(Options(), seed, solver, most=plan.actions))


def _loading(logs: dict[str, Log], findings: Findings, track: Track) -> None:
    rows = []
    for name, log in track(list(logs.items()), "loading games"):
        text = log.dumps()
        times = [timed(partial(_load, text))[1] for _ in range(3)]
        rows.append((name, len(log.actions), median(t.wall for t in times), median(t.cpu for t in times)))
    findings.figures["game_load"], findings.cpu["game_load"] = max(r[2] for r in rows), max(r[3] for r in rows)
    columns = ("recorded game", "actions", "seconds", "CPU seconds")
    findings.tables.append(
        Table("A whole game from the text of its log", columns, rows, "Read and replayed; median of three.")
    )


def _load(text: str) -> State:
    return Log.loads(text).replay()


def _late_track(logs: dict[str, Log], findings: Findings, track: Track) -> None:
    name, log = max(logs.items(), key=lambda item: len(item[1].actions))
    samples: list[Sample] = []
    state = game.new_game(log.options, log.seed)
    for number, action in enumerate(track(log.actions, "legal actions for track"), 1):
        game.perform(state, action)
        if number >= LATE * len(log.actions) and _is_track(state):
            fresh = state.copy()
            fresh.map_changed()
            found, nothing_known = timed(partial(game.legal_actions, fresh))
            _, known = timed(partial(game.legal_actions, fresh))
            samples.append(
                {
                    "action": number,
                    "company": state.operating.company,
                    "legal_actions": len(found),
                    "first_ms": nothing_known.wall * 1e3,
                    "first_cpu_ms": nothing_known.cpu * 1e3,
                    "again_ms": known.wall * 1e3,
                }
            )
    rows: list[Row] = [
        (what, len(samples), *_spread(samples, column).row())
        for what, column in (
            ("nothing known of the map", "first_ms"),
            ("the same, CPU", "first_cpu_ms"),
            ("asked again", "again_ms"),
        )
    ]
    findings.figures["track_actions"] = _spread(samples, "first_ms").median
    findings.cpu["track_actions"] = _spread(samples, "first_cpu_ms").median
    findings.samples["track"] = samples
    note = (
        f"The recorded game *{name}*, its last third, at every decision on track: all tiles in all rotations on all "
        f"hexes, {min(int(s['legal_actions'] or 0) for s in samples)} to "
        f"{max(int(s['legal_actions'] or 0) for s in samples)} actions."
    )
    findings.tables.append(
        Table("legal_actions for track late in a game, ms", ("", "decisions", *SPREAD_COLUMNS), rows, note)
    )


def _spread(samples: Sequence[Sample], column: str) -> Spread:
    return Spread.of(float(s[column] or 0) for s in samples)


def _is_track(state: State) -> bool:
    return state.stage == OPERATE and not state.pending and state.operating.step == TRACK
