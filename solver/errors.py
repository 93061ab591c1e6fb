"""Errors a caller can catch. Each one names the place: a field of the message, a hex, a train, a route."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Self


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong, and where.

    Parameters
    ----------
    field
        The path of the field it is in, such as ``tiles[3].rotation``; empty: it is in none.
    message
        What is wrong, with the hex where there is one, and what to do about it.

    Examples
    --------
    >>> print(Fault("rotation", "D5: 7 is not from 0 to 5").within("tiles[3]"))
    tiles[3].rotation: D5: 7 is not from 0 to 5
    """

    field: str
    message: str

    def __str__(self) -> str:
        return f"{self.field}: {self.message}" if self.field else self.message

    def within(self, place: str) -> Self:
        """The same fault, its field being one of ``place``."""
        return replace(self, field=f"{place}.{self.field}" if self.field else place)


class TrunklineError(Exception):
    """Base of every error that Trunkline raises on purpose."""


class _ErrorWithFaults(TrunklineError):
    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(str(fault) for fault in self.faults))

    def __reduce__(self) -> tuple[type[Self], tuple[tuple[Fault, ...]]]:
        """Pickle with the faults, not with the text."""
        return type(self), (self.faults,)


class PositionError(_ErrorWithFaults, ValueError):
    """The position cannot be on the table. ``faults`` lists everything that was found wrong, at least one fault."""


class CheckError(_ErrorWithFaults):
    """Routes that were about to leave the solver are not legal; ``faults`` says why."""


class NotationError(TrunklineError, ValueError):
    """A tile written in the tile notation cannot be read."""


class BudgetError(TrunklineError):
    """The question is well-formed, and would take more memory than one question may."""


class Cancelled(TrunklineError):
    """The caller no longer wants the answer."""
