"""Cold start: from the start of a process to its first answer, with kernels cached on disk and never compiled."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from statistics import median
from typing import Any

from benchmarks.answer import request_of
from benchmarks.measure import Findings, Row, Seconds, Table, Track
from benchmarks.plan import Plan
from benchmarks.server import COMMAND, ROOT, SERVICE, environment, serving
from tests.positions import recorded
from trunkline.solver import Position, wire

IN_PYTHON = """
import sys
from trunkline.solver import wire
from trunkline.solver import solve
print(solve(wire.position_from_json(sys.stdin.read())))
"""


def run(plan: Plan, track: Track) -> Findings:
    """Measure with a position of the middle of a game."""
    found = recorded(plan.files[0])
    position = found[len(found) // 2].position
    text = wire.position_to_json(position).encode()
    ways: dict[str, Callable[[str], None]] = {
        "trunkline solve": partial(_process, [*COMMAND, "solve", "-"], text),
        "Python: import, read, solve": partial(_process, [sys.executable, "-c", IN_PYTHON], text),
        "trunkline serve, first answer over gRPC": partial(_served, position),
    }
    rows: list[Row] = []
    findings = Findings()
    with tempfile.TemporaryDirectory() as empty:
        never = _took(partial(ways["trunkline solve"], empty))
        rows.append(("trunkline solve", "never compiled", 1, never.wall, never.wall, never.cpu))
        findings.figures["start_compiling"], findings.cpu["start_compiling"] = never.wall, never.cpu
        for name, work in track(list(ways.items()), "cold start"):
            times = [_took(partial(work, empty)) for _ in range(plan.starts)]
            walls = [t.wall for t in times]
            findings.figures.setdefault("start_cached", median(walls))
            findings.cpu.setdefault("start_cached", median(t.cpu for t in times))
            cpu = None if name.startswith("trunkline serve") else median(t.cpu for t in times)
            rows.append((name, "cached", plan.starts, median(walls), max(walls), cpu))
    columns = ("way", "kernels", "starts", "median, s", "worst, s", "CPU, median, s")
    note = (
        "From the start of the process to its end with the answer printed (for the server: to the first answer). "
        "*Never compiled*: with an empty directory for numba's cache, which the other starts then use. Workers of a "
        "server hide their CPU time from its starter."
    )
    findings.tables.append(Table("Cold start", columns, rows, note))
    return findings


def _process(command: Sequence[str], text: bytes, cache: str) -> None:
    subprocess.run(
        command, input=text, env=environment(NUMBA_CACHE_DIR=cache), cwd=ROOT, stdout=subprocess.DEVNULL, check=True
    )


def _served(position: Position, cache: str) -> None:
    with serving(1, NUMBA_CACHE_DIR=cache) as server:
        solve: Any = server.channel.unary_unary(f"{SERVICE}Solve")
        solve(request_of(position))


def _took(work: Callable[[], None]) -> Seconds:
    before, start = os.times(), time.perf_counter()
    work()
    wall, after = time.perf_counter() - start, os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return Seconds(wall, cpu)
