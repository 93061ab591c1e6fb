"""The benchmarks run and write what they promise. Nothing here depends on how fast anything is."""

import csv
import json

import pytest
from click.testing import CliRunner

pytest.importorskip("matplotlib", reason="needs the extra benchmark")
pytest.importorskip("psutil", reason="needs the extra benchmark")

from benchmarks import growth, history, reference
from benchmarks.__main__ import SECTIONS, main, measure
from benchmarks.answer import PARTS, answer, request_of
from benchmarks.measure import Findings, Spread, shown
from benchmarks.plan import Plan
from benchmarks.targets import TARGETS, verdicts
from tests import brute
from tests.positions import recorded
from tests.waiting import HANG
from trunkline.solver.generate import random_position

TINY = Plan(
    files=("18India",),
    positions=3,
    rounds=2,
    reference_limit=0.5,
    throughput=0.2,
    cancelled=1,
    starts=1,
    sizes=(0, 20),
    seeds=1,
    deadline=1.0,
    hard_boards=1,
    games=1,
    actions=300,
    recorded_games=("double_city", "share_return"),
)


@pytest.fixture(scope="module")
def out(tmp_path_factory):
    folder = tmp_path_factory.mktemp("benchmarks")
    measure(TINY, folder, ["positions", "growth", "play"])
    return folder


def test_a_run_writes_a_table_as_markdown_and_json(out):
    text = (out / "report.md").read_text(encoding="utf-8")
    assert "| measure | unit | measured |" in text
    assert "## Recorded positions: time from request to answer" in text
    assert "## Growth of the board" in text
    data = json.loads((out / "report.json").read_text(encoding="utf-8"))
    assert set(data["figures"]) <= set(TARGETS)
    assert {"recorded_median", "recorded_p99", "game_load", "track_actions"} <= set(data["figures"])
    assert data["machine"]["numba"]


def test_every_position_and_board_is_a_line_of_a_csv_file(out):
    with (out / "positions.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [r["position"] for r in rows] == [r.id for r in recorded("18India")[:3]]
    assert all(float(row[f"{part}_ms"]) >= 0 for row in rows for part in PARTS)
    with (out / "growth.csv").open(encoding="utf-8") as file:
        boards = [(r["lay"], int(r["tiles"])) for r in csv.DictReader(file)]
    assert boards == [(lay, tiles) for lay in growth.LAYS for tiles in (0, 20)]


def test_the_plots_are_pictures(out):
    text = (out / "report.md").read_text(encoding="utf-8")
    for name in ("positions", "parts", "growth"):
        assert (out / f"{name}.png").read_bytes().startswith(b"\x89PNG")
        assert "<svg" in (out / f"{name}.svg").read_text(encoding="utf-8")
        assert f"({name}.svg)" in text


@pytest.mark.long
def test_sections_with_servers_and_processes_of_their_own(tmp_path):
    findings = measure(TINY, tmp_path, ["service", "start", "memory"])
    figures = {key for f in findings for key in f.figures}
    assert figures == {"grpc_added", "cancelled", "start_cached", "start_compiling", "memory_warm", "memory_hardest"}


def test_the_command_explains_itself_and_its_sections():
    result = CliRunner().invoke(main, ["--help"])
    assert result.exit_code == 0
    assert all(name in result.output for name in (*SECTIONS, "--quick", "--out"))


def test_an_answer_is_told_in_parts_that_add_up():
    found = answer(request_of(recorded("18India")[0].position))
    assert found.solution.optimal
    assert 0 < sum(found.parts) <= found.seconds


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # the alarm may ring in a finalizer
def test_the_plain_search_is_given_up_after_its_limit_and_else_finds_the_best():
    hard = random_position(0, trains=growth.TRAINS)
    assert not reference.search(hard, 0.05).finished
    easy = recorded("18India")[0].position
    assert reference.search(easy, HANG).total == brute.best(easy)


def test_a_lower_bound_never_reaches_a_target():
    findings = Findings(figures={"laid_uniform_p99": 0.01, "recorded_p99": 4.9}, at_least={"laid_uniform_p99"})
    reached = {row[0]: (row[2], row[-1]) for row in verdicts([findings]).rows}
    assert reached[TARGETS["laid_uniform_p99"].measure] == ("≥ 0.01", "missed")
    assert reached[TARGETS["recorded_p99"].measure] == ("4.9", "aim")
    assert reached[TARGETS["grpc_added"].measure] == (None, "not measured")


def test_a_spread_is_of_measured_values():
    assert Spread.of(range(1, 101)) == Spread(50.5, 91, 100, 100)


def test_numbers_are_shown_with_three_digits():
    assert [shown(x) for x in (0.01234, 0.5, 12.34, 123.4, 12345.6, 7, None, True)] == [
        "0.012", "0.5", "12.3", "123", "12,346", "7", "–", "yes",
    ]  # fmt: skip


def test_a_second_run_is_compared_with_the_first(tmp_path):
    file = tmp_path / history.NAME
    first = [Findings(figures={"game_load": 2.0})]
    assert history.read(file) == []
    history.add(file, {"cores": 2}, first)
    with file.open("a") as lines:
        lines.write('{"figures": {"game_lo')  # a run that was cut short
        lines.write("\n")
    (run,) = history.read(file)
    assert run["figures"] == {"game_load": 2.0}
    assert run["machine"] == {"cores": 2}
    table = history.compared([run], [Findings(figures={"game_load": 1.0, "cancelled": 9.0})])
    assert [row[2:5] for row in table.rows] == [(2.0, 1.0, 0.5)]


def test_the_figures_of_a_run_are_kept(out):
    (run,) = history.read(out / history.NAME)
    assert run["figures"] == json.loads((out / "report.json").read_text(encoding="utf-8"))["figures"]
