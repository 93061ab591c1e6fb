"""Where hexes lie: hex ids such as ``D17`` as columns and rows, and which hexes share a side."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

Border = tuple[str, str]
"""The side between two hexes: their ids, sorted."""

OFFSETS = {
    "flat": ((0, 2), (-1, 1), (-1, -1), (0, -2), (1, -1), (1, 1)),
    "pointy": ((-1, 1), (-2, 0), (-1, -1), (1, -1), (2, 0), (1, 1)),
}
"""Step in (column, row) by side 0 to 5; in a column (a row) of touching hexes every second number is used.

Sides count clockwise from the south on flat-topped hexes and from the south-west on pointy-topped ones, as 18xx.games
counts them.
"""

AXES = ("columns", "rows")
"""What the letters of hex ids count. Without ``axes``: columns on flat-topped hexes, rows on pointy-topped ones."""

HEX_ID = re.compile(r"([A-Z]{1,2}|[a-z])(-?[0-9]{1,3})")


def hex_coordinates(hex_id: str) -> tuple[int, int]:
    """The letter of a hex id as a number (A = 0, Z = 25, AA = 26; a = -1, b = -2), and its number.

    >>> hex_coordinates("D17"), hex_coordinates("a12")
    ((3, 17), (-1, 12))

    Raises ValueError: the text is no hex id.
    """
    match = HEX_ID.fullmatch(hex_id)
    if not match:
        raise ValueError(f"{hex_id!r} is not a hex id such as D17")
    letters, number = match.groups()
    if letters.islower():
        return ord("a") - 1 - ord(letters), int(number)
    place = 0
    for letter in letters:
        place = place * 26 + ord(letter) - 64
    return place - 1, int(number)


def hex_id(place: int, number: int) -> str:
    """The inverse of :func:`hex_coordinates`."""
    if place < 0:
        return f"{chr(96 - place)}{number}"
    letters = chr(65 + place) if place < 26 else chr(64 + place // 26) + chr(65 + place % 26)
    return f"{letters}{number}"


def letters_are_columns(layout: str, axes: str = "") -> bool:
    """Whether the letters of hex ids count columns, not rows."""
    return axes == "columns" if axes else layout == "flat"


def neighbor_id(hex_id_: str, side: int, layout: str, axes: str = "") -> str | None:
    """The hex id across a side, whether or not a hex is there; None beyond the letters there are (z to ZZ)."""
    letter, number = hex_coordinates(hex_id_)
    dx, dy = OFFSETS[layout][side]
    if not letters_are_columns(layout, axes):
        dx, dy = dy, dx
    return hex_id(letter + dx, number + dy) if -26 <= letter + dx < 26 * 27 else None


@lru_cache(maxsize=1 << 14)
def neighbor_ids(hex_id_: str, layout: str, axes: str = "") -> tuple[str | None, ...]:
    """The hex ids across each of the six sides, as :func:`neighbor_id`."""
    return tuple(neighbor_id(hex_id_, side, layout, axes) for side in range(6))


def border(a: str, b: str) -> Border:
    """The side between two hexes: their ids, sorted.

    Parameters
    ----------
    a, b
        The ids of the hexes, in any order.

    Examples
    --------
    >>> from trunkline.solver import border
    >>> border("D5", "D3")
    ('D3', 'D5')
    """
    return (a, b) if a < b else (b, a)


@lru_cache(maxsize=1 << 14)
def _parity(hex_id_: str) -> int:
    return sum(hex_coordinates(hex_id_)) % 2


def overlapping(hexes: Sequence[str]) -> Mapping[str, str]:
    """The hexes that lie half a hex beside the others, with what is wrong. Raises ValueError: one is no hex id.

    A step over a side changes column plus row by 0 or 2, so the sum is even on all hexes of a map, or odd on all.
    """
    parities = [_parity(h) for h in hexes]
    odd = sum(parities)
    if odd in (0, len(hexes)):
        return {}
    most = int(2 * odd > len(hexes)) if 2 * odd != len(hexes) else parities[0]
    grid = hexes[parities.index(most)]
    # Players count letters from 1.
    text = f"lies half a hex beside {grid}: letter (A is 1) plus number must be {'even' if most else 'odd'} as there"
    return {h: f"{h} {text}" for h, parity in zip(hexes, parities, strict=True) if parity != most}
