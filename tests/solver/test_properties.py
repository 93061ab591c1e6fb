"""The solver's totals are those of brute force on generated boards, and what must not matter does not matter.

Boards are laid at random from the box (solver/generate.py), seeded: a failing seed is the example to look at.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import reduce
from itertools import product
from operator import or_
from random import Random

import networkx as nx
import pytest

from tests import brute
from trunkline.solver import Board, LaidTile, Position, Route, Rules, Token, Visits, get_title, number_train, solve
from trunkline.solver.board import (
    CITY,
    COMMON,
    MARKER,
    OFFBOARD,
    TOWN,
    End,
    Path,
    Tile,
    Train,
    border,
    format_tile,
    hex_coordinates,
    hex_id,
)
from trunkline.solver.generate import random_board, random_position
from trunkline.solver.search.limits import DEFAULT, Limits

INDIA = get_title("18India")
SIZES = (12, 20, 30, 40, 50, 60, 75)
LOOPS = 22
"""With more loops than that in a network, brute force may take minutes for a train of unlimited length."""


def check(position: Position, limits: Limits = DEFAULT) -> int:
    """Solve, hold total and routes against brute force, and give the total."""
    solution = solve(position, limits=limits)
    found = brute.every_run(position)
    assert solution.optimal
    assert solution.total == solution.upper_bound == sum(r.revenue for r in solution.routes)
    assert solution.total == brute.best_of(position, found)
    runs = [
        [x.bits for x in found[position.trains[r.train]] if x.revenue == r.revenue and _same_way(x, r)]
        for r in solution.routes
    ]
    assert any(sum(bits) == reduce(or_, bits, 0) for bits in product(*runs))  # no side of a hex is used twice
    assert sorted([r.train for r in solution.routes] + [i.train for i in solution.idle]) == [
        *range(len(position.trains))
    ]
    return solution.total


def _same_way(run: brute.Run, route: Route) -> bool:
    return (run.stops, run.hexes) in ((route.stops, route.hexes), (route.stops[::-1], route.hexes[::-1]))


def loops(position: Position) -> int:
    """How many independent loops the track has that the company can reach."""
    graph = brute.network(position.board)
    own = {c for c, city in position.board.cities.items() if city.holds(position.company)}
    parts = [graph.subgraph(part) for part in nx.connected_components(graph) if part & own]
    return max((g.number_of_edges() - g.number_of_nodes() + 1 for g in parts), default=0)


def generated(seed: int, tiles: int = 0, trains: Sequence[str] = ()) -> Position:
    """A generated position with trains of all types; every third board has few foreign tokens, every third many.

    The board has fewer tiles if it has too many loops for brute force.
    """
    rng = Random(seed)
    tiles = tiles or rng.choice(SIZES)
    names = list(trains) or rng.choices(list(INDIA.trains), k=rng.randint(1, 2))
    while True:
        board = random_board(seed, tiles, tokens=(0.1, 0.3, 0.7)[seed % 3])
        position = random_position(seed, board=board, trains=names)
        if not any("E" in n for n in names) or loops(position) <= LOOPS:
            return position
        tiles -= 10


@pytest.mark.parametrize("seed", range(60))
def test_the_total_is_that_of_brute_force(seed):
    check(generated(seed))


@pytest.mark.parametrize("name", list(INDIA.trains))
def test_the_total_is_that_of_brute_force_for_each_train_alone_and_beside_another(name):
    for seed, other in enumerate(("2", "4x3", "4Ex2"), start=500):
        check(generated(seed, 40, trains=[name]))
        check(generated(seed, 40, trains=[name, other]))


@pytest.mark.parametrize("jewelry", [False, True])
@pytest.mark.parametrize("counted", [False, True])
def test_the_total_is_that_of_brute_force_under_every_setting_of_the_switches(jewelry, counted):
    rules = Rules("rulebook", (("jewelry_per_destination", jewelry), ("connection_requires_counted", counted)))
    for seed in range(600, 606):
        board = random_board(seed, 40, jewelry=True, tokens=0.1)
        check(random_position(seed, board=board, trains=["4Ex2", "4"], rules=rules, open_concessions=0.8))


@pytest.mark.long
@pytest.mark.parametrize("hundred", range(6))
def test_the_total_is_that_of_brute_force_on_600_more_boards(hundred):
    for seed in range(1000 + 100 * hundred, 1100 + 100 * hundred):
        check(generated(seed))


@pytest.mark.long
@pytest.mark.parametrize("fifty", range(4))
def test_the_total_is_that_of_brute_force_on_200_dense_boards(fifty):
    """Large boards with few tokens and many or few markers: tens of loops, up to three trains."""
    for seed in range(5000 + 50 * fifty, 5050 + 50 * fifty):
        rng = Random(seed)
        names = rng.choices(list(INDIA.trains), k=rng.choice((1, 2, 2, 2, 3)))
        for tiles in range(rng.choice((60, 75, 90, 110)), 0, -10):
            board = random_board(
                seed,
                tiles,
                companies=rng.randint(2, 7),
                upgrades=rng.choice((0.2, 0.4, 0.6)),
                tokens=rng.choice((0.05, 0.2)),
                markers=rng.choice((0.3, 0.6, 1.0)),
            )
            position = random_position(seed, board=board, trains=names, open_concessions=0.6)
            if loops(position) <= (24 if any("E" in n for n in names) else 80):
                break
        check(position)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(12))
def test_the_total_is_that_of_brute_force_with_every_tile_laid(seed):
    """Trains of limited length: the routes of an E train on such a board are too many for brute force."""
    check(random_position(seed, board=random_board(seed, tokens=0.2), trains=["4", "4x3"]))


@pytest.mark.long
@pytest.mark.parametrize("seed", range(12))
def test_the_total_is_that_of_brute_force_for_three_and_four_trains(seed):
    names = Random(seed).choices([n for n in INDIA.trains if "E" not in n], k=3 + seed % 2)
    check(generated(seed, 50, trains=names))


# Boards sent whole


def whole(position: Position) -> Position:
    """The same board with every tile written out, and a few towns, cities and slots turned into what India lacks.

    There are no bonuses and no variable cities on such a board, but off-board areas that only end a route, groups,
    values by colour and trains of other kinds.
    """
    rng = Random(repr(position.board.tiles[:2]))
    tiles = []
    for h, hx in position.board.hexes.items():
        if hx.tile.stops or hx.tile.paths:
            tiles.append(LaidTile(h, hx.tile.name, 0, format_tile(hx.tile), hx.tile.color))
    edges = [i for i, t in enumerate(tiles) if t.color == "red" and t.code.count("city=") == 1]
    for i in rng.sample(edges, 3):
        if not any(t.hex == tiles[i].hex for t in position.board.tokens):
            code = tiles[i].code.replace("city=revenue:", "offboard=revenue:yellow_10|brown_").replace(",slots:2", "")
            tiles[i] = replace(tiles[i], code=code)
    board = position.board
    board = Board(COMMON, tuple(tiles), board.tokens, board.markers, colors=("yellow", "green", "brown"))
    trains = rng.sample(TRAINS if loops(position) <= LOOPS else LIMITED, len(position.trains))
    return Position(board, position.company, tuple(trains))


TRAINS = (
    number_train("2", 2),
    number_train("3", 3),
    number_train("5", 5),
    number_train("D", 99),
    Train("2+2", (Visits((TOWN,), 2, 2), Visits((CITY, TOWN, OFFBOARD), 2, 2))),
    Train("3+1", (Visits((CITY, OFFBOARD), 3, 3), Visits((TOWN,), 1, 1))),
    Train("4 of 6", (Visits((CITY, TOWN, OFFBOARD), 6, 4),)),
    Train("2E", (Visits((CITY, OFFBOARD), 99, 2), Visits((TOWN,), 99, 0)), 2, own_token_counts=True),
    Train("3m", (Visits((CITY, OFFBOARD, MARKER), 3, 3), Visits((TOWN,), 99, 99)), 3),
    Train("express", (Visits((CITY,), 4, 3), Visits((TOWN, OFFBOARD), 3, 1), Visits((MARKER,), 1, 0))),
    Train("cities only", (Visits((CITY,), 3, 3),)),
)
LIMITED = [t for t in TRAINS if t.name not in ("D", "2E")]


@pytest.mark.parametrize("seed", range(40))
def test_the_total_is_that_of_brute_force_on_whole_boards_with_other_trains(seed):
    check(whole(generated(seed, 30 + seed % 30)))


@pytest.mark.long
@pytest.mark.parametrize("hundred", range(3))
def test_the_total_is_that_of_brute_force_on_300_more_whole_boards(hundred):
    for seed in range(2000 + 100 * hundred, 2100 + 100 * hundred):
        check(whole(generated(seed, 30 + seed % 30)))


def test_every_kind_of_train_runs_somewhere_on_the_whole_boards():
    """Else the two tests above would prove nothing for it."""
    ran = {
        position.trains[r.train].name
        for seed in range(40)
        for position in [whole(generated(seed, 30 + seed % 30))]
        for r in solve(position).routes
    }
    assert ran == {t.name for t in TRAINS}


def patch(seed: int) -> Position:
    """A few hexes with tiles of no box: any stops and junctions, joined by track in any way, also within the hex."""
    rng = Random(seed)
    columns, rows = rng.choice(((2, 3), (3, 3), (4, 3), (4, 4)))
    tiles = [LaidTile(hex_id(x, 2 * y + x % 2), "any", 0, _any_tile(rng)) for x in range(columns) for y in range(rows)]
    tokens: list[Token] = []
    for (h, _, number), city in Board(tiles=tuple(tiles)).cities.items():
        here = [c for c in ("US", "THEM", "OTHERS") if all((t.company, t.hex) != (c, h) for t in tokens)]
        tokens += [Token(c, h, number) for c in here[: len(city.slots)] if rng.random() < 0.4]
    board = Board(tiles=tuple(tiles), tokens=tuple(tokens))
    sides = sorted({border(h, n) for h, hx in board.hexes.items() for n in hx.neighbors.values()})
    board = replace(board, markers=frozenset(s for s in sides if rng.random() < 0.15))
    return Position(board, "US", tuple(rng.choices(TRAINS, k=rng.choice((1, 1, 2, 2, 3)))))


def _any_tile(rng: Random) -> str:
    stops = rng.choice(((), (), (CITY,), (CITY,), (TOWN,), (CITY, CITY), (TOWN, TOWN), (CITY, TOWN), (OFFBOARD,)))
    parts = []
    for kind in stops:
        slots = f",slots:{rng.choice((0, 1, 1, 2, 2))}" if kind == CITY else ""
        # A town at a side of the hex: track from the middle shares a stem.
        slots += f",loc:{rng.randrange(6)}" if kind == TOWN and rng.random() < 0.5 else ""
        group = ",groups:Here" if rng.random() < 0.1 else ""
        parts.append(f"{kind}=revenue:{10 * rng.randint(0, 6)}{slots}{group}")
    parts += ["junction"] * rng.choice((0, 0, 0, 1, 1, 2))
    ends = 2 * [str(side) for side in range(6)] + 4 * [f"_{n}" for n in range(len(parts))]
    joined = {tuple(sorted(rng.sample(ends, 2))) for _ in range(rng.randint(1, 6))}
    # Terminal track: all that leads to some of the stops, some that leads to others, and a dead end now and then.
    last = {f"_{n}" for n in range(len(stops)) if rng.random() < 0.06}
    for _ in stops:
        last |= {
            end for pair in joined if last & set(pair) for end in pair if end[0] == "_" and int(end[1:]) < len(stops)
        }
    for a, b in sorted(joined):
        if a != b:
            stopless = not any(end[0] == "_" and int(end[1:]) < len(stops) for end in (a, b))
            terminal = last & {a, b} or rng.random() < (0.03 if stopless else 0.08)
            parts.append(f"path=a:{a},b:{b}" + (",terminal:1" if terminal else ""))
    if rng.random() < 0.2:
        parts.append(f"border=edge:{rng.randrange(6)},type:{rng.choice(('impassable', 'impassable', 'water'))}")
    return ";".join(parts) or "label=nothing"


@pytest.mark.parametrize("seed", range(100))
def test_the_total_is_that_of_brute_force_on_tiles_of_any_kind(seed):
    check(patch(seed))


@pytest.mark.long
@pytest.mark.parametrize("thousand", range(4))
def test_the_total_is_that_of_brute_force_on_4000_more_patches(thousand):
    for seed in range(10_000 + 1000 * thousand, 11_000 + 1000 * thousand):
        check(patch(seed))


# The gears of the search (see solver/search/search.py): small boards seldom need them, so here they are forced.

GEARS = {
    "deep at once": Limits(plain_steps=1, deep_slice=50),
    "deep, and cases to the end": Limits(plain_steps=1, deep_slice=50, short_steps=-1, splits=10**9),
    "cases to the end": Limits(short_steps=-1, splits=10**9),
    "cases, then combinations": Limits(short_steps=-1, splits=1, combine_slice=100),
}


@pytest.mark.parametrize("gear", list(GEARS))
@pytest.mark.parametrize("seed", [*range(8), 7020, 7051, 7102, 7120])
def test_every_gear_of_the_search_gives_the_total_of_brute_force(seed, gear):
    check(generated(seed, 50), GEARS[gear])
    check(whole(generated(seed, 50)), GEARS[gear])
    check(patch(seed), GEARS[gear])


@pytest.mark.long
@pytest.mark.parametrize("gear", list(GEARS))
@pytest.mark.parametrize("hundred", range(3))
def test_every_gear_of_the_search_gives_the_total_of_brute_force_on_900_more_boards(hundred, gear):
    for seed in range(6000 + 100 * hundred, 6100 + 100 * hundred):
        check(generated(seed), GEARS[gear])
        check(whole(generated(seed)), GEARS[gear])
        check(patch(seed), GEARS[gear])


def turned(position: Position, step: Callable[[int, int], tuple[int, int]], side: Callable[[int], int]) -> Position:
    """A whole board moved: ``step`` moves a hex as a vector, ``side`` the sides of every hex."""
    board = position.board
    moved = {h: step(*hex_coordinates(h)) for h in board.hexes}
    west = min(0, *(x for x, _ in moved.values()))
    west -= west % 2
    to = {h: hex_id(x - west, y) for h, (x, y) in moved.items()}

    def end(e: End) -> End:
        return End("edge", side(e.number)) if e.kind == "edge" else e

    def tile(t: Tile) -> str:
        return format_tile(replace(t, paths=tuple(Path(end(p.a), end(p.b), p.terminal) for p in t.paths)))

    return replace(
        position,
        board=replace(
            board,
            tiles=tuple(
                LaidTile(to[h], hx.tile.name, 0, tile(hx.tile), hx.tile.color) for h, hx in board.hexes.items()
            ),
            tokens=tuple(replace(t, hex=to[t.hex]) for t in board.tokens),
            markers=frozenset(border(to[a], to[b]) for a, b in board.markers),
        ),
    )


@pytest.mark.parametrize("seed", range(8))
def test_a_mirrored_board_earns_the_same(seed):
    position = whole(generated(seed, 45))
    mirrored = turned(position, lambda x, y: (x, -y), lambda s: (3 - s) % 6)
    assert sum(len(hx.neighbors) for hx in mirrored.board.hexes.values()) == sum(
        len(hx.neighbors) for hx in position.board.hexes.values()
    )
    assert solve(mirrored).total == solve(position).total


@pytest.mark.parametrize("seed", range(8))
def test_a_board_turned_by_a_sixth_earns_the_same(seed):
    position = whole(generated(seed, 45))
    total = solve(position).total
    for _ in range(6):
        position = turned(position, lambda x, y: ((x - y) // 2, (y + 3 * x) // 2), lambda s: (s + 1) % 6)
        assert solve(position).total == total


@pytest.mark.parametrize("seed", range(8))
def test_a_board_with_pointed_hexes_earns_the_same_as_with_flat_ones(seed):
    position = whole(generated(seed, 45))
    board = position.board

    def to(h: str) -> str:
        x, y = hex_coordinates(h)
        return hex_id((x + y) // 2, (3 * x - y) // 2)  # letters are rows there

    pointy = Board(
        COMMON,
        tuple(replace(t, hex=to(t.hex)) for t in board.tiles),
        tuple(replace(t, hex=to(t.hex)) for t in board.tokens),
        frozenset(border(to(a), to(b)) for a, b in board.markers),
        colors=board.colors,
        layout="pointy",
    )
    for h, hx in board.hexes.items():
        assert {s: to(n) for s, n in hx.neighbors.items()} == pointy.hexes[to(h)].neighbors
    assert solve(replace(position, board=pointy)).total == solve(position).total


@pytest.mark.parametrize("seed", range(8))
def test_renaming_the_companies_changes_nothing(seed):
    position = whole(generated(seed, 45))
    names = sorted({t.company for t in position.board.tokens} | {position.company})
    to = dict(zip(names, [*reversed(names[1:]), "Ångström & Co."], strict=True))
    tokens = tuple(replace(t, company=to[t.company]) for t in position.board.tokens)
    renamed = replace(position, board=replace(position.board, tokens=tokens), company=to[position.company])
    assert solve(renamed).total == solve(position).total


@pytest.mark.parametrize("seed", range(20))
def test_the_order_of_tiles_tokens_and_trains_changes_nothing(seed):
    position = generated(seed, 45)
    solution = solve(position)
    rng = Random(seed)
    for p in (position, whole(position)):
        board = p.board
        shuffled = replace(
            p,
            board=replace(
                board,
                tiles=tuple(rng.sample(board.tiles, len(board.tiles))),
                tokens=tuple(rng.sample(board.tokens, len(board.tokens))),
            ),
            trains=p.trains[::-1],
        )
        assert solve(shuffled).total == solve(p).total
    assert solve(position).routes == solution.routes  # and the same question has the same answer, to the letter


# More never earns less


@pytest.mark.parametrize("seed", range(20))
def test_a_further_train_never_earns_less(seed):
    position = generated(seed, 45)
    total = 0
    for n in range(3):
        trains = (*position.trains, INDIA.trains["3"], INDIA.trains["4E"])[: n + 1]
        more = solve(replace(position, trains=trains)).total
        assert more >= total
        total = more


@pytest.mark.parametrize("seed", range(20))
def test_a_further_own_token_never_earns_less(seed):
    position = generated(seed, 45, trains=["3", "4E"])
    total = solve(position).total
    board = position.board
    here = {t.hex for t in board.tokens if t.company == position.company}
    free = [s for s, city in board.cities.items() if None in city.slots and board.hexes[s.hex].tile.exits]
    for stop in [s for s in free if s.hex not in here][:4]:
        tokens = (*board.tokens, Token(position.company, stop.hex, stop.number))
        assert solve(replace(position, board=replace(board, tokens=tokens))).total >= total


@pytest.mark.parametrize("seed", range(20))
def test_an_open_slot_or_a_foreign_token_less_never_earns_less(seed):
    position = generated(seed, 45, trains=["4", "4E"])
    board = position.board
    total = solve(position).total
    for foreign in [t for t in board.tokens if t.company != position.company][:4]:
        without = replace(board, tokens=tuple(t for t in board.tokens if t != foreign))
        assert solve(replace(position, board=without)).total >= total
        hx = board.hexes[foreign.hex]
        stops = tuple(replace(s, slots=s.slots + 1) if s.kind == CITY else s for s in hx.tile.stops)
        opened = LaidTile(foreign.hex, hx.tile.name, 0, format_tile(replace(hx.tile, stops=stops)), hx.tile.color)
        tiles = (*(t for t in board.tiles if t.hex != foreign.hex), opened)
        assert solve(replace(position, board=replace(board, tiles=tiles))).total >= total


@pytest.mark.parametrize("seed", range(20))
def test_a_marker_less_or_a_concession_more_never_earns_less(seed):
    position = generated(seed, 45, trains=["4x2", "4E"])
    total = solve(position).total
    assert solve(replace(position, board=replace(position.board, markers=frozenset()))).total >= total
    missing = set(INDIA.commodities) - position.held_concessions
    opened = replace(position, open_concessions=frozenset(missing))
    assert solve(opened).total >= total


@pytest.mark.parametrize("seed", range(10))
def test_a_train_with_a_higher_multiplier_earns_no_less_and_bonuses_are_not_multiplied(seed):
    position = generated(seed, 60, trains=["4"])
    once, twice, thrice = (solve(replace(position, trains=(INDIA.trains[n],))).total for n in ("4", "4x2", "4x3"))
    assert once <= twice <= thrice <= 3 * once
    assert twice <= 2 * once
