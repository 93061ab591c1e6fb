"""Errors a caller can catch. Each one names the place: a field of the message, a hex, a train, a route."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Violation:
    """One fault: the ``field`` it is in (a path such as ``tiles[3].rotation``) and what to do about it."""

    field: str
    message: str

    def __str__(self) -> str:
        return f"{self.field}: {self.message}" if self.field else self.message


class TrunklineError(Exception):
    """Base of every error that Trunkline raises on purpose."""


class PositionError(TrunklineError, ValueError):
    """The position cannot be on the table. ``violations`` lists every fault found, at least one."""

    def __init__(self, violations: Iterable[Violation]) -> None:
        self.violations = tuple(violations)
        super().__init__("\n".join(str(v) for v in self.violations))

    def __reduce__(self) -> tuple[type[PositionError], tuple[tuple[Violation, ...]]]:
        """Pickle with the violations, not with the text."""
        return type(self), (self.violations,)


class NotationError(TrunklineError, ValueError):
    """A tile written in the tile notation cannot be read."""


class Cancelled(TrunklineError):
    """The caller no longer wants the answer."""


class CheckError(TrunklineError):
    """Routes that were about to leave the solver are not legal; ``violations`` says why."""

    def __init__(self, violations: Iterable[Violation]) -> None:
        self.violations = tuple(violations)
        super().__init__("\n".join(str(v) for v in self.violations))
