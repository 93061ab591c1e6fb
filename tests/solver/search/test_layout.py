"""The layout of the arrays: what is said of their shapes is so, and no two columns of an array share a place."""

from __future__ import annotations

import ast
import inspect
import re
from collections import defaultdict

import numpy as np
import pytest

from trunkline.solver.generate import random_position
from trunkline.solver.search import combinations, layout
from trunkline.solver.search.limits import Limits
from trunkline.solver.search.network import build_network
from trunkline.solver.search.one_train import RouteSearch
from trunkline.solver.search.problem import model
from trunkline.solver.search.progress import Outcome
from trunkline.solver.search.tasks import clashing_links, new_walk, task_of

SHAPE = re.compile(r"``(\w+)`` \(((?:[^()]|\([^()]*\))*)\)")


def stated(kind):
    """For each array the expressions of its shape in the docstring, and whether it says int32."""
    found = {}
    for entry in kind.__doc__.split("\n    - ")[1:]:
        for name, shape in SHAPE.findall(" ".join(entry.split())):
            assert name not in found
            found[name] = (shape, "int32" in entry)
    assert list(found) == list(kind._fields)
    return found


def assert_as_stated(arrays, **sizes):
    for name, (shape, small) in stated(type(arrays)).items():
        array = getattr(arrays, name)
        assert array.shape == eval(f"({shape},)", vars(layout), sizes), name
        assert array.dtype == (np.int32 if small else np.int64), name


@pytest.mark.parametrize(("seed", "tiles"), [(1, None), (2, 40), (4, 25)])
def test_arrays_have_the_shapes_that_the_layout_states(monkeypatch, seed, tiles):
    position = random_position(seed, tiles, joined=1.0, trains=["4Ex3", "4E", "4", "3x2"])
    found = model(position, build_network(position.board, position.company))
    problem = found.problem
    assert len(problem.link)
    sizes = {
        "N": len(found.stops),
        "A": 2 * len(found.links),
        "L": len(found.links),
        "W": problem.use.shape[1],
        "T": len(found.trains),
        "C": problem.limit.shape[2],
        "X": problem.all_of.shape[1],
        "Y": len(problem.one_of),
        "Z": len(problem.reach),
    }
    assert_as_stated(problem, **sizes)
    runs = [t for t, _ in found.runs]
    clash = clashing_links(problem.use, Limits(), lambda: None)
    for t in runs:
        task = task_of(problem, t, clash)
        payable = int(problem.worth[t, :, layout.WORTH_PAYABLE].sum())
        assert_as_stated(task, **sizes, F=len(task.clash), P=payable)
        kept = int(problem.train[t, layout.TRAIN_PAY_BEST])
        for deep in (False, True):
            walk = new_walk(problem, t, Limits(), deep=deep)
            rows = {"D": len(walk.level), "R": len(walk.route_value), "E": len(walk.route_links), "S": len(walk.seen)}
            assert bool(len(walk.seen)) == deep
            if not deep:
                walk = walk._replace(seen=stated_width(walk, sizes["L"], sizes["N"]))
            assert_as_stated(walk, **sizes, **rows, B=max(kept, 0))
    states = []

    def combine(state, _):
        states.append(state)
        return layout.DONE

    work = RouteSearch(problem, runs, Outcome([()] * len(runs), [0] * len(runs)), lambda _: None, Limits())
    monkeypatch.setattr(combinations, "combine", combine)
    combinations.best_combination(work, runs, 1_000_000, 1_000_000, lambda *_: None)
    assert states or tiles is None  # too many routes on a full board
    for state in states:
        assert_as_stated(state, **sizes, M=len(runs), Q=len(state.value))


def stated_width(walk, links, nodes):
    """The table of a walk that has none: no rows, and here with the columns of one that does."""
    columns = layout.SEEN_LINKS - (-links // 64) + walk.level.shape[1] - layout.LEVEL_FEATURE + nodes // 64 + 1
    return np.zeros((0, columns), dtype=np.int64)


def test_columns_of_an_array_have_different_places():
    places = defaultdict(list)
    for node in ast.parse(inspect.getsource(layout)).body:
        if isinstance(node, ast.Assign):
            for name in (n.id for target in node.targets for n in ast.walk(target) if isinstance(n, ast.Name)):
                array = name.split("_")[0]
                if "_" in name and not name.endswith(("_COLUMNS", "_PLACES")):
                    places[array].append((getattr(layout, name), name))
    # Two groups each: planes and columns of ``limit``.
    assert places.pop("LIMIT") == [(0, "LIMIT_VISIT"), (1, "LIMIT_PAY"), (0, "LIMIT_KINDS"), (1, "LIMIT_MOST")]
    assert len(places) > 10
    for columns in places.values():
        assert [place for place, _ in columns] == sorted({place for place, _ in columns}), columns
