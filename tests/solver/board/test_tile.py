"""Tiles and the notation they are written in."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.positions import recorded
from trunkline.solver import NotationError, get_title, parse_tile
from trunkline.solver.board import CITY, OFFBOARD, TOWN, End, Path, Tile, TileStop, format_tile

INDIA = get_title("18India")


def same(a: Tile, b: Tile) -> bool:
    """Whether two tiles are the same but for name, colour and rotation."""
    return replace(a, name="", color="white", rotation=0) == replace(b, name="", color="white", rotation=0)


def test_a_city_with_two_exits():
    tile = parse_tile("city=revenue:30,slots:2;path=a:0,b:_0;path=a:_0,b:3;label=OO", "X1", "green")
    assert tile.stops == (TileStop(CITY, 0, (("", 30),), slots=2),)
    assert tile.paths == (Path(End("edge", 0), End("stop", 0)), Path(End("stop", 0), End("edge", 3)))
    assert (tile.exits, tile.labels, tile.name, tile.color) == (frozenset({0, 3}), ("OO",), "X1", "green")


def test_stops_of_a_kind_are_numbered_in_order():
    tile = parse_tile("town=revenue:10;city=revenue:20;town=revenue:30;junction;offboard=revenue:40")
    assert [(s.kind, s.number) for s in tile.stops] == [(TOWN, 0), (CITY, 0), (TOWN, 1), (OFFBOARD, 0)]
    assert tile.of_kind(TOWN) == (0, 2)
    assert tile.junctions == 1


def test_an_end_counts_stops_and_junctions_together_in_the_order_written():
    tile = parse_tile("town=revenue:10;junction;city=revenue:20;path=a:_0,b:_1;path=a:_1,b:_2;path=a:_2,b:4")
    assert tile.paths == (
        Path(End("stop", 0), End("junction", 0)),
        Path(End("junction", 0), End("stop", 1)),
        Path(End("stop", 1), End("edge", 4)),
    )


def test_an_empty_tile_has_nothing():
    assert parse_tile("") == Tile("")
    assert parse_tile(" ; ") == Tile("")


def test_decoration_is_read_over():
    tile = parse_tile(
        "border=edge:0,type:province;icon=image:18_india/tea;upgrade=cost:30,terrain:mountain;path=a:0,b:3"
    )
    assert same(tile, parse_tile("path=a:0,b:3"))


def test_revenue_by_colour_is_that_of_the_last_colour_that_came():
    tile = parse_tile("offboard=revenue:yellow_30|brown_60|diesel_100")
    stop = tile.stops[0]
    assert stop.value(("yellow",)) == 30
    assert stop.value(("yellow", "green")) == 30
    assert stop.value(("yellow", "green", "brown")) == 60
    assert stop.value(("yellow", "green", "brown"), diesel=True) == 100
    assert stop.value(()) == 0


def test_a_plain_revenue_is_the_same_for_every_colour_and_train():
    stop = parse_tile("city=revenue:40").stops[0]
    assert {stop.value(colors, d) for colors in ((), ("gray",)) for d in (False, True)} == {40}


@pytest.mark.parametrize("name", list(INDIA.tiles))
def test_tiles_of_the_box_survive_writing_and_reading_in_every_rotation(name):
    for rotation in range(6):
        tile = INDIA.tiles[name].tile.rotated(rotation)
        assert same(parse_tile(format_tile(tile)), tile)


def test_printed_and_recorded_tiles_survive_writing_and_reading():
    tiles = [hx.tile for hx in INDIA.hexes.values()]
    for name in ("1889", "18Chesapeake"):
        tiles += [hx.tile for hx in recorded(name)[-1].position.board.hexes.values()]
    for tile in tiles:
        assert same(parse_tile(format_tile(tile)), tile)


def test_a_turn_moves_every_exit_clockwise():
    tile = parse_tile("town=revenue:10;path=a:0,b:_0;path=a:_0,b:1;path=a:5,b:3")
    assert tile.rotated(2).exits == {2, 3, 1, 5}
    assert tile.rotated(2).paths[2] == Path(End("edge", 1), End("edge", 5))
    assert tile.rotated(2).stops == tile.stops
    assert tile.rotated(2).rotation == 2


@pytest.mark.parametrize("name", list(INDIA.tiles))
def test_turns_add_up_and_six_of_them_are_none(name):
    tile = INDIA.tiles[name].tile
    assert tile.rotated(6) == tile.rotated(0) == tile
    for a in range(6):
        for b in range(6):
            assert tile.rotated(a).rotated(b) == tile.rotated(a + b)


@pytest.mark.parametrize(
    ("code", "part", "fault"),
    [
        ("cty=revenue:20", "cty=revenue:20", "unknown part 'cty'"),
        ("halt=x:1", "halt=x:1", "known: city, town, offboard, junction, path, label, border, frame, "),
        ("halt=x:1", "halt=x:1", ", future_label, icon, partition, stripes, stub, upgrade"),
        ("city=revenue:20;path", "path", "needs both ends"),
        ("path=a:0", "path=a:0", "needs both ends"),
        ("path=a:0,b:7", "path=a:0,b:7", "'7' is not a whole number from 0 to 6"),
        ("path=a:0,b:-1", "path=a:0,b:-1", "'-1' is not"),
        ("path=a:0,b:٣", "path=a:0,b:٣", "is not a whole number"),
        ("path=a:0,b:_0", "path=a:0,b:_0", "'_0' names a stop or junction that is not written before it"),
        ("path=a:0,b:_0;city=revenue:20", "path=a:0,b:_0", "not written before it"),
        ("city=revenue:20;path=a:0,b:_", "path=a:0,b:_", "end '' is not"),
        ("path=a:2,b:2", "path=a:2,b:2", "both ends are the same"),
        ("city=revenue:20;path=a:_0,b:_0", "path=a:_0,b:_0", "both ends are the same"),
        ("path=a:0,a:1", "path=a:0,a:1", "'a' is given twice"),
        ("path=a:0,b:1,c:2", "path=a:0,b:1,c:2", "unknown key 'c'"),
        ("path=a:0,b", "path=a:0,b", "'b' is not of the form key:value"),
        ("path=a:0,b:1,track:narrow", "track:narrow", "track:narrow is not supported"),
        ("path=a:0,b:1,lanes:2", "lanes:2", "lanes:2 is not supported"),
        ("path=a:0,b:1,a_lane:2.0", "a_lane", "parallel tracks"),
        ("city=revenue:x", "city=revenue:x", "revenue 'x' is not a whole number from 0 to 10000"),
        ("city=revenue:-10", "city=revenue:-10", "'-10' is not"),
        ("city=revenue:10001", "city=revenue:10001", "'10001' is not"),
        ("city=revenue:20,slots:-1", "slots:-1", "slots '-1' is not a whole number from 0 to 20"),
        ("city=revenue:20,slots:21", "slots:21", "slots '21' is not"),
        ("city=revenue:20,slot:2", "slot:2", "unknown key 'slot'; known: "),
        ("city=revenue:yellow_20|40", "yellow_20|40", "'40' is not of the form colour_value"),
        ("city=revenue:yellow_x", "yellow_x", "revenue 'x' is not"),
        ("city=revenue:20,groups:a|b", "groups:a|b", "more than one group"),
        ("city=revenue:20,visit_cost:101", "visit_cost:101", "visit_cost '101' is not a whole number from 0 to 100"),
        ("city=revenue:20;path=a:0,b:_0,ignore:1", "ignore:1", "ignore:1 is not supported"),
        (";".join(["town=revenue:10"] * 13), "", "more than 12 stops"),
        ("label=" + "x" * 4000, "", "longer than 4,000 characters"),
    ],
)
def test_bad_notation_names_the_part_that_cannot_be_read(code, part, fault):
    with pytest.raises(NotationError) as e:
        parse_tile(code)
    assert part in str(e.value)
    assert fault in str(e.value)


def test_a_colour_must_be_one_of_the_tile_colours():
    with pytest.raises(NotationError, match="unknown colour 'pink'; known: white, yellow"):
        parse_tile("path=a:0,b:3", "9", "pink")


_CODES = st.sampled_from([t.tile.code for t in INDIA.tiles.values()])
_NOISE = st.text(alphabet="abcitynwopthunl=:;,_|0123456789. ", max_size=6)


@given(_CODES, _NOISE, st.integers(0, 80), st.integers(0, 80))
def test_a_spoiled_tile_is_another_tile_or_a_notation_error(code, noise, start, end):
    spoiled = code[:start] + noise + code[end:]
    try:
        tile = parse_tile(spoiled)
    except NotationError:
        return
    assert same(parse_tile(format_tile(tile)), tile)


_ENDS = st.one_of(st.integers(0, 5).map(str), st.integers(0, 3).map(lambda n: f"_{n}"))
_PATHS = st.tuples(_ENDS, _ENDS, st.booleans()).filter(lambda p: p[0] != p[1])


@given(
    st.lists(st.sampled_from(["city", "town", "offboard"]), min_size=4, max_size=6),
    st.lists(_PATHS, unique_by=lambda p: frozenset(p[:2])),
)
def test_a_tile_that_is_written_reads_as_itself(stops, paths):
    code = ";".join([f"{kind}=revenue:{10 * n}" for n, kind in enumerate(stops)])
    code += "".join(f";path=a:{a},b:{b}" + (",terminal:1" if t else "") for a, b, t in paths)
    tile = parse_tile(code)
    assert len(tile.paths) == len(paths)
    assert same(parse_tile(format_tile(tile)), tile)


def test_a_path_over_a_side_that_is_written_twice_leads_on_once():
    tile = parse_tile("city=revenue:10;path=a:0,b:_0;path=a:_0,b:0;path=a:1,b:_0")
    assert len(tile.paths) == 3
    assert [number for number, _ in tile.touching[End("stop", 0)]] == [0, 2]


def test_a_path_between_two_stops_that_is_written_twice_is_two_tracks():
    tile = parse_tile("city=revenue:10;city=revenue:20;path=a:_0,b:_1;path=a:_1,b:_0")
    assert [number for number, _ in tile.touching[End("stop", 0)]] == [0, 1]


def test_a_colour_has_one_value():
    with pytest.raises(NotationError, match="the value for brown is given twice"):
        parse_tile("offboard=revenue:yellow_20|brown_30|brown_50;path=a:0,b:_0")
