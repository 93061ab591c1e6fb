"""What does a legal run earn, line by line? (rules sections 9.2 to 9.5)"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product
from operator import itemgetter

from trunkline.solver.board import CITY, Connection, Position, RevenueLine, Route, Track, Train
from trunkline.solver.check.follow import Run
from trunkline.solver.check.names import KIND_NAMES, label
from trunkline.solver.check.rules import limits
from trunkline.solver.check.terms import added, bonus_lines, claims


def route_of(position: Position, number: int, run: Run, track: tuple[tuple[Track, ...], ...]) -> Route:
    """The route of a legal run with its revenue, the best set of stops counted."""
    board, train = position.board, position.trains[number]
    values, top = _values(position, train, run)
    counted = _counted(position, train, run, values)
    lines = []
    for stop, value, pays in zip(run.stops, values, counted, strict=True):
        if pays:
            hx = board.hexes[stop.hex]
            if hx.plus is None or stop.kind != CITY:
                lines.append(RevenueLine("stop", label(hx, stop), value, hx.id))
            else:
                name = hx.name or hx.id
                lines.append(RevenueLine("stop", f"{name} ?+{hx.plus}", hx.plus, hx.id))
                lines.append(RevenueLine("variable", f"{name} ? = {top}", value - hx.plus, hx.id))
    if train.by_kind:
        lines += _lines_by_kind(train, run, values, counted)
    elif train.multiplier > 1:
        base = sum(line.amount for line in lines)
        lines.append(RevenueLine("multiplier", f"×{train.multiplier}", base * (train.multiplier - 1)))
    lines += bonus_lines(position, train, run, counted)
    lines += [RevenueLine("connection", c.name, c.value) for c in _connections(position, run, counted)]
    delivered = _commodities(position, run)
    lines += [line for _, line in delivered]
    return Route(
        number,
        train.name,
        tuple(run.stops),
        counted,
        track,
        tuple(run.hexes),
        tuple(lines),
        sum(line.amount for line in lines),
        run.markers,
        tuple(dict.fromkeys(name for name, _ in delivered)),
    )


def _lines_by_kind(train: Train, run: Run, values: Sequence[int], counted: Sequence[bool]) -> Iterator[RevenueLine]:
    """What a train adds that multiplies some kinds of stops otherwise than others; below 0 for those worth nothing."""
    stops = [(p.kind, v) for p, v, c in zip(run.printed, values, counted, strict=True) if c]
    for factor in dict.fromkeys(train.factor(kind) for kind, _ in stops):
        if factor != 1:
            kinds = dict.fromkeys(KIND_NAMES[kind] for kind, _ in stops if train.factor(kind) == factor)
            more = sum(v for kind, v in stops if train.factor(kind) == factor) * (factor - 1)
            yield RevenueLine("multiplier", f"{', '.join(kinds)} ×{factor}", more)


def _values(position: Position, train: Train, run: Run) -> tuple[list[int], str]:
    """The value of each stop, and in words where the M of variable cities comes from (9.3)."""
    board = position.board
    colors, diesel = board.colors, train.diesel
    values = [p.value(colors, diesel) for p in run.printed]
    plus = [board.hexes[s.hex].plus if s.kind == CITY else None for s in run.stops]
    if all(p is None for p in plus):
        return values, ""
    m, top = board.title.variable_minimum, "the least"
    for i, stop in enumerate(run.stops):
        if stop.kind == CITY and plus[i] is None and values[i] >= m:
            m, top = values[i], label(board.hexes[stop.hex], stop)
    return [v if p is None else m + p for v, p in zip(values, plus, strict=True)], f"{m}, {top}"


def _counted(position: Position, train: Train, run: Run, values: Sequence[int]) -> tuple[bool, ...]:
    """Which stops pay: the set that earns most.

    Sets of stops that the rows of a train can pay are the independent sets of a transversal matroid, so taking the
    most valuable stop that still fits is best, also after some stops are forced in. What is forced: an own token
    (E trains, 9.2), and the places of any set of bonuses that ask for counted stops: those of the terms, and
    connections under the switch ``connection_requires_counted``.
    """
    caps = limits(train).pay
    kinds = [p.kind for p in run.printed]
    if (train.by_number and not train.own_token_counts) or all([sum(map(kinds.count, s)) <= cap for s, cap in caps]):
        return (True,) * len(kinds)
    factors = [train.factor(kind) for kind in kinds]
    gains = [f * v + more for f, v, more in zip(factors, values, added(position, train, run), strict=True)]
    order = sorted(range(len(kinds)), key=lambda i: (-gains[i], not run.own[i], i))
    chosen = _greedy(kinds, order, caps)
    wishes = [*_places(position, run), *(c.places for c in claims(position, train, run))]
    if not wishes and (not train.own_token_counts or any(run.own[i] for i in chosen)):
        return tuple(i in chosen for i in range(len(kinds)))
    best: tuple[int, set[int]] | None = None
    for forced in _forced(train, run, wishes):
        chosen = _greedy(kinds, [*forced, *order], caps)
        if not forced <= chosen:
            continue
        flags = [i in chosen for i in range(len(kinds))]
        worth = sum(gains[i] for i in chosen)
        worth += sum(c.value for c in _connections(position, run, flags))
        worth += sum(c.amount for c in claims(position, train, run) if c.met(flags))
        if best is None or worth > best[0]:
            best = worth, chosen
    chosen = best[1] if best else set()
    return tuple(i in chosen for i in range(len(kinds)))


def _places(position: Position, run: Run) -> Iterator[Sequence[Sequence[int]]]:
    """For each connection that the run has, and that asks for counted stops: its places, each any city of a hex."""
    if position.on("connection_requires_counted"):
        for c in _connections(position, run, [True] * len(run.stops)):
            hexes = dict.fromkeys(c.hexes)
            yield [[i for i, s in enumerate(run.stops) if s.hex == h and s.kind == CITY] for h in hexes]


def _greedy(kinds: Sequence[str], order: Iterable[int], caps: Iterable[tuple[frozenset[str], int]]) -> set[int]:
    """The stops that are counted if they are taken in this order, each one that the rows can still pay."""
    room = dict(caps)
    chosen: set[int] = set()
    for i in order:
        binding = [s for s in room if kinds[i] in s]
        if i not in chosen and all(room[s] > 0 for s in binding):
            chosen.add(i)
            for s in binding:
                room[s] -= 1
    return chosen


def _forced(train: Train, run: Run, wishes: Sequence[Sequence[Sequence[int]]]) -> Iterator[set[int]]:
    """Sets of stops, one of which is in the counted set that earns most; a wish: places, and the stops that do."""
    tokens = [{i} for i, own in enumerate(run.own) if own] if train.own_token_counts else [set[int]()]
    for n in range(len(wishes) + 1):
        for some in combinations(wishes, n):
            for places in product(*(stops for wish in some for stops in wish)):
                for token in tokens:
                    yield token.union(places)


def _connections(position: Position, run: Run, counted: Sequence[bool]) -> Iterator[Connection]:
    """The connection bonuses of the run (9.4); any city of a hex will do."""
    connections = position.board.title.connections
    if not connections:
        return
    everywhere = not position.on("connection_requires_counted")
    cities = {s.hex for s, c in zip(run.stops, counted, strict=True) if s.kind == CITY and (c or everywhere)}
    yield from (c for c in connections if cities.issuperset(c.hexes))


def _commodities(position: Position, run: Run) -> list[tuple[str, RevenueLine]]:
    """The commodity bonuses of the run (9.5): each source hex pays its best destination, or each one by the switch."""
    lines: list[tuple[str, RevenueLine]] = []
    usable = position.open_concessions | position.held_concessions
    if not usable:
        return lines
    hexes, board = set(run.hexes), position.board
    for name, commodity in board.title.commodities.items():
        if name not in usable:
            continue
        sources = [h for h in position.sources(name) if h in hexes]
        reached = [(h, v) for h, v in commodity.destinations.items() if h in hexes] if sources else []
        if reached and not (commodity.each_destination and position.on(commodity.each_destination)):
            reached = [max(reached, key=itemgetter(1))]
        for source, (h, value) in product(dict.fromkeys(sources), reached):
            label = f"{name} from {source} to {board.hexes[h].name or h}"
            lines.append((name, RevenueLine("commodity", label, value, source)))
    return lines
