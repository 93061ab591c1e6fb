"""The compiled part of the search: see :mod:`solver.search` for what it does and why it is exact.

State of a walk, one row of ``Walk`` arrays per level of the depth-first stack; level 0 is the root. A level that
begins the second arm repeats the root and adds no node (``link`` -1). ``control`` holds the scalars (see ``C_*``).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

from solver.problem import (
    AMOUNT,
    BITS,
    COUNTED_BONUS,
    END,
    FACTOR,
    GROUP,
    LIFT,
    LIFT_LEAST,
    LINK_COUNT,
    LINK_FEATURE,
    NODE_COUNT,
    NODE_FEATURE,
    OWN,
    OWN_COUNTS,
    PAY,
    PAY_ALL,
    PAY_BEST,
    PAYABLE,
    PLUS,
    REACH_END,
    REACH_FIRST,
    REACH_SUM,
    SIMPLE_PAY,
    THROUGH,
    USE,
    VALUE,
    VISIT,
    Ints,
    K,
    Problem,
)

RUNNING, DONE, FULL = 0, 1, 2
# Only the two kernels are called from Python; the rest needs no wrappers, which halves the time to compile.
inner = njit(nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)

# Places in ``control``.
TRAIN, DEPTH, ROOT, STEPS, WANTED, COLLECT, ROUTES, STORED, BEST, DEEP, TIGHT, STAMP, ENOUGH = range(13)
CONTROLS = 13
# Columns of ``level``: the node, the next arc to try, 0 or 1 for the arm, the link that led here (-1: none), what is
# paid without the variable part, variable nodes, the lifting value, features, bonuses, the most that a part of the
# walk earns; then the counters, the best own plain and own variable node, and the best of all plain and variable.
NODE, ARC, ARM, LINK, PAID, VARIABLES, LIFTED, FEATURE, BONUS, PREFIX, BOUND, COUNT = range(12)
OWN_BEST = COUNT + K
TOP = OWN_BEST + 2
TOP_PLUS = TOP + SIMPLE_PAY
COLUMNS = TOP_PLUS + SIMPLE_PAY


class Walk(NamedTuple):
    """State of a walk for one train; D levels, N nodes, W words, G groups, R stored routes, B stored links.

    ``level`` (D, COLUMNS) is the stack; ``used`` (W), ``visited`` (N), ``group_used`` (G) what it closes. A stored
    route is its value, its resources (R, W) and its links; ``route_first`` (R + 1) points into ``route_links`` (B).
    ``best_links``: the number of links of the best route, then the links. ``scratch`` (3, D) is working room, as is
    the last row of ``level``. A deep walk also has ``cost`` (N + 1), ``reached`` (N) and ``open_links`` (words of L),
    filled by :func:`promising`, and ``seen``, a table of states it has been through (see :func:`_met`).
    """

    control: Ints
    level: Ints
    used: Ints
    visited: npt.NDArray[np.int8]
    group_used: npt.NDArray[np.int8]
    route_value: Ints
    route_use: Ints
    route_first: Ints
    route_links: npt.NDArray[np.int32]
    best_links: npt.NDArray[np.int32]
    scratch: Ints
    cost: Ints
    reached: Ints
    open_links: Ints
    seen: Ints


@inner
def bonus_of(p: Problem, feature: int, all_feature: int) -> int:
    """All bonuses of a route with these features; ``all_feature`` are those that count for ``all_of``."""
    total = 0
    for i in range(p.all_of.shape[0]):
        if p.all_of[i, BITS] & all_feature == p.all_of[i, BITS]:
            total += p.all_of[i, AMOUNT]
    for i in range(p.one_of.shape[0]):
        if p.one_of[i, BITS] & feature:
            best = 0
            for j in range(p.one_of[i, REACH_FIRST], p.one_of[i, REACH_END]):
                if p.reach[j, BITS] & feature:
                    best = best + p.reach[j, AMOUNT] if p.one_of[i, REACH_SUM] else max(best, p.reach[j, AMOUNT])
            total += best
    return total


@inner
def _insert(level: Ints, d: int, column: int, value: int, n: int) -> None:
    """Put a value into the n places from a column of row d on, sorted from high to low; the lowest falls out."""
    i = column + n - 1
    if value <= level[d, i]:
        return
    while i > column and level[d, i - 1] < value:
        level[d, i] = level[d, i - 1]
        i -= 1
    level[d, i] = value


@inner
def best_counted(p: Problem, w: Walk, d: int, t: int) -> int:
    """Sum of the best n values of the walk at level d under the simple rule of payment, not yet multiplied.

    -1: a counted node must be own, and none that pays is.
    """
    n = p.train[t, PAY_BEST]
    lift = max(w.level[d, LIFTED], p.general[LIFT_LEAST])
    total, last = 0, 0
    i = j = 0
    for _ in range(n):
        plain = w.level[d, TOP + i] if i < n else -1
        lifted = w.level[d, TOP_PLUS + j] + lift if j < n and w.level[d, TOP_PLUS + j] >= 0 else -1
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
    if p.train[t, OWN_COUNTS]:
        own = w.level[d, OWN_BEST]
        if w.level[d, OWN_BEST + 1] >= 0:
            own = max(own, w.level[d, OWN_BEST + 1] + lift)
        if own < 0:
            return -1
        if own < last:
            total += own - last
    return total


@inner
def chosen(p: Problem, w: Walk, d: int, t: int) -> int:
    """Value of the walk at level d under any rule of payment: the best set of counted nodes, exactly.

    Tries every way to satisfy bonuses that ask for counted nodes, and every own node where one must be counted;
    the rest is greedy, which is exact: sets that may be counted together form a transversal matroid.
    """
    nodes = w.scratch[0]
    worth = w.scratch[1]
    state = w.scratch[2]
    n = 0
    lift = max(w.level[d, LIFTED], p.general[LIFT_LEAST])
    for i in range(d + 1):
        if i == 0 or w.level[i, LINK] >= 0:
            x = w.level[i, NODE]
            if p.worth[t, x, PAYABLE]:
                value = p.worth[t, x, VALUE] if p.node[x, PLUS] < 0 else p.node[x, PLUS] + lift
                j = n
                while j > 0 and worth[j - 1] < value:
                    worth[j] = worth[j - 1]
                    nodes[j] = nodes[j - 1]
                    j -= 1
                worth[j] = value
                nodes[j] = x
                n += 1
    links = 0
    for i in range(1, d + 1):
        if w.level[i, LINK] >= 0:
            links += p.link_worth[t, w.level[i, LINK]]
    feature = w.level[d, FEATURE]
    counted = p.general[COUNTED_BONUS]
    possible = 0
    if counted:
        for i in range(p.all_of.shape[0]):
            if p.all_of[i, BITS] & feature == p.all_of[i, BITS]:
                possible |= 1 << i
    best = -1
    wish = possible
    while True:
        need = 0
        for i in range(p.all_of.shape[0]):
            if wish >> i & 1:
                need |= p.all_of[i, BITS]
        best = max(best, _forced(p, t, n, nodes, worth, state, need, feature, links))
        if wish == 0:
            break
        wish = (wish - 1) & possible
    return best


@inner
def _forced(
    p: Problem,
    t: int,
    n: int,
    nodes: Ints,
    worth: Ints,
    state: Ints,
    need: int,
    feature: int,
    links: int,
) -> int:
    """The best value with counted nodes for all ``need`` features: each choice of nodes for them, then greedy."""
    bits = 0
    rest = need
    while rest:
        rest &= rest - 1
        bits += 1
    choices = np.zeros(max(bits, 1), dtype=np.int64)
    limits = np.zeros(max(bits, 1), dtype=np.int64)
    offers = np.zeros((max(bits, 1), max(n, 1)), dtype=np.int64)
    rest = need
    for b in range(bits):
        bit = rest & -rest
        rest &= rest - 1
        for i in range(n):
            if p.node[nodes[i], NODE_FEATURE] & bit:
                offers[b, limits[b]] = i
                limits[b] += 1
        if limits[b] == 0:
            return -1
    best = -1
    while True:
        # own = n: no own node is forced.
        for own in range(n + 1):
            if own < n and not (p.train[t, OWN_COUNTS] and p.node[nodes[own], OWN]):
                continue
            value = _greedy(p, t, n, nodes, worth, state, bits, choices, offers, own, feature, links)
            best = max(best, value)
        b = 0
        while b < bits:
            choices[b] += 1
            if choices[b] < limits[b]:
                break
            choices[b] = 0
            b += 1
        if b == bits:
            return best


@inner
def _greedy(
    p: Problem,
    t: int,
    n: int,
    nodes: Ints,
    worth: Ints,
    state: Ints,
    bits: int,
    choices: Ints,
    offers: Ints,
    own: int,
    feature: int,
    links: int,
) -> int:
    """Value when the chosen nodes are counted and the rest is filled up from the best; -1 if that is not allowed."""
    counts = np.zeros(K, dtype=np.int64)
    for i in range(n):
        state[i] = 0
    for b in range(bits):
        state[offers[b, choices[b]]] = 1
    if own < n:
        state[own] = 1
    total = 0
    got = 0
    has_own = False
    for forced in (1, 0):
        for i in range(n):
            if state[i] != forced:
                continue
            if not _adds(p, t, counts, nodes[i]):
                if forced:
                    return -1
                continue
            state[i] = 2
            total += worth[i]
            got |= p.node[nodes[i], NODE_FEATURE]
            has_own = has_own or p.node[nodes[i], OWN] == 1
    if p.train[t, OWN_COUNTS] and not has_own:
        return -1
    all_feature = got if p.general[COUNTED_BONUS] else feature
    return p.train[t, FACTOR] * (total + links) + bonus_of(p, feature, all_feature)


@inner
def _adds(p: Problem, t: int, counts: Ints, x: int) -> bool:
    """Count one more node if the limits of payment allow it."""
    for k in range(K):
        counts[k] += p.node[x, NODE_COUNT + k]
    for i in range(p.limit.shape[2]):
        total = 0
        for k in range(K):
            if p.limit[t, PAY, i, BITS] >> k & 1:
                total += counts[k]
        if total > p.limit[t, PAY, i, AMOUNT]:
            for k in range(K):
                counts[k] -= p.node[x, NODE_COUNT + k]
            return False
    return True


@inner
def value_at(p: Problem, w: Walk, d: int, t: int) -> int:
    """What a route earns that is the walk at level d; -1 if it earns nothing legal."""
    if p.train[t, PAY_ALL]:
        base = w.level[d, PAID] + w.level[d, VARIABLES] * max(w.level[d, LIFTED], p.general[LIFT_LEAST])
        return p.train[t, FACTOR] * base + w.level[d, BONUS]
    if p.train[t, PAY_BEST] >= 0:
        base = best_counted(p, w, d, t)
        return -1 if base < 0 else p.train[t, FACTOR] * (base + w.level[d, PAID]) + w.level[d, BONUS]
    return chosen(p, w, d, t)


@inner
def _offer(p: Problem, w: Walk, d: int, t: int, x: int) -> None:
    """Put a node among the best of level d under the simple rule of payment."""
    if not p.worth[t, x, PAYABLE]:
        return
    column = 0 if p.node[x, PLUS] < 0 else 1
    value = p.node[x, PLUS] if column else p.worth[t, x, VALUE]
    _insert(w.level, d, TOP_PLUS if column else TOP, value, p.train[t, PAY_BEST])
    if p.node[x, OWN]:
        w.level[d, OWN_BEST + column] = max(w.level[d, OWN_BEST + column], value)


@inner
def _enter(p: Problem, w: Walk, d: int, t: int, x: int, link: int) -> None:
    """Fill level d from level d - 1 (none for the root) with node x reached over a link."""
    w.level[d, NODE] = x
    w.level[d, LINK] = link
    w.level[d, ARC] = p.first[x]
    if d == 0:
        for i in range(PAID, COUNT):
            w.level[0, i] = 0
        w.level[0, PREFIX] = -1
        for i in range(OWN_BEST, COLUMNS):
            w.level[0, i] = -1
    else:
        _copy(w, d)
    if p.train[t, PAY_ALL]:
        if p.node[x, PLUS] < 0:
            w.level[d, PAID] += p.worth[t, x, VALUE]
        else:
            w.level[d, PAID] += p.node[x, PLUS]
            w.level[d, VARIABLES] += 1
    elif p.train[t, PAY_BEST] >= 0:
        _offer(p, w, d, t, x)
    w.level[d, LIFTED] = max(w.level[d, LIFTED], p.node[x, LIFT])
    feature = w.level[d, FEATURE] | p.node[x, NODE_FEATURE]
    if link >= 0:
        feature |= p.link[link, LINK_FEATURE]
        w.level[d, PAID] += p.link_worth[t, link]
    if feature != w.level[d, FEATURE]:
        w.level[d, FEATURE] = feature
        w.level[d, BONUS] = bonus_of(p, feature, feature)


@inner
def _copy(w: Walk, d: int) -> None:
    """What level d has from level d - 1, but for its counters."""
    for i in range(PAID, COUNT):
        w.level[d, i] = w.level[d - 1, i]
    for i in range(OWN_BEST, COLUMNS):
        w.level[d, i] = w.level[d - 1, i]


@inner
def _count(p: Problem, w: Walk, d: int, t: int, x: int, link: int) -> bool:
    """Set the counters of level d for node x over a link; False if the train may not visit so much."""
    for k in range(K):
        w.level[d, COUNT + k] = p.node[x, NODE_COUNT + k]
        if d > 0:
            w.level[d, COUNT + k] += w.level[d - 1, COUNT + k] + p.link[link, LINK_COUNT + k]
    for i in range(p.limit.shape[2]):
        total = 0
        for k in range(K):
            if p.limit[t, VISIT, i, BITS] >> k & 1:
                total += w.level[d, COUNT + k]
        if total > p.limit[t, VISIT, i, AMOUNT]:
            return False
    return True


@inner
def _flood(p: Problem, w: Walk, d: int, t: int) -> int:
    """Find what the walk at level d may still reach; returns the number of nodes put into ``reached``.

    A node is reached over links and nodes that are still open, at the least cost in the tightest limit of the train
    (``TIGHT``; -1: none). From the first arm the second may still leave the root. The last row of ``level`` becomes
    that of a walk that had it all: features, lift and links; ``open_links`` the links over which that is.
    """
    c = w.control
    last = w.level.shape[0] - 1
    for i in range(PAID, COLUMNS):
        w.level[last, i] = w.level[d, i]
    for i in range(w.open_links.shape[0]):
        w.open_links[i] = 0
    tight = c[TIGHT]
    kinds, left = 0, 0
    if tight >= 0:
        kinds = p.limit[t, VISIT, tight, BITS]
        left = p.limit[t, VISIT, tight, AMOUNT]
        for k in range(K):
            if kinds >> k & 1:
                left -= w.level[d, COUNT + k]
    far = left + 1
    for x in range(p.node.shape[0]):
        w.cost[x] = far
    queue = w.scratch[2]
    head, tail = 0, 0
    n = 0
    tip, root = w.level[d, NODE], w.level[0, NODE]
    if p.node[tip, THROUGH]:
        w.cost[tip] = 0
        queue[tail] = tip
        tail += 1
    if w.level[d, ARM] == 0 and tip != root:
        w.cost[root] = 0
        queue[tail] = root
        tail += 1
    size = queue.shape[0]
    while head != tail:
        x = queue[head]
        head = head + 1 if head + 1 < size else 0
        for a in range(p.first[x], p.first[x + 1]):
            link, y = p.arc[a, 0], p.arc[a, 1]
            if w.visited[y] or (p.node[y, OWN] and y < root):
                continue
            cost = w.cost[x]
            for k in range(K):
                if kinds >> k & 1:
                    cost += p.link[link, LINK_COUNT + k] + p.node[y, NODE_COUNT + k]
            if cost > left or (p.node[y, GROUP] >= 0 and w.group_used[p.node[y, GROUP]]):
                continue
            free = True
            for i in range(w.used.shape[0]):
                if w.used[i] & p.link[link, USE + i]:
                    free = False
                    break
            if not free:
                continue
            bit = 1 << (link & 63)
            if not w.open_links[link >> 6] & bit:
                w.open_links[link >> 6] |= bit
                w.level[last, FEATURE] |= p.link[link, LINK_FEATURE]
                w.level[last, PAID] += p.link_worth[t, link]
            if cost < w.cost[y]:
                if w.cost[y] == far:
                    w.reached[n] = y
                    n += 1
                    w.level[last, FEATURE] |= p.node[y, NODE_FEATURE]
                    w.level[last, LIFTED] = max(w.level[last, LIFTED], p.node[y, LIFT])
                w.cost[y] = cost
                if p.node[y, THROUGH]:
                    queue[tail] = y
                    tail = tail + 1 if tail + 1 < size else 0
    return n


@inner
def _bound(p: Problem, w: Walk, d: int, t: int, n: int) -> int:
    """The most that the walk at level d can become, with the n nodes and the links that :func:`_flood` found."""
    last = w.level.shape[0] - 1
    lift = max(w.level[last, LIFTED], p.general[LIFT_LEAST])
    bonus = bonus_of(p, w.level[last, FEATURE], w.level[last, FEATURE])
    if p.train[t, PAY_BEST] >= 0:
        for i in range(n):
            _offer(p, w, last, t, w.reached[i])
        base = best_counted(p, w, last, t)
        return -1 if base < 0 else p.train[t, FACTOR] * (base + w.level[last, PAID]) + bonus
    most = p.node.shape[0]
    best = w.scratch[1]
    taken = 0
    base = w.level[last, PAID]
    if p.train[t, PAY_ALL]:
        base += w.level[d, VARIABLES] * lift
        if w.control[TIGHT] >= 0:
            tight = w.control[TIGHT]
            most = p.limit[t, VISIT, tight, AMOUNT]
            for k in range(K):
                if p.limit[t, VISIT, tight, BITS] >> k & 1:
                    most -= w.level[d, COUNT + k]
    else:
        for i in range(p.limit.shape[2]):
            if p.limit[t, PAY, i, BITS] & 7 == 7:
                most = min(most, p.limit[t, PAY, i, AMOUNT])
        for i in range(d + 1):
            if i == 0 or w.level[i, LINK] >= 0:
                taken = _keep(p, t, w.level[i, NODE], lift, best, taken, most)
    for i in range(n):
        x = w.reached[i]
        if p.train[t, PAY_ALL] and w.cost[x] == 0:
            base += p.worth[t, x, VALUE] if p.node[x, PLUS] < 0 else p.node[x, PLUS] + lift
        else:
            taken = _keep(p, t, x, lift, best, taken, most)
    for i in range(taken):
        base += best[i]
    return p.train[t, FACTOR] * base + bonus


@inner
def _keep(p: Problem, t: int, x: int, lift: int, best: Ints, taken: int, most: int) -> int:
    """Put the value of a node among the best ``most``; returns how many there are now."""
    if not p.worth[t, x, PAYABLE] or most <= 0:
        return taken
    value = p.worth[t, x, VALUE] if p.node[x, PLUS] < 0 else p.node[x, PLUS] + lift
    if taken == most:
        if value <= best[taken - 1]:
            return taken
        taken -= 1
    i = taken
    while i > 0 and best[i - 1] < value:
        best[i] = best[i - 1]
        i -= 1
    best[i] = value
    return taken + 1


@inner
def _met(p: Problem, w: Walk, d: int, t: int) -> bool:
    """Whether a walk as good as this one has been through the same state; else this one is put down.

    The state is what decides how a walk may go on: root, arm, tip, where a second arm may begin, and the links still
    open to it (all that :func:`_flood` found). As good: it had all features, and no less of all that pays, and no
    more of all that is limited. What that walk became was no better than ``WANTED`` is now; so will this one be.
    A row of ``seen`` is the stamp of this walk and the state, then these. The table forgets: that costs time, not
    truth.
    """
    words = w.open_links.shape[0]
    arm = w.level[d, ARM]
    begin = w.level[0, ARC] if arm == 0 else -1
    h = (w.control[ROOT] * 31 + w.level[d, NODE]) * 131 + begin * 7 + arm + 1
    for i in range(words):
        h = (h ^ w.open_links[i]) * 0x2545F4914F6CDD1D
        h ^= (h >> 29) & 0x7FFFFFFFF
    slot = (h & 0x7FFFFFFFFFFFFFFF) % (w.seen.shape[0] - 3)
    head = words + 4
    general = not p.train[t, PAY_ALL] and p.train[t, PAY_BEST] < 0
    paid = max(p.train[t, PAY_BEST], 0)
    stamp = w.control[STAMP]
    free = -1
    for row in range(slot, slot + 4):
        s = w.seen[row]
        if s[0] != stamp:
            free = row
            break
        same = s[1] == w.level[d, NODE] and s[2] == begin and s[3] == w.control[ROOT] * 2 + arm
        for i in range(words):
            same = same and s[4 + i] == w.open_links[i]
        if not same:
            continue
        if s[head] & w.level[d, FEATURE] != w.level[d, FEATURE] or s[head + 1] < w.level[d, LIFTED]:
            continue
        as_good = s[head + 2] >= w.level[d, PAID] and s[head + 3] >= w.level[d, VARIABLES]
        for k in range(K):
            as_good = as_good and s[head + 4 + k] <= w.level[d, COUNT + k]
        at = head + 4 + K
        as_good = as_good and s[at] >= w.level[d, OWN_BEST] and s[at + 1] >= w.level[d, OWN_BEST + 1]
        for i in range(paid):
            as_good = as_good and s[at + 2 + i] >= w.level[d, TOP + i]
            as_good = as_good and s[at + 2 + SIMPLE_PAY + i] >= w.level[d, TOP_PLUS + i]
        if as_good and general:
            at += 2 + 2 * SIMPLE_PAY
            for i in range(d + 1):
                x = w.level[i, NODE]
                as_good = as_good and s[at + (x >> 6)] >> (x & 63) & 1
        if as_good:
            return True
    s = w.seen[free if free >= 0 else slot + ((h >> 40) & 3)]
    s[0], s[1], s[2], s[3] = stamp, w.level[d, NODE], begin, w.control[ROOT] * 2 + arm
    for i in range(words):
        s[4 + i] = w.open_links[i]
    s[head] = w.level[d, FEATURE]
    s[head + 1] = w.level[d, LIFTED]
    s[head + 2] = w.level[d, PAID]
    s[head + 3] = w.level[d, VARIABLES]
    for k in range(K):
        s[head + 4 + k] = w.level[d, COUNT + k]
    at = head + 4 + K
    s[at], s[at + 1] = w.level[d, OWN_BEST], w.level[d, OWN_BEST + 1]
    for i in range(paid):
        s[at + 2 + i] = w.level[d, TOP + i]
        s[at + 2 + SIMPLE_PAY + i] = w.level[d, TOP_PLUS + i]
    if general:
        at += 2 + 2 * SIMPLE_PAY
        for i in range(at, s.shape[0]):
            s[i] = 0
        for i in range(d + 1):
            x = w.level[i, NODE]
            s[at + (x >> 6)] |= 1 << (x & 63)
    return False


@inner
def promising(p: Problem, w: Walk, d: int, t: int) -> bool:
    """Whether the walk at level d can become worth more than is wanted and is not a state met before."""
    n = _flood(p, w, d, t)
    w.level[d, BOUND] = _bound(p, w, d, t, n)
    if w.level[d, BOUND] <= w.control[WANTED]:
        return False
    return w.control[COLLECT] == 1 or not _met(p, w, d, t)


@inner
def _store(p: Problem, w: Walk, d: int, value: int) -> None:
    c = w.control
    r, at = c[ROUTES], c[STORED]
    w.route_value[r] = value
    for i in range(w.used.shape[0]):
        w.route_use[r, i] = w.used[i]
    for i in range(1, d + 1):
        if w.level[i, LINK] >= 0:
            w.route_links[at] = w.level[i, LINK]
            at += 1
    w.route_first[r + 1] = at
    c[ROUTES] = r + 1
    c[STORED] = at


@njit(cache=True, nogil=True)
def walk(p: Problem, w: Walk, budget: int) -> int:
    """Go on with a walk for up to ``budget`` steps. DONE: no route is left; FULL: no room to store more routes.

    Collecting (``COLLECT``) stores every route worth more than ``WANTED`` and than any part of it that the walk
    went through; else only the best is kept, in ``best_links`` (number, then links), and wanted rises with it, until
    it is ``ENOUGH``: nothing better is possible.
    """
    c = w.control
    t, d = c[TRAIN], c[DEPTH]
    steps = 0
    words = w.used.shape[0]
    while steps < budget:
        if c[COLLECT] and (
            c[ROUTES] + 1 >= w.route_value.shape[0] or c[STORED] + w.level.shape[0] > w.route_links.shape[0]
        ):
            c[DEPTH] = d
            c[STEPS] += steps
            return FULL
        steps += 1
        if d < 0:
            root = c[ROOT] + 1
            while root < p.node.shape[0] and not p.node[root, OWN]:
                root += 1
            c[ROOT] = root
            if root == p.node.shape[0]:
                c[DEPTH] = d
                c[STEPS] += steps
                return DONE
            if not _count(p, w, 0, t, root, -1):
                continue
            _enter(p, w, 0, t, root, -1)
            w.level[0, ARM] = 0
            w.visited[root] = 1
            if p.node[root, GROUP] >= 0:
                w.group_used[p.node[root, GROUP]] = 1
            d = 0
            if c[DEEP] and not promising(p, w, d, t):
                w.level[d, ARC] = p.first[root + 1] + 1
            continue
        x = w.level[d, NODE]
        end = p.first[x + 1]
        if w.level[d, ARC] < end:
            a = w.level[d, ARC]
            w.level[d, ARC] = a + 1
            link, y = p.arc[a, 0], p.arc[a, 1]
            if w.visited[y] or (p.node[y, OWN] and y < c[ROOT]):
                continue
            g = p.node[y, GROUP]
            if g >= 0 and w.group_used[g]:
                continue
            free = True
            for i in range(words):
                if w.used[i] & p.link[link, USE + i]:
                    free = False
                    break
            if not free or not _count(p, w, d + 1, t, y, link):
                continue
            _enter(p, w, d + 1, t, y, link)
            w.level[d + 1, ARM] = w.level[d, ARM]
            for i in range(words):
                w.used[i] ^= p.link[link, USE + i]
            if p.node[y, END]:
                value = value_at(p, w, d + 1, t)
                if value > w.level[d + 1, PREFIX]:
                    w.level[d + 1, PREFIX] = value
                    if value > c[WANTED]:
                        if c[COLLECT]:
                            _store(p, w, d + 1, value)
                        else:
                            c[WANTED] = value
                            c[BEST] = value
                            n = 0
                            for i in range(1, d + 2):
                                if w.level[i, LINK] >= 0:
                                    n += 1
                                    w.best_links[n] = w.level[i, LINK]
                            w.best_links[0] = n
                            if value >= c[ENOUGH]:
                                c[STEPS] += steps
                                return DONE
            if not p.node[y, THROUGH]:
                w.level[d + 1, ARC] = p.first[y + 1]
            w.visited[y] = 1
            if g >= 0:
                w.group_used[g] = 1
            d += 1
            if c[DEEP] and not promising(p, w, d, t):
                w.level[d, ARC] = p.first[y + 1] + 1
            continue
        if (
            w.level[d, ARC] == end
            and w.level[d, ARM] == 0
            and w.level[d, LINK] >= 0
            and p.node[x, END]
            and p.node[w.level[0, NODE], END]
        ):
            # Leave the first arm here; the second begins at the root, after the arc where the first began.
            w.level[d, ARC] = end + 1
            root = w.level[0, NODE]
            w.level[d + 1, NODE] = root
            w.level[d + 1, LINK] = -1
            w.level[d + 1, ARM] = 1
            w.level[d + 1, ARC] = w.level[0, ARC]
            _copy(w, d + 1)
            for k in range(K):
                w.level[d + 1, COUNT + k] = w.level[d, COUNT + k]
            d += 1
            if c[DEEP] and not promising(p, w, d, t):
                w.level[d, ARC] = p.first[root + 1] + 1
            continue
        if w.level[d, LINK] >= 0:
            for i in range(words):
                w.used[i] ^= p.link[w.level[d, LINK], USE + i]
        if w.level[d, LINK] >= 0 or d == 0:
            w.visited[x] = 0
            if p.node[x, GROUP] >= 0:
                w.group_used[p.node[x, GROUP]] = 0
        d -= 1
    c[DEPTH] = d
    c[STEPS] += steps
    return RUNNING


class Combination(NamedTuple):
    """State of the choice of one route for each run; M runs, R routes of all lists, W words.

    ``first`` (T + 1): the list of train t is ``first[t]`` to ``first[t + 1]`` of ``value`` and ``use``, best first.
    ``train`` (M): the list of a run. ``rest`` (M + 1): no later runs can add more than this. ``at``, ``total``
    (M + 1) and ``used`` (M + 1, W) are the stack; ``best`` (M + 1) holds the best total and its routes (-1: idle).
    ``control``: depth, steps.
    """

    control: Ints
    first: Ints
    value: Ints
    use: Ints
    train: Ints
    rest: Ints
    at: Ints
    total: Ints
    used: Ints
    choice: Ints
    best: Ints


@njit(cache=True, nogil=True)
def combine(s: Combination, budget: int) -> int:
    """Go on looking for a better combination for up to ``budget`` steps; DONE when there is none."""
    runs = s.train.shape[0]
    words = s.use.shape[1]
    d = s.control[0]
    steps = 0
    while steps < budget and d >= 0:
        steps += 1
        t = s.train[d]
        end = s.first[t + 1]
        j = s.at[d]
        if j < end and s.total[d] + s.value[j] + s.rest[d + 1] <= s.best[0]:
            j = end
        if j < end:
            s.at[d] = j + 1
            free = True
            for i in range(words):
                if s.used[d, i] & s.use[j, i]:
                    free = False
                    break
            if not free:
                continue
            s.choice[d] = j
            total = s.total[d] + s.value[j]
            if total > s.best[0]:
                s.best[0] = total
                for i in range(runs):
                    s.best[i + 1] = s.choice[i] if i <= d else -1
            for i in range(words):
                s.used[d + 1, i] = s.used[d, i] | s.use[j, i]
        elif j == end and s.total[d] + s.rest[d + 1] > s.best[0]:
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
    s.control[0] = d
    s.control[1] += steps
    return DONE if d < 0 else RUNNING
