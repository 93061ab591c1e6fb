"""Row 17: every switch, and the two named sets (docs/options.md)."""

from pathlib import Path
from typing import Any

import pytest

from trunkline.engine.box.box import TITLE
from trunkline.engine.errors import LogError
from trunkline.engine.options import RULE_SETS, SOLVER_SWITCHES, SWITCHES, Options

PLAYERS = ("A", "B", "C")


def test_the_seeds_reading_is_the_default():
    assert Options().rules == "rulebook"
    assert not Options().on("sale_pass_counts")
    assert Options().on("half_price_raises")


@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_single_switch_can_be_set_otherwise(rules):
    for name in SWITCHES:
        before = Options(players=PLAYERS, rules=rules).on(name)
        changed = Options(players=PLAYERS, rules=rules, switches=((name, not before),))
        assert changed.on(name) != before
        others = [n for n in SWITCHES if n != name]
        assert [changed.on(n) for n in others] == [Options(players=PLAYERS, rules=rules).on(n) for n in others]


@pytest.mark.parametrize("rules", RULE_SETS)
def test_the_sets_agree_with_those_of_the_solver(rules):
    for switch in SOLVER_SWITCHES:
        assert Options(rules=rules).on(switch) == TITLE.rule_sets[rules][switch]


@pytest.mark.parametrize(
    ("kwargs", "message"),
    [
        ({"rules": "house"}, "options.rules: unknown value 'house'; known: 'rulebook', '18xx.games'"),
        ({"start": "lottery"}, "options.start"),
        ({"variant": "trump"}, "options.variant"),
        ({"switches": (("free_trains", True),)}, "unknown switch 'free_trains'"),
        ({"players": ("A", "A", "B")}, "name of their own"),
        ({"players": ("A", "", "B")}, "1 to 60 printable characters"),
        ({"players": ("A", " ", "B")}, "1 to 60 printable characters"),
        ({"players": ("A", "x" * 61, "B")}, "1 to 60 printable characters"),
        ({"players": ("A", "B\n", "C")}, "1 to 60 printable characters"),
    ],
)
def test_what_an_option_may_not_be(kwargs, message):
    with pytest.raises(LogError, match=message):
        Options(**kwargs)


@pytest.mark.parametrize(
    ("name", "first"),
    [("autopass", "auto_pass"), ("auto-pass", "auto_pass"), ("AUTO_PASS", "auto_pass"), ("jewelry", "jewelry_per_")],
)
def test_of_an_unknown_switch_those_written_alike_come_first(name, first):
    with pytest.raises(LogError, match=f"unknown switch '{name}'; did you mean {first}") as e:
        Options(switches=((name, True),))
    assert str(e.value).endswith(f"known: {', '.join(SWITCHES)}")


def test_options_are_the_same_however_they_are_written():
    listed: Any = ["A", "B"]
    a = Options(players=listed, switches=(("auto_pass", True), ("manual_end", True)))
    b = Options(players=("A", "B"), switches=(("manual_end", True), ("auto_pass", True)))
    assert a == b
    assert hash(a) == hash(b)


def test_the_docs_name_every_switch():
    text = (Path(__file__).parents[3] / "docs" / "options.md").read_text(encoding="utf-8")
    for name in SWITCHES:
        assert f"`{name}`" in text, name


def test_every_switch_is_asked_for_somewhere_in_the_engine():
    source = "".join(
        p.read_text(encoding="utf-8")
        for p in (Path(__file__).parents[3] / "engine").rglob("*.py")
        if p.name != "options.py"
    )
    for name in SWITCHES:
        assert f'"{name}"' in source or name in SOLVER_SWITCHES, name
