"""Which player a name on the command line or in a script means."""

from __future__ import annotations

import re

from trunkline.engine.options import MAX_NAME
from trunkline.engine.state import State
from trunkline.solver.errors import TrunklineError


def _seat(state: State, name: str) -> int | None:
    """The seat of a player's name (in any case), or None."""
    names = state.options.players
    for alike in (str, str.strip, lambda x: x.strip().lower()):
        if alike(name) in (found := [alike(p) for p in names]):
            return found.index(alike(name))
    return None


def addressed(state: State, line: str) -> tuple[int | None, str]:
    """The seat a line of a script is for, if it names one, and what the line says without its comment.

    Names may have colons and # in them: the longest that is a player's counts.
    """
    ends = [m.start() for m in re.finditer(":", line[: 2 * MAX_NAME])]
    for end in reversed(ends):
        if (seat := _seat(state, line[:end])) is not None:
            return seat, line[end + 1 :].partition("#")[0].strip()
    return None, line.partition("#")[0].strip()


def seat_of(state: State, name: str) -> int:
    """The seat of a player by name or number from 1. Raises TrunklineError: the names there are."""
    seat = _seat(state, name)
    if seat is None and name.isascii() and name.isdigit() and 0 < int(name) <= len(state.options.players):
        seat = int(name) - 1
    if seat is None:
        raise TrunklineError(f"there is no player {name!r}; the players are {', '.join(state.options.players)}")
    return seat
