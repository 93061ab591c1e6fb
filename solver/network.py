"""The network of one company: a networkx multigraph of the stops it can reach and the segments between them.

Given a board and a company, :func:`network` walks the track from the company's tokens. A node is a stop (StopId); an
edge is a *segment*: a run of track between two stops that passes no other stop. Its data: ``segment``, a
:class:`Segment` with the pieces of track in order, the sides it uses, and the markers on it. Junctions are resolved
here: each way through a junction is a segment of its own. Cities that other companies fill, off-board areas and stops
with terminal track are walked to and not through (rules section 9.1). What can be part of no route is pruned.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from itertools import count
from typing import NamedTuple

import networkx as nx

from solver.board import Board, StopId
from solver.errors import PositionError, Violation
from solver.solution import Track
from solver.tile import CITY, OFFBOARD, End, Tile
from solver.title import Border

MAX_PIECES = 100_000
"""Pieces of track to walk at most. Boards of games need some thousands; in fields of junctions the ways never end."""


class Segment(NamedTuple):
    """A run of track from stop ``a`` to stop ``b``; ``a < b``.

    ``sides``: what no two segments of a company may share, the borders crossed and, for a piece of track that touches
    no side of its tile (between two stops, or a stop and a junction), (hex, path number).
    ``markers``: gauge-change markers crossed.
    """

    a: StopId
    b: StopId
    track: tuple[Track, ...]
    sides: tuple[Border | Track, ...]
    markers: int


def network(board: Board, company: str) -> nx.MultiGraph:
    """The graph of all stops and segments that may be part of a route of the company.

    Node data: ``own`` (the company has a token there), ``blocked`` (routes may only end there). The graph is empty
    when the company has no token with track. Linear in the number of segments.

    Raises PositionError: there are more ways through the junctions than anybody could look at.
    """
    graph = nx.MultiGraph()
    todo = sorted(stop for stop, city in board.cities.items() if city.holds(company))
    tokens = set(todo)

    def passes(stop: StopId) -> bool:
        if stop.kind == OFFBOARD or board.stop(stop).terminal:
            return False
        return stop.kind != CITY or not board.cities[stop].blocks(company)

    for stop in todo:
        graph.add_node(stop, own=True, blocked=not passes(stop))
    walked: set[Track] = set()
    spent = count()
    while todo:
        start = todo.pop()
        for segment, alone in _segments(board, start, walked, spent):
            other = segment.b if segment.a == start else segment.a
            if other not in graph:
                graph.add_node(other, own=False, blocked=not passes(other))
                if not graph.nodes[other]["blocked"]:
                    todo.append(other)
            if alone:
                walked.add(segment.track[-1] if segment.a == start else segment.track[0])
            # A segment with forks on it may be found from both its stops; it is kept once.
            if alone or start == segment.a or (graph.nodes[other]["blocked"] and other not in tokens):
                graph.add_edge(segment.a, segment.b, segment=segment)
    _prune(graph, board.title.route_ends)
    return graph


_OPPOSITE = tuple(End("edge", (side + 3) % 6) for side in range(6))


def _segments(
    board: Board, start: StopId, walked: Container[Track], spent: Iterator[int]
) -> Iterator[tuple[Segment, bool]]:
    """All segments that leave a stop, by a depth-first walk over track in which sides and junctions are met once.

    With each whether it is ``alone``: no track forks from it in either direction, so that it is all that there is to
    find from its last piece of track. Pieces in ``walked`` are not set out on again.
    """
    hexes = board.hexes
    tile = hexes[start.hex].tile
    stack: list[tuple[str, End, list[Track], list[Border | Track], list[tuple[str, int]], bool]] = []
    for number, end in tile.touching.get(_end(tile, start), ()):
        first = Track(start.hex, number)
        if first in walked:
            continue
        if end.kind == "edge":
            stack.append((start.hex, end, [first], [], [], len(tile.touching[end]) == 1))
        else:
            stack.append((start.hex, end, [first], [first], [], True))
    while stack:
        at, end, track, sides, junctions, alone = stack.pop()
        while end.kind != "stop":
            if next(spent) > MAX_PIECES:
                text = f"{at}: too many ways lead through the junctions without a stop between"
                raise PositionError([Violation("tiles", text)])
            kind, place = end
            if kind == "edge":
                there = hexes[at].neighbors.get(place)
                if there is None:
                    break
                side: Border = (at, there) if at < there else (there, at)
                if side in sides:
                    break
                sides.append(side)
                at, end = there, _OPPOSITE[place]
            elif (at, place) in junctions:
                break
            else:
                junctions.append((at, place))
            touching = hexes[at].tile.touching
            before = track[-1]
            ways = touching.get(end, ())
            onward = [w for w in ways if w[0] != before.path] if before.hex == at else ways
            if not onward:
                break
            alone = alone and len(ways) == 1
            for number, end in onward[1:]:
                piece = Track(at, number)
                inner = kind != "edge" and end.kind != "edge"
                used = [*sides, piece] if inner else [*sides]
                stack.append((at, end, [*track, piece], used, [*junctions], False))
            number, end = onward[0]
            piece = Track(at, number)
            track.append(piece)
            if end.kind == "edge":
                alone = alone and len(touching[end]) == 1
            elif kind != "edge":
                sides.append(piece)
        else:
            stop = hexes[at].tile.stops[end.number]
            other = StopId(at, stop.kind, stop.number)
            if other != start:
                crossed = sum(side in board.markers for side in sides)
                if start < other:
                    yield Segment(start, other, tuple(track), tuple(sides), crossed), alone
                else:
                    yield Segment(other, start, tuple(track[::-1]), tuple(sides), crossed), alone


def _end(tile: Tile, stop: StopId) -> End:
    return End("stop", tile.of_kind(stop.kind)[stop.number])


def _prune(graph: nx.MultiGraph, route_ends: frozenset[str]) -> None:
    """Remove what no route can use: parts without an own token, and blocks behind a stop with no end of a route.

    A route is a simple path between two stops that may be ends. A leaf of the block-cut tree is entered only through
    its cut vertex, so a leaf whose other stops may not be ends is on no route, and a block by itself needs two ends.
    Leaves are taken off until none is left to take; each block is found once.
    """
    if route_ends >= {"city", "town", "offboard"}:
        graph.remove_nodes_from([s for s in graph if not graph.adj[s]])
        return
    blocks = list(nx.biconnected_components(graph))
    around: dict[StopId, set[int]] = {stop: set() for stop in graph}
    for i, block in enumerate(blocks):
        for stop in block:
            around[stop].add(i)
    todo = list(range(len(blocks)))
    while todo:
        i = todo.pop()
        cuts = [stop for stop in blocks[i] if len(around[stop]) > 1]
        ends = sum(stop.kind in route_ends and len(around[stop]) == 1 for stop in blocks[i])
        if len(cuts) > 1 or ends + len(cuts) > 1:
            continue
        for stop in blocks[i]:
            around[stop].discard(i)
        if cuts and len(around[cuts[0]]) == 1:
            todo += around[cuts[0]]
    graph.remove_nodes_from([stop for stop, blocks_left in around.items() if not blocks_left])
