"""Cities with their slots and tokens, and towns: drawn at a point, with rings in the colours of routes.

A city is a white box around its slots, a token a disc in the company's colour with its id, a town a bar across its
track or, where track meets or there is none, a dot.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence

from trunkline.solver.board import Board, StopId
from trunkline.solver.draw.scenery import Home
from trunkline.solver.draw.shape import TOWN, StopShape
from trunkline.solver.draw.svg import Canvas, clean, polygon, shorten, text_width, xy

# For companies whose colour no title gives, and for commodities: dark enough for white text.
PALETTE = (
    "#37526d", "#a23b2c", "#2f6f3e", "#7b4a9e", "#8a5a00", "#0b6e75",
    "#b0306a", "#4b5563", "#5b7f1f", "#274690", "#8c2f39", "#6b4226",
)  # fmt: skip
_ROUND = {"stroke_linejoin": "round", "stroke_linecap": "round"}
_RING, _ALL_RINGS = 9.0, 27.0
FRAME = 7.0
"""Width of all rings around an off-board area together."""


def ring_width(count: int) -> float:
    """Width of each of ``count`` rings around a stop: all together stay on the hex."""
    return min(_RING, _ALL_RINGS / max(1, count))


def draw_rings(canvas: Canvas, at: complex, stop: StopShape, rings: Sequence[tuple[int, str]]) -> None:
    """Rings around a stop on the hex around ``at``: for each route that counts it its number and colour."""
    step = ring_width(len(rings))
    for level, (_, color) in sorted(enumerate(rings), reverse=True):
        grow = 2 * step * (level + 1)
        for fill, more in (("#fff", 3.0), (color, 0.0)):
            if stop.slots:
                width = 2 * stop.slot + 4 + grow + more
                canvas.path(_outline(at, stop.slots), fill="none", stroke=fill, stroke_width=width, **_ROUND)
            else:
                _mark(canvas, at, stop, grow / 2 + 2 + more, fill)


def draw_frames(canvas: Canvas, at: complex, size: complex, rings: Sequence[tuple[int, str]]) -> None:
    """Rings around the values of an off-board area, within a box of this size that keeps ``FRAME`` free for them."""
    step = 2 * FRAME / max(1, len(rings))
    for level, (_, color) in enumerate(rings):
        canvas.box(at, size.real - level * step, size.imag - level * step, rx=6, fill=color, stroke="#fff")
    if rings:
        canvas.box(at, size.real - 2 * FRAME, size.imag - 2 * FRAME, fill="#fff")


def draw_city(
    canvas: Canvas, board: Board, id_: StopId, at: complex, stop: StopShape, company: str, kept: Sequence[Home] = ()
) -> None:
    """A city on the hex around ``at``; tokens of ``company`` stand out, open slots are ``kept`` for homes."""
    waiting = iter(kept)
    outline = _outline(at, stop.slots)
    canvas.path(outline, fill="#000", stroke="#000", stroke_width=2 * stop.slot + 4, **_ROUND)
    canvas.path(outline, fill="#fff", stroke="#fff", stroke_width=2 * stop.slot, data_city=str(id_), **_ROUND)
    for slot, holder in zip(stop.slots, board.cities[id_].slots, strict=True):
        if holder is None and (home := next(waiting, None)):
            _draw_kept(canvas, board, home, at + slot, stop.slot)
        elif holder is None:
            canvas.circle(at + slot, stop.slot - 1, fill="#fff", stroke="#888", stroke_width=1)
        else:
            draw_token(canvas, board, holder, at + slot, stop.slot, holder == company)


def draw_town(canvas: Canvas, id_: StopId, at: complex, stop: StopShape) -> None:
    """A town on the hex around ``at``."""
    _mark(canvas, at, stop, 3.0, "#fff")
    _mark(canvas, at, stop, 0.0, "#000", data_town=str(id_))


def _mark(canvas: Canvas, at: complex, stop: StopShape, grow: float, fill: str, **data: str) -> None:
    middle = at + stop.at
    if stop.bar is None:
        canvas.circle(middle, TOWN + grow, fill=fill, **data)
        return
    half = stop.bar * (17 + grow / 2)
    canvas.path(f"M{xy(middle - half)}L{xy(middle + half)}", stroke=fill, stroke_width=11 + grow, **data)


def _outline(at: complex, slots: Sequence[complex]) -> str:
    """Path data through the middles of the slots; stroked as wide as a slot it is the outline of the city."""
    if len(slots) == 1:
        return f"M{xy(at + slots[0])}h0.01"
    if len(slots) == 3:
        return polygon(at + s for s in slots)
    xs, ys = [s.real for s in slots], [s.imag for s in slots]
    x, y, w, h = min(xs), min(ys), max(xs), max(ys)
    return polygon(at + p for p in (complex(x, y), complex(w, y), complex(w, h), complex(x, h)))


def draw_token(canvas: Canvas, board: Board, company: str, at: complex, radius: float, own: bool) -> None:
    """A station token with the company's id; one of the company that asks has a second ring."""
    color = company_color(board, company)
    canvas.circle(at, radius - 1.5, fill=color, stroke="#000", stroke_width=1.5, data_company=clean(company, 40))
    if own:
        canvas.circle(at, radius - 4, fill="none", stroke=ink(color), stroke_width=2.5)
    _draw_id(canvas, company, at, radius, 2 * radius - (9 if own else 6), ink(color))


def _draw_kept(canvas: Canvas, board: Board, home: Home, at: complex, radius: float) -> None:
    """A slot kept for the home token of a company: pale in its colour, with ``?`` where it may go elsewhere too."""
    color = company_color(board, home.company)
    pale = "".join(f"{round(255 - 0.25 * (255 - int(color[i : i + 2], 16))):02x}" for i in (1, 3, 5))
    dashes = {"stroke_dasharray": "5 4", "data_reserved": clean(home.company, 40)}
    canvas.circle(at, radius - 2, fill=f"#{pale}", stroke="#666", stroke_width=1.5, **dashes)
    _draw_id(canvas, home.company + "?" * (not home.sure), at, 0.9 * radius, 2 * radius - 9, "#444")


def _draw_id(canvas: Canvas, company: str, at: complex, radius: float, room: float, fill: str) -> None:
    text, size = clean(company, 40), 0.8 * radius
    while size > 0.55 * radius and text_width(text, size, True) > room:
        size -= 0.5
    canvas.text(at, shorten(text, room, size, True), size, True, fill=fill)


def company_color(board: Board, company: str) -> str:
    """The colour of a company's tokens: that of the title, else one that follows from its id."""
    known = board.title.companies.get(company)
    if known and re.fullmatch("#[0-9a-fA-F]{6}", known.color):
        return known.color
    others = sorted({t.company for t in board.tokens} | {company})
    if len(others) <= len(PALETTE):
        return PALETTE[others.index(company)]
    return PALETTE[zlib.crc32(company.encode("utf-8", "replace")) % len(PALETTE)]


def ink(color: str) -> str:
    """Black or white, whichever reads better on a colour (WCAG relative luminance)."""
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    r, g, b = (p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return "#000" if 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.179 else "#fff"
