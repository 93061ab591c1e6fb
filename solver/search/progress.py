"""What a search has found so far, and how its caller stops it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

Links = tuple[int, ...]
"""The links of a route, in no particular order; empty: the train is idle."""


class Stop(Exception):
    """Raised by the caller's checkpoint to end a search: what was found so far stands."""


@dataclass(slots=True)
class Outcome:
    """What a search has found.

    Attributes
    ----------
    links
        For each run the links of its route.
    single
        What each run can earn alone at most; 0: it cannot run.
    total
        What the routes earn together.
    ceiling
        What no answer can exceed; equal to ``total`` when that is proven.
    nodes
        Partial routes looked at.
    """

    links: list[Links]
    single: list[int]
    total: int = 0
    ceiling: int = 0
    nodes: int = 0


Checkpoint = Callable[[Outcome], None]
"""Called between slices of work with the best so far. It may raise :class:`Stop`; any other exception passes."""
