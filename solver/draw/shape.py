"""The shape of a tile: where its stops and junctions lie on the hex and how its track curves.

Given a tile, it gives points and curves around the middle of a hex whose corners are ``RADIUS`` away. Points are
complex numbers, x + y·j, y downwards. All track leaves a side at its middle and at a right angle, and is a circular
arc or straight: between two sides that gives the three curves of 18xx tiles, radius 50, 150 and straight.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trunkline.solver.board import CITY, OFFBOARD, Path, Tile, hex_coordinates
from trunkline.solver.board.coordinates import letters_are_columns

RADIUS = 100.0
APOTHEM = RADIUS * math.sqrt(3) / 2
SLOT = 25.0
"""Radius of a city slot."""
TOWN = 11.0
"""Radius of a town dot; a town bar is a little wider."""
_FIRST_SIDE = {"flat": 90.0, "pointy": 120.0}


@lru_cache(maxsize=16)
def side_direction(side: int, layout: str) -> complex:
    """The unit vector from the middle of a hex to the middle of a side."""
    return cmath.rect(1.0, math.radians(_FIRST_SIDE[layout] + 60.0 * side))


@lru_cache(maxsize=16)
def side_point(side: int, layout: str) -> complex:
    """The middle of a side."""
    return APOTHEM * side_direction(side, layout)


@lru_cache(maxsize=16)
def corners(side: int, layout: str) -> tuple[complex, complex]:
    """Both ends of a side."""
    turn = cmath.rect(RADIUS, math.radians(30))
    return side_direction(side, layout) * turn.conjugate(), side_direction(side, layout) * turn


def center(hex_id: str, layout: str, axes: str = "") -> complex:
    """The middle of a hex on the board."""
    column, row = hex_coordinates(hex_id)
    if not letters_are_columns(layout, axes):
        column, row = row, column
    wide, tall = (1.5 * RADIUS, APOTHEM) if layout == "flat" else (APOTHEM, 1.5 * RADIUS)
    return complex(wide * column, tall * row)


class Curve(NamedTuple):
    """A piece of track: straight if ``radius`` is 0, else less than half a circle."""

    start: complex
    end: complex
    radius: float = 0.0
    clockwise: bool = False

    def reversed(self) -> Curve:
        """The same track the other way."""
        return Curve(self.end, self.start, self.radius, not self.clockwise)

    def at(self, t: float) -> complex:
        """The point at a share ``t`` (0 to 1) of the length."""
        chord = self.end - self.start
        if not self.radius:
            return self.start + t * chord
        half = math.asin(min(1.0, abs(chord) / (2 * self.radius)))
        side = 1 if self.clockwise else -1
        middle = self.start + chord / 2 + side * 1j * chord / abs(chord) * self.radius * math.cos(half)
        return middle + (self.start - middle) * cmath.exp(2j * side * half * t)

    def part(self, start: float, end: float) -> Curve:
        """The piece between two shares of the length."""
        return Curve(self.at(start), self.at(end), self.radius, self.clockwise)

    def points(self, gap: float = 6.0) -> list[complex]:
        """Points along the curve, both ends among them."""
        n = max(1, math.ceil(abs(self.end - self.start) / gap))
        return [self.at(i / n) for i in range(n + 1)]


def from_side(side: int, layout: str, end: complex) -> Curve:
    """The track that leaves a side at a right angle and runs to a point."""
    start, inward = side_point(side, layout), -side_direction(side, layout)
    chord = end - start
    turn = (inward.conjugate() * chord).imag
    if abs(turn) < 1e-6:
        return Curve(start, end)
    return Curve(start, end, abs(chord) ** 2 / (2 * abs(turn)), turn > 0)


@dataclass(frozen=True, slots=True)
class StopShape:
    """A stop on its tile. ``slots``: middles of the slots of a city; ``slot``: their radius.

    ``bar``: direction of a town bar (across its track), None for a dot. ``value``: the place kept for the value of
    one of several towns, at an end of its bar. ``discs``: the area the stop takes.
    """

    at: complex
    slots: tuple[complex, ...] = ()
    slot: float = SLOT
    bar: complex | None = None
    value: complex | None = None
    discs: tuple[tuple[complex, float], ...] = ()

    @property
    def room(self) -> tuple[tuple[complex, float], ...]:
        """The area it takes with its value."""
        return self.discs if self.value is None else (*self.discs, (self.value, 17.0))


@dataclass(frozen=True, slots=True, eq=False)
class TileShape:
    """Shapes in the order of the tile's ``stops``, ``junctions`` and ``paths`` (from end ``a`` to end ``b``)."""

    stops: tuple[StopShape, ...]
    junctions: tuple[complex, ...]
    curves: tuple[Curve, ...]
    layout: str


def shape(tile: Tile, layout: str) -> TileShape:
    """The shape of a tile as it lies. Cached: tiles that differ in name, colour or values only share it."""
    return _shape(tuple((s.kind, s.slots) for s in tile.stops), tile.junctions, tile.paths, layout)


@lru_cache(maxsize=2048)
def _shape(stops: tuple[tuple[str, int], ...], junctions: int, paths: tuple[Path, ...], layout: str) -> TileShape:
    sides = [_sides_of("stop", i, paths) for i in range(len(stops))]
    if len(stops) == 1:
        shapes = [next(_places(stops[0], sides[0], layout, alone=True)).stop]
    else:
        shapes = _spread(stops, sides, layout)
    nodes = [_junction(j, junctions, paths, layout) for j in range(junctions)]

    def curve(path: Path) -> Curve:
        a, b = path.a, path.b
        if a.kind == "edge":
            return from_side(
                a.number, layout, side_point(b.number, layout) if b.kind == "edge" else point(b.kind, b.number)
            )
        if b.kind == "edge":
            return from_side(b.number, layout, point(a.kind, a.number)).reversed()
        return Curve(point(a.kind, a.number), point(b.kind, b.number))

    def point(kind: str, number: int) -> complex:
        return nodes[number] if kind == "junction" else shapes[number].at

    return TileShape(tuple(shapes), tuple(nodes), tuple(map(curve, paths)), layout)


def _sides_of(kind: str, number: int, paths: Sequence[Path]) -> list[int]:
    """The sides that a stop or junction has track to."""
    found = []
    for p in paths:
        for end, other in ((p.a, p.b), (p.b, p.a)):
            if (end.kind, end.number) == (kind, number) and other.kind == "edge":
                found.append(other.number)
    return sorted(set(found))


def _junction(number: int, count: int, paths: Sequence[Path], layout: str) -> complex:
    """A junction lies in the middle; several lie towards their sides, those without sides on a small ring."""
    sides = _sides_of("junction", number, paths)
    if count == 1:
        return 0j
    return sum((side_point(s, layout) for s in sides), 0j) / 6 or cmath.rect(15.0, 2 * math.pi * number / count)


class _Place(NamedTuple):
    """A place where a stop may lie; ``cost``: how far it is from where players expect it."""

    stop: StopShape
    cost: float


def _places(stop: tuple[str, int], sides: list[int], layout: str, alone: bool, turn: float = 0.0) -> Iterator[_Place]:
    """Places for a stop, best first; ``turn`` (of a circle) parts stops without track."""
    kind, slots = stop
    if alone and (kind != "town" or len(sides) != 2):
        yield _Place(_stop(kind, slots, 0j), 0)
        return
    if len(sides) == 2 and kind != OFFBOARD:
        yield from _places_on_curve(stop, sides, layout, alone)
    else:
        yield from _places_around(stop, sides, layout, turn)


def _places_on_curve(stop: tuple[str, int], sides: list[int], layout: str, alone: bool) -> Iterator[_Place]:
    """Places for a city or town on the curve between its two sides."""
    kind, slots = stop
    arc = from_side(sides[0], layout, side_point(sides[1], layout))
    for i, t in enumerate((0.5, 0.36, 0.64, 0.24, 0.76, 0.15, 0.85)):
        at = arc.at(t)
        across = 1j * (arc.at(t + 0.01) - arc.at(t - 0.01))
        across /= abs(across)
        if kind == CITY:
            for step in (0, -14, 14):
                for upright in _turns(slots):
                    yield _Place(_city(slots, at + step * across, upright), abs(step) / 2 + i)
        else:
            for end in (None,) if alone else (across, -across):
                yield _Place(_town(at, across, end), i)


def _places_around(stop: tuple[str, int], sides: list[int], layout: str, turn: float) -> Iterator[_Place]:
    """Places for a stop around the middle of the hex, towards its sides first."""
    kind, slots = stop
    toward = sum((side_direction(s, layout) for s in sides), 0j)
    ways = [(toward / abs(toward), 0.0)] if abs(toward) > 0.01 else []
    if len(sides) != 1:
        ways += [(cmath.rect(1.0, 2 * math.pi * turn + math.radians(30 * k)), 4.0 * abs(k)) for k in range(-5, 7)]
    reaches = (46, 38, 54, 28) if sides else ((33, 46) if kind == CITY else (23, 40))
    for i, reach in enumerate(reaches):
        for way, cost in ways:
            for upright in _turns(slots):
                yield _Place(_stop(kind, slots, reach * way, upright), 2.0 * i + cost + upright)


def _turns(slots: int) -> tuple[bool, ...]:
    """Whether a city may stand upright: a pair of slots can lie or stand."""
    return (False, True) if slots == 2 else (False,)


def _stop(kind: str, slots: int, at: complex, upright: bool = False) -> StopShape:
    if kind == OFFBOARD:
        return StopShape(at)
    return _city(slots, at, upright) if kind == CITY else StopShape(at, discs=((at, TOWN + 2),))


def _town(at: complex, across: complex, end: complex | None) -> StopShape:
    """A town bar, with room for a value in the direction of ``end``."""
    discs = tuple((at + k * across, 8.0) for k in (-12, 0, 12))
    return StopShape(at, bar=across, value=None if end is None else at + 37 * end, discs=discs)


def _city(slots: int, at: complex, upright: bool) -> StopShape:
    """A city: slots in a row, a triangle or a square; more in as many rows as make it about square."""
    columns, radius = (slots if slots < 3 else math.ceil(math.sqrt(slots))), SLOT
    if slots > 3:
        radius = min(SLOT, 66 / columns, 48 / math.ceil(slots / columns))
    if slots == 3:
        offsets = [cmath.rect(2 * SLOT / math.sqrt(3), math.radians(a)) for a in (150, 270, 30)]
    else:
        rows = math.ceil(slots / columns)
        offsets = [
            radius * complex(2 * (i % columns) - columns + 1, 2 * (i // columns) - rows + 1) for i in range(slots)
        ]
    places = tuple(at + (1j * o if upright else o) for o in offsets)
    return StopShape(at, places, radius, discs=tuple((p, radius + 3) for p in places))


def _spread(stops: Sequence[tuple[str, int]], sides: Sequence[list[int]], layout: str) -> list[StopShape]:
    """Places for several stops that keep clear of each other and of each other's track: in turn the best for each."""
    n = len(stops)
    turns = [(i + (1 if n == 2 else 0.25)) / n for i in range(n)]
    most = 64 if n <= 4 else 12
    places = [list(islice(_places(s, e, layout, False, t), most)) for s, e, t in zip(stops, sides, turns, strict=True)]
    rooms = [[_Discs.of(p.stop.room) for p in own] for own in places]
    track = [
        [(p, 6.0) for s in e for p in from_side(s, layout, own[0].stop.at).points(10)]
        for e, own in zip(sides, places, strict=True)
    ]
    alone = []
    for i in range(n):
        foreign = _Discs.of([p for j in range(n) if j != i for p in track[j]])
        alone.append(
            [
                p.cost + _beyond(p.stop, layout) + room.crowding(foreign, 4.0) / 2
                for p, room in zip(places[i], rooms[i], strict=True)
            ]
        )
    chosen = [0] * n
    for _ in range(4):
        before = list(chosen)
        for i in range(n):
            others = _Discs.join([rooms[j][chosen[j]] for j in range(n) if j != i])
            costs = [cost + 4 * room.crowding(others, 12.0) for cost, room in zip(alone[i], rooms[i], strict=True)]
            chosen[i] = costs.index(min(costs))
        if chosen == before:
            break
    return [places[i][k].stop for i, k in enumerate(chosen)]


class _Discs(NamedTuple):
    """Discs: middles (complex) and radii, both of shape (n,)."""

    at: NDArray[np.complex128]
    radius: NDArray[np.float64]

    @classmethod
    def of(cls, discs: Sequence[tuple[complex, float]]) -> _Discs:
        return cls(np.array([d[0] for d in discs], dtype=complex), np.array([d[1] for d in discs], dtype=float))

    @classmethod
    def join(cls, parts: Sequence[_Discs]) -> _Discs:
        return cls(np.concatenate([p.at for p in parts]), np.concatenate([p.radius for p in parts]))

    def crowding(self, other: _Discs, gap: float) -> float:
        """How much these overlap the others, or come closer to them than ``gap``."""
        away = np.abs(self.at[:, None] - other.at[None, :])
        return float(np.maximum(0.0, self.radius[:, None] + other.radius[None, :] + gap - away).sum())


def _beyond(stop: StopShape, layout: str) -> float:
    """How far a stop reaches beyond its hex."""
    out = [side_direction(s, layout) for s in range(6)]
    return sum(max(0.0, at.real * o.real + at.imag * o.imag + r - APOTHEM) for at, r in stop.room for o in out)
