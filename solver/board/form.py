"""Data of a file held against the form it should have; every fault is told with its place.

A form is a type; a function that says what is wrong with a value, given the table it is in ("": nothing); ``[form]``
for a list; a dict of forms by key for a table, with ``!`` at the end of the keys it needs; or :class:`Names`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from difflib import get_close_matches
from typing import Any, NamedTuple

from trunkline.solver.errors import Fault

Check = Callable[[Any, Mapping[str, Any]], str]

_TYPES = {str: "a text in quotes", int: "a whole number", bool: "true or false", dict: "a table", list: "a list"}


class Names(NamedTuple):
    """The form of a table with keys that the file chooses: ``name`` checks a key, ``part`` is the form of its value."""

    name: Check
    part: Any


def faults(value: Any, form: Any, at: str = "", table: Mapping[str, Any] | None = None) -> Iterator[Fault]:
    """What is wrong with a value, each fault with its place; ``table``: the one that the value is in."""
    kind = type(form) if isinstance(form, dict | list) else dict if isinstance(form, Names) else form
    if isinstance(kind, type) and type(value) is not kind:
        yield Fault(at, f"{value!r} is not {_TYPES[kind]}")
    elif isinstance(form, Names):
        for key, part in value.items():
            if fault := form.name(key, value):
                yield Fault(_join(at, key), fault)
            yield from faults(part, form.part, _join(at, key), value)
    elif isinstance(form, dict):
        forms = {key.rstrip("!"): part for key, part in form.items()}
        for key, part in value.items():
            if key in forms:
                yield from faults(part, forms[key], _join(at, key), value)
            else:
                yield Fault(at, unknown("key", key, forms))
        missing = [key[:-1] for key in form if key.endswith("!") and key[:-1] not in value]
        yield from (Fault(at, f"{key!r} is missing") for key in missing)
    elif isinstance(form, list):
        for i, part in enumerate(value):
            yield from faults(part, form[0], f"{at}[{i}]", table)
    elif not isinstance(form, type) and (fault := form(value, table or {})):
        yield Fault(at, fault)


def _join(at: str, key: str) -> str:
    return f"{at}.{key}" if at else key


def unknown(what: str, value: Any, known: Collection[str]) -> str:
    """The fault of a name that is none of the known ones: with the nearest, or with all of them if they are few."""
    near = get_close_matches(value, known, 1) if isinstance(value, str) else []
    hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(known) or 'none'}" if len(known) < 20 else ""
    return f"unknown {what} {value!r}" + (f"; {hint}" if hint else "")


def one_of(what: str, known: Collection[str]) -> Check:
    """The form of a value that is one of the ``known`` names."""
    return lambda value, _: "" if isinstance(value, str) and value in known else unknown(what, value, known)


def whole(low: int, high: int) -> Check:
    """The form of a whole number from ``low`` to ``high``."""

    def check(value: Any, _: Mapping[str, Any]) -> str:
        ok = type(value) is int and low <= value <= high
        return "" if ok else f"{value!r} is not a whole number from {low} to {high}"

    return check


def any_name(value: Any, _: Mapping[str, Any]) -> str:
    """The form of names that a file is free to choose."""
    return "" if value else "a name is empty"
