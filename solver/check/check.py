"""The independent checker: is every route legal, is every amount right?

Given a ``Position`` and routes as exact track or as waypoints, gives the revenue line by line or
every reason why the company may not run them. Plain Python over the board, after section 9 of the rules; it shares no
code with the network, the problem and the search, whose every answer passes :func:`check` before it leaves.
What waypoints may mean as track is found by :mod:`trunkline.solver.check.readings`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations, product
from operator import itemgetter
from typing import NamedTuple, TypeVar

from trunkline.solver.board.board import MARKER, Board, Position, StopId
from trunkline.solver.board.solution import DrawnRoute, Evaluation, RevenueLine, Route, Track
from trunkline.solver.board.tile import CITY, OFFBOARD, End, TileStop
from trunkline.solver.board.title import UNLIMITED, Connection, Hex, Train
from trunkline.solver.check.readings import Drawing, Reading, Resource, TooComplex, Work, merge_twins, read, readings
from trunkline.solver.errors import CheckError, Violation

__all__ = ["check", "evaluate"]

MAX_PIECES = 10_000
"""Pieces of track of one drawn route; the sides of a board with 2,000 hexes are fewer."""

Fault = tuple[int | None, str]
"""A reason why a run is not legal: the number of the stop it is at (None: the whole run), and the text."""

_T = TypeVar("_T")
_SIDES = tuple(End("edge", side) for side in range(6))


def check(position: Position, plans: Sequence[DrawnRoute]) -> tuple[Route, ...]:
    """The routes of exact track ``plans`` with their revenue, in the same order.

    Raises CheckError: they are not legal together, or one of them has no exact track (rules section 9).
    """
    used: set[Resource] = set()
    trains: set[int] = set()
    routes = []
    pieces = 0
    for plan in plans:
        if not plan.track or plan.train in trains or plan.train not in range(len(position.trains)):
            raise CheckError(_why(position, plans))
        trains.add(plan.train)
        run = _follow(position, plan.track)
        train = position.trains[plan.train]
        if run.faults or _rule_faults(position, train, run):
            raise CheckError(_why(position, plans))
        pieces += len(run.used)
        used.update(run.used)
        routes.append(_route(position, plan.train, run, plan.track))
    if len(used) < pieces:
        raise CheckError(_why(position, plans))
    return tuple(routes)


def _why(position: Position, plans: Sequence[DrawnRoute]) -> tuple[Violation, ...]:
    no_track = [Violation(f"routes[{i}]", "no exact track") for i, plan in enumerate(plans) if not plan.track]
    return (*no_track, *evaluate(position, [p for p in plans if p.track]).faults)


# --- following track over the board -----------------------------------------------------------------------------


@dataclass(slots=True)
class _Run:
    """A run followed over the board piece by piece. ``used``: sides and inner track, as often as they are used.

    ``broken``: some track does not join, so that nothing else can be said about the run.
    """

    stops: list[StopId] = field(default_factory=list)
    printed: list[TileStop] = field(default_factory=list)
    own: list[bool] = field(default_factory=list)
    hexes: list[str] = field(default_factory=list)
    used: list[Resource] = field(default_factory=list)
    markers: int = 0
    broken: bool = False
    faults: list[Fault] = field(default_factory=list)

    def arrive(self, position: Position, hx: Hex, end: End) -> None:
        """Enter the stop at ``end`` of the tile."""
        printed, stop = hx.tile.stops[end.number], hx.stops[end.number]
        self.stops.append(stop)
        self.printed.append(printed)
        self.own.append(printed.kind == CITY and position.board.cities[stop].holds(position.company))


def _follow(position: Position, track: Sequence[Sequence[Track]]) -> _Run:
    """Follow the segments of a run one after the other; a broken one is a fault, and the next starts afresh."""
    run = _Run()
    here: tuple[Hex, End] | None = None
    for number, segment in enumerate(track):
        if here is None:
            here = _start(position.board, track, number)
            if here is None:
                run.broken = True
                run.faults.append((None, f"segment {number} of the track does not start at a stop"))
                continue
            run.arrive(position, *here)
            run.hexes.append(here[0].id)
        here = _segment(position.board, here, segment, number, run)
        if here is not None:
            run.arrive(position, *here)
    return run


def _start(board: Board, track: Sequence[Sequence[Track]], number: int) -> tuple[Hex, End] | None:
    """The stop where a segment starts, from its first piece; a piece between two stops runs towards the next one."""

    def ends(segment: Sequence[Track]) -> tuple[Hex, tuple[End, ...]] | None:
        hx = board.hexes.get(segment[0].hex) if segment else None
        if hx is None or segment[0].path not in range(len(hx.tile.paths)):
            return None
        return hx, hx.tile.paths[segment[0].path][:2]

    first = ends(track[number])
    if first is None:
        return None
    hx, (a, b) = first
    if a.kind == b.kind == "stop":
        after = ends(track[number + 1]) if number + 1 < len(track) else None
        turned = after is not None and after[0] is hx and a in after[1] and b not in after[1]
        return hx, b if turned else a
    return next(((hx, end) for end in (a, b) if end.kind == "stop"), None)


def _segment(
    board: Board, start: tuple[Hex, End], segment: Sequence[Track], number: int, run: _Run
) -> tuple[Hex, End] | None:
    """Follow one segment from a stop to the next; None, and a fault, where the track does not go on."""
    hx, end = start
    hexes, used, junctions = board.hexes, run.used, list[tuple[str, End]]()
    place = len(run.stops) - 1

    def broken(text: str) -> tuple[Hex, End] | None:
        run.faults.append((place, f"{text} (segment {number} of the track)"))
        run.broken = True
        return None

    for piece in segment:
        name, path_number = piece
        if end.kind == "edge":
            if hx.neighbors.get(end.number) != name:
                return broken(f"{name}: no track from {hx.id} leads there")
            side = (hx.id, name) if hx.id < name else (name, hx.id)
            used.append(side)
            if side in board.markers:
                run.markers += 1
            hx, end = hexes[name], _SIDES[(end.number + 3) % 6]
            run.hexes.append(name)
        elif end.kind == "stop" and piece is not segment[0]:
            return broken(f"{hx.id}: the run passes a stop inside a segment")
        elif name != hx.id:
            return broken(f"{name}: the run is still inside {hx.id}")
        paths = hx.tile.paths
        if not 0 <= path_number < len(paths):
            return broken(f"{name}: there is no path {path_number} ({len(paths)} on the tile)")
        a, b, terminal = paths[path_number]
        if terminal and a.kind != "stop" and b.kind != "stop":
            return broken(f"{name}: a dead end, no train can run to it")
        if a == end:
            end = b
        elif b == end:
            end = a
        else:
            return broken(f"{name}: path {path_number} does not join the track before it")
        if a.kind != "edge" and b.kind != "edge":
            used.append(piece)
        if end.kind == "junction":
            if (name, end) in junctions:
                run.faults.append((place, f"{name}: the junction is passed twice without a stop between"))
            junctions.append((name, end))
    if end.kind != "stop" or not segment:
        return broken(f"{hx.id}: the run does not end at a stop")
    return hx, end


# --- rules sections 9.1 and 9.2: is the run legal? --------------------------------------------------------------


def _rule_faults(position: Position, train: Train, run: _Run) -> list[Fault]:
    """Every rule that an unbroken run violates."""
    faults: list[Fault] = []
    board, stops, last = position.board, run.stops, len(run.stops) - 1
    ends = board.title.route_ends
    if last < 1:
        faults.append((None, "a route needs at least two stops"))
    for i in {0, last}:
        kind = run.printed[i].kind
        if kind not in ends:
            may = " or ".join(_KIND_NAMES[k] for k in sorted(ends))
            faults.append((i, f"the run ends in {_where(board, stops[i])}; a route starts and ends in a {may}"))
    if True not in run.own:
        faults.append((None, f"no stop of the run has a token of {position.company}"))
    for i in range(1, last):
        if run.printed[i].kind == OFFBOARD:
            faults.append((i, f"the run passes {_where(board, stops[i])}; it may only end there"))
        elif run.printed[i].kind == CITY and board.cities[stops[i]].blocks(position.company):
            full = f"{_where(board, stops[i])} is full of tokens of other companies"
            faults.append((i, f"{full}; the run may only end there"))
        elif run.printed[i].terminal:
            faults.append((i, f"the track to {_where(board, stops[i])} is terminal; the run may only end there"))
    if len(set(stops)) <= last:
        faults += [(i, f"{_where(board, s)} is visited twice") for i, s in _repeated(stops)]
    groups = [p.group for p in run.printed]
    if any(groups):
        faults += _group_faults(run, groups)
    if len(set(run.used)) < len(run.used):
        faults += [(None, f"{_named(used)} is used twice") for _, used in _repeated(run.used)]
    return faults + _length_faults(position, train, run)


def _repeated(things: Sequence[_T]) -> list[tuple[int, _T]]:
    """Each thing that comes again, once, with the number of the second time."""
    seen: dict[_T, int] = {}
    again = []
    for i, thing in enumerate(things):
        seen[thing] = seen.get(thing, 0) + 1
        if seen[thing] == 2:
            again.append((i, thing))
    return again


def _group_faults(run: _Run, groups: Sequence[str]) -> Iterator[Fault]:
    """At most one stop of a group, such as the two Mumbai cities, may be on a route (9.1.4)."""
    first: dict[str, int] = {}
    for i, group in enumerate(groups):
        j = first.setdefault(group, i)
        if group and j != i and run.stops[i] != run.stops[j]:
            a, b = (f"{s.kind} {s.number} of {s.hex}" for s in (run.stops[j], run.stops[i]))
            yield i, f"{run.stops[i].hex}: the run visits {a} and {b}; only one stop of {group} may be on a route"


def _named(resource: Resource) -> str:
    a, b = resource
    return f"the side between {a} and {b}" if isinstance(b, str) else f"path {b} inside the tile of {a}"


class _Limits(NamedTuple):
    """What a train may visit and what pays: for sets of kinds the most stops of these kinds (no row: no limit)."""

    kinds: frozenset[str]
    visit: tuple[tuple[frozenset[str], int], ...]
    pay: tuple[tuple[frozenset[str], int], ...]


@lru_cache(maxsize=256)
def _limits(train: Train) -> _Limits:
    """Rows that share kinds are a transport problem: it can be solved if no set of kinds needs more than its rows."""
    kinds = sorted({k for row in train.visits for k in row.kinds})
    sets = [frozenset(c) for n in range(1, len(kinds) + 1) for c in combinations(kinds, n)]

    def caps(what: str) -> tuple[tuple[frozenset[str], int], ...]:
        total = {s: sum(getattr(row, what) for row in train.visits if s & set(row.kinds)) for s in sets}
        return tuple((s, cap) for s, cap in total.items() if cap < UNLIMITED)

    return _Limits(frozenset(kinds), caps("visit"), caps("pay"))


def _length_faults(position: Position, train: Train, run: _Run) -> list[Fault]:
    """What the train may visit and how much of it (9.2)."""
    limits = _limits(train)
    kinds = [p.kind for p in run.printed]
    faults: list[Fault] = [
        (i, f"train {train.name} cannot visit {_where(position.board, run.stops[i])}")
        for i, kind in enumerate(kinds)
        if kind not in limits.kinds
    ]
    kinds += [MARKER] * run.markers
    over = [(n - cap, cap, s) for s, cap in limits.visit if (n := sum(map(kinds.count, s))) > cap]
    if over:
        excess, cap, which = max(over, key=itemgetter(0))
        what = ", ".join(f"{n} {_plural(k, n)}" for k in sorted(which) if (n := kinds.count(k)))
        faults.append((None, f"too long by {excess} for train {train.name}: {what}; at most {cap} together"))
    if train.own_token_counts and True in run.own and any(s == {CITY} and cap < 1 for s, cap in limits.pay):
        faults.append((None, f"no city with a token of {position.company} can count for train {train.name}"))
    return faults


_KIND_NAMES = {CITY: "city", "town": "town", OFFBOARD: "off-board area", MARKER: "gauge-change marker"}


def _plural(kind: str, n: int) -> str:
    name = _KIND_NAMES[kind]
    return name if n == 1 else "cities" if kind == CITY else name + "s"


# --- rules sections 9.2 to 9.5: what does it earn? --------------------------------------------------------------


def _route(position: Position, number: int, run: _Run, track: tuple[tuple[Track, ...], ...]) -> Route:
    """The route of a legal run with its revenue, the best set of stops counted."""
    board, train = position.board, position.trains[number]
    values, top = _values(position, train, run)
    counted = _counted(position, train, run, values)
    lines = []
    for stop, value, pays in zip(run.stops, values, counted, strict=True):
        if pays:
            hx = board.hexes[stop.hex]
            if hx.plus is None or stop.kind != CITY:
                lines.append(RevenueLine("stop", _label(hx, stop), value, hx.id))
            else:
                name = hx.name or hx.id
                lines.append(RevenueLine("stop", f"{name} ?+{hx.plus}", hx.plus, hx.id))
                lines.append(RevenueLine("variable", f"{name} ? = {top}", value - hx.plus, hx.id))
    if train.multiplier > 1:
        base = sum(line.amount for line in lines)
        lines.append(RevenueLine("multiplier", f"×{train.multiplier}", base * (train.multiplier - 1)))
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


def _values(position: Position, train: Train, run: _Run) -> tuple[list[int], str]:
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
            m, top = values[i], _label(board.hexes[stop.hex], stop)
    return [v if p is None else m + p for v, p in zip(values, plus, strict=True)], f"{m}, {top}"


def _counted(position: Position, train: Train, run: _Run, values: Sequence[int]) -> tuple[bool, ...]:
    """Which stops pay: the set that earns most.

    Sets of stops that the rows of a train can pay are the independent sets of a transversal matroid, so taking the
    most valuable stop that still fits is best, also after some stops are forced in. What is forced: an own token
    (E trains, 9.2), and under the switch ``connection_requires_counted`` the places of any set of connections.
    """
    caps = _limits(train).pay
    kinds = [p.kind for p in run.printed]
    if all([sum(map(kinds.count, s)) <= cap for s, cap in caps]):
        return (True,) * len(kinds)
    order = sorted(range(len(kinds)), key=lambda i: (-values[i], not run.own[i], i))
    chosen = _greedy(kinds, order, caps)
    needs_counted = position.on("connection_requires_counted") and bool(position.board.title.connections)
    if not needs_counted and (not train.own_token_counts or any(run.own[i] for i in chosen)):
        return tuple(i in chosen for i in range(len(kinds)))
    best: tuple[int, set[int]] | None = None
    for forced in _forced(position, train, run, needs_counted):
        chosen = _greedy(kinds, [*forced, *order], caps)
        if not forced <= chosen:
            continue
        worth = train.multiplier * sum(values[i] for i in chosen)
        if needs_counted:
            flags = [i in chosen for i in range(len(kinds))]
            worth += sum(c.value for c in _connections(position, run, flags))
        if best is None or worth > best[0]:
            best = worth, chosen
    chosen = best[1] if best else set()
    return tuple(i in chosen for i in range(len(kinds)))


def _greedy(kinds: Sequence[str], order: Iterable[int], caps: Iterable[tuple[frozenset[str], int]]) -> set[int]:
    """Take stops in this order, each if the rows can still pay it."""
    room = dict(caps)
    chosen: set[int] = set()
    for i in order:
        binding = [s for s in room if kinds[i] in s]
        if i not in chosen and all(room[s] > 0 for s in binding):
            chosen.add(i)
            for s in binding:
                room[s] -= 1
    return chosen


def _forced(position: Position, train: Train, run: _Run, needs_counted: bool) -> Iterator[set[int]]:
    """The sets of stops one of which is in the best counted set."""
    tokens = [{i} for i, own in enumerate(run.own) if own] if train.own_token_counts else [set[int]()]
    connections: list[Connection] = []
    if needs_counted:
        connections = list(_connections(position, run, [True] * len(run.stops)))
    for n in range(len(connections) + 1):
        for some in combinations(connections, n):
            hexes = dict.fromkeys(h for c in some for h in c.hexes)
            cities = [[i for i, s in enumerate(run.stops) if s.hex == h and s.kind == CITY] for h in hexes]
            for places in product(*cities):
                for token in tokens:
                    yield token.union(places)


def _connections(position: Position, run: _Run, counted: Sequence[bool]) -> Iterator[Connection]:
    """The connection bonuses of the run (9.4); any city of a hex will do."""
    connections = position.board.title.connections
    if not connections:
        return
    everywhere = not position.on("connection_requires_counted")
    cities = {s.hex for s, c in zip(run.stops, counted, strict=True) if s.kind == CITY and (c or everywhere)}
    yield from (c for c in connections if cities.issuperset(c.hexes))


def _commodities(position: Position, run: _Run) -> list[tuple[str, RevenueLine]]:
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


def _label(hx: Hex, stop: StopId) -> str:
    """A stop as a player names it: ``Delhi (G8)``, ``town E4``; with its number where the tile has several."""
    stops = hx.tile.stops
    alone = len(stops) == 1 or sum(s.kind == stop.kind for s in stops) == 1
    where = hx.id if alone else f"{hx.id} {stop.kind} {stop.number}"
    if hx.name:
        return f"{hx.name} ({where})"
    return where if where != hx.id else f"{_KIND_NAMES[stop.kind]} {where}"


def _where(board: Board, stop: StopId) -> str:
    return _label(board.hexes[stop.hex], stop)


# --- evaluate: routes as somebody drew them ---------------------------------------------------------------------


class _Legal(NamedTuple):
    """One legal reading of a drawn route."""

    route: Route
    used: frozenset[Resource]
    reading: Reading


def evaluate(
    position: Position, drawn: Sequence[DrawnRoute], *, cancelled: Callable[[], bool] | None = None
) -> Evaluation:
    """What drawn routes earn together, or every reason why they are not legal (rules section 9).

    Where waypoints may be read as several tracks, the legal reading that earns most is taken, all routes together,
    and ``notes`` names the hexes where the readings differ. The work is bounded: routes that can be read in too many
    ways are refused with a fault that says so. ``cancelled`` is asked every few milliseconds; True raises Cancelled.
    """
    if len(drawn) > len(position.trains):
        text = f"{len(drawn)} routes for {len(position.trains)} trains"
        if len(drawn) > 10 * (1 + len(position.trains)):
            return Evaluation(faults=(Violation("routes", text),))
        faults = [Violation("routes", text)]
    else:
        faults = []
    work = Work(cancelled=cancelled)
    try:
        return _evaluate(position, drawn, faults, work)
    except TooComplex:
        text = "the waypoints can be read as track in too many ways; name every hex, or give the exact track"
        return Evaluation(faults=(*faults, Violation(work.at, text)))


def _evaluate(position: Position, drawn: Sequence[DrawnRoute], faults: list[Violation], work: Work) -> Evaluation:
    faults += _train_faults(position, drawn)
    drawings = [_drawing(position, r, f"routes[{i}]", faults, work) for i, r in enumerate(drawn)]
    merge_twins([d for d in drawings if d], _deciding_hexes(position))
    options: dict[int, list[_Legal]] = {}
    for i, drawing in enumerate(drawings):
        train, work.at = drawn[i].train, f"routes[{i}]"
        if drawing is not None and train in range(len(position.trains)):
            legal = _legal_readings(position, train, drawing, work)
            if legal:
                options[i] = legal
            else:
                faults += _best_excuse(position, train, drawing, work)
    work.at = "routes"
    together = _best_together(list(options.values()), work)
    if together is None:
        faults += _sharing(options)
    if faults or together is None:
        return Evaluation(faults=tuple(dict.fromkeys(faults)))
    routes = tuple(choice.route for choice in together)
    delivered = {name for route in routes for name in route.commodities}
    claims = tuple(c for c in position.board.title.commodities if c in delivered & position.open_concessions)
    notes = tuple(n for i, choice in enumerate(together) if (n := _note(i, choice, options[i])))
    return Evaluation(routes, sum(r.revenue for r in routes), claims, (), notes)


def _train_faults(position: Position, drawn: Sequence[DrawnRoute]) -> Iterator[Violation]:
    n = len(position.trains)
    first: dict[int, int] = {}
    for i, route in enumerate(drawn):
        if route.train not in range(n):
            yield Violation(f"routes[{i}].train", f"there is no train {route.train} ({n} trains, the first is 0)")
        elif first.setdefault(route.train, i) != i:
            name, other = position.trains[route.train].name, f"routes[{first[route.train]}]"
            yield Violation(f"routes[{i}].train", f"train {route.train} ({name}) already runs {other}")


def _drawing(
    position: Position, route: DrawnRoute, at: str, faults: list[Violation], work: Work
) -> Drawing | Reading | None:
    """The ways to read a drawn route: exactly one if it is given as track; None, and faults, if there is none."""
    work.at = at
    if bool(route.track) == bool(route.waypoints):
        given = "both track and waypoints; give one of them" if route.track else "neither track nor waypoints"
        faults.append(Violation(at, f"the route has {given}"))
        return None
    if route.track:
        if sum(map(len, route.track)) + len(route.track) > MAX_PIECES:
            faults.append(Violation(f"{at}.track", f"more than {MAX_PIECES} pieces of track"))
            return None
        return Reading(route.track, ())
    drawing = read(position.board, position.company, route.waypoints, work)
    faults += [Violation(f"{at}.waypoints[{j}]" if j is not None else f"{at}.waypoints", t) for j, t in drawing.faults]
    return None if drawing.faults else drawing


def _deciding_hexes(position: Position) -> frozenset[str]:
    """Hexes that may change what a run earns although it does not stop there: the ends of usable commodities."""
    usable = position.open_concessions | position.held_concessions
    commodities = position.board.title.commodities
    return frozenset(h for c in usable for h in (*position.sources(c), *commodities[c].destinations))


def _legal_readings(position: Position, number: int, drawing: Drawing | Reading, work: Work) -> list[_Legal]:
    """All legal readings, the one that earns most first."""
    train = position.trains[number]
    legal: dict[tuple[tuple[Track, ...], ...], _Legal] = {}
    for reading in [drawing] if isinstance(drawing, Reading) else readings(drawing, work):
        run = _follow(position, reading.track)
        if not run.faults and not _rule_faults(position, train, run) and reading.track not in legal:
            route = _route(position, number, run, reading.track)
            legal[reading.track] = _Legal(route, frozenset(run.used), reading)
    return sorted(legal.values(), key=lambda x: (-x.route.revenue, len(x.route.hexes), x.route.track))


def _best_excuse(position: Position, number: int, drawing: Drawing | Reading, work: Work) -> list[Violation]:
    """The faults of the reading with the fewest, of those that there is time to look at."""
    train, at = position.trains[number], work.at
    best: tuple[int, Reading, list[Fault]] | None = None
    for reading in [drawing] if isinstance(drawing, Reading) else readings(drawing, None):
        run = _follow(position, reading.track)
        faults = run.faults if run.broken else run.faults + _rule_faults(position, train, run)
        if best is None or len(faults) < best[0]:
            best = len(faults), reading, faults
        work.count(len(run.hexes))
        if best[0] == 1 or work.left < 0:
            break
    if best is None:
        return [Violation(at, "no track joins the waypoints in this order")]
    _, reading, faults = best
    return [
        Violation(f"{at}.waypoints[{reading.places[place]}]" if place is not None and reading.places else at, text)
        for place, text in faults
    ]


def _best_together(options: Sequence[Sequence[_Legal]], work: Work) -> list[_Legal] | None:
    """One reading of each route so that no side is used twice and the total is highest; None if there are none."""
    rest = [sum(o[0].route.revenue for o in options[i:]) for i in range(len(options) + 1)]
    best: list[_Legal] | None = None
    best_total = -1

    def choose(chosen: list[_Legal], used: frozenset[Resource], total: int) -> None:
        nonlocal best, best_total
        work.spend()
        i = len(chosen)
        if i == len(options):
            best, best_total = chosen, total
            return
        for choice in options[i]:
            now = total + choice.route.revenue
            if now + rest[i + 1] <= best_total:
                return
            if used.isdisjoint(choice.used):
                choose([*chosen, choice], used | choice.used, now)

    choose([], frozenset(), 0)
    return best


def _sharing(options: Mapping[int, Sequence[_Legal]]) -> Iterator[Violation]:
    """Which routes use the same track, each read so that it shares least with those before it."""
    user: dict[Resource, int] = {}
    for i, readings_ in options.items():
        used = min((r.used for r in readings_), key=lambda u: len(u & user.keys()))
        for resource in sorted(used & user.keys(), key=str):
            yield Violation(f"routes[{i}]", f"{_named(resource)} is used by routes[{user[resource]}] as well")
        for resource in used:
            user.setdefault(resource, i)


def _note(i: int, chosen: _Legal, options: Sequence[_Legal]) -> str:
    """What to tell about a route that could be read in several legal ways; empty if it could not."""
    tracks = [{p for segment in o.route.track for p in segment} for o in options]
    read_as = {p for segment in chosen.route.track for p in segment}
    for twins, segment in zip(chosen.reading.twins, chosen.route.track, strict=False):
        tracks += [read_as.difference(segment).union(twin) for twin in twins]
    every, some = set.intersection(*tracks), set.union(*tracks)
    hexes = sorted({p.hex for p in some - every})
    if not hexes:
        return ""
    least = min(o.route.revenue for o in options)
    earn = "all earn the same" if least == chosen.route.revenue else f"others earn {least} or more"
    if chosen.route.revenue < options[0].route.revenue:
        earn = f"one earns {options[0].route.revenue}, but not beside the other routes"
    text = f"several legal tracks join the waypoints; they differ at {', '.join(hexes)}"
    return f"routes[{i}]: {text}. Read as {'-'.join(chosen.route.hexes)} = {chosen.route.revenue}; {earn}"
