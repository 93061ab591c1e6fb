"""The independent checker: is every route legal, is every amount right?

Given a ``Position`` and routes as exact track or as waypoints, gives the revenue line by line or every reason why the
company may not run them. Plain Python over the board, after section 9 of the rules; it shares no code with the network,
the problem and the search, whose every answer passes :func:`check` before it leaves.
What waypoints may mean as track is found by :mod:`~trunkline.solver.check.readings`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from trunkline.solver.board import SIDE, DrawnRoute, Evaluation, Position, Route, Track
from trunkline.solver.check.follow import Resource, follow_track
from trunkline.solver.check.legs import Drawing, TooComplex, Work, read
from trunkline.solver.check.names import resource_name
from trunkline.solver.check.readings import Reading, merge_twins, readings
from trunkline.solver.check.revenue import route_of
from trunkline.solver.check.rules import rule_faults
from trunkline.solver.check.terms import crossed_hexes
from trunkline.solver.errors import CheckError, Fault

MAX_PIECES = 10_000
"""Pieces of track of one drawn route; the sides of a board with 2,000 hexes are fewer."""


def check(position: Position, plans: Sequence[DrawnRoute]) -> tuple[Route, ...]:
    """Check the routes of an answer, given as exact track, and compute their revenue (rules section 9).

    Parameters
    ----------
    position
        The board, the company and its trains.
    plans
        The routes, each as exact track.

    Returns
    -------
    tuple of Route
        The routes with their revenue, in the same order.

    Raises
    ------
    CheckError
        They are not legal together, or one of them has no exact track.
    """
    used: set[Resource] = set()
    trains: set[int] = set()
    routes = []
    pieces = 0
    for plan in plans:
        if not plan.track or plan.train in trains or plan.train not in range(len(position.trains)):
            raise CheckError(_why(position, plans))
        trains.add(plan.train)
        run = follow_track(position, plan.track)
        train = position.trains[plan.train]
        if run.faults or rule_faults(position, train, run):
            raise CheckError(_why(position, plans))
        pieces += len(run.used)
        used.update(run.used)
        routes.append(route_of(position, plan.train, run, plan.track))
    if len(used) < pieces:
        raise CheckError(_why(position, plans))
    return tuple(routes)


def _why(position: Position, plans: Sequence[DrawnRoute]) -> tuple[Fault, ...]:
    no_track = [Fault(f"routes[{i}]", "no exact track") for i, plan in enumerate(plans) if not plan.track]
    return (*no_track, *evaluate(position, [p for p in plans if p.track]).faults)


class _Legal(NamedTuple):
    """One legal reading of a drawn route."""

    route: Route
    used: frozenset[Resource]
    reading: Reading


def evaluate(
    position: Position, drawn: Sequence[DrawnRoute], *, cancelled: Callable[[], bool] | None = None
) -> Evaluation:
    """What drawn routes earn together, or every reason why they are not legal (rules section 9).

    Where waypoints can be read as several tracks, the legal reading that earns most is taken, all routes together,
    and ``notes`` names the hexes where the readings differ. The work is bounded: routes that can be read in too many
    ways are refused with a fault that says so.

    Parameters
    ----------
    position
        The board, the company and its trains.
    drawn
        The routes, at most one for each train.
    cancelled
        Asked every few milliseconds whether to stop.

    Returns
    -------
    Evaluation
        The routes with their revenue, or the faults.

    Raises
    ------
    Cancelled
        ``cancelled`` said so.

    Examples
    --------
    >>> from trunkline.solver import Board, DrawnRoute, LaidTile, Position, Token, evaluate, get_title, train
    >>> board = Board(get_title("18India"), (LaidTile("D5", "8", 1),), (Token("PNS", "D3"),))
    >>> position = Position(board, "PNS", (train(board.title, "2"),))
    >>> for fault in evaluate(position, [DrawnRoute(0, waypoints=("D3", "D5"))]).faults:
    ...     print(fault)
    routes[0].waypoints[1]: D5: a route starts and ends at a stop, and the tile has none
    """
    if len(drawn) > len(position.trains):
        text = f"{len(drawn)} routes for {len(position.trains)} trains"
        if len(drawn) > 10 * (1 + len(position.trains)):
            return Evaluation(faults=(Fault("routes", text),))
        faults = [Fault("routes", text)]
    else:
        faults = []
    work = Work(cancelled=cancelled)
    try:
        return _evaluate(position, drawn, faults, work)
    except TooComplex:
        text = "the waypoints can be read as track in too many ways; name every hex, or give the exact track"
        return Evaluation(faults=(*faults, Fault(work.at, text)))


def _evaluate(position: Position, drawn: Sequence[DrawnRoute], faults: list[Fault], work: Work) -> Evaluation:
    faults += _train_faults(position, drawn)
    drawings = [_drawing(position, r, f"routes[{i}]", faults, work) for i, r in enumerate(drawn)]
    if not any(SIDE in row.kinds for train in position.trains for row in train.visits):  # twins differ in sides
        merge_twins([d for d in drawings if d], _deciding_hexes(position))
    options: dict[int, list[_Legal]] = {}
    for i, drawing in enumerate(drawings):
        train, work.at = drawn[i].train, f"routes[{i}]"
        if drawing is not None and train in range(len(position.trains)):
            legal = _legal_readings(position, train, drawing, work)
            if legal:
                options[i] = legal
            else:
                faults += _fewest_faults(position, train, drawing, work)
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


def _train_faults(position: Position, drawn: Sequence[DrawnRoute]) -> Iterator[Fault]:
    n = len(position.trains)
    first: dict[int, int] = {}
    for i, route in enumerate(drawn):
        if route.train not in range(n):
            yield Fault(f"routes[{i}].train", f"there is no train {route.train} ({n} trains, the first is 0)")
        elif first.setdefault(route.train, i) != i:
            name, other = position.trains[route.train].name, f"routes[{first[route.train]}]"
            yield Fault(f"routes[{i}].train", f"train {route.train} ({name}) already runs {other}")


def _drawing(
    position: Position, route: DrawnRoute, at: str, faults: list[Fault], work: Work
) -> Drawing | Reading | None:
    """The ways to read a drawn route, one if it is given as track; None if it cannot be read, with the faults."""
    work.at = at
    if bool(route.track) == bool(route.waypoints):
        given = "both track and waypoints; give one of them" if route.track else "neither track nor waypoints"
        faults.append(Fault(at, f"the route has {given}"))
        return None
    if route.track:
        if sum(map(len, route.track)) + len(route.track) > MAX_PIECES:
            faults.append(Fault(f"{at}.track", f"more than {MAX_PIECES} pieces of track"))
            return None
        return Reading(route.track, ())
    drawing = read(position.board, position.company, route.waypoints, work)
    faults += [fault.within(at) for fault in drawing.faults]
    return None if drawing.faults else drawing


def _deciding_hexes(position: Position) -> frozenset[str]:
    """Hexes that may change what a run earns without a stop there: ends of usable commodities, and what terms name."""
    usable = position.open_concessions | position.held_concessions
    commodities = position.board.title.commodities
    ends = (h for c in usable for h in (*position.sources(c), *commodities[c].destinations))
    return frozenset(ends) | crossed_hexes(position)


def _legal_readings(position: Position, number: int, drawing: Drawing | Reading, work: Work) -> list[_Legal]:
    """All legal readings, the one that earns most first."""
    train = position.trains[number]
    legal: dict[tuple[tuple[Track, ...], ...], _Legal] = {}
    for reading in [drawing] if isinstance(drawing, Reading) else readings(drawing, work):
        run = follow_track(position, reading.track)
        if not run.faults and not rule_faults(position, train, run) and reading.track not in legal:
            route = route_of(position, number, run, reading.track)
            legal[reading.track] = _Legal(route, frozenset(run.used), reading)
    return sorted(legal.values(), key=lambda x: (-x.route.revenue, len(x.route.hexes), x.route.track))


def _fewest_faults(position: Position, number: int, drawing: Drawing | Reading, work: Work) -> list[Fault]:
    """The faults of the reading that has the fewest, among those that there is time to look at."""
    train, at = position.trains[number], work.at
    best: list[Fault] | None = None
    for reading in [drawing] if isinstance(drawing, Reading) else readings(drawing, None):
        run = follow_track(position, reading.track, [f"waypoints[{place}]" for place in reading.places])
        faults = run.faults if run.broken else run.faults + rule_faults(position, train, run)
        if best is None or len(faults) < len(best):
            best = faults
        work.count(len(run.hexes))
        if len(best) == 1 or work.left < 0:
            break
    if best is None:
        return [Fault(at, "no track joins the waypoints in this order")]
    return [fault.within(at) for fault in best]


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


def _sharing(options: Mapping[int, Sequence[_Legal]]) -> Iterator[Fault]:
    """Which routes use the same track; of each route the reading that shares least with the routes before it."""
    user: dict[Resource, int] = {}
    for i, readings_ in options.items():
        used = min((r.used for r in readings_), key=lambda u: len(u & user.keys()))
        for resource in sorted(used & user.keys(), key=str):
            yield Fault(f"routes[{i}]", f"{resource_name(resource)} is used by routes[{user[resource]}] as well")
        for resource in used:
            user.setdefault(resource, i)


def _note(i: int, chosen: _Legal, options: Sequence[_Legal]) -> str:
    """A note on how a route was read that can be read in several legal ways; empty if there is only one."""
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
