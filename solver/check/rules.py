"""May a train run a route? (rules sections 9.1 and 9.2)"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from operator import itemgetter
from typing import NamedTuple, TypeVar

from trunkline.solver.board import CITY, MARKER, NEVER_VISITED, OFFBOARD, SIDE, UNLIMITED, Position, Train
from trunkline.solver.check.follow import Run
from trunkline.solver.check.names import KIND_NAMES, plural, resource_name, stop_name
from trunkline.solver.check.terms import members
from trunkline.solver.errors import Fault

_T = TypeVar("_T")


def rule_faults(position: Position, train: Train, run: Run) -> list[Fault]:
    """Every rule that an unbroken run violates."""
    faults: list[Fault] = []
    board, stops, last = position.board, run.stops, len(run.stops) - 1
    if last < 1:
        faults.append(run.fault("a route needs at least two stops"))
    faults += _end_faults(position, run)
    if True not in run.own:
        faults.append(run.fault(f"no stop of the run has a token of {position.company}"))
    faults += _passing_faults(position, run)
    if len(set(stops)) <= last:
        faults += [run.fault(f"{stop_name(board, s)} is visited twice", i) for i, s in _repeated(stops)]
    groups = [p.group for p in run.printed]
    if any(groups):
        faults += _group_faults(run, groups)
    if position.terms.one_stop_per_hex:
        faults += _hex_faults(position, run)
    if len(set(run.used)) < len(run.used):
        faults += [run.fault(f"{resource_name(used)} is used twice") for _, used in _repeated(run.used)]
    faults += _length_faults(position, train, run)
    return faults


def _end_faults(position: Position, run: Run) -> Iterator[Fault]:
    """What the first and the last stop may be (9.1.2)."""
    ends = position.board.title.route_ends
    for i in {0, len(run.stops) - 1}:
        if run.printed[i].kind not in ends:
            may = " or ".join(KIND_NAMES[k] for k in sorted(ends))
            where = stop_name(position.board, run.stops[i])
            yield run.fault(f"the run ends in {where}; a route starts and ends in a {may}", i)
    for of in position.terms.no_ends:
        for i in {0, len(run.stops) - 1}.intersection(members(position, of, run)):
            yield run.fault(f"the run ends in {stop_name(position.board, run.stops[i])}; no route may end there", i)


def _passing_faults(position: Position, run: Run) -> Iterator[Fault]:
    """Which stops a run may not pass (9.1.3)."""
    board = position.board
    for i in range(1, len(run.stops) - 1):
        stop, printed = run.stops[i], run.printed[i]
        if printed.kind == OFFBOARD:
            yield run.fault(f"the run passes {stop_name(board, stop)}; it may only end there", i)
        elif printed.kind == CITY and board.cities[stop].blocks(position.company):
            full = f"{stop_name(board, stop)} is full of tokens of other companies"
            yield run.fault(f"{full}; the run may only end there", i)
        elif i in run.ends:
            yield run.fault(f"the track to {stop_name(board, stop)} is terminal; the run may only end there", i)


def _repeated(things: Sequence[_T]) -> list[tuple[int, _T]]:
    """Each thing that comes again, once, with the number of the second time."""
    seen: dict[_T, int] = {}
    again = []
    for i, thing in enumerate(things):
        seen[thing] = seen.get(thing, 0) + 1
        if seen[thing] == 2:
            again.append((i, thing))
    return again


def _group_faults(run: Run, groups: Sequence[str]) -> Iterator[Fault]:
    """At most one stop of a group, such as the two Mumbai cities, may be on a route (9.1.4)."""
    first: dict[str, int] = {}
    for i, group in enumerate(groups):
        j = first.setdefault(group, i)
        if group and j != i and run.stops[i] != run.stops[j]:
            a, b = (f"{s.kind} {s.number} of {s.hex}" for s in (run.stops[j], run.stops[i]))
            text = f"the run visits {a} and {b}; only one stop of {group} may be on a route"
            yield run.fault(f"{run.stops[i].hex}: {text}", i)


def _hex_faults(position: Position, run: Run) -> Iterator[Fault]:
    """At most one stop of a hex may be on a route, where the terms say so."""
    for i, stop in enumerate(run.stops):
        before = [s for s in run.stops[:i] if s.hex == stop.hex and s != stop]
        if before and stop.hex not in position.terms.several_stops:
            a, b = (f"{s.kind} {s.number}" for s in (before[0], stop))
            yield run.fault(f"{stop.hex}: the run visits {a} and {b}; only one stop of a hex may be on a route", i)


class _Limits(NamedTuple):
    """What a train may visit and what pays: for sets of kinds the most stops of these kinds (no row: no limit)."""

    kinds: frozenset[str]
    visit: tuple[tuple[frozenset[str], int], ...]
    pay: tuple[tuple[frozenset[str], int], ...]


@lru_cache(maxsize=256)
def limits(train: Train) -> _Limits:
    """The limits that the rows of a train set.

    By Hall's theorem the stops of a run can be shared out among the rows if, for each set of kinds, there are no more
    stops of these kinds than the rows that name any of them take together."""
    kinds = sorted({k for row in train.visits for k in row.kinds})
    sets = [frozenset(c) for n in range(1, len(kinds) + 1) for c in combinations(kinds, n)]

    def caps(what: str) -> tuple[tuple[frozenset[str], int], ...]:
        total = {s: sum(getattr(row, what) for row in train.visits if s & set(row.kinds)) for s in sets}
        return tuple((s, cap) for s, cap in total.items() if cap < UNLIMITED)

    return _Limits(frozenset(kinds), caps("visit"), caps("pay"))


def _length_faults(position: Position, train: Train, run: Run) -> Iterator[Fault]:
    """What the train may visit and how much of it (9.2)."""
    most = limits(train)
    kinds = [p.kind for p in run.printed]
    for i, kind in enumerate(kinds):
        if kind not in most.kinds or run.printed[i].visit_cost >= NEVER_VISITED:
            yield run.fault(f"train {train.name} cannot visit {stop_name(position.board, run.stops[i])}", i)
    costs = Counter[str]()
    for printed in run.printed:
        costs[printed.kind] += printed.visit_cost
    costs[MARKER], costs[SIDE] = run.markers, len(run.hexes) - 1
    over = [(n - cap, cap, s) for s, cap in most.visit if (n := sum(costs[k] for k in s)) > cap]
    if over:
        excess, cap, which = max(over, key=itemgetter(0))
        what = ", ".join(f"{n} {plural(k, n)}" for k in sorted(which) if (n := costs[k]))
        yield run.fault(f"too long by {excess} for train {train.name}: {what}; at most {cap} together")
    if train.own_token_counts and True in run.own and any(s == {CITY} and cap < 1 for s, cap in most.pay):
        yield run.fault(f"no city with a token of {position.company} can count for train {train.name}")
