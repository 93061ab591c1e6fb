"""What the documentation shows is what happens: its Python, its console sessions and its Node client are run."""

import doctest
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.solver.service.fakes import first_line

ROOT = Path(__file__).parents[2]


def test_the_examples_for_python_are_right(monkeypatch):
    monkeypatch.chdir(ROOT)
    result = doctest.testfile(str(ROOT / "docs/python.md"), module_relative=False)
    assert result.attempted > 20
    assert result.failed == 0


def test_the_example_of_terms_is_right():
    result = doctest.testfile(str(ROOT / "docs/terms.md"), module_relative=False)
    assert result.attempted > 5
    assert result.failed == 0


def sessions(page):
    """Each command of a page's console blocks with the output that the page shows."""
    for block in re.findall(r"```console\n(.*?)```", (ROOT / "docs" / page).read_text(), re.DOTALL):
        for session in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            yield session.split("\n", 1)


@pytest.fixture
def folder(tmp_path):
    """A copy of the examples, with the command `trunkline` on the path."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    position = " ".join((ROOT / "examples/position.json").read_text().split())
    lines = [position, position.replace('"company": "NWR", "trains"', '"company": "XYZ", "trains"'), position]
    (tmp_path / "examples/positions.jsonl").write_text("\n".join(lines) + "\n")
    command = tmp_path / "bin/trunkline"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m trunkline "$@"\n')
    command.chmod(0o755)
    return tmp_path


def bare(text):
    return "\n".join(line.rstrip() for line in text.splitlines() if line.strip())


def test_the_console_sessions_are_right(folder):
    shown = list(sessions("cli.md"))
    assert len(shown) >= 7
    environment = os.environ | {"PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    for command, expected in shown:
        result = subprocess.run(
            command, shell=True, cwd=folder / "examples", env=environment, capture_output=True, text=True, check=False
        )
        assert result.returncode in (0, 1), result.stderr
        got = bare(result.stdout + result.stderr)
        assert doctest.OutputChecker().check_output(
            bare(expected) + "\n", got + "\n", doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
        ), got


def test_every_exit_code_is_documented():
    from trunkline.solver.cli import exits as cli

    codes = {value for name, value in vars(cli).items() if name.startswith("EXIT_")} | {0}
    documented = set(map(int, re.findall(r"^\| ([0-9]+) \|", (ROOT / "docs/cli.md").read_text(), re.MULTILINE)))
    assert documented == codes == set(map(int, re.findall(r"^  ([0-9]+) ", cli.EXIT, re.MULTILINE)))


@pytest.mark.long
@pytest.mark.skipif(not shutil.which("npm"), reason="needs Node and npm")
def test_the_node_client_runs(folder):
    node = folder / "examples/node"
    subprocess.run(["npm", "install", "--no-audit", "--no-fund"], cwd=node, check=True, capture_output=True)
    command = [folder / "bin/trunkline", "serve", "--port", "0", "--workers", "1"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env=os.environ | {"PYTHONPATH": str(ROOT)}
    ) as server:
        try:
            address = first_line(server).split()[2]
            result = subprocess.run(
                ["node", "solve.mjs", address],
                cwd=node,
                env=os.environ | {"TRUNKLINE_PROTO": str(ROOT / "proto")},
                capture_output=True,
                text=True,
                check=False,
            )
        finally:
            server.terminate()
    assert result.returncode == 0, result.stderr
    assert "2: D3-E4-F5-F1-F5-G8 = 160" in result.stdout
    assert result.stdout.endswith("total 160, proven best\n")
