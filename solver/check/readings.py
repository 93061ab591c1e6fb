"""What a drawn route may mean: every way to read its waypoints as exact track.

A reading joins legs (see :mod:`~trunkline.solver.check.legs`) one after the other. Legs that no rule can tell apart are
merged first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from trunkline.solver.board import Track
from trunkline.solver.check.follow import Resource
from trunkline.solver.check.legs import Drawing, Leg, State, Work

READING_COST = 60
"""Steps that a complete reading counts for: it is followed and its revenue computed."""

MAX_FAULTY = 100
"""Readings looked at to say why none is legal."""


class Reading(NamedTuple):
    """Exact track, for each stop the number of its waypoint, and for each segment the tracks worth the same."""

    track: tuple[tuple[Track, ...], ...]
    places: tuple[int, ...]
    twins: tuple[tuple[tuple[Track, ...], ...], ...] = ()


def merge_twins(drawings: Sequence[Drawing | Reading], deciding: frozenset[str]) -> None:
    """Keep one of several legs between the same stops that no rule can tell apart.

    Such twins cross the same number of markers and the same ``deciding`` hexes; they differ only in track that no other
    leg can use.
    """
    users = Counter[Resource]()
    for drawing in drawings:
        if isinstance(drawing, Reading):
            users.update({r for segment in drawing.track for r in _resources(segment)})
        else:
            for legs in drawing.legs.values():
                users.update(frozenset().union(*(leg.used for leg in legs)))
    contested = frozenset(r for r, n in users.items() if n > 1)
    for drawing in drawings:
        if isinstance(drawing, Drawing):
            drawing.legs = {state: _merged(legs, deciding, contested) for state, legs in drawing.legs.items()}


def _resources(segment: Sequence[Track]) -> Iterator[Resource]:
    """The sides between the hexes of a segment, and all its track."""
    yield from segment
    for a, b in pairwise(segment):
        yield (a.hex, b.hex) if a.hex < b.hex else (b.hex, a.hex)


def _merged(legs: Sequence[Leg], deciding: frozenset[str], contested: frozenset[Resource]) -> tuple[Leg, ...]:
    kept: dict[object, Leg] = {}
    for leg in legs:
        hexes = frozenset(p.hex for p in leg.track) & deciding
        same = (leg.stop, leg.place, leg.markers, hexes, leg.used & contested)
        first = kept.get(same)
        kept[same] = leg if first is None else first._replace(twins=(*first.twins, leg.track))
    return tuple(kept.values())


class _Partial(NamedTuple):
    """The beginning of a reading: its legs, the stop it has come to, and what it has used."""

    legs: tuple[Leg, ...]
    state: State
    places: tuple[int, ...]
    used: frozenset[Resource]
    visited: frozenset[object]


def readings(drawing: Drawing, work: Work | None) -> Iterator[Reading]:
    """All readings that use no track twice, visit no stop twice and pass no stop that they may only end at.

    Without ``work``: any readings, legal or not, at most MAX_FAULTY, to say why none is legal.
    Raises TooComplex: there are more than ``work`` allows.
    """
    strict = work is not None
    todo = [_Partial((), s, (s[1],), frozenset(), frozenset({s[0] if strict else s})) for s in reversed(drawing.starts)]
    found = 0
    while todo and (strict or found < MAX_FAULTY):
        partial = todo.pop()
        stop, place = partial.state
        if place == drawing.last and partial.legs:
            found += 1
            if work:
                work.spend(READING_COST)
            legs = partial.legs
            yield Reading(tuple(g.track for g in legs), partial.places, tuple(g.twins for g in legs))
        if strict and partial.legs and stop not in drawing.passable:
            continue
        for leg in reversed(drawing.legs[partial.state]):
            if work:
                work.spend()
            state = leg.stop, leg.place
            visit = leg.stop if strict else state
            if visit not in partial.visited and (not strict or partial.used.isdisjoint(leg.used)):
                todo.append(
                    _Partial(
                        (*partial.legs, leg),
                        state,
                        (*partial.places, leg.place),
                        partial.used | leg.used,
                        partial.visited | {visit},
                    )
                )
