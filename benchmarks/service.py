"""The service on loopback: what gRPC adds to an answer, and how many positions one and two cores answer a second."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from statistics import median
from typing import Any

from benchmarks import growth
from benchmarks.answer import answer
from benchmarks.measure import SPREAD_COLUMNS, Findings, Row, Sample, Spread, Table, Track, timed
from benchmarks.plan import Plan
from benchmarks.positions import Case, cases
from benchmarks.server import SERVICE, Server, serving
from trunkline.solver import warm_up, wire
from trunkline.solver.board import number_train
from trunkline.solver.service.client import Client
from trunkline.solver.service.pool import cores
from trunkline.v1 import solver_service_pb2 as pb

HARD = tuple(number_train(name, 99) for name in "ABC")
"""Trains that keep a search busy for long on a full board."""
UNDER_WAY = 0.3
"""Seconds after which such a search is cancelled."""
IN_FLIGHT = 128
"""Positions of a batch that are sent and not answered, at most."""


def run(plan: Plan, track: Track) -> Findings:
    """Measure with the recorded positions of 18 India, or of the first title of the plan."""
    warm_up()
    title = "18India" if "18India" in plan.files else plan.files[0]
    found = cases(plan, [title])
    findings = Findings()
    _overhead(plan, found, findings, track)
    _cancel(plan, found, findings, track)
    _throughput(plan, found, findings, track)
    return findings


def _overhead(plan: Plan, found: Sequence[Case], findings: Findings, track: Track) -> None:
    """In the process and over gRPC in turns, so that both meet the same noise."""
    samples: list[Sample] = []
    times: dict[str, list[list[float]]] = {way: [[] for _ in found] for way in ("here", "gRPC", "client")}
    cpu = {"here": 0.0, "gRPC": 0.0}
    with serving(1) as server, Client(_address(server)) as client:
        solve: Any = server.channel.unary_unary(f"{SERVICE}Solve")
        for case in found:  # the first round warms the server up with these positions
            solve(case.request)
            answer(case.request)
        before = server.cpu()
        for _ in track(range(plan.rounds), "gRPC overhead"):
            for number, case in enumerate(found):
                here = answer(case.request)
                own = time.process_time()
                _, over = timed(partial(solve, case.request))
                cpu["gRPC"] += time.process_time() - own
                cpu["here"] += here.cpu
                _, through = timed(partial(client.solve, case.position))
                for way, seconds in zip(times, (here.seconds, over.wall, through.wall), strict=True):
                    times[way][number].append(seconds)
        cpu["gRPC"] += (server.cpu() - before) / 2  # the other half is of the calls through the client
    middle = {way: [median(t) for t in of_way] for way, of_way in times.items()}
    added = [_difference(*pair) for pair in zip(times["gRPC"], times["here"], strict=True)]
    with_client = [_difference(*pair) for pair in zip(times["client"], times["here"], strict=True)]
    rows: list[Row] = [
        ("in this process, bytes to bytes", *Spread.of(middle["here"]).row(1e3)),
        ("over gRPC, bytes to bytes", *Spread.of(middle["gRPC"]).row(1e3)),
        ("**added by gRPC**", *Spread.of(added).row(1e3)),
        ("added by gRPC and the Python client, position to solution", *Spread.of(with_client).row(1e3)),
    ]
    note = (
        f"{len(found)} positions, {plan.rounds} rounds each, one call at a time, in turns in this process and over "
        "loopback; a position's time, and what is added to it, is the median of its rounds. The client also writes the "
        "position and reads the solution. The CPU time that gRPC adds, above, is the mean of client and server."
    )
    findings.tables.append(Table("gRPC on loopback, ms", ("way", *SPREAD_COLUMNS), rows, note))
    findings.figures["grpc_added"] = median(added) * 1e3
    findings.cpu["grpc_added"] = (cpu["gRPC"] - cpu["here"]) / (plan.rounds * len(found)) * 1e3
    for number, case in enumerate(found):
        samples.append({"position": case.name, **{f"{way}_ms": middle[way][number] * 1e3 for way in times}})
    findings.samples["grpc"] = samples


def _difference(times: Sequence[float], less: Sequence[float]) -> float:
    """The median over the rounds of what one way takes more than the other in the same round."""
    return median(a - b for a, b in zip(times, less, strict=True))


def _address(server: Server) -> str:
    port = next(c.laddr.port for c in server.process.net_connections("tcp") if c.status == "LISTEN")
    return f"127.0.0.1:{port}"


def _cancel(plan: Plan, found: Sequence[Case], findings: Findings, track: Track) -> None:
    """How soon the only worker is free when the search it is in is cancelled, told by the next answer."""
    easy = min(found, key=lambda c: len(c.request)).request
    freed: list[float] = []
    with serving(1) as server:
        solve: Any = server.channel.unary_unary(f"{SERVICE}Solve")
        usual = median(timed(partial(solve, easy))[1].wall for _ in range(20))
        for seed in track(range(plan.cancelled), "cancelling"):
            position = replace(growth.question(growth.board("dense", None, seed), seed), trains=HARD)
            call = solve.future(pb.SolveRequest(position=wire.position_to_proto(position)).SerializeToString())
            time.sleep(UNDER_WAY)
            if call.done():
                continue
            start = time.perf_counter()
            call.cancel()
            solve(easy)
            freed.append(time.perf_counter() - start - usual)
    rows: list[Row] = [("worker free after the call was cancelled", *Spread.of(freed).row(1e3))]
    note = (
        f"{len(freed)} searches with {len(HARD)} trains on boards with every tile laid, cancelled after "
        f"{UNDER_WAY:g} s; the time until the only worker has answered the next request, less what that takes alone."
    )
    findings.tables.append(Table("Cancelling, ms", ("what", *SPREAD_COLUMNS), rows, note))
    findings.figures["cancelled"] = max(freed) * 1e3


def _throughput(plan: Plan, found: Sequence[Case], findings: Findings, track: Track) -> None:
    requests = []
    for case in found:
        message = pb.BatchSolveRequest(position=wire.position_to_proto(case.position))
        requests.append(message.SerializeToString())
    rows: list[Row] = []
    end = time.perf_counter() + plan.throughput
    count, cpu, start = 0, time.thread_time(), time.perf_counter()
    while not count or time.perf_counter() < end:
        answer(found[count % len(found)].request)
        count += 1
    cpu = time.thread_time() - cpu
    rows.append(("in this process", count / (time.perf_counter() - start), cpu / count * 1e3, None))
    one = 0.0
    for workers in track([1, 2] if cores() > 1 else [1], "throughput"):
        with serving(workers) as server:
            rate, cpu_each = _stream(server, requests, plan.throughput)
        one = one or rate
        rows.append((f"batch stream, {workers} worker{'s' * (workers > 1)}", rate, cpu_each * 1e3, rate / one))
    note = (
        f"Recorded positions over and over for {plan.throughput:g} s. CPU: of the server with all its processes, for "
        "each position. Client, server and workers share the cores."
    )
    columns = ("way", "positions a second", "CPU ms a position", "times one worker")
    findings.tables.append(Table("Throughput", columns, rows, note))


def _stream(server: Server, requests: Sequence[bytes], seconds: float) -> tuple[float, float]:
    """Positions answered a second, and CPU seconds of the server for each."""
    batch: Any = server.channel.stream_stream(f"{SERVICE}BatchSolve")
    for _ in batch(iter(requests)):  # warm
        pass
    end = time.perf_counter() + seconds
    room = threading.Semaphore(IN_FLIGHT - 1)  # gRPC would take thousands ahead

    def endless() -> Iterator[bytes]:
        yield requests[0]
        for request in itertools.cycle(requests):
            if time.perf_counter() > end:
                return
            room.acquire()
            yield request

    cpu, start = server.cpu(), time.perf_counter()
    count = 0
    for _ in batch(endless()):
        room.release()
        count += 1
    took = time.perf_counter() - start
    return count / took, (server.cpu() - cpu) / count
