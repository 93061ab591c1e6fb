"""What an answer says of trains that do not run: while the search goes on, and when a deadline cut it short."""

from __future__ import annotations

from trunkline.solver import Board, LaidTile, Position, Solution, Token, number_train, solve

TOO_EARLY = "the deadline came before a run for it was found"


def line(*own: int) -> Position:
    """Eight cities in a line and two trains of two stops; ``own`` numbers the cities with a token."""
    city = "city=revenue:{};path=a:0,b:_0;path=a:_0,b:3"
    tiles = tuple(LaidTile(f"A{2 * i + 2}", "x", 0, city.format(10 * i + 10)) for i in range(8))
    tokens = tuple(Token("US", f"A{2 * i + 2}") for i in own)
    return Position(Board(tiles=tiles, tokens=tokens), "US", (number_train("2", 2),) * 2)


def test_an_answer_on_the_way_does_not_speak_of_a_deadline():
    shown: list[Solution] = []
    solve(line(3), on_improvement=shown.append)
    reasons = [idle.reason for answer in shown for idle in answer.idle]
    assert reasons
    assert set(reasons) == {"no run for it has been found yet"}


def test_the_last_answer_says_that_the_deadline_cut_it_short():
    shown: list[Solution] = []
    last = solve(line(3), deadline=0, on_improvement=shown.append)
    assert not last.optimal
    assert last.idle
    assert {idle.reason for idle in last.idle} == {TOO_EARLY}
    assert TOO_EARLY not in [idle.reason for answer in shown for idle in answer.idle]
