"""What is written on a hex: id, values, name, label, terrain, commodities, and the tokens beside the slots.

Given a hex of a board, it gives items: a box with the point where it would best be, and how it is drawn. Where it
ends up is decided by :mod:`trunkline.solver.draw.space`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from trunkline.solver.board import CITY, Board, Hex, StopId, TileStop
from trunkline.solver.draw.scenery import Terrain, icons, terrain
from trunkline.solver.draw.shape import TileShape
from trunkline.solver.draw.space import Label
from trunkline.solver.draw.stops import FRAME, PALETTE, draw_token
from trunkline.solver.draw.svg import Canvas, clean, polygon, shorten, text_width, wrap

TILE_COLORS = {
    "white": "#f3efe2",
    "yellow": "#fde900",
    "green": "#71bf44",
    "brown": "#cb7745",
    "gray": "#bcbdc0",
    "red": "#f0565b",
    "blue": "#8fcdf2",
}
_ID, _VALUE, _NAME, _LABEL, _CHIP = 17.0, 21.0, 21.0, 26.0, 17.0
CHIP_HEIGHT = 26.0
"""Height of a commodity in a stack of them."""
_EXTRA = 19.0
"""Radius of a token beside the slots."""


class Item(NamedTuple):
    """Something to be placed: its box and how it is drawn around a point. ``area``: the off-board area it is."""

    label: Label
    draw: Callable[[Canvas, complex], None]
    area: StopId | None = None


def items(board: Board, hex_: Hex, shape: TileShape, company: str) -> list[Item]:
    """Everything to be written on a hex, what matters most first."""
    return [
        *_values(board, hex_, shape),
        *_extra_tokens(board, hex_, shape, company),
        _hex_id(hex_, board.layout),
        *(_label(text) for text in hex_.tile.labels),
        *_name(hex_),
        *(chip(board, name, "", near=0j) for name in commodities_from(board, hex_.id)),
        *(_terrain(t) for t in terrain(hex_)),
        *(_icon(name) for name in icons(hex_.tile)),
    ]


def _hex_id(hex_: Hex, layout: str) -> Item:
    at = complex(-70, 0) if layout == "flat" else complex(0, -72)
    width = text_width(hex_.id, _ID)

    def draw(canvas: Canvas, at: complex) -> None:
        canvas.text(at, hex_.id, _ID, fill="#333")

    return Item(_box(width, _ID, at), draw)


def _label(text: str) -> Item:
    size = _LABEL if len(text) <= 2 else 0.7 * _LABEL
    text = shorten(clean(text, 20), 130, size, True)

    def draw(canvas: Canvas, at: complex) -> None:
        canvas.box(at, width, size, fill="#fff", fill_opacity=0.6, rx=4)
        canvas.text(at, text, size, True)

    width = text_width(text, size, True)
    return Item(_box(width, size, 60 + 40j), draw)


def _name(hex_: Hex) -> Iterator[Item]:
    if not hex_.name:
        return
    words, size = clean(hex_.name, 60).split(), _NAME
    while size > 15 and max(text_width(w, size) for w in words) > 140:
        size -= 1
    lines = wrap(words, 140, size)[:3]
    width, step = max(text_width(line, size) for line in lines), size * 1.1

    def draw(canvas: Canvas, at: complex) -> None:
        canvas.box(at, width + 8, step * len(lines) + 2, fill="#fff", fill_opacity=0.75, rx=4)
        for i, line in enumerate(lines):
            canvas.text(at + 1j * step * (i - (len(lines) - 1) / 2), line, size)

    yield Item(_box(width + 8, step * len(lines) + 2, 52j), draw)


class Cell(NamedTuple):
    """One value: the colour of the phase it holds in, and whether it is the one that holds now."""

    text: str
    color: str = ""
    current: bool = True


def _values(board: Board, hex_: Hex, shape: TileShape) -> Iterator[Item]:
    """Values of all stops; one where all stops of the hex have the same."""
    cells = [value_cells(board, hex_, s) for s in hex_.tile.stops]
    if len(cells) > 1 and all(c == cells[0] for c in cells):
        middle = sum(s.at for s in shape.stops) / len(cells)
        if cells[0]:
            yield _value(cells[0], (middle,), 0.25)
        return
    for own, stop, stop_id in zip(cells, shape.stops, hex_.stops, strict=True):
        if own and stop.value is not None:  # at an end of the bar, so that it is clear whose it is
            yield _value(own, (stop.value,), 60.0)
        elif own and not stop.discs:  # an off-board area: its values are the stop
            item = _value(own, (stop.at,), 60.0)
            wide = item.label._replace(width=item.label.width + 2 * FRAME, height=item.label.height + 2 * FRAME)
            yield Item(wide, item.draw, stop_id)
        elif own:
            yield _value(own, (stop.at,), 0.25)


def value_cells(board: Board, hex_: Hex, stop: TileStop) -> tuple[Cell, ...]:
    """What to write for a stop: nothing for a bare or hidden one, ``?+XX`` for a variable city, else its values."""
    if stop.hidden:
        return ()
    if hex_.plus is not None and stop.kind == CITY:
        return (Cell(f"?+{hex_.plus}"),)
    table = dict(stop.revenue)
    if "" in table:
        return (Cell(str(table[""])),) if table[""] else ()
    now = next((c for c in reversed(board.colors) if c in table), None)
    return tuple(Cell(str(v), c, c == now) for c, v in table.items())


def _value(cells: Sequence[Cell], near: tuple[complex, ...], pull: float) -> Item:
    if len(cells) == 1 and not cells[0].color:
        text = cells[0].text
        width = max(32.0, text_width(text, _VALUE) + 12)

        def draw(canvas: Canvas, at: complex) -> None:
            canvas.box(at, width, 32, rx=16, fill="#fff", stroke="#000", stroke_width=1.5)
            canvas.text(at, text, _VALUE)

        return Item(Label(math.ceil(width) + 2, 34, near, pull), draw)
    return _strip(cells, near, pull)


def _strip(cells: Sequence[Cell], near: tuple[complex, ...], pull: float) -> Item:
    """Values by phase colour in rows of boxes; the one that holds now is framed and bold, the others pale."""
    texts = [c.text if c.color in TILE_COLORS else f"{_phase_mark(c.color)} {c.text}" for c in cells]
    widths = [text_width(t, _VALUE, True) + 10 for t in texts]
    rows: list[list[int]] = [[]]
    for i, w in enumerate(widths):
        if rows[-1] and sum(widths[j] for j in rows[-1]) + w > 158:
            rows.append([])
        rows[-1].append(i)
    width = max(sum(widths[i] for i in row) for row in rows)

    def draw(canvas: Canvas, at: complex) -> None:
        for r, row in enumerate(rows):
            x = -sum(widths[i] for i in row) / 2
            for i in sorted(row, key=lambda i: cells[i].current):
                middle = at + complex(
                    x + sum(widths[j] for j in row if j < i) + widths[i] / 2, 34 * (r - (len(rows) - 1) / 2)
                )
                now = cells[i].current
                fill = TILE_COLORS.get(cells[i].color, "#fff")
                canvas.box(middle, widths[i], 30, fill=fill, stroke="#000", stroke_width=4 if now else 1)
                canvas.text(middle, texts[i], _VALUE, now, fill="#000" if now else "#333")

    return Item(Label(math.ceil(width) + 4, 34 * len(rows), near, pull), draw)


def _phase_mark(color: str) -> str:
    """A short text for a phase that is no tile colour: ``D`` for diesel."""
    return clean(color, 12)[:1].upper()


_SIGN = 32.0
"""Width of a sign of terrain."""


def _terrain(found: Terrain) -> Item:
    """A sign for each kind of terrain, its name where there is no sign for it, and the cost."""
    words = [k for k in found.kinds if k not in ("water", "river", "mountain", "hill")]
    signs = [k for k in found.kinds if k not in words]
    text = shorten(" ".join([*words, str(found.cost) if found.cost else ""]).strip(), 130, _CHIP)
    if not found.kinds:
        text = f"cost {text}"
    width = _SIGN * len(signs) + text_width(text, _CHIP)

    def draw(canvas: Canvas, at: complex) -> None:
        left = at - width / 2
        for i, kind in enumerate(signs):
            _terrain_sign(canvas, kind, left + _SIGN * (i + 0.4))
        canvas.text(left + _SIGN * len(signs), text, _CHIP, text_anchor="start")

    return Item(_box(width, 30, -40j), draw)


def _terrain_sign(canvas: Canvas, kind: str, at: complex) -> None:
    if kind in ("water", "river"):
        for dy in (-6, 2, 10):
            wave = f"M{at.real - 13:.2f} {at.imag + dy:.2f}q6.5 -9 13 0t13 0"
            canvas.path(wave, fill="none", stroke="#1f78c1", stroke_width=3)
        return
    height = 15 if kind == "mountain" else 9
    peak = (at + complex(-13, 10), at + complex(0, 10 - 1.6 * height), at + complex(13, 10))
    canvas.path(polygon(peak), fill="#6b4a2b" if kind == "mountain" else "#a98352", stroke="#fff", stroke_width=1)


def _icon(name: str) -> Item:
    """The name of an icon: a standalone file cannot refer to its picture."""
    width = text_width(name, _CHIP) + 10

    def draw(canvas: Canvas, at: complex) -> None:
        canvas.box(at, width, 22, rx=4, fill="#fff", fill_opacity=0.6, stroke="#555", stroke_width=1)
        canvas.text(at, name, _CHIP)

    return Item(_box(width + 2, 23, -40j), draw)


def commodities_from(board: Board, hex_id: str) -> list[str]:
    """Commodities whose source is this hex."""
    goods = board.title.commodities.values()
    return [c.name for c in goods if hex_id in c.sources or (c.placed and hex_id == board.jewelry_hex)]


def commodities_to(board: Board, hex_id: str) -> list[tuple[str, int]]:
    """Commodities that pay in this hex, and how much."""
    return [(c.name, c.destinations[hex_id]) for c in board.title.commodities.values() if hex_id in c.destinations]


def chip(board: Board, name: str, value: str, near: complex) -> Item:
    """A commodity: its name on its colour at a source; framed in its colour with what it pays at a destination."""
    color = PALETTE[list(board.title.commodities).index(name) % len(PALETTE)]
    text = shorten(clean(f"{name} {value}".strip(), 24), 150, _CHIP, True)
    width = text_width(text, _CHIP, True) + 12

    def draw(canvas: Canvas, at: complex) -> None:
        canvas.box(
            at, width, 24, rx=5, fill="#fff" if value else color, stroke=color if value else "#000", stroke_width=2
        )
        canvas.text(at, text, _CHIP, True, fill=color if value else "#fff")

    return Item(_box(width + 2, CHIP_HEIGHT - 1, near), draw)


def _extra_tokens(board: Board, hex_: Hex, shape: TileShape, asking: str) -> Iterator[Item]:
    for stop, own in zip(hex_.tile.stops, shape.stops, strict=True):
        if stop.kind != CITY:
            continue
        for company in board.cities[StopId(hex_.id, CITY, stop.number)].extras:
            yield Item(Label(2 * _EXTRA + 2, 2 * _EXTRA + 2, (own.at,)), _extra(board, company, company == asking))


def _extra(board: Board, company: str, own: bool) -> Callable[[Canvas, complex], None]:
    def draw(canvas: Canvas, at: complex) -> None:
        draw_token(canvas, board, company, at, _EXTRA, own)

    return draw


def _box(width: float, height: float, near: complex) -> Label:
    """A label; in whole units, so that labels of nearly the same size share a result in the cache."""
    return Label(4 * math.ceil(width / 4), math.ceil(height) + 1, (near,))
