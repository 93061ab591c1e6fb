"""Recorded runs (tests/positions): what was paid is reproduced, and the solver finds no less and no more than there is.

Three independent ways must agree: `evaluate` on the routes that were run, `solve`, and the brute-force solver of the
tests. The routes are what players chose: legal, not always best; how many could have earned more is stated here.
"""

from __future__ import annotations

from functools import cache

import pytest

from tests import brute
from tests.positions import FILES, Recorded, recorded
from trunkline.solver import DrawnRoute, Position, Route, solve
from trunkline.solver.check import evaluate
from trunkline.solver.wire import position_from_json, position_to_json

ALL = [r for name in FILES for r in recorded(name)]
LEGAL = [r for r in ALL if not r.illegal]
IDS = [r.id for r in LEGAL]

BETTER = {"18India": (13, 940), "1889": (5, 110), "18Chesapeake": (31, 1710)}
"""How many recorded runs were not the best, and by how much in all."""


def test_the_files_hold_all_recorded_runs():
    assert {name: len(recorded(name)) for name in FILES} == {"18India": 71, "1889": 80, "18Chesapeake": 95}
    assert len(LEGAL) == len(ALL) - 1


@pytest.mark.parametrize("record", ALL, ids=[r.id for r in ALL])
def test_the_position_is_the_same_read_in_two_ways_and_after_writing(record: Recorded):
    assert position_from_json(record.text) == record.position
    assert position_from_json(position_to_json(record.position)) == record.position


@pytest.mark.parametrize("record", LEGAL, ids=IDS)
def test_evaluate_gives_what_was_paid(record: Recorded):
    position = record.position
    e = evaluate(position, [DrawnRoute(r.train, r.waypoints) for r in record.routes])
    assert not e.faults
    assert e.total == record.revenue
    assert [r.revenue for r in e.routes] == [r.revenue for r in record.routes]
    for route, ran in zip(e.routes, record.routes, strict=True):
        if ran.stops:
            assert route.stops in (ran.stops, ran.stops[::-1])
        if ran.breakdown:
            assert _breakdown(position, route) == dict(ran.breakdown)


def _breakdown(position: Position, route: Route) -> dict[str, int]:
    """The revenue lines in the site's terms: a variable city's base has M = 20, both parts are multiplied."""
    amount = dict.fromkeys(("stop", "variable", "multiplier", "connection", "commodity"), 0)
    for line in route.lines:
        amount[line.kind] += line.amount
    least = position.board.title.variable_minimum * sum(line.kind == "variable" for line in route.lines)
    times = position.trains[route.train].multiplier
    return {
        "base": times * (amount["stop"] + least),
        "variable_city_revenue": times * (amount["variable"] - least),
        "connection_bonus": amount["connection"],
        "commodity_bonus": amount["commodity"],
        "border_crossings": route.markers,
    }


@pytest.mark.parametrize("record", [r for r in LEGAL if all(q.stops for q in r.routes)], ids=lambda r: r.id)
def test_evaluate_given_only_the_stops_finds_the_route(record: Recorded):
    e = evaluate(record.position, [DrawnRoute(r.train, r.stops) for r in record.routes])
    assert not e.faults
    assert e.total >= record.revenue  # two stops may be joined in more than one way


@pytest.mark.parametrize("record", [r for r in ALL if r.illegal], ids=lambda r: r.id)
def test_a_run_that_the_site_once_let_pass_is_refused_with_its_hex(record: Recorded):
    """An early run of 1889 passes a city whose slots are all filled by others."""
    e = evaluate(record.position, [DrawnRoute(r.train, r.waypoints) for r in record.routes])
    assert not e.legal
    assert [record.illegal in f.message for f in e.faults] == [True]


@cache
def _truth(record: Recorded) -> tuple[int, tuple[frozenset[int], ...]]:
    """By brute force: the best total, and what each route that was run could earn (empty: not a legal route)."""
    position = record.position
    found = brute.every_run(position)
    ran = tuple(
        frozenset(
            x.revenue
            for x in found[position.trains[r.train]]
            if x.hexes in (r.waypoints, r.waypoints[::-1]) and (not r.stops or x.stops in (r.stops, r.stops[::-1]))
        )
        for r in record.routes
    )
    return brute.best_of(position, found), ran


@pytest.mark.parametrize("record", LEGAL, ids=IDS)
def test_brute_force_knows_every_route_that_was_run(record: Recorded):
    """The brute-force solver itself is held against the records: each route is found and earns what it was paid."""
    total, ran = _truth(record)
    assert [r.revenue in values for r, values in zip(record.routes, ran, strict=True)] == [True] * len(record.routes)
    assert total >= record.revenue


@pytest.mark.parametrize("name", FILES)
def test_how_many_recorded_runs_could_have_earned_more(name: str):
    gains = [_truth(r)[0] - r.revenue for r in recorded(name) if not r.illegal]
    assert (sum(g > 0 for g in gains), sum(gains)) == BETTER[name]


@pytest.mark.parametrize("record", LEGAL, ids=IDS)
def test_solve_is_proven_and_equals_brute_force_and_is_never_below_what_was_paid(record: Recorded):
    solution = solve(record.position)
    assert solution.optimal
    assert solution.upper_bound == solution.total == sum(r.revenue for r in solution.routes)
    assert solution.total == _truth(record)[0]
    assert solution.total >= record.revenue
