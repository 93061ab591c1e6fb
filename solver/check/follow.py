"""Exact track followed over the board piece by piece: the stops, hexes, sides and markers of a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from trunkline.solver.board import CITY, Board, Border, End, Hex, Position, StopId, TileStop, Track, neighbor_id
from trunkline.solver.errors import Fault

Resource = Border | Track
"""What one company's routes may use once: a side between two hexes, or track inside a tile (9.1.1)."""

_SIDES = tuple(End("edge", side) for side in range(6))


@dataclass(slots=True)
class Run:
    """A run followed over the board piece by piece. ``used``: sides and inner track, as often as they are used.

    ``fields``: the field that each stop was given in, in the order of the run; empty if they were not given one by one.
    ``ends``: the numbers of the stops at terminal track, where the run has to end. ``broken``: some track does not
    join, so that nothing else can be said about the run.
    """

    fields: Sequence[str] = ()
    stops: list[StopId] = field(default_factory=list)
    printed: list[TileStop] = field(default_factory=list)
    own: list[bool] = field(default_factory=list)
    hexes: list[str] = field(default_factory=list)
    used: list[Resource] = field(default_factory=list)
    markers: int = 0
    ends: set[int] = field(default_factory=set)
    broken: bool = False
    faults: list[Fault] = field(default_factory=list)

    def arrive(self, position: Position, hx: Hex, end: End) -> None:
        """Enter the stop at ``end`` of the tile."""
        printed, stop = hx.tile.stops[end.number], hx.stops[end.number]
        self.stops.append(stop)
        self.printed.append(printed)
        self.own.append(printed.kind == CITY and position.board.cities[stop].holds(position.company))

    def cross(self, board: Board, a: str, b: str) -> None:
        """Go from one hex to the next."""
        side = (a, b) if a < b else (b, a)
        self.used.append(side)
        if side in board.markers:
            self.markers += 1
        self.hexes.append(b)

    def fault(self, message: str, stop: int | None = None) -> Fault:
        """A fault at the stop of this number, or of the whole run."""
        return Fault(self.fields[stop] if self.fields and stop is not None else "", message)


def follow_track(position: Position, track: Sequence[Sequence[Track]], fields: Sequence[str] = ()) -> Run:
    """Follow the segments of a run one after the other; a broken one is a fault, and the next starts afresh."""
    run = Run(fields)
    here: tuple[Hex, End] | None = None
    for number, segment in enumerate(track):
        if here is None:
            here = _start(position.board, track, number)
            if here is None:
                run.broken = True
                run.faults.append(run.fault(f"segment {number} of the track does not start at a stop"))
                continue
            run.arrive(position, *here)
            run.hexes.append(here[0].id)
        here = _segment(position.board, here, segment, number, run)
        if here is not None:
            run.arrive(position, *here)
    return run


def _start(board: Board, track: Sequence[Sequence[Track]], number: int) -> tuple[Hex, End] | None:
    """The stop where a segment starts, from its first piece; a piece between two stops runs towards the next one."""

    def ends(segment: Sequence[Track]) -> tuple[Hex, tuple[End, ...]] | None:
        hx = board.hexes.get(segment[0].hex) if segment else None
        if hx is None or segment[0].path not in range(len(hx.tile.paths)):
            return None
        return hx, hx.tile.paths[segment[0].path][:2]

    first = ends(track[number])
    if first is None:
        return None
    hx, (a, b) = first
    if a.kind == b.kind == "stop":
        after = ends(track[number + 1]) if number + 1 < len(track) else None
        turned = after is not None and after[0] is hx and a in after[1] and b not in after[1]
        return hx, b if turned else a
    return next(((hx, end) for end in (a, b) if end.kind == "stop"), None)


def shut(board: Board, name: str, side: int, other: str) -> bool:
    """Whether the tile of a hex, or of the ``other`` hex across that side, has an impassable border between them."""
    beyond = board.hexes.get(other)
    return side in board.hexes[name].tile.shut or (beyond is not None and (side + 3) % 6 in beyond.tile.shut)


def _segment(
    board: Board, start: tuple[Hex, End], segment: Sequence[Track], number: int, run: Run
) -> tuple[Hex, End] | None:
    """Follow one segment from a stop to the next; None, and a fault, where the track does not go on."""
    hx, end = start
    hexes, used, junctions = board.hexes, run.used, list[tuple[str, End]]()
    stop = len(run.stops) - 1

    def broken(text: str) -> tuple[Hex, End] | None:
        run.faults.append(run.fault(f"{text} (segment {number} of the track)", stop))
        run.broken = True
        return None

    for piece in segment:
        name, path_number = piece
        if end.kind == "edge" and hx.neighbors.get(end.number) == name and not shut(board, hx.id, end.number, name):
            run.cross(board, hx.id, name)
            hx, end = hexes[name], _SIDES[(end.number + 3) % 6]
        elif end.kind == "edge" or name != hx.id or (end.kind == "stop" and piece is not segment[0]):
            return broken(_why_no_entry(board, hx, end, piece, piece is segment[0]))
        paths = hx.tile.paths
        if not 0 <= path_number < len(paths) or end not in paths[path_number][:2] or paths[path_number].dead_end:
            return broken(_why_no_path(hx, path_number))
        a, b, terminal, stem = paths[path_number]
        end = b if a == end else a
        if stem >= 0 or (a.kind != "edge" and b.kind != "edge"):
            used.append(piece if stem < 0 else Track(name, stem))
        if terminal and piece is segment[0]:
            run.ends.add(stop)
        if terminal and end.kind == "stop":
            run.ends.add(stop + 1)
        if end.kind == "junction":
            if (name, end) in junctions:
                run.faults.append(run.fault(f"{name}: the junction is passed twice without a stop between", stop))
            junctions.append((name, end))
    if end.kind != "stop" or not segment:
        return broken(f"{hx.id}: the run does not end at a stop")
    return hx, end


def _why_no_entry(board: Board, hx: Hex, end: End, piece: Track, first: bool) -> str:
    """Why a run at an end of track on a hex does not come to the hex of this piece."""
    if end.kind == "edge":
        across = neighbor_id(hx.id, end.number, board.layout) == piece.hex
        if across and shut(board, hx.id, end.number, piece.hex):
            return f"{piece.hex}: no train crosses the impassable border from {hx.id}"
        return f"{piece.hex}: no track from {hx.id} leads there"
    if end.kind == "stop" and not first:
        return f"{hx.id}: the run passes a stop inside a segment"
    return f"{piece.hex}: the run is still inside {hx.id}"


def _why_no_path(hx: Hex, number: int) -> str:
    """Why a run that comes to a hex does not go on along the path of this number."""
    paths = hx.tile.paths
    if number not in range(len(paths)):
        return f"{hx.id}: there is no path {number} ({len(paths)} on the tile)"
    if paths[number].dead_end:
        return f"{hx.id}: a dead end, no train can run to it"
    return f"{hx.id}: path {number} does not join the track before it"
