"""A stand-in for the engine in tests of the server: what it does is written in the company of a whole board.

``earn N``: an answer of N at once. ``improve N``: N improvements of 10 each, then the answer. ``limit N``: the answer
of a search whose deadline passes at once, N found so far (0: nothing); its statistics tell the deadline.
``wait DIR``: an improvement of 10, and then, when the gate at DIR is open, the answer, 20. ``stuck DIR``: the same
without an improvement. ``ponder DIR``: an evaluation that waits so. ``hang DIR`` never asks whether it is cancelled.
``die`` and ``die once FILE`` end the process; ``fail`` raises; ``eat N`` takes N bytes. A solution claims the name of
the server it comes from.

Nothing here takes a time of its own: a test opens the gate when what it wants to see has happened.
"""

import asyncio
import os
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.waiting import HANG
from trunkline.solver.board import (
    Board,
    Evaluation,
    LaidTile,
    Position,
    Route,
    Solution,
    Statistics,
    StopId,
    number_train,
)
from trunkline.solver.errors import Cancelled, TrunklineError
from trunkline.solver.service.server import Server, Settings, serve
from trunkline.solver.service.worker import Engine

ENGINE = Engine(*(f"tests.solver.service.fakes:{name}" for name in ("solve", "evaluate", "warm_up")))
BROKEN = Engine(*(f"tests.solver.service.fakes:{name}" for name in ("solve", "evaluate", "no_warm_up")))


def answer(total, optimal=True):
    stops = (StopId("A1", "city", 0), StopId("A3", "city", 0))
    route = Route(0, "2", stops, (True, True), ((),), ("A1", "A3"), (), total)
    claims = tuple(filter(None, [_name()]))
    return Solution((route,) if total else (), (), total, total if optimal else 1000, optimal, claims, Statistics(1))


class Gate:
    """A folder at which searches wait, and in which each leaves a file when it begins and when it is cancelled."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(exist_ok=True)

    def __str__(self) -> str:
        return str(self.folder)

    def open(self) -> None:
        """Let all searches end, those to come too."""
        (self.folder / "open").touch()

    def is_open(self) -> bool:
        return (self.folder / "open").exists()

    def begun(self) -> list[str]:
        """The servers whose workers have begun to wait here, one for each search, in no order."""
        return self._marked("begun")

    def cancelled(self) -> list[str]:
        """The servers whose searches were cancelled while they waited here."""
        return self._marked("cancelled")

    def mark(self, what: str) -> None:
        """Leave a file for this search."""
        (self.folder / f"{what} {_name()} {uuid.uuid4()}").touch()

    def wait(self, cancelled: Callable[[], bool] | None) -> None:
        """Begin, and wait until the gate is open. Raises Cancelled."""
        self.mark("begun")
        while not self.is_open():
            if cancelled and cancelled():
                self.mark("cancelled")
                raise Cancelled("stopped")
            time.sleep(0.002)

    def _marked(self, what: str) -> list[str]:
        return [path.name.split(" ")[1] for path in self.folder.glob(f"{what} *")]


def _name() -> str:
    return os.environ.get("TRUNKLINE_TEST_NAME", "")


def solve(position: Position, *, deadline=None, on_improvement=None, cancelled=None):
    what, _, detail = position.company.partition(" ")
    improved = on_improvement or (lambda solution: None)
    if what == "earn":
        return answer(int(detail))
    if what == "improve":
        for n in range(int(detail)):
            improved(answer(10 * n + 10, False))
        return answer(10 * int(detail) + 10)
    if what == "limit":
        assert deadline is not None, "this search would not end"
        return replace(answer(int(detail), False), statistics=Statistics(1, search_seconds=deadline))
    if what == "fail":
        raise ZeroDivisionError("an error nobody thought of")
    if what == "die":
        kind, _, name = detail.partition(" ")
        if kind != "once" or not Path(name).exists():
            Path(name or os.devnull).touch()
            os._exit(1)
        return answer(10)
    if what == "eat":
        bytearray(int(detail))
        return answer(10)
    gate = Gate(Path(detail))
    if what == "hang":
        gate.mark("begun")
        while True:
            time.sleep(60)
    if what == "wait":
        improved(answer(10, False))
    gate.wait(cancelled)
    return answer(20)


def evaluate(position: Position, drawn, *, cancelled=None):
    what, _, folder = position.company.partition(" ")
    if what == "ponder":
        Gate(Path(folder)).wait(cancelled)
    return Evaluation(total=10 * len(drawn), notes=tuple(str(d.waypoints) for d in drawn))


def warm_up():
    pass


def no_warm_up():
    raise RuntimeError("the kernels do not compile")


def board(company: str) -> Position:
    """A position that makes the fake do something."""
    return Position(Board(tiles=(LaidTile("A1", "x", 0, "city=revenue:10"),)), company, (number_train("2", 2),))


@contextmanager
def served(engine: Engine = ENGINE, additions=(), grace: float = 0, **settings) -> Iterator[Server]:
    """A server in a thread of its own. At the end it waits ``grace`` seconds for running calls."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()

    def run(coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, loop).result(HANG)

    async def start():
        server = Server(Settings(**{"port": 0, "workers": 2, **settings}), engine, additions)
        await server.start()
        return server

    server = run(start())
    try:
        yield server
    finally:
        run(server.stop(grace))
        loop.call_soon_threadsafe(loop.stop)
        thread.join(HANG)


def total(answer: Solution | TrunklineError) -> int:
    """The revenue of an answer of a batch, which is no error."""
    assert isinstance(answer, Solution), answer
    return answer.total


def first_line(process: subprocess.Popen[str]) -> str:
    """The first line that a process writes, waited for."""
    assert process.stdout is not None
    return process.stdout.readline()


@contextmanager
def processes(number: int, *arguments: str) -> Iterator[list[tuple[subprocess.Popen[str], str]]]:
    """Servers in processes of their own, named 0, 1, ..., each with its address."""
    children = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.solver.service.fakes", *arguments],
            cwd=Path(__file__).parents[3],
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"TRUNKLINE_TEST_NAME": str(i)},
        )
        for i in range(number)
    ]
    try:
        yield [(child, f"127.0.0.1:{first_line(child).strip()}") for child in children]
    finally:
        for child in children:
            child.kill()
            child.wait()


def taken(server: subprocess.Popen[str], number: int) -> None:
    """Wait until a server in a process of its own has taken so many more requests."""
    for _ in range(number):
        assert server.stdout is not None
        assert server.stdout.readline() == "taken\n"


@contextmanager
def process(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server in a process of its own, and its address."""
    with processes(1, *arguments) as [one]:
        yield one


async def main(settings: Settings) -> None:
    server = Server(settings, ENGINE)
    pool: Any = server._pool
    submit = pool.submit

    def told(*arguments, **options):
        """Hand a request in, and say so: a line for each that is with a worker or in the queue."""
        future = submit(*arguments, **options)
        print("taken", flush=True)
        return future

    pool.submit = told
    await serve(server, lambda server: print(server.port, flush=True))


if __name__ == "__main__":
    asyncio.run(main(Settings(port=0, workers=2, drain_seconds=float((sys.argv[1:] or [str(HANG)])[0]))))
