"""One recorded run held against the solver: is its position taken, its run worth what it paid, and the best no less?"""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from enum import StrEnum

from tests.records.drawn import routes, tracks
from tests.records.reading import Record, RecordError, position
from trunkline.solver import Evaluation, Position, PositionError, TrunklineError, evaluate, solve


class Verdict(StrEnum):
    """What came of a run; all but EXACT differ."""

    EXACT = "exact"
    REFUSED = "refused"
    ILLEGAL = "illegal"
    VALUE = "value"
    BEATEN = "beaten"
    """The best answer, proven or not, earns less than the run."""
    WRONG = "wrong"
    """No set of routes earns as much, the solver says: a wrong answer."""
    ERROR = "error"
    """An exception that the solver should never raise."""


@dataclass(frozen=True)
class Outcome:
    """What came of a run. Fields that were not reached are None; no ``reasons`` for EXACT.

    ``evaluated``: the revenue of the routes as recorded; ``otherwise``: of their hexes read as richly as may be, where
    that is not the same.
    """

    title: str
    id: str
    verdict: Verdict
    paid: int
    reasons: tuple[str, ...] = ()
    evaluated: int | None = None
    otherwise: int | None = None
    solved: int | None = None
    bound: int | None = None
    proven: bool | None = None
    seconds: float | None = None

    @property
    def accepted(self) -> bool:
        """Whether the position was taken."""
        return self.verdict is not Verdict.REFUSED

    @property
    def kinds(self) -> tuple[str, ...]:
        """The reasons without what differs from run to run, for runs of a kind to be counted together."""
        return tuple(dict.fromkeys(kind(reason) for reason in self.reasons))


def kind(reason: str) -> str:
    """A reason without hexes and route numbers: ``D5: no track`` is ``·: no track``."""
    return re.sub(r"(?<![\w:'])[A-Za-z]{1,2}-?\d+\b", "·", reason)


def compare(record: Record, deadline: float | None) -> Outcome:
    """Evaluate the routes of a record, and search for the best for ``deadline`` seconds (None: do not search)."""
    title, id_, paid = record.title, record.id, record.paid
    try:
        asked = position(record)
        worth, richest = _worth(record, asked)
    except (RecordError, PositionError) as e:
        return Outcome(title, id_, Verdict.REFUSED, paid, _reasons(e))
    except Exception as e:
        return Outcome(title, id_, Verdict.ERROR, paid, (repr(e),))
    evaluated = worth.total if worth.legal else None
    otherwise = richest if worth.legal and richest not in (None, worth.total) else None
    solved = bound = proven = seconds = None
    if deadline is not None:
        started = time.perf_counter()
        try:
            best = solve(asked, deadline=deadline)
        except TrunklineError as e:
            return Outcome(title, id_, Verdict.REFUSED, paid, _reasons(e), evaluated, otherwise)
        except Exception as e:
            return Outcome(title, id_, Verdict.ERROR, paid, (repr(e),), evaluated, otherwise)
        seconds = time.perf_counter() - started
        solved, bound, proven = best.total, best.upper_bound, best.optimal
    verdict, reasons = Verdict.EXACT, tuple[str, ...]()
    if not worth.legal:
        verdict, reasons = Verdict.ILLEGAL, tuple(dict.fromkeys(v.message for v in worth.faults))
    elif worth.total != paid:
        verdict, reasons = Verdict.VALUE, (f"paid {paid - worth.total:+d} against what evaluate says",)
    elif bound is not None and bound < paid:
        verdict, reasons = Verdict.WRONG, (f"the bound is {paid - bound} below what was paid",)
    elif solved is not None and solved < paid:
        verdict, reasons = Verdict.BEATEN, (f"the best found is {paid - solved} below what was paid",)
    return Outcome(title, id_, verdict, paid, reasons, evaluated, otherwise, solved, bound, proven, seconds)


def _worth(record: Record, asked: Position) -> tuple[Evaluation, int | None]:
    """The routes of a record evaluated, and what a reader of their hexes alone may make of them.

    Where exact track can be read in several ways, the record does not say which was meant: one that is worth what was
    paid is taken, else the first legal one.
    """
    by_hexes = [evaluate(asked, drawn) for drawn in routes(record)]
    richest = max((e.total for e in by_hexes if e.legal), default=None)
    first: Evaluation | None = None
    for drawn in tracks(record, asked.board):
        exact = evaluate(asked, drawn)
        if exact.legal and exact.total == record.paid:
            return exact, richest
        if first is None or (exact.legal and not first.legal):
            first = exact
    return first or by_hexes[0], richest


def _reasons(error: Exception) -> tuple[str, ...]:
    if isinstance(error, PositionError):
        return tuple(dict.fromkeys(v.message for v in error.faults))
    return (str(error),)
