"""README and documents are true: commands, output, picture, the map of the tree, links, examples of the search."""

import doctest
import io
import re
import subprocess
import sys
import tokenize
from pathlib import Path

import pytest

from trunkline.solver import solve
from trunkline.solver.draw import draw_solution
from trunkline.solver.wire import position_from_json

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
FOLDERS = ("solver", "engine", "tests", "benchmarks", "examples", "docs", "proto", "trunkline/v1")
FILES = {str(p.relative_to(ROOT)) for folder in FOLDERS for p in (ROOT / folder).rglob("*.*")}
FILES |= {p.name for p in ROOT.iterdir()}
CODE = sorted(p.relative_to(ROOT) for folder in FOLDERS[:5] for p in (ROOT / folder).rglob("*.py"))
# Files that a reader or a command makes.
MADE = {"Island/map.toml", "terms.toml", "report.md", "board.svg", "routes.svg"}
PAGES = sorted(p.relative_to(ROOT) for p in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("tests/*/*.md")])
SAMPLE = ROOT / "examples/late-game.json"


def test_it_opens_with_two_commands_and_the_first_solves_a_position_and_draws_it():
    [block, *_] = re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
    one, two = block.splitlines()
    assert one.endswith("trunkline solve examples/late-game.json --draw late-game.svg")
    assert "pytest" in two


def test_the_output_shown_is_what_the_command_prints():
    [(command, shown), *_] = re.findall(r"```console\n\$ trunkline (.*?)\n(.*?)```", README, re.DOTALL)
    result = subprocess.run(
        [sys.executable, "-m", "trunkline", *command.split()], cwd=ROOT, capture_output=True, text=True, check=True
    )
    got = "\n".join(line.rstrip() for line in result.stdout.splitlines() if line.strip())
    want = "\n".join(line for line in shown.splitlines() if line.strip())
    assert doctest.OutputChecker().check_output(want, got, doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE), got


def test_the_picture_is_what_the_solver_draws():
    position = position_from_json(SAMPLE.read_bytes())
    drawn = draw_solution(position, solve(position))
    assert drawn == (ROOT / "docs/late-game.svg").read_text(), "renew it as CONTRIBUTING.md says"


@pytest.mark.parametrize("page", ["README.md", "docs/how-it-works.md"])
def test_examples_are_right(page, monkeypatch):
    monkeypatch.chdir(ROOT)
    result = doctest.testfile(str(ROOT / page), module_relative=False)
    assert result.attempted > 5
    assert result.failed == 0


def test_whole_positions_of_other_titles_are_solved():
    solution = solve(position_from_json((ROOT / "examples/whole-board.json").read_bytes()))
    assert (solution.total, solution.optimal) == (490, True)


def test_the_map_of_the_tree_is_true():
    [tree] = re.findall(r"## Map of the tree.*?```\n(.*?)```", README, re.DOTALL)
    folders: list[str] = []
    named = set()
    for line in tree.splitlines():
        name, depth = line.split()[0], (len(line) - len(line.lstrip())) // 2
        folders[depth:] = [name]
        named.add("".join(folders[: depth + 1]))
    missing = {name for name in named if not (ROOT / name).exists()}
    assert not missing
    modules = {
        str(path.relative_to(ROOT)) for package in ("solver", "engine") for path in (ROOT / package).rglob("[!_]*.py")
    }
    assert modules <= named, f"not on the map: {sorted(modules - named)}"


def anchors(page):
    """What a heading is called in links."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_links_lead_somewhere(page):
    text = re.sub(r"```.*?```", "", (ROOT / page).read_text(), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if target.startswith("https://"):
            continue
        name, _, anchor = target.partition("#")
        file = (ROOT / page).parent / name if name else ROOT / page
        assert file.exists(), target
        assert not anchor or anchor in anchors(file), target


def cited(page):
    """The paths and names of files in a page, or in the docstrings and comments of a module."""
    kinds = "py|pyi|md|toml|proto|svg" if page.suffix == ".md" else "py|pyi|md"
    text = (ROOT / page).read_text()
    if page.suffix == ".py":
        text = "\n".join(
            token.string
            for token in tokenize.generate_tokens(io.StringIO(text).readline)
            if token.type == tokenize.COMMENT or (token.type == tokenize.STRING and token.string.startswith('"""'))
        )
    text = re.sub(r"https?://\S+", "", text)
    return {p for p in re.findall(rf"(?<![\w/.-])((?:[\w-]+/)*[\w-]+\.(?:{kinds}))\b(?![/(])", text)}


@pytest.mark.parametrize("page", [*PAGES, *CODE], ids=str)
def test_files_that_are_named_exist(page):
    """By their path, or the end of it: ``search/layout.py``, ``fakes.py``."""
    gone = {p for p in cited(page) if not any(f"/{file}".endswith(f"/{p}") for file in FILES)}
    assert gone <= MADE


def test_every_page_is_found_from_the_readme():
    linked = set(re.findall(r"\]\((docs/[\w-]+\.md)\)", README))
    assert {str(p) for p in PAGES if p.parts[0] == "docs"} <= linked


def test_every_section_that_code_cites_is_in_the_digest_of_the_rules():
    sections = set(
        re.findall(r"^##+ ([0-9]+(?:\.[0-9]+)?) ", (ROOT / "docs/rules-18india.md").read_text(), re.MULTILINE)
    )
    code = "\n".join(
        p.read_text() for package in ("solver", "engine", "tests") for p in ROOT.glob(f"{package}/**/*.py")
    )
    lists = re.findall(r"RuleError\(\s*\"([0-9.]+)\"|\b(?:rules )?sections? ((?:[0-9.]+(?:, | and | to )?)+)", code)
    cited = {number.rstrip(".") for found in lists for text in found for number in re.findall(r"[0-9.]+", text)}
    assert len(cited) > 25
    assert {re.sub(r"^(\d+\.\d+)\.\d+$", r"\1", number) for number in cited} <= sections
