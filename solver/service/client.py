"""A client of one or several solver servers: the solver's functions, answered elsewhere.

    with Client(["10.0.0.1:50051", "10.0.0.2:50051"]) as client:
        print(client.solve(position))

Calls go to the servers in turn. A call whose server is gone is repeated at another one (a solver keeps no state, so
that is safe); so is the unanswered rest of a stream or a batch. Errors are those of the solver: PositionError with its
faults, and ServiceError where a server cannot answer.
"""

from __future__ import annotations

import contextlib
import ipaddress
import json
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import TracebackType
from typing import Any, Self

import grpc
from google.rpc import status_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_status import rpc_status

from trunkline.solver import wire
from trunkline.solver.board import DrawnRoute, Evaluation, Position, Solution
from trunkline.solver.errors import Cancelled, TrunklineError
from trunkline.solver.service.tls import Tls
from trunkline.solver.wire.status import ServiceError, error_of, read_error
from trunkline.v1 import solver_service_pb2 as pb
from trunkline.v1 import solver_service_pb2_grpc

__all__ = ["Client", "ServiceError", "Tls"]

DEFAULT_PORT = 50051
TRIES = 5
"""How often a call is made, all in all, while its servers are UNAVAILABLE."""
SPARE = 10.0
"""Seconds beyond the time limit of a search after which a server is taken to be out of reach."""

_SERVICE_CONFIG = json.dumps(
    {
        "loadBalancingConfig": [{"round_robin": {}}],
        "methodConfig": [
            {
                "name": [
                    {"service": "trunkline.v1.SolverService", "method": method}
                    for method in ("Solve", "Evaluate", "ListTitles", "GetTitle")  # streams are taken up again below
                ],
                "retryPolicy": {
                    "maxAttempts": TRIES,
                    "initialBackoff": "0.1s",
                    "maxBackoff": "1s",
                    "backoffMultiplier": 2,
                    "retryableStatusCodes": ["UNAVAILABLE"],
                },
            }
        ],
    }
)


class Closing:
    """A client with one channel; as a context manager it closes it."""

    _channel: grpc.Channel

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the connection; running calls fail."""
        self._channel.close()


class Client(Closing):
    """A connection to one or several servers. Threads may share it.

    Parameters
    ----------
    addresses
        One address or several, each ``host:port`` (port 50051 if none is given).
    timeout
        Seconds after which a call without a time limit of its own is given up; None: never.
    tls
        How connections are encrypted; None: they are not.
    """

    def __init__(self, addresses: str | Sequence[str], *, timeout: float | None = None, tls: Tls | None = None) -> None:
        given = [addresses] if isinstance(addresses, str) else list(addresses)
        self.addresses = tuple(with_port(a) for a in given)
        self._timeout, self._tls = timeout, tls
        options = [("grpc.service_config", _SERVICE_CONFIG), ("grpc.max_receive_message_length", -1)]
        self._channel = connect(self.addresses, tls, options)
        self._stub = solver_service_pb2_grpc.SolverServiceStub(self._channel)  # type: ignore[no-untyped-call]

    def solve(
        self,
        position: Position,
        *,
        deadline: float | None = None,
        on_improvement: Callable[[Solution], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> Solution:
        """The best routes, as :func:`solver.solve`: after ``deadline`` seconds the best found so far.

        ``cancelled`` is asked every 20 ms; when it says yes, the search stops and Cancelled is raised.
        Raises PositionError, ServiceError.
        """
        if on_improvement is not None:
            for solution, final in self._improvements(position, deadline, cancelled):
                if final:
                    return solution
                on_improvement(solution)
        request = pb.SolveRequest(position=wire.position_to_proto(position))
        _limit(request, deadline)
        response = self._call(self._stub.Solve, request, self._timeout_of(deadline), cancelled)
        return wire.solution_from_proto(response.solution)

    def solve_stream(self, position: Position, *, deadline: float | None = None) -> Iterator[Solution]:
        """Each improvement, then the answer."""
        for solution, _ in self._improvements(position, deadline, None):
            yield solution

    def evaluate(
        self, position: Position, drawn: Sequence[DrawnRoute], *, cancelled: Callable[[], bool] | None = None
    ) -> Evaluation:
        """What drawn routes earn, as :func:`solver.evaluate`. Raises PositionError, ServiceError, Cancelled."""
        request = pb.EvaluateRequest(position=wire.position_to_proto(position), routes=wire.drawn_to_proto(drawn))
        response = self._call(self._stub.Evaluate, request, self._timeout, cancelled)
        return wire.evaluation_from_proto(response.evaluation)

    def solve_batch(
        self, positions: Iterable[Position], *, deadline: float | None = None
    ) -> Iterator[Solution | TrunklineError]:
        """The best routes of many positions, in their order, worked on by all servers; an error where there are none.

        ``deadline``: seconds for each position. Positions are taken as they are needed. Raises ServiceError: no server
        is left; and what ``positions`` raises.
        """
        batch = _Batch(self._stub, positions, deadline, len(self.addresses))
        try:
            yield from batch.answers()
        finally:
            batch.close()

    def titles(self) -> tuple[str, ...]:
        """Ids of the titles that the servers know."""
        found: list[str] = []
        token = ""
        while True:
            page = self._call(self._stub.ListTitles, pb.ListTitlesRequest(page_token=token), self._timeout)
            found += [t.title_id for t in page.titles]
            token = page.next_page_token
            if not token:
                return tuple(found)

    def describe(self, title_id: str) -> dict[str, Any]:
        """The map, tiles, trains and companies of a title, in the JSON form of the message Title."""
        response = self._call(self._stub.GetTitle, pb.GetTitleRequest(name=f"titles/{title_id}"), self._timeout)
        return wire.to_dict(response.title, False)

    def health(self, *, timeout: float = 2.0) -> dict[str, str]:
        """For each address SERVING, NOT_SERVING (warming up or stopping) or UNAVAILABLE."""
        return {address: _health(address, timeout, self._tls) for address in self.addresses}

    def _timeout_of(self, deadline: float | None) -> float | None:
        return self._timeout if deadline is None else deadline + SPARE

    def _call(
        self, method: Any, request: Any, timeout: float | None, cancelled: Callable[[], bool] | None = None
    ) -> Any:
        try:
            if cancelled is None:
                return method(request, timeout=timeout)
            call = method.future(request, timeout=timeout)
            with _Watch(call, cancelled):
                return call.result()
        except grpc.FutureCancelledError:
            raise Cancelled("the call was stopped") from None
        except grpc.RpcError as e:
            raise _error(e) from None

    def _improvements(
        self, position: Position, deadline: float | None, cancelled: Callable[[], bool] | None
    ) -> Iterator[tuple[Solution, bool]]:
        """Improvements and the final answer; begins anew at another server if one is lost, never going back."""
        request = pb.SolveStreamRequest(position=wire.position_to_proto(position))
        start, best = time.monotonic(), -1
        for tries in range(TRIES):
            left = None if deadline is None else max(0.0, deadline - (time.monotonic() - start))
            _limit(request, left)
            call = self._stub.SolveStream(request, timeout=self._timeout_of(left))
            try:
                with _Watch(call, cancelled):
                    for response in call:
                        if response.final or response.solution.total > best:
                            best = response.solution.total
                            yield wire.solution_from_proto(response.solution), response.final
                return
            except grpc.RpcError as e:
                if cancelled is not None and e.code() == grpc.StatusCode.CANCELLED:
                    raise Cancelled("the search was stopped") from None
                if e.code() != grpc.StatusCode.UNAVAILABLE or tries == TRIES - 1:
                    raise _error(e) from None
                time.sleep(0.1 * 2**tries)
            finally:
                call.cancel()


class _Watch:
    """Cancels a call when ``cancelled`` says so, asked every 20 ms; used around the wait for its answer."""

    def __init__(self, call: Any, cancelled: Callable[[], bool] | None) -> None:
        self._call, self._cancelled = call, cancelled
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True) if cancelled else None

    def _run(self) -> None:
        assert self._cancelled
        while not self._over.wait(0.02):
            if self._cancelled():
                self._call.cancel()
                return

    def __enter__(self) -> None:
        if self._thread:
            self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._over.set()
        if self._thread:
            self._thread.join()


class _Batch:
    """A batch over several streams: each takes the next position when it has room; answers come in order.

    Positions are taken in threads of gRPC, one at a time (``_taking``). ``_owners`` says which stream has the next
    unanswered position. A stream whose call was lost takes nothing more for that call; a position that was on its
    way to it then is ``_returned`` to the next taker.
    """

    def __init__(self, stub: Any, positions: Iterable[Position], deadline: float | None, streams: int) -> None:
        self._stub, self._deadline = stub, deadline
        self._positions = iter(positions)
        self._taking = threading.Lock()
        self._changed = threading.Condition()
        self._owners: deque[_Stream] = deque()
        self._returned: pb.BatchSolveRequest | None = None
        self._ended = False
        self._error: BaseException | None = None
        self._streams = [_Stream(self) for _ in range(streams)]

    def take(self, stream: _Stream, call_number: int) -> pb.BatchSolveRequest | None:
        """The next position for a call of a stream; None: there is none, or the call is over."""
        with self._taking:
            request, self._returned = self._returned or self._next_request(), None
            with self._changed:
                if request is not None and stream.call_number != call_number:
                    self._returned = request
                    return None
                if request is None:
                    self._ended = True
                else:
                    stream.unanswered.append(request)
                    self._owners.append(stream)
                self._changed.notify_all()
            return request

    def _next_request(self) -> pb.BatchSolveRequest | None:
        if self._ended:
            return None
        try:
            position = next(self._positions, None)
            if position is None:
                return None
            request = pb.BatchSolveRequest(position=wire.position_to_proto(position))
            _limit(request, self._deadline)
            return request
        except BaseException as e:  # the caller's own, given back to the caller
            self._error = e
            return None

    def call(self, stream: _Stream) -> Any:
        """A new call for a stream, that first sends what it has not answered."""
        with self._changed:
            stream.call_number += 1
            return self._stub.BatchSolve(stream.requests(stream.call_number, list(stream.unanswered)))

    def answers(self) -> Iterator[Solution | TrunklineError]:
        """Each answer in the order of the positions."""
        for stream in self._streams:
            stream.start()
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._owners or self._ended)
                if not self._owners:
                    break
                stream = self._owners.popleft()
            response = stream.next()
            if response.HasField("error"):
                yield read_error(response.error)
            else:
                yield wire.solution_from_proto(response.solution)
        if self._error is not None:
            raise self._error

    def close(self) -> None:
        """Stop all calls."""
        with self._changed:
            self._ended = True
        for stream in self._streams:
            stream.cancel()


class _Stream:
    """One call of a batch at a time; when its server is lost, another call with what was not answered."""

    def __init__(self, batch: _Batch) -> None:
        self._batch = batch
        self.unanswered: deque[pb.BatchSolveRequest] = deque()
        self.call_number = 0
        self._call: Any = None

    def start(self) -> None:
        """Make a call."""
        self._call = self._batch.call(self)

    def cancel(self) -> None:
        """Stop the call."""
        if self._call is not None:
            self._call.cancel()

    def requests(self, call_number: int, unanswered: Iterable[pb.BatchSolveRequest]) -> Iterator[pb.BatchSolveRequest]:
        """What a call sends. Runs in a thread of gRPC."""
        yield from unanswered
        while (request := self._batch.take(self, call_number)) is not None:
            yield request

    def next(self) -> pb.BatchSolveResponse:
        """The next answer. Raises ServiceError when no server answers."""
        for tries in range(TRIES):
            try:
                response: pb.BatchSolveResponse = next(self._call)
                self.unanswered.popleft()
                return response
            except StopIteration:
                raise ServiceError("INTERNAL", "the server left positions of the batch unanswered") from None
            except grpc.RpcError as e:
                if e.code() != grpc.StatusCode.UNAVAILABLE or tries == TRIES - 1:
                    raise _error(e) from None
                time.sleep(0.1 * 2**tries)
                self.start()
        raise AssertionError("the last try returns or raises")


def _limit(request: Any, deadline: float | None) -> None:
    if deadline is not None:
        if not 0 <= deadline < 1e9:
            raise TrunklineError(f"a deadline of {deadline} seconds; give 0 or more")
        nanos = round(deadline * 1e9)
        request.time_limit.seconds, request.time_limit.nanos = divmod(nanos, 10**9)


def _error(error: grpc.RpcError) -> TrunklineError:
    """The project's exception of a failed call."""
    assert isinstance(error, grpc.Call)
    status = None
    with contextlib.suppress(ValueError):  # details that belong to another status
        status = rpc_status.from_call(error)
    code = error.code().value[0]
    message = explained(error.details() or "the server does not answer")
    return error_of(status or status_pb2.Status(code=code, message=message))


_TLS_FAULTS = {
    "certificate has expired": "the certificate of the server has expired",
    "CERTIFICATE_VERIFY_FAILED": "no authority that is trusted here vouches for the certificate of the server",
    "Hostname Verification Check failed": "the certificate of the server is for another name",
    "WRONG_VERSION_NUMBER": "the server does not use TLS",
    "Socket closed": "the server closed the connection; it may want TLS, or a certificate of the client",
}


def explained(details: str) -> str:
    """What gRPC says of a connection that could not be made, and what that means where TLS is the matter."""
    if "; last error: " in details:  # so says gRPC of a connection that it could not make
        for sign, meaning in _TLS_FAULTS.items():
            if sign in details:
                return f"{meaning} ({details})"
        if "ipv6:%5B::1%5D" in details and "refused" in details:
            return f"{details}; localhost is tried as ::1 and as 127.0.0.1: name 127.0.0.1 to hear what is wrong there"
    return details


def _health(address: str, timeout: float, tls: Tls | None) -> str:
    with connect([address], tls, []) as channel:
        try:
            stub: Any = health_pb2_grpc.HealthStub(channel)
            reply = stub.Check(health_pb2.HealthCheckRequest(), timeout=timeout)
        except grpc.RpcError:
            return "UNAVAILABLE"
    return str(health_pb2.HealthCheckResponse.ServingStatus.Name(reply.status))


def connect(addresses: Sequence[str], tls: Tls | None, options: Sequence[tuple[str, Any]]) -> grpc.Channel:
    """A channel to one server or several. Raises TrunklineError: an address, or a file of ``tls``, is of no use."""
    target = _target(addresses)
    if tls is None:
        return grpc.insecure_channel(target, options=options)
    name = tls.name
    if len(addresses) > 1 and not name:
        hosts = {a.rpartition(":")[0] for a in addresses}
        if len(hosts) > 1:
            raise TrunklineError("several servers with TLS need one name that is in the certificates of all of them")
        (name,) = hosts
    named = [("grpc.default_authority", name)] if name else []
    return grpc.secure_channel(target, tls.of_client(), options=[*options, *named])


def with_port(address: str) -> str:
    """An address with its port. Raises TrunklineError: it is none."""
    host, colon, port = address.rpartition(":")
    if not colon or (":" in host and not host.startswith("[")) or address.endswith("]"):
        host, port = address.strip("[]"), str(DEFAULT_PORT)
    host = host.strip("[]")
    with contextlib.suppress(ValueError):
        if ":" in host:
            ipaddress.IPv6Address(host)
        if host and port.isascii() and port.isdigit() and 0 < int(port) < 65536:
            return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    raise TrunklineError(f"{address!r} is no address such as localhost:{DEFAULT_PORT}")


def _target(addresses: Sequence[str]) -> str:
    """What gRPC connects to: one name, which it looks up itself, or a list of numeric addresses."""
    if not addresses:
        raise TrunklineError("give the address of a server")
    if len(addresses) == 1:
        return f"dns:///{addresses[0]}"
    found: dict[socket.AddressFamily, list[str]] = {socket.AF_INET: [], socket.AF_INET6: []}
    for address in addresses:
        host, _, port = address.rpartition(":")
        try:
            entries = socket.getaddrinfo(host.strip("[]"), int(port), type=socket.SOCK_STREAM)
        except OSError as e:
            raise TrunklineError(f"{address}: {e.strerror or e}") from None
        family, *_, place = min(entries, key=lambda e: e[0] != socket.AF_INET)
        found[family].append(f"{place[0]}:{port}" if family == socket.AF_INET else f"[{place[0]}]:{port}")
    if all(found.values()):
        raise TrunklineError("addresses of servers must be all IPv4 or all IPv6")
    return (
        f"ipv4:{','.join(found[socket.AF_INET])}"
        if found[socket.AF_INET]
        else f"ipv6:{','.join(found[socket.AF_INET6])}"
    )
