"""Generated boards are legal, the same for the same seed, and end when nothing more can be laid."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter

import pytest

from trunkline.solver import Position, Rules, StopId, TrunklineError, get_title, parse_tile
from trunkline.solver.board import CITY
from trunkline.solver.generate import keeps_track, random_board, random_position

INDIA = get_title("18India")


@pytest.mark.parametrize("tiles", [0, 1, 10, 60, 120])
def test_as_many_hexes_are_laid_as_were_asked_for(tiles):
    assert len(random_board(3, tiles).tiles) == tiles


@pytest.mark.parametrize("seed", range(5))
def test_the_same_seed_gives_the_same_board_and_position(seed):
    assert random_board(seed, 40) == random_board(seed, 40)
    assert random_position(seed, 40) == random_position(seed, 40)
    assert random_board(seed, 40) != random_board(seed + 1, 40)


def test_the_same_seed_gives_the_same_board_in_another_process():
    """The order of a set of texts is another in every process; no board may hang on it."""
    code = (
        "from trunkline.solver.generate import random_position as r; "
        "print(repr(r(5, 50).board.tiles), r(5, 50).board.tokens)"
    )
    texts = set()
    for hash_seed in ("1", "2"):
        run = subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        )
        texts.add(run.stdout)
    board = random_position(5, 50).board
    assert texts == {f"{board.tiles!r} {board.tokens}\n"}


@pytest.mark.parametrize("seed", range(3))
def test_a_full_board_takes_no_further_tile_of_the_box(seed):
    board = random_board(seed)
    left = {n: t.count for n, t in INDIA.tiles.items()}
    left = Counter(left) - Counter(t.tile for t in board.tiles)
    laid = {t.hex: t.tile for t in board.tiles}
    for h in INDIA.hexes:
        if h in laid:
            names = INDIA.tiles[laid[h]].upgrades
        else:
            names = INDIA.first[INDIA.hex_class(h)] if INDIA.fitting[h] else ()
        for name in names:
            for rotation in range(6):
                new = INDIA.tiles[name].tile.rotated(rotation)
                if left[name] and not INDIA.why_no_track(h, new):
                    assert h in laid
                    assert not keeps_track(board.hexes[h].tile, new), (h, name, rotation)


def test_most_track_of_a_board_hangs_together():
    """As in a game: track grows from the homes of a few companies."""
    for seed in range(5):
        board = random_board(seed, 60)
        joined = 0
        for t in board.tiles:
            hx = board.hexes[t.hex]
            joined += any(
                (s + 3) % 6 in board.hexes[n].tile.exits for s, n in hx.neighbors.items() if s in hx.tile.exits
            )
        assert joined >= 58


def test_markers_lie_only_on_province_borders_that_track_crosses():
    board = random_board(1, 100, markers=1.0)
    assert board.markers
    for a, b in INDIA.province_borders:
        side = next(s for s, n in INDIA.hexes[a].neighbors.items() if n == b)
        crossed = side in board.hexes[a].tile.exits and (side + 3) % 6 in board.hexes[b].tile.exits
        assert crossed == ((a, b) in board.markers)
    assert not random_board(1, 100, markers=0.0).markers


def test_companies_have_a_token_at_home_and_more_where_asked():
    board = random_board(2, 80, companies=6, tokens=1.0, extra_tokens=0.3)
    companies = {t.company for t in board.tokens}
    assert len(companies) == 6
    for c in companies:
        home = INDIA.companies[c].home
        assert not home or any(t.company == c and t.hex == home for t in board.tokens)
    assert any(t.extra for t in board.tokens)
    few = random_board(2, 80, companies=6, tokens=0.0, extra_tokens=0.0)
    assert len(few.tokens) == len([c for c in companies if INDIA.companies[c].home])


def test_what_is_asked_of_a_position_is_kept():
    position = random_position(1, 30, company="GIPR", trains=["4Ex3", "2"], rules=Rules("18xx.games"))
    assert (position.company, [t.name for t in position.trains]) == ("GIPR", ["4Ex3", "2"])
    assert position.rules == Rules("18xx.games")
    board = random_board(7, 25, phase="II", jewelry=True)
    assert (board.phase, bool(board.jewelry_hex)) == ("II", True)
    assert random_position(1, board=board).board is board


def test_positions_are_of_all_sorts():
    positions = [random_position(seed, 15) for seed in range(120)]
    assert {t.name for p in positions for t in p.trains} == set(INDIA.trains)
    assert {len(p.trains) for p in positions} == {1, 2}
    assert {p.rules.name for p in positions} == set(INDIA.rule_sets)
    for switch in INDIA.switches:
        assert {p.on(switch) for p in positions} == {True, False}
    for c in INDIA.commodities:
        assert {(c in p.open_concessions, c in p.held_concessions) for p in positions} == {
            (False, False),
            (True, False),
            (False, True),
        }
    assert any(t.extra for p in positions for t in p.board.tokens)
    assert {p.board.phase for p in positions} == set(INDIA.phases)
    assert any(_full_of_others(p) for p in positions)


def _full_of_others(position: Position) -> bool:
    return any(
        city.blocks(position.company) and position.board.hexes[stop.hex].tile.exits
        for stop, city in position.board.cities.items()
        if stop != StopId("", CITY, 0)
    )


def test_only_a_title_with_a_map_has_boards():
    with pytest.raises(TrunklineError, match="printed map"):
        random_board(1, title_id="")
    with pytest.raises(TrunklineError, match="unknown title"):
        random_board(1, title_id="18Nowhere")


@pytest.mark.parametrize(
    ("old", "new", "kept"),
    [
        ("path=a:0,b:3", "junction;path=a:0,b:_0;path=a:1,b:_0;path=a:3,b:_0", True),
        ("path=a:0,b:3", "junction;path=a:0,b:_0;path=a:1,b:_0;path=a:2,b:_0", False),
        ("path=a:0,b:3", "path=a:0,b:1;path=a:3,b:4", False),
        ("town=revenue:10;path=a:0,b:_0;path=a:3,b:_0", "city=revenue:30;path=a:0,b:_0;path=a:3,b:_0", True),
        ("town=revenue:10;path=a:0,b:_0;path=a:3,b:_0", "junction;path=a:0,b:_0;path=a:3,b:_0", False),
        ("path=a:0,b:3", "city=revenue:30;path=a:0,b:_0;path=a:3,b:_0", True),
        # Two cities stay two, or become one.
        (
            "city=revenue:40;city=revenue:40;path=a:0,b:_0;path=a:2,b:_1",
            "city=revenue:50;city=revenue:50;path=a:0,b:_0;path=a:2,b:_0;path=a:3,b:_1;path=a:4,b:_1",
            False,
        ),
        (
            "city=revenue:40;city=revenue:40;path=a:0,b:_0;path=a:2,b:_1",
            "city=revenue:50;city=revenue:50;path=a:0,b:_0;path=a:3,b:_0;path=a:2,b:_1;path=a:4,b:_1",
            True,
        ),
        (
            "city=revenue:40;city=revenue:40;path=a:0,b:_0;path=a:2,b:_1",
            "city=revenue:60;path=a:0,b:_0;path=a:2,b:_0;path=a:3,b:_0",
            True,
        ),
    ],
)
def test_an_upgrade_keeps_what_the_old_track_joins(old, new, kept):
    assert keeps_track(parse_tile(old), parse_tile(new)) == kept
