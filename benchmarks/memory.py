"""Memory of a server and its workers: warm, after the recorded positions, and while they solve the hardest boards."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import psutil

from benchmarks import growth
from benchmarks.measure import Findings, Table, Track
from benchmarks.plan import Plan
from benchmarks.positions import cases
from benchmarks.server import SERVICE, Server, serving
from trunkline.solver import wire
from trunkline.solver.service.pool import cores
from trunkline.v1 import solver_service_pb2 as pb

MB = 1e6
EVERY = 0.05


@dataclass(frozen=True, slots=True)
class Memory:
    """Bytes: ``shared_once`` has pages that processes share once (PSS), ``rss`` in each of them; ``largest`` one."""

    shared_once: int
    rss: int
    largest: int
    processes: int


def run(plan: Plan, track: Track) -> Findings:
    """Measure; the hardest boards are full ones, one on each core at the same time."""
    workers = cores()
    requests = [pb.BatchSolveRequest(position=wire.position_to_proto(c.position)) for c in cases(plan, plan.files[:1])]
    hard = []
    for seed in range(plan.hard_boards):
        for lay in growth.LAYS:
            position = growth.question(growth.board(lay, None, seed), seed)
            request = pb.BatchSolveRequest(position=wire.position_to_proto(position))
            request.time_limit.FromNanoseconds(int(plan.deadline * 1e9))
            hard.append(request)
    stages: list[tuple[str, Callable[[Server], Memory]]] = [
        ("warm, no request yet", memory),
        (f"{len(requests)} recorded positions, peak", lambda server: _peak(server, requests)),
        (f"{len(hard)} boards with every tile laid, {' + '.join(growth.TRAINS)}, peak", lambda s: _peak(s, hard)),
    ]
    rows = []
    found = []
    with serving(workers) as server:
        for name, measure in track(stages, "memory"):
            m = measure(server)
            found.append(m)
            rows.append((name, m.processes, m.shared_once / MB, m.rss / MB, m.largest / MB))
    findings = Findings()
    findings.figures = {"memory_warm": found[0].shared_once / MB, "memory_hardest": found[-1].shared_once / MB}
    columns = ("when", "processes", "MB", "sum of RSS, MB", "largest process (RSS), MB")
    note = (
        f"A server with {workers} workers and all processes that it starts. Workers are forked from a warm process and "
        "share its pages: *MB* counts a shared page once (PSS), the sum of RSS counts it in each process. Peaks are "
        f"sampled every {EVERY * 1e3:.0f} ms; a hard board has at most {plan.deadline:g} s."
    )
    findings.tables.append(Table("Memory of the server", columns, rows, note))
    return findings


def memory(server: Server) -> Memory:
    """Memory now. Where the system does not tell shared pages apart both sums are of RSS."""
    shared_once, rss = 0, []
    for process in server.processes():
        try:
            info = process.memory_full_info()
        except psutil.NoSuchProcess:
            continue
        shared_once += getattr(info, "pss", info.rss)
        rss.append(info.rss)
    return Memory(shared_once, sum(rss), max(rss), len(rss))


def _peak(server: Server, requests: list[pb.BatchSolveRequest]) -> Memory:
    """The highest of each value while the server answers."""
    seen = [memory(server)]
    over = threading.Event()

    def look() -> None:
        while not over.wait(EVERY):
            seen.append(memory(server))

    watcher = threading.Thread(target=look)
    watcher.start()
    try:
        batch: Any = server.channel.stream_stream(f"{SERVICE}BatchSolve")
        for _ in batch(iter([r.SerializeToString() for r in requests])):
            pass
    finally:
        over.set()
        watcher.join()
    return Memory(
        max(m.shared_once for m in seen),
        max(m.rss for m in seen),
        max(m.largest for m in seen),
        max(m.processes for m in seen),
    )
