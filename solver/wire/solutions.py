"""Solutions, drawn routes and evaluations as protobuf messages, and from and to JSON.

Round trips are exact. Reading raises PositionError, which names the place of every fault.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from trunkline.solver.board import (
    DrawnRoute,
    Evaluation,
    IdleTrain,
    Position,
    RevenueLine,
    Route,
    Solution,
    Statistics,
    StopId,
    Track,
)
from trunkline.solver.errors import Fault, PositionError
from trunkline.solver.wire.json_form import fill, load_json, read_json, to_dict, to_json
from trunkline.solver.wire.limits import faults_of_routes
from trunkline.solver.wire.positions import position_from_proto
from trunkline.v1 import position_pb2, solution_pb2, solver_service_pb2

KEPT_TRACK = 24
"""The longest segment that is remembered, in pieces of track."""
_stop_text = re.compile(r"(\S+) (city|town|offboard) ([0-9]{1,3})")


def solution_to_proto(solution: Solution, into: solution_pb2.Solution | None = None) -> solution_pb2.Solution:
    """Write a solution; ``into``: an empty message to write it in."""
    message = solution_pb2.Solution() if into is None else into
    for route in solution.routes:
        _add_route(message.routes.add(), route)
    for i in solution.idle:
        message.idle.add(train=i.train, name=i.name, reason=i.reason)
    message.total = solution.total
    message.upper_bound = solution.upper_bound
    message.optimal = solution.optimal
    message.claims.extend(solution.claims)
    s = solution.statistics
    message.statistics.nodes = s.nodes
    message.statistics.network_seconds = s.network_seconds
    message.statistics.problem_seconds = s.problem_seconds
    message.statistics.search_seconds = s.search_seconds
    message.statistics.check_seconds = s.check_seconds
    return message


def solution_from_proto(message: solution_pb2.Solution) -> Solution:
    """Read a solution; the inverse of :func:`solution_to_proto`."""
    s = message.statistics
    return Solution(
        tuple([_route(r) for r in message.routes]),
        tuple([IdleTrain(i.train, i.name, i.reason) for i in message.idle]),
        message.total,
        message.upper_bound,
        message.optimal,
        tuple(message.claims),
        Statistics(s.nodes, s.network_seconds, s.problem_seconds, s.search_seconds, s.check_seconds),
    )


def solution_to_json(solution: Solution) -> str:
    """Write a solution as JSON.

    Parameters
    ----------
    solution
        The solution; every field is named, also those that have their default values.
    """
    return to_json(solution_to_proto(solution))


def solution_to_dict(solution: Solution) -> dict[str, Any]:
    """The JSON form of a solution as dictionaries and lists."""
    return to_dict(solution_to_proto(solution))


def solution_from_json(text: str | bytes) -> Solution:
    """Read a solution from JSON.

    Parameters
    ----------
    text
        The JSON, as text or as bytes in UTF-8.

    Raises
    ------
    PositionError
        The text is no solution.
    """
    return solution_from_proto(read_json(text, solution_pb2.Solution()))


def _add_route(m: solution_pb2.Route, route: Route) -> None:
    m.train, m.name, m.revenue, m.markers = route.train, route.name, route.revenue, route.markers
    m.stops.extend([_route_stop(s, counted) for s, counted in zip(route.stops, route.counted, strict=True)])
    _add_segments(m.segments, route.track)
    m.hexes.extend(route.hexes)
    for line in route.lines:
        m.lines.add(kind=line.kind, label=line.label, amount=line.amount, hex=line.hex)
    m.commodities.extend(route.commodities)


@lru_cache(maxsize=2048)
def _route_stop(stop: StopId, counted: bool) -> solution_pb2.RouteStop:
    return solution_pb2.RouteStop(hex=stop.hex, kind=stop.kind, number=stop.number, counted=counted)


def _add_segments(segments: Any, track: tuple[tuple[Track, ...], ...]) -> None:
    segments.extend([_known_segment(run) if len(run) <= KEPT_TRACK else _segment(run) for run in track])


def _segment(run: tuple[Track, ...]) -> solution_pb2.Segment:
    m = solution_pb2.Segment()
    for hex_, path in run:
        m.track.add(hex=hex_, path=path)
    return m


_known_segment = lru_cache(maxsize=2048)(_segment)


def _segments(segments: Iterable[solution_pb2.Segment]) -> tuple[tuple[Track, ...], ...]:
    return tuple([tuple([Track(t.hex, t.path) for t in s.track]) for s in segments])


def _route(m: solution_pb2.Route) -> Route:
    return Route(
        m.train,
        m.name,
        tuple([StopId(s.hex, s.kind, s.number) for s in m.stops]),
        tuple([s.counted for s in m.stops]),
        _segments(m.segments),
        tuple(m.hexes),
        tuple([RevenueLine(x.kind, x.label, x.amount, x.hex) for x in m.lines]),
        m.revenue,
        m.markers,
        tuple(m.commodities),
    )


# --- drawn routes and evaluations


def waypoint(text: str) -> str | StopId:
    """A waypoint from its text: a hex id, or a stop with kind and number.

    >>> waypoint("D23 city 1")
    StopId(hex='D23', kind='city', number=1)
    >>> waypoint("F5")
    'F5'
    """
    match = _stop_text.fullmatch(text)
    return StopId(match[1], match[2], int(match[3])) if match else text


def drawn_from_proto(routes: Sequence[solution_pb2.DrawnRoute]) -> tuple[DrawnRoute, ...]:
    """Read drawn routes. Raises PositionError: a route has both waypoints and segments, or neither."""
    if too_much := list(faults_of_routes(routes)):
        raise PositionError(too_much)
    faults = []
    for i, m in enumerate(routes):
        if bool(m.waypoints) == bool(m.segments):
            what = "both waypoints and segments; give one" if m.waypoints else "neither waypoints nor segments"
            faults.append(Fault(f"routes[{i}]", f"the route of train {m.train} has {what}"))
    if faults:
        raise PositionError(faults)
    return tuple([DrawnRoute(m.train, tuple(map(waypoint, m.waypoints)), _segments(m.segments)) for m in routes])


def drawn_to_proto(drawn: Iterable[DrawnRoute]) -> list[solution_pb2.DrawnRoute]:
    """Write drawn routes; the inverse of :func:`drawn_from_proto`."""
    messages = []
    for d in drawn:
        m = solution_pb2.DrawnRoute(train=d.train)
        m.waypoints.extend(w if isinstance(w, str) else f"{w.hex} {w.kind} {w.number}" for w in d.waypoints)
        _add_segments(m.segments, d.track)
        messages.append(m)
    return messages


def question_from_json(text: str | bytes) -> tuple[Position, tuple[DrawnRoute, ...]]:
    """Read a position with drawn routes, ``{"position": {...}, "routes": [{"train": 0, "waypoints": [...]}]}``, or a
    position alone.

    Raises PositionError, as :func:`position_from_json`.
    """
    data = load_json(text)
    if not isinstance(data, dict) or "position" not in data:
        return position_from_proto(fill(position_pb2.Position(), data)), ()
    message = fill(solver_service_pb2.EvaluateRequest(), data)
    return position_from_proto(message.position), drawn_from_proto(message.routes)


def routes_from_json(text: str | bytes) -> tuple[DrawnRoute, ...]:
    """Read routes alone: ``{"routes": [{"train": 0, "waypoints": [...]}]}``, or the JSON form of a solution.

    Raises PositionError: the text is neither.
    """
    data = load_json(text)
    listed = data.get("routes") if isinstance(data, dict) else None
    if isinstance(listed, list) and any(isinstance(r, dict) and "stops" in r for r in listed):
        solution = solution_from_proto(fill(solution_pb2.Solution(), data))
        return tuple(DrawnRoute(r.train, track=r.track) for r in solution.routes)
    return drawn_from_proto(fill(solver_service_pb2.EvaluateRequest(), data).routes)


def evaluation_to_proto(evaluation: Evaluation, into: solution_pb2.Evaluation | None = None) -> solution_pb2.Evaluation:
    """Write an evaluation; ``into``: an empty message to write it in."""
    message = solution_pb2.Evaluation() if into is None else into
    for route in evaluation.routes:
        _add_route(message.routes.add(), route)
    message.total = evaluation.total
    message.claims.extend(evaluation.claims)
    for f in evaluation.faults:
        message.faults.add(field=f.field, message=f.message)
    message.notes.extend(evaluation.notes)
    message.legal = evaluation.legal
    return message


def evaluation_from_proto(message: solution_pb2.Evaluation) -> Evaluation:
    """Read an evaluation; the inverse of :func:`evaluation_to_proto`."""
    return Evaluation(
        tuple([_route(r) for r in message.routes]),
        message.total,
        tuple(message.claims),
        tuple([Fault(f.field, f.message) for f in message.faults]),
        tuple(message.notes),
    )


def evaluation_to_json(evaluation: Evaluation) -> str:
    """Write an evaluation as JSON, every field named."""
    return to_json(evaluation_to_proto(evaluation))
