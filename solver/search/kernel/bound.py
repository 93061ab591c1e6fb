"""Whether it is worth while to go on with a walk (deep gear)."""

from __future__ import annotations

from trunkline.solver.search.kernel.blocks import MAX_CHAINS, add_dead_ends, choose_largest, find_blocks
from trunkline.solver.search.kernel.cache import ZERO, inlined, inner
from trunkline.solver.search.kernel.reach import ceiling, flood
from trunkline.solver.search.kernel.states import seen_before
from trunkline.solver.search.kernel.value import bonus_of, features_that_matter
from trunkline.solver.search.layout import (
    CONTROL_COLLECT,
    CONTROL_MUST,
    CONTROL_WANTED,
    LEVEL_BOUND,
    LEVEL_COUNT,
    LEVEL_FEATURE,
    LEVEL_MATTERS,
    LEVEL_UNION,
    LEVEL_UNION_BONUS,
    LIMIT_KINDS,
    LIMIT_MOST,
    LIMIT_VISIT,
    RULE_COUNTED_BONUS,
    RULE_PAY_ALL,
    RULE_TIGHT,
    SCRATCH_CHOSEN,
    SCRATCH_INSIDE,
    SCRATCH_SETS,
    K,
    Task,
    Walk,
)


@inner
def promising(task: Task, w: Walk, d: int) -> bool:
    """Whether the walk at level d can become worth more than is wanted, and is in no state met before."""
    rule, control, level = task.rule, w.control, w.level
    left = ZERO
    if rule[RULE_TIGHT] >= 0:
        left += task.limit[LIMIT_VISIT, rule[RULE_TIGHT], LIMIT_MOST]
        for k in range(K):
            if task.limit[LIMIT_VISIT, rule[RULE_TIGHT], LIMIT_KINDS] >> k & 1:
                left -= level[d, LEVEL_COUNT + k]
    flood(task, w, d, left)
    union = level[level.shape[0] - 1, LEVEL_FEATURE]
    if control[CONTROL_MUST] & ~union:
        return False
    if d == 0 or union != level[d, LEVEL_UNION]:
        level[d, LEVEL_UNION] = union
        level[d, LEVEL_UNION_BONUS] = bonus_of(rule, task.bonus, union, union)
        level[d, LEVEL_MATTERS] = features_that_matter(rule, task.bonus, union) | control[CONTROL_MUST]
    bound = ceiling(task, w, d, left, union, level[d, LEVEL_UNION_BONUS])
    level[d, LEVEL_BOUND] = bound
    if bound <= control[CONTROL_WANTED] or (control[CONTROL_COLLECT] == 0 and seen_before(task, w, d)):
        return False
    return chains_promise(task, w, d, left)


@inlined
def chains_promise(task: Task, w: Walk, d: int, left: int) -> bool:
    """Whether some chain of blocks, or two of them while both arms may go on, allow more than is wanted."""
    rule, control, level, scratch = task.rule, w.control, w.level, w.scratch
    sets, chosen, inside = scratch[SCRATCH_SETS:], scratch[SCRATCH_CHOSEN], scratch[SCRATCH_INSIDE]
    most, least = control[CONTROL_WANTED] + 1, ZERO
    if rule[RULE_PAY_ALL] or not rule[RULE_COUNTED_BONUS]:
        # The bound of all that is open, less its bonuses, with these: fewer bonuses cannot be enough.
        least = most - level[d, LEVEL_BOUND] + level[d, LEVEL_UNION_BONUS]
    n, arms = find_blocks(task, w, d)
    chains = choose_largest(sets, chosen, add_dead_ends(task, w, d, n), level[d, LEVEL_MATTERS])
    if chains > MAX_CHAINS:
        return True
    for p in range(chains):
        for q in range(p, chains if arms >= 2 else p + 1):
            i, j = chosen[p], chosen[q]
            union = level[d, LEVEL_FEATURE] & level[d, LEVEL_MATTERS] | sets[0, i] | sets[0, j]
            bonuses = bonus_of(rule, task.bonus, union, union)
            if control[CONTROL_MUST] & ~union or bonuses < least:
                continue
            for x in range(task.node.shape[0]):
                if inside[x] != 2:
                    inside[x] = (sets[1 + (x >> 6), i] | sets[1 + (x >> 6), j]) >> (x & 63) & 1
            if ceiling(task, w, d, left, union, bonuses) >= most:
                return True
    return False
