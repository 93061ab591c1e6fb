"""Positions, solutions and evaluations survive the trip through protobuf and JSON; bad input names its place."""

import json

import pytest
from google.protobuf import json_format
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.positions import FILES, recorded
from trunkline.solver import title_ids, wire
from trunkline.solver.board import (
    STOP_KINDS,
    UNLIMITED,
    Board,
    DrawnRoute,
    Evaluation,
    IdleTrain,
    LaidTile,
    Position,
    RevenueLine,
    Route,
    Rules,
    Solution,
    Statistics,
    StopId,
    Token,
    Track,
    Train,
    Visits,
    get_title,
    number_train,
)
from trunkline.solver.errors import Fault, PositionError, TrunklineError
from trunkline.solver.wire import positions
from trunkline.solver.wire.describe import title_by_name
from trunkline.v1 import position_pb2, solution_pb2, solver_service_pb2

INDIA = get_title("18India")

RICH = {
    "title": "18India",
    "tiles": [
        {"hex": "D5", "tile": "8", "rotation": 1},
        {"hex": "I10", "tile": "X1", "rotation": 2, "definition": "town=revenue:10;path=a:0,b:_0", "color": "yellow"},
    ],
    "tokens": [
        {"company": "EIR", "hex": "P17"},
        {"company": "GIPR", "hex": "K30", "slot": 0},
        {"company": "EIR", "hex": "K30", "extra": True},
        {"company": "BR", "hex": "D23", "city": 1},
    ],
    "markers": [{"hexes": ["I20", "I18"]}],
    "phase": "IV",
    "phaseColors": ["yellow", "green"],
    "company": "EIR",
    "trains": [
        {"name": "3"},
        {"name": "5", "distance": 5},
        {
            "name": "X",
            "visits": [{"kinds": ["city"], "visit": 4, "pay": 2}, {"kinds": ["town", "marker"], "pay": 0}],
            "multiplier": 2,
            "ownTokenCounts": True,
            "card": "Y",
        },
    ],
    "openConcessions": ["GOLD"],
    "heldConcessions": ["JEWELRY"],
    "jewelryHex": "F33",
    "rules": {"set": "18xx.games", "switches": {"connection_requires_counted": True}},
}


def read(**changes):
    return wire.position_from_json(json.dumps(RICH | changes))


def complaint(reader, *args) -> str | None:
    """What the reader says against its input; None: it took it. Any other exception fails the test."""
    try:
        reader(*args)
    except TrunklineError as e:
        return str(e)
    return None


def faults(text) -> dict[str, str]:
    with pytest.raises(PositionError) as e:
        wire.position_from_json(text if isinstance(text, str | bytes) else json.dumps(text))
    assert e.value.faults
    return {v.field: v.message for v in e.value.faults}


# --- the file format ---


def test_every_field_of_the_file_reaches_the_position():
    board = Board(
        INDIA,
        (LaidTile("D5", "8", 1), LaidTile("I10", "X1", 2, "town=revenue:10;path=a:0,b:_0", "yellow")),
        (
            Token("EIR", "P17"),
            Token("GIPR", "K30", slot=0),
            Token("EIR", "K30", extra=True),
            Token("BR", "D23", city=1),
        ),
        frozenset({("I18", "I20")}),
        "IV",
        ("yellow", "green"),
        "F33",
    )
    x = Train("X", (Visits(("city",), 4, 2), Visits(("town", "marker"), UNLIMITED, 0)), 2, True, "Y")
    assert read() == Position(
        board,
        "EIR",
        (INDIA.trains["3"], number_train("5", 5), x),
        frozenset({"GOLD"}),
        frozenset({"JEWELRY"}),
        Rules("18xx.games", (("connection_requires_counted", True),)),
    )


def test_the_file_of_a_position_is_read_back_as_the_same_position():
    assert wire.position_from_json(wire.position_to_json(read())) == read()


def test_what_the_title_knows_is_not_written():
    text = wire.position_to_json(read(phaseColors=[], rules={}))
    data = json.loads(text)
    assert data["trains"][0] == {"name": "3"}
    assert "layout" not in data
    assert "phaseColors" not in data
    assert "rules" not in data


def test_a_position_of_the_title_alone_gets_the_first_phase_and_the_rulebook():
    position = wire.position_from_json('{"title": "18India", "company": "PNS"}')
    assert (position.board.phase, position.rules, position.trains) == ("I", Rules(), ())


@pytest.mark.parametrize("text", ["\ufeff%s", "\n\n%s\n"])
def test_byte_order_mark_and_blank_lines_are_read_over(text):
    assert wire.position_from_json((text % json.dumps(RICH)).encode()) == read()


def test_snake_case_names_are_read_too():
    data = {k: v for k, v in RICH.items() if k != "jewelryHex"} | {"jewelry_hex": "F33"}
    assert wire.position_from_json(json.dumps(data)) == read()


@pytest.mark.parametrize("name", FILES)
def test_recorded_positions_are_read_as_recorded_and_survive_the_file(name):
    for record in recorded(name):
        position = wire.position_from_json(record.text)
        assert position == record.position, record.id
        assert wire.position_from_json(wire.position_to_json(position)) == position, record.id


# --- exact round trips ---

hex_ids = st.sampled_from(["A1", "A3", "B2", "B4", "C3", "AA1", "C-3"])
codes = st.sampled_from(
    ["city=revenue:30,slots:2;path=a:0,b:_0", "offboard=revenue:yellow_30|brown_60;path=a:1,b:_0", "path=a:0,b:3", ""]
)
visits = st.builds(
    Visits,
    st.lists(st.sampled_from([*STOP_KINDS, "marker"]), min_size=1, max_size=3, unique=True).map(tuple),
    st.one_of(st.just(UNLIMITED), st.integers(1, 9)),
    st.one_of(st.just(UNLIMITED), st.integers(0, 9)),
)


def paid_where_shared(rows: list[Visits]) -> tuple[Visits, ...]:
    """The rows, such that those that share a kind with another pay all that they visit."""
    return tuple(
        Visits(r.kinds, r.visit) if any(o is not r and set(o.kinds) & set(r.kinds) for o in rows) else r for r in rows
    )


trains = st.one_of(
    st.builds(number_train, st.text(max_size=3), st.integers(1, 99)),
    st.builds(
        Train,
        st.text(max_size=4),
        st.lists(visits, min_size=1, max_size=3).map(paid_where_shared),
        st.integers(1, 3),
        st.booleans(),
        st.text(max_size=2),
    ),
)
tiles = st.lists(
    st.builds(
        LaidTile,
        hex_ids,
        st.text(max_size=3),
        st.integers(0, 5),
        codes.filter(bool),
        st.sampled_from(["", "white", "gray", "red"]),
        st.text(max_size=5),
    ),
    max_size=6,
    unique_by=lambda t: t.hex,
).map(tuple)


@st.composite
def whole_boards(draw):
    laid = draw(tiles)
    cities = [t.hex for t in laid if t.code.startswith("city")]
    owners = draw(st.lists(st.sampled_from(["", "R", "G", "B"]), min_size=len(cities), max_size=len(cities)))
    tokens = tuple(
        Token(o, h, 0, draw(st.sampled_from([None, 0, 1])), draw(st.booleans()))
        for o, h in zip(owners, cities, strict=True)
        if o
    )
    tokens = tuple(Token(t.company, t.hex, t.city, None, True) if t.extra else t for t in tokens)
    colors = [("yellow",), ("yellow", "brown"), *([] if any("yellow_" in t.code for t in laid) else [()])]
    return Board(
        tiles=laid,
        tokens=tokens,
        phase=draw(st.text(max_size=3)),
        colors=draw(st.sampled_from(colors)),
        layout=draw(st.sampled_from(["flat", "pointy"])),
    )


@given(st.builds(Position, whole_boards(), st.text(min_size=1, max_size=4), st.lists(trains, max_size=3).map(tuple)))
@settings(max_examples=150, deadline=None)
def test_a_whole_board_survives_the_file_and_the_wire(position):
    assert wire.position_from_json(wire.position_to_json(position)) == position
    data = wire.position_to_proto(position).SerializeToString()
    assert wire.position_from_proto(wire.parse(data, position_pb2.Position())) == position


india_positions = st.builds(
    Position,
    st.builds(
        Board,
        st.just(INDIA),
        st.sampled_from([(), (LaidTile("D5", "8", 1),), (LaidTile("D5", "8", 1), LaidTile("E4", "58", 1))]),
        st.sampled_from([(), (Token("BR", "D23", 1),), (Token("EIR", "K30", extra=True), Token("MR", "K30", 0, 0))]),
        st.frozensets(st.sampled_from(sorted(INDIA.province_borders))),
        st.sampled_from(list(INDIA.phases)),
        st.sampled_from([(), ("yellow", "green")]),
        st.sampled_from(["F33", "B15"]),
    ),
    st.sampled_from(list(INDIA.companies)),
    st.lists(st.one_of(st.sampled_from(list(INDIA.trains.values())), trains), max_size=3).map(tuple),
    st.frozensets(st.sampled_from(["GOLD", "ORE", "TEA"])),
    st.frozensets(st.sampled_from(["JEWELRY", "OIL"])),
    st.builds(
        Rules,
        st.sampled_from(list(INDIA.rule_sets)),
        st.dictionaries(st.sampled_from(list(INDIA.switches)), st.booleans()).map(lambda d: tuple(sorted(d.items()))),
    ),
)


@given(india_positions)
@settings(max_examples=50, deadline=None)
def test_a_board_of_18_india_survives_the_file_and_the_wire(position):
    assert wire.position_from_json(wire.position_to_json(position)) == position
    assert wire.position_from_proto(wire.position_to_proto(position)) == position


texts = st.text(max_size=6)
numbers = st.integers(0, 2**31 - 1)
routes = st.integers(2, 5).flatmap(
    lambda n: st.builds(
        Route,
        st.integers(0, 5),
        texts,
        st.lists(
            st.builds(StopId, hex_ids, st.sampled_from(STOP_KINDS), st.integers(0, 3)), min_size=n, max_size=n
        ).map(tuple),
        st.lists(st.booleans(), min_size=n, max_size=n).map(tuple),
        st.lists(
            st.lists(st.builds(Track, hex_ids, st.integers(0, 9)), max_size=3).map(tuple), min_size=n - 1, max_size=n
        ).map(tuple),
        st.lists(hex_ids, max_size=4).map(tuple),
        st.lists(st.builds(RevenueLine, texts, texts, st.integers(-(2**31), 2**31 - 1), texts), max_size=3).map(tuple),
        numbers,
        numbers,
        st.lists(texts, max_size=2).map(tuple),
    )
)
seconds = st.floats(0, 1e6, allow_nan=False)
solutions = st.builds(
    Solution,
    st.lists(routes, max_size=3).map(tuple),
    st.lists(st.builds(IdleTrain, st.integers(0, 5), texts, texts), max_size=2).map(tuple),
    numbers,
    numbers,
    st.booleans(),
    st.lists(texts, max_size=2).map(tuple),
    st.builds(Statistics, st.integers(0, 2**62), seconds, seconds, seconds, seconds),
)


@given(solutions)
@settings(max_examples=60, deadline=None)
def test_a_solution_survives_the_wire_and_json(solution):
    data = wire.solution_to_proto(solution).SerializeToString()
    assert wire.solution_from_proto(wire.parse(data, solution_pb2.Solution())) == solution
    assert wire.solution_from_json(wire.solution_to_json(solution)) == solution


@given(
    st.builds(
        Evaluation,
        st.lists(routes, max_size=2).map(tuple),
        numbers,
        st.lists(texts, max_size=2).map(tuple),
        st.lists(st.builds(Fault, texts, texts), max_size=2).map(tuple),
        st.lists(texts, max_size=2).map(tuple),
    )
)
@settings(max_examples=40, deadline=None)
def test_an_evaluation_survives_the_wire(evaluation):
    assert wire.evaluation_from_proto(wire.evaluation_to_proto(evaluation)) == evaluation
    assert json.loads(wire.evaluation_to_json(evaluation))["legal"] == evaluation.legal


@given(solutions)
@settings(max_examples=30, deadline=None)
def test_the_json_form_is_that_of_protobuf(solution):
    message = wire.solution_to_proto(solution)
    assert wire.to_dict(message) == json_format.MessageToDict(message, always_print_fields_with_no_presence=True)
    described = title_by_name("titles/18India")
    assert wire.to_dict(described, False) == json_format.MessageToDict(described)
    position = wire.position_to_proto(read())
    assert wire.to_dict(position, False) == json_format.MessageToDict(position)


def test_drawn_routes_survive_the_wire():
    drawn = (
        DrawnRoute(0, ("D3", StopId("D23", "city", 1), StopId("F5", "town", 0), StopId("D3", "city", 0))),
        DrawnRoute(1, track=((Track("D5", 0), Track("D7", 1)), (Track("D9", 2),))),
    )
    assert wire.drawn_from_proto(wire.drawn_to_proto(drawn)) == drawn


def test_a_solution_is_read_as_the_routes_it_drew():
    route = Route(1, "3", (StopId("A1", "city", 0),) * 2, (True, True), ((Track("A1", 2),),), ("A1",), (), 10)
    text = wire.solution_to_json(Solution((route,), (), 10, 10, True))
    assert wire.routes_from_json(text) == (DrawnRoute(1, track=((Track("A1", 2),),)),)


def test_a_question_is_a_position_with_routes():
    text = json.dumps({"position": RICH, "routes": [{"train": 1, "waypoints": ["D3", "D23 city 1"]}]})
    assert wire.question_from_json(text) == (read(), (DrawnRoute(1, ("D3", StopId("D23", "city", 1))),))


@pytest.mark.parametrize(
    ("route", "message"),
    [
        ({"train": 2}, "the route of train 2 has neither waypoints nor segments"),
        ({"waypoints": ["D3"], "segments": [{}]}, "the route of train 0 has both waypoints and segments; give one"),
    ],
)
def test_a_drawn_route_has_either_waypoints_or_segments(route, message):
    with pytest.raises(PositionError) as e:
        wire.routes_from_json(json.dumps({"routes": [route]}))
    assert e.value.faults == (Fault("routes[0]", message),)


# --- bad input names its place ---


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("", "line 1, column 1"),
        ('{"title": "18India"', "line 1, column 20"),
        ('{"title": "18India",\n "tiles": [}', "line 2, column 12"),
        ('{"title": }', "line 1, column 11"),
        ('{"company": "\x01"}', "line 1, column 14"),
        (b'\xff{"title": ""}', "byte 0xff in position 0"),
        ('{"title": "a", "title": "b"}', "the key 'title' is given twice"),
        ('{"tiles": [{"rotation": NaN}]}', "NaN is no number"),
        ('{"tiles": [{"rotation": -Infinity}]}', "-Infinity is no number"),
        ("[" * 100_000, "nested too deep"),
        ('{"tiles":' * 100_000, "nested too deep"),
        ('{"tiles": [{"rotation": ' + "9" * 5000 + "}]}", "digits"),
    ],
)
def test_broken_json_names_line_and_column(text, place):
    [message] = faults(text).values()
    assert place in message


@pytest.mark.parametrize(
    ("data", "field", "message"),
    [
        (5, "", "5 is not an object {...}"),
        ([], "", "[] is not an object {...}"),
        ({"phse": ""}, "phse", "unknown field; did you mean phase?"),
        ({"xyz": 1}, "xyz", "unknown field; known: title, layout, tiles"),
        ({"tiles": [{}, {"rotatoin": 1}]}, "tiles[1].rotatoin", "unknown field; did you mean rotation?"),
        ({"tiles": {"hex": "D5"}}, "tiles", '{"hex": "D5"} is not a list [...]'),
        ({"tiles": [5]}, "tiles[0]", "5 is not an object {...}"),
        ({"tiles": [None]}, "tiles[0]", "null is not an object {...}"),
        ({"tiles": [{"hex": 5}]}, "tiles[0].hex", "5 is not a text in quotes"),
        ({"tiles": [{"rotation": 1.5}]}, "tiles[0].rotation", "1.5 is not a whole number of at most 32 bits"),
        ({"tiles": [{"rotation": True}]}, "tiles[0].rotation", "true is not a whole number"),
        ({"tiles": [{"rotation": "1"}]}, "tiles[0].rotation", '"1" is not a whole number'),
        ({"tiles": [{"rotation": 2**31}]}, "tiles[0].rotation", "2147483648 is not a whole number of at most 32"),
        ({"tokens": [{"extra": "yes"}]}, "tokens[0].extra", '"yes" is not true or false'),
        ({"markers": [{"hexes": "I18"}]}, "markers[0].hexes", '"I18" is not a list [...]'),
        ({"openConcessions": [None]}, "openConcessions[0]", "null is not a text in quotes"),
        ({"rules": []}, "rules", "[] is not an object {...}"),
        ({"rules": {"switches": ["x"]}}, "rules.switches", '["x"] is not an object {...}'),
        ({"rules": {"switches": {"x": 1}}}, "rules.switches.x", "1 is not true or false"),
        ({"company": "\ud800"}, "company", "half a character"),
        ({"jewelryHex": "F33", "jewelry_hex": "F31"}, "jewelry_hex", "the field is given in both spellings"),
    ],
)
def test_json_that_is_no_position_names_the_field(data, field, message):
    found = faults(data)
    assert list(found) == [field]
    assert found[field].startswith(message)


def test_every_fault_of_the_json_is_named_not_only_the_first():
    assert set(faults({"tiles": [{"hex": 5}, {"hexx": ""}], "company": []})) == {
        "tiles[0].hex",
        "tiles[1].hexx",
        "company",
    }


@pytest.mark.parametrize(
    ("changes", "field", "message"),
    [
        ({"title": "18Mars"}, "title", f"unknown title '18Mars'; known: {', '.join(title_ids())}"),
        ({"markers": [{"hexes": ["I18"]}]}, "markers[0].hexes", "1 hexes; a marker lies between two"),
        (
            {"markers": [{"hexes": ["I18", "I20"]}, {"hexes": ["I20", "I18"]}]},
            "markers[1]",
            "there are two markers between I18 and I20",
        ),
        ({"trains": [{"name": "9"}]}, "trains[0].name", "unknown train '9'; known: 2, 3, 4"),
        ({"trains": [{}]}, "trains[0].name", "unknown train ''; known: 2"),
        ({"trains": [{"name": "3", "multiplier": 2}]}, "trains[0]", "train '3': give its distance or visits as well"),
        (
            {"trains": [{"name": "3", "distance": 2, "visits": [{"kinds": ["city"]}]}]},
            "trains[0]",
            "train '3': give its distance or its visits, not both",
        ),
        ({"trains": [{"name": "0", "distance": 0}]}, "trains[0].distance", "train '0' can visit no stops"),
        (
            {"phaseColors": ["yellow", "yelow"]},
            "phase_colors[1]",
            "unknown colour 'yelow'; known: white, yellow, green",
        ),
        ({"openConcessions": ["GOLD", "GOLD"]}, "open_concessions", "GOLD is given twice"),
    ],
)
def test_a_position_that_cannot_be_names_the_field(changes, field, message):
    found = faults(RICH | changes)
    assert list(found) == [field]
    assert found[field].startswith(message)


def test_a_bad_board_does_not_hide_the_faults_of_the_question():
    found = faults(RICH | {"tiles": [{"hex": "Z99", "tile": "8"}], "company": "XXX", "trains": [{"name": "9"}]})
    assert set(found) == {"tiles[0].hex", "company", "trains[0].name"}


@pytest.mark.parametrize("missing", sorted(RICH))
def test_a_missing_field_is_the_default_or_a_fault_of_its_own(missing):
    data = {k: v for k, v in RICH.items() if k != missing}
    expected = {
        "title": {"tiles", "tokens", "markers", "jewelry_hex", "trains", "held_concessions", "open_concessions"}
        | {"rules.set", "rules.switches"},
        "company": {"company"},
        "jewelryHex": {"held_concessions"},
    }
    if missing in expected:
        assert {field.partition("[")[0] for field in faults(data)} <= expected[missing]
    else:
        assert wire.position_from_json(json.dumps(data)).company == "EIR"


def test_a_text_of_100_megabytes_is_refused_unread(monkeypatch):
    monkeypatch.setattr("json.loads", lambda *_: pytest.fail("it was read"))
    [message] = faults(b'{"company": "' + bytes(100_000_000) + b'"}').values()
    assert "at most 8,000,000" in message


def test_bytes_that_are_no_message_are_refused():
    with pytest.raises(PositionError, match=r"the 2 bytes are no trunkline\.v1\.Position"):
        wire.parse(b"\xff\xff", position_pb2.Position())


def test_a_number_above_32_bits_is_refused_when_written():
    board = Board(tiles=(LaidTile("A1", "x", 0, "city=revenue:10"),))
    with pytest.raises(TrunklineError, match="cannot be written"):
        wire.position_to_proto(Position(board, "R", (number_train("9", 2**40),)))


def from_bytes(data):
    wire.position_from_proto(wire.parse(data, position_pb2.Position()))


def drawn_from_bytes(data):
    wire.drawn_from_proto(wire.parse(data, solver_service_pb2.EvaluateRequest()).routes)


@given(st.binary(max_size=200))
@settings(max_examples=300, deadline=None)
def test_random_bytes_are_a_position_or_a_clear_error(data):
    assert complaint(from_bytes, data) != ""
    assert complaint(drawn_from_bytes, data) != ""


scrap = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(["18India", "D5", "8", "3"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from([*RICH, "hex", "tile", "name", "distance", "kinds", "visits", "x"]), inner)
    ),
    max_leaves=12,
)


@given(st.one_of(st.text(max_size=50), st.binary(max_size=50), scrap.map(json.dumps)))
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_random_text_is_a_position_or_a_clear_error(text):
    for reader in (wire.position_from_json, wire.routes_from_json, wire.question_from_json):
        assert complaint(reader, text) != ""


@given(st.sampled_from(sorted(RICH)), scrap)
@settings(max_examples=200, deadline=None)
def test_any_value_in_any_field_is_a_position_or_a_clear_error(field, value):
    assert complaint(wire.position_from_json, json.dumps(RICH | {field: value})) != ""


@given(st.data())
@settings(max_examples=200, deadline=None)
def test_a_message_with_flipped_bytes_is_a_position_or_a_clear_error(data):
    message = bytearray(wire.position_to_proto(read()).SerializeToString())
    for _ in range(data.draw(st.integers(1, 4))):
        message[data.draw(st.integers(0, len(message) - 1))] = data.draw(st.integers(0, 255))
    assert complaint(from_bytes, bytes(message)) != ""


def test_what_is_remembered_of_a_position_has_a_bound():
    """Texts have no other limit than that of a message; only short ones are kept."""
    long = "path=a:0,b:3;label=" + "x" * positions.KEPT_BYTES
    position = Position(Board(tiles=(LaidTile("A2", "x", code=long),)), "US")
    before = positions._known_tile.cache_info().currsize
    for _ in range(2):
        assert wire.position_from_proto(wire.position_to_proto(position)) == position
    assert positions._known_tile.cache_info().currsize == before


def test_what_is_written_twice_is_equal_and_apart():
    """Parts of messages that are kept are copied, not shared."""
    route = Route(0, "2", (StopId("A2", "city", 0),), (True,), ((Track("A2", 0),),), ("A2",), (), 0)
    first, second = (wire.solution_to_proto(Solution((route,), (), 0, 0, True)) for _ in range(2))
    assert first == second
    first.routes[0].stops[0].hex = first.routes[0].segments[0].track[0].hex = "B1"
    assert second == wire.solution_to_proto(Solution((route,), (), 0, 0, True))
