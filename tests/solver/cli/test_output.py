"""What commands write: complete or not at all, and never over what they read."""

import errno
import json
import os
import resource
import signal
import subprocess
import sys

import pytest

from tests.solver.service import fakes
from tests.solver.service.fakes import board, served
from trunkline.solver import wire
from trunkline.solver.cli.main import run
from trunkline.solver.cli.output import distinct, replacing
from trunkline.solver.errors import TrunklineError


@pytest.fixture
def position(tmp_path, monkeypatch):
    monkeypatch.setattr("trunkline.solver.solve", fakes.solve)
    path = tmp_path / "p.json"
    path.write_text(wire.position_to_json(board("earn 10")).replace("\n", "") + "\n")
    return path


@pytest.mark.parametrize(
    "arguments",
    [
        ["batch", "p.json", "-o", "p.json"],
        ["batch", "p.json", "-o", "link"],
        ["draw", "p.json", "-o", "p.json"],
        ["draw", "p.json", "-o", "hard"],
        ["solve", "p.json", "--draw", "./p.json"],
        ["evaluate", "p.json", "--draw", "p.json"],
        ["evaluate", "p.json", "--routes", "r.json", "--draw", "r.json"],
        ["draw", "p.json", "--routes", "r.json", "-o", "r.json"],
    ],
)
def test_no_command_writes_over_what_it_reads(position, monkeypatch, tmp_path, capsys, arguments):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "r.json").write_text("[]")
    (tmp_path / "link").symlink_to("p.json")
    (tmp_path / "hard").hardlink_to("p.json")
    before = {p.name: p.read_text() for p in tmp_path.iterdir()}
    assert run(arguments) == 3
    assert "is the input as well" in capsys.readouterr().err
    assert {p.name: p.read_text() for p in tmp_path.iterdir()} == before


def test_standard_input_is_an_input(position):
    before = position.read_text()
    command = [sys.executable, "-m", "trunkline", "draw", "-", "-o", str(position)]
    with position.open() as source:
        result = subprocess.run(command, stdin=source, capture_output=True, text=True, check=False)
    assert (result.returncode, position.read_text()) == (3, before)


def test_what_is_no_file_may_be_both():
    distinct(os.devnull, os.devnull)
    distinct("-", "-")


def test_a_file_is_replaced_when_it_is_complete(tmp_path):
    out, link = tmp_path / "out", tmp_path / "link"
    out.write_text("old")
    out.chmod(0o640)
    link.symlink_to("out")
    with replacing(str(link)) as target:
        target.write("new")
        assert out.read_text() == "old"
    assert (out.read_text(), out.stat().st_mode & 0o777, link.is_symlink()) == ("new", 0o640, True)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["link", "out"]


def test_an_error_leaves_what_was_there(tmp_path):
    (tmp_path / "old").write_text("old")
    for name in ("old", "new"):
        with pytest.raises(ZeroDivisionError), replacing(str(tmp_path / name)) as target:
            target.write(str(1 // 0))
    assert [(p.name, p.read_text()) for p in tmp_path.iterdir()] == [("old", "old")]


@pytest.fixture
def no_room():
    """Files may grow to 1000 bytes: the write that goes on fails as on a full disk."""
    before, handler = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)
    signal.signal(signal.SIGXFSZ, handler)


def test_without_room_there_is_no_file_and_the_error_names_it(position, tmp_path, no_room, capsys):
    out = tmp_path / "board.svg"
    assert run(["draw", str(position), "-o", str(out)]) == 3
    assert capsys.readouterr().err == f"trunkline: {out}: {os.strerror(errno.EFBIG)}\n"
    assert list(tmp_path.iterdir()) == [position]


def test_a_folder_that_does_not_exist_is_told_with_the_name_of_the_file(position, capsys):
    assert run(["draw", str(position), "-o", "nowhere/board.svg"]) == 3
    assert "nowhere/board.svg: No such file" in capsys.readouterr().err


def test_a_batch_keeps_its_answers_when_the_server_is_lost(position, tmp_path, monkeypatch):
    def lost(lines, ask, client):
        yield fakes.solve(ask.position(next(iter(lines))))
        raise TrunklineError("the server is lost")

    monkeypatch.setattr("trunkline.solver.cli.batch.solve_there", lost)
    out = tmp_path / "out.jsonl"
    with served() as running:
        assert run(["batch", str(position), "-o", str(out), "--server", f"127.0.0.1:{running.port}"]) == 3
    assert json.loads(out.read_text())["solution"]["total"] == 10
