"""The engine's errors: an action that a rule forbids, and a log or file that is not a game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from trunkline.solver.errors import TrunklineError


class RuleError(TrunklineError, ValueError):
    """An action that cannot be taken now; the state is unchanged.

    ``section`` is the section of the rules (``8.1`` is track); ``legal`` says what could be done instead.
    """

    def __init__(self, section: str, message: str, legal: str = "") -> None:
        self.section, self.message, self.legal = section, message, legal
        super().__init__(f"{message} (rules section {section})" + (f"; legal: {legal}" if legal else ""))


class LogError(TrunklineError, ValueError):
    """A log, an option or an exported game that cannot be read; names the entry and the field."""


def passes(check: Callable[..., None], *args: Any) -> bool:
    """Whether a check raises no RuleError."""
    try:
        check(*args)
    except RuleError:
        return False
    return True
