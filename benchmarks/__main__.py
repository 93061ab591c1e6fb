"""The command ``python -m benchmarks``."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TypeVar

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TaskProgressColumn, TextColumn, TimeElapsedColumn

try:
    from benchmarks import history, plots, report
    from benchmarks.measure import Findings, Track, Value, machine, silent
    from benchmarks.plan import FULL, QUICK, Plan
    from benchmarks.targets import verdicts
except ModuleNotFoundError as e:
    sys.exit(f"the benchmarks need {e.name}: pip install '.[benchmark]'")

SECTIONS: Mapping[str, str] = {
    "positions": "recorded positions, part by part, beside plain Python",
    "service": "gRPC overhead, throughput of one and two cores",
    "start": "cold start, kernels cached and never compiled",
    "memory": "a server warm and at the hardest boards",
    "growth": "from an empty board to every tile laid, beside plain Python",
    "play": "the engine: random games, loading games, legal actions",
}
DEFAULT_OUT = Path(__file__).parent / "results"
_T = TypeVar("_T")


def measure(
    plan: Plan,
    out: Path,
    sections: Sequence[str] = tuple(SECTIONS),
    console: Console | None = None,
    track: Track = silent,
) -> list[Findings]:
    """Run sections, then print (where there is a console) and write tables, samples and plots to ``out``."""
    out.mkdir(parents=True, exist_ok=True)
    facts: dict[str, Value] = machine()
    start = time.perf_counter()
    findings: list[Findings] = []
    for name in sections:
        begun = time.perf_counter()
        findings.append(import_module(f"benchmarks.{name}").run(plan, track))
        facts[f"seconds for {name}"] = round(time.perf_counter() - begun, 1)
    facts["seconds in all"] = round(time.perf_counter() - start, 1)
    facts["load when done"] = round(os.getloadavg()[0], 1)
    earlier = history.read(out / history.NAME)
    tables = [verdicts(findings), *(table for f in findings for table in f.tables)]
    if earlier:
        tables.insert(1, history.compared(earlier, findings))
    history.add(out / history.NAME, facts, findings)
    drawn = plots.draw({name: rows for f in findings for name, rows in f.samples.items()}, out)
    report.write(out, facts, tables, findings, drawn)
    if console is not None:
        for table in [*tables[1:], tables[0]]:
            report.print_table(console, table)
    return findings


@click.command(epilog="Sections: " + "; ".join(f"{name}: {what}" for name, what in SECTIONS.items()) + ".")
@click.option("--quick", is_flag=True, help="Fewer rounds and boards: about two minutes instead of under ten.")
@click.option("--only", multiple=True, type=click.Choice(list(SECTIONS)), help="This section; give several for more.")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=DEFAULT_OUT,
    show_default="benchmarks/results",
    help="Folder for report.md, report.json, CSV files, plots, and history.jsonl with the figures of every run.",
)
def main(quick: bool, only: tuple[str, ...], out: Path) -> None:
    """Measure speed, memory and growth; print the tables and write them, with plots, to a folder."""
    console = Console()
    if not console.is_terminal:
        console = Console(width=140)
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console) as progress:

        def track(things: Sequence[_T], what: str) -> Iterator[_T]:
            yield from progress.track(things, description=what)

        measure(QUICK if quick else FULL, out, only or tuple(SECTIONS), console, track)
    console.print(f"written to {out}: report.md, report.json, history.jsonl, CSV files, plots as PNG and SVG")


if __name__ == "__main__":
    main()
