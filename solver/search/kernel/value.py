"""What a route earns: bonuses, and the best set of nodes that the train may count."""

from __future__ import annotations

from trunkline.solver.search.kernel.cache import ZERO, inlined, inner
from trunkline.solver.search.layout import (
    BONUS_AMOUNT,
    BONUS_FEATURES,
    BONUS_REACH_END,
    BONUS_REACH_FIRST,
    BONUS_REACH_SUM,
    CONTROL_ENOUGH,
    CONTROL_WANTED,
    LEVEL_BONUS,
    LEVEL_FEATURE,
    LEVEL_LIFTED,
    LEVEL_LINK,
    LEVEL_NODE,
    LEVEL_OWN_BEST,
    LEVEL_OWN_BEST_PLUS,
    LEVEL_PAID,
    LEVEL_TOP,
    LEVEL_VARIABLES,
    LIMIT_KINDS,
    LIMIT_MOST,
    LIMIT_PAY,
    NODE_COUNT,
    NODE_FEATURE,
    NODE_OWN,
    NODE_PAYABLE,
    NODE_PLUS,
    NODE_VALUE,
    RULE_ALL_OFS,
    RULE_COUNTED_BONUS,
    RULE_FACTOR,
    RULE_LIFT_LEAST,
    RULE_ONE_OFS,
    RULE_OWN_COUNTS,
    RULE_PAY_ALL,
    RULE_PAY_BEST,
    SCRATCH_CHOICE,
    SCRATCH_NODES,
    SCRATCH_STATE,
    SCRATCH_WANT,
    SCRATCH_WORTH,
    Ints,
    K,
    Task,
    Walk,
)


@inner
def bonus_of(rule: Ints, bonus: Ints, feature: int, counted: int) -> int:
    """All bonuses of a route with these features; ``counted`` are those that bonuses of the kind all_of look at."""
    total = 0
    all_ofs = rule[RULE_ALL_OFS]
    one_ofs = all_ofs + rule[RULE_ONE_OFS]
    for i in range(all_ofs):
        if bonus[i, BONUS_FEATURES] & ~counted == 0:
            total += bonus[i, BONUS_AMOUNT]
    for i in range(all_ofs, one_ofs):
        if bonus[i, BONUS_FEATURES] & feature:
            best = 0
            for j in range(one_ofs + bonus[i, BONUS_REACH_FIRST], one_ofs + bonus[i, BONUS_REACH_END]):
                if bonus[j, BONUS_FEATURES] & feature:
                    if bonus[i, BONUS_REACH_SUM]:
                        best += bonus[j, BONUS_AMOUNT]
                    elif bonus[j, BONUS_AMOUNT] > best:
                        best = bonus[j, BONUS_AMOUNT]
            total += best
    return total


@inner
def features_that_matter(rule: Ints, bonus: Ints, feature: int) -> int:
    """Those of a set of features that are part of a bonus which the set earns."""
    matters = 0
    all_ofs = rule[RULE_ALL_OFS]
    one_ofs = all_ofs + rule[RULE_ONE_OFS]
    for i in range(all_ofs):
        if bonus[i, BONUS_FEATURES] & ~feature == 0:
            matters |= bonus[i, BONUS_FEATURES]
    for i in range(all_ofs, one_ofs):
        if bonus[i, BONUS_FEATURES] & feature:
            for j in range(one_ofs + bonus[i, BONUS_REACH_FIRST], one_ofs + bonus[i, BONUS_REACH_END]):
                if bonus[j, BONUS_FEATURES] & feature:
                    matters |= bonus[i, BONUS_FEATURES] | bonus[j, BONUS_FEATURES]
    return matters


@inner
def keep_best(rule: Ints, node: Ints, level: Ints, d: int, x: int) -> None:
    """Sort node x in among the best nodes of level d, under the simple rule of payment."""
    if not node[x, NODE_PAYABLE]:
        return
    n = rule[RULE_PAY_BEST]
    plus = node[x, NODE_PLUS]
    lowest, own, value = LEVEL_TOP, LEVEL_OWN_BEST, node[x, NODE_VALUE]
    if plus >= 0:
        lowest, own, value = LEVEL_TOP + n, LEVEL_OWN_BEST_PLUS, plus
    if node[x, NODE_OWN] and value > level[d, own]:
        level[d, own] = value
    i = lowest + n - 1
    if value <= level[d, i]:
        return
    while i > lowest and level[d, i - 1] < value:
        level[d, i] = level[d, i - 1]
        i -= 1
    level[d, i] = value


@inlined
def value_at_end(task: Task, w: Walk, d: int) -> int:
    """What the walk at level d earns if it ends here; -1: it is no route.

    If that is not more than WANTED, a number not above WANTED that may be too high.
    """
    rule, level = task.rule, w.level
    if rule[RULE_PAY_ALL]:
        value: int = level[d, LEVEL_PAID]
        value += level[d, LEVEL_VARIABLES] * max(level[d, LEVEL_LIFTED], rule[RULE_LIFT_LEAST])
        value = rule[RULE_FACTOR] * value + level[d, LEVEL_BONUS]
        return value
    value = w.control[CONTROL_ENOUGH]
    if rule[RULE_PAY_BEST] >= 0:
        value = best_counted(rule, level, d)
        if value >= 0:
            value = rule[RULE_FACTOR] * (value + level[d, LEVEL_PAID]) + level[d, LEVEL_BONUS]
    # With bonuses that ask for counted nodes the simple rule gives an upper bound; the exact value takes longer.
    if (rule[RULE_PAY_BEST] < 0 or rule[RULE_COUNTED_BONUS]) and value > w.control[CONTROL_WANTED]:
        value = best_set(task, level, w.scratch, d)
    return value


@inner
def best_counted(rule: Ints, level: Ints, d: int) -> int:
    """Sum of the best n values of the walk at level d under the simple rule of payment, not yet multiplied.

    -1: a counted node must be own, and none that pays is.
    """
    n = rule[RULE_PAY_BEST]
    lift = max(level[d, LEVEL_LIFTED], rule[RULE_LIFT_LEAST])
    total, last = 0, 0
    i, j = LEVEL_TOP, LEVEL_TOP + n
    for _ in range(n):
        plain = level[d, i] if i < LEVEL_TOP + n else -1
        lifted = level[d, j] + lift if j < LEVEL_TOP + 2 * n and level[d, j] >= 0 else -1
        if plain < 0 and lifted < 0:
            last = -1
            break
        if plain >= lifted:
            last = plain
            i += 1
        else:
            last = lifted
            j += 1
        total += last
    if rule[RULE_OWN_COUNTS]:
        own = level[d, LEVEL_OWN_BEST]
        if level[d, LEVEL_OWN_BEST_PLUS] >= 0:
            own = max(own, level[d, LEVEL_OWN_BEST_PLUS] + lift)
        if own < 0:
            return -1
        if own < last:
            total += own - last
    return total


@inner
def best_set(task: Task, level: Ints, scratch: Ints, d: int) -> int:
    """Value of the walk at level d under any rule of payment: the best set of counted nodes, exactly.

    Tries every way to satisfy bonuses that ask for counted nodes, and every own node where one must be counted;
    the rest is greedy, which is exact: sets that may be counted together form a transversal matroid.
    """
    rule, node, bonus = task.rule, task.node, task.bonus
    nodes, want, choice = scratch[SCRATCH_NODES], scratch[SCRATCH_WANT], scratch[SCRATCH_CHOICE]
    n = sort_payable(rule, node, level, scratch, d)
    possible = 0
    if rule[RULE_COUNTED_BONUS]:
        for i in range(rule[RULE_ALL_OFS]):
            asked = bonus[i, BONUS_FEATURES]
            if asked & rule[RULE_COUNTED_BONUS] and asked & ~level[d, LEVEL_FEATURE] == 0:
                possible |= 1 << i
    best = -1
    subset = possible  # of the bonuses: those that have to be satisfied
    while True:
        need = needed_features(rule, bonus, subset)
        # The first choice of a node for each feature that must be counted.
        bits = ZERO
        met = True
        while need and met:
            want[bits] = need & -need
            need &= need - 1
            choice[bits] = next_with(node, nodes, n, ZERO, want[bits])
            met = choice[bits] < n
            bits += 1
        while met:
            for own in range(n + 1):  # own = n: no own node is forced
                if own == n or (rule[RULE_OWN_COUNTS] and node[nodes[own], NODE_OWN]):
                    best = max(best, fill_up(task, level, scratch, d, n, bits, own))
            # The next choice, counting up the places like the digits of a number.
            b = 0
            while b < bits:
                choice[b] = next_with(node, nodes, n, choice[b] + 1, want[b])
                if choice[b] < n:
                    break
                choice[b] = next_with(node, nodes, n, ZERO, want[b])
                b += 1
            met = b < bits
        if subset == 0:
            return best
        subset = (subset - 1) & possible


@inner
def needed_features(rule: Ints, bonus: Ints, subset: int) -> int:
    """The features of a subset of the bonuses that have to be those of counted nodes."""
    need = 0
    for i in range(rule[RULE_ALL_OFS]):
        if subset >> i & 1:
            need |= bonus[i, BONUS_FEATURES] & rule[RULE_COUNTED_BONUS]
    return need


@inner
def sort_payable(rule: Ints, node: Ints, level: Ints, scratch: Ints, d: int) -> int:
    """Put the payable nodes of the walk in SCRATCH_NODES and what they pay in SCRATCH_WORTH, best first; how many."""
    nodes, worth = scratch[SCRATCH_NODES], scratch[SCRATCH_WORTH]
    n = ZERO
    lift = max(level[d, LEVEL_LIFTED], rule[RULE_LIFT_LEAST])
    for i in range(d + 1):
        x = level[i, LEVEL_NODE]
        if (i == 0 or level[i, LEVEL_LINK] >= 0) and node[x, NODE_PAYABLE]:
            value = node[x, NODE_VALUE] if node[x, NODE_PLUS] < 0 else node[x, NODE_PLUS] + lift
            j = n
            while j > 0 and worth[j - 1] < value:
                worth[j] = worth[j - 1]
                nodes[j] = nodes[j - 1]
                j -= 1
            worth[j] = value
            nodes[j] = x
            n += 1
    return n


@inner
def next_with(node: Ints, nodes: Ints, n: int, i: int, feature: int) -> int:
    """The first place from i on, of n, whose node has a feature; n: none."""
    while i < n and not node[nodes[i], NODE_FEATURE] & feature:
        i += 1
    return i


@inner
def fill_up(task: Task, level: Ints, scratch: Ints, d: int, n: int, bits: int, own: int) -> int:
    """Value when the chosen nodes are counted and the rest is filled up from the best; -1 if that is not allowed.

    Of the n payable nodes ``own`` is chosen, if it is not n, and the first ``bits`` places of SCRATCH_CHOICE.
    """
    rule, node = task.rule, task.node
    nodes, state = scratch[SCRATCH_NODES], scratch[SCRATCH_STATE]
    for i in range(n):
        state[i] = 0
    for b in range(bits):
        state[scratch[SCRATCH_CHOICE, b]] = 1
    if own < n:
        state[own] = 1
    total: int = level[d, LEVEL_PAID]
    got, has_own = 0, False
    for turn in range(2):
        for i in range(n):
            if state[i] != 1 - turn:
                continue
            state[i] = 2
            if not may_be_paid(node, task.limit, nodes, state, n):
                state[i] = 3
                if turn == 0:
                    return -1
                continue
            total += scratch[SCRATCH_WORTH, i]
            got |= node[nodes[i], NODE_FEATURE]
            has_own = has_own or node[nodes[i], NODE_OWN] == 1
    if rule[RULE_OWN_COUNTS] and not has_own:
        return -1
    total *= rule[RULE_FACTOR]
    feature = level[d, LEVEL_FEATURE]
    return total + bonus_of(rule, task.bonus, feature, got | feature & ~rule[RULE_COUNTED_BONUS])


@inlined
def may_be_paid(node: Ints, limit: Ints, nodes: Ints, state: Ints, n: int) -> bool:
    """Whether the nodes whose state is 2 are within all limits of what is paid."""
    for row in range(limit.shape[1]):
        left = limit[LIMIT_PAY, row, LIMIT_MOST]
        for j in range(n):
            if state[j] == 2:
                for k in range(K):
                    if limit[LIMIT_PAY, row, LIMIT_KINDS] >> k & 1:
                        left -= node[nodes[j], NODE_COUNT + k]
        if left < 0:
            return False
    return True
