"""The rules of section 9, one by one, on boards that hold just what shows them; and what faulty input is told."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations, pairwise, permutations
from random import Random

import pytest

from trunkline.solver.board import (
    COMMON,
    Board,
    Connection,
    DrawnRoute,
    Evaluation,
    LaidTile,
    Position,
    Rules,
    StopId,
    Title,
    Token,
    Track,
    Train,
    Visits,
    border,
    get_title,
    number_train,
)
from trunkline.solver.check import check, evaluate
from trunkline.solver.errors import Cancelled, CheckError

INDIA = get_title("18India")


# --- boards -----------------------------------------------------------------------------------------------------


def tiles(text: str) -> tuple[LaidTile, ...]:
    """``"D5 8 1, E4 4 2"``: tile 8 turned by 1 on D5, tile 4 turned by 2 on E4."""
    return tuple(LaidTile(h, tile, int(r)) for h, tile, r in (t.split() for t in text.split(",")))


def track(path: str, **stops: str) -> tuple[LaidTile, ...]:
    """Track along a path of hexes over the white hexes of the map; ``stops``: ``H31="city=revenue:20"``."""
    hexes = path.split("-")
    sides: dict[str, list[int]] = {h: [] for h in hexes}
    for a, b in pairwise(hexes):
        side = next(s for s, n in INDIA.hexes[a].neighbors.items() if n == b)
        sides[a].append(side)
        sides[b].append((side + 3) % 6)
    laid = []
    for h, exits in sides.items():
        if INDIA.hexes[h].tile.color == "white":
            plain = f"path=a:{exits[0]},b:{exits[-1]}"
            code = ";".join([stops[h], *(f"path=a:{e},b:_0" for e in exits)]) if h in stops else plain
            laid.append(LaidTile(h, "X", 0, code, "yellow"))
    return tuple(laid)


def india(
    laid: Iterable[LaidTile],
    token: str,
    trains: str,
    *,
    others: Sequence[Token] = (),
    markers: str = "",
    open_: str = "",
    held: str = "",
    jewelry: str = "",
    rules: Rules | None = None,
) -> Position:
    """A position of 18 India; ``token``: ``"KGF H31"`` or ``"NWR G8 1"``; ``markers``: ``"D19-D21"``."""
    company, hex_, *city = token.split()
    own = Token(company, hex_, int(city[0]) if city else 0)
    sides = frozenset(border(*m.split("-")) for m in markers.split())
    board = Board(INDIA, tuple(laid), (own, *others), sides, jewelry_hex=jewelry)
    names = tuple(INDIA.trains[t] for t in trains.split())
    concessions = frozenset(open_.split()), frozenset(held.split())
    return Position(board, company, names, *concessions, rules or Rules())


CITY = "city=revenue:20;path=a:0,b:_0;path=a:3,b:_0"
TOWN = "town=revenue:10;path=a:0,b:_0;path=a:3,b:_0"
OFFBOARD = "offboard=revenue:yellow_30|brown_60|diesel_100;path=a:0,b:_0;path=a:3,b:_0"
PLAIN = "path=a:0,b:3"


def whole(
    codes: dict[str, str],
    token: str = "A2",
    trains: Sequence[Train] = (),
    others: Sequence[Token] = (),
    *,
    markers: str = "",
    of: Title = COMMON,
) -> Position:
    """A board sent whole, with a token of company A."""
    board = Board(
        of,
        tuple(LaidTile(h, "X", 0, code, "yellow") for h, code in codes.items()),
        (Token("A", token), *others),
        frozenset(border(*m.split("-")) for m in markers.split()),
        colors=("yellow", "green", "brown"),
    )
    return Position(board, "A", tuple(trains) or (number_train("9", 9),))


def line(*codes: str) -> dict[str, str]:
    """Hexes A2, A4, A6, ... from north to south."""
    return {f"A{2 * i + 2}": code for i, code in enumerate(codes)}


def run(position: Position, *drawn: str) -> Evaluation:
    """Evaluate waypoints: ``"D3-E4-F5"``, a stop as ``G8.city.1``; route ``i`` by train ``i``."""
    return evaluate(position, [DrawnRoute(i, waypoints(text)) for i, text in enumerate(drawn)])


def waypoints(text: str) -> tuple[str | StopId, ...]:
    parts = [part.split(".") for part in text.split("-")]
    return tuple(StopId(p[0], p[1], int(p[2])) if len(p) == 3 else p[0] for p in parts)


def amounts(evaluation: Evaluation, route: int = 0) -> dict[str, int]:
    return {line.label: line.amount for line in evaluation.routes[route].lines}


def messages(evaluation: Evaluation) -> list[str]:
    assert not evaluation.legal
    assert evaluation.routes == ()
    return [str(v) for v in evaluation.faults]


# --- public reports ---------------------------------------------------------------------------------------------

CHENNAI_TO_LAHORE = tiles(
    "J29 8 5, I30 9 1, H31 6 4, H33 9 0, H35 IND6 0, G34 58 0, F33 8 3, F31 8 0, E30 58 3, E28 9 0, E26 8 0,"
    "D25 8 3, D19 4 0, D17 513 0, C16 58 5, B17 8 2, B15 8 1, B9 8 4, C8 8 1, D5 8 1"
)
CHENNAI_TO_LAHORE_STOPS = "K30-H31-H35-G36-G34-E30-D23-D21-D19-D17-C16-A16-C6-D3"


def chennai_to_lahore(train: str = "4E", **more: object) -> Position:
    more = {"markers": "I30-J29 D19-D21", "open_": "OIL", **more}
    return india(CHENNAI_TO_LAHORE, "KGF H31", train, **more)  # type: ignore[arg-type]


def test_e_train_counts_a_city_with_an_own_token_even_when_four_others_are_worth_more() -> None:
    """18xx.games issue #11841: 410 with gauge 2, ?+120, R+80, C+30."""
    e = run(chennai_to_lahore(), CHENNAI_TO_LAHORE_STOPS)
    assert e.total == 410
    (route,) = e.routes
    counted = [s.hex for s, c in zip(route.stops, route.counted, strict=True) if c]
    assert counted == ["K30", "H31", "D23", "D3"]
    assert route.markers == 2
    assert amounts(e) == {
        "Chennai ?+30": 30,
        "Chennai ? = 60, Ahmedabad (D17)": 60,
        "Bengaluru (H31)": 20,
        "Mumbai ?+40": 40,
        "Mumbai ? = 60, Ahmedabad (D17)": 60,
        "Lahore ?+30": 30,
        "Lahore ? = 60, Ahmedabad (D17)": 60,
        "Karachi-Chennai": 80,
        "OIL from B17 to Mumbai": 30,
    }


THREE_TOWNS = tiles("E4 4 2, F5 IND6 1, G4 8 1, G2 8 0, F3 9 0, F7 8 3, G8 59 2")


def test_a_three_town_tile_is_passed_twice_and_lahore_is_worth_the_delhi_value_and_30() -> None:
    """18xx.games issue #11072: Lahore 40+30, Delhi 40, towns 50."""
    e = run(india(THREE_TOWNS, "NWR G8 0", "2"), "D3-E4-F5-F1-F5-G8")
    assert e.total == 160
    assert amounts(e) == {
        "Lahore ?+30": 30,
        "Lahore ? = 40, Delhi (G8 city 0)": 40,
        "town E4": 10,
        "F5 town 1": 10,
        "town F1": 10,
        "F5 town 0": 20,
        "Delhi (G8 city 0)": 40,
    }
    assert e.notes == ()


@pytest.mark.parametrize(
    ("position", "drawn", "revenue"),
    [
        (india(tiles("E24 57 2"), "WIP E24", "3", markers="D23-E24"), "E24-D23", 80),
        (india(tiles("M12 9 0, M14 8 1, L15 8 2, K14 57 2"), "NCR K14", "3", markers="M12-M14"), "K14-M10", 50),
    ],
    ids=["Mumbai", "Nepal"],
)
def test_a_route_over_a_gauge_marker_may_end_in_mumbai_or_nepal(position: Position, drawn: str, revenue: int) -> None:
    """18xx.games issue #11082; their two cities are a group of which a route has at most one."""
    e = run(position, drawn)
    assert (e.total, e.routes[0].markers) == (revenue, 1)


def test_a_variable_city_shows_what_it_adds_and_its_value_follows_the_route() -> None:
    """18xx.games issue #11268: ?+XX, not 20+XX; 20 is only the least value of the ?."""
    e = run(india(tiles("D5 8 1, C8 8 1, B9 8 4, B15 8 1"), "PNS D3", "3"), "D3-C6-A16")
    assert amounts(e) == {
        "Lahore ?+30": 30,
        "Lahore ? = 20, the least": 20,
        "town C6": 10,
        "Karachi ?+20": 20,
        "Karachi ? = 20, the least": 20,
    }


# --- 9.1: which routes are legal --------------------------------------------------------------------------------


def test_a_route_of_18_india_ends_in_cities() -> None:
    position = india(THREE_TOWNS, "PNS D3", "3")
    assert messages(run(position, "D3-E4")) == [
        "routes[0].waypoints[1]: the run ends in town E4; a route starts and ends in a city"
    ]


def test_a_route_of_other_titles_may_end_in_a_town() -> None:
    assert run(whole(line(CITY, TOWN)), "A2-A4").total == 30


def test_a_route_needs_an_own_token() -> None:
    position = india(CHENNAI_TO_LAHORE, "SIR G36", "3")
    assert messages(run(position, "K30-H31")) == ["routes[0]: no stop of the run has a token of SIR"]


def test_an_extra_token_makes_a_route_legal_and_opens_a_full_city() -> None:
    full = Token("B", "A4")
    shut = whole(line(CITY, CITY, CITY), others=[full])
    assert messages(run(shut, "A2-A4-A6")) == [
        "routes[0].waypoints[1]: city A4 is full of tokens of other companies; the run may only end there"
    ]
    assert run(shut, "A2-A4").total == 40
    opened = whole(line(CITY, CITY, CITY), others=[full, Token("A", "A4", extra=True)])
    assert run(opened, "A2-A4-A6").total == 60
    assert run(opened, "A4-A6").total == 40


def test_a_city_with_an_open_slot_may_be_passed() -> None:
    roomy = CITY.replace("20", "20,slots:2")
    assert run(whole(line(CITY, roomy, CITY), others=[Token("B", "A4")]), "A2-A4-A6").total == 60


def test_an_off_board_area_can_only_be_an_end() -> None:
    assert run(whole(line(CITY, OFFBOARD)), "A4-A2").total == 80
    assert messages(run(whole(line(CITY, OFFBOARD, CITY)), "A2-A4-A6")) == [
        "routes[0].waypoints[1]: the run passes off-board area A4; it may only end there"
    ]


def test_at_most_one_city_of_mumbai() -> None:
    laid = track("D23-E24-E22-D21-D23", E24="city=revenue:20")
    e = run(india(laid, "WIP E24", "4"), "D23.city.0-D21-E24-D23.city.1")
    text = "D23: the run visits city 0 of D23 and city 1 of D23; only one stop of Mumbai may be on a route"
    assert messages(e) == [f"routes[0].waypoints[3]: {text}"]


DOUBLE = "city=revenue:40;city=revenue:50;path=a:3,b:_0;path=a:0,b:_1;path=a:_0,b:_1"


def test_both_cities_of_a_double_city_may_be_on_a_route() -> None:
    position = whole(line(CITY, DOUBLE, CITY))
    assert run(position, "A2-A4-A6").total == 130
    assert run(position, "A2-A4-A4-A6").total == 130
    assert run(position, "A2-A4.city.0-A4.city.1-A6").total == 130
    for drawn in ("A2-A4.city.0-A4.city.1", "A4.city.1-A4.city.0-A2"):
        (route,) = run(position, drawn).routes
        assert evaluate(position, [DrawnRoute(0, track=route.track)]).routes == (route,)


def test_track_between_two_stops_of_a_tile_is_used_once() -> None:
    both = number_train("3", 3), number_train("3", 3)
    position = whole(line(CITY, DOUBLE, CITY), trains=both, others=[Token("A", "A6")])
    e = run(position, "A2-A4-A4", "A6-A4-A4")
    assert messages(e) == ["routes[1]: path 2 inside the tile of A4 is used by routes[0] as well"]


RING = {
    "A2": "city=revenue:20;path=a:0,b:_0;path=a:5,b:_0",
    "A4": "town=revenue:10;path=a:3,b:_0;path=a:4,b:_0",
    "B3": "town=revenue:10;path=a:2,b:_0;path=a:1,b:_0",
}


def test_a_stop_is_visited_at_most_once() -> None:
    assert messages(run(whole(RING), "A2-A4-B3-A2")) == ["routes[0].waypoints[3]: city A2 is visited twice"]


def test_two_stops_are_needed() -> None:
    assert messages(run(whole(RING), "A2")) == ["routes[0].waypoints[0]: A2: a route needs at least two stops"]


def test_a_side_is_used_once_by_a_route() -> None:
    codes = line(CITY, "city=revenue:20;town=revenue:10;path=a:3,b:_0;path=a:3,b:_1;path=a:0,b:_1", CITY)
    e = run(whole(codes), "A4.city.0-A2-A4.town.0-A6")
    assert messages(e) == ["routes[0]: the side between A2 and A4 is used twice"]


def test_a_side_is_used_once_by_all_routes_together() -> None:
    trains = number_train("3", 3), number_train("3", 3)
    e = run(whole(line(CITY, CITY, CITY), "A2", trains), "A2-A4-A6", "A4-A2")
    assert messages(e) == ["routes[1]: the side between A2 and A4 is used by routes[0] as well"]
    e = run(whole(line(CITY, CITY, CITY), "A4", trains), "A2-A4", "A4-A6")
    assert e.total == 80


JUNCTION = "junction;path=a:0,b:_0;path=a:3,b:_0;path=a:4,b:_0;path=a:5,b:_0"


def test_a_junction_is_passed_at_most_once_between_two_stops() -> None:
    codes = line(CITY, JUNCTION, CITY)
    loop = {"B3": "path=a:1,b:0", "B5": "path=a:3,b:2"}
    position = whole(codes | loop)
    hexes = position.board.hexes
    names = ["A2", "A4", "A4", "B3", "B5", "A4", "A4", "A6"]
    paths = [0, 1, 2, 0, 0, 3, 0, 1]
    assert hexes["A4"].neighbors[4] == "B3"
    around = tuple(Track(h, p) for h, p in zip(names, paths, strict=True))
    e = evaluate(position, [DrawnRoute(0, track=(around,))])
    assert messages(e) == ["routes[0]: A4: the junction is passed twice without a stop between"]
    assert run(position, "A2-A6").routes[0].hexes == ("A2", "A4", "A6")


def test_two_trains_may_pass_the_same_junction_by_different_sides() -> None:
    codes = line(CITY, JUNCTION, CITY) | {"B3": CITY.replace("a:3", "a:1"), "B5": CITY.replace("a:0", "a:2")}
    position = whole(codes, "A2", (number_train("2", 2),) * 2, [Token("A", "B3")])
    assert run(position, "A2-A6", "B3-B5").total == 80


def test_track_joins_only_where_both_tiles_have_it_at_the_border() -> None:
    codes = line(CITY, CITY.replace("path=a:3", "path=a:1"))
    assert messages(run(whole(codes), "A2-A4")) == [
        "routes[0].waypoints[1]: A4: no track from A2 to A4 that passes no other stop"
    ]


@pytest.mark.parametrize("hexes", ["A2", "A4", "A2-A4"])
def test_no_run_crosses_an_impassable_border(hexes: str) -> None:
    """Nor where the board itself joins the two hexes: the checker looks at the tiles."""
    shut = {"A2": ";border=edge:0,type:impassable", "A4": ";border=edge:3,type:impassable"}
    position = whole({h: code + (shut[h] if h in hexes else "") for h, code in line(CITY, CITY).items()})
    across = (Track("A2", 0), Track("A4", 1))
    for joined in (False, True):
        if joined:
            for side, a, b in ((0, "A2", "A4"), (3, "A4", "A2")):
                position.board.hexes[a].neighbors[side] = b  # type: ignore[index]
        assert messages(evaluate(position, [DrawnRoute(0, track=(across,))])) == [
            "routes[0]: A4: no train crosses the impassable border from A2 (segment 0 of the track)"
        ]
        assert messages(run(position, "A2-A4")) == [
            "routes[0].waypoints[1]: A4: no track from A2 to A4 that passes no other stop"
        ]


def test_the_sea_beside_ahmedabad_is_a_dead_end() -> None:
    position = india(tiles("D17 6 1"), "WR D17", "2")
    assert 1 in position.board.hexes["D17"].tile.exits
    assert messages(run(position, "D17-C18")) == [
        "routes[0].waypoints[1]: C18: a dead end, no train can run to it",
    ]


def test_terminal_track_without_a_stop_is_a_dead_end() -> None:
    position = whole(line(CITY, "city=revenue:20;junction;path=a:3,b:_1,terminal:1;path=a:_1,b:_0"))
    assert messages(run(position, "A2-A4")) == [
        "routes[0].waypoints[1]: A4: no track from A2 to A4 that passes no other stop"
    ]
    track = (Track("A2", 0), Track("A4", 0), Track("A4", 1))
    e = evaluate(position, [DrawnRoute(0, track=(track,))])
    assert messages(e) == ["routes[0]: A4: a dead end, no train can run to it (segment 0 of the track)"]


def test_a_route_may_end_at_a_stop_with_terminal_track_and_not_pass_it() -> None:
    last = "city=revenue:20;path=a:3,b:_0,terminal:1;path=a:0,b:_0,terminal:1"
    position = whole(line(CITY, last, "city=revenue:20;path=a:3,b:_0"))
    assert run(position, "A2-A4").legal
    assert messages(run(position, "A2-A4-A6")) == [
        "routes[0].waypoints[1]: the track to city A4 is terminal; the run may only end there"
    ]


# --- 9.2: length ------------------------------------------------------------------------------------------------


def test_towns_are_free_and_gauge_markers_count_for_a_normal_train() -> None:
    laid = track("H31-G30-F29-E30-E28-E26-E24", H31="city=revenue:20", E30="town=revenue:10", E24="city=revenue:20")
    drawn = "H31-E30-E24"
    assert run(india(laid, "KGF H31", "2"), drawn).total == 50
    markers = "E24-E26 G30-H31"
    assert messages(run(india(laid, "KGF H31", "3", markers=markers), drawn)) == [
        "routes[0]: too long by 1 for train 3: 2 cities, 2 gauge-change markers; at most 3 together"
    ]
    assert run(india(laid, "KGF H31", "4", markers=markers), drawn).total == 50
    assert run(india(laid, "KGF H31", "4E", markers=markers), drawn).total == 40


def test_a_train_visits_only_the_kinds_its_rows_name() -> None:
    cities_only = Train("3", (Visits(("city",), 3, 3),))
    assert messages(run(whole(line(CITY, TOWN, CITY), trains=[cities_only]), "A2-A4-A6")) == [
        "routes[0].waypoints[1]: train 3 cannot visit town A4"
    ]


def assignable(kinds: Sequence[str], rows: Sequence[tuple[tuple[str, ...], int]]) -> bool:
    """Whether each stop finds a place in a row that names its kind, by trying every order of filling."""
    if not kinds:
        return True
    head, *rest = kinds
    return any(
        head in names and n > 0 and assignable(rest, [*rows[:i], (names, n - 1), *rows[i + 1 :]])
        for i, (names, n) in enumerate(rows)
    )


COUNTED = "connection_requires_counted"


@pytest.mark.parametrize("seed", range(80))
def test_rows_that_share_kinds_are_filled_as_well_as_possible_and_the_best_stops_pay(seed: int) -> None:
    """Against trying every assignment and every set of paid stops.

    Of an E train one of them must hold an own token; connections pay always or (C13) between paid stops only.
    """
    rng = Random(seed)
    kinds = [rng.choice(("city", "city", "town")) for _ in range(rng.randint(2, 5))]
    own = rng.randrange(len(kinds))
    kinds[own] = "city"
    values = [10 * rng.randint(0, 6) for _ in kinds]
    names = (("city",), ("town",), ("city", "town"), ("city", "marker"))
    rows = [Visits(rng.choice(names), v := rng.randint(0, 5), rng.randint(0, v)) for _ in range(rng.randint(1, 3))]
    if rng.random() < 0.5:
        rows = [Visits(("city",), rng.randint(1, 5), rng.randint(0, 2)), Visits(("town",), 5, rng.randint(0, 2))]
    rows.append(Visits(("marker",), rng.randint(1, 5), rng.randint(0, 1)))
    shared = {k for k in ("city", "town", "marker") if sum(k in r.kinds for r in rows) > 1}
    rows = [Visits(r.kinds, r.visit) if shared & set(r.kinds) else r for r in rows]
    train = Train("E", tuple(rows), rng.randint(1, 3), rng.random() < 0.5)
    cities = [i for i, k in enumerate(kinds) if k == "city"]
    bonuses = {pair: 10 * rng.randint(1, 9) for pair in combinations(cities, 2) if rng.random() < 0.4 and seed % 2 == 0}
    codes = [f"{k}=revenue:{v};path=a:0,b:_0;path=a:3,b:_0" for k, v in zip(kinds, values, strict=True)]
    hexes = line(*codes)
    links = tuple(Connection(str(p), tuple(f"A{2 * i + 2}" for i in p), v) for p, v in bonuses.items())
    rules = Rules(switches=((COUNTED, seed % 4 == 0),))
    position = whole(hexes, f"A{2 * own + 2}", [train], of=replace(COMMON, connections=links, switches={COUNTED: ""}))
    e = run(replace(position, rules=rules), "-".join(hexes))

    def worth(paid: tuple[int, ...]) -> int:
        linked = [v for p, v in bonuses.items() if seed % 4 or set(p) <= set(paid)]
        return train.multiplier * sum(values[i] for i in paid) + sum(linked)

    payable = [
        s
        for n in range(len(kinds) + 1)
        for s in combinations(range(len(kinds)), n)
        if assignable([kinds[i] for i in s], [(r.kinds, r.pay) for r in rows])
        and (own in s or not train.own_token_counts)
    ]
    if not payable or not assignable(kinds, [(r.kinds, r.visit) for r in rows]):
        assert not e.legal
    else:
        assert e.total == max(map(worth, payable))


# --- 9.3 to 9.6: revenue ----------------------------------------------------------------------------------------


def test_the_multiplier_applies_to_stops_and_not_to_bonuses() -> None:
    e = run(chennai_to_lahore("4Ex2"), CHENNAI_TO_LAHORE_STOPS)
    assert e.total == 2 * 300 + 80 + 30
    assert amounts(e)["×2"] == 300


def test_connection_bonus_of_counted_cities_only() -> None:
    """C13: the best set counts Karachi for the bonus in place of Lahore, which is worth more."""
    rules = Rules(switches=(("connection_requires_counted", True),))
    e = run(chennai_to_lahore(rules=rules), CHENNAI_TO_LAHORE_STOPS)
    assert e.total == (100 + 90 + 80 + 20) + 80 + 30
    (route,) = e.routes
    assert [s.hex for s, c in zip(route.stops, route.counted, strict=True) if c] == ["K30", "H31", "D23", "A16"]


@pytest.mark.parametrize(("name", "revenue"), [("rulebook", 410 + 5 * 20), ("18xx.games", 410 + 20)])
def test_jewelry_pays_at_each_destination_or_once(name: str, revenue: int) -> None:
    position = chennai_to_lahore(held="JEWELRY", jewelry="F33", rules=Rules(name))
    assert run(position, CHENNAI_TO_LAHORE_STOPS).total == revenue


def test_a_commodity_pays_the_holder_and_an_open_concession_is_claimed() -> None:
    unclaimed = run(chennai_to_lahore(open_="OIL GOLD"), CHENNAI_TO_LAHORE_STOPS)
    held = run(chennai_to_lahore(open_="", held="OIL"), CHENNAI_TO_LAHORE_STOPS)
    gone = run(chennai_to_lahore(open_=""), CHENNAI_TO_LAHORE_STOPS)
    assert (unclaimed.total, held.total, gone.total) == (410, 410, 380)
    assert (unclaimed.claims, held.claims, gone.claims) == (("OIL",), (), ())
    assert unclaimed.routes[0].commodities == held.routes[0].commodities == ("OIL",)


def test_each_source_pays_its_best_destination_once() -> None:
    """Both ore hexes lie on the way to Chennai; spices go to the best of Chennai and Mumbai."""
    laid = track("D23-E22-F21-F19-G18-G16-H15-I16-I18-J19-K20-L21-L23-K24-K26-K28-K30")
    position = india(laid, "BR D23 1", "4E", open_="ORE SPICES")
    e = run(position, "D23-K30")
    assert e.total == (20 + 40) + (20 + 30) + 2 * 50 + 50
    assert e.claims == ("ORE", "SPICES")
    assert [x.label for x in e.routes[0].lines if x.kind == "commodity"] == [
        "ORE from H15 to Chennai",
        "ORE from L21 to Chennai",
        "SPICES from I18 to Chennai",
    ]


def test_the_best_destination_counts_in_whatever_order_the_title_names_them() -> None:
    spices = replace(INDIA.commodities["SPICES"], destinations={"D23": 40, "K30": 50, "K40": 30})
    laid = track("D23-E22-F21-F19-G18-G16-H15-I16-I18-J19-K20-L21-L23-K24-K26-K28-K30")
    board = Board(replace(INDIA, commodities={"SPICES": spices}), laid, (Token("BR", "D23", 1),))
    position = Position(board, "BR", (INDIA.trains["4E"],), frozenset({"SPICES"}))
    assert amounts(run(position, "D23-K30"))["SPICES from I18 to Chennai"] == 50


def test_an_off_board_area_is_worth_the_latest_colour_and_to_a_diesel_its_own_value() -> None:
    codes = line(CITY, OFFBOARD)
    assert run(whole(codes, trains=[number_train("4", 4)]), "A2-A4").total == 20 + 60
    assert run(whole(codes, trains=[number_train("D", 99)]), "A2-A4").total == 20 + 100


def test_the_lines_of_a_route_add_up() -> None:
    for route in run(chennai_to_lahore("4Ex3", held="JEWELRY", jewelry="F33"), CHENNAI_TO_LAHORE_STOPS).routes:
        assert sum(x.amount for x in route.lines) == route.revenue


# --- how a drawn route is read ----------------------------------------------------------------------------------


def test_stops_every_hex_single_stops_and_exact_track_are_the_same_route() -> None:
    position = chennai_to_lahore()
    (route,) = run(position, CHENNAI_TO_LAHORE_STOPS).routes
    for drawn in (
        DrawnRoute(0, route.hexes),
        DrawnRoute(0, route.stops),
        DrawnRoute(0, track=route.track),
    ):
        assert evaluate(position, [drawn]).routes == (route,)
    back = evaluate(position, [DrawnRoute(0, route.hexes[::-1])]).routes[0]
    assert (back.revenue, back.hexes) == (route.revenue, route.hexes[::-1])
    assert check(position, [DrawnRoute(0, track=route.track)]) == (route,)


TWO_WAYS = {
    "A2": "city=revenue:20;path=a:0,b:_0;path=a:5,b:_0",
    "A4": PLAIN,
    "B3": "path=a:2,b:0",
    "B5": "path=a:3,b:1",
    "A6": "city=revenue:20;path=a:3,b:_0;path=a:4,b:_0",
}


def test_an_ambiguous_route_is_read_as_a_legal_one_and_the_note_names_the_hexes() -> None:
    (note,) = run(whole(TWO_WAYS), "A2-A6").notes
    assert note == (
        "routes[0]: several legal tracks join the waypoints; they differ at A2, A4, A6, B3, B5. "
        "Read as A2-A4-A6 = 40; all earn the same"
    )
    assert run(whole(TWO_WAYS), "A2-B3-A6").routes[0].hexes == ("A2", "B3", "B5", "A6")
    assert run(whole(TWO_WAYS), "A2-B3-A6").notes == ()


def test_ambiguous_routes_are_read_so_that_they_do_not_share_track() -> None:
    position = whole(TWO_WAYS, trains=[number_train("2", 2)] * 3)
    e = run(position, "A2-A6", "A6-A2")
    assert e.total == 80
    assert {r.hexes for r in e.routes} in (
        {("A2", "A4", "A6"), ("A6", "B5", "B3", "A2")},
        {("A2", "B3", "B5", "A6"), ("A6", "A4", "A2")},
    )
    assert any("is used by" in m for m in messages(run(position, "A2-A6", "A6-A2", "A2-A6")))


def test_the_best_legal_reading_is_taken() -> None:
    """Over the town of 30, not the town of 10, unless the drawing says so."""
    fork = {
        "A2": "city=revenue:20;path=a:0,b:_0",
        "A4": "town=revenue:10;town=revenue:30;junction;path=a:3,b:_2;"
        "path=a:_2,b:_0;path=a:_2,b:_1;path=a:0,b:_0;path=a:0,b:_1",
        "A6": "city=revenue:20;path=a:3,b:_0",
    }
    e = run(whole(fork), "A2-A4-A6")
    assert e.total == 70
    assert "others earn 50 or more" in e.notes[0]
    assert run(whole(fork), "A2-A4.town.0-A6").total == 50


def test_the_way_that_crosses_no_marker_is_found_although_it_is_longer() -> None:
    normal = Train("2", (Visits(("city", "marker"), 2, 2),))
    e = run(whole(TWO_WAYS, trains=[normal], markers="A2-A4"), "A2-A6")
    assert (e.routes[0].hexes, e.notes) == (("A2", "B3", "B5", "A6"), ())


def test_the_way_over_a_commodity_is_found() -> None:
    fork = LaidTile("C16", "X", 0, "junction;path=a:5,b:_0;path=a:2,b:_0;path=a:1,b:_0", "green")
    laid = [*track("D21-D19-D17-C16", D17=CITY[:15]), *track("C16-B17-A16")[1:], *track("C16-B15-A16")[1:]]
    laid = [fork if t.hex == "C16" else t for t in laid]
    e = run(india(laid, "WR D17", "3", open_="OIL"), "D23-D21-D17-A16")
    assert "B17" in e.routes[0].hexes
    assert e.claims == ("OIL",)


def test_a_hex_may_be_passed_beside_its_stop_and_be_visited_later() -> None:
    codes = {
        "A2": CITY,
        "A4": "town=revenue:10;path=a:4,b:_0;path=a:5,b:_0;path=a:3,b:0",
        "A6": "path=a:3,b:4",
        "B5": "path=a:1,b:2",
        "B3": "city=revenue:20;path=a:1,b:_0",
    }
    e = run(whole(codes), "A2-A4-B3")
    assert e.routes[0].hexes == ("A2", "A4", "A6", "B5", "A4", "B3")
    assert run(whole(codes), "A2-A4-A6-B5-A4-B3").routes == e.routes
    assert messages(run(whole(codes | {"D3": CITY}), "A2-A4-D3")) == [
        "routes[0].waypoints[2]: D3: no track from A4 to D3 that passes no other stop"
    ]


def test_an_every_hex_list_makes_no_detour() -> None:
    """A2-A4-A6 names a plain hex between: no other way from A4 to A6 is looked for."""
    codes = line(CITY, JUNCTION, CITY.replace("path=a:0", "path=a:4"))
    codes |= {"B5": "path=a:2,b:1"}
    assert run(whole(codes), "A2-A6").notes != ()
    e = run(whole(codes), "A2-A4-A6")
    assert e.notes == ()
    assert e.routes[0].hexes == ("A2", "A4", "A6")


def test_a_route_passes_no_stop_that_is_not_named() -> None:
    position = whole(line(CITY, TOWN, CITY, PLAIN, CITY))
    assert messages(run(position, "A2-A6-A10")) == [
        "routes[0].waypoints[1]: A6: no track from A2 to A6 that passes no other stop"
    ]


def test_every_gap_is_reported_and_where_tracks_of_a_tile_do_not_meet() -> None:
    apart = "town=revenue:10;town=revenue:10;path=a:3,b:_0;path=a:0,b:_1"
    position = whole(line(CITY, apart, CITY, TOWN, apart, CITY))
    assert messages(run(position, "A2-A4-A6-A8-A10-A12")) == [
        "routes[0].waypoints[2]: A6: no track from A4 to A6 that passes no other stop; from A4 town 1 there is",
        "routes[0].waypoints[5]: A12: no track from A10 to A12 that passes no other stop; from A10 town 1 there is",
    ]


def test_every_reason_is_given_at_once() -> None:
    codes = line(CITY, CITY, OFFBOARD, CITY)
    position = whole(codes, "A8", [number_train("2", 2)], [Token("B", "A4")])
    position = Position(position.board, "C", position.trains)
    assert messages(run(position, "A2-A4-A6-A8")) == [
        "routes[0]: no stop of the run has a token of C",
        "routes[0].waypoints[1]: city A4 is full of tokens of other companies; the run may only end there",
        "routes[0].waypoints[2]: the run passes off-board area A6; it may only end there",
        "routes[0]: too long by 2 for train 2: 3 cities, 1 off-board area; at most 2 together",
    ]


@pytest.mark.parametrize(
    ("drawn", "fault"),
    [
        (DrawnRoute(0), "routes[0]: the route has neither track nor waypoints"),
        (
            DrawnRoute(0, ("A2", "A4"), ((Track("A2", 0), Track("A4", 1)),)),
            "routes[0]: the route has both track and waypoints; give one of them",
        ),
        (DrawnRoute(0, ("A2", "Z99")), "routes[0].waypoints[1]: there is no hex 'Z99'"),
        (DrawnRoute(0, ("A2", "X" * 10**6)), "routes[0].waypoints[1]: this is not the id of a hex"),
        (DrawnRoute(0, ("A2", 7)), "routes[0].waypoints[1]: 7 is neither a hex id nor a stop"),  # type: ignore[arg-type]
        (
            DrawnRoute(0, ("A2", StopId("A4", "city", 3))),
            "routes[0].waypoints[1]: A4: there is no city 3 (the tile has 1, the first is 0)",
        ),
        (
            DrawnRoute(0, ("A2", StopId("A4", "port", 0))),
            "routes[0].waypoints[1]: A4: unknown kind of stop 'port'; known: city, town, offboard",
        ),
        (DrawnRoute(0, ("A2", "B3")), "routes[0].waypoints[1]: B3: there is no track"),
        (
            DrawnRoute(0, ("A2", "A4", "A6")),
            "routes[0].waypoints[2]: A6: a route starts and ends at a stop, and the tile has none",
        ),
        (DrawnRoute(1, ("A2", "A4")), "routes[0].train: there is no train 1 (1 trains, the first is 0)"),
        (DrawnRoute(-1, ("A2", "A4")), "routes[0].train: there is no train -1 (1 trains, the first is 0)"),
        (DrawnRoute(0, ("A2", "A4") * 50_000), "routes[0].waypoints: 100000 waypoints; at most 1000"),
        (DrawnRoute(0, track=((),)), "routes[0]: segment 0 of the track does not start at a stop"),
        (DrawnRoute(0, track=((Track("A6", 0),),)), "routes[0]: segment 0 of the track does not start at a stop"),
        (DrawnRoute(0, track=((Track("Z9", 0),),)), "routes[0]: segment 0 of the track does not start at a stop"),
        (
            DrawnRoute(0, track=((Track("A2", 0),),)),
            "routes[0]: A2: the run does not end at a stop (segment 0 of the track)",
        ),
        (
            DrawnRoute(0, track=((Track("A2", 0), Track("A6", 0)),)),
            "routes[0]: A6: no track from A2 leads there (segment 0 of the track)",
        ),
        (
            DrawnRoute(0, track=((Track("A2", 0), Track("A4", 9)),)),
            "routes[0]: A4: there is no path 9 (2 on the tile) (segment 0 of the track)",
        ),
        (
            DrawnRoute(0, track=((Track("A2", 0), Track("A4", 0)),)),
            "routes[0]: A4: path 0 does not join the track before it (segment 0 of the track)",
        ),
        (
            DrawnRoute(0, track=((Track("A2", 0), Track("A4", 1), Track("A4", 0)),)),
            "routes[0]: A4: the run passes a stop inside a segment (segment 0 of the track)",
        ),
        (DrawnRoute(0, track=((Track("A2", 0),) * 20_000,)), "routes[0].track: more than 10000 pieces of track"),
    ],
)
def test_a_faulty_drawing_names_the_place(drawn: DrawnRoute, fault: str) -> None:
    position = whole(line(CITY, CITY, PLAIN) | {"B3": "label=X"})
    assert messages(evaluate(position, [drawn])) == [fault]


def test_a_train_runs_once_and_there_are_no_more_routes_than_trains() -> None:
    position = whole(line(CITY, CITY, CITY), "A4")
    e = evaluate(position, [DrawnRoute(0, ("A2", "A4")), DrawnRoute(0, ("A4", "A6"))])
    assert messages(e) == ["routes: 2 routes for 1 trains", "routes[1].train: train 0 (9) already runs routes[0]"]
    assert messages(evaluate(position, [DrawnRoute(0, ("A2", "A4"))] * 10**6)) == [
        "routes: 1000000 routes for 1 trains"
    ]


def test_no_routes_earn_nothing() -> None:
    assert evaluate(whole(line(CITY, CITY)), []) == Evaluation()


def field_of_junctions() -> Position:
    """It has more ways across it than can be tried."""
    star = "junction;" + ";".join(f"path=a:{s},b:_0" for s in range(6))
    codes = {f"{c}{2 * i + (c in 'BDFH')}": star for c in "ABCDEFGH" for i in range(1, 9)}
    return whole(codes | {"A2": CITY, "H17": CITY})


def test_a_route_that_can_be_read_in_too_many_ways_is_refused_soon() -> None:
    (fault,) = messages(run(field_of_junctions(), "A2-H17"))
    assert fault.startswith("routes[0]: the waypoints can be read as track in too many ways; name every hex")


def test_an_evaluation_can_be_cancelled() -> None:
    answers = iter([False, False, True])
    with pytest.raises(Cancelled):
        evaluate(field_of_junctions(), [DrawnRoute(0, ("A2", "H17"))], cancelled=lambda: next(answers))
    assert list(answers) == []


def test_many_equal_ways_are_not_too_many() -> None:
    """Thirty pairs of equal ways, a thousand million readings, are one reading with a note."""
    codes: dict[str, str] = {}
    for i in range(30):
        codes[f"A{4 * i + 2}"] = "city=revenue:10;path=a:0,b:_0;path=a:5,b:_0;path=a:3,b:_0;path=a:4,b:_0"
        codes |= {f"A{4 * i + 4}": PLAIN, f"B{4 * i + 3}": "path=a:2,b:0", f"B{4 * i + 5}": "path=a:3,b:1"}
    codes["A122"] = CITY.replace("path=a:0", "path=a:4")
    position = whole(codes, trains=[number_train("31", 31)])
    e = run(position, "-".join(f"A{4 * i + 2}" for i in range(31)))
    assert e.total == 30 * 10 + 20
    assert "all earn the same" in e.notes[0]


# --- what leaves the solver -------------------------------------------------------------------------------------


def test_an_illegal_answer_never_leaves() -> None:
    position = whole(line(CITY, CITY, CITY), "A4", [number_train("2", 2)] * 2)
    first, second = ((Track("A2", 0), Track("A4", 1)),), ((Track("A4", 0), Track("A6", 1)),)
    assert [r.revenue for r in check(position, [DrawnRoute(1, track=first), DrawnRoute(0, track=second)])] == [40, 40]
    for plans, why in [
        ([DrawnRoute(0, track=first), DrawnRoute(1, track=first)], "the side between A2 and A4 is used by routes"),
        ([DrawnRoute(0, track=first), DrawnRoute(0, track=second)], "already runs"),
        ([DrawnRoute(2, track=first)], "there is no train 2"),
        ([DrawnRoute(0, track=first + second)], "too long by 1"),
        ([DrawnRoute(0, ("A2", "A4"))], "no exact track"),
        ([DrawnRoute(0, track=((Track("A2", 0),),))], "does not end at a stop"),
    ]:
        with pytest.raises(CheckError, match=why) as caught:
            check(position, plans)
        assert caught.value.faults


def test_order_of_routes_changes_nothing() -> None:
    trains = [number_train("2", 2), number_train("3", 3), number_train("3", 3)]
    position = whole(line(CITY, CITY, TOWN, CITY, CITY), "A4", trains, [Token("A", "A8")])
    drawn = [DrawnRoute(0, ("A2", "A4")), DrawnRoute(1, ("A4", "A6", "A8")), DrawnRoute(2, ("A8", "A10"))]
    totals = {evaluate(position, order).total for order in permutations(drawn)}
    assert totals == {40 + 50 + 40}
