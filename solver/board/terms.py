"""Rules of titles as data: what a route earns beside its stops, and what it may not do.

The same terms are written in ``terms.toml`` of a title's folder, in the ``rules`` of a board that is sent whole, and
in Python. They say what is so on the table; the search, the checker and the tests each read them in code of their own.
What they cannot pay or forbid anywhere is refused when they are read (:func:`term_faults`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from trunkline.solver.board.tile import STOP_KINDS
from trunkline.solver.errors import Fault

ROUTE, STOP, HEX = "route", "stop", "hex"
PER = (ROUTE, STOP, HEX)
"""How often a bonus is paid: once a route, for each stop, for each different hex."""
MAX_AMOUNT = 10_000
MAX_BONUSES = 100


@dataclass(frozen=True, slots=True)
class Stops:
    """A set of stops: those that any hex, group, label or marker names; if none is given, stops anywhere.

    Parameters
    ----------
    hexes
        Stops on these hexes.
    groups
        Stops of these groups.
    labels
        Stops on tiles with one of these labels.
    markers
        Stops on hexes to which one of these markers is assigned.
    kinds
        Of these, only stops of these kinds; none: of every kind.
    """

    hexes: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    markers: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()

    @property
    def anywhere(self) -> bool:
        """Whether no hex, group, label or marker is asked for."""
        return not (self.hexes or self.groups or self.labels or self.markers)


@dataclass(frozen=True, slots=True)
class Bonus:
    """An amount for a route with a stop of each of several sets, or whose track comes to a certain hex.

    Parameters
    ----------
    name
        What the lines of a revenue call it.
    amount
        What is paid at a time.
    stops
        The sets of stops.
    crosses
        In place of ``stops``: hexes, or hexes with a marker; a stop there is not needed.
    per
        How often it is paid: once a ``route``, or, with one set, for each ``stop`` or each different ``hex`` of it.
    visited
        Whether stops will do that are visited; else they must be counted.
    multiplied
        Whether the multiplier of the train multiplies it.
    companies, trains, phases
        For these only; none: for all.
    not_trains
        Not for these trains.
    marker
        Only for a company that carries this marker; empty: for any company.
    """

    name: str
    amount: int
    stops: tuple[Stops, ...] = ()
    crosses: Stops | None = None
    per: str = ROUTE
    visited: bool = False
    multiplied: bool = False
    companies: tuple[str, ...] = ()
    trains: tuple[str, ...] = ()
    not_trains: tuple[str, ...] = ()
    phases: tuple[str, ...] = ()
    marker: str = ""

    def concerns(self, company: str, train: str, phase: str, carried: Collection[str]) -> bool:
        """Whether it is for this company, with what it carries, this train and this phase."""
        return (
            (not self.companies or company in self.companies)
            and (not self.trains or train in self.trains)
            and train not in self.not_trains
            and (not self.phases or phase in self.phases)
            and (not self.marker or self.marker in carried)
        )


@dataclass(frozen=True, slots=True)
class Terms:
    """The rules of routes of a title that are not the same everywhere.

    Parameters
    ----------
    bonuses
        What routes earn beside their stops.
    one_stop_per_hex
        Whether a route visits at most one stop of a hex.
    several_stops
        The hexes where that does not hold.
    no_ends
        Stops at which no route begins or ends.
    """

    bonuses: tuple[Bonus, ...] = ()
    one_stop_per_hex: bool = False
    several_stops: tuple[str, ...] = ()
    no_ends: tuple[Stops, ...] = ()

    def __or__(self, other: Terms) -> Terms:
        """Both together."""
        return Terms(
            self.bonuses + other.bonuses,
            self.one_stop_per_hex or other.one_stop_per_hex,
            self.several_stops + other.several_stops,
            self.no_ends + other.no_ends,
        )


NO_TERMS = Terms()


@dataclass(frozen=True, slots=True)
class Assignment:
    """A named marker that lies on a hex or that a company carries; one of both is given.

    Parameters
    ----------
    marker
        Its name, by which terms know it.
    hex
        The hex it lies on.
    company
        The company that carries it.
    """

    marker: str
    hex: str = ""
    company: str = ""


@dataclass(frozen=True, slots=True)
class Known:
    """What terms may name; an empty collection of companies, trains or phases knows any name."""

    hexes: Collection[str]
    companies: Collection[str] = ()
    trains: Collection[str] = ()
    phases: Collection[str] = ()
    groups: Collection[str] = ()
    labels: Collection[str] = ()


def term_faults(terms: Terms, known: Known) -> Iterator[Fault]:
    """What is wrong with terms, each fault with its place; also a bonus that could never be paid."""
    if len(terms.bonuses) > MAX_BONUSES:
        yield Fault("bonuses", f"{len(terms.bonuses)} bonuses; at most {MAX_BONUSES}")
        return
    for i, bonus in enumerate(terms.bonuses):
        for fault in _bonus_faults(bonus, known):
            yield fault.within(f"bonuses[{i}]")
    for i, stops in enumerate(terms.no_ends):
        for fault in _stops_faults(stops, known):
            yield fault.within(f"no_ends[{i}]")
    if terms.several_stops and not terms.one_stop_per_hex:
        yield Fault("several_stops", "says where one_stop_per_hex does not hold, which is not set")
    yield from _unknown("several_stops", "hex", terms.several_stops, known.hexes)


def _bonus_faults(bonus: Bonus, known: Known) -> Iterator[Fault]:
    if not bonus.name:
        yield Fault("name", "the bonus has no name")
    if type(bonus.amount) is not int or bonus.amount not in range(1, MAX_AMOUNT + 1):
        yield Fault("amount", f"{bonus.amount!r} is not a whole number from 1 to {MAX_AMOUNT}")
    if bonus.per not in PER:
        yield Fault("per", f"unknown {bonus.per!r}; known: {', '.join(PER)}")
    if (bonus.crosses is None) == (not bonus.stops):
        yield Fault("", "a bonus is for stops or for hexes that its track crosses: give stops or crosses")
    elif bonus.per != ROUTE and len(bonus.stops) > 1:
        yield Fault("per", f"{len(bonus.stops)} sets of stops are paid once a route, not per {bonus.per}")
    elif bonus.per == STOP and bonus.crosses is not None:
        yield Fault("per", "what is crossed is paid per hex or once a route")
    yield from _unknown_in(bonus, known)


def _unknown_in(bonus: Bonus, known: Known) -> Iterator[Fault]:
    """What a bonus names that there is not."""
    for i, stops in enumerate(bonus.stops):
        for fault in _stops_faults(stops, known):
            yield fault.within(f"stops[{i}]")
    if (crosses := bonus.crosses) is not None:
        if crosses.groups or crosses.labels or crosses.kinds or crosses.anywhere:
            yield Fault("crosses", "give hexes or markers, and nothing else")
        yield from (f.within("crosses") for f in _unknown("hexes", "hex", crosses.hexes, known.hexes))
    for name, one, given, of in (
        ("companies", "company", bonus.companies, known.companies),
        ("trains", "train", bonus.trains, known.trains),
        ("not_trains", "train", bonus.not_trains, known.trains),
        ("phases", "phase", bonus.phases, known.phases),
    ):
        if of:
            yield from _unknown(name, one, given, of)


def _stops_faults(stops: Stops, known: Known) -> Iterator[Fault]:
    yield from _unknown("hexes", "hex", stops.hexes, known.hexes)
    yield from _unknown("groups", "group", stops.groups, known.groups)
    yield from _unknown("labels", "label", stops.labels, known.labels)
    yield from _unknown("kinds", "kind", stops.kinds, STOP_KINDS)


def _unknown(field: str, what: str, given: Collection[str], known: Collection[str]) -> Iterator[Fault]:
    for i, name in enumerate(given):
        if name not in known:
            some = f"; known: {', '.join(sorted(known)) or 'none'}" if len(known) <= 20 and what != "hex" else ""
            where = " on the board" if what in ("hex", "group", "label") else ""
            yield Fault(f"{field}[{i}]", f"there is no {what} {name!r}{where}{some}")
