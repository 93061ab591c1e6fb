"""Findings as Markdown, JSON and CSV, and on the terminal."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table as RichTable

from benchmarks.measure import Findings, Row, Sample, Table, Value, shown


def print_table(console: Console, table: Table) -> None:
    """Show a table."""
    view = RichTable(title=table.title, title_justify="left", title_style="bold", caption_justify="left")
    for i, column in enumerate(table.columns):
        view.add_column(column, justify="left" if _is_text(table, i) else "right")
    for row in table.rows:
        view.add_row(*(shown(v).replace("**", "") for v in row))
    console.print(view)
    if table.note:
        console.print(table.note.replace("*", ""), style="dim")
    console.print()


def markdown(table: Table) -> str:
    """A table with its heading and note."""
    lines = [f"## {table.title}", ""]
    if table.note:
        lines += [table.note, ""]
    lines.append("| " + " | ".join(table.columns) + " |")
    lines.append("|" + "|".join("---" if _is_text(table, i) else "--:" for i in range(len(table.columns))) + "|")
    lines += ["| " + " | ".join(shown(v) for v in row) + " |" for row in table.rows]
    return "\n".join(lines) + "\n"


def _is_text(table: Table, column: int) -> bool:
    return any(isinstance(v, str) and not v.startswith("≥") for v in (row[column] for row in table.rows))


def write(
    out: Path, facts: Mapping[str, Value], tables: Sequence[Table], findings: Sequence[Findings], plots: Sequence[str]
) -> None:
    """Write ``report.md``, ``report.json`` and a CSV file for each set of samples."""
    rows: list[Row] = list(facts.items())
    machine = markdown(Table("Machine", ("", "value"), rows)).replace("## Machine", "## The machine")
    pictures = "".join(f"![{name}]({name}.svg)\n\n" for name in plots)
    text = "# Benchmarks\n\n" + "\n".join(markdown(t) for t in tables[:1])
    text += "\n" + pictures + "\n".join([*(markdown(t) for t in tables[1:]), machine])
    (out / "report.md").write_text(text, encoding="utf-8")
    samples = {name: rows for f in findings for name, rows in f.samples.items()}
    data = {
        "machine": dict(facts),
        "figures": {k: v for f in findings for k, v in f.figures.items()},
        "cpu": {k: v for f in findings for k, v in f.cpu.items()},
        "tables": [
            {"title": t.title, "note": t.note, "rows": [dict(zip(t.columns, row, strict=True)) for row in t.rows]}
            for t in tables
        ],
        "samples": samples,
    }
    (out / "report.json").write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    for name, found in samples.items():
        _write_csv(out / f"{name}.csv", found)


def _write_csv(path: Path, samples: Sequence[Sample]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(samples[0]) if samples else [])
        writer.writeheader()
        writer.writerows(samples)
