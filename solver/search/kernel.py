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
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np
import numpy.typing as npt
from numba import config as _config
from numba import njit
from numba.core.caching import FunctionCache

from trunkline.solver.search.problem import (
    AMOUNT,
    BITS,
    END,
    FACTOR,
    GROUP,
    LIFT,
    NODE_COUNT,
    NODE_FEATURE,
    OWN,
    OWN_COUNTS,
    PAY,
    PAY_ALL,
    PAY_BEST,
    PLUS,
    REACH_END,
    REACH_FIRST,
    REACH_SUM,
    THROUGH,
    VISIT,
    Ints,
    K,
)

RUNNING, DONE, FULL = 0, 1, 2
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

# Places in ``rule``, after those of ``Problem.train`` (PAY_ALL, PAY_BEST, OWN_COUNTS, FACTOR).
LIFT_LEAST, COUNTED_BONUS, ALL_OFS, ONE_OFS, TIGHT, KINDS = range(4, 10)
RULES = 10
# Columns of ``node``, after those of ``Problem.node``.
VALUE, PAYABLE = NODE_COUNT + K, NODE_COUNT + K + 1
# Columns of ``link`` and of ``arc``.
LINK_FEATURE, LINK_WORTH, CLASH_FIRST, CLASH_END, LINK_COUNT = range(5)
ARC_LINK, ARC_NODE, ARC_COST = range(3)
# Places in ``control``.
DEPTH, ROOT, STEPS, WANTED, COLLECT, ROUTES, STORED, BEST, DEEP, STAMP, ENOUGH, MUST = range(12)
CONTROLS = 12
# Columns of ``level``: the node, the next arc to try, 0 or 1 for the arm, the link that led here (-1: none), the most
# that a part of the walk earns, the bound, all features within reach, their bonuses and those of them that matter,
# whether the lifting value matters, bonuses, features; then the counters, what is paid without the variable part,
# variable nodes, the lifting value, the best own plain and own variable node, and the best of all plain and variable,
# PAY_BEST each.
NODE, ARC, ARM, LINK, PREFIX, BOUND, UNION, UNION_BONUS, MATTERS, LIFTS, BONUS, FEATURE, COUNT = range(13)
PAID = COUNT + K
VARIABLES, LIFTED, OWN_BEST, OWN_BEST_PLUS, TOP = range(PAID + 1, PAID + 6)
# Rows of ``scratch``.
NODES, WORTH, STATE, WANT, CHOICE, COST, QUEUE, QUEUED, INSIDE = range(9)
FOUND, LOW, FROM, NEXT, STACK, HOME, GAIN, HANGS, SETS = range(9, 18)
SCRATCH = 18
# So many states of each tip are looked through for one that is as good.
LISTED = 32
# Ways on are looked at in pairs, if they are not more.
CHAINS = 24


class Task(NamedTuple):
    """A train on a problem as the walk wants it; see ``problem.Problem`` for what is not told here.

    - ``first`` (N + 1), ``arc`` (A, 3): ARC_LINK, ARC_NODE, and ARC_COST: what the arc counts in the tightest limit.
    - ``node`` (N, PAYABLE + 1): with VALUE and PAYABLE of this train.
    - ``link`` (L, LINK_COUNT + K): with LINK_WORTH for this train. From CLASH_FIRST to CLASH_END are the places in
      ``clash`` of the links that it shuts when it is used.
    - ``rule`` (RULES): the train, general rules, how many rows of ``bonus`` are ALL_OFS and ONE_OFS, the row of
      ``limit`` that is TIGHT (-1: none), and the KINDS that any limit counts.
    - ``limit`` (2, C, 2). ``bonus`` (X + Y + Z, 5): the rows of all_of, one_of and reach.
    - ``order``: where the second part begins; then the payable nodes without PLUS, best first; then those with it.
    """

    first: Ints
    arc: Ints
    node: Ints
    link: Ints
    clash: Ints
    rule: Ints
    limit: Ints
    bonus: Ints
    order: Ints


class Walk(NamedTuple):
    """State of a walk; D levels, N nodes, L links, R stored routes, B stored links.

    ``control`` holds the scalars. ``level`` (D, TOP + 2 * PAY_BEST) is the stack, and its last row working room.
    ``shut_node`` (N), ``shut_link`` (L): how many reasons there are not to go there. A stored route is its value and
    its links; ``route_first`` (R + 1) points into ``route_links`` (B). ``best_links``: the number of links of the
    best route, then the links. ``scratch`` (SCRATCH, D) is working room. ``open_links`` (words of L) is filled by a
    deep walk with what is within reach; ``stamps`` and ``seen`` are its table of states it has been through (see
    :func:`_met`).
    """

    control: Ints
    level: Ints
    shut_node: npt.NDArray[np.int32]
    shut_link: npt.NDArray[np.int32]
    route_value: Ints
    route_first: Ints
    route_links: npt.NDArray[np.int32]
    best_links: npt.NDArray[np.int32]
    scratch: Ints
    open_links: Ints
    stamps: Ints
    seen: Ints


@inner
def _bonus(rule: Ints, bonus: Ints, feature: int, all_feature: int) -> int:
    """All bonuses of a route with these features; ``all_feature`` are those that count for ``all_of``."""
    total = 0
    all_ofs = rule[ALL_OFS]
    one_ofs = all_ofs + rule[ONE_OFS]
    for i in range(all_ofs):
        if bonus[i, BITS] & ~all_feature == 0:
            total += bonus[i, AMOUNT]
    for i in range(all_ofs, one_ofs):
        if bonus[i, BITS] & feature:
            best = 0
            for j in range(one_ofs + bonus[i, REACH_FIRST], one_ofs + bonus[i, REACH_END]):
                if bonus[j, BITS] & feature:
                    if bonus[i, REACH_SUM]:
                        best += bonus[j, AMOUNT]
                    elif bonus[j, AMOUNT] > best:
                        best = bonus[j, AMOUNT]
            total += best
    return total


@inner
def _matters(rule: Ints, bonus: Ints, feature: int) -> int:
    """Those of all features within reach of a walk that are part of a bonus within its reach."""
    matters = 0
    all_ofs = rule[ALL_OFS]
    one_ofs = all_ofs + rule[ONE_OFS]
    for i in range(all_ofs):
        if bonus[i, BITS] & ~feature == 0:
            matters |= bonus[i, BITS]
    for i in range(all_ofs, one_ofs):
        if bonus[i, BITS] & feature:
            for j in range(one_ofs + bonus[i, REACH_FIRST], one_ofs + bonus[i, REACH_END]):
                if bonus[j, BITS] & feature:
                    matters |= bonus[i, BITS] | bonus[j, BITS]
    return matters


@inner
def _best_counted(rule: Ints, level: Ints, d: int) -> int:
    """Sum of the best n values of the walk at level d under the simple rule of payment, not yet multiplied.

    -1: a counted node must be own, and none that pays is.
    """
    n = rule[PAY_BEST]
    lift = max(level[d, LIFTED], rule[LIFT_LEAST])
    total, last = 0, 0
    i, j = TOP, TOP + n
    for _ in range(n):
        plain = level[d, i] if i < TOP + n else -1
        lifted = level[d, j] + lift if j < TOP + 2 * n and level[d, j] >= 0 else -1
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
    if rule[OWN_COUNTS]:
        own = level[d, OWN_BEST]
        if level[d, OWN_BEST_PLUS] >= 0:
            own = max(own, level[d, OWN_BEST_PLUS] + lift)
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
    nodes, worth, want, choice = scratch[NODES], scratch[WORTH], scratch[WANT], scratch[CHOICE]
    n = ZERO
    lift = max(level[d, LIFTED], rule[LIFT_LEAST])
    for i in range(d + 1):
        x = level[i, NODE]
        if (i == 0 or level[i, LINK] >= 0) and node[x, PAYABLE]:
            value = node[x, VALUE] if node[x, PLUS] < 0 else node[x, PLUS] + lift
            j = n
            while j > 0 and worth[j - 1] < value:
                worth[j] = worth[j - 1]
                nodes[j] = nodes[j - 1]
                j -= 1
            worth[j] = value
            nodes[j] = x
            n += 1
    possible = 0
    if rule[COUNTED_BONUS]:
        for i in range(rule[ALL_OFS]):
            if bonus[i, BITS] & ~level[d, FEATURE] == 0:
                possible |= 1 << i
    best = -1
    wish = possible
    while True:
        need = 0
        for i in range(rule[ALL_OFS]):
            if wish >> i & 1:
                need |= bonus[i, BITS]
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
                if own == n or (rule[OWN_COUNTS] and node[nodes[own], OWN]):
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
    nodes, state = scratch[NODES], scratch[STATE]
    for i in range(n):
        state[i] = 0
    for b in range(bits):
        state[scratch[CHOICE, b]] = 1
    if own < n:
        state[own] = 1
    total: int = level[d, PAID]
    got, has_own = 0, False
    for turn in range(2):
        for i in range(n):
            if state[i] != 1 - turn:
                continue
            state[i] = 2
            for row in range(limit.shape[1]):
                left = limit[PAY, row, AMOUNT]
                for j in range(n):
                    if state[j] == 2:
                        for k in range(K):
                            if limit[PAY, row, BITS] >> k & 1:
                                left -= node[nodes[j], NODE_COUNT + k]
                if left < 0:
                    state[i] = 3
            if state[i] == 3:
                if turn == 0:
                    return -1
                continue
            total += scratch[WORTH, i]
            got |= node[nodes[i], NODE_FEATURE]
            has_own = has_own or node[nodes[i], OWN] == 1
    if rule[OWN_COUNTS] and not has_own:
        return -1
    total *= rule[FACTOR]
    return total + _bonus(rule, bonus, level[d, FEATURE], got if rule[COUNTED_BONUS] else level[d, FEATURE])


@inner
def _offer(rule: Ints, node: Ints, level: Ints, d: int, x: int) -> None:
    """Put a node among the best of level d under the simple rule of payment."""
    if not node[x, PAYABLE]:
        return
    n = rule[PAY_BEST]
    plus = node[x, PLUS]
    lowest, own, value = TOP, OWN_BEST, node[x, VALUE]
    if plus >= 0:
        lowest, own, value = TOP + n, OWN_BEST_PLUS, plus
    if node[x, OWN] and value > level[d, own]:
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
        level[d, COUNT + k] = node[x, NODE_COUNT + k]
        if d > 0:
            level[d, COUNT + k] += level[d - 1, COUNT + k] + link[over, LINK_COUNT + k]
    for i in range(limit.shape[1]):
        left = limit[VISIT, i, AMOUNT]
        for k in range(K):
            if limit[VISIT, i, BITS] >> k & 1:
                left -= level[d, COUNT + k]
        if left < 0:
            return False
    level[d, NODE] = x
    level[d, LINK] = over
    if d == 0:
        for i in range(PREFIX, COUNT):
            level[0, i] = 0
        for i in range(PAID, OWN_BEST):
            level[0, i] = 0
        for i in range(OWN_BEST, level.shape[1]):
            level[0, i] = -1
        level[0, PREFIX] = -1
    else:
        _copy(level, d)
    if rule[PAY_ALL]:
        if node[x, PLUS] < 0:
            level[d, PAID] += node[x, VALUE]
        else:
            level[d, PAID] += node[x, PLUS]
            level[d, VARIABLES] += 1
    elif rule[PAY_BEST] >= 0:
        _offer(rule, node, level, d, x)
    if node[x, LIFT] > level[d, LIFTED]:
        level[d, LIFTED] = node[x, LIFT]
    feature = level[d, FEATURE] | node[x, NODE_FEATURE]
    if d > 0:
        feature |= link[over, LINK_FEATURE]
        level[d, PAID] += link[over, LINK_WORTH]
    if feature != level[d, FEATURE]:
        level[d, FEATURE] = feature
        level[d, BONUS] = _bonus(rule, bonus, feature, feature)
    return True


@inner
def _copy(level: Ints, d: int) -> None:
    """What level d has from level d - 1, but for its counters."""
    for i in range(PREFIX, COUNT):
        level[d, i] = level[d - 1, i]
    for i in range(PAID, level.shape[1]):
        level[d, i] = level[d - 1, i]


@inner
def _flood(
    first: Ints,
    arc: Ints,
    node: Ints,
    link: Ints,
    shut_node: npt.NDArray[np.int32],
    shut_link: npt.NDArray[np.int32],
    level: Ints,
    scratch: Ints,
    open_links: Ints,
    d: int,
    left: int,
) -> None:
    """Find what the walk at level d may still reach: the nodes that are 1 in ``INSIDE`` (2: those of the walk).

    A node is reached over links and nodes that are still open, at the least cost in the tightest limit of the train,
    of which ``left`` is left. From the first arm the second may still leave the root, over its later arcs. The last
    row of ``level`` becomes that of a walk that had it all: features, lift and links; ``open_links`` the links over
    which that is.
    """
    last = level.shape[0] - 1
    for i in range(PREFIX, level.shape[1]):
        level[last, i] = level[d, i]
    for i in range(open_links.shape[0]):
        open_links[i] = 0
    cost, inside, queue, queued = scratch[COST], scratch[INSIDE], scratch[QUEUE], scratch[QUEUED]
    for x in range(node.shape[0]):
        inside[x] = 0
        queued[x] = 0
    for i in range(d + 1):
        inside[level[i, NODE]] = 2
    feature, lifted, paid, lifts = level[d, FEATURE], level[d, LIFTED], level[d, PAID], False
    root = level[0, NODE]
    size = queue.shape[0]
    head, tail = 0, 0
    if node[level[d, NODE], THROUGH]:
        cost[level[d, NODE]] = 0
        queue[0] = level[d, NODE]
        tail = 1
    if level[d, ARM] == 0 and level[d, NODE] != root:
        cost[root] = 0
        queue[tail] = root
        tail += 1
    while head != tail:
        x = queue[head]
        head = head + 1 if head + 1 < size else 0
        queued[x] = 0
        for a in range(level[0, ARC] if x == root else first[x], first[x + 1]):
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
                    if node[y, LIFT] > lifted:
                        lifted = node[y, LIFT]
                    lifts = lifts or node[y, PLUS] >= 0
                cost[y] = total
                if node[y, THROUGH] and not queued[y]:
                    queued[y] = 1
                    queue[tail] = y
                    tail = tail + 1 if tail + 1 < size else 0
    level[last, FEATURE], level[last, LIFTED], level[last, PAID], level[d, LIFTS] = feature, lifted, paid, lifts


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
    """The most that the walk at level d can earn with nodes ``INSIDE`` (1; 2: it has them), features and ``bonuses``.

    ``left`` is how much of the tightest limit is left. -1: nothing legal.
    """
    inside = scratch[INSIDE]
    last = level.shape[0] - 1
    lift = max(level[last, LIFTED], rule[LIFT_LEAST])
    most, fresh = node.shape[0], 1
    base: int = level[last, PAID]
    if rule[PAY_ALL]:
        base += level[d, VARIABLES] * lift
        if rule[TIGHT] >= 0:
            most = left
    elif rule[PAY_BEST] >= 0:
        most, fresh = rule[PAY_BEST], 0
    else:
        fresh = 0
        for i in range(limit.shape[1]):
            if limit[PAY, i, BITS] & 7 == 7:
                most = min(most, limit[PAY, i, AMOUNT])
    possible = 0
    if rule[COUNTED_BONUS] and not rule[PAY_ALL] and rule[ALL_OFS] < 9:
        for i in range(rule[ALL_OFS]):
            if bonus[i, BITS] & ~feature == 0:
                possible |= 1 << i
                bonuses -= bonus[i, AMOUNT]
    best = -1
    wish = possible
    while True:
        # A node for each feature that must be counted, the best there is, and the best others.
        need, places, got = 0, most, bonuses
        for i in range(rule[ALL_OFS]):
            if wish >> i & 1:
                need |= bonus[i, BITS]
                got += bonus[i, AMOUNT]
        bits = need
        while bits:
            bits &= bits - 1
            places -= 1
        if places >= 0:
            total, lowest, own, best_own = base, 0, False, -1
            i, j = 1, order[0]
            while need or places > 0 or rule[PAY_ALL] or (best_own < 0 and not own and rule[OWN_COUNTS]):
                while i < order[0] and (inside[order[i]] == 0 or inside[order[i]] > 2 - fresh):
                    i += 1
                while j < order.shape[0] and (inside[order[j]] == 0 or inside[order[j]] > 2 - fresh):
                    j += 1
                plain = node[order[i], VALUE] if i < order[0] else -1
                lifted = node[order[j], PLUS] + lift if j < order.shape[0] else -1
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
                free = rule[PAY_ALL] == 1
                for k in range(K):
                    if free and rule[TIGHT] >= 0 and limit[VISIT, rule[TIGHT], BITS] >> k & 1:
                        free = node[x, NODE_COUNT + k] == 0
                if node[x, NODE_FEATURE] & need:
                    need &= ~node[x, NODE_FEATURE]
                elif free or places > 0:
                    lowest = value
                    places -= not free
                else:
                    if node[x, OWN] and best_own < 0:
                        best_own = value
                    continue
                total += value
                own = own or node[x, OWN] == 1
            if rule[OWN_COUNTS] and not own:
                if best_own < 0:
                    return -1
                total -= max(0, lowest - best_own)
            if need == 0:
                best = max(best, rule[FACTOR] * total + got)
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
    shut_node: npt.NDArray[np.int32],
    scratch: Ints,
    open_links: Ints,
    d: int,
) -> tuple[int, int]:
    """Part what is open (:func:`_flood`) into blocks that hang together by single nodes, after Hopcroft and Tarjan.

    Tip and root are taken as one node, from which all begins. Returns the number of blocks, and how many arms may go
    on. ``SETS`` gets a column for each block, with what a way from the tip or root to it can have: features, then
    words of nodes; and ``HOME`` for each node the block through which it is entered.
    """
    found, low, from_, next_, stack = scratch[FOUND], scratch[LOW], scratch[FROM], scratch[NEXT], scratch[STACK]
    home, gain, hangs, sets = scratch[HOME], scratch[GAIN], scratch[HANGS], scratch[SETS:]
    tip, root = level[d, NODE], level[0, NODE]
    for x in range(node.shape[0]):
        found[x] = 0
    found[tip] = found[root] = 1
    clock, top, blocks, arms = 1, 0, 0, 0
    for turn in range(2):
        start = tip if turn == 0 else root
        if not node[start, THROUGH] or (turn == 1 and level[d, ARM] == 1):
            continue
        begins = False
        for at in range(level[0, ARC] if start == root else first[start], first[start + 1]):
            x, over = arc[at, ARC_NODE], arc[at, ARC_LINK]
            if shut_node[x] or not open_links[over >> 6] >> (over & 63) & 1:
                continue
            begins = True
            if found[x] or not node[x, THROUGH]:
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
                    elif shut_node[y] or not node[y, THROUGH]:
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
    """Add a column to ``SETS`` for each way into a node that can only be an end; returns how many there are then."""
    sets = scratch[SETS:]
    for x in range(node.shape[0]):
        if scratch[INSIDE, x] != 1 or node[x, THROUGH]:
            continue
        for a in range(first[x], first[x + 1]):
            over, y = arc[a, ARC_LINK], arc[a, ARC_NODE]
            if not open_links[over >> 6] >> (over & 63) & 1 or scratch[FOUND, y] == 0 or n == sets.shape[1]:
                continue
            for i in range(sets.shape[0]):
                sets[i, n] = 0 if y in (tip, root) else sets[i, scratch[HOME, y]]
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
    became was no better than ``WANTED`` is now; so will this one be. A row of the table is the stamp of this walk,
    the state, the columns of ``level`` from FEATURE on, and the nodes if they are looked at. Each tip has its few
    rows, where all are compared; in the rest of the table a state finds only those that may be the same. The table
    forgets: that costs time, not truth.
    """
    words = open_links.shape[0]
    at = words + 1 - FEATURE
    width = level.shape[1]
    lifts = level[d, LIFTS] or level[d, VARIABLES] > 0
    named = 0  # 1: nodes that a bonus asks for must be the same; 2: all nodes
    if not rule[PAY_ALL]:
        if rule[PAY_BEST] < 0:
            named, lifts = 2, True
        else:
            named = rule[COUNTED_BONUS]
            lifts = lifts or level[d, TOP + rule[PAY_BEST]] >= 0
    key = level[d, NODE] * 2 + level[d, ARM]
    bucket = key
    if level[d, ARM] == 0:
        key += (level[0, NODE] + 1) << 32
    h = key * 0x2545F4914F6CDD1D
    for i in range(words):
        h = (h ^ open_links[i]) * 0x2545F4914F6CDD1D
        h ^= (h >> 29) & 0x7FFFFFFFF
    stamp = control[STAMP]
    many = min(LISTED, stamps.shape[0] // (4 * node.shape[0]))
    listed = many * 2 * node.shape[0]
    slot = listed + (h & 0x7FFFFFFFFFFFFFFF) % (stamps.shape[0] - 3 - listed)
    row = slot + ((h >> 40) & 3)
    spare = bucket * many + (h >> 33) % max(1, many)
    for turn in range(2):
        start, end = (bucket * many, (bucket + 1) * many) if turn == 0 else (slot, slot + 4)
        for r in range(start, end):
            if stamps[r] != stamp:
                if turn == 0:
                    spare = r
                else:
                    row = r
                break
            same = seen[r, 0] == key and level[d, FEATURE] & level[d, MATTERS] & ~seen[r, at + FEATURE] == 0
            if turn == 0 and seen[r, 0] != key:
                spare = r
            i = 0
            while same and i < words:
                same = open_links[i] & ~seen[r, 1 + i] == 0
                i += 1
            i = 0
            while same and i < K:
                same = seen[r, at + COUNT + i] <= level[d, COUNT + i] or not rule[KINDS] >> i & 1
                i += 1
            i = PAID
            while same and i < width:
                same = seen[r, at + i] >= level[d, i] or (i == LIFTED and not lifts)
                i += 1
            if same and named:
                for i in range(d + 1):
                    x = level[i, NODE]
                    if named == 2 or node[x, NODE_FEATURE] & level[d, MATTERS]:
                        same = same and seen[r, at + width + (x >> 6)] >> (x & 63) & 1 == 1
            if same:
                return True
    for turn in range(2):
        r = row if turn == 0 else spare
        if turn == 1 and many == 0:
            break
        stamps[r], seen[r, 0] = stamp, key
        for i in range(words):
            seen[r, 1 + i] = open_links[i]
        for i in range(FEATURE, width):
            seen[r, at + i] = level[d, i]
        if named:
            for i in range(at + width, seen.shape[1]):
                seen[r, i] = 0
            for i in range(d + 1):
                x = level[i, NODE]
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
    shut_node: npt.NDArray[np.int32],
    shut_link: npt.NDArray[np.int32],
    scratch: Ints,
    open_links: Ints,
    stamps: Ints,
    seen: Ints,
    d: int,
) -> bool:
    """Whether the walk at level d can become worth more than is wanted and is not a state met before."""
    left = ZERO
    if rule[TIGHT] >= 0:
        left += limit[VISIT, rule[TIGHT], AMOUNT]
        for k in range(K):
            if limit[VISIT, rule[TIGHT], BITS] >> k & 1:
                left -= level[d, COUNT + k]
    _flood(first, arc, node, link, shut_node, shut_link, level, scratch, open_links, d, left)
    union = level[level.shape[0] - 1, FEATURE]
    if control[MUST] & ~union:
        return False
    if d == 0 or union != level[d, UNION]:
        level[d, UNION] = union
        level[d, UNION_BONUS] = _bonus(rule, bonus, union, union)
        level[d, MATTERS] = _matters(rule, bonus, union) | control[MUST]
    bonuses, most = level[d, UNION_BONUS], control[WANTED] + 1
    least, chains, arms = ZERO, ONE, ONE
    sets, chosen, inside = scratch[SETS:], scratch[HOME], scratch[INSIDE]
    # First (p = -1) the ceiling of all that is open. If that is too much to turn back: what goes on from the tip, or
    # from the root, passes a chain of blocks and may end in a node that nothing passes; the ceilings of two of these,
    # or of one if one arm is done. One place for both, since each call of the ceiling takes long to compile.
    p, q = -ONE, ZERO
    while p < chains:
        if p >= 0:
            i, j = chosen[p], chosen[q]
            union = level[d, FEATURE] & level[d, MATTERS] | sets[0, i] | sets[0, j]
            bonuses = _bonus(rule, bonus, union, union)
            for x in range(node.shape[0]):
                if inside[x] != 2:
                    inside[x] = (sets[1 + (x >> 6), i] | sets[1 + (x >> 6), j]) >> (x & 63) & 1
        bound = -1
        if not control[MUST] & ~union and bonuses >= least:
            bound = _ceiling(rule, node, limit, bonus, order, level, scratch, d, left, union, bonuses)
        if p < 0:
            level[d, BOUND] = bound
            if bound < most or (
                control[COLLECT] == 0 and _met(rule, node, control, level, open_links, stamps, seen, d)
            ):
                return False
            if rule[PAY_ALL] or not rule[COUNTED_BONUS]:
                least = most - bound + bonuses
            n, arms = _blocks(first, arc, node, link, level, shut_node, scratch, open_links, d)
            n = _ends(first, arc, node, link, scratch, open_links, level[d, NODE], level[0, NODE], n)
            chains = _longest(sets, chosen, n, level[d, MATTERS])
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

    Collecting (``COLLECT``) stores every route worth more than ``WANTED`` and than any part of it that the walk
    went through; else only the best is kept, in ``best_links`` (number, then links), and wanted rises with it, until
    it is ``ENOUGH``: nothing better is possible. Routes without all features of ``MUST`` do not count.
    """
    first, arc, node, link, clash, rule, limit, bonus, order = task
    control, level, shut_node, shut_link = w.control, w.level, w.shut_node, w.shut_link
    scratch, open_links, stamps, seen = w.scratch, w.open_links, w.stamps, w.seen
    d = control[DEPTH]
    steps = 0
    status = RUNNING
    while steps < budget:
        if control[COLLECT] and (
            control[ROUTES] + 1 >= w.route_value.shape[0] or control[STORED] + level.shape[0] > w.route_links.shape[0]
        ):
            status = FULL
            break
        steps += 1
        entered = False
        if d < 0:
            # The last root is done with: no later walk passes it.
            root = control[ROOT] + 1
            if root > 0:
                shut_node[root - 1] += node[root - 1, OWN]
            while root < node.shape[0] and not node[root, OWN]:
                root += 1
            control[ROOT] = root
            if root == node.shape[0]:
                status = DONE
                break
            if not _enter(rule, node, link, bonus, limit, level, d + 1, root, d):
                continue
            level[0, ARM], level[0, ARC] = 0, first[root]
            entered = True
        else:
            x = level[d, NODE]
            end = first[x + 1]
            if level[d, ARC] < end:
                a = level[d, ARC]
                level[d, ARC] = a + 1
                over, y = arc[a, ARC_LINK], arc[a, ARC_NODE]
                if shut_node[y] or shut_link[over]:
                    continue
                if not _enter(rule, node, link, bonus, limit, level, d + 1, y, over):
                    continue
                level[d + 1, ARM] = level[d, ARM]
                level[d + 1, ARC] = first[y] if node[y, THROUGH] else first[y + 1]
                for i in range(link[over, CLASH_FIRST], link[over, CLASH_END]):
                    shut_link[clash[i]] += 1
                if node[y, END]:
                    if rule[PAY_ALL]:
                        value = level[d + 1, PAID]
                        value += level[d + 1, VARIABLES] * max(level[d + 1, LIFTED], rule[LIFT_LEAST])
                        value = rule[FACTOR] * value + level[d + 1, BONUS]
                    else:
                        value = control[ENOUGH]
                        if rule[PAY_BEST] >= 0:
                            value = _best_counted(rule, level, d + 1)
                            if value >= 0:
                                value = rule[FACTOR] * (value + level[d + 1, PAID]) + level[d + 1, BONUS]
                        if (rule[PAY_BEST] < 0 or rule[COUNTED_BONUS]) and value > control[WANTED]:
                            value = _chosen(rule, node, bonus, limit, level, scratch, d + 1)
                    if value > level[d + 1, PREFIX] and not control[MUST] & ~level[d + 1, FEATURE]:
                        level[d + 1, PREFIX] = value
                        if value > control[WANTED]:
                            links = w.route_links if control[COLLECT] else w.best_links
                            at = control[STORED] if control[COLLECT] else 1
                            for i in range(1, d + 2):
                                if level[i, LINK] >= 0:
                                    links[at] = level[i, LINK]
                                    at += 1
                            if control[COLLECT]:
                                w.route_value[control[ROUTES]] = value
                                control[ROUTES] += 1
                                w.route_first[control[ROUTES]] = at
                                control[STORED] = at
                            else:
                                links[0] = at - 1
                                control[WANTED] = value
                                control[BEST] = value
                                if value >= control[ENOUGH]:
                                    status = DONE
                                    break
                entered = True
            elif (
                level[d, ARC] == end
                and level[d, ARM] == 0
                and level[d, LINK] >= 0
                and node[x, END]
                and node[level[0, NODE], END]
                and node[level[0, NODE], THROUGH]
            ):
                # Leave the first arm here; the second begins at the root, after the arc where the first began.
                level[d, ARC] = end + 1
                level[d + 1, NODE] = level[0, NODE]
                level[d + 1, LINK] = -1
                level[d + 1, ARM] = 1
                level[d + 1, ARC] = level[0, ARC]
                _copy(level, d + 1)
                for k in range(K):
                    level[d + 1, COUNT + k] = level[d, COUNT + k]
                entered = True
        if entered:
            d += 1
            x = level[d, NODE]
            if d == 0 or level[d, LINK] >= 0:
                _shut(node, shut_node, x, ONE)
            if control[DEEP] and not _promising(
                first, arc, node, link, rule, limit, bonus, order, control, level, shut_node, shut_link, scratch,
                open_links, stamps, seen, d,
            ):  # fmt: skip
                level[d, ARC] = first[x + 1] + 1
            continue
        over = level[d, LINK]
        if over >= 0:
            for i in range(link[over, CLASH_FIRST], link[over, CLASH_END]):
                shut_link[clash[i]] -= 1
        if over >= 0 or d == 0:
            _shut(node, shut_node, x, -ONE)
        d -= 1
    control[DEPTH] = d
    control[STEPS] += steps
    return status


@inner
def _shut(node: Ints, shut_node: npt.NDArray[np.int32], x: int, more: int) -> None:
    """Shut (+1) or open (-1) a node and all of its group."""
    shut_node[x] += more
    if node[x, GROUP] >= 0:
        for y in range(node.shape[0]):
            if node[y, GROUP] == node[x, GROUP]:
                shut_node[y] += more


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


@kernel
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
