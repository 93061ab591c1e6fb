"""The service: answers, errors with their place, limits, deadlines, cancellation, health, reflection, draining.

A fake engine that does what the company of the position says stands in for the search, see fakes.py.
"""

import asyncio
import pkgutil
import random
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from math import inf
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration
from google.rpc import error_details_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from grpc_status import rpc_status

from tests.positions import recorded
from tests.solver.service import fakes
from tests.solver.service.fakes import BROKEN, Gate, board, process, served, taken
from tests.waiting import HANG, until
from trunkline import solver
from trunkline.solver import title_ids, wire
from trunkline.solver.errors import TrunklineError
from trunkline.solver.service.client import Client, ServiceError
from trunkline.solver.service.pool import _Job
from trunkline.solver.service.server import SERVICE, Server, Settings, within
from trunkline.solver.service.worker import HEAD, JOB, SOLVE, Engine
from trunkline.v1 import position_pb2
from trunkline.v1 import solver_service_pb2 as pb
from trunkline.v1.solver_service_pb2_grpc import SolverServiceStub


def test_workers_run_the_installed_solver():
    """Named by its full name: ``solver`` alone exists only where the checkout is the working directory."""
    engine = Engine()
    assert pkgutil.resolve_name(engine.solve) is solver.solve
    assert pkgutil.resolve_name(engine.evaluate) is solver.evaluate
    assert pkgutil.resolve_name(engine.warm_up) is solver.warm_up


@pytest.fixture(scope="module")
def server():
    with served(max_queue=4) as server:
        yield server


@pytest.fixture(scope="module")
def address(server):
    return f"127.0.0.1:{server.port}"


@pytest.fixture
def channel(address):
    with grpc.insecure_channel(address) as channel:
        yield channel


@pytest.fixture
def stub(channel):
    return SolverServiceStub(channel)


def position(company):
    return wire.position_to_proto(board(company))


def health_stub(channel) -> Any:
    return health_pb2_grpc.HealthStub(channel)  # its types do not know the calls


def reflection_stub(channel) -> Any:
    return reflection_pb2_grpc.ServerReflectionStub(channel)


def solve(stub, company, limit=None, **options):
    request = pb.SolveRequest(position=position(company))
    if limit is not None:
        request.time_limit.FromMilliseconds(round(limit * 1000))
    return stub.Solve(request, **options).solution


def failure(call, *arguments, **options):
    with pytest.raises(grpc.RpcError) as e:
        call(*arguments, **options)
    return e.value


# --- answers ---


def test_solve_answers(stub):
    solution = solve(stub, "earn 50")
    assert (solution.total, solution.optimal, solution.routes[0].stops[1].hex) == (50, True, "A3")


def test_the_stream_sends_improvements_and_ends_with_the_answer(stub):
    responses = list(stub.SolveStream(pb.SolveStreamRequest(position=position("improve 4"))))
    assert [r.solution.total for r in responses] == [10, 20, 30, 40, 50]
    assert [r.final for r in responses] == [False] * 4 + [True]
    assert responses[-1].solution.optimal


def test_evaluate_passes_the_drawn_routes_on(stub):
    request = pb.EvaluateRequest(position=position("earn 1"), routes=[{"train": 0, "waypoints": ["A1", "D23 city 1"]}])
    evaluation = stub.Evaluate(request).evaluation
    assert evaluation.total == 10
    assert evaluation.notes == ["('A1', StopId(hex='D23', kind='city', number=1))"]


def test_a_batch_answers_in_order_with_errors_of_single_positions(stub, gate):
    """The first one ends last: one worker is at it until the other has come to the end of the batch."""
    companies = [f"wait {gate}", "earn 10", "", "earn 20", "fail", "earn 30", f"wait {gate}"]
    requests = [pb.BatchSolveRequest(position=position(c) if c else position_pb2.Position()) for c in companies]
    call = stub.BatchSolve(iter(requests))
    until(lambda: len(gate.begun()) == 2)
    gate.open()
    answers = list(call)
    assert [a.index for a in answers] == list(range(7))
    assert [a.solution.total for a in answers if a.HasField("solution")] == [20, 10, 20, 30, 20]
    assert (answers[2].error.code, answers[2].error.faults[0].field) == (
        grpc.StatusCode.INVALID_ARGUMENT.value[0],
        "company",
    )
    assert answers[4].error.code == grpc.StatusCode.INTERNAL.value[0]


def test_a_batch_keeps_both_workers_busy(stub, gate):
    call = stub.BatchSolve(pb.BatchSolveRequest(position=position(f"wait {gate}")) for _ in range(6))
    until(lambda: len(gate.begun()) == 2)
    gate.open()
    assert len(list(call)) == 6


def test_a_batch_that_is_longer_than_the_window_is_answered_whole(stub):
    requests = (pb.BatchSolveRequest(position=position(f"earn {i}")) for i in range(300))
    assert [a.solution.total for a in stub.BatchSolve(requests)] == list(range(300))


def test_a_single_position_goes_before_the_rest_of_a_batch(server, stub, gate, tmp_path):
    rest = Gate(tmp_path / "rest")
    companies = [f"wait {gate}"] * 2 + [f"wait {rest}"] * 18
    call = stub.BatchSolve(pb.BatchSolveRequest(position=position(c)) for c in companies)
    until(lambda: len(gate.begun()) == 2 and len(server._pool._batch) == 18)
    single = stub.Solve.future(pb.SolveRequest(position=position("earn 10")))
    until(lambda: server._pool._single)
    gate.open()
    assert single.result(HANG).solution.total == 10
    assert not rest.is_open()
    call.cancel()
    until(lambda: not server._pool._batch)


def test_titles_are_listed_in_pages_and_described(stub):
    listed, token = [], ""
    while True:
        page = stub.ListTitles(pb.ListTitlesRequest(page_size=3, page_token=token))
        assert len(page.titles) <= 3
        listed += [(t.name, t.title_id) for t in page.titles]
        token = page.next_page_token
        if not token:
            break
    assert listed == [(f"titles/{id_}", id_) for id_ in title_ids()]
    title = stub.GetTitle(pb.GetTitleRequest(name="titles/18India")).title
    assert (len(title.hexes), len(title.tiles), len(title.companies), len(title.trains)) == (183, 50, 18, 10)
    assert next(h for h in title.hexes if h.hex == "K40").plus == 20
    assert next(c for c in title.cards if c.card == "4x3").HasField("buy_back") is False


@pytest.mark.parametrize("name", ["", "18India", "titles/", "titles/18Mars"])
def test_an_unknown_title_is_not_found(stub, name):
    error = failure(stub.GetTitle, pb.GetTitleRequest(name=name))
    assert error.code() == grpc.StatusCode.NOT_FOUND
    assert "18India" in error.details()


@pytest.mark.parametrize("page", [{"page_size": -1}, {"page_token": "18Mars"}])
def test_a_wrong_page_is_an_invalid_argument(stub, page):
    assert failure(stub.ListTitles, pb.ListTitlesRequest(**page)).code() == grpc.StatusCode.INVALID_ARGUMENT


# --- errors ---


def test_each_fault_of_a_position_is_a_field_violation(stub):
    message = position("earn 1")
    message.company = ""
    message.tiles.add(hex="nowhere")
    error = failure(stub.Solve, pb.SolveRequest(position=message))
    assert error.code() == grpc.StatusCode.INVALID_ARGUMENT
    details = error_details_pb2.BadRequest()
    rpc_status.from_call(error).details[0].Unpack(details)
    assert [v.field for v in details.field_violations] == ["position.tiles[1].hex", "position.company"]
    assert "nowhere" in details.field_violations[0].description


def test_ten_thousand_faults_fit_the_header_of_an_answer(stub):
    message = position("earn 1")
    for _ in range(1000):
        message.tiles.add(hex="x" * 500)
    error = failure(stub.Solve, pb.SolveRequest(position=message))
    assert error.code() == grpc.StatusCode.INVALID_ARGUMENT
    assert "988 more faults" in str(rpc_status.from_call(error).details[0])


@pytest.mark.parametrize("method", ["Solve", "SolveStream", "Evaluate", "BatchSolve", "ListTitles", "GetTitle"])
def test_random_bytes_are_an_invalid_argument(channel, method):
    path = f"/{SERVICE}/{method}"
    if method == "BatchSolve":
        [answer] = channel.stream_stream(path)(iter([b"\xff\xff"]))
        error = pb.BatchSolveResponse.FromString(answer).error
        assert error.code == grpc.StatusCode.INVALID_ARGUMENT.value[0]
        return
    call = channel.unary_stream(path) if method == "SolveStream" else channel.unary_unary(path)
    error = failure(lambda: list(call(b"\xff\xff")))
    assert error.code() == grpc.StatusCode.INVALID_ARGUMENT
    assert "the 2 bytes are no trunkline.v1." in error.details()


def test_a_message_of_100_megabytes_is_refused(channel, stub):
    call = channel.unary_unary(f"/{SERVICE}/Solve")
    assert failure(call, bytes(100_000_000)).code() == grpc.StatusCode.RESOURCE_EXHAUSTED
    assert solve(stub, "earn 50").total == 50


def test_a_negative_time_limit_is_refused(stub):
    error = failure(stub.Solve, pb.SolveRequest(position=position("earn 1"), time_limit=Duration(seconds=-1)))
    assert error.code() == grpc.StatusCode.INVALID_ARGUMENT
    assert error.details().startswith("time_limit")


def test_an_error_nobody_thought_of_is_internal_and_tells_no_more(stub):
    error = failure(solve, stub, "fail")
    assert error.code() == grpc.StatusCode.INTERNAL
    assert "nobody thought" not in error.details()
    assert solve(stub, "earn 50").total == 50


def test_a_position_whose_worker_dies_is_given_to_another(stub, tmp_path):
    assert solve(stub, f"die once {tmp_path / 'died'}").total == 10


def test_a_position_that_kills_every_worker_is_given_up_and_the_workers_come_back(stub):
    assert failure(solve, stub, "die").code() == grpc.StatusCode.UNAVAILABLE
    assert solve(stub, "earn 50", timeout=HANG).total == 50


# --- limits, deadlines, cancellation ---


def test_a_full_queue_refuses_more(gate):
    with (
        served(max_queue=4) as server,
        grpc.insecure_channel(f"127.0.0.1:{server.port}") as channel,
        ThreadPoolExecutor(20) as threads,
    ):
        calls = [threads.submit(solve, SolverServiceStub(channel), f"wait {gate}") for _ in range(12)]
        until(lambda: sum(c.done() for c in calls) == 12 - 2 - 4)
        gate.open()
        errors: list[Any] = [c.exception() for c in calls]
    refused = [e for e in errors if e is not None]
    assert {e.code() for e in refused} == {grpc.StatusCode.RESOURCE_EXHAUSTED}
    assert len(refused) == 12 - 2 - 4


@pytest.mark.parametrize(("left", "given"), [(10, 9.95), (0.2, 0.15), (0.1, 0.075), (0, 0), (-1, 0), (inf, inf)])
def test_a_part_of_a_deadline_is_kept_for_the_way_back(left, given):
    now = 1000.0
    job: Any = _Job
    frame = job(SOLVE, b"request", now + left, 7, None, None).frame(now)
    seconds, index = JOB.unpack_from(frame, HEAD.size)
    assert (seconds, index) == (pytest.approx(given), 7)


def test_the_deadline_of_a_call_is_the_one_of_the_search_which_gives_the_best_found_so_far(stub):
    solution = solve(stub, "limit 30", timeout=HANG)
    assert 0 < solution.statistics.search_seconds <= HANG - 0.05
    assert (solution.total, solution.upper_bound, solution.optimal) == (30, 1000, False)


def test_a_time_limit_gives_the_best_found_so_far(stub):
    solution = solve(stub, "limit 30", limit=100)
    assert 0 < solution.statistics.search_seconds <= 100
    assert (solution.total, solution.upper_bound, solution.optimal) == (30, 1000, False)


def test_a_time_limit_in_which_nothing_is_found_gives_the_bound(stub):
    solution = solve(stub, "limit 0", limit=100)
    assert (solution.total, solution.upper_bound, solution.optimal) == (0, 1000, False)


def test_a_deadline_in_which_nothing_is_found_is_exceeded(stub, gate):
    # The deadline of the call has to come before the limit of the server's searches, or that limit gives an answer.
    error = failure(solve, stub, "limit 0", timeout=Settings().max_search_seconds / 2)
    assert error.code() == grpc.StatusCode.DEADLINE_EXCEEDED
    assert "before any route was found; at most 1000" in error.details()
    assert failure(solve, stub, f"stuck {gate}", timeout=0.2).code() == grpc.StatusCode.DEADLINE_EXCEEDED


def test_a_batch_has_a_time_limit_for_each_position(stub):
    requests = [pb.BatchSolveRequest(position=position("limit 10"), time_limit=Duration(seconds=100)) for _ in range(3)]
    solutions = [a.solution for a in stub.BatchSolve(iter(requests))]
    assert [s.optimal for s in solutions] == [False] * 3
    assert all(0 < s.statistics.search_seconds <= 100 for s in solutions)


def test_cancelling_a_call_stops_the_search(stub, gate):
    """How soon: ``python -m benchmarks``."""
    call = stub.Solve.future(pb.SolveRequest(position=position(f"wait {gate}")))
    until(gate.begun)
    call.cancel()
    until(gate.cancelled)


def test_cancelling_a_call_stops_the_evaluation(stub, gate):
    call = stub.Evaluate.future(pb.EvaluateRequest(position=position(f"ponder {gate}")))
    until(gate.begun)
    call.cancel()
    until(gate.cancelled)


def test_cancelling_a_stream_stops_the_search(stub, gate):
    call = stub.SolveStream(pb.SolveStreamRequest(position=position(f"wait {gate}")))
    next(call)
    call.cancel()
    until(gate.cancelled)


def test_cancelling_a_batch_stops_its_searches_and_frees_the_workers(stub, gate):
    request = pb.BatchSolveRequest(position=position(f"wait {gate}"))
    call = stub.BatchSolve(request for _ in range(100))
    until(lambda: len(gate.begun()) == 2)
    call.cancel()
    until(lambda: len(gate.cancelled()) == 2)
    assert solve(stub, "earn 50", timeout=HANG).total == 50
    until(lambda: len(gate.cancelled()) == len(gate.begun()))


def test_a_call_that_is_cancelled_as_its_answer_is_taken_is_not_forgotten():
    async def taken_and_cancelled():
        answer = asyncio.get_running_loop().create_future()
        sending = asyncio.create_task(within(HANG, answer))
        await asyncio.sleep(0)
        answer.set_result(None)
        sending.cancel()
        with pytest.raises(asyncio.CancelledError):
            await sending

    asyncio.run(taken_and_cancelled())


def test_a_worker_that_does_not_let_go_of_a_cancelled_call_is_replaced(monkeypatch, gate):
    monkeypatch.setattr("trunkline.solver.service.pool.PATIENCE", 0.2)
    with served(workers=1) as server, grpc.insecure_channel(f"127.0.0.1:{server.port}") as channel:
        stub = SolverServiceStub(channel)
        call = stub.Solve.future(pb.SolveRequest(position=position(f"hang {gate}")))
        until(gate.begun)
        call.cancel()
        assert solve(stub, "earn 50", timeout=HANG).total == 50


def test_no_search_takes_longer_than_the_server_allows():
    with (
        served(workers=1, max_search_seconds=100) as server,
        grpc.insecure_channel(f"127.0.0.1:{server.port}") as channel,
    ):
        solution = solve(SolverServiceStub(channel), "limit 0", timeout=HANG)
        assert (solution.total, solution.upper_bound, solution.optimal) == (0, 1000, False)
        assert 0 < solution.statistics.search_seconds <= 100


def test_a_call_that_is_cancelled_while_it_waits_is_never_begun(server, stub, gate, tmp_path):
    never = Gate(tmp_path / "never")
    busy = [stub.Solve.future(pb.SolveRequest(position=position(f"wait {gate}"))) for _ in range(2)]
    until(lambda: len(gate.begun()) == 2)
    waiting = [stub.Solve.future(pb.SolveRequest(position=position(f"wait {never}"))) for _ in range(4)]
    until(lambda: len(server._pool._single) == 4)
    for call in waiting:
        call.cancel()
    until(lambda: not server._pool._single)
    gate.open()
    assert [call.result().solution.optimal for call in busy] == [True, True]
    assert solve(stub, "earn 50", timeout=HANG).total == 50
    assert never.begun() == []


def test_recorded_positions_are_answered_as_in_the_process():
    with served(Engine(), workers=1) as server, Client(f"127.0.0.1:{server.port}") as client:
        for record in recorded("18India")[::10]:
            here, there = solver.solve(record.position), client.solve(record.position)
            assert replace(there, statistics=here.statistics) == here


# --- health, reflection, start and end ---


def test_health_is_serving_when_warm(channel):
    health = health_stub(channel)
    for service in ("", SERVICE):
        reply = health.Check(health_pb2.HealthCheckRequest(service=service))
        assert reply.status == health_pb2.HealthCheckResponse.SERVING


def test_reflection_knows_the_service(channel):
    requests = [
        reflection_pb2.ServerReflectionRequest(list_services=""),
        reflection_pb2.ServerReflectionRequest(file_containing_symbol=SERVICE),
    ]
    listed, file = reflection_stub(channel).ServerReflectionInfo(iter(requests))
    assert SERVICE in {s.name for s in listed.list_services_response.service}
    assert file.file_descriptor_response.file_descriptor_proto


def test_every_method_of_the_contract_is_served(address):
    methods = set(pb.DESCRIPTOR.services_by_name["SolverService"].methods_by_name)
    assert set(Server()._handlers()) == methods


def test_other_services_can_be_added():
    seen = []

    def add(server):
        seen.append(server)
        return ["other.Service"]

    with served(additions=[add], workers=1) as server, grpc.insecure_channel(f"127.0.0.1:{server.port}") as channel:
        request = health_pb2.HealthCheckRequest(service="other.Service")
        assert health_stub(channel).Check(request).status == health_pb2.HealthCheckResponse.SERVING
    assert len(seen) == 1


def test_a_port_that_is_taken_is_named(address):
    with pytest.raises(TrunklineError, match=address), served(port=int(address.rpartition(":")[2])):
        pass


def test_a_worker_that_cannot_start_says_why():
    with pytest.raises(TrunklineError, match="RuntimeError: the kernels do not compile"), served(BROKEN, workers=1):
        pass


def refuses(address):
    """Whether a server takes no new call, of a client that comes now; one that comes as it closes may hear nothing."""
    with grpc.insecure_channel(address) as late:
        try:
            SolverServiceStub(late).ListTitles(pb.ListTitlesRequest(), timeout=2)
        except grpc.RpcError as e:
            return e.code() == grpc.StatusCode.UNAVAILABLE
    return False


def test_sigterm_lets_running_and_waiting_requests_end_and_refuses_new_ones(gate):
    with process() as (server, address), grpc.insecure_channel(address) as channel:
        stub, health = SolverServiceStub(channel), health_stub(channel)
        watch = health.Watch(health_pb2.HealthCheckRequest())
        assert next(watch).status == health_pb2.HealthCheckResponse.SERVING
        running = [stub.Solve.future(pb.SolveRequest(position=position(f"wait {gate}"))) for _ in range(4)]
        stream = stub.SolveStream(pb.SolveStreamRequest(position=position(f"wait {gate}")))
        taken(server, 5)
        server.send_signal(signal.SIGTERM)
        assert next(watch).status == health_pb2.HealthCheckResponse.NOT_SERVING
        until(lambda: refuses(address))
        with grpc.insecure_channel(address) as late:
            assert failure(solve, SolverServiceStub(late), "earn 1").code() == grpc.StatusCode.UNAVAILABLE
        gate.open()
        assert [c.result().solution.optimal for c in running] == [True] * 4
        assert list(stream)[-1].final
        assert server.wait(HANG) == 0


def test_sigterm_answers_what_a_batch_has_sent_and_refuses_the_rest(gate):
    go_on = threading.Event()

    def requests():
        for _ in range(3):
            yield pb.BatchSolveRequest(position=position(f"wait {gate}"))
        go_on.wait(HANG)

    with process() as (server, address), grpc.insecure_channel(address) as channel:
        call = SolverServiceStub(channel).BatchSolve(requests())
        try:
            taken(server, 3)
            server.send_signal(signal.SIGTERM)
            until(lambda: refuses(address))
            gate.open()
            assert [next(call).index for _ in range(3)] == [0, 1, 2]
            assert failure(next, call).code() == grpc.StatusCode.UNAVAILABLE
        finally:
            go_on.set()
        assert server.wait(HANG) == 0


def test_a_batch_that_comes_while_the_server_begins_to_stop_is_refused_at_once():
    with served(workers=1) as server, grpc.insecure_channel(f"127.0.0.1:{server.port}") as channel:
        server._draining = True
        call = SolverServiceStub(channel).BatchSolve(iter([pb.BatchSolveRequest(position=position("earn 1"))]))
        error = failure(next, call)
        assert (error.code(), error.details()) == (
            grpc.StatusCode.UNAVAILABLE,
            "the server is stopping; send the rest to another one",
        )


@pytest.mark.parametrize("how", ["grace", "second signal"])
def test_a_request_that_does_not_end_is_given_up(how, gate):
    drain = ["0.5"] if how == "grace" else []
    with process(*drain) as (server, address), grpc.insecure_channel(address) as channel:
        call = SolverServiceStub(channel).Solve.future(pb.SolveRequest(position=position(f"wait {gate}")))
        taken(server, 1)
        server.send_signal(signal.SIGTERM)
        if how == "second signal":
            until(lambda: refuses(address))
            server.send_signal(signal.SIGINT)
        assert server.wait(HANG) == 0
        assert call.exception().code() in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED)
        assert not gate.is_open()


def test_a_server_that_is_stopped_again_while_it_stops_does_not_crash(gate):
    """As on a second signal. A crash would take this process with it, so it is another one."""
    code = "import asyncio, sys; from tests.solver.service.test_server import stop_again_and_again as f; "
    code += "asyncio.run(f(20, sys.argv[1]))"
    command = [sys.executable, "-c", code, str(gate)]
    subprocess.run(command, cwd=Path(__file__).parents[3], check=True, timeout=HANG)


def more_begun(gate, number):
    return len(gate.begun()) > number


async def stop_again_and_again(rounds, folder):
    source, gate = random.Random(1), Gate(Path(folder))
    for begun in range(rounds):
        server = Server(Settings(port=0, workers=1), fakes.ENGINE)
        await server.start()
        with grpc.insecure_channel(f"127.0.0.1:{server.port}") as channel:
            watch = health_stub(channel).Watch(health_pb2.HealthCheckRequest())
            call = SolverServiceStub(channel).Solve.future(pb.SolveRequest(position=position(f"wait {gate}")))
            await asyncio.to_thread(until, partial(more_begun, gate, begun))
            await asyncio.gather(*(server.stop(source.choice([0, 0.0001])) for _ in range(3)))
            assert call.exception().code() in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED)
            watch.cancel()


def test_a_request_that_needs_too_much_memory_ends_with_itself():
    with served(workers=1, max_worker_bytes=1 << 30) as server, Client(f"127.0.0.1:{server.port}") as client:
        with pytest.raises(ServiceError) as refused:
            client.solve(board(f"eat {1 << 40}"))
        assert refused.value.code == "RESOURCE_EXHAUSTED"
        assert client.solve(board("earn 10")).total == 10


def test_a_time_limit_holds_for_what_does_not_look_at_the_clock(gate):
    """Reading and checking a position are within the limit as well, and the worker is free again."""
    with served(workers=1) as server, Client(f"127.0.0.1:{server.port}") as client:
        with pytest.raises(ServiceError) as late:
            client.solve(board(f"hang {gate}"), deadline=0.1)
        assert late.value.code == "DEADLINE_EXCEEDED"
        assert client.solve(board("earn 10")).total == 10


def test_the_limit_of_the_server_holds_for_what_does_not_look_at_the_clock(gate):
    with served(workers=1, max_search_seconds=2) as server, Client(f"127.0.0.1:{server.port}") as client:
        with pytest.raises(ServiceError) as late:
            client.solve(board(f"hang {gate}"))
        assert late.value.code == "DEADLINE_EXCEEDED"
        assert client.solve(board("earn 10")).total == 10
