"""What a company sells and buys at the end of its turn (rules section 10.3)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from trunkline.engine.actions import Action, BuyBond, BuyFromIpo, BuyFromMarket, CompanySell, ConvertBond
from trunkline.engine.errors import RuleError, passes
from trunkline.engine.rules import purchases
from trunkline.engine.state import BUY, SELL, State


def check_sell(state: State, action: CompanySell) -> None:
    """Raises RuleError: not the step, or not owned."""
    if state.operating.step != SELL:
        raise RuleError("10.3", f"certificates are sold in the sell step; this is step {state.operating.step}")
    purchases.check_owned(state, state.operating.company, action.certificates, "10.3")


def do_sell(state: State, action: CompanySell) -> None:
    """Sell to the market at the current price, bonds and privates at face."""
    purchases.sell(state, state.operating.company, list(action.certificates))


def _check_step(state: State) -> None:
    if state.operating.step != BUY:
        raise RuleError("10.3", f"a certificate is bought in the buy step; this is step {state.operating.step}")


def check_ipo(state: State, action: BuyFromIpo) -> None:
    """Raises RuleError: not the step, more than one card, its own share, no room or no money."""
    _check_step(state)
    if action.count != 1:
        raise RuleError("10.3", "a company buys one certificate", "the first card of a row")
    purchases.check_ipo(state, state.operating.company, action.row, 1)


def do_ipo(state: State, action: BuyFromIpo) -> None:
    """Buy the first card of a row."""
    purchases.buy_ipo(state, state.operating.company, action.row, 1)
    _done(state)


def check_market(state: State, action: BuyFromMarket) -> None:
    """Raises RuleError: not the step, not there, no room or no money; its own shares are allowed."""
    _check_step(state)
    purchases.check_market(state, state.operating.company, action.certificate)


def do_market(state: State, action: BuyFromMarket) -> None:
    """Buy it."""
    purchases.buy_market(state, state.operating.company, action.certificate)
    _done(state)


def check_bond(state: State, action: BuyBond) -> None:
    """Raises RuleError: not the step, no bond left or no money."""
    _check_step(state)
    purchases.check_bond(state, state.operating.company)


def do_bond(state: State, action: BuyBond) -> None:
    """Buy a bond."""
    purchases.buy_bond(state, state.operating.company)
    _done(state)


def check_convert(state: State, action: ConvertBond) -> None:
    """Raises RuleError: not the step, or no conversion possible."""
    _check_step(state)
    purchases.check_convert(state, state.operating.company)


def do_convert(state: State, action: ConvertBond) -> None:
    """Convert a bond in place of a purchase."""
    purchases.convert(state, state.operating.company)
    _done(state)


def _done(state: State) -> None:
    state.operating = replace(state.operating, step="")


def candidates(state: State, seat: int) -> list[Action]:
    """Sales (one certificate of each kind) or purchases to try."""
    if state.operating.step == SELL:
        return [CompanySell(seat, (c,)) for c in purchases.distinct(state.company.certificates)]
    found: list[Action] = [BuyFromIpo(seat, row) for row in range(len(state.ipo))]
    found += [BuyFromMarket(seat, c) for c in purchases.distinct(state.market)]
    return [*found, BuyBond(seat), ConvertBond(seat)]


_CHECKS: dict[type[Action], Callable[[State, Any], None]] = {
    BuyFromIpo: check_ipo,
    BuyFromMarket: check_market,
    BuyBond: check_bond,
    ConvertBond: check_convert,
}


def possible(state: State) -> bool:
    """Whether there is anything to sell or buy; else the step is left out."""
    if state.operating.step == SELL:
        return bool(state.company.certificates)
    return any(passes(_CHECKS[type(a)], state, a) for a in candidates(state, state.company.controller))
