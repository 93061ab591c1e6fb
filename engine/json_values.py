"""The exact JSON form of the engine's values: frozen actions, options and states, by their type hints.

``encode`` gives plain JSON values, ``decode(kind, value, at)`` the value back; ``at`` names the place in errors.
"""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from trunkline.engine.errors import LogError

T = TypeVar("T")


def encode(value: Any) -> Any:
    """JSON values (dicts, lists, strings, numbers, true, false, null) for a value of the engine."""
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: encode(getattr(value, f.name)) for f in fields(value) if f.compare}
    if isinstance(value, dict):
        return {k: encode(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [encode(v) for v in value]
    return value


def decode(kind: type[T], value: Any, at: str = "") -> T:
    """The inverse of :func:`encode` for a ``kind``. Raises LogError: names the field that does not fit."""
    return cast(T, _decode(kind, value, at))


@cache  # one entry for each class of record
def _hints(kind: type) -> dict[str, tuple[Any, bool]]:
    from dataclasses import MISSING

    hints = get_type_hints(kind)
    return {
        f.name: (hints[f.name], f.default is MISSING and f.default_factory is MISSING)
        for f in fields(kind)
        if f.compare
    }


def _decode(kind: Any, value: Any, at: str) -> Any:
    if isinstance(kind, type) and is_dataclass(kind):
        return _record(kind, value, at)
    origin, args = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        if value is None and type(None) in args:
            return None
        inner = [a for a in args if a is not type(None)]
        return _decode(inner[0], value, at)
    if origin in (list, tuple):
        if not isinstance(value, list):
            raise LogError(f"{at}: expected a list, found {_short(value)}")
        if origin is tuple and not (len(args) == 2 and args[1] is Ellipsis):
            if len(value) != len(args):
                raise LogError(f"{at}: expected {len(args)} values, found {len(value)}")
            return tuple(_decode(a, v, f"{at}[{i}]") for i, (a, v) in enumerate(zip(args, value, strict=True)))
        items = [_decode(args[0], v, f"{at}[{i}]") for i, v in enumerate(value)]
        return items if origin is list else tuple(items)
    if origin is dict:
        if not isinstance(value, dict) or not all(isinstance(k, str) for k in value):
            raise LogError(f"{at}: expected an object, found {_short(value)}")
        return {k: _decode(args[1], v, f"{at}.{k}") for k, v in value.items()}
    if isinstance(value, kind) and (kind is not int or not isinstance(value, bool)):
        return value
    raise LogError(f"{at}: expected {kind.__name__}, found {_short(value)}")


def _record(kind: type, value: Any, at: str) -> Any:
    if not isinstance(value, Mapping):
        raise LogError(f"{at or kind.__name__}: expected an object, found {_short(value)}")
    hints = _hints(kind)
    dot = f"{at}." if at else ""
    if unknown := sorted(set(value) - set(hints)):
        raise LogError(f"{dot}{unknown[0]}: unknown field; known: {', '.join(hints)}")
    known = {}
    for name, (hint, required) in hints.items():
        if name in value:
            known[name] = _decode(hint, value[name], dot + name)
        elif required:
            raise LogError(f"{dot}{name}: is missing")
    return kind(**known)


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
