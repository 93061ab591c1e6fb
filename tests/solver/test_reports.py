"""Boards that once came out wrong, each with what is right: by the rules of its title, or what a recorded game paid."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import brute
from trunkline import position_from_json, solve

FOLDER = Path(__file__).parents[1] / "positions" / "reports"
RIGHT = {
    "4D-doubles-cities-not-towns": 150,
    "train-named-diesel": 60,
    "train-with-diesel-value": 100,
    "no-end-in-a-town": 0,
    "impassable-border": 0,
    "impassable-border-of-two": 0,
    "letters-are-rows": 50,
    "letters-are-rows-1882": 70,
    "pointy-sides": 60,
    "recorded-1830-26855-200": 60,
    "recorded-1830-29133-212": 120,
    "town-on-a-stem": 70,
    "town-on-a-stem-two-trains": 70,
}


@pytest.mark.parametrize("name", RIGHT)
def test_a_reported_board_comes_out_right(name):
    position = position_from_json((FOLDER / f"{name}.json").read_bytes())
    solution = solve(position)
    assert (solution.total, solution.optimal) == (RIGHT[name], True)
    assert brute.best(position) == RIGHT[name]


def test_every_report_has_its_value():
    assert {path.stem for path in FOLDER.glob("*.json")} == set(RIGHT)
