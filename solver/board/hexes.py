"""A hex of a board with the tile on it: its stops, and where its track leads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from trunkline.solver.board.coordinates import Border, border
from trunkline.solver.board.tile import CITY, NEVER_VISITED, OFFBOARD, End, Tile


class StopId(NamedTuple):
    """A stop of a board.

    Parameters
    ----------
    hex
        The id of its hex.
    kind
        ``city``, ``town`` or ``offboard``.
    number
        Its number among the stops of that kind on the hex, from 0.

    Examples
    --------
    >>> str(StopId("D3", "city", 0)), str(StopId("D23", "city", 1))
    ('D3', 'D23 city 1')
    """

    hex: str
    kind: str
    number: int

    def __str__(self) -> str:
        """``D3`` for the first city, else the kind and number: ``D23 city 1``."""
        return self.hex if self.number == 0 and self.kind == CITY else f"{self.hex} {self.kind} {self.number}"


class Track(NamedTuple):
    """A piece of track of a board.

    Parameters
    ----------
    hex
        The id of its hex.
    path
        Its number in ``board.hexes[hex].tile.paths``.
    """

    hex: str
    path: int


class Passage(NamedTuple):
    """A piece of track that a train enters at one end, and where it comes out: at the ``end`` of track on ``hex``.

    That is a ``stop`` or a junction of the same hex, or a side of the next hex, where it has crossed the ``side``
    between them.
    ``inner``: what the piece uses besides sides: itself where it touches none, or the stem of a town that it shares.
    ``forks``: other track leads over the same side.
    """

    piece: Track
    hex: str
    end: End
    stop: StopId | None
    side: Border | None
    inner: Track | None
    forks: bool


@dataclass(frozen=True)
class Hex:
    """A hex with the tile on it.

    ``neighbors`` maps a side (0 to 5) to the hex across it, where there is one and no impassable border between them.
    """

    id: str
    tile: Tile
    neighbors: Mapping[int, str] = field(default_factory=dict)
    name: str = ""
    printed: bool = True
    terrain: str = ""
    terrain_cost: int = 0
    plus: int | None = None
    """The XX of a variable city ``?+XX``; None for every other hex."""
    first: str = ""
    """The row of first tiles that the hex belongs to, where it is not the one of what is printed."""
    leads_to: tuple[str, ...] = ()
    """Neighbours to one of which every tile laid here must have track; none: its track may lead anywhere."""

    @cached_property
    def stops(self) -> tuple[StopId, ...]:
        """The ids of the stops of the tile, in the same order."""
        return tuple(StopId(self.id, s.kind, s.number) for s in self.tile.stops)

    @cached_property
    def last_stops(self) -> frozenset[StopId]:
        """The stops that no route passes, whoever has tokens there: off-board areas, and those with terminal track."""
        stops = tuple(zip(self.stops, self.tile.stops, strict=True))
        ends = frozenset(stop for stop, s in stops if s.kind == OFFBOARD or s.terminal)
        return ends | {as_end(stop) for stop, s in stops if s.mixed}

    @cached_property
    def visit_costs(self) -> tuple[StopId, ...]:
        """The stops that cost another number of visits than one, but can be visited."""
        stops = zip(self.stops, self.tile.stops, strict=True)
        return tuple(stop for stop, s in stops if s.visit_cost != 1 and s.visit_cost < NEVER_VISITED)

    @cached_property
    def passages(self) -> Mapping[End | StopId, tuple[Passage, ...]]:
        """For each stop, side and junction the pieces of track that start there and do not lead off the board."""
        found: dict[End | StopId, tuple[Passage, ...]] = {}
        for start, paths in self.tile.touching.items():
            passages = [self._passage(number, start, end) for number, end in paths]
            if start.kind != "stop":
                found[start] = tuple(passage for passage in passages if passage is not None)
                continue
            for passage in passages:
                if passage is not None:
                    at = self._stop(start, passage.piece)
                    found[at] = (*found.get(at, ()), passage)
        return found

    def _stop(self, end: End, piece: Track) -> StopId:
        """The stop at an end of a piece of track: as an end of routes, if only some of the track there is terminal."""
        stop = self.stops[end.number]
        return as_end(stop) if self.tile.stops[end.number].mixed and self.tile.paths[piece.path].terminal else stop

    def _passage(self, number: int, start: End, end: End) -> Passage | None:
        piece, stem = Track(self.id, number), self.tile.paths[number].stem
        inside = start.kind != "edge" and end.kind != "edge"
        inner = Track(self.id, stem) if stem >= 0 else piece if inside else None
        if end.kind != "edge":
            if end.kind == "stop" and self.tile.stops[end.number].visit_cost >= NEVER_VISITED:
                return None
            stop = self._stop(end, piece) if end.kind == "stop" else None
            return Passage(piece, self.id, end, stop, None, inner, False)
        there = self.neighbors.get(end.number)
        if there is None:
            return None
        forks = len(self.tile.touching[end]) > 1
        return Passage(piece, there, _OPPOSITE[end.number], None, border(self.id, there), inner, forks)


def as_end(stop: StopId) -> StopId:
    """A stop as terminal track reaches it, where other track does too: routes end there. As a number: -1 - number."""
    return StopId(stop.hex, stop.kind, -1 - stop.number)


def real_stop(stop: StopId) -> StopId:
    """The inverse of :func:`as_end`; any other stop is itself."""
    return stop if stop.number >= 0 else as_end(stop)


_OPPOSITE = tuple(End("edge", (side + 3) % 6) for side in range(6))
