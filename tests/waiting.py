"""Waiting in tests: for what has to happen, however long it takes, never for a time in which it should have."""

import time
from collections.abc import Callable

HANG = 300.0
"""Seconds after which a test that waits has failed. Only what never comes takes so long, on any machine."""


def until(happened: Callable[[], object]) -> None:
    """Return when it has happened."""
    end = time.monotonic() + HANG
    while not happened():
        assert time.monotonic() < end, "what the test waits for does not happen"
        time.sleep(0.002)
