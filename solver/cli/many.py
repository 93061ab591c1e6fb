"""The command ``batch``: many positions, one a line, with a bar that shows how far it is."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import ExitStack, closing
from typing import IO, TYPE_CHECKING

import click

from trunkline.solver.cli.exits import EXIT_NOT_LEGAL, EXIT_STOPPED, example
from trunkline.solver.cli.files import console, opened, output_to
from trunkline.solver.cli.options import Servers, ask_options, server_option
from trunkline.solver.cli.output import distinct
from trunkline.solver.errors import TrunklineError

if TYPE_CHECKING:
    from trunkline.solver.board import Solution
    from trunkline.solver.cli.batch import Ask, Failure


@click.command(short_help="Solve many positions.", epilog=example("trunkline batch positions.jsonl -o solutions.jsonl"))
@click.argument("file", metavar="FILE.jsonl|-")
@click.option("--output", "-o", metavar="FILE", default="-", help="Where to write; by default to standard output.")
@click.option("--workers", type=click.IntRange(1, 256), help="Processes to work with; by default one for each core.")
@ask_options
@server_option
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
    with opened(file) as source, output_to(output) as target:
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
    terminal = console(stderr=True)
    with Progress(*columns, console=terminal, disable=not terminal.is_terminal) as bar, ExitStack() as stack:
        task = bar.add_task("solving", total=_count(source))
        answers = stack.enter_context(closing(_answers(_numbered(source, numbers), ask, workers, server)))
        for i, answer in enumerate(answers):
            line = numbers[i]
            target.write(_answer_line(line, answer) + "\n")
            if isinstance(answer, Failure):
                counts["failed"] += 1
                terminal.print(f"line {line}: {answer.message}", style="red", markup=False, highlight=False)
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
