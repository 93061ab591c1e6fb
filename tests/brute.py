"""Every legal route and the best set of them by trying all: the truth that the solver is held against.

Written from the rules (sections 9.1 to 9.6) straight over the tiles of a board, in networkx and plain Python. Of the
solver it uses the board, the title and the tiles, and nothing of network, problem, search or check. Slow and simple on
purpose: walk every route from every stop, work out what each earns, then try all sets of routes that share no track.

Bits: every hex side and every track between two stops inside a tile has a bit; a route is the bits of its track.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations, pairwise, product

import networkx as nx

from trunkline.solver.board import (
    CITY,
    MARKER,
    OFFBOARD,
    STOP_KINDS,
    Assignment,
    Board,
    Bonus,
    Position,
    StopId,
    Stops,
    Train,
    Visits,
    border,
)

Use = tuple[str, str, int]
"""What one train takes from the others: ``(hex, "side", side)`` or ``(hex, "inside", number of the path)``."""


@dataclass(frozen=True)
class Segment:
    """Track between two stops: what it takes, the hexes from ``a`` to ``b`` and the gauge-change markers crossed.

    ``ends``: those of the two stops at which it is terminal.
    """

    a: StopId
    b: StopId
    uses: frozenset[Use]
    hexes: tuple[str, ...]
    markers: int
    ends: frozenset[StopId] = frozenset()


@dataclass(frozen=True)
class Run:
    """One legal route of one train and the most it earns. ``bits``: the track it takes."""

    stops: tuple[StopId, ...]
    segments: tuple[Segment, ...]
    bits: int
    revenue: int

    @property
    def hexes(self) -> tuple[str, ...]:
        """Every hex of the route, in order."""
        hexes = [self.stops[0].hex]
        for stop, segment in zip(self.stops, self.segments, strict=False):
            hexes += segment.hexes[1:] if segment.a == stop else segment.hexes[-2::-1]
        return tuple(hexes)


def best(position: Position) -> int:
    """The most that the trains of a position earn together (9.1: no track is used twice)."""
    return best_of(position, every_run(position))


def every_run(position: Position) -> dict[Train, list[Run]]:
    """For each different train of a position, every legal route."""
    graph = network(position.board)
    return {train: runs(position, train, graph) for train in dict.fromkeys(position.trains)}


def best_of(position: Position, found: dict[Train, list[Run]]) -> int:
    """The most that the trains of a position earn together, given all their routes."""
    lists = []
    for train in position.trains:
        table: dict[int, int] = {}
        for run in found[train]:
            table[run.bits] = max(run.revenue, table.get(run.bits, 0))
        lists.append(sorted(((v, b) for b, v in table.items() if v > 0), reverse=True))
    return _best_set(sorted(lists, key=len), 0, 0)


def _best_set(lists: list[list[tuple[int, int]]], taken: int, floor: int) -> int:
    """The highest sum of one entry or none of each list with disjoint bits, where above ``floor``; else ``floor``."""
    if not lists:
        return max(0, floor)
    head, rest = lists[0], lists[1:]
    limit = sum(x[0][0] for x in rest if x)
    top = _best_set(rest, taken, floor)
    for value, bits in head:
        if value + limit <= top:
            break
        if not bits & taken:
            top = max(top, value + _best_set(rest, taken | bits, top - value))
    return top


def network(board: Board) -> nx.MultiGraph:
    """All stops of a board, and the segments between them as edges."""
    graph = nx.MultiGraph()
    seen = set()
    for h, hx in board.hexes.items():
        graph.add_nodes_from(StopId(h, s.kind, s.number) for s in hx.tile.stops if s.visit_cost < 99)
    for stop in list(graph):
        for segment in _segments(board, stop):
            key = (frozenset((segment.a, segment.b)), segment.uses)
            if key not in seen:  # each is found from both of its ends
                seen.add(key)
                graph.add_edge(segment.a, segment.b, segment=segment)
    return graph


def _segments(board: Board, start: StopId) -> Iterator[Segment]:
    """Follow the track out of a stop to the next stop on every way, each side and junction at most once."""

    def follow(
        h: str,
        at: tuple[str, int],
        uses: frozenset[Use],
        passed: frozenset[tuple[str, int]],
        hexes: tuple[str, ...],
        ends: frozenset[StopId],
    ) -> Iterator[Segment]:
        tile = board.hexes[h].tile
        for number, path in enumerate(tile.paths):
            for here, there in ((path.a, path.b), (path.b, path.a)):
                # Terminal track leads to a stop that ends a route, or nowhere.
                if tuple(here) != at or (path.terminal and "stop" not in (here.kind, there.kind)):
                    continue
                inside = uses if "edge" in (here.kind, there.kind) else uses | {(h, "inside", number)}
                if path.stem >= 0:
                    if (h, "stem", path.stem) in uses:
                        continue
                    inside = uses | {(h, "stem", path.stem)}
                ended = ends | {start} if path.terminal and here.kind == "stop" else ends
                if there.kind == "stop":
                    stop = tile.stops[there.number]
                    end = StopId(h, stop.kind, stop.number)
                    crossed = sum(border(x, y) in board.markers for x, y in pairwise(hexes))
                    if stop.visit_cost < 99:
                        yield Segment(start, end, inside, hexes, crossed, ended | ({end} if path.terminal else set()))
                elif there.kind == "junction":
                    if (h, there.number) not in passed:
                        yield from follow(
                            h, (there.kind, there.number), inside, passed | {(h, there.number)}, hexes, ended
                        )
                elif there.number in board.hexes[h].neighbors and not _walled(board, h, there.number):
                    n, back = board.hexes[h].neighbors[there.number], (there.number + 3) % 6
                    sides = {(h, "side", there.number), (n, "side", back)}
                    if not sides & inside:
                        yield from follow(n, ("edge", back), inside | sides, passed, (*hexes, n), ended)

    stops = board.hexes[start.hex].tile.stops
    index = next(i for i, s in enumerate(stops) if (s.kind, s.number) == start[1:])
    for segment in follow(start.hex, ("stop", index), frozenset(), frozenset(), (start.hex,), frozenset()):
        if segment.b != start:
            yield segment


def _walled(board: Board, h: str, side: int) -> bool:
    """Whether the tile on either hex of a side has an impassable border there, read from the text of the tile."""
    for hex_id, at in ((h, side), (board.hexes[h].neighbors[side], side + 3)):
        tile = board.hexes[hex_id].tile
        borders = [part for part in tile.code.replace(" ", "").split(";") if part.startswith("border=")]
        if any(f"edge:{(at - tile.rotation) % 6}" in b and "type:impassable" in b for b in borders):
            return True
    return False


def runs(position: Position, train: Train, graph: nx.MultiGraph | None = None) -> list[Run]:
    """Every legal route of a train (9.1, 9.2), once, with the most it earns."""
    board = position.board
    graph = network(board) if graph is None else graph
    own = {c for c, city in board.cities.items() if city.holds(position.company)}
    within = sorted(s for part in nx.connected_components(graph) if part & own for s in part)
    uses = sorted({u for _, _, segment in graph.edges(data="segment") for u in segment.uses})
    bit = {u: 1 << i for i, u in enumerate(uses)}
    steps: dict[StopId, list[tuple[StopId, int, Segment]]] = {s: [] for s in within}
    for a, b, segment in graph.subgraph(within).edges(data="segment"):
        bits = sum(bit[u] for u in segment.uses)
        steps[a].append((b, bits, segment))
        steps[b].append((a, bits, segment))
    group = {s: board.stop(s).group for s in within}
    through = {
        s for s in within if s.kind != OFFBOARD and not (s.kind == CITY and board.cities[s].blocks(position.company))
    }
    revenue = _Revenue(position, train, own)
    terms = position.terms
    ends = {
        s for s in within if s.kind in board.title.route_ends and not any(_in(position, x, s) for x in terms.no_ends)
    }
    once = {s.hex for s in within if terms.one_stop_per_hex} - set(terms.several_stops)
    by_side = any("side" in row.kinds for row in train.visits)
    found: list[Run] = []
    allowed: dict[tuple[int, ...], bool] = {}

    def walk(stops: tuple[StopId, ...], way: tuple[Segment, ...], bits: int, counts: tuple[int, ...]) -> None:
        last = stops[-1]
        if len(stops) > 1:
            # Each route is walked from both of its ends; the walk from the lesser one is kept.
            if last in ends and stops[0] < last and not own.isdisjoint(stops):
                value = revenue.of(stops, way, counts)
                if value is not None:
                    found.append(Run(stops, way, bits, value))
            if last not in through or last in way[-1].ends:
                return
        for stop, taken, segment in steps[last]:
            if taken & bits or stop in stops or (way and last in segment.ends):
                continue
            if group[stop] and any(group[s] == group[stop] for s in stops):
                continue
            if stop.hex in once and any(s.hex == stop.hex for s in stops):
                continue
            crossed = len(segment.hexes) - 1 if by_side else segment.markers
            more = _add(counts, stop.kind, crossed, board.stop(stop).visit_cost)
            if more not in allowed:
                allowed[more] = _can_pay(train.visits, more, (0, 0, 0))
            if allowed[more]:
                walk((*stops, stop), (*way, segment), bits | taken, more)

    for start in within:
        if start in ends:
            walk((start,), (), 0, _add((0, 0, 0, 0), start.kind, 0, board.stop(start).visit_cost))
    return found


KINDS = (*STOP_KINDS, MARKER)


@cache
def _add(counts: tuple[int, ...], kind: str, markers: int, cost: int) -> tuple[int, ...]:
    return tuple(n + cost * (k == kind) + (markers if k == MARKER else 0) for n, k in zip(counts, KINDS, strict=True))


@cache
def _can_pay(rows: tuple[Visits, ...], counts: tuple[int, ...], paid: tuple[int, ...]) -> bool:
    """Whether the rows hold so many of each kind while so many cities, towns and off-board areas are paid.

    Each thing goes to one row that names its kind; a row takes ``visit`` things, at most ``pay`` of them paid. By the
    theorem of maximum flow and minimum cut this works if no set of paid and unpaid kinds asks for more than the rows
    that could take them hold. Markers that no row names do not count.
    """
    # Sides crossed are counted in place of markers: a train has one or the other.
    rows = tuple(replace(r, kinds=tuple(MARKER if k == "side" else k for k in r.kinds)) for r in rows)
    named = {k for r in rows for k in r.kinds}
    kinds = [k for k in KINDS if k != MARKER or k in named]
    wanted = {(k, True): p for k, p in zip(KINDS, paid, strict=False)}
    wanted |= {(k, False): n - wanted.get((k, True), 0) for k, n in zip(KINDS, counts, strict=True) if k in kinds}
    things = [t for t, n in wanted.items() if n]
    for size in range(1, len(things) + 1):
        for some in combinations(things, size):
            room = 0
            for row in rows:
                if any(k in row.kinds and not is_paid for k, is_paid in some):
                    room += row.visit
                elif any(k in row.kinds for k, _ in some):
                    room += min(row.pay, row.visit)
            if sum(wanted[t] for t in some) > room:
                return False
    return True


@cache
def _payments(rows: tuple[Visits, ...], counts: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """How many cities, towns and off-board areas may be paid: all choices to which none can be added."""
    most = tuple(min(n, sum(r.pay for r in rows if k in r.kinds)) for k, n in zip(STOP_KINDS, counts, strict=False))
    if _can_pay(rows, counts, most):
        return (most,)
    choices = [p for p in product(*(range(n + 1) for n in most)) if _can_pay(rows, counts, p)]
    return tuple(
        p for p in choices if not any(q != p and all(x <= y for x, y in zip(p, q, strict=True)) for q in choices)
    )


def _counts_all_alike(train: Train) -> bool:
    """Whether the train has a plain number: all that it visits is paid, also what costs no visit."""
    (row, *more) = train.visits
    return not (more or train.own_token_counts) and set(STOP_KINDS) <= set(row.kinds) and row.pay == row.visit


def _is_for(position: Position, bonus: Bonus, train: Train) -> bool:
    """Whether a bonus is for the company in this phase and for this train."""
    if bonus.companies and position.company not in bonus.companies:
        return False
    if train.name in bonus.not_trains or (bonus.trains and train.name not in bonus.trains):
        return False
    if bonus.phases and position.board.phase not in bonus.phases:
        return False
    return not bonus.marker or Assignment(bonus.marker, company=position.company) in position.assignments


def _in(position: Position, of: Stops, stop: StopId) -> bool:
    """Whether a stop is in a set of the terms."""
    if of.kinds and stop.kind not in of.kinds:
        return False
    hx = position.board.hexes[stop.hex]
    markers = {a.marker for a in position.assignments if a.hex == stop.hex}
    wanted = [(of.hexes, {stop.hex}), (of.groups, {position.board.stop(stop).group})]
    wanted += [(of.labels, set(hx.tile.labels)), (of.markers, markers)]
    return not any(names for names, _ in wanted) or any(set(names) & has for names, has in wanted)


class _Revenue:
    """What a train earns on a route (9.3 to 9.6)."""

    def __init__(self, position: Position, train: Train, own: set[StopId]) -> None:
        board, title = position.board, position.board.title
        self.train, self.own, self.title = train, own, title
        self.value = {
            StopId(h, s.kind, s.number): s.value(board.colors, train.diesel)
            for h, hx in board.hexes.items()
            for s in hx.tile.stops
        }
        self.plus = {h: hx.plus for h, hx in board.hexes.items() if hx.plus is not None}
        self.connection_counted = position.on("connection_requires_counted")
        self.position = position
        self.bonuses = [b for b in position.terms.bonuses if _is_for(position, b, train)]
        self.commodities = []
        for name in sorted(position.open_concessions | position.held_concessions):
            c = title.commodities[name]
            each = bool(c.each_destination) and position.on(c.each_destination)
            self.commodities.append((frozenset(position.sources(name)), dict(c.destinations), each))

    def of(self, stops: tuple[StopId, ...], way: tuple[Segment, ...], counts: tuple[int, ...]) -> int | None:
        """The most the route earns over all choices of paid stops; None if there is no legal choice."""
        values = self._values(stops)
        by_kind = [sorted((s for s in stops if s.kind == k), key=lambda s: -values[s]) for k in STOP_KINDS]
        totals = []
        if _counts_all_alike(self.train):
            total = sum(self._factor(s.kind) * v for s, v in values.items())
            total += sum(self._bonus(b, set(stops), set(stops), way) for b in self.bonuses)
            return total + self._connections(stops) + self._commodity(way)
        for payment in _payments(self.train.visits, counts):
            for paid in self._choices(by_kind, payment):
                if self.train.own_token_counts and self.own.isdisjoint(paid):
                    continue
                total = sum(self._factor(s.kind) * values[s] for s in paid)
                total += sum(self._bonus(b, set(paid), set(stops), way) for b in self.bonuses)
                totals.append(total + (self._connections(paid) if self.connection_counted else 0))
        if not totals:
            return None
        return max(totals) + (0 if self.connection_counted else self._connections(stops)) + self._commodity(way)

    def _factor(self, kind: str) -> int:
        """What a row of the train multiplies stops of a kind by, else the train."""
        own = {row.multiplier for row in self.train.visits if kind in row.kinds and row.multiplier is not None}
        return own.pop() if own else self.train.multiplier

    def _values(self, stops: tuple[StopId, ...]) -> dict[StopId, int]:
        """A variable city is worth XX more than the best other city on the route, at least the minimum (9.3)."""
        fixed = [self.value[s] for s in stops if s.kind == CITY and s.hex not in self.plus]
        top = max([self.title.variable_minimum, *fixed])
        return {s: top + self.plus[s.hex] if s.hex in self.plus and s.kind == CITY else self.value[s] for s in stops}

    def _choices(self, by_kind: list[list[StopId]], payment: tuple[int, ...]) -> Iterator[tuple[StopId, ...]]:
        """All choices of paid stops, or as many as hold a best one: ``by_kind`` has the highest values first."""
        if self.connection_counted or self.bonuses:
            for choice in product(*(combinations(s, n) for s, n in zip(by_kind, payment, strict=True))):
                yield sum(choice, ())
            return
        top = [s[:n] for s, n in zip(by_kind, payment, strict=True)]
        yield tuple(s for kind in top for s in kind)
        if payment[0]:  # ... or the best city with an own token in place of the least city
            own = next((s for s in by_kind[0] if s in self.own), None)
            if own is not None and own not in top[0]:
                yield (*top[0][:-1], own, *top[1], *top[2])

    def _connections(self, stops: tuple[StopId, ...]) -> int:
        cities = {s.hex for s in stops if s.kind == CITY}
        return sum(c.value for c in self.title.connections if cities.issuperset(c.hexes))

    def _bonus(self, bonus: Bonus, paid: set[StopId], stops: set[StopId], way: tuple[Segment, ...]) -> int:
        """What a bonus of the terms pays."""
        if bonus.crosses is not None:
            hexes = {h for segment in way for h in segment.hexes}
            wanted = {a.hex for a in self.position.assignments if a.marker in bonus.crosses.markers}
            times = len(hexes & (wanted | set(bonus.crosses.hexes)))
        else:
            of = [[s for s in (stops if bonus.visited else paid) if _in(self.position, x, s)] for x in bonus.stops]
            times = min(map(len, of))
            if bonus.per == "hex":
                times = len({s.hex for s in of[0]})
        if bonus.per == "route":
            times = min(times, 1)
        return times * bonus.amount * (self.train.multiplier if bonus.multiplied else 1)

    def _commodity(self, way: tuple[Segment, ...]) -> int:
        """Each source hex on the route pays once: the best destination on it, or each of them (9.5)."""
        hexes = {h for segment in way for h in segment.hexes}
        total = 0
        for sources, destinations, each in self.commodities:
            reached = [value for h, value in destinations.items() if h in hexes]
            if reached:
                total += len(sources & hexes) * (sum(reached) if each else max(reached))
        return total
