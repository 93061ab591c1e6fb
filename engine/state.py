"""The state of a game: everything that lies on the table and in hands, and whose move it is. No rule is in here.

A state is a value: :func:`trunkline.engine.game.apply` copies it, changes the copy and gives that back. ``to_json`` and
``from_json`` are exact; two states are equal when everything on the table is. Cards that a view hides read ``?``.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, fields, replace
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from trunkline.engine.box.box import BOX, TITLE, company_of, is_director, percent
from trunkline.engine.errors import LogError
from trunkline.engine.json_values import decode, encode
from trunkline.engine.options import Options

P = ParamSpec("P")
T = TypeVar("T")

UNFORMED = -1
NOBODY = -1
EXTRA = -1

KEEP, DRAFT, AUCTION, STOCK, OPERATE, END = "keep", "draft", "auction", "stock", "operate", "end"
TRACK, TOKEN, RUN, DIVIDEND, TRAINS, SELL, BUY = "track", "token", "run", "dividend", "trains", "sell", "buy"
STEPS = (TRACK, TOKEN, RUN, DIVIDEND, TRAINS, SELL, BUY)


@dataclass(slots=True)
class Player:
    """A player. ``hand``: options to buy; ``open_cards``: those of them that everybody has seen (the drafted ones).

    ``kept``: the secret choice while others still choose, None before the choice is made.
    """

    cash: int
    hand: list[str] = field(default_factory=list)
    open_cards: list[str] = field(default_factory=list)
    kept: list[str] | None = None
    certificates: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class PlacedToken:
    """A station token in a city; ``slot`` -1: beside the slots (8.3). ``exchange``: an exchange token (10.4)."""

    hex: str
    city: int
    slot: int
    exchange: bool = False


@dataclass(slots=True)
class Company:
    """A company of this game.

    ``price``: its space on the market, -1 before it is formed. ``controller``: the seat of its Director or manager,
    -1 for none. ``unplaced``: costs of its tokens that are not on the map, the next one first.
    """

    guaranty: bool = False
    cash: int = 0
    price: int = UNFORMED
    controller: int = NOBODY
    closed: bool = False
    certificates: list[str] = field(default_factory=list)
    trains: list[str] = field(default_factory=list)
    tokens: list[PlacedToken] = field(default_factory=list)
    unplaced: list[int] = field(default_factory=list)
    exchange: int = 0
    concessions: list[str] = field(default_factory=list)

    @property
    def formed(self) -> bool:
        """Whether the company is formed (and not closed)."""
        return self.price != UNFORMED and not self.closed


@dataclass(frozen=True, slots=True)
class Pending:
    """A decision that must be taken before the game goes on, by ``seat``.

    ``kind``: ``home`` (which city), ``national_home``, ``assign`` (tokens on a new double city), ``exchange``,
    ``dummy`` (draw a card?), ``offer`` (sell ``train`` to ``company`` for ``price``, on side ``side``?).
    """

    kind: str
    seat: int
    company: str = ""
    hex: str = ""
    companies: tuple[str, ...] = ()
    train: str = ""
    price: int = 0


@dataclass(frozen=True, slots=True)
class Lot:
    """The card being auctioned: the highest bid, who bid it, who nominated, who has passed."""

    card: str
    bid: int
    bidder: int
    nominator: int
    passed: tuple[int, ...] = ()
    turn: int = 0


@dataclass(frozen=True, slots=True)
class StockTurn:
    """What the player to act has done in this turn. ``source``: ``hand``, ``ipo``, empty; ``what``: company or row."""

    acted: bool = False
    source: str = ""
    what: str = ""
    bought: int = 0


@dataclass(frozen=True, slots=True)
class CompanyTurn:
    """What the operating company has done in this turn.

    ``line``: hexes of the yellow tiles laid, in order; ``ends``: where the line goes on, as (hex, side) leaving a hex.
    ``track``: ``""``, ``yellow``, ``upgrade`` or ``marker``. ``discount``: what is left of the French company's.
    ``fresh``: trains bought in this turn; ``from_bank``: those of them that were new or from the open market.
    ``terrain``: what was paid for it in this turn.
    """

    company: str = ""
    step: str = ""
    track: str = ""
    line: tuple[str, ...] = ()
    ends: tuple[tuple[str, int], ...] = ()
    discount: int = 0
    discount_private: str = ""
    terrain: int = 0
    token: bool = False
    revenue: int = 0
    fresh: tuple[str, ...] = ()
    from_bank: tuple[str, ...] = ()


@dataclass(slots=True)
class State:
    """See the module. Money in rupees. ``order``: seats in turn order; ``turn``: place in it or in ``line_up``."""

    options: Options
    stage: str = KEEP
    order: list[int] = field(default_factory=list)
    turn: int = 0
    players: list[Player] = field(default_factory=list)
    companies: dict[str, Company] = field(default_factory=dict)
    absent: list[str] = field(default_factory=list)
    bank: int = BOX.bank
    pool: list[str] = field(default_factory=list)
    ipo: list[list[str]] = field(default_factory=list)
    market: list[str] = field(default_factory=list)
    bonds: list[str] = field(default_factory=list)
    bond_shares: list[str] = field(default_factory=list)
    dummy: list[str] = field(default_factory=list)
    unseen: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    depot: list[str] = field(default_factory=list)
    used_trains: list[str] = field(default_factory=list)
    sides: dict[str, str] = field(default_factory=dict)
    phase: str = "I"
    spaces: list[list[str]] = field(default_factory=lambda: [[] for _ in BOX.market])
    tiles: dict[str, tuple[str, int]] = field(default_factory=dict)
    markers: list[tuple[str, str]] = field(default_factory=list)
    unmarked: list[tuple[str, str]] = field(default_factory=list)
    jewelry_hex: str = ""
    unclaimed: list[str] = field(default_factory=list)
    reserved: dict[str, tuple[str, int]] = field(default_factory=dict)
    round: int = 0
    operating_round: int = 0
    line_up: list[str] = field(default_factory=list)
    moves: int = 0
    passes: list[int] = field(default_factory=list)
    passed_in_a_row: int = 0
    lot: Lot | None = None
    stock: StockTurn = StockTurn()
    operating: CompanyTurn = CompanyTurn()
    pending: list[Pending] = field(default_factory=list)
    closing: str = ""
    bank_broken: bool = False
    end_price_reached: bool = False
    ended_by: str = ""
    scores: list[int] = field(default_factory=list)
    map_cache: MapCache = field(default_factory=lambda: MapCache(), compare=False, repr=False)

    def copy(self) -> State:
        """A copy that shares nothing that can change but ``map_cache``, as long as the map stays the same."""
        return replace(
            self,
            order=self.order[:],
            players=[_copy_player(p) for p in self.players],
            companies={name: _copy_company(c) for name, c in self.companies.items()},
            absent=self.absent[:],
            pool=self.pool[:],
            ipo=[row[:] for row in self.ipo],
            market=self.market[:],
            bonds=self.bonds[:],
            bond_shares=self.bond_shares[:],
            dummy=self.dummy[:],
            unseen=self.unseen[:],
            gone=self.gone[:],
            depot=self.depot[:],
            used_trains=self.used_trains[:],
            sides=self.sides.copy(),
            spaces=[space[:] for space in self.spaces],
            tiles=self.tiles.copy(),
            markers=self.markers[:],
            unmarked=self.unmarked[:],
            unclaimed=self.unclaimed[:],
            reserved=self.reserved.copy(),
            line_up=self.line_up[:],
            passes=self.passes[:],
            pending=self.pending[:],
            scores=self.scores[:],
        )

    def to_json(self) -> dict[str, Any]:
        """The exact JSON form."""
        data: dict[str, Any] = encode(self)
        return data

    @staticmethod
    def from_json(data: Any) -> State:
        """The inverse of :meth:`to_json`. Raises LogError: names the field that does not fit."""
        if isinstance(data, dict):
            missing = [f.name for f in fields(State) if f.compare and f.name not in data]
            if missing:
                raise LogError(f"state.{missing[0]}: is missing")
        return decode(State, data, "state")

    # --- plain look-ups

    def price(self, company: str) -> int:
        """The share price; the IPO price of a company that is not formed."""
        space = self.companies[company].price
        return BOX.market[space] if space != UNFORMED else TITLE.companies[company].ipo_price

    def percent(self, seat: int, company: str) -> int:
        """What part of a company a player holds."""
        return sum(percent(c) for c in self.players[seat].certificates if company_of(c) == company)

    def directed(self, company: str) -> bool:
        """Whether the Director's certificate has been bought."""
        return any(is_director(c) and company_of(c) == company for p in self.players for c in p.certificates)

    @property
    def company(self) -> Company:
        """The operating company."""
        return self.companies[self.operating.company]

    @property
    def alive(self) -> list[str]:
        """The companies that are not closed, formed or not."""
        return [name for name, c in self.companies.items() if not c.closed]

    def map_changed(self) -> None:
        """To be called after every change of tiles, tokens, markers or the jewelry hex: begins a new cache.

        The only place that empties it. Earlier copies of the state, which still have the old map, keep the old cache.
        """
        self.map_cache = MapCache()


@dataclass(frozen=True, slots=True)
class MapCache:
    """Results of functions of the map, by function and arguments; see :func:`kept_with_map`."""

    results: dict[tuple[Callable[..., Any], tuple[Hashable, ...]], Any] = field(default_factory=dict)

    def __reduce__(self) -> tuple[type[MapCache], tuple[()]]:
        """Pickle without the results."""
        return MapCache, ()


def kept_with_map(work: Callable[Concatenate[State, P], T]) -> Callable[Concatenate[State, P], T]:
    """Have the results of a function worked out once for a map.

    Parameters
    ----------
    work
        A function of a state and hashable arguments by position, whose result follows from what lies on the map
        (tiles, tokens, markers, jewelry hex) and the arguments alone, and is never changed by who gets it.

    Returns
    -------
    Callable
        The function, with its results in ``state.map_cache``.
    """

    @wraps(work)
    def kept(state: State, /, *args: P.args, **kwargs: P.kwargs) -> T:
        assert not kwargs, "by position: results are kept by the arguments"
        results, key = state.map_cache.results, (work, args)
        if key not in results:
            results[key] = work(state, *args, **kwargs)
        found: T = results[key]
        return found

    return kept


def _copy_player(p: Player) -> Player:
    return Player(p.cash, p.hand[:], p.open_cards[:], p.kept, p.certificates[:])


def _copy_company(c: Company) -> Company:
    return Company(
        c.guaranty,
        c.cash,
        c.price,
        c.controller,
        c.closed,
        c.certificates[:],
        c.trains[:],
        c.tokens[:],
        c.unplaced[:],
        c.exchange,
        c.concessions[:],
    )
