"""What the files of a title may hold: their forms, by which every slip is named with file, table and key.

See ``docs/add-a-title.md`` for what the keys mean, and :mod:`~trunkline.solver.board.form` for how a form is written.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from trunkline.solver.board.coordinates import AXES, HEX_ID, OFFSETS, neighbor_ids, overlapping
from trunkline.solver.board.form import Names, any_name, one_of, whole
from trunkline.solver.board.notation import parse_tile
from trunkline.solver.board.tile import CITY, COLORS, DIESEL, MARKER, SIDE, STOP_KINDS
from trunkline.solver.board.title import HEX_CLASSES
from trunkline.solver.errors import NotationError

FILES = ("title", "map", "tiles", "companies", "trains", "bonuses", "terms")
"""The files of a title, without ``.toml``; only the first is needed."""

_STOPS = {"hexes": [str], "groups": [str], "labels": [str], "markers": [str], "kinds": [str]}
_BONUS = {"name!": str, "amount!": int, "stops": [_STOPS], "crosses": _STOPS, "per": str}
_BONUS |= {"visited": bool, "multiplied": bool, "marker": str}
_BONUS |= {"companies": [str], "trains": [str], "not_trains": [str], "phases": [str]}
_TERMS = {"bonuses": [_BONUS], "one_stop_per_hex": bool, "several_stops": [str], "no_ends": [_STOPS]}
"""The form of ``terms.toml``. What its names mean is held against the box when all is read."""


class TitleForms:
    """The forms of the files of one title; they depend on the files, which name things of each other."""

    def __init__(self, files: Mapping[str, dict[str, Any]]) -> None:
        self.files = files
        plain = files["map"].get("plain")
        self.plain = [h for h in plain if isinstance(h, str)] if isinstance(plain, list) else []
        self.printed = [*self.plain, *self.table("map", "hexes")]
        self.misfits = overlapping([h for h in self.printed if HEX_ID.fullmatch(h)])

    def table(self, file: str, key: str) -> dict[str, Any]:
        """A table of a file; an empty one where there is none."""
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
        """The form of the kinds of stops that routes may end at."""
        if not isinstance(value, list) or any(kind not in STOP_KINDS for kind in value):
            return f"{value!r} is not a list of stops; known: {', '.join(STOP_KINDS)}"
        return "" if CITY in value else f"route_ends must name {CITY}: every route has a city with a token"

    def hex_id(self, value: Any, _: Mapping[str, Any]) -> str:
        """The form of a hex id that fits the others."""
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
        """The form of a hex with nothing printed on it."""
        twice = self.printed.count(value) > 1
        return self.hex_id(value, table) or (f"{value} is on the map twice" if twice else "")

    def on_map(self, value: Any, _: Mapping[str, Any]) -> str:
        """The form of a hex of the map."""
        if value in self.printed:
            return ""
        return f"there is no hex {value!r} on the map" + ("" if self.files["map"] else ": map.toml is missing or empty")

    def home_city(self, value: Any, company: Mapping[str, Any]) -> str:
        """The form of the number of a city on the home hex of a company."""
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
        """The form of a border: two neighbours."""
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
