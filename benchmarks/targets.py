"""The figures to reach: must and aim of each, and whether a measurement reaches them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchmarks.measure import Findings, Row, Table, shown


@dataclass(frozen=True, slots=True)
class Target:
    """A measure, its unit, what it must be at most, and what is aimed at (None: no more than the must)."""

    measure: str
    unit: str
    must: float
    aim: float | None = None

    def verdict(self, measured: float) -> str:
        """``aim``, ``must`` or ``missed``: the best that is reached."""
        if self.aim is not None and measured <= self.aim:
            return "aim"
        if measured <= self.must:
            return "must"
        return "missed"


_RECORDED = "recorded 18 India positions, protobuf in → protobuf out, warm"
_LAID = "every tile laid, two trains 4Ex3 + 4E, 99 %"

TARGETS: Mapping[str, Target] = {
    "recorded_median": Target(f"{_RECORDED}, median", "ms", 5, 1),
    "recorded_p99": Target(f"{_RECORDED}, 99 %", "ms", 20, 5),
    "grpc_added": Target("the same over gRPC on loopback, added to it, median", "ms", 2, 0.7),
    "cancelled": Target("worker free again after a running search is cancelled, worst", "ms", 50),
    "laid_uniform_p99": Target(f"{_LAID}, lays uniform", "s", 1, 0.05),
    "laid_dense_p99": Target(f"{_LAID}, lays dense", "s", 1, 0.05),
    "start_cached": Target("first answer of a fresh process, kernels cached on disk", "s", 3, 1),
    "start_compiling": Target("first answer of a fresh process, kernels never compiled", "s", 25, 10),
    "memory_warm": Target("memory of a warm server and its workers", "MB", 400, 250),
    "memory_hardest": Target("memory of the server and its workers at the hardest board", "MB", 600, 350),
    "game_load": Target("a whole recorded game from its log, the longest", "s", 2),
    "track_actions": Target("legal_actions for track late in a game, median", "ms", 100),
}


def verdicts(findings: Sequence[Findings]) -> Table:
    """Every target beside what was measured."""
    figures = {key: value for f in findings for key, value in f.figures.items()}
    cpu = {key: value for f in findings for key, value in f.cpu.items()}
    at_least = {key for f in findings for key in f.at_least}
    rows: list[Row] = []
    for key, target in TARGETS.items():
        if key not in figures:
            rows.append((target.measure, target.unit, None, None, target.must, target.aim, "not measured"))
            continue
        measured = f"≥ {shown(figures[key])}" if key in at_least else shown(figures[key])
        verdict = "missed" if key in at_least else target.verdict(figures[key])
        rows.append((target.measure, target.unit, measured, cpu.get(key), target.must, target.aim, verdict))
    columns = ("measure", "unit", "measured", "its CPU time", "must", "aim", "reached")
    note = (
        "Wall time on a machine that others may use too; its CPU time is the part in which the program had a core. "
        "≥: some positions were not proven within their time."
    )
    return Table("Measured, must, aim", columns, rows, note)
