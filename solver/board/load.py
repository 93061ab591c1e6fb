"""Titles read from folders of TOML files: ``get_title(id)`` one that is installed, ``load_title(folder)`` any other."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from trunkline.solver.board.coordinates import (
    AXES,
    HEX_ID,
    OFFSETS,
    border,
    hex_coordinates,
    neighbor_id,
    neighbor_ids,
    overlapping,
)
from trunkline.solver.board.form import Names, any_name, faults, one_of, unknown, whole
from trunkline.solver.board.hexes import Hex
from trunkline.solver.board.notation import parse_tile
from trunkline.solver.board.terms import Bonus, Known, Stops, Terms, term_faults
from trunkline.solver.board.tile import CITY, COLORS, DIESEL, MARKER, SIDE, STOP_KINDS, joined
from trunkline.solver.board.title import (
    COMMON,
    HEX_CLASSES,
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
from trunkline.solver.errors import NotationError, TrunklineError


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


FILES = ("title", "map", "tiles", "companies", "trains", "bonuses", "terms")
"""The files of a title, without ``.toml``; only the first is needed."""


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
    for name, form in _Forms(files).of_files().items():
        found += [f"{folder / f'{name}.toml'}: {fault}" for fault in faults(files[name], form)]
    if found:
        raise TrunklineError("\n".join(found))
    title_ = _title(files.__getitem__)
    if wrong := [f"{folder / 'terms.toml'}: {fault}" for fault in term_faults(title_.terms, _known(title_))]:
        raise TrunklineError("\n".join(wrong))
    return title_


def _known(title_: Title) -> Known:
    """What the terms of a title may name: what is printed in its box."""
    tiles = [*(hx.tile for hx in title_.hexes.values()), *(t.tile for t in title_.tiles.values())]
    groups = {s.group for tile in tiles for s in tile.stops if s.group}
    labels = {label for tile in tiles for label in tile.labels}
    return Known(title_.hexes, title_.companies, title_.trains, title_.phases, groups, labels)


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


class _Forms:
    """The forms of the files of one title; they depend on the files, which name things of each other."""

    def __init__(self, files: Mapping[str, dict[str, Any]]) -> None:
        self.files = files
        plain = files["map"].get("plain")
        self.plain = [h for h in plain if isinstance(h, str)] if isinstance(plain, list) else []
        self.printed = [*self.plain, *self.table("map", "hexes")]
        self.misfits = overlapping([h for h in self.printed if HEX_ID.fullmatch(h)])

    def table(self, file: str, key: str) -> dict[str, Any]:
        found = self.files[file].get(key)
        return found if isinstance(found, dict) else {}

    def of_files(self) -> dict[str, Any]:
        """The form of each file, see :mod:`trunkline.solver.board.form`."""
        count, color, in_box = (
            whole(0, 1_000_000),
            one_of("colour", COLORS),
            one_of("tile", self.table("tiles", "tiles")),
        )
        kind, switch = one_of("kind", (*STOP_KINDS, MARKER, SIDE)), one_of("switch", self.table("title", "switches"))
        cards = self.table("trains", "cards")
        hex_ = {"code": _code, "color": color, "name": str, "plus": count, "terrain": {"type!": str, "cost": count}}
        hex_ |= {"first": one_of("row of first", self.table("tiles", "first")), "leads_to": [self.on_map]}
        company = {"name!": str, "region": str, "ipo_price": count, "token_costs": [count], "color": _paint}
        company |= {"home": self.on_map, "home_cities": [self.home_city], "exchange_tokens": count}
        row = {"kinds!": [kind], "visit": count, "pay": count, "multiplier": whole(0, 100)}
        train = {"visits!": [row], "multiplier": whole(1, 100)}
        train |= {"own_token_counts": bool, "diesel_value": bool, "card": one_of("card", cards) if cards else str}
        good = {"sources": [self.on_map], "destinations!": Names(self.on_map, count), "placed": bool}
        return {
            "title": {
                "id!": str,
                "name!": str,
                "designers": [str],
                "publisher": str,
                "layout": one_of("layout", tuple(OFFSETS)),
                "axes": one_of("what letters count", AXES),
                "route_ends": self.route_ends,
                "variable_minimum": count,
                "phases": Names(any_name, {"colors!": [one_of("colour", self.phase_colors())]}),
                "switches": Names(any_name, str),
                "rules": Names(any_name, Names(switch, bool)),
            },
            "map": {
                "plain": [self.plain_hex],
                "hexes": Names(self.map_hex, hex_),
                "province_borders": [self.side],
                "river_borders": [self.side],
                "river_cost": count,
            },
            "tiles": {
                "first": Names(one_of("kind of hex", (*HEX_CLASSES, *self.named_rows())), [in_box]),
                "tiles": Names(any_name, {"code!": _code, "color!": color, "count!": count, "upgrades": [in_box]}),
            },
            "companies": {"companies": Names(any_name, company)},
            "trains": {
                "trains": Names(any_name, train),
                "cards": Names(any_name, {"count!": count, "price!": count, "buy_back": count}),
            },
            "bonuses": {
                "connections": [{"name!": str, "hexes!": [self.on_map], "value!": count}],
                "commodities": Names(any_name, good | {"each_destination": switch}),
            },
            "terms": _TERMS,
        }

    def named_rows(self) -> tuple[str, ...]:
        """The rows of ``first`` that hexes name."""
        rows = (p.get("first") for p in self.table("map", "hexes").values() if isinstance(p, dict))
        return tuple(dict.fromkeys(row for row in rows if isinstance(row, str)))

    def phase_colors(self) -> tuple[str, ...]:
        """The colours of tiles, and others that something in the box pays by."""
        tables = [t for f, k in (("map", "hexes"), ("tiles", "tiles")) for t in self.table(f, k).values()]
        codes = [str(t.get("code")) for t in tables if isinstance(t, dict)]
        paid = (c for code in codes for c in re.findall(r"([a-z]+)_[0-9]", code))
        return tuple(dict.fromkeys((*COLORS, *(c for c in paid if c != DIESEL))))

    def route_ends(self, value: Any, _: Mapping[str, Any]) -> str:
        if not isinstance(value, list) or any(kind not in STOP_KINDS for kind in value):
            return f"{value!r} is not a list of stops; known: {', '.join(STOP_KINDS)}"
        return "" if CITY in value else f"route_ends must name {CITY}: every route has a city with a token"

    def hex_id(self, value: Any, _: Mapping[str, Any]) -> str:
        if not isinstance(value, str) or not HEX_ID.fullmatch(value):
            return f"{value!r} is not a hex id such as D17"
        return self.misfits.get(value, "")

    def map_hex(self, value: Any, table: Mapping[str, Any]) -> str:
        """The form of the name of a table of ``hexes``."""
        printed = table.get(value)
        leads_to = printed.get("leads_to") if isinstance(printed, dict) else None
        pairs = [[value, n] for n in leads_to if n in self.printed] if isinstance(leads_to, list) else []
        return self.hex_id(value, table) or next(filter(None, (self.side(pair, table) for pair in pairs)), "")

    def plain_hex(self, value: Any, table: Mapping[str, Any]) -> str:
        twice = self.printed.count(value) > 1
        return self.hex_id(value, table) or (f"{value} is on the map twice" if twice else "")

    def on_map(self, value: Any, _: Mapping[str, Any]) -> str:
        if value in self.printed:
            return ""
        return f"there is no hex {value!r} on the map" + ("" if self.files["map"] else ": map.toml is missing or empty")

    def home_city(self, value: Any, company: Mapping[str, Any]) -> str:
        home = company.get("home")
        if home not in self.printed:
            return "" if "home" in company else "home_cities need a home"
        try:
            code = self.table("map", "hexes").get(home, {}).get("code", "")
            cities = len(parse_tile(code).of_kind(CITY))
        except (AttributeError, TypeError, NotationError):
            return ""  # the hex has a fault of its own
        ok = type(value) is int and 0 <= value < cities
        return "" if ok else f"{home} has no city {value!r} ({cities} cit{'y' if cities == 1 else 'ies'}, from 0)"

    def side(self, value: Any, table: Mapping[str, Any]) -> str:
        if not isinstance(value, list) or len(value) != 2:
            return f"{value!r} is not a pair of hexes"
        if wrong := self.on_map(value[0], table) or self.on_map(value[1], table):
            return wrong
        layout, axes = self.files["title"].get("layout", "flat"), self.files["title"].get("axes", "")
        known = layout in tuple(OFFSETS) and all(HEX_ID.fullmatch(h) for h in value)
        return (
            f"{value[0]} and {value[1]} are no neighbours"
            if known and value[1] not in neighbor_ids(value[0], layout, axes)
            else ""
        )


_STOPS = {"hexes": [str], "groups": [str], "labels": [str], "markers": [str], "kinds": [str]}
_BONUS = {"name!": str, "amount!": int, "stops": [_STOPS], "crosses": _STOPS, "per": str}
_BONUS |= {"visited": bool, "multiplied": bool, "marker": str}
_BONUS |= {"companies": [str], "trains": [str], "not_trains": [str], "phases": [str]}
_TERMS = {"bonuses": [_BONUS], "one_stop_per_hex": bool, "several_stops": [str], "no_ends": [_STOPS]}
"""The form of ``terms.toml``. What its names mean is held against the box when all is read."""


def _code(value: Any, _: Mapping[str, Any]) -> str:
    """The form of a tile in the notation."""
    if not isinstance(value, str):
        return f"{value!r} is not a text in quotes"
    try:
        parse_tile(value)
    except NotationError as e:
        return str(e)
    return ""


def _paint(value: Any, _: Mapping[str, Any]) -> str:
    ok = isinstance(value, str) and re.fullmatch("#[0-9a-fA-F]{6}", value)
    return "" if ok else f"{value!r} is not a colour such as #3766ba"


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
