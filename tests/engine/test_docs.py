"""What users import: all of it is there and documented; the examples in docs and docstrings run."""

import doctest
import inspect
from importlib import import_module
from pathlib import Path

import pytest

from trunkline import engine

DOCS = Path(__file__).parents[2] / "docs"
FUNCTIONS = [n for n in dir(engine) if inspect.isfunction(getattr(engine, n))]


@pytest.mark.parametrize(
    "module", ["game", "invariants", "views", "bots.bots", "bots.random_play", "wire.notation", "rules.finish"]
)
def test_the_examples_of_docstrings_run(module):
    result = doctest.testmod(import_module(f"trunkline.engine.{module}"))
    assert result.attempted >= 2, module
    assert result.failed == 0


@pytest.mark.parametrize("page", ["engine.md"])
def test_the_examples_of_the_page(page):
    result = doctest.testfile(str(DOCS / page), module_relative=False)
    assert result.attempted >= 10
    assert result.failed == 0


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_that_users_import_tell_parameters_and_result(name):
    function = getattr(engine, name)
    text = inspect.getdoc(function) or ""
    parameters = text.partition("Parameters\n----------\n")[2]
    for parameter in inspect.signature(function).parameters:
        assert parameter in parameters, parameter
    assert "Returns\n-------\n" in text


def test_every_name_of_the_package_is_there():
    assert {"Draft", "apply", "bot", "play", "violations", "import_game", "read_action", "BOX"} <= set(dir(engine))
    for name in dir(engine):
        assert getattr(engine, name) is not None
