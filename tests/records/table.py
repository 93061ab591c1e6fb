"""What came of many runs, as a table by title and a list of all that differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from tests.records.compare import Outcome, Verdict

Row = dict[str, str | int | float | None]


def by_title(outcomes: Sequence[Outcome]) -> dict[str, list[Outcome]]:
    """The outcomes of each title, in the order of the titles' names."""
    found: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        found.setdefault(outcome.title, []).append(outcome)
    return dict(sorted(found.items()))


def summary(title: str, outcomes: Sequence[Outcome]) -> Row:
    """The figures of a title; those of the search are None where nothing was searched."""
    searched = [o for o in outcomes if o.solved is not None]
    return {
        "title": title,
        "runs": len(outcomes),
        "accepted": sum(o.accepted for o in outcomes),
        "exact": sum(o.evaluated == o.paid for o in outcomes),
        "reached": sum(o.solved is not None and o.solved >= o.paid for o in searched) if searched else None,
        "proven": sum(bool(o.proven) for o in searched) if searched else None,
        "worst": round(max(o.seconds or 0 for o in searched), 3) if searched else None,
        "differ": sum(o.verdict is not Verdict.EXACT for o in outcomes),
    }


def show(console: Console, outcomes: Sequence[Outcome], most: int) -> None:
    """Print the table and what differs; of runs that differ in one way, ``most`` at most are named."""
    table = Table(title="Recorded runs", box=SIMPLE_HEAD)
    table.add_column("title", no_wrap=True)
    for head in ("runs", "accepted", "exact", "≥ paid", "proven", "worst s", "differ"):
        table.add_column(head, justify="right")
    rows = [summary(title, of) for title, of in by_title(outcomes).items()]
    if len(rows) > 1:
        rows.append(summary("all", outcomes))
    for row in rows:
        table.add_row(*["" if v is None else str(v) for v in row.values()])
    console.print(table)
    for line in differences(outcomes, most):
        console.print(line, markup=False, highlight=False, soft_wrap=True)


def differences(outcomes: Sequence[Outcome], most: int) -> Iterator[str]:
    """A line for each run that differs, or for all that differ in one way where they are more than ``most``."""
    for title, of in by_title(outcomes).items():
        alike: dict[tuple[Verdict, str], list[Outcome]] = {}
        for outcome in of:
            for kind in outcome.kinds:
                alike.setdefault((outcome.verdict, kind), []).append(outcome)
        for (verdict, kind), some in sorted(alike.items(), key=lambda x: (-len(x[1]), x[0])):
            if len(some) > most:
                yield f"{title}: {len(some)} runs {verdict}: {kind} (first {some[0].id})"
            else:
                yield from (f"{title}: {o.id} {o.verdict}: {'; '.join(o.reasons)}{_figures(o)}" for o in some)
        rich = [o for o in of if o.otherwise is not None]
        if rich:
            first = rich[0]
            text = f"{first.evaluated} as the record says, {first.otherwise} by its hexes alone"
            yield f"{title}: {len(rich)} runs can be read as worth more, the first {first.id}: {text}"


def _figures(o: Outcome) -> str:
    known = {"paid": o.paid, "evaluated": o.evaluated, "solved": o.solved, "bound": o.bound}
    return f" ({', '.join(f'{name} {value}' for name, value in known.items() if value is not None)})"
