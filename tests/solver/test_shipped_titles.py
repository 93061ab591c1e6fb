"""Titles that ship: recorded runs of each, asked as thin positions (what was laid on the map), and their page."""

from __future__ import annotations

import gzip
import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests import brute
from trunkline import DrawnRoute, draw_solution, evaluate, get_title, position_from_json, solve, title_ids
from trunkline.solver import Track

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/titles.md").read_text(encoding="utf-8")
ELSEWHERE = {"18India"}
"""Titles whose records are in a file of their own, see test_recorded.py."""


@cache
def records() -> tuple[dict[str, Any], ...]:
    with gzip.open(ROOT / "tests/positions/titles.jsonl.gz", "rt", encoding="utf-8") as lines:
        return tuple(map(json.loads, lines))


def track(segment: list[str]) -> tuple[Track, ...]:
    return tuple(Track(hex_, int(path)) for hex_, path in map(str.split, segment))


@pytest.mark.parametrize("record", records(), ids=lambda r: r["id"])
def test_a_recorded_run_of_a_shipped_title_is_worth_what_it_paid(record):
    position = position_from_json(json.dumps(record["position"]))
    drawn = [DrawnRoute(r["train"], track=tuple(map(track, r["track"]))) for r in record["routes"]]
    found = evaluate(position, drawn)
    assert found.legal, found.faults
    assert found.total == record["revenue"]
    best = solve(position)
    assert best.optimal
    assert best.total >= record["revenue"]


@pytest.mark.parametrize("title_id", sorted({r["id"].split()[0] for r in records()}))
def test_brute_force_finds_the_same_on_a_record_of_each_title(title_id):
    record = min((r for r in records() if r["id"].split()[0] == title_id), key=lambda r: len(json.dumps(r)))
    position = position_from_json(json.dumps(record["position"]))
    solution = solve(position)
    assert solution.total == brute.best(position)
    assert draw_solution(position, solution).startswith("<svg")


def test_every_shipped_title_has_records():
    assert {r["id"].split()[0] for r in records()} | ELSEWHERE == set(title_ids())


@pytest.mark.parametrize("title_id", title_ids())
def test_every_shipped_title_names_its_designer_and_has_a_row_on_its_page(title_id):
    title = get_title(title_id)
    assert title.designers
    row = next(line for line in PAGE.splitlines() if line.startswith(f"| `{title_id}` |"))
    _, _, name, credit, runs, exact, _ = re.split(r" ?\| ?", row, maxsplit=6)
    assert name == title.name
    assert credit == "; ".join(filter(None, (", ".join(title.designers), title.publisher)))
    assert int(exact) <= int(runs)
