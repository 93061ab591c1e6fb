"""The command line: what it prints, its exit codes, and that nothing ends in a traceback."""

import io
import json
import signal
import subprocess
import sys
from pathlib import Path

import click
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.positions import recorded
from tests.solver.service import fakes
from tests.solver.service.fakes import board, served
from tests.waiting import HANG, until
from trunkline.solver import title_ids, wire
from trunkline.solver.cli.main import commands, run
from trunkline.solver.service.client import Client

ROOT = Path(__file__).parents[3]
RECORD = recorded("18India")[20]


@pytest.fixture
def file(tmp_path):
    """Writes a file and gives its name."""

    def write(content, name="position.json"):
        path = tmp_path / name
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_text(content)
        return str(path)

    return write


@pytest.fixture
def fake(monkeypatch, file):
    """A position file for the fake solver of tests/solver/service/fakes.py, which stands in for the real one."""
    monkeypatch.setattr("trunkline.solver.solve", fakes.solve)
    return lambda company: file(wire.position_to_json(board(company)))


@pytest.fixture(scope="module")
def server():
    with served() as running:
        yield f"127.0.0.1:{running.port}"


def words(text):
    return " ".join(text.split())


# --- help and start ---


def test_every_command_has_help_with_an_example(capsys):
    context = click.Context(commands)
    for name in commands.list_commands(context):
        assert run([name, "--help"]) == 0
        assert f"Example:\n    trunkline {name}" in capsys.readouterr().out


def test_help_explains_the_exit_codes(capsys):
    assert run(["--help"]) == 0
    assert "130  stopped by Ctrl-C" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [["--help"], ["titles"], ["titles", "18India"], ["titles", "--json"]])
def test_help_and_titles_start_without_the_heavy_packages(arguments):
    code = (
        "import sys; from trunkline.solver.cli.main import run; code = run(sys.argv[1:]); "
        "heavy = {'numba', 'networkx', 'matplotlib', 'grpc', 'numpy'} & set(sys.modules); "
        "sys.exit(code or ', '.join(heavy) or 0)"
    )
    result = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (0, "")


def test_other_packages_bring_commands_that_are_loaded_when_used(monkeypatch, capsys):
    class Point:
        name = "game"
        loaded = 0

        def load(self):
            Point.loaded += 1
            return click.Command("game", callback=lambda: click.echo("played"))

    monkeypatch.setattr(
        "trunkline.solver.cli.main.entry_points", lambda group: {"trunkline.commands": [Point()]}[group]
    )
    assert run(["titles"]) == 0
    assert Point.loaded == 0
    assert run(["game"]) == 0
    assert capsys.readouterr().out.splitlines() == [*title_ids(), "played"]


# --- solve ---


def test_solve_prints_the_run_the_revenue_and_the_proof(file, capsys):
    assert run(["solve", file(RECORD.text), "--rules", "18xx.games"]) == 0
    out = words(capsys.readouterr().out)
    position = wire.position_from_json(RECORD.text)
    assert out.startswith(f"{position.company} ")
    assert all(t.name in out for t in position.trains)
    total = int(out.partition("total ")[2].partition(" ")[0])
    assert total >= RECORD.revenue
    assert "(proven best)" in out


def test_solve_prints_json_that_is_read_back(file, capsys):
    assert run(["solve", file(RECORD.text), "--json"]) == 0
    solution = wire.solution_from_json(capsys.readouterr().out)
    assert solution.optimal
    assert sum(r.revenue for r in solution.routes) == solution.total


def test_solve_reads_standard_input(monkeypatch, fake, capsys):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(wire.position_to_json(board("earn 70")).encode())))
    assert run(["solve", "-"]) == 0
    assert "total 70 (proven best)" in capsys.readouterr().out


def test_solve_with_a_deadline_says_that_it_is_not_proven(fake, capsys):
    assert run(["solve", fake("limit 30"), "--deadline", "0.1"]) == 0
    assert "best found so far; no routes earn more than 1000" in words(capsys.readouterr().out)


def test_solve_asks_a_server(file, server, capsys):
    assert run(["solve", file(wire.position_to_json(board("earn 70"))), "--server", server]) == 0
    assert "total 70 (proven best)" in capsys.readouterr().out


def test_solve_draws_the_routes(file, tmp_path, capsys):
    assert run(["solve", file(RECORD.text), "--draw", str(tmp_path / "out.svg")]) == 0
    assert (tmp_path / "out.svg").read_text().startswith("<svg")


def press_ctrl_c():
    signal.raise_signal(signal.SIGINT)


@pytest.fixture(autouse=True)
def _ctrl_c_is_heard():
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("where", ["here", "there"])
def test_ctrl_c_prints_the_best_found_so_far(fake, server, where, monkeypatch, gate, capsys):
    """Pressed when the first improvement has come."""

    def pressing(find):
        def solve(*arguments, on_improvement, **options):
            def improved(solution):
                on_improvement(solution)
                press_ctrl_c()

            return find(*arguments, on_improvement=improved, **options)

        return solve

    name = fake(f"wait {gate}")
    monkeypatch.setattr("trunkline.solver.solve", pressing(fakes.solve))
    monkeypatch.setattr("trunkline.solver.service.client.Client.solve", pressing(Client.solve))
    assert run(["solve", name, *(["--server", server] if where == "there" else [])]) == 130
    out = words(capsys.readouterr().out)
    assert "best found so far" in out
    assert "total 10 " in out


def test_ctrl_c_before_anything_was_found_says_so(fake, monkeypatch, gate, capsys):
    name = fake(f"stuck {gate}")

    def solve(position, *, cancelled, **options):
        press_ctrl_c()
        return fakes.solve(position, cancelled=cancelled, **options)

    monkeypatch.setattr("trunkline.solver.solve", solve)
    assert run(["solve", name]) == 130
    assert capsys.readouterr().err == "trunkline: stopped before anything was found\n"
    assert gate.cancelled()


def test_rules_and_switches_of_the_command_line_come_first(monkeypatch, file):
    seen = []

    def solve(position, **_):
        seen.append(position.rules)
        return fakes.answer(10)

    monkeypatch.setattr("trunkline.solver.solve", solve)
    name = file(json.dumps(json.loads(RECORD.text) | {"rules": {"switches": {"connection_requires_counted": True}}}))
    assert run(["solve", name, "--switch", "jewelry_per_destination=off"]) == 0
    assert run(["solve", name, "--rules", "18xx.games", "--switch", "connection_requires_counted=on"]) == 0
    assert [(r.name, dict(r.switches)) for r in seen] == [
        ("rulebook", {"connection_requires_counted": True, "jewelry_per_destination": False}),
        ("18xx.games", {"connection_requires_counted": True}),
    ]


# --- evaluate and draw ---


def routes_of(record):
    return [a for r in record.routes for a in ("--route", f"{r.train}:{','.join(r.waypoints)}")]


def test_evaluate_prints_what_drawn_routes_earn(file, capsys):
    assert run(["evaluate", file(RECORD.text), *routes_of(RECORD)]) == 0
    assert f"total {RECORD.revenue} (legal)" in words(capsys.readouterr().out)


def test_evaluate_takes_the_routes_of_a_solution(file, capsys):
    run(["solve", file(RECORD.text), "--json"])
    solution = capsys.readouterr().out
    assert run(["evaluate", file(RECORD.text), "--routes", file(solution, "solution.json"), "--json"]) == 0
    evaluation = json.loads(capsys.readouterr().out)
    assert (evaluation["legal"], evaluation["total"]) == (True, json.loads(solution)["total"])


def test_evaluate_names_why_a_route_is_not_legal(file, capsys):
    assert run(["evaluate", file(RECORD.text), "--route", "0:D3-Z99"]) == 1
    out = words(capsys.readouterr().out)
    assert "not legal:" in out
    assert "Z99" in out


def test_evaluate_reads_a_question_with_routes(file, server, capsys):
    question = {"position": json.loads(wire.position_to_json(board("earn 1"))), "routes": [{"waypoints": ["A1"]}]}
    assert run(["evaluate", file(json.dumps(question)), "--server", server, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["total"] == 10


@pytest.mark.parametrize("route", ["D3-E4", "x:D3-E4", "0:", "0:D3--E4", "-1:D3", "9999:D3"])
def test_a_route_that_is_none_is_a_usage_error(file, route, capsys):
    assert run(["evaluate", file(RECORD.text), "--route", route]) == 2
    assert "is not of the form TRAIN:STOP-STOP-…" in capsys.readouterr().err


def test_draw_writes_a_picture_of_the_board(file, tmp_path):
    out = tmp_path / "board.svg"
    assert run(["draw", file(RECORD.text), "-o", str(out), *routes_of(RECORD)]) == 0
    assert out.read_text().startswith("<svg")
    assert run(["draw", file(RECORD.text), "-o", str(out), "--route", "0:D3-Z99"]) == 1


# --- titles ---


def test_titles_lists_and_describes(server, capsys):
    for options in ([], ["--server", server]):
        assert run(["titles", *options]) == 0
        assert capsys.readouterr().out.splitlines() == list(title_ids())
        assert run(["titles", "18India", *options]) == 0
        out = words(capsys.readouterr().out)
        assert "GIPR Great Indian Peninsula national 112 0, 40, 100, 100" in out
        assert "4E 4 3 450 any city, 4 pay; any town, 0 pay; any" in out
        assert "jewelry_per_destination" in out
    assert run(["titles", "18India", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["hexes"]) == 183


# --- batch ---

LINES = [
    wire.position_to_json(board("earn 10")),
    "",
    "{broken",
    '{"title": "18India", "company": "XXX"}',
    wire.position_to_json(board("earn 20")),
    "   ",
    '{"tiles": 5}',
]
JSONL = "".join(line.replace("\n", "") + "\n" for line in LINES)


def test_a_line_cut_short_is_named_by_its_own_number_and_column(file, capsys):
    assert run(["batch", file('{"title": "18India"}\n{"title": "18India", "company"\n'), "--workers", "1"]) == 1
    assert json.loads(capsys.readouterr().out.splitlines()[1]) == {
        "line": 2,
        "error": "not JSON: Expecting ':' delimiter at line 1, column 31",
        "faults": [{"field": "", "message": "not JSON: Expecting ':' delimiter at line 1, column 31"}],
    }


def test_batch_answers_each_line_in_order_with_errors_in_their_place(file, server, tmp_path, capsys):
    out = tmp_path / "out.jsonl"
    assert run(["batch", file(JSONL), "-o", str(out), "--server", server]) == 1
    answers = [json.loads(line) for line in out.read_text().splitlines()]
    assert [a["line"] for a in answers] == [1, 3, 4, 5, 7]
    assert [a["solution"]["total"] for a in answers if "solution" in a] == [10, 20]
    assert answers[2]["faults"][0]["field"] == "company"
    err = capsys.readouterr().err
    assert "line 3: not JSON" in err
    assert "2 solved, 2 of them proven, 3 with errors" in err


def test_batch_solves_with_processes_of_this_machine(file, capsys):
    lines = [r.text for r in recorded("18India")[::8]]
    assert run(["batch", file("\n".join([*lines, "{"])), "--workers", "2"]) == 1
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [a["line"] for a in answers] == list(range(1, len(lines) + 2))
    paid = [r.revenue for r in recorded("18India")[::8]]
    assert all(a["solution"]["total"] >= p for a, p in zip(answers, paid, strict=False))
    assert "not JSON" in answers[-1]["error"]


def test_ctrl_c_ends_a_batch_with_what_is_done(file, server, monkeypatch, gate, capsys):
    """Pressed when the first answer is written and the next one is waited for."""
    solve_batch = Client.solve_batch

    def pressing(self, positions, **options):
        for answer in solve_batch(self, positions, **options):
            yield answer
            until(lambda: len(gate.begun()) == 2)
            press_ctrl_c()

    monkeypatch.setattr("trunkline.solver.service.client.Client.solve_batch", pressing)
    companies = ["earn 10", f"wait {gate}", f"wait {gate}"]
    lines = [wire.position_to_json(board(c)).replace("\n", "") for c in companies]
    assert run(["batch", file("\n".join(lines)), "--server", server]) == 130
    assert [json.loads(line)["line"] for line in capsys.readouterr().out.splitlines()] == [1]
    until(lambda: len(gate.cancelled()) == 2)


def test_a_line_that_begins_with_too_many_blanks_is_not_passed_over(file, server, capsys):
    assert run(["batch", file(b" " * 9_000_000 + b"{}\n\n  "), "--server", server]) == 1
    (answer,) = map(json.loads, capsys.readouterr().out.splitlines())
    assert "at most 8,000,000" in answer["error"]


def test_a_line_of_100_megabytes_is_an_error_of_that_line(file, server, capsys):
    lines = b'{"company": "' + bytes(100_000_000) + b'"}\n' + JSONL.splitlines()[0].encode()
    assert run(["batch", file(lines), "--server", server]) == 1
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert (first["line"], second["line"]) == (1, 2)
    assert "at most 8,000,000" in first["error"]


# --- what can go wrong ---


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "trunkline: not JSON: Expecting value at line 1, column 1\n"),
        ('{"title": "18Mars"}', f"trunkline: title: unknown title '18Mars'; known: {', '.join(title_ids())}\n"),
        (
            '{"title": "18India", "company": "EIR", "trains": [{"name": "9"}]}',
            "trunkline: trains[0].name: unknown train",
        ),
        ('{"title": "18India", "tilez": 1}', "trunkline: tilez: unknown field"),
        (b"\xff\xfe", "trunkline: not JSON that can be read"),
    ],
)
@pytest.mark.parametrize("command", [["solve"], ["evaluate"], ["draw", "-o", "-"]])
def test_a_wrong_file_is_exit_code_3(file, content, message, command, capsys):
    assert run([*command, file(content)]) == 3
    err = capsys.readouterr().err
    assert err.startswith(message)
    assert "Traceback" not in err


EXAMPLE = json.loads((ROOT / "examples/position.json").read_text())


def changed(path, value):
    """The example with one value changed, or a list with one more entry."""
    data = json.loads(json.dumps(EXAMPLE))
    *place, last = path
    at = data
    for key in place:
        at = at[key]
    if isinstance(at, list):
        at.append(value)
    else:
        at[last] = value
    return json.dumps(data)


@pytest.mark.parametrize(
    ("path", "value", "place"),
    [
        (("tiles", -1), {"hex": "Z99", "tile": "8"}, "tiles[7].hex: 18 India has no hex Z99"),
        (("tiles", -1), {"hex": "here", "tile": "8"}, "tiles[7].hex: 'here' is not a hex id"),
        (("tiles", -1), {"hex": "E4", "tile": "4"}, "tiles[7].hex: E4 has two tiles"),
        (("tiles", 0, "tile"), "9999", "tiles[0].tile: E4: unknown tile '9999'"),
        (("tiles", 0, "tile"), "57", "tiles[0].tile: E4: tile 57 does not fit"),
        (("tiles", 0, "rotation"), 6, "tiles[0].rotation: E4: 6 is not from 0 to 5"),
        (("tiles", -1), {"hex": "E2", "tile": "9"}, "tiles[7].rotation: E2: tile 9 turned by 0 has track to side 3"),
        (("tiles", -1), {"hex": "G16", "tile": "x", "definition": "city=revenue:x"}, "tiles[7].definition: G16:"),
        (("tokens", -1), {"company": "XYZ", "hex": "G36"}, "tokens[2].company: G36: unknown company 'XYZ'"),
        (("tokens", -1), {"company": "EIR", "hex": "G8", "city": 1}, "tokens[2].slot: G8: no free slot in city 1"),
        (("tokens", 1, "city"), 7, "tokens[1].city: D3 has no city 7"),
        (("tokens", 1, "slot"), 7, "tokens[1].slot: D3: city 0 has no slot 7"),
        (("markers",), [{"hexes": ["E4", "F5"]}], "markers: E4-F5: there is no province border"),
        (("markers",), [{"hexes": ["E4", "K40"]}], "markers: E4-K40: the hexes are not neighbours"),
        (("phase",), "V", "phase: 18 India has no phase 'V'"),
        (("company",), "XYZ", "company: 18 India has no company 'XYZ'"),
        (("trains", -1), {"name": "7"}, "trains[2].name: unknown train '7'"),
        (("trains", -1), {"name": "0", "distance": 0}, "trains[2].distance: train '0' can visit no stops"),
        (("trains", -1), {"name": "x", "visits": [{"kinds": ["port"]}]}, "trains[2].visits: unknown kind 'port'"),
        (("openConcessions",), ["RUM"], "open_concessions: unknown commodity 'RUM'"),
        (("heldConcessions",), ["JEWELRY"], "held_concessions: JEWELRY "),
        (("heldConcessions",), ["OPIUM"], "held_concessions: OPIUM is both open and held"),
        (("jewelryHex",), "D3", "jewelry_hex: D3: the jewelry marker needs a hex without"),
        (("rules",), {"set": "mine"}, "rules.set: unknown rule set 'mine'"),
        (("rules",), {"switches": {"mine": True}}, "rules.switches: unknown switch 'mine'"),
    ],
)
def test_what_cannot_be_on_the_table_is_named_with_its_place(file, path, value, place, capsys):
    assert run(["solve", file(changed(path, value))]) == 3
    assert capsys.readouterr().err.startswith(f"trunkline: {place}")


@pytest.mark.parametrize(
    ("field", "reason"), [("tokens", "idle: NWR has no token on the board"), ("trains", "total 0 (proven best)")]
)
def test_a_company_without_tokens_or_trains_earns_nothing(file, field, reason, capsys):
    assert run(["solve", file(changed((field,), []))]) == 0
    out = words(capsys.readouterr().out)
    assert reason in out
    assert "total 0 (proven best)" in out


def test_a_file_that_cannot_be_read_or_written_is_exit_code_3(file, tmp_path, capsys):
    assert run(["solve", str(tmp_path / "none")]) == 3
    assert "none: No such file or directory" in capsys.readouterr().err
    assert run(["solve", str(tmp_path)]) == 3
    assert "Is a directory" in capsys.readouterr().err
    assert run(["draw", file(RECORD.text), "-o", str(tmp_path / "no/such/folder.svg")]) == 3
    assert "No such file or directory" in capsys.readouterr().err


def test_an_unknown_title_is_exit_code_3(capsys):
    assert run(["titles", "18Mars"]) == 3
    assert "unknown title '18Mars'; known: 1804, 1830, " in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ["fly"],
        ["solve"],
        ["solve", "x", "--deadline", "-1"],
        ["solve", "x", "--deadline", "nan"],
        ["solve", "x", "--switch", "y=maybe"],
        ["serve", "--port", "99999"],
    ],
)
def test_a_wrong_command_line_is_exit_code_2(arguments, capsys):
    assert run(arguments) == 2
    assert "Usage: trunkline" in capsys.readouterr().err


def test_a_server_out_of_reach_is_exit_code_4(file, capsys):
    assert run(["solve", file(RECORD.text), "--server", "127.0.0.1:1"]) == 4
    assert "UNAVAILABLE" in capsys.readouterr().err


def test_a_server_that_cannot_be_is_exit_code_3(file, capsys):
    assert run(["solve", file(RECORD.text), "--server", "::::"]) == 3
    assert "is no address such as localhost:50051" in capsys.readouterr().err


def test_a_fault_of_the_program_is_exit_code_70_and_one_line(fake, capsys):
    assert run(["solve", fake("fail")]) == 70
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "ZeroDivisionError: an error nobody thought of" in err


def test_a_port_that_is_taken_is_exit_code_3(server, capsys):
    assert run(["serve", "--port", server.partition(":")[2], "--workers", "1"]) == 3
    assert f"cannot listen on {server}" in capsys.readouterr().err


def test_who_reads_may_have_enough(file):
    code = "from trunkline.solver.cli.main import main; main()"
    command = f"{sys.executable} -c '{code}' titles 18India --json | head -1"
    result = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert (result.stdout, result.stderr) == ("{\n", "")


@given(st.binary(max_size=100) | st.text(max_size=100).map(str.encode))
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
def test_random_bytes_never_end_in_a_traceback(tmp_path, capsys, content):
    (tmp_path / "any").write_bytes(content)
    for command in (["solve"], ["evaluate"]):
        assert run([*command, str(tmp_path / "any")]) == 3
        assert capsys.readouterr().err.startswith("trunkline: ")


@pytest.mark.long
def test_serve_serves_until_sigterm():
    command = [sys.executable, "-m", "trunkline", "serve", "--port", "0", "--workers", "1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        words_ = fakes.first_line(process).split()
        assert words_[:2] == ["serving", "on"]
        address = words_[2]
        assert run(["titles", "--server", address]) == 0
        process.send_signal(signal.SIGTERM)
        assert process.wait(HANG) == 0
