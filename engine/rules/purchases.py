"""What players in buying turns and companies in their last step may buy (rules sections 6, 6.6, 10.3)."""

from __future__ import annotations

from trunkline.engine.box.box import BOX, NATIONAL, bond_shares, company_of, face, is_bond, is_director, is_private
from trunkline.engine.box.box import shares as ten_percent
from trunkline.engine.errors import RuleError
from trunkline.engine.rules import money, shares
from trunkline.engine.rules.money import BANK, Party
from trunkline.engine.state import State


def payee(certificate: str) -> Party:
    """Who is paid for a card of a hand or the IPO: the company of a share, the bank for a private."""
    return company_of(certificate) or BANK


def check_ipo(state: State, party: Party, row: int, count: int) -> None:
    """Raises RuleError: no such row or cards, no room under the limit, or not enough money."""
    if row not in range(len(state.ipo)):
        raise RuleError("6", f"there is no IPO row {row}", "0 to 2")
    cards = state.ipo[row][:count]
    if len(cards) < count:
        raise RuleError("6", f"IPO row {row} has {len(cards)} cards left, not {count}")
    if not isinstance(party, int):
        for card in cards:
            if company_of(card) == party:
                raise RuleError("10.3", f"{party} may not buy its own share from the IPO", "the open market")
    shares.require_room(state, party, count)
    money.require(state, party, sum(map(face, cards)), "6", " and ".join(cards))


def buy_ipo(state: State, party: Party, row: int, count: int) -> None:
    """Buy the first cards of a row at the printed price."""
    cards = [state.ipo[row].pop(0) for _ in range(count)]
    for card in cards:
        money.pay(state, party, payee(card), face(card))
    shares.acquire(state, party, *cards)


def in_market(state: State, certificate: str) -> str:
    """The certificate of the open market that is meant: shares of one company are alike, the first one is taken."""
    if certificate in state.market:
        return certificate
    company = company_of(certificate)
    if not company or certificate not in (*ten_percent(company), *bond_shares()):
        return ""
    return next((c for c in state.market if company_of(c) == company), "")


def check_market(state: State, party: Party, certificate: str) -> None:
    """Raises RuleError: not there, no room under the limit, or not enough money."""
    found = in_market(state, certificate)
    if not found:
        raise RuleError("6", f"{certificate} is not in the open market", ", ".join(state.market) or "nothing there")
    shares.require_room(state, party)
    money.require(state, party, shares.value(state, found), "6", found)


def buy_market(state: State, party: Party, certificate: str) -> None:
    """Buy from the open market at the current price, IPO price or face value; the bank is paid."""
    found = in_market(state, certificate)
    state.market.remove(found)
    money.pay(state, party, BANK, shares.value(state, found))
    shares.acquire(state, party, found)


def check_bond(state: State, party: Party) -> None:
    """Raises RuleError: no bond left, or not enough money. Bonds do not count against the limit."""
    if not state.bonds:
        raise RuleError("6", "no Railroad Bond is left")
    money.require(state, party, BOX.bonds.price, "6", "a Railroad Bond")


def buy_bond(state: State, party: Party) -> None:
    """Buy a bond from the bank."""
    money.pay(state, party, BANK, BOX.bonds.price)
    shares.owned(state, party).append(state.bonds.pop(0))


def conversion_price(state: State) -> int:
    """What a conversion costs: the share price above 100, nothing below."""
    return max(0, state.price(NATIONAL) - BOX.bonds.price)


def check_convert(state: State, party: Party) -> None:
    """Raises RuleError: not before phase IV, no bond, no share left, no room, or not enough money."""
    if state.phase != "IV":
        raise RuleError("6.6", "bonds can be converted from phase IV on")
    if not any(map(is_bond, shares.owned(state, party))):
        raise RuleError("6.6", f"{money.name(state, party)} has no Railroad Bond", "buy one")
    if not state.bond_shares or state.companies[NATIONAL].closed:
        raise RuleError("6.6", f"no share of {NATIONAL} is left for conversion")
    shares.require_room(state, party)
    money.require(state, party, conversion_price(state), "6.6", "the conversion")


def convert(state: State, party: Party) -> None:
    """Exchange the bond for a share; the national railway gets 100 from the bank, never more."""
    own = shares.owned(state, party)
    bond = next(filter(is_bond, own))
    price = conversion_price(state)
    own.remove(bond)
    state.gone.append(bond)
    money.pay(state, party, BANK, price)
    money.pay(state, BANK, NATIONAL, BOX.bonds.price)
    shares.acquire(state, party, state.bond_shares.pop(0))


def sell(state: State, party: Party, certificates: list[str]) -> None:
    """Sell certificates to the market (bonds to the bank) for what they are worth; prices do not move."""
    money.pay(state, BANK, party, sum(shares.value(state, c) for c in certificates))
    shares.to_market(state, party, certificates)
    for company in dict.fromkeys(company_of(c) for c in certificates if company_of(c)):
        shares.form_if_due(state, company)


def check_owned(state: State, party: Party, certificates: tuple[str, ...], section: str) -> None:
    """Raises RuleError: nothing named, something named twice or not owned."""
    own = shares.owned(state, party)
    if not certificates:
        raise RuleError(section, "name what to sell", ", ".join(own) or "nothing")
    if len(set(certificates)) < len(certificates):
        raise RuleError(section, "a certificate is named twice")
    for c in certificates:
        if c not in own:
            raise RuleError(section, f"{money.name(state, party)} does not own {c}", ", ".join(own) or "nothing")


def distinct(certificates: list[str]) -> list[str]:
    """One certificate of each kind: shares of a company are alike, bonds too."""
    kinds: dict[object, str] = {}
    for c in certificates:
        kinds.setdefault(c if is_private(c) else ("bond",) if is_bond(c) else (company_of(c), is_director(c)), c)
    return list(kinds.values())
