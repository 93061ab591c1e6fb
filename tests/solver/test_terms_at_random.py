"""Boards with terms drawn at random: solver, checker and brute force, which share no code, agree on the total."""

from __future__ import annotations

import pytest

from tests.solver.random_terms import with_terms
from tests.solver.test_properties import GEARS, check, generated, patch, whole
from trunkline import position_from_json, position_to_json
from trunkline.solver import Position, solve


def drawn(seed: int) -> Position:
    """A patch of any track, or a generated board of 18 India without its variable cities."""
    return with_terms(patch(seed) if seed % 4 else whole(generated(seed, 30)), seed)


@pytest.mark.parametrize("seed", range(60))
def test_the_total_with_terms_is_that_of_brute_force(seed):
    check(drawn(seed))


@pytest.mark.long
@pytest.mark.parametrize("hundred", range(10))
def test_the_total_with_terms_is_that_of_brute_force_on_1000_more_boards(hundred):
    for seed in range(20_000 + 100 * hundred, 20_100 + 100 * hundred):
        check(drawn(seed))


@pytest.mark.parametrize("gear", list(GEARS))
@pytest.mark.parametrize("seed", range(12))
def test_every_gear_of_the_search_gives_the_total_of_brute_force_with_terms(seed, gear):
    check(drawn(seed), GEARS[gear])


@pytest.mark.parametrize("seed", range(30))
def test_a_position_with_terms_written_and_read_again_is_the_same(seed):
    position = drawn(seed)
    assert position_from_json(position_to_json(position)) == position


def test_terms_earn_something_on_a_quarter_of_the_boards():
    """Else the tests above would prove little."""
    earning = sum(
        any(line.kind == "bonus" for r in solve(drawn(seed)).routes for line in r.lines) for seed in range(60)
    )
    assert earning >= 15
