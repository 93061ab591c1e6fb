"""A title: what is printed in the box of one 18xx game, read from a folder of TOML files.

``title(id)`` gives a :class:`Title`: printed hexes, tile types, companies, trains, phases, borders and bonuses.
``COMMON`` is the title of boards that are sent whole: no map, no bonuses, the rules that most 18xx games share.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, NamedTuple

from trunkline.solver.board.form import Names, any_name, faults, one_of, unknown, whole
from trunkline.solver.board.tile import CITY, COLORS, DIESEL, OFFBOARD, STOP_KINDS, End, Tile, parse_tile
from trunkline.solver.errors import NotationError, PositionError, TrunklineError, Violation

UNLIMITED = 9999
ANY_CITY = -1
"""In place of the number of a city: any one of its hex."""
HEX_CLASSES = ("plain", "town", "two_towns", "three_towns", "city", "double_city", "ferry", "other")
"""What may be printed on a white hex, for the first tile it takes."""
Border = tuple[str, str]
"""The side between two hexes: their ids, sorted."""

OFFSETS = {
    "flat": ((0, 2), (-1, 1), (-1, -1), (0, -2), (1, -1), (1, 1)),
    "pointy": ((-1, 1), (-2, 0), (-1, -1), (1, -1), (2, 0), (1, 1)),
}
"""Step in (letter axis, number axis) for ``flat`` and in (number axis, letter axis) for ``pointy``, by side 0 to 5.

Sides count clockwise from the south on flat-topped hexes and from the south-west on pointy-topped ones, as 18xx.games
counts them.
"""

_HEX_ID = re.compile(r"([A-Z]{1,2})(-?[0-9]{1,3})")


def hex_coordinates(hex_id: str) -> tuple[int, int]:
    """Column and row of a hex id: letters from A = 0 (AA = 26), and the number.

    >>> hex_coordinates("D17")
    (3, 17)

    Raises ValueError: the text is no hex id.
    """
    match = _HEX_ID.fullmatch(hex_id)
    if not match:
        raise ValueError(f"{hex_id!r} is not a hex id such as D17")
    letters, number = match.groups()
    column = 0
    for letter in letters:
        column = column * 26 + ord(letter) - 64
    return column - 1, int(number)


def hex_id(column: int, row: int) -> str:
    """The inverse of :func:`hex_coordinates`."""
    letters = chr(65 + column) if column < 26 else chr(64 + column // 26) + chr(65 + column % 26)
    return f"{letters}{row}"


def neighbor_id(hex_id_: str, side: int, layout: str) -> str | None:
    """The hex id across a side, whether or not a hex is there; None beyond the first letter."""
    letter, number = hex_coordinates(hex_id_)
    dx, dy = OFFSETS[layout][side]
    column, row = (letter + dx, number + dy) if layout == "flat" else (letter + dy, number + dx)
    return hex_id(column, row) if 0 <= column < 26 * 27 else None


@lru_cache(maxsize=1 << 14)
def _parity(hex_id_: str) -> int:
    return sum(hex_coordinates(hex_id_)) % 2


def overlapping(hexes: Sequence[str]) -> Mapping[str, str]:
    """The hexes that lie half a hex beside the others, with what is wrong. Raises ValueError: one is no hex id.

    A step over a side changes column plus row by 0 or 2, so the sum is even on all hexes of a map, or odd on all.
    """
    parities = [_parity(h) for h in hexes]
    odd = sum(parities)
    if odd in (0, len(hexes)):
        return {}
    most = int(2 * odd > len(hexes)) if 2 * odd != len(hexes) else parities[0]
    grid = hexes[parities.index(most)]
    # Players count letters from 1.
    text = f"lies half a hex beside {grid}: letter (A is 1) plus number must be {'even' if most else 'odd'} as there"
    return {h: f"{h} {text}" for h, parity in zip(hexes, parities, strict=True) if parity != most}


@lru_cache(maxsize=1 << 14)
def neighbor_ids(hex_id_: str, layout: str) -> tuple[str | None, ...]:
    """The hex ids across each of the six sides, as :func:`neighbor_id`."""
    return tuple(neighbor_id(hex_id_, side, layout) for side in range(6))


def joined(tile: Tile, side: int, beyond: Tile) -> bool:
    """Whether trains may cross a side, that is whether neither tile has an impassable border there."""
    return side not in tile.shut and (side + 3) % 6 not in beyond.shut


def border(a: str, b: str) -> Border:
    """The side between two hexes."""
    return (a, b) if a < b else (b, a)


class StopId(NamedTuple):
    """A stop of a board: the ``number``-th city, town or off-board area (``kind``) of a hex."""

    hex: str
    kind: str
    number: int

    def __str__(self) -> str:
        """``D3`` for the first city, else the kind and number: ``D23 city 1``."""
        return self.hex if self.number == 0 and self.kind == CITY else f"{self.hex} {self.kind} {self.number}"


class Track(NamedTuple):
    """A piece of track of a board: ``path`` is its number in ``board.hexes[hex].tile.paths``."""

    hex: str
    path: int


class Way(NamedTuple):
    """A piece of track as a train comes to it at one end, and where it leads: to the ``end`` of track on ``hex``.

    That is a ``stop``, or a junction of the same hex, or, across the ``side`` between them, the next hex.
    ``inner``: the piece touches no side of its hex. ``forks``: other track leads over the same side.
    """

    piece: Track
    hex: str
    end: End
    stop: StopId | None
    side: Border | None
    inner: bool
    forks: bool


@dataclass(frozen=True)
class Hex:
    """A hex with the tile on it.

    ``neighbors`` maps a side (0 to 5) to the hex across it, where there is one and no impassable border between them.
    """

    id: str
    tile: Tile
    neighbors: Mapping[int, str] = field(default_factory=dict)
    name: str = ""
    printed: bool = True
    terrain: str = ""
    terrain_cost: int = 0
    plus: int | None = None
    """The XX of a variable city ``?+XX``; None for every other hex."""

    @cached_property
    def stops(self) -> tuple[StopId, ...]:
        """The ids of the stops of the tile, in the same order."""
        return tuple(StopId(self.id, s.kind, s.number) for s in self.tile.stops)

    @cached_property
    def last_stops(self) -> frozenset[StopId]:
        """The stops that no route passes, whoever has tokens there: off-board areas, and those with terminal track."""
        stops = zip(self.stops, self.tile.stops, strict=True)
        return frozenset(stop for stop, s in stops if s.kind == OFFBOARD or s.terminal)

    @cached_property
    def ways(self) -> Mapping[End | StopId, tuple[Way, ...]]:
        """For each stop, side and junction the pieces of track there that lead on, so not those off the board."""
        found: dict[End | StopId, tuple[Way, ...]] = {}
        for start, paths in self.tile.touching.items():
            ways = (self._way(number, start, end) for number, end in paths)
            at = self.stops[start.number] if start.kind == "stop" else start
            found[at] = tuple(way for way in ways if way is not None)
        return found

    def _way(self, number: int, start: End, end: End) -> Way | None:
        piece, inner = Track(self.id, number), start.kind != "edge" and end.kind != "edge"
        if end.kind != "edge":
            stop = self.stops[end.number] if end.kind == "stop" else None
            return Way(piece, self.id, end, stop, None, inner, False)
        there = self.neighbors.get(end.number)
        if there is None:
            return None
        forks = len(self.tile.touching[end]) > 1
        return Way(piece, there, _OPPOSITE[end.number], None, border(self.id, there), False, forks)


_OPPOSITE = tuple(End("edge", (side + 3) % 6) for side in range(6))


@dataclass(frozen=True, slots=True)
class TileType:
    """A tile of the box with the number of copies and the tiles that may replace it."""

    tile: Tile
    count: int
    upgrades: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Company:
    """A company as printed. ``home_cities`` are the cities of the home hex that may take its home token."""

    id: str
    name: str
    region: str
    ipo_price: int
    token_costs: tuple[int, ...]
    color: str
    home: str = ""
    home_cities: tuple[int, ...] = ()
    exchange_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Visits:
    """A row of what a train may do: up to ``visit`` stops of these ``kinds``, of which up to ``pay`` are paid.

    Raises PositionError: one of them is no whole number.
    """

    kinds: tuple[str, ...]
    visit: int = UNLIMITED
    pay: int = UNLIMITED

    def __post_init__(self) -> None:
        for name, value in (("visit", self.visit), ("pay", self.pay)):
            if not isinstance(value, int):
                raise PositionError([Violation(name, f"{value!r} is not a whole number of stops")])
        # No more can be paid than are visited.
        object.__setattr__(self, "pay", min(self.pay, self.visit))


@dataclass(frozen=True, slots=True)
class Train:
    """A train. Kinds that no row names cannot be visited, but for gauge-change markers, which then do not count.

    ``own_token_counts``: at least one of the paid stops must hold a token of the company (an E train).
    """

    name: str
    visits: tuple[Visits, ...]
    multiplier: int = 1
    own_token_counts: bool = False
    card: str = ""

    def __hash__(self) -> int:
        """Without what it may visit: trains of one name are mostly the same, and are looked up often."""
        return hash((self.name, self.multiplier, len(self.visits)))

    @property
    def diesel(self) -> bool:
        """Whether an off-board area pays this train its diesel value."""
        return self.name.upper() == "D"


def number_train(name: str, distance: int) -> Train:
    """The train of most titles: up to ``distance`` stops of any kind, all paid."""
    return Train(name, (Visits(STOP_KINDS, distance, distance),))


@dataclass(frozen=True, slots=True)
class TrainCard:
    """A train card: copies in the box, list price, and what the bank pays back (None: it does not take it)."""

    name: str
    count: int
    price: int
    buy_back: int | None
    sides: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Connection:
    """``value`` for a route with a city of each of these hexes."""

    name: str
    hexes: tuple[str, ...]
    value: int


@dataclass(frozen=True, slots=True)
class Commodity:
    """A commodity pays once for each source hex on a route that also visits a destination.

    ``each_destination`` names the rule switch under which every destination on the route pays, not only the best.
    ``placed``: the source is put on the board during the game.
    """

    name: str
    sources: tuple[str, ...]
    destinations: Mapping[str, int]
    placed: bool = False
    each_destination: str = ""


@dataclass(frozen=True, eq=False)
class Title:
    """One title. Compared by identity: :func:`title` gives the same object each time."""

    id: str
    name: str
    layout: str = "flat"
    hexes: Mapping[str, Hex] = field(default_factory=dict)
    tiles: Mapping[str, TileType] = field(default_factory=dict)
    first: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    companies: Mapping[str, Company] = field(default_factory=dict)
    trains: Mapping[str, Train] = field(default_factory=dict)
    cards: Mapping[str, TrainCard] = field(default_factory=dict)
    phases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    province_borders: frozenset[Border] = frozenset()
    river_borders: frozenset[Border] = frozenset()
    river_cost: int = 0
    connections: tuple[Connection, ...] = ()
    commodities: Mapping[str, Commodity] = field(default_factory=dict)
    route_ends: frozenset[str] = frozenset(STOP_KINDS)
    variable_minimum: int = 0
    switches: Mapping[str, str] = field(default_factory=dict)
    rule_sets: Mapping[str, Mapping[str, bool]] = field(default_factory=lambda: {"rulebook": {}})

    def hex_class(self, hex_id_: str) -> str:
        """Which row of ``first`` a printed white hex belongs to: plain, town, three_towns, city, ..."""
        tile = self.hexes[hex_id_].tile
        if "FERRY" in tile.labels:
            return "ferry"
        cities, stops = len(tile.of_kind(CITY)), len(tile.stops)
        if cities:
            return "double_city" if cities == 2 else "city"
        return {0: "plain", 1: "town", 2: "two_towns", 3: "three_towns"}.get(stops, "other")

    @cached_property
    def fitting(self) -> Mapping[str, frozenset[str]]:
        """For each hex the tile types that can ever lie on it, from its first tile and the upgrades."""
        by_class: dict[str, frozenset[str]] = {}
        for name, first in self.first.items():
            seen: set[str] = set()
            todo = list(first)
            while todo:
                tile = todo.pop()
                if tile not in seen:
                    seen.add(tile)
                    todo += self.tiles[tile].upgrades
            by_class[name] = frozenset(seen)
        return {
            h: by_class.get(self.hex_class(h), frozenset()) if hx.tile.color == "white" else frozenset()
            for h, hx in self.hexes.items()
        }

    @cached_property
    def open_sides(self) -> Mapping[str, frozenset[int]]:
        """For each hex the sides that track may lead to: not off the map, not a blank side of a printed tile."""

        def open_(hx: Hex, side: int) -> bool:
            other = self.hexes[hx.neighbors[side]].tile
            return other.color == "white" or (side + 3) % 6 in other.exits

        return {h: frozenset(s for s in hx.neighbors if open_(hx, s)) for h, hx in self.hexes.items()}


COMMON = Title("", "any 18xx board, sent whole")


def titles() -> tuple[str, ...]:
    """Ids of all titles that are installed."""
    root = resources.files("trunkline.solver") / "titles"
    return tuple(sorted(p.name for p in root.iterdir() if (p / "title.toml").is_file()))


@lru_cache(maxsize=64)
def title(title_id: str) -> Title:
    """The title of an id such as ``18India``; the empty id is the title of whole boards.

    Raises TrunklineError: no such title, or its data is not consistent.
    """
    if not title_id:
        return COMMON
    if title_id not in titles():
        raise TrunklineError(f"unknown title {title_id!r}; known: {', '.join(titles())}")
    return load_title(resources.files("trunkline.solver") / "titles" / title_id)


FILES = ("title", "map", "tiles", "companies", "trains", "bonuses")
"""The files of a title, without ``.toml``; only the first is needed."""


def load_title(folder: str | Traversable) -> Title:
    """Read a title from a folder (a path) with title, map, tiles, companies, trains and bonuses ``.toml``.

    Raises TrunklineError: a file cannot be read, or something is missing, unknown or wrong in it; every fault is named
    with file, table and key.
    """
    folder = Path(folder) if isinstance(folder, str) else folder
    if not (folder / "title.toml").is_file():
        raise TrunklineError(f"{folder / 'title.toml'}: there is no such file")
    known = [f"{name}.toml" for name in FILES]
    strange = sorted(f.name for f in folder.iterdir() if f.name.endswith(".toml") and f.name not in known)
    found = [f"{folder / name}: {unknown('file', name, known)}" for name in strange]
    files = {name: _read(folder / f"{name}.toml") for name in FILES}
    for name, form in _Forms(files).of_files().items():
        found += [f"{folder / f'{name}.toml'}: {fault}" for fault in faults(files[name], form)]
    if found:
        raise TrunklineError("\n".join(found))
    return _title(files.__getitem__)


def _read(file: Traversable) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    except (OSError, ValueError) as e:
        raise TrunklineError(f"{file}: {e}") from e


class _Forms:
    """What the files of a title may hold, given what they do hold, for they name things of each other."""

    def __init__(self, files: Mapping[str, dict[str, Any]]) -> None:
        self.files = files
        plain = files["map"].get("plain")
        self.plain = [h for h in plain if isinstance(h, str)] if isinstance(plain, list) else []
        self.printed = [*self.plain, *self.table("map", "hexes")]
        self.misfits = overlapping([h for h in self.printed if _HEX_ID.fullmatch(h)])

    def table(self, file: str, key: str) -> dict[str, Any]:
        found = self.files[file].get(key)
        return found if isinstance(found, dict) else {}

    def of_files(self) -> dict[str, Any]:
        """The form of each file, see :mod:`trunkline.solver.board.form`."""
        count, color, in_box = (
            whole(0, 1_000_000),
            one_of("colour", COLORS),
            one_of("tile", self.table("tiles", "tiles")),
        )
        kind, switch = one_of("kind", (*STOP_KINDS, "marker")), one_of("switch", self.table("title", "switches"))
        cards = self.table("trains", "cards")
        hex_ = {"code": _code, "color": color, "name": str, "plus": count, "terrain": {"type!": str, "cost": count}}
        company = {"name!": str, "region": str, "ipo_price": count, "token_costs": [count], "color": _paint}
        company |= {"home": self.on_map, "home_cities": [self.home_city], "exchange_tokens": count}
        train = {"visits!": [{"kinds!": [kind], "visit": count, "pay": count}], "multiplier": whole(1, 100)}
        train |= {"own_token_counts": bool, "card": one_of("card", cards) if cards else str}
        good = {"sources": [self.on_map], "destinations!": Names(self.on_map, count), "placed": bool}
        return {
            "title": {
                "id!": str,
                "name!": str,
                "layout": one_of("layout", tuple(OFFSETS)),
                "route_ends": self.route_ends,
                "variable_minimum": count,
                "phases": Names(any_name, {"colors!": [one_of("colour", self.phase_colors())]}),
                "switches": Names(any_name, str),
                "rules": Names(any_name, Names(switch, bool)),
            },
            "map": {
                "plain": [self.plain_hex],
                "hexes": Names(self.hex_id, hex_),
                "province_borders": [self.side],
                "river_borders": [self.side],
                "river_cost": count,
            },
            "tiles": {
                "first": Names(one_of("kind of hex", HEX_CLASSES), [in_box]),
                "tiles": Names(any_name, {"code!": _code, "color!": color, "count!": count, "upgrades": [in_box]}),
            },
            "companies": {"companies": Names(any_name, company)},
            "trains": {
                "trains": Names(any_name, train),
                "cards": Names(any_name, {"count!": count, "price!": count, "buy_back": count}),
            },
            "bonuses": {
                "connections": [{"name!": str, "hexes!": [self.on_map], "value!": count}],
                "commodities": Names(any_name, good | {"each_destination": switch}),
            },
        }

    def phase_colors(self) -> tuple[str, ...]:
        """The colours of tiles, and others that something in the box pays by."""
        tables = [t for f, k in (("map", "hexes"), ("tiles", "tiles")) for t in self.table(f, k).values()]
        codes = [str(t.get("code")) for t in tables if isinstance(t, dict)]
        paid = (c for code in codes for c in re.findall(r"([a-z]+)_[0-9]", code))
        return tuple(dict.fromkeys((*COLORS, *(c for c in paid if c != DIESEL))))

    def route_ends(self, value: Any, _: Mapping[str, Any]) -> str:
        if not isinstance(value, list) or any(kind not in STOP_KINDS for kind in value):
            return f"{value!r} is not a list of stops; known: {', '.join(STOP_KINDS)}"
        return "" if CITY in value else f"route_ends must name {CITY}: every route has a city with a token"

    def hex_id(self, value: Any, _: Mapping[str, Any]) -> str:
        if not isinstance(value, str) or not _HEX_ID.fullmatch(value):
            return f"{value!r} is not a hex id such as D17"
        return self.misfits.get(value, "")

    def plain_hex(self, value: Any, table: Mapping[str, Any]) -> str:
        twice = self.printed.count(value) > 1
        return self.hex_id(value, table) or (f"{value} is on the map twice" if twice else "")

    def on_map(self, value: Any, _: Mapping[str, Any]) -> str:
        if value in self.printed:
            return ""
        return f"there is no hex {value!r} on the map" + ("" if self.files["map"] else ": map.toml is missing or empty")

    def home_city(self, value: Any, company: Mapping[str, Any]) -> str:
        home = company.get("home")
        if home not in self.printed:
            return "" if "home" in company else "home_cities need a home"
        try:
            code = self.table("map", "hexes").get(home, {}).get("code", "")
            cities = len(parse_tile(code).of_kind(CITY))
        except (AttributeError, TypeError, NotationError):
            return ""  # the fault is that of the hex
        ok = type(value) is int and 0 <= value < cities
        return "" if ok else f"{home} has no city {value!r} ({cities} cit{'y' if cities == 1 else 'ies'}, from 0)"

    def side(self, value: Any, table: Mapping[str, Any]) -> str:
        if not isinstance(value, list) or len(value) != 2:
            return f"{value!r} is not a pair of hexes"
        if wrong := self.on_map(value[0], table) or self.on_map(value[1], table):
            return wrong
        layout = self.files["title"].get("layout", "flat")
        known = layout in tuple(OFFSETS) and all(_HEX_ID.fullmatch(h) for h in value)
        return (
            f"{value[0]} and {value[1]} are no neighbours"
            if known and value[1] not in neighbor_ids(value[0], layout)
            else ""
        )


def _code(value: Any, table: Mapping[str, Any]) -> str:
    """The form of a tile in the notation."""
    if not isinstance(value, str):
        return f"{value!r} is not a text in quotes"
    try:
        parse_tile(value)
    except NotationError as e:
        return str(e)
    return ""


def _paint(value: Any, _: Mapping[str, Any]) -> str:
    ok = isinstance(value, str) and re.fullmatch("#[0-9a-fA-F]{6}", value)
    return "" if ok else f"{value!r} is not a colour such as #3766ba"


def _title(read: Callable[[str], dict[str, Any]]) -> Title:
    head, board, tiles, trains, bonuses = (read(n) for n in ("title", "map", "tiles", "trains", "bonuses"))
    layout = head.get("layout", "flat")
    return Title(
        id=head["id"],
        name=head["name"],
        layout=layout,
        hexes=_hexes(board, layout),
        tiles={
            name: TileType(parse_tile(t["code"], name, t["color"]), t["count"], tuple(t.get("upgrades", ())))
            for name, t in tiles.get("tiles", {}).items()
        },
        first={k: tuple(v) for k, v in tiles.get("first", {}).items()},
        companies={
            i: Company(
                i,
                c["name"],
                c.get("region", ""),
                c.get("ipo_price", 0),
                tuple(c.get("token_costs", ())),
                c.get("color", "#888888"),
                c.get("home", ""),
                tuple(c.get("home_cities", ())),
                c.get("exchange_tokens", 0),
            )
            for i, c in read("companies").get("companies", {}).items()
        },
        trains={
            name: Train(
                name,
                tuple(
                    Visits(tuple(v["kinds"]), v.get("visit", UNLIMITED), v.get("pay", v.get("visit", UNLIMITED)))
                    for v in t["visits"]
                ),
                t.get("multiplier", 1),
                t.get("own_token_counts", False),
                t.get("card", name),
            )
            for name, t in trains.get("trains", {}).items()
        },
        cards={
            name: TrainCard(
                name,
                c["count"],
                c["price"],
                c.get("buy_back"),
                tuple(n for n, t in trains.get("trains", {}).items() if t.get("card", n) == name),
            )
            for name, c in trains.get("cards", {}).items()
        },
        phases={p: tuple(v["colors"]) for p, v in head.get("phases", {}).items()},
        province_borders=frozenset(border(*b) for b in board.get("province_borders", ())),
        river_borders=frozenset(border(*b) for b in board.get("river_borders", ())),
        river_cost=board.get("river_cost", 0),
        connections=tuple(Connection(c["name"], tuple(c["hexes"]), c["value"]) for c in bonuses.get("connections", ())),
        commodities={
            n: Commodity(
                n,
                tuple(c.get("sources", ())),
                c["destinations"],
                c.get("placed", False),
                c.get("each_destination", ""),
            )
            for n, c in bonuses.get("commodities", {}).items()
        },
        route_ends=frozenset(head.get("route_ends", STOP_KINDS)),
        variable_minimum=head.get("variable_minimum", 0),
        switches=head.get("switches", {}),
        rule_sets=head.get("rules", {"rulebook": {}}),
    )


def _hexes(board: dict[str, Any], layout: str) -> dict[str, Hex]:
    printed: dict[str, dict[str, Any]] = {h: {} for h in board.get("plain", ())} | board.get("hexes", {})
    tiles = {h: parse_tile(p.get("code", ""), h, p.get("color", "white")) for h, p in printed.items()}
    hexes = {}
    for h in sorted(printed, key=hex_coordinates):
        p, tile = printed[h], tiles[h]
        sides = {
            s: n
            for s in range(6)
            if (n := neighbor_id(h, s, layout)) is not None and n in tiles and joined(tile, s, tiles[n])
        }
        terrain = p.get("terrain", {})
        hexes[h] = Hex(
            h, tile, sides, p.get("name", ""), True, terrain.get("type", ""), terrain.get("cost", 0), p.get("plus")
        )
    return hexes
