"""The client: answers and errors as in the process, several servers, and none of the requests lost with one of them."""

import itertools
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.solver.service import fakes
from tests.solver.service.fakes import board, processes, served
from tests.waiting import HANG, until
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
    seen: list[Any] = []
    solution = client.solve(board("improve 4"), on_improvement=seen.append)
    assert [s.total for s in seen] == [10, 20, 30, 40]
    assert (solution.total, solution.optimal) == (50, True)
    assert [s.total for s in client.solve_stream(board("improve 4"))] == [10, 20, 30, 40, 50]


def test_a_deadline_gives_the_best_found_so_far(client):
    solution = client.solve(board("limit 30"), deadline=100)
    assert 0 < solution.statistics.search_seconds <= 100
    assert (solution.total, solution.optimal) == (30, False)


@pytest.mark.parametrize("improved", [None, lambda _: None])
def test_a_search_can_be_stopped(client, gate, improved):
    with pytest.raises(Cancelled):
        client.solve(board(f"wait {gate}"), on_improvement=improved, cancelled=lambda: bool(gate.begun()))
    until(gate.cancelled)


def test_routes_are_evaluated(client):
    assert client.evaluate(board("earn 1"), [DrawnRoute(0, ("A1", "A3"))]).total == 10


def test_a_batch_is_answered_in_order_with_errors_in_their_place(client):
    answers = list(client.solve_batch([board("earn 10"), board("fail"), board("earn 20")]))
    assert answers[0].total == 10
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
    assert "18India" in client.titles()
    assert client.describe("18India")["displayName"] == "18 India"
    with pytest.raises(ServiceError, match="unknown title '18Mars'"):
        client.describe("18Mars")


def test_faults_of_a_position_come_back_as_the_solver_names_them(client):
    position = board("earn 1")
    object.__setattr__(position, "company", "")  # what a position of another version of the title might be
    with pytest.raises(PositionError) as e:
        client.solve(position)
    assert [v.field for v in e.value.faults] == ["company"]


def test_a_full_queue_is_a_service_error(gate):
    with served(workers=1, max_queue=0) as server, Client(f"127.0.0.1:{server.port}") as client:
        running: Any = client.solve_stream(board(f"wait {gate}"))
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
        assert client.health(timeout=HANG) == {"127.0.0.1:1": "UNAVAILABLE"}


def test_health_of_a_warm_server_is_serving(client, address):
    assert client.health(timeout=HANG) == {address: "SERVING"}


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


def test_single_requests_of_a_killed_server_are_answered_by_the_others(three, gate):
    with Client([address for _, address in three]) as client, ThreadPoolExecutor(6) as threads:
        answers = [threads.submit(client.solve, board(f"wait {gate}")) for _ in range(40)]
        until(gate.begun)
        three[int(gate.begun()[0])][0].kill()
        gate.open()
        assert [a.result().optimal for a in answers] == [True] * 40


class Begun:
    """A batch whose first part is answered, and of whose rest a server is searching, held by a gate."""

    def __init__(self, client, first, rest, gate):
        go_on = threading.Event()

        def positions():
            yield from map(board, first)
            go_on.wait(HANG)
            yield from map(board, rest)

        answers = client.solve_batch(positions())
        self.totals = [next(answers).total for _ in first]
        self._answers = answers
        go_on.set()
        until(gate.begun)
        self.server = int(gate.begun()[0])

    def end(self):
        """The totals of all answers."""
        return [*self.totals, *(a.total for a in self._answers)]


def test_a_batch_loses_nothing_when_a_server_is_killed(three, gate):
    first, rest = [f"earn {i}" for i in range(100)], [f"earn {i}" if i % 10 else f"wait {gate}" for i in range(400)]
    with Client([address for _, address in three]) as client:
        batch = Begun(client, first, rest, gate)
        three[batch.server][0].kill()
        gate.open()
        assert batch.end() == [*range(100), *(i if i % 10 else 20 for i in range(400))]


def test_a_batch_loses_nothing_when_a_server_is_stopped(three, gate):
    with Client([address for _, address in three]) as client:
        batch = Begun(client, [f"earn {i}" for i in range(20)], [f"wait {gate}"] * 180, gate)
        server, address = three[batch.server]
        server.terminate()
        until(lambda: client.health(timeout=HANG)[address] != "SERVING")
        gate.open()
        assert batch.end() == [*range(20), *[20] * 180]
        assert server.wait(HANG) == 0


def test_a_stream_begins_anew_when_its_server_is_killed(three, gate):
    with Client([address for _, address in three]) as client:
        stream = client.solve_stream(board(f"wait {gate}"))
        first = next(stream)
        [name] = first.claims
        three[int(name)][0].kill()
        gate.open()
        rest = list(stream)
    totals = [s.total for s in [first, *rest]]
    assert totals == sorted(totals)
    assert rest[-1].optimal
    assert rest[-1].claims != first.claims
