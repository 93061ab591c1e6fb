"""The commands that carry games to and from servers, stores and 18xx.games: import, export, list."""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from trunkline.engine.cli.files import connect, open_store, read_bytes, where, write_text
from trunkline.engine.cli.options import example_epilog, game_server_option, store_option
from trunkline.engine.errors import LogError
from trunkline.solver.cli.exits import EXIT_INPUT
from trunkline.solver.cli.options import Servers
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
@click.option("--output", "-o", metavar="FILE", help="The new file; for many games a folder.")
@store_option("Put it into this store instead.", "output")
@game_server_option("Put it on this server instead.", "output", "store")
@click.option(
    "--undo-policy",
    type=click.Choice(["any_seat", "last_actor", "host"]),
    help="In a store or on a server: which seats may undo. By default any_seat.",
)
def import_(file: str, output: str | None, store: str | None, server: Servers, undo_policy: str | None) -> int:
    """Take over a game that 18xx.games exported (JSON), or a log, up to where it is; it goes on from there.

    A file may hold many games of 18xx.games, a JSON list or one a line, plain or gzip: then a folder is the output, and
    each game gets a line here. Into a store or on a server a game gets new secret tokens, which are printed.
    """
    if sum(bool(x) for x in (output, store, server)) != 1:
        raise click.UsageError("say where to: one of --output, --store, --server")
    if output and undo_policy:
        raise click.UsageError("--undo-policy is for a game in a store or on a server")
    from trunkline.engine.log import Log
    from trunkline.engine.wire import site_files

    try:
        text = site_files.text_of(read_bytes(file))
        if '"trunkline-game"' in text.partition("\n")[0]:
            log = Log.loads(text)
            log.replay()
            _keep(log, output, store, server, undo_policy or "any_seat")
            return 0
        games = site_files.site_games(text)
        if len(games) == 1:
            _keep(_taken_over(games[0], ""), output, store, server, undo_policy or "any_seat")
            return 0
    except LogError as e:
        raise LogError(f"{file}: {e}") from None
    if not output:
        raise click.UsageError(f"{file} has {len(games)} games: name a folder with --output")
    return _import_many(games, Path(output))


def _import_many(games: Sequence[Any], folder: Path) -> int:
    """Each game into a file of the folder; what cannot be taken over is said, and the others go on."""
    from trunkline.engine.cli.book import Book

    folder.mkdir(exist_ok=True)
    refused = 0
    for number, game in enumerate(games, 1):
        target = folder / f"{number:0{len(str(len(games)))}}.game"
        try:
            log = _taken_over(game, f"game {number} of {len(games)}, ")
        except LogError as e:
            refused += 1
            click.echo(f"game {number}: {e}", err=True)
            continue
        with Book.create(target, log) as book:
            click.echo(f"{target}: {where(book)}")
    click.echo(f"{len(games) - refused} of {len(games)} games taken over", err=True)
    return EXIT_INPUT if refused else 0


def _taken_over(data: Any, which: str) -> Log:
    """A game of 18xx.games as a log. At a terminal it shows how far it is."""
    from rich.console import Console
    from rich.progress import Progress

    from trunkline.engine.wire.importer import import_game

    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as shown:
        task = shown.add_task("import")
        found = import_game(data, lambda done, all_: shown.update(task, completed=done, total=all_))
    left = f", {len(found.after)} of them count" if len(found.after) < found.read else ""
    click.echo(f"{which}{found.read} actions of 18xx.games read{left}", err=True)
    return found.log


def _keep(log: Log, output: str | None, store: str | None, server: Servers, policy: str) -> None:
    """Put a game into a new file, on a server or into a store, and say so."""
    if output:
        from trunkline.engine.cli.book import Book

        with Book.create(output, log) as book:
            click.echo(f"{output}: {where(book)}")
    elif server:
        with connect(server) as games:
            created = games.import_log(log.dumps(), undo_policy=policy)
        _tell_tokens(log.options, created.id, created.seats, created.host)
    else:
        from trunkline.engine.service.store import Store

        with Store(store or "") as kept:
            game, tokens = kept.create(log, undo_policy=policy)
        _tell_tokens(log.options, game.id, tokens.seats, tokens.host)


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
    write_text(output, text, private=True)
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
