"""Files with games of 18xx.games: one game as it is downloaded there, or many.

A file holds JSON of one game, a list of games, or one game a line; each game itself, or wrapped in an object under
``game`` or ``data``. ``text_of`` unpacks a file, ``site_games`` finds its games, ``effective`` resolves undo and redo.
"""

from __future__ import annotations

import gzip
import io
import json
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

from trunkline.engine.errors import LogError

Raw = Mapping[str, Any]
MAX_TEXT = 256_000_000
"""Bytes of a file once it is unpacked."""
_WRAPPERS = ("game", "data")


class SiteGameError(LogError):
    """An exported game that cannot be taken over; ``action_id`` is the site's number of the action, if it is one."""

    def __init__(self, message: str, action_id: int | None = None) -> None:
        self.action_id = action_id
        super().__init__(message)


def text_of(data: bytes) -> str:
    """The text of a file, unpacked if it is gzip. Raises LogError: it cannot be unpacked, is too long or no UTF-8."""
    if data[:2] == b"\x1f\x8b":
        try:
            with gzip.open(io.BytesIO(data)) as packed:
                data = packed.read(MAX_TEXT + 1)
        except (OSError, EOFError, zlib.error) as e:
            raise LogError(f"cannot be unpacked: {e}") from None
    if len(data) > MAX_TEXT:
        raise LogError(f"longer than {MAX_TEXT} bytes")
    try:
        return data.decode()
    except UnicodeDecodeError as e:
        raise LogError(f"is not UTF-8 at byte {e.start}") from None


def site_games(text: str) -> list[Any]:
    """The games in the text of a file, without their wrappers. Raises LogError: it is not JSON."""
    try:
        data = json.loads(text)
    except RecursionError:
        raise LogError("neither a log of this program nor JSON of 18xx.games: nested too deeply") from None
    except ValueError as whole:
        lines = [line for line in text.splitlines() if line.strip()]
        if len(lines) < 2:
            raise LogError(f"neither a log of this program nor JSON of 18xx.games: {whole}") from None
        data = [_line(number, line) for number, line in enumerate(lines, 1)]
    return [unwrapped(entry) for entry in data] if isinstance(data, list) else [unwrapped(data)]


def _line(number: int, line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as e:
        raise LogError(f"line {number}: neither of a log of this program nor JSON of 18xx.games: {e}") from None


def unwrapped(entry: Any) -> Any:
    """A game without the object around it, if there is one."""
    if isinstance(entry, Mapping) and "actions" not in entry:
        for name in _WRAPPERS:
            if isinstance(entry.get(name), Mapping):
                return entry[name]
    return entry


def effective(raws: Sequence[Any]) -> list[Raw]:
    """The actions that are left after undo and redo. Raises SiteGameError: names an action that is not one."""
    kept: list[Raw] = []
    undone: list[list[Raw]] = []
    for i, raw in enumerate(raws):
        if not isinstance(raw, Mapping) or "type" not in raw or not isinstance(raw.get("id"), int):
            raise SiteGameError(f"actions[{i}]: expected an object with type and id")
        kind = raw["type"]
        if kind == "undo":
            cut = _undo_to(kept, raw)
            undone.append(kept[cut:])
            del kept[cut:]
        elif kind == "redo":
            if not undone:
                raise SiteGameError(f"action {raw['id']}: there is nothing to redo", raw["id"])
            kept += undone.pop()
        elif kind != "message":
            undone.clear()
            kept.append(raw)
    return kept


def _undo_to(kept: Sequence[Raw], raw: Raw) -> int:
    target = raw.get("action_id")
    if target is None:
        if not kept:
            raise SiteGameError(f"action {raw['id']}: there is nothing to undo", raw["id"])
        return len(kept) - 1
    return next((i for i, k in enumerate(kept) if k["id"] > target), len(kept))
