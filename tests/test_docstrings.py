"""Docstrings are true: their examples run, and those of names that users import describe every parameter."""

import doctest
import importlib
import inspect
import re
from pathlib import Path

import pytest

import trunkline.solver

ROOT = Path(__file__).parents[1]
MODULES = [
    ".".join(("trunkline", *path.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__")
    for path in sorted((ROOT / "solver").rglob("*.py"))
    if ">>> " in path.read_text()
]
NAMES = sorted(name for name in dir(trunkline.solver) if callable(getattr(trunkline.solver, name)))


@pytest.mark.parametrize("module", MODULES)
def test_examples_run(module):
    result = doctest.testmod(importlib.import_module(module), optionflags=doctest.ELLIPSIS)
    assert result.attempted
    assert not result.failed


def described(docstring: str) -> set[str]:
    """The names under the heading Parameters: lines without indent, one or several names separated by commas."""
    section = re.search(r"^Parameters\n-+\n(.*?)(?=^\w[\w ]*\n-+\n|\Z)", docstring, re.DOTALL | re.MULTILINE)
    lines = re.findall(r"^(\S.*)$", section[1], re.MULTILINE) if section else []
    return {name.strip("* ") for line in lines for name in line.split(",")}


@pytest.mark.parametrize("name", NAMES)
def test_every_parameter_of_what_users_import_is_described(name):
    thing = getattr(trunkline.solver, name)
    text = inspect.getdoc(thing)
    assert text
    if isinstance(thing, type) and issubclass(thing, Exception):
        return  # caught, not built, by users
    assert described(text) == set(inspect.signature(thing).parameters)
