"""Where a game is: in a file, a store or on a server; and the terminal that shows it."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from trunkline.engine.errors import LogError
from trunkline.solver.cli.options import Servers
from trunkline.solver.cli.output import replacing

if TYPE_CHECKING:
    from rich.console import Console

    from trunkline.engine.cli.book import Book
    from trunkline.engine.service.client import Games
    from trunkline.engine.service.store import Store


def open_book(file: str, *, write: bool = False) -> Book:
    """The game of a file; with ``write`` it can go on. Raises LogError, OSError, TrunklineError."""
    from trunkline.engine.cli.book import Book

    return Book(file, write=write)


def open_store(file: str) -> Store:
    """The store of a file that is there. Raises OSError."""
    from trunkline.engine.service.store import Store

    if not Path(file).exists():
        raise FileNotFoundError(2, "No such file or directory", file)
    return Store(file)


def connect(server: Servers) -> Games:
    """A client of the one server that is named."""
    from trunkline.engine.service.client import Games

    (address,) = server.addresses
    return Games(address, patience=3.0, tls=server.encryption)


def write_text(file: str, text: str, *, private: bool = False) -> None:
    """Write a new file whole; ``-`` is standard output. ``private``: for its owner alone."""
    if file == "-":
        click.echo(text, nl=False)
    else:
        with replacing(file, private=private) as target:
            target.write(text)


def console_for(quiet: bool = False) -> Console:
    """A terminal; where there is none, 100 columns unless the environment says otherwise."""
    from rich.console import Console

    console = Console(highlight=False, markup=False, emoji=False, quiet=quiet)
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = 100
    return console


def read_bytes(file: str) -> bytes:
    """What is in a file; ``-`` is standard input. Raises LogError: it is too long, or endless; OSError."""
    from trunkline.engine.cli.book import MAX_BYTES

    if file == "-":
        data = sys.stdin.buffer.read(MAX_BYTES + 1)
    else:
        with Path(file).open("rb") as source:
            data = source.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise LogError(f"{file}: longer than {MAX_BYTES:,} bytes")
    return data


def read_text(file: str) -> str:
    """The text of a file; ``-`` is standard input. Raises LogError: it is not UTF-8; OSError."""
    try:
        return read_bytes(file).decode()
    except UnicodeDecodeError as e:
        raise LogError(f"{file}: is not UTF-8 at byte {e.start}") from None


def where(book: Book) -> str:
    """Where a game is, in a line."""
    from trunkline.engine import game as rules

    state, names = book.state, book.log.options.players
    if scores := state.scores:
        people = ", ".join(f"{n} {s}" for n, s in zip(names, scores, strict=True))
        return f"over after {book.number} actions ({state.ended_by}): {people}"
    acting = ", ".join(names[s] for s in rules.actors(state))
    return f"{book.number} actions, {state.stage}, to act: {acting}"
