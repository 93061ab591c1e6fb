"""The comparison of recorded runs with the solver, on records made small."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tests.records.__main__ import main
from tests.records.compare import Verdict, compare, kind
from tests.records.drawn import routes, tracks
from tests.records.reading import Record, RecordError, position, read, train, with_groups
from trunkline.solver import PositionError

CITY = "city=revenue:20;path=a:0,b:_0;path=a:_0,b:3"


def record(tiles: dict[str, str], *connections: list[str], paid: int = 0, **more: Any) -> Record:
    """A record of one route over tiles, with an own token in A1 and a train of as many stops as may be."""
    raw: dict[str, Any] = {
        "title": "Small",
        "file": "small.json",
        "action": 1,
        "layout": "flat",
        "axes": {"x": "letter", "y": "number"},
        "company": "AR",
        "colors": ["yellow"],
        "tiles": [{"hex": h, "tile": h, "rotation": 0, "color": "yellow", "code": c} for h, c in tiles.items()],
        "tokens": [{"hex": "A1", "city": 0, "own": True, "blocks": False}],
        "groups": {},
        "trains": [{"id": "9-0", "name": "9", "distance": 9, "multiplier": None, "requires_token": True}],
        "routes": [{"train": "9-0", "revenue": paid, "connections": list(connections)}],
        "revenue": paid,
        "engine_total": paid,
    }
    return read(json.dumps(raw | more))


LINE = {"A1": CITY, "A3": "path=a:0,b:3", "A5": CITY, "A7": CITY}


def test_a_run_that_is_worth_what_it_paid_is_exact() -> None:
    outcome = compare(record(LINE, ["A1", "A3", "A5"], ["A5", "A7"], paid=60), 10)
    assert (outcome.verdict, outcome.evaluated, outcome.solved, outcome.proven) == (Verdict.EXACT, 60, 60, True)


def test_stretches_may_be_written_from_either_end() -> None:
    for a, b in (
        (["A5", "A3", "A1"], ["A5", "A7"]),
        (["A5", "A7"], ["A5", "A3", "A1"]),
        (["A1", "A3", "A5"], ["A7", "A5"]),
    ):
        assert compare(record(LINE, a, b, paid=60), None).verdict is Verdict.EXACT


def test_two_stretches_between_two_hexes_may_join_at_either() -> None:
    around = {
        "A1": "city=revenue:20;path=a:0,b:_0;path=a:5,b:_0",
        "A3": "city=revenue:30;city=revenue:40;path=a:3,b:_0;path=a:4,b:_1",
        "B2": "path=a:1,b:2",
    }
    run = record(around, ["A1", "A3"], ["A3", "B2", "A1"], paid=90)
    assert len(routes(run)) == 2
    assert compare(run, 10).evaluated == 90


def test_a_value_that_differs_is_told_with_the_difference() -> None:
    outcome = compare(record(LINE, ["A1", "A3", "A5"], paid=70), 10)
    assert outcome.verdict is Verdict.VALUE
    assert outcome.reasons == ("paid +30 against what evaluate says",)
    assert outcome.evaluated == 40


def test_an_illegal_run_is_told_with_the_rule() -> None:
    full = [
        {"hex": "A1", "city": 0, "own": True, "blocks": False},
        {"hex": "A5", "city": 0, "own": False, "blocks": True},
    ]
    outcome = compare(record(LINE, ["A1", "A3", "A5"], ["A5", "A7"], paid=60, tokens=full), 10)
    assert outcome.verdict is Verdict.ILLEGAL
    assert outcome.reasons == ("city A5 is full of tokens of other companies; the run may only end there",)


def test_a_position_that_is_refused_is_told_with_every_reason() -> None:
    tiles = {**LINE, "A7": "city=revenue:20;path=a:9,b:_0", "A9": "cty=revenue:10"}
    outcome = compare(record(tiles, ["A1", "A3", "A5"], paid=40), 10)
    assert outcome.verdict is Verdict.REFUSED
    assert not outcome.accepted
    assert [reason[:3] for reason in outcome.reasons] == ["A7:", "A9:"]
    assert kind("A7: no track") == kind("B12: no track") == "·: no track"


def test_an_answer_below_what_was_paid_is_wrong_however_the_run_is_valued(monkeypatch: pytest.MonkeyPatch) -> None:
    from trunkline.solver import solve

    def poorer(asked: Any, deadline: float) -> Any:
        return solve(type(asked)(asked.board, asked.company, ()), deadline=deadline)

    monkeypatch.setattr("tests.records.compare.solve", poorer)
    outcome = compare(record(LINE, ["A1", "A3", "A5"], ["A5", "A7"], paid=60), 10)
    assert (outcome.verdict, outcome.bound) == (Verdict.WRONG, 0)


def test_where_hexes_alone_say_more_than_the_record_the_exact_track_counts() -> None:
    tiles = {
        "A1": CITY,
        "A3": "city=revenue:20;town=revenue:10;path=a:3,b:_0;path=a:_0,b:_1",
    }
    outcome = compare(record(tiles, ["A1", "A3"], paid=40), None)
    assert (outcome.verdict, outcome.evaluated, outcome.otherwise) == (Verdict.EXACT, 40, 50)


def test_a_stretch_inside_a_hex_joins_two_of_its_stops() -> None:
    tiles = {"A1": CITY, "A3": "city=revenue:20;town=revenue:10;path=a:3,b:_0;path=a:_0,b:_1"}
    run = record(tiles, ["A3 0.1"], ["A1", "A3"], paid=50)
    assert compare(run, None).verdict is Verdict.EXACT
    assert len(list(tracks(run, position(run).board))) == 1


def test_the_total_is_the_stored_one_where_the_recomputation_failed() -> None:
    assert record(LINE, ["A1"], paid=60, engine_total=50).paid == 50
    assert record(LINE, ["A1"], paid=60, engine_total=50, title="1849").paid == 60
    assert record(LINE, ["A1"], paid=60, engine_error="NoToken").paid == 60


def test_groups_are_those_that_the_stops_have_now() -> None:
    code = "city=revenue:20,groups:Old;town=revenue:10;path=a:0,b:_0"
    assert with_groups(code, [["New", "Other"], []]) == "city=revenue:20,groups:New|Other;town=revenue:10;path=a:0,b:_0"
    assert with_groups(code, None) == code
    with pytest.raises(RecordError, match="more stops"):
        with_groups(code, [[], [], ["New"]])


def test_rows_of_a_train_keep_what_they_visit_pay_and_multiply() -> None:
    rows = [{"nodes": ["city", "offboard"], "pay": 3, "visit": 99}, {"nodes": ["town"], "pay": 0, "visit": 99}]
    raw = {"name": "3E", "distance": rows, "multiplier": 2, "requires_token": True}
    read_ = train(raw)
    assert [(v.kinds, v.pay) for v in read_.visits] == [(("city", "offboard"), 3), (("town",), 0)]
    assert (read_.multiplier, read_.own_token_counts) == (2, True)
    rows[1] |= {"pay": 99, "multiplier": 1}
    with pytest.raises(RecordError, match="multiplier by kind"):
        train(raw)


def test_a_route_of_a_train_that_is_not_listed_is_refused_by_name() -> None:
    run = record(LINE, ["A1", "A3", "A5"], trains=[])
    assert compare(run, None).reasons == ("a train ran that is none of those listed",)


def test_two_tiles_on_one_hex_are_a_position_error() -> None:
    run = record(LINE, ["A1", "A3", "A5"])
    raw = {**run.raw, "tiles": [*run.raw["tiles"], run.raw["tiles"][0]]}
    with pytest.raises(PositionError, match="two tiles"):
        position(Record(run.title, run.id, raw))


def test_the_command_prints_a_table_and_what_differs(tmp_path: Path) -> None:
    good, bad = record(LINE, ["A1", "A3", "A5"], paid=40), record(LINE, ["A1", "A3", "A5"], paid=50, action=2)
    file = tmp_path / "small.jsonl.gz"
    with gzip.open(file, "wt") as out:
        out.writelines(json.dumps(r.raw) + "\n" for r in (good, bad, bad, bad, bad))
    run = CliRunner().invoke(main, [str(file), "--evaluate-only"])
    assert run.exit_code == 1
    assert "Small: 4 runs value: paid +10 against what evaluate says (first small.json:2)" in run.stdout
    run = CliRunner().invoke(main, [str(file), "--json", "--seconds", "10"])
    titles = json.loads(run.stdout)["titles"]
    assert [(t["title"], t["runs"], t["accepted"], t["exact"], t["differ"]) for t in titles] == [("Small", 5, 5, 1, 4)]
    with gzip.open(file, "wt") as out:
        out.write(json.dumps(good.raw))
    assert CliRunner().invoke(main, [str(file)]).exit_code == 0


def test_a_file_of_something_else_is_refused_by_name(tmp_path: Path) -> None:
    file = tmp_path / "other.jsonl"
    file.write_text('{"title": "Small"}\n')
    run = CliRunner().invoke(main, [str(file)])
    assert run.exit_code == 1
    assert f"{file}: not a record of a run" in run.output
