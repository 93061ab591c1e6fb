"""The position: what lies on the table, and the company that asks what it can earn.

``Board`` is the table: a title's printed map with the tiles laid on it, tokens, gauge-change markers, the phase and
the jewelry marker. ``Position`` adds the question: company, trains, concessions, rule switches. Both are immutable
and checked once, when they are built: every fault is reported with the field and the hex it is in.

    >>> board = Board(title("18India"), tiles=(LaidTile("D5", "8", 1),), tokens=(Token("PNS", "D3"),))
    >>> position = Position(board, "PNS", (board.title.trains["2"],))
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import lru_cache
from types import UnionType
from typing import Any, NamedTuple, NoReturn, get_args, get_origin, get_type_hints

from trunkline.solver.board.tile import CITY, COLORS, DIESEL, STOP_KINDS, Tile, TileStop, parse_tile
from trunkline.solver.board.title import (
    COMMON,
    Border,
    Company,
    Hex,
    StopId,
    Title,
    Train,
    Visits,
    border,
    hex_coordinates,
    joined,
    neighbor_ids,
    number_train,
    overlapping,
    title,
)
from trunkline.solver.errors import NotationError, PositionError, TrunklineError, Violation

__all__ = [
    "Board",
    "Company",
    "LaidTile",
    "Position",
    "Rules",
    "StopId",
    "Token",
    "Train",
    "Visits",
    "border",
    "number_train",
    "title",
]

_Beside = tuple[str | None, ...]
"""The hex across each side, None where the board ends."""
MAX_HEXES, MAX_TRAINS, MAX_TOKENS = 2000, 24, 2000
MARKER = "marker"


class _Memory:
    """What boards remember on a tile they were built from; no part of its value."""

    __slots__ = ("_joined", "_lies")
    _lies: _Lying
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


@dataclass(frozen=True, slots=True)
class Rules:
    """Rule switches: a named set of the title, and single switches set otherwise."""

    name: str = "rulebook"
    switches: tuple[tuple[str, bool], ...] = ()

    def __post_init__(self) -> None:
        try:
            object.__setattr__(self, "switches", tuple(sorted(self.switches)))
        except TypeError:
            text = f"{self.switches!r} are not pairs of the name of a switch and whether it is on"
            raise PositionError([Violation("rules.switches", text)]) from None

    def on(self, title_: Title, switch: str) -> bool:
        """Whether a switch is on; a switch the title does not know is off."""
        return dict(self.switches).get(switch, title_.rule_sets.get(self.name, {}).get(switch, False))


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
            _blame(self, e)

    def _build(self) -> None:
        faults: list[Violation] = []
        set_ = object.__setattr__
        set_(self, "layout", self.layout or self.title.layout)
        if self.title.hexes and self.layout != self.title.layout:
            faults.append(Violation("layout", f"{self.title.name} has {self.title.layout} hexes, not {self.layout}"))
        if self.layout not in ("flat", "pointy"):
            raise PositionError([Violation("layout", f"unknown layout {self.layout!r}; known: flat, pointy")])
        if self.title.phases and self.phase not in self.title.phases:
            known = ", ".join(self.title.phases)
            if self.phase:
                faults.append(Violation("phase", f"{self.title.name} has no phase {self.phase!r}; known: {known}"))
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

    def _lay(self, faults: list[Violation]) -> tuple[dict[str, Hex], dict[StopId, City], set[str]]:
        """The hexes with the tiles on them, every city of the board, all slots open, and the hexes refused.

        The tile of a refused hex has its fault: what else is said of the hex is not a fault of its own.
        """
        if len(self.tiles) > MAX_HEXES:
            raise PositionError([Violation("tiles", f"{len(self.tiles)} tiles; at most {MAX_HEXES}")])
        title_, hexes = self.title, dict(self.title.hexes)
        cities = _printed_cities(title_).copy()
        seen: set[str] = set()
        refused: set[str] = set()
        down: list[LaidTile] = []
        for i, laid in enumerate(self.tiles):
            if laid.hex in seen:
                faults.append(Violation(f"tiles[{i}].hex", f"{laid.hex} has two tiles"))
                continue
            seen.add(laid.hex)
            lies = getattr(laid, "_lies", None)
            if lies is None or lies.title is not title_:
                lies = _lie(title_, laid)
            if isinstance(lies, Violation):
                faults.append(Violation(f"tiles[{i}].{lies.field}", lies.message))
                refused.add(laid.hex)
                continue
            down.append(laid)
            hexes[laid.hex] = lies.hex
            for stop in lies.before:
                del cities[stop]
            for stop, city in lies.cities:
                cities[stop] = city
        if not title_.hexes:
            beside = overlapping([laid.hex for laid in down])
            places = {laid.hex: i for i, laid in enumerate(self.tiles)} if beside else {}
            faults += [Violation(f"tiles[{places[h]}].hex", text) for h, text in beside.items()]
            hexes = {laid.hex: _join(laid, hexes, neighbor_ids(laid.hex, self.layout)) for laid in down}
        else:
            _shut_sides(hexes, down)
        self._check_count(faults)
        return hexes, cities, refused

    def _check_colors(self, faults: list[Violation]) -> None:
        """A colour that no tile has and no stop has a value for would silently pay nothing."""
        known: tuple[str, ...] = COLORS
        for i, color in enumerate(self.colors):
            if color not in known and known is COLORS:
                stops = (s for hx in self.hexes.values() for s in hx.tile.stops)
                known = tuple(dict.fromkeys((*COLORS, *(c for s in stops for c in _colors_of(s)))))
            if color not in known:
                faults.append(Violation(f"phase_colors[{i}]", f"unknown colour {color!r}; known: {', '.join(known)}"))

    def _check_count(self, faults: list[Violation]) -> None:
        used = Counter([t.tile for t in self.tiles if not t.code])
        for name, n in used.items():
            kind = self.title.tiles.get(name)
            if kind and n > kind.count:
                faults.append(Violation("tiles", f"tile {name} lies {n} times, the box has {kind.count}"))

    def _check_markers(self, refused: Collection[str], faults: list[Violation]) -> None:
        for a, b in sorted(self.markers):
            if a in refused or b in refused:
                continue
            missing = [h for h in (a, b) if h not in self.hexes]
            if missing:
                faults.append(Violation("markers", f"{a}-{b}: there is no hex {missing[0]}"))
            elif b not in self.hexes[a].neighbors.values():
                faults.append(Violation("markers", f"{a}-{b}: the hexes are not neighbours"))
            elif self.title.province_borders and border(a, b) not in self.title.province_borders:
                faults.append(Violation("markers", f"{a}-{b}: there is no province border on this side"))
        if self.jewelry_hex and self.jewelry_hex not in refused:
            hx = self.hexes.get(self.jewelry_hex)
            if hx is None:
                faults.append(Violation("jewelry_hex", f"there is no hex {self.jewelry_hex}"))
            elif hx.tile.stops or hx.tile.color == "blue":
                text = f"{self.jewelry_hex}: the jewelry marker needs a hex without town, city or sea"
                faults.append(Violation("jewelry_hex", text))

    def _place(self, cities: dict[StopId, City], refused: Collection[str], faults: list[Violation]) -> None:
        """Put the tokens in the cities."""
        if len(self.tokens) > MAX_TOKENS:
            raise PositionError([Violation("tokens", f"{len(self.tokens)} tokens; at most {MAX_TOKENS}")])
        slots: dict[StopId, list[str | None]] = {}
        extras: dict[StopId, list[str]] = defaultdict(list)
        waiting = []
        seen: set[tuple[str, str]] = set()
        for i, token in enumerate(self.tokens):
            at, city = f"tokens[{i}]", StopId(token.hex, CITY, token.city)
            if self.title.companies and token.company not in self.title.companies:
                faults.append(Violation(f"{at}.company", f"{token.hex}: unknown company {token.company!r}"))
            elif not token.company:
                faults.append(Violation(f"{at}.company", f"{token.hex}: a token needs a company"))
            elif token.hex in refused:
                continue
            elif token.hex not in self.hexes:
                faults.append(Violation(f"{at}.hex", f"there is no hex {token.hex!r}"))
            elif city not in cities:
                n = len(self.hexes[token.hex].tile.of_kind(CITY))
                text = f"{token.hex} has no city {token.city} ({n} cit{'y' if n == 1 else 'ies'})"
                faults.append(Violation(f"{at}.city", text))
            elif (token.company, token.hex) in seen:
                faults.append(Violation(at, f"{token.hex}: {token.company} has two tokens in this hex"))
            elif token.extra:
                extras[city].append(token.company)
            elif token.slot is None:
                waiting.append((at, city, token))
            else:
                filled = slots.setdefault(city, list(cities[city].slots))
                if token.slot not in range(len(filled)):
                    text = f"{token.hex}: city {token.city} has no slot {token.slot} ({len(filled)} slots)"
                    faults.append(Violation(f"{at}.slot", text))
                elif (other := filled[token.slot]) is not None:
                    text = f"{token.hex}: slot {token.slot} of city {token.city} holds both {other} and {token.company}"
                    faults.append(Violation(f"{at}.slot", text))
                else:
                    filled[token.slot] = token.company
            seen.add((token.company, token.hex))
        for at, city, token in waiting:
            filled = slots.setdefault(city, list(cities[city].slots))
            if None not in filled:
                text = f"{token.hex}: no free slot in city {token.city} for {token.company}"
                text += '; give it "extra": true if it lies beside the slots'
                faults.append(Violation(f"{at}.slot", text))
            else:
                filled[filled.index(None)] = token.company
        for city in slots.keys() | extras.keys():
            cities[city] = City(tuple(slots.get(city, cities[city].slots)), tuple(extras.get(city, ())))


@lru_cache(maxsize=16)
def _printed_cities(title_: Title) -> dict[StopId, City]:
    return {stop: city for hx in title_.hexes.values() for stop, city in _cities(hx)}


def _cities(hx: Hex) -> tuple[tuple[StopId, City], ...]:
    """The cities of a hex, all slots open."""
    stops = zip(hx.stops, hx.tile.stops, strict=True)
    return tuple((stop, City((None,) * s.slots, ())) for stop, s in stops if s.kind == CITY)


class _Lying(NamedTuple):
    """A hex with a tile on it, its cities, and those that were on the printed hex ``before``."""

    title: Title
    hex: Hex
    cities: tuple[tuple[StopId, City], ...]
    before: tuple[StopId, ...]


def _lie(title_: Title, laid: LaidTile) -> _Lying | Violation:
    """What a tile makes of its hex, or what is wrong, in which field of the tile."""
    # Only what the box allows is worth keeping: other texts are without end.
    boxed = laid.tile in title_.tiles and laid.hex in title_.hexes and not (laid.code or laid.name or laid.color)
    lies = _lie_from_box(title_, laid) if boxed else _lie_anew(title_, laid)
    if isinstance(lies, _Lying):
        object.__setattr__(laid, "_lies", lies)
    return lies


def _lie_anew(title_: Title, laid: LaidTile) -> _Lying | Violation:
    hx = _laid(title_, laid)
    if isinstance(hx, Violation):
        return hx
    printed = title_.hexes.get(laid.hex)
    return _Lying(title_, hx, _cities(hx), tuple(stop for stop, _ in _cities(printed)) if printed else ())


_lie_from_box = lru_cache(maxsize=1 << 16)(_lie_anew)


def _join(laid: LaidTile, hexes: Mapping[str, Hex], around: tuple[str | None, ...]) -> Hex:
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


def _shut_sides(hexes: dict[str, Hex], down: Iterable[LaidTile]) -> None:
    """Part hexes of a title's map where a tile that was laid has an impassable border of its own."""
    for laid in down:
        for side in hexes[laid.hex].tile.shut:
            other = hexes[laid.hex].neighbors.get(side)
            for h, s in ((laid.hex, side), (other, (side + 3) % 6)):
                if h is not None:
                    kept = {at: n for at, n in hexes[h].neighbors.items() if at != s}
                    hexes[h] = replace(hexes[h], neighbors=kept)


def _laid(title_: Title, laid: LaidTile) -> Hex | Violation:
    """The hex with a tile on it, without neighbours on a whole board; or what is wrong, in which field of the tile."""
    try:
        hex_coordinates(laid.hex)
    except ValueError as e:
        return Violation("hex", str(e))
    printed = title_.hexes.get(laid.hex)
    if title_.hexes and printed is None:
        return Violation("hex", f"{title_.name} has no hex {laid.hex}")
    if laid.rotation not in range(6):
        return Violation("rotation", f"{laid.hex}: {laid.rotation} is not from 0 to 5")
    if laid.code:
        try:
            tile = parse_tile(laid.code, laid.tile, laid.color or "white")
        except NotationError as e:
            return Violation("definition", f"{laid.hex}: {e}")
    elif laid.tile in title_.tiles:
        tile = title_.tiles[laid.tile].tile
    else:
        where = title_.name if title_.tiles else "a whole board: give its definition"
        return Violation("tile", f"{laid.hex}: unknown tile {laid.tile!r} in {where}")
    tile = tile.rotated(laid.rotation)
    if printed is None:
        return Hex(laid.hex, tile, {}, laid.name, False)
    if not laid.code and (fault := _misfit(title_, laid, tile)):
        return fault
    return Hex(laid.hex, tile, printed.neighbors, laid.name or printed.name, False, plus=printed.plus)


def _misfit(title_: Title, laid: LaidTile, tile: Tile) -> Violation | None:
    """Rules section 8.2: the tile belongs on this kind of hex and all its track leads somewhere."""
    if laid.tile not in title_.fitting[laid.hex]:
        color = title_.hexes[laid.hex].tile.color
        why = f"a {color} hex takes no tiles" if color != "white" else title_.hex_class(laid.hex).replace("_", " ")
        return Violation("tile", f"{laid.hex}: tile {laid.tile} does not fit the hex ({why})")
    bad = ", ".join(map(str, sorted(tile.exits - title_.open_sides[laid.hex])))
    if bad:
        turned = f"{laid.hex}: tile {laid.tile} turned by {laid.rotation}"
        return Violation("rotation", f"{turned} has track to side {bad}, off the map or blank")
    if title_.hex_class(laid.hex) == "ferry":
        # R FAQ: the ferry must keep its far shore accessible, else it joins two sides of the mainland.
        column = hex_coordinates(laid.hex)[0]
        neighbors = title_.hexes[laid.hex].neighbors
        far = {side for side, n in neighbors.items() if hex_coordinates(n)[0] > column}
        if not tile.exits & far:
            return Violation("rotation", f"{laid.hex}: the ferry must lead to the island (K38)")
    return None


@dataclass(frozen=True)
class Position:
    """A board and the question: what can ``company`` earn with ``trains``?

    ``open_concessions``: commodities nobody has claimed; ``held_concessions``: those of the company.
    Raises PositionError when the parts do not belong together.
    """

    board: Board
    company: str
    trains: tuple[Train, ...] = ()
    open_concessions: frozenset[str] = frozenset()
    held_concessions: frozenset[str] = frozenset()
    rules: Rules = Rules()

    def __post_init__(self) -> None:
        try:
            faults = list(self._faults())
        except PositionError:
            raise
        except (AttributeError, TypeError, ValueError) as e:
            _blame(self, e)
        if faults:
            raise PositionError(faults)

    def _faults(self) -> Iterable[Violation]:
        t = self.board.title
        if not self.board.colors:
            yield from _colorless(self.board)
        if not self.company:
            yield Violation("company", "whose trains run? Give the company")
        elif t.companies and self.company not in t.companies:
            yield Violation("company", f"{t.name} has no company {self.company!r}; known: {', '.join(t.companies)}")
        if len(self.trains) > MAX_TRAINS:
            yield Violation("trains", f"{len(self.trains)} trains; at most {MAX_TRAINS}")
        for i, train in enumerate(self.trains):
            if not isinstance(train.multiplier, int):
                yield Violation(f"trains[{i}].multiplier", f"{train.multiplier!r} is not a whole number")
            for fault in _train_faults(train):
                yield Violation(f"trains[{i}].{fault.field}", fault.message)
        for name, given in (("open_concessions", self.open_concessions), ("held_concessions", self.held_concessions)):
            for c in sorted(given):
                if c not in t.commodities:
                    known = ", ".join(t.commodities) or "none"
                    yield Violation(name, f"unknown commodity {c!r}; known: {known}")
                elif t.commodities[c].placed and not self.board.jewelry_hex and name == "held_concessions":
                    yield Violation(name, f"{c} is held but has no source: give the jewelry hex")
        for c in sorted(self.open_concessions & self.held_concessions):
            yield Violation("held_concessions", f"{c} is both open and held")
        if self.rules.name not in t.rule_sets:
            yield Violation("rules.set", f"unknown rule set {self.rules.name!r}; known: {', '.join(t.rule_sets)}")
        for switch, _ in self.rules.switches:
            if switch not in t.switches:
                yield Violation(
                    "rules.switches", f"unknown switch {switch!r}; known: {', '.join(t.switches) or 'none'}"
                )

    def on(self, switch: str) -> bool:
        """Whether a rule switch is on."""
        return self.rules.on(self.board.title, switch)

    def sources(self, commodity: str) -> tuple[str, ...]:
        """The source hexes of a commodity on this board."""
        c = self.board.title.commodities[commodity]
        placed = (self.board.jewelry_hex,) if c.placed and self.board.jewelry_hex else ()
        return (*c.sources, *placed)


def _colors_of(stop: TileStop) -> tuple[str, ...]:
    """The colours a stop pays by; none if it has one value."""
    return tuple(c for c, _ in stop.revenue if c and c != DIESEL)


def _colorless(board: Board) -> Iterator[Violation]:
    """Stops that pay by colour where no colour is given: they would silently pay nothing."""
    for hx in board.hexes.values():
        for stop, s in zip(hx.stops, hx.tile.stops, strict=True):
            if colors := _colors_of(s):
                text = f"{stop} pays by colour ({', '.join(colors)}): give the colours of the tiles available"
                yield Violation("phase_colors", text)


@lru_cache(maxsize=256)
def _train_faults(train: Train) -> tuple[Violation, ...]:
    return tuple(_faults_of_train(train))


def _faults_of_train(train: Train) -> Iterator[Violation]:
    if not train.visits or all(v.visit <= 0 for v in train.visits):
        yield Violation("distance", f"train {train.name!r} can visit no stops")
    if train.multiplier not in range(1, 101):
        yield Violation("multiplier", f"train {train.name!r}: {train.multiplier} is not from 1 to 100")
    for v in train.visits:
        for kind in v.kinds:
            if kind not in (*STOP_KINDS, MARKER):
                yield Violation("visits", f"unknown kind {kind!r}; known: {', '.join(STOP_KINDS)}, {MARKER}")
        if not v.kinds:
            yield Violation("visits", "a row without kinds")
        shared = sorted(k for k in set(v.kinds) if sum(k in other.kinds for other in train.visits) > 1)
        if shared and v.pay < v.visit:
            # Which row a stop goes to would decide both what else may be visited and what is paid.
            text = f"{shared[0]} is in more than one row; such rows must pay all that they visit"
            yield Violation("visits", text)
        if v.visit < 0 or v.pay < 0:
            yield Violation("visits", "a negative number of stops")


def _blame(whole: Board | Position, error: Exception) -> NoReturn:
    """Raise a PositionError for the parts that are of another type than they should be; else the error itself."""
    faults = [f for name, part, hint in _parts(whole) for f in _type_faults(part, hint, name)]
    if faults:
        raise PositionError(faults) from error
    raise error


def _parts(whole: Any) -> Iterator[tuple[str, Any, Any]]:
    hints = get_type_hints(type(whole))
    return ((f.name, getattr(whole, f.name), hints[f.name]) for f in fields(whole) if f.init)


def _type_faults(value: Any, hint: Any, at: str) -> Iterator[Violation]:
    origin, inner = get_origin(hint), get_args(hint)
    if origin is UnionType:
        origin = inner
    if not isinstance(value, {tuple: (tuple, list), frozenset: (frozenset, set)}.get(origin, origin or hint)):
        names = " or ".join(t.__name__ for t in inner) if origin is inner else (origin or hint).__name__
        yield Violation(at, f"{value!r} is not of the type {names}")
    elif origin is tuple and inner[-1] is not ... and len(value) != len(inner):
        yield Violation(at, f"{value!r} has not {len(inner)} parts")
    elif origin in (tuple, frozenset):
        of = inner[:1] * len(value) if inner[-1] is ... or origin is frozenset else inner
        for i, (part, part_hint) in enumerate(zip(value, of, strict=False)):
            yield from _type_faults(part, part_hint, f"{at}[{i}]")
    elif is_dataclass(value):
        for name, part, part_hint in _parts(value):
            yield from _type_faults(part, part_hint, f"{at}.{name}")


def train(title_: Title, name: str) -> Train:
    """A train of the title by name. Raises TrunklineError: there is none."""
    if name not in title_.trains:
        known = ", ".join(title_.trains) or "none; give its distance or visits"
        raise TrunklineError(f"unknown train {name!r}; known: {known}")
    return title_.trains[name]
