"""A batch over several streams: positions go to the server that has room, answers keep their order."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any

import grpc

from trunkline.solver.board import Position, Solution
from trunkline.solver.errors import TrunklineError
from trunkline.solver.service.channel import ELSEWHERE, TRIES, error_of_call
from trunkline.solver.wire.positions import position_to_proto
from trunkline.solver.wire.solutions import solution_from_proto
from trunkline.solver.wire.status import ServiceError, read_error
from trunkline.v1 import solver_service_pb2 as pb


class Batch:
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
            request = pb.BatchSolveRequest(position=position_to_proto(position))
            set_time_limit(request, self._deadline)
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
                yield solution_from_proto(response.solution)
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

    def __init__(self, batch: Batch) -> None:
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
                if e.code() not in ELSEWHERE or tries == TRIES - 1:
                    raise error_of_call(e) from None
                time.sleep(0.1 * 2**tries)
                self.start()
        raise AssertionError("the last try returns or raises")


def set_time_limit(request: Any, deadline: float | None) -> None:
    """Write a deadline in seconds into a request; None: no limit. Raises TrunklineError: it is none."""
    if deadline is not None:
        if not 0 <= deadline < 1e9:
            raise TrunklineError(f"a deadline of {deadline} seconds; give 0 or more")
        nanos = round(deadline * 1e9)
        request.time_limit.seconds, request.time_limit.nanos = divmod(nanos, 10**9)
