"""The title that docs/add-a-title.md builds, file by file, is read and solved as the page says."""

import doctest
import re
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from solver.codec import to_dict
from solver.describe import describe
from solver.report import title_report
from solver.title import Title, load_title

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


def test_only_the_title_file_is_needed(tmp_path):
    (tmp_path / "title.toml").write_text('id = "Bare"\nname = "Bare"\n')
    bare = load_title(str(tmp_path))
    assert (bare.id, bare.hexes, bare.trains) == ("Bare", {}, {})
    assert bare.route_ends == Title("", "").route_ends


def test_a_title_without_prices_is_shown_with_blanks(folder):
    console = Console(width=160, file=StringIO())
    console.print(title_report(to_dict(describe(load_title(folder)), False)))
    shown = " ".join(console.file.getvalue().split())
    assert "IR Island Railway A2 0, 40" in shown
    assert "2 2 × city or offboard; any town 1" in shown


def test_a_title_of_a_title_file_alone_is_shown(tmp_path):
    (tmp_path / "title.toml").write_text('id = "Bare"\nname = "Bare"\n')
    console = Console(file=StringIO())
    console.print(title_report(to_dict(describe(load_title(tmp_path)), False)))
    assert "Bare (Bare), 0 hexes" in console.file.getvalue()
