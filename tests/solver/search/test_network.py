"""The network: which stops a company reaches, over which segments, and what is pruned because no route can use it.

Most boards are a hub: one tile in the middle, and at each of its six sides a city of value 10 with one slot.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, count
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.positions import recorded
from trunkline.solver import (
    Board,
    Cancelled,
    LaidTile,
    Position,
    PositionError,
    StopId,
    Token,
    border,
    get_title,
    number_train,
    solve,
)
from trunkline.solver.board import CITY, COMMON, TOWN, Title, neighbor_id
from trunkline.solver.search import network as network_module
from trunkline.solver.search.network import Segment, build_network

INDIA = get_title("18India")
CITIES_END = Title("", "routes end in cities", route_ends=frozenset({CITY}))
HUB = "E9"
AROUND = [neighbor_id(HUB, side, "flat") or "" for side in range(6)]


def hub(code: str, own: Sequence[int] = (0,), other: Sequence[int] = (), title_: Title = COMMON) -> Board:
    """The board; ``own`` and ``other`` are the sides whose cities hold tokens."""
    spoke = "city=revenue:10;path=a:{},b:_0"
    tiles = [LaidTile(HUB, "hub", code=code)]
    tiles += [LaidTile(h, "spoke", code=spoke.format((side + 3) % 6)) for side, h in enumerate(AROUND)]
    tokens = [Token("US", AROUND[s]) for s in own] + [Token("THEM", AROUND[s]) for s in other]
    return Board(title_, tuple(tiles), tuple(tokens))


def segments(graph: nx.MultiGraph) -> list[Segment]:
    return sorted(segment for _, _, segment in graph.edges(data="segment"))


def city(side: int) -> StopId:
    return StopId(AROUND[side], CITY, 0)


def code(tile: str) -> str:
    return INDIA.tiles[tile].tile.code


@pytest.mark.parametrize("tile", ["80", "81", "82", "83", "544", "545", "546", "60"])
def test_each_way_through_a_junction_is_a_segment_of_its_own(tile):
    exits = sorted(INDIA.tiles[tile].tile.exits)
    found = segments(build_network(hub(code(tile), own=exits[:1]), "US"))
    assert {frozenset((s.a, s.b)) for s in found} == {frozenset((city(x), city(y))) for x, y in combinations(exits, 2)}
    assert len(found) == len(exits) * (len(exits) - 1) // 2
    for s in found:
        assert set(s.sides) == {border(HUB, s.a.hex), border(HUB, s.b.hex)}
        assert [piece.hex for piece in s.track] == [s.a.hex, HUB, HUB, s.b.hex]


def test_plain_tracks_that_cross_do_not_meet():
    found = segments(build_network(hub("path=a:0,b:3;path=a:1,b:4"), "US"))
    assert [{s.a, s.b} for s in found] == [{city(0), city(3)}]


@pytest.mark.parametrize("tile", ["IND2", "IND3", "IND4", "IND5", "IND6"])
def test_three_towns_on_a_tile_are_three_stops_each_with_its_own_track(tile):
    towns = INDIA.tiles[tile].tile
    for side in range(6):
        graph = build_network(hub(code(tile), own=(side,)), "US")
        (town,) = [s for s in graph if s.kind == TOWN]
        ends = {p.b.number if p.a.kind == "stop" else p.a.number for p in towns.paths if town.number in _stops(p)}
        assert side in ends
        assert set(graph) == {town} | {city(s) for s in ends}


def _stops(path):
    return [end.number for end in (path.a, path.b) if end.kind == "stop"]


def test_the_cities_of_a_double_city_tile_are_stops_apart():
    for number, side in enumerate((0, 2)):
        graph = build_network(hub(code("59"), own=(side,)), "US")
        assert set(graph) == {city(side), StopId(HUB, CITY, number)}


@pytest.mark.parametrize("printed", ["D23", "M10"])
def test_both_cities_of_mumbai_and_of_nepal_are_reached_each_over_its_own_sides(printed):
    tile = INDIA.hexes[printed].tile
    sides = [{p.a.number for p in tile.paths if p.b.number == n} for n in (0, 1)]
    own = [min(s) for s in sides]
    graph = build_network(hub(tile.code, own=own), "US")
    for number in (0, 1):
        assert set(graph[StopId(HUB, CITY, number)]) == {city(s) for s in sides[number]}
    assert nx.number_connected_components(graph) == 2


def test_no_run_goes_to_the_dead_end_of_c18():
    tile = INDIA.hexes["C18"].tile
    assert [p.terminal for p in tile.paths] == [True]
    assert not build_network(hub(tile.code, own=(4,)), "US")


def test_a_city_that_others_fill_is_reached_and_not_passed():
    through = "city=revenue:20;path=a:0,b:_0;path=a:_0,b:3"
    filled = hub(through)
    filled = Board(filled.title, filled.tiles, (*filled.tokens, Token("THEM", HUB)))
    graph = build_network(filled, "US")
    middle = StopId(HUB, CITY, 0)
    assert dict(graph.nodes(data="blocked")) == {city(0): False, middle: True}
    two_slots = hub(through.replace("20", "20,slots:2"))
    two_slots = Board(two_slots.title, two_slots.tiles, (*two_slots.tokens, Token("THEM", HUB)))
    assert set(build_network(two_slots, "US")) == {city(0), middle, city(3)}


def test_an_extra_token_beside_the_slots_is_an_own_token():
    board = hub("city=revenue:20;path=a:0,b:_0;path=a:_0,b:3", own=())
    board = Board(board.title, board.tiles, (Token("THEM", HUB), Token("US", HUB, extra=True)))
    graph = build_network(board, "US")
    assert dict(graph.nodes(data="own")) == {city(0): False, StopId(HUB, CITY, 0): True, city(3): False}
    assert not any(blocked for _, blocked in graph.nodes(data="blocked"))


def test_a_company_without_a_token_has_no_network():
    assert not build_network(hub(code("60"), own=()), "US")


def test_a_dead_end_behind_a_town_is_pruned_where_routes_end_in_cities():
    town = "town=revenue:10;path=a:0,b:_0;path=a:_0,b:3;path=a:_0,b:1"
    graph = build_network(hub(town, title_=CITIES_END), "US")
    assert set(graph) == {city(0), city(1), city(3), StopId(HUB, TOWN, 0)}
    ends_there = "town=revenue:10;path=a:0,b:_0"
    assert not build_network(hub(ends_there, title_=CITIES_END), "US")
    assert set(build_network(hub(ends_there), "US")) == {city(0), StopId(HUB, TOWN, 0)}


def test_towns_in_a_row_behind_the_last_city_are_pruned_one_after_the_other():
    """Cities A2 and A4, towns A6 and A8; a loop of two tracks between the towns makes no difference."""
    codes = [
        "city=revenue:10;path=a:0,b:_0",
        "city=revenue:10;path=a:3,b:_0;path=a:0,b:_0",
        "town=revenue:10;path=a:3,b:_0;path=a:0,b:_0",
        "town=revenue:10;path=a:3,b:_0",
    ]
    tiles = tuple(LaidTile(f"A{2 * n + 2}", "x", code=c) for n, c in enumerate(codes))
    graph = build_network(Board(CITIES_END, tiles, (Token("US", "A2"),)), "US")
    assert {s.hex for s in graph} == {"A2", "A4"}


def test_track_from_a_stop_back_to_itself_is_no_segment():
    assert [{s.a, s.b} for s in segments(build_network(hub("path=a:0,b:3", own=(0,)), "US"))] == [{city(0), city(3)}]
    tiles = (
        LaidTile("A2", "x", code="city=revenue:10;path=a:0,b:_0"),
        LaidTile("A4", "x", code="city=revenue:10;path=a:3,b:_0;path=a:0,b:_0;path=a:5,b:_0"),
        LaidTile("A6", "x", code="path=a:3,b:4"),
        LaidTile("B5", "x", code="path=a:2,b:1"),
    )
    found = segments(build_network(Board(COMMON, tiles, (Token("US", "A2"),)), "US"))
    assert [(s.a.hex, s.b.hex) for s in found] == [("A2", "A4")]


def test_track_between_two_stops_of_a_tile_is_used_once():
    board = hub("city=revenue:20;town=revenue:10;path=a:0,b:_0;path=a:_0,b:_1")
    inner = next(s for s in segments(build_network(board, "US")) if s.a.hex == s.b.hex == HUB)
    assert inner.sides == inner.track


def test_track_from_a_stop_to_a_junction_is_used_once():
    """Both routes from the city in the middle would need the only piece of track that leaves it."""
    board = hub("city=revenue:20;junction;path=a:_0,b:_1;path=a:0,b:_1;path=a:1,b:_1", own=())
    board = Board(board.title, board.tiles, (Token("US", HUB),))
    found = segments(build_network(board, "US"))
    from_middle = [set(s.sides) for s in found if s.a.hex == HUB or s.b.hex == HUB]
    assert len(from_middle) == 2
    assert len(set.intersection(*from_middle)) == 1
    assert solve(Position(board, "US", (number_train("2", 2), number_train("2", 2)))).total == 30


def test_a_segment_knows_the_markers_it_crosses():
    board = hub("path=a:0,b:3")
    board = Board(board.title, board.tiles, board.tokens, frozenset({border(HUB, AROUND[3])}))
    assert [s.markers for s in segments(build_network(board, "US"))] == [1]


def plain(graph: nx.MultiGraph) -> object:
    return sorted(graph.nodes(data=True), key=str), segments(graph)


def test_the_graph_is_what_networkx_builds_of_its_nodes_and_edges():
    for record in recorded("18India")[::10]:
        graph = build_network(record.position.board, record.position.company)
        built = nx.MultiGraph()
        built.add_nodes_from(graph.nodes(data=True))
        built.add_edges_from(graph.edges(keys=True, data=True))
        assert nx.utils.graphs_equal(graph, built)
        assert all(graph._adj[a][b] is graph._adj[b][a] for a, b in graph.edges())
        assert graph.number_of_edges() == sum(dict(graph.degree).values()) / 2


@given(
    st.lists(st.sampled_from([CITY, TOWN]), min_size=1, max_size=7),
    st.sets(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=12),
)
def test_what_is_kept_is_on_a_simple_path_between_two_ends(kinds, pairs):
    stops = [StopId(f"A{n}", kind, 0) for n, kind in enumerate(kinds)]
    near: dict[StopId, dict[StopId, Any]] = {s: {} for s in stops}
    for a, b in ((a, b) for a, b in pairs if a != b and max(a, b) < len(stops)):
        near[stops[a]][stops[b]] = near[stops[b]][stops[a]] = {}
    ends = [s for s in stops if s.kind == CITY]
    paths = [p for a, b in combinations(ends, 2) for p in nx.all_simple_paths(nx.Graph(near), a, b)]
    assert network_module._useful(near, frozenset({CITY})) == {s for p in paths for s in p}


def test_bundles_of_boards_before_change_no_network(monkeypatch):
    """The same boards forwards and backwards, with few runs kept, and each as the first."""
    boards = [(r.position.board, r.position.company) for f in ("18India", "1889") for r in recorded(f)[::4]]
    alone = []
    for board, company in boards:
        network_module._bundles.clear()
        alone.append(plain(build_network(board, company)))
    assert [plain(build_network(*b)) for b in boards] == alone
    monkeypatch.setattr(network_module, "BUNDLES", 50)
    assert [plain(build_network(*b)) for b in boards[::-1]] == alone[::-1]
    assert len(network_module._bundles) <= 50


def test_another_tile_on_the_way_or_another_marker_is_another_segment():
    west = LaidTile("A2", "x", code="city=revenue:10;path=a:0,b:_0")
    east = LaidTile("A6", "x", code="city=revenue:10;path=a:3,b:_0")
    straight = LaidTile("A4", "y", code="path=a:0,b:3")
    broken = LaidTile("A4", "y", code="path=a:1,b:3")
    town = LaidTile("A4", "y", code="town=revenue:10;path=a:0,b:_0;path=a:_0,b:3")

    def found(*tiles: LaidTile, markers: Sequence[str] = ()) -> list[int]:
        sides = frozenset({border("A4", m) for m in markers})
        return [s.markers for s in segments(build_network(Board(COMMON, tiles, (Token("US", "A2"),), sides), "US"))]

    network_module._bundles.clear()
    for _ in range(2):
        assert found(west, straight, east) == [0]
        assert found(west, straight, east, markers=["A2", "A6"]) == [2]
        assert found(west, broken, east) == []
        assert found(west, town, east, markers=["A6"]) == [0, 1]
        assert found(west, straight) == []
    assert network_module._bundles


def test_long_notations_are_not_kept():
    network_module._bundles.clear()
    code = "path=a:0,b:3" + ";label=" + "x" * network_module.BUNDLE_CODE
    assert len(segments(build_network(hub(code), "US"))) == 1
    assert network_module._bundles == {}


def field(size: int) -> Position:
    """A city in a corner of a field of junctions: nobody could look at all the ways from it."""
    tiles = [
        LaidTile(f"{chr(65 + c)}{2 * r + c % 2 + 1}", "x", code="junction;" + _spokes)
        for c in range(size)
        for r in range(size)
    ]
    tiles[0] = LaidTile("A1", "y", code="city=revenue:20;" + _spokes)
    tiles[1] = LaidTile("A3", "y", code="offboard=revenue:70;" + _spokes)
    return Position(Board(tiles=tuple(tiles), tokens=(Token("US", "A1"),)), "US", (number_train("3", 3),))


_spokes = ";".join(f"path=a:{side},b:_0" for side in range(6))


def test_too_many_ways_through_junctions_are_refused():
    with pytest.raises(PositionError, match="too many ways lead through the junctions"):
        solve(field(20))


def test_the_deadline_is_looked_at_while_the_track_is_walked():
    """Before there are so many ways that the field is refused: each look takes a second of this clock."""
    looks = count()
    solution = solve(field(20), deadline=3, clock=lambda: next(looks))
    assert next(looks) < 10
    assert (solution.routes, solution.total, solution.optimal) == ((), 0, False)
    assert solution.upper_bound == 90
    assert [i.reason for i in solution.idle] == ["the deadline came before a run for it was found"]


def test_a_solve_is_cancelled_while_the_track_is_walked():
    asked = 0

    def cancelled():
        nonlocal asked
        asked += 1
        return asked > 3

    with pytest.raises(Cancelled):
        solve(field(20), cancelled=cancelled)
    assert asked == 4
