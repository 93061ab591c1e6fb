"""The board takes what may lie on the table, and names the place of everything that may not."""

from __future__ import annotations

import pickle
from dataclasses import replace
from typing import Any

import pytest

from trunkline.solver import (
    Board,
    LaidTile,
    Position,
    PositionError,
    Rules,
    StopId,
    Token,
    Train,
    TrunklineError,
    Visits,
    get_title,
    number_train,
    solve,
    train,
)
from trunkline.solver.board import COMMON, City, format_tile

INDIA = get_title("18India")
PLAIN = LaidTile("D5", "8", 1)


def faults(**parts) -> list[tuple[str, str]]:
    """The faults of a board of 18 India, or of another title, as (field, message)."""
    with pytest.raises(PositionError) as e:
        Board(**{"title": INDIA} | parts)
    return [(v.field, v.message) for v in e.value.faults]


def wrong(value: object) -> Any:
    """A value given, on purpose, where another type is stated."""
    return value


def question_faults(**parts) -> list[tuple[str, str]]:
    """The faults of a question on an empty board of 18 India."""
    given: dict[str, Any] = {"board": Board(INDIA), "company": "EIR"}
    with pytest.raises(PositionError) as e:
        Position(**given | parts)
    return [(v.field, v.message) for v in e.value.faults]


def test_an_empty_board_is_the_printed_map():
    board = Board(INDIA)
    assert board.hexes == INDIA.hexes
    assert (board.phase, board.layout) == ("I", "flat")
    assert board.colors == ("yellow", "green", "brown", "gray")
    assert not any(t for city in board.cities.values() for t in city.slots)


def test_a_laid_tile_replaces_the_printed_one_and_keeps_name_and_variable_city():
    board = Board(INDIA, (LaidTile("E24", "5", 3), LaidTile("D3", "D3", 0, "city=revenue:50,slots:2;path=a:0,b:_0")))
    assert board.hexes["E24"].tile == INDIA.tiles["5"].tile.rotated(3)
    assert board.hexes["E24"].name == "Pune"
    assert board.hexes["E24"].neighbors == INDIA.hexes["E24"].neighbors
    assert board.hexes["D3"].plus == 30


def test_a_whole_board_finds_its_neighbours():
    tiles = tuple(LaidTile(h, "57", 1, "city=revenue:20;path=a:0,b:_0;path=a:_0,b:3") for h in ("B3", "A4", "C4"))
    board = Board(COMMON, tiles)
    assert board.hexes["B3"].neighbors == {1: "A4", 5: "C4"}
    assert board.hexes["A4"].neighbors == {4: "B3"}
    assert board.hexes["B3"].tile.exits == {1, 4}
    pointy = Board(COMMON, tiles, layout="pointy")  # letters are rows
    assert pointy.hexes["B3"].neighbors == {3: "A4", 5: "C4"}
    assert pointy.hexes["A4"].neighbors == {0: "B3"}


def test_pointy_hexes_count_sides_from_the_south_west():
    """As 18xx.games: SW, W, NW, NE, E, SE; letters are rows, so A1 lies north-west of B2."""
    around = {0: "D4", 1: "C3", 2: "B4", 3: "B6", 4: "C7", 5: "D6"}
    tiles = tuple(LaidTile(h, "x", code="city=revenue:20") for h in ("C5", *around.values()))
    assert Board(COMMON, tiles, layout="pointy").hexes["C5"].neighbors == around


@pytest.mark.parametrize("both", [False, True])
@pytest.mark.parametrize("rotation", [0, 2])
def test_an_impassable_border_parts_two_hexes_whichever_has_it(both, rotation):
    def tiles(type_):
        north = f"border=edge:{-rotation % 6},type:{type_}"
        south = "border=edge:3,type:impassable" if both else "city=revenue:10"
        return (LaidTile("A2", "x", rotation, north), LaidTile("A4", "y", 0, south), LaidTile("B3", "z", 0, " "))

    board = Board(COMMON, tiles("impassable"))
    assert board.hexes["A2"].neighbors == {5: "B3"}
    assert board.hexes["A4"].neighbors == {4: "B3"}
    if not both:
        for crossed in ("water", "mountain", "province", "gauge_change"):
            assert Board(COMMON, tiles(crossed)).hexes["A2"].neighbors == {0: "A4", 5: "B3"}


def test_an_impassable_border_of_a_laid_tile_parts_printed_hexes_too():
    board = Board(INDIA, (LaidTile("E24", "x", 1, "path=a:0,b:3;border=edge:5,type:impassable"),))
    assert board.hexes["E22"].neighbors == INDIA.hexes["E22"].neighbors
    there = INDIA.hexes["E24"].neighbors[0]
    assert 0 not in board.hexes["E24"].neighbors
    assert 3 not in board.hexes[there].neighbors


TRACK = "path=a:0,b:3"
AREA = "offboard=revenue:yellow_20|brown_60|purple_90|diesel_100;path=a:3,b:_0"


@pytest.mark.parametrize("layout", ["flat", "pointy"])
def test_hexes_of_a_whole_board_do_not_overlap(layout):
    tiles = tuple(LaidTile(h, "x", 0, TRACK) for h in ("H12", "H13", "H14", "I13"))
    text = "H13 lies half a hex beside H12: letter (A is 1) plus number must be even as there"
    assert faults(title=COMMON, tiles=tiles, layout=layout) == [("tiles[1].hex", text)]
    assert len(Board(tiles=tuple(t for t in tiles if t.hex != "H13"), layout=layout).hexes) == 3


def test_the_colours_of_a_board_are_known():
    tiles = (LaidTile("A1", "x", 0, TRACK), LaidTile("A3", "x", 0, AREA))
    known = "known: white, yellow, green, brown, gray, red, blue, black, orange, purple, salmon, sepia"
    assert faults(colors=("yellow", "yelow")) == [("phase_colors[1]", f"unknown colour 'yelow'; {known}")]
    found = faults(title=COMMON, tiles=tiles, colors=("yelow",))
    assert found == [("phase_colors[0]", f"unknown colour 'yelow'; {known}")]
    assert faults(title=COMMON, tiles=tiles, colors=("diesel",))[0][0] == "phase_colors[0]"
    assert Board(tiles=tiles, colors=("yellow", "purple")).colors == ("yellow", "purple")


def test_a_question_of_a_board_that_pays_by_colour_needs_the_colours():
    tiles = (LaidTile("A1", "x", 0, "city=revenue:20;path=a:0,b:_0"), LaidTile("A3", "x", 0, AREA))
    two = (number_train("2", 2),)
    text = "A3 offboard 0 pays by colour (yellow, brown, purple): give the colours of the tiles available"
    assert question_faults(board=Board(tiles=tiles), trains=two) == [("phase_colors", text)]
    board = Board(tiles=tiles, tokens=(Token("EIR", "A1"),), colors=("yellow",))
    assert solve(Position(board, "EIR", two)).total == 40


def test_a_value_of_a_later_colour_is_not_paid_yet():
    late = LaidTile("A3", "x", 0, "offboard=revenue:brown_60;path=a:3,b:_0")
    tiles = (LaidTile("A1", "x", 0, "city=revenue:20;path=a:0,b:_0"), late)
    board = Board(tiles=tiles, tokens=(Token("US", "A1"),), colors=("yellow",))
    assert solve(Position(board, "US", (number_train("2", 2),))).total == 20


def test_a_hex_whose_tile_is_refused_is_not_missing_as_well():
    tiles = (LaidTile("H12", "x", 0, "citi=revenue:20"), LaidTile("H14", "x", 0, TRACK))
    found = faults(
        title=COMMON,
        tiles=tiles,
        tokens=(Token("US", "H12"), Token("US", "H16")),
        markers=frozenset({("H12", "H14"), ("H14", "H16")}),
        jewelry_hex="H12",
    )
    assert [field for field, _ in found] == ["tiles[0].definition", "markers", "tokens[1].hex"]
    assert [field for field, _ in faults(tiles=(LaidTile("D3", "x"),), tokens=(Token("EIR", "D3", 1),))] == [
        "tiles[0].tile"
    ]


def test_the_order_of_tiles_and_the_place_in_the_record_do_not_matter():
    a = Board(INDIA, (PLAIN, LaidTile("E24", "5", 3)))
    b = Board(INDIA, (LaidTile("E24", "5", 3), PLAIN))
    assert a.hexes == b.hexes


@pytest.mark.parametrize(
    ("tile", "field", "message"),
    [
        (LaidTile("", "8"), "tiles[0].hex", "'' is not a hex id"),
        (LaidTile("dd5", "8"), "tiles[0].hex", "'dd5' is not a hex id"),
        (LaidTile("Z99", "8"), "tiles[0].hex", "18 India has no hex Z99"),
        (LaidTile("D6", "8"), "tiles[0].hex", "18 India has no hex D6"),
        (LaidTile("D5", "8", 6), "tiles[0].rotation", "D5: 6 is not from 0 to 5"),
        (LaidTile("D5", "8", -1), "tiles[0].rotation", "D5: -1 is not from 0 to 5"),
        (LaidTile("D5", ""), "tiles[0].tile", "D5: unknown tile ''"),
        (LaidTile("D5", "888"), "tiles[0].tile", "D5: unknown tile '888' in 18 India"),
        (LaidTile("D5", "8", 0, "path=a:0"), "tiles[0].definition", "D5: 'path=a:0': a path needs both ends"),
        (LaidTile("D5", "8", 0, "path=a:0,b:3", "pink"), "tiles[0].definition", "D5: unknown colour 'pink'"),
        (LaidTile("D5", "57"), "tiles[0].tile", "D5: tile 57 does not fit the hex (plain)"),
        (LaidTile("D5", "4"), "tiles[0].tile", "D5: tile 4 does not fit the hex (plain)"),
        (LaidTile("E24", "9"), "tiles[0].tile", "E24: tile 9 does not fit the hex (city)"),
        (LaidTile("E24", "205"), "tiles[0].tile", "E24: tile 205 does not fit the hex (city)"),
        (LaidTile("E22", "4"), "tiles[0].tile", "E22: tile 4 does not fit the hex (three towns)"),
        (LaidTile("G8", "57"), "tiles[0].tile", "G8: tile 57 does not fit the hex (double city)"),
        (LaidTile("J37", "9"), "tiles[0].tile", "J37: tile 9 does not fit the hex (ferry)"),
        (LaidTile("D3", "57"), "tiles[0].tile", "D3: tile 57 does not fit the hex (a red hex takes no tiles)"),
        (LaidTile("C18", "9"), "tiles[0].tile", "C18: tile 9 does not fit the hex (a blue hex takes no tiles)"),
        (LaidTile("B9", "9", 0), "tiles[0].rotation", "B9: tile 9 turned by 0 has track to side 3"),
        (
            LaidTile("K38", "3", 5),
            "tiles[0].rotation",
            "K38: tile 3 turned by 5 has track to side 0, off the map or blank",
        ),
        (LaidTile("J37", "IF2", 1), "tiles[0].rotation", "J37: tile IF2 turned by 1 has no track to K38"),
    ],
)
def test_a_tile_that_cannot_lie_there_is_named(tile, field, message):
    (fault,) = faults(tiles=(tile,))
    assert fault[0] == field
    assert message in fault[1]


def test_every_fault_is_reported_at_once_with_its_place():
    found = faults(
        tiles=(LaidTile("Z99", "8"), PLAIN, LaidTile("E24", "9")),
        tokens=(Token("XYZ", "D3"), Token("PNS", "D3", 1)),
        markers=frozenset({("A1", "A3")}),
        phase="V",
    )
    assert {f for f, _ in found} == {
        "tiles[0].hex",
        "tiles[2].tile",
        "tokens[0].company",
        "tokens[1].city",
        "markers",
        "phase",
    }


def test_two_tiles_cannot_lie_on_one_hex():
    assert faults(tiles=(PLAIN, PLAIN)) == [("tiles[1].hex", "D5 has two tiles")]


def test_no_more_tiles_lie_than_the_box_has():
    corners = [
        LaidTile(h, "7", r)
        for h in INDIA.hexes
        if "7" in INDIA.fitting[h]
        for r in range(6)
        if INDIA.tiles["7"].tile.rotated(r).exits <= INDIA.open_sides[h]
    ]
    one_each = list({t.hex: t for t in corners}.values())
    Board(INDIA, tuple(one_each[:6]))
    assert faults(tiles=tuple(one_each[:7])) == [("tiles", "tile 7 lies 7 times, the box has 6")]


def test_a_tile_in_the_notation_is_not_taken_from_the_box():
    laid = tuple(LaidTile(h, "60", 0, "path=a:0,b:3", "gray") for h in ("D5", "D7", "D9"))
    assert Board(INDIA, laid).hexes["D7"].tile.exits == {0, 3}


def test_a_whole_board_needs_definitions():
    assert faults(title=COMMON, tiles=(LaidTile("A2", "57"),)) == [
        ("tiles[0].tile", "A2: unknown tile '57' in a whole board: give its definition")
    ]


def test_an_unknown_layout_or_phase_is_named():
    assert faults(layout="round") == [("layout", "unknown layout 'round'; known: flat, pointy")]
    assert faults(phase="V") == [("phase", "18 India has no phase 'V'; known: I, II, III, III', IV")]


def test_a_board_has_a_limited_size():
    many = tuple(LaidTile(f"A{n}", "9", 0, "path=a:0,b:3") for n in range(2001))
    assert faults(title=COMMON, tiles=many) == [("tiles", "2001 tiles; at most 2000")]
    assert faults(tokens=(Token("EIR", "D3"),) * 2001) == [("tokens", "2001 tokens; at most 2000")]


# Tokens


def test_a_token_takes_the_first_free_slot_and_fills_the_city():
    board = Board(INDIA, tokens=(Token("MR", "K30"), Token("EIR", "K30", slot=0), Token("BR", "K30", extra=True)))
    assert board.cities[StopId("K30", "city", 0)] == City(("EIR", "MR"), ("BR",))


def test_a_city_blocks_only_others_and_only_when_full():
    tokens = (Token("MR", "K30"), Token("BR", "K30", extra=True))
    half = Board(INDIA, tokens=tokens).cities[StopId("K30", "city", 0)]
    assert not half.blocks("EIR")
    full = Board(INDIA, tokens=(*tokens, Token("SIR", "K30"))).cities[StopId("K30", "city", 0)]
    assert full.blocks("EIR")
    assert not any(full.blocks(c) for c in ("MR", "SIR", "BR"))
    assert not any(full.holds(c) for c in ("EIR", "GIPR"))


def test_each_of_two_cities_of_a_hex_has_its_own_slots():
    board = Board(INDIA, tokens=(Token("NWR", "G8", 0), Token("SPD", "G8", 1)))
    assert board.cities[StopId("G8", "city", 0)].slots == ("NWR",)
    assert board.cities[StopId("G8", "city", 1)].slots == ("SPD",)


@pytest.mark.parametrize(
    ("tokens", "field", "message"),
    [
        ([Token("XYZ", "D3")], "tokens[0].company", "D3: unknown company 'XYZ'"),
        ([Token("", "D3")], "tokens[0].company", "D3: unknown company ''"),
        ([Token("EIR", "Z99")], "tokens[0].hex", "there is no hex 'Z99'"),
        ([Token("EIR", "")], "tokens[0].hex", "there is no hex ''"),
        ([Token("EIR", "D5")], "tokens[0].city", "D5 has no city 0 (0 cities)"),
        ([Token("EIR", "C6")], "tokens[0].city", "C6 has no city 0 (0 cities)"),
        ([Token("EIR", "D3", 1)], "tokens[0].city", "D3 has no city 1 (1 city)"),
        ([Token("EIR", "D3", -1)], "tokens[0].city", "D3 has no city -1 (1 city)"),
        ([Token("EIR", "D3", slot=1)], "tokens[0].slot", "D3: city 0 has no slot 1 (1 slots)"),
        ([Token("EIR", "D3", slot=-1)], "tokens[0].slot", "D3: city 0 has no slot -1"),
        (
            [Token("EIR", "K30", slot=1), Token("MR", "K30", slot=1)],
            "tokens[1].slot",
            "K30: slot 1 of city 0 holds both EIR and MR",
        ),
        ([Token("EIR", "D3"), Token("PNS", "D3")], "tokens[1].slot", "D3: no free slot in city 0 for PNS; give"),
        ([Token("EIR", "D3"), Token("PNS", "D3")], "tokens[1].slot", 'it "extra": true if it lies beside the slots'),
        ([Token("EIR", "K30"), Token("EIR", "K30")], "tokens[1]", "K30: EIR has two tokens in this hex"),
        ([Token("EIR", "D23", 0), Token("EIR", "D23", 1)], "tokens[1]", "D23: EIR has two tokens in this hex"),
        ([Token("EIR", "K30"), Token("EIR", "K30", extra=True)], "tokens[1]", "K30: EIR has two tokens in this hex"),
    ],
)
def test_a_token_that_cannot_be_there_is_named(tokens, field, message):
    found = faults(tokens=tuple(tokens))
    assert len(found) == 1
    assert found[0][0] == field
    assert message in found[0][1]


def test_a_whole_board_takes_any_company_but_not_a_nameless_one():
    tiles = (LaidTile("A2", "c", 0, "city=revenue:20;path=a:0,b:_0"),)
    assert Board(COMMON, tiles, (Token("Any & Co", "A2"),)).cities[StopId("A2", "city", 0)].holds("Any & Co")
    assert faults(title=COMMON, tiles=tiles, tokens=(Token("", "A2"),)) == [
        ("tokens[0].company", "A2: a token needs a company")
    ]


# Markers and the jewelry hex


@pytest.mark.parametrize(
    ("sides", "message"),
    [
        (("A2", "A4"), "A2-A4: there is no hex A2"),
        (("D3", "Z99"), "D3-Z99: there is no hex Z99"),
        (("D3", "D7"), "D3-D7: the hexes are not neighbours"),
        (("D3", "D3"), "D3-D3: the hexes are not neighbours"),
        (("D3", "D5"), "D3-D5: there is no province border on this side"),
    ],
)
def test_a_marker_needs_a_province_border(sides, message):
    assert faults(markers=frozenset({sides})) == [("markers", message)]


def test_a_marker_on_a_whole_board_needs_neighbours_only():
    tiles = tuple(LaidTile(h, "9", 0, "path=a:0,b:3") for h in ("A2", "A4", "A8"))
    Board(COMMON, tiles, markers=frozenset({("A2", "A4")}))
    assert faults(title=COMMON, tiles=tiles, markers=frozenset({("A4", "A8")}))


@pytest.mark.parametrize(
    ("hex_id", "message"),
    [
        ("Z99", "there is no hex Z99"),
        ("D3", "D3: the jewelry marker needs a hex without town, city or sea"),
        ("C16", "C16: the jewelry marker needs"),
        ("C18", "C18: the jewelry marker needs"),
    ],
)
def test_the_jewelry_marker_needs_an_empty_hex_on_land(hex_id, message):
    ((field, text),) = faults(jewelry_hex=hex_id)
    assert field == "jewelry_hex"
    assert message in text


def test_jewelry_may_be_unclaimed_before_it_is_placed():
    position = Position(Board(INDIA), "EIR", open_concessions=frozenset({"JEWELRY"}))
    assert position.sources("JEWELRY") == ()


def test_the_jewelry_marker_may_share_a_commodity_hex():
    board = Board(INDIA, jewelry_hex="J13")
    position = Position(board, "EIR", held_concessions=frozenset({"JEWELRY"}))
    assert position.sources("JEWELRY") == ("J13",)
    assert position.sources("OPIUM") == ("J13",)


# The question


@pytest.mark.parametrize(
    ("parts", "field", "message"),
    [
        ({"company": ""}, "company", "whose trains run?"),
        ({"company": "XYZ"}, "company", "18 India has no company 'XYZ'; known: EIR"),
        ({"trains": (Train("0", ()),)}, "trains[0].distance", "train '0' can visit no stops"),
        ({"trains": (number_train("0", 0),)}, "trains[0].distance", "train '0' can visit no stops"),
        ({"trains": (number_train("2", 2), number_train("-1", -1))}, "trains[1].distance", "can visit no stops"),
        ({"trains": (Train("x", (Visits(("port",), 2, 2),)),)}, "trains[0].visits", "unknown kind 'port'"),
        ({"trains": (Train("x", (Visits((), 2, 2),)),)}, "trains[0].visits", "a row without kinds"),
        ({"trains": (Train("x", (Visits(("city",), 2, -1),)),)}, "trains[0].visits", "a negative number"),
        ({"trains": (Train("x", number_train("2", 2).visits, 0),)}, "trains[0].multiplier", "0 is not from 1 to 100"),
        ({"trains": (number_train("2", 2),) * 25}, "trains", "25 trains; at most 24"),
        ({"open_concessions": frozenset({"SILK"})}, "open_concessions", "unknown commodity 'SILK'; known: OIL"),
        ({"held_concessions": frozenset({"SILK"})}, "held_concessions", "unknown commodity 'SILK'"),
        (
            {"held_concessions": frozenset({"JEWELRY"})},
            "held_concessions",
            "JEWELRY is held but has no source: give the jewelry hex",
        ),
        (
            {"open_concessions": frozenset({"OIL"}), "held_concessions": frozenset({"OIL"})},
            "held_concessions",
            "OIL is both open and held",
        ),
        ({"rules": Rules("house")}, "rules.set", "unknown rule set 'house'; known: rulebook, 18xx.games"),
        ({"rules": Rules("rulebook", (("snow", True),))}, "rules.switches", "unknown switch 'snow'"),
    ],
)
def test_a_question_that_makes_no_sense_names_its_part(parts, field, message):
    found = question_faults(**parts)
    assert (field, True) in [(f, message in m) for f, m in found]


def test_a_question_without_trains_or_tokens_is_a_question():
    assert Position(Board(INDIA), "EIR").trains == ()


def test_a_train_is_found_by_its_name():
    assert train(INDIA, "4Ex3").multiplier == 3
    with pytest.raises(TrunklineError, match=r"unknown train '5'; known: 2, 3, 4, 4E"):
        train(INDIA, "5")


def test_a_switch_overrides_its_rule_set():
    board = Board(INDIA)
    assert Position(board, "EIR").on("jewelry_per_destination")
    assert not Position(board, "EIR", rules=Rules("18xx.games")).on("jewelry_per_destination")
    turned = Rules("18xx.games", (("jewelry_per_destination", True),))
    assert Position(board, "EIR", rules=turned).on("jewelry_per_destination")


def test_equal_boards_are_equal_and_differ_by_one_token():
    board = Board(INDIA, (PLAIN,), (Token("PNS", "D3"),))
    assert board == replace(board)
    assert board != replace(board, tokens=())
    assert format_tile(board.hexes["D5"].tile) == "path=a:1,b:3"


def test_one_tile_may_lie_on_boards_of_different_titles_and_beside_other_hexes():
    laid = LaidTile("E24", "x", 1, "city=revenue:10;path=a:0,b:_0")
    for _ in range(2):
        assert Board(INDIA, (laid,)).hexes["E24"].neighbors == INDIA.hexes["E24"].neighbors
        assert Board(INDIA, (laid,)).hexes["E24"].name == "Pune"
        assert Board(COMMON, (laid,)).hexes["E24"].neighbors == {}
        assert Board(COMMON, (laid,)).hexes["E24"].name == ""
        column = (laid, LaidTile("E26", "x", code=" "), LaidTile("E22", "x", code=" "))
        assert Board(COMMON, column).hexes["E24"].neighbors == {0: "E26", 3: "E22"}
        row = (laid, LaidTile("F25", "x", code=" "))
        assert Board(COMMON, row, layout="pointy").hexes["E24"].neighbors == {5: "F25"}


def test_what_boards_remember_on_a_tile_is_no_part_of_it():
    laid, same = LaidTile("D5", "8", 1), LaidTile("D5", "8", 1)
    Board(INDIA, (laid,))
    assert laid == same
    assert hash(laid) == hash(same)
    assert repr(laid) == repr(same)
    assert pickle.dumps(laid) == pickle.dumps(same)
    assert replace(laid, rotation=2) == LaidTile("D5", "8", 2)


def test_a_tile_with_other_cities_takes_the_place_of_the_printed_ones():
    assert {s.number for s in Board(INDIA).cities if s.hex == "G8"} == {0, 1}
    one = LaidTile("G8", "x", code="city=revenue:40,slots:3;path=a:0,b:_0")
    assert {s: c for s, c in Board(INDIA, (one,)).cities.items() if s.hex == "G8"} == {
        StopId("G8", "city", 0): City((None, None, None), ())
    }
    none = LaidTile("G8", "x", code="town=revenue:10;path=a:0,b:_0")
    assert not [s for s in Board(INDIA, (none,)).cities if s.hex == "G8"]
    more = LaidTile("D5", "x", code="city=revenue:40;path=a:0,b:_0")
    assert StopId("D5", "city", 0) in Board(INDIA, (more,)).cities


@pytest.mark.parametrize(
    ("make", "field"),
    [
        (lambda: Position(wrong(None), "X"), "board"),
        (lambda: Position(Board(INDIA), "EIR", wrong(("2",))), "trains[0]"),
        (lambda: Position(Board(INDIA), "EIR", wrong(None)), "trains"),
        (lambda: Position(Board(INDIA), "EIR", (Train("2", wrong(("city",))),)), "trains[0].visits[0]"),
        (
            lambda: Position(Board(INDIA), "EIR", (Train("2", (Visits(("city",), 2),), wrong(2.0)),)),
            "trains[0].multiplier",
        ),
        (lambda: Position(Board(INDIA), "EIR", (Train("2", (Visits(wrong(5), 2),)),)), "trains[0].visits[0].kinds"),
        (lambda: Position(Board(INDIA), "EIR", open_concessions=wrong(None)), "open_concessions"),
        (lambda: Position(Board(INDIA), "EIR", rules=wrong("18xx.games")), "rules"),
        (lambda: Board(wrong("18India")), "title"),
        (lambda: Board(INDIA, wrong(("D5",))), "tiles[0]"),
        (lambda: Board(INDIA, (LaidTile(wrong(5), "8"),)), "tiles[0].hex"),
        (lambda: Board(INDIA, (LaidTile("D5", "8", wrong("1")),)), "tiles[0].rotation"),
        (lambda: Board(INDIA, (LaidTile("D5", "8", code=wrong(8)),)), "tiles[0].code"),
        (lambda: Board(INDIA, tokens=wrong((5,))), "tokens[0]"),
        (lambda: Board(INDIA, markers=wrong(5)), "markers"),
        (lambda: Board(INDIA, markers=frozenset({wrong(("D5",))})), "markers[0]"),
        (lambda: Visits(("city",), wrong(2.5), 2), "visit"),
        (lambda: Visits(("city",), 2, wrong("2")), "pay"),
        (lambda: Rules(switches=wrong(5)), "rules.switches"),
        (lambda: solve(wrong("a position")), ""),
    ],
)
def test_a_part_of_another_type_is_named(make, field):
    with pytest.raises(PositionError) as e:
        make()
    assert [v.field for v in e.value.faults] == [field]


def test_a_train_is_no_better_for_one_like_it_that_was_seen_before():
    rows = (Visits(("city",), 2),)
    Position(Board(INDIA), "EIR", (Train("2", rows, 2),))
    assert question_faults(trains=(Train("2", rows, wrong(2.0)),)) == [
        ("trains[0].multiplier", "2.0 is not a whole number")
    ]


def test_a_fault_inside_is_not_blamed_on_the_caller(monkeypatch):
    def broken(*_):
        raise TypeError("a fault of the program")

    monkeypatch.setattr(Board, "_count_faults", broken)
    with pytest.raises(TypeError, match="a fault of the program"):
        Board(INDIA)
