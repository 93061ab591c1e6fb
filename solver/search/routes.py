"""Routes as the search of all trains sees them: a value and a set of resources; cases, and what is known of a train."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from trunkline.solver.search.limits import Limits
from trunkline.solver.search.progress import Links

Resources = int
"""A set of resources: the bits of ``Problem.use``, all words in one number."""


@dataclass(frozen=True, slots=True)
class Found:
    """A route of a run: what it earns, its links, what it uses."""

    value: int
    links: Links
    use: Resources


class Case(NamedTuple):
    """What is asked of a route: it keeps off some resources (``off``), and uses others (``on``)."""

    off: Resources
    on: Resources


ANY = Case(0, 0)


@dataclass(slots=True)
class Known:
    """What is known of a train: routes, by what they use, and proofs: what it earns at most in a case."""

    limits: Limits
    routes: dict[Resources, Found] = field(default_factory=dict)
    proofs: list[tuple[Resources, Resources, int]] = field(default_factory=list)

    def most(self, case: Case, otherwise: int) -> int:
        """What no route in a case exceeds: the least bound of those cases that ask for no more; or ``otherwise``."""
        known = (value for off, on, value in self.proofs if not off & ~case.off and not on & ~case.on)
        return min(known, default=otherwise)

    def best(self, case: Case, others: Resources) -> Found | None:
        """The best route found so far in a case; of such, the one that shares the fewest resources with ``others``."""
        closed, must = case
        open_ = (r for r in self.routes.values() if not r.use & closed and not must & ~r.use)
        return max(open_, key=lambda r: (r.value, -(r.use & others).bit_count()), default=None)

    def learn(self, found: Found) -> None:
        """Keep a route; of two that use the same, the better; no more than there is room for."""
        before = self.routes.get(found.use)
        wanted = len(self.routes) < self.limits.routes_kept if before is None else before.value < found.value
        if wanted:
            self.routes[found.use] = found

    def prove(self, case: Case, value: int) -> None:
        """Keep what no route in a case exceeds, if there is room."""
        if len(self.proofs) < self.limits.proofs_kept:
            self.proofs.append((case.off, case.on, value))


def shared(routes: Sequence[Found]) -> int:
    """How many times two routes use the same resource."""
    return sum((a.use & b.use).bit_count() for a, b in itertools.combinations(routes, 2))


def clashes(routes: Sequence[Found]) -> Iterator[tuple[int, int, Resources]]:
    """Each two runs that use the same resource, and the resource."""
    for i, j in itertools.combinations(range(len(routes)), 2):
        both = routes[i].use & routes[j].use
        while both:
            yield i, j, both & -both
            both &= both - 1
