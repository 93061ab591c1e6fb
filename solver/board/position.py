"""The position: a board and the question what one company can earn on it.

It is immutable and checked once, when it is built: every fault is reported with the field it is in.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from trunkline.solver.board.board import Board
from trunkline.solver.board.field_types import raise_type_faults
from trunkline.solver.board.hexes import StopId
from trunkline.solver.board.terms import NO_TERMS, Assignment, Known, Terms, term_faults
from trunkline.solver.board.tile import MARKER, SIDE, STOP_KINDS
from trunkline.solver.board.title import Title, Train, Visits
from trunkline.solver.errors import Fault, PositionError

MAX_TRAINS = 24

_KINDS = frozenset((*STOP_KINDS, MARKER, SIDE))


@dataclass(frozen=True, slots=True)
class Rules:
    """Rule switches: rules that people read differently.

    Parameters
    ----------
    name
        A named set of switches of the title.
    switches
        Pairs of the name of a switch and whether it is on, for those that are set otherwise than in the named set.
    terms
        Terms beside those of the title. A board that is sent whole has all its terms here.

    Raises
    ------
    PositionError
        ``switches`` are not such pairs.

    Examples
    --------
    >>> from trunkline.solver import Rules, get_title
    >>> rules = Rules("rulebook", (("connection_requires_counted", True),))
    >>> rules.on(get_title("18India"), "connection_requires_counted")
    True
    """

    name: str = "rulebook"
    switches: tuple[tuple[str, bool], ...] = ()
    terms: Terms = NO_TERMS

    def __post_init__(self) -> None:
        try:
            object.__setattr__(self, "switches", tuple(sorted(self.switches)))
        except TypeError:
            text = f"{self.switches!r} are not pairs of the name of a switch and whether it is on"
            raise PositionError([Fault("rules.switches", text)]) from None

    def on(self, title: Title, switch: str) -> bool:
        """Whether a switch is on; a switch the title does not know is off."""
        return dict(self.switches).get(switch, title.rule_sets.get(self.name, {}).get(switch, False))


@dataclass(frozen=True)
class Position:
    """A board and the question: what can one company earn with its trains?

    Parameters
    ----------
    board
        What lies on the table.
    company
        The id of the company whose trains run.
    trains
        Its trains, at most 24.
    open_concessions
        Commodities that nobody has claimed; the company claims those that its routes deliver.
    held_concessions
        Commodities that the company holds.
    rules
        Rule switches, and terms beside those of the title.
    assignments
        Markers that lie on hexes or are carried by companies, as far as terms ask for them.

    Raises
    ------
    PositionError
        The parts do not belong together; every fault is named with its field.

    Examples
    --------
    >>> from trunkline.solver import Board, LaidTile, Position, Token, get_title, train
    >>> board = Board(get_title("18India"), (LaidTile("D5", "8", 1),), (Token("PNS", "D3"),))
    >>> position = Position(board, "PNS", (train(board.title, "2"),), open_concessions=frozenset({"SPICES"}))
    """

    board: Board
    company: str
    trains: tuple[Train, ...] = ()
    open_concessions: frozenset[str] = frozenset()
    held_concessions: frozenset[str] = frozenset()
    rules: Rules = Rules()
    assignments: tuple[Assignment, ...] = ()

    def __post_init__(self) -> None:
        try:
            faults = list(self._faults())
        except PositionError:
            raise
        except (AttributeError, TypeError, ValueError) as e:
            raise_type_faults(self, e)
        if faults:
            raise PositionError(faults)

    def _faults(self) -> Iterator[Fault]:
        t = self.board.title
        if not self.board.colors:
            yield from _colorless(self.board)
        if not self.company:
            yield Fault("company", "whose trains run? Give the company")
        elif t.companies and self.company not in t.companies:
            yield Fault("company", f"{t.name} has no company {self.company!r}; known: {', '.join(t.companies)}")
        if len(self.trains) > MAX_TRAINS:
            yield Fault("trains", f"{len(self.trains)} trains; at most {MAX_TRAINS}")
        for i, train in enumerate(self.trains):
            for fault in _train_faults(train, self.board.visit_costs):
                yield fault.within(f"trains[{i}]")
        named = {kind for train in self.trains for row in train.visits for kind in row.kinds}
        if named.issuperset((MARKER, SIDE)):
            yield Fault("trains", f"trains that count each {SIDE} and trains that count each {MARKER} in one question")
        yield from self._concession_faults()
        yield from self._rule_faults()
        yield from self._assignment_faults()

    def _rule_faults(self) -> Iterator[Fault]:
        t = self.board.title
        if self.rules.terms != NO_TERMS:
            for fault in term_faults(self.rules.terms, self._known()):
                yield fault.within("rules")
        if self.rules.name not in t.rule_sets:
            yield Fault("rules.set", f"unknown rule set {self.rules.name!r}; known: {', '.join(t.rule_sets)}")
        for switch, _ in self.rules.switches:
            if switch not in t.switches:
                yield Fault("rules.switches", f"unknown switch {switch!r}; known: {', '.join(t.switches) or 'none'}")

    def _concession_faults(self) -> Iterator[Fault]:
        commodities = self.board.title.commodities
        for name, given in (("open_concessions", self.open_concessions), ("held_concessions", self.held_concessions)):
            for c in sorted(given):
                if c not in commodities:
                    yield Fault(name, f"unknown commodity {c!r}; known: {', '.join(commodities) or 'none'}")
                elif commodities[c].placed and not self.board.jewelry_hex and name == "held_concessions":
                    yield Fault(name, f"{c} is held but has no source: give the jewelry hex")
        for c in sorted(self.open_concessions & self.held_concessions):
            yield Fault("held_concessions", f"{c} is both open and held")

    def _known(self) -> Known:
        """What terms may name on this board; on a board sent whole companies and trains have any name."""
        board, t = self.board, self.board.title
        tiles = [hx.tile for hx in board.hexes.values()]
        groups = {s.group for tile in tiles for s in tile.stops if s.group}
        labels = {label for tile in tiles for label in tile.labels}
        return Known(board.hexes, t.companies, t.trains, t.phases, groups, labels)

    def _assignment_faults(self) -> Iterator[Fault]:
        for i, a in enumerate(self.assignments):
            at = f"assignments[{i}]"
            if not a.marker:
                yield Fault(f"{at}.marker", "the marker has no name")
            if bool(a.hex) == bool(a.company):
                yield Fault(at, f"{a.marker!r} lies on a hex or is carried by a company: give one of them")
            elif a.hex and a.hex not in self.board.hexes:
                yield Fault(f"{at}.hex", f"there is no hex {a.hex!r} on the board")

    @cached_property
    def terms(self) -> Terms:
        """The terms of the title and those given beside them."""
        return self.board.title.terms | self.rules.terms

    @cached_property
    def carried(self) -> frozenset[str]:
        """The markers that the company carries."""
        return frozenset(a.marker for a in self.assignments if a.company == self.company)

    @cached_property
    def marked(self) -> Mapping[str, frozenset[str]]:
        """For each marker that lies on hexes: these hexes."""
        found: dict[str, set[str]] = {}
        for a in self.assignments:
            if a.hex:
                found.setdefault(a.marker, set()).add(a.hex)
        return {marker: frozenset(hexes) for marker, hexes in found.items()}

    def on(self, switch: str) -> bool:
        """Whether a rule switch is on."""
        return self.rules.on(self.board.title, switch)

    def sources(self, commodity: str) -> tuple[str, ...]:
        """The source hexes of a commodity on this board."""
        c = self.board.title.commodities[commodity]
        placed = (self.board.jewelry_hex,) if c.placed and self.board.jewelry_hex else ()
        return (*c.sources, *placed)


def _colorless(board: Board) -> Iterator[Fault]:
    """Stops that pay by colour where no colour is given: they would silently pay nothing."""
    for hx in board.hexes.values():
        for stop, s in zip(hx.stops, hx.tile.stops, strict=True):
            if colors := s.colors:
                text = f"{stop} pays by colour ({', '.join(colors)}): give the colours of the tiles available"
                yield Fault("phase_colors", text)


def _train_faults(train: Train, visit_costs: Sequence[StopId]) -> Iterator[Fault]:
    """What is wrong with a train, on a board whose stops with a visit cost are given."""
    if visit_costs and (train.own_token_counts or not (train.by_number or train.visits_freely)):
        text = f"{visit_costs[0]} has a visit cost, which only trains heed that count all stops alike"
        yield Fault("visits", f"{text}; {train.name!r} does not")
    if not isinstance(train.multiplier, int):
        yield Fault("multiplier", f"{train.multiplier!r} is not a whole number")
    if not train.visits or all(row.visit <= 0 for row in train.visits):
        yield Fault("distance", f"train {train.name!r} can visit no stops")
    if train.multiplier not in range(1, 101):
        yield Fault("multiplier", f"train {train.name!r}: {train.multiplier} is not from 1 to 100")
    for row in train.visits:
        yield from _row_faults(row, train.visits)


def _row_faults(row: Visits, rows: Sequence[Visits]) -> Iterator[Fault]:
    """What is wrong with one of the ``rows`` of a train."""
    if not _KINDS.issuperset(row.kinds):
        known = f"{', '.join(STOP_KINDS)}, {MARKER}, {SIDE}"
        yield from (Fault("visits", f"unknown kind {k!r}; known: {known}") for k in row.kinds if k not in _KINDS)
    if not row.kinds:
        yield Fault("visits", "a row without kinds")
    if row.pay < row.visit and (shared := _shared_kinds(row, rows)):
        # Which row a stop goes to would decide both what else may be visited and what is paid.
        yield Fault("visits", f"{shared[0]} is in more than one row; such rows must pay all that they visit")
    if row.multiplier is not None and row.multiplier not in range(101):
        yield Fault("visits", f"the multiplier {row.multiplier!r} is not a whole number from 0 to 100")
    if any(r.multiplier != row.multiplier and not set(r.kinds).isdisjoint(row.kinds) for r in rows):
        yield Fault("visits", "rows that name the same kind must have the same multiplier")
    if row.visit < 0 or row.pay < 0:
        yield Fault("visits", "a negative number of stops")


def _shared_kinds(row: Visits, rows: Sequence[Visits]) -> list[str]:
    """The kinds of a row that other rows name too."""
    return sorted(kind for kind in set(row.kinds) if sum(kind in other.kinds for other in rows) > 1)
