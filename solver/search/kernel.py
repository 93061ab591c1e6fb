"""The compiled part of the search: see :mod:`trunkline.solver.search.search` for what it does and why it is exact.

A walk is one train on one problem: :class:`Task` is what it is given, :class:`Walk` its state, one row of ``level``
per level of the depth-first stack; level 0 is the root. A level that begins the second arm repeats the root and adds
no node (``link`` -1). Functions are given the few arrays they need, not the tuples, and numbers that are no literals:
each further argument, and each further type of one, is time to compile.
"""

from __future__ import annotations

import logging
import os
import stat
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np
from numba import config as _config
from numba import njit
from numba.core.caching import FunctionCache

from trunkline.solver.search.layout import (
    ARC_COST,
    ARC_LINK,
    ARC_NODE,
    BEST_LINKS,
    BEST_NUMBER,
    BONUS_AMOUNT,
    BONUS_FEATURES,
    BONUS_REACH_END,
    BONUS_REACH_FIRST,
    BONUS_REACH_SUM,
    COMBINE_DEPTH,
    COMBINE_STEPS,
    COMBINED_ROUTES,
    COMBINED_TOTAL,
    CONTROL_BEST,
    CONTROL_COLLECT,
    CONTROL_DEEP,
    CONTROL_DEPTH,
    CONTROL_ENOUGH,
    CONTROL_MUST,
    CONTROL_ROOT,
    CONTROL_ROUTES,
    CONTROL_STAMP,
    CONTROL_STEPS,
    CONTROL_STORED,
    CONTROL_WANTED,
    DONE,
    FULL,
    LEVEL_ARC,
    LEVEL_ARM,
    LEVEL_BONUS,
    LEVEL_BOUND,
    LEVEL_COUNT,
    LEVEL_FEATURE,
    LEVEL_LIFTED,
    LEVEL_LIFTS,
    LEVEL_LINK,
    LEVEL_MATTERS,
    LEVEL_NODE,
    LEVEL_OWN_BEST,
    LEVEL_OWN_BEST_PLUS,
    LEVEL_PAID,
    LEVEL_PREFIX,
    LEVEL_TOP,
    LEVEL_UNION,
    LEVEL_UNION_BONUS,
    LEVEL_VARIABLES,
    LIMIT_KINDS,
    LIMIT_MOST,
    LIMIT_PAY,
    LIMIT_VISIT,
    LINK_CLASH_END,
    LINK_CLASH_FIRST,
    LINK_COUNT,
    LINK_FEATURE,
    LINK_WORTH,
    NODE_COUNT,
    NODE_END,
    NODE_FEATURE,
    NODE_GROUP,
    NODE_LIFT,
    NODE_OWN,
    NODE_PAYABLE,
    NODE_PLUS,
    NODE_THROUGH,
    NODE_VALUE,
    ORDER_PLAIN,
    ORDER_VARIABLE,
    RULE_ALL_OFS,
    RULE_APART,
    RULE_COUNTED_BONUS,
    RULE_FACTOR,
    RULE_KINDS,
    RULE_LIFT_LEAST,
    RULE_ONE_OFS,
    RULE_OWN_COUNTS,
    RULE_PAY_ALL,
    RULE_PAY_BEST,
    RULE_TIGHT,
    RUNNING,
    SCRATCH_CHOICE,
    SCRATCH_CHOSEN,
    SCRATCH_COST,
    SCRATCH_FOUND,
    SCRATCH_FROM,
    SCRATCH_GAIN,
    SCRATCH_HANGS,
    SCRATCH_HOME,
    SCRATCH_INSIDE,
    SCRATCH_LOW,
    SCRATCH_NEXT,
    SCRATCH_NODES,
    SCRATCH_QUEUE,
    SCRATCH_QUEUED,
    SCRATCH_SETS,
    SCRATCH_STACK,
    SCRATCH_STATE,
    SCRATCH_WANT,
    SCRATCH_WORTH,
    SEEN_KEY,
    SEEN_LINKS,
    STOPS,
    Combination,
    Ints,
    K,
    SmallInts,
    Task,
    Walk,
)

log = logging.getLogger(__name__)
config: Any = _config
Function = TypeVar("Function", bound=Callable[..., object])


def inner(function: Function) -> Function:
    """Compile what is only called from kernels; without wrappers for Python, which take long to compile."""
    compiled = njit(nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)  # type: ignore[call-overload]
    return cast(Function, compiled(function))


def kernel(function: Function) -> Function:
    """Compile what Python calls, and keep it on disk for other processes.

    Where neither the folder of the package nor the user's cache can be written, a folder for temporary files is used
    that nobody else can write to; if there is none either, or no room, each process compiles for itself.
    """
    compiled: Any = njit(nogil=True)(function)
    try:
        compiled._cache = Kept(function)  # type: ignore[no-untyped-call]
    except RuntimeError:  # numba finds no place for its files
        before = config.CACHE_DIR
        with suppress(OSError, RuntimeError):
            config.CACHE_DIR = _temporary_folder()
            compiled._cache = Kept(function)  # type: ignore[no-untyped-call]
        config.CACHE_DIR = before
    return cast(Function, compiled)


class Kept(FunctionCache):
    """Numba's files of a kernel; where they cannot be read or written, they are given up, not the search.

    Without its index no other file is read: neither what is broken nor, where only the index was written, what is old.
    """

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled function, or None: compile, which the log tells since it takes seconds."""
        found = None
        try:
            found = super().load_overload(sig, target_context)  # type: ignore[no-untyped-call]
        except Exception:  # of a file cut short anything can come
            self._forget()
        if found is None:
            log.info("compiling the search for this machine, which is kept: %s", self._py_func.__name__)
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a compiled function, if that can be."""
        try:
            super().save_overload(sig, data)  # type: ignore[no-untyped-call]
        except Exception:
            self._forget()

    def _forget(self) -> None:
        with suppress(OSError):
            Path(self._cache_file._index_path).unlink()


def _temporary_folder() -> str:
    """A folder of this user alone: what is in it will be run. Raises OSError."""
    user = os.getuid() if hasattr(os, "getuid") else 0
    folder = Path(tempfile.gettempdir(), f"trunkline-{user}")
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or (hasattr(os, "getuid") and (found.st_uid != user or found.st_mode & 0o022)):
        raise PermissionError(f"{folder} belongs to somebody else")
    return str(folder)


# Numbers that numba takes for no literals: a function that is given a literal is compiled once more for it.
ZERO, ONE = cast(int, np.int64(0)), cast(int, np.int64(1))

# States of each tip that a new one is compared with; places in the rest of the table where a state may be.
LISTED = 32
SEEN_WAYS = 4
# Chains of blocks that are compared in pairs: with more of them, a walk simply goes on.
CHAINS = 24
# All subsets of so many bonuses that ask for counted nodes are tried for a bound: with more, all are taken as earned.
SUBSETS = 8


@inner
def _bonus(rule: Ints, bonus: Ints, feature: int, all_feature: int) -> int:
    """All bonuses of a route with these features; ``all_feature`` are those that count for ``all_of``."""
    total = 0
    all_ofs = rule[RULE_ALL_OFS]
    one_ofs = all_ofs + rule[RULE_ONE_OFS]
    for i in range(all_ofs):
        if bonus[i, BONUS_FEATURES] & ~all_feature == 0:
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
def _matters(rule: Ints, bonus: Ints, feature: int) -> int:
    """Those of all features within reach of a walk that are part of a bonus within its reach."""
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
def _best_counted(rule: Ints, level: Ints, d: int) -> int:
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
def _chosen(rule: Ints, node: Ints, bonus: Ints, limit: Ints, level: Ints, scratch: Ints, d: int) -> int:
    """Value of the walk at level d under any rule of payment: the best set of counted nodes, exactly.

    Tries every way to satisfy bonuses that ask for counted nodes, and every own node where one must be counted;
    the rest is greedy, which is exact: sets that may be counted together form a transversal matroid.
    """
    nodes, worth, want, choice = (
        scratch[SCRATCH_NODES],
        scratch[SCRATCH_WORTH],
        scratch[SCRATCH_WANT],
        scratch[SCRATCH_CHOICE],
    )
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
    possible = 0
    if rule[RULE_COUNTED_BONUS]:
        for i in range(rule[RULE_ALL_OFS]):
            asked = bonus[i, BONUS_FEATURES]
            if asked & rule[RULE_COUNTED_BONUS] and asked & ~level[d, LEVEL_FEATURE] == 0:
                possible |= 1 << i
    best = -1
    wish = possible
    while True:
        need = 0
        for i in range(rule[RULE_ALL_OFS]):
            if wish >> i & 1:
                need |= bonus[i, BONUS_FEATURES] & rule[RULE_COUNTED_BONUS]
        # The first choice of a node for each feature that must be counted.
        bits = ZERO
        met = True
        while need and met:
            want[bits] = need & -need
            need &= need - 1
            choice[bits] = 0
            while choice[bits] < n and not node[nodes[choice[bits]], NODE_FEATURE] & want[bits]:
                choice[bits] += 1
            met = choice[bits] < n
            bits += 1
        while met:
            for own in range(n + 1):  # own = n: no own node is forced
                if own == n or (rule[RULE_OWN_COUNTS] and node[nodes[own], NODE_OWN]):
                    best = max(best, _greedy(rule, node, bonus, limit, level, scratch, d, n, bits, own))
            b = 0
            while b < bits:
                i = choice[b] + 1
                while i < n and not node[nodes[i], NODE_FEATURE] & want[b]:
                    i += 1
                if i < n:
                    choice[b] = i
                    break
                choice[b] = 0
                while not node[nodes[choice[b]], NODE_FEATURE] & want[b]:
                    choice[b] += 1
                b += 1
            met = b < bits
        if wish == 0:
            return best
        wish = (wish - 1) & possible


@inner
def _greedy(
    rule: Ints,
    node: Ints,
    bonus: Ints,
    limit: Ints,
    level: Ints,
    scratch: Ints,
    d: int,
    n: int,
    bits: int,
    own: int,
) -> int:
    """Value when the chosen nodes are counted and the rest is filled up from the best; -1 if that is not allowed."""
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
            for row in range(limit.shape[1]):
                left = limit[LIMIT_PAY, row, LIMIT_MOST]
                for j in range(n):
                    if state[j] == 2:
                        for k in range(K):
                            if limit[LIMIT_PAY, row, LIMIT_KINDS] >> k & 1:
                                left -= node[nodes[j], NODE_COUNT + k]
                if left < 0:
                    state[i] = 3
            if state[i] == 3:
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
    return total + _bonus(rule, bonus, feature, got | feature & ~rule[RULE_COUNTED_BONUS])


@inner
def _offer(rule: Ints, node: Ints, level: Ints, d: int, x: int) -> None:
    """Put a node among the best of level d under the simple rule of payment."""
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


@inner
def _enter(
    rule: Ints, node: Ints, link: Ints, bonus: Ints, limit: Ints, level: Ints, d: int, x: int, over: int
) -> bool:
    """Fill level d from level d - 1 (none for the root) with node x reached over a link.

    False if the train may not visit so much.
    """
    for k in range(K):
        level[d, LEVEL_COUNT + k] = node[x, NODE_COUNT + k]
        if d > 0:
            level[d, LEVEL_COUNT + k] += level[d - 1, LEVEL_COUNT + k] + link[over, LINK_COUNT + k]
    for i in range(limit.shape[1]):
        left = limit[LIMIT_VISIT, i, LIMIT_MOST]
        for k in range(K):
            if limit[LIMIT_VISIT, i, LIMIT_KINDS] >> k & 1:
                left -= level[d, LEVEL_COUNT + k]
        if left < 0:
            return False
    level[d, LEVEL_NODE] = x
    level[d, LEVEL_LINK] = over
    if d == 0:
        for i in range(LEVEL_PREFIX, LEVEL_COUNT):
            level[0, i] = 0
        for i in range(LEVEL_PAID, LEVEL_OWN_BEST):
            level[0, i] = 0
        for i in range(LEVEL_OWN_BEST, level.shape[1]):
            level[0, i] = -1
        level[0, LEVEL_PREFIX] = -1
    else:
        _copy(level, d)
    if rule[RULE_PAY_ALL]:
        if node[x, NODE_PLUS] < 0:
            level[d, LEVEL_PAID] += node[x, NODE_VALUE]
        else:
            level[d, LEVEL_PAID] += node[x, NODE_PLUS]
            level[d, LEVEL_VARIABLES] += 1
    elif rule[RULE_PAY_BEST] >= 0:
        _offer(rule, node, level, d, x)
    if node[x, NODE_LIFT] > level[d, LEVEL_LIFTED]:
        level[d, LEVEL_LIFTED] = node[x, NODE_LIFT]
    feature = level[d, LEVEL_FEATURE] | node[x, NODE_FEATURE]
    if d > 0:
        feature |= link[over, LINK_FEATURE]
        level[d, LEVEL_PAID] += link[over, LINK_WORTH]
    if feature != level[d, LEVEL_FEATURE]:
        level[d, LEVEL_FEATURE] = feature
        level[d, LEVEL_BONUS] = _bonus(rule, bonus, feature, feature)
    return True


@inner
def _copy(level: Ints, d: int) -> None:
    """What level d has from level d - 1, but for its counters."""
    for i in range(LEVEL_PREFIX, LEVEL_COUNT):
        level[d, i] = level[d - 1, i]
    for i in range(LEVEL_PAID, level.shape[1]):
        level[d, i] = level[d - 1, i]


@inner
def _flood(
    first: Ints,
    arc: Ints,
    node: Ints,
    link: Ints,
    shut_node: SmallInts,
    shut_link: SmallInts,
    level: Ints,
    scratch: Ints,
    open_links: Ints,
    d: int,
    left: int,
) -> None:
    """Find what the walk at level d may still reach: the nodes that are 1 in ``SCRATCH_INSIDE`` (2: those of the walk).

    A node is reached over links and nodes that are still open, at the least cost in the tightest limit of the train,
    of which ``left`` is left. From the first arm the second may still leave the root, over its later arcs. The last
    row of ``level`` becomes that of a walk that had it all: features, lift and links; ``open_links`` the links over
    which that is.
    """
    last = level.shape[0] - 1
    for i in range(LEVEL_PREFIX, level.shape[1]):
        level[last, i] = level[d, i]
    for i in range(open_links.shape[0]):
        open_links[i] = 0
    cost, inside, queue, queued = (
        scratch[SCRATCH_COST],
        scratch[SCRATCH_INSIDE],
        scratch[SCRATCH_QUEUE],
        scratch[SCRATCH_QUEUED],
    )
    for x in range(node.shape[0]):
        inside[x] = 0
        queued[x] = 0
    for i in range(d + 1):
        inside[level[i, LEVEL_NODE]] = 2
    feature, lifted, paid, lifts = level[d, LEVEL_FEATURE], level[d, LEVEL_LIFTED], level[d, LEVEL_PAID], False
    root = level[0, LEVEL_NODE]
    size = queue.shape[0]
    head, tail = 0, 0
    if node[level[d, LEVEL_NODE], NODE_THROUGH]:
        cost[level[d, LEVEL_NODE]] = 0
        queue[0] = level[d, LEVEL_NODE]
        tail = 1
    if level[d, LEVEL_ARM] == 0 and level[d, LEVEL_NODE] != root:
        cost[root] = 0
        queue[tail] = root
        tail += 1
    while head != tail:
        x = queue[head]
        head = head + 1 if head + 1 < size else 0
        queued[x] = 0
        for a in range(level[0, LEVEL_ARC] if x == root else first[x], first[x + 1]):
            over, y = arc[a, ARC_LINK], arc[a, ARC_NODE]
            if shut_node[y] or shut_link[over]:
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
    level[last, LEVEL_FEATURE], level[last, LEVEL_LIFTED], level[last, LEVEL_PAID], level[d, LEVEL_LIFTS] = (
        feature,
        lifted,
        paid,
        lifts,
    )


@inner
def _ceiling(
    rule: Ints,
    node: Ints,
    limit: Ints,
    bonus: Ints,
    order: Ints,
    level: Ints,
    scratch: Ints,
    d: int,
    left: int,
    feature: int,
    bonuses: int,
) -> int:
    """The most that the walk at level d can earn with nodes INSIDE (1; 2: it has them), features and ``bonuses``.

    ``left`` is how much of the tightest limit is left. -1: nothing legal.
    """
    inside = scratch[SCRATCH_INSIDE]
    last = level.shape[0] - 1
    lift = max(level[last, LEVEL_LIFTED], rule[RULE_LIFT_LEAST])
    most, fresh = node.shape[0], 1
    base: int = level[last, LEVEL_PAID]
    if rule[RULE_PAY_ALL]:
        base += level[d, LEVEL_VARIABLES] * lift
        if rule[RULE_TIGHT] >= 0:
            most = left
    elif rule[RULE_PAY_BEST] >= 0:
        most, fresh = rule[RULE_PAY_BEST], 0
    else:
        fresh = 0
        for i in range(limit.shape[1]):
            if limit[LIMIT_PAY, i, LIMIT_KINDS] & STOPS == STOPS:
                most = min(most, limit[LIMIT_PAY, i, LIMIT_MOST])
    possible = 0
    # Where a node may have two such features, it does not take two places: then all are taken as earned.
    if rule[RULE_COUNTED_BONUS] and rule[RULE_APART] and not rule[RULE_PAY_ALL] and rule[RULE_ALL_OFS] <= SUBSETS:
        for i in range(rule[RULE_ALL_OFS]):
            asked = bonus[i, BONUS_FEATURES]
            if asked & rule[RULE_COUNTED_BONUS] and asked & ~feature == 0:
                possible |= 1 << i
                bonuses -= bonus[i, BONUS_AMOUNT]
    best = -1
    wish = possible
    while True:
        # A node for each feature that must be counted, the best there is, and the best others.
        need, places, got = 0, most, bonuses
        for i in range(rule[RULE_ALL_OFS]):
            if wish >> i & 1:
                need |= bonus[i, BONUS_FEATURES] & rule[RULE_COUNTED_BONUS]
                got += bonus[i, BONUS_AMOUNT]
        bits = need
        while bits:
            bits &= bits - 1
            places -= 1
        if places >= 0:
            total, lowest, own, best_own = base, 0, False, -1
            i, j = ORDER_PLAIN, order[ORDER_VARIABLE]
            while need or places > 0 or rule[RULE_PAY_ALL] or (best_own < 0 and not own and rule[RULE_OWN_COUNTS]):
                while i < order[ORDER_VARIABLE] and (inside[order[i]] == 0 or inside[order[i]] > 2 - fresh):
                    i += 1
                while j < order.shape[0] and (inside[order[j]] == 0 or inside[order[j]] > 2 - fresh):
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
                # Where all is paid: what the limit does not count takes no place of what it does.
                free = rule[RULE_PAY_ALL] == 1
                for k in range(K):
                    if free and rule[RULE_TIGHT] >= 0 and limit[LIMIT_VISIT, rule[RULE_TIGHT], LIMIT_KINDS] >> k & 1:
                        free = node[x, NODE_COUNT + k] == 0
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
            if rule[RULE_OWN_COUNTS] and not own:
                if best_own < 0:
                    return -1
                total -= max(0, lowest - best_own)
            if need == 0:
                best = max(best, rule[RULE_FACTOR] * total + got)
        if wish == 0:
            return best
        wish = (wish - 1) & possible


@inner
def _blocks(
    first: Ints,
    arc: Ints,
    node: Ints,
    link: Ints,
    level: Ints,
    shut_node: SmallInts,
    scratch: Ints,
    open_links: Ints,
    d: int,
) -> tuple[int, int]:
    """Part what is open (:func:`_flood`) into blocks that hang together by single nodes, after Hopcroft and Tarjan.

    Tip and root are taken as one node, from which all begins. Returns the number of blocks, and how many arms may go
    on. SETS gets a column for each block, with what a way from the tip or root to it can have: features, then words of
    nodes; and HOME for each node the block through which it is entered.
    """
    found, low, from_, next_, stack = (
        scratch[SCRATCH_FOUND],
        scratch[SCRATCH_LOW],
        scratch[SCRATCH_FROM],
        scratch[SCRATCH_NEXT],
        scratch[SCRATCH_STACK],
    )
    home, gain, hangs, sets = (
        scratch[SCRATCH_HOME],
        scratch[SCRATCH_GAIN],
        scratch[SCRATCH_HANGS],
        scratch[SCRATCH_SETS:],
    )
    tip, root = level[d, LEVEL_NODE], level[0, LEVEL_NODE]
    for x in range(node.shape[0]):
        found[x] = 0
    found[tip] = found[root] = 1
    clock, top, blocks, arms = 1, 0, 0, 0
    for turn in range(2):
        start = tip if turn == 0 else root
        if not node[start, NODE_THROUGH] or (turn == 1 and level[d, LEVEL_ARM] == 1):
            continue
        begins = False
        for at in range(level[0, LEVEL_ARC] if start == root else first[start], first[start + 1]):
            x, over = arc[at, ARC_NODE], arc[at, ARC_LINK]
            if shut_node[x] or not open_links[over >> 6] >> (over & 63) & 1:
                continue
            begins = True
            if found[x] or not node[x, NODE_THROUGH]:
                continue
            clock += 1
            found[x], low[x], from_[x], next_[x], gain[x] = clock, clock, -1, first[x], node[x, NODE_FEATURE]
            stack[top] = x
            top += 1
            while x >= 0:
                if next_[x] < first[x + 1]:
                    y, over = arc[next_[x], ARC_NODE], arc[next_[x], ARC_LINK]
                    next_[x] += 1
                    if not open_links[over >> 6] >> (over & 63) & 1:
                        continue
                    if y in (tip, root):
                        low[x] = 1
                        gain[x] |= link[over, LINK_FEATURE]
                    elif shut_node[y] or not node[y, NODE_THROUGH]:
                        continue
                    elif found[y] == 0:
                        clock += 1
                        found[y], low[y], from_[y], next_[y] = clock, clock, x, first[y]
                        gain[y] = node[y, NODE_FEATURE] | link[over, LINK_FEATURE]
                        stack[top] = y
                        top += 1
                        x = y
                    elif found[y] < found[x]:
                        gain[x] |= link[over, LINK_FEATURE]
                        if y != from_[x] and found[y] < low[x]:
                            low[x] = found[y]
                    continue
                up = from_[x]
                if up < 0 or low[x] >= found[up]:
                    for i in range(sets.shape[0]):
                        sets[i, blocks] = 0
                    y = -1
                    while y != x:
                        top -= 1
                        y = stack[top]
                        home[y] = blocks
                        sets[0, blocks] |= gain[y]
                        sets[1 + (y >> 6), blocks] |= 1 << (y & 63)
                    hangs[blocks] = up
                    blocks += 1
                elif low[x] < low[up]:
                    low[up] = low[x]
                x = up
        arms += begins
    for b in range(blocks - 1, -1, -1):
        if hangs[b] >= 0:
            for i in range(sets.shape[0]):
                sets[i, b] |= sets[i, home[hangs[b]]]
    return blocks, arms * 2 if d == 0 else arms


@inner
def _ends(
    first: Ints, arc: Ints, node: Ints, link: Ints, scratch: Ints, open_links: Ints, tip: int, root: int, n: int
) -> int:
    """Add a column to SETS for each way into a node that can only be an end; returns how many there are then."""
    sets = scratch[SCRATCH_SETS:]
    for x in range(node.shape[0]):
        if scratch[SCRATCH_INSIDE, x] != 1 or node[x, NODE_THROUGH]:
            continue
        for a in range(first[x], first[x + 1]):
            over, y = arc[a, ARC_LINK], arc[a, ARC_NODE]
            if not open_links[over >> 6] >> (over & 63) & 1 or scratch[SCRATCH_FOUND, y] == 0 or n == sets.shape[1]:
                continue
            for i in range(sets.shape[0]):
                sets[i, n] = 0 if y in (tip, root) else sets[i, scratch[SCRATCH_HOME, y]]
            sets[0, n] |= node[x, NODE_FEATURE] | link[over, LINK_FEATURE]
            sets[1 + (x >> 6), n] |= 1 << (x & 63)
            n += 1
    return n


@inner
def _longest(sets: Ints, chosen: Ints, n: int, matters: int) -> int:
    """Choose those of n sets that are part of no other (of equals the first); of features only those that matter.

    Returns how many; an empty one if there are none; more than CHAINS if there are more than that or no more room.
    """
    if n == sets.shape[1]:
        return CHAINS + 1
    if n == 0:
        for k in range(sets.shape[0]):
            sets[k, 0] = 0
        n += 1
    chains = ZERO
    for b in range(n):
        sets[0, b] &= matters
        part = False
        i = 0
        while i < chains and not part:
            less, more = True, True
            for k in range(sets.shape[0]):
                less = less and not sets[k, b] & ~sets[k, chosen[i]]
                more = more and not sets[k, chosen[i]] & ~sets[k, b]
            part = less
            if more and not less:
                chains -= 1
                chosen[i] = chosen[chains]
            else:
                i += 1
        if not part:
            if chains == CHAINS:
                return CHAINS + 1
            chosen[chains] = b
            chains += 1
    return chains


@inner
def _met(
    rule: Ints, node: Ints, control: Ints, level: Ints, open_links: Ints, stamps: Ints, seen: Ints, d: int
) -> bool:
    """Whether a walk as good as this one has been through as good a state; else this one is put down.

    The state is what decides how a walk may go on: tip, arm, the root if a second arm may leave it, and the links
    still open to it (all that :func:`_flood` found). As good: the other had no fewer links open, all features that
    matter, no less of all that pays, and no more of all that is limited; if bonuses ask for counted nodes, all the
    walk's nodes with features that matter, and under any other rule but the simple ones all its nodes. What the other
    became was no better than WANTED is now; so will this one be. A row of the table is the stamp of this walk,
    the state, the columns of ``level`` from LEVEL_FEATURE on, and the nodes if they are looked at. Each tip has its few
    rows, where all are compared; in the rest of the table a state finds only those that may be the same. The table
    forgets: that costs time, not truth.
    """
    words = open_links.shape[0]
    at = SEEN_LINKS + words - LEVEL_FEATURE
    width = level.shape[1]
    lifts = level[d, LEVEL_LIFTS] or level[d, LEVEL_VARIABLES] > 0
    named = 0  # 1: nodes that a bonus asks for must be the same; 2: all nodes
    if not rule[RULE_PAY_ALL]:
        if rule[RULE_PAY_BEST] < 0:
            named, lifts = 2, True
        else:
            named = rule[RULE_COUNTED_BONUS]
            lifts = lifts or level[d, LEVEL_TOP + rule[RULE_PAY_BEST]] >= 0
    key = level[d, LEVEL_NODE] * 2 + level[d, LEVEL_ARM]
    bucket = key
    if level[d, LEVEL_ARM] == 0:
        key += (level[0, LEVEL_NODE] + 1) << 32
    h = key * 0x2545F4914F6CDD1D
    for i in range(words):
        h = (h ^ open_links[i]) * 0x2545F4914F6CDD1D
        h ^= (h >> 29) & 0x7FFFFFFFF
    stamp = control[CONTROL_STAMP]
    many = min(LISTED, stamps.shape[0] // (4 * node.shape[0]))
    listed = many * 2 * node.shape[0]
    slot = listed + (h & 0x7FFFFFFFFFFFFFFF) % (stamps.shape[0] + 1 - SEEN_WAYS - listed)
    row = slot + ((h >> 40) & (SEEN_WAYS - 1))
    spare = bucket * many + (h >> 33) % max(1, many)
    for turn in range(2):
        start, end = (bucket * many, (bucket + 1) * many) if turn == 0 else (slot, slot + SEEN_WAYS)
        for r in range(start, end):
            if stamps[r] != stamp:
                if turn == 0:
                    spare = r
                else:
                    row = r
                break
            same = (
                seen[r, SEEN_KEY] == key
                and level[d, LEVEL_FEATURE] & level[d, LEVEL_MATTERS] & ~seen[r, at + LEVEL_FEATURE] == 0
            )
            if turn == 0 and seen[r, SEEN_KEY] != key:
                spare = r
            i = 0
            while same and i < words:
                same = open_links[i] & ~seen[r, SEEN_LINKS + i] == 0
                i += 1
            i = 0
            while same and i < K:
                same = seen[r, at + LEVEL_COUNT + i] <= level[d, LEVEL_COUNT + i] or not rule[RULE_KINDS] >> i & 1
                i += 1
            i = LEVEL_PAID
            while same and i < width:
                same = seen[r, at + i] >= level[d, i] or (i == LEVEL_LIFTED and not lifts)
                i += 1
            if same and named:
                for i in range(d + 1):
                    x = level[i, LEVEL_NODE]
                    if named == 2 or node[x, NODE_FEATURE] & level[d, LEVEL_MATTERS]:
                        same = same and seen[r, at + width + (x >> 6)] >> (x & 63) & 1 == 1
            if same:
                return True
    for turn in range(2):
        r = row if turn == 0 else spare
        if turn == 1 and many == 0:
            break
        stamps[r], seen[r, SEEN_KEY] = stamp, key
        for i in range(words):
            seen[r, SEEN_LINKS + i] = open_links[i]
        for i in range(LEVEL_FEATURE, width):
            seen[r, at + i] = level[d, i]
        if named:
            for i in range(at + width, seen.shape[1]):
                seen[r, i] = 0
            for i in range(d + 1):
                x = level[i, LEVEL_NODE]
                seen[r, at + width + (x >> 6)] |= 1 << (x & 63)
    return False


@inner
def _promising(
    first: Ints,
    arc: Ints,
    node: Ints,
    link: Ints,
    rule: Ints,
    limit: Ints,
    bonus: Ints,
    order: Ints,
    control: Ints,
    level: Ints,
    shut_node: SmallInts,
    shut_link: SmallInts,
    scratch: Ints,
    open_links: Ints,
    stamps: Ints,
    seen: Ints,
    d: int,
) -> bool:
    """Whether the walk at level d can become worth more than is wanted and is not a state met before."""
    left = ZERO
    if rule[RULE_TIGHT] >= 0:
        left += limit[LIMIT_VISIT, rule[RULE_TIGHT], LIMIT_MOST]
        for k in range(K):
            if limit[LIMIT_VISIT, rule[RULE_TIGHT], LIMIT_KINDS] >> k & 1:
                left -= level[d, LEVEL_COUNT + k]
    _flood(first, arc, node, link, shut_node, shut_link, level, scratch, open_links, d, left)
    union = level[level.shape[0] - 1, LEVEL_FEATURE]
    if control[CONTROL_MUST] & ~union:
        return False
    if d == 0 or union != level[d, LEVEL_UNION]:
        level[d, LEVEL_UNION] = union
        level[d, LEVEL_UNION_BONUS] = _bonus(rule, bonus, union, union)
        level[d, LEVEL_MATTERS] = _matters(rule, bonus, union) | control[CONTROL_MUST]
    bonuses, most = level[d, LEVEL_UNION_BONUS], control[CONTROL_WANTED] + 1
    least, chains, arms = ZERO, ONE, ONE
    sets, chosen, inside = scratch[SCRATCH_SETS:], scratch[SCRATCH_CHOSEN], scratch[SCRATCH_INSIDE]
    # First (p = -1) the ceiling of all that is open. If that is too much to turn back: what goes on from the tip, or
    # from the root, passes a chain of blocks and may end in a node that nothing passes; the ceilings of two of these,
    # or of one if one arm is done. One place for both, since each call of the ceiling takes long to compile.
    p, q = -ONE, ZERO
    while p < chains:
        if p >= 0:
            i, j = chosen[p], chosen[q]
            union = level[d, LEVEL_FEATURE] & level[d, LEVEL_MATTERS] | sets[0, i] | sets[0, j]
            bonuses = _bonus(rule, bonus, union, union)
            for x in range(node.shape[0]):
                if inside[x] != 2:
                    inside[x] = (sets[1 + (x >> 6), i] | sets[1 + (x >> 6), j]) >> (x & 63) & 1
        bound = -1
        if not control[CONTROL_MUST] & ~union and bonuses >= least:
            bound = _ceiling(rule, node, limit, bonus, order, level, scratch, d, left, union, bonuses)
        if p < 0:
            level[d, LEVEL_BOUND] = bound
            if bound < most or (
                control[CONTROL_COLLECT] == 0 and _met(rule, node, control, level, open_links, stamps, seen, d)
            ):
                return False
            if rule[RULE_PAY_ALL] or not rule[RULE_COUNTED_BONUS]:
                least = most - bound + bonuses
            n, arms = _blocks(first, arc, node, link, level, shut_node, scratch, open_links, d)
            n = _ends(first, arc, node, link, scratch, open_links, level[d, LEVEL_NODE], level[0, LEVEL_NODE], n)
            chains = _longest(sets, chosen, n, level[d, LEVEL_MATTERS])
            if chains > CHAINS:
                return True
            p, q = ZERO, ZERO
        elif bound >= most:
            return True
        else:
            q += 1
            if q >= chains or arms < 2:
                p += 1
                q = p
    return False


@kernel
def walk(task: Task, w: Walk, budget: int) -> int:
    """Go on with a walk for up to ``budget`` steps. DONE: no route is left; FULL: no room to store more routes.

    Collecting (COLLECT) stores every route worth more than WANTED and than any part of it that the walk
    went through; else only the best is kept, in ``best_links`` (number, then links), and wanted rises with it, until
    it is ``CONTROL_ENOUGH``: nothing better is possible. Routes without all features of ``CONTROL_MUST`` do not count.
    """
    first, arc, node, link, clash, rule, limit, bonus, order = task
    control, level, shut_node, shut_link = w.control, w.level, w.shut_node, w.shut_link
    scratch, open_links, stamps, seen = w.scratch, w.open_links, w.stamps, w.seen
    d = control[CONTROL_DEPTH]
    steps = 0
    status = RUNNING
    while steps < budget:
        if control[CONTROL_COLLECT] and (
            control[CONTROL_ROUTES] + 1 >= w.route_value.shape[0]
            or control[CONTROL_STORED] + level.shape[0] > w.route_links.shape[0]
        ):
            status = FULL
            break
        steps += 1
        entered = False
        if d < 0:
            # The last root is done with: no later walk passes it.
            root = control[CONTROL_ROOT] + 1
            if root > 0:
                shut_node[root - 1] += node[root - 1, NODE_OWN]
            while root < node.shape[0] and not node[root, NODE_OWN]:
                root += 1
            control[CONTROL_ROOT] = root
            if root == node.shape[0]:
                status = DONE
                break
            if not _enter(rule, node, link, bonus, limit, level, d + 1, root, d):
                continue
            level[0, LEVEL_ARM], level[0, LEVEL_ARC] = 0, first[root]
            entered = True
        else:
            x = level[d, LEVEL_NODE]
            end = first[x + 1]
            if level[d, LEVEL_ARC] < end:
                a = level[d, LEVEL_ARC]
                level[d, LEVEL_ARC] = a + 1
                over, y = arc[a, ARC_LINK], arc[a, ARC_NODE]
                if shut_node[y] or shut_link[over]:
                    continue
                if not _enter(rule, node, link, bonus, limit, level, d + 1, y, over):
                    continue
                level[d + 1, LEVEL_ARM] = level[d, LEVEL_ARM]
                level[d + 1, LEVEL_ARC] = first[y] if node[y, NODE_THROUGH] else first[y + 1]
                for i in range(link[over, LINK_CLASH_FIRST], link[over, LINK_CLASH_END]):
                    shut_link[clash[i]] += 1
                # The other end is the root, or, in the second arm, the end of the first.
                if node[y, NODE_END] and (level[d, LEVEL_ARM] == 1 or node[level[0, LEVEL_NODE], NODE_END]):
                    if rule[RULE_PAY_ALL]:
                        value = level[d + 1, LEVEL_PAID]
                        value += level[d + 1, LEVEL_VARIABLES] * max(level[d + 1, LEVEL_LIFTED], rule[RULE_LIFT_LEAST])
                        value = rule[RULE_FACTOR] * value + level[d + 1, LEVEL_BONUS]
                    else:
                        value = control[CONTROL_ENOUGH]
                        if rule[RULE_PAY_BEST] >= 0:
                            value = _best_counted(rule, level, d + 1)
                            if value >= 0:
                                value = (
                                    rule[RULE_FACTOR] * (value + level[d + 1, LEVEL_PAID]) + level[d + 1, LEVEL_BONUS]
                                )
                        if (rule[RULE_PAY_BEST] < 0 or rule[RULE_COUNTED_BONUS]) and value > control[CONTROL_WANTED]:
                            value = _chosen(rule, node, bonus, limit, level, scratch, d + 1)
                    if value > level[d + 1, LEVEL_PREFIX] and not control[CONTROL_MUST] & ~level[d + 1, LEVEL_FEATURE]:
                        level[d + 1, LEVEL_PREFIX] = value
                        if value > control[CONTROL_WANTED]:
                            links = w.route_links if control[CONTROL_COLLECT] else w.best_links
                            at = control[CONTROL_STORED] if control[CONTROL_COLLECT] else BEST_LINKS
                            for i in range(1, d + 2):
                                if level[i, LEVEL_LINK] >= 0:
                                    links[at] = level[i, LEVEL_LINK]
                                    at += 1
                            if control[CONTROL_COLLECT]:
                                w.route_value[control[CONTROL_ROUTES]] = value
                                control[CONTROL_ROUTES] += 1
                                w.route_first[control[CONTROL_ROUTES]] = at
                                control[CONTROL_STORED] = at
                            else:
                                links[BEST_NUMBER] = at - BEST_LINKS
                                control[CONTROL_WANTED] = value
                                control[CONTROL_BEST] = value
                                if value >= control[CONTROL_ENOUGH]:
                                    status = DONE
                                    break
                entered = True
            elif (
                level[d, LEVEL_ARC] == end
                and level[d, LEVEL_ARM] == 0
                and level[d, LEVEL_LINK] >= 0
                and node[x, NODE_END]
                and node[level[0, LEVEL_NODE], NODE_THROUGH]
            ):
                # Leave the first arm here; the second begins at the root, after the arc where the first began.
                level[d, LEVEL_ARC] = end + 1
                level[d + 1, LEVEL_NODE] = level[0, LEVEL_NODE]
                level[d + 1, LEVEL_LINK] = -1
                level[d + 1, LEVEL_ARM] = 1
                level[d + 1, LEVEL_ARC] = level[0, LEVEL_ARC]
                _copy(level, d + 1)
                for k in range(K):
                    level[d + 1, LEVEL_COUNT + k] = level[d, LEVEL_COUNT + k]
                entered = True
        if entered:
            d += 1
            x = level[d, LEVEL_NODE]
            if d == 0 or level[d, LEVEL_LINK] >= 0:
                _shut(node, shut_node, x, ONE)
            if control[CONTROL_DEEP] and not _promising(
                first, arc, node, link, rule, limit, bonus, order, control, level, shut_node, shut_link, scratch,
                open_links, stamps, seen, d,
            ):  # fmt: skip
                level[d, LEVEL_ARC] = first[x + 1] + 1
            continue
        over = level[d, LEVEL_LINK]
        if over >= 0:
            for i in range(link[over, LINK_CLASH_FIRST], link[over, LINK_CLASH_END]):
                shut_link[clash[i]] -= 1
        if over >= 0 or d == 0:
            _shut(node, shut_node, x, -ONE)
        d -= 1
    control[CONTROL_DEPTH] = d
    control[CONTROL_STEPS] += steps
    return status


@inner
def _shut(node: Ints, shut_node: SmallInts, x: int, more: int) -> None:
    """Shut (+1) or open (-1) a node and all that share a group with it."""
    shut_node[x] += more
    if node[x, NODE_GROUP]:
        for y in range(node.shape[0]):
            if node[y, NODE_GROUP] & node[x, NODE_GROUP]:
                shut_node[y] += more


@kernel
def combine(s: Combination, budget: int) -> int:
    """Go on looking for a better combination for up to ``budget`` steps; DONE when there is none."""
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
            free = True
            for i in range(words):
                if s.used[d, i] & s.use[j, i]:
                    free = False
                    break
            if not free:
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
