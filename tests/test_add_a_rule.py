"""What docs/add-a-rule.md sends its reader to is there: files, functions, columns."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TEXT = re.sub(r"```.*?```", "", (ROOT / "docs/add-a-rule.md").read_text(), flags=re.DOTALL)
FILES = sorted({name for name in re.findall(r"`([\w./-]+)`", TEXT) if "/" in name})
NAMES = sorted(set(re.findall(r"`(?:\w+\.)?([A-Za-z_]\w+)`", TEXT)) - {"md", "toml"})
CODE = "\n".join(
    p.read_text() for folder in ("solver", "tests") for p in (ROOT / folder).rglob("*.py") if p != Path(__file__)
)


@pytest.mark.parametrize("file", FILES)
def test_the_files_on_the_way_exist(file):
    assert (ROOT / file).exists()


@pytest.mark.parametrize("name", NAMES)
def test_the_names_on_the_way_are_in_code(name):
    assert re.search(rf"\b{name}\b", CODE)
