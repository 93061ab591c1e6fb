"""``trunkline game``: games in files, at a terminal, by script, with bots; carried to and from servers; exit codes."""

import doctest
import errno
import fcntl
import gzip
import io
import json
import os
import pty
import re
import select
import subprocess
import sys
import time
import types
from pathlib import Path
from typing import Any

import click
import pytest
from rich.console import Console

from tests.engine.service.serving import served
from tests.solver.test_docs import bare, sessions
from tests.waiting import HANG
from trunkline.engine import game as rules
from trunkline.engine.actions import BuyFromIpo, BuyTrain, DrawDummy, Keep, LayTile, PlaceToken, Run
from trunkline.engine.bots.random_play import play
from trunkline.engine.box.box import company_of
from trunkline.engine.cli.book import Book
from trunkline.engine.cli.main import game as group
from trunkline.engine.cli.manual import COMMANDS
from trunkline.engine.cli.play import Session
from trunkline.engine.errors import LogError, RuleError
from trunkline.engine.log import Log
from trunkline.engine.options import SWITCHES, Options
from trunkline.engine.rules.run import position
from trunkline.engine.service.store import Store
from trunkline.engine.state import OPERATE, RUN, TRACK
from trunkline.engine.undo import UNDO_POLICIES
from trunkline.engine.views import view
from trunkline.engine.wire import notation
from trunkline.engine.wire.notation.trains import waypoint
from trunkline.solver import solve
from trunkline.solver.board import CITY, TOWN, StopId
from trunkline.solver.cli.main import run
from trunkline.solver.errors import Cancelled

ROOT = Path(__file__).parents[3]
GAMES = Path(__file__).parents[1] / "games"
NAMES = ("Ann", "Bob", "Cem")
PLAYED = play(Options(players=NAMES), 4, solve, most=300)


@pytest.fixture
def command(capsys, monkeypatch, tmp_path):
    """Runs a command in an empty folder; gives exit code, output and errors."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")

    def call(*arguments, script=None):
        if script is not None:
            monkeypatch.setattr("sys.stdin", io.StringIO(script))
        code = run(["game", *map(str, arguments)])
        seen = capsys.readouterr()
        return code, seen.out, seen.err

    return call


@pytest.fixture
def file(tmp_path):
    """A game of 300 actions."""
    path = tmp_path / "played.game"
    path.write_text(PLAYED.dumps())
    return path


def words(text):
    return " ".join(text.split())


# --- help and start


@pytest.mark.parametrize("name", sorted(group.commands))
def test_every_command_explains_itself_with_examples(command, name):
    code, out, _ = command(name, "--help")
    assert code == 0
    assert f"trunkline game {name}" in out
    assert "Exit codes" in out


def test_help_does_not_load_the_solver():
    run = "from trunkline.solver.cli.main import run; run(['game', 'play', '--help'])"
    script = f"import sys; {run}; print('numba' in sys.modules)"
    result = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert result.stdout.endswith("False\n")


# --- new


def test_a_new_game_is_a_file_with_its_options_and_deal(command):
    code, out, _ = command(
        "new", "a.game", "-p", "Ann", "-p", "Bob", "--seed", 7, "--variant", "dummy", "--switch", "auto_pass=on"
    )
    assert code == 0
    assert "trunkline game play a.game" in out
    options = Options(("Ann", "Bob"), variant="dummy", switches=(("auto_pass", True),))
    assert Log.loads(Path("a.game").read_text()) == Log(options, 7)


def test_a_file_that_exists_is_not_overwritten(command, file):
    code, _, err = command("new", file, "-p", "Ann", "-p", "Bob")
    assert code == 3
    assert "exists" in err
    assert file.read_text() == PLAYED.dumps()


@pytest.mark.parametrize(
    ("arguments", "code", "match"),
    [
        ([], 2, "name the players"),
        (["-p", "Ann"], 3, "2 to 5"),
        (["-p", "Ann", "-p", "Ann"], 3, "name of their own"),
        (["-p", "Ann", "-p", "Bob", "--rules", "house"], 3, "rules: unknown value 'house'"),
        (["-p", "Ann", "-p", "Bob", "--switch", "auto_pass"], 2, "NAME=on"),
        (["-p", "Ann", "-p", "Bob", "--switch", "x=on"], 3, "unknown switch 'x'"),
        (["-p", "Ann", "-p", "Bob", "--start", "lottery"], 2, "lottery"),
    ],
)
def test_a_game_that_cannot_be_is_refused(command, arguments, code, match):
    found, _, err = command("new", "a.game", *arguments)
    assert found == code
    assert match in words(err)
    assert not Path("a.game").exists()


@pytest.mark.parametrize("arguments", [("new", "a.game", "-p", "Ann", "-p", "Bob"), ("box",)])
def test_the_switches_that_are_known_are_listed_to_the_last(command, arguments):
    code, _, err = command(*arguments, "--switch", "x=on")
    assert code == 3
    assert err.endswith(f"{', '.join(SWITCHES)}\n")


# --- scripts


def test_a_script_plays_line_by_line(command):
    command("new", "a.game", "-p", "Ann", "-p", "Bob", "--seed", 3)
    code, out, _ = command(
        "play",
        "a.game",
        script="# both keep\nBob: keep 1 2 3 4 5 6 7 8\n\nkeep 8 9 10 11 12 13 14 15\nBob: draft NWR_0 # why\nundo\n",
    )
    assert code == 0
    assert "Bob: keep 8 cards" in words(out)
    assert "draft NWR_0 NWR Director's certificate, to buy for 200" in words(out)
    assert words(out).endswith("a.game: 2 actions, draft, to act: Bob")
    assert len(Path("a.game").read_text().splitlines()) == 3


@pytest.mark.parametrize(
    ("line", "match"),
    [
        ("dance", "'dance' is no action"),
        ("draft", "is not of the form: draft CARD"),
        ("draft EIR_99", "EIR_99 is not in the pool (rules section 2)"),
        ("lay D5 7 0", "lay is not possible now (draft) (rules section 2); legal: draft"),
        ("train 9", "there is no train 9 to buy"),
        ("dance", "'dance' is no action and no command; now: draft; help lists commands"),
        ("lay D5 99 0", "there is no tile 99"),
        ("homecity D5 99 0", "there is no tile 99"),
        ("draw", "draw FILE: name one file"),
        ("Ann: draft NWR_0", "it is not Ann's turn (rules section 3); legal: turn of Bob"),
        ("99", "there is no number 99; the list goes from 1 to"),
        ("undo 77", "no more to take back"),
        ("undo 99999999", "there are 2 actions, no more to take back"),
        ("undo 9999999999", "there are 2 actions, no more to take back"),
        (f"undo {'9' * 5000}", "there are 2 actions, no more to take back"),
        ("undo -1", "'-1' is no number"),
    ],
)
def test_a_refused_line_names_itself_and_the_rule_and_what_was_before_it_stays(command, line, match):
    command("new", "a.game", "-p", "Ann", "-p", "Bob", "--seed", 3)
    keeps = "Ann: keep 1 2 3 4 5 6 7 8\nBob: keep 1 2 3 4 5 6 7 8\n"
    code, _, err = command("play", "a.game", "-q", script=f"{keeps}{line}\ndraft NWR_0\n")
    assert code == 1
    assert f"line 3, {line!r}" in err
    assert match in words(err)
    assert len(Path("a.game").read_text().splitlines()) == 3


def test_the_exact_log_is_a_script_that_gives_the_same_game(command, file):
    _, script, _ = command("log", file, "--exact")
    assert len(script.splitlines()) == 300
    Path("again.game").write_text(PLAYED.undo(0).dumps())
    code, _, err = command("play", "again.game", "-q", script=script)
    assert (code, err) == (0, "")
    assert Path("again.game").read_text() == PLAYED.dumps()


@pytest.mark.parametrize("names", [("C: D", "C", "ann#1"), ("#1", "ann", "Ann"), (" Eve", "a:", "a: b: c")])
def test_the_exact_log_is_a_script_also_where_names_have_colons_and_hashes(command, names):
    played = play(Options(players=names), 4, most=12)
    Path("a.game").write_text(played.dumps())
    _, script, _ = command("log", "a.game", "--exact")
    Path("again.game").write_text(played.undo(0).dumps())
    code, _, err = command("play", "again.game", "-q", script=script)
    assert (code, err) == (0, "")
    assert Path("again.game").read_text() == played.dumps()


def test_a_game_that_is_over_takes_no_more(command):
    over = play(Options(players=NAMES[:2]), 1)
    Path("over.game").write_text(over.dumps())
    code, _, err = command("play", "over.game", script="pass\n")
    assert code == 1
    assert "the game is over" in err
    assert command("play", "over.game", "-q", script="Ann: pass\n")[0] == 1
    assert command("play", "over.game", "-q", script="")[0] == 0
    assert Path("over.game").read_text() == over.dumps()


def test_the_last_action_of_a_game_can_be_taken_back_by_script(command):
    over = play(Options(players=NAMES[:2]), 1)
    Path("over.game").write_text(over.dumps())
    last = over.actions[-1]
    code, out, _ = command("play", "over.game", script=f"log 1\nundo\n{notation.write_action(last)}\nundo 2\n")
    assert code == 0
    assert f"{len(over.actions) - 2} actions" in words(out)
    assert Path("over.game").read_text() == over.undo(len(over.actions) - 2).dumps()


def at_step(step):
    """The example game where a company is first in this step."""
    number, state = 0, PLAYED.replay(0)
    while state.stage != OPERATE or state.pending or state.operating.step != step:
        state = rules.apply(state, PLAYED.actions[number])
        number += 1
    return PLAYED.undo(number)


@pytest.mark.parametrize(
    ("step", "line", "match"),
    [
        (TRACK, "draw", "draw FILE: name one file"),
        (TRACK, "token D23", "this is step track (rules section 8.3); legal: pass, lay"),
        (TRACK, "draft EIR_0", "draft is not possible now (track) (rules section 7); legal: pass, lay"),
        (TRACK, "run idle", "this is step track (rules section 9); legal: pass, lay"),
        (RUN, "pass", "step run cannot be passed (rules section 7); legal: run"),
        (RUN, "lay D23 8 0", "the track action of this turn is over (rules section 8.1); legal: run"),
    ],
)
def test_what_is_refused_says_what_can_be_typed_in_this_step(command, step, line, match):
    Path("a.game").write_text(at_step(step).dumps())
    code, _, err = command("play", "a.game", "-q", script=f"{line}\n")
    assert code == 1
    assert match in words(err)
    assert not re.search(r"legal:.*[a-z]_[a-z]", err)


def test_draw_alone_draws_a_dummy_card_when_one_can_be_drawn():
    asked = []

    def watch(before, action, after):
        if isinstance(action, DrawDummy):
            asked.append((before, action, after))

    play(Options(players=NAMES[:2], variant="dummy"), 3, watch=watch, most=600)
    before, action, after = asked[0]
    taken = []

    def append(one):
        taken.append(one)
        book.state = after

    book: Any = types.SimpleNamespace(state=before, number=0, append=append)
    Session(book, Console(quiet=True), solve).line(action.seat, "draw")
    assert taken == [action]


# --- bots


def test_bots_play_a_game_to_its_end(command):
    command("new", "a.game", "-p", "Ann", "-p", "Bob", "--seed", 1)
    code, out, _ = command("play", "a.game", "--auto", "--style", "random", "-q")
    assert code == 0
    assert re.search(r"over after \d+ actions \(\w+\): Ann \d+, Bob \d+", words(out))
    code, out, _ = command("replay", "a.game", "--check")
    assert code == 0
    assert "the game is over" in out


def test_a_bot_plays_for_one_player_and_the_script_for_the_others(command):
    command("new", "a.game", "-p", "Ann", "-p", "Bob", "--seed", 3)
    code, out, _ = command("play", "a.game", "--bot", "bob", script="keep 1 2 3 4 5 6 7 8\n1\n1\n")
    assert code == 0
    assert [line.split()[1] for line in out.splitlines()[:8]].count("Ann:") == 3
    assert words(out).endswith("draft, to act: Ann")


def test_auto_stops_after_so_many_actions(command, file):
    _, out, _ = command("play", file, "--auto", "--most", 5, "-q")
    assert "305 actions" in out


def test_most_is_for_auto(command, file):
    code, _, err = command("play", file, "--most", 3, script="")
    assert (code, "--most is for --auto" in words(err)) == (2, True)


@pytest.mark.parametrize("stop", [KeyboardInterrupt, Cancelled])
@pytest.mark.parametrize("arguments", [("--auto",), ("--bot", "Ann", "--bot", "Bob", "--bot", "Cem")])
def test_bots_that_are_stopped_say_what_is_kept(command, file, monkeypatch, stop, arguments):
    append = Book.append

    def stopping(book, action):
        if book.number == 303:
            raise stop
        append(book, action)

    monkeypatch.setattr(Book, "append", stopping)
    code, _, err = command("play", file, "-q", "--style", "random", *arguments, script="")
    assert (code, err) == (130, f"trunkline: stopped; kept in {file} after action 303\n")
    assert Book(file).number == 303


@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 2])
def test_the_greedy_bots_play_a_game_to_its_end(command, seed):
    command("new", "a.game", "-p", "Ann", "-p", "Bob", "-p", "Cem", "--seed", seed)
    code, out, _ = command("play", "a.game", "--auto", "-q")
    assert code == 0
    assert "over after" in out


# --- looking


def test_a_table_shows_no_hand_but_the_one_asked_for(command, file):
    state = PLAYED.replay()
    _, out, _ = command("show", file)
    assert "hand of" not in out
    for word in ("Ann", "bank", "company", "IPO 1", "open market"):
        assert word in out
    _, out, _ = command("show", file, "--seat", "bob")
    assert all(card in out for card in state.players[1].hand)
    _, out, _ = command("show", file, "--seat", "2", "--json")
    assert json.loads(out) == view(state, 1).to_json()
    code, _, err = command("show", file, "--seat", "Eva")
    assert code == 3
    assert "there is no player 'Eva'; the players are Ann, Bob, Cem" in words(err)


@pytest.mark.parametrize("at", [0, 30, 60, 120, 300])
def test_every_part_of_a_game_can_be_shown(command, file, at):
    code, out, err = command("show", file, "--at", at, "--seat", "Ann")
    assert (code, err) == (0, "")
    assert max(map(len, out.splitlines())) <= 100


def test_the_board_is_drawn(command, file):
    code, _, _ = command("show", file, "--draw", "board.svg")
    assert code == 0
    assert Path("board.svg").read_text().startswith("<svg")


def test_a_game_is_not_drawn_over(command, file):
    before = file.read_text()
    code, _, err = command("show", file, "--draw", file)
    assert code == 3
    assert f"{file}: is the input as well" in err
    code, _, err = command("play", file, "-q", script=f"draw {file}\n")
    assert code == 3
    assert "is the input as well" in err
    assert file.read_text() == before


def test_a_store_is_not_exported_over_itself(command, tmp_path):
    with Store(str(tmp_path / "games.sqlite")) as store:
        game, _ = store.create(PLAYED)
    before = (tmp_path / "games.sqlite").read_bytes()
    assert command("export", game.id, "--store", "games.sqlite", "-o", "games.sqlite")[0] == 3
    assert (tmp_path / "games.sqlite").read_bytes() == before


def full_disk(*_):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_new_game_without_room_leaves_no_file_and_names_it(command, monkeypatch):
    monkeypatch.setattr("os.pwrite", full_disk)
    code, _, err = command("new", "a.game", "-p", "Ann", "-p", "Bob")
    assert (code, err) == (3, "trunkline: a.game: No space left on device\n")
    assert not Path("a.game").exists()


def test_an_action_without_room_is_not_taken_and_the_error_names_the_file(command, monkeypatch):
    command("new", "a.game", "-p", "Ann", "-p", "Bob", "--seed", 3)
    before = Path("a.game").read_bytes()
    with monkeypatch.context() as full:
        write = os.pwrite
        writes = iter([lambda file, data, end: write(file, data[:9], end), full_disk])  # a part is written, then none
        full.setattr("os.pwrite", lambda *a: next(writes)(*a))
        code, _, err = command("play", "a.game", "-q", script="Ann: keep 1 2 3 4 5 6 7 8\n")
    assert (code, err) == (3, "trunkline: a.game: No space left on device\n")
    assert Path("a.game").read_bytes() == before
    assert command("play", "a.game", "-q", script="Ann: keep 1 2 3 4 5 6 7 8\n")[0] == 0


def test_the_log_reads_as_what_was_done(command, file):
    _, out, _ = command("log", file, "--from", 1)
    lines = out.splitlines()
    assert len(lines) == 300
    assert words(lines[0]) == "1 Ann: keep 7 cards"
    assert any("is formed at" in line for line in lines)
    _, out, _ = command("log", file, "--last", 2)
    assert out.splitlines() == lines[-2:]


def test_a_replay_checks_every_action(command, file):
    code, out, _ = command("replay", file, "--check")
    assert code == 0
    assert "300 actions in" in out
    _, out, _ = command("replay", file, "--upto", 10)
    assert "10 actions in" in out


# --- files that are no games


@pytest.mark.parametrize("name", ["show", "log", "replay", "play"])
@pytest.mark.parametrize(
    ("edit", "match"),
    [
        (lambda lines: [*lines[:40], *lines[41:]], "line 41: expected action number 40, found 41; the log has a gap"),
        (lambda lines: [*lines[:40], lines[40][:-9], *lines[41:]], "line 41: is not JSON"),
        (lambda lines: [lines[0].replace('"version":1', '"version":9'), *lines[1:]], "line 1: version 9 is not known"),
        (lambda lines: [lines[0].replace('"seed":4', '"seed":5'), *lines[1:]], "action 1 "),
        (lambda lines: [*lines[:40], lines[40].replace('"seat"', '"chair"'), *lines[41:]], "chair: unknown field"),
        (lambda lines: ["nonsense"], "line 1: is not JSON"),
        (lambda lines: [], "empty"),
    ],
)
def test_a_log_that_is_no_game_is_refused_with_its_line(command, file, name, edit, match):
    content = "".join(f"{line}\n" for line in edit(PLAYED.dumps().splitlines()))
    file.write_text(content)
    code, _, err = command(name, file, script="")
    assert code == 3
    assert match in words(err)
    assert file.read_text() == content


def test_other_faults_of_files_are_named(command, file, tmp_path):
    for arguments, match in (
        (["show", "nothing.game"], "nothing.game: No such file"),
        (["show", tmp_path], "Is a directory"),
        (["show", file, "--at", 999], "no action 999"),
        (["list", "--store", "nothing.sqlite"], "nothing.sqlite: No such file"),
        (["list", "--store", file], "no database"),
    ):
        code, _, err = command(*arguments)
        assert code == 3, err
        assert match in words(err)
    file.write_bytes(b"\xff\xfe\x00")
    assert "is not UTF-8 at byte 0" in command("show", file)[2]


def test_a_last_line_that_was_not_finished_is_dropped_and_the_game_goes_on(command, file):
    file.write_text(PLAYED.dumps()[:-20])
    assert command("show", file)[0] == 0
    code, _, err = command("play", file, script="1\n")
    assert code == 0
    assert "was not finished and is dropped" in err
    assert Book(file).number == 300


def test_a_game_is_played_by_one_process_at_a_time(command, file):
    with file.open("r+b") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        code, _, err = command("play", file, script="1\n")
        assert code == 3
        assert "is being played by another process" in err
        assert command("show", file)[0] == 0
    assert file.read_text() == PLAYED.dumps()


def test_a_book_without_a_last_newline_goes_on_and_back(tmp_path):
    path = tmp_path / "a.game"
    path.write_text(PLAYED.dumps().rstrip("\n"))
    with Book(path, write=True) as book:
        book.append(rules.legal_actions(book.state)[0])
        assert Log.loads(path.read_text()) == book.log
        book.undo(300)
        assert path.read_text().rstrip("\n") == PLAYED.dumps().rstrip("\n")
        book.undo(20)
        book.append(PLAYED.actions[20])
        assert Log.loads(path.read_text()) == PLAYED.undo(21) == book.log
        with pytest.raises(LogError, match="no action 22"):
            book.undo(22)


def test_a_full_disk_changes_nothing(command, file, monkeypatch):
    def no_room(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", no_room)
    code, _, err = command("play", file, script="1\n")
    assert code == 3
    assert "No space left" in err
    assert file.read_text() == PLAYED.dumps()


# --- to and from elsewhere


def test_a_game_goes_into_a_store_and_comes_back(command, file):
    code, out, _ = command("import", file, "--store", "games.sqlite")
    assert code == 0
    id_, *tokens = re.findall(r"game (\w+);|: (\S{20,})$", out, re.MULTILINE)
    with Store("games.sqlite") as store:
        assert [store.seat(id_[0], t) for _, t in tokens] == [0, 1, 2, -1]
    assert id_[0] in command("list", "--store", "games.sqlite")[1]
    assert command("export", id_[0], "--store", "games.sqlite", "-o", "back.game")[0] == 0
    assert Path("back.game").read_text() == PLAYED.dumps()
    for policy in UNDO_POLICIES:
        assert command("import", file, "--store", "games.sqlite", "--undo-policy", policy)[0] == 0
        with Store("games.sqlite") as store:
            assert store.games(1)[0].undo_policy == policy
    assert command("import", file, "-o", "x.game", "--undo-policy", "host")[0] == 2  # a file has no seats
    code, _, err = command("export", "nope", "--store", "games.sqlite")
    assert (code, "there is no game 'nope'" in err) == (3, True)


def test_an_export_does_not_overwrite_a_file(command, file):
    with Store("games.sqlite") as store:
        game, _ = store.create(PLAYED.undo(3))
    code, _, err = command("export", game.id, "--store", "games.sqlite", "-o", file)
    assert (code, err) == (3, f"trunkline: {file}: File exists\n")
    assert file.read_text() == PLAYED.dumps()


def test_the_variables_name_the_store_and_the_server_unless_the_command_line_does(command, monkeypatch, tmp_path):
    for name in ("here", "served"):
        with Store(f"{name}.sqlite") as store:
            store.create(PLAYED.undo(30 if name == "here" else 60))
    Path("new.game").write_text(PLAYED.undo(90).dumps())

    def listed(*arguments):
        code, out, err = command("list", *arguments)
        assert (code, err) == (0, "")
        return re.findall(r"(\d+) actions", out)

    monkeypatch.setenv("TRUNKLINE_GAMES", "here.sqlite")
    assert listed() == ["30"]
    monkeypatch.setenv("TRUNKLINE_SERVER", "127.0.0.1:1")
    monkeypatch.setenv("TRUNKLINE_TLS_CERT", "half.pem")  # would be refused without a key
    assert listed("--store", "served.sqlite") == ["60"]
    assert command("import", "new.game", "-o", "copy.game")[0] == 0
    assert command("import", "new.game", "--store", "here.sqlite")[0] == 0
    monkeypatch.delenv("TRUNKLINE_TLS_CERT")
    assert command("list")[0] == 4
    assert command("box")[0] == 4
    with served(tmp_path / "served.sqlite") as address:
        assert listed("--server", address) == ["60"]
        monkeypatch.setenv("TRUNKLINE_SERVER", address)
        assert listed() == ["60"]
        assert command("import", "new.game")[0] == 0
        assert sorted(listed()) == ["60", "90"]
        monkeypatch.setenv("TRUNKLINE_SERVER", f"{address},127.0.0.1:1")
        assert command("box")[0] == 0
        code, _, err = command("list")
        assert (code, "games are on one server" in words(err)) == (2, True)
    assert sorted(listed("--store", "here.sqlite")) == ["30", "90"]
    for name, variables in (("list", "SERVER GAMES"), ("import", "SERVER GAMES"), ("export", "SERVER GAMES TOKEN")):
        assert all(f"TRUNKLINE_{v}" in command(name, "--help")[1] for v in variables.split())
    assert "TRUNKLINE_SERVER" in command("play", "--help")[1]


def test_a_game_goes_to_a_server_and_comes_back(command, file, tmp_path):
    with served(tmp_path / "served.sqlite") as address:
        code, out, _ = command("import", file, "--server", address)
        assert code == 0
        [id_] = re.findall(r"game (\w+);", out)
        [host] = re.findall(r"host: (\S+)", out)
        [ann] = re.findall(r"Ann: (\S+)", out)
        assert f"{id_}  {PLAYED.replay().stage}" in command("list", "--server", address)[1]
        assert command("export", id_, "--server", address, "--token", host)[1] == PLAYED.dumps()
        code, _, err = command("export", id_, "--server", address, "--token", ann)
        assert (code, "host's token only" in words(err)) == (4, True)
    code, _, err = command("list", "--server", "127.0.0.1:1")
    assert code == 4


def test_a_game_of_the_site_becomes_a_file(command):
    with gzip.open(GAMES / "share_return.json.gz", "rb") as source:
        Path("site.json").write_bytes(source.read())
    code, out, _ = command("import", "site.json", "-o", "site.game")
    assert code == 0
    assert "actions" in out
    assert command("replay", "site.game", "--check")[0] == 0
    Path("other.json").write_text('{"title": "1889"}')
    code, _, err = command("import", "other.json", "-o", "other.game")
    assert (code, "'1889' is not a game of 18 India" in words(err)) == (3, True)
    code, _, err = command("import", "site.json")
    assert (code, "one of --output, --store, --server" in words(err)) == (2, True)


def test_a_file_with_many_games_becomes_a_folder_with_a_line_for_each(command):
    with gzip.open(GAMES / "double_city.json.gz", "rb") as source:
        game_ = json.loads(source.read())
    lines = [json.dumps({"game": game_}), json.dumps(game_ | {"title": "1889"}), json.dumps(game_)]
    Path("many.jsonl.gz").write_bytes(gzip.compress("\n".join(lines).encode()))
    code, out, err = command("import", "many.jsonl.gz", "-o", "games")
    assert code == 3
    assert [line.partition(":")[0] for line in out.splitlines()] == ["games/1.game", "games/3.game"]
    assert f"game 1 of 3, {len(game_['actions'])} actions of 18xx.games read" in words(err)
    assert "game 2: title: '1889' is not a game of 18 India" in words(err)
    assert "2 of 3 games taken over" in err
    assert command("import", "many.jsonl.gz", "--store", "x.sqlite")[0] == 2


# --- a terminal


class Terminal:
    """`trunkline game play` at a pseudo terminal."""

    def __init__(self, *arguments):
        self._master, slave = pty.openpty()
        environment = os.environ | {"TERM": "xterm", "COLUMNS": "100", "LINES": "50", "PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-m", "trunkline", "game", "play", *map(str, arguments)]
        self._child = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, env=environment, cwd=ROOT)
        os.close(slave)
        self.seen = ""

    def until(self, prompt, seconds=HANG):
        """What is printed up to a prompt."""
        end, text = time.monotonic() + seconds, ""
        while prompt not in text:
            assert time.monotonic() < end, text[-2000:]
            if select.select([self._master], [], [], 0.2)[0]:
                try:
                    text += os.read(self._master, 65536).decode(errors="replace")
                except OSError:  # the program has ended
                    break
        self.seen += text
        assert prompt in text, text[-2000:]
        return text

    def type(self, line):
        """Type a line."""
        os.write(self._master, f"{line}\n".encode())

    def end(self):
        """Wait for the end; gives the exit code."""
        code = self._child.wait(HANG)
        os.close(self._master)
        return code


def test_a_hot_seat_hides_each_hand_from_the_others(command, tmp_path):
    command("new", "a.game", "-p", "Ann", "-p", "Bob", "--seed", 3)
    hands = [p.hand for p in Log.loads(Path("a.game").read_text()).replay().players]
    terminal = Terminal(tmp_path / "a.game")
    first = terminal.until("Ann, press Enter")
    assert "hand of" not in first
    terminal.type("")
    ann = terminal.until("Ann> ")
    assert all(card in ann for card in hands[0])
    assert not any(f" {card} " in ann for card in hands[1])
    terminal.type("keep 1 2")
    assert "keep 8 cards, not 2" in words(terminal.until("Ann> "))
    terminal.type("3")
    terminal.until("Enter hides your hand")
    terminal.type("")
    between = terminal.until("Bob, press Enter")
    assert "\x1b[2J" in between or "\x1b[H" in between
    assert "hand of" not in between.rpartition("\x1b[3J")[2]
    terminal.type("")
    bob = terminal.until("Bob> ")
    assert all(card in bob for card in hands[1])
    for command_ in ("help", "help lay", "show", "hand", "log", "best GIPR", f"draw {tmp_path / 'b.svg'}", "? keep"):
        terminal.type(command_)
        assert "Bob> " in terminal.until("Bob> ")
    terminal.type("quit")
    terminal.until("kept in")
    assert terminal.end() == 0
    assert (tmp_path / "b.svg").exists()
    assert Book("a.game").number == 1


def test_a_game_is_played_to_its_end_at_a_terminal(command, tmp_path):
    """The last actions of a whole game by number, by text and by the best run that is suggested."""
    over = play(Options(players=NAMES[:2]), 1, solve)
    last_run = max(n for n, action in enumerate(over.actions) if isinstance(action, Run) and action.runs)
    cut = over.undo(last_run)
    Path("end.game").write_text(cut.dumps())
    state = cut.replay()
    terminal = Terminal("--open", tmp_path / "end.game")
    for _ in range(len(over.actions) - last_run + 40):
        seats = rules.actors(state)
        if not seats:
            break
        prompt = f"{NAMES[seats[0]]}> "
        shown = terminal.until(prompt)
        action = rules.legal_actions(state, seats[0], solve)[0]
        if isinstance(action, Run):
            assert "proven best" in shown
            terminal.type("run best" if action.runs else "1")
        else:
            terminal.type(notation.write_action(action))
        state = rules.apply(state, action)
    assert not rules.actors(state)
    shown = terminal.until("undo or quit> ")
    assert "the game is over" in shown
    assert str(max(state.scores)) in shown
    assert Book("end.game").state == state
    ended = Book("end.game").number
    terminal.type("undo")
    prompt = f"{NAMES[action.seat]}> "
    assert "back to action" in terminal.until(prompt)
    terminal.type("draw /nodir/x.svg")
    assert "cannot write /nodir/x.svg: No such file or directory" in words(terminal.until(prompt))
    terminal.type(notation.write_action(action))
    terminal.until("undo or quit> ")
    terminal.type("pass")
    assert "the game is over" in terminal.until("undo or quit> ")
    terminal.type("quit")
    terminal.until("kept in")
    assert terminal.end() == 0
    assert Book("end.game").number == ended


# --- texts of actions


def test_every_action_is_a_text_and_every_text_the_action():
    seen = set()

    def watch(before, action, after):
        text = notation.write_action(action)
        seen.add(text.split()[0])
        assert notation.read_action(before, action.seat, text) == action
        assert notation.read_action(before, action.seat, text.lower()) == action or isinstance(action, Run)
        notation.describe_action(before, action)

    for seed in (1, 2):
        play(Options(players=NAMES), seed, solve, watch, most=900)
    play(Options(players=NAMES[:2], start="auction", variant="dummy"), 3, watch=watch, most=600)
    assert len(seen) > 18


def test_short_forms_mean_what_is_there():
    state = rules.new_game(Options(players=NAMES), 4)
    hand = state.players[0].hand
    company = next(c for c in map(company_of, hand) if [company_of(x) for x in hand].count(c) > 1)
    two = tuple(c for c in hand if company_of(c) == company)[:2]
    assert notation.read_action(state, 0, f"keep {company} {company.lower()}") == Keep(0, two)
    assert notation.read_action(state, 0, f"keep {company}, {two[0]}") == Keep(
        0, (two[0], two[0])
    )  # for the rules to refuse
    assert notation.read_action(state, 0, "train 2") == BuyTrain(0, "2-0", "bank", 180, "2")
    assert notation.read_action(state, 0, "train 2 EIR 50") == BuyTrain(0, "2", "EIR", 50, "")
    state.depot = [t for t in state.depot if t[0] == "4"]
    assert notation.read_action(state, 0, "train 4e") == BuyTrain(0, "4-0", "bank", 450, "4E")
    assert notation.read_action(state, 0, "train 4-1 as 4E") == BuyTrain(0, "4-1", "bank", 450, "4E")
    assert notation.read_action(state, 0, "lay d5 8 2 p2") == LayTile(0, "D5", "8", 2, "P2")
    assert notation.read_action(state, 0, "token g8 1") == PlaceToken(0, "G8", 1)
    assert notation.read_action(state, 0, "IPO 2 2") == BuyFromIpo(0, 1, 2)


def test_routes_by_hexes_are_read_or_refused():
    stop = max(n for n, action in enumerate(PLAYED.actions) if isinstance(action, Run) and action.runs)
    state, action = PLAYED.replay(stop), PLAYED.actions[stop]
    seat = action.seat
    solution = solve(position(state))
    texts = [f"{r.train}:{'-'.join(f'{s.hex}/{s.kind[0]}{s.number}' for s in r.stops)}" for r in solution.routes]
    read = notation.read_action(state, seat, f"run {' '.join(texts)}")
    after = rules.apply(state, read)
    assert after.operating.revenue == solution.total
    with pytest.raises(RuleError, match="section 9"):
        notation.read_action(state, seat, "run 0:A16-K40")
    with pytest.raises(RuleError, match="is not of the form: run"):
        notation.read_action(state, seat, "run 7:A16")


def test_every_text_that_is_no_action_says_how_it_is_written():
    state = PLAYED.replay()
    for verb, text in notation.TEXTS.items():
        with pytest.raises(RuleError, match=re.escape(text.form)):
            notation.read_action(state, 0, f"{verb} a b c d e f g" if verb not in ("keep", "hand", "sell") else verb)


def test_every_action_with_parts_has_an_example_that_is_read():
    state = rules.new_game(Options(players=NAMES), 4)
    state.depot = [t for t in state.depot if t[0] == "4"]
    for verb, text in notation.TEXTS.items():
        assert bool(text.example) == bool(text.parts) == (" " in text.form), verb
        if not text.example:
            continue
        if verb == "run":  # its routes depend on the board
            ends = [StopId("D23", CITY, 1), StopId("F5", TOWN, 0)]
            assert [waypoint(w) for w in ("D23/1", "F5/t0")] == ends
        else:
            assert notation.write_action(notation.read_action(state, 0, text.example)).split()[0] == verb


def test_help_tells_how_an_action_is_written(command):
    command("new", "a.game", "-p", "Ann", "-p", "Bob", "--seed", 3)
    _, out, _ = command("play", "a.game", script="help run\n")
    for part in ("run 0:D23/1-E24 1:F5/t0-G6", "trains count from 0", "D23/1 is its city 1", "F5/t0 its town 0"):
        assert part in words(out)
    assert "0 to 5, sixths of a turn clockwise" in words(command("play", "a.game", script="help lay\n")[1])
    out = words(command("play", "a.game", script="help draw\n")[1])
    assert "the board as SVG" in out
    assert "draw a card of the dummy hand" in out
    assert "take back the last action" in words(command("play", "a.game", script="help undo\n")[1])
    assert "there is no command and no action 'dance'" in words(command("play", "a.game", script="help dance\n")[1])


def test_the_manual_has_every_action_and_command():
    page = (ROOT / "docs/playing.md").read_text()
    for text in notation.TEXTS.values():
        assert text.form.replace("|", "\\|") in page, text.form
    for command_ in COMMANDS:
        assert f"`{command_}`" in page, command_


def test_the_console_sessions_of_the_manual_are_right(tmp_path):
    """Each command of docs/playing.md with the output that the page shows."""
    command = tmp_path / "bin/trunkline"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m trunkline "$@"\n')
    command.chmod(0o755)
    shown = list(sessions("playing.md"))
    assert len(shown) >= 8
    environment = os.environ | {"PATH": f"{command.parent}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    for line, expected in shown:
        result = subprocess.run(
            line, shell=True, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert result.returncode in (0, 1), result.stderr
        got = bare(result.stdout + result.stderr)
        flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
        assert doctest.OutputChecker().check_output(bare(expected) + "\n", got + "\n", flags), got


def test_the_commands_are_a_group_of_the_program():
    from trunkline.solver.cli.main import commands

    assert commands.get_command(click.Context(commands), "game") is group
