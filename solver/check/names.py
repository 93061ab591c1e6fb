"""Stops and track as the texts of faults and revenue lines name them."""

from __future__ import annotations

from trunkline.solver.board import CITY, MARKER, OFFBOARD, SIDE, Board, Hex, StopId
from trunkline.solver.check.follow import Resource

KIND_NAMES = {CITY: "city", "town": "town", OFFBOARD: "off-board area", MARKER: "gauge-change marker", SIDE: "hex side"}


def plural(kind: str, n: int) -> str:
    """What ``n`` stops of a kind are called."""
    name = KIND_NAMES[kind]
    return name if n == 1 else "cities" if kind == CITY else name + "s"


def label(hx: Hex, stop: StopId) -> str:
    """A stop as a player names it: ``Delhi (G8)``, ``town E4``; with its number where the tile has several."""
    stops = hx.tile.stops
    alone = len(stops) == 1 or sum(s.kind == stop.kind for s in stops) == 1
    where = hx.id if alone else f"{hx.id} {stop.kind} {stop.number}"
    if hx.name:
        return f"{hx.name} ({where})"
    return where if where != hx.id else f"{KIND_NAMES[stop.kind]} {where}"


def stop_name(board: Board, stop: StopId) -> str:
    """A stop as a player names it, see :func:`label`."""
    return label(board.hexes[stop.hex], stop)


def resource_name(resource: Resource) -> str:
    """What may be used once, in words."""
    a, b = resource
    return f"the side between {a} and {b}" if isinstance(b, str) else f"path {b} inside the tile of {a}"
