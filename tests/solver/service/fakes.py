"""A stand-in for the engine in tests of the server: what it does is written in the company of a whole board.

``earn N``: an answer of N at once. ``sleep S``: search for S seconds, in slices of 5 ms; each 20 ms an improvement.
``sleep S FILE``: write the time at which the search was cancelled to the file.
``stuck S``: the same without finding anything. ``die`` and ``die once FILE`` end the process; ``fail`` raises.
``hang S`` sleeps without asking whether it is cancelled. ``eat N`` takes N bytes.
A solution claims the name of the server it comes from.
"""

import asyncio
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

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
    claims = tuple(filter(None, [os.environ.get("TRUNKLINE_TEST_NAME")]))
    return Solution((route,) if total else (), (), total, total if optimal else 1000, optimal, claims, Statistics(1))


def solve(position: Position, *, deadline=None, on_improvement=None, cancelled=None):
    what, _, detail = position.company.partition(" ")
    if what == "earn":
        return answer(int(detail))
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
    if what == "hang":
        time.sleep(float(detail))
        return answer(10)
    start = time.monotonic()
    total = 0
    seconds, _, file = detail.partition(" ")
    while (passed := time.monotonic() - start) < float(seconds):
        if cancelled and cancelled():
            Path(file or os.devnull).touch()
            raise Cancelled("stopped")
        if deadline is not None and passed >= deadline:
            return answer(total, False)
        if what == "sleep" and passed * 50 > total / 10:
            total += 10
            if on_improvement:
                on_improvement(answer(total, False))
        time.sleep(0.005)
    return answer(total or 10)


def evaluate(position: Position, drawn, *, cancelled=None):
    what, _, file = position.company.partition(" ")
    while what == "ponder":
        if cancelled():
            Path(file).touch()
            raise Cancelled("stopped")
        time.sleep(0.005)
    return Evaluation(total=10 * len(drawn), notes=tuple(str(d.waypoints) for d in drawn))


def warm_up():
    pass


def no_warm_up():
    raise RuntimeError("the kernels do not compile")


def board(company: str) -> Position:
    """A position that makes the fake do something."""
    return Position(Board(tiles=(LaidTile("A1", "x", 0, "city=revenue:10"),)), company, (number_train("2", 2),))


@contextmanager
def served(engine: Engine = ENGINE, additions=(), **settings) -> Iterator[Server]:
    """A server in a thread of its own."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()

    def run(coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, loop).result(60)

    async def start():
        server = Server(Settings(**{"port": 0, "workers": 2, **settings}), engine, additions)
        await server.start()
        return server

    server = run(start())
    try:
        yield server
    finally:
        run(server.stop(0))
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)


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


@contextmanager
def process(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server in a process of its own, and its address."""
    with processes(1, *arguments) as [one]:
        yield one


async def main(settings: Settings) -> None:
    await serve(Server(settings, ENGINE), lambda server: print(server.port, flush=True))


if __name__ == "__main__":
    asyncio.run(main(Settings(port=0, workers=2, drain_seconds=float((sys.argv[1:] or ["10"])[0]))))
