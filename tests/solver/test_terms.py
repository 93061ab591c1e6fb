"""Each term on the smallest board that shows it: solver, brute force and checker agree; faulty terms name a place."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests import brute
from tests.solver.test_small_boards import column
from trunkline import position_from_json, position_to_json
from trunkline.solver import Position, PositionError, Train, TrunklineError, Visits, evaluate, number_train, solve
from trunkline.solver.board import Assignment, Bonus, DrawnRoute, Rules, Stops, Terms, load_title

DOUBLE = Train("2x2", (Visits(("city", "town", "offboard"), 2, 2),), 2)
FREE = (Visits(("city", "town", "offboard")),)
BEST_TWO = Train("2/3", (Visits(("city", "town", "offboard"), 3, 2),))


def ruled(position: Position, *bonuses: Bonus, assignments: tuple[Assignment, ...] = (), **terms: Any) -> Position:
    return replace(position, rules=Rules(terms=Terms(bonuses, **terms)), assignments=assignments)


def total(position: Position) -> int:
    """The best total, on which the solver, brute force and the checker agree."""
    solution = solve(position)
    again = evaluate(position, [DrawnRoute(r.train, track=r.track) for r in solution.routes])
    assert solution.optimal
    assert solution.total == brute.best(position) == again.total
    return solution.total


@pytest.mark.parametrize(("per", "right"), [("route", 60 + 10), ("stop", 60 + 20), ("hex", 60 + 20)])
def test_a_bonus_once_a_route_for_each_stop_or_hex(per, right):
    board = column("C20", "C20", "C20", trains=[number_train("3", 3)])
    assert total(ruled(board, Bonus("b", 10, (Stops(("A2", "A6")),), per=per))) == right


def test_two_stops_of_a_hex_are_one_hex():
    two = "town=revenue:10;town=revenue:10;path=a:3,b:_0;path=a:_0,b:_1;path=a:_1,b:0"
    board = column("C20", two, "C20", trains=[number_train("4", 4)])
    assert total(ruled(board, Bonus("b", 5, (Stops(("A4",)),), per="stop"))) == 60 + 10
    assert total(ruled(board, Bonus("b", 5, (Stops(("A4",)),), per="hex"))) == 60 + 5


def test_a_bonus_is_multiplied_only_if_it_says_so():
    board = column("C20", "C20", trains=[DOUBLE])
    at = (Stops(("A4",)),)
    assert total(ruled(board, Bonus("b", 15, at))) == 2 * 40 + 15
    assert total(ruled(board, Bonus("b", 15, at, multiplied=True))) == 2 * 55
    assert total(ruled(board, Bonus("b", 15, at, per="stop"))) == 2 * 40 + 15


def test_a_pair_is_any_of_the_one_set_with_any_of_the_other_and_is_paid_once():
    board = column("C20", "C30", "C20", "C20", own=(1,), trains=[number_train("4", 4)])
    pair = Bonus("pair", 40, (Stops(("A2", "A4")), Stops(("A6", "A8"))))
    assert total(ruled(board, pair)) == 90 + 40
    assert total(ruled(replace(board, trains=(number_train("2", 2),)), pair)) == 50 + 40


def test_a_bonus_looks_at_counted_stops_and_takes_part_in_the_choice_of_them():
    board = column("C50", "C10", "C50", trains=[BEST_TWO])
    assert total(ruled(board, Bonus("b", 30, (Stops(("A4",)),)))) == 100
    assert total(ruled(board, Bonus("b", 50, (Stops(("A4",)),)))) == 50 + 10 + 50
    assert total(ruled(board, Bonus("b", 30, (Stops(("A4",)),), visited=True))) == 130


def test_a_stop_of_two_sets_stands_for_both_though_few_stops_are_paid():
    board = column("C50", "C10", "C50", trains=[BEST_TWO])
    pair = Bonus("pair", 60, (Stops(("A4",)), Stops(("A4", "A2"))))
    other = Bonus("other", 30, (Stops(("A4",)), Stops(("A6", "A4"))))
    assert total(ruled(board, pair, other)) == 60 + 90


def test_track_over_a_hex_pays_once_for_each_hex_with_a_stop_there_or_not():
    board = column("C20", "-", "-", "C20")
    mines = tuple(Assignment("mine", h) for h in ("A4", "A6", "A8"))
    assert total(ruled(board, Bonus("mine", 10, crosses=Stops(markers=("mine",)), per="hex"), assignments=mines)) == 70
    assert total(ruled(board, Bonus("mine", 10, crosses=Stops(markers=("mine",))), assignments=mines)) == 50


def test_a_bonus_is_for_its_companies_trains_and_holders_of_its_marker_only():
    board = column("C20", "C20", trains=[number_train("2", 2), number_train("3", 3)])
    at = (Stops(("A4",)),)
    for conditions, paid in (
        ({"companies": ("US",)}, 10),
        ({"companies": ("THEM",)}, 0),
        ({"trains": ("3",)}, 10),
        ({"trains": ("4",)}, 0),
        ({"not_trains": ("2", "3")}, 0),
        ({"marker": "port"}, 10),
        ({"marker": "mine"}, 0),
    ):
        carried = (Assignment("port", company="US"), Assignment("mine", company="THEM"))
        assert total(ruled(board, Bonus("b", 10, at, **conditions), assignments=carried)) == 40 + paid


def test_groups_labels_and_kinds_name_stops():
    off = "offboard=revenue:30,groups:East;path=a:3,b:_0;label=E"
    board = column("C20", "T10", off, trains=[number_train("3", 3)])
    for stops, paid in (
        (Stops(groups=("East",)), 5),
        (Stops(labels=("E",)), 5),
        (Stops(kinds=("town", "city")), 10),
        (Stops(("A2", "A4"), kinds=("town",)), 5),
        (Stops(), 15),
    ):
        assert total(ruled(board, Bonus("b", 5, (stops,), per="stop"))) == 60 + paid


TWO_IN_ONE = "town=revenue:10;city=revenue:10,groups:X;path=a:3,b:_0;path=a:_0,b:_1;path=a:_1,b:0"


def test_one_stop_of_a_hex_on_a_route_but_where_there_may_be_more():
    board = column("C20", TWO_IN_ONE, "C30", trains=[number_train("4", 4)])
    assert total(board) == 70
    assert total(ruled(board, one_stop_per_hex=True)) == 30
    assert total(ruled(board, one_stop_per_hex=True, several_stops=("A4",))) == 70


def test_a_printed_group_holds_beside_one_stop_per_hex():
    other = "city=revenue:90,groups:X;path=a:3,b:_0"
    board = column("C20", TWO_IN_ONE, other, own=(1,), trains=[number_train("4", 4)])
    assert total(board) == 40
    assert total(ruled(board, one_stop_per_hex=True)) == 0


def test_a_town_that_all_trains_pass_is_still_the_one_stop_of_its_hex():
    towns = "town=revenue:10;town=revenue:10;path=a:3,b:_0;path=a:_0,b:_1;path=a:_1,b:0"
    passing = Train("2", (Visits(("city", "offboard"), 2), Visits(("town",))))
    board = column("C20", towns, "C30", trains=[passing])
    assert total(board) == 70
    assert total(ruled(board, one_stop_per_hex=True)) == 30


def test_no_route_ends_where_it_may_not():
    board = column("C20", "T10", "T10", trains=[number_train("3", 3)])
    assert total(board) == 40
    assert total(ruled(board, no_ends=(Stops(kinds=("town",)),))) == 0
    assert total(ruled(board, no_ends=(Stops(("A6",)),))) == 30
    mine = (Assignment("mine", "A4"), Assignment("mine", "A6"))
    assert total(ruled(board, no_ends=(Stops(markers=("mine",)),), assignments=mine)) == 0


@pytest.mark.parametrize(("towns", "right"), [(None, 2 * 60), (1, 2 * 50 + 10), (0, 2 * 50)])
def test_a_train_may_multiply_towns_otherwise_than_cities(towns, right):
    train = Train("4D", (Visits(("city", "offboard"), 4), Visits(("town",), multiplier=towns)), 2)
    board = column("C20", "T10", "C30", trains=[train])
    assert total(board) == right
    assert total(ruled(board, Bonus("b", 15, (Stops(("A4",)),), per="stop"))) == right + 15
    assert position_from_json(position_to_json(board)) == board


def test_a_train_of_any_name_may_take_the_diesel_value():
    off = "offboard=revenue:yellow_30|brown_60|diesel_100;path=a:3,b:_0"
    for train, right in (
        (Train("Diesel", FREE), 70),
        (Train("Diesel", FREE, diesel_value=True), 140),
        (Train("D", FREE), 140),
    ):
        board = column("C20", "C20", "C20", trains=[train])
        tiles = (*board.board.tiles[:2], replace(board.board.tiles[2], code=off))
        board = replace(board, board=replace(board.board, tiles=tiles, colors=("yellow",)))
        assert total(board) == right
        assert position_from_json(position_to_json(board)) == board


@pytest.mark.parametrize(("sides", "right"), [(1, 0), (2, 50), (3, 70), (4, 90)])
def test_a_hex_train_counts_sides_not_stops(sides, right):
    train = Train("H", (Visits(("side",), sides), Visits(("city", "town", "offboard"))))
    board = column("C20", "-", "C30", "C20", "C20", trains=[train])
    assert total(board) == right
    assert position_from_json(position_to_json(board)) == board


def test_a_hex_train_that_is_too_long_is_told_so():
    train = Train("2H", (Visits(("side",), 2), Visits(("city",))))
    board = column("C20", "-", "C30", "C20", trains=[train])
    (fault,) = evaluate(board, [DrawnRoute(0, ("A2", "A6", "A8"))]).faults
    assert "too long by 1 for train 2H: 3 hex sides; at most 2" in str(fault)


def test_rows_of_one_kind_have_one_multiplier():
    train = Train("x", (Visits(("city",), 2, multiplier=2), Visits(("city", "town"), 2)))
    with pytest.raises(PositionError, match=r"trains\[0\].visits: rows that name the same kind must"):
        column("C20", "C20", trains=[train])


def test_evaluate_says_which_ban_a_route_breaks():
    board = ruled(
        column("C20", TWO_IN_ONE, "T30", trains=[number_train("4", 4)]),
        one_stop_per_hex=True,
        no_ends=(Stops(kinds=("town",)),),
    )
    faults = [str(f) for f in evaluate(board, [DrawnRoute(0, ("A2", "A4", "A6"))]).faults]
    assert any("A4: the run visits town 0 and city 0; only one stop of a hex may be on a route" in f for f in faults)
    assert any("no route may end there" in f for f in faults)


@pytest.mark.parametrize(
    ("bonus", "fault"),
    [
        (Bonus("b", 0, (Stops(("A2",)),)), "rules.bonuses[0].amount: 0 is not a whole number from 1 to 10000"),
        (Bonus("b", 5, (Stops(("A9",)),)), "rules.bonuses[0].stops[0].hexes[0]: there is no hex 'A9' on the board"),
        (Bonus("b", 5, (Stops(groups=("E",)),)), "stops[0].groups[0]: there is no group 'E' on the board; known: none"),
        (Bonus("b", 5, (Stops(kinds=("halt",)),)), "stops[0].kinds[0]: there is no kind 'halt'"),
        (Bonus("b", 5, (Stops(), Stops()), per="stop"), "rules.bonuses[0].per: 2 sets of stops are paid once a route"),
        (Bonus("b", 5), "rules.bonuses[0]: a bonus is for stops or for hexes that its track crosses"),
        (Bonus("b", 5, (Stops(),), per="train"), "rules.bonuses[0].per: unknown 'train'; known: route, stop, hex"),
        (Bonus("", 5, (Stops(),)), "rules.bonuses[0].name: the bonus has no name"),
        (Bonus("b", 5, crosses=Stops(groups=("E",))), "rules.bonuses[0].crosses: give hexes or markers"),
    ],
)
def test_a_bonus_that_is_wrong_or_can_never_be_paid_is_refused_with_its_place(bonus, fault):
    with pytest.raises(PositionError) as error:
        ruled(column("C20", "C20"), bonus)
    assert fault in str(error.value)


def test_a_marker_lies_on_a_hex_or_is_carried():
    with pytest.raises(PositionError, match=r"assignments\[0\]: 'port' lies on a hex or is carried"):
        ruled(column("C20", "C20"), assignments=(Assignment("port"),))
    with pytest.raises(PositionError, match=r"assignments\[0\].hex: there is no hex 'B9' on the board"):
        ruled(column("C20", "C20"), assignments=(Assignment("port", "B9"),))


def test_a_title_has_its_terms_in_a_file(tmp_path):
    (tmp_path / "title.toml").write_text('id = "X"\nname = "X"\n')
    (tmp_path / "map.toml").write_text('plain = ["A2"]\n')
    text = '[[bonuses]]\nname = "Port"\namount = 20\nstops = [{ hexes = ["A2"] }]\nper = "stop"\n'
    (tmp_path / "terms.toml").write_text(text)
    assert load_title(str(tmp_path)).terms == Terms((Bonus("Port", 20, (Stops(("A2",)),), per="stop"),))
    (tmp_path / "terms.toml").write_text(text.replace("A2", "A4"))
    with pytest.raises(TrunklineError, match=r"terms.toml: bonuses\[0\].stops\[0\].hexes\[0\]: there is no hex 'A4'"):
        load_title(str(tmp_path))
    (tmp_path / "terms.toml").write_text(text.replace("amount", "amuont"))
    with pytest.raises(TrunklineError, match="unknown key 'amuont'; did you mean 'amount'"):
        load_title(str(tmp_path))
