"""Files and terminals of the commands: read with a bound, written whole; ``-`` is standard input or output."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

from trunkline.solver.cli.output import replacing

if TYPE_CHECKING:
    from rich.console import Console


def read(file: str) -> bytes:
    """What is in a file, as far as a text that can be read goes. Raises OSError."""
    from trunkline.solver.wire import MAX_TEXT

    with opened(file) as source:
        return source.read(MAX_TEXT + 1)


@contextmanager
def opened(file: str) -> Iterator[IO[bytes]]:
    """A file to read from."""
    if file == "-":
        yield sys.stdin.buffer
    else:
        with Path(file).open("rb") as source:
            yield source


@contextmanager
def output_to(file: str) -> Iterator[IO[str]]:
    """A file to write to, complete or not at all."""
    if file == "-":
        yield sys.stdout
    else:
        with replacing(file) as target:
            yield target


def write(file: str, text: str) -> None:
    """Write a file whole."""
    with output_to(file) as target:
        target.write(text)


def console(stderr: bool = False) -> Console:
    """A terminal for tables."""
    from rich.console import Console

    return Console(stderr=stderr, highlight=False, soft_wrap=False)
