"""The commands ``trunkline game ...``: new, show, play, log, replay, export, import, list, box.

A game on the command line is a file: its log. Games of a server are in its store; ``export`` and ``import`` carry them
over. Joins the solver's command by the entry point ``trunkline.commands``; exit codes are the same.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import click

from trunkline.engine.cli import transfer
from trunkline.engine.cli.files import connect, console_for, open_book, read_text, where, write_text
from trunkline.engine.cli.options import checked_options, example_epilog, game_server_option, rule_options
from trunkline.solver.cli.options import Servers, solver_option
from trunkline.solver.cli.output import distinct
from trunkline.solver.errors import Cancelled, TrunklineError

if TYPE_CHECKING:
    from trunkline.engine.rules.run import Solver

EXIT_REFUSED, EXIT_STOPPED = 1, 130
SEARCH_SECONDS = 10.0


@click.group(
    short_help="Play 18 India: games with all rules.",
    epilog=example_epilog(
        """
trunkline game new evening.game -p Ann -p Bob -p Cem
trunkline game play evening.game"""
    ),
)
def game() -> None:
    """Play 18 India: start a game, play it at one screen, look at it, replay it, carry it to and from a server.

    A game is a file: its log, one action a line. Whoever can read the file can read the hands.
    """


for _command in (transfer.import_, transfer.export, transfer.list_):
    game.add_command(_command)


# --- new, show, log, replay


@game.command(
    short_help="Start a game.",
    epilog=example_epilog(
        """
trunkline game new evening.game -p Ann -p Bob -p Cem
trunkline game new duel.game -p Ann -p Bob --variant dummy --start auction --seed 7"""
    ),
)
@click.argument("file", metavar="FILE")
@click.option("--player", "-p", "players", multiple=True, metavar="NAME", help="A player; 2 to 5 times.")
@click.option("--seed", type=int, help="The seed of the deal; by default a random one.")
@rule_options
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
    from trunkline.engine.rules.setup import secret_seed

    if not players:
        raise click.UsageError("name the players: --player NAME, 2 to 5 times")
    options = checked_options(tuple(players), start, variant or "", rules, switches)
    log = Log(options, secret_seed() if seed is None else seed)
    with Book.create(file, log):
        click.echo(f"{file}: a game for {', '.join(players)}; `trunkline game play {file}` goes on")
    return 0


@game.command(
    short_help="Show the table, or draw the board.",
    epilog=example_epilog(
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
    from trunkline.engine.cli.picture import picture
    from trunkline.engine.cli.seats import seat_of
    from trunkline.engine.views import view

    distinct(draw, file)
    with open_book(file) as book:
        state = book.state if at is None else book.log.replay(at)
    who = None if seat is None else seat_of(state, seat)
    seen = view(state, who)
    if as_json:
        click.echo(json.dumps(seen.to_json(), ensure_ascii=False))
    elif not draw:
        console = console_for()
        console.print(tables.report(seen), highlight=False)
        if who is not None:
            console.print(tables.hand(seen, who), highlight=False)
    if draw:
        write_text(draw, picture(state))
    return 0


@game.command(short_help="List the actions.", epilog=example_epilog("trunkline game log evening.game --last 20"))
@click.argument("file", metavar="FILE")
@click.option("--from", "first", type=click.IntRange(1), default=1, help="From this action on.")
@click.option("--last", type=click.IntRange(1), metavar="N", help="Only the last N.")
@click.option("--exact", is_flag=True, help="As `play` takes them from standard input. Tells the hands.")
def log(file: str, first: int, last: int | None, exact: bool) -> int:
    """List the actions of a game, one a line, with what followed. Kept cards are not told."""
    from trunkline.engine.cli.log_lines import log_lines
    from trunkline.engine.wire import notation

    with open_book(file) as book:
        start = max(book.number - last, 0) if last else min(first - 1, book.number)
        if exact:
            for action in book.log.actions[start:]:
                click.echo(f"{book.log.options.players[action.seat]}: {notation.write_action(action)}")
            return 0
        console = console_for()
        for line in log_lines(book.log, start, book.number):
            console.print(line, highlight=False, soft_wrap=True)
    return 0


@game.command(
    short_help="Replay a log and check every state.",
    epilog=example_epilog("trunkline game replay evening.game --upto 200"),
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

    read = Log.loads(read_text(file))
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
    console = console_for()
    console.print(tables.report(view(state, None)), highlight=False)
    console.print(f"{len(read.actions)} actions in {time.monotonic() - begin:.2f} s", style="dim", highlight=False)
    return 0


# --- box


@game.command(
    short_help="Print what is in the box, and the options.",
    epilog=example_epilog(
        """
trunkline game box --players 3
trunkline game box --rules 18xx.games --json"""
    ),
)
@click.option("--players", type=click.IntRange(2, 5), default=4, show_default=True, help="How many play.")
@rule_options
@click.option("--json", "as_json", is_flag=True, help="Print JSON, as the service gives it: every certificate, too.")
@game_server_option("Ask this server.", whole=False)
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
    from trunkline.engine.cli.box_report import box_report

    names = tuple(f"Player {i}" for i in range(1, players + 1))
    options = checked_options(names, start, variant or "", rules, switches)
    if server:
        with connect(server) as games:
            found = games.box(options)
    else:
        from trunkline.engine.wire.box_message import box_to_proto
        from trunkline.solver.wire import to_dict

        found = to_dict(box_to_proto(options))
    if as_json:
        click.echo(json.dumps(found, indent=2, ensure_ascii=False))
    else:
        console_for().print(box_report(found), highlight=False)
    return 0


# --- play


@game.command(
    short_help="Play a game at this screen.",
    epilog=example_epilog(
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
    from trunkline.engine.cli.play import Refusal, Session
    from trunkline.engine.cli.seats import seat_of

    with open_book(file, write=True) as book, _solving(server) as solver:
        if book.dropped:
            click.echo("trunkline: the last line of the file was not finished and is dropped", err=True)
        names = book.log.options.players
        seats = list(book.log.options.seats) if auto else [seat_of(book.state, n) for n in bots]
        # A bot that plays on must not repeat its choices, so the number of actions is part of its seed.
        made = {s: bot(style, 1000 * book.number + s, solver) for s in seats}
        console = console_for(quiet=quiet)
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
        console_for().print(f"{file}: {where(book)}", highlight=False)
    return 0


def _ask(prompt: str) -> str:
    with suppress(ImportError):
        import readline  # noqa: F401  (history and editing of the line)
    from trunkline.engine.cli.play import Stop

    try:
        return input(prompt)
    except EOFError:
        raise Stop from None


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
