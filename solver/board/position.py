"""The position: a board and the question what one company can earn on it.

It is immutable and checked once, when it is built: every fault is reported with the field it is in.

    >>> board = Board(get_title("18India"), tiles=(LaidTile("D5", "8", 1),), tokens=(Token("PNS", "D3"),))
    >>> position = Position(board, "PNS", (board.title.trains["2"],))
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from trunkline.solver.board.board import Board
from trunkline.solver.board.field_types import raise_type_faults
from trunkline.solver.board.tile import MARKER, STOP_KINDS
from trunkline.solver.board.title import Title, Train
from trunkline.solver.errors import Fault, PositionError

MAX_TRAINS = 24


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
            raise PositionError([Fault("rules.switches", text)]) from None

    def on(self, title_: Title, switch: str) -> bool:
        """Whether a switch is on; a switch the title does not know is off."""
        return dict(self.switches).get(switch, title_.rule_sets.get(self.name, {}).get(switch, False))


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
            raise_type_faults(self, e)
        if faults:
            raise PositionError(faults)

    def _faults(self) -> Iterable[Fault]:
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
            if not isinstance(train.multiplier, int):
                yield Fault(f"trains[{i}].multiplier", f"{train.multiplier!r} is not a whole number")
            for fault in _train_faults(train):
                yield fault.within(f"trains[{i}]")
        for name, given in (("open_concessions", self.open_concessions), ("held_concessions", self.held_concessions)):
            for c in sorted(given):
                if c not in t.commodities:
                    known = ", ".join(t.commodities) or "none"
                    yield Fault(name, f"unknown commodity {c!r}; known: {known}")
                elif t.commodities[c].placed and not self.board.jewelry_hex and name == "held_concessions":
                    yield Fault(name, f"{c} is held but has no source: give the jewelry hex")
        for c in sorted(self.open_concessions & self.held_concessions):
            yield Fault("held_concessions", f"{c} is both open and held")
        if self.rules.name not in t.rule_sets:
            yield Fault("rules.set", f"unknown rule set {self.rules.name!r}; known: {', '.join(t.rule_sets)}")
        for switch, _ in self.rules.switches:
            if switch not in t.switches:
                yield Fault("rules.switches", f"unknown switch {switch!r}; known: {', '.join(t.switches) or 'none'}")

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


@lru_cache(maxsize=256)
def _train_faults(train: Train) -> tuple[Fault, ...]:
    return tuple(_faults_of_train(train))


def _faults_of_train(train: Train) -> Iterator[Fault]:
    if not train.visits or all(v.visit <= 0 for v in train.visits):
        yield Fault("distance", f"train {train.name!r} can visit no stops")
    if train.multiplier not in range(1, 101):
        yield Fault("multiplier", f"train {train.name!r}: {train.multiplier} is not from 1 to 100")
    for v in train.visits:
        for kind in v.kinds:
            if kind not in (*STOP_KINDS, MARKER):
                yield Fault("visits", f"unknown kind {kind!r}; known: {', '.join(STOP_KINDS)}, {MARKER}")
        if not v.kinds:
            yield Fault("visits", "a row without kinds")
        shared = sorted(k for k in set(v.kinds) if sum(k in other.kinds for other in train.visits) > 1)
        if shared and v.pay < v.visit:
            # Which row a stop goes to would decide both what else may be visited and what is paid.
            text = f"{shared[0]} is in more than one row; such rows must pay all that they visit"
            yield Fault("visits", text)
        if v.visit < 0 or v.pay < 0:
            yield Fault("visits", "a negative number of stops")
