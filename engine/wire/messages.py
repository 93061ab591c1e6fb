"""The engine's values as protobuf messages (package trunkline.v1) and back.

Messages have the fields of the values, under the same names, so that the exact JSON form (``json_values``) leads from
one to the other by the descriptors. Only what protobuf cannot nest differs: a list in a list or a map is a message
whose first field is the list, a tuple is a message with its fields in order (``_LISTS``, ``_TUPLES``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from google.protobuf.message import Message

from trunkline.engine.actions import KINDS, Action, action_from_json, action_to_json
from trunkline.engine.box.box import TITLE
from trunkline.engine.errors import LogError
from trunkline.engine.json_values import decode, encode
from trunkline.engine.options import Options
from trunkline.engine.state import State
from trunkline.engine.undo import ANY_SEAT, require_policy
from trunkline.v1 import game_pb2

_LISTS = {"CardRow", "CompanyRow", "Segment"}
_TUPLES = {"RuleSetting", "PlacedTile", "HexPair", "ReservedCity", "HexSide", "Track"}
_WORKED_OUT = {"counted_certificates", "certificate_limit", "worth", "share_price"}
"""Fields that follow from others, and are not read back."""
_RENAMED = {("TrainRun", "track"): "segments", ("Company", "price"): "space"}


def action_to_proto(action: Action) -> game_pb2.Action:
    """The message of an action."""
    value = action_to_json(action)
    kind, seat = value.pop("type"), value.pop("seat")
    message = game_pb2.Action(seat=seat)
    part = getattr(message, kind)
    part.SetInParent()
    fill(part, value)
    return message


def action_from_proto(message: game_pb2.Action, at: str = "action") -> Action:
    """The inverse of :func:`action_to_proto`. Raises LogError: names the field that does not fit."""
    kind = message.WhichOneof("kind")
    if kind is None:
        raise LogError(f"{at}: say what is done: one of {', '.join(KINDS)}")
    value = _read(getattr(message, kind))
    return action_from_json({"type": kind, "seat": message.seat, **value}, f"{at}.{kind}")


def options_to_proto(options: Options) -> game_pb2.GameOptions:
    """The message of options."""
    message = game_pb2.GameOptions()
    fill(message, encode(options))
    return message


def options_from_proto(message: game_pb2.GameOptions) -> Options:
    """The inverse of :func:`options_to_proto`; empty fields are the defaults. Raises LogError: names the option."""
    value = _read(message)
    value = {k: v for k, v in value.items() if v or k == "players"}
    return decode(Options, value, "options")


def undo_policy_to_proto(policy: str) -> Any:
    """The number of an undo policy in the contract. Raises LogError: there is no such policy."""
    require_policy(policy)
    return game_pb2.UndoPolicy.Value(f"UNDO_POLICY_{policy.upper()}")


def undo_policy_from_proto(value: int) -> str:
    """The inverse of :func:`undo_policy_to_proto`; 0 is the default. Raises LogError: there is no such policy."""
    if value == game_pb2.UNDO_POLICY_UNSPECIFIED:
        return ANY_SEAT
    if value not in game_pb2.UndoPolicy.values():
        raise LogError(f"undo_policy: there is no policy {value}")
    return game_pb2.UndoPolicy.Name(value).removeprefix("UNDO_POLICY_").lower()


def state_from_proto(message: game_pb2.Table) -> State:
    """The inverse of :func:`state_to_proto`. Raises LogError: names the field that does not fit."""
    state = State.from_json(_read(message))
    known = [c for c in TITLE.companies if c in state.companies]  # maps of messages have no order
    state.companies = {c: state.companies[c] for c in (*known, *(c for c in state.companies if c not in known))}
    return state


# --- messages by their descriptors


def fill(message: Message, value: Mapping[str, Any]) -> None:
    """Write the exact JSON form of a value into its message."""
    kind = message.DESCRIPTOR.name
    for name, part in value.items():
        target = message.DESCRIPTOR.fields_by_name[_RENAMED.get((kind, name), name)]
        if part is not None:
            _set(message, target, part)


def _set(message: Message, target: Any, part: Any) -> None:
    of = target.message_type
    held = getattr(message, target.name)
    if of is not None and of.GetOptions().map_entry:
        entry = of.fields_by_name["value"].message_type
        for key, item in part.items():
            if entry is None:
                held[key] = item
            else:
                fill(held[key], _named(entry.name, held[key], item))
    elif target.is_repeated:
        if of is None:
            held.extend(part)
        else:
            for item in part:
                one = held.add()
                fill(one, _named(of.name, one, item))
    elif of is not None:
        held.SetInParent()
        fill(held, _named(of.name, held, part))
    else:
        setattr(message, target.name, part)


def _named(kind: str, message: Message, item: Any) -> Mapping[str, Any]:
    """The fields of a list or tuple by name; a record as it is."""
    fields = message.DESCRIPTOR.fields
    if kind in _LISTS:
        return {fields[0].name: item}
    if kind in _TUPLES:
        return dict(zip((f.name for f in fields), item, strict=True))
    record: Mapping[str, Any] = item
    return record


def _read(message: Message) -> Any:
    kind, fields = message.DESCRIPTOR.name, message.DESCRIPTOR.fields
    if kind in _LISTS:
        return _part(message, fields[0])
    if kind in _TUPLES:
        return [_part(message, f) for f in fields]
    names = {new: old for (of, old), new in _RENAMED.items() if of == kind}
    return {names.get(f.name, f.name): _part(message, f) for f in fields if f.name not in _WORKED_OUT}


def _part(message: Message, source: Any) -> Any:
    of, held = source.message_type, getattr(message, source.name)
    if of is not None and of.GetOptions().map_entry:
        return {k: v if of.fields_by_name["value"].message_type is None else _read(v) for k, v in held.items()}
    if source.is_repeated:
        return list(held) if of is None else [_read(item) for item in held]
    if of is None:
        return held
    return _read(held) if message.HasField(source.name) else None
