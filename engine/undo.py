"""Who may take actions of a game back: its undo policy."""

from __future__ import annotations

from trunkline.engine.errors import LogError

ANY_SEAT, LAST_ACTOR, HOST_ONLY = UNDO_POLICIES = ("any_seat", "last_actor", "host")
"""Which seats may undo: all of them; who took the last actions, and only those; none."""


def require_policy(policy: str) -> None:
    """Raises LogError: there is no such undo policy."""
    if policy not in UNDO_POLICIES:
        raise LogError(f"undo_policy: unknown value {policy!r}; known: {', '.join(UNDO_POLICIES)}")
