"""The terms of a title held against one position: what each train is paid more at which stops, and for which sets.

What does not concern this company, its trains or this phase never reaches the arrays.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import prod

from trunkline.solver.board import HEX, ROUTE, STOP, Bonus, Position, StopId, Stops, Train
from trunkline.solver.errors import Fault, PositionError

MOST_WAYS = 1 << 20
"""Ways to choose which of a route's stops are paid so that some of its bonuses are."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What a route earns once with a stop of each of the sets, and track over one of the hexes if there are any.

    ``amounts``: for each train. ``visited``: the stops need not be counted.
    """

    sets: tuple[frozenset[StopId], ...]
    crossed: frozenset[str]
    visited: bool
    amounts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Resolved:
    """``added[t][n]``: what the n-th stop pays train t beside its value, multiplied if it is; and the claims.

    ``changes_worth``: something is added, or a train multiplies by kind, so that what stops are worth has to have the
    multiplier in it.
    """

    added: list[list[int]]
    claims: list[Claim]
    changes_worth: bool


def resolve(position: Position, trains: Sequence[Train], stops: Sequence[StopId]) -> Resolved:
    """The bonuses that concern a train, over the stops that the company can reach.

    Raises PositionError: stops that pay more lie beside variable cities.
    """
    added = [[0] * len(stops) for _ in trains]
    claims: list[Claim] = []
    for bonus in position.terms.bonuses:
        amounts = _amounts(position, bonus, trains)
        if not any(amounts):
            continue
        if bonus.crosses is not None:
            hexes = {*bonus.crosses.hexes, *_marked(position, bonus.crosses)}
            groups = [hexes] if bonus.per == ROUTE else [{h} for h in sorted(hexes)]
            claims += [Claim((), frozenset(g), False, amounts) for g in groups]
            continue
        sets = [members(position, of, stops) for of in bonus.stops]
        for parts in _parts(bonus, sets):
            if len(parts) == 1 and len(parts[0]) == 1 and not bonus.visited:
                n = stops.index(next(iter(parts[0])))
                for row, amount in zip(added, amounts, strict=True):
                    row[n] += amount
            elif all(parts):
                claims.append(Claim(parts, frozenset(), bonus.visited, amounts))
    _require_few(trains, claims)
    by_kind = [i for i, t in enumerate(position.trains) if t.by_kind]
    changes_worth = bool(by_kind) or any(map(any, added))
    if changes_worth and any(hx.plus is not None for hx in position.board.hexes.values()):
        where = f"trains[{by_kind[0]}].visits" if by_kind else "rules.bonuses"
        what = "a multiplier by kind" if by_kind else "a bonus of single stops"
        raise PositionError([Fault(where, f"{what} cannot be beside variable cities")])
    return Resolved(added, claims, changes_worth)


def _require_few(trains: Sequence[Train], claims: Sequence[Claim]) -> None:
    """Raises PositionError: a train paid for some of its stops could choose them for its bonuses in too many ways."""
    for t, train in enumerate(trains):
        ways = 1
        for claim in claims:
            if claim.amounts[t] and claim.sets and not claim.visited and any(v.pay < v.visit for v in train.visits):
                ways *= 1 + prod(map(len, claim.sets))
        if ways > MOST_WAYS:
            text = f"train {train.name} may choose which stops count for its bonuses in too many ways"
            raise PositionError([Fault("rules.bonuses", f"{text}; name fewer stops")])


def _parts(bonus: Bonus, sets: Sequence[frozenset[StopId]]) -> Iterator[tuple[frozenset[StopId], ...]]:
    """The sets that are paid once each, of a bonus paid once a route, per stop or per hex."""
    if bonus.per == ROUTE:
        yield tuple(sets)
    elif bonus.per == STOP:
        yield from ((frozenset({s}),) for s in sorted(sets[0]))
    elif bonus.per == HEX:
        by_hex: defaultdict[str, set[StopId]] = defaultdict(set)
        for s in sets[0]:
            by_hex[s.hex].add(s)
        yield from ((frozenset(by_hex[h]),) for h in sorted(by_hex))


def _amounts(position: Position, bonus: Bonus, trains: Iterable[Train]) -> tuple[int, ...]:
    phase, carried = position.board.phase, position.carried
    return tuple(
        bonus.amount * (t.multiplier if bonus.multiplied else 1)
        if bonus.concerns(position.company, t.name, phase, carried)
        else 0
        for t in trains
    )


def _marked(position: Position, stops: Stops) -> set[str]:
    return set().union(*(position.marked.get(m, ()) for m in stops.markers))


def members(position: Position, of: Stops, stops: Iterable[StopId]) -> frozenset[StopId]:
    """Those of some stops that are in a set."""
    hexes, groups, labels = _marked(position, of).union(of.hexes), set(of.groups), set(of.labels)

    def belongs(stop: StopId) -> bool:
        if of.kinds and stop.kind not in of.kinds:
            return False
        return (
            of.anywhere
            or stop.hex in hexes
            or (bool(groups) and position.board.stop(stop).group in groups)
            or (bool(labels) and not labels.isdisjoint(position.board.hexes[stop.hex].tile.labels))
        )

    return frozenset(filter(belongs, stops))


def looked_at(position: Position, trains: Sequence[Train], stops: Collection[StopId]) -> frozenset[StopId]:
    """The stops that some term asks for by themselves, so that a route has to tell that it visits them."""
    sets = [of for b in position.terms.bonuses if any(_amounts(position, b, trains)) for of in b.stops]
    found = frozenset[StopId]().union(*(members(position, of, stops) for of in sets))
    if position.terms.one_stop_per_hex:
        several = Counter(s.hex for s in stops)
        found |= {s for s in stops if several[s.hex] > 1 and s.hex not in position.terms.several_stops}
    return found
