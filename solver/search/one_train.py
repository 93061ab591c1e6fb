"""One train at a time: its best route in a case, or all its routes above a value.

Every route found and every bound proven is kept for its train: a route serves in each case whose conditions it keeps,
a bound in each case that asks for at least as much.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import or_
from typing import NamedTuple

import numpy as np

from trunkline.solver.search.kernel.walk import walk
from trunkline.solver.search.layout import (
    BEST_LINKS,
    BEST_NUMBER,
    CONTROL_BEST,
    CONTROL_COLLECT,
    CONTROL_DEEP,
    CONTROL_DEPTH,
    CONTROL_ENOUGH,
    CONTROL_MUST,
    CONTROL_ROOT,
    CONTROL_ROUTES,
    CONTROL_STEPS,
    CONTROL_STORED,
    CONTROL_WANTED,
    DONE,
    FULL,
    LEVEL_BOUND,
    LINK_FEATURE,
    NODE_OWN,
    RUNNING,
    Ints,
    Problem,
    Task,
    Walk,
    signed_word,
)
from trunkline.solver.search.limits import Limits
from trunkline.solver.search.progress import Checkpoint, Links, Outcome
from trunkline.solver.search.routes import Case, Found, Known, Resources
from trunkline.solver.search.tasks import (
    clashing_links,
    free_features,
    more_room,
    new_walk,
    preferring,
    root_bound,
    task_of,
)


@dataclass(slots=True)
class RouteList:
    """Routes of one train, best first: ``value`` (R) and ``use`` (R, W); ``order`` (R): their places in the walk."""

    value: Ints
    use: Ints
    order: Ints
    walk: Walk

    def links(self, i: int) -> Links:
        """The links of the i-th route."""
        r = int(self.order[i])
        return tuple(self.walk.route_links[self.walk.route_first[r] : self.walk.route_first[r + 1]].tolist())


class _Asked(NamedTuple):
    """A train, resources to keep off, and what CONTROL_WANTED, CONTROL_ENOUGH and CONTROL_MUST of its walk are."""

    t: int
    off: Resources
    wanted: int
    enough: int
    features: int


class RouteSearch:
    """Searches of the trains of one problem, with all that is known of them.

    Parameters
    ----------
    problem
        The problem.
    trains
        The trains that run.
    outcome
        Where steps are counted; given to ``checkpoint``.
    checkpoint
        Called between slices.
    limits
        How to go about it.
    """

    def __init__(
        self, problem: Problem, trains: Iterable[int], outcome: Outcome, checkpoint: Checkpoint, limits: Limits
    ) -> None:
        self.problem, self.outcome, self.limits = problem, outcome, limits
        self.known = {t: Known(limits) for t in trains}
        self.most = {t: root_bound(problem, t) for t in self.known}
        self.long: set[int] = set()
        """Trains whose walks are long: they begin in the deep gear."""
        self._checkpoint = checkpoint
        self._uses: list[Resources] = [int.from_bytes(row.tobytes(), "little") for row in problem.use.astype("<i8")]
        self._tasks: dict[int, Task] = {}
        self._free = free_features(problem)

    def checkpoint(self) -> None:
        """Let the caller look at the clock; what it raises passes."""
        self._checkpoint(self.outcome)

    def best_route(
        self,
        t: int,
        case: Case,
        wanted: int,
        like: Found | None = None,
        others: Resources = 0,
        on_better: Callable[[Found], None] | None = None,
        on_bound: Callable[[int], None] | None = None,
    ) -> Found | None:
        """The best route of a train in a case.

        Parameters
        ----------
        t
            The train.
        case
            What is asked of the route.
        wanted
            Only routes worth more are of interest; -1: any, and doing nothing, which is worth 0, is one.
        like
            The best route when less was asked. Its links are tried first.
        others
            Of routes as good that are known, the one that shares fewest resources with these is given.
        on_better
            Called with each better route on the way.
        on_bound
            Called after each slice in the deep gear with what no route in the case exceeds.

        Returns
        -------
        Found | None
            None if no route is worth more than ``wanted``.
        """
        known = self.known[t]
        enough = known.most(case, self.most[t])
        if enough <= wanted:
            self.checkpoint()
            return None
        before = known.best(case, others)
        if before is None or before.value <= wanted:
            before = None
        elif before.value >= enough:
            self.checkpoint()
            return before
        else:
            wanted = before.value
        task = self._task(t) if like is None else preferring(self._task(t), like.links)
        task, features = self._requiring(task, case.on)
        found = self._walk_to_end(task, _Asked(t, case.off, wanted, enough, features), on_better, on_bound)
        known.prove(case, max(found.value, wanted, 0))
        if found.value < 0 and (wanted >= 0 or case.on):
            return before
        return Found(max(found.value, 0), found.links, found.use)

    def all_routes(self, t: int, wanted: int, steps: int) -> RouteList | None:
        """All routes of a train worth more than ``wanted``, but for those that earn no more than a part of themselves.

        Parameters
        ----------
        t
            The train.
        wanted
            What they are worth more than.
        steps
            Steps of the walk at most.

        Returns
        -------
        RouteList | None
            None if there are too many, or the walk is too long.
        """
        limits, outcome = self.limits, self.outcome
        w = new_walk(self.problem, t, limits, room=limits.first_routes)
        w.control[CONTROL_WANTED], w.control[CONTROL_COLLECT] = wanted, 1
        begun = outcome.nodes
        while True:
            status = walk(self._task(t), w, min(steps, limits.plain_slice))
            outcome.nodes = begun + int(w.control[CONTROL_STEPS])
            n = int(w.control[CONTROL_ROUTES])
            if status == DONE:
                order = np.argsort(-w.route_value[:n], kind="stable")
                links = w.route_links[: w.control[CONTROL_STORED]]
                use = self.problem.use
                use = np.bitwise_or.reduceat(use[links], w.route_first[:n], axis=0) if n else use[:0]
                return RouteList(w.route_value[order], use[order], order, w)
            if (status == RUNNING and w.control[CONTROL_STEPS] >= steps) or n > limits.collect_routes:
                return None
            if status == FULL:
                w = more_room(w)
            self.checkpoint()

    def _begin(self, asked: _Asked) -> Walk:
        w = new_walk(self.problem, asked.t, self.limits, deep=asked.t in self.long)
        w.control[CONTROL_WANTED], w.control[CONTROL_ENOUGH], w.control[CONTROL_MUST] = asked[-3:]
        if asked.off:
            w.shut_link[:] = [use & asked.off != 0 for use in self._uses]
        return w

    def _walk_to_end(
        self,
        task: Task,
        asked: _Asked,
        on_better: Callable[[Found], None] | None,
        on_bound: Callable[[int], None] | None,
    ) -> Found:
        """The best route that is asked for, of value -1 if there is none; in the deep gear if the walk is long."""
        limits, outcome, w = self.limits, self.outcome, self._begin(asked)
        found = Found(-1, (), 0)
        begun = outcome.nodes
        while True:
            deep = bool(w.control[CONTROL_DEEP])
            status = walk(task, w, limits.deep_slice if deep else min(limits.plain_slice, limits.plain_steps))
            outcome.nodes = begun + int(w.control[CONTROL_STEPS])
            if w.control[CONTROL_BEST] > found.value:
                links = tuple(w.best_links[BEST_LINKS : BEST_LINKS + w.best_links[BEST_NUMBER]].tolist())
                found = Found(int(w.control[CONTROL_BEST]), links, reduce(or_, (self._uses[i] for i in links), 0))
                self.known[asked.t].learn(found)
                if on_better is not None:
                    on_better(found)
            self.checkpoint()
            if status == DONE:
                return found
            if not deep and w.control[CONTROL_STEPS] >= limits.plain_steps:
                self.long.add(asked.t)
                w = self._begin(asked._replace(wanted=max(asked.wanted, found.value)))
                begun = outcome.nodes
            elif deep and on_bound is not None:
                on_bound(self._open_bound(asked.t, w))

    def _open_bound(self, t: int, w: Walk) -> int:
        """What a deep walk can still find: the bounds of its open levels, and those of the roots it has not begun."""
        depth = int(w.control[CONTROL_DEPTH])
        bounds: list[int] = [int(w.control[CONTROL_BEST]), *w.level[: depth + 1, LEVEL_BOUND].tolist()]
        if self.problem.node[int(w.control[CONTROL_ROOT]) + 1 :, NODE_OWN].any():
            bounds.append(self.most[t])
        return max(bounds)

    def _requiring(self, task: Task, must: Resources) -> tuple[Task, int]:
        """The same task where links that use a resource of ``must`` have a feature of their own for it; the features.

        Where there are not enough features free, less is asked than could be.
        """
        if not must:
            return task, 0
        link, features = task.link.copy(), 0
        for bit in self._free[: must.bit_count()]:
            resource = must & -must
            must ^= resource
            users = [i for i, use in enumerate(self._uses) if use & resource]
            link[users, LINK_FEATURE] |= signed_word(1 << bit)
            features |= 1 << bit
        return task._replace(link=link), signed_word(features)

    @cached_property
    def _clash(self) -> tuple[Ints, Ints]:
        return clashing_links(self.problem.use, self.limits, self.checkpoint)

    def _task(self, t: int) -> Task:
        if t not in self._tasks:
            self._tasks[t] = task_of(self.problem, t, self._clash)
        return self._tasks[t]
