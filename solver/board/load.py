"""Titles read from folders of TOML files: ``get_title(id)`` one that is installed, ``load_title(folder)`` any other."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from functools import lru_cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from trunkline.solver.board.coordinates import (
    border,
    hex_coordinates,
    neighbor_id,
)
from trunkline.solver.board.form import faults, unknown
from trunkline.solver.board.hexes import Hex
from trunkline.solver.board.notation import parse_tile
from trunkline.solver.board.terms import Bonus, Known, Stops, Terms, term_faults
from trunkline.solver.board.tile import STOP_KINDS, joined
from trunkline.solver.board.title import (
    COMMON,
    UNLIMITED,
    Commodity,
    Company,
    Connection,
    TileType,
    Title,
    Train,
    TrainCard,
    Visits,
)
from trunkline.solver.board.title_form import FILES, TitleForms
from trunkline.solver.errors import TrunklineError


def title_ids() -> tuple[str, ...]:
    """Ids of all titles that are installed, sorted.

    >>> from trunkline.solver import title_ids
    >>> "18India" in title_ids()
    True
    """
    root = resources.files("trunkline.solver") / "titles"
    return tuple(sorted(p.name for p in root.iterdir() if (p / "title.toml").is_file()))


@lru_cache(maxsize=64)
def get_title(title_id: str) -> Title:
    """A title that is installed; the same object each time.

    Parameters
    ----------
    title_id
        Its id, such as ``18India``; the empty id stands for boards sent whole, every hex with its tile.

    Raises
    ------
    TrunklineError
        There is no such title, or its files have faults.

    Examples
    --------
    >>> from trunkline.solver import get_title
    >>> get_title("18India").companies["EIR"].name
    'East India'
    """
    if not title_id:
        return COMMON
    if title_id not in title_ids():
        raise TrunklineError(f"unknown title {title_id!r}; known: {', '.join(title_ids())}")
    return load_title(resources.files("trunkline.solver") / "titles" / title_id)


def load_title(folder: str | Traversable) -> Title:
    """Read a title from a folder with title, map, tiles, companies, trains, bonuses and terms ``.toml``.

    Parameters
    ----------
    folder
        Its path; only ``title.toml`` must be in it. What the files hold is described in ``docs/add-a-title.md``.

    Raises
    ------
    TrunklineError
        A file cannot be read, or something is missing, unknown or wrong in it; every fault is named with file, table
        and key.
    """
    folder = Path(folder) if isinstance(folder, str) else folder
    if not (folder / "title.toml").is_file():
        raise TrunklineError(f"{folder / 'title.toml'}: there is no such file")
    known = [f"{name}.toml" for name in FILES]
    strange = sorted(f.name for f in folder.iterdir() if f.name.endswith(".toml") and f.name not in known)
    found = [f"{folder / name}: {unknown('file', name, known)}" for name in strange]
    files = {name: _read(folder / f"{name}.toml") for name in FILES}
    for name, form in TitleForms(files).of_files().items():
        found += [f"{folder / f'{name}.toml'}: {fault}" for fault in faults(files[name], form)]
    if found:
        raise TrunklineError("\n".join(found))
    title = _title(files.__getitem__)
    if wrong := [f"{folder / 'terms.toml'}: {fault}" for fault in term_faults(title.terms, _known(title))]:
        raise TrunklineError("\n".join(wrong))
    return title


def _known(title: Title) -> Known:
    """What the terms of a title may name: what is printed in its box."""
    tiles = [*(hx.tile for hx in title.hexes.values()), *(t.tile for t in title.tiles.values())]
    groups = {s.group for tile in tiles for s in tile.stops if s.group}
    labels = {label for tile in tiles for label in tile.labels}
    return Known(title.hexes, title.companies, title.trains, title.phases, groups, labels)


def _terms(data: dict[str, Any]) -> Terms:
    """The terms of ``terms.toml``: tables have the fields of the classes."""

    def stops(table: dict[str, Any]) -> Stops:
        return Stops(**{key: tuple(value) for key, value in table.items()})

    def bonus(table: dict[str, Any]) -> Bonus:
        plain: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in table.items()}
        plain["stops"] = tuple(map(stops, table.get("stops", ())))
        plain["crosses"] = stops(table["crosses"]) if "crosses" in table else None
        return Bonus(**plain)

    return Terms(
        tuple(map(bonus, data.get("bonuses", ()))),
        data.get("one_stop_per_hex", False),
        tuple(data.get("several_stops", ())),
        tuple(map(stops, data.get("no_ends", ()))),
    )


def _read(file: Traversable) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    except (OSError, ValueError) as e:
        raise TrunklineError(f"{file}: {e}") from e


def _title(read: Callable[[str], dict[str, Any]]) -> Title:
    head, board, tiles, trains, bonuses = (read(n) for n in ("title", "map", "tiles", "trains", "bonuses"))
    layout, axes = head.get("layout", "flat"), head.get("axes", "")
    return Title(
        id=head["id"],
        name=head["name"],
        layout=layout,
        axes=axes,
        hexes=_hexes(board, layout, axes),
        tiles={
            name: TileType(parse_tile(t["code"], name, t["color"]), t["count"], tuple(t.get("upgrades", ())))
            for name, t in tiles.get("tiles", {}).items()
        },
        first={k: tuple(v) for k, v in tiles.get("first", {}).items()},
        companies={
            i: Company(
                i,
                c["name"],
                c.get("region", ""),
                c.get("ipo_price", 0),
                tuple(c.get("token_costs", ())),
                c.get("color", "#888888"),
                c.get("home", ""),
                tuple(c.get("home_cities", ())),
                c.get("exchange_tokens", 0),
            )
            for i, c in read("companies").get("companies", {}).items()
        },
        trains={
            name: Train(
                name,
                tuple(
                    Visits(
                        tuple(v["kinds"]),
                        v.get("visit", UNLIMITED),
                        v.get("pay", v.get("visit", UNLIMITED)),
                        v.get("multiplier"),
                    )
                    for v in t["visits"]
                ),
                t.get("multiplier", 1),
                t.get("own_token_counts", False),
                t.get("card", name),
                t.get("diesel_value", False),
            )
            for name, t in trains.get("trains", {}).items()
        },
        cards={
            name: TrainCard(
                name,
                c["count"],
                c["price"],
                c.get("buy_back"),
                tuple(n for n, t in trains.get("trains", {}).items() if t.get("card", n) == name),
            )
            for name, c in trains.get("cards", {}).items()
        },
        phases={p: tuple(v["colors"]) for p, v in head.get("phases", {}).items()},
        province_borders=frozenset(border(*b) for b in board.get("province_borders", ())),
        river_borders=frozenset(border(*b) for b in board.get("river_borders", ())),
        river_cost=board.get("river_cost", 0),
        connections=tuple(Connection(c["name"], tuple(c["hexes"]), c["value"]) for c in bonuses.get("connections", ())),
        commodities={
            n: Commodity(
                n,
                tuple(c.get("sources", ())),
                c["destinations"],
                c.get("placed", False),
                c.get("each_destination", ""),
            )
            for n, c in bonuses.get("commodities", {}).items()
        },
        route_ends=frozenset(head.get("route_ends", STOP_KINDS)),
        variable_minimum=head.get("variable_minimum", 0),
        switches=head.get("switches", {}),
        rule_sets=head.get("rules", {"rulebook": {}}),
        terms=_terms(read("terms")),
        designers=tuple(head.get("designers", ())),
        publisher=head.get("publisher", ""),
    )


def _hexes(board: dict[str, Any], layout: str, axes: str) -> dict[str, Hex]:
    printed: dict[str, dict[str, Any]] = {h: {} for h in board.get("plain", ())} | board.get("hexes", {})
    tiles = {h: parse_tile(p.get("code", ""), h, p.get("color", "white")) for h, p in printed.items()}
    hexes = {}
    for h in sorted(printed, key=hex_coordinates):
        p, tile = printed[h], tiles[h]
        sides = {
            s: n
            for s in range(6)
            if (n := neighbor_id(h, s, layout, axes)) is not None and n in tiles and joined(tile, s, tiles[n])
        }
        terrain = p.get("terrain", {})
        hexes[h] = Hex(
            h,
            tile,
            sides,
            name=p.get("name", ""),
            terrain=terrain.get("type", ""),
            terrain_cost=terrain.get("cost", 0),
            plus=p.get("plus"),
            first=p.get("first", ""),
            leads_to=tuple(p.get("leads_to", ())),
        )
    return hexes
