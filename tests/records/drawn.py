"""The routes of a record as drawn routes: hexes in order, and every way to read them as exact track.

The record names the hexes of each stretch from stop to stop, not the stops: a hex may have several. The exact tracks
are walked here, over the tiles of the board, apart from how the solver itself reads waypoints.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, pairwise, product
from typing import Any

from tests.records.reading import Record, RecordError
from trunkline.solver import Board, DrawnRoute, StopId, Track
from trunkline.solver.board import End

Stretch = tuple[str, ...]
MOST = 500
"""Readings of a run as track that are looked at."""
ORDERS = 16
"""Orders of hexes of a run that are looked at."""


def routes(record: Record) -> tuple[tuple[DrawnRoute, ...], ...]:
    """Each order of hexes in which the routes may have been run, as waypoints; mostly one.

    A stretch is written from either of its ends, so two stretches between the same hexes join in two ways.
    Raises RecordError: the stretches of a route do not join, or its train is none of those listed.
    """
    drawn = []
    for train, route in _trains(record):
        ways = list(_ways([_stretch(c) for c in route["connections"]]))
        if not ways:
            raise RecordError("the stretches of a route do not join")
        drawn.append([DrawnRoute(train, tuple(_joined(way))) for way in islice(ways, 4)])
    return tuple(islice(product(*drawn), ORDERS))


def tracks(record: Record, board: Board) -> Iterator[tuple[DrawnRoute, ...]]:
    """Every way to read the routes of a record as exact track, without stops inside a stretch; at most MOST."""
    drawn = []
    for train, route in _trains(record):
        ways = _ways([_stretch(c) for c in route["connections"]])
        readings = dict.fromkeys(reading for way in islice(ways, 4) for reading in _readings(board, way))
        drawn.append([DrawnRoute(train, track=reading) for reading in islice(readings, MOST)])
    yield from islice(product(*drawn), MOST)


def _trains(record: Record) -> Iterator[tuple[int, Any]]:
    numbers = {t["id"]: i for i, t in enumerate(record.raw["trains"])}
    for route in record.raw["routes"]:
        if route["train"] not in numbers:
            raise RecordError("a train ran that is none of those listed")
        if not route["connections"]:
            raise RecordError("a route without connections")
        yield numbers[route["train"]], route


def _stretch(connection: Sequence[str]) -> Stretch:
    """The hexes of a stretch: also of one inside a hex (``F2 0.1``), and of a route of one stop (``local``, ``F2``)."""
    if connection[0] == "local":
        return (connection[1],)
    if len(connection) == 1:
        return (connection[0].split()[0],) * 2
    return tuple(connection)


def _ways(stretches: Sequence[Stretch]) -> Iterator[tuple[Stretch, ...]]:
    """Each way to turn the stretches so that one begins where the one before it ends."""
    todo: list[tuple[Stretch, ...]] = [(s,) for s in dict.fromkeys((stretches[0], stretches[0][::-1]))]
    while todo:
        way = todo.pop()
        if len(way) == len(stretches):
            yield way
            continue
        next_ = stretches[len(way)]
        todo += [(*way, s) for s in dict.fromkeys((next_[::-1], next_)) if s[0] == way[-1][-1]]


def _joined(way: Sequence[Stretch]) -> list[str]:
    hexes = list(way[0])
    for stretch in way[1:]:
        hexes += stretch[1:]
    return hexes


def _readings(board: Board, way: Sequence[Stretch]) -> Iterator[tuple[tuple[Track, ...], ...]]:
    """The exact tracks of stretches that join at the same stop."""
    legs = [list(_legs(board, stretch)) for stretch in way]
    todo: list[tuple[StopId | None, tuple[tuple[Track, ...], ...]]] = [(None, ())]
    while todo:
        at, track = todo.pop()
        if len(track) == len(legs):
            yield track
            continue
        todo += [(b, (*track, leg)) for a, leg, b in legs[len(track)] if at in (None, a)]


def _legs(board: Board, stretch: Stretch) -> Iterator[tuple[StopId, tuple[Track, ...], StopId]]:
    """The tracks of a stretch from a stop of its first hex to one of its last, by its hexes, past no stop."""
    inside = len(stretch) == 2 and stretch[0] == stretch[1]
    hexes = [board.hexes[h] for h in (stretch[:1] if inside else stretch) if h in board.hexes]
    if len(stretch) < 2 or len(hexes) < len(stretch) - inside:
        return
    sides = [{s for s, n in a.neighbors.items() if n == b.id} for a, b in pairwise(hexes)]
    todo = [(i, 0, End("stop", i), tuple[Track, ...]()) for i in range(len(hexes[0].tile.stops))]
    while todo:
        start, i, end, track = todo.pop()
        hx, last = hexes[i], i == len(hexes) - 1
        for number, other in hx.tile.touching.get(end, ()):
            piece = Track(hx.id, number)
            if piece in track:
                continue
            if other.kind == "junction":
                todo.append((start, i, other, (*track, piece)))
            elif other.kind == "edge" and not last and other.number in sides[i]:
                todo.append((start, i + 1, End("edge", (other.number + 3) % 6), (*track, piece)))
            elif other.kind == "stop" and last and (not inside or other.number != start):
                yield hexes[0].stops[start], (*track, piece), hx.stops[other.number]
