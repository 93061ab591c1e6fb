"""One request as a worker of the server answers it, bytes in and bytes out, with the time of each part."""

from __future__ import annotations

import time
from dataclasses import dataclass

from trunkline.solver import Position, Solution, solve, wire
from trunkline.v1 import solver_service_pb2 as pb

PARTS = ("parse", "network", "problem", "search", "check", "serialise")


@dataclass(frozen=True, slots=True)
class Answer:
    """``parts``: wall seconds in the order of PARTS. ``seconds``: wall, all in all; ``cpu``: of this thread.

    ``solve_cpu``: from the read position to the checked solution, which the plain search is held beside.
    """

    solution: Solution
    parts: tuple[float, ...]
    seconds: float
    cpu: float
    solve_cpu: float


def request_of(position: Position) -> bytes:
    """A SolveRequest, serialised."""
    return pb.SolveRequest(position=wire.position_to_proto(position)).SerializeToString()


def answer(request: bytes, deadline: float | None = None) -> Answer:
    """Read, solve, write."""
    cpu, start = time.thread_time(), time.perf_counter()
    message = wire.parse(request, pb.SolveRequest())
    position = wire.position_from_proto(message.position)
    parsed_cpu, parsed = time.thread_time(), time.perf_counter()
    solution = solve(position, deadline=deadline)
    solved, solved_cpu = time.perf_counter(), time.thread_time()
    response = pb.SolveResponse()
    wire.solution_to_proto(solution, response.solution)
    response.SerializeToString()
    end = time.perf_counter()
    s = solution.statistics
    parts = (
        parsed - start,
        s.network_seconds,
        s.problem_seconds,
        s.search_seconds,
        s.check_seconds,
        end - solved,
    )
    return Answer(solution, parts, end - start, time.thread_time() - cpu, solved_cpu - parsed_cpu)
