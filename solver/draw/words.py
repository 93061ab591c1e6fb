"""What a picture says in words: to those who point at a hex or a route, and to those who have it read aloud.

Given a board or routes, it gives one line of text each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from trunkline.solver.board import CITY, Board, Hex, Route, StopId
from trunkline.solver.draw.scenery import Home, icons, terrain
from trunkline.solver.draw.svg import clean

LIMIT = 600


def stop_name(board: Board, stop: StopId) -> str:
    """What a player calls a stop: ``Delhi G8 city 1``, ``Lahore D3``, ``H35``."""
    hex_ = board.hexes[stop.hex]
    alone = len(hex_.tile.stops) == 1
    which = stop.hex if alone else f"{stop.hex} {stop.kind} {stop.number}"
    return clean(f"{hex_.name} {which}" if hex_.name else which, 60)


def hex_words(board: Board, hex_: Hex, kept: Mapping[StopId, Sequence[Home]]) -> str:
    """A hex: ``G8 Delhi · tile 64, green · city 0: 40, tokens NWR · city 1: 40, open slots 1``."""
    tile = hex_.tile
    parts = [
        f"{hex_.id} {hex_.name}".strip(),
        f"{tile.color} hex" if hex_.printed else f"tile {tile.name}, {tile.color}",
    ]
    parts += [_stop_words(board, s, kept.get(s, ())) for s in hex_.stops]
    for t in terrain(hex_):
        parts.append(" ".join([*t.kinds, f"cost {t.cost}" if t.cost else ""]).strip())
    return clean(" · ".join([*parts, *(f"label {x}" for x in tile.labels), *icons(tile)]), LIMIT)


def _stop_words(board: Board, stop_id: StopId, kept: Sequence[Home]) -> str:
    hex_, stop = board.hexes[stop_id.hex], board.stop(stop_id)
    name = stop.kind if len(hex_.stops) == 1 else f"{stop.kind} {stop.number}"
    if stop.kind != CITY:
        return f"{name}: {stop.value(board.colors)}"
    city = board.cities[stop_id]
    words = [f"?+{hex_.plus}" if hex_.plus is not None else str(stop.value(board.colors))]
    tokens = [c for c in (*city.slots, *city.extras) if c is not None]
    if tokens:
        words.append(f"tokens {' '.join(tokens)}")
    if None in city.slots:
        words.append(f"open slots {city.slots.count(None)}")
    if kept:
        words.append(f"home of {' '.join(h.company + '?' * (not h.sure) for h in kept)}")
    return f"{name}: {', '.join(words)}"


def route_words(board: Board, route: Route) -> str:
    """A route: ``3 train, 270: Karachi A16 – (C16) – Mumbai D23``, stops that do not count in brackets."""
    names = (
        stop_name(board, s) if counted else f"({stop_name(board, s)})"
        for s, counted in zip(route.stops, route.counted, strict=True)
    )
    return clean(f"{route.name} train, {route.revenue}: {' – '.join(names)}", LIMIT)


def picture_words(board: Board, routes: Sequence[Route], company: str) -> str:
    """The whole picture: what lies on the board, and the routes with what they earn."""
    laid, tokens = sum(not h.printed for h in board.hexes.values()), len(board.tokens)
    text = f"A board of {len(board.hexes)} hexes with {laid} tiles laid and {tokens} tokens."
    if routes:
        total = sum(r.revenue for r in routes)
        text += f" Routes{f' of {company}' if company else ''}, {total} in all. "
        text += ". ".join(route_words(board, r) for r in routes) + "."
    return clean(text, 4000)
