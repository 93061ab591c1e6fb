"""The choice of one route for each run: depth first through the lists of their routes, best first, with a bound."""

from __future__ import annotations

from trunkline.solver.search.kernel.cache import inlined, kernel
from trunkline.solver.search.layout import (
    COMBINE_DEPTH,
    COMBINE_STEPS,
    COMBINED_ROUTES,
    COMBINED_TOTAL,
    DONE,
    RUNNING,
    Combination,
)


@kernel
def combine(s: Combination, budget: int) -> int:
    """Go on looking for a better combination for up to ``budget`` steps.

    Parameters
    ----------
    s
        State of the choice, changed in place.
    budget
        Steps at most; a step takes one route for a run, leaves the run idle, or goes back.

    Returns
    -------
    int
        RUNNING, or DONE when no better combination is left.
    """
    runs = s.train.shape[0]
    words = s.use.shape[1]
    d = s.control[COMBINE_DEPTH]
    steps = 0
    while steps < budget and d >= 0:
        steps += 1
        t = s.train[d]
        end = s.first[t + 1]
        j = s.at[d]
        if j < end and s.total[d] + s.value[j] + s.rest[d + 1] <= s.best[COMBINED_TOTAL]:
            j = end
        if j < end:
            s.at[d] = j + 1
            if clashes(s, d, j):
                continue
            s.choice[d] = j
            total = s.total[d] + s.value[j]
            if total > s.best[COMBINED_TOTAL]:
                s.best[COMBINED_TOTAL] = total
                for i in range(runs):
                    s.best[COMBINED_ROUTES + i] = s.choice[i] if i <= d else -1
            for i in range(words):
                s.used[d + 1, i] = s.used[d, i] | s.use[j, i]
        elif j == end and s.total[d] + s.rest[d + 1] > s.best[COMBINED_TOTAL]:
            s.at[d] = end + 1
            s.choice[d] = -1
            total = s.total[d]
            for i in range(words):
                s.used[d + 1, i] = s.used[d, i]
        else:
            d -= 1
            continue
        if d + 1 < runs:
            s.total[d + 1] = total
            # Runs of the same train choose in order: a pair is looked at once, and behind an idle one all are idle.
            s.at[d + 1] = (j + 1 if j < end else end) if s.train[d + 1] == t else s.first[s.train[d + 1]]
            d += 1
    s.control[COMBINE_DEPTH] = d
    s.control[COMBINE_STEPS] += steps
    return DONE if d < 0 else RUNNING


@inlined
def clashes(s: Combination, d: int, j: int) -> bool:
    """Whether route j uses a resource that an earlier run uses."""
    both = 0
    for i in range(s.use.shape[1]):
        both |= s.used[d, i] & s.use[j, i]
    return both != 0
