"""The problem: the network as flat arrays. What is joined, which links exclude each other, what a train may visit."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product

import networkx as nx
import numpy as np
import pytest

from trunkline.solver import (
    Board,
    LaidTile,
    Position,
    Rules,
    StopId,
    Token,
    Train,
    Visits,
    get_title,
    number_train,
    solve,
)
from trunkline.solver.board import CITY, COMMON, MARKER, OFFBOARD, TOWN, UNLIMITED, Title
from trunkline.solver.generate import random_position
from trunkline.solver.search.layout import (
    BONUS_FEATURES,
    GENERAL_COUNTED_BONUS,
    KINDS,
    LIMIT_KINDS,
    LIMIT_MOST,
    LIMIT_PAY,
    LIMIT_VISIT,
    LINK_COUNT,
    TRAIN_PAY_ALL,
    TRAIN_PAY_BEST,
    K,
)
from trunkline.solver.search.network import build_network
from trunkline.solver.search.problem import Model, model

INDIA = get_title("18India")
CITIES_END = Title("", "routes end in cities", route_ends=frozenset({CITY}))
PAST_TOWNS = Train("2", (Visits((CITY,), 2, 2), Visits((TOWN,), UNLIMITED, UNLIMITED)))


def column(text: str, trains: Sequence[Train], title_: Title = COMMON, own: int = 0) -> Position:
    """Hexes from north to south with track between them: ``C`` a city of value 30, ``T`` a town of value 10."""
    kinds = {"C": "city=revenue:30", "T": "town=revenue:10"}
    hexes = [f"A{2 * n + 2}" for n in range(len(text))]
    tiles = [LaidTile(h, "x", code=f"{kinds[k]};path=a:3,b:_0;path=a:_0,b:0") for h, k in zip(hexes, text, strict=True)]
    return Position(Board(title_, tuple(tiles), (Token("US", hexes[own]),)), "US", tuple(trains))


def of(position: Position) -> Model:
    return model(position, build_network(position.board, position.company))


# Links and resources


def test_a_town_that_only_joins_two_segments_is_inside_a_link():
    found = of(column("CTTC", [PAST_TOWNS], CITIES_END))
    (link,) = found.links
    assert found.stops == (StopId("A2", CITY, 0), StopId("A8", CITY, 0))
    assert link.inner == (StopId("A4", TOWN, 0), StopId("A6", TOWN, 0))
    assert found.problem.link_worth.tolist() == [[20]]
    assert found.problem.link[0, LINK_COUNT + KINDS.index(TOWN)] == 2


@pytest.mark.parametrize("why", ["it may end a route", "it counts against the limit", "not all of them pay"])
def test_a_town_is_a_node_if(why):
    trains = {
        "it may end a route": (PAST_TOWNS, COMMON),
        "it counts against the limit": (number_train("4", 4), CITIES_END),
        "not all of them pay": (Train("2", (Visits((CITY,), 2, 2), Visits((TOWN,), UNLIMITED, 1))), CITIES_END),
    }
    train, title_ = trains[why]
    found = of(column("CTTC", [train], title_))
    assert len(found.stops) == 4
    assert not any(link.inner for link in found.links)


def test_two_links_share_a_resource_exactly_when_they_share_a_side():
    for seed in range(30):
        found = of(random_position(seed, 60, joined=0.5))
        sides = [{side for s in link.segments for side in s.sides} for link in found.links]
        use = found.problem.use
        for i, j in combinations(range(len(sides)), 2):
            assert bool(np.any(use[i] & use[j])) == bool(sides[i] & sides[j])
        assert all(np.any(row) for row in use)


def test_resources_beyond_the_64th_have_a_word_of_their_own():
    """70 cities in a column; the last bit of a word is the sign of its number."""
    position = column("C" * 70, [number_train("D", 99)])
    found = of(position)
    assert found.problem.use.shape == (69, 2)
    words = [[int(w) & (1 << 64) - 1 for w in row] for row in found.problem.use]
    assert sorted(w[0] | w[1] << 64 for w in words) == [1 << n for n in range(69)]
    assert solve(position).total == 70 * 30


@pytest.mark.parametrize("own", [0, 1, 62, 63, 64, 65, 68, 69])
def test_two_trains_do_not_share_a_link_whatever_the_number_of_its_bit(own):
    two = number_train("2", 2)
    at_an_end = own in (0, 69)
    assert solve(column("C" * 70, [two, two], own=own)).total == (60 if at_an_end else 120)


def test_stops_links_and_arcs_are_numbered_by_the_ids_of_the_stops():
    found = of(random_position(3, 60))
    assert list(found.stops) == sorted(found.stops)
    ends = [(k.a, k.b) for k in found.links]
    assert ends == sorted(ends)
    assert all(a < b for a, b in ends)
    p = found.problem
    for n in range(len(found.stops)):
        arcs = p.arc[p.first[n] : p.first[n + 1]]
        assert {(found.links[link].a, found.links[link].b) for link, _ in arcs} == {
            tuple(sorted((found.stops[n], found.stops[y]))) for _, y in arcs
        }
    assert p.first[-1] == 2 * len(found.links)


def test_trains_of_a_kind_are_one_train_run_several_times():
    two, three = number_train("2", 2), number_train("3", 3)
    found = of(column("CCC", [three, two, three]))
    assert found.trains == (two, three)
    assert found.runs == ((0, 1), (1, 0), (1, 2))


# What a train may visit and what pays

ROWS = (
    number_train("3", 3),
    Train("2+1", (Visits((CITY, OFFBOARD), 2, 2), Visits((TOWN,), 1, 1))),
    Train("2 and 2 of any", (Visits((TOWN,), 2, 2), Visits((CITY, TOWN, OFFBOARD), 2, 2))),
    Train("three rows", (Visits((CITY, TOWN), 1, 1), Visits((TOWN, OFFBOARD), 2, 2), Visits((OFFBOARD,), 1, 1))),
    Train("markers", (Visits((CITY, MARKER), 2, 2), Visits((TOWN, MARKER), 1, 1), Visits((OFFBOARD,), 9, 9))),
    Train("cities", (Visits((CITY,), 2, 1),)),
)


def fits(train: Train, counts: Sequence[int], field: str) -> bool:
    """Whether so many stops of each kind can be shared out to the rows: a flow from kinds to rows."""
    flow = nx.DiGraph()
    flow.add_nodes_from(["from", "to"])
    named = {kind for v in train.visits for kind in v.kinds}
    for kind, n in zip(KINDS, counts, strict=True):
        if kind != MARKER or kind in named:  # markers that no row names do not count
            flow.add_edge("from", kind, capacity=n)
    for i, row in enumerate(train.visits):
        flow.add_edge(i, "to", capacity=getattr(row, field))
        for kind in row.kinds:
            flow.add_edge(kind, i)
    wanted = sum(data["capacity"] for _, _, data in flow.out_edges("from", data=True))
    return bool(nx.maximum_flow_value(flow, "from", "to") == wanted)


@pytest.mark.parametrize("train", ROWS, ids=[t.name for t in ROWS])
@pytest.mark.parametrize(("plane", "field"), [(LIMIT_VISIT, "visit"), (LIMIT_PAY, "pay")])
def test_limits_say_the_same_as_sharing_out_the_stops_to_the_rows(train, plane, field):
    limit = of(column("CC", [train])).problem.limit[0, plane]
    for counts in product(range(4), repeat=K):
        within = all(sum(n for k, n in enumerate(counts) if bits >> k & 1) <= most for bits, most in limit.tolist())
        assert within == fits(train, counts, field), counts


def test_a_limit_that_follows_from_a_larger_set_is_left_out():
    limit = of(column("CC", [number_train("3", 3)])).problem.limit[0, LIMIT_VISIT]
    assert [row.tolist() for row in limit if row[LIMIT_KINDS]] == [[0b0111, 3]]
    assert limit[0, LIMIT_MOST] == 3


@pytest.mark.parametrize("counted", [False, True])
def test_a_4e_is_paid_for_four_whether_or_not_bonuses_ask_which_stops_count(counted):
    rules = Rules("rulebook", (("connection_requires_counted", counted),))
    found = of(random_position(1, trains=["4", "4E"], rules=rules))
    train = {t.name: row for t, row in zip(found.trains, found.problem.train.tolist(), strict=True)}
    assert train["4"][TRAIN_PAY_ALL] == 1
    assert train["4E"][TRAIN_PAY_ALL] == 0
    assert train["4E"][TRAIN_PAY_BEST] == 4
    asked = np.bitwise_or.reduce(found.problem.all_of[0, :, BONUS_FEATURES])
    assert asked
    assert found.problem.general[GENERAL_COUNTED_BONUS] == (asked if counted else 0)
