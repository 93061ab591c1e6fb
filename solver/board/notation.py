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

from trunkline.solver.board.tile import CITY, COLORS, IMPASSABLE, OFFBOARD, STOP_KINDS, TOWN, End, Path, Tile, TileStop
from trunkline.solver.errors import NotationError

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
