"""A solver server of its own process for the length of a measurement."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import grpc
import psutil

ROOT = Path(__file__).parents[1]
SERVICE = "/trunkline.v1.SolverService/"
COMMAND = (sys.executable, "-m", "trunkline")


def environment(**more: str) -> dict[str, str]:
    """Variables with which a new process finds the project."""
    return os.environ | {"PYTHONPATH": str(ROOT)} | more


@dataclass(frozen=True, slots=True)
class Server:
    """A server that is warm."""

    process: psutil.Process
    channel: grpc.Channel

    def processes(self) -> list[psutil.Process]:
        """The server and what it started."""
        return [self.process, *self.process.children(recursive=True)]

    def cpu(self) -> float:
        """CPU seconds of all its processes so far."""
        return float(sum(t.user + t.system for t in (p.cpu_times() for p in self.processes())))


@contextmanager
def serving(workers: int, **variables: str) -> Iterator[Server]:
    """A server with so many workers, ended on leaving."""
    command = [*COMMAND, "serve", "--port", "0", "--workers", str(workers)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment(**variables), cwd=ROOT
    ) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            if not line.startswith("serving on "):
                raise RuntimeError(f"the server did not start: {line!r}")
            options = [("grpc.max_receive_message_length", -1)]
            with grpc.insecure_channel(line.split()[2], options=options) as channel:
                yield Server(psutil.Process(process.pid), channel)
        finally:
            process.terminate()
