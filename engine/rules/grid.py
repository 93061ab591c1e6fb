"""The map as the engine needs it for laying track: tiles, slots, and how far a company's track reaches.

Works on hex sides: a company reaches a *side* (hex, side) when its track leads out of the hex there. What is worked
out is kept until the map changes. Rules sections 8.1 to 8.3.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from trunkline.engine.box.box import TITLE
from trunkline.engine.state import State, kept_with_map
from trunkline.solver.board import ANY_CITY, CITY, End, Tile

Side = tuple[str, int]
City = tuple[str, int]


def opposite(side: int) -> int:
    """The same side seen from the neighbour."""
    return (side + 3) % 6


@dataclass(frozen=True, slots=True)
class Links:
    """The track of one tile: for each end the pieces of track at it, as (number of the path, other end)."""

    tile: Tile
    at: Mapping[End, tuple[tuple[int, End], ...]]
    cities: tuple[int, ...]

    def exits_of_city(self, city: int) -> frozenset[int]:
        """The sides that the ``city``-th city of the tile leads to, by track of its own."""
        stop = End("stop", self.tile.of_kind(CITY)[city])
        return frozenset(e.number for _, e in self.at.get(stop, ()) if e.kind == "edge")


_links: dict[tuple[str, int], Links] = {}  # one entry for each tile of the title and rotation at most


def links(tile: Tile) -> Links:
    """The track of a tile of this title, worked out once."""
    key = (tile.name, tile.rotation)
    if key not in _links:
        at: dict[End, list[tuple[int, End]]] = {}
        for i, path in enumerate(tile.paths):
            at.setdefault(path.a, []).append((i, path.b))
            at.setdefault(path.b, []).append((i, path.a))
        _links[key] = Links(tile, {end: tuple(v) for end, v in at.items()}, tile.of_kind(CITY))
    return _links[key]


def city_of_stop(tile: Tile, stop: int) -> int:
    """The number among the cities of a stop; -1 for a town."""
    found = tile.stops[stop]
    return found.number if found.kind == CITY else -1


@dataclass(frozen=True, slots=True)
class Grid:
    """What lies on the map. ``tiles``: by hex, printed ones too; ``tokens``: by city, each as (company, slot)."""

    tiles: Mapping[str, Tile]
    tokens: Mapping[City, Sequence[tuple[str, int]]]

    def slots(self, hex_: str, city: int) -> int:
        """How many slots a city has."""
        tile = self.tiles[hex_]
        return tile.stops[links(tile).cities[city]].slots

    def free(self, hex_: str, city: int) -> list[int]:
        """The free slots of a city, reserved or not."""
        taken = {slot for _, slot in self.tokens.get((hex_, city), ())}
        return [s for s in range(self.slots(hex_, city)) if s not in taken]

    def holds(self, company: str, hex_: str, city: int) -> bool:
        """Whether a company has a token in a city, in or beside a slot."""
        return any(name == company for name, _ in self.tokens.get((hex_, city), ()))

    def blocks(self, company: str, hex_: str, city: int) -> bool:
        """Whether all slots are taken by others, so that the company cannot pass (9.1.3)."""
        return not self.holds(company, hex_, city) and not self.free(hex_, city)


@kept_with_map
def grid(state: State) -> Grid:
    """The map of a state."""
    tiles = {h: hx.tile for h, hx in TITLE.hexes.items()}
    for h, (name, rotation) in state.tiles.items():
        tiles[h] = TITLE.tiles[name].tile.rotated(rotation)
    tokens: dict[City, list[tuple[str, int]]] = {}
    for company, c in state.companies.items():
        for t in c.tokens:
            tokens.setdefault((t.hex, t.city), []).append((company, t.slot))
    return Grid(tiles, tokens)


def cities(tile: Tile) -> range:
    """The numbers of the cities of a tile."""
    return range(len(links(tile).cities))


def open_slots(state: State, hex_: str, city: int, company: str = "") -> list[int]:
    """The slots of a city that a company may take: free ones less those reserved for homes of others (8.3)."""
    here = grid(state)
    free = here.free(hex_, city)
    others = [r for name, r in state.reserved.items() if name != company and r[0] == hex_]
    kept = sum(r[1] == city for r in others)
    anywhere = sum(r[1] == ANY_CITY for r in others)
    if anywhere:
        elsewhere = sum(len(here.free(hex_, c)) for c in cities(here.tiles[hex_]) if c != city)
        kept += max(0, anywhere - elsewhere)
    return free[: max(0, len(free) - kept)]


@dataclass(frozen=True, slots=True)
class Reach:
    """What a company's track reaches: sides it leads out of, pieces of track, stops (hex, number), cities, hexes."""

    sides: frozenset[Side]
    track: frozenset[tuple[str, int]]
    stops: frozenset[tuple[str, int]]
    cities: frozenset[City]
    hexes: frozenset[str]


@kept_with_map
def reach(state: State, company: str) -> Reach:
    """All that is connected with the company's tokens, not through cities that others fill (8.1, 8.3)."""
    return _reach(grid(state), company, [(t.hex, t.city) for t in state.companies[company].tokens])


def _reach(here: Grid, company: str, tokens: Iterable[City]) -> Reach:
    sides: set[Side] = set()
    track: set[tuple[str, int]] = set()
    found: set[City] = set(tokens)
    seen: set[tuple[str, End]] = set()
    todo: deque[tuple[str, End]] = deque()
    for hex_, city in found:
        todo.append((hex_, End("stop", here.tiles[hex_].of_kind(CITY)[city])))
    seen.update(todo)
    while todo:
        hex_, end = todo.popleft()
        tile = here.tiles[hex_]
        if end.kind == "stop":
            city = city_of_stop(tile, end.number)
            if city >= 0:
                found.add((hex_, city))
                if here.blocks(company, hex_, city):
                    continue
        if end.kind == "edge":
            sides.add((hex_, end.number))
            other = TITLE.hexes[hex_].neighbors.get(end.number)
            across = End("edge", opposite(end.number))
            if other is not None and across in links(here.tiles[other]).at and (other, across) not in seen:
                seen.add((other, across))
                sides.add((other, across.number))
                todo.append((other, across))
        for path, far in links(tile).at.get(end, ()):
            track.add((hex_, path))
            if (hex_, far) not in seen:
                seen.add((hex_, far))
                todo.append((hex_, far))
    hexes = {h for h, _ in track} | {h for h, _ in found}
    hexes |= {n for h, s in sides if (n := TITLE.hexes[h].neighbors.get(s)) is not None}
    stops = frozenset((h, end.number) for h, end in seen if end.kind == "stop")
    return Reach(frozenset(sides), frozenset(track), stops, frozenset(found), frozenset(hexes))


@kept_with_map
def has_route(state: State, company: str) -> bool:
    """Whether track leads from a token of the company to another stop, so that a train could run."""
    tokens = [(t.hex, t.city) for t in state.companies[company].tokens]
    return any(len(_reach(grid(state), company, [token]).stops) > 1 for token in tokens)


def arrivals(state: State, company: str, hex_: str) -> frozenset[int]:
    """The sides of a hex at which the company's track arrives from the neighbour."""
    sides = reach(state, company).sides
    return frozenset(s for s, n in TITLE.hexes[hex_].neighbors.items() if (n, opposite(s)) in sides)


def through(tile: Tile, starts: Iterable[End], blocked: frozenset[int]) -> tuple[frozenset[int], frozenset[int]]:
    """From some ends of a tile: the pieces of track reached, and the sides reached by them (not the starts).

    ``blocked``: cities that cannot be passed.
    """
    track: set[int] = set()
    out: set[int] = set()
    starts = list(starts)
    for start in starts:
        seen = {start}
        todo = [start]
        while todo:
            end = todo.pop()
            if end.kind == "stop" and end != start and city_of_stop(tile, end.number) in blocked:
                continue
            for path, far in links(tile).at.get(end, ()):
                track.add(path)
                if far not in seen:
                    seen.add(far)
                    if far.kind == "edge":
                        out.add(far.number)
                    else:
                        todo.append(far)
    return frozenset(track), frozenset(out)


def map_city(old: Tile, new: Tile, city: int) -> int:
    """The city of an upgraded tile that a city of the old tile becomes: the one with its track, else the other."""
    count = len(new.of_kind(CITY))
    if count == 1 or not old.of_kind(CITY):
        return 0
    of_new = [links(new).exits_of_city(c) for c in range(count)]
    mine = links(old).exits_of_city(city)
    for c, exits in enumerate(of_new):
        if mine and mine <= exits:
            return c
    taken = {
        c
        for other in cities(old)
        if other != city and (e := links(old).exits_of_city(other))
        for c, exits in enumerate(of_new)
        if e <= exits
    }
    left = [c for c in range(count) if c not in taken]
    return city if city in left or not left else left[0]
