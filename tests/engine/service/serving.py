"""Servers with games for tests: in this process, or `trunkline serve` in one of its own, and games played over them."""

import contextlib
import os
import random
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.solver.service import fakes
from tests.waiting import HANG
from trunkline.engine.actions import Action
from trunkline.engine.service.client import Games, Stale
from trunkline.engine.service.service import serving
from trunkline.solver.service.worker import Engine

ROOT = Path(__file__).parents[3]


@contextmanager
def served(file, engine: Engine = fakes.ENGINE, **settings) -> Iterator[str]:
    """The address of a server in this process; by default its solver is a fake."""
    with fakes.served(engine, additions=[serving(str(file) if file else None)], **{"workers": 1, **settings}) as server:
        yield f"127.0.0.1:{server.port}"


def free_port() -> int:
    """A port that nobody listens on, and that the system gives to nobody who asks for any while a server is down."""
    for port in random.sample(range(20_000, 32_000), 100):
        with socket.socket() as s, contextlib.suppress(OSError):
            s.bind(("127.0.0.1", port))
            return port
    raise AssertionError("no port is free")


class Process:
    """`trunkline serve` on a port; ``kill`` ends it with SIGKILL, ``start`` begins it again."""

    def __init__(self, file, port: int) -> None:
        self.address = f"127.0.0.1:{port}"
        self._command = [sys.executable, "-m", "trunkline", "serve", "--port", str(port), "--workers", "1"]
        self._command += ["--games", str(file)]
        self._log = Path(f"{file}.log")
        self.start()

    def start(self) -> None:
        """Begin."""
        with self._log.open("a") as log:
            self._child = subprocess.Popen(
                self._command, cwd=ROOT, stdout=log, stderr=log, start_new_session=True, env=os.environ
            )

    def check(self) -> None:
        """Raises AssertionError: it ended by itself; with what it said."""
        assert self._child.poll() is None, self._log.read_text()[-2000:]

    def kill(self) -> None:
        """SIGKILL to the server and its workers."""
        if self._child.poll() is None:
            os.killpg(self._child.pid, 9)
        self._child.wait()


class Client(threading.Thread):
    """Plays a seat with what ``choose`` takes of its legal actions, until ``until`` says so or the game is over.

    ``taken``: the numbers of the actions that were acknowledged, with the action.
    """

    def __init__(self, address: str, id_: str, token: str, seat: int, choose, until) -> None:
        super().__init__(daemon=True)
        self.taken: dict[int, Action] = {}
        self.error: BaseException | None = None
        self._address, self._id, self._token, self._seat = address, id_, token, seat
        self._choose, self._until = choose, until

    def run(self) -> None:
        try:
            with Games(self._address, patience=HANG) as games:
                while not self._until(self.taken):
                    seen = games.get(self._id, self._token)
                    if not seen.actors:
                        return
                    if self._seat in seen.actors:
                        self._act(games)
                    else:
                        time.sleep(0.01)
        except BaseException as e:
            self.error = e

    def _act(self, games: Games) -> None:
        legal = games.legal_actions(self._id, self._token)
        if not legal.actions:
            return
        action = self._choose(legal.actions)
        try:
            self.taken[games.apply(self._id, self._token, action, legal.number)] = action
        except Stale:
            return  # another client was quicker
