"""Tiles: stops, junctions and track on one hex, and the text notation they are written in.

The notation is the one that 18xx.games made common, for instance ``city=revenue:30,slots:2;path=a:0,b:_0``:
parts separated by ``;``, each ``kind=key:value,...``. A path joins two ends: a number is a side of the hex
(0 = S, then clockwise SW, NW, N, NE, SE on a flat-topped hex; 0 = SW, then W, NW, NE, E, SE on a pointy-topped one),
``_n`` is the n-th city, town, off-board area or junction written before it. A revenue is a number or one per colour:
``yellow_30|brown_60|diesel_100``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import NamedTuple

from trunkline.solver.errors import NotationError

CITY, TOWN, OFFBOARD = "city", "town", "offboard"
STOP_KINDS = (CITY, TOWN, OFFBOARD)
IMPASSABLE = "impassable"
"""The type of a border that no train crosses."""
DIESEL = "diesel"
"""Stands among the colours of a revenue: the value for a D train."""
COLORS = ("white", "yellow", "green", "brown", "gray", "red", "blue")
MAX_REVENUE = 10_000
MAX_STOPS = 12
KEPT_CODE = 500
"""Longer notations are not remembered: a board could be full of them."""

# Parts that only decorate a tile: kept as they are written, for the picture.
_DECORATION = frozenset({"label", "upgrade", "border", "icon", "stub", "frame", "stripes", "future_label", "partition"})
_PARTS = (*STOP_KINDS, "junction", "path", "label", *sorted(_DECORATION - {"label"}))
_KEYS = {
    CITY: {"revenue", "slots", "groups", "hide", "loc", "visit_cost", "style", "boom", "route", "format", "double"}
    | {"reserved"},
    TOWN: {"revenue", "groups", "hide", "loc", "visit_cost", "style", "boom", "route", "format", "to_city"},
    OFFBOARD: {"revenue", "groups", "hide", "loc", "visit_cost", "style", "route", "format"},
    "path": {"a", "b", "terminal", "track", "a_lane", "b_lane", "lanes", "ignore", "ignore_gauge_walk"},
}
# Keys whose value would change which routes are legal in a way that is not modelled; only this value passes.
_ONLY = {"track": "broad", "lanes": "1", "visit_cost": "1"}


class End(NamedTuple):
    """One end of a piece of track: kind ``edge``, ``stop`` or ``junction`` and its number on the tile."""

    kind: str
    number: int


class Path(NamedTuple):
    """A piece of track between two ends. A terminal path ends a route: at a stop, or as a dead end."""

    a: End
    b: End
    terminal: bool = False

    @property
    def dead_end(self) -> bool:
        """Whether no train can run here: terminal track without a stop."""
        return self.terminal and self.a.kind != "stop" and self.b.kind != "stop"


@dataclass(frozen=True, slots=True)
class TileStop:
    """A city, town or off-board area of a tile.

    ``number`` counts stops of the same kind on the tile. ``revenue`` holds (phase colour, value) pairs; a plain value
    has the single colour ``""``. At most one stop of a ``group`` may be on a route. ``terminal``: all track to the stop
    is terminal, so a route may end there and not pass. Only for the picture: ``hidden`` values are written on another
    hex of the same area, and slots are ``reserved`` for homes of companies (``reserved:AR|KU``; not in 18xx.games).
    """

    kind: str
    number: int
    revenue: tuple[tuple[str, int], ...]
    slots: int = 0
    group: str = ""
    terminal: bool = False
    hidden: bool = False
    reserved: tuple[str, ...] = ()

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
        return frozenset(e.number for p in self.paths for e in (p.a, p.b) if e.kind == "edge")

    @cached_property
    def touching(self) -> Mapping[End, tuple[tuple[int, End], ...]]:
        """For each end of track: the paths there that a train may use, as (number in ``paths``, other end)."""
        ends: dict[End, list[tuple[int, End]]] = {}
        for i, p in enumerate(self.paths):
            if not p.dead_end:
                ends.setdefault(p.a, []).append((i, p.b))
                ends.setdefault(p.b, []).append((i, p.a))
        return {end: tuple(paths) for end, paths in ends.items()}

    def of_kind(self, kind: str) -> tuple[int, ...]:
        """Positions in ``stops`` of all stops of a kind, in order."""
        return tuple(i for i, s in enumerate(self.stops) if s.kind == kind)

    def rotated(self, steps: int) -> Tile:
        """The tile turned clockwise by ``steps`` sixths of a full turn. Cached."""
        turned = _rotated(self, steps % 6)
        # Tiles that differ in decoration only are equal, so the cache may hold one for the other.
        return turned if turned.decoration == self.decoration else replace(turned, decoration=self.decoration)


@lru_cache(maxsize=4096)
def _rotated(tile: Tile, steps: int) -> Tile:
    if steps == 0:
        return tile

    def turn(end: End) -> End:
        return End("edge", (end.number + steps) % 6) if end.kind == "edge" else end

    paths = tuple(Path(turn(p.a), turn(p.b), p.terminal) for p in tile.paths)
    shut = frozenset((side + steps) % 6 for side in tile.shut)
    return replace(tile, paths=paths, rotation=(tile.rotation + steps) % 6, shut=shut)


def parse_tile(code: str, name: str = "", color: str = "white") -> Tile:
    """Read a tile from the notation.

    >>> tile = parse_tile("city=revenue:30,slots:2;path=a:0,b:_0;path=a:_0,b:3", "X", "green")
    >>> tile.stops[0].slots, sorted(tile.exits)
    (2, [0, 3])

    Raises NotationError: names the part that cannot be read.
    """
    short = len(code) + len(name) <= KEPT_CODE
    return _parse_once(code, name, color) if short else _parse(code, name, color)


def _parse(code: str, name: str, color: str) -> Tile:
    if len(code) > 4000:
        raise NotationError("tile notation is longer than 4,000 characters")
    if color not in COLORS:
        raise NotationError(f"unknown colour {color!r}; known: {', '.join(COLORS)}")
    stops: list[TileStop] = []
    nodes: list[End] = []
    paths: list[Path] = []
    labels: list[str] = []
    decoration: list[str] = []
    shut: list[int] = []
    junctions = 0
    for part in filter(None, (p.strip() for p in code.split(";"))):
        kind, _, rest = part.partition("=")
        if kind == "label":
            labels.append(rest)
            continue
        if kind in _DECORATION:
            decoration.append(part)
            if kind == "border":
                shut += _shut_side(part, rest)
            continue
        keys = _keys(part, kind, rest)
        if kind in STOP_KINDS:
            count = sum(s.kind == kind for s in stops)
            slots = _number(part, "slots", keys.get("slots", "1"), 1, 20) if kind == CITY else 0
            group = keys.get("groups", "")
            if "|" in group:
                raise NotationError(f"{part!r}: more than one group is not supported")
            nodes.append(End("stop", len(stops)))
            hidden, reserved = keys.get("hide", "0") != "0", tuple(filter(None, keys.get("reserved", "").split("|")))
            revenue = _revenue(part, keys.get("revenue", "0"))
            stops.append(TileStop(kind, count, revenue, slots, group, hidden=hidden, reserved=reserved))
        elif kind == "junction":
            nodes.append(End("junction", junctions))
            junctions += 1
        elif kind == "path":
            ends = [_end(part, keys.get(k, ""), nodes) for k in ("a", "b")]
            if ends[0] == ends[1]:
                raise NotationError(f"{part!r}: both ends are the same")
            paths.append(Path(ends[0], ends[1], keys.get("terminal", "") not in ("", "0")))
        else:
            raise NotationError(f"{part!r}: unknown part {kind!r}; known: {', '.join(_PARTS)}")
    if len(stops) > MAX_STOPS:
        raise NotationError(f"more than {MAX_STOPS} stops on one tile")
    if len({frozenset((p.a, p.b)) for p in paths}) < len(paths):
        raise NotationError("the same path is written twice")
    for i, stop in enumerate(stops):
        terminal = {p.terminal for p in paths if End("stop", i) in (p.a, p.b)}
        if len(terminal) > 1:
            raise NotationError(f"{stop.kind} {stop.number}: terminal and other track at one stop is not supported")
        stops[i] = replace(stop, terminal=True in terminal)
    shut_ = frozenset(shut)
    return Tile(name, color, tuple(stops), junctions, tuple(paths), tuple(labels), 0, code, tuple(decoration), shut_)


_parse_once = lru_cache(maxsize=4096)(_parse)


def _keys(part: str, kind: str, rest: str) -> dict[str, str]:
    keys: dict[str, str] = {}
    for item in filter(None, (i.strip() for i in rest.split(","))):
        key, colon, value = item.partition(":")
        if not colon:
            raise NotationError(f"{part!r}: {item!r} is not of the form key:value")
        if kind in _KEYS and key not in _KEYS[kind]:
            raise NotationError(f"{part!r}: unknown key {key!r}; known: {', '.join(sorted(_KEYS[kind]))}")
        if key in keys:
            raise NotationError(f"{part!r}: {key!r} is given twice")
        if key in _ONLY and value != _ONLY[key]:
            raise NotationError(f"{part!r}: {key}:{value} is not supported, only {key}:{_ONLY[key]}")
        if key in ("a_lane", "b_lane"):
            raise NotationError(f"{part!r}: parallel tracks (lanes) are not supported")
        keys[key] = value
    return keys


def _shut_side(part: str, rest: str) -> list[int]:
    """The side that a border shuts; those of other types cost money or divide provinces, and trains cross them."""
    keys = dict(item.strip().partition(":")[::2] for item in rest.split(","))
    return [_number(part, "edge", keys.get("edge", ""), 0, 5)] if keys.get("type") == IMPASSABLE else []


def _number(part: str, key: str, text: str, low: int, high: int) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 8 and low <= int(text) <= high):
        raise NotationError(f"{part!r}: {key} {text!r} is not a whole number from {low} to {high}")
    return int(text)


def _revenue(part: str, text: str) -> tuple[tuple[str, int], ...]:
    if "_" not in text:
        return (("", _number(part, "revenue", text, 0, MAX_REVENUE)),)
    table = {}
    for item in text.split("|"):
        color, _, value = item.rpartition("_")
        if not color:
            raise NotationError(f"{part!r}: revenue {item!r} is not of the form colour_value")
        if color in table:
            raise NotationError(f"{part!r}: the value for {color} is given twice")
        table[color] = _number(part, "revenue", value, 0, MAX_REVENUE)
    return tuple(table.items())


def _end(part: str, text: str, nodes: list[End]) -> End:
    if not text:
        raise NotationError(f"{part!r}: a path needs both ends, a and b")
    if text.startswith("_"):
        index = _number(part, "end", text[1:], 0, 99)
        if index >= len(nodes):
            raise NotationError(f"{part!r}: end {text!r} names a stop or junction that is not written before it")
        return nodes[index]
    return End("edge", _number(part, "end", text, 0, 5))


def format_tile(tile: Tile) -> str:
    """Write stops, junctions, track and labels of a tile, as it lies, in the notation; the inverse of parse_tile."""
    parts = []
    for stop in tile.stops:
        table = dict(stop.revenue)
        revenue = str(table[""]) if "" in table else "|".join(f"{c}_{v}" for c, v in table.items())
        text = f"{stop.kind}=revenue:{revenue}"
        if stop.slots > 1:
            text += f",slots:{stop.slots}"
        if stop.group:
            text += f",groups:{stop.group}"
        parts.append(text)
    parts += ["junction"] * tile.junctions

    def end(e: End) -> str:
        return str(e.number) if e.kind == "edge" else f"_{e.number + (len(tile.stops) if e.kind == 'junction' else 0)}"

    parts += [f"path=a:{end(p.a)},b:{end(p.b)}" + (",terminal:1" if p.terminal else "") for p in tile.paths]
    parts += [f"label={text}" for text in tile.labels]
    parts += [f"border=edge:{side},type:{IMPASSABLE}" for side in sorted(tile.shut)]
    return ";".join(parts)
