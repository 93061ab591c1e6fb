"""The search: exact whichever way it goes, the same each time, and honest when it is stopped."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from trunkline.solver import (
    Board,
    Cancelled,
    LaidTile,
    Position,
    Rules,
    Solution,
    Token,
    TrunklineError,
    get_title,
    number_train,
    solve,
    warm_up,
)
from trunkline.solver.board import hex_id
from trunkline.solver.generate import random_position
from trunkline.solver.search import combinations, layout, one_train, search
from trunkline.solver.search.kernel import cache as kernels
from trunkline.solver.search.kernel.combine import combine
from trunkline.solver.search.kernel.walk import walk
from trunkline.solver.search.layout import Problem
from trunkline.solver.search.limits import DEFAULT, Limits
from trunkline.solver.search.network import build_network
from trunkline.solver.search.one_train import RouteSearch
from trunkline.solver.search.problem import model
from trunkline.solver.search.progress import Outcome, Stop
from trunkline.solver.search.routes import ANY, Case, Found
from trunkline.solver.search.tasks import clashing_links

INDIA = get_title("18India")
HARD = 24
"""A board with every tile laid on which two E trains take a second."""
HARD_TOTAL = 1740


@pytest.fixture(scope="module", autouse=True)
def _warm() -> None:
    warm_up()


def hard() -> Position:
    return random_position(HARD, trains=["4Ex3", "4E"])


def question(position: Position) -> tuple[Problem, list[int]]:
    found = model(position, build_network(position.board, position.company))
    return found.problem, [t for t, _ in found.runs]


def totals(questions: list[tuple[Problem, list[int]]], **limits: int) -> list[int]:
    found = [search.search(*q, limits=Limits(**limits)) for q in questions]
    assert [o.ceiling for o in found] == [o.total for o in found]
    return [o.total for o in found]


def some(n: int, tiles: int) -> list[tuple[Problem, list[int]]]:
    """Questions on generated boards with one to three trains of all types, under all rule switches."""
    kinds = list(INDIA.trains)
    found = []
    for seed in range(n):
        trains = [kinds[(seed * k + k) % len(kinds)] for k in range(1, 2 + seed % 3)]
        rules = Rules("rulebook", (("connection_requires_counted", seed % 4 == 0),))
        position = random_position(seed, tiles, joined=(0.0, 0.5)[seed % 2], trains=trains, rules=rules)
        found.append(question(position))
    return found


# Exact whichever way


def test_the_deep_gear_finds_the_same_totals_as_the_plain_gear():
    questions = some(60, 45)
    deep = totals(questions, plain_steps=1)
    assert totals(questions, plain_steps=1 << 60) == deep
    assert len(set(deep)) > 20


def test_cases_and_combinations_find_the_same_totals(monkeypatch):
    """All combinations at once, first or after some cases, or cases alone until the end."""
    questions = some(60, 45)
    done: list[bool] = []
    best_combination = combinations.best_combination

    def counted(*question: Any) -> bool:
        done.append(best_combination(*question))
        return done[-1]

    monkeypatch.setattr(search, "best_combination", counted)
    first = totals(questions)
    assert sum(done) >= 10
    done.clear()
    assert totals(questions, short_steps=-1, splits=1 << 60) == first
    assert not done
    assert totals(questions, short_steps=-1, splits=2) == first
    assert any(done)


def test_what_is_kept_of_earlier_cases_changes_no_total():
    questions = some(40, 60)
    with_all = totals(questions, short_steps=-1)
    assert totals(questions, short_steps=-1, routes_kept=1, proofs_kept=1) == with_all


def test_a_table_of_states_that_forgets_all_the_time_changes_no_total():
    questions = some(40, 60)
    remembering = totals(questions, plain_steps=1)
    assert totals(questions, plain_steps=1, seen_rows=4) == remembering
    assert totals(questions, plain_steps=1, seen_rows=4, seen_width=0) == remembering  # a table for each walk


@pytest.mark.parametrize(("seed", "counted", "total"), [(HARD, False, HARD_TOTAL), (30, False, 1690), (13, True, 1480)])
def test_two_e_trains_on_a_dense_board_are_proven_in_few_steps(seed, counted, total):
    """Steps, not time: walking alone, without bounds of what is open, would not end."""
    position = random_position(seed, trains=["4Ex3", "4E"])
    assert position.on("connection_requires_counted") == counted
    outcome = search.search(*question(position))
    assert (outcome.total, outcome.ceiling) == (total, total)
    assert outcome.nodes < 5_000_000


def route_search(problem: Problem, runs: list[int]) -> RouteSearch:
    return RouteSearch(problem, runs, Outcome([()], [0]), lambda _: None, Limits())


def test_what_a_train_must_use_or_keep_off_is_kept_in_both_gears():
    """Every case of a route: the best with each of its resources, and without, plainly and deep."""
    for seed in (3, 6, 9):
        problem, runs = question(random_position(seed, 60, joined=1.0, trains=["4E"]))
        best = route_search(problem, runs).best_route(0, ANY, -1)
        assert best is not None
        resources = [1 << i for i in range(best.use.bit_length()) if best.use >> i & 1]
        assert len(resources) > 3
        for resource in resources:
            values = []
            for deep in (False, True):
                for case in (Case(0, resource), Case(resource, 0)):
                    work = route_search(problem, runs)
                    work.long = set(runs) if deep else set()
                    found = work.best_route(0, case, -1)
                    assert found is not None
                    assert not found.use & case.off
                    assert not case.on & ~found.use
                    values.append(found.value)
            assert values[:2] == values[2:]
            assert values[0] == best.value >= values[1]


def test_the_same_question_has_the_same_answer():
    position = random_position(7, trains=["4Ex3", "4E"], joined=0.5)
    first = solve(position)
    assert first.optimal
    again = solve(position)
    assert again.routes == first.routes
    assert again.statistics.nodes == first.statistics.nodes


# Stopped


class Looks:
    """A clock that goes on by a second each time it is read, so that a deadline is a number of looks at it."""

    def __init__(self) -> None:
        self.read = 0

    def __call__(self) -> float:
        self.read += 1
        return self.read


def test_at_the_deadline_the_best_so_far_comes_with_a_true_bound():
    clock = Looks()
    solution = solve(hard(), deadline=300, clock=clock)
    assert 300 < clock.read < 310
    assert not solution.optimal
    assert solution.routes
    assert solution.total == sum(r.revenue for r in solution.routes)
    assert 0.7 * HARD_TOTAL < solution.total <= HARD_TOTAL <= solution.upper_bound < 2 * HARD_TOTAL


def test_a_deadline_that_has_passed_still_gives_a_true_bound():
    solution = solve(hard(), deadline=0)
    assert not solution.optimal
    assert solution.total <= HARD_TOTAL <= solution.upper_bound


def test_the_bound_never_rises_and_the_best_never_falls():
    seen: list[tuple[int, int]] = []

    def look(outcome: Outcome) -> None:
        seen.append((outcome.total, outcome.ceiling))
        if len(seen) > 200:
            raise Stop

    search.search(*question(hard()), look)
    best = [total for total, _ in seen]
    bound = [ceiling for _, ceiling in seen]
    assert best == sorted(best)
    assert bound == sorted(bound, reverse=True)
    assert best[-1] <= HARD_TOTAL <= bound[-1]
    assert len(set(bound)) > 3


@pytest.mark.parametrize("position", [hard(), random_position(HARD, trains=["4Ex3", "4x3", "4", "3x3"])])
def test_who_asks_is_heard_after_each_slice_of_the_search(position, monkeypatch):
    """In steps, which are the same on every machine; in milliseconds: ``python -m benchmarks``."""
    since = longest = 0.0
    calls = 0

    def sliced_walk(task: layout.Task, w: layout.Walk, steps: int) -> int:
        nonlocal since
        begun = w.control[layout.CONTROL_STEPS]
        status = walk(task, w, steps)
        since += (w.control[layout.CONTROL_STEPS] - begun) / (
            DEFAULT.deep_slice if w.control[layout.CONTROL_DEEP] else DEFAULT.plain_slice
        )
        return status

    def sliced_combine(state: layout.Combination, steps: int) -> int:
        nonlocal since
        begun = state.control[layout.COMBINE_STEPS]
        status = combine(state, steps)
        since += (state.control[layout.COMBINE_STEPS] - begun) / DEFAULT.combine_slice
        return status

    def cancelled() -> bool:
        nonlocal longest, since, calls
        longest, since = max(longest, since), 0.0
        calls += 1
        return calls == 1500

    monkeypatch.setattr(one_train, "walk", sliced_walk)
    monkeypatch.setattr(combinations, "combine", sliced_combine)
    with pytest.raises(Cancelled):
        solve(position, cancelled=cancelled)
    assert calls == 1500
    assert since == 0
    assert 0 < longest <= 1


def test_answers_on_the_way_are_better_each_time():
    shown: list[Solution] = []
    last = solve(random_position(1, trains=["4Ex3", "4E"]), on_improvement=shown.append)
    found = [s.total for s in shown]
    assert len(found) > 2
    assert found == sorted(set(found))
    assert all(s.total == sum(r.revenue for r in s.routes) <= last.total <= s.upper_bound for s in shown)


def test_what_a_caller_raises_passes():
    def look(outcome: Outcome) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        search.search(*question(hard()), look)


def test_nothing_to_run_is_an_answer():
    problem, _ = question(random_position(1, 30, trains=["2"]))
    outcome = search.search(problem, [])
    assert (outcome.links, outcome.total, outcome.ceiling) == ([], 0, 0)


# Kernels


def test_warm_kernels_are_not_compiled_again():
    totals(some(12, 40))
    compiled: list[Any] = [walk, combine]
    assert [len(k.signatures) for k in compiled] == [1, 1]


def test_kernels_are_cached_where_only_temporary_files_can_be_written(monkeypatch, tmp_path):
    from numba.core import caching

    def unwritable(self: object) -> None:
        raise OSError("read-only")

    def square(x: int) -> int:
        return x * x

    for name in ("InTreeCacheLocator", "UserWideCacheLocator"):  # up to numba 0.60 with an underscore
        locator = getattr(caching, name, None) or getattr(caching, f"_{name}")
        monkeypatch.setattr(locator, "ensure_cache_path", unwritable)
    monkeypatch.setattr(kernels.config, "CACHE_DIR", "")
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))
    compiled: Callable[[int], int] = kernels.kernel(square)
    assert compiled(3) == 9
    assert len(list(tmp_path.glob("trunkline-*/*/*.nbc"))) == 1
    assert kernels.config.CACHE_DIR == ""


def test_a_folder_of_somebody_else_is_not_used_for_kernels(monkeypatch, tmp_path):
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))
    folder = kernels._temporary_folder()
    assert folder.startswith(str(tmp_path))
    (tmp_path / folder).chmod(0o777)
    with pytest.raises(PermissionError):
        kernels._temporary_folder()


def test_a_deadline_is_kept_where_many_trains_clash_in_ever_more_cases(monkeypatch):
    """Six by six cities with track to all sides and eight trains from one token: thousands of cases, each quick.

    The clock counts the routes that the cases ask for, so that the deadline comes in the midst of them.
    """
    asked = seen = 0
    most_between_looks = 0
    best_route = RouteSearch.best_route

    def counted(self: RouteSearch, *arguments: Any, **options: Any) -> Found | None:
        nonlocal asked
        asked += 1
        return best_route(self, *arguments, **options)

    def clock() -> float:
        nonlocal seen, most_between_looks
        most_between_looks, seen = max(most_between_looks, asked - seen), asked
        return asked

    monkeypatch.setattr(RouteSearch, "best_route", counted)
    city = "city=revenue:10;" + ";".join(f"path=a:{side},b:_0" for side in range(6))
    hexes = [hex_id(x, 2 * y + x % 2 + 1) for x in range(6) for y in range(6)]
    board = Board(tiles=tuple(LaidTile(h, "x", code=city) for h in hexes), tokens=(Token("US", hexes[0]),))
    trains = tuple(number_train(str(n), n) for n in range(2, 10))
    found = solve(Position(board, "US", trains), deadline=1500, clock=clock)
    assert asked == 1500
    assert most_between_looks == 1
    assert 0 < found.total < found.upper_bound
    assert not found.optimal


@pytest.mark.parametrize("deadline", [-1, float("nan"), "1"])
def test_a_deadline_is_a_number_of_seconds(deadline):
    with pytest.raises(TrunklineError, match="the deadline"):
        solve(hard(), deadline=deadline)


def test_the_clock_is_looked_at_while_the_search_is_set_up():
    """A field of cities and junctions has thousands of links, each of which is held against all others."""
    use = np.zeros((3 * 10, 1), dtype=np.int64)
    looks = []
    clashing_links(use, Limits(clash_rows=10), lambda: looks.append(1))
    assert len(looks) == 2
