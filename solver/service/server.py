"""The solver over gRPC: ``trunkline.v1.SolverService``, with health checking and reflection.

One event loop passes bytes between calls and worker processes (``pool``); it reads no position itself. Work is bounded:
bytes of a request, requests that wait, positions of batches, open calls of each kind and client, and how long a stream
may wait for its client. A call that is cancelled, or whose deadline passes, stops its worker. ``stop`` drains: what
runs or waits is answered, a batch after what it has sent so far.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import logging
import signal
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import wraps
from math import inf
from typing import Any, NoReturn, TypeVar

import grpc
import grpc.aio
from google.rpc import code_pb2
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from trunkline.solver.board import title_ids
from trunkline.solver.errors import TrunklineError
from trunkline.solver.service.aborts import Context, abort, abort_with
from trunkline.solver.service.places import CALLS, STREAMS, WATCHERS, NoPlace, Places, client_of
from trunkline.solver.service.pool import JobFailed, Pool, QueueFull, WorkerLost, cores
from trunkline.solver.service.reading import reading
from trunkline.solver.service.tls import Tls
from trunkline.solver.service.worker import BATCH, EVALUATE, SOLVE, STREAM, Budget, Engine
from trunkline.solver.wire.describe import title_by_name, title_in_brief
from trunkline.solver.wire.status import ServiceError
from trunkline.v1 import solver_service_pb2 as pb

SERVICE = pb.DESCRIPTOR.services_by_name["SolverService"].full_name
WINDOW = 64
"""Positions of one batch that are worked on or wait for their turn to be answered."""
MAX_PAGE = 200
OTHER_CALLS = 128
"""Calls of each added service that may be open beside those of the solver."""
MAX_STREAMS, MAX_WATCHERS = 128, 400
"""Batches and streams of improvements, and calls that only wait for news, that may be open."""
IDLE_SECONDS = 60.0
"""How long a stream may wait for its client: to send a position, or to take an answer."""
HOUR_MS, AGE_GRACE_MS, STREAMS_OF_CONNECTION = 3_600_000, 600_000, 1024

FOREVER = 1e9
"""Seconds."""

T = TypeVar("T")

log = logging.getLogger(__name__)
Addition = Callable[["Server"], Iterable[str]]
"""Adds a service to ``server.grpc`` and gives its full names; for those who serve more than the solver."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How to serve. ``port`` 0 takes any free one. ``tls``: None without encryption.

    ``max_search_seconds``: then a search gives the best found so far, whatever the call allows. ``max_worker_bytes``:
    memory (data, as the system counts it) that a worker may have, 0 for no limit; a request that needs more is refused.
    ``drain_seconds``: how long ``stop`` waits for running calls.
    """

    host: str = "127.0.0.1"
    port: int = 50051
    workers: int = field(default_factory=cores)
    max_queue: int = 64
    max_message_bytes: int = 1 << 20
    max_search_seconds: float = 300.0
    max_worker_bytes: int = 1 << 30
    drain_seconds: float = 30.0
    tls: Tls | None = None


class Server:
    """A server: ``await start()``, then ``await stop()``."""

    def __init__(
        self, settings: Settings | None = None, engine: Engine | None = None, additions: Sequence[Addition] = ()
    ) -> None:
        self.settings = s = settings or Settings()
        self.port = 0
        self._pool = Pool(engine or Engine(), s.workers, s.max_queue, Budget(s.max_search_seconds, s.max_worker_bytes))
        self._additions = additions
        self._calls = 0
        self._no_calls = asyncio.Event()
        self._no_calls.set()
        calls = 2 * (s.workers + s.max_queue) + 32 + OTHER_CALLS * len(additions)
        self.places = Places({CALLS: calls, STREAMS: MAX_STREAMS, WATCHERS: MAX_WATCHERS})
        self._batch_room = asyncio.Semaphore(max(WINDOW, s.max_queue))
        self._readers: set[asyncio.Task[None]] = set()
        self._draining = False

    async def start(self) -> None:
        """Listen, then warm up; returns when warm. Calls that come earlier wait, health says NOT_SERVING.

        Raises TrunklineError: the address is taken, a file of the certificate is of no use, or a worker cannot start.
        """
        s = self.settings
        self.grpc = grpc.aio.server(
            options=[
                ("grpc.max_receive_message_length", s.max_message_bytes),
                ("grpc.max_send_message_length", -1),
                ("grpc.so_reuseport", 0),
                ("grpc.keepalive_time_ms", 60_000),  # a client that vanished must not keep a worker
                ("grpc.keepalive_timeout_ms", 20_000),
                ("grpc.max_connection_idle_ms", HOUR_MS),
                ("grpc.max_connection_age_ms", HOUR_MS),  # so that clients spread over servers that were added
                ("grpc.max_connection_age_grace_ms", AGE_GRACE_MS),
                ("grpc.max_concurrent_streams", STREAMS_OF_CONNECTION),
            ],
        )
        self.grpc.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, self._handlers()),))
        self._health = health.aio.HealthServicer()
        self._names = ["", SERVICE, *(name for add in self._additions for name in add(self))]
        await self._tell(health_pb2.HealthCheckResponse.NOT_SERVING)
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self.grpc)
        reflection.enable_server_reflection([*self._names[1:], health.SERVICE_NAME, reflection.SERVICE_NAME], self.grpc)
        address = f"[{s.host}]:{s.port}" if ":" in s.host else f"{s.host}:{s.port}"
        if s.tls is None and not _loopback(s.host):
            log.warning(
                "%s can be reached from elsewhere, and there is no encryption: whoever listens can read", address
            )
        credentials = s.tls and s.tls.of_server()
        try:
            if credentials:
                self.port = self.grpc.add_secure_port(address, credentials)
            else:
                self.port = self.grpc.add_insecure_port(address)
        except RuntimeError:
            raise TrunklineError(
                f"cannot listen on {address}: the port is taken, or the host is not this one"
            ) from None
        await self.grpc.start()
        await self._pool.start()
        if not self._draining:
            await self._tell(health_pb2.HealthCheckResponse.SERVING)

    async def _tell(self, status: int) -> None:
        for name in self._names:
            await self._health.set(name, status)

    async def stop(self, drain_seconds: float | None = None) -> None:
        """Refuse new calls, let running ones end for ``drain_seconds`` at most, then end the workers."""
        self._draining = True
        await self._health.enter_graceful_shutdown()
        for reader in self._readers:
            reader.cancel()
        grace = self.settings.drain_seconds if drain_seconds is None else drain_seconds
        # grpc.stop with a limit that passes while another grpc.stop ends touches the server it has just freed, and the
        # process dies. So the one that refuses new calls has no limit, and the one that ends what is left no grace.
        stopping = asyncio.create_task(self.grpc.stop(FOREVER))
        with contextlib.suppress(TimeoutError):
            await within(grace, self._no_calls.wait())
        await self.grpc.stop(None)  # ends also the health watchers, which never end by themselves
        await stopping
        await self._pool.close()

    # --- calls ---

    def _handlers(self) -> dict[str, grpc.RpcMethodHandler[Any, Any]]:
        return {
            "Solve": grpc.unary_unary_rpc_method_handler(self.counted(self._solve)),
            "SolveStream": grpc.unary_stream_rpc_method_handler(self.counted(self._solve_stream, STREAMS)),
            "BatchSolve": grpc.stream_stream_rpc_method_handler(self.counted(self._batch_solve, STREAMS)),
            "Evaluate": grpc.unary_unary_rpc_method_handler(self.counted(self._evaluate)),
            "ListTitles": grpc.unary_unary_rpc_method_handler(
                self.counted(reading(pb.ListTitlesRequest, self._list_titles)),
                response_serializer=pb.ListTitlesResponse.SerializeToString,
            ),
            "GetTitle": grpc.unary_unary_rpc_method_handler(
                self.counted(reading(pb.GetTitleRequest, self._get_title)),
                response_serializer=pb.GetTitleResponse.SerializeToString,
            ),
        }

    def counted(
        self, handler: Callable[[Any, Context], Awaitable[Any]], kind: str = CALLS
    ) -> Callable[[Any, Context], Awaitable[Any]]:
        """A handler whose calls take a place, and ``stop`` waits until the last byte of their answers is sent."""

        @wraps(handler)
        async def counted(request: Any, context: Context) -> Any:
            await self.take_place(kind, context)
            self._calls += 1
            self._no_calls.clear()
            context.add_done_callback(self._ended)  # type: ignore[arg-type]
            return await handler(request, context)

        return counted

    async def take_place(self, kind: str, context: Context) -> None:
        """Take a place of a kind (``places``) until the call ends; ends it with RESOURCE_EXHAUSTED if there is none."""
        client = client_of(context.peer())
        try:
            self.places.take(kind, client)
        except NoPlace as e:
            await abort(context, code_pb2.RESOURCE_EXHAUSTED, str(e))
        context.add_done_callback(lambda _: self.places.leave(kind, client))  # type: ignore[arg-type]

    def _ended(self, _: Any) -> None:
        self._calls -= 1
        if not self._calls:
            self._no_calls.set()

    async def solve(self, request: bytes, seconds: float) -> bytes:
        """The SolveResponse of a SolveRequest, for services that are added. Raises ServiceError."""
        try:
            return await self._pool.submit(SOLVE, request, asyncio.get_running_loop().time() + seconds)
        except JobFailed as e:
            raise ServiceError(code_pb2.Code.Name(e.status.code), e.status.message) from None
        except (QueueFull, WorkerLost) as e:
            raise ServiceError("RESOURCE_EXHAUSTED" if isinstance(e, QueueFull) else "UNAVAILABLE", str(e)) from None

    async def _solve(self, request: bytes, context: Context) -> bytes:
        return await self._ask(SOLVE, request, context)

    async def _evaluate(self, request: bytes, context: Context) -> bytes:
        return await self._ask(EVALUATE, request, context)

    async def _ask(
        self, kind: int, request: bytes, context: Context, improved: Callable[[bytes], None] | None = None
    ) -> bytes:
        try:
            return await self._pool.submit(kind, request, _deadline(context), 0, improved)
        except (JobFailed, QueueFull, WorkerLost) as e:
            await _refuse(context, e)

    async def _solve_stream(self, request: bytes, context: Context) -> None:
        improvements: asyncio.Queue[bytes | None] = asyncio.Queue()
        asked = asyncio.create_task(self._ask(STREAM, request, context, improvements.put_nowait))
        asked.add_done_callback(lambda _: improvements.put_nowait(None))
        try:
            while (improvement := await improvements.get()) is not None:
                await _taken(context, improvement)
            await _taken(context, await asked)
        finally:
            asked.cancel()

    async def _batch_solve(self, _: object, context: Context) -> None:
        answers: asyncio.Queue[asyncio.Future[bytes] | None] = asyncio.Queue(WINDOW)
        reader = asyncio.create_task(self._read_batch(context, answers))
        self._readers.add(reader)
        if self._draining:
            reader.cancel()
            answers.put_nowait(None)  # the reader has not begun, and so will not tell its end
        try:
            while (answer := await answers.get()) is not None:
                await _taken(context, await answer)
            await asyncio.wait({reader})
            if reader.cancelled():
                await _refuse(context, WorkerLost("the server is stopping; send the rest to another one"))
            reader.result()
        except TimeoutError:
            text = f"no position came, or no answer was taken, for {IDLE_SECONDS:g} s; open another stream"
            await abort(context, code_pb2.UNAVAILABLE, text)
        except (JobFailed, WorkerLost) as e:
            await _refuse(context, e)
        finally:
            self._readers.discard(reader)
            reader.cancel()
            while not answers.empty():
                if waiting := answers.get_nowait():
                    waiting.cancel()

    async def _read_batch(self, context: Context, answers: asyncio.Queue[asyncio.Future[bytes] | None]) -> None:
        """Hand in the positions of a batch as they come, no more than there is room for, until the client ends."""
        deadline, index = _deadline(context), 0
        try:
            while (request := await within(IDLE_SECONDS, context.read())) is not grpc.aio.EOF:
                await self._batch_room.acquire()
                future = self._pool.submit(BATCH, request, deadline, index)
                future.add_done_callback(lambda _: self._batch_room.release())
                try:
                    await answers.put(future)
                except asyncio.CancelledError:
                    future.cancel()
                    raise
                index += 1
        finally:
            await answers.put(None)

    async def _list_titles(self, request: pb.ListTitlesRequest, context: Context) -> pb.ListTitlesResponse:
        known = title_ids()
        if request.page_size < 0:
            await abort(context, code_pb2.INVALID_ARGUMENT, "page_size: negative")
        if request.page_token and request.page_token not in known:
            await abort(context, code_pb2.INVALID_ARGUMENT, "page_token: not from this list")
        start = known.index(request.page_token) if request.page_token else 0
        end = start + min(request.page_size or 50, MAX_PAGE)
        return pb.ListTitlesResponse(
            titles=[title_in_brief(t) for t in known[start:end]],
            next_page_token=known[end] if end < len(known) else "",
        )

    async def _get_title(self, request: pb.GetTitleRequest, context: Context) -> pb.GetTitleResponse:
        try:
            return pb.GetTitleResponse(title=title_by_name(request.name))
        except TrunklineError as e:
            await abort(context, code_pb2.NOT_FOUND, str(e))


async def _taken(context: Context, answer: bytes) -> None:
    """Send an answer. Raises TimeoutError: the client takes none."""
    await within(IDLE_SECONDS, context.write(answer))


async def within(seconds: float, awaited: Awaitable[T]) -> T:
    """What is awaited. Raises TimeoutError.

    ``asyncio.wait_for`` of Python 3.11 forgets that it was cancelled where what it waits for is done at the same
    moment: a call that its client has cancelled would go on.
    """
    async with asyncio.timeout(seconds):
        return await awaited


def _loopback(host: str) -> bool:
    """Whether only this machine reaches a server that listens there."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _deadline(context: Context) -> float:
    """The deadline of a call in the time of the event loop."""
    left = context.time_remaining()
    return inf if left is None else asyncio.get_running_loop().time() + left


async def _refuse(context: Context, error: JobFailed | QueueFull | WorkerLost) -> NoReturn:
    if isinstance(error, JobFailed):
        await abort_with(context, error.status, final=True)
    code = code_pb2.RESOURCE_EXHAUSTED if isinstance(error, QueueFull) else code_pb2.UNAVAILABLE
    await abort(context, code, str(error))


async def serve(server: Server, started: Callable[[Server], None]) -> None:
    """Serve until SIGTERM or SIGINT, then drain; a second signal ends at once. ``started`` is called when warm."""
    loop = asyncio.get_running_loop()
    signals: asyncio.Queue[int] = asyncio.Queue()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, signals.put_nowait, number)
    starting = asyncio.create_task(server.start())
    signalled = asyncio.create_task(signals.get())
    try:
        await asyncio.wait({starting, signalled}, return_when=asyncio.FIRST_COMPLETED)
        if starting.done():
            starting.result()
            started(server)
            await signalled
    finally:
        stopping = asyncio.create_task(server.stop())
        again = asyncio.create_task(signals.get())
        await asyncio.wait({stopping, again}, return_when=asyncio.FIRST_COMPLETED)
        if not stopping.done():
            await server.stop(0)
        again.cancel()
        starting.cancel()
