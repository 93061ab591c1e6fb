"""From a position to the checked answer: network, problem, search, check, in that order.

``solve`` is the whole solver as one function; it keeps no state between calls but the compiled kernels.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from numbers import Real

from trunkline.solver.board import (
    CITY,
    ROUTE,
    STOP_KINDS,
    Board,
    DrawnRoute,
    IdleTrain,
    LaidTile,
    Position,
    Solution,
    Statistics,
    StopId,
    Title,
    Token,
    Track,
    number_train,
)
from trunkline.solver.check import check
from trunkline.solver.errors import Cancelled, Fault, PositionError, TrunklineError
from trunkline.solver.search.budget import require_budget
from trunkline.solver.search.limits import DEFAULT, Limits
from trunkline.solver.search.network import build_network
from trunkline.solver.search.problem import Link, Model, model
from trunkline.solver.search.progress import Outcome, Stop
from trunkline.solver.search.search import search

__all__ = ["solve", "warm_up"]


def solve(
    position: Position,
    *,
    deadline: float | None = None,
    on_improvement: Callable[[Solution], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
    clock: Callable[[], float] = time.perf_counter,
    limits: Limits = DEFAULT,
) -> Solution:
    """The most a company can earn, on which routes, and whether that is proven.

    Parameters
    ----------
    position
        The board and the question.
    deadline
        Seconds after which the best found so far is returned, with a true upper bound; None: until it is proven.
    on_improvement
        Called with each better answer on the way (not with the last, which is returned).
    cancelled
        Asked every few milliseconds; True raises Cancelled.
    clock
        Tells the seconds of the deadline and of the statistics. One that counts work instead of time makes a search
        that is cut short end at the same place on every machine.
    limits
        How the search goes about it; the answer is worth the same for all.

    Returns
    -------
    Solution
        Checked route by route by :mod:`trunkline.solver.check`, which shares no code with the search.

    Raises
    ------
    Cancelled
        ``cancelled`` said so.
    TrunklineError
        The deadline is negative or no number.
    BudgetError
        The network has so many segments that the search would take too much memory.
    PositionError
        The bonuses of the title need more features than the search can hold.
    """
    if not isinstance(position, Position):
        raise PositionError([Fault("", f"{position!r} is not a Position")])
    if deadline is not None and not (isinstance(deadline, Real) and deadline >= 0):
        raise TrunklineError(f"the deadline {deadline!r} is not a number of seconds from 0 on")
    started = clock()

    def raise_if_cancelled() -> None:
        if cancelled is not None and cancelled():
            raise Cancelled("the search was cancelled")

    def raise_if_late() -> None:
        if deadline is not None and clock() - started >= deadline:
            raise Stop

    def raise_if_stopped() -> None:
        raise_if_cancelled()
        raise_if_late()

    try:
        graph = build_network(position.board, position.company, raise_if_stopped)
    except Stop:
        return _nothing(position, clock() - started)
    require_budget(graph.number_of_edges())
    networked = clock()
    problem = model(position, graph)
    flattened = clock()
    shown = 0

    def checkpoint(outcome: Outcome) -> None:
        nonlocal shown
        raise_if_cancelled()
        if on_improvement is not None and outcome.total > shown:
            shown = outcome.total
            on_improvement(_solution(position, problem, outcome, Statistics(outcome.nodes), _NOT_YET))
        raise_if_late()

    outcome = search(problem.problem, [t for t, _ in problem.runs], checkpoint, limits)
    searched = clock()
    solution = _solution(position, problem, outcome, Statistics(), _TOO_EARLY)
    statistics = Statistics(
        outcome.nodes,
        networked - started,
        flattened - networked,
        searched - flattened,
        clock() - searched,
    )
    return replace(solution, statistics=statistics)


def _solution(
    position: Position, problem: Model, outcome: Outcome, statistics: Statistics, unfinished: str
) -> Solution:
    """The checked answer; ``unfinished`` is why trains are idle that may still find a run."""
    plans = []
    idle = []
    proven = outcome.ceiling <= outcome.total
    for (_, train), links, single in zip(problem.runs, outcome.links, outcome.single, strict=True):
        if links:
            plans.append(DrawnRoute(train, track=_track([problem.links[i] for i in links])))
        else:
            idle.append(
                IdleTrain(train, position.trains[train].name, _reason(position, problem, single, proven) or unfinished)
            )
    routes = check(position, sorted(plans, key=lambda p: p.train))
    total = sum(r.revenue for r in routes)
    claims = {c for r in routes for c in r.commodities} & position.open_concessions
    ceiling = max(outcome.ceiling, total)
    return Solution(
        routes,
        tuple(sorted(idle, key=lambda i: i.train)),
        total,
        ceiling,
        ceiling == total,
        tuple(sorted(claims)),
        statistics,
    )


def _nothing(position: Position, seconds: float) -> Solution:
    """The answer when the deadline came before there was a network: no train earns more than the whole board."""
    board, title, usable = position.board, position.board.title, position.open_concessions | position.held_concessions
    most = 0
    for train in position.trains:
        stops = [(s, hx.plus if s.kind == CITY else None) for hx in board.hexes.values() for s in hx.tile.stops]
        values = [s.value(board.colors, train.diesel) for s, _ in stops]
        lift = max([title.variable_minimum, *values])
        most += max(train.factor(kind) for kind in STOP_KINDS) * sum(
            v if plus is None else lift + plus for v, (_, plus) in zip(values, stops, strict=True)
        )
        most += sum(c.value for c in title.connections)
        most += sum(len(position.sources(c)) * sum(title.commodities[c].destinations.values()) for c in usable)
        for bonus in position.terms.bonuses:
            places = 1 if bonus.per == ROUTE else len(stops) if bonus.crosses is None else len(board.hexes)
            most += bonus.amount * places * (train.multiplier if bonus.multiplied else 1)
    idle = [IdleTrain(i, t.name, _TOO_EARLY) for i, t in enumerate(position.trains)]
    return Solution((), tuple(idle), 0, most, most == 0, (), Statistics(network_seconds=seconds))


_TOO_EARLY = "the deadline came before a run for it was found"
_NOT_YET = "no run for it has been found yet"


def _reason(position: Position, problem: Model, single: int, proven: bool) -> str:
    """Why no run is possible or worth it for an idle train; empty if that is not known before the search has ended."""
    board, company = position.board, position.company
    if not any(city.holds(company) for city in board.cities.values()):
        return f"{company} has no token on the board"
    if not problem.links:
        return f"no track joins a city with a token of {company} to another stop where a run may end"
    if not proven:
        return ""
    if single == 0:
        return f"no run within its length joins a city with a token of {company} to another stop it may end at"
    return "every run would need track that the other trains earn more on"


def _track(links: Sequence[Link]) -> tuple[tuple[Track, ...], ...]:
    """The track of a route, from the end whose stop comes first, given its links in any order."""
    at: dict[StopId, list[Link]] = {}
    for link in links:
        at.setdefault(link.a, []).append(link)
        at.setdefault(link.b, []).append(link)
    stop = min(s for s, touching in at.items() if len(touching) == 1)
    track: list[tuple[Track, ...]] = []
    before: Link | None = None
    while True:
        onward = [link for link in at[stop] if link is not before]
        if not onward:
            return tuple(track)
        (before,) = onward
        segments = before.segments if before.a == stop else before.segments[::-1]
        for segment in segments:
            forward = segment.a == stop
            track.append(segment.track if forward else segment.track[::-1])
            stop = segment.b if forward else segment.a


def warm_up() -> None:
    """Compile the kernels, or load them from the cache on disk; afterwards every call is fast."""
    # Two trains that want the same track between two cities reach every kernel.
    city = "city=revenue:{};path=a:{},b:_0"
    tiles = (LaidTile("A1", "1", code=city.format(10, 0)), LaidTile("A3", "2", code=city.format(20, 3)))
    board = Board(Title("", "two cities", route_ends=frozenset({CITY})), tiles, (Token("X", "A1"),))
    solve(Position(board, "X", (number_train("2", 2), number_train("3", 3))))
