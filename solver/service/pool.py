"""The worker processes of a server: who works on what, who waits, and what happens when one dies.

Processes, not threads: only the kernels run without Python's lock, so of the recorded positions two threads solve fewer
a second than one, two processes twice as many. They are forked from a process that has imported and warmed up
everything, and share its memory. Single requests go before those of batches, which fill what is left. A job whose
worker dies is given to another, once.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import multiprocessing
import os
import socket
import threading
from collections import deque
from collections.abc import Callable
from math import inf
from multiprocessing.context import ForkServerProcess

from google.rpc import status_pb2

from trunkline.solver.errors import TrunklineError
from trunkline.solver.service.worker import BATCH, CANCEL, DONE, HEAD, IMPROVED, JOB, READY, Budget, Engine, run

PATIENCE = 5.0
"""Seconds in which a worker must let go of a job that is cancelled; then the process is ended and replaced."""

log = logging.getLogger(__name__)


class QueueFull(TrunklineError):
    """As many requests wait as may wait."""


class WorkerLost(TrunklineError):
    """The process that worked on the request ended, and so did the one that tried again."""


class JobFailed(Exception):
    """The worker's answer is an error; ``status`` says which."""

    def __init__(self, status: status_pb2.Status) -> None:
        self.status = status


def cores() -> int:
    """Cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _Job:
    __slots__ = ("deadline", "future", "improved", "index", "kind", "request", "tries")

    def __init__(
        self,
        kind: int,
        request: bytes,
        deadline: float,
        index: int,
        improved: Callable[[bytes], None] | None,
        future: asyncio.Future[bytes],
    ) -> None:
        self.kind, self.request, self.deadline, self.index = kind, request, deadline, index
        self.improved, self.future, self.tries = improved, future, 0

    def frame(self, now: float) -> bytes:
        """The job as a worker reads it. A quarter of a short deadline, or 50 ms, is kept for the way back."""
        left = self.deadline - now
        seconds = max(0.0, left - min(0.05, left / 4))
        head = HEAD.pack(JOB.size + len(self.request), self.kind) + JOB.pack(seconds, self.index)
        return head + self.request


class _Link(asyncio.Protocol):
    """The server's end of the socket to one worker."""

    def __init__(self, pool: Pool, process: ForkServerProcess) -> None:
        self.pool, self.process = pool, process
        self.job: _Job | None = None
        self.warm: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._buffer = bytearray()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def give(self, job: _Job) -> None:
        """Let the worker do a job."""
        self.job = job
        job.tries += 1
        self.transport.write(job.frame(asyncio.get_running_loop().time()))

    def cancel(self) -> None:
        """Let the worker stop what it does; it still answers, unless it hangs."""
        self.transport.write(HEAD.pack(0, CANCEL))
        asyncio.get_running_loop().call_later(PATIENCE, self._end_if_at, self.job)

    def _end_if_at(self, job: _Job | None) -> None:
        if job is not None and self.job is job:
            log.error("worker %s does not let go of a cancelled job and is ended", self.process.pid)
            self.process.kill()

    def data_received(self, data: bytes) -> None:
        buffer = self._buffer
        buffer += data
        while len(buffer) >= HEAD.size:
            length, kind = HEAD.unpack_from(buffer)
            end = HEAD.size + length
            if len(buffer) < end:
                return
            rest = bytes(buffer[HEAD.size : end])
            del buffer[:end]
            self._frame(kind, rest)

    def _frame(self, kind: int, rest: bytes) -> None:
        if not self.warm.done():
            if kind == READY:
                self.warm.set_result(None)
                self.pool.idle(self)
            else:
                self.warm.set_exception(TrunklineError(f"a worker cannot start: {rest.decode()}"))
            return
        job = self.job
        assert job is not None, "a worker answers only what it was given"
        if kind == IMPROVED:
            if job.improved and not job.future.done():
                job.improved(rest)
            return
        self.job = None
        if not job.future.done():
            if kind == DONE:
                job.future.set_result(rest)
            else:
                job.future.set_exception(JobFailed(status_pb2.Status.FromString(rest)))
        self.pool.idle(self)

    def connection_lost(self, _exc: Exception | None) -> None:
        if not self.warm.done():
            self.warm.set_exception(TrunklineError("a worker ended while it started"))
        self.pool.lost(self)


class Pool:
    """Worker processes with a queue of at most ``max_queue`` waiting requests, not counting those of batches."""

    def __init__(self, engine: Engine, workers: int, max_queue: int, budget: Budget) -> None:
        self.workers, self.max_queue, self.budget = workers, max_queue, budget
        self._engine = engine
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload(["trunkline.solver.service.warm"] if engine == Engine() else [])
        self._links: set[_Link] = set()
        self._idle: list[_Link] = []
        self._single: deque[_Job] = deque()
        self._batch: deque[_Job] = deque()
        self._tasks: set[asyncio.Task[None]] = set()
        self._closing = False

    async def start(self) -> None:
        """Start all workers; returns when they are warm. Raises TrunklineError: one cannot start."""
        await asyncio.gather(*[self._start_one() for _ in range(self.workers)])

    async def _start_one(self) -> None:
        ours, theirs = socket.socketpair()
        process = self._context.Process(target=run, args=(theirs, self._engine, self.budget), daemon=True)
        with theirs:
            await _started(process)
        loop = asyncio.get_running_loop()
        _, link = await loop.create_connection(lambda: _Link(self, process), sock=ours)
        self._links.add(link)
        await link.warm

    def submit(
        self,
        kind: int,
        request: bytes,
        deadline: float = inf,
        index: int = 0,
        improved: Callable[[bytes], None] | None = None,
    ) -> asyncio.Future[bytes]:
        """Have a request worked on; ``deadline`` in the time of the event loop. Cancel the future to cancel the work.

        The future raises JobFailed or WorkerLost. Raises QueueFull.
        """
        queue = self._batch if kind == BATCH else self._single
        if kind != BATCH and not self._idle and len(queue) >= self.max_queue:
            raise QueueFull(f"{len(queue)} requests wait already, no more may; try later or elsewhere")
        future: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        job = _Job(kind, request, deadline, index, improved, future)
        future.add_done_callback(lambda f: self._stop(job) if f.cancelled() else None)
        queue.append(job)
        self._next()
        return future

    def _next(self) -> None:
        """Give what waits to who is idle: first come, first served, single requests before batches."""
        for queue in (self._single, self._batch):
            while queue and self._idle:
                job = queue.popleft()
                if not job.future.done():
                    self._idle.pop().give(job)

    def _stop(self, job: _Job) -> None:
        for link in self._links:
            if link.job is job:
                link.cancel()
                return
        for queue in (self._single, self._batch):
            if job in queue:
                queue.remove(job)

    def idle(self, link: _Link) -> None:
        """A worker can take a job."""
        self._idle.append(link)
        self._next()

    def lost(self, link: _Link) -> None:
        """A worker is gone."""
        self._links.discard(link)
        if link in self._idle:
            self._idle.remove(link)
        job = link.job
        if self._closing:
            return
        log.error("worker %s was lost", link.process.pid)
        if job and not job.future.done():
            if job.tries > 1:
                job.future.set_exception(WorkerLost("the process that worked on this was lost, twice; try again"))
            else:
                (self._batch if job.kind == BATCH else self._single).appendleft(job)
                self._next()
        if link.warm.exception() is None:  # else the one who started it knows
            task = asyncio.get_running_loop().create_task(self._replace())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _replace(self) -> None:
        pause = 0.0
        while not self._closing:
            try:
                await asyncio.sleep(pause)
                await self._start_one()
                return
            except (TrunklineError, OSError) as e:
                pause = min(30.0, pause * 2 + 0.5)
                log.error("%s; trying again in %s s", e, pause)

    async def close(self) -> None:
        """End all workers."""
        self._closing = True
        for task in self._tasks:
            task.cancel()
        links = list(self._links)
        for link in links:
            link.transport.abort()
        for link in links:
            await asyncio.to_thread(_end, link.process)


async def _started(process: ForkServerProcess) -> None:
    """Start a process, which takes as long as the first one warms up; in a thread that may be left alone at the end."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[None] = loop.create_future()

    def tell(error: BaseException | None) -> None:
        if not done.done():
            done.set_exception(error) if error else done.set_result(None)

    def start() -> None:
        error = None
        try:
            process.start()
        except BaseException as e:
            error = e
        with contextlib.suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(tell, error)

    threading.Thread(target=start, daemon=True).start()
    await done


def _end(process: ForkServerProcess) -> None:
    process.join(2.0)
    if process.is_alive():
        process.kill()
        process.join()
