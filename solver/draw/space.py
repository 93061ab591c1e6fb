"""Room for labels on a hex: a grid of costs on which each label takes the cheapest place near where it belongs.

Track costs a little, the world beyond the hex more, stops and labels already placed most. The sum over every possible
place of a label is taken at once, from the running sums of the grid.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trunkline.solver.draw.shape import APOTHEM, TileShape, side_direction

Disc = tuple[complex, float]
"""Middle and radius."""
_Costs = NDArray[np.float64]

_CELL = 4.0
_HALF = 32
"""The grid: 64 by 64 cells around the middle of the hex."""
_RIM, _TRACK, _RING, _OUTSIDE, _STOP, _TEXT = 3.0, 4.0, 15.0, 25.0, 300.0, 1500.0
_FAR_OUTSIDE = 1000.0
"""What the world beyond the hex costs as long as it is not known what lies there."""
_MIDDLES = (np.arange(2 * _HALF) - _HALF + 0.5) * _CELL


class Box(NamedTuple):
    """A rectangle: its middle, its width and height."""

    at: complex
    size: complex

    def meets(self, other: Box) -> bool:
        """Whether two boxes overlap."""
        away, reach = self.at - other.at, (self.size + other.size) / 2
        return abs(away.real) < reach.real and abs(away.imag) < reach.imag

    def away(self, point: complex) -> float:
        """How far a point is from the box; 0 inside."""
        out = point - self.at
        return math.hypot(max(0.0, abs(out.real) - self.size.real / 2), max(0.0, abs(out.imag) - self.size.imag / 2))


class Label(NamedTuple):
    """A box to be placed, its size in units, and the points near one of which it should be; ``pull``: how near."""

    width: float
    height: float
    near: tuple[complex, ...] = (0j,)
    pull: float = 0.25

    @property
    def size(self) -> complex:
        """Width and height."""
        return complex(self.width, self.height)


@lru_cache(maxsize=8192)
def arrange(
    shape: TileShape,
    taken: tuple[Disc, ...],
    rings: tuple[Disc, ...],
    labels: tuple[Label, ...],
    beyond: tuple[Box, ...] | None = None,
) -> tuple[tuple[complex, ...], bool]:
    """The middle of each label, placed in turn, and whether one of them had to cover something or leave the hex.

    ``taken``: discs in use; ``rings``: discs better left free; ``beyond``: what lies around the hex; where it is not
    given, labels stay on the hex.
    """
    cost = _empty(shape).copy()
    if beyond is not None:
        cost[cost == _FAR_OUTSIDE] = _OUTSIDE
    for at, radius in rings:
        _disc(cost, at, radius, _RING)
    for at, radius in taken:
        _disc(cost, at, radius, _STOP)
    for box in beyond or ():
        cost[_cells(box)] = _TEXT
    places, crowded = [], False
    for label in labels:
        at = _cheapest(cost, label)
        cells = _cells(Box(at, label.size))
        crowded = crowded or float(cost[cells].max(initial=0.0)) >= _STOP
        places.append(at)
        cost[cells] = _TEXT
    return tuple(places), crowded


def _cheapest(cost: _Costs, label: Label) -> complex:
    best = label.near[0]
    if not cost[_cells(Box(best, label.size))].any():
        return best
    rows, columns = (min(2 * _HALF, max(1, math.ceil(s / _CELL))) for s in (label.height, label.width))
    sums = np.zeros((2 * _HALF + 1, 2 * _HALF + 1))
    np.cumsum(np.cumsum(cost, axis=0), axis=1, out=sums[1:, 1:])
    inside = sums[rows:, columns:] - sums[:-rows, columns:] - sums[rows:, :-columns] + sums[:-rows, :-columns]
    y, x = ((np.arange(2 * _HALF + 1 - n) + n / 2 - _HALF) * _CELL for n in (rows, columns))
    away = np.minimum.reduce([np.hypot(x[None, :] - p.real, y[:, None] - p.imag) for p in label.near])
    row, column = np.unravel_index(np.argmin(np.round(inside + label.pull * away, 6)), inside.shape)
    return complex(x[column], y[row])


def _cells(box: Box) -> tuple[slice, slice]:
    """Rows and columns of the cells that a box covers."""

    def span(middle: float, size: float) -> slice:
        low, high = math.floor((middle - size / 2) / _CELL + 1e-9), math.ceil((middle + size / 2) / _CELL - 1e-9)
        return slice(max(0, low + _HALF), max(0, high + _HALF))

    return span(box.at.imag, box.size.imag), span(box.at.real, box.size.real)


@lru_cache(maxsize=512)  # of 32 KiB each
def _empty(shape: TileShape) -> _Costs:
    """Costs of a hex with its track and stops."""
    cost = _bare(shape.layout).copy()
    track = [p for c in shape.curves for p in c.points(4)]
    if track:
        xs, ys = (
            np.floor(np.array([getattr(p, part) for p in track]) / _CELL).astype(int) + _HALF
            for part in ("real", "imag")
        )
        spread = np.arange(-2, 3)
        rows, columns = (np.clip(i[:, None] + spread, 0, 2 * _HALF - 1) for i in (ys, xs))
        where = (rows[:, :, None], columns[:, None, :])
        cost[where] = np.maximum(cost[where], _TRACK)
    for stop in shape.stops:
        for at, radius in stop.discs:
            _disc(cost, at, radius, _STOP)
    return cost


@lru_cache(maxsize=2)
def _bare(layout: str) -> _Costs:
    """Costs of an empty hex."""
    reach = np.full((2 * _HALF, 2 * _HALF), -math.inf)
    for side in range(6):
        d = side_direction(side, layout)
        reach = np.maximum(reach, d.real * _MIDDLES[None, :] + d.imag * _MIDDLES[:, None])
    return np.where(reach > APOTHEM, _FAR_OUTSIDE, np.where(reach > APOTHEM - 6, _RIM, 0.0))


def _disc(cost: _Costs, at: complex, radius: float, price: float) -> None:
    near = np.hypot(_MIDDLES[None, :] - at.real, _MIDDLES[:, None] - at.imag) < radius + _CELL / 2
    cost[near] = np.maximum(cost[near], price)
