"""Positions, solutions and evaluations as protobuf messages (package trunkline.v1) and as their JSON form.

The JSON form of ``Position`` is the file format of positions. Round trips are exact: a position written and read back
equals the first. Reading raises PositionError, which names the place of every fault: a line and column where the text
is no JSON, else a field such as ``tiles[3].rotation``. Drawn routes are read and written here as well.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import DecodeError, Message

from trunkline.solver.board import (
    COLORS,
    COMMON,
    STOP_KINDS,
    UNLIMITED,
    Board,
    DrawnRoute,
    Evaluation,
    IdleTrain,
    LaidTile,
    Position,
    RevenueLine,
    Route,
    Rules,
    Solution,
    Statistics,
    StopId,
    Title,
    Token,
    Track,
    Train,
    Visits,
    border,
    get_title,
    number_train,
)
from trunkline.solver.errors import Fault, PositionError, TrunklineError
from trunkline.v1 import position_pb2, solution_pb2, solver_service_pb2

MAX_TEXT = 8_000_000
"""Bytes of the longest JSON text that is read."""

_M = TypeVar("_M", bound=Message)
KEPT_BYTES = 400
"""The longest part of a position that is remembered."""
KEPT_TRACK = 24
"""The longest segment that is remembered, as it is written."""
_stop_text = re.compile(r"(\S+) (city|town|offboard) ([0-9]{1,3})")

# --- positions ---------------------------------------------------------------------------------------------------


def position_from_proto(message: position_pb2.Position) -> Position:
    """Read and check a position. Raises PositionError with every fault found."""
    try:
        title_ = get_title(message.title)
    except TrunklineError as e:
        raise PositionError([Fault("title", str(e))]) from None
    faults: list[Fault] = []
    markers = frozenset(_markers(message, faults))
    trains = tuple([t for i, m in enumerate(message.trains) if (t := _train(title_, m, f"trains[{i}]", faults))])
    open_ = _names(message.open_concessions, "open_concessions", faults)
    held = _names(message.held_concessions, "held_concessions", faults)
    rules = Rules(message.rules.set or "rulebook", tuple(sorted(message.rules.switches.items())))
    try:
        board = Board(
            title_,
            _tiles(message),
            _tokens(message),
            markers,
            message.phase,
            tuple(message.phase_colors),
            message.jewelry_hex,
            message.layout,
        )
        position = Position(board, message.company, trains, open_, held, rules)
    except PositionError as e:
        faults = _in_order([*faults, *e.faults, *_other_faults(title_, message.company, trains, rules)])
    if faults:
        raise PositionError(faults)
    return position


def _tiles(message: position_pb2.Position) -> tuple[LaidTile, ...]:
    """Tiles, those that came before as the same objects: a position has many, and mostly those of the one before."""
    parts = [part.SerializeToString() for part in message.tiles]
    return tuple([_known_tile(data) if len(data) <= KEPT_BYTES else _tile(data) for data in parts])


def _tile(data: bytes) -> LaidTile:
    m = position_pb2.LaidTile.FromString(data)
    return LaidTile(m.hex, m.tile, m.rotation, m.definition, m.color, m.name)


def _tokens(message: position_pb2.Position) -> tuple[Token, ...]:
    parts = [part.SerializeToString() for part in message.tokens]
    return tuple([_known_token(data) if len(data) <= KEPT_BYTES else _token(data) for data in parts])


def _token(data: bytes) -> Token:
    m = position_pb2.Token.FromString(data)
    return Token(m.company, m.hex, m.city, m.slot if m.HasField("slot") else None, m.extra)


_known_tile, _known_token = lru_cache(maxsize=4096)(_tile), lru_cache(maxsize=1024)(_token)


def _other_faults(title_: Title, company: str, trains: tuple[Train, ...], rules: Rules) -> tuple[Fault, ...]:
    """Faults that show without the board, so that a bad board does not hide them."""
    try:
        # Whatever colours: those of the board are its own faults.
        Position(Board(title_, colors=COLORS), company, trains, rules=rules)
    except PositionError as e:
        return e.faults
    return ()


def _in_order(faults: Iterable[Fault]) -> list[Fault]:
    return list(dict.fromkeys(faults))


def _markers(message: position_pb2.Position, faults: list[Fault]) -> Iterator[tuple[str, str]]:
    seen = set()
    for i, m in enumerate(message.markers):
        hexes = tuple(m.hexes)
        if len(hexes) != 2:
            faults.append(Fault(f"markers[{i}].hexes", f"{len(hexes)} hexes; a marker lies between two"))
            continue
        side = border(*hexes)
        if side in seen:
            faults.append(Fault(f"markers[{i}]", f"there are two markers between {side[0]} and {side[1]}"))
        seen.add(side)
        yield side


def _names(given: Sequence[str], field: str, faults: list[Fault]) -> frozenset[str]:
    names = frozenset(given)
    if len(names) < len(given):
        twice = next(n for n, times in Counter(given).items() if times > 1)
        faults.append(Fault(field, f"{twice} is given twice"))
    return names


def _train(title_: Title, m: position_pb2.Train, at: str, faults: list[Fault]) -> Train | None:
    by_distance = m.HasField("distance")
    if not by_distance and not m.visits:
        if m.HasField("multiplier") or m.own_token_counts or m.card:
            faults.append(Fault(at, f"train {m.name!r}: give its distance or visits as well, or its name alone"))
        elif m.name not in title_.trains:
            known = f"known: {', '.join(title_.trains)}; " if title_.trains else ""
            text = f"unknown train {m.name!r}; {known}any other train needs a distance or visits"
            faults.append(Fault(f"{at}.name", text))
        return title_.trains.get(m.name)
    if by_distance and m.visits:
        faults.append(Fault(at, f"train {m.name!r}: give its distance or its visits, not both"))
        return None
    visits = number_train("", m.distance).visits if by_distance else tuple([_visits(v) for v in m.visits])
    return Train(m.name, visits, m.multiplier if m.HasField("multiplier") else 1, m.own_token_counts, m.card)


def _visits(m: position_pb2.Visits) -> Visits:
    visit = m.visit if m.HasField("visit") else UNLIMITED
    return Visits(tuple(m.kinds), visit, m.pay if m.HasField("pay") else visit)


def position_to_proto(position: Position) -> position_pb2.Position:
    """Write a position: only what the title does not know already. Raises TrunklineError: a number above 32 bits."""
    board, title_ = position.board, position.board.title
    message = position_pb2.Position(
        title=title_.id,
        layout="" if board.layout == title_.layout and title_ is not COMMON else board.layout,
        phase=board.phase,
        phase_colors=() if board.colors == title_.phases.get(board.phase, ()) else board.colors,
        company=position.company,
        open_concessions=sorted(position.open_concessions),
        held_concessions=sorted(position.held_concessions),
        jewelry_hex=board.jewelry_hex,
    )
    try:
        add = message.tiles.add
        for t in board.tiles:
            add(hex=t.hex, tile=t.tile, rotation=t.rotation, definition=t.code, color=t.color, name=t.name)
        add_token = message.tokens.add
        for k in board.tokens:
            add_token(company=k.company, hex=k.hex, city=k.city, slot=k.slot, extra=k.extra)
        for side in sorted(board.markers):
            message.markers.add(hexes=side)
        for train in position.trains:
            if train == title_.trains.get(train.name):
                message.trains.add(name=train.name)
            else:
                train_to_proto(train, message.trains.add())
    except ValueError as e:
        raise TrunklineError(f"the position cannot be written: {e}") from None
    if position.rules != Rules():
        message.rules.set = position.rules.name
        message.rules.switches.update(position.rules.switches)
    return message


def train_to_proto(train: Train, m: position_pb2.Train) -> None:
    """Write a train with all that it may visit."""
    m.name = train.name
    if [v.kinds for v in train.visits] == [STOP_KINDS] and train.visits[0].visit == train.visits[0].pay:
        m.distance = train.visits[0].visit
    else:
        for v in train.visits:
            row = m.visits.add(kinds=v.kinds, visit=None if v.visit == UNLIMITED else v.visit)
            if v.pay != v.visit:
                row.pay = v.pay
    if train.multiplier != 1:
        m.multiplier = train.multiplier
    m.own_token_counts = train.own_token_counts
    m.card = train.card


def position_from_json(text: str | bytes) -> Position:
    """Read a position from its file format.

    >>> position_from_json('{"title": "18India", "company": "PNS", "trains": [{"name": "2"}]}').board.phase
    'I'

    Raises PositionError: the text is no JSON, or has unknown fields or values of the wrong type, or the position
    cannot be on the table.
    """
    return position_from_proto(read_json(text, position_pb2.Position()))


def position_to_json(position: Position) -> str:
    """Write a position in its file format."""
    return json.dumps(to_dict(position_to_proto(position), False), indent=2, ensure_ascii=False) + "\n"


# --- solutions ---------------------------------------------------------------------------------------------------


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
    """Write a solution as JSON, every field named."""
    return to_json(solution_to_proto(solution))


def solution_to_dict(solution: Solution) -> dict[str, Any]:
    """The JSON form of a solution as dictionaries and lists."""
    return to_dict(solution_to_proto(solution))


def solution_from_json(text: str | bytes) -> Solution:
    """Read a solution from JSON. Raises PositionError: the text is no solution."""
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


# --- drawn routes and evaluations --------------------------------------------------------------------------------


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
    data = _load(text)
    if not isinstance(data, dict) or "position" not in data:
        return position_from_proto(_fill(position_pb2.Position(), data)), ()
    message = _fill(solver_service_pb2.EvaluateRequest(), data)
    return position_from_proto(message.position), drawn_from_proto(message.routes)


def routes_from_json(text: str | bytes) -> tuple[DrawnRoute, ...]:
    """Read routes alone: ``{"routes": [{"train": 0, "waypoints": [...]}]}``, or the JSON form of a solution.

    Raises PositionError: the text is neither.
    """
    data = _load(text)
    listed = data.get("routes") if isinstance(data, dict) else None
    if isinstance(listed, list) and any(isinstance(r, dict) and "stops" in r for r in listed):
        solution = solution_from_proto(_fill(solution_pb2.Solution(), data))
        return tuple(DrawnRoute(r.train, track=r.track) for r in solution.routes)
    return drawn_from_proto(_fill(solver_service_pb2.EvaluateRequest(), data).routes)


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


# --- messages as bytes and JSON ----------------------------------------------------------------------------------


def parse(data: bytes, message: _M) -> _M:
    """Fill a message from its bytes. Raises PositionError: they are no such message."""
    try:
        message.ParseFromString(data)
    except DecodeError as e:
        name = message.DESCRIPTOR.full_name
        raise PositionError([Fault("", f"the {len(data)} bytes are no {name}: {e}")]) from None
    return message


def to_json(message: Message) -> str:
    """The JSON form of a message with every field named, as a person or a script wants to read it."""
    return json.dumps(to_dict(message), indent=2, ensure_ascii=False)


def to_dict(message: Message, defaults: bool = True) -> dict[str, Any]:
    """The JSON form of a message, in the order of the contract; without ``defaults`` only what is not the default."""
    data: dict[str, Any] = {}
    for field in message.DESCRIPTOR.fields:
        value = getattr(message, field.name)
        entry = field.message_type
        if entry is not None and entry.GetOptions().map_entry:
            data[field.json_name] = {str(k): value[k] for k in sorted(value)}
        elif field.is_repeated:
            data[field.json_name] = [to_dict(v, defaults) if entry else v for v in value]
        elif field.has_presence:
            if message.HasField(field.name):
                data[field.json_name] = to_dict(value, defaults) if entry else value
            continue
        else:  # protobuf writes 64 bits in quotes, as JavaScript has not so many
            data[field.json_name] = str(value) if field.cpp_type == FieldDescriptor.CPPTYPE_INT64 else value
        if not defaults and not value:
            del data[field.json_name]
    return data


def read_json(text: str | bytes, message: _M) -> _M:
    """Fill a message from its JSON form. Raises PositionError: names the line, or every field that is wrong."""
    return _fill(message, _load(text))


def _fill(message: _M, data: Any) -> _M:
    faults: list[Fault] = []
    values = _Reader(faults).message(data, message.DESCRIPTOR, None)
    if faults:
        raise PositionError(faults)
    message.MergeFrom(type(message)(**values))
    return message


def _load(text: str | bytes) -> Any:
    if len(text) > MAX_TEXT:
        raise PositionError([Fault("", f"the text has {len(text):,} bytes; at most {MAX_TEXT:,}")])
    try:
        if isinstance(text, bytes):
            text = text.decode("utf-8")
        return json.loads(text.removeprefix("\ufeff"), object_pairs_hook=_once, parse_constant=_no_constant)
    except RecursionError:
        raise PositionError([Fault("", "not JSON that can be read: it is nested too deep")]) from None
    except json.JSONDecodeError as e:
        raise PositionError([Fault("", f"not JSON: {e.msg} at line {e.lineno}, column {e.colno}")]) from None
    except ValueError as e:
        raise PositionError([Fault("", f"not JSON that can be read: {e}")]) from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        twice = next(k for k, times in Counter(k for k, _ in pairs).items() if times > 1)
        raise ValueError(f"the key {twice!r} is given twice in one object")
    return data


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no number")


_Place = tuple[Any, str | int] | None
"""Where a value is: the place of what holds it, and its key or number there."""


def _place(at: _Place) -> str:
    if at is None:
        return ""
    outer, key = _place(at[0]), at[1]
    return f"{outer}[{key}]" if isinstance(key, int) else f"{outer}.{key}" if outer else key


class _Reader:
    """Reads JSON values as arguments for messages, and lists every value that does not fit, with its place.

    The JSON form of protobuf, read more strictly than by its library, which also says less about the place.
    """

    def __init__(self, faults: list[Fault]) -> None:
        self._faults = faults

    def _fault(self, at: _Place, message: str) -> None:
        self._faults.append(Fault(_place(at), message))

    def message(self, data: Any, kind: Any, at: _Place) -> dict[str, Any]:
        """The fields of a message, ``kind`` being its descriptor; those that are null are left out."""
        values: dict[str, Any] = {}
        if not isinstance(data, dict):
            self._fault(at, f"{_shown(data)} is not an object {{...}}")
            return values
        fields = _fields(kind)
        for key, value in data.items():
            field = fields.get(key)
            if field is None:
                near = get_close_matches(key, fields, 1)
                hint = f"did you mean {near[0]}?" if near else f"known: {', '.join(f.json_name for f in kind.fields)}"
                self._fault((at, key), f"unknown field; {hint}")
            elif field.name in values:
                self._fault((at, key), "the field is given in both spellings")
            elif value is not None:
                values[field.name] = self._field(value, field, (at, key))
        return values

    def _field(self, value: Any, field: _Field, at: _Place) -> Any:
        if field.values is not None:
            if isinstance(value, dict):
                return {k: self._value(v, field.values, (at, k)) for k, v in value.items()}
            self._fault(at, f"{_shown(value)} is not an object {{...}}")
        elif field.repeated:
            if isinstance(value, list):
                return [self._value(v, field, (at, i)) for i, v in enumerate(value)]
            self._fault(at, f"{_shown(value)} is not a list [...]")
        else:
            return self._value(value, field, at)
        return None

    def _value(self, value: Any, field: _Field, at: _Place) -> Any:
        if field.message is not None:
            return self.message(value, field.message, at)
        if field.type is str:
            if not isinstance(value, str):
                self._fault(at, f"{_shown(value)} is not a text in quotes")
            elif not value.isascii() and re.search("[\ud800-\udfff]", value):
                self._fault(at, "half a character (an unpaired surrogate)")
        elif field.type is bool:
            if not isinstance(value, bool):
                self._fault(at, f"{_shown(value)} is not true or false")
        elif field.type is float:
            if type(value) not in (int, float) or not abs(value) < 1e300:
                self._fault(at, f"{_shown(value)} is not a number")
        else:
            return self._whole(value, field.bits, at)
        return value

    def _whole(self, value: Any, bits: int, at: _Place) -> int:
        """A whole number; of 64 bits also in quotes, as protobuf writes them."""
        if bits == 64 and isinstance(value, str) and re.fullmatch("-?[0-9]{1,19}", value):
            value = int(value)
        if type(value) in (int, float) and -(2 ** (bits - 1)) <= value < 2 ** (bits - 1) and value == int(value):
            return int(value)
        self._fault(at, f"{_shown(value)} is not a whole number of at most {bits} bits")
        return 0


class _Field(NamedTuple):
    """What a field of a message may hold; ``values`` describes those of a map."""

    name: str
    type: type
    bits: int
    repeated: bool
    message: Any
    values: _Field | None


@lru_cache(maxsize=64)
def _fields(kind: Any) -> dict[str, _Field]:
    """The fields of a message (its descriptor) by both of their names."""
    fields = {f.json_name: _field_of(f) for f in kind.fields}
    return fields | {f.name: _field_of(f) for f in kind.fields}


def _field_of(f: Any) -> _Field:
    entry = f.message_type
    if entry is not None and entry.GetOptions().map_entry:
        return _Field(f.name, dict, 0, False, None, _field_of(entry.fields_by_name["value"]))
    types = {
        FieldDescriptor.CPPTYPE_STRING: str,
        FieldDescriptor.CPPTYPE_BOOL: bool,
        FieldDescriptor.CPPTYPE_DOUBLE: float,
    }
    bits = 64 if f.cpp_type == FieldDescriptor.CPPTYPE_INT64 else 32
    return _Field(f.name, types.get(f.cpp_type, int), bits, f.is_repeated, entry, None)


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=True)
    return text if len(text) <= 40 else text[:37] + "..."
