"""What is in the box, as tables for a terminal; from the JSON form of the message Box, as a server gives it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from trunkline.engine.options import RULE_SETS


def box_report(data: Mapping[str, Any]) -> RenderableType:
    """What is in the box, from the JSON form of the message Box."""
    setups = (_setup(s, s == data["setup"]) for s in data["setups"])
    return Group(
        _listed("set-up", "players variant cash dealt kept IPO market other limit", setups),
        _figures(data["figures"]),
        _listed("companies", "id name region home shares_at tokens certificates", map(_charter, data["charters"])),
        _listed("private companies", "id name price income power section", map(_private, data["privateCompanies"])),
        _bonds(data["bonds"]),
        _market(data["market"]),
        _listed("trains", "card copies price bank_pays sides", map(_train, data["trains"])),
        _listed("phases", "phase begins_with effect", map(_phase, data["phases"])),
        _listed("tiles", "colour number×copies", _tile_counts(data["tiles"])),
        _listed("connections", "route_with bonus", map(_connection, data["connections"])),
        _listed("commodities", "commodity from to", map(_commodity, data["commodities"])),
        _listed("options", "option value meaning", _option_values(data["gameOptions"])),
        _listed("rule switches", "switch now when_on " + " ".join(RULE_SETS), map(_switch, data["switches"])),
    )


def _listed(title: str, columns: str, rows: Iterable[Sequence[object]]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, title=title, title_justify="left", title_style="bold")
    for i, name in enumerate(columns.split()):
        table.add_column(name.replace("_", " "), no_wrap=i == 0, overflow="fold")
    for row in rows:
        table.add_row(*(Text(str(cell)) for cell in row))
    return table


def _setup(s: Mapping[str, Any], now: bool) -> list[object]:
    limits = " / ".join(str(x["certificates"]) for x in s["certificateLimits"])
    other = [f"{s[key]} {word}" for key, word in (("unseen", "unseen"), ("dummy", "in the dummy hand")) if s[key]]
    rows = f"{s['ipoRows']}×{s['ipoRow']}"
    players = f"{'>' if now else ' '}{s['players']}"
    cells = [players, s["variant"], s["cash"], s["dealt"], s["kept"], rows, s["openMarket"]]
    return [*cells, ", ".join(other), limits]


def _figures(f: Mapping[str, Any]) -> Text:
    return Text(
        "> this game · limit: certificates of a player with 10 / 9 / 8 or fewer companies\n"
        f"A company owns at most {f['companyCertificateLimit']} certificates and {f['trainLimit']} trains,"
        f" and forms with {f['formingPercent']} %. The bank has {f['bank']}.\n"
        f"{f['operatingRounds']} operating rounds; {f['yellowTiles']} yellow tiles in a turn. In play:"
        f" {f['companiesOfARegion']} companies of each region, one of them with guaranty, and the national railway.\n",
        style="dim",
    )


def _charter(c: Mapping[str, Any]) -> list[object]:
    company = c["company"]
    home = " ".join([company["homeHex"], *(f"city {' or '.join(map(str, x))}" for x in [company["homeCities"]] if x)])
    tokens = ", ".join(map(str, company["tokenCosts"]))
    if c["exchangeTokens"]:
        tokens += f" and {c['exchangeTokens']} exchange"
    own = [_span(c[key]) for key in ("shares", "bondShares") if c[key]]
    held = ", ".join([*filter(None, [c["directorCertificate"]]), *own])
    name, region, price = company["displayName"], company["region"], company["ipoPrice"]
    return [company["companyId"], name, region, home if company["homeHex"] else "chosen", price, tokens, held]


def _span(ids: Sequence[str]) -> str:
    return f"{ids[0]} to {ids[-1]}"


def _private(p: Mapping[str, Any]) -> list[object]:
    power = f"{p['power']}, up to {p['discount']}" if p["discount"] else p["power"] or "none"
    return [p["privateId"], p["displayName"], p["faceValue"], p["income"], power, p["section"]]


def _bonds(b: Mapping[str, Any]) -> Text:
    text = f"  {_span(b['certificates'])}: {b['price']} each, {b['income']} in each operating round\n"
    return Text.assemble(("Railroad Bonds", "bold"), text)


def _market(spaces: Sequence[Mapping[str, Any]]) -> Group:
    row = [f"{s['sharePrice']}{'*' if s['ipoCompanies'] else '!' if s['ends'] else ''}" for s in spaces]
    legend = "0: the company closes · * IPO price of a company · ! the end comes\n"
    return Group(Text("market", style="bold"), Text(" ".join(row)), Text(legend, style="dim"))


def _train(t: Mapping[str, Any]) -> list[object]:
    card = t["card"]
    return [
        card["card"],
        card["count"],
        card["price"],
        card.get("buyBack", "does not take it"),
        " or ".join(card["trains"]),
    ]


def _phase(p: Mapping[str, Any]) -> list[object]:
    return [p["phase"]["phase"], p["beginsWith"], p["effect"]]


def _tile_counts(tiles: Sequence[Mapping[str, Any]]) -> list[list[object]]:
    colors = dict.fromkeys(t["color"] for t in tiles)
    return [[c, ", ".join(f"{t['tile']}×{t['count']}" for t in tiles if t["color"] == c)] for c in colors]


def _connection(c: Mapping[str, Any]) -> list[object]:
    return [f"{c['displayName']} ({', '.join(c['hexes'])})", c["bonus"]]


def _commodity(c: Mapping[str, Any]) -> list[object]:
    good = c["commodity"]
    to = ", ".join(f"{h} {v}" for h, v in sorted(good["destinations"].items()))
    source = "a marker" if c["placed"] else ", ".join(good["sourceHexes"])
    return [good["commodityId"], source, to + (" (each of them)" if c["eachDestination"] else "")]


def _option_values(options: Sequence[Mapping[str, Any]]) -> Iterable[list[object]]:
    for option in options:
        for i, value in enumerate(option["values"]):
            shown = value["value"] or "(empty)"
            yield ["" if i else option["optionId"], shown if i else f"{shown}, the default", value["description"]]


def _switch(s: Mapping[str, Any]) -> list[object]:
    on = [s["on"], *(s["ruleSets"][name] for name in RULE_SETS)]
    now, *sets = ("on" if x else "off" for x in on)
    return [s["switchId"], now, s["description"], *sets]
