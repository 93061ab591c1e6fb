"""The search: exact, over all trains together. docs/how-it-works.md follows an example, and says why it is exact.

The best route of each train alone gives an upper bound, the sum. Where two routes use the same resource there are two
cases: one run keeps off the resource, or the other does. Each case is such a question again, with a bound that is no
higher. That neither uses the resource belongs to one of the two cases only: in the other, the run that may use it
must. So no answer is looked at twice. The case with the highest bound is split first, until no bound is above the best
answer found. Answers come from letting the trains run one after the other on what the earlier leave.

If the walks of the trains alone were short, or if there are many cases, all routes that could be part of a better
answer are listed, if they are not too many, and all their combinations looked through
(:mod:`trunkline.solver.search.combinations`).

Nodes, arcs and trains are in canonical order, and the first of equals is kept: the same question has the same answer,
however it was written. The kernels run in slices of a given number of steps and keep their state in arrays, so that
the caller can look at the clock between slices. They release the GIL.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from functools import reduce
from itertools import islice
from operator import or_
from typing import NamedTuple, TypeVar

from trunkline.solver.search.combinations import best_combination
from trunkline.solver.search.layout import (
    Problem,
)
from trunkline.solver.search.limits import DEFAULT, Limits
from trunkline.solver.search.one_train import RouteSearch
from trunkline.solver.search.progress import Checkpoint, Links, Outcome, Stop
from trunkline.solver.search.routes import ANY, Case, Found, Resources, clashes, shared

_T = TypeVar("_T")


def search(
    problem: Problem, runs: Sequence[int], checkpoint: Checkpoint | None = None, limits: Limits = DEFAULT
) -> Outcome:
    """The best routes for some runs.

    Parameters
    ----------
    problem
        The position as arrays.
    runs
        The train of each run, in canonical order.
    checkpoint
        Called between slices of work, every few milliseconds, with the best so far. It may raise
        :class:`~trunkline.solver.search.progress.Stop`; any other exception passes.
    limits
        How to go about it; the total is the same for all.

    Returns
    -------
    Outcome
        Proven, unless the search was stopped.
    """
    outcome = Outcome([()] * len(runs), [0] * len(runs))
    if not runs or not len(problem.link):
        return outcome
    work = _Search(problem, runs, checkpoint or (lambda _: None), outcome, limits)
    try:
        work.run()
        outcome.ceiling = outcome.total
    except Stop:
        outcome.ceiling = max(outcome.ceiling, outcome.total)
    return outcome


class _Question(NamedTuple):
    """What is asked of each run, and the best route of each then."""

    cases: tuple[Case, ...]
    routes: tuple[Found, ...]

    @property
    def bound(self) -> int:
        """What no answer exceeds."""
        return sum(r.value for r in self.routes)


class _Side(NamedTuple):
    """One side of a clash: run ``k`` keeps off the resource, and ``other`` may use it."""

    question: _Question
    other: int


class _Search:
    """A search of all trains together; ``outcome`` holds the best answer and the bound at any time."""

    def __init__(
        self, problem: Problem, runs: Sequence[int], checkpoint: Checkpoint, outcome: Outcome, limits: Limits
    ) -> None:
        self.runs, self.outcome, self.limits = runs, outcome, limits
        self.trains = RouteSearch(problem, runs, outcome, checkpoint, limits)
        outcome.ceiling = sum(self.trains.most[t] for t in runs)

    def run(self) -> None:
        """Search to the end."""
        alone = self._alone()
        if len(self.runs) > 1:
            self._split_cases(_Question((ANY,) * len(self.runs), alone))

    def _alone(self) -> tuple[Found, ...]:
        """The best route of each run, on its own."""
        outcome, runs = self.outcome, self.runs
        bounds = [self.trains.most[t] for t in runs]
        alone = []
        for i, t in enumerate(runs):

            def on_better(found: Found, i: int = i) -> None:
                self._offer_beside(i, found)

            def on_bound(bound: int, i: int = i) -> None:
                bound = sum(bounds) - bounds[i] + min(bound, bounds[i])
                outcome.ceiling = max(outcome.total, min(outcome.ceiling, bound))

            found = self.trains.best_route(t, ANY, -1, on_better=on_better, on_bound=on_bound)
            assert found is not None
            alone.append(found)
            outcome.single[i] = bounds[i] = found.value
            outcome.ceiling = min(outcome.ceiling, sum(bounds))
        return tuple(alone)

    def _offer_beside(self, run: int, found: Found) -> None:
        """Offer a route of a run, with routes of the others that are known already and do not clash."""
        used, total = found.use, found.value
        links: list[Links] = [()] * len(self.runs)
        links[run] = found.links
        for i, t in enumerate(self.runs):
            other = self.trains.known[t].best(Case(used, 0), 0) if i != run else None
            if other is not None:
                links[i], total, used = other.links, total + other.value, used | other.use
        self._offer(links, total)

    def _offer(self, links: Sequence[Links], total: int) -> None:
        """Keep an answer, if it is the best so far."""
        if total > self.outcome.total:
            self.outcome.links, self.outcome.total = list(links), total
            self.trains.checkpoint()

    def _split_cases(self, whole: _Question) -> None:
        """Split where routes clash, the case with the highest bound first, until none is above the best answer."""
        outcome, limits = self.outcome, self.limits
        short = outcome.nodes <= limits.short_steps
        heap = [(-whole.bound, shared(whole.routes), 0, whole)]
        pushed = split = 0
        while heap:
            bound, clashing, _, question = heapq.heappop(heap)
            bound = -bound
            outcome.ceiling = max(outcome.total, min(outcome.ceiling, bound))
            if bound <= outcome.total:
                return
            if not clashing:
                self._offer([r.links for r in question.routes], bound)
                return
            self._one_after_the_other(question)
            if split == 0 and short and self._combine(2 * limits.short_steps, limits.short_combine_steps):
                return
            if split == limits.splits and self._combine(limits.collect_steps, limits.combine_steps):
                return
            split += 1
            for part in self._split(question, clashing):
                pushed += 1
                heapq.heappush(heap, (-part.bound, shared(part.routes), pushed, part))

    def _combine(self, collect_steps: int, combine_steps: int) -> bool:
        return best_combination(self.trains, self.runs, collect_steps, combine_steps, self._offer)

    def _split(self, question: _Question, clashing: int) -> list[_Question]:
        """The cases of the clash whose cheaper side costs most, of the first few clashes.

        Two cases, one for each run that keeps off the resource; of these, the one with the higher bound asks that the
        other run uses it. One, if in the other no answer is better than the best; or if a run has a route as good
        that clashes less: the same case with this route. None, if no answer is better on either side.
        """
        chosen: list[_Question] = []
        most = (-1, -1)
        for i, j, resource in islice(clashes(question.routes), self.limits.clashes):
            sides: list[_Side] = []
            costs: list[int] = []
            for k, other in ((i, j), (j, i)):
                part = self._without(question, k, resource)
                if part is None:
                    costs.append(question.bound)
                    continue
                costs.append(question.bound - part.bound)
                if not costs[-1] and shared(part.routes) < clashing:
                    return [question._replace(routes=part.routes)]
                sides.append(_Side(part, other))
                if chosen and costs[-1] <= most[0]:
                    break
            if len(costs) < 2 or (min(costs), max(costs)) <= most:
                continue
            most, chosen = (min(costs), max(costs)), _parts(sides, resource)
            if len(chosen) < 2:
                break
        return chosen

    def _without(self, question: _Question, k: int, resource: Resources) -> _Question | None:
        """The case where run k keeps off a resource; None if no answer there is better than the best."""
        cases, routes = question
        case = cases[k]._replace(off=cases[k].off | resource)
        others = question.bound - routes[k].value
        used = reduce(or_, (r.use for r in _put(routes, k)))
        found = self.trains.best_route(self.runs[k], case, self.outcome.total - others, routes[k], used)
        if found is None or others + found.value <= self.outcome.total:
            return None
        return _Question(_put(cases, k, case), _put(routes, k, found))

    def _one_after_the_other(self, question: _Question) -> None:
        """Offer answers of a case: the runs in two orders, each on what the earlier leave."""
        cases, routes = question
        by_value = sorted(range(len(routes)), key=lambda i: (-routes[i].value, i))
        for order in (by_value, by_value[::-1]):
            used, total, rest = 0, 0, question.bound
            links: list[Links] = [()] * len(routes)
            for i in order:
                rest -= routes[i].value
                found: Found | None = routes[i]
                if routes[i].use & used:
                    wanted = max(-1, self.outcome.total - total - rest)
                    found = self.trains.best_route(self.runs[i], Case(cases[i].off | used, 0), wanted, routes[i])
                if found is None:
                    break
                links[i], total = found.links, total + found.value
                used |= found.use
            else:
                self._offer(links, total)


def _parts(sides: list[_Side], resource: Resources) -> list[_Question]:
    """The cases of a clash, the one with the higher bound first; in that, the other run must use the resource."""
    sides.sort(key=lambda side: -side.question.bound)
    parts = [side.question for side in sides]
    if sides:
        cases, other = parts[0].cases, sides[0].other
        parts[0] = parts[0]._replace(cases=_put(cases, other, cases[other]._replace(on=cases[other].on | resource)))
    return parts


def _put(of: tuple[_T, ...], i: int, *instead: _T) -> tuple[_T, ...]:
    """The same with others at place i, or with nothing there."""
    return (*of[:i], *instead, *of[i + 1 :])
