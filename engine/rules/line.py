"""The line of yellow tiles of a turn (rules section 8.1): where it may go on.

The line is a walk: from a token of the company through the tiles of this turn in the order in which they were laid, and
on into the next tile. Before, between and after them it may use track that lies already and pass cities that others do
not fill. It passes no stop and no side of a hex twice, so that it never turns back into itself.

A place on a walk is (hex, end): the walk goes on by track of that hex which begins at that end.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from trunkline.engine.box.box import TITLE
from trunkline.engine.rules.grid import Grid, Side, city_of_stop, grid, links, opposite
from trunkline.engine.state import State, kept_with_map
from trunkline.solver.board import CITY, End

Place = tuple[str, End]


@kept_with_map
def exits(state: State, company: str, line: tuple[str, ...], ends: tuple[Side, ...]) -> frozenset[Side]:
    """The sides at which the line arrives before a hex without a tile.

    Parameters
    ----------
    line
        The hexes of the tiles laid in this turn, in order.
    ends
        Sides (hex, side) by which the line can leave the last of them.

    Returns
    -------
    frozenset of (hex, side)
        Each as a side out of a hex that has track to it.
    """
    here = grid(state)
    tokens = frozenset(
        (t.hex, End("stop", here.tiles[t.hex].of_kind(CITY)[t.city])) for t in state.companies[company].tokens
    )
    track = _Track(here, company)
    before_blank = {
        (hex_, side)
        for hex_, side in track.ahead(ends)
        if (other := TITLE.hexes[hex_].neighbors.get(side)) is not None
        and other not in state.tiles
        and TITLE.hexes[other].tile.color == "white"
    }
    # Most follow from one walk to the end of the line; a flow rules out most others; the rest is searched for.
    found = _on_from_one_walk(track, tokens, line, ends, before_blank)
    for hex_, side in before_blank - found:
        start = (hex_, End("edge", side))
        if track.parts(line[-1], tokens, _vertex(start)) and _walk_back(track, tokens, start, {_vertex(start)}, line):
            found.add((hex_, side))
    return frozenset(found)


def _on_from_one_walk(
    track: _Track, tokens: frozenset[Place], line: tuple[str, ...], ends: tuple[Side, ...], wanted: set[Side]
) -> set[Side]:
    """Those of the wanted sides to which the line goes on by the first walk found for each of its ends."""
    found = set()
    for hex_, side in ends:
        end = (hex_, End("edge", side))
        passed = {_vertex(end)}
        if not _walk_back(track, tokens, end, passed, line):
            continue
        if (hex_, side) in wanted:
            found.add((hex_, side))
        for start, _ in track.over(end):
            before = track.flood(start, passed)
            for place in before:
                sides = {(h, e.number) for h, e in track.reached(place) if e.kind == "edge"} & wanted - found
                found.update(x for x in sides if _simple(before, place, (x[0], End("edge", x[1])), passed))
    return found


@dataclass(slots=True)
class _Track:
    """The track that a company can use, as steps from place to place; worked out where a walk comes along."""

    here: Grid
    company: str
    known: dict[Place, tuple[tuple[Place, Place], ...]] = field(default_factory=dict)
    _parted: set[Place] | None = None

    def steps(self, place: Place) -> tuple[tuple[Place, Place], ...]:
        """The places after one piece of track, over the side at its end into the next hex; each with its vertex."""
        found = self.known.get(place)
        if found is None:
            found = self.known[place] = tuple((after, _vertex(after)) for after in self._after(place))
        return found

    def _after(self, place: Place) -> Iterator[Place]:
        for hex_, end in self.reached(place):
            if end.kind != "edge":
                yield hex_, end
            elif across := self._across(hex_, end.number):
                yield across

    def reached(self, place: Place) -> Iterator[Place]:
        """The ends of the hex that its track leads to; none from a city that the company cannot pass."""
        hex_, end = place
        tile = self.here.tiles[hex_]
        if end.kind == "stop":
            city = city_of_stop(tile, end.number)
            if city >= 0 and self.here.blocks(self.company, hex_, city):
                return
        for _, far in links(tile).at.get(end, ()):
            yield hex_, far

    def _across(self, hex_: str, side: int) -> Place | None:
        other = TITLE.hexes[hex_].neighbors.get(side)
        if other is None:
            return None
        across = End("edge", opposite(side))
        return (other, across) if across in links(self.here.tiles[other]).at else None

    def ahead(self, ends: tuple[Side, ...]) -> set[Side]:
        """Every side out of a hex that track leads to from the ends; more than the line may reach."""
        found = set(ends)
        starts = [place for hex_, side in ends if (place := self._across(hex_, side))]
        seen, todo = set(starts), deque(starts)
        while todo:
            place = todo.popleft()
            found.update((hex_, end.number) for hex_, end in self.reached(place) if end.kind == "edge")
            for after, _ in self.steps(place):
                if after not in seen:
                    seen.add(after)
                    todo.append(after)
        return found

    def over(self, place: Place) -> tuple[tuple[Place, Place], ...]:
        """The place on the other side of a side of a hex, if there is track."""
        across = self._across(place[0], place[1].number)
        return ((across, _vertex(across)),) if across else ()

    def flood(self, start: Place, passed: set[Place]) -> Mapping[Place, Place]:
        """The places that can be reached from ``start`` without what was passed, each with the place before it."""
        before = {start: start}
        todo = deque([start])
        while todo:
            place = todo.popleft()
            for after, vertex in self.steps(place):
                if after not in before and vertex not in passed:
                    before[after] = place
                    todo.append(after)
        return before

    def parts(self, last: str, tokens: frozenset[Place], goal: Place) -> bool:
        """Whether two ways part from the tile ``last``, one to a token and one to ``goal``, that share no vertex.

        A flow of two in a graph of vertices, each passed once: what it forbids, no walk can do. It knows nothing of the
        other tiles of the line, nor that a walk does not turn round.
        """
        if any(hex_ == last for hex_, _ in tokens):
            return True
        if self._parted is None:
            self._parted = self._flow(last, {_vertex(t) for t in tokens})
        return goal in self._parted

    def _flow(self, last: str, tokens: set[Place]) -> set[Place]:
        """The vertices that a second way from ``last`` reaches once a first one leads to a token."""
        sources = [(last, End("edge", side)) for side in self.here.tiles[last].exits]
        graph: dict[Place, set[Place]] = {_vertex(s): set() for s in sources}
        todo = deque([*sources, *(p for s in sources for p, _ in self.over(s))])
        seen = set(todo)
        while todo:
            place = todo.popleft()
            at = graph.setdefault(_vertex(place), set())
            for hex_, end in self.reached(place):
                side = _vertex((hex_, end))
                at.add(side)
                graph.setdefault(side, set())
            for after, _ in self.steps(place):
                if after not in seen:
                    seen.add(after)
                    todo.append(after)
        first = _first_way(graph, [_vertex(s) for s in sources], tokens)
        return _second_ways(graph, [_vertex(s) for s in sources], tokens, first)


def _first_way(graph: Mapping[Place, set[Place]], sources: list[Place], tokens: set[Place]) -> list[Place]:
    before: dict[Place, Place | None] = dict.fromkeys(sources)
    todo = deque(sources)
    while todo:
        at = todo.popleft()
        if at in tokens:
            way = [at]
            while (earlier := before[way[-1]]) is not None:
                way.append(earlier)
            return way[::-1]
        for after in graph[at]:
            if after not in before:
                before[after] = at
                todo.append(after)
    return []


def _second_ways(
    graph: Mapping[Place, set[Place]], sources: list[Place], tokens: set[Place], first: list[Place]
) -> set[Place]:
    """The vertices reached in the residual graph of the first way; each vertex is split into its entry and its exit."""
    if not first:
        return set()
    earlier = dict(zip(first[1:], first, strict=False))
    on_first = set(first)
    start = [(v, True) for v in sources if v != first[0]]
    seen = set(start)
    todo = deque(start)

    def after(vertex: Place, entry: bool) -> Iterator[tuple[Place, bool]]:
        if entry:
            if vertex not in on_first:
                yield vertex, False
            elif vertex in earlier:
                yield earlier[vertex], False
            return
        yield from ((other, True) for other in graph[vertex])
        if vertex in on_first:
            yield vertex, True
        elif vertex in tokens:
            yield first[-1], False

    while todo:
        for step in after(*todo.popleft()):
            if step not in seen:
                seen.add(step)
                todo.append(step)
    return {vertex for vertex, entry in seen if entry}


def _vertex(place: Place) -> Place:
    """What a walk may pass once: a stop or junction, or a side, which is the same seen from either hex."""
    hex_, end = place
    if end.kind == "edge" and (other := TITLE.hexes[hex_].neighbors.get(end.number)) is not None and other < hex_:
        return other, End("edge", opposite(end.number))
    return place


def _walk_back(
    track: _Track, tokens: frozenset[Place], place: Place, passed: set[Place], left: tuple[str, ...]
) -> bool:
    """Whether a walk goes back from a place through the tiles ``left``, the last one first, to one of the tokens.

    ``passed``: the vertices passed already, the one of the place among them; those of the walk are added when there is
    one. A search in depth. What cannot be reached any more, were each vertex allowed as often as one likes, cuts it
    off; once all tiles are passed, the shortest walk to a token is tried first.
    """
    if left and place[0] == left[-1]:
        left = left[:-1]
    before = track.flood(place, passed)
    reached = [t for t in tokens if t in before]
    if not reached or (left and not set(left) <= {hex_ for hex_, _ in before}):
        return False
    if not left:
        for token in reached:
            if vertices := _simple(before, token):
                passed.update(vertices)
                return True
    for after, vertex in track.steps(place):
        if vertex not in passed:
            passed.add(vertex)
            if _walk_back(track, tokens, after, passed, left):
                return True
            passed.discard(vertex)
    return False


def _simple(
    before: Mapping[Place, Place], place: Place, beyond: Place | None = None, passed: set[Place] | None = None
) -> set[Place]:
    """The vertices of the walk that was found to a place, and one step ``beyond``; empty if it passes one twice."""
    vertices = [_vertex(beyond)] if beyond else []
    vertices.append(_vertex(place))
    start = place
    while before[start] != start:
        start = before[start]
        vertices.append(_vertex(start))
    if beyond and passed and vertices[0] in passed:
        return set()
    return set(vertices) if len(set(vertices)) == len(vertices) else set()
