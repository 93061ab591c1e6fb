"""The board: what lies on the table.

``Board`` is a title's printed map with the tiles laid on it, tokens, gauge-change markers, the phase and the jewelry
marker. It is immutable and checked once, when it is built: every fault is reported with the field and the hex it is in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from trunkline.solver.board.coordinates import AXES, OFFSETS, Border, border, neighbor_ids, overlapping
from trunkline.solver.board.field_types import raise_type_faults
from trunkline.solver.board.hexes import Hex, StopId, real_stop
from trunkline.solver.board.laid import LaidTile, join, put_on_hex, shut_sides
from trunkline.solver.board.tile import COLORS, TileStop
from trunkline.solver.board.title import COMMON, Title
from trunkline.solver.board.tokens import City, Token, TokenPlacement, open_cities
from trunkline.solver.errors import Fault, PositionError

MAX_HEXES = 2000

_TILE_COLORS = frozenset(COLORS)


@dataclass(frozen=True)
class Board:
    """What lies on the table.

    Parameters
    ----------
    title
        The title whose printed map the tiles lie on. By default none: every hex has a tile of its own, given by its
        text in the tile notation.
    tiles
        The tiles that were laid; at most one a hex.
    tokens
        The station tokens.
    markers
        Sides with a gauge-change marker, see :func:`border`.
    phase
        A phase of the title; by default its first one.
    colors
        Tile colours that are available, in the order they came, for stops that pay by colour; by default those of the
        phase. A board without any can be drawn; a question about it is refused if a stop pays by colour.
    jewelry_hex
        The hex with the marker of a commodity that is placed during the game; empty if it has not been placed.
    layout
        ``flat`` or ``pointy`` hexes; by default as the title has them.
    axes
        What letters of hex ids count, ``columns`` or ``rows``; by default as the title has it, without one columns on
        flat hexes and rows on pointy ones.

    Attributes
    ----------
    hexes
        Every hex with the tile on it, by id.
    cities
        Who has a token where, for every city.
    visit_costs
        The stops that cost another number of visits than one, but can be visited.

    Raises
    ------
    PositionError
        These things cannot lie on the table together; every fault is named with its field and hex.

    Examples
    --------
    >>> from trunkline.solver import Board, LaidTile, Token, get_title
    >>> board = Board(get_title("18India"), (LaidTile("D5", "8", 1),), (Token("PNS", "D3"),))
    >>> board.phase, sorted(board.hexes["D5"].tile.exits)
    ('I', [1, 3])
    """

    title: Title = COMMON
    tiles: tuple[LaidTile, ...] = ()
    tokens: tuple[Token, ...] = ()
    markers: frozenset[Border] = frozenset()
    phase: str = ""
    colors: tuple[str, ...] = ()
    jewelry_hex: str = ""
    layout: str = ""
    axes: str = ""
    hexes: Mapping[str, Hex] = field(init=False, repr=False, compare=False)
    cities: Mapping[StopId, City] = field(init=False, repr=False, compare=False)
    visit_costs: tuple[StopId, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        try:
            self._build()
        except PositionError:
            raise
        except (AttributeError, TypeError, ValueError) as e:
            raise_type_faults(self, e)

    def _build(self) -> None:
        set_ = object.__setattr__
        set_(self, "layout", self.layout or self.title.layout)
        if self.layout not in OFFSETS:
            raise PositionError([Fault("layout", f"unknown layout {self.layout!r}; known: {', '.join(OFFSETS)}")])
        set_(self, "axes", self.axes or self.title.axes)
        if self.axes not in ("", *AXES):
            raise PositionError([Fault("axes", f"unknown axes {self.axes!r}; known: {', '.join(AXES)}")])
        faults = list(self._title_faults())
        set_(self, "phase", self.phase or next(iter(self.title.phases), ""))
        set_(self, "colors", self.colors or self.title.phases.get(self.phase, ()))
        hexes, cities, refused = self._lay(faults)
        set_(self, "hexes", hexes)
        faults += self._count_faults()
        faults += self._color_faults()
        faults += self._marker_faults(refused)
        faults += self._jewelry_faults(refused)
        placement = TokenPlacement(self.title.companies, hexes, cities, refused)
        placement.place(self.tokens)
        faults += placement.faults
        set_(self, "cities", cities)
        if faults:
            raise PositionError(faults)

    def stop(self, stop: StopId) -> TileStop:
        """The city, town or off-board area of an id.

        Raises
        ------
        KeyError
            There is no such stop on the board.
        """
        hx = self.hexes[stop.hex]
        try:
            return hx.tile.stops[hx.stops.index(real_stop(stop))]
        except ValueError:
            raise KeyError(stop) from None

    def _title_faults(self) -> Iterator[Fault]:
        t = self.title
        if t.hexes and self.layout != t.layout:
            yield Fault("layout", f"{t.name} has {t.layout} hexes, not {self.layout}")
        if t.hexes and self.axes != t.axes:
            yield Fault("axes", f"letters of {t.name} do not count {self.axes}")
        if t.phases and self.phase and self.phase not in t.phases:
            yield Fault("phase", f"{t.name} has no phase {self.phase!r}; known: {', '.join(t.phases)}")

    def _lay(self, faults: list[Fault]) -> tuple[dict[str, Hex], dict[StopId, City], set[str]]:
        """The hexes with the tiles on them, every city of the board, all slots open, and the refused hexes.

        A hex is refused if its tile has a fault, which is then the only one reported of this hex.
        """
        if len(self.tiles) > MAX_HEXES:
            raise PositionError([Fault("tiles", f"{len(self.tiles)} tiles; at most {MAX_HEXES}")])
        title, hexes = self.title, dict(self.title.hexes)
        cities = _printed_cities(title).copy()
        seen: set[str] = set()
        refused: set[str] = set()
        down: list[LaidTile] = []
        rare = dict.fromkeys(_rare_hexes(title))
        for i, laid in enumerate(self.tiles):
            if laid.hex in seen:
                faults.append(Fault(f"tiles[{i}].hex", f"{laid.hex} has two tiles"))
                continue
            seen.add(laid.hex)
            placed = getattr(laid, "_placed", None)
            if placed is None or placed.title is not title:
                placed = put_on_hex(title, laid)
            if isinstance(placed, Fault):
                faults.append(placed.within(f"tiles[{i}]"))
                refused.add(laid.hex)
                continue
            down.append(laid)
            hexes[laid.hex] = placed.hex
            if placed.rare:
                rare[laid.hex] = None
            for stop in placed.before:
                del cities[stop]
            for stop, city in placed.cities:
                cities[stop] = city
        if title.hexes:
            shut_sides(hexes, rare)
        else:
            faults += self._overlap_faults(down)
            hexes = {laid.hex: join(laid, hexes, neighbor_ids(laid.hex, self.layout, self.axes)) for laid in down}
        costs = [stop for h in rare if h in hexes for stop in hexes[h].visit_costs]
        object.__setattr__(self, "visit_costs", tuple(costs))
        return hexes, cities, refused

    def _overlap_faults(self, down: Collection[LaidTile]) -> Iterator[Fault]:
        texts = overlapping([laid.hex for laid in down])
        numbers = {laid.hex: i for i, laid in enumerate(self.tiles)} if texts else {}
        return (Fault(f"tiles[{numbers[h]}].hex", text) for h, text in texts.items())

    def _count_faults(self) -> Iterator[Fault]:
        used = Counter([t.tile for t in self.tiles if not t.code])
        for name, n in used.items():
            kind = self.title.tiles.get(name)
            if kind and n > kind.count:
                yield Fault("tiles", f"tile {name} lies {n} times, the box has {kind.count}")

    def _color_faults(self) -> Iterator[Fault]:
        """A colour that no tile has and no stop has a value for would silently pay nothing."""
        if not _TILE_COLORS.issuperset(self.colors):
            stops = (s for hx in self.hexes.values() for s in hx.tile.stops)
            known = dict.fromkeys((*COLORS, *(c for s in stops for c in s.colors)))
            for i, color in enumerate(self.colors):
                if color not in known:
                    yield Fault(f"phase_colors[{i}]", f"unknown colour {color!r}; known: {', '.join(known)}")

    def _marker_faults(self, refused: Collection[str]) -> Iterator[Fault]:
        for a, b in sorted(self.markers):
            if a in refused or b in refused:
                continue
            missing = [h for h in (a, b) if h not in self.hexes]
            if missing:
                yield Fault("markers", f"{a}-{b}: there is no hex {missing[0]}")
            elif b not in self.hexes[a].neighbors.values():
                yield Fault("markers", f"{a}-{b}: the hexes are not neighbours")
            elif self.title.province_borders and border(a, b) not in self.title.province_borders:
                yield Fault("markers", f"{a}-{b}: there is no province border on this side")

    def _jewelry_faults(self, refused: Collection[str]) -> Iterator[Fault]:
        if self.jewelry_hex and self.jewelry_hex not in refused:
            hx = self.hexes.get(self.jewelry_hex)
            if hx is None:
                yield Fault("jewelry_hex", f"there is no hex {self.jewelry_hex}")
            elif hx.tile.stops or hx.tile.color == "blue":
                text = f"{self.jewelry_hex}: the jewelry marker needs a hex without town, city or sea"
                yield Fault("jewelry_hex", text)


@lru_cache(maxsize=16)
def _printed_cities(title: Title) -> dict[StopId, City]:
    return {stop: city for hx in title.hexes.values() for stop, city in open_cities(hx)}


@lru_cache(maxsize=16)
def _rare_hexes(title: Title) -> tuple[str, ...]:
    """The printed hexes that have stops with a visit cost."""
    return tuple(h for h, hx in title.hexes.items() if hx.visit_costs)
