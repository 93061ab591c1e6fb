"""Money moves between the bank, players and companies, and nowhere else.

A party is ``BANK``, a seat (number) or a company (name). After the bank breaks it goes on paying (section 1.1): its
balance below zero is what it owes.
"""

from __future__ import annotations

from trunkline.engine.errors import RuleError
from trunkline.engine.state import State

BANK = "bank"
Party = str | int


def cash(state: State, party: Party) -> int:
    """The cash of a party in rupees."""
    if isinstance(party, int):
        return state.players[party].cash
    return state.bank if party == BANK else state.companies[party].cash


def require(state: State, party: Party, amount: int, section: str, what: str) -> None:
    """Raises RuleError when the party cannot pay."""
    have = cash(state, party)
    if party != BANK and have < amount:
        raise RuleError(section, f"{what} costs {amount}, {name(state, party)} has {have}")


def pay(state: State, payer: Party, payee: Party, amount: int) -> None:
    """Move money. The payer must have it, but for the bank, which then is broken (11)."""
    _add(state, payer, -amount)
    _add(state, payee, amount)
    if overdrawn(state):
        state.bank_broken = True


def overdrawn(state: State) -> bool:
    """Whether the bank has too little to go on; by default it needs something left."""
    return state.bank < 0 or (state.bank == 0 and state.options.on("bank_breaks_at_zero"))


def _add(state: State, party: Party, amount: int) -> None:
    if isinstance(party, int):
        state.players[party].cash += amount
    elif party == BANK:
        state.bank += amount
    else:
        state.companies[party].cash += amount


def name(state: State, party: Party) -> str:
    """How a party is called in messages."""
    return state.options.players[party] if isinstance(party, int) else party
