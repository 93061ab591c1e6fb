"""``python -m tests.records FILE.jsonl.gz …``: recorded runs of any title held against the solver."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from itertools import repeat
from pathlib import Path

import click
from rich.console import Console
from rich.progress import Progress, TimeElapsedColumn

from tests.records.compare import Outcome, Verdict, compare
from tests.records.reading import RecordError, lines, read
from tests.records.table import by_title, show, summary
from trunkline.solver import warm_up

CHUNK = 20
"""Runs that a process takes at once."""


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--seconds", default=1.0, show_default=True, type=click.FloatRange(0), help="Limit of each search.")
@click.option("--evaluate-only", is_flag=True, help="Do not search, only value the routes that were run.")
@click.option("--jobs", default=1, show_default=True, type=click.IntRange(1), help="Processes that work at once.")
@click.option("--most", default=3, show_default=True, type=click.IntRange(0), help="Runs named one by one of a kind.")
@click.option("--json", "as_json", is_flag=True, help="Print all as one JSON object.")
def main(files: Sequence[Path], seconds: float, evaluate_only: bool, jobs: int, most: int, as_json: bool) -> None:
    """Hold recorded runs against the solver.

    Each line of a FILE is one run of a company's trains: the whole board, the trains, the routes, and what they paid.
    The routes are evaluated and the best ones searched for. A table says for each title how many runs were accepted,
    in how many the routes are worth exactly what was paid and the search finds as much or more, how many answers are
    proven, and the longest search; then come all that differ, those of a kind in one line. The exit code is 1 if any
    does.

    \b
    Example:
        python -m tests.records --jobs 2 1830.jsonl.gz 1889.jsonl.gz
    """
    console = Console(stderr=True)
    work = [(file, text) for file in files for text in _chunks(file)]
    outcomes: list[Outcome] = []
    deadline = None if evaluate_only else seconds
    with Progress(*Progress.get_default_columns(), TimeElapsedColumn(), console=console, transient=True) as progress:
        task = progress.add_task("runs", total=sum(len(text) for _, text in work))
        for done in _work([text for _, text in work], deadline, jobs):
            outcomes += done
            progress.advance(task, len(done))
    if as_json:
        titles = [summary(title, of) for title, of in by_title(outcomes).items()]
        print(json.dumps({"titles": titles, "runs": [asdict(o) for o in outcomes]}, ensure_ascii=False))
    else:
        show(Console(), outcomes, most)
    sys.exit(any(o.verdict is not Verdict.EXACT for o in outcomes))


def _chunks(file: Path) -> Iterator[list[str]]:
    try:
        text = lines(file)
        for line in text:
            read(line)
    except (OSError, EOFError, UnicodeDecodeError, RecordError) as e:
        raise click.ClickException(f"{file}: {e}") from None
    for i in range(0, len(text), CHUNK):
        yield text[i : i + CHUNK]


def _work(chunks: Sequence[list[str]], deadline: float | None, jobs: int) -> Iterable[list[Outcome]]:
    # The first search of a process compiles the kernels or loads them: no time of a record.
    begin = warm_up if deadline is not None else int
    if jobs == 1:
        begin()
        yield from map(_compare_all, chunks, repeat(deadline))
        return
    with ProcessPoolExecutor(jobs, initializer=begin) as pool:
        yield from pool.map(_compare_all, chunks, repeat(deadline))


def _compare_all(text: Sequence[str], deadline: float | None) -> list[Outcome]:
    return [compare(read(line), deadline) for line in text]


if __name__ == "__main__":
    main()
