"""The commands that carry games to and from servers, stores and 18xx.games: import, export, list."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from trunkline.engine.cli.files import connect, open_store, read_text, where, write_text
from trunkline.engine.cli.options import example_epilog, game_server_option, store_option
from trunkline.engine.errors import LogError
from trunkline.solver.cli.main import Servers
from trunkline.solver.cli.output import distinct

if TYPE_CHECKING:
    from trunkline.engine.log import Log
    from trunkline.engine.options import Options


@click.command(
    name="import",
    short_help="Take over a game of 18xx.games, or a log.",
    epilog=example_epilog(
        """
trunkline game import exported.json -o evening.game
trunkline game import evening.game --server localhost:50051"""
    ),
)
@click.argument("file", metavar="FILE|-")
@click.option("--output", "-o", metavar="FILE", help="The new file.")
@store_option("Put it into this store instead.", "output")
@game_server_option("Put it on this server instead.", "output", "store")
@click.option(
    "--undo-policy",
    type=click.Choice(["any_seat", "last_actor", "host"]),
    help="In a store or on a server: which seats may undo. By default any_seat.",
)
def import_(file: str, output: str | None, store: str | None, server: Servers, undo_policy: str | None) -> int:
    """Take over a game that 18xx.games exported (JSON), or a log, up to where it is; it goes on from there.

    Into a store or on a server it gets new secret tokens, which are printed.
    """
    if sum(bool(x) for x in (output, store, server)) != 1:
        raise click.UsageError("say where to: one of --output, --store, --server")
    if output and undo_policy:
        raise click.UsageError("--undo-policy is for a game in a store or on a server")
    policy = undo_policy or "any_seat"
    from trunkline.engine.cli.book import Book

    log = _log_of(read_text(file), file)
    if output:
        with Book.create(output, log) as book:
            click.echo(f"{output}: {where(book)}")
        return 0
    if server:
        with connect(server) as games:
            created = games.import_log(log.dumps(), undo_policy=policy)
        _tell_tokens(log.options, created.id, created.seats, created.host)
        return 0
    from trunkline.engine.service.store import Store

    with Store(store or "") as kept:
        game_, tokens = kept.create(log, undo_policy=policy)
    _tell_tokens(log.options, game_.id, tokens.seats, tokens.host)
    return 0


def _log_of(text: str, file: str) -> Log:
    """The log of a text: one of this program, or an export of 18xx.games."""
    from trunkline.engine.log import Log
    from trunkline.engine.wire.importer import import_game

    try:
        if '"trunkline-game"' in text.partition("\n")[0]:
            log = Log.loads(text)
            log.replay()
            return log
        try:
            data = json.loads(text)
        except (ValueError, RecursionError) as e:
            raise LogError(f"neither a log of this program nor JSON of 18xx.games: {e}") from None
        return import_game(data).log
    except LogError as e:
        raise LogError(f"{file}: {e}") from None


def _tell_tokens(options: Options, id_: str, seats: Sequence[str], host: str) -> None:
    click.echo(f"game {id_}; secret tokens, shown only now:")
    for name, token in (*zip(options.players, seats, strict=True), ("host", host)):
        click.echo(f"  {name}: {token}")


@click.command(
    short_help="Get the log of a served game.",
    epilog=example_epilog(
        """
trunkline game export 5c0ffee123 --server localhost:50051 --token HOST_TOKEN -o evening.game
trunkline game export 5c0ffee123 --store games.sqlite -o evening.game"""
    ),
)
@click.argument("id_", metavar="GAME")
@game_server_option("The server that has the game.", "store")
@click.option(
    "--token", envvar="TRUNKLINE_TOKEN", show_envvar=True, help="The token of the host; after the end of any seat."
)
@store_option("The store that has the game.")
@click.option("--output", "-o", metavar="FILE", default="-", help="The new file; by default standard output.")
def export(id_: str, server: Servers, token: str | None, store: str | None, output: str) -> int:
    """Get the log of a game of a server or store. It tells every card."""
    if bool(server) == (store is not None):
        raise click.UsageError("say where from: --server or --store")
    distinct(output, store)
    if Path(output).is_file():  # a game, maybe, that went on; a device or a pipe may be written
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), output)
    if server:
        if not token:
            raise click.UsageError("a server wants --token")
        with connect(server) as games:
            text = games.export(id_.removeprefix("games/"), token)
    else:
        with open_store(store or "") as kept:
            text = kept.log(id_).dumps()
    write_text(output, text)
    return 0


@click.command(
    name="list", short_help="List served games.", epilog=example_epilog("trunkline game list --server localhost:50051")
)
@game_server_option("The games of this server.", "store")
@store_option("The games of this store.")
def list_(server: Servers, store: str | None) -> int:
    """List the games of a server or store, the last changed first."""
    if bool(server) == (store is not None):
        raise click.UsageError("say where: --server or --store")
    if server:
        with connect(server) as games:
            for g in games.games():
                _tell_game(g.id, g.players, g.number, g.stage, g.scores)
    else:
        with open_store(store or "") as kept:
            for s in kept.games(1_000_000):
                _tell_game(s.id, s.options.players, s.number, s.stage, s.scores)
    return 0


def _tell_game(id_: str, names: Sequence[str], number: int, stage: str, scores: Sequence[int]) -> None:
    people = ", ".join(f"{n} {s}" for n, s in zip(names, scores, strict=True)) if scores else ", ".join(names)
    click.echo(f"{id_}  {stage:<8} {number:>5} actions  {people}")
