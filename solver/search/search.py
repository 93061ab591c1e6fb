"""The search: exact, over all trains together, on the flat arrays of :class:`trunkline.solver.search.problem.Problem`.

One route. Every route has a node that is ``own``; it is found from the lowest-numbered own node on it, its *root*,
so other own nodes below the root are closed. From the root a first arm grows link by link; at each node of it that
may end a route the arm may be left, and a second arm grows from the root through a later arc. So each route is built
exactly once, by a depth-first walk (:func:`walk`) in which links, nodes and groups already used are closed.

Pruning. A partial route is dropped when an upper bound on everything it can become does not exceed what is wanted.
The bound is what is counted so far, the best values that the counters still allow, and the bonuses within reach.

Two gears. A walk begins plain. If it is long it starts again deep: at each step it floods what is still open, bounds
what can come of it, and remembers the states it has been through (tip, and what is open), so that of many ways to the
same tip one with no less open and no less taken is followed for all. Of the takings only what can still matter is
compared: features of bonuses within reach, counters with a limit, the lifting value if anything is lifted. What is
open is parted into blocks too, since a simple path through a graph passes a chain of its blocks: the bound is that
of the best chains.

All trains. The best route of each train alone gives an upper bound, the sum. Where two routes want the same resource
there are two cases, either the one train does without it or the other, and in one of the two the other must use it, so
that no answer belongs to both; each is such a question again, with a lower bound. Of the first few clashes the one is
taken whose cheaper side costs most. The case with the highest bound is looked at first, until none is above the best
answer found. Answers come from letting the trains run one after the other on what the others leave. Every route found
and every bound proven is kept for its train: a route serves in each case that it keeps to, a proof in each case that
asks for no less.

All combinations. If the walks of the trains alone were short, or if there are many cases, all routes that could still
be part of a better answer are collected, if they are not too many, and :func:`kernel.combine` looks through their
combinations.

Order. Nodes, arcs and trains are in canonical order; the first of equals is kept. So the same question has the same
answer, however it was written. The kernels run in slices of a given number of steps and keep their state in arrays,
so that the caller looks at the clock, and at who has hung up, between slices. They release the GIL.
"""

from __future__ import annotations

import heapq
import itertools
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import or_
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from trunkline.solver.search.kernel.combine import combine
from trunkline.solver.search.kernel.walk import walk
from trunkline.solver.search.layout import (
    ARC_COST,
    ARC_LINK,
    ARC_NODE,
    BEST_LINKS,
    BEST_NUMBER,
    BONUS_AMOUNT,
    BONUS_COLUMNS,
    BONUS_FEATURES,
    BONUS_REACH_END,
    BONUS_REACH_FIRST,
    BONUS_REACH_SUM,
    COMBINE_STEPS,
    COMBINED_ROUTES,
    COMBINED_TOTAL,
    CONTROL_BEST,
    CONTROL_COLLECT,
    CONTROL_DEEP,
    CONTROL_DEPTH,
    CONTROL_ENOUGH,
    CONTROL_MUST,
    CONTROL_PLACES,
    CONTROL_ROOT,
    CONTROL_ROUTES,
    CONTROL_STAMP,
    CONTROL_STEPS,
    CONTROL_STORED,
    CONTROL_WANTED,
    DONE,
    FULL,
    GENERAL_LIFT_LEAST,
    LEVEL_BOUND,
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
    NODE_OWN,
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
    RUNNING,
    SCRATCH_SETS,
    SEEN_LINKS,
    STOPS,
    TRAIN_FACTOR,
    TRAIN_PAY_ALL,
    TRAIN_PAY_BEST,
    WORTH_PAYABLE,
    WORTH_VALUE,
    Combination,
    Ints,
    K,
    Problem,
    Task,
    Walk,
    signed_word,
)

PLAIN_STEPS = 50_000
PLAIN_SLICE, DEEP_SLICE, COMBINE_SLICE = 20_000, 5_000, 500_000
FEW_CASES = 400
SHORT_STEPS, SHORT_COMBINE = 50_000, 200_000
CLASHES_TRIED = 8
COLLECT_STEPS, COLLECT_ROUTES, COMBINE_BUDGET = 1_000_000, 100_000, 20_000_000
FIRST_ROOM = 1 << 10
ROWS_AT_ONCE = 256
ROWS_BYTES = 32 << 20
"""Bytes that comparing some rows with all others may take for a moment."""
SEEN_ROWS, SEEN_WIDTH = 1 << 16, 56

ROUTES_KEPT, PROOFS_KEPT = 2048, 4096
MOST = (1 << 62) - 1

Links = tuple[int, ...]
_Bits = int
"""A set of resources: the bits of ``Problem.use``, all words in one number."""
_Int = TypeVar("_Int", np.int32, np.int64)
_T = TypeVar("_T")
_local = threading.local()


class Stop(Exception):
    """Raised by the caller's look at the clock to end a search: what was found so far stands."""


@dataclass(slots=True)
class Outcome:
    """What a search found: for each run the links of its route (empty: idle), in no particular order.

    ``total`` is what they earn together and ``ceiling`` what no answer can exceed; equal when proven. ``single``:
    what each run can earn alone at most; 0: it cannot run. ``nodes``: partial routes looked at.
    """

    links: list[Links]
    single: list[int]
    total: int = 0
    ceiling: int = 0
    nodes: int = 0


@dataclass(frozen=True, slots=True)
class _Found:
    """A route of a run: what it earns, its links, what it uses."""

    value: int
    links: Links
    use: _Bits


class _Case(NamedTuple):
    """What is asked of a route: it keeps off some resources, and uses others."""

    off: _Bits
    on: _Bits


_ANY = _Case(0, 0)


@dataclass(slots=True)
class _Train:
    """What is known of a train: routes found, and proofs: what it earns at most under a condition."""

    routes: dict[_Bits, _Found]
    proofs: list[tuple[_Bits, _Bits, int]]

    def most(self, closed: _Bits, must: _Bits, otherwise: int) -> int:
        """What is proven that no route that keeps off ``closed`` and uses ``must`` exceeds."""
        known = (value for off, on, value in self.proofs if not off & ~closed and not on & ~must)
        return min(known, default=otherwise)

    def best(self, closed: _Bits, must: _Bits, others: _Bits) -> _Found | None:
        """The best route found so far that does so, and of such the one that clashes least."""
        open_ = (r for r in self.routes.values() if not r.use & closed and not must & ~r.use)
        return max(open_, key=lambda r: (r.value, -(r.use & others).bit_count()), default=None)

    def learn(self, found: _Found) -> None:
        """Put a route down; of two that use the same the better is kept, and not more than there is room for."""
        before = self.routes.get(found.use)
        if (before is None and len(self.routes) < ROUTES_KEPT) or (before and before.value < found.value):
            self.routes[found.use] = found

    def prove(self, closed: _Bits, must: _Bits, value: int) -> None:
        """Put a proof down, if there is room."""
        if len(self.proofs) < PROOFS_KEPT:
            self.proofs.append((closed, must, value))


def search(problem: Problem, runs: Sequence[int], look: Callable[[Outcome], None] = lambda _: None) -> Outcome:
    """The best routes for ``runs``, a train number of the problem each, in canonical order.

    ``look`` is called between slices with the best so far, and may raise :class:`Stop`; any other exception passes.
    """
    best = Outcome([()] * len(runs), [0] * len(runs))
    if not runs or not len(problem.link):
        return best
    work = _Search(problem, runs, look, best)
    best.ceiling = sum(work.most[t] for t in runs)
    try:
        work.run()
        best.ceiling = best.total
    except Stop:
        best.ceiling = max(best.ceiling, best.total)
    return best


class _Search:
    def __init__(self, problem: Problem, runs: Sequence[int], look: Callable[[Outcome], None], best: Outcome) -> None:
        self.problem, self.runs, self.look, self.best = problem, runs, look, best
        self.uses: list[_Bits] = [int.from_bytes(row.tobytes(), "little") for row in problem.use.astype("<i8")]
        self.trains = {t: _Train({}, []) for t in runs}
        self.long: set[int] = set()
        self.steps = 0
        self.tasks: dict[int, Task] = {}
        self.most = {t: _root_bound(problem, t) for t in runs}
        taken = 0
        for table, column in (
            (problem.node, NODE_FEATURE),
            (problem.link, LINK_FEATURE),
            (problem.all_of.reshape(-1, 2), BONUS_FEATURES),
            (problem.one_of, BONUS_FEATURES),
            (problem.reach, BONUS_FEATURES),
        ):
            taken |= int(np.bitwise_or.reduce(table[:, column]))
        self.free = [i for i in range(64) if not taken >> i & 1]
        self.none = problem.use[:0]

    @cached_property
    def clash(self) -> tuple[Ints, Ints]:
        """See :func:`_clashing`; of thousands of links it takes long, and the look at the clock may end it."""
        return _clashing(self.problem.use, lambda: self.look(self.best))

    def run(self) -> None:
        """Search to the end; ``best`` holds the best answer and the bound at any time."""
        best, runs = self.best, self.runs
        alone: list[_Found] = []
        bounds = [self.most[t] for t in runs]
        for i in range(len(runs)):

            def answer(found: _Found, i: int = i) -> None:
                self._beside(i, found)

            def limit(bound: int, i: int = i) -> int:
                return sum(bounds) - bounds[i] + min(bound, bounds[i])

            found = self._best_route(i, _ANY, -1, answer=answer, limit=limit)
            assert found is not None
            alone.append(found)
            best.single[i] = bounds[i] = found.value
            best.ceiling = min(best.ceiling, sum(bounds))
        self.steps = best.nodes
        if len(runs) > 1:
            self._cases(tuple(alone))

    def _beside(self, run: int, found: _Found) -> None:
        """Offer a route of a run with what is known so far to go beside it for the others."""
        used, total = found.use, found.value
        links: list[Links] = [()] * len(self.runs)
        links[run] = found.links
        for i, t in enumerate(self.runs):
            other = self.trains[t].best(used, 0, 0) if i != run else None
            if other is not None:
                links[i], total, used = other.links, total + other.value, used | other.use
        self._offer(links, total)

    def _offer(self, links: Sequence[Links], total: int) -> None:
        if total > self.best.total:
            self.best.links, self.best.total = list(links), total
            self.look(self.best)

    def _cases(self, routes: tuple[_Found, ...]) -> None:
        """Split where routes clash, the case with the highest bound first, until none is above the best answer."""
        asked = (_ANY,) * len(self.runs)
        heap: list[tuple[int, int, int, tuple[_Case, ...], tuple[_Found, ...]]] = []
        pushed = split = 0

        def push(asked: tuple[_Case, ...], routes: tuple[_Found, ...]) -> None:
            nonlocal pushed
            pushed += 1
            heapq.heappush(heap, (-sum(r.value for r in routes), _clashes(routes), pushed, asked, routes))

        push(asked, routes)
        while heap:
            bound, clashes, _, asked, routes = heapq.heappop(heap)
            bound = -bound
            self.best.ceiling = max(self.best.total, min(self.best.ceiling, bound))
            if bound <= self.best.total:
                return
            if not clashes:
                self._offer([r.links for r in routes], bound)
                return
            self._one_after_the_other(asked, routes)
            if split == 0 and self.steps <= SHORT_STEPS and self._all_together(2 * SHORT_STEPS, SHORT_COMBINE):
                return
            if split == FEW_CASES and self._all_together(COLLECT_STEPS, COMBINE_BUDGET):
                return
            split += 1
            for case, now in self._split(asked, routes, bound, clashes):
                push(case, now)

    def _split(
        self, asked: tuple[_Case, ...], routes: tuple[_Found, ...], bound: int, clashes: int
    ) -> list[tuple[tuple[_Case, ...], tuple[_Found, ...]]]:
        """The two cases of the clash that costs most either way: the one run or the other keeps off the resource.

        That neither uses it belongs to one of them only; in the other, the one with the higher bound, a run must use
        what the other keeps off. One case: of a clash where the other cannot be better than the best answer, or the
        same case with other routes, if a run has a route as good that clashes less.
        """
        chosen: list[tuple[tuple[_Case, ...], tuple[_Found, ...]]] = []
        most = (-1, -1)
        for i, j, resource in itertools.islice(_clash(routes), CLASHES_TRIED):
            cases: list[tuple[int, tuple[_Case, ...], tuple[_Found, ...]]] = []
            costs: list[int] = []
            for k, other in ((i, j), (j, i)):
                without = asked[k]._replace(off=asked[k].off | resource)
                others = bound - routes[k].value
                used = reduce(or_, (r.use for r in (*routes[:k], *routes[k + 1 :])))
                found = self._best_route(k, without, self.best.total - others, routes[k], used)
                if found is None or others + found.value <= self.best.total:
                    costs.append(bound)
                    continue
                now = _put(routes, k, found)
                if found.value == routes[k].value and _clashes(now) < clashes:
                    return [(asked, now)]
                cases.append((other, _put(asked, k, without), now))
                costs.append(routes[k].value - found.value)
                if chosen and costs[-1] <= most[0]:
                    break
            if len(costs) < 2:
                continue
            cost = (min(costs), max(costs))
            if cost <= most:
                continue
            cases.sort(key=lambda c: -sum(r.value for r in c[2]))
            most, chosen = cost, [(case, now) for _, case, now in cases]
            if cases:
                other, case, now = cases[0]
                chosen[0] = _put(case, other, case[other]._replace(on=case[other].on | resource)), now
            if len(cases) < 2:
                break
        return chosen

    def _one_after_the_other(self, asked: Sequence[_Case], routes: Sequence[_Found]) -> None:
        """Answers of a case: each order keeps the first route, and each next run goes on what is left."""
        runs = range(len(routes))
        by_value = sorted(runs, key=lambda i: (-routes[i].value, i))
        for order in (by_value, by_value[::-1]):
            used, total = 0, 0
            links: list[Links] = [()] * len(routes)
            rest = sum(r.value for r in routes)
            for i in order:
                rest -= routes[i].value
                found: _Found | None = routes[i]
                if routes[i].use & used:
                    wanted = max(-1, self.best.total - total - rest)
                    found = self._best_route(i, _Case(asked[i].off | used, 0), wanted, routes[i])
                if found is None:
                    break
                links[i], total = found.links, total + found.value
                used |= found.use
            else:
                self._offer(links, total)

    def _best_route(
        self,
        run: int,
        case: _Case,
        wanted: int,
        like: _Found | None = None,
        others: _Bits = 0,
        answer: Callable[[_Found], None] | None = None,
        limit: Callable[[int], int] | None = None,
    ) -> _Found | None:
        """The best route of a run in a case; None if none is worth more than ``wanted``.

        Nothing at all is worth 0. ``like``: the best route when less was asked; its track is tried first, and nothing
        is better. Of routes as good that are known, the one that clashes least with ``others``. ``answer`` is
        given routes found on the way.
        """
        t = self.runs[run]
        train = self.trains[t]
        closed, must = case
        enough = train.most(closed, must, self.most[t])
        if enough <= wanted:
            self.look(self.best)
            return None
        known = train.best(closed, must, others)
        if known is not None and known.value > wanted:
            if known.value >= enough:
                self.look(self.best)
                return known
            wanted = known.value
        else:
            known = None
        task = self._task(t) if like is None else _preferring(self._task(t), like.links)
        task, features = self._requiring(task, must)
        w = self._walk(t, wanted, deep=t in self.long, case=_Case(closed, features), enough=enough)
        value, links = -1, ()
        begun = self.best.nodes
        while True:
            deep = w.control[CONTROL_DEEP]
            status = walk(task, w, DEEP_SLICE if deep else min(PLAIN_SLICE, PLAIN_STEPS))
            self.best.nodes = begun + int(w.control[CONTROL_STEPS])
            if w.control[CONTROL_BEST] > value:
                value = int(w.control[CONTROL_BEST])
                links = tuple(w.best_links[BEST_LINKS : BEST_LINKS + w.best_links[BEST_NUMBER]].tolist())
                better = _Found(value, links, self._use(links))
                train.learn(better)
                if answer is not None:
                    answer(better)
            self.look(self.best)
            if status == DONE:
                break
            if not deep and w.control[CONTROL_STEPS] >= PLAIN_STEPS:
                self.long.add(t)
                w = self._walk(t, max(wanted, value), deep=True, case=_Case(closed, features), enough=enough)
                begun = self.best.nodes
            elif deep and limit is not None:
                self.best.ceiling = max(self.best.total, min(self.best.ceiling, limit(self._open_bound(t, w))))
        train.prove(closed, must, max(value, wanted, 0))
        if value < 0 and (wanted >= 0 or must):
            return known
        return _Found(max(value, 0), links, self._use(links))

    def _requiring(self, task: Task, must: _Bits) -> tuple[Task, int]:
        """The same task where the links that use a resource of ``must`` have a feature of their own for it, and these.

        Where there are not enough features free, less is asked than could be.
        """
        if not must:
            return task, 0
        link, features = task.link.copy(), 0
        for bit in self.free[: must.bit_count()]:
            resource = must & -must
            must ^= resource
            users = [i for i, use in enumerate(self.uses) if use & resource]
            link[users, LINK_FEATURE] |= signed_word(1 << bit)
            features |= 1 << bit
        return task._replace(link=link), signed_word(features)

    def _use(self, links: Links) -> _Bits:
        return reduce(or_, (self.uses[i] for i in links), 0)

    def _all_together(self, collect: int, steps: int) -> bool:
        """Look through all combinations of the routes that can be part of a better answer; False if too many.

        ``collect`` steps to find the routes of a train, ``steps`` to combine them.
        """
        ceiling, best = sum(self.best.single), self.best
        single = dict(zip(self.runs, best.single, strict=True))
        lists = {}
        for t in sorted(single):
            routes = self._routes(t, best.total - (ceiling - single[t]), collect)
            if routes is None:
                return False
            lists[t] = routes
        runs, n = self.runs, len(self.runs)
        sizes = [len(lists[t].value) if t in lists else 0 for t in range(len(self.problem.train))]
        first = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        rest = np.cumsum([0, *(single[t] for t in reversed(runs))])[::-1].astype(np.int64).copy()
        state = Combination(
            control=np.zeros(2, dtype=np.int64),
            first=first,
            value=np.concatenate([lists[t].value for t in sorted(lists)]),
            use=np.concatenate([lists[t].use for t in sorted(lists)]),
            train=np.array(runs, dtype=np.int64),
            rest=rest,
            at=np.full(n + 1, first[runs[0]], dtype=np.int64),
            total=np.zeros(n + 1, dtype=np.int64),
            used=np.zeros((n + 1, self.problem.use.shape[1]), dtype=np.int64),
            choice=np.full(n, -1, dtype=np.int64),
            best=np.array([best.total] + [-1] * n, dtype=np.int64),
        )
        begun, done = best.nodes, False
        while not done:
            done = combine(state, min(steps, COMBINE_SLICE)) == DONE
            best.nodes = begun + int(state.control[COMBINE_STEPS])
            if state.best[COMBINED_TOTAL] > best.total:
                chosen = [int(j) for j in state.best[COMBINED_ROUTES:]]
                links = [lists[t].links(j - int(first[t])) if j >= 0 else () for t, j in zip(runs, chosen, strict=True)]
                self._offer(links, int(state.best[COMBINED_TOTAL]))
            self.look(best)
            if not done and state.control[COMBINE_STEPS] >= steps:
                return False
        return True

    def _routes(self, t: int, wanted: int, steps: int) -> _Routes | None:
        """All routes of a train worth more than ``wanted``, but for those that earn no more than a part of themselves.

        None if there are too many.
        """
        w = self._walk(t, wanted, deep=False, room=FIRST_ROOM)
        w.control[CONTROL_COLLECT] = 1
        begun = self.best.nodes
        while True:
            status = walk(self._task(t), w, min(steps, PLAIN_SLICE))
            self.best.nodes = begun + int(w.control[CONTROL_STEPS])
            n = int(w.control[CONTROL_ROUTES])
            if status == DONE:
                order = np.argsort(-w.route_value[:n], kind="stable")
                links = w.route_links[: w.control[CONTROL_STORED]]
                use = np.bitwise_or.reduceat(self.problem.use[links], w.route_first[:n], axis=0) if n else self.none
                return _Routes(w.route_value[order], use[order], order, w)
            if (status == RUNNING and w.control[CONTROL_STEPS] >= steps) or n > COLLECT_ROUTES:
                return None
            if status == FULL:
                w = _more_room(w)
            self.look(self.best)

    def _open_bound(self, t: int, w: Walk) -> int:
        """What a deep walk can still find: the bounds of its open levels, and those of the roots it has not begun."""
        depth = int(w.control[CONTROL_DEPTH])
        bounds: list[int] = [int(w.control[CONTROL_BEST]), *w.level[: depth + 1, LEVEL_BOUND].tolist()]
        if self.problem.node[int(w.control[CONTROL_ROOT]) + 1 :, NODE_OWN].any():
            bounds.append(self.most[t])
        return max(bounds)

    def _task(self, t: int) -> Task:
        if t not in self.tasks:
            self.tasks[t] = _task(self.problem, t, self.clash)
        return self.tasks[t]

    def _walk(self, t: int, wanted: int, deep: bool, case: _Case = _ANY, enough: int = MOST, room: int = 1) -> Walk:
        problem = self.problem
        nodes, links = len(problem.node), len(problem.link)
        link_words, levels = -(-links // 64), max(nodes + 4, 64)
        paid = 0 if problem.train[t, TRAIN_PAY_ALL] else max(0, int(problem.train[t, TRAIN_PAY_BEST]))
        columns = LEVEL_TOP + 2 * paid
        control = np.zeros(CONTROL_PLACES, dtype=np.int64)
        control[[CONTROL_DEPTH, CONTROL_ROOT, CONTROL_BEST]] = -1
        control[CONTROL_WANTED], control[CONTROL_ENOUGH], control[CONTROL_DEEP] = wanted, enough, deep
        control[CONTROL_MUST] = case.on
        if deep:
            width = SEEN_LINKS + link_words + columns - LEVEL_FEATURE + nodes // 64 + 1
            control[CONTROL_STAMP], stamps, seen = _table(width)
        else:
            stamps, seen = _NO_TABLE
        shut_link = np.zeros(links, dtype=np.int32)
        if case.off:
            shut_link[:] = [use & case.off != 0 for use in self.uses]
        return Walk(
            control=control,
            level=np.empty((levels, columns), dtype=np.int64),
            shut_node=np.zeros(nodes, dtype=np.int32),
            shut_link=shut_link,
            route_value=np.empty(room, dtype=np.int64),
            route_first=np.zeros(room + 1, dtype=np.int64),
            route_links=np.empty(room * 8 + levels, dtype=np.int32),
            best_links=np.zeros(BEST_LINKS + levels, dtype=np.int32),
            scratch=np.empty((SCRATCH_SETS + 2 + nodes // 64, 4 * levels), dtype=np.int64),
            open_links=np.empty(link_words, dtype=np.int64),
            stamps=stamps,
            seen=seen,
        )


_NO_TABLE = np.zeros(0, dtype=np.int64), np.zeros((0, 0), dtype=np.int64)


def _task(problem: Problem, t: int, clash: tuple[Ints, Ints]) -> Task:
    """What the walk of a train is given."""
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


def _clashing(use: Ints, look: Callable[[], None] = lambda: None) -> tuple[Ints, Ints]:
    """For each link those others that share a resource with it: where its list ends, after a 0, and the lists."""
    first, clash = [0], []
    rows = max(1, min(ROWS_AT_ONCE, ROWS_BYTES // max(1, use.nbytes)))
    for start in range(0, len(use), rows):
        if start:
            look()
        some = use[start : start + rows]
        a, b = np.nonzero((some[:, None, :] & use[None, :, :]).any(axis=2))
        other = a + start != b
        first += (np.cumsum(np.bincount(a[other], minlength=len(some))) + first[-1]).tolist()
        clash.append(b[other])
    return np.array(first, dtype=np.int64), np.concatenate(clash).astype(np.int64)


def _table(width: int) -> tuple[int, Ints, Ints]:
    """A stamp, and the table of states of this thread, in which no row has that stamp yet."""
    if width > SEEN_WIDTH:
        return 1, np.zeros(SEEN_ROWS, dtype=np.int64), np.empty((SEEN_ROWS, width), dtype=np.int64)
    if not hasattr(_local, "seen"):
        _local.stamps, _local.stamp = np.zeros(SEEN_ROWS, dtype=np.int64), 0
        _local.seen = np.empty(SEEN_ROWS * SEEN_WIDTH, dtype=np.int64)
    _local.stamp += 1
    return _local.stamp, _local.stamps, _local.seen[: SEEN_ROWS * width].reshape(SEEN_ROWS, width)


def _put(of: tuple[_T, ...], i: int, x: _T) -> tuple[_T, ...]:
    """The same with another at place i."""
    return (*of[:i], x, *of[i + 1 :])


def _clashes(routes: Sequence[_Found]) -> int:
    """How many times two routes use the same resource."""
    return sum((a.use & b.use).bit_count() for a, b in itertools.combinations(routes, 2))


def _clash(routes: Sequence[_Found]) -> Iterator[tuple[int, int, _Bits]]:
    """Each two runs that use the same resource, and the resource."""
    for j, i in itertools.combinations(range(len(routes)), 2):
        both = routes[i].use & routes[j].use
        while both:
            yield j, i, both & -both
            both &= both - 1


def _preferring(task: Task, links: Links) -> Task:
    """The same task with the arcs of these links first at each node."""
    node = np.repeat(np.arange(len(task.node)), np.diff(task.first))
    liked = np.zeros(len(task.link), dtype=bool)
    liked[list(links)] = True
    return task._replace(arc=task.arc[np.argsort(node * 2 + ~liked[task.arc[:, ARC_LINK]], kind="stable")])


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


def _more_room(w: Walk) -> Walk:
    def grown(a: npt.NDArray[_Int], n: int) -> npt.NDArray[_Int]:
        return np.concatenate([a, np.zeros((n, *a.shape[1:]), dtype=a.dtype)])

    n = len(w.route_value)
    return w._replace(
        route_value=grown(w.route_value, n),
        route_first=grown(w.route_first, n),
        route_links=grown(w.route_links, len(w.route_links)),
    )


def _tightest(problem: Problem, t: int) -> int:
    """The visit limit of a train with the lowest amount; -1 if none can bind."""
    limits = problem.limit[t, LIMIT_VISIT]
    binding = [(int(n), i) for i, (bits, n) in enumerate(limits) if bits and n < len(problem.node)]
    return min(binding)[1] if binding else -1


def _root_bound(problem: Problem, t: int) -> int:
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
