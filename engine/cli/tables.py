"""A game as tables for a terminal: companies, players, cards, the turn, what can be done; and what is in the box.

Give views (:mod:`trunkline.engine.views`), not states: what is in a state is shown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from rich import box
from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from trunkline.engine import game
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
