"""Many positions, one a line: solved by processes of this machine or by servers, answered in order.

Each line gives a Solution or a Failure; a bad line does not end the batch. Processes read their lines themselves, so
that reading is spread over the cores as well.
"""

from __future__ import annotations

import multiprocessing
import signal
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from trunkline.solver import wire
from trunkline.solver.board import Position, Rules, Solution
from trunkline.solver.errors import Fault, PositionError, TrunklineError

if TYPE_CHECKING:
    from trunkline.solver.service.client import Client

_stop: Any = None  # in a worker process: set when the batch is given up


@dataclass(frozen=True, slots=True)
class Ask:
    """How to solve each position: seconds for each, and other rules than the position says ("" and (): none)."""

    deadline: float | None = None
    rule_set: str = ""
    switches: tuple[tuple[str, bool], ...] = ()

    def position(self, text: bytes) -> Position:
        """Read a position and give it the rules asked for. Raises PositionError."""
        return self.ruled(wire.position_from_json(text.rstrip(b"\r\n")))  # else a line cut short ends at its line 2

    def ruled(self, position: Position) -> Position:
        """The position with the rules asked for. Raises PositionError: the title does not know them."""
        if not self.rule_set and not self.switches:
            return position
        name = self.rule_set or position.rules.name
        kept = () if self.rule_set else position.rules.switches
        return replace(position, rules=Rules(name, tuple(sorted({**dict(kept), **dict(self.switches)}.items()))))


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a line has no solution."""

    message: str
    faults: tuple[Fault, ...] = ()


def failure(error: Exception) -> Failure:
    """The failure of an exception."""
    if isinstance(error, PositionError):
        return Failure(str(error), error.faults)
    return Failure(str(error) if isinstance(error, TrunklineError) else f"{type(error).__name__}: {error}")


def solve_here(lines: Iterable[bytes], ask: Ask, workers: int) -> Iterator[Solution | Failure]:
    """Solve with processes of this machine. Close the iterator to stop them."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["trunkline.solver.service.warm"])
    stop = context.Event()
    pool = ProcessPoolExecutor(workers, context, _begin, (stop,))
    waiting: deque[Future[Solution | Failure]] = deque()
    try:
        for line in lines:
            waiting.append(pool.submit(_solve, line, ask))
            while waiting and (waiting[0].done() or len(waiting) > 16 * workers):
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except BrokenProcessPool:
        raise TrunklineError("a process of the batch was ended from outside, perhaps for lack of memory") from None
    finally:
        stop.set()
        pool.shutdown(cancel_futures=True)


def _begin(stop: Any) -> None:
    global _stop
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to the whole group; the parent decides
    _stop = stop


def _solve(line: bytes, ask: Ask) -> Solution | Failure:
    from trunkline.solver import solve

    try:
        return solve(ask.position(line), deadline=ask.deadline, cancelled=_stop.is_set)
    except Exception as e:
        return failure(e)


def solve_there(lines: Iterable[bytes], ask: Ask, client: Client) -> Iterator[Solution | Failure]:
    """Solve with servers."""
    failures: deque[Failure | None] = deque()

    def positions() -> Iterator[Position]:
        for line in lines:
            try:
                position = ask.position(line)
            except TrunklineError as e:
                failures.append(failure(e))
            else:
                failures.append(None)
                yield position

    for answer in client.solve_batch(positions(), deadline=ask.deadline):
        while (failed := failures.popleft()) is not None:
            yield failed
        yield answer if isinstance(answer, Solution) else failure(answer)
    for failed in failures:
        assert failed is not None, "every position has its answer"
        yield failed
