"""Problem and train as the walk wants them: its task, its state, and what can be said before it begins."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from trunkline.solver.search.layout import (
    ARC_COST,
    ARC_LINK,
    ARC_NODE,
    BEST_LINKS,
    BONUS_AMOUNT,
    BONUS_COLUMNS,
    BONUS_FEATURES,
    BONUS_REACH_END,
    BONUS_REACH_FIRST,
    BONUS_REACH_SUM,
    CONTROL_BEST,
    CONTROL_DEEP,
    CONTROL_DEPTH,
    CONTROL_ENOUGH,
    CONTROL_PLACES,
    CONTROL_ROOT,
    CONTROL_STAMP,
    CONTROL_WANTED,
    GENERAL_LIFT_LEAST,
    LEVEL_FEATURE,
    LEVEL_TOP,
    LIMIT_KINDS,
    LIMIT_VISIT,
    LINK_CLASH_END,
    LINK_CLASH_FIRST,
    LINK_COLUMNS,
    LINK_COUNT,
    LINK_FEATURE,
    LINK_WORTH,
    NODE_COUNT,
    NODE_FEATURE,
    NODE_LIFT,
    NODE_PAYABLE,
    NODE_PLUS,
    NODE_VALUE,
    ORDER_PLAIN,
    RULE_ALL_OFS,
    RULE_APART,
    RULE_COUNTED_BONUS,
    RULE_FACTOR,
    RULE_KINDS,
    RULE_LIFT_LEAST,
    RULE_ONE_OFS,
    RULE_PLACES,
    RULE_TIGHT,
    SCRATCH_SETS,
    SEEN_LINKS,
    STOPS,
    TRAIN_FACTOR,
    TRAIN_PAY_ALL,
    TRAIN_PAY_BEST,
    WORTH_PAYABLE,
    WORTH_VALUE,
    Ints,
    K,
    Problem,
    Task,
    Walk,
)
from trunkline.solver.search.limits import Limits
from trunkline.solver.search.progress import Links

UNBOUNDED = (1 << 62) - 1
"""More than any route can earn."""
_Int = TypeVar("_Int", np.int32, np.int64)
_local = threading.local()
_NO_TABLE = np.zeros(0, dtype=np.int64), np.zeros((0, 0), dtype=np.int64)


def task_of(problem: Problem, t: int, clash: tuple[Ints, Ints]) -> Task:
    """The task of a train.

    Parameters
    ----------
    problem
        The problem.
    t
        The train.
    clash
        Which links shut which, from :func:`clashing_links`.

    Returns
    -------
    Task
        For :func:`trunkline.solver.search.kernel.walk.walk`.
    """
    links, tight = len(problem.link), _tightest(problem, t)
    node = np.hstack([problem.node, problem.worth[t]])
    link = np.empty((links, LINK_COLUMNS), dtype=np.int64)
    link[:, :LINK_WORTH], link[:, LINK_WORTH] = problem.link, problem.link_worth[t]
    link[:, LINK_CLASH_FIRST], link[:, LINK_CLASH_END] = clash[0][:-1], clash[0][1:]
    arc = np.zeros((len(problem.arc), ARC_COST + 1), dtype=np.int64)
    arc[:, :ARC_COST] = problem.arc
    visit = problem.limit[t, LIMIT_VISIT]
    if tight >= 0:
        counted = visit[tight, LIMIT_KINDS] >> np.arange(K) & 1
        count = (
            link[arc[:, ARC_LINK], LINK_COUNT : LINK_COUNT + K] + node[arc[:, ARC_NODE], NODE_COUNT : NODE_COUNT + K]
        )
        arc[:, ARC_COST] = count @ counted
    rule = np.zeros(RULE_PLACES, dtype=np.int64)
    rule[: RULE_FACTOR + 1] = problem.train[t]
    rule[RULE_LIFT_LEAST : RULE_COUNTED_BONUS + 1] = problem.general
    all_of = problem.all_of[t]
    rule[RULE_ALL_OFS], rule[RULE_ONE_OFS] = len(all_of), len(problem.one_of)
    counted = node[:, NODE_FEATURE] & rule[RULE_COUNTED_BONUS]
    rule[RULE_APART] = not np.any(counted & (counted - 1))
    rule[RULE_TIGHT], rule[RULE_KINDS] = tight, np.bitwise_or.reduce(visit[:, LIMIT_KINDS])
    bonus = np.zeros((len(all_of) + len(problem.one_of) + len(problem.reach), BONUS_COLUMNS), dtype=np.int64)
    bonus[: len(all_of), : BONUS_AMOUNT + 1] = all_of
    bonus[len(all_of) : len(all_of) + len(problem.one_of)] = problem.one_of
    bonus[len(bonus) - len(problem.reach) :, : BONUS_AMOUNT + 1] = problem.reach
    value = np.where(node[:, NODE_PLUS] < 0, node[:, NODE_VALUE], node[:, NODE_PLUS])
    best = np.argsort(-value, kind="stable")
    best = best[node[best, NODE_PAYABLE] == 1]
    plain, lifted = best[node[best, NODE_PLUS] < 0], best[node[best, NODE_PLUS] >= 0]
    order = np.concatenate([[ORDER_PLAIN + len(plain)], plain, lifted]).astype(np.int64)
    return Task(problem.first, arc, node, link, clash[1], rule, problem.limit[t], bonus, order)


def preferring(task: Task, links: Links) -> Task:
    """The same task with the arcs of these links first at each node."""
    node = np.repeat(np.arange(len(task.node)), np.diff(task.first))
    liked = np.zeros(len(task.link), dtype=bool)
    liked[list(links)] = True
    return task._replace(arc=task.arc[np.argsort(node * 2 + ~liked[task.arc[:, ARC_LINK]], kind="stable")])


def clashing_links(use: Ints, limits: Limits, checkpoint: Callable[[], None]) -> tuple[Ints, Ints]:
    """For each link those others that share a resource with it.

    Parameters
    ----------
    use
        Resources of the links (L, W).
    limits
        How many are compared at a time.
    checkpoint
        Called between; of thousands of links it takes long.

    Returns
    -------
    tuple[Ints, Ints]
        Where the list of each link ends, after a 0 (L + 1), and the lists one after the other.
    """
    first, clash = [0], []
    rows = max(1, min(limits.clash_rows, limits.clash_bytes // max(1, use.nbytes)))
    for start in range(0, len(use), rows):
        if start:
            checkpoint()
        some = use[start : start + rows]
        a, b = np.nonzero((some[:, None, :] & use[None, :, :]).any(axis=2))
        other = a + start != b
        first += (np.cumsum(np.bincount(a[other], minlength=len(some))) + first[-1]).tolist()
        clash.append(b[other])
    return np.array(first, dtype=np.int64), np.concatenate(clash).astype(np.int64)


def free_features(problem: Problem) -> list[int]:
    """Bits that no node, link or bonus has as a feature."""
    taken = 0
    for table, column in (
        (problem.node, NODE_FEATURE),
        (problem.link, LINK_FEATURE),
        (problem.all_of.reshape(-1, 2), BONUS_FEATURES),
        (problem.one_of, BONUS_FEATURES),
        (problem.reach, BONUS_FEATURES),
    ):
        taken |= int(np.bitwise_or.reduce(table[:, column]))
    return [i for i in range(64) if not taken >> i & 1]


def _tightest(problem: Problem, t: int) -> int:
    """The visit limit of a train with the lowest amount; -1 if none can bind."""
    limits = problem.limit[t, LIMIT_VISIT]
    binding = [(int(n), i) for i, (bits, n) in enumerate(limits) if bits and n < len(problem.node)]
    return min(binding)[1] if binding else -1


def root_bound(problem: Problem, t: int) -> int:
    """What no route of a train can exceed, whatever the links: its best values as often as it may count them."""
    node, worth = problem.node, problem.worth[t]
    lift = max(int(node[:, NODE_LIFT].max(initial=0)), int(problem.general[GENERAL_LIFT_LEAST]))
    values = np.where(node[:, NODE_PLUS] < 0, worth[:, WORTH_VALUE], node[:, NODE_PLUS] + lift)[
        worth[:, WORTH_PAYABLE] == 1
    ]
    most = [int(n) for bits, n in problem.limit[t].reshape(-1, 2) if bits & STOPS == STOPS]
    base = int(np.sort(values)[::-1][: min([len(values), *most])].sum() + problem.link_worth[t].sum())
    bonus = int(problem.all_of[t, :, BONUS_AMOUNT].sum())
    for row in problem.one_of:
        reached = problem.reach[row[BONUS_REACH_FIRST] : row[BONUS_REACH_END], BONUS_AMOUNT]
        bonus += int(reached.sum() if row[BONUS_REACH_SUM] else reached.max(initial=0))
    return int(problem.train[t, TRAIN_FACTOR]) * base + bonus


def new_walk(problem: Problem, t: int, limits: Limits, *, deep: bool = False, room: int = 1) -> Walk:
    """State of a walk that has not begun and wants every route.

    Parameters
    ----------
    problem
        The problem.
    t
        The train.
    limits
        Size of the table of states.
    deep
        Whether it walks in the deep gear.
    room
        Rooms for routes to store.

    Returns
    -------
    Walk
        With everything open. A deep walk has the table of states of this thread: of two, only the newer may go on.
    """
    nodes, links = len(problem.node), len(problem.link)
    link_words, levels = -(-links // 64), max(nodes + 4, 64)
    paid = 0 if problem.train[t, TRAIN_PAY_ALL] else max(0, int(problem.train[t, TRAIN_PAY_BEST]))
    columns = LEVEL_TOP + 2 * paid
    control = np.zeros(CONTROL_PLACES, dtype=np.int64)
    control[[CONTROL_DEPTH, CONTROL_ROOT, CONTROL_WANTED, CONTROL_BEST]] = -1
    control[CONTROL_ENOUGH], control[CONTROL_DEEP] = UNBOUNDED, deep
    stamps, seen = _NO_TABLE
    if deep:
        width = SEEN_LINKS + link_words + columns - LEVEL_FEATURE + nodes // 64 + 1
        control[CONTROL_STAMP], stamps, seen = _table(width, limits)
    return Walk(
        control=control,
        level=np.empty((levels, columns), dtype=np.int64),
        shut_node=np.zeros(nodes, dtype=np.int32),
        shut_link=np.zeros(links, dtype=np.int32),
        route_value=np.empty(room, dtype=np.int64),
        route_first=np.zeros(room + 1, dtype=np.int64),
        route_links=np.empty(room * 8 + levels, dtype=np.int32),
        best_links=np.zeros(BEST_LINKS + levels, dtype=np.int32),
        scratch=np.empty((SCRATCH_SETS + 2 + nodes // 64, 4 * levels), dtype=np.int64),
        open_links=np.empty(link_words, dtype=np.int64),
        stamps=stamps,
        seen=seen,
    )


def _table(width: int, limits: Limits) -> tuple[int, Ints, Ints]:
    """A stamp, and the table of states of this thread, in which no row has that stamp yet."""
    rows = limits.seen_rows
    if width > limits.seen_width:
        return 1, np.zeros(rows, dtype=np.int64), np.empty((rows, width), dtype=np.int64)
    if getattr(_local, "size", None) != (rows, limits.seen_width):
        _local.size, _local.stamps, _local.stamp = (rows, limits.seen_width), np.zeros(rows, dtype=np.int64), 0
        _local.seen = np.empty(rows * limits.seen_width, dtype=np.int64)
    _local.stamp += 1
    return _local.stamp, _local.stamps, _local.seen[: rows * width].reshape(rows, width)


def more_room(w: Walk) -> Walk:
    """The same walk with twice the room to store routes."""

    def grown(a: npt.NDArray[_Int], n: int) -> npt.NDArray[_Int]:
        return np.concatenate([a, np.zeros((n, *a.shape[1:]), dtype=a.dtype)])

    n = len(w.route_value)
    return w._replace(
        route_value=grown(w.route_value, n),
        route_first=grown(w.route_first, n),
        route_links=grown(w.route_links, len(w.route_links)),
    )
