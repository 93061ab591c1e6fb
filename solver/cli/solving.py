"""The commands ``solve``, ``evaluate`` and ``draw``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from trunkline.solver.cli.exits import EXIT_NOT_LEGAL, EXIT_STOPPED, example
from trunkline.solver.cli.files import console, read, write
from trunkline.solver.cli.local import Interrupt, searching, solver_for
from trunkline.solver.cli.options import Servers, ask_options, server_option
from trunkline.solver.cli.output import distinct
from trunkline.solver.errors import Cancelled

if TYPE_CHECKING:
    from trunkline.solver.board import DrawnRoute, Evaluation, Position, Solution


@click.command(
    short_help="Find the best routes of a company.",
    epilog=example(
        """
trunkline solve position.json --draw routes.svg
cat position.json | trunkline solve - --json --deadline 2"""
    ),
)
@click.argument("file", metavar="FILE|-")
@click.option("--json", "as_json", is_flag=True, help="Print the solution as JSON.")
@click.option("--draw", metavar="SVG", help="Draw the board with the routes into this file.")
@ask_options
@server_option
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
    position = Ask(rule_set=rules, switches=switches).position(read(file))
    solution, stopped = _solve(position, deadline, server)
    if as_json:
        from trunkline.solver.wire import solution_to_json

        click.echo(solution_to_json(solution))
    else:
        from trunkline.solver.cli.report import solution_report

        console().print(solution_report(position, solution))
    if draw:
        from trunkline.solver.draw import draw_solution

        write(draw, draw_solution(position, solution))
    return EXIT_STOPPED if stopped else 0


def _solve(position: Position, deadline: float | None, server: Servers) -> tuple[Solution, bool]:
    """The solution, and whether Ctrl-C stopped the search."""
    with solver_for(server) as solver:
        find = solver.solve
        with Interrupt() as interrupt, searching() as show:
            return _find(find, position, deadline, interrupt, show)


def _find(
    find: Callable[..., Solution],
    position: Position,
    deadline: float | None,
    interrupt: Interrupt,
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


@click.command(
    short_help="Say what drawn routes earn, or why they are not legal.",
    epilog=example(
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
@server_option
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

        console().print(evaluation_report(position, evaluation))
    if draw and evaluation.legal:
        from trunkline.solver.draw import draw as draw_board

        write(draw, draw_board(position.board, evaluation.routes, company=position.company))
    return 0 if evaluation.legal else EXIT_NOT_LEGAL


def _evaluate(file: str, drawn: tuple[str, ...], routes: str | None, server: Servers) -> tuple[Position, Evaluation]:
    from trunkline.solver.wire import question_from_json, routes_from_json

    position, asked = question_from_json(read(file))
    asked += tuple(_route(text) for text in drawn)
    if routes:
        asked += routes_from_json(read(routes))
    with solver_for(server) as solver:
        return position, solver.evaluate(position, asked)


def _route(text: str) -> DrawnRoute:
    from trunkline.solver.board import DrawnRoute
    from trunkline.solver.wire import waypoint

    train, colon, run = text.partition(":")
    stops = [s.strip() for s in run.split("," if "," in run else "-")]
    if not colon or not (train.isascii() and train.isdigit() and len(train) < 4) or not all(stops):
        raise click.UsageError(f"--route {text!r} is not of the form TRAIN:STOP-STOP-…, such as 0:D3-E4-F5")
    return DrawnRoute(int(train), tuple(map(waypoint, stops)))


@click.command(short_help="Draw a board as SVG.", epilog=example("trunkline draw position.json -o board.svg"))
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

        console(stderr=True).print(evaluation_report(position, evaluation))
        return EXIT_NOT_LEGAL
    picture = draw_board(position.board, evaluation.routes if evaluation else (), company=position.company, width=width)
    write(output, picture)
    return 0


def _position(file: str) -> Position:
    from trunkline.solver.wire import question_from_json

    return question_from_json(read(file))[0]
