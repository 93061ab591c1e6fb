"""A client of one or several solver servers: the solver's functions, answered elsewhere.

    with Client(["10.0.0.1:50051", "10.0.0.2:50051"]) as client:
        print(client.solve(position))

Calls go to the servers in turn. A call whose server is gone is repeated at another one (a solver keeps no state, so
that is safe); so is the unanswered rest of a stream or a batch. Errors are those of the solver: PositionError with its
faults, and ServiceError where a server cannot answer.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from trunkline.solver.board import DrawnRoute, Evaluation, Position, Solution
from trunkline.solver.errors import Cancelled, TrunklineError
from trunkline.solver.service.batch_call import Batch, set_time_limit
from trunkline.solver.service.channel import ELSEWHERE, TRIES, Closing, connect, error_of_call, with_port
from trunkline.solver.service.tls import Tls
from trunkline.solver.wire.json_form import to_dict
from trunkline.solver.wire.positions import position_to_proto
from trunkline.solver.wire.solutions import drawn_to_proto, evaluation_from_proto, solution_from_proto
from trunkline.solver.wire.status import ServiceError
from trunkline.v1 import solver_service_pb2 as pb
from trunkline.v1 import solver_service_pb2_grpc

__all__ = ["Client", "ServiceError", "Tls"]

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
                    "retryableStatusCodes": ["UNAVAILABLE", "RESOURCE_EXHAUSTED"],
                },
            }
        ],
    }
)


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
        request = pb.SolveRequest(position=position_to_proto(position))
        set_time_limit(request, deadline)
        response = self._call(self._stub.Solve, request, self._timeout_of(deadline), cancelled)
        return solution_from_proto(response.solution)

    def solve_stream(self, position: Position, *, deadline: float | None = None) -> Iterator[Solution]:
        """Each improvement, then the answer."""
        for solution, _ in self._improvements(position, deadline, None):
            yield solution

    def evaluate(
        self, position: Position, drawn: Sequence[DrawnRoute], *, cancelled: Callable[[], bool] | None = None
    ) -> Evaluation:
        """What drawn routes earn, as :func:`solver.evaluate`. Raises PositionError, ServiceError, Cancelled."""
        request = pb.EvaluateRequest(position=position_to_proto(position), routes=drawn_to_proto(drawn))
        response = self._call(self._stub.Evaluate, request, self._timeout, cancelled)
        return evaluation_from_proto(response.evaluation)

    def solve_batch(
        self, positions: Iterable[Position], *, deadline: float | None = None
    ) -> Iterator[Solution | TrunklineError]:
        """The best routes of many positions, in their order, worked on by all servers; an error where there are none.

        ``deadline``: seconds for each position. Positions are taken as they are needed. Raises ServiceError: no server
        is left; and what ``positions`` raises.
        """
        batch = Batch(self._stub, positions, deadline, len(self.addresses))
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
        return to_dict(response.title, False)

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
            raise error_of_call(e) from None

    def _improvements(
        self, position: Position, deadline: float | None, cancelled: Callable[[], bool] | None
    ) -> Iterator[tuple[Solution, bool]]:
        """Improvements and the final answer; begins anew at another server if one is lost, never going back."""
        request = pb.SolveStreamRequest(position=position_to_proto(position))
        start, best = time.monotonic(), -1
        for tries in range(TRIES):
            left = None if deadline is None else max(0.0, deadline - (time.monotonic() - start))
            set_time_limit(request, left)
            call = self._stub.SolveStream(request, timeout=self._timeout_of(left))
            try:
                with _Watch(call, cancelled):
                    for response in call:
                        if response.final or response.solution.total > best:
                            best = response.solution.total
                            yield solution_from_proto(response.solution), response.final
                return
            except grpc.RpcError as e:
                if cancelled is not None and e.code() == grpc.StatusCode.CANCELLED:
                    raise Cancelled("the search was stopped") from None
                if e.code() not in ELSEWHERE or tries == TRIES - 1:
                    raise error_of_call(e) from None
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


def _health(address: str, timeout: float, tls: Tls | None) -> str:
    with connect([address], tls, []) as channel:
        try:
            stub: Any = health_pb2_grpc.HealthStub(channel)
            reply = stub.Check(health_pb2.HealthCheckRequest(), timeout=timeout)
        except grpc.RpcError:
            return "UNAVAILABLE"
    return str(health_pb2.HealthCheckResponse.ServingStatus.Name(reply.status))
