"""Tiles laid on hexes: what a laid tile makes of its hex, or why it cannot lie there (rules section 8.2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

from trunkline.solver.board.coordinates import hex_coordinates
from trunkline.solver.board.hexes import Hex, StopId
from trunkline.solver.board.notation import parse_tile
from trunkline.solver.board.tile import Tile, joined
from trunkline.solver.board.title import Title
from trunkline.solver.board.tokens import City, open_cities
from trunkline.solver.errors import Fault, NotationError

_Beside = tuple[str | None, ...]
"""The hex across each side, None where the board ends or a border is impassable."""


class _Results:
    """Results that boards keep on a tile, because most boards are built from the tiles of another; not compared."""

    __slots__ = ("_joined", "_placed")
    _placed: Placed
    """What the tile makes of its hex on the title that asked last."""
    _joined: tuple[Hex, _Beside, Hex]
    """On a board without a title: the hex by itself, what was beside it last, and the hex with these neighbours."""


@dataclass(frozen=True, slots=True)
class LaidTile(_Results):
    """A tile on a hex.

    Parameters
    ----------
    hex
        The id of the hex, such as ``D17``.
    tile
        The number of a tile of the box; with a ``code`` any name.
    rotation
        By how many sixths of a turn it is turned clockwise.
    code
        The tile in the tile notation, at rotation 0, in place of one of the box.
    color
        The colour of a tile given by its ``code``; white by default.
    name
        The name of the place; by default the printed one.
    """

    hex: str
    tile: str
    rotation: int = 0
    code: str = ""
    color: str = ""
    name: str = ""


class Placed(NamedTuple):
    """A hex of a title with a tile on it, its cities, and the cities ``before``, of the printed hex.

    ``rare``: the tile has an impassable border or a stop with a visit cost, which few tiles have.
    """

    title: Title
    hex: Hex
    cities: tuple[tuple[StopId, City], ...]
    before: tuple[StopId, ...]
    rare: bool


def put_on_hex(title: Title, laid: LaidTile) -> Placed | Fault:
    """What a tile makes of its hex, or what is wrong, in which field of the tile. It is kept on the tile."""
    # Tiles of the box on hexes of the map are few, so all of them can be kept; other tiles can be anything.
    boxed = laid.tile in title.tiles and laid.hex in title.hexes and not (laid.code or laid.name or laid.color)
    placed: Placed | Fault = _placed_from_box(title, laid) if boxed else _placed(title, laid)
    if isinstance(placed, Placed):
        object.__setattr__(laid, "_placed", placed)
    return placed


def _placed(title: Title, laid: LaidTile) -> Placed | Fault:
    hx = _hex_with(title, laid)
    if isinstance(hx, Fault):
        return hx
    printed = title.hexes.get(laid.hex)
    before = tuple(stop for stop, _ in open_cities(printed)) if printed else ()
    return Placed(title, hx, open_cities(hx), before, bool(hx.tile.shut or hx.visit_costs))


_placed_from_box = lru_cache(maxsize=1 << 16)(_placed)


def join(laid: LaidTile, hexes: Mapping[str, Hex], around: tuple[str | None, ...]) -> Hex:
    """The hex of a tile on a board without a title, joined to those of the hexes ``around`` that are on the board."""
    alone = hexes[laid.hex]
    found = [n if n in hexes else None for n in around]
    beside = tuple([n if n and joined(alone.tile, s, hexes[n].tile) else None for s, n in enumerate(found)])
    known: tuple[Hex, _Beside, Hex] | None = getattr(laid, "_joined", None)
    if known is None or known[0] is not alone or known[1] != beside:
        sides = {side: n for side, n in enumerate(beside) if n is not None}
        known = alone, beside, replace(alone, neighbors=sides)
        object.__setattr__(laid, "_joined", known)
    return known[2]


def shut_sides(hexes: dict[str, Hex], laid: Iterable[str]) -> None:
    """Take neighbours from each other where tiles laid on these hexes of a title's map bring impassable borders."""
    for hex_id in laid:
        for side in hexes[hex_id].tile.shut:
            other = hexes[hex_id].neighbors.get(side)
            for h, s in ((hex_id, side), (other, (side + 3) % 6)):
                if h is not None:
                    kept = {at: n for at, n in hexes[h].neighbors.items() if at != s}
                    hexes[h] = replace(hexes[h], neighbors=kept)


def _hex_with(title: Title, laid: LaidTile) -> Hex | Fault:
    """The hex with a tile on it, or what is wrong, in which field of the tile; without a title it has no neighbours."""
    try:
        hex_coordinates(laid.hex)
    except ValueError as e:
        return Fault("hex", str(e))
    printed = title.hexes.get(laid.hex)
    if title.hexes and printed is None:
        return Fault("hex", f"{title.name} has no hex {laid.hex}")
    if laid.rotation not in range(6):
        return Fault("rotation", f"{laid.hex}: {laid.rotation} is not from 0 to 5")
    if laid.code:
        try:
            tile = parse_tile(laid.code, laid.tile, laid.color or "white")
        except NotationError as e:
            return Fault("definition", f"{laid.hex}: {e}")
    elif laid.tile in title.tiles:
        tile = title.tiles[laid.tile].tile
    else:
        where = title.name if title.tiles else "a whole board: give its definition"
        return Fault("tile", f"{laid.hex}: unknown tile {laid.tile!r} in {where}")
    tile = tile.rotated(laid.rotation)
    if printed is None:
        return Hex(laid.hex, tile, {}, laid.name, False)
    if not laid.code and (fault := _misfit(title, laid, tile)):
        return fault
    return Hex(laid.hex, tile, printed.neighbors, laid.name or printed.name, False, plus=printed.plus)


def _misfit(title: Title, laid: LaidTile, tile: Tile) -> Fault | None:
    """Rules section 8.2: the tile belongs on this kind of hex and all its track leads somewhere."""
    if laid.tile not in title.fitting[laid.hex]:
        color = title.hexes[laid.hex].tile.color
        why = f"a {color} hex takes no tiles" if not (kind := title.hex_class(laid.hex)) else kind.replace("_", " ")
        return Fault("tile", f"{laid.hex}: tile {laid.tile} does not fit the hex ({why})")
    why = title.why_no_track(laid.hex, tile)
    return Fault("rotation", f"{laid.hex}: tile {laid.tile} turned by {laid.rotation} has {why}") if why else None
