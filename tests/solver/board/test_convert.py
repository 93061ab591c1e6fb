"""Dumps of titles become folders that load, and what a folder cannot say is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import tomli_w

from trunkline.solver import TrunklineError
from trunkline.solver.board import UNLIMITED, load_title
from trunkline.solver.board.convert import convert, turned
from trunkline.solver.cli.main import run


def hex_(id_: str, color: str = "white", code: str = "", first: tuple[str, ...] = (), **more: Any) -> dict[str, Any]:
    return {"id": id_, "name": None, "color": color, "code": code, "rotation": 0, "first": list(first)} | more


def train(name: str, distance: Any, **more: Any) -> dict[str, Any]:
    side = {"name": name, "distance": distance, "multiplier": more.get("multiplier"), "track_type": "broad"}
    variant = dict(side)
    card = {"count": 2, "unlimited": False, "price": 80, "track": "broad", "requires_token": True, "no_local": None}
    del side["track_type"]
    return side | card | {"variants": [variant]} | more


def company(name: str, **more: Any) -> dict[str, Any]:
    none: dict[str, Any] = {"type": None, "home": None, "city": None, "color": "#3766ba", "abilities": []}
    return {"id": name, "name": f"{name} Railway", "tokens": [0, 40]} | none | more


def dump(**more: Any) -> dict[str, Any]:
    """A dump of three hexes, one tile, one company and one train."""
    return {
        "title": "1800: The Island",
        "layout": "flat",
        "axes": {"x": "letter", "y": "number"},
        "hexes": [
            hex_("A2", "gray", "city=revenue:20,slots:2;path=a:5,b:_0", name="Port"),
            hex_("B3", first=("8",)),
            hex_("B5", "red", "offboard=revenue:yellow_30|brown_60;path=a:3,b:_0"),
        ],
        "tiles": {"8": {"count": 2, "color": "yellow", "code": "path=a:0,b:2", "upgrades": []}},
        "companies": [company("IR", home="A2")],
        "privates": [],
        "trains": [train("2", 2)],
        "phases": [{"name": "2", "tiles": ["yellow"]}],
    } | more


def folder(tmp_path: Path, **more: Any) -> Path:
    for name, tables in convert(dump(**more)).files.items():
        (tmp_path / f"{name}.toml").write_text(tomli_w.dumps(tables))
    return tmp_path


def unsaid(**more: Any) -> list[str]:
    """The lines of what is not said, but for the first, which is true of every dump."""
    first, *rest = convert(dump(**more)).unsaid
    assert first == "title: designer and publisher, and the rules of routes that are its own, are in no dump"
    return rest


def test_all_that_a_title_can_say_is_said(tmp_path):
    assert unsaid() == []
    title = load_title(str(folder(tmp_path)))
    assert (title.id, title.name, title.layout) == ("1800TheIsland", "1800: The Island", "flat")
    assert title.hexes["A2"].name == "Port"
    assert title.hexes["B3"].neighbors == {0: "B5", 2: "A2"}
    assert title.fitting["B3"] == {"8"}
    assert title.phases == {"2": ("yellow",)}
    home = title.companies["IR"]
    assert (home.name, home.home, home.home_cities, home.token_costs) == ("IR Railway", "A2", (0,), (0, 40))
    assert (title.cards["2"].count, title.cards["2"].price, title.cards["2"].sides) == (2, 80, ("2",))


def test_letters_that_do_not_count_as_the_layout_has_it_are_said():
    assert "axes" not in convert(dump()).files["title"]
    rows, columns = {"x": "number", "y": "letter"}, {"x": "letter", "y": "number"}
    assert convert(dump(axes=rows)).files["title"]["axes"] == "rows"
    assert "axes" not in convert(dump(axes=rows, layout="pointy")).files["title"]
    assert convert(dump(axes=columns, layout="pointy")).files["title"]["axes"] == "columns"


def test_trains_keep_rows_multipliers_and_the_sides_of_their_card(tmp_path):
    rows = [{"nodes": ["city", "offboard"], "pay": 3, "visit": 99}, {"nodes": ["town"], "pay": 99, "visit": 99}]
    sides = [
        {"name": "3", "distance": 3, "multiplier": None, "track_type": "broad"},
        {"name": "3E", "distance": rows, "multiplier": 2, "track_type": "broad"},
    ]
    title = load_title(str(folder(tmp_path, trains=[train("3", 3, unlimited=True, variants=sides)])))
    assert [(v.kinds, v.visit) for v in title.trains["3"].visits] == [(("city", "town", "offboard"), 3)]
    express = title.trains["3E"]
    assert [(v.kinds, v.visit, v.pay) for v in express.visits] == [
        (("city", "offboard"), UNLIMITED, 3),
        (("town",), UNLIMITED, UNLIMITED),
    ]
    assert (express.multiplier, express.own_token_counts, express.card) == (2, True, "3")
    assert (title.cards["3"].count, title.cards["3"].sides) == (UNLIMITED, ("3", "3E"))


def test_a_multiplier_by_kind_is_not_said_and_the_train_left_out():
    rows = [{"nodes": ["city"], "pay": 4, "multiplier": 2}, {"nodes": ["town"], "pay": 99, "multiplier": 1}]
    trains = [train("4D", rows), train("5", [*rows[:1], {"nodes": ["town"], "pay": 0, "multiplier": 1}])]
    assert unsaid(trains=trains) == ["trains.4D: multiplies by kind of stop; left out"]
    assert convert(dump(trains=trains)).files["trains"]["trains"]["5"]["multiplier"] == 2


def test_what_a_train_may_do_beyond_its_rows_is_not_said():
    lines = unsaid(trains=[train("1M", 1, requires_token=False, no_local=True, track="narrow", variants=[])])
    assert lines == [
        "trains.1M: may not run in one city alone (no_local)",
        "trains.1M: runs on narrow track",
        "trains.1M: needs no own token",
    ]


def test_hexes_that_take_other_first_tiles_than_most_of_their_kind_name_a_row_of_their_own(tmp_path):
    tiles = {n: {"count": 1, "color": "yellow", "code": "path=a:0,b:3", "upgrades": []} for n in ("8", "9")}
    first: dict[str, tuple[str, ...]] = {"B3": ("8",), "B5": ("8", "9"), "B7": ("8",), "B9": ("8", "9"), "B11": ()}
    hexes = [*(hex_(h, first=some) for h, some in first.items()), hex_("B1", code="town=revenue:0", first=("8", "9"))]
    title = load_title(str(folder(tmp_path, hexes=hexes, tiles=tiles, companies=[])))
    assert title.first == {"plain": ("8",), "town": ("8", "9"), "as B11": ()}
    assert {h: tuple(sorted(fit)) for h, fit in title.fitting.items()} == first | {"B1": ("8", "9")}


def test_a_printed_yellow_hex_that_takes_tiles_names_their_row(tmp_path):
    town = "town=revenue:10;path=a:0,b:_0"
    hexes = [hex_("B3", first=("8",)), hex_("B5", "yellow", town, ("8",)), hex_("B7", "gray", town)]
    title = load_title(str(folder(tmp_path, hexes=hexes, companies=[])))
    assert title.first == {"plain": ("8",)}
    assert [title.hex_class(h) for h in title.hexes] == ["plain", "plain", ""]
    assert title.fitting == {"B3": {"8"}, "B5": {"8"}, "B7": frozenset()}
    # B7 keeps what is printed: no track to it from B5, whose own tile may lead to B3.
    assert title.open_sides == {"B3": {0}, "B5": {3}, "B7": {3}}


def test_homes_types_and_abilities_of_companies_and_privates_are_told():
    companies = [company("IR", home=["A2", "B5"], abilities=["base"]), company("M1", type="minor", color="#abc")]
    ability = {"type": "hex_bonus", "hexes": [f"B{n}" for n in range(1, 21, 2)], "amount": 10}
    privates = [{"id": "TUN", "name": "Tunnel", "abilities": [ability, {"type": "close"}]}]
    assert unsaid(companies=companies, privates=privates) == [
        "companies.IR: one of several homes: A2, B5",
        "companies.IR: abilities base",
        "companies: M1 of the type minor",
        "privates.TUN (Tunnel): hex_bonus 10 at B1, B3, B5, B7, B9, B11, B13, B15 and 2 more; close",
    ]
    assert convert(dump(companies=companies)).files["companies"]["companies"]["M1"]["color"] == "#aabbcc"


def test_a_home_that_is_not_printed_is_told_and_left_out():
    companies = [company("IR", home="D4"), company("BR", home="A2", city=[0, 2]), company("CR", home="B5")]
    assert unsaid(companies=companies) == [
        "companies.IR: the home D4, which is not on the map",
        "companies.BR: city 2 of the home A2, which has 1 printed",
    ]
    written = convert(dump(companies=companies)).files["companies"]["companies"]
    assert [c.get("home_cities") for c in written.values()] == [None, [0], []]


def test_a_hex_that_is_in_the_dump_twice_is_kept_once():
    lines = unsaid(hexes=[*dump()["hexes"], hex_("B3", "gray")])
    assert lines == ["hexes.B3: is in the dump twice; the first is kept"]


def test_a_printed_hex_that_lies_turned_is_written_as_it_lies():
    code = "city=revenue:20,loc:0.5;path=a:0,b:_0;path=a:_0,b:4;border=edge:5,type:impassable"
    assert turned(code, 0) == code
    expected = "city=revenue:20,loc:0.5;path=a:2,b:_0;path=a:_0,b:0;border=edge:1,type:impassable"
    assert turned(code, 2) == turned(code, 8) == expected


def test_a_dump_of_another_form_is_refused_by_place():
    bad = dump(layout="round", hexes=[hex_("A2", rotation=6)], trains=[train("2", "two")])
    with pytest.raises(TrunklineError) as caught:
        convert(bad)
    assert [line.split(": ")[0] for line in str(caught.value).splitlines()] == [
        "layout",
        "hexes[0].rotation",
        "trains[0].distance",
        "trains[0].variants[0].distance",
    ]
    other: Any
    for other in ([], 5, {"title": "X"}):
        with pytest.raises(TrunklineError):
            convert(other)


def test_the_command_writes_a_folder_that_loads_and_never_over_one(tmp_path, capsys):
    (tmp_path / "dump.json").write_text(json.dumps(dump()))
    out = tmp_path / "titles" / "Island"
    assert run(["titles", "convert", str(tmp_path / "dump.json"), "-o", str(out)]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == f"{out}: written, can be loaded"
    assert load_title(str(out)).id == "1800TheIsland"
    assert run(["titles", "convert", str(tmp_path / "dump.json"), "-o", str(out)]) == 3
    assert "is not empty" in capsys.readouterr().err


def test_the_command_tells_what_the_solver_refuses_in_the_folder(tmp_path, capsys):
    hexes = [*dump()["hexes"], hex_("B7", "gray", "wonder=revenue:20;path=a:3,b:_0")]
    (tmp_path / "dump.json").write_text(json.dumps(dump(hexes=hexes)))
    out = tmp_path / "Island"
    assert run(["titles", "convert", str(tmp_path / "dump.json"), "-o", str(out)]) == 0
    *_, refused, last = capsys.readouterr().out.splitlines()
    assert refused.startswith(f"refused: {out / 'map.toml'}: hexes.B7.code: 'wonder=revenue:20': unknown part 'wonder'")
    assert last == f"{out}: written, and cannot be loaded before what is refused is mended"


def test_the_command_tells_what_is_no_dump(tmp_path, capsys):
    (tmp_path / "dump.json").write_text("{")
    for text, fault in (("{", "not JSON"), ('{"title": 5}', "5 is not a text in quotes")):
        (tmp_path / "dump.json").write_text(text)
        assert run(["titles", "convert", str(tmp_path / "dump.json")]) == 3
        assert fault in capsys.readouterr().err
