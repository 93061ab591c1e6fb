"""What maps of 18xx.games contain beside plain track: each named after its notation, with the run that shows it.

Boards are columns of hexes, A2, A4, ... from north to south: side 3 of a hex is north, side 0 south.
"""

from __future__ import annotations

import pytest

from tests import brute
from trunkline import Board, DrawnRoute, LaidTile, Position, PositionError, Token, evaluate, number_train, solve
from trunkline.solver import Train, Visits

CITY = "city=revenue:{};path=a:0,b:_0;path=a:3,b:_0"


def position(*codes: str, own: tuple[str, ...] = ("A2",), trains: tuple[Train, ...] = (), **board) -> Position:
    tiles = tuple(LaidTile(f"A{2 * i + 2}", "x", 0, code) for i, code in enumerate(codes))
    tiles += tuple(LaidTile(h, "x", 0, code) for h, code in board.pop("more", {}).items())
    tokens = tuple(Token("US", h) for h in own)
    return Position(Board(tiles=tiles, tokens=tokens, **board), "US", trains or (number_train("9", 9),))


def total(asked: Position) -> int:
    """What search, brute force and checker agree on."""
    found = solve(asked)
    assert found.optimal
    assert found.total == brute.best(asked)
    drawn = [DrawnRoute(route.train, track=route.track) for route in found.routes]
    assert evaluate(asked, drawn).total == found.total
    return found.total


def test_slots_0_is_a_city_that_every_route_ends_in():
    middle = "city=revenue:50,slots:0;path=a:0,b:_0;path=a:3,b:_0"
    assert total(position(CITY.format(10), middle, CITY.format(40))) == 60


def test_visit_cost_0_is_paid_and_counts_as_no_stop():
    free = "offboard=revenue:30,visit_cost:0;path=a:3,b:_0"
    assert total(position(CITY.format(10), CITY.format(20), free, trains=(number_train("2", 2),))) == 60


def test_visit_cost_2_counts_as_two_stops():
    double = "city=revenue:50,visit_cost:2;path=a:0,b:_0;path=a:3,b:_0"
    codes = CITY.format(10), double, CITY.format(40)
    assert total(position(*codes, trains=(number_train("2", 2),))) == 0
    assert total(position(*codes, trains=(number_train("3", 3),))) == 60
    assert total(position(*codes, trains=(number_train("4", 4),))) == 100


def test_visit_cost_99_is_never_visited():
    drawn = "offboard=revenue:30,visit_cost:99;path=a:3,b:_0"
    assert total(position(CITY.format(10), CITY.format(20), drawn, trains=(number_train("D", 999),))) == 30


def test_a_visit_cost_is_refused_for_trains_that_count_kinds_apart():
    rows = Train("1+1", (Visits(("city", "offboard"), 1, 1), Visits(("town",), 1, 1)))
    with pytest.raises(PositionError, match=r"trains\[0\].visits: A4 offboard 0 has a visit cost"):
        position(CITY.format(10), "offboard=revenue:30,visit_cost:0;path=a:3,b:_0", trains=(rows,))


def test_terminal_1_beside_other_track_is_the_first_or_last_of_a_route():
    """From the south the route goes on, from the north over terminal track it ends."""
    mixed = "city=revenue:30;path=a:3,b:_0,terminal:1;path=a:0,b:_0;path=a:4,b:_0"
    east = {"B3": "city=revenue:90;path=a:1,b:_0"}
    assert total(position(CITY.format(10), mixed, CITY.format(40), own=("A2",), more=east)) == 40
    assert total(position(CITY.format(10), mixed, CITY.format(40), own=("A6",), more=east)) == 160
    assert total(position(CITY.format(10), mixed, CITY.format(40), own=("A4",), more=east)) == 160
    two = (number_train("9", 9), number_train("2", 2))
    assert total(position(CITY.format(10), mixed, CITY.format(40), own=("A4",), more=east, trains=two)) == 200


def test_a_route_over_terminal_track_in_mid_run_is_refused_with_the_place():
    mixed = "city=revenue:30;path=a:3,b:_0,terminal:1;path=a:0,b:_0"
    asked = position(CITY.format(10), mixed, CITY.format(40))
    (fault,) = evaluate(asked, [DrawnRoute(0, ("A2", "A4", "A6"))]).faults
    assert "the track to city A4 is terminal; the run may only end there" in fault.message


def test_the_same_path_twice_is_one_way_over_a_side():
    twice = "city=revenue:30;path=a:3,b:_0;path=a:3,b:_0;path=a:0,b:_0"
    two = (number_train("2", 2), number_train("2", 2))
    assert total(position(CITY.format(10), twice, CITY.format(40), own=("A4",), trains=two)) == 110


def test_side_6_leads_nowhere():
    nowhere = "offboard=revenue:30;path=a:6,b:_0"
    assert total(position(CITY.format(10), CITY.format(20), nowhere)) == 30
    turned = Board(tiles=(LaidTile("A2", "x", 3, nowhere),)).hexes["A2"].tile
    assert turned.exits == frozenset()


def test_loc_of_a_town_with_three_tracks_is_a_stem():
    """18MEX 470: what comes from the middle of the hex meets before the town, so no route runs through it."""
    town = "town=revenue:20,loc:0;path=a:0,b:_0;path=a:3,b:_0;path=a:3,b:4;path=a:4,b:_0"
    more = {"B3": "city=revenue:40;path=a:1,b:_0"}
    codes = "city=revenue:30;path=a:0,b:_0", town, "city=revenue:10;path=a:3,b:_0"
    assert total(position(*codes, more=more, trains=(number_train("3", 3),))) == 70
    own = position(*codes, own=("A2", "B3"), more=more, trains=(number_train("2", 2),) * 2)
    assert total(own) == 70


def test_rows_may_be_letters_on_flat_hexes():
    tiles = {"D6": "city=revenue:30;path=a:0,b:_0", "F6": "city=revenue:20;path=a:3,b:_0"}
    asked = position(own=("D6",), more=tiles, axes="rows")
    assert asked.board.hexes["D6"].neighbors == {0: "F6"}
    assert total(asked) == 50


def test_columns_may_be_letters_on_pointy_hexes():
    tiles = {"D6": "city=revenue:30;path=a:4,b:_0", "F6": "city=revenue:20;path=a:1,b:_0"}
    asked = position(own=("D6",), more=tiles, axes="columns", layout="pointy")
    assert asked.board.hexes["D6"].neighbors == {4: "F6"}
    assert total(asked) == 50


def test_lower_case_letters_lie_before_a():
    tiles = {"A1": "city=revenue:30;path=a:1,b:_0", "a2": "city=revenue:20;path=a:4,b:_0"}
    assert total(position(own=("A1",), more=tiles)) == 50


def test_unknown_axes_are_refused():
    with pytest.raises(PositionError, match="axes: unknown axes 'xy'; known: columns, rows"):
        Board(axes="xy")
