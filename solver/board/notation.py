"""The tile notation: tiles as text, read and written.

It is the notation that 18xx.games made common, for instance ``city=revenue:30,slots:2;path=a:0,b:_0``:
parts separated by ``;``, each ``kind=key:value,...``. A path joins two ends: a number is a side of the hex
(0 = S, then clockwise SW, NW, N, NE, SE on a flat-topped hex; 0 = SW, then W, NW, NE, E, SE on a pointy-topped one),
``_n`` is the n-th city, town, off-board area or junction written before it. A revenue is a number or one per colour:
``yellow_30|brown_60|diesel_100``.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from trunkline.solver.board.tile import (
    CITY,
    COLORS,
    IMPASSABLE,
    KEPT_TEXT,
    NO_SIDE,
    OFFBOARD,
    STOP_KINDS,
    TOWN,
    End,
    Path,
    Tile,
    TileStop,
)
from trunkline.solver.errors import NotationError

MAX_REVENUE = 10_000

MAX_STOPS = 12

MAX_CODE = 4000


# Parts that only decorate a tile: kept as they are written, for the picture.
_DECORATION = frozenset({"label", "upgrade", "border", "icon", "stub", "frame", "stripes", "future_label", "partition"})

_PARTS = (*STOP_KINDS, "junction", "path", "label", *sorted(_DECORATION - {"label"}))

_KEYS = {
    CITY: {"revenue", "slots", "groups", "hide", "loc", "visit_cost", "style", "boom", "route", "format", "double"}
    | {"reserved", "reservation"},
    TOWN: {"revenue", "groups", "hide", "loc", "visit_cost", "style", "boom", "route", "format", "to_city"},
    # A map of 18xx.games runs a path into the text of an off-board area: it has no track there.
    OFFBOARD: {"revenue", "groups", "hide", "loc", "visit_cost", "style", "route", "format", "rows", "b", "terminal"},
    "path": {"a", "b", "terminal", "track", "a_lane", "b_lane", "lanes", "loc", "ignore", "ignore_gauge_walk"},
}

# Keys whose value would change which routes are legal in a way that is not modelled; only this value passes.
_ONLY = {"track": "broad", "lanes": "1", "ignore": "0", "ignore_gauge_walk": "0"}


def parse_tile(code: str, name: str = "", color: str = "white") -> Tile:
    """Read a tile from the tile notation.

    Parameters
    ----------
    code
        Its parts, such as ``city=revenue:30;path=a:0,b:_0``, at rotation 0.
    name
        The number or name of the tile.
    color
        Its colour.

    Returns
    -------
    Tile
        The tile at rotation 0.

    Raises
    ------
    NotationError
        A part cannot be read; it is named.

    Examples
    --------
    >>> from trunkline.solver import parse_tile
    >>> tile = parse_tile("city=revenue:30,slots:2;path=a:0,b:_0;path=a:_0,b:3", "X", "green")
    >>> tile.stops[0].slots, sorted(tile.exits)
    (2, [0, 3])
    """
    short = len(code) + len(name) <= KEPT_TEXT
    return _parse_once(code, name, color) if short else _parse(code, name, color)


def _parse(code: str, name: str, color: str) -> Tile:
    if len(code) > MAX_CODE:
        raise NotationError(f"tile notation is longer than {MAX_CODE:,} characters")
    if color not in COLORS:
        raise NotationError(f"unknown colour {color!r}; known: {', '.join(COLORS)}")
    parts = _Parts()
    for part in filter(None, (p.strip() for p in code.split(";"))):
        parts.add(part)
    return Tile(
        name,
        color,
        parts.all_stops(),
        parts.junctions,
        tuple(parts.paths),
        tuple(parts.labels),
        0,
        code,
        tuple(parts.decoration),
        frozenset(parts.shut),
    )


class _Parts:
    """The parts of a tile, read one after the other. ``nodes``: what the ends ``_0``, ``_1``, … of paths stand for."""

    def __init__(self) -> None:
        self.stops: list[TileStop] = []
        self.places: list[str] = []
        self.junctions = 0
        self.nodes: list[End] = []
        self.paths: list[Path] = []
        self.labels: list[str] = []
        self.decoration: list[str] = []
        self.shut: list[int] = []

    def add(self, part: str) -> None:
        """Read one part. Raises NotationError."""
        kind, _, rest = part.partition("=")
        if kind == "label":
            self.labels.append(rest)
        elif kind in _DECORATION:
            self.decoration.append(part)
            if kind == "border":
                self.shut += _shut_sides(part, rest)
        elif kind in STOP_KINDS:
            self._add_stop(part, kind, _keys(part, kind, rest))
        elif kind == "junction":
            _keys(part, kind, rest)
            self.nodes.append(End("junction", self.junctions))
            self.junctions += 1
        elif kind == "path":
            self._add_path(part, _keys(part, kind, rest))
        else:
            raise NotationError(f"{part!r}: unknown part {kind!r}; known: {', '.join(_PARTS)}")

    def _add_stop(self, part: str, kind: str, keys: dict[str, str]) -> None:
        group = keys.get("groups", "")
        if "|" in group:
            raise NotationError(f"{part!r}: more than one group is not supported")
        stop = TileStop(
            kind,
            number=sum(s.kind == kind for s in self.stops),
            revenue=_revenue(part, keys.get("revenue", "0")),
            slots=_number(part, "slots", keys.get("slots", "1"), 0, 20) if kind == CITY else 0,
            group=group,
            visit_cost=_number(part, "visit_cost", keys.get("visit_cost", "1"), 0, 100),
            hidden=keys.get("hide", "0") != "0",
            reserved=tuple(filter(None, keys.get("reserved", "").split("|"))),
        )
        self.nodes.append(End("stop", len(self.stops)))
        self.stops.append(stop)
        self.places.append(keys.get("loc", ""))

    def _add_path(self, part: str, keys: dict[str, str]) -> None:
        a, b = (_end(part, keys.get(key, ""), self.nodes) for key in ("a", "b"))
        if a == b:
            raise NotationError(f"{part!r}: both ends are the same")
        self.paths.append(Path(a, b, keys.get("terminal", "") not in ("", "0")))

    def all_stops(self) -> tuple[TileStop, ...]:
        """The stops, with what all parts together say of them. Raises NotationError: they contradict each other."""
        if len(self.stops) > MAX_STOPS:
            raise NotationError(f"more than {MAX_STOPS} stops on one tile")
        found = []
        for i, stop in enumerate(self.stops):
            terminal = {p.terminal for p in self.paths if End("stop", i) in (p.a, p.b)}
            found.append(replace(stop, terminal=terminal == {True}, mixed=len(terminal) > 1))
            if stop.kind == TOWN:
                self._join_stem(End("stop", i), f"town {stop.number}", self.places[i])
        return tuple(found)

    def _join_stem(self, town: End, name: str, place: str) -> None:
        """Mark the paths that share track to a town drawn at a side of the hex (``loc``).

        The track over that side leads straight to the town. All other track comes to it from the middle of the hex over
        one piece, the stem, so that at most one route uses it, once (as 18xx.games, tile 470 of 18MEX).
        """
        mine = [i for i, p in enumerate(self.paths) if town in (p.a, p.b)]
        if len(mine) < 3 or place in ("", "center"):
            return
        if place not in ("0", "1", "2", "3", "4", "5"):
            raise NotationError(f"{name}: loc {place!r} is no side, and more than two tracks lead to the town")
        side = End("edge", int(place))
        stem = [i for i in mine if side not in (self.paths[i].a, self.paths[i].b)]
        for i in stem:
            self.paths[i] = self.paths[i]._replace(stem=stem[0])


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


def _shut_sides(part: str, rest: str) -> list[int]:
    """The side that a border shuts, if it is impassable; trains cross borders of other types."""
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
    return End("edge", _number(part, "end", text, 0, NO_SIDE))


def _stem_side(tile: Tile, stop: int) -> int | None:
    """The side that a town with a stem lies at; None for any other stop. Without track there, the first such side."""
    mine = [p for p in tile.paths if End("stop", stop) in (p.a, p.b)]
    if all(p.stem < 0 for p in mine):
        return None
    sides = [e.number for p in mine if p.stem < 0 for e in (p.a, p.b) if e.kind == "edge"]
    return sides[0] if sides else min(set(range(6)) - tile.exits)


def format_tile(tile: Tile) -> str:
    """Write a tile, turned as it is, in the tile notation: stops, junctions, track, labels and impassable borders.

    The inverse of :func:`parse_tile`, but for parts that are only for the picture.
    """
    parts = []
    for index, stop in enumerate(tile.stops):
        table = dict(stop.revenue)
        revenue = str(table[""]) if "" in table else "|".join(f"{c}_{v}" for c, v in table.items())
        text = f"{stop.kind}=revenue:{revenue}"
        if stop.kind == CITY and stop.slots != 1:
            text += f",slots:{stop.slots}"
        if stop.group:
            text += f",groups:{stop.group}"
        if (side := _stem_side(tile, index)) is not None:
            text += f",loc:{side}"
        if stop.visit_cost != 1:
            text += f",visit_cost:{stop.visit_cost}"
        parts.append(text)
    parts += ["junction"] * tile.junctions

    def end(e: End) -> str:
        return str(e.number) if e.kind == "edge" else f"_{e.number + (len(tile.stops) if e.kind == 'junction' else 0)}"

    parts += [f"path=a:{end(p.a)},b:{end(p.b)}" + (",terminal:1" if p.terminal else "") for p in tile.paths]
    parts += [f"label={text}" for text in tile.labels]
    parts += [f"border=edge:{side},type:{IMPASSABLE}" for side in sorted(tile.shut)]
    return ";".join(parts)
