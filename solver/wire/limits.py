"""How much a message may hold: more than any board needs, and little enough to be checked in no time.

Counted before anything is built, so that what follows is short whatever comes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from trunkline.solver.errors import Fault
from trunkline.v1 import position_pb2, solution_pb2

MOST_OF_POSITION = {
    "tiles": 2000,
    "tokens": 2000,
    "markers": 2000,
    "trains": 24,
    "phase_colors": 32,
    "open_concessions": 100,
    "held_concessions": 100,
    "assignments": 2000,
}
"""Entries of each list."""
MOST_SWITCHES, MOST_VISITS, MOST_KINDS = 100, 32, 16
MOST_OF_RULES = {"bonuses": 100, "several_stops": 200, "no_ends": 16}
MOST_SETS, MOST_NAMES = 8, 200
MOST_ROUTES, MOST_WAYPOINTS, MOST_SEGMENTS, MOST_TRACK = 100, 10_000, 10_000, 10_000
MOST_TEXT = 200
"""Characters of a name."""
MOST_PART = 20_000
"""Bytes of one tile or token: room for its definition, four bytes a character."""


def faults_of_position(message: position_pb2.Position) -> Iterator[Fault]:
    """What there is too much of in a position."""
    for field, most in MOST_OF_POSITION.items():
        yield from _longer(field, getattr(message, field), most)
    yield from _longer("rules.switches", message.rules.switches, MOST_SWITCHES)
    yield from _faults_of_terms(message.rules)
    for i, train in enumerate(message.trains[: MOST_OF_POSITION["trains"]]):
        yield from _longer(f"trains[{i}].visits", train.visits, MOST_VISITS)
        for j, visits in enumerate(train.visits[:MOST_VISITS]):
            yield from _longer(f"trains[{i}].visits[{j}].kinds", visits.kinds, MOST_KINDS)
            yield from _texts(f"trains[{i}].visits[{j}].kinds", visits.kinds[:MOST_KINDS])
        yield from _texts(f"trains[{i}]", (train.name, train.card))
    for field in ("title", "layout", "phase", "company", "jewelry_hex"):
        yield from _texts(field, (getattr(message, field),))
    for i, a in enumerate(message.assignments[: MOST_OF_POSITION["assignments"]]):
        yield from _texts(f"assignments[{i}]", (a.marker, a.hex, a.company))
    for field in ("phase_colors", "open_concessions", "held_concessions"):
        yield from _texts(field, getattr(message, field)[: MOST_OF_POSITION[field]])
    yield from _texts("rules", (message.rules.set, *list(message.rules.switches)[:MOST_SWITCHES]))


def _faults_of_terms(rules: position_pb2.Rules) -> Iterator[Fault]:
    for field, most in MOST_OF_RULES.items():
        yield from _longer(f"rules.{field}", getattr(rules, field), most)
    sets = [(f"rules.no_ends[{i}]", s) for i, s in enumerate(rules.no_ends[: MOST_OF_RULES["no_ends"]])]
    for i, bonus in enumerate(rules.bonuses[: MOST_OF_RULES["bonuses"]]):
        at = f"rules.bonuses[{i}]"
        yield from _longer(f"{at}.stops", bonus.stops, MOST_SETS)
        yield from _texts(at, (bonus.name, bonus.per, bonus.marker))
        for field in ("companies", "trains", "not_trains", "phases"):
            yield from _names(f"{at}.{field}", getattr(bonus, field))
        sets += [(f"{at}.stops[{j}]", s) for j, s in enumerate(bonus.stops[:MOST_SETS])]
        sets.append((f"{at}.crosses", bonus.crosses))
    for at, stops in sets:
        for field in ("hexes", "groups", "labels", "markers", "kinds"):
            yield from _names(f"{at}.{field}", getattr(stops, field))


def _names(field: str, names: Sequence[str]) -> Iterator[Fault]:
    yield from _longer(field, names, MOST_NAMES)
    yield from _texts(field, names[:MOST_NAMES])


def faults_of_part(field: str, data: bytes) -> Iterator[Fault]:
    """Whether a tile or token, in bytes, is too long."""
    if len(data) > MOST_PART:
        yield Fault(field, f"{len(data):,} bytes; at most {MOST_PART:,}")


def faults_of_routes(routes: Sequence[solution_pb2.DrawnRoute]) -> Iterator[Fault]:
    """What there is too much of in drawn routes."""
    yield from _longer("routes", routes, MOST_ROUTES)
    for i, route in enumerate(routes[:MOST_ROUTES]):
        yield from _longer(f"routes[{i}].waypoints", route.waypoints, MOST_WAYPOINTS)
        yield from _longer(f"routes[{i}].segments", route.segments, MOST_SEGMENTS)
        yield from _texts(f"routes[{i}].waypoints", route.waypoints[:MOST_WAYPOINTS])
        for j, segment in enumerate(route.segments[:MOST_SEGMENTS]):
            yield from _longer(f"routes[{i}].segments[{j}].track", segment.track, MOST_TRACK)


def _longer(field: str, given: Sequence[object] | object, most: int) -> Iterator[Fault]:
    count = len(given)  # type: ignore[arg-type]  # a list or a map of a message
    if count > most:
        yield Fault(field, f"{count:,} entries; at most {most:,}")


def _texts(field: str, texts: Sequence[str]) -> Iterator[Fault]:
    longest = max(map(len, texts), default=0)
    if longest > MOST_TEXT:
        yield Fault(field, f"a name of {longest:,} characters; at most {MOST_TEXT}")
