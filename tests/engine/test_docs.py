"""The examples in the engine's docs run."""

import doctest
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


def test_the_example_of_the_public_module():
    from trunkline.engine import game

    assert doctest.testmod(game).attempted >= 5
    assert doctest.testmod(game).failed == 0


@pytest.mark.parametrize("page", ["engine.md"])
def test_the_examples_of_the_page(page):
    result = doctest.testfile(str(DOCS / page), module_relative=False)
    assert result.attempted >= 10
    assert result.failed == 0
