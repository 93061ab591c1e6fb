"""What a walk can still reach, and the most that it can earn there (deep gear)."""

from __future__ import annotations

from trunkline.solver.search.kernel.cache import inlined, inner
from trunkline.solver.search.kernel.value import needed_features
from trunkline.solver.search.layout import (
    ARC_COST,
    ARC_LINK,
    ARC_NODE,
    BONUS_AMOUNT,
    BONUS_FEATURES,
    LEVEL_ARC,
    LEVEL_ARM,
    LEVEL_FEATURE,
    LEVEL_LIFTED,
    LEVEL_LIFTS,
    LEVEL_NODE,
    LEVEL_PAID,
    LEVEL_PREFIX,
    LEVEL_VARIABLES,
    LIMIT_KINDS,
    LIMIT_MOST,
    LIMIT_PAY,
    LIMIT_VISIT,
    LINK_FEATURE,
    LINK_WORTH,
    NODE_COUNT,
    NODE_FEATURE,
    NODE_LIFT,
    NODE_OWN,
    NODE_PLUS,
    NODE_THROUGH,
    NODE_VALUE,
    ORDER_PLAIN,
    ORDER_VARIABLE,
    RULE_ALL_OFS,
    RULE_APART,
    RULE_COUNTED_BONUS,
    RULE_FACTOR,
    RULE_LIFT_LEAST,
    RULE_OWN_COUNTS,
    RULE_PAY_ALL,
    RULE_PAY_BEST,
    RULE_TIGHT,
    SCRATCH_COST,
    SCRATCH_INSIDE,
    SCRATCH_QUEUE,
    SCRATCH_QUEUED,
    STOPS,
    Ints,
    K,
    Task,
    Walk,
)

# All subsets of so many bonuses that ask for counted nodes are tried for a bound: with more, all are taken as earned.
MAX_SUBSET = 8


@inner
def flood(task: Task, w: Walk, d: int, left: int) -> None:
    """Find what the walk at level d may still reach: the nodes whose place in SCRATCH_INSIDE is 1 (2: on the way).

    A node is reached over links and nodes that are still open, at the least cost in the tightest limit of the train,
    of which ``left`` is left. From the first arm the second may still leave the root, over its later arcs. The last
    row of ``level`` becomes that of a walk that had it all: features, lifting value and what links pay;
    ``open_links`` gets the links over which that is.
    """
    first, arc, node, link = task.first, task.arc, task.node, task.link
    level, scratch, open_links = w.level, w.scratch, w.open_links
    cost, inside = scratch[SCRATCH_COST], scratch[SCRATCH_INSIDE]
    queue, queued = scratch[SCRATCH_QUEUE], scratch[SCRATCH_QUEUED]
    last = level.shape[0] - 1
    tail = begin_flood(node, w, d)
    feature, lifted, paid, lifts = level[d, LEVEL_FEATURE], level[d, LEVEL_LIFTED], level[d, LEVEL_PAID], False
    root = level[0, LEVEL_NODE]
    size = queue.shape[0]
    head = 0
    while head != tail:
        x = queue[head]
        head = head + 1 if head + 1 < size else 0
        queued[x] = 0
        for a in range(level[0, LEVEL_ARC] if x == root else first[x], first[x + 1]):
            over, y = arc[a, ARC_LINK], arc[a, ARC_NODE]
            if w.shut_node[y] or w.shut_link[over]:
                continue
            total = cost[x] + arc[a, ARC_COST]
            if total > left:
                continue
            bit = 1 << (over & 63)
            if not open_links[over >> 6] & bit:
                open_links[over >> 6] |= bit
                feature |= link[over, LINK_FEATURE]
                paid += link[over, LINK_WORTH]
            if inside[y] == 0 or total < cost[y]:
                if inside[y] == 0:
                    inside[y] = 1
                    feature |= node[y, NODE_FEATURE]
                    if node[y, NODE_LIFT] > lifted:
                        lifted = node[y, NODE_LIFT]
                    lifts = lifts or node[y, NODE_PLUS] >= 0
                cost[y] = total
                if node[y, NODE_THROUGH] and not queued[y]:
                    queued[y] = 1
                    queue[tail] = y
                    tail = tail + 1 if tail + 1 < size else 0
    level[last, LEVEL_FEATURE], level[last, LEVEL_LIFTED], level[last, LEVEL_PAID] = feature, lifted, paid
    level[d, LEVEL_LIFTS] = lifts


@inlined
def begin_flood(node: Ints, w: Walk, d: int) -> int:
    """Nothing is reached but the way; returns how many nodes are queued: the tip, and the root in the first arm."""
    level, scratch, open_links = w.level, w.scratch, w.open_links
    last, tip, root = level.shape[0] - 1, level[d, LEVEL_NODE], level[0, LEVEL_NODE]
    for i in range(LEVEL_PREFIX, level.shape[1]):
        level[last, i] = level[d, i]
    for i in range(open_links.shape[0]):
        open_links[i] = 0
    for x in range(node.shape[0]):
        scratch[SCRATCH_INSIDE, x] = 0
        scratch[SCRATCH_QUEUED, x] = 0
    for i in range(d + 1):
        scratch[SCRATCH_INSIDE, level[i, LEVEL_NODE]] = 2
    tail = 0
    if node[tip, NODE_THROUGH]:
        scratch[SCRATCH_COST, tip] = 0
        scratch[SCRATCH_QUEUE, 0] = tip
        tail = 1
    if level[d, LEVEL_ARM] == 0 and tip != root:
        scratch[SCRATCH_COST, root] = 0
        scratch[SCRATCH_QUEUE, tail] = root
        tail += 1
    return tail


@inner
def ceiling(task: Task, w: Walk, d: int, left: int, feature: int, bonuses: int) -> int:
    """The most that the walk at level d can earn with the nodes of SCRATCH_INSIDE, some features and ``bonuses``.

    ``left`` is how much of the tightest limit is left. -1: nothing legal. Bonuses that ask for counted nodes take
    places of the best nodes: every set of them is tried.
    """
    rule, bonus, level = task.rule, task.bonus, w.level
    last = level.shape[0] - 1
    lift = max(level[last, LEVEL_LIFTED], rule[RULE_LIFT_LEAST])
    base: int = level[last, LEVEL_PAID]
    if rule[RULE_PAY_ALL]:
        base += level[d, LEVEL_VARIABLES] * lift
    most = most_places(rule, task.limit, task.node.shape[0], left)
    possible = 0
    # Where a node may have two such features, it does not take two places: then all are taken as earned.
    if rule[RULE_COUNTED_BONUS] and rule[RULE_APART] and not rule[RULE_PAY_ALL] and rule[RULE_ALL_OFS] <= MAX_SUBSET:
        for i in range(rule[RULE_ALL_OFS]):
            asked = bonus[i, BONUS_FEATURES]
            if asked & rule[RULE_COUNTED_BONUS] and asked & ~feature == 0:
                possible |= 1 << i
                bonuses -= bonus[i, BONUS_AMOUNT]
    best = -1
    subset = possible
    while True:
        # A node for each feature that must be counted, the best there is, and the best others.
        need, places, got = needed_features(rule, bonus, subset), most, bonuses
        for i in range(rule[RULE_ALL_OFS]):
            if subset >> i & 1:
                got += bonus[i, BONUS_AMOUNT]
        bits = need
        while bits:
            bits &= bits - 1
            places -= 1
        if places >= 0:
            total = best_places(task, w.scratch[SCRATCH_INSIDE], lift, need, places)
            if total >= 0:
                best = max(best, rule[RULE_FACTOR] * (base + total) + got)
        if subset == 0:
            return best
        subset = (subset - 1) & possible


@inlined
def most_places(rule: Ints, limit: Ints, nodes: int, left: int) -> int:
    """How many nodes can be counted at most, or counted yet where all are."""
    if rule[RULE_PAY_ALL]:
        return left if rule[RULE_TIGHT] >= 0 else nodes
    most: int = rule[RULE_PAY_BEST]
    if most >= 0:
        return most
    most = nodes
    for i in range(limit.shape[1]):
        if limit[LIMIT_PAY, i, LIMIT_KINDS] & STOPS == STOPS:
            most = min(most, limit[LIMIT_PAY, i, LIMIT_MOST])
    return most


@inlined
def best_places(task: Task, inside: Ints, lift: int, need: int, places: int) -> int:
    """The best values of nodes inside: one for each feature of ``need``, and ``places`` others. -1: none is legal.

    Where all nodes are counted, those of the way are in what is paid already, and a node that the tightest limit
    does not count takes no place.
    """
    rule, node, order = task.rule, task.node, task.order
    pay_all, own_counts = rule[RULE_PAY_ALL] == 1, rule[RULE_OWN_COUNTS] == 1
    most = 1 if pay_all else 2  # what INSIDE says of nodes that count: within reach, or on the way too
    total, lowest, own, best_own = 0, 0, False, -1
    i, j = ORDER_PLAIN, order[ORDER_VARIABLE]
    while need or places > 0 or pay_all or (best_own < 0 and not own and own_counts):
        while i < order[ORDER_VARIABLE] and (inside[order[i]] == 0 or inside[order[i]] > most):
            i += 1
        while j < order.shape[0] and (inside[order[j]] == 0 or inside[order[j]] > most):
            j += 1
        plain = node[order[i], NODE_VALUE] if i < order[ORDER_VARIABLE] else -1
        lifted = node[order[j], NODE_PLUS] + lift if j < order.shape[0] else -1
        value = max(plain, lifted)
        if value < 0:
            break
        if plain >= lifted:
            x = order[i]
            i += 1
        else:
            x = order[j]
            j += 1
        free = pay_all and takes_no_place(task, x)
        if node[x, NODE_FEATURE] & need:
            need &= ~node[x, NODE_FEATURE]
        elif free or places > 0:
            lowest = value
            places -= not free
        else:
            if node[x, NODE_OWN] and best_own < 0:
                best_own = value
            continue
        total += value
        own = own or node[x, NODE_OWN] == 1
    if need:
        return -1
    if own_counts and not own:
        if best_own < 0:
            return -1
        total -= max(0, lowest - best_own)
    return total


@inlined
def takes_no_place(task: Task, x: int) -> bool:
    """Whether the tightest limit does not count node x, or there is none."""
    tight = task.rule[RULE_TIGHT]
    if tight >= 0:
        for k in range(K):
            if task.limit[LIMIT_VISIT, tight, LIMIT_KINDS] >> k & 1 and task.node[x, NODE_COUNT + k]:
                return False
    return True
