"""The share price row and the closing of companies (rules sections 1.2 and 10.4)."""

from __future__ import annotations

from dataclasses import replace

from trunkline.engine.actions import ExchangeToken, Pass
from trunkline.engine.box.box import BOX, NATIONAL, company_of, is_bond
from trunkline.engine.errors import RuleError
from trunkline.engine.rules import money, shares
from trunkline.engine.rules.privates import COMMODITY
from trunkline.engine.state import NOBODY, UNFORMED, Pending, State


def move(state: State, company: str, steps: int) -> None:
    """Move the price marker; it comes last on its new space. At 0 the company closes, at 400 the end is near."""
    c = state.companies[company]
    new = min(max(c.price + steps, 0), len(BOX.market) - 1)
    if new == c.price:
        return
    state.spaces[c.price].remove(company)
    state.spaces[new].append(company)
    c.price = new
    if BOX.market[new] >= BOX.end_price:
        state.end_price_reached = True
    if BOX.market[new] == 0:
        close(state, company)


def by_price(state: State) -> list[str]:
    """Formed companies, highest price first; on a space the one that came first (7)."""
    return [name for space in reversed(state.spaces) for name in space]


# --- closing


def close(state: State, company: str) -> None:
    """Begin to close: the national railway replaces the home token, and others if its manager wants."""
    state.closing = company
    c, national = state.companies[company], state.companies[NATIONAL]
    if company == NATIONAL or not national.formed or not national.exchange or not c.tokens:
        return
    if _replaceable(state, c.tokens[0].hex):
        _replace(state, company, c.tokens[0].hex)
    for token in state.companies[company].tokens:
        if _free_of_national(state, token.hex):
            state.pending.append(Pending("exchange", national.controller, company, token.hex))
    _drop_exchanges(state)


def _replaceable(state: State, hex_: str) -> bool:
    return state.companies[NATIONAL].exchange > 0 and _free_of_national(state, hex_)


def _free_of_national(state: State, hex_: str) -> bool:
    return all(t.hex != hex_ for t in state.companies[NATIONAL].tokens)


def _replace(state: State, company: str, hex_: str) -> None:
    c, national = state.companies[company], state.companies[NATIONAL]
    token = next(t for t in c.tokens if t.hex == hex_)
    c.tokens.remove(token)
    national.tokens.append(replace(token, exchange=True))
    national.exchange -= 1
    state.map_changed()


def _drop_exchanges(state: State) -> None:
    """Without exchange tokens nothing is left to decide; 18xx.games asks nevertheless."""
    if not state.companies[NATIONAL].exchange and not state.options.on("forced_choices"):
        state.pending = [p for p in state.pending if p.kind != "exchange"]


def check_exchange(state: State, action: ExchangeToken) -> None:
    """Raises RuleError: not this token."""
    pending = state.pending[0]
    if pending.kind != "exchange":
        raise RuleError("10.4", "no token is to be replaced now")
    if action.hex != pending.hex:
        raise RuleError("10.4", f"the token in {pending.hex} is to be decided first", f"{pending.hex} or pass")
    if not state.companies[NATIONAL].exchange:
        raise RuleError("10.4", f"{NATIONAL} has no exchange token left", "pass")


def do_exchange(state: State, action: ExchangeToken) -> None:
    """Replace the token."""
    pending = state.pending.pop(0)
    _replace(state, pending.company, action.hex)
    _drop_exchanges(state)


def do_pass(state: State, action: Pass) -> None:
    """Leave the token to be taken off."""
    state.pending.pop(0)


def finish_closing(state: State) -> None:
    """Take everything of the closing company off the table (10.4, 2 to 5)."""
    name, state.closing = state.closing, ""
    c = state.companies[name]
    c.tokens.clear()
    for train in c.trains:
        state.sides.pop(train)
        state.used_trains.append(train)
    c.trains.clear()
    returned = [x for x in c.certificates if company_of(x) != name]
    state.bonds += [x for x in returned if is_bond(x)]
    state.market += [x for x in returned if not is_bond(x)]
    c.certificates = [x for x in c.certificates if company_of(x) == name]
    money.pay(state, name, money.BANK, c.cash)
    _vanish(state, name)
    state.spaces[c.price].remove(name)
    if state.options.on("return_concessions"):
        state.unclaimed += [x for x in c.concessions if x != COMMODITY or state.jewelry_hex]
    c.concessions.clear()
    c.closed, c.price, c.controller, c.guaranty = True, UNFORMED, NOBODY, False
    state.map_changed()
    for company in dict.fromkeys(company_of(x) for x in returned if company_of(x)):
        shares.form_if_due(state, company)


def _vanish(state: State, name: str) -> None:
    """All shares of a company leave the game; those that lie face down do when they are drawn."""
    places = [state.market, state.bond_shares, *state.ipo]
    places += [p.hand for p in state.players] + [p.certificates for p in state.players]
    places += [c.certificates for c in state.companies.values()]
    for place in places:
        state.gone += [x for x in place if company_of(x) == name]
        place[:] = [x for x in place if company_of(x) != name]
    for player in state.players:
        player.open_cards = [x for x in player.open_cards if company_of(x) != name]
