"""All combinations: the routes of all trains that can be part of a better answer, and the best choice among them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from trunkline.solver.search.kernel.combine import combine
from trunkline.solver.search.layout import (
    COMBINE_STEPS,
    COMBINED_ROUTES,
    COMBINED_TOTAL,
    DONE,
    Combination,
    Problem,
)
from trunkline.solver.search.one_train import RouteList, RouteSearch
from trunkline.solver.search.progress import Links


def best_combination(
    routes: RouteSearch,
    runs: Sequence[int],
    collect_steps: int,
    combine_steps: int,
    offer: Callable[[list[Links], int], None],
) -> bool:
    """Look through all combinations of the routes that can be part of a better answer.

    Parameters
    ----------
    routes
        The search of single trains; in its outcome the best of each run alone is proven.
    runs
        The train of each run.
    collect_steps
        Steps at most to list the routes of one train.
    combine_steps
        Steps at most to combine them.
    offer
        Given each better answer: the links of each run, and what they earn.

    Returns
    -------
    bool
        Whether all were looked at: there is no better answer than the last. False: there are too many.
    """
    outcome = routes.outcome
    single = dict(zip(runs, outcome.single, strict=True))
    spare = sum(outcome.single) - outcome.total
    lists: dict[int, RouteList] = {}
    for t in sorted(single):
        # A route that earns less than the best of its train by ``spare`` or more is in no better answer.
        found = routes.all_routes(t, single[t] - spare, collect_steps)
        if found is None:
            return False
        lists[t] = found
    state = _state(routes.problem, runs, single, lists, outcome.total)
    begun, done = outcome.nodes, False
    while not done:
        done = combine(state, min(combine_steps, routes.limits.combine_slice)) == DONE
        outcome.nodes = begun + int(state.control[COMBINE_STEPS])
        if state.best[COMBINED_TOTAL] > outcome.total:
            chosen = zip(runs, state.best[COMBINED_ROUTES:].tolist(), strict=True)
            links = [lists[t].links(j - int(state.first[t])) if j >= 0 else () for t, j in chosen]
            offer(links, int(state.best[COMBINED_TOTAL]))
        routes.checkpoint()
        if not done and state.control[COMBINE_STEPS] >= combine_steps:
            return False
    return True


def _state(
    problem: Problem, runs: Sequence[int], single: dict[int, int], lists: dict[int, RouteList], total: int
) -> Combination:
    """A choice that has not begun; only totals above ``total`` are of interest."""
    n = len(runs)
    sizes = [len(lists[t].value) if t in lists else 0 for t in range(len(problem.train))]
    first = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return Combination(
        control=np.zeros(2, dtype=np.int64),
        first=first,
        value=np.concatenate([lists[t].value for t in sorted(lists)]),
        use=np.concatenate([lists[t].use for t in sorted(lists)]),
        train=np.array(runs, dtype=np.int64),
        rest=np.cumsum([0, *(single[t] for t in reversed(runs))])[::-1].astype(np.int64).copy(),
        at=np.full(n + 1, first[runs[0]], dtype=np.int64),
        total=np.zeros(n + 1, dtype=np.int64),
        used=np.zeros((n + 1, problem.use.shape[1]), dtype=np.int64),
        choice=np.full(n, -1, dtype=np.int64),
        best=np.array([total] + [-1] * n, dtype=np.int64),
    )
