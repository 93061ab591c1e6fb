"""Terms drawn at random for a board, most of which can matter on it."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

from trunkline.solver import Position, Train, Visits
from trunkline.solver.board import STOP_KINDS, Assignment, Bonus, Rules, Stops, Terms

MARKERS = ("port", "mine")
BY_KIND = (
    Train("4D", (Visits(("city", "offboard"), 4), Visits(("town",), multiplier=1)), 2),
    Train("3E", (Visits(("city", "offboard"), 3, multiplier=2), Visits(("town",), 3, multiplier=0))),
    Train("5/3", (Visits(("city",), 5, 2, 3), Visits(("town", "offboard"), 3, 2))),
)
"""Trains that multiply some kinds of stops otherwise than others."""
BY_SIDE = (
    Train("3H", (Visits(("side",), 3), Visits(("city", "town", "offboard")))),
    Train("5H", (Visits(("side",), 5), Visits(("city", "offboard"), 4, 2), Visits(("town",))), 2),
)
"""Trains that count the sides they cross."""


def with_terms(position: Position, seed: int) -> Position:
    """A position with two to five bonuses of any kind, bans, markers on its hexes and its company."""
    rng = Random(f"terms {seed}")
    board = position.board
    stopping = [h for h, hx in board.hexes.items() if hx.tile.stops]
    if not stopping:
        return position
    assignments = {Assignment(m, hex=h) for m in MARKERS for h in rng.sample(sorted(board.hexes), 2)}
    assignments |= {Assignment(m, company=rng.choice((position.company, "THEM"))) for m in MARKERS}
    groups = sorted({s.group for hx in board.hexes.values() for s in hx.tile.stops if s.group})
    labels = sorted({label for hx in board.hexes.values() for label in hx.tile.labels})

    def stops() -> Stops:
        what = rng.choice(("hexes", "hexes", "hexes", "groups", "labels", "markers", "anywhere"))
        kinds = tuple(rng.sample(STOP_KINDS, rng.choice((1, 2)))) if rng.random() < 0.3 else ()
        if what == "hexes":
            return Stops(
                hexes=tuple(rng.sample(stopping, min(len(stopping), rng.choice((1, 2, 3, 4, 6))))), kinds=kinds
            )
        if what == "groups" and groups:
            return Stops(groups=(rng.choice(groups),), kinds=kinds)
        if what == "labels" and labels:
            return Stops(labels=(rng.choice(labels),), kinds=kinds)
        if what == "markers":
            return Stops(markers=(rng.choice(MARKERS),), kinds=kinds)
        return Stops(kinds=kinds)

    def bonus(name: str) -> Bonus:
        per = rng.choice(("route", "route", "stop", "hex"))
        conditions: dict[str, Any] = {
            "visited": rng.random() < 0.2,
            "multiplied": rng.random() < 0.4,
            "companies": (position.company,) if rng.random() < 0.2 else (),
            "not_trains": (rng.choice(position.trains).name,) if rng.random() < 0.1 else (),
            "trains": (rng.choice(position.trains).name,) if rng.random() < 0.1 else (),
            "marker": rng.choice(MARKERS) if rng.random() < 0.15 else "",
        }
        amount = 10 * rng.randint(1, 6)
        if rng.random() < 0.2:
            of = Stops(hexes=tuple(rng.sample(sorted(board.hexes), min(3, len(board.hexes)))))
            of = of if rng.random() < 0.5 else Stops(markers=("mine",))
            return Bonus(name, amount, crosses=of, per="route" if per == "route" else "hex", **conditions)
        sets = tuple(stops() for _ in range(rng.choice((1, 1, 2, 2, 3)) if per == "route" else 1))
        return Bonus(name, amount, sets, per=per, **conditions)

    one = rng.random() < 0.3
    terms = Terms(
        tuple(bonus(f"bonus {n}") for n in range(rng.randint(2, 5))),
        one,
        (rng.choice(stopping),) if one and rng.random() < 0.5 else (),
        (stops(),) if rng.random() < 0.1 else (),
    )
    trains = tuple(rng.choice(BY_KIND) if rng.random() < 0.15 else t for t in position.trains)
    if rng.random() < 0.25 and not any("marker" in row.kinds for t in trains for row in t.visits):
        trains = (rng.choice(BY_SIDE), *trains[1:])
    assigned = tuple(sorted(assignments, key=repr))
    return replace(position, trains=trains, rules=Rules(terms=terms), assignments=assigned)
