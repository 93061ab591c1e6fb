"""The legend: for each train its stops in order and its revenue line by line, the total, and what the signs mean.

Given routes, it gives lines of text with sizes and amounts, flowed into columns; it knows nothing of the map's drawing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from trunkline.solver.board import IMPASSABLE, Board, Route
from trunkline.solver.draw.scenery import MOUNTAIN, PROVINCE, RIVER, edges
from trunkline.solver.draw.stops import ink
from trunkline.solver.draw.svg import Canvas, clean, shorten, text_width, wrap
from trunkline.solver.draw.words import stop_name

WIDTH = 700.0
"""Width of a column, in units of the drawing."""
_TEXT, _HEAD, _PAD, _LEADING = 25.0, 30.0, 22.0, 1.36
_DIM = "#555"
BADGE = 28.0
"""Width of the letter of a route."""

# As far apart as six colours can be for people who confuse colours, among those that stand out from white casings,
# black track, rivers and the colours of tiles; then the same dashed.
COLORS = ("#0a0aff", "#ff3b0a", "#008f8f", "#ff33ff", "#3d127d", "#592b0d")


def route_color(index: int) -> str:
    """The colour of a route, by its number."""
    return COLORS[index % len(COLORS)]


def route_style(index: int) -> dict[str, str | float]:
    """Colour and dashes of a route's line, by its number."""
    style: dict[str, str | float] = {"stroke": route_color(index)}
    if index >= len(COLORS):
        style["stroke_dasharray"] = f"{16 + 8 * (index // len(COLORS))} 7"
    return style


def draw_badge(canvas: Canvas, index: int, at: complex) -> None:
    """The letter of a route on its colour: colours alone are not enough for everyone."""
    color, letter = route_color(index), chr(65 + index) if index < 26 else str(index + 1)
    canvas.box(at, BADGE, BADGE, rx=6, fill="#fff", stroke="#222", stroke_width=1)
    canvas.box(at, BADGE - 5, BADGE - 5, rx=4, fill=color)
    canvas.text(at, letter, 17, True, fill=ink(color))


class Line(NamedTuple):
    """A line of the legend; ``amount`` stands at the right, ``route`` has a stroke in the colour of that route."""

    text: str
    amount: str = ""
    size: float = _TEXT
    bold: bool = False
    fill: str = "#000"
    route: int | None = None
    badge: bool = False
    sign: str = ""
    space: float = 0.0

    @property
    def height(self) -> float:
        """Height with the space above."""
        return self.size * _LEADING + self.space


@dataclass(frozen=True, slots=True)
class Legend:
    """Lines in columns."""

    columns: tuple[tuple[Line, ...], ...]

    @property
    def size(self) -> complex:
        """Width and height."""
        tallest = max((sum(line.height for line in c) for c in self.columns), default=0.0)
        return complex(WIDTH * len(self.columns), tallest + 2 * _PAD)

    def draw(self, canvas: Canvas, low: complex) -> None:
        """Draw it with its upper left corner at ``low``."""
        size = self.size
        group = canvas.group("legend")
        group.box(low + size / 2, size.real, size.imag, fill="#fff", stroke="#444", stroke_width=2, rx=10)
        for i, column in enumerate(self.columns):
            at = low + complex(i * WIDTH + _PAD, _PAD)
            for line in column:
                at += 1j * line.height
                _draw_line(group, line, at - 0.5j * line.size * _LEADING)


def _draw_line(canvas: Canvas, line: Line, at: complex) -> None:
    left, right = at, at + WIDTH - 2 * _PAD
    if line.route is not None:
        data = f"M{left.real:.2f} {left.imag:.2f}h48"
        canvas.path(data, fill="none", stroke_width=11, **route_style(line.route))
        if line.badge:
            draw_badge(canvas, line.route, left + 24)
    if line.sign:
        draw_sign(canvas, line.sign, left + 24)
    if line.route is not None or line.sign:
        left += 62
    style = {"fill": line.fill}
    canvas.text(left, line.text, line.size, line.bold, text_anchor="start", **style)
    if line.amount:
        canvas.text(right, line.amount, line.size, line.bold, text_anchor="end", **style)


def draw_sign(canvas: Canvas, sign: str, at: complex, direction: complex = 1 + 0j) -> None:
    """A sign of the map: a border (24 units each way), gauge-change ``marker`` or slot ``kept`` for a home."""
    if sign == "kept":
        canvas.circle(at, 13, fill="#e4e4e4", stroke="#666", stroke_width=1.5, stroke_dasharray="5 4")
        return
    if sign == "marker":
        canvas.circle(at, 12, fill="#fff", stroke="#000", stroke_width=3)
        for step in (-4, 4):
            a, b = at + direction * (step * 1j - 8), at + direction * (step * 1j + 8)
            canvas.path(f"M{a.real:.2f} {a.imag:.2f}L{b.real:.2f} {b.imag:.2f}", stroke="#000", stroke_width=3)
        return
    a, b = at - 24 * direction, at + 24 * direction
    for stroke in BORDERS[sign]:
        canvas.path(f"M{a.real:.2f} {a.imag:.2f}L{b.real:.2f} {b.imag:.2f}", fill="none", **stroke)


BORDERS: dict[str, tuple[dict[str, str | float], ...]] = {
    RIVER: (
        {"stroke": "#2b7bb0", "stroke_width": 13, "stroke_linecap": "round"},
        {"stroke": "#b5e3fa", "stroke_width": 9, "stroke_linecap": "round"},
    ),
    MOUNTAIN: (
        {"stroke": "#5b3a1e", "stroke_width": 13, "stroke_linecap": "round"},
        {"stroke": "#c79a6b", "stroke_width": 7, "stroke_dasharray": "7 6"},
    ),
    PROVINCE: ({"stroke": "#7a1fa2", "stroke_width": 7, "stroke_dasharray": "15 8"},),
    IMPASSABLE: (
        {"stroke": "#fff", "stroke_width": 15, "stroke_linecap": "round"},
        {"stroke": "#b00020", "stroke_width": 9, "stroke_linecap": "round"},
    ),
}
"""For each kind of border its strokes, one over the other."""


def legend_lines(
    board: Board, routes: Sequence[Route], heading: str, notes: Sequence[str], kept: bool = False
) -> list[Line]:
    """The lines of the legend; none where there is nothing to explain."""
    lines: list[Line] = []
    if routes or notes:
        lines.append(_heading(heading, f"total {sum(r.revenue for r in routes)}"))
    for note in notes:
        lines += [Line(t, fill=_DIM) for t in wrap(clean(note, 600).split(), WIDTH - 2 * _PAD, _TEXT)]
    for i, route in enumerate(routes):
        lines += _route_lines(board, i, route, len(routes) > 1)
    lines += _key(board, kept)
    return lines


def flow(lines: Sequence[Line], columns: int) -> Legend:
    """The lines in at most so many columns, as low as can be with no train torn apart."""
    blocks: list[list[Line]] = []
    for line in lines:
        if line.space or not blocks:
            blocks.append([])
        blocks[-1].append(line)
    heights = [sum(line.height for line in block) for block in blocks]
    # The tallest column is a run of blocks, no lower than any block: the least such height that packs them all.
    runs = {sum(heights[i:j]) for j in range(len(heights) + 1) for i in range(j)}
    sums = sorted(h for h in runs if h >= max(heights))
    found = next((c for h in sums if len(c := _packed(blocks, heights, h)) <= columns), [])
    flowed = ([line for block in column for line in block] for column in found)
    return Legend(tuple((c[0]._replace(space=0.0), *c[1:]) for c in flowed))


def _packed(blocks: Sequence[list[Line]], heights: Sequence[float], room: float) -> list[list[list[Line]]]:
    """The blocks in order in columns of this height."""
    packed: list[list[list[Line]]] = []
    filled = 0.0
    for block, height in zip(blocks, heights, strict=True):
        if not packed or filled + height > room + 1e-6:
            packed.append([])
            filled = 0.0
        packed[-1].append(block)
        filled += height
    return packed


def _heading(text: str, amount: str, left: float = 0.0) -> Line:
    room = WIDTH - 2 * _PAD - left - 20 - text_width(amount, _HEAD, True)
    return Line(shorten(clean(text), room, _HEAD, True), amount, _HEAD, True)


def _route_lines(board: Board, index: int, route: Route, badge: bool) -> list[Line]:
    width = WIDTH - 2 * _PAD
    head = _heading(f"{route.name} train", str(route.revenue), 62.0)
    lines = [head._replace(route=index, badge=badge, space=14)]
    words = []
    for i, (stop, counted) in enumerate(zip(route.stops, route.counted, strict=True)):
        name = stop_name(board, stop)
        words.append((name if counted else f"({name})") + (" –" if i < len(route.stops) - 1 else ""))
    lines += [Line(t) for t in wrap(words, width, _TEXT)]
    for item in route.lines:
        amount = f"{item.amount:+d}" if item.kind not in ("stop", "variable") else str(item.amount)
        label = shorten(clean(item.label), width - text_width(amount, _TEXT) - 60, _TEXT)
        lines.append(Line("   " + label, amount, fill="#333"))
    if route.markers:
        lines.append(Line(f"gauge-change markers crossed: {route.markers}", fill=_DIM))
    return lines


def _key(board: Board, kept: bool) -> list[Line]:
    """What the signs of the title's map mean, and its connection bonuses."""
    t = board.title
    lines: list[Line] = []
    kinds = {e.kind for e in edges(board)}
    if PROVINCE in kinds:
        lines.append(Line("province border", fill=_DIM, sign=PROVINCE))
    if RIVER in kinds:
        cost = f", {t.river_cost} to cross" if t.river_cost else ""
        lines.append(Line("river" + cost, fill=_DIM, sign=RIVER))
    if MOUNTAIN in kinds:
        lines.append(Line("mountains", fill=_DIM, sign=MOUNTAIN))
    if IMPASSABLE in kinds:
        lines.append(Line("no track may cross", fill=_DIM, sign=IMPASSABLE))
    if board.markers:
        lines.append(Line("gauge-change marker", fill=_DIM, sign="marker"))
    if kept:
        lines.append(Line("home of a company without a token yet", fill=_DIM, sign="kept"))
    if any(h.plus is not None for h in board.hexes.values()):
        text = "?+XX: XX above the best other city it visits"
        lines.append(Line(text, fill=_DIM))
    lines += [Line(clean(c.name), f"{c.value:+d}", fill=_DIM) for c in t.connections]
    return [lines[0]._replace(space=18), *lines[1:]] if lines else []
