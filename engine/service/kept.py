"""Games as a store gives them, and what one row of it is made of: lines of the log, digests, summaries.

The same for every kind of database.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from trunkline.engine import game
from trunkline.engine.actions import Action, action_to_json
from trunkline.engine.errors import LogError
from trunkline.engine.log import Log
from trunkline.engine.options import Options
from trunkline.engine.service.errors import Stale, StoreError, UndoRefused
from trunkline.engine.state import State
from trunkline.engine.undo import ANY_SEAT, HOST_ONLY

HOST = -1
"""In place of a seat: the host of a game, who may undo whatever the policy."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A game as it is in the store: its log, the state after it, and when it changed. ``state`` must not be changed.

    ``revision`` grows by one with each action and each undo.
    """

    id: str
    log: Log
    state: State
    revision: int
    created: float
    updated: float
    undo_policy: str
    digest: str = field(repr=False)

    @property
    def number(self) -> int:
        """How many actions have been taken."""
        return len(self.log.actions)


@dataclass(frozen=True, slots=True)
class Summary:
    """A game in a list."""

    id: str
    options: Options
    number: int
    revision: int
    stage: str
    actors: tuple[int, ...]
    scores: tuple[int, ...]
    created: float
    updated: float
    undo_policy: str


@dataclass(frozen=True, slots=True)
class Tokens:
    """The secrets of a new game, which the store itself cannot tell again."""

    seats: tuple[str, ...]
    host: str


def require_current(kept: Kept, expected: int, revision: int | None) -> None:
    """Raises Stale: the game has another number of actions, or another revision."""
    if expected != kept.number:
        raise Stale(kept.number, kept.revision, f"{expected}")
    if revision is not None and revision != kept.revision:
        raise Stale(kept.number, kept.revision, f"those of revision {revision}")


def require_allowed(kept: Kept, number: int, seat: int) -> None:
    """Raises UndoRefused: the policy lets this seat not undo all that follows action ``number``."""
    if seat == HOST or kept.undo_policy == ANY_SEAT:
        return
    if kept.undo_policy == HOST_ONLY:
        raise UndoRefused("in this game only the host undoes; ask for it")
    names = kept.log.options.players
    for at, action in enumerate(kept.log.actions[number:], number + 1):
        if action.seat != seat:
            text = f"in this game nobody undoes actions of others; action {at} is {names[action.seat]}'s"
            raise UndoRefused(text)


def action_line(number: int, action: Action) -> str:
    """The line of an action in a log, without the end of the line."""
    return json.dumps({"number": number, **action_to_json(action)}, separators=(",", ":"), ensure_ascii=False)


def actions_of(head: str, lines: Sequence[str], before: int) -> tuple[Action, ...]:
    """The actions of lines from the middle of a log."""
    renumbered = []
    for i, line in enumerate(lines, 1):
        entry = json.loads(line)
        if entry.get("number") != before + i:
            raise LogError(f"expected action number {before + i}")
        renumbered.append(json.dumps(entry | {"number": i}))
    return Log.loads("\n".join([head, *renumbered])).actions


def next_digest(before: str, line: str) -> str:
    """The digest of a log one line longer."""
    return hashlib.sha256(f"{before}\n{line}".encode()).hexdigest()[:32]


def hashed(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def summary_of(state: State) -> str:
    """What a list tells of a game, as JSON."""
    return json.dumps([state.stage, game.actors(state), state.scores])


def changed_from_outside(id_: str, what: str) -> StoreError:
    """The error of rows that this program did not write."""
    return StoreError("corrupt", f"game {id_} was changed from outside: {what}")


@contextmanager
def unreadable_is_corrupt(id_: str) -> Iterator[None]:
    """What cannot be read from a row is a fault of the file."""
    try:
        yield
    except (LogError, ValueError, TypeError, KeyError) as e:
        raise changed_from_outside(id_, str(e)) from e
