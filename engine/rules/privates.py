"""The powers of the private companies, and closing them (rules sections 1.4, 7, 9.6).

A private is usable in the turn of a company that owns it, or whose Director or manager owns it. Used or closed, it
leaves the game and its owner gets the face value from the bank.
"""

from __future__ import annotations

from dataclasses import replace

from trunkline.engine.actions import Action, ClosePrivate, PlaceJewelry, UseDiscount
from trunkline.engine.box.box import BOX, TITLE, face, is_private
from trunkline.engine.errors import RuleError
from trunkline.engine.rules import money
from trunkline.engine.rules.money import Party
from trunkline.engine.state import OPERATE, TRACK, State

DISCOUNT, TOKEN, JEWELRY = "P4", "P5", "P6"
EXTRA_LAY, EXTRA_UPGRADE = "P2", "P3"
COMMODITY = "JEWELRY"


def owner(state: State, private: str) -> Party | None:
    """The player or company that owns a private, None if nobody does."""
    for seat, player in enumerate(state.players):
        if private in player.certificates:
            return seat
    return next((name for name, c in state.companies.items() if private in c.certificates), None)


def usable(state: State) -> list[str]:
    """The privates whose power the operating company may use."""
    if state.stage != OPERATE or not state.operating.company:
        return []
    company = state.company
    held = company.certificates + state.players[company.controller].certificates
    return sorted(c for c in held if is_private(c) and c != state.operating.discount_private)


def check_usable(state: State, private: str) -> None:
    """Raises RuleError: not owned by the operating company or its Director or manager."""
    if private not in BOX.privates:
        raise RuleError("1.4", f"there is no private {private!r}", ", ".join(BOX.privates))
    if private not in usable(state):
        text = f"{private} belongs neither to {state.operating.company or 'an operating company'} nor to who runs it"
        raise RuleError("7", text, ", ".join(usable(state)) or "none")


def close(state: State, private: str) -> None:
    """Take a private out of the game and pay its face value to its owner."""
    party = owner(state, private)
    assert party is not None
    certificates = state.players[party].certificates if isinstance(party, int) else state.companies[party].certificates
    certificates.remove(private)
    state.gone.append(private)
    money.pay(state, money.BANK, party, face(private))


def check_close(state: State, action: ClosePrivate) -> None:
    """Raises RuleError: the switch is off, or it is not usable in this turn."""
    if not state.options.on("close_privates_freely"):
        raise RuleError("7", "a private closes only by using its power in this set of rules")
    check_usable(state, action.private)


def do_close(state: State, action: ClosePrivate) -> None:
    """Close it without using its power."""
    close(state, action.private)


def check_discount(state: State, action: UseDiscount) -> None:
    """Raises RuleError: P4 is not usable, or the track step is over and nothing can be saved."""
    check_usable(state, DISCOUNT)
    turn = state.operating
    if state.options.on("late_french_closing"):
        if turn.step != TRACK:
            raise RuleError("1.4", f"{DISCOUNT} is used in the track step in this set of rules")
    elif turn.step != TRACK and not turn.terrain and not {EXTRA_LAY, EXTRA_UPGRADE} & set(usable(state)):
        raise RuleError("1.4", "no terrain was paid for in this turn, and no tile can follow")


def do_discount(state: State, action: UseDiscount) -> None:
    """Up to 40 off the terrain of this turn: what was paid comes back, the rest is for what follows.

    On 18xx.games only what follows costs less.
    """
    turn, discount = state.operating, BOX.privates[DISCOUNT].discount
    if state.options.on("late_french_closing"):
        state.operating = replace(turn, discount=discount, discount_private=DISCOUNT)
        return
    back = min(discount, turn.terrain)
    money.pay(state, money.BANK, turn.company, back)
    state.operating = replace(turn, discount=discount - back, terrain=turn.terrain - back)
    close(state, DISCOUNT)


def close_late(state: State) -> None:
    """At the end of the track step, where P4 closes only then."""
    if private := state.operating.discount_private:
        state.operating = replace(state.operating, discount=0, discount_private="")
        close(state, private)


def check_jewelry(state: State, action: PlaceJewelry) -> None:
    """Raises RuleError: P6 is not usable, or the hex has a town or city or is sea (9.6)."""
    check_usable(state, JEWELRY)
    hx = TITLE.hexes.get(action.hex)
    if hx is None:
        raise RuleError("9.6", f"there is no hex {action.hex!r}")
    if hx.tile.stops or hx.tile.color == "blue":
        raise RuleError("9.6", f"{action.hex} has a town or city, or is sea", "a hex without town or city")


def do_jewelry(state: State, action: PlaceJewelry) -> None:
    """Place the marker; the company gets the concession."""
    state.jewelry_hex = action.hex
    state.company.concessions.append(COMMODITY)
    close(state, JEWELRY)
    state.map_changed()


def candidates(state: State, seat: int) -> list[Action]:
    """Uses of privates to try in the current step; P2, P3 and P5 come with track and tokens."""
    found: list[Action] = []
    for private in usable(state):
        if private == DISCOUNT:
            found.append(UseDiscount(seat))
        elif private == JEWELRY:
            found += [
                PlaceJewelry(seat, h) for h, hx in TITLE.hexes.items() if not hx.tile.stops and hx.tile.color != "blue"
            ]
        if state.options.on("close_privates_freely"):
            found.append(ClosePrivate(seat, private))
    return found
