"""Tiles laid on hexes: what a laid tile makes of its hex, or why it cannot lie there (rules section 8.2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

from trunkline.solver.board.coordinates import hex_coordinates
from trunkline.solver.board.hexes import Hex, StopId
from trunkline.solver.board.notation import parse_tile
from trunkline.solver.board.tile import CITY, Tile, joined
from trunkline.solver.board.title import Title
from trunkline.solver.errors import Fault, NotationError

_Beside = tuple[str | None, ...]
"""The hex across each side, None where the board ends."""


class _Memory:
    """What boards remember on a tile they were built from; no part of its value."""

    __slots__ = ("_joined", "_placed")
    _placed: Placed
    """On the title that asked last."""
    _joined: tuple[Hex, _Beside, Hex]
    """The hex on a whole board as it lies alone, what was beside it last, and the hex with these neighbours."""


@dataclass(frozen=True, slots=True)
class LaidTile(_Memory):
    """A tile on a hex: a number of the box, or any tile in the tile notation (``code``, at rotation 0)."""

    hex: str
    tile: str
    rotation: int = 0
    code: str = ""
    color: str = ""
    name: str = ""


class City(NamedTuple):
    """Who has a token where in a city: ``slots`` (None: open) and companies with an extra token beside them."""

    slots: tuple[str | None, ...]
    extras: tuple[str, ...]

    def holds(self, company: str) -> bool:
        """Whether the company has a token here."""
        return company in self.slots or company in self.extras

    def blocks(self, company: str) -> bool:
        """Whether the company may only end here: every slot is filled by others (9.1.3)."""
        return None not in self.slots and not self.holds(company)


def cities_of(hx: Hex) -> tuple[tuple[StopId, City], ...]:
    """The cities of a hex, all slots open."""
    stops = zip(hx.stops, hx.tile.stops, strict=True)
    return tuple((stop, City((None,) * s.slots, ())) for stop, s in stops if s.kind == CITY)


class Placed(NamedTuple):
    """A hex with a tile on it, its cities, and those that were on the printed hex ``before``."""

    title: Title
    hex: Hex
    cities: tuple[tuple[StopId, City], ...]
    before: tuple[StopId, ...]


def put_on_hex(title_: Title, laid: LaidTile) -> Placed | Fault:
    """What a tile makes of its hex, or what is wrong, in which field of the tile."""
    # Only what the box allows is worth keeping: other texts are without end.
    boxed = laid.tile in title_.tiles and laid.hex in title_.hexes and not (laid.code or laid.name or laid.color)
    placed = _put_boxed(title_, laid) if boxed else _put_anew(title_, laid)
    if isinstance(placed, Placed):
        object.__setattr__(laid, "_placed", placed)
    return placed


def _put_anew(title_: Title, laid: LaidTile) -> Placed | Fault:
    hx = _laid(title_, laid)
    if isinstance(hx, Fault):
        return hx
    printed = title_.hexes.get(laid.hex)
    return Placed(title_, hx, cities_of(hx), tuple(stop for stop, _ in cities_of(printed)) if printed else ())


_put_boxed = lru_cache(maxsize=1 << 16)(_put_anew)


def join(laid: LaidTile, hexes: Mapping[str, Hex], around: tuple[str | None, ...]) -> Hex:
    """The hex of a tile on a whole board, with those of the hexes ``around`` that there are."""
    alone = hexes[laid.hex]
    found = [n if n in hexes else None for n in around]
    beside = tuple([n if n and joined(alone.tile, s, hexes[n].tile) else None for s, n in enumerate(found)])
    known: tuple[Hex, _Beside, Hex] | None = getattr(laid, "_joined", None)
    if known is None or known[0] is not alone or known[1] != beside:
        sides = {side: n for side, n in enumerate(beside) if n is not None}
        known = alone, beside, replace(alone, neighbors=sides)
        object.__setattr__(laid, "_joined", known)
    return known[2]


def shut_sides(hexes: dict[str, Hex], down: Iterable[LaidTile]) -> None:
    """Part hexes of a title's map where a tile that was laid has an impassable border of its own."""
    for laid in down:
        for side in hexes[laid.hex].tile.shut:
            other = hexes[laid.hex].neighbors.get(side)
            for h, s in ((laid.hex, side), (other, (side + 3) % 6)):
                if h is not None:
                    kept = {at: n for at, n in hexes[h].neighbors.items() if at != s}
                    hexes[h] = replace(hexes[h], neighbors=kept)


def _laid(title_: Title, laid: LaidTile) -> Hex | Fault:
    """The hex with a tile on it, without neighbours on a whole board; or what is wrong, in which field of the tile."""
    try:
        hex_coordinates(laid.hex)
    except ValueError as e:
        return Fault("hex", str(e))
    printed = title_.hexes.get(laid.hex)
    if title_.hexes and printed is None:
        return Fault("hex", f"{title_.name} has no hex {laid.hex}")
    if laid.rotation not in range(6):
        return Fault("rotation", f"{laid.hex}: {laid.rotation} is not from 0 to 5")
    if laid.code:
        try:
            tile = parse_tile(laid.code, laid.tile, laid.color or "white")
        except NotationError as e:
            return Fault("definition", f"{laid.hex}: {e}")
    elif laid.tile in title_.tiles:
        tile = title_.tiles[laid.tile].tile
    else:
        where = title_.name if title_.tiles else "a whole board: give its definition"
        return Fault("tile", f"{laid.hex}: unknown tile {laid.tile!r} in {where}")
    tile = tile.rotated(laid.rotation)
    if printed is None:
        return Hex(laid.hex, tile, {}, laid.name, False)
    if not laid.code and (fault := _misfit(title_, laid, tile)):
        return fault
    return Hex(laid.hex, tile, printed.neighbors, laid.name or printed.name, False, plus=printed.plus)


def _misfit(title_: Title, laid: LaidTile, tile: Tile) -> Fault | None:
    """Rules section 8.2: the tile belongs on this kind of hex and all its track leads somewhere."""
    if laid.tile not in title_.fitting[laid.hex]:
        color = title_.hexes[laid.hex].tile.color
        why = f"a {color} hex takes no tiles" if not (kind := title_.hex_class(laid.hex)) else kind.replace("_", " ")
        return Fault("tile", f"{laid.hex}: tile {laid.tile} does not fit the hex ({why})")
    why = title_.why_no_track(laid.hex, tile)
    return Fault("rotation", f"{laid.hex}: tile {laid.tile} turned by {laid.rotation} has {why}") if why else None
