"""Places: kinds of calls are counted apart, and one client never has more than half of them."""

import threading
from functools import partial
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from tests.solver.service.fakes import board, served, total
from tests.waiting import HANG, until
from trunkline.solver import wire
from trunkline.solver.service import server as serving
from trunkline.solver.service.client import Client
from trunkline.solver.service.places import NoPlace, Places, client_of
from trunkline.v1 import solver_service_pb2 as pb
from trunkline.v1.solver_service_pb2_grpc import SolverServiceStub


def request(company):
    return pb.BatchSolveRequest(position=wire.position_to_proto(board(company)))


def test_one_client_has_at_most_half_of_the_places():
    places = Places({"calls": 4})
    places.take("calls", "a")
    places.take("calls", "a")
    with pytest.raises(NoPlace, match="of this client"):
        places.take("calls", "a")
    places.take("calls", "b")
    places.take("calls", "b")
    with pytest.raises(NoPlace, match="4 calls"):
        places.take("calls", "c")
    places.leave("calls", "a")
    places.take("calls", "c")


def test_kinds_are_counted_apart_and_nothing_is_kept_of_who_left():
    places = Places({"calls": 1, "streams": 1})
    places.take("streams", "a")
    places.take("calls", "a")
    for kind in ("streams", "calls"):
        places.leave(kind, "a")
        assert places.open(kind) == 0
    assert not places._of_client


@pytest.mark.parametrize(
    ("peer", "client"),
    [("ipv4:10.0.0.7:50312", "ipv4:10.0.0.7"), ("ipv6:%5B::1%5D:7", "ipv6:%5B::1%5D"), ("unix:", "unix"), ("x", "x")],
)
def test_a_client_is_its_host_not_its_port(peer, client):
    assert client_of(peer) == client


def test_streams_that_wait_keep_out_neither_requests_nor_health(monkeypatch):
    monkeypatch.setattr(serving, "MAX_STREAMS", 4)
    with served() as server, grpc.insecure_channel(f"127.0.0.1:{server.port}") as channel:
        stub = SolverServiceStub(channel)
        streams = [stub.BatchSolve(endless(), timeout=HANG) for _ in range(2)]
        for stream in streams:
            assert next(stream).solution.total == 1
        with pytest.raises(grpc.RpcError, match="2 streams of this client") as refused:
            next(stub.BatchSolve(endless(), timeout=HANG))
        assert refused.value.code() == grpc.StatusCode.RESOURCE_EXHAUSTED
        position = wire.position_to_proto(board("earn 10"))
        assert stub.Solve(pb.SolveRequest(position=position), timeout=HANG).solution.total == 10
        checks: Any = health_pb2_grpc.HealthStub(channel)  # its types do not know the calls
        health = checks.Check(health_pb2.HealthCheckRequest(), timeout=HANG)
        assert health.status == health_pb2.HealthCheckResponse.SERVING
        for stream in streams:
            stream.cancel()


def endless():
    """One position, then nothing more, without end."""
    yield request("earn 1")
    threading.Event().wait(HANG)


def test_a_stream_that_sends_nothing_is_ended(monkeypatch):
    monkeypatch.setattr(serving, "IDLE_SECONDS", 0.05)
    with served() as server, grpc.insecure_channel(f"127.0.0.1:{server.port}") as channel:
        with pytest.raises(grpc.RpcError, match="no position came") as ended:
            list(SolverServiceStub(channel).BatchSolve(endless(), timeout=HANG))
        assert ended.value.code() == grpc.StatusCode.UNAVAILABLE


def test_a_batch_goes_on_at_a_new_stream_when_its_own_was_idle(monkeypatch):
    """Each position but the first comes when the stream before it has ended."""
    monkeypatch.setattr(serving, "IDLE_SECONDS", 0.5)
    with served() as server, Client(f"127.0.0.1:{server.port}") as client:
        read, ended = server._read_batch, []

        async def told(*arguments):
            try:
                await read(*arguments)
            finally:
                ended.append(True)

        def positions():
            for n in range(3):
                until(partial(has, ended, n))
                yield board(f"earn {n + 1}")

        monkeypatch.setattr(server, "_read_batch", told)
        assert [total(a) for a in client.solve_batch(positions())] == [1, 2, 3]


def has(things, number):
    return len(things) >= number


def test_a_batch_has_only_so_many_positions_in_the_server(monkeypatch):
    monkeypatch.setattr(serving, "WINDOW", 1)
    with served(workers=1, max_queue=1) as server, Client(f"127.0.0.1:{server.port}") as client:
        totals = [total(a) for a in client.solve_batch(board(f"earn {i}") for i in range(20))]
    assert totals == list(range(20))


def test_a_client_goes_to_another_server_when_one_is_full(gate):
    with served(workers=1, max_queue=0) as full, served() as free, Client(f"127.0.0.1:{full.port}") as one:
        running: Any = one.solve_stream(board(f"wait {gate}"))
        next(running)  # the only worker of this server searches
        with Client([f"127.0.0.1:{server.port}" for server in (full, free)]) as both:
            assert [both.solve(board(f"earn {i}")).total for i in range(8)] == list(range(8))
        running.close()
