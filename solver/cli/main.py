"""The command ``trunkline``: solve, evaluate and draw positions, list titles, solve batches, serve.

Works in this process, or with ``--server`` through servers. Other packages add commands by an entry point of the group
``trunkline.commands`` (name = module:command). Whatever goes wrong is told in a line, with an exit code of ``EXIT``.
"""

from __future__ import annotations

import errno
import os
import signal
import sys
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from functools import wraps
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import FrameType
from typing import IO, TYPE_CHECKING, Any, NoReturn

import click

from trunkline.solver.cli.convert import WithConvert
from trunkline.solver.cli.output import distinct, replacing
from trunkline.solver.errors import Cancelled, PositionError, TrunklineError

if TYPE_CHECKING:
    from rich.console import Console

    from trunkline.solver.board import DrawnRoute, Evaluation, Position, Solution
    from trunkline.solver.cli.batch import Ask, Failure
    from trunkline.solver.service.client import Client
    from trunkline.solver.service.tls import Tls

EXIT_NOT_LEGAL, EXIT_USAGE, EXIT_INPUT, EXIT_SERVER, EXIT_FAULT, EXIT_STOPPED = 1, 2, 3, 4, 70, 130

EXIT = """\b
Exit codes:
  0    an answer was given
  1    the routes are not legal; some lines of the batch have no solution; or
       a line of a game's script is refused
  2    the command line is wrong
  3    a file cannot be read or written, or what it says cannot be
  4    the server cannot answer
  70   a fault of the program itself
  130  stopped by Ctrl-C; what was found until then is printed"""


class Commands(click.Group):
    """A group that also has the commands that other packages bring along."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Own commands, then those of other packages."""
        return [*super().list_commands(ctx), *_brought()]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """A command by name; one of another package is imported only now."""
        own = super().get_command(ctx, cmd_name)
        if own is not None or cmd_name not in _brought():
            return own
        command = _brought()[cmd_name].load()
        assert isinstance(command, click.Command)
        return command


def _brought() -> dict[str, EntryPoint]:
    return {e.name: e for e in sorted(entry_points(group="trunkline.commands"))}


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=f"""\b
Example:
  trunkline solve position.json

{EXIT}""",
)
@click.version_option(package_name="trunkline", prog_name="trunkline")
def commands() -> None:
    """The most a railway company can earn, on which routes, and why: 18 India and other 18xx boards."""


def _example(text: str) -> str:
    lines = "\n".join(f"  {line}" for line in text.strip().splitlines())
    return f"\b\nExample:\n{lines}"


@dataclass(frozen=True, slots=True)
class Servers:
    """The servers that a command shall ask, and how; false if there are none."""

    addresses: tuple[str, ...]
    tls: bool = False
    ca: str = ""
    cert: str = ""
    key: str = ""
    name: str = ""

    def __bool__(self) -> bool:
        return bool(self.addresses)

    @property
    def encryption(self) -> Tls | None:
        """What clients are given."""
        from trunkline.solver.service.tls import Tls

        return Tls(self.ca, self.cert, self.key, self.name) if self.tls else None

    def client(self) -> Client:
        """A client of the solver of all of them."""
        from trunkline.solver.service.client import Client

        return Client(self.addresses, tls=self.encryption)


def _not_empty(_: click.Context, __: click.Parameter, given: str | None) -> str | None:
    """Nothing instead of a file, as of a variable that is not set, must not turn encryption off."""
    if given == "":
        raise click.BadParameter("is empty")
    return given


_TLS_OPTIONS = (
    click.option("--tls", is_flag=True, envvar="TRUNKLINE_TLS", help="The server uses TLS; so says each of the next."),
    click.option(
        "--tls-ca",
        callback=_not_empty,
        metavar="PEM",
        envvar="TRUNKLINE_TLS_CA",
        help="Trust the authorities (or the certificate) in it.",
    ),
    click.option(
        "--tls-cert",
        callback=_not_empty,
        metavar="PEM",
        envvar="TRUNKLINE_TLS_CERT",
        help="Show the server this certificate,",
    ),
    click.option(
        "--tls-key",
        callback=_not_empty,
        metavar="PEM",
        envvar="TRUNKLINE_TLS_KEY",
        help="of which this is the private key.",
    ),
    click.option(
        "--tls-name",
        callback=_not_empty,
        metavar="NAME",
        envvar="TRUNKLINE_TLS_NAME",
        help="The name in the server's certificate.",
    ),
)


def server_options(server: Callable[[Callable[..., Any]], Callable[..., Any]]) -> Callable[..., Any]:
    """Adds an option ``server`` and how to reach it; the command gets both as one ``server``, of type Servers."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def call(*arguments: Any, **values: Any) -> Any:
            values["server"] = _servers(values)
            return command(*arguments, **values)

        decorated: Callable[..., Any] = call
        for option in reversed((server, *_TLS_OPTIONS)):
            decorated = option(decorated)
        return decorated

    return decorate


def _servers(values: dict[str, Any]) -> Servers:
    """Takes what :func:`server_options` added out of the values of a command."""
    given = values.pop("server") or ()
    texts = {n: values.pop(f"tls_{n}") or "" for n in ("ca", "cert", "key", "name")}
    tls = values.pop("tls") or any(texts.values())
    addresses = (given,) if isinstance(given, str) else tuple(a for x in given for a in x.replace(",", " ").split())
    if not addresses and any(typed(n) for n in ("tls", *(f"tls_{n}" for n in texts))):
        raise click.UsageError("--tls and its kin say how to reach a --server; there is none")
    if addresses:
        if bool(texts["cert"]) != bool(texts["key"]):
            raise click.UsageError("--tls-cert and --tls-key go together")
        os.environ.setdefault("GRPC_VERBOSITY", "NONE")  # else gRPC logs beside it what the error message says
    return Servers(addresses or tuple(given), bool(tls), **texts)  # what is empty is told as no address


def typed(option: str) -> bool:
    """Whether an option is on the command line; click looks at those before the others."""
    source = click.get_current_context().get_parameter_source(option)
    return source is click.core.ParameterSource.COMMANDLINE


def solver_option(text: str, **more: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The option --server of a command that solves, there or here; for one server or several."""
    return server_options(
        click.option("--server", "-s", metavar="HOST:PORT", multiple=True, envvar="TRUNKLINE_SERVER", help=text, **more)
    )


_server_option = solver_option("Ask this server instead of working here; give several for several servers.")


def _ask_options(command: Callable[..., Any]) -> Callable[..., Any]:
    options = [
        click.option(
            "--deadline",
            type=float,
            callback=_seconds,
            metavar="SECONDS",
            help="Give the best found by then; compiling at the very first use does not count.",
        ),
        *_rule_options(),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def _rule_options() -> list[Callable[..., Any]]:
    return [
        click.option("--rules", metavar="SET", default="", help="A named set of rules instead of the position's."),
        click.option(
            "--switch",
            "switches",
            metavar="NAME=on|off",
            multiple=True,
            callback=switch_values,
            help="A single rule switch; repeatable. `trunkline titles NAME` lists them.",
        ),
    ]


def _seconds(_: click.Context, __: click.Parameter, seconds: float | None) -> float | None:
    if seconds is not None and not 0 <= seconds <= 1e6:  # not a number is refused as well
        raise click.BadParameter(f"{seconds} is not from 0 to a million")
    return seconds


def switch_values(_: click.Context, __: click.Parameter, given: Sequence[str]) -> tuple[tuple[str, bool], ...]:
    """Read the texts of a repeatable option, each NAME=on or NAME=off."""
    switches = {}
    for text in given:
        name, _sign, value = text.partition("=")
        if value not in ("on", "off"):
            raise click.BadParameter(f"{text!r} is not of the form NAME=on or NAME=off")
        switches[name] = value == "on"
    return tuple(switches.items())


# --- solve, evaluate, draw ---------------------------------------------------------------------------------------


@commands.command(
    short_help="Find the best routes of a company.",
    epilog=_example(
        """
trunkline solve position.json --draw routes.svg
cat position.json | trunkline solve - --json --deadline 2"""
    ),
)
@click.argument("file", metavar="FILE|-")
@click.option("--json", "as_json", is_flag=True, help="Print the solution as JSON.")
@click.option("--draw", metavar="SVG", help="Draw the board with the routes into this file.")
@_ask_options
@_server_option
def solve(
    file: str,
    as_json: bool,
    draw: str | None,
    deadline: float | None,
    rules: str,
    switches: tuple[tuple[str, bool], ...],
    server: Servers,
) -> int:
    """Find the best routes of the company of a position.

    Prints each train's run, its revenue line by line, the total, and whether it is proven. Ctrl-C gives the best found
    so far.
    """
    from trunkline.solver.cli.batch import Ask

    distinct(draw, file)
    position = Ask(rule_set=rules, switches=switches).position(_read(file))
    solution, stopped = _solve(position, deadline, server)
    if as_json:
        from trunkline.solver.wire import solution_to_json

        click.echo(solution_to_json(solution))
    else:
        from trunkline.solver.cli.report import solution_report

        _console().print(solution_report(position, solution))
    if draw:
        from trunkline.solver.draw import draw_solution

        _write(draw, draw_solution(position, solution))
    return EXIT_STOPPED if stopped else 0


def _solve(position: Position, deadline: float | None, server: Servers) -> tuple[Solution, bool]:
    """The solution, and whether Ctrl-C stopped the search."""
    with _solver(server) as solver:
        find = solver.solve
        with _Interrupt() as interrupt, _searching() as show:
            return _find(find, position, deadline, interrupt, show)


def _find(
    find: Callable[..., Solution],
    position: Position,
    deadline: float | None,
    interrupt: _Interrupt,
    show: Callable[[Solution], None],
) -> tuple[Solution, bool]:
    best: list[Solution] = []

    def improved(solution: Solution) -> None:
        best[:] = [solution]
        show(solution)

    try:
        return find(position, deadline=deadline, on_improvement=improved, cancelled=interrupt.came), False
    except Cancelled:
        if not best:
            raise
        return best[0], True


@commands.command(
    short_help="Say what drawn routes earn, or why they are not legal.",
    epilog=_example(
        """
trunkline evaluate position.json --route 0:D3-E4-F5-F1-F5-G8
trunkline evaluate position.json --route "0:D23 city 1-E22-G16" --route 1:G8-H11
trunkline evaluate position.json --routes solution.json"""
    ),
)
@click.argument("file", metavar="FILE|-")
@click.option(
    "--route",
    "drawn",
    metavar="TRAIN:STOP-STOP-…",
    multiple=True,
    help="The run of a train (its number in the position, from 0): all hexes in order, or only those with stops. "
    'A stop is a hex, or "D23 city 1" where it has several. Repeatable.',
)
@click.option("--routes", metavar="JSON", help="A file with routes, or with a solution, whose routes are taken.")
@click.option("--json", "as_json", is_flag=True, help="Print the evaluation as JSON.")
@click.option("--draw", metavar="SVG", help="Draw the board with the routes, if legal, into this file.")
@_server_option
def evaluate(
    file: str, drawn: tuple[str, ...], routes: str | None, as_json: bool, draw: str | None, server: Servers
) -> int:
    """Say what drawn routes earn, or every reason why they are not legal (exit code 1).

    FILE is a position, or {"position": …, "routes": …}.
    """
    distinct(draw, file, routes)
    position, evaluation = _evaluate(file, drawn, routes, server)
    if as_json:
        from trunkline.solver.wire import evaluation_to_json

        click.echo(evaluation_to_json(evaluation))
    else:
        from trunkline.solver.cli.report import evaluation_report

        _console().print(evaluation_report(position, evaluation))
    if draw and evaluation.legal:
        from trunkline.solver.draw import draw as draw_board

        _write(draw, draw_board(position.board, evaluation.routes, company=position.company))
    return 0 if evaluation.legal else EXIT_NOT_LEGAL


def _evaluate(file: str, drawn: tuple[str, ...], routes: str | None, server: Servers) -> tuple[Position, Evaluation]:
    from trunkline.solver.wire import question_from_json, routes_from_json

    position, asked = question_from_json(_read(file))
    asked += tuple(_route(text) for text in drawn)
    if routes:
        asked += routes_from_json(_read(routes))
    with _solver(server) as solver:
        return position, solver.evaluate(position, asked)


def _route(text: str) -> DrawnRoute:
    from trunkline.solver.board import DrawnRoute
    from trunkline.solver.wire import waypoint

    train, colon, run = text.partition(":")
    stops = [s.strip() for s in run.split("," if "," in run else "-")]
    if not colon or not (train.isascii() and train.isdigit() and len(train) < 4) or not all(stops):
        raise click.UsageError(f"--route {text!r} is not of the form TRAIN:STOP-STOP-…, such as 0:D3-E4-F5")
    return DrawnRoute(int(train), tuple(map(waypoint, stops)))


@commands.command(short_help="Draw a board as SVG.", epilog=_example("trunkline draw position.json -o board.svg"))
@click.argument("file", metavar="FILE|-")
@click.option("--output", "-o", metavar="SVG", required=True, help="The file to write; - for standard output.")
@click.option("--route", "drawn", metavar="TRAIN:STOP-STOP-…", multiple=True, help="A run to draw, as in `evaluate`.")
@click.option("--routes", metavar="JSON", help="A file with routes or a solution to draw, as in `evaluate`.")
@click.option("--width", type=click.IntRange(100, 20_000), default=1200, show_default=True, help="Pixels.")
def draw(file: str, output: str, drawn: tuple[str, ...], routes: str | None, width: int) -> int:
    """Draw the board of a position as an SVG file, with routes if any are given."""
    from trunkline.solver.draw import draw as draw_board

    distinct(output, file, routes)
    position, evaluation = _evaluate(file, drawn, routes, Servers(())) if drawn or routes else (_position(file), None)
    if evaluation and not evaluation.legal:
        from trunkline.solver.cli.report import evaluation_report

        _console(stderr=True).print(evaluation_report(position, evaluation))
        return EXIT_NOT_LEGAL
    picture = draw_board(position.board, evaluation.routes if evaluation else (), company=position.company, width=width)
    _write(output, picture)
    return 0


def _position(file: str) -> Position:
    from trunkline.solver.wire import question_from_json

    return question_from_json(_read(file))[0]


# --- titles ------------------------------------------------------------------------------------------------------


@commands.command(
    cls=WithConvert,
    short_help="List or describe the titles, or make a folder of one.",
    epilog=_example(
        """
trunkline titles
trunkline titles 18India --json
trunkline titles convert 1889.json"""
    ),
)
@click.argument("name", required=False, metavar="[NAME | convert FILE]")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@_server_option
def titles(name: str | None, as_json: bool, server: Servers) -> int:
    """List the titles, or describe one: companies, trains, tiles, bonuses, rule switches.

    `trunkline titles convert --help`: make the folder of a title from a dump of it.
    """
    import json

    known = _described if not server else _described_by(server)
    if name is None:
        ids = known(None)
        click.echo(json.dumps({"titles": ids}) if as_json else "\n".join(ids))
        return 0
    described = known(name)
    if as_json:
        click.echo(json.dumps(described, indent=2, ensure_ascii=False))
    else:
        from trunkline.solver.cli.report import title_report

        _console().print(title_report(described))
    return 0


def _described(name: str | None) -> Any:
    from trunkline.solver.board import title_ids as known
    from trunkline.solver.wire import to_dict
    from trunkline.solver.wire.describe import COLLECTION, title_by_name

    return list(known()) if name is None else to_dict(title_by_name(COLLECTION + name), False)


def _described_by(server: Servers) -> Callable[[str | None], Any]:
    def ask(name: str | None) -> Any:
        with server.client() as client:
            return list(client.titles()) if name is None else client.describe(name)

    return ask


# --- batch -------------------------------------------------------------------------------------------------------


@commands.command(
    short_help="Solve many positions.", epilog=_example("trunkline batch positions.jsonl -o solutions.jsonl")
)
@click.argument("file", metavar="FILE.jsonl|-")
@click.option("--output", "-o", metavar="FILE", default="-", help="Where to write; by default to standard output.")
@click.option("--workers", type=click.IntRange(1, 256), help="Processes to work with; by default one for each core.")
@_ask_options
@_server_option
def batch(
    file: str,
    output: str,
    workers: int | None,
    deadline: float | None,
    rules: str,
    switches: tuple[tuple[str, bool], ...],
    server: Servers,
) -> int:
    """Solve many positions, one a line, and print one line of JSON for each, in order.

    A line is {"line": 1, "solution": …} or {"line": 2, "error": …, "faults": […]}. Blank lines are passed over. The
    deadline holds for each position. A bar shows how far it is; lines with errors are told on standard error too.
    """
    from trunkline.solver.cli.batch import Ask

    ask = Ask(deadline, rules, switches)
    counts = {"solved": 0, "proven": 0, "failed": 0}
    distinct(output, file)
    ended: TrunklineError | None = None
    with _opened(file) as source, _output(output) as target:
        try:
            _run_batch(source, target, ask, workers, server, counts)
        except KeyboardInterrupt:
            counts["stopped"] = 1
        except TrunklineError as e:  # what is answered is kept
            if not any(counts.values()):
                raise
            ended = e
    if ended:
        raise ended
    solved, proven, failed = counts["solved"], counts["proven"], counts["failed"]
    click.echo(f"{solved} solved, {proven} of them proven, {failed} with errors", err=True)
    if "stopped" in counts:
        return EXIT_STOPPED
    return EXIT_NOT_LEGAL if failed else 0


def _run_batch(
    source: IO[bytes],
    target: IO[str],
    ask: Ask,
    workers: int | None,
    server: Servers,
    counts: dict[str, int],
) -> None:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from trunkline.solver.cli.batch import Failure

    numbers: list[int] = []
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = _console(stderr=True)
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar, ExitStack() as stack:
        task = bar.add_task("solving", total=_count(source))
        answers = stack.enter_context(closing(_answers(_numbered(source, numbers), ask, workers, server)))
        for i, answer in enumerate(answers):
            line = numbers[i]
            target.write(_answer_line(line, answer) + "\n")
            if isinstance(answer, Failure):
                counts["failed"] += 1
                console.print(f"line {line}: {answer.message}", style="red", markup=False, highlight=False)
            else:
                counts["solved"] += 1
                counts["proven"] += answer.optimal
            bar.advance(task)


def _answers(lines: Iterator[bytes], ask: Ask, workers: int | None, server: Servers) -> Generator[Solution | Failure]:
    from trunkline.solver.cli.batch import solve_here, solve_there

    if server:
        with server.client() as client:
            yield from solve_there(lines, ask, client)
    else:
        from trunkline.solver.service.pool import cores

        yield from solve_here(lines, ask, workers or cores())


def _count(source: IO[bytes]) -> int | None:
    """Lines of a file that are not blank; None where it cannot be read twice."""
    if not source.seekable():
        return None
    total = sum(1 for _ in _numbered(source, []))
    source.seek(0)
    return total


def _numbered(source: IO[bytes], numbers: list[int]) -> Iterator[bytes]:
    """Lines that are not blank; ``numbers`` gets the number of each. Of a line that is too long only so much."""
    from trunkline.solver.wire import MAX_TEXT

    number = 0
    while line := source.readline(MAX_TEXT + 1):
        number += 1
        rest = line
        while not rest.endswith(b"\n") and (rest := source.readline(1 << 20)):
            pass
        if not line.isspace() or len(line) > MAX_TEXT:
            numbers.append(number)
            yield line


def _answer_line(number: int, answer: Solution | Failure) -> str:
    import json

    from trunkline.solver.cli.batch import Failure
    from trunkline.solver.wire import solution_to_dict

    if not isinstance(answer, Failure):
        return json.dumps({"line": number, "solution": solution_to_dict(answer)}, ensure_ascii=False)
    faults = [{"field": f.field, "message": f.message} for f in answer.faults]
    return json.dumps({"line": number, "error": answer.message, "faults": faults}, ensure_ascii=False)


# --- serve -------------------------------------------------------------------------------------------------------


def _services() -> list[Callable[..., Any]]:
    """What other packages serve beside the solver: entry points ``trunkline.services``, with options of their own.

    Called with the values of its options each gives an ``Addition`` for the server.
    """
    return [e.load() for e in sorted(entry_points(group="trunkline.services"))]


def _options_of(service: Callable[..., Any]) -> list[click.Parameter]:
    return list(reversed(getattr(service, "__click_params__", [])))


class _Serve(click.Command):
    """``serve``, with the options of the services that are added."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Own parameters, those of the services, then --help."""
        *own, help_ = super().get_params(ctx)
        return [*own, *(option for service in _services() for option in _options_of(service)), help_]


@commands.command(
    cls=_Serve, short_help="Serve the solver over gRPC.", epilog=_example("trunkline serve --host 0.0.0.0 --port 50051")
)
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=50051, show_default=True, help="0 takes a free one.")
@click.option("--workers", type=click.IntRange(1, 256), help="Worker processes; by default one for each core.")
@click.option(
    "--max-queue", type=click.IntRange(0, 100_000), default=64, show_default=True, help="Requests that may wait."
)
@click.option(
    "--max-message-bytes",
    type=click.IntRange(1000, 1 << 30),
    default=1 << 20,
    show_default=True,
    help="Largest request.",
)
@click.option(
    "--max-search-seconds", type=click.FloatRange(0), default=300, show_default=True, help="Most a search may take."
)
@click.option(
    "--max-worker-bytes",
    type=click.IntRange(0),
    default=1 << 30,
    show_default=True,
    help="Most memory of a worker process; 0 for no limit.",
)
@click.option(
    "--drain-seconds", type=click.FloatRange(0, 3600), default=30, show_default=True, help="Time to end on SIGTERM."
)
@click.option(
    "--tls-cert",
    callback=_not_empty,
    metavar="PEM",
    help="Encrypt, with this certificate (and those that vouch for it),",
)
@click.option("--tls-key", callback=_not_empty, metavar="PEM", help="of which this is the private key.")
@click.option(
    "--tls-client-ca", callback=_not_empty, metavar="PEM", help="Only clients with a certificate of these authorities."
)
def serve(
    host: str,
    port: int,
    workers: int | None,
    max_queue: int,
    max_message_bytes: int,
    max_search_seconds: float,
    max_worker_bytes: int,
    drain_seconds: float,
    tls_cert: str | None,
    tls_key: str | None,
    tls_client_ca: str | None,
    **others: Any,
) -> int:
    """Serve the solver over gRPC (trunkline.v1.SolverService) until SIGTERM or Ctrl-C, and what is installed beside it.

    With health checking and reflection. On SIGTERM running requests end, new ones are refused. Without --tls-cert
    there is no encryption. There is no login: where strangers can reach it, use --tls-client-ca, or put a proxy in
    front.
    """
    import asyncio
    import logging

    from trunkline.solver.service.pool import cores
    from trunkline.solver.service.server import Server, Settings
    from trunkline.solver.service.server import serve as serve_until_signal
    from trunkline.solver.service.tls import Tls

    logging.basicConfig(format="%(asctime)s %(levelname)s %(name)s: %(message)s", level=logging.INFO)
    if bool(tls_cert) != bool(tls_key) or (tls_client_ca and not tls_cert):
        raise click.UsageError("TLS needs both --tls-cert and --tls-key")
    tls = Tls(tls_client_ca or "", tls_cert, tls_key) if tls_cert and tls_key else None
    begin = time.monotonic()
    additions = [add(**{o.name: others[o.name] for o in _options_of(add) if o.name}) for add in _services()]

    def started(server: Server) -> None:
        seconds = time.monotonic() - begin
        name = f"[{host}]" if ":" in host else host
        click.echo(
            f"serving on {name}:{server.port} with {server.settings.workers} workers, warm after {seconds:.1f} s"
            f"{', TLS' if tls else ''}"
        )

    async def run() -> None:
        settings = Settings(
            host=host,
            port=port,
            workers=workers or cores(),
            max_queue=max_queue,
            max_message_bytes=max_message_bytes,
            max_search_seconds=max_search_seconds,
            max_worker_bytes=max_worker_bytes,
            drain_seconds=drain_seconds,
            tls=tls,
        )
        await serve_until_signal(Server(settings, additions=additions), started)

    asyncio.run(run())
    return 0


# --- files, servers, signals -------------------------------------------------------------------------------------


class _Here:
    """The solver in this process."""

    @property
    def solve(self) -> Callable[..., Solution]:
        from trunkline.solver import solve, warm_up

        with _telling_of_compilation():
            warm_up()  # outside of the time that is told, of the deadline, and of the first Ctrl-C
        return solve

    @property
    def evaluate(self) -> Callable[[Position, Sequence[DrawnRoute]], Evaluation]:
        from trunkline.solver import evaluate

        return evaluate

    def __enter__(self) -> _Here:
        return self

    def __exit__(self, *_: object) -> None:
        pass


def _solver(server: Servers) -> _Here | Client:
    return server.client() if server else _Here()


def _read(file: str) -> bytes:
    from trunkline.solver.wire import MAX_TEXT

    with _opened(file) as source:
        return source.read(MAX_TEXT + 1)


@contextmanager
def _opened(file: str) -> Iterator[IO[bytes]]:
    if file == "-":
        yield sys.stdin.buffer
    else:
        with Path(file).open("rb") as source:
            yield source


@contextmanager
def _output(file: str) -> Iterator[IO[str]]:
    if file == "-":
        yield sys.stdout
    else:
        with replacing(file) as target:
            yield target


def _write(file: str, text: str) -> None:
    with _output(file) as target:
        target.write(text)


def _console(stderr: bool = False) -> Console:
    from rich.console import Console

    return Console(stderr=stderr, highlight=False, soft_wrap=False)


@contextmanager
def _searching() -> Iterator[Callable[[Solution], None]]:
    """A line on a terminal that says how far the search is."""
    console = _console(stderr=True)
    if not console.is_terminal:
        yield lambda _: None
        return
    with console.status("searching; Ctrl-C gives the best found so far") as status:
        yield lambda s: status.update(f"best so far {s.total}, at most {s.upper_bound}; Ctrl-C gives it")


@contextmanager
def _telling_of_compilation() -> Iterator[None]:
    """Passes on what the log says when kernels are compiled, at the very first use."""
    import logging

    class Handler(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            _say(0, record.getMessage())

    log, handler = logging.getLogger("trunkline.solver.search.kernel"), Handler()
    before = log.level
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    try:
        yield
    finally:
        log.removeHandler(handler)
        log.setLevel(before)


class _Interrupt:
    """Within it the first Ctrl-C is only noted; a second one ends the program."""

    def __init__(self) -> None:
        self._came = False

    def came(self) -> bool:
        """Whether Ctrl-C was pressed."""
        return self._came

    def _note(self, _number: int, _frame: FrameType | None) -> None:
        if self._came:
            raise KeyboardInterrupt
        self._came = True

    def __enter__(self) -> _Interrupt:
        self._before = signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(self, *_: object) -> None:
        signal.signal(signal.SIGINT, self._before)


# --- the program -------------------------------------------------------------------------------------------------


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit."""
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; gives the exit code."""
    try:
        code = commands.main(arguments, prog_name="trunkline", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except click.exceptions.Exit as e:
        return e.exit_code
    except click.ClickException as e:
        e.show()
        return EXIT_USAGE
    except (Cancelled, KeyboardInterrupt, click.Abort):
        return _say(EXIT_STOPPED, "stopped before anything was found")
    except PositionError as e:
        shown = [str(v) for v in e.faults[:20]]
        rest = len(e.faults) - len(shown)
        return _say(EXIT_INPUT, *shown, *([f"and {rest} more"] if rest else []))
    except TrunklineError as e:
        from trunkline.solver.errors import CheckError
        from trunkline.solver.wire.status import ServiceError

        if isinstance(e, CheckError):
            return _say(EXIT_FAULT, f"a fault in trunkline itself: its own answer is not legal: {e}")

        return _say(EXIT_SERVER if isinstance(e, ServiceError) else EXIT_INPUT, str(e))
    except OSError as e:
        if e.errno == errno.EPIPE:  # who reads has had enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 0
        return _say(EXIT_INPUT, f"{e.filename}: {e.strerror}" if e.filename else str(e))
    except Exception as e:
        if os.environ.get("TRUNKLINE_DEBUG"):
            raise
        return _say(EXIT_FAULT, f"a fault in trunkline itself, {type(e).__name__}: {e}; TRUNKLINE_DEBUG=1 shows more")


def _say(code: int, *lines: str) -> int:
    for line in lines:
        click.echo(f"trunkline: {line if len(line) <= 500 else line[:497] + '...'}", err=True)
    return code


if __name__ == "__main__":
    main()
