"""Long replays and imports in a process of their own, so that they hold up neither the event loop nor the solver.

The process has a low priority. What fits in a few milliseconds is done at once.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar

from google.rpc import code_pb2

from trunkline.engine.errors import LogError
from trunkline.engine.log import Log
from trunkline.engine.service.refusals import Refused
from trunkline.engine.state import State
from trunkline.engine.wire.importer import import_game
from trunkline.engine.wire.site_files import SiteGameError

AT_ONCE = 30
"""Actions that are replayed on the spot: about 10 ms."""
MAX_WAITING = 8
"""Replays and imports that may wait for the process; more are refused."""
NICE = 10

T = TypeVar("T")


class Replays:
    """The process, started when it is first needed, and again if it is lost. Threads may share it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._places = threading.Semaphore(MAX_WAITING)
        self._process: ProcessPoolExecutor | None = None

    def replay(self, log: Log, upto: int | None = None) -> State:
        """The state after ``upto`` actions, by default all. Raises LogError, as :meth:`Log.replay`; Refused."""
        number = len(log.actions) if upto is None else upto
        return log.replay(upto) if number <= AT_ONCE else self._run(_replay, log.dumps(), upto)

    def import_site(self, exported: str) -> Log:
        """The log of a game that 18xx.games exported. Raises SiteGameError, Refused."""
        return Log.loads(self._run(_import, exported))

    def close(self) -> None:
        """End the process."""
        with self._lock:
            if self._process is not None:
                self._process.shutdown(wait=False, cancel_futures=True)

    def _run(self, work: Callable[..., T | _Failed], *arguments: Any) -> T:
        if not self._places.acquire(blocking=False):
            text = "as many games are replayed or imported as may be; try later"
            raise Refused(code_pb2.RESOURCE_EXHAUSTED, text)
        try:
            found = self._started().submit(work, *arguments).result()
        except BrokenProcessPool:
            with self._lock:
                self._process = None
            raise Refused(code_pb2.UNAVAILABLE, "the process that replays games was lost; try again") from None
        finally:
            self._places.release()
        if isinstance(found, _Failed):
            raise found.error()
        return found

    def _started(self) -> ProcessPoolExecutor:
        with self._lock:
            if self._process is None:
                context = multiprocessing.get_context("forkserver")
                self._process = ProcessPoolExecutor(1, context, _begin)
            return self._process


class _Failed:
    """An error as it leaves the process: errors themselves do not all survive that."""

    def __init__(self, error: LogError) -> None:
        self.kind, self.message = type(error), str(error)

    def error(self) -> LogError:
        """The error again."""
        return SiteGameError(self.message) if self.kind is SiteGameError else LogError(self.message)


def _begin() -> None:
    os.nice(NICE)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to the whole group; the server decides


def _replay(log: str, upto: int | None) -> State | _Failed:
    try:
        return Log.loads(log).replay(upto)
    except LogError as e:
        return _Failed(e)


def _import(exported: str) -> str | _Failed:
    try:
        data = json.loads(exported)
    except (ValueError, RecursionError) as e:
        return _Failed(SiteGameError(f"not JSON: {e}"))
    try:
        return import_game(data).log.dumps()
    except LogError as e:
        return _Failed(e)
