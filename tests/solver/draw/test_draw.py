"""The picture of a board, read back from its SVG: geometry, text, tokens, routes, legend, and text from strangers."""

from __future__ import annotations

import cmath
import math
import os
import re
import subprocess
import sys
from functools import cache
from itertools import combinations
from xml.etree import ElementTree

import pytest

from tests.positions import Recorded, recorded
from trunkline.solver import (
    Board,
    LaidTile,
    Position,
    PositionError,
    StopId,
    Token,
    Track,
    TrunklineError,
    get_title,
    solve,
)
from trunkline.solver.board import DrawnRoute, IdleTrain, RevenueLine, Route, Solution, number_train, parse_tile
from trunkline.solver.check import evaluate
from trunkline.solver.draw import draw, draw_solution
from trunkline.solver.draw.labels import TILE_COLORS
from trunkline.solver.draw.legend import COLORS, Line, flow, legend_lines
from trunkline.solver.draw.shape import shape
from trunkline.solver.draw.svg import clean, text_width
from trunkline.solver.generate import random_board, random_position

SVG = "{http://www.w3.org/2000/svg}"
APOTHEM = 50 * math.sqrt(3)
INDIA = get_title("18India")
STUB = "path=a:0,b:3"


def middle(hex_id: str, layout: str = "flat") -> complex:
    """Where the middle of a hex is, by the letter and the number of its id (one letter)."""
    letter, number = ord(hex_id[0]) - 65, int(hex_id[1:])
    return complex(150 * letter, APOTHEM * number) if layout == "flat" else complex(APOTHEM * number, 150 * letter)


def side_middle(hex_id: str, side: int, layout: str = "flat") -> complex:
    """The middle of a side: side 0 is S on flat-topped hexes and SW on pointy-topped ones, then clockwise."""
    return middle(hex_id, layout) + cmath.rect(APOTHEM, math.radians(60 * side + (90 if layout == "flat" else 120)))


class Drawn:
    """An SVG text read back."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.root = ElementTree.fromstring(text)

    def all(self, tag: str, layer: str = "") -> list[ElementTree.Element]:
        groups = [g for g in self.root.iter(f"{SVG}g") if g.get("class") == layer] if layer else [self.root]
        return [e for g in groups for e in g.iter(SVG + tag)]

    def texts(self, layer: str = "") -> list[str]:
        return [e.text or "" for e in self.all("text", layer)]

    def track(self) -> dict[tuple[str, int], ElementTree.Element]:
        return {(e.get("data-hex", ""), int(e.get("data-path", ""))): e for e in self.all("path") if e.get("data-path")}

    def stops(self) -> dict[str, complex]:
        """The middle of each city and town by the text of its id."""
        found = {}
        for e in self.root.iter():
            if e.get("data-city"):
                found["city " + e.get("data-city", "")] = mean(points(e.get("d", "")))
            elif e.get("data-town"):
                at = complex(float(e.get("cx", 0)), float(e.get("cy", 0)))
                found["town " + e.get("data-town", "")] = at if e.get("cx") else mean(points(e.get("d", "")))
        return found


def points(data: str) -> list[complex]:
    """The points of path data made of M, L, A and h."""
    found = []
    for command, rest in re.findall("([MLAh])([^MLAhZ]*)", data):
        numbers = [float(n) for n in rest.split()]
        if command != "h":
            found.append(complex(numbers[-2], numbers[-1]))
    return found


def mean(values: list[complex]) -> complex:
    return sum(values) / len(values)


def close(a: complex, b: complex, within: float = 0.05) -> bool:
    return abs(a - b) < within


def along(data: str) -> list[complex]:
    """Points along a piece of track: a line, or an arc as SVG defines it (flags 0 and clockwise)."""
    start, end = points(data)
    arc = re.search(r"A([\d.]+) [\d.]+ 0 0 ([01])", data)
    steps = [i / 20 for i in range(21)]
    if not arc:
        return [start + t * (end - start) for t in steps]
    radius, clockwise = float(arc[1]), 1 if arc[2] == "1" else -1
    chord = end - start
    half = math.asin(min(1.0, abs(chord) / 2 / radius))
    hub = (start + end) / 2 + clockwise * 1j * chord / abs(chord) * radius * math.cos(half)
    return [hub + (start - hub) * cmath.exp(2j * clockwise * half * t) for t in steps]


def boxes(drawn: Drawn) -> list[tuple[str, float, float, float, float]]:
    """Each text with an estimate of its extent: digits and letters 0.6 of the size wide, 0.72 high."""
    found = []
    for e in drawn.all("text"):
        text, size = e.text or "", float(e.get("font-size", 0))
        width = 0.58 * size * len(text)
        x, y = float(e.get("x", 0)), float(e.get("y", 0))
        left = {"start": x, "middle": x - width / 2, "end": x - width}[e.get("text-anchor", "start")]
        found.append((text, left, y - 0.72 * size, left + width, y))
    return found


def overlaps(drawn: Drawn) -> list[tuple[str, str]]:
    return [
        (a[0], b[0])
        for a, b in combinations(boxes(drawn), 2)
        if a[1] < b[3] and b[1] < a[3] and a[2] < b[4] and b[2] < a[4]
    ]


def legend_box(drawn: Drawn) -> tuple[complex, complex]:
    rect = drawn.all("rect", "legend")[0]
    low = complex(float(rect.get("x", 0)), float(rect.get("y", 0)))
    return low, low + complex(float(rect.get("width", 0)), float(rect.get("height", 0)))


@cache
def late_game() -> tuple[Position, Solution]:
    """The richest recorded run of 18 India: two trains of MR late in a game."""
    record = max(recorded("18India"), key=lambda r: (len(r.position.board.tiles), r.revenue))
    return record.position, run(record.position, tuple(DrawnRoute(r.train, r.waypoints) for r in record.routes))


def run(position: Position, drawn: tuple[DrawnRoute, ...]) -> Solution:
    found = evaluate(position, drawn)
    assert found.legal
    return Solution(found.routes, (), found.total, found.total, True, found.claims)


def ran(record: Recorded) -> tuple[Route, ...]:
    """The routes of a recorded run as they lie on the board."""
    return evaluate(record.position, tuple(DrawnRoute(r.train, r.waypoints) for r in record.routes)).routes


@cache
def six_trains() -> tuple[Position, Solution]:
    """Every tile of the box laid and six trains that run."""
    position = random_position(11, trains=["3", "3", "2", "4", "2", "3"], joined=0.9)
    return position, solve(position)


@cache
def full_board() -> Board:
    """Every tile of the box laid, tokens wherever there is a slot and beside it."""
    return random_board(5, None, companies=12, tokens=0.9, extra_tokens=0.2, markers=1.0, jewelry=True)


BOARDS = [
    pytest.param(lambda: Board(INDIA), id="printed map"),
    pytest.param(lambda: late_game()[0].board, id="late game"),
    pytest.param(full_board, id="every tile laid"),
    pytest.param(lambda: recorded("1889")[-1].position.board, id="1889"),
    pytest.param(lambda: recorded("18Chesapeake")[-1].position.board, id="18Chesapeake"),
]


@pytest.mark.parametrize("make", BOARDS)
def test_track_runs_from_the_middle_of_a_side_to_a_side_a_stop_or_a_junction(make) -> None:
    board = make()
    drawn = Drawn(draw(board))
    track, stops = drawn.track(), drawn.stops()
    assert len(track) == sum(len(hx.tile.paths) for hx in board.hexes.values())
    for (h, number), element in track.items():
        tile = board.hexes[h].tile
        path = tile.paths[number]
        for end, at in zip((path.a, path.b), points(element.get("d", "")), strict=True):
            if end.kind == "edge":
                assert close(at, side_middle(h, end.number))
            elif end.kind == "junction":
                assert tile.junctions > 1 or close(at, middle(h))
            elif tile.stops[end.number].kind == "offboard":
                assert close(at, middle(h))
            else:
                stop = tile.stops[end.number]
                id_ = StopId(h, stop.kind, stop.number)
                assert close(at, stops[f"{stop.kind} {id_}"]), id_


@pytest.mark.parametrize("make", BOARDS)
def test_track_stays_on_its_hex(make) -> None:
    for (h, _), element in Drawn(draw(make())).track().items():
        for point in along(element.get("d", "")):
            away = point - middle(h)
            assert all((away * cmath.rect(1, -math.radians(60 * s + 90))).real < APOTHEM + 0.05 for s in range(6)), h


@pytest.mark.parametrize("layout", ["flat", "pointy"])
def test_tracks_of_neighbouring_hexes_meet(layout: str) -> None:
    ring = ";".join(f"path=a:{s},b:_0" for s in range(6))
    around = ["C7", "B6", "B4", "C3", "D4", "D6"] if layout == "flat" else ["D4", "C3", "B4", "B6", "C7", "D6"]
    tiles = [LaidTile("C5", "x", 0, f"city=revenue:60,slots:3;{ring}", "gray")]
    tiles += [LaidTile(h, "y", 0, f"path=a:{(s + 3) % 6},b:{s}", "yellow") for s, h in enumerate(around)]
    board = Board(tiles=tuple(tiles), layout=layout)
    assert sorted(board.hexes["C5"].neighbors.values()) == sorted(around)
    track = Drawn(draw(board)).track()
    for side, h in board.hexes["C5"].neighbors.items():
        ours = points(track["C5", side].get("d", ""))
        theirs = points(next(e for (x, _), e in track.items() if x == h).get("d", ""))
        assert close(ours[0], side_middle("C5", side, layout))
        assert any(close(ours[0], t) for t in theirs)


@pytest.mark.parametrize("make", BOARDS)
def test_track_over_a_side_is_drawn_to_one_point_on_it_from_both_hexes(make) -> None:
    board = make()
    drawn = Drawn(draw(board))
    corner = {e.get("data-hex", ""): points(e.get("d", "")) for e in drawn.all("path", "hexes")}
    ends: dict[tuple[str, int], complex] = {}
    for (h, number), element in drawn.track().items():
        path = board.hexes[h].tile.paths[number]
        for end, at in zip((path.a, path.b), points(element.get("d", "")), strict=True):
            if end.kind == "edge":
                assert close(ends.setdefault((h, end.number), at), at)
    met = 0
    for (h, side), at in ends.items():
        other = board.hexes[h].neighbors.get(side, "")
        if (other, (side + 3) % 6) in ends:
            met += 1
            assert close(at, ends[other, (side + 3) % 6])
            shared = [p for p in corner[h] if any(close(p, q) for q in corner[other])]
            assert len(shared) == 2
            assert close(at, mean(shared))
    assert met or not board.tiles


@pytest.mark.parametrize(("far", "radius"), [(1, 50), (2, 150), (3, None), (4, 150), (5, 50)])
def test_curve_between_two_sides(far: int, radius: int | None) -> None:
    data = (
        Drawn(draw(Board(tiles=(LaidTile("A1", "x", 0, f"path=a:0,b:{far}", "yellow"),)))).track()["A1", 0].get("d", "")
    )
    found = re.search(r"A([\d.]+)", data)
    assert (float(found[1]) if found else None) == radius


@pytest.mark.parametrize("layout", ["flat", "pointy"])
def test_cities_and_towns_of_one_hex_never_overlap(layout: str) -> None:
    tiles = [t.tile.rotated(r) for t in INDIA.tiles.values() for r in range(6)]
    tiles += [hx.tile for hx in INDIA.hexes.values()]
    tiles += [
        parse_tile(";".join(["city=revenue:80"] * 4) + ";path=a:0,b:_0;path=a:1,b:_1;path=a:3,b:_2;path=a:4,b:_3")
    ]
    several = [t for t in tiles if len(t.stops) > 1]
    assert len(several) > 80
    for tile in several:
        for a, b in combinations(shape(tile, layout).stops, 2):
            for (p, r), (q, s) in ((x, y) for x in a.discs for y in b.discs):
                assert abs(p - q) > r + s - 4, (tile.name, tile.rotation)  # a city's disc has 3 to spare


def test_triple_town_tile_has_three_separate_tracks_with_a_value_at_each_town() -> None:
    board = Board(INDIA, (LaidTile("E22", "IND4", 0),))
    drawn = Drawn(draw(board))
    ends = [points(drawn.track()["E22", i].get("d", "")) for i in range(6)]
    towns = [drawn.stops()[f"town E22 town {i}"] for i in range(3)]
    for pair, town in zip((ends[0:2], ends[2:4], ends[4:6]), towns, strict=True):
        assert all(any(close(p, town) for p in piece) for piece in pair)
    values = [(complex((a + c) / 2, (b + d) / 2), t) for t, a, b, c, d in boxes(drawn) if t in ("10", "20")]
    near = [min((abs(at - town), t) for at, t in values) for town in towns]
    assert [t for _, t in near] == ["20", "10", "10"]
    assert max(away for away, _ in near) < 50


@pytest.mark.parametrize("make", BOARDS)
def test_no_text_over_text(make) -> None:
    assert overlaps(Drawn(draw(make()))) == []


@pytest.mark.parametrize("make", BOARDS)
def test_no_text_over_a_token_or_a_kept_slot_of_another_company(make) -> None:
    drawn = Drawn(draw(make()))
    for token in (e for e in drawn.all("circle") if e.get("data-company") or e.get("data-reserved")):
        x, y, r = (float(token.get(k, 0)) for k in ("cx", "cy", "r"))
        for text, left, top, right, bottom in boxes(drawn):
            nearest = complex(min(max(x, left), right), min(max(y, top), bottom))
            own = text.rstrip("?") in (token.get("data-company"), token.get("data-reserved"))
            assert own or abs(nearest - complex(x, y)) > r, (text, token.attrib)


def test_no_text_over_text_with_routes_and_legend() -> None:
    position, solution = late_game()
    assert overlaps(Drawn(draw_solution(position, solution))) == []


def check_text(board: Board, routes: tuple[Route, ...], company: str) -> None:
    """All text is within the picture and none is over other text."""
    drawn = Drawn(draw(board, routes, company=company))
    assert overlaps(drawn) == []
    left, top, width, height = (float(n) for n in drawn.root.get("viewBox", "").split())
    for text, x, y, right, bottom in boxes(drawn):
        assert (left <= x, right <= left + width, top <= y, bottom <= top + height) == (True,) * 4, text


@pytest.mark.parametrize("name", ["18India", "1889", "18Chesapeake"])
def test_no_text_over_text_on_recorded_runs(name: str) -> None:
    for r in recorded(name)[::12]:
        check_text(r.position.board, ran(r), r.position.company)


@pytest.mark.long
def test_no_text_over_text_on_any_recorded_or_generated_board() -> None:
    for r in (r for name in ("18India", "1889", "18Chesapeake") for r in recorded(name)):
        check_text(r.position.board, ran(r), r.position.company)
    for seed in range(40):
        check_text(random_board(seed, None, companies=12, tokens=0.6, extra_tokens=0.1, markers=1.0), (), "")


def test_all_tokens_are_drawn_with_the_id_of_their_company() -> None:
    board = full_board()
    assert any(t.extra for t in board.tokens)
    drawn = Drawn(draw(board))
    tokens = [company for e in drawn.all("circle") if (company := e.get("data-company"))]
    assert sorted(tokens) == sorted(t.company for t in board.tokens)
    texts = drawn.texts("stops") + drawn.texts("labels")
    for company in {t.company for t in board.tokens}:
        assert texts.count(company) == tokens.count(company)


def test_token_has_the_colour_of_its_company_and_text_that_reads_on_it() -> None:
    board = Board(INDIA, tokens=(Token("TR", "M10"), Token("MR", "K30")))
    drawn = Drawn(draw(board, reserved={}))
    fills = {e.get("data-company"): e.get("fill") for e in drawn.all("circle") if e.get("data-company")}
    assert fills == {"TR": "#100e0d", "MR": "#fccd1c"}
    inks = {e.text: e.get("fill") for e in drawn.all("text", "stops")}
    assert inks == {"TR": "#fff", "MR": "#000"}


def test_companies_without_a_title_have_colours_of_their_own() -> None:
    board = recorded("1889")[-1].position.board
    companies = {t.company for t in board.tokens}
    fills = {(e.get("data-company"), e.get("fill")) for e in Drawn(draw(board)).all("circle") if e.get("data-company")}
    assert len(companies) == len(fills) == len({fill for _, fill in fills})


def test_variable_city_shows_a_question_mark_plus_its_part() -> None:
    texts = Drawn(draw(Board(INDIA))).texts()
    plus = sorted(f"?+{hx.plus}" for hx in INDIA.hexes.values() if hx.plus is not None)
    assert len(plus) == 9
    assert sorted(t for t in texts if "?+" in t and ":" not in t) == plus
    assert not [t for t in texts if re.fullmatch(r"\d+\+\d+", t)]


def test_offboard_area_shows_the_value_of_every_phase_and_marks_the_current_one() -> None:
    area = LaidTile("A1", "x", 0, "offboard=revenue:yellow_30|brown_60|diesel_100;path=a:0,b:_0", "red")
    drawn = Drawn(draw(Board(tiles=(area,), colors=("yellow", "green", "brown"))))
    weights = {e.text: e.get("font-weight") for e in drawn.all("text", "labels")}
    assert weights == {"30": None, "60": "bold", "D 100": None, "A1": None}


def test_map_shows_names_terrain_rivers_borders_and_commodities() -> None:
    board = Board(INDIA, markers=frozenset({("D19", "D21")}), jewelry_hex="F33")
    drawn = Drawn(draw(board))
    texts = drawn.texts("labels")
    assert set(board.hexes) <= set(texts)
    assert {"Mumbai", "Visakhapatnam", "FERRY"} <= set(texts)
    assert texts.count("OO") == 2
    costs = [str(hx.terrain_cost) for hx in board.hexes.values() if hx.terrain_cost]
    assert all(texts.count(c) >= costs.count(c) for c in set(costs))
    assert len([e for e in drawn.all("path", "borders") if e.get("class") == "province"]) == len(INDIA.province_borders)
    assert len([e for e in drawn.all("path", "borders") if e.get("class") == "river"]) == len(INDIA.river_borders)
    assert [g.get("data-border") for g in drawn.all("g") if g.get("class") == "gauge"] == ["D19-D21"]
    for name, commodity in INDIA.commodities.items():
        assert texts.count(name) == len(commodity.sources) + commodity.placed
        for value in set(commodity.destinations.values()):
            assert texts.count(f"{name} {value}") == list(commodity.destinations.values()).count(value)


def test_cost_of_a_river_is_shown_until_track_crosses_it() -> None:
    def shown(*tiles: LaidTile) -> int:
        return Drawn(draw(Board(INDIA, tiles))).texts("markers").count("30")

    assert shown() == len(INDIA.river_borders)
    half = LaidTile("C16", "58", 5)  # a curve with track to the east side, over the river to Ahmedabad
    assert ("C16", "D17") in INDIA.river_borders
    assert 5 in Board(INDIA, (half,)).hexes["C16"].tile.exits
    assert shown(half) == len(INDIA.river_borders)
    assert shown(half, LaidTile("D17", "57", 2)) == len(INDIA.river_borders) - 1


def test_route_is_drawn_along_its_track_and_counted_stops_have_a_ring_of_its_colour() -> None:
    position, solution = late_game()
    assert len(solution.routes) == 2
    drawn = Drawn(draw_solution(position, solution))
    track = {tuple(sorted(points(e.get("d", "")), key=abs)) for e in drawn.track().values()}
    colors = []
    for i, route in enumerate(solution.routes):
        lines = [e for e in drawn.all("path", "routes") if e.get("data-route") == str(i)]
        pieces = [p for e in lines for p in re.findall(r"M[^M]*", e.get("d", ""))]
        assert len(pieces) == sum(map(len, route.track))
        assert {tuple(sorted(points(p), key=abs)) for p in pieces} <= track
        colors.append(lines[0].get("stroke"))
        rings = [e for e in drawn.all("path", "stops") if e.get("stroke") == colors[-1]]
        rings += [e for e in drawn.all("circle", "stops") if e.get("fill") == colors[-1]]
        assert len(rings) == sum(route.counted)
    assert len(set(colors)) == 2


def test_track_that_two_routes_use_shows_both() -> None:
    position, solution = late_game()
    route = solution.routes[0]
    lines = [e for e in Drawn(draw(position.board, (route, route))).all("path", "routes") if e.get("data-route")]
    (under, over) = lines
    assert under.get("stroke") != over.get("stroke")
    assert float(under.get("stroke-width", 0)) > float(over.get("stroke-width", 0)) + 8


def test_legend_lists_stops_lines_and_revenue_of_each_train_and_the_total() -> None:
    position, solution = late_game()
    idle = Solution(
        solution.routes, (IdleTrain(2, "2", "no route of its length"),), solution.total, solution.total + 10, False
    )
    drawn = Drawn(draw_solution(position, idle))
    texts = drawn.texts("legend")
    joined = " ".join(texts)
    assert f"total {solution.total}" in texts
    assert f"best found so far, at most {solution.total + 10}" in joined
    assert "train 2 idle: no route of its length" in joined
    for route in solution.routes:
        assert texts[texts.index(f"{route.name} train") + 1] == str(route.revenue)
        assert all(line.label in joined for line in route.lines)
        chain = joined[joined.index(f"{route.name} train") :]
        for stop, counted in zip(route.stops, route.counted, strict=True):
            found = re.search(rf"\([^()]*\b{stop.hex}\b[^()]*\)|\b{stop.hex}\b", chain)
            assert found
            assert counted != found[0].startswith("(")
            chain = chain[found.end() :]


@pytest.mark.parametrize("routes", [0, 1, 2, 24])
def test_legend_is_not_over_the_map(routes: int) -> None:
    position, solution = late_game()
    drawn = Drawn(draw(position.board, (solution.routes * 12)[:routes], company="MR"))
    (left, low), (right, high) = ((p.real, p.imag) for p in legend_box(drawn))
    for element in drawn.all("path", "hexes"):
        for corner in points(element.get("d", "")):
            assert not (left < corner.real < right and low < corner.imag < high)
    _, _, width, height = (float(n) for n in drawn.root.get("viewBox", "").split())
    assert width * height > (right - left) * (high - low)


def kept(drawn: Drawn) -> dict[str, list[complex]]:
    """Where slots are kept for homes, by company."""
    found: dict[str, list[complex]] = {}
    for e in drawn.all("circle"):
        if company := e.get("data-reserved"):
            found.setdefault(company, []).append(complex(float(e.get("cx", 0)), float(e.get("cy", 0))))
    return found


@pytest.mark.parametrize("make", BOARDS)
def test_no_text_over_a_gauge_marker(make) -> None:
    drawn = Drawn(draw(make()))
    for marker in (c for g in drawn.all("g", "gauge") for c in g if c.tag == SVG + "circle"):
        x, y, r = (float(marker.get(k, 0)) for k in ("cx", "cy", "r"))
        for text, left, top, right, bottom in boxes(drawn):
            nearest = complex(min(max(x, left), right), min(max(y, top), bottom))
            assert abs(nearest - complex(x, y)) > r, text


def test_homes_to_come_are_drawn_until_the_token_is_there() -> None:
    homes = {c.id: c for c in INDIA.companies.values() if c.home}
    drawn = Drawn(draw(Board(INDIA)))
    assert {c: len(at) for c, at in kept(drawn).items()} == {c: len(h.home_cities) for c, h in homes.items()}
    for company, places in kept(drawn).items():
        assert all(abs(at - middle(homes[company].home)) < 100 for at in places)
        assert drawn.texts("stops").count(company + "?" * (len(places) > 1)) == len(places)
    assert "home of a company without a token yet" in drawn.texts("legend")
    assert set(kept(Drawn(draw(Board(INDIA, tokens=(Token("PNS", "D3"),)))))) == set(homes) - {"PNS"}


def test_home_of_a_city_that_two_cities_became_is_in_that_city() -> None:
    board = Board(INDIA, (LaidTile("G8", "IND1", 5),), (Token("NWR", "G8", 0, 0),))
    assert len(board.hexes["G8"].tile.stops) == 1
    assert board.hexes["G8"].tile.stops[0].slots > 1
    found = kept(Drawn(draw(board)))
    assert "NWR" not in found
    assert len(found["SPD"]) == 1


def test_reserved_cities_can_be_given() -> None:
    board = Board(INDIA)
    assert kept(Drawn(draw(board, reserved={}))) == {}
    found = kept(Drawn(draw(board, reserved={"KGF": ("D3", 0), "TR": ("D23", -1)})))
    assert {c: len(at) for c, at in found.items()} == {"KGF": 1, "TR": 2}
    assert abs(found["KGF"][0] - middle("D3")) < 50
    with pytest.raises(PositionError, match=r"reserved\[KGF\]: there is no city 1 in D3") as error:
        draw(board, reserved={"KGF": ("D3", 1), "TR": ("Z9", -1)})
    assert len(error.value.faults) == 2


def whole(**hexes: str) -> Board:
    """A board of hexes with these tiles."""
    return Board(tiles=tuple(LaidTile(h, h, 0, code) for h, code in hexes.items()))


def test_slots_that_a_tile_reserves_are_drawn_until_the_token_is_there() -> None:
    code = "city=revenue:20,slots:3,reserved:AR|B&O;path=a:0,b:_0"
    assert set(kept(Drawn(draw(whole(A1=code))))) == {"AR", "B&O"}
    board = Board(tiles=(LaidTile("A1", "x", 0, code),), tokens=(Token("AR", "A1"),))
    assert set(kept(Drawn(draw(board)))) == {"B&O"}


def test_full_city_keeps_no_slot() -> None:
    tile = LaidTile("A1", "x", 0, "city=revenue:20,reserved:AR")
    drawn = Drawn(draw(Board(tiles=(tile,), tokens=(Token("KU", "A1"),))))
    assert kept(drawn) == {}
    assert drawn.all("g", "legend") == []
    assert "home" not in (drawn.all("path", "hexes")[0].findtext(f"{SVG}title") or "")


def test_terrain_of_a_whole_board_is_drawn() -> None:
    board = whole(
        A1="upgrade=cost:80,terrain:water|mountain",
        A3="upgrade=cost:40,terrain:swamp;city=revenue:0",
        A5="upgrade=cost:60",
        A7="upgrade=cost:oops,terrain:;border;stub=edge:9;upgrade=cost:99999999999",
    )
    drawn = Drawn(draw(board))
    assert sorted(drawn.texts("labels")) == ["80", "A1", "A3", "A5", "A7", "cost 60", "swamp 40"]
    assert len([e for e in drawn.all("path", "labels") if e.get("fill") == "none"]) == 3  # the waves of the water
    assert len([e for e in drawn.all("path", "labels") if e.get("fill") != "none"]) == 1  # the mountain


def test_icons_of_a_whole_board_are_named() -> None:
    board = whole(A1="town=revenue:0;icon=image:1889/port;icon=image:1889/port", A3="icon=sticky:1;icon=image:b_c")
    assert sorted(Drawn(draw(board)).texts("labels")) == ["A1", "A3", "b c", "port"]


@pytest.mark.parametrize(
    ("type_", "kind", "word"),
    [
        ("water", "river", "river"),
        ("mountain", "mountain", "mountains"),
        ("impassable", "impassable", "no track may cross"),
        ("province", "province", "province border"),
    ],
)
@pytest.mark.parametrize("rotation", [0, 1, 4])
def test_border_of_a_whole_board_lies_on_its_side_of_the_tile_as_it_lies(type_, kind, word, rotation) -> None:
    code = f"path=a:0,b:3;border=edge:2,type:{type_},cost:40"
    drawn = Drawn(draw(Board(tiles=(LaidTile("C5", "x", rotation, code), LaidTile("A1", "y", 0, code)))))
    lines = [points(e.get("d", "")) for e in drawn.all("path", "borders") if e.get("class") == kind]
    assert any(close(mean(line), side_middle("C5", (2 + rotation) % 6)) for line in lines)
    assert len(lines) == 2
    assert drawn.texts("markers") == ["40", "40"]
    assert word in drawn.texts("legend")


def test_border_that_both_hexes_name_is_drawn_once() -> None:
    drawn = Drawn(draw(whole(A1="border=edge:0,type:water,cost:30", A3="border=edge:3,type:water,cost:30")))
    assert len([e for e in drawn.all("path", "borders") if e.get("class") == "river"]) == 1
    assert drawn.texts("markers") == ["30"]


def test_halves_of_an_area_are_one_field_with_one_set_of_values() -> None:
    area = "offboard=revenue:yellow_40|brown_60{},groups:P;path=a:{},b:_0;border=edge:{}"
    tiles = (
        LaidTile("A1", "N", 0, area.format("", 5, 0), "red", "Pittsburgh"),
        LaidTile("A3", "S", 0, area.format(",hide:1", 5, 3), "red"),
    )
    drawn = Drawn(draw(Board(tiles=tiles)))
    assert sorted(t for t in drawn.texts("labels") if t in ("40", "60")) == ["40", "60"]
    (joint,) = (e for e in drawn.all("path", "borders") if e.get("class") == "joined")
    assert close(mean(points(joint.get("d", ""))), side_middle("A1", 0))
    assert joint.get("stroke") == drawn.all("path", "hexes")[0].get("fill")
    assert len(drawn.track()) == 2


def test_equal_tiles_keep_their_own_decoration_when_turned() -> None:
    codes = ("path=a:0,b:3;upgrade=cost:40,terrain:hill", "path=a:0,b:3;upgrade=cost:70,terrain:hill", "path=a:0,b:3")
    board = Board(tiles=tuple(LaidTile(f"A{2 * i + 1}", "x", 2, code) for i, code in enumerate(codes)))
    texts = Drawn(draw(board)).texts("labels")
    assert [t for t in texts if t.isdigit()] == ["40", "70"]


def lab(color: str, seen: list[list[float]]) -> tuple[float, ...]:
    """CIE Lab of a colour as somebody sees it: a matrix on linear RGB (Machado, Oliveira, Fernandes 2009)."""
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    r, g, b = (min(1.0, max(0.0, sum(m * c for m, c in zip(row, linear, strict=True)))) for row in seen)
    x, y, z = (
        (0.4125 * r + 0.3576 * g + 0.1804 * b) / 0.9505,
        0.2127 * r + 0.7152 * g + 0.0722 * b,
        (0.0193 * r + 0.1192 * g + 0.9503 * b) / 1.0888,
    )
    fx, fy, fz = (v ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116 for v in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


SIGHT: dict[str, list[list[float]]] = {
    "all cones": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    "no red": [[0.1523, 1.0526, -0.2049], [0.1145, 0.7863, 0.0992], [-0.0039, -0.0481, 1.0520]],
    "no green": [[0.3673, 0.8606, -0.2280], [0.2801, 0.6725, 0.0474], [-0.0118, 0.0429, 0.9690]],
    "no blue": [[1.2555, -0.0767, -0.1788], [-0.0784, 0.9308, 0.1476], [0.0047, 0.6914, 0.3039]],
}


@pytest.mark.parametrize("sight", SIGHT)
def test_colours_of_routes_are_told_apart_by_all_eyes(sight: str) -> None:
    seen = {c: lab(c, SIGHT[sight]) for c in (*COLORS, *TILE_COLORS.values(), "#000000", "#ffffff")}
    assert len(COLORS) == 6
    for a, b in combinations(COLORS, 2):
        assert math.dist(seen[a], seen[b]) > 28, (a, b)
    for color in COLORS:
        for other in (*TILE_COLORS.values(), "#000000", "#ffffff"):
            assert math.dist(seen[color], seen[other]) > 16, (color, other)


def test_several_routes_have_letters_on_their_lines_and_in_the_legend() -> None:
    position, solution = six_trains()
    assert len(solution.routes) == 6
    drawn = Drawn(draw_solution(position, solution))
    assert overlaps(drawn) == []
    assert [t for t in drawn.texts("legend") if re.fullmatch("[A-F]", t)] == list("ABCDEF")
    lines: dict[str, list[complex]] = {}
    for i, letter in enumerate("ABCDEF"):
        own = [e for e in drawn.all("path", "routes") if e.get("data-route") == str(i)]
        pieces = [p for e in own for p in re.findall(r"M[^M]*", e.get("d", ""))]
        lines[letter] = [p for piece in pieces for p in along(piece)]
    letters = [
        (e.text or "", complex(float(e.get("x", 0)), float(e.get("y", 0)) - 0.36 * float(e.get("font-size", 0))))
        for e in drawn.all("text", "badges")
    ]
    assert {t for t, _ in letters} == set("ABCDEF")
    for letter, at in letters:
        near = {k: min(abs(at - p) for p in line) for k, line in lines.items()}
        assert near.pop(letter) < 6
        assert min(near.values()) > 20


def on_track(*tracks: Track) -> Route:
    return Route(0, "2", (), (), (tracks,), (), (), 0)


def test_letter_is_not_where_routes_cross_nor_on_track_of_both() -> None:
    board = whole(C5="path=a:0,b:3;path=a:1,b:4", C7="path=a:3,b:0")
    drawn = Drawn(draw(board, (on_track(Track("C5", 0), Track("C7", 0)), on_track(Track("C5", 1), Track("C7", 0)))))
    assert sorted(drawn.texts("badges")) == ["A", "B"]
    for _, left, top, right, bottom in (b for b in boxes(drawn) if b[0] in ("A", "B") and b[2] < middle("C7").imag):
        if left < middle("C7").real + 100:
            at = complex((left + right) / 2, (top + bottom) / 2)
            assert 20 < abs(at - middle("C5")) < 87
    same = on_track(Track("C7", 0))
    assert Drawn(draw(board, (same, same))).texts("badges") == []


def test_columns_of_the_legend_are_as_low_as_can_be() -> None:
    def block(n: int) -> list[Line]:
        return [Line("head", space=14.0), *(Line("line") for _ in range(n - 1))]

    lines = [*block(6), *block(2), *block(3), *block(5), *block(4)]
    assert [len(c) for c in flow(lines, 1).columns] == [20]
    assert [len(c) for c in flow(lines, 2).columns] == [11, 9]
    assert [len(c) for c in flow(lines, 3).columns] == [8, 8, 4]
    assert [len(c) for c in flow(lines, 9).columns] == [6, 5, 5, 4]


def test_one_route_needs_no_letter() -> None:
    position, solution = late_game()
    drawn = Drawn(draw(position.board, solution.routes[:1]))
    assert drawn.texts("badges") == []
    assert "A" not in drawn.texts("legend")


def test_legend_of_six_trains_keeps_its_text_inside_and_each_train_in_one_column() -> None:
    position, solution = six_trains()
    drawn = Drawn(draw_solution(position, solution))
    low, high = legend_box(drawn)
    for e in drawn.all("text", "legend"):
        x, y, width = float(e.get("x", 0)), float(e.get("y", 0)), text_width(e.text or "", float(e.get("font-size", 0)))
        left = {"start": x, "end": x - width, "middle": x - width / 2}[e.get("text-anchor", "")]
        assert low.real < left, e.text
        assert left + width < high.real, e.text
        assert low.imag < y < high.imag, e.text
    columns = flow(legend_lines(position.board, solution.routes, "", ()), 4).columns
    assert len(columns) == 4
    for i in range(6):
        (column,) = (c for c in columns if any(line.route == i for line in c))
        start = next(k for k, line in enumerate(column) if line.route == i)
        labels = [line.text.strip() for line in column[start:]]
        assert all(line.label in labels for line in solution.routes[i].lines)


def test_hexes_and_routes_say_what_they_are() -> None:
    position, solution = late_game()
    drawn = Drawn(draw_solution(position, solution))
    assert drawn.root.get("role") == "img"
    told = {e.get("data-hex", ""): e.findtext(f"{SVG}title") or "" for e in drawn.all("path", "hexes")}
    assert set(told) == set(position.board.hexes)
    for h, text in told.items():
        assert text.startswith(f"{h} {position.board.hexes[h].name}".strip())
    for token in position.board.tokens:
        assert token.company in told[token.hex]
    described = drawn.root.findtext(f"{SVG}desc") or ""
    assert f"{solution.total} in all" in described
    for i, route in enumerate(solution.routes):
        lines = [e for e in drawn.all("path", "routes") if e.get("data-route") == str(i)]
        for text in (*(e.findtext(f"{SVG}title") or "" for e in lines), described):
            assert f"{route.name} train, {route.revenue}: " in text
    over = [g.get("class") for g in drawn.root.findall(f"{SVG}g") if g.get("pointer-events") == "none"]
    assert over == ["borders", "track", "stops", "markers", "labels", "badges"]


def test_text_from_strangers_is_escaped() -> None:
    evil = "\"/><script>alert('&')</script>\x00\x1b\ud800\u202e"
    code = 'city=revenue:10,slots:2;offboard=revenue:"><b>_30|x&_40;path=a:0,b:_0;path=a:1,b:_1;label=<i>&"'
    board = Board(
        tiles=(LaidTile("A1", evil, 0, code, "yellow", evil * 50),),
        tokens=(Token(evil, "A1"), Token(evil + "2", "A1", 0, None, True)),
    )
    line = RevenueLine("stop", evil, 10, "A1")
    route = Route(0, evil, (StopId("A1", "city", 0),), (True,), ((Track("A1", 0),),), ("A1",), (line,), 10)
    text = draw(board, (route,), company=evil, title_text=evil * 20, notes=[evil, "x" * 100_000])
    drawn = Drawn(text)
    assert "<script" not in text
    assert {e.tag.removeprefix(SVG) for e in drawn.root.iter()} <= {
        "svg", "title", "desc", "g", "path", "rect", "circle", "text",
    }  # fmt: skip
    text.encode()
    assert len(text) < 20_000


def test_clean_text_is_one_short_line_without_control_characters() -> None:
    assert clean("a\n b\t\x00c") == "a b �c"
    assert clean("x" * 500, 10) == "x" * 9 + "…"
    assert clean("Köln 日本") == "Köln 日本"


def test_text_width_grows_with_the_text() -> None:
    assert text_width("", 20) == 0
    assert text_width("WW", 20) > text_width("ii", 20)
    assert text_width("日本", 20) > text_width("ab", 20)


def test_picture_is_standalone() -> None:
    text = draw(full_board())
    assert not re.search(r"href|url\(|<image|<style|<script|@font-face", text)
    assert "sans-serif" in text


def test_same_board_gives_the_same_picture_in_any_process() -> None:
    code = (
        "from trunkline.solver.generate import random_board; from trunkline.solver.draw import draw; "
        "print(draw(random_board(3, 60)))"
    )
    here = draw(random_board(3, 60)) + "\n"
    assert here == draw(random_board(3, 60)) + "\n"
    for seed in ("1", "2"):
        environment = os.environ | {"PYTHONHASHSEED": seed}
        there = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment
        )
        assert there.stdout == here


def test_width_is_that_of_the_picture_in_pixels() -> None:
    assert Drawn(draw(Board(INDIA), width=800)).root.get("width") == "800"
    for width in (0, -1, 10**9):
        with pytest.raises(TrunklineError, match="pixels wide"):
            draw(Board(INDIA), width=width)


def test_route_that_is_not_on_the_board_is_named() -> None:
    board = Board(INDIA)
    route = Route(0, "2", (StopId("D3", "city", 0), StopId("Z9", "city", 0)), (True,), ((Track("D3", 7),),), (), (), 0)
    with pytest.raises(PositionError) as error:
        draw(board, (route,))
    assert [v.field for v in error.value.faults] == [
        "routes[0].counted",
        "routes[0].stops[1]",
        "routes[0].track[0]",
    ]


def test_board_without_hexes_and_far_apart_hexes_can_be_drawn() -> None:
    Drawn(draw(Board()))
    Drawn(draw(Board(tiles=(LaidTile("A-999", "x", 0, STUB), LaidTile("ZZ998", "y", 0, STUB)))))


def test_any_tile_of_the_notation_can_be_drawn() -> None:
    codes = [
        ";".join(["city=revenue:10,slots:20"] * 12),
        "offboard=revenue:10;offboard=revenue:20;path=a:0,b:_0;path=a:1,b:_0;path=a:3,b:_1",
        "junction;junction;path=a:_0,b:_1,terminal:1",
        "junction;junction;path=a:0,b:_0;path=a:3,b:_0;path=a:1,b:_1;path=a:4,b:_1;path=a:_0,b:_1,terminal:1",
        "city=revenue:10;town=revenue:10;offboard=revenue:30;junction;path=a:_0,b:_1;path=a:_2,b:_3;path=a:_0,b:_3",
        "town=revenue:10;path=a:0,b:_0,terminal:1",
        "city=revenue:yellow_10|green_20|brown_30|gray_40|diesel_50|x_60,slots:3;path=a:0,b:_0",
        ";".join(f"path=a:{a},b:{b}" for a, b in combinations(range(6), 2)),
    ]
    for layout in ("flat", "pointy"):
        tiles = tuple(LaidTile(f"A{2 * i + 1}", "x", 0, c, "gray", "Name of it") for i, c in enumerate(codes))
        drawn = Drawn(draw(Board(tiles=tiles, layout=layout)))
        assert len(drawn.track()) == sum(c.count("path=") for c in codes)
        assert "nan" not in drawn.text


def test_whole_board_with_routes_over_offboard_areas() -> None:
    code = "offboard=revenue:yellow_30|brown_60;path=a:0,b:_0"
    tiles = (
        LaidTile("A1", "N", 0, code, "red", "North"),
        LaidTile("A3", "x", 0, "city=revenue:20;path=a:3,b:_0;path=a:0,b:_0", "yellow", "Middle"),
        LaidTile("A5", "S", 3, code, "red", "South & East"),
    )
    board = Board(tiles=tiles, tokens=(Token("AB", "A3"),), colors=("yellow", "green"))
    position = Position(board, "AB", (number_train("3", 3),))
    solution = run(position, (DrawnRoute(0, ("A1", "A3", "A5")),))
    drawn = Drawn(draw_solution(position, solution))
    assert solution.total == 80
    assert "total 80" in drawn.texts("legend")
    assert "North A1 – Middle A3 – South & East A5" in " ".join(drawn.texts("legend"))
    color = next(e.get("stroke") for e in drawn.all("path", "routes") if e.get("data-route"))
    assert len([e for e in drawn.all("rect", "labels") if e.get("fill") == color]) == 2
