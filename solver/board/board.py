"""The board: what lies on the table.

``Board`` is a title's printed map with the tiles laid on it, tokens, gauge-change markers, the phase and the jewelry
marker. It is immutable and checked once, when it is built: every fault is reported with the field and the hex it is in.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from trunkline.solver.board.coordinates import Border, border, neighbor_ids, overlapping
from trunkline.solver.board.field_types import raise_type_faults
from trunkline.solver.board.hexes import Hex, StopId
from trunkline.solver.board.laid import City, LaidTile, cities_of, join, put_on_hex, shut_sides
from trunkline.solver.board.tile import CITY, COLORS, TileStop
from trunkline.solver.board.title import COMMON, Title
from trunkline.solver.errors import Fault, PositionError

MAX_HEXES, MAX_TOKENS = 2000, 2000


@dataclass(frozen=True, slots=True)
class Token:
    """A station token in the ``city``-th city of a hex.

    ``slot`` None: the first free one, in the order of the tokens. ``extra``: beside the slots, as the Danish East
    India Company may put it (rules section 8.3); it is an own token for its company and fills no slot.
    """

    company: str
    hex: str
    city: int = 0
    slot: int | None = None
    extra: bool = False


@dataclass(frozen=True)
class Board:
    """What lies on the table. Raises PositionError when built from things that cannot lie there.

    ``markers``: sides with a gauge-change marker. ``colors``: tile colours available, for values by colour; by
    default those of the phase. Without any the board
    can be drawn; a question about it is refused if a stop pays by colour.
    """

    title: Title = COMMON
    tiles: tuple[LaidTile, ...] = ()
    tokens: tuple[Token, ...] = ()
    markers: frozenset[Border] = frozenset()
    phase: str = ""
    colors: tuple[str, ...] = ()
    jewelry_hex: str = ""
    layout: str = ""
    hexes: Mapping[str, Hex] = field(init=False, repr=False, compare=False)
    cities: Mapping[StopId, City] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        try:
            self._build()
        except PositionError:
            raise
        except (AttributeError, TypeError, ValueError) as e:
            raise_type_faults(self, e)

    def _build(self) -> None:
        faults: list[Fault] = []
        set_ = object.__setattr__
        set_(self, "layout", self.layout or self.title.layout)
        if self.title.hexes and self.layout != self.title.layout:
            faults.append(Fault("layout", f"{self.title.name} has {self.title.layout} hexes, not {self.layout}"))
        if self.layout not in ("flat", "pointy"):
            raise PositionError([Fault("layout", f"unknown layout {self.layout!r}; known: flat, pointy")])
        if self.title.phases and self.phase not in self.title.phases:
            known = ", ".join(self.title.phases)
            if self.phase:
                faults.append(Fault("phase", f"{self.title.name} has no phase {self.phase!r}; known: {known}"))
            else:
                set_(self, "phase", next(iter(self.title.phases)))
        if not self.colors:
            set_(self, "colors", self.title.phases.get(self.phase, ()))
        hexes, cities, refused = self._lay(faults)
        set_(self, "hexes", hexes)
        self._check_colors(faults)
        self._check_markers(refused, faults)
        self._place(cities, refused, faults)
        set_(self, "cities", cities)
        if faults:
            raise PositionError(faults)

    def stop(self, stop: StopId) -> TileStop:
        """The city, town or off-board area of an id; KeyError if there is none."""
        hx = self.hexes[stop.hex]
        try:
            return hx.tile.stops[hx.stops.index(stop)]
        except ValueError:
            raise KeyError(stop) from None

    def _lay(self, faults: list[Fault]) -> tuple[dict[str, Hex], dict[StopId, City], set[str]]:
        """The hexes with the tiles on them, every city of the board, all slots open, and the hexes refused.

        The tile of a refused hex has its fault: what else is said of the hex is not a fault of its own.
        """
        if len(self.tiles) > MAX_HEXES:
            raise PositionError([Fault("tiles", f"{len(self.tiles)} tiles; at most {MAX_HEXES}")])
        title_, hexes = self.title, dict(self.title.hexes)
        cities = _printed_cities(title_).copy()
        seen: set[str] = set()
        refused: set[str] = set()
        down: list[LaidTile] = []
        for i, laid in enumerate(self.tiles):
            if laid.hex in seen:
                faults.append(Fault(f"tiles[{i}].hex", f"{laid.hex} has two tiles"))
                continue
            seen.add(laid.hex)
            placed = getattr(laid, "_placed", None)
            if placed is None or placed.title is not title_:
                placed = put_on_hex(title_, laid)
            if isinstance(placed, Fault):
                faults.append(placed.within(f"tiles[{i}]"))
                refused.add(laid.hex)
                continue
            down.append(laid)
            hexes[laid.hex] = placed.hex
            for stop in placed.before:
                del cities[stop]
            for stop, city in placed.cities:
                cities[stop] = city
        if not title_.hexes:
            beside = overlapping([laid.hex for laid in down])
            places = {laid.hex: i for i, laid in enumerate(self.tiles)} if beside else {}
            faults += [Fault(f"tiles[{places[h]}].hex", text) for h, text in beside.items()]
            hexes = {laid.hex: join(laid, hexes, neighbor_ids(laid.hex, self.layout)) for laid in down}
        else:
            shut_sides(hexes, down)
        self._check_count(faults)
        return hexes, cities, refused

    def _check_colors(self, faults: list[Fault]) -> None:
        """A colour that no tile has and no stop has a value for would silently pay nothing."""
        known: tuple[str, ...] = COLORS
        for i, color in enumerate(self.colors):
            if color not in known and known is COLORS:
                stops = (s for hx in self.hexes.values() for s in hx.tile.stops)
                known = tuple(dict.fromkeys((*COLORS, *(c for s in stops for c in s.colors))))
            if color not in known:
                faults.append(Fault(f"phase_colors[{i}]", f"unknown colour {color!r}; known: {', '.join(known)}"))

    def _check_count(self, faults: list[Fault]) -> None:
        used = Counter([t.tile for t in self.tiles if not t.code])
        for name, n in used.items():
            kind = self.title.tiles.get(name)
            if kind and n > kind.count:
                faults.append(Fault("tiles", f"tile {name} lies {n} times, the box has {kind.count}"))

    def _check_markers(self, refused: Collection[str], faults: list[Fault]) -> None:
        for a, b in sorted(self.markers):
            if a in refused or b in refused:
                continue
            missing = [h for h in (a, b) if h not in self.hexes]
            if missing:
                faults.append(Fault("markers", f"{a}-{b}: there is no hex {missing[0]}"))
            elif b not in self.hexes[a].neighbors.values():
                faults.append(Fault("markers", f"{a}-{b}: the hexes are not neighbours"))
            elif self.title.province_borders and border(a, b) not in self.title.province_borders:
                faults.append(Fault("markers", f"{a}-{b}: there is no province border on this side"))
        if self.jewelry_hex and self.jewelry_hex not in refused:
            hx = self.hexes.get(self.jewelry_hex)
            if hx is None:
                faults.append(Fault("jewelry_hex", f"there is no hex {self.jewelry_hex}"))
            elif hx.tile.stops or hx.tile.color == "blue":
                text = f"{self.jewelry_hex}: the jewelry marker needs a hex without town, city or sea"
                faults.append(Fault("jewelry_hex", text))

    def _place(self, cities: dict[StopId, City], refused: Collection[str], faults: list[Fault]) -> None:
        """Put the tokens in the cities."""
        if len(self.tokens) > MAX_TOKENS:
            raise PositionError([Fault("tokens", f"{len(self.tokens)} tokens; at most {MAX_TOKENS}")])
        slots: dict[StopId, list[str | None]] = {}
        extras: dict[StopId, list[str]] = defaultdict(list)
        waiting = []
        seen: set[tuple[str, str]] = set()
        for i, token in enumerate(self.tokens):
            at, city = f"tokens[{i}]", StopId(token.hex, CITY, token.city)
            if self.title.companies and token.company not in self.title.companies:
                faults.append(Fault(f"{at}.company", f"{token.hex}: unknown company {token.company!r}"))
            elif not token.company:
                faults.append(Fault(f"{at}.company", f"{token.hex}: a token needs a company"))
            elif token.hex in refused:
                continue
            elif token.hex not in self.hexes:
                faults.append(Fault(f"{at}.hex", f"there is no hex {token.hex!r}"))
            elif city not in cities:
                n = len(self.hexes[token.hex].tile.of_kind(CITY))
                text = f"{token.hex} has no city {token.city} ({n} cit{'y' if n == 1 else 'ies'})"
                faults.append(Fault(f"{at}.city", text))
            elif (token.company, token.hex) in seen:
                faults.append(Fault(at, f"{token.hex}: {token.company} has two tokens in this hex"))
            elif token.extra:
                extras[city].append(token.company)
            elif token.slot is None:
                waiting.append((at, city, token))
            else:
                filled = slots.setdefault(city, list(cities[city].slots))
                if token.slot not in range(len(filled)):
                    text = f"{token.hex}: city {token.city} has no slot {token.slot} ({len(filled)} slots)"
                    faults.append(Fault(f"{at}.slot", text))
                elif (other := filled[token.slot]) is not None:
                    text = f"{token.hex}: slot {token.slot} of city {token.city} holds both {other} and {token.company}"
                    faults.append(Fault(f"{at}.slot", text))
                else:
                    filled[token.slot] = token.company
            seen.add((token.company, token.hex))
        for at, city, token in waiting:
            filled = slots.setdefault(city, list(cities[city].slots))
            if None not in filled:
                text = f"{token.hex}: no free slot in city {token.city} for {token.company}"
                text += '; give it "extra": true if it lies beside the slots'
                faults.append(Fault(f"{at}.slot", text))
            else:
                filled[filled.index(None)] = token.company
        for city in slots.keys() | extras.keys():
            cities[city] = City(tuple(slots.get(city, cities[city].slots)), tuple(extras.get(city, ())))


@lru_cache(maxsize=16)
def _printed_cities(title_: Title) -> dict[StopId, City]:
    return {stop: city for hx in title_.hexes.values() for stop, city in cities_of(hx)}
