"""The title that docs/add-a-title.md builds, file by file, is read and solved as the page says."""

import copy
import doctest
import re
import tomllib
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from trunkline.solver import Board, LaidTile, Position, PositionError, Token, TrunklineError, solve
from trunkline.solver.board import HEX_CLASSES, Title, load, load_title
from trunkline.solver.cli.report import title_report
from trunkline.solver.draw import draw
from trunkline.solver.generate import random_board
from trunkline.solver.wire import to_dict
from trunkline.solver.wire.describe import describe

PAGE = Path(__file__).parents[1] / "docs/add-a-title.md"


@pytest.fixture
def folder(tmp_path):
    """The TOML blocks of the page, each in the file that its first line names."""
    for name, text in re.findall(r"```toml\n# (\w+\.toml)\n(.*?)```", PAGE.read_text(), re.DOTALL):
        (tmp_path / name).write_text(text)
    return tmp_path


def test_the_example_is_read_and_solved(folder):
    result = doctest.testfile(str(PAGE), module_relative=False, globs={"folder": folder})
    assert result.attempted > 6
    assert result.failed == 0


def test_every_file_of_a_title_is_explained(folder):
    ours = {path.name for path in (PAGE.parents[1] / "solver/titles/18India").iterdir()}
    assert {path.name for path in folder.iterdir()} == ours
    assert set(re.findall(r"^### (\S+)$", PAGE.read_text(), re.MULTILINE)) == ours


def test_every_kind_of_printed_hex_is_explained():
    section = PAGE.read_text().split("### tiles.toml")[1].split("```")[0]
    assert set(HEX_CLASSES) <= set(re.findall(r"`(\w+)`", section))


BORDERS = {
    "B3": ('plain = ["B3"]', '[hexes.B3]\ncode = "border=edge:0,type:impassable"'),
    "B5": ('code = "city=revenue:0"', 'code = "city=revenue:0;border=edge:3,type:impassable"'),
}


@pytest.mark.parametrize("on", BORDERS)
def test_an_impassable_border_of_the_map_parts_its_hexes(folder, monkeypatch, on):
    """Whichever of the two has it, for tiles, pictures and boards at random, also where a tile covers it."""
    text = (folder / "map.toml").read_text()
    monkeypatch.setattr("trunkline.solver.generate.get_title", lambda _: load_title(folder))
    assert any(random_board(seed).tiles for seed in range(20))
    (folder / "map.toml").write_text(text.replace(*BORDERS[on]))
    island = load_title(folder)
    assert island.hexes["B3"].neighbors == {2: "A2"}
    assert island.hexes["B5"].neighbors == {0: "B7"}
    with pytest.raises(PositionError, match="B5: tile 57 turned by 0 has track to side 3"):
        Board(island, (LaidTile("B5", "57"),))
    joined = LaidTile("B5", "X", 0, "city=revenue:20;path=a:0,b:_0;path=a:3,b:_0", "yellow")
    board = Board(island, (LaidTile("B3", "X", 0, "path=a:0,b:2", "yellow"), joined), (Token("IR", "A2"),))
    assert solve(Position(board, "IR", (island.trains["2"],))).total == 0
    assert "no track may cross" in draw(board)
    assert not any(random_board(seed).tiles for seed in range(20))  # every tile of the box would need that side


def test_a_hex_without_a_row_of_first_tiles_takes_none(folder):
    (folder / "tiles.toml").write_text((folder / "tiles.toml").read_text().replace('city = ["57"]\n', ""))
    with pytest.raises(PositionError, match="B5: tile 57 does not fit the hex"):
        Board(load_title(folder), (LaidTile("B5", "57"),))


END_TOWN = '[tiles.E]\ncount = 1\ncolor = "yellow"\ncode = "town=revenue:10;path=a:0,b:_0"\n'


def test_a_hex_can_name_its_row_of_first_tiles_and_where_they_must_lead(folder):
    """As the ferry of 18 India does: tiles of its own, and every one of them has track to the island."""
    (folder / "map.toml").write_text(
        (folder / "map.toml").read_text().replace('plain = ["B3"]', '[hexes.B3]\nfirst = "ferry"\nleads_to = ["A2"]')
    )
    tiles = (folder / "tiles.toml").read_text()
    (folder / "tiles.toml").write_text(tiles.replace("[first]", '[first]\nferry = ["E"]') + END_TOWN)
    island = load_title(folder)
    with pytest.raises(PositionError, match=r"B3: tile 7 does not fit the hex \(ferry\)"):
        Board(island, (LaidTile("B3", "7", 2),))
    assert Board(island, (LaidTile("B3", "E", 2),)).hexes["B3"].tile.exits == {2}
    with pytest.raises(PositionError, match="B3: tile E turned by 0 has no track to A2"):
        Board(island, (LaidTile("B3", "E"),))


def test_only_the_title_file_is_needed(tmp_path):
    (tmp_path / "title.toml").write_text('id = "Bare"\nname = "Bare"\n')
    bare = load_title(str(tmp_path))
    assert (bare.id, bare.hexes, bare.trains) == ("Bare", {}, {})
    assert bare.route_ends == Title("", "").route_ends


def test_a_title_without_prices_is_shown_with_blanks(folder):
    out = StringIO()
    console = Console(width=160, file=out)
    console.print(title_report(to_dict(describe(load_title(folder)), False)))
    shown = " ".join(out.getvalue().split())
    assert "IR Island Railway A2 0, 40" in shown
    assert "2 2 × city or offboard; any town 1" in shown


def test_a_title_of_a_title_file_alone_is_shown(tmp_path):
    (tmp_path / "title.toml").write_text('id = "Bare"\nname = "Bare"\n')
    out = StringIO()
    console = Console(file=out)
    console.print(title_report(to_dict(describe(load_title(tmp_path)), False)))
    assert "Bare (Bare), 0 hexes" in out.getvalue()


@pytest.mark.parametrize(
    ("file", "old", "new", "fault"),
    [
        ("title", "name =", "nam =", "title.toml: unknown key 'nam'; did you mean 'name'?"),
        ("title", "name =", "nam =", "title.toml: 'name' is missing"),
        ("title", '"flat"', '"round"', "title.toml: layout: unknown layout 'round'; known: flat, pointy"),
        (
            "title",
            '["yellow"]',
            '["yelow"]',
            "title.toml: phases.early.colors[0]: unknown colour 'yelow'; did you mean",
        ),
        ("title", "colors", "colours", "title.toml: phases.early: unknown key 'colours'; did you mean 'colors'?"),
        ("title", "= 20", '= "20"', "title.toml: variable_minimum: '20' is not a whole number from 0 to 1000000"),
        ("title", '"city", ', "", "title.toml: route_ends: route_ends must name city"),
        ("map", "plain = [", "plane = [", "map.toml: unknown key 'plane'; did you mean 'plain'?"),
        ("map", "color", "colour", "map.toml: hexes.A2: unknown key 'colour'; did you mean 'color'?"),
        ("map", '"gray"', '"grey"', "map.toml: hexes.A2.color: unknown colour 'grey'; did you mean 'gray'?"),
        (
            "map",
            "city=",
            "citi=",
            "map.toml: hexes.A2.code: 'citi=revenue:20,slots:2': unknown part 'citi'; known: city",
        ),
        ("map", "hexes.A2", "hexes.2A", "map.toml: hexes.2A: '2A' is not a hex id"),
        ("map", "cost", "price", "map.toml: hexes.B5.terrain: unknown key 'price'; known: type, cost"),
        ("map", '["B3"]', '["B3", "B4"]', "map.toml: plain[1]: B4 lies half a hex beside B3: letter (A is 1) plus"),
        ("map", '["B3"]', '["B3", "B5"]', "map.toml: plain[1]: B5 is on the map twice"),
        ("map", '["B3"]', '["B3"]\nriver_borders = [["A2", "B5"]]', "river_borders[0]: A2 and B5 are no neighbours"),
        ("map", '["B3"]', '[]\nhexes.B3.leads_to = ["A4"]', "map.toml: hexes.B3.leads_to[0]: there is no hex 'A4'"),
        ("map", '["B3"]', '[]\nhexes.B3.leads_to = ["B7"]', "map.toml: hexes.B3: B3 and B7 are no neighbours"),
        (
            "map",
            '["B3"]',
            '[]\nhexes.B3.first = "fery"',
            "map.toml: hexes.B3.first: unknown row of first 'fery'; known:",
        ),
        ("tiles", 'city = ["57"]', 'city = ["75"]', "tiles.toml: first.city[0]: unknown tile '75'; did you mean '7'?"),
        ("tiles", "city =", "citty =", "tiles.toml: first.citty: unknown kind of hex 'citty'; did you mean 'city'?"),
        ("tiles", '["I1"]', '["I2"]', "tiles.toml: tiles.57.upgrades[0]: unknown tile 'I2'; known: 7, 8, 9, 57, I1"),
        ("tiles", "count = 2\n", "", "tiles.toml: tiles.7: 'count' is missing"),
        ("companies", '"A2"', '"A4"', "companies.toml: companies.IR.home: there is no hex 'A4' on the map"),
        ("companies", "[0]", "[1]", "companies.toml: companies.IR.home_cities[0]: A2 has no city 1 (1 city, from 0)"),
        ("companies", "#3766ba", "blew", "companies.toml: companies.IR.color: 'blew' is not a colour such as #3766ba"),
        (
            "trains",
            '"town"',
            '"halt"',
            "trains.toml: trains.2.visits[1].kinds[0]: unknown kind 'halt'; known: city, town",
        ),
        ("trains", "multiplier = 2", "multiplier = 0", "trains.3x2.multiplier: 0 is not a whole number from 1 to 100"),
        ("bonuses", '"B5"', '"B9"', "bonuses.toml: connections[0].hexes[1]: there is no hex 'B9' on the map"),
        ("bonuses", "B7 =", "B8 =", "bonuses.toml: commodities.FISH.destinations.B8: there is no hex 'B8' on the map"),
        ("bonuses", "[[connections]]", "[[connection]]", "bonuses.toml: unknown key 'connection'; did you mean"),
        ("bonuses", "value = 10", "value = ", "bonuses.toml: Invalid value (at line 4"),
    ],
)
def test_a_slip_in_a_title_is_named_with_file_table_and_key(folder, file, old, new, fault):
    path = folder / f"{file}.toml"
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new, 1))
    with pytest.raises(TrunklineError) as e:
        load_title(folder)
    assert fault in str(e.value)
    assert str(e.value).startswith(str(folder))


def test_a_file_that_lacks_or_has_a_wrong_name_is_named(folder):
    (folder / "map.toml").rename(folder / "maps.toml")
    with pytest.raises(TrunklineError) as e:
        load_title(folder)
    assert f"{folder}/maps.toml: unknown file 'maps.toml'; did you mean 'map.toml'?" in str(e.value)
    assert "companies.IR.home: there is no hex 'A2' on the map: map.toml is missing or empty" in str(e.value)
    (folder / "title.toml").unlink()
    with pytest.raises(TrunklineError, match=r"title.toml: there is no such file"):
        load_title(folder)
    with pytest.raises(TrunklineError, match=r"title.toml: there is no such file"):
        load_title("no/such/folder")


def _spoiled(data):
    """Every table and list of the data with one of its values replaced by something else, or left out."""
    for key in list(data) if isinstance(data, dict) else range(len(data)):
        odd: Any
        for odd in (5, -1, True, "x", "", [], {}, [[1]], [{}], {"A2": 1}, {"x": {"code": 3}}, 1.5, None):
            spoiled = copy.copy(data)
            spoiled[key] = odd
            if odd is None:
                del spoiled[key]
            yield spoiled
        if isinstance(data[key], dict | list):
            for part in _spoiled(data[key]):
                yield copy.copy(data) | {key: part} if isinstance(data, dict) else [*data[:key], part, *data[key + 1 :]]


def test_whatever_stands_in_a_file_it_is_a_title_or_a_clear_error(folder, monkeypatch):
    files = {path: tomllib.loads(path.read_text()) for path in folder.iterdir()}
    read = refused = 0
    for path, data in files.items():
        for spoiled in _spoiled(data):
            changed = files | {path: spoiled}
            monkeypatch.setattr(load, "_read", lambda file, changed=changed: changed.get(file, {}))
            try:
                loaded = load_title(folder)
            except TrunklineError:
                refused += 1
            else:
                Board(loaded)
                describe(loaded)
                assert loaded.fitting.keys() == loaded.hexes.keys()
                read += 1
    assert refused > 500
    assert read > 50
