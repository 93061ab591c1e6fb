"""The network and the rules of its title as flat arrays: all that the search needs to know, in no 18xx words.

Nodes are numbered in the order of their stops' ids, so that the same position gives the same problem whatever the
order it was written in. A stop that only joins two segments, may not be an end and is free for every train (a town
with two exits in 18 India) becomes part of one longer link. For the arrays see :mod:`trunkline.solver.search.layout`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Any, NamedTuple

import networkx as nx
import numpy as np

from trunkline.solver.board import (
    CITY,
    MARKER,
    SIDE,
    STOP_KINDS,
    UNLIMITED,
    Board,
    Position,
    StopId,
    TileStop,
    Train,
    real_stop,
)
from trunkline.solver.errors import Fault, PositionError
from trunkline.solver.search.layout import (
    ARC_COST,
    BONUS_COLUMNS,
    KINDS,
    LINK_WORTH,
    NODE_VALUE,
    STOPS,
    TRAIN_COLUMNS,
    Ints,
    K,
    Problem,
    signed_word,
)
from trunkline.solver.search.network import Segment
from trunkline.solver.search.terms import Claim, Resolved, looked_at, members, resolve

SIMPLE_PAY = 16
"""Up to so many paid nodes are kept sorted along the walk; more are sorted anew for each route."""


class Link(NamedTuple):
    """One or more segments in a row, from stop ``a`` to stop ``b``; ``inner`` are the stops between them."""

    a: StopId
    b: StopId
    segments: tuple[Segment, ...]
    inner: tuple[StopId, ...]


@dataclass(frozen=True, slots=True)
class Model:
    """A problem and what its numbers mean.

    ``stops[n]`` and ``links[l]`` are node n and link l; ``trains[t]`` is the t-th distinct train; ``runs`` lists, in
    canonical order, (t, number in position.trains).
    """

    problem: Problem
    stops: tuple[StopId, ...]
    links: tuple[Link, ...]
    trains: tuple[Train, ...]
    runs: tuple[tuple[int, int], ...]


def model(position: Position, graph: nx.MultiGraph) -> Model:
    """Flatten the network of a position.

    Raises PositionError: the bonuses need more than 64 features.
    """
    order = sorted(range(len(position.trains)), key=lambda i: (_train_key(position.trains[i]), i))
    trains = tuple(dict.fromkeys(position.trains[i] for i in order))
    links = _links(position.board, graph, _free_kinds(position, trains), looked_at(position, trains, graph))
    stops = tuple(sorted({s for link in links for s in (link.a, link.b)}))
    number = {stop: n for n, stop in enumerate(stops)}
    arcs = sorted(
        [(number[k.a], number[k.b], i) for i, k in enumerate(links)]
        + [(number[k.b], number[k.a], i) for i, k in enumerate(links)]
    )
    places = [position.board.stop(stop) for stop in stops]
    resolved = resolve(position, trains, stops)
    features = _Features(position, stops, links, resolved.claims)
    problem = Problem(
        first=np.searchsorted(_ints([a[0] for a in arcs]), np.arange(len(stops) + 1)).astype(np.int64),
        arc=_ints([(link, node) for _, node, link in arcs], ARC_COST),
        node=_nodes(position, graph, stops, places, features),
        link=_link_rows(links, features, any(SIDE in v.kinds for t in trains for v in t.visits)),
        use=_resources(links),
        train=_ints([_train_row(t, resolved.changes_worth) for t in trains], TRAIN_COLUMNS),
        worth=_worth(position, trains, places, resolved),
        link_worth=_link_worth(position, trains, links, resolved.changes_worth),
        limit=_limit_table(trains),
        all_of=features.all_of(len(trains)),
        one_of=_ints(features.deliveries, BONUS_COLUMNS),
        reach=_ints(features.reach, 2),
        general=_ints([position.board.title.variable_minimum, features.counted]),
    )
    runs = tuple((trains.index(position.trains[i]), i) for i in order)
    return Model(problem, stops, links, trains, runs)


def _ints(values: Sequence[Any], width: int = 0) -> Ints:
    """An int64 array of rows of a width; bits beyond the sign wrap into it."""
    array = np.array(values, dtype=np.int64)
    return array.reshape(-1, width) if width else array


def _train_key(train: Train) -> tuple[object, ...]:
    rows = [(v.kinds, v.visit, v.pay, -1 if v.multiplier is None else v.multiplier) for v in train.visits]
    return (train.name, train.multiplier, train.own_token_counts, train.diesel, rows)


def _free_kinds(position: Position, trains: Sequence[Train]) -> frozenset[str]:
    """Kinds of stops that are no ends, limit no train, and pay every train in full or not at all."""

    def free(train: Train, kind: str) -> bool:
        rows = [v for v in train.visits if kind in v.kinds]
        return rows != [] and all(
            v.kinds == (kind,) and v.visit >= UNLIMITED and (v.pay >= UNLIMITED or v.pay == 0) for v in rows
        )

    kinds = set(STOP_KINDS) - position.board.title.route_ends
    return frozenset(k for k in kinds if all(free(t, k) for t in trains))


def _links(board: Board, graph: nx.MultiGraph, free: frozenset[str], kept: frozenset[StopId]) -> tuple[Link, ...]:
    """Segments, joined where they meet at a free stop with two exits that is not ``kept``; in canonical order."""
    incident: dict[StopId, list[Segment]] = {}
    for stop, near in graph.adjacency():  # much faster than graph.edges
        incident[stop] = [data["segment"] for edges in near.values() for data in edges.values()]
    joints = {s for s, segments in incident.items() if s.kind in free and len(segments) == 2 and s not in kept}
    joints = {s for s in joints if _is_plain(board.stop(s))}
    links = []
    for start in incident:
        if start in joints:
            continue
        for segment in incident[start]:
            chain, inner, at = [segment], [], segment.b if segment.a == start else segment.a
            while at in joints:
                inner.append(at)
                before, after = incident[at]
                chain.append(after if before is chain[-1] else before)
                at = chain[-1].b if chain[-1].a == at else chain[-1].a
            if start < at and (not inner or _side_used_once(chain)):
                links.append(Link(start, at, tuple(chain), tuple(inner)))
    return tuple(sorted(links, key=lambda k: (k.a, k.b, [s.track for s in k.segments])))


def _is_plain(stop: TileStop) -> bool:
    """Whether a visit shuts no other stop and counts as one."""
    return not (stop.group or stop.mixed) and stop.visit_cost == 1


def _side_used_once(chain: Sequence[Segment]) -> bool:
    sides = [side for segment in chain for side in segment.sides]
    return len(set(sides)) == len(sides)


def _resources(links: Sequence[Link]) -> Ints:
    """Bits such that two links share one exactly when they share a side, and every link has at least one."""
    users: defaultdict[object, list[int]] = defaultdict(list)
    for i, link in enumerate(links):
        for segment in link.segments:
            for side in segment.sides:
                users[side].append(i)
    groups = dict.fromkeys(tuple(u) for u in users.values() if len(u) > 1)
    shared = {i for g in groups for i in g}
    groups.update(dict.fromkeys((i,) for i in range(len(links)) if i not in shared))
    use = [0] * len(links)
    for bit, group in enumerate(groups):
        for i in group:
            use[i] |= 1 << bit
    words = max(1, -(-len(groups) // 64))
    return _ints([[signed_word(u >> 64 * w & 2**64 - 1) for w in range(words)] for u in use], words)


_ONE = {kind: tuple(int(k == kind) for k in KINDS) for kind in KINDS}


def _link_rows(links: Sequence[Link], features: _Features, sides: bool) -> Ints:
    """Rows of ``link``. No question has trains that count sides and trains that count markers: they share a column."""
    rows = []
    for link, feature in zip(links, features.of_links, strict=True):
        count = [0] * K
        for stop in link.inner:
            count[KINDS.index(stop.kind)] += 1
        count[KINDS.index(MARKER)] = sum(
            sum(len(side) == 2 and isinstance(side[1], str) for side in s.sides) if sides else s.markers
            for s in link.segments
        )
        rows.append([feature, *count])
    return _ints(rows, LINK_WORTH)


def _nodes(
    position: Position,
    graph: nx.MultiGraph,
    stops: Sequence[StopId],
    places: Sequence[TileStop],
    features: _Features,
) -> Ints:
    board = position.board
    no_ends = frozenset[StopId]().union(*(members(position, of, stops) for of in position.terms.no_ends))
    rows = []
    for stop, place, group in zip(stops, places, _groups(position, stops, places), strict=True):
        data = graph.nodes[stop]
        plus = board.hexes[stop.hex].plus if stop.kind == CITY else None
        lift = place.value(board.colors) if stop.kind == CITY and plus is None else 0
        rows.append(
            (
                group,
                data["own"],
                not data["blocked"],
                stop.kind in board.title.route_ends and stop not in no_ends,
                lift,
                -1 if plus is None else plus,
                features.of_stop(stop),
                *(place.visit_cost * n for n in _ONE[stop.kind]),
            )
        )
    return _ints(rows, NODE_VALUE)


def _groups(position: Position, stops: Sequence[StopId], places: Sequence[TileStop]) -> list[int]:
    """The groups of each node as bits: printed ones, the nodes of one stop, and of a hex where it has one stop a route.

    Raises PositionError: there are more than 64.
    """
    terms = position.terms
    inside: defaultdict[object, list[int]] = defaultdict(list)
    for n, (stop, place) in enumerate(zip(stops, places, strict=True)):
        if place.group:
            inside[place.group].append(n)
        if place.mixed:
            inside[real_stop(stop)].append(n)
        if terms.one_stop_per_hex and stop.hex not in terms.several_stops:
            inside["hex", stop.hex].append(n)
    groups = dict.fromkeys(tuple(nodes) for nodes in inside.values() if len(nodes) > 1)
    if len(groups) > 64:
        text = f"{len(groups)} groups of stops of which a route may visit one; at most 64"
        raise PositionError([Fault("tiles", text)])
    bits = [0] * len(stops)
    for i, nodes in enumerate(groups):
        for n in nodes:
            bits[n] |= 1 << i
    return [signed_word(b) for b in bits]


def _worth(position: Position, trains: Sequence[Train], places: Sequence[TileStop], resolved: Resolved) -> Ints:
    """What stops pay, and whether they do; with the multiplier where something is added that has its own."""
    colors = position.board.colors
    unpaid = {t: {k for bits, n in _limits(t, "pay") if n == 0 for k in _kinds(bits)} for t in trains}
    rows = []
    for t, added in zip(trains, resolved.added, strict=True):
        factors = {k: t.factor(k) if resolved.changes_worth else 1 for k in STOP_KINDS}
        worth = (factors[p.kind] * p.value(colors, t.diesel) + more for p, more in zip(places, added, strict=True))
        rows.append([(w, p.kind not in unpaid[t]) for w, p in zip(worth, places, strict=True)])
    return _ints(rows).reshape(len(trains), len(places), 2)


def _link_worth(position: Position, trains: Sequence[Train], links: Sequence[Link], multiplied: bool) -> Ints:
    """What the stops inside a link pay: each train pays a free kind in full or not at all."""
    board = position.board

    def pays(train: Train, kind: str) -> bool:
        return any(kind in v.kinds and v.pay > 0 for v in train.visits)

    def worth(train: Train, link: Link) -> int:
        return sum(
            board.stop(s).value(board.colors, train.diesel) * (train.factor(s.kind) if multiplied else 1)
            for s in link.inner
            if pays(train, s.kind)
        )

    return _ints([[worth(t, k) if k.inner else 0 for k in links] for t in trains]).reshape(len(trains), len(links))


def _kinds(bits: int) -> list[str]:
    return [k for i, k in enumerate(KINDS) if bits >> i & 1]


@lru_cache(maxsize=1024)
def _limits(train: Train, field: str) -> tuple[tuple[int, int], ...]:
    """Hall's condition for rows that name several kinds: for each set of kinds, its stops fit the rows that name any.

    Returns (bits of the kinds, limit), without those that limit nothing.
    """
    rows = [(frozenset(MARKER if k == SIDE else k for k in v.kinds), getattr(v, field)) for v in train.visits]
    named = frozenset[str]().union(*(kinds for kinds, _ in rows))
    kinds = [k for k in KINDS if k != MARKER or k in named]
    limits = []
    for size in range(1, len(kinds) + 1):
        for some in combinations(kinds, size):
            limit = sum(most for of, most in rows if not of.isdisjoint(some))
            if limit < UNLIMITED:
                limits.append((sum(1 << KINDS.index(k) for k in some), limit))
    # A set whose limit follows from that of a larger set says nothing new.
    return tuple(
        (bits, limit)
        for bits, limit in limits
        if not any(o != bits and o & bits == bits and m <= limit for o, m in limits)
    )


def _limit_table(trains: Sequence[Train]) -> Ints:
    tables = [[_limits(t, "visit"), _limits(t, "pay")] for t in trains]
    width = max([1, *(len(rows) for table in tables for rows in table)])
    padded = [[[*rows, *[(0, UNLIMITED)] * (width - len(rows))] for rows in table] for table in tables]
    return _ints(padded).reshape(len(trains), 2, width, 2)


def _train_row(train: Train, multiplied: bool) -> tuple[int, int, int, int]:
    """A row of ``train``; ``multiplied``: what it is paid is multiplied already."""
    visit, pay = _limits(train, "visit"), _limits(train, "pay")
    pay_all = set(pay) <= set(visit) and not train.own_token_counts
    return (pay_all, -1 if pay_all else _best_of(pay), train.own_token_counts, 1 if multiplied else train.multiplier)


def _best_of(pay: Iterable[tuple[int, int]]) -> int:
    """The n of a train that is paid for the best n of some kinds and for no others; -1 if its rule is another."""
    zero = 0
    limits = set()
    for bits, limit in pay:
        if limit == 0:
            zero |= bits
        else:
            limits.add((bits, limit))
    if len(limits) != 1:
        return -1
    ((bits, limit),) = limits
    return limit if (zero | bits) & STOPS == STOPS and limit <= SIMPLE_PAY else -1


class _Features:
    """Bits for what the bonuses of a title ask of a route, and the bonuses that this network can reach."""

    def __init__(
        self, position: Position, stops: Sequence[StopId], links: Sequence[Link], claims: Sequence[Claim]
    ) -> None:
        self.bits: dict[tuple[str, Any], int] = {}
        cities = {("city", s.hex) for s in stops if s.kind == CITY}
        crossed = [{t.hex for s in link.segments for t in s.track} for link in links]
        hexes = {h for found in crossed for h in found}
        title = position.board.title
        self.connections: list[tuple[int, int]] = []
        for c in title.connections:
            keys = [("city", h) for h in c.hexes]
            if cities.issuperset(keys):
                self.connections.append((signed_word(sum(self._bit(k) for k in set(keys))), c.value))
        self.deliveries: list[tuple[int, int, int, int, int]] = []
        self.reach: list[tuple[int, int]] = []
        for name in sorted(position.open_concessions | position.held_concessions):
            commodity = title.commodities[name]
            reach = [(d, v) for d, v in sorted(commodity.destinations.items()) if d in hexes]
            each = bool(commodity.each_destination) and position.on(commodity.each_destination)
            for source in position.sources(name):
                if reach and source in hexes:
                    start = len(self.reach)
                    self.reach += [(signed_word(self._bit(("hex", d))), v) for d, v in reach]
                    bit = signed_word(self._bit(("hex", source)))
                    self.deliveries.append((bit, 0, start, len(self.reach), each))
        self.claims: list[tuple[int, tuple[int, ...]]] = []
        for claim in claims:
            found = hexes.intersection(claim.crossed)
            if claim.sets or found:
                asked: list[tuple[str, Any]] = [
                    ("visited" if claim.visited else "counted", some) for some in claim.sets
                ]
                asked += [("crossed", frozenset(found))] if found else []
                self.claims.append((signed_word(sum(self._bit(k) for k in set(asked))), claim.amounts))
        if len(self.bits) > 64:
            raise PositionError([Fault("rules", f"the bonuses need {len(self.bits)} features, more than 64")])
        wanted: defaultdict[str, int] = defaultdict(int)
        self.counted = 0
        for (kind, which), bit in self.bits.items():
            for hex_ in (which,) if kind == "hex" else which if kind == "crossed" else ():
                wanted[hex_] |= 1 << bit
            if kind == "counted" or (kind == "city" and position.on("connection_requires_counted")):
                self.counted |= 1 << bit
        self.counted = signed_word(self.counted)
        self.of_links = [signed_word(sum(wanted[h] for h in found & wanted.keys())) for found in crossed]

    def _bit(self, key: tuple[str, Any]) -> int:
        return 1 << self.bits.setdefault(key, len(self.bits))

    def of_stop(self, stop: StopId) -> int:
        """The features of a node: its hex, if a connection asks for a city there, and the sets that it is in."""
        features = 0
        for (kind, which), bit in self.bits.items():
            city = kind == "city" and stop.kind == CITY and which == stop.hex
            if city or (kind in ("counted", "visited") and stop in which):
                features |= 1 << bit
        return signed_word(features)

    def all_of(self, trains: int) -> Ints:
        """The bonuses of each train: connections, and those of terms with what they pay it."""
        rows = [[*self.connections, *((bits, amounts[t]) for bits, amounts in self.claims)] for t in range(trains)]
        return _ints(rows).reshape(trains, len(self.connections) + len(self.claims), 2)
