"""The search: exact, over all trains together, on the flat arrays of :class:`solver.problem.Problem`.

One route. Every route has a node that is ``own``; it is found from the lowest-numbered own node on it, its *root*,
so other own nodes below the root are closed. From the root a first arm grows link by link; at each node of it that
may end a route the arm may be left, and a second arm grows from the root through a later arc. So each route is built
exactly once, by a depth-first walk (:func:`walk`) in which links, nodes and groups already used are closed.

Pruning. A partial route is dropped when an upper bound on everything it can become does not exceed what is wanted.
The bound is what is counted so far, the best values that the counters still allow, and the bonuses within reach.

All trains. First the best route of each train alone; their sum is an upper bound. Then trains run one after the other
on what the others leave, for a first answer. Only if there is a gap between the two: for each train all routes are
collected that are worth more than the answer less the best of the others - a better answer can use no others - and
:func:`combine` looks through their combinations, best first, with the same kind of bound. A route that earns no more
than a part of itself is not kept: the part uses less.

Order. Nodes, arcs and trains are in canonical order; the first of equals is kept. So the same question has the same
answer, however it was written. The kernels run in slices of a given number of steps and keep their state in arrays,
so that the caller looks at the clock, and at who has hung up, between slices. They release the GIL.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from solver import kernel
from solver.kernel import DONE, FULL, Combination, Walk, combine, walk
from solver.problem import (
    AMOUNT,
    FACTOR,
    LIFT,
    LIFT_LEAST,
    PAYABLE,
    PLUS,
    REACH_END,
    REACH_FIRST,
    REACH_SUM,
    VALUE,
    Ints,
    Problem,
)
from solver.tile import STOP_KINDS

WALK_SLICE, COMBINE_SLICE = 100_000, 1_000_000
FIRST_ROOM = 1 << 10
Links = tuple[int, ...]


class Stop(Exception):
    """Raised by the caller's look at the clock to end a search: what was found so far stands."""


@dataclass(slots=True)
class Outcome:
    """What a search found: for each run the links of its route (empty: idle), in no particular order.

    ``total`` is what they earn together and ``ceiling`` what no answer can exceed; equal when proven. ``single`` (T):
    what each train can earn alone at most; 0: it cannot run.
    """

    links: list[Links]
    total: int = 0
    ceiling: int = 0
    nodes: int = 0
    single: list[int] = field(default_factory=list)


def search(problem: Problem, runs: Sequence[int], look: Callable[[Outcome], None] = lambda outcome: None) -> Outcome:
    """The best routes for ``runs``, a train number of the problem each, in canonical order.

    ``look`` is called between slices with the best so far, and may raise :class:`Stop`; any other exception passes.
    """
    best = Outcome([()] * len(runs), single=[0] * problem.train.shape[0])
    if not runs or problem.first.shape[0] < 3:
        return best
    best.ceiling = sum(_root_bound(problem, t) for t in runs)
    try:
        _search(problem, runs, look, best)
        best.ceiling = best.total
    except Stop:
        pass
    return best


def _search(problem: Problem, runs: Sequence[int], look: Callable[[Outcome], None], best: Outcome) -> None:
    nothing = np.zeros(problem.use.shape[1], dtype=np.int64)
    alone: dict[int, tuple[int, Links]] = {}
    for i, t in enumerate(runs):
        if t not in alone:
            alone[t] = _best_route(problem, t, nothing, best, look)
            best.single[t] = alone[t][0]
            best.ceiling = sum(alone[u][0] if u in alone else _root_bound(problem, u) for u in runs)
            if alone[t][0] > best.total:
                best.links = [()] * len(runs)
                best.links[i], best.total = alone[t][1], alone[t][0]
    if len(runs) == 1:
        return
    for order in _orders(runs, best.single):
        _one_after_the_other(problem, runs, order, alone, best, look)
        if best.total == best.ceiling:
            return
    _all_together(problem, runs, best, look)


def _orders(runs: Sequence[int], single: Sequence[int]) -> list[list[int]]:
    """Two orders to run the trains in: the most valuable first, and last."""
    order = sorted(range(len(runs)), key=lambda i: (-single[runs[i]], i))
    return [order, order[::-1]] if len(set(runs)) > 1 else [order]


def _one_after_the_other(
    problem: Problem,
    runs: Sequence[int],
    order: Sequence[int],
    alone: dict[int, tuple[int, Links]],
    best: Outcome,
    look: Callable[[Outcome], None],
) -> None:
    used = np.zeros(problem.use.shape[1], dtype=np.int64)
    links: list[Links] = [()] * len(runs)
    total = 0
    for i in order:
        value, found = _best_route(problem, runs[i], used, best, look) if used.any() else alone[runs[i]]
        links[i] = found
        total += value
        used |= _use(problem, found)
        if total > best.total:
            best.links, best.total = list(links), total
            look(best)


def _use(problem: Problem, links: Links) -> Ints:
    use: Ints = np.bitwise_or.reduce(problem.use[list(links)], axis=0, initial=0)
    return use


def _all_together(problem: Problem, runs: Sequence[int], best: Outcome, look: Callable[[Outcome], None]) -> None:
    """Look for a better combination among all routes that can be part of one."""
    ceiling = sum(best.single[t] for t in runs)
    trains = sorted(set(runs))
    lists = {t: _routes(problem, t, best.total - (ceiling - best.single[t]), best, look) for t in trains}
    sizes = [len(lists[t].value) if t in lists else 0 for t in range(problem.train.shape[0])]
    n = len(runs)
    rest = np.zeros(n + 1, dtype=np.int64)
    for i in reversed(range(n)):
        rest[i] = rest[i + 1] + best.single[runs[i]]
    first = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    state = Combination(
        control=np.zeros(2, dtype=np.int64),
        first=first,
        value=np.concatenate([lists[t].value for t in trains]),
        use=np.concatenate([lists[t].use for t in trains]),
        train=np.array(runs, dtype=np.int64),
        rest=rest,
        at=np.full(n + 1, first[runs[0]], dtype=np.int64),
        total=np.zeros(n + 1, dtype=np.int64),
        used=np.zeros((n + 1, problem.use.shape[1]), dtype=np.int64),
        choice=np.full(n, -1, dtype=np.int64),
        best=np.array([best.total] + [-1] * n, dtype=np.int64),
    )
    done = False
    before = best.nodes
    while not done:
        done = combine(state, COMBINE_SLICE) == DONE
        if state.best[0] > best.total:
            best.total = int(state.best[0])
            best.links = [
                lists[t].links(int(j) - int(first[t])) if j >= 0 else ()
                for t, j in zip(runs, state.best[1:], strict=True)
            ]
        best.nodes = before + int(state.control[1])
        if not done:
            # The first run goes through its list from the best on: what is left for it bounds what is left for all.
            left = min(int(state.at[0]) - 1, int(first[runs[0] + 1]) - 1)
            best.ceiling = max(best.total, min(best.ceiling, int(state.value[max(left, 0)] + rest[1])))
            look(best)


@dataclass(slots=True)
class _Routes:
    """Routes of one train, best first: values (R), resources (R, W), and their links."""

    value: Ints
    use: Ints
    order: Ints
    walk: Walk

    def links(self, i: int) -> Links:
        r = int(self.order[i])
        return tuple(self.walk.route_links[self.walk.route_first[r] : self.walk.route_first[r + 1]].tolist())


def _routes(problem: Problem, t: int, wanted: int, best: Outcome, look: Callable[[Outcome], None]) -> _Routes:
    """All routes of a train worth more than ``wanted``, but for those that earn no more than a part of themselves."""
    w = _walk(problem, t, wanted, FIRST_ROOM)
    w.control[kernel.COLLECT] = 1
    w = _run(problem, w, best, look)
    n = int(w.control[kernel.ROUTES])
    order = np.argsort(-w.route_value[:n], kind="stable")
    return _Routes(w.route_value[order], w.route_use[order], order, w)


def _best_route(
    problem: Problem, t: int, used: Ints, best: Outcome, look: Callable[[Outcome], None]
) -> tuple[int, Links]:
    """The best route of a train on links that use nothing of ``used``: value and links; (0, ()) for none."""
    w = _walk(problem, t, -1, 1)
    w.used[:] = used
    w = _run(problem, w, best, look)
    value = int(w.control[kernel.BEST])
    return max(value, 0), tuple(w.best_links[1 : 1 + w.best_links[0]].tolist())


def _run(problem: Problem, w: Walk, best: Outcome, look: Callable[[Outcome], None]) -> Walk:
    before = best.nodes
    while True:
        status = walk(problem, w, WALK_SLICE)
        best.nodes = before + int(w.control[kernel.STEPS])
        if status == DONE:
            return w
        if status == FULL:
            w = _more_room(w)
        look(best)


def _more_room(w: Walk) -> Walk:
    def grown(a: Ints, n: int) -> Ints:
        return np.concatenate([a, np.zeros((n, *a.shape[1:]), dtype=a.dtype)])

    n = len(w.route_value)
    return w._replace(
        route_value=grown(w.route_value, n),
        route_use=grown(w.route_use, n),
        route_first=grown(w.route_first, n),
        route_links=grown(w.route_links, len(w.route_links)),
    )


def _walk(problem: Problem, t: int, wanted: int, room: int) -> Walk:
    nodes, words = len(problem.node), problem.use.shape[1]
    levels = nodes + 3
    control = np.zeros(kernel.CONTROLS, dtype=np.int64)
    control[kernel.TRAIN] = t
    control[[kernel.DEPTH, kernel.ROOT, kernel.BEST]] = -1
    control[kernel.WANTED] = wanted
    return Walk(
        control=control,
        level=np.empty((levels, kernel.COLUMNS), dtype=np.int64),
        used=np.zeros(words, dtype=np.int64),
        visited=np.zeros(nodes, dtype=np.int8),
        group_used=np.zeros(nodes + 1, dtype=np.int8),
        route_value=np.empty(room, dtype=np.int64),
        route_use=np.empty((room, words), dtype=np.int64),
        route_first=np.zeros(room + 1, dtype=np.int64),
        route_links=np.empty(room * 8 + levels, dtype=np.int32),
        best_links=np.zeros(levels + 1, dtype=np.int32),
        scratch=np.empty((3, levels), dtype=np.int64),
    )


def _root_bound(problem: Problem, t: int) -> int:
    """What no route of a train can exceed, whatever the links: its best values as often as it may count them."""
    node, worth = problem.node, problem.worth[t]
    lift = max(int(node[:, LIFT].max(initial=0)), int(problem.general[LIFT_LEAST]))
    values = np.where(node[:, PLUS] < 0, worth[:, VALUE], node[:, PLUS] + lift)[worth[:, PAYABLE] == 1]
    stops = (1 << len(STOP_KINDS)) - 1
    most = [int(n) for bits, n in problem.limit[t].reshape(-1, 2) if bits & stops == stops]
    base = int(np.sort(values)[::-1][: min([len(values), *most])].sum() + problem.link_worth[t].sum())
    bonus = int(problem.all_of[:, AMOUNT].sum())
    for row in problem.one_of:
        reached = problem.reach[row[REACH_FIRST] : row[REACH_END], AMOUNT]
        bonus += int(reached.sum() if row[REACH_SUM] else reached.max(initial=0))
    return int(problem.train[t, FACTOR]) * base + bonus
