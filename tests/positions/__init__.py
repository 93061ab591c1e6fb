"""Recorded positions: what a company could run, the routes a player ran, and what they paid (see README.md)."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from trunkline.solver import (
    Board,
    LaidTile,
    Position,
    Rules,
    StopId,
    Token,
    Train,
    Visits,
    border,
    get_title,
    number_train,
    train,
)

FILES = ("18India", "1889", "18Chesapeake")


@dataclass(frozen=True)
class RecordedRoute:
    """A route as it was run. ``stops`` and ``counted`` are empty where the record has only the hexes."""

    train: int
    waypoints: tuple[str, ...]
    revenue: int
    stops: tuple[StopId, ...] = ()
    counted: tuple[bool, ...] = ()
    breakdown: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class Recorded:
    """A recorded run of one company: its position in the project's JSON form, the routes and what they paid.

    ``illegal``: the hex where a run that the site once let pass breaks a rule, else empty.
    """

    id: str
    text: str
    routes: tuple[RecordedRoute, ...]
    revenue: int
    illegal: str = ""

    @property
    def position(self) -> Position:
        return read(json.loads(self.text))


@cache
def recorded(name: str) -> tuple[Recorded, ...]:
    """All records of one of FILES."""
    path = Path(__file__).with_name(f"{name}.jsonl.gz")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return tuple(_record(json.loads(line)) for line in lines)


def _record(line: dict[str, Any]) -> Recorded:
    routes = tuple(
        RecordedRoute(
            r["train"],
            tuple(r["waypoints"]),
            r["revenue"],
            tuple(StopId(*s) for s in r.get("stops", ())),
            tuple(r.get("counted", ())),
            tuple(r.get("breakdown", {}).items()),
        )
        for r in line["routes"]
    )
    return Recorded(
        line["id"], json.dumps(line["position"]), routes, line["revenue"], line.get("illegal", {}).get("hex", "")
    )


def read(p: dict[str, Any]) -> Position:
    """A position from its JSON form, read without the solver's own codec so that each can be held against the other."""
    t = get_title(p.get("title", ""))
    board = Board(
        t,
        tuple(
            LaidTile(
                x["hex"],
                x["tile"],
                x.get("rotation", 0),
                x.get("definition", ""),
                x.get("color", ""),
                x.get("name", ""),
            )
            for x in p.get("tiles", ())
        ),
        tuple(
            Token(x["company"], x["hex"], x.get("city", 0), x.get("slot"), x.get("extra", False))
            for x in p.get("tokens", ())
        ),
        frozenset(border(*m["hexes"]) for m in p.get("markers", ())),
        p.get("phase", ""),
        tuple(p.get("phaseColors", ())),
        p.get("jewelryHex", ""),
        p.get("layout", ""),
    )

    def train_(x: dict[str, Any]) -> Train:
        if "distance" in x:
            return number_train(x["name"], x["distance"])
        if "visits" in x:
            rows = tuple(Visits(tuple(v["kinds"]), v["visit"], v["pay"]) for v in x["visits"])
            return Train(x["name"], rows, x.get("multiplier", 1), x.get("ownTokenCounts", False))
        return train(t, x["name"])

    rules = p.get("rules", {})
    return Position(
        board,
        p["company"],
        tuple(train_(x) for x in p.get("trains", ())),
        frozenset(p.get("openConcessions", ())),
        frozenset(p.get("heldConcessions", ())),
        Rules(rules.get("set", "rulebook"), tuple(rules.get("switches", {}).items())),
    )
