"""Figures kept from run to run: a line of JSON for each, so that a change can be compared with what was before it.

The file lies beside the reports (``history.jsonl``) and is only ever added to. A line: ``date``, ``commit`` (with ``+``
where the tree had changes that are not committed), ``machine``, and ``figures`` and ``cpu`` as in ``report.json``.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.measure import Findings, Row, Table, Value
from benchmarks.targets import TARGETS

NAME = "history.jsonl"


def commit() -> str:
    """The commit that is checked out, ``+`` after it if files differ from it; empty outside a checkout."""

    def git(*arguments: str) -> str:
        folder = Path(__file__).parent
        return subprocess.run(
            ["git", *arguments], cwd=folder, capture_output=True, text=True, check=True
        ).stdout.strip()

    try:
        return git("rev-parse", "--short=10", "HEAD") + ("+" if git("status", "--porcelain", "-uno") else "")
    except (OSError, subprocess.CalledProcessError):
        return ""


def read(file: Path) -> list[dict[str, Any]]:
    """The runs of a history, the oldest first; a line that is no JSON object (a run cut short) is passed over."""
    if not file.exists():
        return []
    runs = []
    for line in file.read_text(encoding="utf-8").splitlines():
        try:
            run = json.loads(line)
        except json.JSONDecodeError:
            continue
        if isinstance(run, dict) and isinstance(run.get("figures"), dict):
            runs.append(run)
    return runs


def add(file: Path, facts: Mapping[str, Value], findings: Sequence[Findings]) -> None:
    """Write a line for this run after those that are there."""
    run = {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "commit": commit(),
        "machine": dict(facts),
        "figures": {key: value for f in findings for key, value in f.figures.items()},
        "cpu": {key: value for f in findings for key, value in f.cpu.items()},
    }
    with file.open("a", encoding="utf-8") as lines:
        lines.write(json.dumps(run, ensure_ascii=False) + "\n")


def compared(runs: Sequence[Mapping[str, Any]], findings: Sequence[Findings]) -> Table:
    """What is measured now beside the newest earlier run that measured the same."""
    rows: list[Row] = []
    for key, now in ((key, value) for f in findings for key, value in f.figures.items()):
        before = next((run for run in reversed(runs) if run["figures"].get(key)), None)
        if before is not None:
            old = before["figures"][key]
            rows.append((TARGETS[key].measure, TARGETS[key].unit, old, now, now / old, before.get("commit") or "?"))
    note = "Runs at different times on one machine: below some tens of per cent a difference says nothing."
    return Table("Before and now", ("measure", "unit", "before", "now", "now / before", "commit before"), rows, note)
