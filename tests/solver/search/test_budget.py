"""Memory of a search is estimated before it is spent, and set-up takes it in small pieces."""

import tracemalloc

import numpy as np
import pytest

from trunkline.solver import BudgetError, solve
from trunkline.solver.board import Board, LaidTile, Position, Token, number_train
from trunkline.solver.search import budget
from trunkline.solver.search.limits import Limits
from trunkline.solver.search.tasks import clashing_links
from trunkline.solver.wire.status import status_of


def joined_cities(hexes, cities):
    """A column of hexes, in each of which every city is joined to every other."""
    paths = [f"path=a:_{i},b:_{j}" for i in range(cities) for j in range(i)]
    code = ";".join(["city=revenue:10"] * cities + paths + ["path=a:0,b:_0", f"path=a:3,b:_{cities - 1}"])
    tiles = tuple(LaidTile(f"A{2 * i + 1}", "t", code=code, color="yellow") for i in range(hexes))
    return Position(Board(tiles=tiles, tokens=(Token("X", "A1"),)), "X", (number_train("2", 2),))


def test_a_question_that_would_take_too_much_memory_is_refused_with_what_was_too_much(monkeypatch):
    position = joined_cities(3, 6)
    assert solve(position).optimal
    monkeypatch.setattr(budget, "MAX_BYTES", budget.problem_bytes(46))  # 45 in the hexes, 2 between them
    with pytest.raises(BudgetError, match="47 segments") as refused:
        solve(position)
    status = status_of(refused.value)
    assert (status.code, "47 segments" in status.message) == (8, True)  # RESOURCE_EXHAUSTED


def test_the_estimate_covers_what_the_bits_of_shared_track_take():
    """Each segment may have a bit of its own for every other one."""
    for segments in (1, 64, 65, 10_000):
        words = -(-segments // 64)
        assert budget.problem_bytes(segments) >= np.zeros((segments, words), dtype=np.int64).nbytes
    assert budget.problem_bytes(500) < budget.MAX_BYTES / 100, "far from any real board"


def test_comparing_segments_takes_memory_in_small_pieces():
    use = np.zeros((4000, 63), dtype=np.int64)
    use[0, 0] = use[3999, 0] = 1
    tracemalloc.start()
    try:
        ends, clashing = clashing_links(use, Limits(), lambda: None)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (clashing.tolist(), ends[[1, 3999, 4000]].tolist()) == ([3999, 0], [1, 1, 2])
    assert peak < 4 * Limits().clash_bytes, "all 256 rows at once would take 516 MB"
