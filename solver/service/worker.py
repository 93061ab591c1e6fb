"""A worker process of the server: takes one job at a time from a socket and answers in bytes.

The server hands the bytes of a request through unread, so that reading, solving and writing all happen here, on a
core of their own. A frame is a head (length of the rest, kind), then the rest; a job starts with the seconds it may
take (infinity: no limit) and its number in a batch. While a job runs the socket is watched: a frame or its end cancels.
"""

from __future__ import annotations

import logging
import pkgutil
import resource
import select
import signal
import socket
import struct
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf
from types import FrameType
from typing import Any

from trunkline.solver import wire
from trunkline.solver.board import Evaluation, Solution
from trunkline.solver.errors import CheckError, Fault, PositionError, TrunklineError
from trunkline.solver.wire.status import NothingFound, status_of, write_error
from trunkline.v1 import solver_service_pb2 as pb

HEAD = struct.Struct("<IB")
JOB = struct.Struct("<dQ")
SOLVE, STREAM, BATCH, EVALUATE, CANCEL = range(1, 6)
READY, IMPROVED, DONE, FAILED = range(1, 5)
GRACE = 1.0
"""Seconds beyond its limit after which a job is ended wherever it is; a search stops at the limit by itself."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Engine:
    """What a worker runs, as ``module:function``, so that the server need not import it."""

    solve: str = "trunkline.solver:solve"
    evaluate: str = "trunkline.solver:evaluate"
    warm_up: str = "trunkline.solver:warm_up"


@dataclass(frozen=True, slots=True)
class Budget:
    """What one job may take: seconds for all of it, and bytes of memory that the process may have while it works."""

    seconds: float = inf
    bytes: int = 0


def run(sock: socket.socket, engine: Engine, budget: Budget) -> None:
    """Warm up, then work until the socket closes, within the budget.

    Signals are left to the server, which lets running jobs end.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    link = Link(sock)
    try:
        solve, evaluate = pkgutil.resolve_name(engine.solve), pkgutil.resolve_name(engine.evaluate)
        worker = Worker(link, solve, evaluate, budget.seconds)
        pkgutil.resolve_name(engine.warm_up)()
        if budget.bytes:
            resource.setrlimit(resource.RLIMIT_DATA, (budget.bytes, budget.bytes))
    except Exception as e:
        log.exception("a worker cannot start")
        link.send(FAILED, f"{type(e).__name__}: {e}".encode())
        return
    try:
        link.send(READY)
        while (frame := link.receive()) is not None:
            if frame[0] != CANCEL:
                worker.work(*frame)
    except ConnectionError:
        return  # the server is gone


class Link:
    """Frames over a socket."""

    def __init__(self, sock: socket.socket) -> None:
        sock.setblocking(True)
        self._sock = sock
        self._poll = select.poll()
        self._poll.register(sock, select.POLLIN)

    def send(self, kind: int, data: bytes = b"") -> None:
        """Send a frame."""
        self._sock.sendall(HEAD.pack(len(data), kind) + data)

    def receive(self) -> tuple[int, bytes] | None:
        """The next frame as kind and rest; None at the end."""
        head = self._exactly(HEAD.size)
        if head is None:
            return None
        length, kind = HEAD.unpack(head)
        data = self._exactly(length)
        return None if data is None else (kind, data)

    def _exactly(self, length: int) -> bytes | None:
        parts = []
        while length:
            part = self._sock.recv(min(length, 1 << 20))
            if not part:
                return None
            parts.append(part)
            length -= len(part)
        return b"".join(parts)

    def waiting(self) -> bool:
        """Whether a frame, or the end, has come."""
        return bool(self._poll.poll(0))


class OutOfTime(NothingFound):
    """The time of a job was over while it was not yet, or no longer, searching."""


class Timer:
    """Raises OutOfTime in the code of a job when its time is over, wherever that code is.

    A search looks at the clock itself. Reading, checking and flattening a position do not, and no single one of their
    loops is long in a sane position; this covers them all. Of the main thread only.
    """

    def __init__(self) -> None:
        self._running = self._held = False
        signal.signal(signal.SIGALRM, self._ring)

    @contextmanager
    def running(self, seconds: float) -> Iterator[None]:
        """Raise after so many seconds, unless the block has ended."""
        self._running = True
        try:
            self.set(seconds)
            yield
        finally:
            self._running = False
            signal.setitimer(signal.ITIMER_REAL, 0)

    def set(self, seconds: float) -> None:
        """Raise after so many seconds from now instead."""
        signal.setitimer(signal.ITIMER_REAL, min(max(seconds, 0.001), 1e6))

    @contextmanager
    def held(self) -> Iterator[None]:
        """Raise nothing within the block, which would be left half done."""
        self._held = True
        try:
            yield
        finally:
            self._held = False

    def _ring(self, _number: int, _frame: FrameType | None) -> None:
        if self._held:
            self.set(0.01)
        elif self._running:
            raise OutOfTime("the time limit passed before the position was read and its network built")


@dataclass(frozen=True, slots=True)
class Times:
    """When a job came, and the deadline of its call, by the clock of ``time.monotonic``."""

    start: float
    deadline: float


class Worker:
    """Does jobs with a solve and an evaluate function."""

    def __init__(
        self, link: Link, solve: Callable[..., Solution], evaluate: Callable[..., Evaluation], max_seconds: float
    ) -> None:
        self._link, self._solve_position, self._evaluate_routes = link, solve, evaluate
        self._max_seconds = max_seconds
        self._cancelled = False
        self._timer = Timer()

    def work(self, kind: int, data: bytes) -> None:
        """Do one job and send what it gives."""
        start = time.monotonic()
        seconds, index = JOB.unpack_from(data)
        self._cancelled = False
        try:
            with self._timer.running(min(seconds, self._max_seconds) + GRACE):
                answer = self._answer(kind, data[JOB.size :], Times(start, start + seconds), index)
        except Exception as e:
            _log(e)
            self._link.send(FAILED, status_of(e).SerializeToString())
        else:
            self._link.send(DONE, answer)

    def _answer(self, kind: int, request: bytes, times: Times, index: int) -> bytes:
        if kind == EVALUATE:
            return self._evaluate(request)
        if kind == BATCH:
            return self._batch(request, times, index)
        if kind == STREAM:
            answer = pb.SolveStreamResponse(final=True)
            message = wire.parse(request, pb.SolveStreamRequest())
            wire.solution_to_proto(self._solve(message, times, self._improved), answer.solution)
            return answer.SerializeToString()
        response = pb.SolveResponse()
        wire.solution_to_proto(self._solve(wire.parse(request, pb.SolveRequest()), times), response.solution)
        return response.SerializeToString()

    def _solve(self, message: Any, times: Times, improved: Callable[[Solution], None] | None = None) -> Solution:
        """Solve within the deadline of the call and the limits of request and server, whichever comes first.

        Both count from when the job came, so that reading and checking the position are within them.
        """
        limit = min(time_limit(message), self._max_seconds)
        end = min(times.deadline, times.start + limit)
        self._timer.set(end - time.monotonic() + GRACE)
        position = wire.position_from_proto(message.position)
        if times.deadline <= time.monotonic() and limit > 0:
            raise NothingFound("the deadline passed before the search began")
        solution = self._solve_position(
            position,
            deadline=None if end == inf else max(0.0, end - time.monotonic()),
            on_improvement=improved,
            cancelled=self._is_cancelled,
        )
        if not solution.routes and not solution.optimal and times.deadline < times.start + limit:
            raise NothingFound(f"the deadline passed before any route was found; at most {solution.upper_bound}")
        return solution

    def _batch(self, request: bytes, times: Times, index: int) -> bytes:
        answer = pb.BatchSolveResponse(index=index)
        try:
            solution = self._solve(wire.parse(request, pb.BatchSolveRequest()), times)
        except Exception as e:
            if self._cancelled:
                raise
            _log(e)
            write_error(e, answer.error)
        else:
            wire.solution_to_proto(solution, answer.solution)
        return answer.SerializeToString()

    def _evaluate(self, request: bytes) -> bytes:
        message = wire.parse(request, pb.EvaluateRequest())
        drawn = wire.drawn_from_proto(message.routes)
        response = pb.EvaluateResponse()
        position = wire.position_from_proto(message.position)
        evaluation = self._evaluate_routes(position, drawn, cancelled=self._is_cancelled)
        wire.evaluation_to_proto(evaluation, response.evaluation)
        return response.SerializeToString()

    def _improved(self, solution: Solution) -> None:
        answer = pb.SolveStreamResponse()
        wire.solution_to_proto(solution, answer.solution)
        with self._timer.held():
            self._link.send(IMPROVED, answer.SerializeToString())

    def _is_cancelled(self) -> bool:
        if not self._cancelled and self._link.waiting():
            with self._timer.held():
                self._link.receive()  # CANCEL, or the end of the socket
            self._cancelled = True
        return self._cancelled


def _log(error: Exception) -> None:
    if not isinstance(error, TrunklineError) or isinstance(error, CheckError):
        log.error("a job failed", exc_info=error)


def time_limit(message: Any) -> float:
    """Seconds that a request allows; infinity without a limit. Raises PositionError: it is negative."""
    if not message.HasField("time_limit"):
        return inf
    seconds = float(message.time_limit.seconds + message.time_limit.nanos / 1e9)
    if seconds < 0:
        raise PositionError([Fault("time_limit", f"{seconds} s is negative")])
    return seconds
