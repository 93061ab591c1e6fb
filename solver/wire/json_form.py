"""Messages of any kind from bytes, and from and to their JSON form.

Reading raises PositionError, which names the place of every fault: line and column where the text is no JSON, else the
field. The JSON form is that of protobuf, read more strictly than by its library, which also says less about the place.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from difflib import get_close_matches
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import DecodeError, Message

from trunkline.solver.errors import Fault, PositionError

MAX_TEXT = 8_000_000
"""Bytes of the longest JSON text that is read."""

_M = TypeVar("_M", bound=Message)


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
    return fill(message, load_json(text))


def fill(message: _M, data: Any) -> _M:
    """Fill a message from what :func:`load_json` gave. Raises PositionError: names every field that is wrong."""
    faults: list[Fault] = []
    values = _Reader(faults).message(data, message.DESCRIPTOR, None)
    if faults:
        raise PositionError(faults)
    message.MergeFrom(type(message)(**values))
    return message


def load_json(text: str | bytes) -> Any:
    """The value of a JSON text. Raises PositionError: it is too long, or no JSON; names line and column."""
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
    """Reads JSON values as arguments for messages, and lists every value that does not fit, with its place."""

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
