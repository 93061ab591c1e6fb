"""Waypoints of a drawn route as track: all *legs*, the ways from one named stop to the next one that is named.

Given a board and waypoints (hex ids or stops in the order of the run: every hex, or the hexes with stops). Between two
waypoints the run passes no stop of a hex that is not named there. It shares no code with the search.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from trunkline.solver.board import CITY, OFFBOARD, STOP_KINDS, Board, End, StopId, Track
from trunkline.solver.check.follow import Resource, shut
from trunkline.solver.errors import Cancelled, Fault, TrunklineError

MAX_WAYPOINTS = 1000

MAX_STEPS = 300_000
"""Steps of track looked at for all the routes drawn, before they are refused as too complex: about a second."""

LOOK_STEPS = 1000
"""How many steps are made between two questions whether to stop."""

State = tuple[StopId, int]
"""A stop that the run is at, and the number of its waypoint."""


class TooComplex(TrunklineError):
    """There are too many ways to read the waypoints."""


@dataclass(slots=True)
class Work:
    """How much may still be looked at; ``at`` is the field of the route that is being read.

    ``cancelled`` is asked every few milliseconds whether to stop.
    """

    left: int = MAX_STEPS
    at: str = "routes"
    cancelled: Callable[[], bool] | None = None
    _next_look: int = MAX_STEPS

    def count(self, steps: int) -> None:
        """Count steps, also beyond what is left. Raises Cancelled."""
        self.left -= steps
        if self.left <= self._next_look:
            self._next_look = self.left - LOOK_STEPS
            if self.cancelled is not None and self.cancelled():
                raise Cancelled("the evaluation was cancelled")

    def spend(self, steps: int = 1) -> None:
        """Count steps. Raises TooComplex: none are left; Cancelled."""
        self.count(steps)
        if self.left < 0:
            raise TooComplex(self.at)


class Leg(NamedTuple):
    """Track to the next stop. ``place``: the number of its waypoint; ``twins``: tracks that are worth the same."""

    track: tuple[Track, ...]
    stop: StopId
    place: int
    used: frozenset[Resource]
    markers: int
    twins: tuple[tuple[Track, ...], ...] = ()


@dataclass(slots=True)
class Drawing:
    """All legs that waypoints allow, or what is wrong with the waypoints."""

    starts: tuple[State, ...] = ()
    legs: dict[State, tuple[Leg, ...]] = field(default_factory=dict)
    last: int = 0
    passable: frozenset[StopId] = frozenset()
    faults: list[Fault] = field(default_factory=list)


def read(board: Board, company: str, waypoints: Sequence[str | StopId], work: Work) -> Drawing:
    """Find all legs from the first waypoint to the last.

    Raises TooComplex: that is more than ``work`` allows.
    """
    drawing = Drawing(last=len(waypoints) - 1)
    if len(waypoints) > MAX_WAYPOINTS:
        drawing.faults.append(Fault("waypoints", f"{len(waypoints)} waypoints; at most {MAX_WAYPOINTS}"))
        return drawing
    drawing.faults += [Fault(f"waypoints[{j}]", text) for j, text in _misnamed(board, waypoints)]
    if not drawing.faults:
        _Reader(board, waypoints, work, drawing).read()
        drawing.passable = frozenset(s for s, _ in drawing.legs if _passable(board, company, s))
    return drawing


def _passable(board: Board, company: str, stop: StopId) -> bool:
    return stop.kind != OFFBOARD and not (stop.kind == CITY and board.cities[stop].blocks(company))


def _misnamed(board: Board, waypoints: Sequence[str | StopId]) -> Iterator[tuple[int | None, str]]:
    """The waypoints that are not on the board or that no run can come to, by number, with the reason."""
    for j, waypoint in enumerate(waypoints):
        if not isinstance(waypoint, (str, StopId)):
            yield j, f"{waypoint!r} is neither a hex id nor a stop"
            continue
        name = _hex(waypoint)
        hx = board.hexes.get(name)
        if hx is None:
            yield j, f"there is no hex {name!r}" if len(name) < 20 else "this is not the id of a hex"
        elif not hx.tile.paths:
            yield j, f"{name}: there is no track"
        elif all(p.dead_end for p in hx.tile.paths):
            yield j, f"{name}: a dead end, no train can run to it"
        elif isinstance(waypoint, StopId):
            if waypoint.kind not in STOP_KINDS:
                yield j, f"{name}: unknown kind of stop {waypoint.kind!r}; known: {', '.join(STOP_KINDS)}"
            elif waypoint.number not in range(n := len(hx.tile.of_kind(waypoint.kind))):
                yield j, f"{name}: there is no {waypoint.kind} {waypoint.number} (the tile has {n}, the first is 0)"
        elif not hx.tile.stops and j in (0, len(waypoints) - 1):
            yield j, f"{name}: a route starts and ends at a stop, and the tile has none"
    if len(waypoints) == 1:
        yield 0, f"{_hex(waypoints[0])}: a route needs at least two stops"


def _hex(waypoint: str | StopId) -> str:
    return waypoint if isinstance(waypoint, str) else waypoint.hex


class _Head(NamedTuple):
    """A leg that is being followed: it has come to ``end`` of the tile on ``hex``, before the track that goes on.

    ``place``: the last waypoint the run has come to; ``names``: the waypoints one of which may name a stop here.
    """

    hex: str
    end: End
    place: int
    names: tuple[int, ...]
    track: tuple[Track, ...] = ()
    used: frozenset[Resource] = frozenset()
    junctions: frozenset[tuple[str, End]] = frozenset()
    markers: int = 0


class _Reader:
    """Finds the legs of one drawing."""

    def __init__(self, board: Board, waypoints: Sequence[str | StopId], work: Work, drawing: Drawing) -> None:
        self.board, self.waypoints, self.work, self.drawing = board, waypoints, work, drawing
        self.last = len(waypoints) - 1
        self.furthest = 0
        self.reach: dict[str, frozenset[tuple[str, int]]] = {}
        self.through: dict[tuple[str, int], tuple[int, ...]] = {}
        self.exits: dict[str, frozenset[int]] = {}
        hexes = [_hex(w) for w in waypoints]
        near = all(a == b or b in board.hexes[a].neighbors.values() for a, b in pairwise(hexes))
        # If each waypoint is beside the one before it, and one has no stops, the waypoints are every hex of the run.
        self.every_hex = near and not all(board.hexes[h].tile.stops for h in hexes)

    def read(self) -> None:
        """Fill the drawing with all legs that lead to the last waypoint; or with a fault for each gap."""
        start = 0
        while True:
            starts = tuple((s, start) for s in self._stops(start))
            if start == 0:
                self.drawing.starts = starts
            self.furthest = start
            self._spread(starts)
            if any(place == self.last for _, place in self.drawing.legs):
                break
            gap = self.furthest
            self.drawing.faults.append(Fault(f"waypoints[{gap + 1}]", self._gap(gap)))
            start = next((j for j in range(gap + 1, self.last) if self._stops(j)), self.last)
            if start == self.last:
                break
        if not self.drawing.faults:
            self._keep_legs_that_arrive()

    def _stops(self, place: int) -> list[StopId]:
        waypoint = self.waypoints[place]
        if isinstance(waypoint, StopId):
            return [waypoint]
        return [StopId(waypoint, s.kind, s.number) for s in self.board.hexes[waypoint].tile.stops]

    def _spread(self, starts: Iterable[State]) -> None:
        """Find the legs from these stops and from every stop they lead to."""
        legs, todo = self.drawing.legs, deque(starts)
        while todo:
            state = todo.popleft()
            if state not in legs:
                legs[state] = self._legs(*state)
                todo.extend((leg.stop, leg.place) for leg in legs[state])

    def _gap(self, place: int) -> str:
        """Why the run does not come from a waypoint to the next one."""
        a, b = self.waypoints[place], self.waypoints[place + 1]
        text = f"{_hex(b)}: no track from {a} to {b}"
        if not self.every_hex:
            text += " that passes no other stop"
        others = [s for s in self._stops(place) if (s, place) not in self.drawing.legs]
        if any(self._legs(s, place) for s in others):
            text += f"; from {others[0] if len(others) == 1 else 'another stop of ' + _hex(a)} there is"
        return text

    def _keep_legs_that_arrive(self) -> None:
        """Keep the legs from which the last waypoint can be reached."""
        legs = self.drawing.legs
        before: dict[State, list[State]] = {}
        for state, onward in legs.items():
            for leg in onward:
                before.setdefault((leg.stop, leg.place), []).append(state)
        good = {s for s in legs if s[1] == self.last}
        todo = list(good)
        while todo:
            for state in before.get(todo.pop(), ()):
                if state not in good:
                    good.add(state)
                    todo.append(state)
        self.drawing.starts = tuple(s for s in self.drawing.starts if s in good)
        self.drawing.legs = {
            s: tuple(leg for leg in onward if (leg.stop, leg.place) in good) for s, onward in legs.items() if s in good
        }

    def _legs(self, stop: StopId, place: int) -> tuple[Leg, ...]:
        """Every leg from a stop, shortest first."""
        tile = self.board.hexes[stop.hex].tile
        number = next(i for i, s in enumerate(tile.stops) if (s.kind, s.number) == (stop.kind, stop.number))
        legs: dict[tuple[tuple[Track, ...], int], Leg] = {}
        todo = [_Head(stop.hex, End("stop", number), place, (place, place + 1))]
        while todo:
            head = todo.pop()
            for onward in self._steps(head):
                if isinstance(onward, Leg):
                    legs.setdefault((onward.track, onward.place), onward)
                else:
                    todo.append(onward)
        return tuple(sorted(legs.values(), key=lambda leg: (len(leg.track), leg)))

    def _steps(self, head: _Head) -> Iterator[_Head | Leg]:
        """Go on by one piece of track in every way there is."""
        tile = self.board.hexes[head.hex].tile
        for number, path in enumerate(tile.paths):
            self.work.spend()
            a, b, _, stem = path
            piece = Track(head.hex, number)
            if path.dead_end or (a != head.end and b != head.end) or (head.track and head.track[-1] == piece):
                continue
            end, used = b if a == head.end else a, head.used
            within = a.kind != "edge" and b.kind != "edge"
            inside = Track(head.hex, stem) if stem >= 0 else piece if within else None
            if inside is not None:
                if inside in used:
                    continue
                used |= {inside}
            after = head._replace(end=end, track=(*head.track, piece), used=used)
            if end.kind == "stop":
                yield from self._arrivals(after)
            elif end.kind == "edge":
                yield from self._crossings(after)
            elif (head.hex, end) not in head.junctions:
                yield after._replace(junctions=head.junctions | {(head.hex, end)})

    def _arrivals(self, head: _Head) -> Iterator[Leg]:
        """The leg that ends at this stop, if a waypoint names it."""
        printed = self.board.hexes[head.hex].tile.stops[head.end.number]
        stop = StopId(head.hex, printed.kind, printed.number)
        for place in head.names:
            if place <= self.last and self.waypoints[place] in (stop, stop.hex):
                self.furthest = max(self.furthest, place)
                yield Leg(head.track, stop, place, head.used, head.markers)

    def _crossings(self, head: _Head) -> Iterator[_Head]:
        """Cross to the next hex, if the next waypoint can be reached from there."""
        crossing = self._cross(head.hex, head.end.number)
        if crossing is None or head.place == self.last:
            return
        name, side = crossing
        border = (name, head.hex) if name < head.hex else (head.hex, name)
        if border in head.used:
            return
        self.furthest = max(self.furthest, head.place)
        stops = self.board.hexes[name].tile.stops
        markers = head.markers + (border in self.board.markers)
        for place in self._places(name, head.place, bool(stops)):
            named = place > head.place
            if not stops:
                self.furthest = max(self.furthest, place)
            ahead = place < self.last and crossing in self._reach(_hex(self.waypoints[place + 1]))
            if ahead or (named and stops):
                names = (place,) if named else (place + 1,)
                used = head.used | {border}
                yield _Head(name, End("edge", side), place, names, head.track, used, head.junctions, markers)

    def _places(self, name: str, place: int, has_stops: bool) -> tuple[int, ...]:
        """Which waypoint a run may have come to when it enters a hex: the next one, or still the same."""
        waypoint = self.waypoints[place + 1]
        if waypoint == name:
            # A hex with a stop may be passed here beside its stop, and be visited later.
            return (place + 1, place) if has_stops and not self.every_hex else (place + 1,)
        return () if self.every_hex and _hex(waypoint) != name else (place,)

    def _cross(self, name: str, side: int) -> tuple[str, int] | None:
        """The hex across a side and the side by which it is entered; None if its track does not meet."""
        other, opposite = self.board.hexes[name].neighbors.get(side), (side + 3) % 6
        if other is None or shut(self.board, name, side, other):
            return None
        if other not in self.exits:
            self.exits[other] = self.board.hexes[other].tile.exits
        return (other, opposite) if opposite in self.exits[other] else None

    def _reach(self, target: str) -> frozenset[tuple[str, int]]:
        """The hex and side of every entry from which a run may come to ``target`` without a stop on the way."""
        if target not in self.reach:
            todo = [c for s in self.board.hexes[target].tile.exits if (c := self._cross(target, s))]
            seen = set(todo)
            while todo:
                name, side = todo.pop()
                for out in self._through(name, side):
                    crossing = self._cross(name, out)
                    if crossing and crossing not in seen:
                        seen.add(crossing)
                        todo.append(crossing)
            # Found from the target outwards; a run towards it makes the same crossings the other way.
            hexes = self.board.hexes
            self.reach[target] = frozenset((hexes[name].neighbors[side], (side + 3) % 6) for name, side in seen)
        return self.reach[target]

    def _through(self, name: str, side: int) -> tuple[int, ...]:
        """The sides by which a run that enters a hex by ``side`` may leave it without a stop."""
        if (name, side) not in self.through:
            ends, todo = {End("edge", side)}, [End("edge", side)]
            while todo:
                end = todo.pop()
                for a, b, terminal, _ in self.board.hexes[name].tile.paths:
                    self.work.spend()
                    other = b if a == end else a if b == end else None
                    if other is not None and other not in ends and other.kind != "stop" and not terminal:
                        ends.add(other)
                        if other.kind == "junction":
                            todo.append(other)
            self.through[name, side] = tuple(sorted(e.number for e in ends if e.kind == "edge" and e.number != side))
        return self.through[name, side]
