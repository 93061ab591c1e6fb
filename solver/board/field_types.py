"""Fields of a value held against their declared types, when building it failed because one is of another type."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from types import UnionType
from typing import Any, NoReturn, get_args, get_origin, get_type_hints

from trunkline.solver.errors import Fault, PositionError


def raise_type_faults(whole: Any, error: Exception) -> NoReturn:
    """Raise a PositionError for the parts that are of another type than they should be; else the error itself."""
    faults = [f for name, part, hint in _fields(whole) for f in _type_faults(part, hint, name)]
    if faults:
        raise PositionError(faults) from error
    raise error


def _fields(whole: Any) -> Iterator[tuple[str, Any, Any]]:
    hints = get_type_hints(type(whole))
    return ((f.name, getattr(whole, f.name), hints[f.name]) for f in fields(whole) if f.init)


def _type_faults(value: Any, hint: Any, at: str) -> Iterator[Fault]:
    origin, inner = get_origin(hint), get_args(hint)
    if origin is UnionType:
        origin = inner
    if not isinstance(value, {tuple: (tuple, list), frozenset: (frozenset, set)}.get(origin, origin or hint)):
        names = " or ".join(t.__name__ for t in inner) if origin is inner else (origin or hint).__name__
        yield Fault(at, f"{value!r} is not of the type {names}")
    elif origin is tuple and inner[-1] is not ... and len(value) != len(inner):
        yield Fault(at, f"{value!r} has not {len(inner)} parts")
    elif origin in (tuple, frozenset):
        of = inner[:1] * len(value) if inner[-1] is ... or origin is frozenset else inner
        for i, (part, part_hint) in enumerate(zip(value, of, strict=False)):
            yield from _type_faults(part, part_hint, f"{at}[{i}]")
    elif is_dataclass(value):
        for name, part, part_hint in _fields(value):
            yield from _type_faults(part, part_hint, f"{at}.{name}")
