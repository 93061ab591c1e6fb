"""Whatever an action names, the engine takes it or names the rule: unknown things, absurd numbers, at any stage."""

import random
from dataclasses import fields

import pytest

from trunkline.engine import game
from trunkline.engine.actions import KINDS, Run, TrainRun
from trunkline.engine.bots.random_play import play
from trunkline.engine.errors import RuleError
from trunkline.engine.options import Options

WORDS = (
    "",
    "?",
    "EIR",
    "XYZ",
    "GIPR",
    "GIPR_0",
    "EIR_0",
    "EIR_99",
    "P1",
    "P9",
    "RB0",
    "ZZ99",
    "D5",
    "G8",
    "P17",
    "D23",
    "7",
    "235",
    "IND2",
    "bank",
    "market",
    "4",
    "4E",
    "4x2-0",
    "2-0",
    "9-9",
    "é",
)
NUMBERS = (-1, 0, 1, 2, 5, 6, 99, 10**9, 10**30)
TRACKS = ((), ((),), ((("ZZ", 0),),), ((("D5", 99), ("D3", -1)),), ((("G8", 0), ("G8", 0)),))


def anything(source, field, trains):
    """A value of the type of a field, most likely a wrong one."""
    if field.name == "runs":
        names = source.choices([*trains, "2-0", "?"], k=source.randrange(3))
        return tuple(TrainRun(name, source.choice(TRACKS)) for name in names)
    if field.name == "hexes":
        return tuple(source.choices(WORDS, k=2))
    if field.type == "int":
        return source.choice(NUMBERS)
    if field.type == "bool":
        return source.random() < 0.5
    return tuple(source.choices(WORDS, k=source.randrange(4))) if "tuple" in field.type else source.choice(WORDS)


@pytest.mark.parametrize(
    "options",
    [
        Options(),
        Options(players=("Ann", "Bob"), variant="dummy", start="auction"),
        Options(players=("Ann", "Bob", "Cem"), rules="18xx.games"),
    ],
)
def test_nonsense_is_refused_by_a_rule_and_changes_nothing(options):
    source = random.Random(1)
    refused = set()

    def watch(before, action, after):
        if source.random() < 0.9:
            return
        untouched = after.copy()
        trains = after.company.trains if after.operating.company else ()
        for kind in KINDS.values():
            seat = source.choice([*game.actors(after), 7, -1])
            nonsense = kind(seat, *(anything(source, f, trains) for f in fields(kind) if f.name != "seat"))
            try:
                game.apply(after, nonsense)
            except RuleError as e:
                refused.add(kind if e.section and e.message else None)
        assert after == untouched

    play(options, 1, watch=watch, most=900)
    assert None not in refused
    assert refused >= set(KINDS.values()) - {Run}
