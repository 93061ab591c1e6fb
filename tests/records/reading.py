"""Records of runs of any title: what lay on the table, what was run, and what it paid.

A record is one JSON object, in the form of recorded positions of 18xx.games: the hexes with their tiles in that site's
notation (``tiles``), the cities that matter (``tokens``: own, or full of tokens of others), ``groups`` of stops,
``trains`` and the ``routes`` that were run, each a list of ``connections``: the hexes of one stretch from stop to stop.
A record is put into the terms of a position here, nothing is left out to make it fit.
"""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trunkline.solver import Board, LaidTile, Position, Token, Train, Visits, get_title, number_train, title_ids
from trunkline.solver.board import UNLIMITED, Title

STOPS = ("city", "town", "offboard", "halt", "pass")
"""Parts of the notation that are stops, in which ``groups`` are counted."""
STORED = ("1849", "1849: Kingdom of the Two Sicilies")
"""Titles whose recomputed total leaves out the values of grey places: what was stored with the run is right."""
THIN = {get_title(id_).name: id_ for id_ in title_ids() if id_ != "18India"}
"""Titles whose runs are asked as a client asks that lets the solver know the title. The records of 18 India leave out
concessions and gauge-change markers."""
FREE = 99
"""A row of a train with so many stops has no limit."""


class RecordError(ValueError):
    """What a record says cannot be put in the terms of a position."""


@dataclass(frozen=True)
class Record:
    """One recorded run. ``id``: the game and the number of the action in it; ``raw``: as it was read."""

    title: str
    id: str
    raw: Mapping[str, Any]

    @property
    def paid(self) -> int:
        """What the routes earned together: as recomputed, or as stored where that failed."""
        stored = "engine_error" in self.raw or "engine_total" not in self.raw or self.title in STORED
        return int(self.raw["revenue"] if stored else self.raw["engine_total"])


def lines(path: Path) -> list[str]:
    """The records of a file as text, one a line; the file may be packed by gzip."""
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as file:
        return [line for line in file if line.strip()]


def read(line: str) -> Record:
    """A record from its line.

    Raises RecordError: it is none.
    """
    try:
        raw = json.loads(line)
        return Record(raw["title"], f"{raw['file']}:{raw['action']}", raw)
    except (ValueError, KeyError, TypeError) as e:
        raise RecordError(f"not a record of a run: {e!r}") from None


def position(record: Record) -> Position:
    """The whole board of a record, and its question.

    Raises RecordError: the record says what no position can; PositionError: the position is refused.
    """
    raw = record.raw
    if (title := THIN.get(record.title)) is not None:
        return _thin(get_title(title), raw)
    tiles = tuple(
        LaidTile(t["hex"], t["tile"], t["rotation"], with_groups(t["code"], raw["groups"].get(t["hex"])), t["color"])
        for t in raw["tiles"]
    )
    axes = "columns" if raw["axes"]["x"] == "letter" else "rows"
    tokens, colors = tuple(_tokens(raw)), tuple(raw["colors"])
    board = Board(tiles=tiles, tokens=tokens, colors=colors, layout=raw["layout"], axes=axes)
    return Position(board, raw["company"], tuple(map(train, raw["trains"])))


def _thin(title: Title, raw: Mapping[str, Any]) -> Position:
    """The position as a client sends it where the solver knows the title: what was laid, by the numbers of the box."""
    printed = {h: hx.tile.code for h, hx in title.hexes.items()}
    laid = [t for t in raw["tiles"] if t["code"] != printed.get(t["hex"]) or t["rotation"]]
    tiles = tuple(LaidTile(t["hex"], t["tile"], t["rotation"]) for t in laid)
    board = Board(title, tiles, tuple(_tokens(raw, title.companies)), phase=raw["phase"])
    return Position(board, raw["company"], tuple(map(train, raw["trains"])))


def with_groups(code: str, groups: Sequence[Sequence[str]] | None) -> str:
    """The code of a tile with the groups that its stops have now, by stop in the order of the code."""
    if groups is None:
        return code
    parts, left = [], list(groups)
    for part in code.split(";"):
        kind, _, rest = part.partition("=")
        if kind in STOPS:
            keys = [k for k in rest.split(",") if k and not k.startswith("groups:")]
            now = left.pop(0) if left else []
            part = f"{kind}=" + ",".join([*keys, *(["groups:" + "|".join(now)] if now else [])])
        parts.append(part)
    if any(left):
        raise RecordError("groups of more stops than the tile has")
    return ";".join(parts)


def _tokens(raw: Mapping[str, Any], companies: Collection[str] = ()) -> Iterator[Token]:
    """The tokens of the company, and tokens of others in every slot of the cities that they fill.

    The record does not say whose they are: of any other ``companies``, if there are some, each once in a hex.
    """
    here = Counter[str]()
    others = [c for c in companies if c != raw["company"]]
    codes = {t["hex"]: t["code"] for t in raw["tiles"]}
    for token in raw["tokens"]:
        at, city = token["hex"], token["city"]
        if token["own"]:
            yield Token(raw["company"], at, city)
        elif token["blocks"]:
            for i in range(_slots(codes.get(at, ""), city)):
                other = others[here[at] % len(others)] if others else f"other {city}.{i}"
                here[at] += 1
                yield Token(other, at, city)


def _slots(code: str, city: int) -> int:
    """The slots of a city of a tile. Raises RecordError: there is no such city."""
    cities = [part[5:] for part in code.split(";") if part.startswith("city=")]
    if city >= len(cities):
        raise RecordError(f"a token in city {city} of a tile with {len(cities)}")
    keys = dict(key.split(":", 1) for key in cities[city].split(",") if ":" in key)
    return int(keys.get("slots", "1"))


def train(raw: Mapping[str, Any]) -> Train:
    """A train as recorded: a number of stops of any kind, or rows.

    Raises RecordError: its rows multiply by different numbers.
    """
    name, rows, multiplier = raw["name"], raw["distance"], raw["multiplier"] or 1
    if isinstance(rows, int):
        if multiplier == 1:
            return number_train(name, rows)
        rows = [{"nodes": ["city", "town", "offboard"], "pay": rows}]
    factors = {row.get("multiplier") or multiplier for row in rows if row["pay"] > 0}
    if len(factors) > 1:
        raise RecordError(f"train {name}: a multiplier by kind of stop")
    visits = tuple(Visits(tuple(r["nodes"]), _limit(r.get("visit", r["pay"])), _limit(r["pay"])) for r in rows)
    own_token_counts = raw["requires_token"] and any(v.pay < v.visit for v in visits)
    return Train(name, visits, max(factors, default=1), own_token_counts)


def _limit(stops: int) -> int:
    return UNLIMITED if stops >= FREE else stops
