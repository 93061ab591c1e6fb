"""Station tokens (rules section 8.3): one a turn, reachable and with a free slot; P5 anywhere and for nothing."""

from __future__ import annotations

from dataclasses import replace

from trunkline.engine.actions import Action, PlaceToken
from trunkline.engine.errors import RuleError
from trunkline.engine.rules import grid, homes, money, privates
from trunkline.engine.state import TOKEN, TRACK, State


def check(state: State, action: PlaceToken) -> None:
    """Raises RuleError: no token left, placed already, no such city, out of reach, full, or too expensive."""
    turn = state.operating
    company = state.company
    here = grid.grid(state)
    if action.private:
        if action.private != privates.TOKEN:
            raise RuleError("1.4", f"{action.private} does not place a token", privates.TOKEN)
        privates.check_usable(state, action.private)
        if turn.step not in (TRACK, TOKEN):
            raise RuleError("8.3", "the token step of this turn is over")
    elif turn.step != TOKEN:
        raise RuleError("8.3", f"a token is placed in the token step; this is step {turn.step}")
    if turn.token:
        raise RuleError("8.3", "one token a turn", "pass")
    if not company.unplaced:
        raise RuleError("8.3", f"{turn.company} has no token left", "pass")
    if action.hex not in here.tiles or action.city not in grid.cities(here.tiles[action.hex]):
        raise RuleError("8.3", f"there is no city {action.city} in {action.hex}")
    if any(t.hex == action.hex for t in company.tokens):
        raise RuleError("8.3", f"{turn.company} has a token in {action.hex}; one in a hex", "another hex")
    if action.private:
        return
    if (action.hex, action.city) not in grid.reach(state, turn.company).cities:
        raise RuleError("8.3", f"the track of {turn.company} does not reach city {action.city} of {action.hex}")
    if not grid.open_slots(state, action.hex, action.city, turn.company):
        raise RuleError("8.3", f"city {action.city} of {action.hex} has no free slot that is not reserved")
    money.require(state, turn.company, company.unplaced[0], "8.3", "the token")


def do(state: State, action: PlaceToken) -> None:
    """Pay and place; with P5 it is free and may lie beside the slots."""
    turn = state.operating
    if action.private:
        privates.close(state, action.private)
    else:
        money.pay(state, turn.company, money.BANK, state.company.unplaced[0])
    homes.put(state, turn.company, action.hex, action.city)
    state.operating = replace(turn, token=True)


def candidates(state: State, seat: int) -> list[Action]:
    """Cities to try for the token of this turn."""
    turn = state.operating
    company = state.company
    if turn.token or not company.unplaced or turn.step not in (TRACK, TOKEN):
        return []
    found: list[Action] = []
    if turn.step == TOKEN:
        found += [PlaceToken(seat, h, c) for h, c in sorted(grid.reach(state, turn.company).cities)]
    if privates.TOKEN in privates.usable(state):
        here = grid.grid(state)
        found += [PlaceToken(seat, h, c, privates.TOKEN) for h, t in here.tiles.items() for c in grid.cities(t)]
    return found
