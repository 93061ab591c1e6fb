"""The legend: for each train its stops in order and its revenue line by line, the total, and what the signs mean.

Given routes, it gives lines of text with sizes and amounts, flowed into columns; it knows nothing of the map's drawing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from solver.board import Board, StopId
from solver.draw.svg import Canvas, clean, shorten, text_width, wrap
from solver.solution import Route

WIDTH = 700.0
"""Width of a column, in units of the drawing."""
_TEXT, _HEAD, _PAD, _LEADING = 25.0, 30.0, 22.0, 1.36
_DIM = "#666"

# Okabe and Ito's palette, which people who confuse colours can tell apart, in the order that shows best on the
# colours of tiles; then the same dashed.
COLORS = ("#0072B2", "#D55E00", "#CC79A7", "#009E73", "#56B4E9", "#F0E442")


def route_color(index: int) -> str:
    """The colour of a route, by its number."""
    return COLORS[index % len(COLORS)]


def route_style(index: int) -> dict[str, str | float]:
    """Colour and dashes of a route's line, by its number."""
    style: dict[str, str | float] = {"stroke": route_color(index)}
    if index >= len(COLORS):
        style["stroke_dasharray"] = f"{16 + 8 * (index // len(COLORS))} 7"
    return style


class Line(NamedTuple):
    """A line of the legend; ``amount`` stands at the right, ``route`` has a stroke in the colour of that route."""

    text: str
    amount: str = ""
    size: float = _TEXT
    bold: bool = False
    fill: str = "#000"
    route: int | None = None
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
    if line.sign:
        draw_sign(canvas, line.sign, left + 24)
    if line.route is not None or line.sign:
        left += 62
    style = {"fill": line.fill}
    canvas.text(left, line.text, line.size, line.bold, text_anchor="start", **style)
    if line.amount:
        canvas.text(right, line.amount, line.size, line.bold, text_anchor="end", **style)


def draw_sign(canvas: Canvas, sign: str, at: complex, direction: complex = 1 + 0j) -> None:
    """A sign of the map: ``province`` or ``river`` border (24 units each way) or gauge-change ``marker``."""
    if sign == "marker":
        canvas.circle(at, 12, fill="#fff", stroke="#000", stroke_width=3)
        for step in (-4, 4):
            a, b = at + direction * (step * 1j - 8), at + direction * (step * 1j + 8)
            canvas.path(f"M{a.real:.2f} {a.imag:.2f}L{b.real:.2f} {b.imag:.2f}", stroke="#000", stroke_width=3)
        return
    a, b = at - 24 * direction, at + 24 * direction
    canvas.path(f"M{a.real:.2f} {a.imag:.2f}L{b.real:.2f} {b.imag:.2f}", fill="none", **BORDERS[sign])


BORDERS: dict[str, dict[str, str | float]] = {
    "river": {"stroke": "#3a9fe0", "stroke_width": 13},
    "province": {"stroke": "#7a1fa2", "stroke_width": 7, "stroke_dasharray": "15 8"},
}


def legend_lines(board: Board, routes: Sequence[Route], heading: str, notes: Sequence[str]) -> list[Line]:
    """The lines of the legend; none where there is nothing to explain."""
    lines: list[Line] = []
    if routes or notes:
        lines.append(_heading(heading, f"total {sum(r.revenue for r in routes)}"))
    for note in notes:
        lines += [Line(t, fill=_DIM) for t in wrap(clean(note, 600).split(), WIDTH - 2 * _PAD, _TEXT)]
    for i, route in enumerate(routes):
        lines += _route_lines(board, i, route)
    lines += _key(board)
    return lines


def flow(lines: Sequence[Line], columns: int) -> Legend:
    """The lines in at most so many columns of about the same height."""
    room = sum(line.height for line in lines) / columns
    flowed: list[list[Line]] = [[]]
    filled = 0.0
    for line in lines:
        if filled > room and len(flowed) < columns:
            flowed.append([])
            filled = 0.0
        flowed[-1].append(line)
        filled += line.height
    return Legend(tuple(map(tuple, flowed)))


def _heading(text: str, amount: str) -> Line:
    room = WIDTH - 2 * _PAD - 80 - text_width(amount, _HEAD, True)
    return Line(shorten(clean(text), room, _HEAD, True), amount, _HEAD, True)


def _route_lines(board: Board, index: int, route: Route) -> list[Line]:
    width = WIDTH - 2 * _PAD
    lines = [_heading(f"{route.name} train", str(route.revenue))._replace(route=index, space=14)]
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


def stop_name(board: Board, stop: StopId) -> str:
    """What a player calls a stop: ``Delhi G8 city 1``, ``Lahore D3``, ``H35``."""
    hex_ = board.hexes[stop.hex]
    alone = len(hex_.tile.stops) == 1
    which = stop.hex if alone else f"{stop.hex} {stop.kind} {stop.number}"
    return clean(f"{hex_.name} {which}" if hex_.name else which, 60)


def _key(board: Board) -> list[Line]:
    """What the signs of the title's map mean, and its connection bonuses."""
    t = board.title
    lines: list[Line] = []
    if t.province_borders:
        lines.append(Line("province border", fill=_DIM, sign="province"))
    if t.river_borders:
        cost = f", {t.river_cost} to cross" if t.river_cost else ""
        lines.append(Line("river" + cost, fill=_DIM, sign="river"))
    if board.markers:
        lines.append(Line("gauge-change marker", fill=_DIM, sign="marker"))
    if any(h.plus is not None for h in board.hexes.values()):
        text = "?+XX: XX above the best other city it visits"
        lines.append(Line(text, fill=_DIM))
    lines += [Line(clean(c.name), f"{c.value:+d}", fill=_DIM) for c in t.connections]
    return [lines[0]._replace(space=18), *lines[1:]] if lines else []
