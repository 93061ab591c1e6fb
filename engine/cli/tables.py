"""A game as tables for a terminal: companies, players, cards, the turn, what can be done; and what is in the box.

Give views (:mod:`trunkline.engine.views`), not states: what is in a state is shown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich import box
from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from trunkline.engine import actions as a
from trunkline.engine import game
from trunkline.engine.actions import Action
from trunkline.engine.box.box import (
    BOX,
    HIDDEN,
    TITLE,
    company_of,
    face,
    is_bond,
    is_director,
    is_private,
    percent,
    train_card,
)
from trunkline.engine.options import RULE_SETS
from trunkline.engine.rules import finish, shares, stock, trains
from trunkline.engine.state import AUCTION, DRAFT, END, KEEP, OPERATE, STOCK, State
from trunkline.engine.wire import notation

_STAGES = {KEEP: "choosing what to keep", DRAFT: "draft", AUCTION: "auction of certificates", END: "the end"}
_ENDS = {
    "bank": "the bank is broken",
    "price": f"a share price reached {BOX.end_price}",
    "agreement": "the players agreed",
    "stalemate": "nobody can act any more",
}


def report(state: State, *, full: bool = True) -> RenderableType:
    """The whole table; without ``full`` only what the stage needs."""
    parts: list[RenderableType] = [heading(state)]
    if state.stage == END:
        return Group(*parts, scores(state), companies(state), players(state))
    if state.stage in (KEEP, DRAFT, AUCTION):
        parts += [cards(state), *([players(state)] if full else [])]
        return Group(*parts)
    parts.append(companies(state))
    parts.append(players(state))
    if full or state.stage == STOCK or state.operating.step in ("sell", "buy"):
        parts.append(cards(state))
    if full or state.stage == OPERATE:
        parts.append(depot(state))
    if state.stage == OPERATE and state.operating.company:
        parts.append(turn(state))
    return Group(*parts)


def heading(state: State) -> Text:
    """Where the game is: round, phase, bank, whose turn."""
    if state.stage == STOCK:
        where = f"stock round {state.round}, {'sale' if stock.selling(state) else 'buying'} turn"
    elif state.stage == OPERATE:
        where = f"operating round {state.round}.{state.operating_round}"
    else:
        where = _STAGES[state.stage]
    names = state.options.players
    bank = f"bank {state.bank}" if not state.bank_broken else f"bank broken ({state.bank})"
    order = "order " + ", ".join(names[s] for s in state.order)
    text = Text.assemble((where, "bold"), f" · phase {state.phase} · {bank} · {order}")
    if acting := game.actors(state):
        text.append(" · to act: ")
        text.append(", ".join(names[s] for s in acting), style="bold")
    return text


_WIDTHS = {"company": 6, "price": 5, "cash": 4, "trains": 6, "tok": 3, "pool": 4, "worth": 5, "certificates": 8}


def _table(*columns: str, title: str = "") -> Table:
    table = Table(
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        collapse_padding=True,
        title=title or None,
        title_justify="left",
        title_style="bold",
    )
    for name in columns:
        right = name in ("price", "cash", "worth", "score")
        # Names may be cut where a line is short, figures not.
        table.add_column(
            name, justify="right" if right else "left", no_wrap=name != "owns", min_width=_WIDTHS.get(name)
        )
    return table


# --- companies and players


def companies(state: State) -> Group:
    """Each company: price, who runs it, cash, trains, tokens; who holds how much of it; what it owns."""
    names = state.options.players
    table = _table("company", "price", "run by", "cash", "trains", "tok", *names, "pool")
    for column in (table.columns[2], *table.columns[6:-1]):
        column.max_width = {2: 9, 3: 9, 4: 6}.get(len(names), 5)
    owned = []
    for name in [*_by_price(state), *(n for n, c in state.companies.items() if not c.formed and not c.closed)]:
        c = state.companies[name]
        price = str(state.price(name)) if c.formed else f"({state.price(name)})"
        held = [_percent(state.percent(s, name), _directs(state, s, name)) for s in state.options.seats]
        pool = sum(percent(x) for x in state.market if company_of(x) == name)
        running = names[c.controller] if c.controller >= 0 else ""
        operates = name == state.operating.company and state.stage == OPERATE
        label = f"{'>' if operates else ''}{name}{' g' if c.guaranty else ''}"
        tokens = f"{len(c.tokens)}+{len(c.unplaced)}"
        row = [label, price, running, str(c.cash), _trains(state, c.trains), tokens]
        style = "bold" if operates else "" if c.formed else "dim"
        table.add_row(*map(Text, [*row, *held, _percent(pool, False)]), style=style)
        if own := " ".join([notation.short(c.certificates), *(x.lower() for x in c.concessions)]).strip():
            owned.append(_line(name, f"owns {own}"))
    legend = "(price) not formed · g guaranty · D Director · tok: tokens placed+left · pool: open market"
    return Group(table, Text(legend, style="dim"), *owned)


def _by_price(state: State) -> list[str]:
    return [name for space in reversed(state.spaces) for name in space]


def _percent(held: int, director: bool) -> str:
    return f"{held}{' D' if director else ''}" if held else ""


def _directs(state: State, seat: int, company: str) -> bool:
    return any(is_director(c) and company_of(c) == company for c in state.players[seat].certificates)


def _trains(state: State, owned: Iterable[str]) -> str:
    return " ".join(state.sides.get(t, train_card(t)) for t in owned)


def players(state: State) -> Table:
    """Each player: cash, certificates against the limit, worth, privates and bonds, hand."""
    table = _table("player", "cash", "worth", "certificates", "hand", "owns")
    for seat in state.order:
        player = state.players[seat]
        counted = f"{shares.counted(state, seat)} of {shares.limit(state, seat)}"
        other = [c for c in player.certificates if is_private(c) or is_bond(c)]
        known = [c for c in player.hand if c != HIDDEN]
        hidden = len(player.hand) - len(known)
        hand = f"{len(player.hand)} cards" + (f", {hidden} hidden" if hidden else "")
        row = [state.options.players[seat], str(player.cash), str(finish.score(state, seat)), counted, hand]
        bold = "bold" if seat in game.actors(state) else ""
        table.add_row(*map(Text, [*row, notation.short(other)]), style=bold)
    return table


def scores(state: State) -> Group:
    """The final scores, the best first."""
    table = _table("place", "player", "score")
    ranked = sorted(state.options.seats, key=lambda s: -state.scores[s])
    for seat in ranked:
        place = 1 + sum(other > state.scores[seat] for other in state.scores)
        table.add_row(str(place), state.options.players[seat], str(state.scores[seat]))
    return Group(Text(f"the game is over: {_ENDS.get(state.ended_by, state.ended_by)}", style="bold"), table)


# --- cards, trains, the turn


def cards(state: State) -> RenderableType:
    """The pool of the draft; the IPO rows and the open market; the bonds."""
    lines: list[RenderableType] = []
    if state.pool and state.stage in (KEEP, DRAFT, AUCTION):
        lines.append(_line("pool", notation.short(state.pool)))
    if state.lot is not None:
        bidder = state.options.players[state.lot.bidder]
        lines.append(_line("auction", f"{notation.card_name(state.lot.card)}, {state.lot.bid} bid by {bidder}"))
    for i, row in enumerate(state.ipo, 1):
        lines.append(_line(f"IPO {i}", notation.short(row, sort=False) or "empty"))
    priced = [
        f"{_count(n)}{c} at {_value(state, c)}"
        for c, n in Counter(map(notation.short_name, sorted(state.market))).items()
    ]
    lines.append(_line("open market", ", ".join(priced) or "nothing"))
    bonds = f"{len(state.bonds)} Railroad Bonds left"
    if state.dummy:
        bonds += f"; {len(state.dummy)} cards in the dummy hand"
    return Group(*lines, _line("bank", bonds))


def _count(n: int) -> str:
    return f"{n}×" if n > 1 else ""


def _value(state: State, name: str) -> int:
    return shares.value(state, next(c for c in state.market if notation.short_name(c) == name))


def _line(name: str, text: str) -> RenderableType:
    grid = Table.grid(padding=(0, 1))
    grid.add_column(no_wrap=True, min_width=11)
    grid.add_column()
    grid.add_row(Text(name, style="bold"), Text(text))
    return grid


def hand(state: State, seat: int) -> RenderableType:
    """The hand of a seat, a card a line, with what it costs to buy."""
    own = state.players[seat].hand
    if not own:
        return Text("the hand is empty", style="dim")
    entries = []
    for i, card in enumerate(own, 1):
        seen = " (seen by all)" if card in state.players[seat].open_cards else ""
        price = f" for {face(card)}" if card != HIDDEN else ""
        entries.append(Text(f"{i:>2}  {card:<7} {notation.card_name(card)}{price}{seen}"))
    return Group(Text(f"hand of {state.options.players[seat]}", style="bold"), Columns(entries, padding=(0, 4)))


def depot(state: State) -> RenderableType:
    """The trains on sale."""
    on_sale = {train_card(t) for t in trains.on_sale(state)}
    left = Counter(map(train_card, state.depot))
    now, later = (
        [
            f"{n}×{'/'.join(TITLE.cards[c].sides)} at {TITLE.cards[c].price}"
            for c, n in left.items()
            if (c in on_sale) is x
        ]
        for x in (True, False)
    )
    used = Counter(map(train_card, state.used_trains))
    second = ", ".join(f"{_count(n)}{c} at {TITLE.cards[c].price}" for c, n in used.items())
    lines = [_line("trains", ", ".join(now) or "none left")]
    lines += [_line("used", second)] if second else []
    return Group(*lines, *([_line("later", ", ".join(later))] if later else []))


def turn(state: State) -> RenderableType:
    """The operating company's turn so far."""
    now, c = state.operating, state.company
    names = [Text(x, style="bold" if x == now.company else "") for x in state.line_up]
    line = Text("line-up     ", style="bold") + Text(" ").join(names)
    words = [
        f"{now.company} {TITLE.companies[now.company].name}, run by {state.options.players[c.controller]}",
        f"cash {c.cash}",
        f"trains {_trains(state, c.trains) or 'none'}",
        f"step: {now.step or 'end'}",
    ]
    if now.line:
        words.append(f"line laid {'–'.join(now.line)}")
    if now.revenue:
        words.append(f"revenue {now.revenue}")
    return Group(line, Text("now         ", style="bold") + Text(" · ".join(words)), *_pending(state))


def _pending(state: State) -> list[Text]:
    found = []
    for p in state.pending[:1]:
        who = state.options.players[p.seat]
        text = {
            "home": f"which city of {p.hex} gets the home token of {p.company}?",
            "national_home": f"where is the home of {p.company}?",
            "assign": f"which city of {p.hex} gets the token of {' or '.join(p.companies)}?",
            "exchange": f"replace the token of {p.company} in {p.hex} by one of {BOX.national}?",
            "dummy": "draw a card of the dummy hand?",
            "offer": f"{state.operating.company} offers {p.price} for train {p.train} of {p.company}: sell it?",
        }[p.kind]
        found.append(Text(f"{who}: {text}", style="bold yellow"))
    return found


# --- what can be done

_MANY = 30


def choices(state: State, found: Sequence[Action], words: Sequence[str] = (), *, every: bool = False) -> RenderableType:
    """The actions in numbered groups; only those with all of ``words``. Long groups are cut unless ``every``."""
    numbered = [(i, x) for i, x in enumerate(found, 1) if _matches(state, x, words)]
    if not numbered:
        return Text("nothing of that kind is possible", style="yellow")
    groups: dict[str, list[tuple[int, Action]]] = {}
    for i, x in numbered:
        groups.setdefault(notation.write(x).split()[0], []).append((i, x))
    parts: list[RenderableType] = []
    for verb, entries in groups.items():
        parts.append(Text(f"{verb}: {notation.FORMS[verb][1]}", style="bold cyan"))
        parts += _tiles(state, entries, every) if verb in ("lay", "homecity") else _plain(state, entries, every)
    return Group(*parts)


def _matches(state: State, action: Action, words: Sequence[str]) -> bool:
    if not words:
        return True
    text = f"{notation.write(action)} {notation.describe(state, action)}".lower().split()
    return all(any(part.startswith(w.lower()) for part in text) for w in words)


def _plain(state: State, entries: Sequence[tuple[int, Action]], every: bool) -> list[RenderableType]:
    if len(entries) > 2 and not any(notation.describe(state, x) for _, x in entries):
        return [Text("     " + "  ".join(f"{i}:{notation.write(x).partition(' ')[2]}" for i, x in entries))]
    shown = entries if every else entries[:_MANY]
    grid = Table.grid(padding=(0, 2))
    grid.add_column(justify="right", style="bold", no_wrap=True, min_width=5)
    grid.add_column(no_wrap=True)
    grid.add_column(style="dim")
    for i, x in shown:
        text = notation.write(x)
        text = "run" if isinstance(x, a.Run) and x.runs else text
        grid.add_row(str(i), Text(text), Text(notation.describe(state, x)))
    return [grid, *_rest(len(entries) - len(shown), entries)]


def _rest(left: int, entries: Sequence[tuple[int, Action]]) -> list[RenderableType]:
    if left <= 0:
        return []
    verb = notation.write(entries[0][1]).split()[0]
    return [Text(f"      and {left} more; `? {verb}` lists all of them, `? {verb} WORD` some", style="dim")]


def _tiles(state: State, entries: Sequence[tuple[int, Action]], every: bool) -> list[RenderableType]:
    """Tiles by hex and colour, as ``number:tile/rotation``."""
    rows: dict[tuple[str, str], list[str]] = {}
    for i, x in entries:
        assert isinstance(x, (a.LayTile, a.LayHome))
        key = (x.hex, notation.describe(state, x))
        rows.setdefault(key, []).append(f"{i}:{x.tile}/{x.rotation}")
    keys = list(rows) if every else list(rows)[: 2 * _MANY]
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="bold", no_wrap=True, min_width=5)
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column()
    for hex_, text in keys:
        grid.add_row(Text(hex_, justify="right"), Text(text), Text("  ".join(rows[hex_, text])))
    return [grid, *_rest(sum(len(v) for k, v in rows.items() if k not in keys), entries)]


def log_line(before: State, number: int, action: Action, after: State) -> Text:
    """An action as a line of the log."""
    who = before.options.players[action.seat]
    company = before.operating.company if before.stage == OPERATE and not before.pending else ""
    text = Text.assemble((f"{number:>4}  ", "dim"), (f"{who}{f' for {company}' if company else ''}: ", "bold"))
    if isinstance(action, a.Run):
        earned = after.operating.revenue if after.operating.company == company else 0
        text.append(f"run {notation.describe(before, action)} = {earned}" if action.runs else "run idle")
    elif isinstance(action, a.Keep):
        text.append(f"keep {len(action.cards)} cards")
    else:
        text.append(notation.write(action))
        described = notation.describe(before, action)
        text.append(f"  {described}" if described and described != notation.write(action) else "", style="dim")
    for name, c in after.companies.items():
        old = before.companies[name]
        if c.formed and not old.formed:
            text.append(f"  {name} is formed at {after.price(name)}", style="green")
        elif c.closed and not old.closed:
            text.append(f"  {name} closes", style="red")
    if after.phase != before.phase:
        text.append(f"  phase {after.phase}", style="magenta")
    return text


# --- the box


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
