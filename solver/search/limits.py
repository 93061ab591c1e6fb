"""What steers the search: when it changes its ways, and how much it keeps. No limit changes an answer."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Numbers that decide how a search goes about it; the defaults are measured on boards of 18 India.

    A *step* of a walk tries one arc or goes back; a step of a combination takes one route for one run.
    """

    plain_steps: int = 50_000
    """Steps of a walk before it starts again in the deep gear, about 5 ms. Most walks end before; for them the bounds
    and the table of states of the deep gear would take longer than they save."""

    plain_slice: int = 20_000
    """Steps in the plain gear between two checkpoints, about 2 ms: how soon a caller is heard."""

    deep_slice: int = 5_000
    """The same in the deep gear, whose steps take longer: up to some 10 ms on the largest boards."""

    combine_slice: int = 500_000
    """The same for combinations, about 5 ms."""

    short_steps: int = 50_000
    """If the walks of all trains alone took at most so many steps, all routes are listed and combined before any case
    is split: that takes about as long again, and often ends the search."""

    short_combine_steps: int = 200_000
    """Steps of combining them then; more would take longer than some cases."""

    splits: int = 400
    """Cases split before all routes are listed and combined once more, with the larger limits below: then clashes are
    so many that cases do not end soon."""

    collect_steps: int = 1_000_000
    """Steps to list the routes of one train then, about 0.1 s."""

    collect_routes: int = 100_000
    """Routes of one train in its list at most: more take too long to combine, and much memory."""

    combine_steps: int = 20_000_000
    """Steps of combining them then, about 0.2 s; after that cases are split again."""

    clashes: int = 8
    """Clashes of a case that are tried for the one that costs most. Each takes two walks; with more, cases are fewer
    but no sooner done."""

    routes_kept: int = 2048
    """Routes of one train that are kept for later cases. Each case looks through them."""

    proofs_kept: int = 4096
    """Bounds of one train that are kept for later cases. Each case looks through them."""

    first_routes: int = 1 << 10
    """Room for routes that a list begins with; it doubles when it is full."""

    clash_rows: int = 256
    """Links that are compared with all others at a time, between two checkpoints: some ms for thousands of links."""

    clash_bytes: int = 32 << 20
    """Bytes that such a comparison may take for a moment; where links have many resources, fewer are compared."""

    seen_rows: int = 1 << 16
    """Rows of the table of states of the deep gear. More hold more states and miss the processor's cache more often."""

    seen_width: int = 56
    """Columns up to which a walk uses the table of its thread (29 MB); wider ones get a table of their own each."""


DEFAULT = Limits()
