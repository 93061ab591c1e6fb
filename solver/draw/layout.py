"""Where everything of a picture lies: hexes, labels, chips beside the map, signs on the sides of hexes.

Given a board, it gives points on the board and the extent of the map. Labels are placed hex by hex; where they do
not fit on a hex they may reach beyond it, and then keep clear of what lies on the hexes around.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from trunkline.solver.board import Board, StopId, Track, neighbor_ids
from trunkline.solver.draw.labels import CHIP_HEIGHT, Item, chip, commodities_to, items
from trunkline.solver.draw.scenery import Edge, edges
from trunkline.solver.draw.shape import (
    APOTHEM,
    RADIUS,
    TileShape,
    center,
    corners,
    shape,
    side_direction,
    side_point,
)
from trunkline.solver.draw.space import Box, Disc, Label, arrange
from trunkline.solver.draw.stops import ring_width

_SIGN = 16.0
"""Room that a marker or the cost of a border takes on a side, as a radius."""


_LINE = 9.0
"""Half the width of the line of a route."""


class Side(NamedTuple):
    """A side of a hex: both its ends on the board."""

    hex: str
    side: int
    one: complex
    two: complex


@dataclass(eq=False)
class Layout:
    """The places of one picture.

    ``rings``: how many rings each stop has; ``lines``: the track that routes use; ``company``: whose tokens stand out.
    """

    board: Board
    rings: Mapping[StopId, int]
    lines: frozenset[Track]
    company: str

    @cached_property
    def centers(self) -> dict[str, complex]:
        """The middle of each hex."""
        return {h: center(h, self.board.layout, self.board.axes) for h in self.board.hexes}

    @cached_property
    def shapes(self) -> dict[str, TileShape]:
        """Track and stops of each hex, around its middle."""
        return {h: shape(hx.tile, self.board.layout) for h, hx in self.board.hexes.items()}

    def side(self, hex_id: str, side: int) -> Side:
        """A side of a hex on the board."""
        one, two = corners(side, self.board.layout)
        return Side(hex_id, side, self.centers[hex_id] + one, self.centers[hex_id] + two)

    @cached_property
    def edges(self) -> tuple[tuple[Edge, Side], ...]:
        """Borders and where they lie."""
        return tuple((e, self.side(e.hex, e.side)) for e in edges(self.board))

    def markers(self) -> Iterator[tuple[Side, complex]]:
        """Gauge-change markers: their side and the point."""
        for a, b in sorted(self.board.markers):
            for number, other in self.board.hexes[a].neighbors.items():
                if other == b:
                    side = self.side(a, number)
                    yield side, (side.one + side.two) / 2

    @cached_property
    def costs(self) -> tuple[tuple[Edge, complex], ...]:
        """Borders whose cost is still to be paid, and where it is written: beside any track to that side."""
        found = []
        for edge, side in self.edges:
            track = sum(s in self.board.hexes[h].tile.exits for h, s in self._both(edge.hex, edge.side))
            if edge.cost and track < 2:
                found.append((edge, side.one + (side.two - side.one) * (0.79 if track else 0.5)))
        return tuple(found)

    def _both(self, hex_id: str, side: int) -> list[tuple[str, int]]:
        """A side as seen from the hexes that have it."""
        other = self._near(hex_id).get(side)
        return [(hex_id, side), *([(other, (side + 3) % 6)] if other else [])]

    def _near(self, hex_id: str) -> dict[int, str]:
        """The hexes that touch a hex, by side: also those behind an impassable border."""
        ids = neighbor_ids(hex_id, self.board.layout)
        return {side: h for side, h in enumerate(ids) if h is not None and h in self.board.hexes}

    @cached_property
    def blocks(self) -> dict[str, tuple[Box, tuple[Item, ...]]]:
        """Destinations of commodities beside their hex at the rim of the map, where there is room."""
        blocks: dict[str, tuple[Box, tuple[Item, ...]]] = {}
        for h in self.board.hexes:
            chips = self._chips(h)
            if not chips:
                continue
            size = complex(max(c.label.width for c in chips), CHIP_HEIGHT * len(chips))
            near = [c for c in self.centers.values() if abs(c - self.centers[h]) < 5 * RADIUS]
            taken = [box for box, _ in blocks.values()]
            free = [p for p in self._beside(h, size) if self._free(Box(p, size), taken, near)]
            if free:
                blocks[h] = Box(max(free, key=_apart(self.centers[h], near)), size), chips
        return blocks

    def _chips(self, hex_id: str) -> tuple[Item, ...]:
        return tuple(chip(self.board, name, str(v), 0j) for name, v in commodities_to(self.board, hex_id))

    def _beside(self, hex_id: str, size: complex) -> Iterator[complex]:
        """Middles of places outside a hex, by its free sides."""
        for side in range(6):
            if side not in self._near(hex_id):
                out = side_direction(side, self.board.layout)
                shift = complex(_sign(out.real) * size.real, _sign(out.imag) * size.imag) / 2
                for reach in range(8, 68, 12):
                    yield self.centers[hex_id] + out * (APOTHEM + reach) + shift

    def _free(self, box: Box, boxes: Iterable[Box], hexes: Iterable[complex]) -> bool:
        """Whether a box is clear of other boxes and of hexes with these middles."""
        wide = Box(box.at, box.size + (8 + 8j))
        if any(wide.meets(b) for b in boxes):
            return False
        return not any(_on_hex(c - box.at, wide.size / 2, self.board.layout) for c in hexes)

    @cached_property
    def labels(self) -> dict[str, list[tuple[Item, complex]]]:
        """What is written on each hex, and where on the board."""
        own = {h: items(self.board, hx, self.shapes[h], self.company) for h, hx in self.board.hexes.items()}
        for h in own:
            if h not in self.blocks:
                own[h] += self._chips(h)
        boxes = {h: tuple(i.label for i in own[h]) for h in own}
        fixed = {h: tuple(self._signs.get(h, ())) for h in own}
        rings = {h: tuple(self._ring_discs.get(h, ())) for h in own}
        places: dict[str, tuple[complex, ...]] = {}
        crowded = []
        for h in own:
            places[h], full = arrange(self.shapes[h], fixed[h], rings[h], boxes[h])
            if full:
                crowded.append(h)
        for h in crowded:
            discs, beyond = self._around(h, boxes, places)
            places[h], _ = arrange(self.shapes[h], fixed[h] + discs, rings[h], boxes[h], beyond)
        return {h: [(item, self.centers[h] + at) for item, at in zip(own[h], places[h], strict=True)] for h in own}

    def _around(
        self, hex_id: str, labels: Mapping[str, Sequence[Label]], places: Mapping[str, Sequence[complex]]
    ) -> tuple[tuple[Disc, ...], tuple[Box, ...]]:
        """What lies on the hexes next to a hex and beside the map, seen from the middle of the hex."""
        discs: list[Disc] = []
        boxes = [Box(box.at - self.centers[hex_id], box.size) for box, _ in self.blocks.values()]
        for other in self._near(hex_id).values():
            step = self.centers[other] - self.centers[hex_id]
            stops = [d for s in self.shapes[other].stops for d in s.discs]
            discs += [(at + step, r) for at, r in (*stops, *self._signs.get(other, ()))]
            boxes += [Box(p + step, x.size) for p, x in zip(places[other], labels[other], strict=True)]
        return tuple(discs), tuple(boxes)

    @cached_property
    def _signs(self) -> dict[str, list[Disc]]:
        """Discs on each hex that markers and costs of borders take."""
        signs: dict[str, list[Disc]] = defaultdict(list)
        points: list[tuple[Edge | Side, complex]] = [*self.costs, *self.markers()]
        for side, point in points:
            for h, _ in self._both(side.hex, side.side):
                away = point - self.centers[h]
                signs[h].append((complex(round(away.real), round(away.imag)), _SIGN))
        return signs

    @cached_property
    def _ring_discs(self) -> dict[str, list[Disc]]:
        """Discs on each hex that rings around stops and lines of routes take."""
        discs: dict[str, list[Disc]] = defaultdict(list)
        for id_, count in self.rings.items():
            for stop, own in zip(self.board.hexes[id_.hex].tile.stops, self.shapes[id_.hex].stops, strict=True):
                if (stop.kind, stop.number) == id_[1:]:
                    discs[id_.hex] += [(at, r + count * ring_width(count)) for at, r in own.discs]
        for t in sorted(self.lines):
            discs[t.hex] += [(p, _LINE) for p in self.shapes[t.hex].curves[t.path].points(12)]
        return discs

    def clear(self, hex_id: str, box: Box, rings: bool = True) -> bool:
        """Whether a box would cover no text, stop or sign, nor a ring if these matter."""
        for h in (hex_id, *self._near(hex_id).values()):
            if any(box.meets(Box(at, item.label.size)) for item, at in self.labels[h]):
                return False
            discs = (*self._stop_discs(h, rings), *self._signs.get(h, ()))
            if any(box.away(self.centers[h] + p) < r for p, r in discs):
                return False
        return not any(box.meets(block) for block, _ in self.blocks.values())

    def _stop_discs(self, hex_id: str, rings: bool) -> Iterator[Disc]:
        for stop, own in zip(self.board.hexes[hex_id].tile.stops, self.shapes[hex_id].stops, strict=True):
            count = self.rings.get(StopId(hex_id, stop.kind, stop.number), 0) if rings else 0
            yield from ((at, radius + count * ring_width(count)) for at, radius in own.discs)

    @cached_property
    def _boxes(self) -> list[Box]:
        """Boxes around all hexes, labels and chips."""
        size = 2 * (complex(RADIUS, APOTHEM) if self.board.layout == "flat" else complex(APOTHEM, RADIUS))
        boxes = [Box(c, size) for c in self.centers.values()] or [Box(0j, size)]
        boxes += [Box(at, item.label.size) for placed in self.labels.values() for item, at in placed]
        return boxes + [box for box, _ in self.blocks.values()]

    @cached_property
    def extent(self) -> tuple[complex, complex]:
        """Upper left and lower right corner of the map with what stands beside it."""
        return around(b.at + k * b.size / 2 for b in self._boxes for k in (1, -1))

    def span(self, left: float, right: float) -> tuple[float, float]:
        """Top and bottom of the map between two x-coordinates; its middle if no hex is there."""
        low, high = self.extent
        inside = [b for b in self._boxes if abs(b.at.real - (left + right) / 2) < (right - left + b.size.real) / 2]
        if not inside:
            return (low.imag + high.imag) / 2, (low.imag + high.imag) / 2
        return min(b.at.imag - b.size.imag / 2 for b in inside), max(b.at.imag + b.size.imag / 2 for b in inside)

    def joints(self) -> Iterator[complex]:
        """Points where pieces of track meet: junctions, and sides with track from both hexes."""
        for h, hex_ in self.board.hexes.items():
            yield from (self.centers[h] + j for j in self.shapes[h].junctions)
            for side, other in hex_.neighbors.items():
                if side < 3 and side in hex_.tile.exits and (side + 3) % 6 in self.board.hexes[other].tile.exits:
                    yield self.centers[h] + side_point(side, self.board.layout)


def around(points: Iterable[complex]) -> tuple[complex, complex]:
    """Upper left and lower right corner of the rectangle around points."""
    xs, ys = zip(*((p.real, p.imag) for p in points), strict=True)
    return complex(min(xs), min(ys)), complex(max(xs), max(ys))


def _apart(own: complex, hexes: Sequence[complex]) -> Callable[[complex], float]:
    """A measure of how much closer a point is to one hex than to the others."""
    others = [c for c in hexes if c != own]
    return lambda at: round(min((abs(at - c) for c in others), default=0.0) - abs(at - own), 3)


def _sign(x: float) -> int:
    return 0 if abs(x) < 0.01 else (1 if x > 0 else -1)


def _on_hex(middle: complex, half: complex, layout: str) -> bool:
    """Whether a hex around ``middle`` and the rectangle of size 2 · ``half`` around 0 overlap (separating axes)."""
    if abs(middle.real) >= half.real + RADIUS or abs(middle.imag) >= half.imag + RADIUS:
        return False
    corner = [corners(s, layout)[0] for s in range(6)]
    for axis in (*(side_direction(s, layout) for s in range(3)), 1 + 0j, 1j):
        reach = max(c.real * axis.real + c.imag * axis.imag for c in corner)
        box = half.real * abs(axis.real) + half.imag * abs(axis.imag)
        if abs(middle.real * axis.real + middle.imag * axis.imag) >= reach + box:
            return False
    return True
