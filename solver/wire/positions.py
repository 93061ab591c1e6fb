"""Positions as protobuf messages (``trunkline.v1.Position``) and in their file format, the JSON form of the message.

Round trips are exact: a position written and read back equals the first. Reading raises PositionError, which names the
place of every fault: a line and column where the text is no JSON, else a field such as ``tiles[3].rotation``.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from google.protobuf.message import Message

from trunkline.solver.board import (
    COLORS,
    COMMON,
    STOP_KINDS,
    UNLIMITED,
    Assignment,
    Board,
    LaidTile,
    Position,
    Rules,
    Terms,
    Title,
    Token,
    Train,
    Visits,
    border,
    get_title,
    number_train,
)
from trunkline.solver.errors import Fault, PositionError, TrunklineError
from trunkline.solver.wire.json_form import read_json, to_dict
from trunkline.solver.wire.limits import MOST_PART, faults_of_part, faults_of_position
from trunkline.solver.wire.terms import terms_from_proto, terms_to_proto
from trunkline.v1 import position_pb2

KEPT_BYTES = 400
"""The longest part of a position that is remembered."""


def position_from_proto(message: position_pb2.Position) -> Position:
    """Read and check a position. Raises PositionError with every fault found."""
    if too_much := list(faults_of_position(message)):
        raise PositionError(too_much)
    try:
        title_ = get_title(message.title)
    except TrunklineError as e:
        raise PositionError([Fault("title", str(e))]) from None
    faults: list[Fault] = []
    markers = frozenset(_markers(message, faults))
    trains = tuple([t for i, m in enumerate(message.trains) if (t := _train(title_, m, f"trains[{i}]", faults))])
    open_ = _names(message.open_concessions, "open_concessions", faults)
    held = _names(message.held_concessions, "held_concessions", faults)
    rules = Rules(
        message.rules.set or "rulebook", tuple(sorted(message.rules.switches.items())), terms_from_proto(message.rules)
    )
    assignments = tuple([Assignment(a.marker, a.hex, a.company) for a in message.assignments])
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
            message.axes,
        )
        position = Position(board, message.company, trains, open_, held, rules, assignments)
    except PositionError as e:
        faults = _in_order([*faults, *e.faults, *_other_faults(title_, message.company, trains, rules)])
    if faults:
        raise PositionError(faults)
    return position


def _tiles(message: position_pb2.Position) -> tuple[LaidTile, ...]:
    """Tiles, those that came before as the same objects: a position has many, and mostly those of the one before."""
    parts = _parts("tiles", message.tiles)
    return tuple([_known_tile(data) if len(data) <= KEPT_BYTES else _tile(data) for data in parts])


def _parts(field: str, parts: Iterable[Message]) -> list[bytes]:
    """Each part as bytes. Raises PositionError: one is too long."""
    found = [part.SerializeToString() for part in parts]
    if max(map(len, found), default=0) > MOST_PART:
        raise PositionError(f for i, data in enumerate(found) for f in faults_of_part(f"{field}[{i}]", data))
    return found


def _tile(data: bytes) -> LaidTile:
    m = position_pb2.LaidTile.FromString(data)
    return LaidTile(m.hex, m.tile, m.rotation, m.definition, m.color, m.name)


def _tokens(message: position_pb2.Position) -> tuple[Token, ...]:
    parts = _parts("tokens", message.tokens)
    return tuple([_known_token(data) if len(data) <= KEPT_BYTES else _token(data) for data in parts])


def _token(data: bytes) -> Token:
    m = position_pb2.Token.FromString(data)
    return Token(m.company, m.hex, m.city, m.slot if m.HasField("slot") else None, m.extra)


_known_tile, _known_token = lru_cache(maxsize=4096)(_tile), lru_cache(maxsize=1024)(_token)


def _other_faults(title_: Title, company: str, trains: tuple[Train, ...], rules: Rules) -> tuple[Fault, ...]:
    """Faults that show without the board, so that a bad board does not hide them."""
    try:
        # Whatever colours: those of the board are its own faults.
        Position(Board(title_, colors=COLORS), company, trains, rules=replace(rules, terms=Terms()))
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
        if m.HasField("multiplier") or m.own_token_counts or m.card or m.diesel_value:
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
    multiplier = m.multiplier if m.HasField("multiplier") else 1
    return Train(m.name, visits, multiplier, m.own_token_counts, m.card, m.diesel_value)


def _visits(m: position_pb2.Visits) -> Visits:
    visit = m.visit if m.HasField("visit") else UNLIMITED
    multiplier = m.multiplier if m.HasField("multiplier") else None
    return Visits(tuple(m.kinds), visit, m.pay if m.HasField("pay") else visit, multiplier)


def position_to_proto(position: Position) -> position_pb2.Position:
    """Write a position: only what the title does not know already. Raises TrunklineError: a number above 32 bits."""
    board, title_ = position.board, position.board.title
    message = position_pb2.Position(
        title=title_.id,
        layout="" if board.layout == title_.layout and title_ is not COMMON else board.layout,
        axes="" if board.axes == title_.axes else board.axes,
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
        for a in position.assignments:
            message.assignments.add(marker=a.marker, hex=a.hex, company=a.company)
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
        terms_to_proto(position.rules.terms, message.rules)
    return message


def train_to_proto(train: Train, m: position_pb2.Train) -> None:
    """Write a train with all that it may visit."""
    m.name = train.name
    if (
        [v.kinds for v in train.visits] == [STOP_KINDS]
        and train.visits[0].pays_all
        and train.visits[0].multiplier is None
    ):
        m.distance = train.visits[0].visit
    else:
        for v in train.visits:
            row = m.visits.add(kinds=v.kinds, visit=None if v.visit == UNLIMITED else v.visit)
            if v.pay != v.visit:
                row.pay = v.pay
            if v.multiplier is not None:
                row.multiplier = v.multiplier
    if train.multiplier != 1:
        m.multiplier = train.multiplier
    m.own_token_counts = train.own_token_counts
    m.card = train.card
    m.diesel_value = train.diesel_value


def position_from_json(text: str | bytes) -> Position:
    """Read a position from its file format.

    Parameters
    ----------
    text
        The JSON, as text or as bytes in UTF-8.

    Raises
    ------
    PositionError
        The text is no JSON, or has unknown fields or values of the wrong type, or the position cannot be on the table.

    Examples
    --------
    >>> from trunkline.solver import position_from_json
    >>> position_from_json('{"title": "18India", "company": "PNS", "trains": [{"name": "2"}]}').board.phase
    'I'
    """
    return position_from_proto(read_json(text, position_pb2.Position()))


def position_to_json(position: Position) -> str:
    """Write a position in its file format, JSON.

    Parameters
    ----------
    position
        The position; fields that have their default values are left out.
    """
    return json.dumps(to_dict(position_to_proto(position), False), indent=2, ensure_ascii=False) + "\n"
