"""The commands ``trunkline game ...``: new, show, play, log, replay, export, import, list, box.

A game on the command line is a file: its log. Games of a server are in its store; ``export`` and ``import`` carry them
over. Joins the solver's command by the entry point ``trunkline.commands``; exit codes are the same.
"""

from __future__ import annotations

import errno
import json
import os
import secrets
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from trunkline.engine.errors import LogError
from trunkline.solver.cli.main import EXIT_INPUT, Servers, server_options, solver_option, switch_values, typed
from trunkline.solver.cli.output import distinct, replacing
from trunkline.solver.errors import Cancelled, TrunklineError

if TYPE_CHECKING:
    from rich.console import Console

    from trunkline.engine.cli.book import Book
    from trunkline.engine.log import Log
    from trunkline.engine.options import Options
    from trunkline.engine.rules.run import Solver
    from trunkline.engine.service.client import Games
    from trunkline.engine.service.store import Store

EXIT_REFUSED, EXIT_STOPPED = 1, 130
SEARCH_SECONDS = 10.0

_EXIT = """\b
Exit codes: 0 done, 1 an action is refused, 2 the command line is wrong, 3 a file cannot be read or written,
4 the server cannot answer, 70 a fault of the program, 130 stopped by Ctrl-C."""


def _example(text: str) -> str:
    lines = "\n".join(f"  {line}" for line in text.strip().splitlines())
    return f"\b\nExample:\n{lines}\n\n{_EXIT}"


@click.group(
    short_help="Play 18 India: games with all rules.",
    epilog=_example(
        """
trunkline game new evening.game -p Ann -p Bob -p Cem
trunkline game play evening.game"""
    ),
)
def game() -> None:
    """Play 18 India: start a game, play it at one screen, look at it, replay it, carry it to and from a server.

    A game is a file: its log, one action a line. Whoever can read the file can read the hands.
    """


# --- where a game is


def _server_option(text: str, *instead: str, whole: bool = True) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The option --server; its variable does not count where the command line names one of the options ``instead``.

    Games are on one server: ``whole`` refuses several, else the first is asked.
    """

    def given(ctx: click.Context, option: click.Parameter, value: str | None) -> str | None:
        if value is None or (_by_variable(ctx, option) and any(map(typed, instead))):
            return None
        addresses = value.replace(",", " ").split()
        if whole and len(addresses) > 1:
            raise click.BadParameter(f"games are on one server; {value!r} is several")
        return addresses[0] if addresses else value

    return server_options(
        click.option(
            "--server",
            "-s",
            metavar="HOST:PORT",
            envvar="TRUNKLINE_SERVER",
            show_envvar=True,
            callback=given,
            help=text,
        )
    )


def _store_option(text: str, *instead: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The option --store; its variable does not count where a server, or one of the options ``instead``, is named."""

    def given(ctx: click.Context, option: click.Parameter, value: str | None) -> str | None:
        if _by_variable(ctx, option):
            named = any(map(typed, ("server", *instead)))
            return None if named or os.environ.get("TRUNKLINE_SERVER") else value
        return value

    return click.option(
        "--store", metavar="SQLITE", envvar="TRUNKLINE_GAMES", show_envvar=True, callback=given, help=text
    )


def _by_variable(ctx: click.Context, option: click.Parameter) -> bool:
    return ctx.get_parameter_source(option.name or "") is click.core.ParameterSource.ENVIRONMENT


# --- new, import


def _options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of a game but for its players."""
    for option in reversed(
        [
            click.option("--start", type=click.Choice(["draft", "auction"]), default="draft", show_default=True),
            click.option("--variant", type=click.Choice(["removed", "dummy"]), help="For two players."),
            click.option("--rules", default="rulebook", show_default=True, metavar="SET", help="Or 18xx.games."),
            click.option(
                "--switch",
                "switches",
                multiple=True,
                metavar="NAME=on|off",
                callback=switch_values,
                help="A single rule switch; docs/options.md lists them. Repeatable.",
            ),
        ]
    ):
        command = option(command)
    return command


def _checked(*of_a_game: Any) -> Options:
    """The options of a game; what is wrong with them is told in full, also a list that is long."""
    from trunkline.engine.options import Options

    try:
        return Options(*of_a_game)
    except LogError as e:
        click.echo(f"trunkline: {e}", err=True)
        raise click.exceptions.Exit(EXIT_INPUT) from None


@game.command(
    short_help="Start a game.",
    epilog=_example(
        """
trunkline game new evening.game -p Ann -p Bob -p Cem
trunkline game new duel.game -p Ann -p Bob --variant dummy --start auction --seed 7"""
    ),
)
@click.argument("file", metavar="FILE")
@click.option("--player", "-p", "players", multiple=True, metavar="NAME", help="A player; 2 to 5 times.")
@click.option("--seed", type=int, help="The seed of the deal; by default a random one.")
@_options
def new(
    file: str,
    players: tuple[str, ...],
    seed: int | None,
    start: str,
    variant: str | None,
    rules: str,
    switches: tuple[tuple[str, bool], ...],
) -> int:
    """Start a game in a new file: seats in the order given, cards dealt."""
    from trunkline.engine.cli.book import Book
    from trunkline.engine.log import Log

    if not players:
        raise click.UsageError("name the players: --player NAME, 2 to 5 times")
    options = _checked(tuple(players), start, variant or "", rules, switches)
    log = Log(options, secrets.randbelow(1 << 48) if seed is None else seed)
    with Book.create(file, log):
        click.echo(f"{file}: a game for {', '.join(players)}; `trunkline game play {file}` goes on")
    return 0


@game.command(
    name="import",
    short_help="Take over a game of 18xx.games, or a log.",
    epilog=_example(
        """
trunkline game import exported.json -o evening.game
trunkline game import evening.game --server localhost:50051"""
    ),
)
@click.argument("file", metavar="FILE|-")
@click.option("--output", "-o", metavar="FILE", help="The new file.")
@_store_option("Put it into this store instead.", "output")
@_server_option("Put it on this server instead.", "output", "store")
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

    log = _log_of(_text(file), file)
    if output:
        with Book.create(output, log) as book:
            click.echo(f"{output}: {_where(book)}")
        return 0
    if server:
        with _games(server) as games:
            created = games.import_log(log.dumps(), undo_policy=policy)
        _tell_tokens(log.options, created.id, created.seats, created.host)
        return 0
    from trunkline.engine.service.store import Store

    with Store(store or "") as kept:
        game_, tokens = kept.create(log, undo_policy=policy)
    _tell_tokens(log.options, game_.id, tokens.seats, tokens.host)
    return 0


def _text(file: str) -> str:
    from trunkline.engine.cli.book import MAX_BYTES

    data = sys.stdin.buffer.read(MAX_BYTES + 1) if file == "-" else Path(file).read_bytes()
    try:
        return data.decode()
    except UnicodeDecodeError as e:
        raise LogError(f"{file}: is not UTF-8 at byte {e.start}") from None


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


# --- show, log, replay, export


@game.command(
    short_help="Show the table, or draw the board.",
    epilog=_example(
        """
trunkline game show evening.game --seat Ann
trunkline game show evening.game --at 120 --draw board.svg"""
    ),
)
@click.argument("file", metavar="FILE")
@click.option("--seat", metavar="NAME", help="With the hand of this player; by default no hand is shown.")
@click.option("--at", type=click.IntRange(0), metavar="N", help="As it was after action N.")
@click.option("--draw", metavar="SVG", help="Draw the board into this file.")
@click.option("--json", "as_json", is_flag=True, help="Print the view as JSON.")
def show(file: str, seat: str | None, at: int | None, draw: str | None, as_json: bool) -> int:
    """Show what a player, or a spectator, sees: companies, players, cards, trains, the turn."""
    from trunkline.engine.cli import tables
    from trunkline.engine.cli.play import picture, seat_of
    from trunkline.engine.views import view

    distinct(draw, file)
    with _book(file) as book:
        state = book.state if at is None else book.log.replay(at)
    who = None if seat is None else seat_of(state, seat)
    seen = view(state, who)
    if as_json:
        click.echo(json.dumps(seen.to_json(), ensure_ascii=False))
    elif not draw:
        console = _console()
        console.print(tables.report(seen), highlight=False)
        if who is not None:
            console.print(tables.hand(seen, who), highlight=False)
    if draw:
        _write(draw, picture(state))
    return 0


@game.command(short_help="List the actions.", epilog=_example("trunkline game log evening.game --last 20"))
@click.argument("file", metavar="FILE")
@click.option("--from", "first", type=click.IntRange(1), default=1, help="From this action on.")
@click.option("--last", type=click.IntRange(1), metavar="N", help="Only the last N.")
@click.option("--exact", is_flag=True, help="As `play` takes them from standard input. Tells the hands.")
def log(file: str, first: int, last: int | None, exact: bool) -> int:
    """List the actions of a game, one a line, with what followed. Kept cards are not told."""
    from trunkline.engine.cli.play import log_lines
    from trunkline.engine.wire import notation

    with _book(file) as book:
        start = max(book.number - last, 0) if last else min(first - 1, book.number)
        if exact:
            for action in book.log.actions[start:]:
                click.echo(f"{book.log.options.players[action.seat]}: {notation.write(action)}")
            return 0
        console = _console()
        for line in log_lines(book, start, book.number):
            console.print(line, highlight=False, soft_wrap=True)
    return 0


@game.command(
    short_help="Replay a log and check every state.", epilog=_example("trunkline game replay evening.game --upto 200")
)
@click.argument("file", metavar="FILE")
@click.option("--upto", type=click.IntRange(0), metavar="N", help="Only the first N actions.")
@click.option("--check", is_flag=True, help="After each action count money, certificates, trains, tokens and tiles.")
def replay(file: str, upto: int | None, check: bool) -> int:
    """Replay a log from the deal and say where it ends. Every rule is checked again."""
    from trunkline.engine import game as rules
    from trunkline.engine.cli import tables
    from trunkline.engine.invariants import violations
    from trunkline.engine.log import Log
    from trunkline.engine.views import view

    read = Log.loads(_text(file))
    read = read if upto is None else read.undo(upto)
    begin = time.monotonic()
    state = rules.new_game(read.options, read.seed)
    if check:
        for number, action in enumerate(read.actions, 1):
            state = rules.apply(state, action)
            if faults := violations(state):
                raise TrunklineError(f"after action {number}: {'; '.join(faults)}")
    else:
        state = read.replay()
    console = _console()
    console.print(tables.report(view(state, None)), highlight=False)
    console.print(f"{len(read.actions)} actions in {time.monotonic() - begin:.2f} s", style="dim", highlight=False)
    return 0


@game.command(
    short_help="Get the log of a served game.",
    epilog=_example(
        """
trunkline game export 5c0ffee123 --server localhost:50051 --token HOST_TOKEN -o evening.game
trunkline game export 5c0ffee123 --store games.sqlite -o evening.game"""
    ),
)
@click.argument("id_", metavar="GAME")
@_server_option("The server that has the game.", "store")
@click.option(
    "--token", envvar="TRUNKLINE_TOKEN", show_envvar=True, help="The token of the host; after the end of any seat."
)
@_store_option("The store that has the game.")
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
        with _games(server) as games:
            text = games.export(id_.removeprefix("games/"), token)
    else:
        with _store(store or "") as kept:
            text = kept.log(id_).dumps()
    _write(output, text)
    return 0


@game.command(
    name="list", short_help="List served games.", epilog=_example("trunkline game list --server localhost:50051")
)
@_server_option("The games of this server.", "store")
@_store_option("The games of this store.")
def list_(server: Servers, store: str | None) -> int:
    """List the games of a server or store, the last changed first."""
    if bool(server) == (store is not None):
        raise click.UsageError("say where: --server or --store")
    if server:
        with _games(server) as games:
            for g in games.games():
                _tell_game(g.id, g.players, g.number, g.stage, g.scores)
    else:
        with _store(store or "") as kept:
            for s in kept.games(1_000_000):
                _tell_game(s.id, s.options.players, s.number, s.stage, s.scores)
    return 0


def _tell_game(id_: str, names: Sequence[str], number: int, stage: str, scores: Sequence[int]) -> None:
    people = ", ".join(f"{n} {s}" for n, s in zip(names, scores, strict=True)) if scores else ", ".join(names)
    click.echo(f"{id_}  {stage:<8} {number:>5} actions  {people}")


# --- box


@game.command(
    short_help="Print what is in the box, and the options.",
    epilog=_example(
        """
trunkline game box --players 3
trunkline game box --rules 18xx.games --json"""
    ),
)
@click.option("--players", type=click.IntRange(2, 5), default=4, show_default=True, help="How many play.")
@_options
@click.option("--json", "as_json", is_flag=True, help="Print JSON, as the service gives it: every certificate, too.")
@_server_option("Ask this server.", whole=False)
def box(
    players: int,
    start: str,
    variant: str | None,
    rules: str,
    switches: tuple[tuple[str, bool], ...],
    as_json: bool,
    server: Servers,
) -> int:
    """Print what holds for a whole game: set-up, companies, privates, market, trains, phases, tiles, bonuses, rules.

    The map is in `trunkline titles 18India --json`.
    """
    from trunkline.engine.cli import tables

    names = tuple(f"Player {i}" for i in range(1, players + 1))
    options = _checked(names, start, variant or "", rules, switches)
    if server:
        with _games(server) as games:
            found = games.box(options)
    else:
        from trunkline.engine.wire.messages import box_to_proto
        from trunkline.solver.wire.codec import to_dict

        found = to_dict(box_to_proto(options))
    if as_json:
        click.echo(json.dumps(found, indent=2, ensure_ascii=False))
    else:
        _console().print(tables.box_report(found), highlight=False)
    return 0


# --- play


@game.command(
    short_help="Play a game at this screen.",
    epilog=_example(
        """
trunkline game play evening.game
trunkline game play evening.game --bot Cem
echo "draft EIR_0" | trunkline game play evening.game
trunkline game play demo.game --auto"""
    ),
)
@click.argument("file", metavar="FILE")
@click.option("--bot", "bots", metavar="NAME", multiple=True, help="A bot plays for this player. Repeatable.")
@click.option("--auto", is_flag=True, help="Bots play for everybody, to the end.")
@click.option("--style", type=click.Choice(["greedy", "random"]), default="greedy", show_default=True, help="Of bots.")
@click.option("--most", type=click.IntRange(0), metavar="N", help="With --auto: stop after N actions.")
@click.option("--open", "open_", is_flag=True, help="All may see all: no handing over between hands.")
@click.option("--quiet", "-q", is_flag=True, help="Do not print the actions of a script or of --auto.")
@solver_option("Solve there.", show_envvar=True)
def play(
    file: str,
    bots: tuple[str, ...],
    auto: bool,
    style: str,
    most: int | None,
    open_: bool,
    quiet: bool,
    server: Servers,
) -> int:
    """Play a game: all players at one screen, each action kept in the file at once.

    Before a hand is shown the screen is cleared and waits for its player. Type a number of the list, an action such as
    `lay D5 8 2` or `hand EIR EIR`, or `help`. Each run begins with the best routes.

    Where the input is no terminal it is a script: an action a line (`NAME: action` for a certain player), # begins a
    comment. A line that is refused ends it with exit code 1.
    """
    if most is not None and not auto:
        raise click.UsageError("--most is for --auto")
    from trunkline.engine.bots.bots import bot
    from trunkline.engine.cli.play import Refusal, Session, seat_of

    with _book(file, write=True) as book, _solving(server) as solver:
        if book.dropped:
            click.echo("trunkline: the last line of the file was not finished and is dropped", err=True)
        names = book.log.options.players
        seats = list(book.log.options.seats) if auto else [seat_of(book.state, n) for n in bots]
        # A bot that plays on must not repeat its choices, so the number of actions is part of its seed.
        made = {s: bot(style, 1000 * book.number + s, solver) for s in seats}
        console = _console(quiet=quiet)
        spare = bot(style, 1000 * book.number + len(names), solver)
        session = Session(book, console, solver, made, spare, hide=not open_)
        try:
            if not auto and sys.stdin.isatty():
                session.play(_ask)
                return 0
            if auto:
                session.bots_act(most)
            else:
                session.script(sys.stdin)
        except Refusal as e:
            click.echo(f"trunkline: {e}", err=True)
            return EXIT_REFUSED
        except (KeyboardInterrupt, Cancelled):
            line = "\n" if sys.stdin.isatty() else ""  # after the ^C
            click.echo(f"{line}trunkline: stopped; kept in {file} after action {book.number}", err=True)
            return EXIT_STOPPED
        _console().print(f"{file}: {_where(book)}", highlight=False)
    return 0


def _ask(prompt: str) -> str:
    with suppress(ImportError):
        import readline  # noqa: F401  (history and editing of the line)
    from trunkline.engine.cli.play import Stop

    try:
        return input(prompt)
    except EOFError:
        raise Stop from None


def _where(book: Book) -> str:
    """Where a game is, in a line."""
    from trunkline.engine import game as rules

    state, names = book.state, book.log.options.players
    if scores := state.scores:
        people = ", ".join(f"{n} {s}" for n, s in zip(names, scores, strict=True))
        return f"over after {book.number} actions ({state.ended_by}): {people}"
    acting = ", ".join(names[s] for s in rules.actors(state))
    return f"{book.number} actions, {state.stage}, to act: {acting}"


# --- files, servers


def _book(file: str, *, write: bool = False) -> Book:
    from trunkline.engine.cli.book import Book

    return Book(file, write=write)


def _store(file: str) -> Store:
    from trunkline.engine.service.store import Store

    if not Path(file).exists():
        raise FileNotFoundError(2, "No such file or directory", file)
    return Store(file)


def _games(server: Servers) -> Games:
    from trunkline.engine.service.client import Games

    (address,) = server.addresses
    return Games(address, patience=3.0, tls=server.encryption)


@contextmanager
def _solving(server: Servers) -> Iterator[Solver]:
    """The solver of this process, loaded when it is first asked, or of servers."""
    if server:
        with server.client() as client:
            yield lambda position: client.solve(position, deadline=SEARCH_SECONDS)
        return

    def here(position: Any) -> Any:
        from trunkline.solver import solve, warm_up

        warm_up()  # a first compilation is not part of the deadline
        return solve(position, deadline=SEARCH_SECONDS)

    yield here


def _write(file: str, text: str) -> None:
    if file == "-":
        click.echo(text, nl=False)
    else:
        with replacing(file) as target:
            target.write(text)


def _console(quiet: bool = False) -> Console:
    from rich.console import Console

    console = Console(highlight=False, markup=False, emoji=False, quiet=quiet)
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = 100
    return console
