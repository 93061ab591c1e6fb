"""The network of one company: a networkx multigraph of the stops it can reach and the segments between them.

Given a board and a company, :func:`network` walks the track from the company's tokens. A node is a stop (StopId); an
edge is a *segment*: a run of track between two stops that passes no other stop. Its data: ``segment``, a
:class:`Segment` with the pieces of track in order, the sides it uses, and the markers on it. Junctions are resolved
here: each way through a junction is a segment of its own. Cities that other companies fill and off-board areas are
walked to and not through (rules section 9.1). What can be part of no route is pruned.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import networkx as nx

from solver.board import Board, StopId
from solver.solution import Track
from solver.tile import CITY, OFFBOARD, End, Tile
from solver.title import Border, border


class Segment(NamedTuple):
    """A run of track from stop ``a`` to stop ``b``; ``a < b``.

    ``sides``: what no two segments of a company may share, the borders crossed and, for track between two stops of
    one tile, (hex, path number). ``markers``: gauge-change markers crossed.
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
    """
    graph = nx.MultiGraph()
    todo = sorted(stop for stop, city in board.cities.items() if city.holds(company))
    found = set(todo)
    tokens = set(todo)
    blocked = {stop for stop, city in board.cities.items() if city.blocks(company)}
    for stop in todo:
        graph.add_node(stop, own=True, blocked=False)
    while todo:
        start = todo.pop()
        for segment in _segments(board, start):
            other = segment.b if segment.a == start else segment.a
            through = other.kind != OFFBOARD and other not in blocked
            if other not in found:
                found.add(other)
                graph.add_node(other, own=other in tokens, blocked=not through)
                if through:
                    todo.append(other)
            # A segment between two stops that are walked through is found from both; it is kept once.
            if start == segment.a or not through:
                graph.add_edge(segment.a, segment.b, segment=segment)
    _prune(graph, board.title.route_ends)
    return graph


def _segments(board: Board, start: StopId) -> Iterator[Segment]:
    """All segments that leave a stop, by a depth-first walk over track in which sides and junctions are met once."""
    hexes, markers = board.hexes, board.markers
    tile = hexes[start.hex].tile
    stack: list[tuple[str, End, tuple[Track, ...], tuple[Border | Track, ...], int, frozenset[tuple[str, int]]]] = []
    for number, end in tile.touching.get(_end(tile, start), ()):
        stack.append((start.hex, end, (Track(start.hex, number),), (), 0, frozenset()))
    while stack:
        at, end, track, sides, crossed, junctions = stack.pop()
        if end.kind == "stop":
            stop = hexes[at].tile.stops[end.number]
            other = StopId(at, stop.kind, stop.number)
            if other != start:
                sides = sides or (track[0],)
                if start < other:
                    yield Segment(start, other, track, sides, crossed)
                else:
                    yield Segment(other, start, track[::-1], sides, crossed)
            continue
        if end.kind == "edge":
            there = hexes[at].neighbors.get(end.number)
            if there is None:
                continue
            side = border(at, there)
            if side in sides:
                continue
            sides = (*sides, side)
            crossed += side in markers
            at, end = there, End("edge", (end.number + 3) % 6)
        elif (at, end.number) in junctions:
            continue
        else:
            junctions = junctions | {(at, end.number)}
        for number, onward in hexes[at].tile.touching.get(end, ()):
            step = Track(at, number)
            if step != track[-1]:
                stack.append((at, onward, (*track, step), sides, crossed, junctions))


def _end(tile: Tile, stop: StopId) -> End:
    return End("stop", tile.of_kind(stop.kind)[stop.number])


def _prune(graph: nx.MultiGraph, route_ends: frozenset[str]) -> None:
    """Remove what no route can use: parts without an own token, and blocks behind a stop with no end of a route.

    A route is a simple path between two stops that may be ends. A leaf of the block-cut tree is entered only through
    its cut vertex, so a leaf whose other stops may not be ends is on no route.
    """
    for component in list(nx.connected_components(graph)):
        if len(component) == 1 or not any(graph.nodes[s]["own"] for s in component):
            graph.remove_nodes_from(component)
    if route_ends >= {"city", "town", "offboard"}:
        return
    while True:
        cuts = set(nx.articulation_points(graph))
        dead: set[StopId] = set()
        for block in nx.biconnected_components(graph):
            inner = block - cuts
            if len(block & cuts) <= 1 and not any(s.kind in route_ends for s in inner):
                dead |= inner
        if not dead:
            break
        graph.remove_nodes_from(dead)
    graph.remove_nodes_from([s for s in graph if not graph.degree(s)])


__all__ = ["CITY", "Segment", "network"]
