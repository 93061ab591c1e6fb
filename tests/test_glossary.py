"""The glossary is true: each word has one row, the names of code in it exist, and no class of values is missing."""

import importlib
import inspect
import re
from pathlib import Path
from typing import Any

import pytest

import trunkline.solver

PAGE = Path(__file__).parents[1] / "docs/glossary.md"
TABLES = [
    re.findall(r"^\| (?!word \|)(\w.*?) \| (.*) \| (.*?) ?\|$", part, re.MULTILINE)
    for part in PAGE.read_text().split("\n## ")[1:]
]
ROWS = [row for table in TABLES for row in table]
NAMES = [name for _, _, code in ROWS for name in re.findall(r"`([\w.]+)`", code)]


def test_each_word_has_one_row_in_the_order_of_the_alphabet():
    words = [word for word, _, _ in ROWS]
    assert len(words) > 60
    assert len(words) == len(set(words))
    for table in TABLES:
        assert [word for word, _, _ in table] == sorted(word for word, _, _ in table)


@pytest.mark.parametrize("name", NAMES)
def test_the_names_of_code_exist(name):
    found: Any = trunkline.solver
    for part in name.split("."):
        if hasattr(found, part):
            found = getattr(found, part)
        elif part in getattr(found, "__annotations__", ()):  # a field without a default
            found = None
        else:
            found = importlib.import_module(f"{found.__name__}.{part}")


def test_every_value_that_users_import_is_explained():
    values = {
        name
        for name in dir(trunkline.solver)
        if inspect.isclass(value := getattr(trunkline.solver, name))
        and value.__module__.startswith("trunkline.solver.board")
    }
    assert len(values) > 15
    assert values <= {name.rpartition(".")[2] for name in NAMES}
