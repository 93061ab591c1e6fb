"""What a board shows besides tiles and tokens: terrain, borders, joined areas, stubs, and slots kept for homes.

Given a board, it gives where these lie. On the map of a title they come from its files; on a board that is sent whole
from the parts of the notation of 18xx.games that only decorate a tile: ``upgrade=cost:80,terrain:water|mountain``,
``border=edge:0,type:province,cost:40`` (without a type: the two hexes are one area), ``icon=image:port``,
``stub=edge:0``. What cannot be read of them is not drawn: it means nothing for routes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from trunkline.solver.board import ANY_CITY, CITY, IMPASSABLE, Board, Border, Hex, StopId, Tile, border, neighbor_id
from trunkline.solver.draw.svg import clean
from trunkline.solver.errors import Fault, PositionError

RIVER, PROVINCE, MOUNTAIN, JOINED = "river", "province", "mountain", "joined"
BORDER_KINDS = (JOINED, RIVER, MOUNTAIN, PROVINCE, IMPASSABLE)
"""In the order they are drawn."""
_TYPES = {"": JOINED, "water": RIVER, "river": RIVER, "mountain": MOUNTAIN, IMPASSABLE: IMPASSABLE}


class Edge(NamedTuple):
    """A side of a hex with a border; ``cost``: of track across it, 0 if it costs nothing."""

    hex: str
    side: int
    kind: str
    cost: int = 0


class Terrain(NamedTuple):
    """What makes a tile on this hex cost money; ``kinds`` may be empty."""

    kinds: tuple[str, ...]
    cost: int


def terrain(hex_: Hex) -> Iterator[Terrain]:
    """The terrain of a hex."""
    if hex_.terrain or hex_.terrain_cost:
        yield Terrain((hex_.terrain,) if hex_.terrain else (), hex_.terrain_cost)
    for keys in _parts(hex_.tile, "upgrade"):
        kinds = tuple(clean(k, 12) for k in keys.get("terrain", "").split("|") if k)
        if kinds or _number(keys.get("cost", "")):
            yield Terrain(kinds[:4], _number(keys.get("cost", "")))


def edges(board: Board) -> list[Edge]:
    """The borders of a board, each side once for each kind."""
    t = board.title
    found: dict[tuple[Border, str], Edge] = {}
    for kind, borders, cost in ((RIVER, t.river_borders, t.river_cost), (PROVINCE, t.province_borders, 0)):
        for a, b in sorted(borders):
            for on, other in board.hexes[a].neighbors.items() if a in board.hexes else ():
                if other == b:
                    found[(a, b), kind] = Edge(a, on, kind, cost)
    # A border that is printed on the map stays when a tile is laid over it.
    tiles = [(h, hex_.tile) for hexes in (board.hexes, t.hexes) for h, hex_ in hexes.items()]
    for h, tile in tiles:
        for keys in _parts(tile, "border"):
            if (side := _side(keys.get("edge", ""), tile)) is not None:
                kind = _TYPES.get(keys.get("type", ""), PROVINCE)
                beyond = neighbor_id(h, side, board.layout, board.axes) or f"{h} side {side}"
                found.setdefault((border(h, beyond), kind), Edge(h, side, kind, _number(keys.get("cost", ""))))
    return list(found.values())


def stubs(tile: Tile) -> set[int]:
    """Sides with a short end of track that shows where track will leave."""
    found = {_side(keys.get("edge", ""), tile) for keys in _parts(tile, "stub")}
    return {side for side in found if side is not None} - tile.exits


_Homes = tuple[str, str, tuple[int, ...]]
"""A company, the hex and the cities one of which is its home."""


class Home(NamedTuple):
    """A home token that is still to come; ``sure``: to this city, not to one of several."""

    company: str
    sure: bool


def icons(tile: Tile) -> list[str]:
    """What the icons on a tile are called: ``port`` for ``icon=image:1889/port``."""
    names = (keys.get("image", "").rpartition("/")[2].replace("_", " ") for keys in _parts(tile, "icon"))
    return [clean(name, 12) for name in dict.fromkeys(names) if name][:4]


def reservations(board: Board, reserved: Mapping[str, tuple[str, int]] | None) -> dict[StopId, tuple[Home, ...]]:
    """For each city the home tokens that are still to come there.

    ``reserved``: by company the hex and city (``ANY_CITY``: one of the hex). Without it those that the tiles name, and
    the printed homes of companies that have no token on the board. Raises PositionError: there is no such city.
    """
    cities: dict[str, tuple[int, ...]] = {}
    for h, _, number in board.cities:
        cities[h] = (*cities.get(h, ()), number)
    homes = _printed_homes(board, cities) if reserved is None else _given_homes(cities, reserved)
    found: dict[StopId, tuple[Home, ...]] = {}
    for company, h, numbers in homes:
        for stop_id in (StopId(h, CITY, number) for number in numbers):
            found[stop_id] = (*found.get(stop_id, ()), Home(company, len(numbers) == 1))
    return found


def _given_homes(cities: Mapping[str, tuple[int, ...]], reserved: Mapping[str, tuple[str, int]]) -> list[_Homes]:
    homes, faults = [], []
    for company, (h, city) in reserved.items():
        numbers = tuple(n for n in cities.get(h, ()) if city in (n, ANY_CITY))
        if not numbers:
            which = "city" if city == ANY_CITY else f"city {city}"
            faults.append(Fault(f"reserved[{clean(company, 40)}]", f"there is no {which} in {clean(h, 40)}"))
        homes.append((company, h, numbers))
    if faults:
        raise PositionError(faults)
    return homes


def _printed_homes(board: Board, cities: Mapping[str, tuple[int, ...]]) -> list[_Homes]:
    placed = {t.company for t in board.tokens}
    homes: list[_Homes] = []
    for h, hex_ in board.hexes.items():
        for stop in hex_.tile.stops:
            homes += [(c, h, (stop.number,)) for c in stop.reserved if stop.kind == CITY]
    for c in board.title.companies.values():
        if c.home in cities:
            # Where two cities have become one, it is the home of the companies of both.
            homes.append((c.id, c.home, tuple(dict.fromkeys(min(n, cities[c.home][-1]) for n in c.home_cities))))
    return [home for home in homes if home[0] not in placed]


def _parts(tile: Tile, kind: str) -> Iterator[dict[str, str]]:
    """Keys and values of the decorating parts of a kind."""
    for part in tile.decoration:
        name, _, rest = part.partition("=")
        if name == kind:
            yield {k.strip(): v.strip() for k, _, v in (item.partition(":") for item in rest.split(","))}


def _number(text: str) -> int:
    """A cost; 0 if there is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else 0


def _side(text: str, tile: Tile) -> int | None:
    """The side of the hex where a side of the tile at rotation 0 lies now."""
    return (int(text) + tile.rotation) % 6 if text in tuple("012345") else None
