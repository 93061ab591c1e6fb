"""The network of one company: a networkx multigraph of the stops it can reach and the segments between them.

Given a board and a company, :func:`build_network` walks the track from the company's tokens. A node is a stop (StopId);
an edge is a *segment*: track between two stops that passes no other stop. Its data: ``segment``, a :class:`Segment`
with the pieces of track in order, the sides it uses, and the markers on it. Junctions are resolved here: each way
through a junction is a segment of its own. Cities that other companies fill, off-board areas and stops with terminal
track are walked to and not through (rules section 9.1). What can be part of no route is pruned.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import is_, itemgetter
from typing import NamedTuple

import networkx as nx

from trunkline.solver.board import CITY, Board, Border, End, Hex, Passage, StopId, Track, as_end
from trunkline.solver.errors import Fault, PositionError

MAX_PIECES = 100_000
"""Pieces of track to walk at most. Boards of games need some thousands; in fields of junctions the ways never end."""
CHECKPOINT_PIECES = 1_000
"""After so many pieces the caller may look at the clock."""
BUNDLES, BUNDLE_VARIANTS, BUNDLE_HEXES, BUNDLE_CODE = 1024, 4, 16, 400
"""At most: first pieces of track to keep bundles of, bundles for each, hexes and segments of a bundle, and characters
of the notation of a tile."""


class Segment(NamedTuple):
    """Track from stop ``a`` to stop ``b`` that passes no other stop; ``a < b``.

    ``sides``: what no two segments of a company may share, the borders crossed and, for a piece of track that touches
    no side of its tile (between two stops, or a stop and a junction), (hex, path number).
    ``markers``: gauge-change markers crossed.
    """

    a: StopId
    b: StopId
    track: tuple[Track, ...]
    sides: tuple[Border | Track, ...]
    markers: int


_Adjacency = dict[StopId, dict[StopId, dict[int, dict[str, Segment]]]]
"""As networkx keeps it: for each stop, those next to it, and the numbered edges to each, the same both ways."""


def build_network(board: Board, company: str, checkpoint: Callable[[], None] = lambda: None) -> nx.MultiGraph:
    """The graph of all stops and segments that may be part of a route of the company.

    Linear in the number of segments.

    Parameters
    ----------
    board
        The board.
    company
        Whose tokens the track is walked from.
    checkpoint
        Called every few milliseconds; what it raises passes.

    Returns
    -------
    nx.MultiGraph
        Nodes are stops, with ``own`` (the company has a token there) and ``blocked`` (routes may only end there); edges
        have ``segment``. A stop that terminal track reaches beside other track is two nodes: itself, and ``as_end`` of
        it, where that track ends. Empty when the company has no token with track.

    Raises
    ------
    PositionError
        There are more ways through the junctions than can be looked at.
    """
    own = {StopId(t.hex, CITY, t.city) for t in board.tokens if t.company == company}
    own |= {end for stop in own if (end := as_end(stop)) in board.hexes[stop.hex].passages}
    adjacency, blocked = _walk(board, company, own, checkpoint)
    useful = _useful(adjacency, board.title.route_ends)
    for stop in [s for s in adjacency if s not in useful]:
        for other in adjacency.pop(stop):
            if other in adjacency:
                del adjacency[other][stop]
    graph = nx.MultiGraph()
    # The same as add_node and add_edge one by one, which would take as long as all the rest.
    graph._node.update({s: {"own": s in own, "blocked": blocked[s]} for s in adjacency})
    graph._adj.update(adjacency)
    return graph


def _walk(
    board: Board, company: str, own: set[StopId], checkpoint: Callable[[], None]
) -> tuple[_Adjacency, dict[StopId, bool]]:
    """All that the company reaches from its tokens, and for each stop whether routes may only end there."""
    hexes, cities, markers = board.hexes, board.cities, board.markers

    def blocks(stop: StopId) -> bool:
        city = cities.get(stop)
        return (city is not None and city.blocks(company)) or stop in hexes[stop.hex].last_stops

    todo = sorted(own)
    adjacency: _Adjacency = {stop: {} for stop in todo}
    blocked = {stop: blocks(stop) for stop in todo}
    walked: set[Track] = set()
    meter = _Meter(checkpoint)
    while todo:
        start = todo.pop()
        near = adjacency[start]
        for passage in hexes[start.hex].passages.get(start, ()):
            if passage.piece in walked:
                continue
            bundle = _known(hexes, start, passage) or _bundle(hexes, start, passage, meter)
            meter.add(bundle.pieces, start.hex)
            for other, back, segment in bundle.found:
                if other not in adjacency:
                    adjacency[other] = {}
                    blocked[other] = blocks(other)
                    if not blocked[other]:
                        todo.append(other)
                if bundle.alone:
                    walked.add(back)
                # A segment with forks on it may be found from both its stops; it is kept once.
                elif other < start and not (blocked[other] and other not in own):
                    continue
                if not markers.isdisjoint(segment.sides):
                    segment = segment._replace(markers=len(markers.intersection(segment.sides)))
                between = near.get(other)
                if between is None:
                    near[other] = adjacency[other][start] = {0: {"segment": segment}}
                else:
                    between[len(between)] = {"segment": segment}
    return adjacency, blocked


class _Meter:
    """Counts the pieces of track that were walked."""

    def __init__(self, checkpoint: Callable[[], None]) -> None:
        self._checkpoint, self._pieces, self._next = checkpoint, 0, CHECKPOINT_PIECES

    def add(self, pieces: int, at: str) -> None:
        """Count pieces, and look every now and then. Raises PositionError: they are too many."""
        self._pieces += pieces
        if self._pieces >= self._next:
            self.check(0, at)

    def check(self, more: int, at: str) -> None:
        """The same for pieces that will be counted later."""
        pieces = self._pieces + more
        if pieces >= self._next:
            if pieces > MAX_PIECES:
                text = f"{at}: too many ways lead through the junctions without a stop between"
                raise PositionError([Fault("tiles", text)])
            self._next = pieces + CHECKPOINT_PIECES
            self._checkpoint()


class _Bundle(NamedTuple):
    """The segments that begin at a stop with a given piece of track.

    ``found``: for each the stop at its other end, its last piece of track, and the segment, its markers not counted.
    ``alone``: no track forks from it in either direction, so that its last piece leads back to the same segment and to
    no other. ``pieces``: how many were walked to find the bundle. ``hexes``: all that it depends on; ``where`` takes
    these hexes from a board.
    """

    found: tuple[tuple[StopId, Track, Segment], ...]
    alone: bool
    pieces: int
    where: Callable[[Mapping[str, Hex]], tuple[Hex, ...]]
    hexes: tuple[Hex, ...]


_bundles: dict[tuple[StopId, Track], tuple[_Bundle, ...]] = {}
"""Bundles of the boards before, by stop and first piece of track: on the next board most tiles are the same."""


def _known(hexes: Mapping[str, Hex], start: StopId, passage: Passage) -> _Bundle | None:
    """The bundle that begins with a passage, if it was walked before and the same hexes lie there now."""
    for bundle in _bundles.get((start, passage.piece), ()):
        try:
            if all(map(is_, bundle.where(hexes), bundle.hexes)):
                return bundle
        except KeyError:
            continue
    return None


def _keep(start: StopId, passage: Passage, bundle: _Bundle) -> None:
    large = max(len(bundle.found), len(bundle.hexes)) > BUNDLE_HEXES
    if large or any(len(h.tile.code) > BUNDLE_CODE for h in bundle.hexes):
        return
    if len(_bundles) >= BUNDLES:
        _bundles.clear()
    key = (start, passage.piece)
    _bundles[key] = (bundle, *_bundles.get(key, ())[: BUNDLE_VARIANTS - 1])


def _bundle(hexes: Mapping[str, Hex], start: StopId, passage: Passage, meter: _Meter) -> _Bundle:
    """Walk all track that a passage leads to, depth first; each segment meets a side or junction at most once."""
    found: list[tuple[StopId, Track, Segment]] = []
    track: list[Track] = []
    sides: dict[Border | Track, None] = {}
    junctions: dict[tuple[str, End], None] = {}
    first, touched = passage, {start.hex: hexes[start.hex]}
    alone, pieces = True, 0
    # What is left to do: a passage, and how much of track, sides and junctions was there before it.
    stack = [(passage, 0, 0, 0)]
    while stack:
        passage, before, n, m = stack.pop()
        del track[before:]
        while len(sides) > n:
            sides.popitem()
        while len(junctions) > m:
            junctions.popitem()
        while True:
            piece, there, end, stop, side, inner, forks = passage
            track.append(piece)
            if inner is not None:
                if inner in sides:
                    stop = None
                    break
                sides[inner] = None
            if stop is not None:
                break
            touched[there] = hx = hexes[there]
            passages = hx.passages.get(end, ())
            if side is not None:
                if side in sides:
                    break
                sides[side] = None
                if forks:
                    alone = False
            else:
                if (there, end) in junctions:
                    break
                junctions[there, end] = None
                passages = tuple([w for w in passages if w.piece != piece])
            if not passages:
                break
            if len(passages) > 1:
                alone = False
                stack += [(w, len(track), len(sides), len(junctions)) for w in passages[1:]]
            passage = passages[0]
        pieces += len(track) - before
        meter.check(pieces, there)
        if stop is not None and stop != start and stop != as_end(start):
            if start < stop:
                segment = Segment(start, stop, tuple(track), tuple(sides), 0)
            else:
                segment = Segment(stop, start, tuple(track[::-1]), tuple(sides)[::-1], 0)
            found.append((stop, track[-1], segment))
    where = itemgetter(start.hex, *touched)
    bundle = _Bundle(tuple(found), alone, pieces, where, where(touched))
    _keep(start, first, bundle)
    return bundle


def _useful(near: _Adjacency, route_ends: frozenset[str]) -> set[StopId]:
    """The stops that a route can use: those on a simple path between two different stops that may be ends.

    With a node more that is next to every end, these are the stops on a cycle with that node, its blocks. They are
    found by the depth-first search of Hopcroft and Tarjan that begins there: ``low`` is the lowest number that is
    next to what was found from a stop; a stop is in the block of the one above it if something leads further up.
    """
    number: dict[StopId, int] = {}
    low: dict[StopId, int] = {}
    above: dict[StopId, StopId] = {}
    for root in near:
        if root in number or root.kind not in route_ends:
            continue
        number[root] = low[root] = len(number) + 1
        stack = [(root, iter(near[root]))]
        while stack:
            stop, others = stack[-1]
            for other in others:
                if other not in number:
                    number[other] = len(number) + 1
                    low[other] = 0 if other.kind in route_ends else number[other]
                    above[other] = stop
                    stack.append((other, iter(near[other])))
                    break
                low[stop] = min(low[stop], number[other])
            else:
                stack.pop()
                if stop in above:
                    low[above[stop]] = min(low[above[stop]], low[stop])
    useful = {root for root in number if root not in above}
    for stop, up in above.items():
        if up in useful and low[stop] < number[up]:
            useful.add(stop)
    return {stop for stop in useful if stop in above} | {above[stop] for stop in useful if stop in above}
