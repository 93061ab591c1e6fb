"""Rules of section 9 on boards small enough to work out by hand; brute force and the solver both give the number.

Most boards are a column of hexes: A2, A4, ... from north to south; side 3 of a hex is north, side 0 south.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests import brute
from trunkline.solver import (
    Board,
    LaidTile,
    Position,
    PositionError,
    Rules,
    Token,
    Train,
    Visits,
    get_title,
    number_train,
    solve,
)
from trunkline.solver.search.limits import DEFAULT, Limits

INDIA = get_title("18India")
EXPRESS = Train("1E", (Visits(("city",), 99, 1), Visits(("town",), 99, 0)), own_token_counts=True)
TWO = number_train("2", 2)
THREE = number_train("3", 3)


def total(position: Position, limits: Limits = DEFAULT) -> int:
    """The best total, on which brute force and the solver agree."""
    found = solve(position, limits=limits).total
    assert found == brute.best(position)
    return found


def column(
    *codes: str,
    own: Sequence[int] = (0,),
    other: Sequence[int] = (),
    trains: Sequence[Train] = (TWO,),
    markers: Sequence[int] = (),
) -> Position:
    """A column of hexes; ``own`` and ``other`` number the hexes with tokens, ``markers`` the hexes north of a marker.

    ``C30`` is a city of value 30 with track to north and south, ``T10`` such a town, ``-`` plain track.
    """
    plain = {"C": "city=revenue:{};path=a:3,b:_0;path=a:_0,b:0", "T": "town=revenue:{};path=a:3,b:_0;path=a:_0,b:0"}
    hexes = [f"A{2 * n + 2}" for n in range(len(codes))]
    tiles = [
        LaidTile(h, "x", 0, "path=a:0,b:3" if c == "-" else plain[c[0]].format(c[1:]) if c[0] in plain else c)
        for h, c in zip(hexes, codes, strict=True)
    ]
    tokens = [Token("US", hexes[n]) for n in own] + [Token("THEM", hexes[n]) for n in other]
    sides = frozenset(_side(hexes[n], hexes[n + 1]) for n in markers)
    return Position(Board(tiles=tuple(tiles), tokens=tuple(tokens), markers=sides), "US", tuple(trains))


def _side(a: str, b: str) -> tuple[str, str]:
    return (a, b) if a < b else (b, a)


def test_a_route_needs_two_stops():
    assert total(column("C30", "-")) == 0
    assert total(column("C30", "-", "C20")) == 50


def test_a_route_needs_an_own_token():
    assert total(column("C30", "C20", own=())) == 0
    assert total(column("C30", "-", "C20", "-", own=(2,))) == 50


def test_a_route_may_have_its_token_in_the_middle():
    assert total(column("C30", "C20", "C40", own=(1,), trains=(THREE,))) == 90


def test_a_city_full_of_others_may_be_an_end_but_not_be_passed():
    assert total(column("C30", "C20", "C40", trains=(THREE,))) == 90
    assert total(column("C30", "C20", "C40", other=(1,), trains=(THREE,))) == 50


def test_a_city_with_an_open_slot_may_be_passed():
    two_slots = "city=revenue:20,slots:2;path=a:3,b:_0;path=a:_0,b:0"
    assert total(column("C30", two_slots, "C40", other=(1,), trains=(THREE,))) == 90


def test_an_offboard_area_ends_a_route():
    area = "offboard=revenue:50;path=a:3,b:_0;path=a:_0,b:0"
    assert total(column("C30", area, "C40", trains=(THREE,))) == 80


def test_each_side_is_used_by_one_train_only():
    assert total(column("C30", "C20", "C40", trains=(TWO, TWO))) == 50  # both begin at the token, with one way out
    assert total(column("C30", "C20", "C40", own=(1,), trains=(TWO, TWO))) == 50 + 60


def test_a_train_passes_no_stop_of_another_kind_than_it_may_visit():
    cities = Train("2", (Visits(("city",), 2, 2),))
    assert total(column("C30", "T10", "C40", trains=(cities,))) == 0
    free_towns = Train("2", (*cities.visits, Visits(("town",))))
    assert total(column("C30", "T10", "C40", trains=(free_towns,))) == 80


def test_a_marker_counts_as_a_stop_where_the_train_says_so():
    counts = Train("2", (Visits(("city", "marker"), 2, 2),))
    ignores = Train("2", (Visits(("city",), 2, 2), Visits(("marker",))))
    for train, earned in ((counts, 0), (ignores, 50), (TWO, 50)):
        assert total(column("C30", "-", "C20", trains=(train,), markers=(1,))) == earned
    assert total(column("C30", "-", "C20", trains=(counts,))) == 50


def test_an_express_train_counts_a_city_with_an_own_token_even_if_others_are_worth_more():
    assert total(column("C20", "C60", trains=(EXPRESS,))) == 20
    assert total(column("C20", "T10", "C60", own=(0, 2), trains=(EXPRESS,))) == 60


def test_a_multiplier_multiplies_the_counted_stops():
    assert total(column("C20", "C60", trains=(Train("2x3", TWO.visits, 3),))) == 240


def test_a_train_that_pays_fewer_stops_than_it_visits_pays_the_best():
    assert total(column("C30", "C20", "C40", trains=(Train("3", (Visits(("city",), 3, 2),)),))) == 70


def test_towns_may_take_the_place_of_cities_in_a_train_that_says_so():
    """A 1+2: one town beside two stops of any kind."""
    train = Train("2+1", (Visits(("town",), 1, 1), Visits(("city", "town"), 2, 2)))
    assert total(column("C30", "T10", "C40", trains=(train,))) == 80
    assert total(column("C30", "T10", "T10", "C40", trains=(train,))) == 50


def test_at_most_one_stop_of_a_group_is_on_a_route():
    here = "city=revenue:{},groups:Here;path=a:3,b:_0;path=a:_0,b:0"
    assert total(column("C30", here.format(20), here.format(40), trains=(THREE,))) == 50
    assert total(column("C30", here.format(20), "C40", trains=(THREE,))) == 90


def test_both_cities_of_a_double_city_may_be_on_one_route():
    loop = {
        "B3": "city=revenue:40;city=revenue:50;path=a:5,b:_0;path=a:4,b:_1",
        "C4": "path=a:2,b:3",
        "C2": "path=a:0,b:1",
    }
    tiles = tuple(LaidTile(h, "x", 0, code) for h, code in loop.items())
    board = Board(tiles=tiles, tokens=(Token("US", "B3", 1),))
    assert total(Position(board, "US", (TWO,))) == 90


def test_a_junction_is_passed_once_between_two_stops_but_again_in_the_next_segment():
    """A2 - junction - A6: from the city at the junction's north to the one south, then back through its other sides."""
    tiles = {
        "B1": "city=revenue:10;path=a:0,b:_0",
        "B3": "junction;path=a:3,b:_0;path=a:0,b:_0;path=a:4,b:_0;path=a:5,b:_0",
        "B5": "city=revenue:20;path=a:3,b:_0;path=a:4,b:_0",
        "C4": "path=a:1,b:2",  # from B5 back to the junction
        "C2": "city=revenue:40;path=a:1,b:_0",
    }
    board = Board(tiles=tuple(LaidTile(h, "x", 0, c) for h, c in tiles.items()), tokens=(Token("US", "B1"),))
    assert total(Position(board, "US", (TWO,))) == 50  # B1 - C2
    assert total(Position(board, "US", (THREE,))) == 70  # B1 - B5 - C2, through the junction twice
    bare = dict(tiles) | {"B5": "path=a:3,b:4"}  # a loop of bare track joins nothing new
    board = Board(tiles=tuple(LaidTile(h, "x", 0, c) for h, c in bare.items()), tokens=(Token("US", "B1"),))
    assert total(Position(board, "US", (THREE,))) == 50


def test_no_train_runs_to_a_dead_end():
    assert total(column("C30", "junction;path=a:3,b:_0,terminal:1")) == 0


def test_terminal_track_to_a_stop_ends_a_route():
    last = "city=revenue:90;path=a:3,b:_0,terminal:1;path=a:0,b:_0,terminal:1"
    assert total(column("C30", last)) == 30 + 90
    assert total(column("C30", last, "C40")) == 30 + 90
    assert total(column("C30", last, "C40", own=(1,))) == 90 + 40


def test_two_trains_may_meet_in_a_city():
    assert total(column("C30", "C20", "C40", own=(0, 2), trains=(TWO, TWO))) == 50 + 60


def test_a_town_behind_a_city_takes_no_place_of_a_city():
    """A bound on what a walk can become that counts such towns among the cities left to visit cuts the best route."""
    bounded_at_once = Limits(plain_steps=1)
    tiles = {
        "J11": "city=revenue:40;path=a:4,b:_0;path=a:5,b:_0;path=a:0,b:_0",
        "J13": "junction;path=a:3,b:_0;path=a:4,b:_0;path=a:5,b:_0",
        "K10": "path=a:1,b:0",
        "K12": "town=revenue:20;town=revenue:10;path=a:3,b:_0;path=a:1,b:_1;path=a:2,b:_1",
        "K14": "city=revenue:40;path=a:2,b:_0;path=a:4,b:_0",
        "L13": "city=revenue:30;path=a:1,b:_0",
    }
    board = Board(tiles=tuple(LaidTile(h, "x", 0, c) for h, c in tiles.items()), tokens=(Token("US", "K14"),))
    train = Train("3x3", (Visits(("city", "offboard"), 3, 3), Visits(("town",))), 3)
    # K12 - J11 - K12 - K14 - L13
    assert total(Position(board, "US", (train,)), bounded_at_once) == 3 * (20 + 40 + 10 + 40 + 30)


# On the map of 18 India: from Kochi over H37, I38, the ferry J37 and the towns K38 and L39 to Colombo.

COAST = (
    LaidTile("H37", "9", 2),
    LaidTile("I38", "8", 2),
    LaidTile("J37", "IF2", 5),
    LaidTile("K38", "4", 2),
    LaidTile("L39", "3", 1),
)


def coast(train: str = "2", jewelry: str = "", rules: Rules | None = None, **parts) -> Position:
    board = Board(INDIA, COAST, (Token("SIR", "G36"),), jewelry_hex=jewelry)
    return Position(board, "SIR", (INDIA.trains[train],), rules=rules or Rules(), **parts)


def test_variable_cities_alone_have_an_m_of_20():
    assert total(coast()) == (20 + 20) + (20 + 20) + 10 + 10


def test_an_express_train_of_18_india_counts_no_towns():
    assert total(coast("4E")) == 40 + 40


def test_bonuses_are_not_multiplied():
    spices = frozenset({"JEWELRY"})
    rules = Rules("18xx.games")
    assert total(coast("3x3", "H37", rules, held_concessions=spices)) == 3 * 100 + 20


@pytest.mark.parametrize(
    ("rules", "bonus"),
    [
        (Rules(), 40),
        (Rules("18xx.games"), 20),
        (Rules("18xx.games", (("jewelry_per_destination", True),)), 40),
    ],
)
def test_jewelry_pays_for_each_destination_or_once(rules, bonus):
    """C2: Kochi and Colombo are both destinations."""
    assert total(coast("2", "I38", rules, held_concessions=frozenset({"JEWELRY"}))) == 100 + bonus
    assert total(coast("2", "I38", rules, open_concessions=frozenset({"JEWELRY"}))) == 100 + bonus
    assert total(coast("2", "I38", rules)) == 100
    assert total(coast("2", "E8", rules, held_concessions=frozenset({"JEWELRY"}))) == 100


def _long_line(counted: bool, train: str, worth: int) -> Position:
    """Delhi, worth 30, and Kochi, worth M + 20, with three cities of ``worth`` = M between them, one with our token."""
    straight = {h: "path=a:0,b:3" for h in (f"G{n}" for n in range(10, 36, 2))}
    city = f"city=revenue:{worth};path=a:0,b:_0;path=a:_0,b:3"
    codes = straight | {"G8": "city=revenue:30;path=a:0,b:_0", "G14": city, "G20": city, "G26": city}
    board = Board(INDIA, tuple(LaidTile(h, "x", 0, c) for h, c in codes.items()), (Token("NWR", "G14"),))
    rules = Rules("rulebook", (("connection_requires_counted", counted),))
    return Position(board, "NWR", (INDIA.trains[train],), rules=rules)


def test_a_connection_pays_when_both_places_are_on_the_route_counted_or_not():
    """C13, as the rulebook set has it; the bonus is not multiplied."""
    assert total(_long_line(False, "4E", 60)) == 80 + 3 * 60 + 100
    assert total(_long_line(False, "4Ex3", 60)) == 3 * (80 + 3 * 60) + 100


def test_where_a_connection_needs_both_places_counted_less_dear_stops_may_earn_more():
    assert total(_long_line(True, "4E", 60)) == 80 + 2 * 60 + 30 + 100
    assert total(_long_line(True, "4Ex3", 60)) == 3 * (80 + 2 * 60 + 30) + 100
    assert total(_long_line(True, "4Ex3", 70)) == 3 * (90 + 3 * 70)


def test_trains_of_one_name_may_differ():
    assert total(column("C30", "C20", "C40", own=(1,), trains=(number_train("4", 2), number_train("4", 3)))) == 50 + 60


def test_no_more_stops_are_paid_than_visited():
    pays_more = Train("x", (Visits(("city",), 2, 2), Visits(("town",), 0, 5), Visits(("offboard",), 1)))
    assert pays_more.visits[1].pay == 0
    assert total(column("C10", "T50", "C20", trains=(pays_more,))) == 0
    assert total(column("C10", "C20", "T50", trains=(pays_more,))) == 30


def test_rows_that_share_a_kind_pay_all_that_they_visit():
    with pytest.raises(PositionError, match=r"trains\[0\].visits: city is in more than one row"):
        column("C10", trains=(Train("x", (Visits(("city",), 1, 0), Visits(("city", "town"), 3, 3))),))
