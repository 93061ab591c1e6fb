"""What a search will take, estimated before it is spent."""

from __future__ import annotations

from trunkline.solver.errors import BudgetError

MAX_BYTES = 128 << 20
"""Bytes that the flat problem of one question may take. A board of 18 India with every tile laid takes under 1 MB."""
COPIES = 3
"""How often the bits of shared track are held while they are built: as numbers, as lists of words, as an array."""


def problem_bytes(segments: int) -> int:
    """The most bytes of the flat problem of a network: a bit for each two segments, in words, ``COPIES`` times."""
    return COPIES * segments * 8 * -(-segments // 64)


def require_budget(segments: int) -> None:
    """Raises BudgetError: the problem of a network of so many segments would take more than ``MAX_BYTES``."""
    if (needed := problem_bytes(segments)) > MAX_BYTES:
        raise BudgetError(
            f"the network of this company has {segments:,} segments between stops, and the search would need about "
            f"{needed >> 20:,} MB; a question may take {MAX_BYTES >> 20} MB"
        )
