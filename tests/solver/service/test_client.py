"""The client: answers and errors as in the process, several servers, and none of the requests lost with one of them."""

import itertools
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.solver.service import fakes
from tests.solver.service.fakes import board, processes, served, total
from trunkline.solver import Solution
from trunkline.solver.board import DrawnRoute
from trunkline.solver.errors import Cancelled, PositionError, TrunklineError
from trunkline.solver.service.channel import target_of, with_port
from trunkline.solver.service.client import Client, ServiceError


@pytest.fixture(scope="module")
def address():
    with served(max_queue=4) as server:
        yield f"127.0.0.1:{server.port}"


@pytest.fixture
def client(address):
    with Client(address) as client:
        yield client


@pytest.fixture
def three():
    """Three servers in processes of their own, to be killed."""
    with processes(3) as servers:
        yield servers


def test_a_solution_is_the_same_as_in_the_process(client):
    assert client.solve(board("earn 50")) == fakes.solve(board("earn 50"))


def test_improvements_are_reported_before_the_answer(client):
    seen: list[Solution] = []
    solution = client.solve(board("sleep 0.1"), on_improvement=seen.append)
    totals = [s.total for s in seen]
    assert len(totals) > 2
    assert totals == sorted(set(totals))
    assert solution.optimal
    assert [s.total for s in client.solve_stream(board("sleep 0.1"))][-1] == solution.total


def test_a_deadline_gives_the_best_found_so_far(client):
    start = time.monotonic()
    solution = client.solve(board("sleep 30"), deadline=0.2)
    assert time.monotonic() - start < 20
    assert not solution.optimal
    assert solution.total > 0


@pytest.mark.parametrize("improved", [None, lambda _: None])
def test_a_search_can_be_stopped(client, improved):
    stop = threading.Event()
    threading.Timer(0.1, stop.set).start()
    with pytest.raises(Cancelled):
        client.solve(board("sleep 30"), on_improvement=improved, cancelled=stop.is_set)


def test_routes_are_evaluated(client):
    assert client.evaluate(board("earn 1"), [DrawnRoute(0, ("A1", "A3"))]).total == 10


def test_a_batch_is_answered_in_order_with_errors_in_their_place(client):
    answers = list(client.solve_batch([board("sleep 0.1"), board("fail"), board("earn 20")]))
    assert isinstance(answers[1], ServiceError)
    assert answers[1].code == "INTERNAL"
    assert answers[2].total == 20


def test_a_batch_takes_positions_only_as_they_are_needed(client):
    answers = client.solve_batch(board(f"earn {i}") for i in itertools.count())
    assert [next(answers).total for _ in range(200)] == list(range(200))
    answers.close()


def test_a_mistake_in_the_positions_of_a_batch_is_the_callers(client):
    def positions():
        yield board("earn 10")
        raise KeyError("mine")

    answers = client.solve_batch(positions())
    assert next(answers).total == 10
    with pytest.raises(KeyError, match="mine"):
        next(answers)


def test_an_empty_batch_has_no_answers(client):
    assert list(client.solve_batch([])) == []


def test_the_title_is_described(client):
    assert client.titles() == ("18India",)
    assert client.describe("18India")["displayName"] == "18 India"
    with pytest.raises(ServiceError, match="unknown title '18Mars'"):
        client.describe("18Mars")


def test_faults_of_a_position_come_back_as_the_solver_names_them(client):
    position = board("earn 1")
    object.__setattr__(position, "company", "")  # what a position of another version of the title might be
    with pytest.raises(PositionError) as e:
        client.solve(position)
    assert [v.field for v in e.value.faults] == ["company"]


def test_a_full_queue_is_a_service_error():
    with served(workers=1, max_queue=0) as server, Client(f"127.0.0.1:{server.port}") as client:
        running: Any = client.solve_stream(board("sleep 60"))
        next(running)  # the only worker searches
        with pytest.raises(ServiceError) as full:
            client.solve(board("earn 1"))
        assert full.value.code == "RESOURCE_EXHAUSTED"
        running.close()


def test_a_server_out_of_reach_is_a_service_error():
    with Client("127.0.0.1:1") as client:
        with pytest.raises(ServiceError, match="UNAVAILABLE"):
            client.solve(board("earn 1"))
        with pytest.raises(ServiceError, match="UNAVAILABLE"):
            list(client.solve_batch([board("earn 1")]))
        assert client.health(timeout=0.5) == {"127.0.0.1:1": "UNAVAILABLE"}


def test_health_of_a_warm_server_is_serving(client, address):
    assert client.health() == {address: "SERVING"}


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ("localhost", "localhost:50051"),
        ("localhost:1", "localhost:1"),
        ("::1", "[::1]:50051"),
        ("[::1]", "[::1]:50051"),
        ("[::1]:7", "[::1]:7"),
    ],
)
def test_an_address_without_a_port_gets_the_usual_one(given, read):
    assert with_port(given) == read


@pytest.mark.parametrize("given", ["", ":1", "host:", "host:99999", "host:x", "host:²", "::::", "a:b:1"])
def test_an_address_that_is_none_is_named(given):
    with pytest.raises(TrunklineError, match="is no address"):
        Client(given)


def test_several_names_are_looked_up():
    assert target_of(["localhost:1", "127.0.0.1:2"]) == "ipv4:127.0.0.1:1,127.0.0.1:2"
    with pytest.raises(TrunklineError, match=r"no-such-host\.invalid"):
        target_of(["127.0.0.1:1", "no-such-host.invalid:2"])
    with pytest.raises(TrunklineError, match="give the address of a server"):
        Client([])


def test_single_requests_of_a_killed_server_are_answered_by_the_others(three):
    with Client([address for _, address in three]) as client, ThreadPoolExecutor(6) as threads:
        answers = [threads.submit(client.solve, board(f"sleep 0.{1 + i % 3}")) for i in range(40)]
        time.sleep(0.4)
        three[0][0].kill()
        assert [a.result().optimal for a in answers] == [True] * 40


def test_a_batch_loses_nothing_when_a_server_is_killed(three):
    with Client([address for _, address in three]) as client:
        answers = client.solve_batch(board(f"earn {i}") if i % 10 else board("sleep 0.05") for i in range(500))
        first = [next(answers) for _ in range(100)]
        three[1][0].kill()
        totals = [total(a) for a in [*first, *answers]]
    assert len(totals) == 500
    assert [t for i, t in enumerate(totals) if i % 10] == [i for i in range(500) if i % 10]


def test_a_batch_loses_nothing_when_a_server_is_stopped(three):
    with Client([address for _, address in three]) as client:
        answers = client.solve_batch(board("sleep 0.02") for _ in range(200))
        first = [next(answers) for _ in range(20)]
        three[2][0].terminate()
        assert all(isinstance(a, Solution) and a.optimal for a in [*first, *answers])
        assert three[2][0].wait(10) == 0


def test_a_stream_begins_anew_when_its_server_is_killed(three):
    with Client([address for _, address in three]) as client:
        stream = client.solve_stream(board("sleep 0.5"))
        first = next(stream)
        [name] = first.claims
        three[int(name)][0].kill()
        rest = list(stream)
    totals = [s.total for s in [first, *rest]]
    assert totals == sorted(totals)
    assert rest[-1].optimal
    assert rest[-1].claims != first.claims
