"""A title: what is printed in the box of one 18xx game, as values.

:class:`Title` holds printed hexes, tile types, companies, trains, phases, borders and bonuses; they are read from files
by :mod:`~trunkline.solver.board.load`. ``COMMON`` is the title of boards that are sent whole: no map, no bonuses, the
rules that most 18xx games share.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from trunkline.solver.board.coordinates import Border
from trunkline.solver.board.hexes import Hex
from trunkline.solver.board.terms import NO_TERMS, Terms
from trunkline.solver.board.tile import CITY, STOP_KINDS, Tile
from trunkline.solver.errors import Fault, PositionError, TrunklineError

UNLIMITED = 9999
"""A number of stops that stands for no limit."""

ANY_CITY = -1
"""In place of the number of a city: any one of its hex."""

HEX_CLASSES = ("plain", "town", "two_towns", "three_towns", "city", "double_city", "other")
"""What may be printed on a white hex, for the first tile it takes."""


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
    """A row of what a train may visit.

    Parameters
    ----------
    kinds
        The kinds of stops that the row is about: ``city``, ``town``, ``offboard``, ``marker`` (a gauge-change marker);
        ``side``: each side between hexes that the route crosses.
    visit
        How many of them, of all kinds together, a route may have.
    pay
        How many of these pay; no more than it may have.
    multiplier
        What the values of these stops are multiplied by, from 0 to 100; None: as the train says.

    Raises
    ------
    PositionError
        One of the numbers is not a whole number.
    """

    kinds: tuple[str, ...]
    visit: int = UNLIMITED
    pay: int = UNLIMITED
    multiplier: int | None = None

    def __post_init__(self) -> None:
        for name, value in (("visit", self.visit), ("pay", self.pay)):
            if not isinstance(value, int):
                raise PositionError([Fault(name, f"{value!r} is not a whole number of stops")])
        # No more can be paid than are visited.
        object.__setattr__(self, "pay", min(self.pay, self.visit))

    @property
    def pays_all(self) -> bool:
        """Whether all that is visited pays."""
        return self.pay >= self.visit


@dataclass(frozen=True, slots=True)
class Train:
    """A train.

    Parameters
    ----------
    name
        What it is called.
    visits
        Rows of what it may visit. Kinds of stops that no row names cannot be visited; gauge-change markers that no row
        names do not count.
    multiplier
        What the values of its stops are multiplied by, from 1 to 100.
    own_token_counts
        Whether one of the stops that pay must hold a token of the company (an E train).
    card
        The card of the box that it is printed on.
    diesel_value
        Whether stops pay it their diesel value, where they have one; a train named D is paid it in any case.

    Examples
    --------
    A train that visits two cities or off-board areas and any number of towns, of which none pays:

    >>> from trunkline.solver import Train, Visits
    >>> express = Train("2", (Visits(("city", "offboard"), 2), Visits(("town",), pay=0)))
    """

    name: str
    visits: tuple[Visits, ...]
    multiplier: int = 1
    own_token_counts: bool = False
    card: str = ""
    diesel_value: bool = False

    def __hash__(self) -> int:
        """Without the rows, which are slow to hash: trains of one name are nearly always the same."""
        return hash((self.name, self.multiplier, len(self.visits)))

    @property
    def by_number(self) -> bool:
        """Whether all stops count alike and all that are visited pay (a 4 train), as :func:`number_train` makes it."""
        return len(self.visits) == 1 and set(STOP_KINDS) <= {*self.visits[0].kinds} and self.visits[0].pays_all

    @property
    def visits_freely(self) -> bool:
        """Whether the number of stops is no limit to it."""
        return all(row.visit >= UNLIMITED and row.pay in (0, UNLIMITED) for row in self.visits)

    @property
    def diesel(self) -> bool:
        """Whether an off-board area pays this train its diesel value."""
        return self.diesel_value or self.name.upper() == "D"

    @property
    def by_kind(self) -> bool:
        """Whether it multiplies the values of some kinds of stops otherwise than those of others."""
        return any(row.multiplier not in (None, self.multiplier) for row in self.visits)

    def factor(self, kind: str) -> int:
        """What the value of a stop of a kind is multiplied by."""
        return next(
            (r.multiplier for r in self.visits if kind in r.kinds and r.multiplier is not None), self.multiplier
        )


def number_train(name: str, distance: int) -> Train:
    """The train of most titles: a number of stops of any kind, all of which pay.

    Parameters
    ----------
    name
        What it is called.
    distance
        How many stops it may visit.

    Examples
    --------
    >>> from trunkline.solver import number_train
    >>> number_train("3", 3).visits
    (Visits(kinds=('city', 'town', 'offboard'), visit=3, pay=3, multiplier=None),)
    """
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
    """A bonus of ``value`` for a route that visits a city on each of these hexes."""

    name: str
    hexes: tuple[str, ...]
    value: int


@dataclass(frozen=True, slots=True)
class Commodity:
    """A commodity: a bonus for each of its source hexes on a route that comes to one of its destinations as well.

    Parameters
    ----------
    name
        What it is called.
    sources
        The hexes it is taken from.
    destinations
        By hex what it pays there. The best one on the route pays.
    placed
        Whether another source is put on the board during the game.
    each_destination
        The rule switch under which every destination on the route pays, not only the best; empty: there is none.
    """

    name: str
    sources: tuple[str, ...]
    destinations: Mapping[str, int]
    placed: bool = False
    each_destination: str = ""


@dataclass(frozen=True, eq=False)
class Title:
    """What is printed in the box of one title; compared by identity.

    Parameters
    ----------
    id, name
        The id that positions name it by, and what it is called.
    layout
        ``flat`` or ``pointy`` hexes.
    hexes
        The printed map.
    tiles
        The tiles of the box.
    first
        By the kind of a printed hex, or by the name of a row, the first tiles that such hexes take.
    companies, trains, cards
        By id or name.
    phases
        For each phase the tile colours that are available, in the order they came.
    province_borders, river_borders
        Sides where a gauge-change marker may lie, and sides that cost ``river_cost`` to cross with track.
    connections, commodities
        Bonuses.
    route_ends
        Kinds of stops that a route may start and end at.
    variable_minimum
        The least M of a variable city (rules section 9.3).
    switches
        Rules that people read differently, with what each is about.
    rule_sets
        Named sets of switches.
    designers, publisher
        Whose game it is.
    """

    id: str
    name: str
    layout: str = "flat"
    axes: str = ""
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
    terms: Terms = NO_TERMS
    designers: tuple[str, ...] = ()
    publisher: str = ""

    def hex_class(self, hex_id_: str) -> str:
        """Which row of ``first`` a printed hex belongs to: the one it names, else, if it is white, plain, town, ...

        Empty for a hex of another colour that names none: it takes no tiles.
        """
        tile = self.hexes[hex_id_].tile
        if self.hexes[hex_id_].first or tile.color != "white":
            return self.hexes[hex_id_].first
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
        return {h: by_class.get(self.hex_class(h), frozenset()) for h in self.hexes}

    @cached_property
    def open_sides(self) -> Mapping[str, frozenset[int]]:
        """For each hex the sides that track may lead to: not off the map, not a blank side of a printed tile."""

        def open_(hx: Hex, side: int) -> bool:
            other = self.hexes[hx.neighbors[side]]
            takes_tiles = other.tile.color == "white" or bool(other.first)
            return takes_tiles or (side + 3) % 6 in other.tile.exits

        return {h: frozenset(s for s in hx.neighbors if open_(hx, s)) for h, hx in self.hexes.items()}

    @cached_property
    def needed_sides(self) -> Mapping[str, frozenset[int]]:
        """For each hex that names neighbours its tiles lead to: the sides one of which must have track."""
        return {
            h: frozenset(side for side, n in hx.neighbors.items() if n in hx.leads_to)
            for h, hx in self.hexes.items()
            if hx.leads_to
        }

    def why_no_track(self, hex_id_: str, tile: Tile) -> str:
        """Why the track of a tile, turned as it is, may not lie on a printed hex; empty if it may.

        Its sides must be open ones, and lead to a hex that the printed one names (rules section 8.2).
        """
        closed = sorted(tile.exits - self.open_sides[hex_id_])
        if closed:
            return f"track to side {', '.join(map(str, closed))}, off the map or blank"
        if hex_id_ in self.needed_sides and not tile.exits & self.needed_sides[hex_id_]:
            return f"no track to {' or '.join(self.hexes[hex_id_].leads_to)}"
        return ""


COMMON = Title("", "any 18xx board, sent whole")


def train(title: Title, name: str) -> Train:
    """A train of a title by its name.

    Parameters
    ----------
    title
        The title.
    name
        The name of the train.

    Raises
    ------
    TrunklineError
        The title has no such train.

    Examples
    --------
    >>> from trunkline.solver import get_title, train
    >>> train(get_title("18India"), "3x2").multiplier
    2
    """
    if name not in title.trains:
        known = ", ".join(title.trains) or "none; give its distance or visits"
        raise TrunklineError(f"unknown train {name!r}; known: {known}")
    return title.trains[name]
