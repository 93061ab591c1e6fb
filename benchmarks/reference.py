"""The plain search that the solver is held beside: the brute-force solver of the tests, given a time limit.

networkx and plain Python: depth-first over every route, then every set of routes that share no track. Where it ends
in time its total must be the solver's; where it does not, its time is a lower bound.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from tests import brute
from trunkline.solver import Position


class OutOfTime(Exception):
    """The time limit passed."""


@dataclass(frozen=True, slots=True)
class Search:
    """``total`` is None where the limit came first. Seconds of this thread's CPU time and of wall time."""

    total: int | None
    cpu: float
    wall: float

    @property
    def finished(self) -> bool:
        return self.total is not None


def search(position: Position, limit: float) -> Search:
    """The most that the trains of a position earn, by trying all; given up after ``limit`` seconds of CPU time."""
    wall, cpu = time.perf_counter(), time.thread_time()
    total = None
    try:
        with _alarm(limit):
            total = brute.best(position)
    except OutOfTime:
        pass
    return Search(total, time.thread_time() - cpu, time.perf_counter() - wall)


@contextmanager
def _alarm(limit: float) -> Iterator[None]:
    """Raises OutOfTime in the main thread after ``limit`` seconds of this process's CPU time.

    Rings until it is heard: where Python runs a finalizer, an exception is printed and forgotten.
    """
    over = False

    def ring(*_: object) -> None:
        if not over:
            raise OutOfTime

    before = signal.signal(signal.SIGVTALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, limit, 0.1)
        try:
            yield
        finally:
            over = True
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
