"""Answers as tables for a terminal: what a player wants to read of a solution, an evaluation or a title."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from trunkline.solver.board import CITY, Board, Evaluation, Position, Route, Solution, StopId


def solution_report(position: Position, solution: Solution) -> RenderableType:
    """Routes with stops and revenue line by line, idle trains, the total and whether it is proven."""
    table = _route_table(position, solution.routes)
    for idle in solution.idle:
        table.add_row(Text(idle.name), Text(f"idle: {idle.reason}", style="yellow"), "")
    proof = "proven best" if solution.optimal else f"best found so far; no routes earn more than {solution.upper_bound}"
    cost = solution.statistics
    return Group(
        _heading(position),
        table,
        _total(solution.total, proof),
        *_claims(solution.claims),
        Text(f"{cost.nodes:,} partial routes in {cost.seconds * 1000:.1f} ms", style="dim"),
    )


def evaluation_report(position: Position, evaluation: Evaluation) -> RenderableType:
    """What drawn routes earn, or why they are not legal."""
    notes = [Text(f"read as: {note}", style="dim") for note in evaluation.notes]
    if not evaluation.legal:
        faults = [Text.assemble("• ", (f.field, "bold"), ": " if f.field else "", f.message) for f in evaluation.faults]
        return Group(_heading(position), Text("not legal:", style="bold red"), *faults, *notes)
    table = _route_table(position, evaluation.routes)
    return Group(_heading(position), table, _total(evaluation.total, "legal"), *_claims(evaluation.claims), *notes)


def _heading(position: Position) -> Text:
    board = position.board
    company = board.title.companies.get(position.company)
    words = [board.title.name, f"phase {board.phase}" if board.phase else ""]
    trains = ", ".join(t.name for t in position.trains) or "none"
    name = f"{position.company} {company.name}" if company else position.company
    return Text.assemble((name, "bold"), f" · {' · '.join(filter(None, words))} · trains: {trains}")


def _route_table(position: Position, routes: Iterable[Route]) -> Table:
    table = Table(show_lines=True, pad_edge=False, box=box.SIMPLE)
    table.add_column("train", no_wrap=True)
    table.add_column("run; stops in (…) do not pay", ratio=3)
    table.add_column("revenue", ratio=2)
    for route in routes:
        table.add_row(Text(route.name), _run(position.board, route), _lines(route))
    return table


def _run(board: Board, route: Route) -> Text:
    text = Text()
    for i, (stop, counted) in enumerate(zip(route.stops, route.counted, strict=True)):
        text.append(" – " if i else "")
        name = stop_name(board, stop)
        text.append(name if counted else f"({name})", style="bold" if counted else "dim")
    if route.markers:
        text.append(f"; {route.markers} gauge marker{'s' if route.markers > 1 else ''}", style="dim")
    return text


def stop_name(board: Board, stop: StopId) -> str:
    """A stop as players name it: ``Delhi G8``, ``F5 town 1``."""
    hx = board.hexes.get(stop.hex)
    text = f"{hx.name} {stop.hex}" if hx and hx.name else stop.hex
    several = hx is None or len(hx.tile.stops) > 1 or stop.kind not in (s.kind for s in hx.tile.stops)
    return f"{text} {stop.kind if stop.kind != CITY else 'city'} {stop.number}" if several else text


def _lines(route: Route) -> Table:
    grid = Table.grid(padding=(0, 1), expand=True)
    grid.add_column(ratio=1)
    grid.add_column(justify="right", no_wrap=True)
    for line in route.lines:
        grid.add_row(Text(line.label), str(line.amount))
    grid.add_row(Text("together", style="bold"), Text(str(route.revenue), style="bold"))
    return grid


def _total(total: int, remark: str) -> Text:
    return Text.assemble(("total ", "bold"), (str(total), "bold green"), f" ({remark})")


def _claims(claims: Sequence[str]) -> list[Text]:
    return [Text(f"claims the concessions of {', '.join(claims)}")] if claims else []


def title_report(title: Mapping[str, Any]) -> RenderableType:
    """A title from the JSON form of its description: companies, trains, tiles, phases, bonuses, rule switches.

    That form leaves out what is empty or 0; it is shown as a blank.
    """
    parts: list[RenderableType] = [
        Text.assemble(
            (title.get("displayName", ""), "bold"), f" ({title['titleId']}), {len(title.get('hexes', ()))} hexes"
        ),
        Text(_credit(title)),
        _table(
            "companies",
            ["id", "name", "region", "home", "shares at", "tokens"],
            map(_company, title.get("companies", ())),
        ),
        _table("trains", ["train", "card", "copies", "price", "visits", "×"], _trains(title)),
        _table("tiles", ["tile", "colour", "copies", "upgrades", "definition"], map(_tile, title.get("tiles", ()))),
        _table(
            "phases",
            ["phase", "tiles"],
            ([p["phase"], ", ".join(p.get("colors", ()))] for p in title.get("phases", ())),
        ),
        _table("connections", ["route with", "bonus"], (_connection(c) for c in title.get("connections", ()))),
        _table("commodities", ["commodity", "from", "to"], map(_commodity, title.get("commodities", ()))),
        _table("rule switches", ["switch", "when on"], map(_switch, title.get("switches", ()))),
        _table("rule sets", ["set", "switches on"], map(_rule_set, title.get("ruleSets", ()))),
    ]
    return Group(*(Padding(part, (0, 0, 1, 0)) for part in parts))


def _credit(title: Mapping[str, Any]) -> str:
    """Whose game a title is."""
    by = " by " + ", ".join(title["designers"]) if title.get("designers") else ""
    published = f", published by {title['publisher']}" if title.get("publisher") else ""
    return f"A game{by}{published}. This project is not theirs." if by or published else ""


def _table(name: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> Table:
    table = Table(title=name, title_justify="left", title_style="bold", pad_edge=False, box=box.SIMPLE_HEAD)
    for i, column in enumerate(columns):
        table.add_column(column, overflow="fold", no_wrap=i == 0 or column == "name")
    for row in rows:
        table.add_row(*map(Text, row))
    return table


def _company(c: Mapping[str, Any]) -> list[str]:
    tokens = ", ".join(map(str, c.get("tokenCosts", ())))
    price = str(c.get("ipoPrice", ""))
    return [c["companyId"], c.get("displayName", ""), c.get("region", ""), c.get("homeHex", ""), price, tokens]


def _trains(title: Mapping[str, Any]) -> Iterable[list[str]]:
    cards = {c["card"]: c for c in title.get("cards", ())}
    for t in title.get("trains", ()):
        card = cards.get(t.get("card", t["name"]), {})
        counts, price = str(card.get("count", "")), str(card.get("price", ""))
        yield [t["name"], card.get("card", ""), counts, price, _visits(t), str(t.get("multiplier", 1))]


def _visits(t: Mapping[str, Any]) -> str:
    if "distance" in t:
        return f"{t['distance']} stops"
    rows = []
    for v in t.get("visits", ()):
        kinds = " or ".join(v["kinds"])
        count = f"{v['visit']} × {kinds}" if "visit" in v else f"any {kinds}"
        rows.append(f"{count}, {v['pay']} pay" if "pay" in v else count)
    return "; ".join([*rows, "one with an own token"] if t.get("ownTokenCounts") else rows)


def _tile(t: Mapping[str, Any]) -> list[str]:
    definition = t.get("definition", "").replace(";", "; ")  # to be broken there
    return [t["tile"], t["color"], str(t.get("count", "")), " ".join(t.get("upgrades", ())), definition]


def _connection(c: Mapping[str, Any]) -> list[str]:
    return [f"{c.get('displayName', '')} ({', '.join(c.get('hexes', ()))})", str(c.get("bonus", ""))]


def _commodity(c: Mapping[str, Any]) -> list[str]:
    to = ", ".join(f"{h} {v}" for h, v in sorted(c.get("destinations", {}).items()))
    return [c["commodityId"], ", ".join(c.get("sourceHexes", ["a marker"])), to]


def _switch(s: Mapping[str, Any]) -> list[str]:
    return [s["switchId"], s.get("description", "")]


def _rule_set(s: Mapping[str, Any]) -> list[str]:
    return [s["set"], ", ".join(k for k, on in sorted(s.get("switches", {}).items()) if on) or "none"]
