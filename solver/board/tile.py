"""Tiles as values: stops, junctions and track on one hex.

Sides of a hex are numbered 0 = S, then clockwise SW, NW, N, NE, SE on a flat-topped hex; 0 = SW, then W, NW,
NE, E, SE on a pointy-topped one. The text form of a tile is in :mod:`~trunkline.solver.board.notation`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import NamedTuple

CITY, TOWN, OFFBOARD = "city", "town", "offboard"


STOP_KINDS = (CITY, TOWN, OFFBOARD)

MARKER = "marker"
"""A gauge-change marker, among the kinds of stops that a train counts."""

SIDE = "side"
"""A side between hexes that a route crosses, among the kinds of stops that a train counts."""

IMPASSABLE = "impassable"
"""The type of a border that no train crosses."""
DIESEL = "diesel"
"""Stands among the colours of a revenue: the value for a D train."""

KEPT_TEXT = 500
"""The longest name and notation of a tile that caches keep."""
COLORS = ("white", "yellow", "green", "brown", "gray", "red", "blue", "black", "orange", "purple", "salmon", "sepia")


NO_SIDE = 6
"""In place of a side: track that leads nowhere, as maps draw it at places off the board."""


NEVER_VISITED = 99
"""A visit cost that no train can pay: maps give it to places that are only drawn."""


class End(NamedTuple):
    """One end of a piece of track: kind ``edge``, ``stop`` or ``junction`` and its number on the tile."""

    kind: str
    number: int


class Path(NamedTuple):
    """A piece of track between two ends. A terminal path ends a route: at a stop, or as a dead end.

    ``stem``: paths of a tile with the same number run over the same track to a town at the side of the hex; -1: alone.
    """

    a: End
    b: End
    terminal: bool = False
    stem: int = -1

    @property
    def dead_end(self) -> bool:
        """Whether no train can run here: terminal track without a stop."""
        return self.terminal and self.a.kind != "stop" and self.b.kind != "stop"


@dataclass(frozen=True, slots=True)
class TileStop:
    """A city, town or off-board area of a tile.

    ``number`` counts stops of the same kind on the tile. ``revenue`` holds (phase colour, value) pairs; a plain value
    has the single colour ``""``. At most one stop of a ``group`` may be on a route. ``terminal``: all track to the stop
    is terminal, so a route may end there and not pass; ``mixed``: some of it is, and a route that uses such track ends
    there. ``visit_cost``: how many stops a visit counts as. Only for the picture: ``hidden`` values are written on
    another hex of the same area, and slots are ``reserved`` for homes of companies (``reserved:AR|KU``; not in
    18xx.games).
    """

    kind: str
    number: int
    revenue: tuple[tuple[str, int], ...]
    slots: int = 0
    group: str = ""
    terminal: bool = False
    visit_cost: int = 1
    mixed: bool = False
    hidden: bool = False
    reserved: tuple[str, ...] = ()

    @property
    def colors(self) -> tuple[str, ...]:
        """The phase colours the stop pays by; none if it has one value."""
        return tuple(c for c, _ in self.revenue if c and c != DIESEL)

    def value(self, colors: tuple[str, ...], diesel: bool = False) -> int:
        """The revenue when tiles of ``colors`` (in the order they came) are available; ``diesel`` for a D train."""
        if self.revenue and not self.revenue[0][0]:
            return self.revenue[0][1]
        table = dict(self.revenue)
        if diesel and DIESEL in table:
            return table[DIESEL]
        return next((table[c] for c in reversed(colors) if c in table), 0)


@dataclass(frozen=True)
class Tile:
    """One tile as it lies at rotation 0 (or rotated, see :meth:`rotated`).

    ``decoration``: parts without meaning for routes, as they are written, at rotation 0. ``shut``: sides with an
    impassable border, which no train crosses whatever track there is.
    """

    name: str
    color: str = "white"
    stops: tuple[TileStop, ...] = ()
    junctions: int = 0
    paths: tuple[Path, ...] = ()
    labels: tuple[str, ...] = ()
    rotation: int = 0
    code: str = field(default="", compare=False)
    decoration: tuple[str, ...] = field(default=(), compare=False)
    shut: frozenset[int] = frozenset()

    @cached_property
    def exits(self) -> frozenset[int]:
        """The sides of the hex that have track."""
        ends = (e for p in self.paths for e in (p.a, p.b))
        return frozenset(e.number for e in ends if e.kind == "edge" and e.number < NO_SIDE)

    @cached_property
    def touching(self) -> Mapping[End, tuple[tuple[int, End], ...]]:
        """For each end of track: the paths there that a train may use, as (number in ``paths``, other end)."""
        ends: dict[End, list[tuple[int, End]]] = {}
        seen: set[frozenset[End]] = set()
        for i, p in enumerate(self.paths):
            both = frozenset((p.a, p.b))
            again = both in seen and "edge" in (p.a.kind, p.b.kind)  # a second path over the same side is no other way
            seen.add(both)
            if not p.dead_end and not again:
                ends.setdefault(p.a, []).append((i, p.b))
                ends.setdefault(p.b, []).append((i, p.a))
        return {end: tuple(paths) for end, paths in ends.items()}

    def of_kind(self, kind: str) -> tuple[int, ...]:
        """Positions in ``stops`` of all stops of a kind, in order."""
        return tuple(i for i, s in enumerate(self.stops) if s.kind == kind)

    def rotated(self, steps: int) -> Tile:
        """The tile turned clockwise by ``steps`` sixths of a full turn."""
        if steps % 6 == 0:
            return self
        if not self.kept:
            return _rotated(self, steps % 6)
        turned = _rotated_once(self, steps % 6)
        # Tiles that differ in decoration only are equal, so the cache may hold one for the other.
        return turned if turned.decoration == self.decoration else replace(turned, decoration=self.decoration)

    @property
    def kept(self) -> bool:
        """Whether caches may hold the tile: callers may send any number of long texts."""
        return len(self.code) + len(self.name) <= KEPT_TEXT


def _rotated(tile: Tile, steps: int) -> Tile:
    def turn(end: End) -> End:
        if end.kind != "edge" or end.number == NO_SIDE:
            return end
        return End("edge", (end.number + steps) % 6)

    paths = tuple(Path(turn(p.a), turn(p.b), p.terminal, p.stem) for p in tile.paths)
    shut = frozenset((side + steps) % 6 for side in tile.shut)
    return replace(tile, paths=paths, rotation=(tile.rotation + steps) % 6, shut=shut)


_rotated_once = lru_cache(maxsize=4096)(_rotated)


def joined(tile: Tile, side: int, beyond: Tile) -> bool:
    """Whether trains may cross a side, that is whether neither tile has an impassable border there."""
    return side not in tile.shut and (side + 3) % 6 not in beyond.shut
