"""What steers the search: the documents give the figures of the code."""

from pathlib import Path

import pytest

from trunkline.solver.search.limits import Limits

PAGE = Path(__file__).parents[3] / "docs/how-it-works.md"


@pytest.mark.parametrize(
    ("sentence", "field"),
    [
        ("After {:,} steps a walk starts again", "plain_steps"),
        ("again after {:,} splits, the routes", "splits"),
        ("A table of {:,} states", "seen_rows"),
    ],
)
def test_how_it_works_gives_the_figures_of_the_code(sentence, field):
    text = " ".join(PAGE.read_text(encoding="utf-8").split())
    assert sentence.format(getattr(Limits(), field)) in text
