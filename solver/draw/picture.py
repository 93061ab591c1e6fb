"""The board as a picture: hexes, borders, track, routes, stops with tokens, labels, markers; each a layer of SVG.

Given a board and routes, it gives the text of an SVG file that needs nothing else. Colours and signs follow what
players know from 18xx.games. Where things lie is said by :mod:`trunkline.solver.draw.layout`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from trunkline.solver.board import CITY, OFFBOARD, Board, Path, Route, StopId, Track
from trunkline.solver.draw.labels import CHIP_HEIGHT, TILE_COLORS
from trunkline.solver.draw.layout import Layout, around
from trunkline.solver.draw.legend import (
    BADGE,
    BORDERS,
    WIDTH,
    Legend,
    draw_badge,
    draw_sign,
    flow,
    legend_lines,
    route_color,
    route_style,
)
from trunkline.solver.draw.scenery import BORDER_KINDS, JOINED, MOUNTAIN, Home, reservations, stubs
from trunkline.solver.draw.shape import Curve, corners, side_direction, side_point
from trunkline.solver.draw.space import Box
from trunkline.solver.draw.stops import draw_city, draw_frames, draw_rings, draw_town
from trunkline.solver.draw.svg import Canvas, clean, number, polygon, shorten, text_width, xy
from trunkline.solver.draw.words import hex_words, picture_words, route_words
from trunkline.solver.errors import Fault, PositionError

_TRACK, _ROUTE, _CASING = 9.0, 12.0, 6.0
_MARGIN, _GAP = 24.0, 30.0
_HEADING = 36.0
_BADGE_GAP = 6
"""Pieces of track without a letter between two letters of a route."""


@dataclass(eq=False)
class Picture:
    """A drawing of one board; :meth:`svg` gives it as text."""

    board: Board
    routes: Sequence[Route]
    company: str
    heading: str
    notes: Sequence[str]
    width: int
    reserved: Mapping[str, tuple[str, int]] | None = None

    def svg(self) -> str:
        """The whole file. Raises PositionError: a route is not on the board."""
        _check(self.board, self.routes)
        low, high = self._layout.extent
        panel, at = self._place_legend(low, high)
        if panel:
            low, high = around((low, high, at, at + panel.size))
        high = complex(max(high.real, low.real + 640), high.imag)  # room for a heading above a board of few hexes
        low -= complex(_MARGIN, _MARGIN + 1.6 * _HEADING)
        high += complex(_MARGIN, _MARGIN)
        canvas = Canvas.root(low, high, self.width)
        canvas.add("title").text = clean(self.heading)
        canvas.add("desc").text = picture_words(self.board, self.routes, clean(self.company, 40))
        canvas.box((low + high) / 2, high.real - low.real, high.imag - low.imag, fill="#fff")
        heading = shorten(clean(self.heading), high.real - low.real - 2 * _MARGIN, _HEADING, True)
        canvas.text(low + complex(_MARGIN, 1.2 * _HEADING), heading, _HEADING, True, text_anchor="start")
        self._draw_hexes(canvas.group("hexes", stroke="#555", stroke_width=1.5))
        # On top, so that pointing at a hex shows its description whatever else is drawn there.
        self._draw_borders(canvas.group("borders", fill="none", pointer_events="none"))
        self._draw_track(canvas.group("track", fill="none", stroke_width=_TRACK, pointer_events="none"))
        self._draw_routes(canvas.group("routes", fill="none", stroke_linecap="round", stroke_linejoin="round"))
        self._draw_stops(canvas.group("stops", pointer_events="none"))
        self._draw_markers(canvas.group("markers", pointer_events="none"))
        self._draw_labels(canvas.group("labels", pointer_events="none"))
        self._draw_badges(canvas.group("badges", pointer_events="none"))
        if panel:
            panel.draw(canvas, at)
        return str(canvas)

    def _place_legend(self, low: complex, high: complex) -> tuple[Legend | None, complex]:
        """The legend and its upper left corner: in an empty corner of the map, to its right or below it.

        It is never over the map; of the places the one that makes the smallest picture.
        """
        lines = legend_lines(self.board, self.routes, self._who, self.notes, bool(self._kept))
        if not lines:
            return None, 0j
        one = flow(lines, 1)
        options = []
        for x in (high.real - one.size.real, low.real):
            top, bottom = self._layout.span(x - _GAP, x + one.size.real + _GAP)
            options.append((one, complex(x, max(bottom + _GAP, high.imag - one.size.imag))))
            options.append((one, complex(x, min(top - _GAP - one.size.imag, low.imag))))
        tall = (flow(lines, n) for n in range(1, 13))
        fits = next((p for p in tall if p.size.imag <= high.imag - low.imag), flow(lines, 12))
        options.append((fits, complex(high.real + _GAP, low.imag)))
        options.append((flow(lines, max(1, int((high.real - low.real) // WIDTH))), complex(low.real, high.imag + _GAP)))

        def area(option: tuple[Legend, complex]) -> float:
            panel, at = option
            one, two = around((low, high, at, at + panel.size))
            return round((two.real - one.real) * (two.imag - one.imag))

        return min(options, key=area)

    @property
    def _who(self) -> str:
        known = self.board.title.companies.get(self.company)
        return f"{self.company} {known.name}" if known else self.company or "Routes"

    @cached_property
    def _layout(self) -> Layout:
        rings = {stop: len(rings) for stop, rings in self._rings.items()}
        return Layout(self.board, rings, frozenset(t for used in self._used for t in used), self.company)

    @cached_property
    def _kept(self) -> dict[StopId, tuple[Home, ...]]:
        """For each city with open slots the home tokens that are still to come there."""
        cities = self.board.cities
        return {s: c for s, c in reservations(self.board, self.reserved).items() if None in cities[s].slots}

    @cached_property
    def _used(self) -> list[dict[Track, None]]:
        """The track of each route, in order."""
        return [dict.fromkeys(t for leg in r.track for t in leg) for r in self.routes]

    def _draw_hexes(self, canvas: Canvas) -> None:
        turn = [corners(s, self.board.layout)[0] for s in range(6)]
        for h, at in self._layout.centers.items():
            fill = TILE_COLORS[self.board.hexes[h].tile.color]
            tip = hex_words(self.board, self.board.hexes[h], self._kept)
            canvas.path(polygon(at + t for t in turn), fill=fill, data_hex=h).tip(tip)

    def _draw_borders(self, canvas: Canvas) -> None:
        for kind in BORDER_KINDS:
            sides = [side for edge, side in self._layout.edges if edge.kind == kind]
            for side in sides if kind == JOINED else ():
                fill = TILE_COLORS[self.board.hexes[side.hex].tile.color]
                one, two = side.one + (side.two - side.one) * 0.02, side.two + (side.one - side.two) * 0.02
                canvas.path(f"M{xy(one)}L{xy(two)}", class_=kind, stroke=fill, stroke_width=5)
            for i, stroke in enumerate(BORDERS.get(kind, ())):
                for side in sides:
                    canvas.path(f"M{xy(side.one)}L{xy(side.two)}", class_=kind if not i else f"{kind}-inner", **stroke)

    def _draw_track(self, canvas: Canvas) -> None:
        for h, hex_ in self.board.hexes.items():
            groups = _connected(hex_.tile.paths)
            for i, group in enumerate(groups):
                curves = [(p, self._layout.shapes[h].curves[p]) for p in group]
                if i:  # where track crosses other track without meeting it, it is drawn as a bridge
                    data = "".join(_data(c.part(0.06, 0.94), self._layout.centers[h]) for _, c in curves)
                    canvas.path(data, stroke=TILE_COLORS[hex_.tile.color], stroke_width=_TRACK + 8)
                for p, c in curves:
                    data = _data(c, self._layout.centers[h])
                    canvas.path(data, stroke="#000", data_hex=h, data_path=str(p))
                    if hex_.tile.paths[p].terminal:
                        self._draw_buffer(canvas, c, self._layout.centers[h])
            for side in stubs(hex_.tile):
                start = self._layout.centers[h] + side_point(side, self.board.layout)
                end = start - 24 * side_direction(side, self.board.layout)
                canvas.path(f"M{xy(start)}L{xy(end)}", stroke="#000", class_="stub")
        dots = "".join(f"M{xy(p)}h0.01" for p in self._layout.joints())  # so that no seam shows
        canvas.path(dots, stroke="#000", stroke_linecap="round", stroke_width=_TRACK, class_="joints")

    def _draw_buffer(self, canvas: Canvas, curve: Curve, at: complex) -> None:
        """The bar at the end of track that leads nowhere."""
        end, before = curve.at(1.0), curve.at(0.95)
        if abs(curve.end) > abs(curve.start):
            end, before = curve.at(0.0), curve.at(0.05)
        if end == before:
            return
        across = 14j * (end - before) / abs(end - before)
        canvas.path(f"M{xy(at + end + across)}L{xy(at + end - across)}", stroke="#000")

    def _draw_routes(self, canvas: Canvas) -> None:
        """Each route in one colour with a casing; track that several routes use shows all, nested."""
        wider = min(_ROUTE + _CASING, 36 / max(1, len(self.routes)))
        casing = min(_CASING, wider / 2)
        for i, route in enumerate(self.routes):
            pieces: dict[int, list[Track]] = defaultdict(list)
            for leg in route.track:
                for t in leg:
                    pieces[sum(t in later for later in self._used[i + 1 :])].append(t)
            lines = {
                level: "".join(
                    _data(self._layout.shapes[t.hex].curves[t.path], self._layout.centers[t.hex]) for t in tracks
                )
                for level, tracks in sorted(pieces.items())
            }
            for color, more in (("#222", casing + 2.5), ("#fff", casing)):
                for level, data in lines.items():
                    canvas.path(data, stroke=color, stroke_width=_ROUTE + level * wider + more)
            tip = route_words(self.board, route)
            for level, data in lines.items():
                width = _ROUTE + level * wider
                canvas.path(data, stroke_width=width, data_route=str(i), **route_style(i)).tip(tip)

    def _draw_badges(self, canvas: Canvas) -> None:
        """The letters of routes on their lines, where there are several routes."""
        taken: list[Box] = []
        for i in range(len(self.routes) if len(self.routes) > 1 else 0):
            for at in self._badges(i, taken, True) or self._badges(i, taken, False)[:1]:
                taken.append(Box(at, complex(BADGE, BADGE)))
                draw_badge(canvas, i, at)

    def _badges(self, route: int, taken: Sequence[Box], rings: bool) -> list[complex]:
        """Where the letters of a route go: on every few pieces of its track one, if there is room."""
        found: list[complex] = []
        since = _BADGE_GAP
        for t in self._used[route]:
            since += 1
            own = [*taken, *(Box(at, complex(BADGE, BADGE)) for at in found)]
            at = next(self._badge_places(route, t, own, rings), None) if since > _BADGE_GAP else None
            if at is not None:
                found.append(at)
                since = 0
        return found

    def _badge_places(self, route: int, track: Track, taken: Sequence[Box], rings: bool) -> Iterator[complex]:
        """Points of a piece of track where a letter hides nothing and lies on the line of one route only.

        ``rings``: rings around stops are kept free too.
        """
        layout = self._layout
        others = [u for k, used in enumerate(self._used) if k != route for u in used if u.hex == track.hex]
        if track in others:
            return
        foreign = [p for u in others for p in layout.shapes[u.hex].curves[u.path].points(8)]
        for share in (0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9):
            near = layout.shapes[track.hex].curves[track.path].at(share)
            box = Box(layout.centers[track.hex] + near, complex(BADGE + 2, BADGE + 2))
            apart = all(abs(near - p) > 0.9 * BADGE for p in foreign) and not any(box.meets(b) for b in taken)
            if apart and layout.clear(track.hex, box, rings):
                yield box.at

    @cached_property
    def _rings(self) -> dict[StopId, list[tuple[int, str]]]:
        """For each stop that routes count their numbers and colours."""
        rings: dict[StopId, list[tuple[int, str]]] = defaultdict(list)
        for i, route in enumerate(self.routes):
            for stop, counted in zip(route.stops, route.counted, strict=True):
                if counted:
                    rings[stop].append((i, route_color(i)))
        return rings

    def _draw_stops(self, canvas: Canvas) -> None:
        stops = [
            (StopId(h, stop.kind, stop.number), self._layout.centers[h], own)
            for h, hex_ in self.board.hexes.items()
            for stop, own in zip(hex_.tile.stops, self._layout.shapes[h].stops, strict=True)
            if stop.kind != OFFBOARD
        ]
        for id_, at, own in stops:
            draw_rings(canvas, at, own, self._rings.get(id_, ()))
        for id_, at, own in stops:
            if id_.kind == CITY:
                draw_city(canvas, self.board, id_, at, own, self.company, self._kept.get(id_, ()))
            else:
                draw_town(canvas, id_, at, own)

    def _draw_markers(self, canvas: Canvas) -> None:
        """Gauge-change markers and the costs of borders, on their sides."""
        for edge, at in self._layout.costs:
            fill = "#5b3a1e" if edge.kind == MOUNTAIN else "#1c5f96"
            width = max(30.0, text_width(str(edge.cost), 16, True) + 8)
            canvas.box(at, width, 24, rx=12, fill=fill, stroke="#fff", stroke_width=1.5)
            canvas.text(at, str(edge.cost), 16, True, fill="#fff")
        for side, at in self._layout.markers():
            other = self.board.hexes[side.hex].neighbors[side.side]
            sign = canvas.group("gauge", data_border=f"{side.hex}-{other}")
            draw_sign(sign, "marker", at, side_direction(side.side, self.board.layout))

    def _draw_labels(self, canvas: Canvas) -> None:
        for placed in self._layout.labels.values():
            for item, at in placed:
                if item.area:
                    draw_frames(canvas, at, item.label.size, self._rings.get(item.area, ()))
                item.draw(canvas, at)
        for box, chips in self._layout.blocks.values():
            for i, item in enumerate(chips):
                item.draw(canvas, box.at + 1j * (CHIP_HEIGHT * (i + 0.5) - box.size.imag / 2))


def _data(curve: Curve, at: complex) -> str:
    """Path data of a curve around ``at``."""
    end = xy(at + curve.end)
    if curve.radius:
        r = number(curve.radius)
        return f"M{xy(at + curve.start)}A{r} {r} 0 0 {int(curve.clockwise)} {end}"
    return f"M{xy(at + curve.start)}L{end}"


def _connected(paths: Sequence[Path]) -> list[list[int]]:
    """Numbers of the paths in groups that meet at a side, a stop or a junction."""
    groups: list[tuple[set[tuple[str, int]], list[int]]] = []
    for i, path in enumerate(paths):
        ends, members = {path.a[:2], path.b[:2]}, [i]
        for group in [g for g in groups if g[0] & ends]:
            ends, members = ends | group[0], group[1] + members
            groups.remove(group)
        groups.append((ends, members))
    return [members for _, members in groups]


def _check(board: Board, routes: Sequence[Route]) -> None:
    """Raise PositionError where a route names track or stops that are not on the board."""
    faults = []
    for i, route in enumerate(routes):
        if len(route.counted) != len(route.stops):
            faults.append(Fault(f"routes[{i}].counted", "needs one entry for each stop"))
        for k, stop in enumerate(route.stops):
            hex_ = board.hexes.get(stop.hex)
            if hex_ is None or not any((s.kind, s.number) == (stop.kind, stop.number) for s in hex_.tile.stops):
                faults.append(Fault(f"routes[{i}].stops[{k}]", f"there is no stop {stop} on the board"))
        for k, leg in enumerate(route.track):
            for t in leg:
                hex_ = board.hexes.get(t.hex)
                if hex_ is None or t.path not in range(len(hex_.tile.paths)):
                    text = f"{t.hex} has no track number {t.path}"
                    faults.append(Fault(f"routes[{i}].track[{k}]", text))
    if faults:
        raise PositionError(faults)
