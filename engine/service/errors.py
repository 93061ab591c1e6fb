"""What a store of games, and so a server or a client, refuses; an action that a rule forbids is a RuleError."""

from __future__ import annotations

from trunkline.solver.errors import TrunklineError


class StoreError(TrunklineError):
    """The store cannot do it; nothing has changed. ``kind``: ``read-only``, ``full``, ``locked``, ``corrupt``,
    ``unusable``, or ``outgrown``: the rules of this version refuse an action that an earlier version took.

    ``message`` is for whoever asked; the text of the error also has the ``path``, which is nobody's business elsewhere.
    """

    def __init__(self, kind: str, message: str, path: str = "") -> None:
        self.kind, self.message = kind, message
        super().__init__(f"{path}: {message}" if path else message)


class UnknownGame(TrunklineError, LookupError):
    """There is no game of this id in the store."""


class Stale(TrunklineError):
    """The game has gone on since the caller looked: it has ``number`` actions now, at ``revision``."""

    def __init__(self, number: int, revision: int, expected: str) -> None:
        self.number, self.revision = number, revision
        super().__init__(f"the game has {number} actions by now (revision {revision}), not {expected}; look again")


class UndoRefused(TrunklineError):
    """The policy of the game does not let this seat undo so much; nothing has changed."""
