"""Tokens on a double city that gets its first tile: who lays it says which city each of them gets (section 8.2)."""

from __future__ import annotations

from dataclasses import replace

from trunkline.engine.actions import Action, AssignCity
from trunkline.engine.errors import RuleError
from trunkline.engine.rules import homes, track
from trunkline.engine.state import EXTRA, State


def check_assign(state: State, action: AssignCity) -> None:
    """Raises RuleError: the company has no token waiting, or the tile has no such city."""
    pending = state.pending[0]
    if pending.kind != "assign":
        raise RuleError("8.2", "no token waits for a city")
    if action.company not in pending.companies:
        raise RuleError("8.2", f"{action.company} has no token waiting", ", ".join(pending.companies))
    if action.city not in (0, 1):
        raise RuleError("8.2", f"{pending.hex} has no city {action.city}", "city 0 or 1")


def do_assign(state: State, action: AssignCity) -> None:
    """Put the token into the city; one in the other circle and a reserved home go to the other city.

    A token beside the circles stays beside, unless its city has a free slot in the end.
    """
    pending = state.pending.pop(0)
    taken: set[int] = set()
    for name in pending.companies:
        city = action.city if name == action.company else 1 - action.city
        tokens = state.companies[name].tokens
        i = next(i for i, t in enumerate(tokens) if t.hex == pending.hex)
        tokens[i] = replace(tokens[i], city=city, slot=EXTRA if tokens[i].slot == EXTRA else 0)
        if tokens[i].slot != EXTRA:
            taken.add(city)
    for name, (h, city) in state.reserved.items():
        if h == pending.hex and city in taken and 1 - city not in taken:
            state.reserved[name] = (h, 1 - city)
    state.map_changed()
    if any(p.kind == "assign" for p in state.pending):
        return
    homes.fill_from_extras(state, pending.hex)
    if state.operating.line == (pending.hex,):
        track.restart_line(state, pending.hex)


def candidates(state: State, seat: int) -> list[Action]:
    """Every token that waits, in either city."""
    return [AssignCity(seat, c, city) for c in state.pending[0].companies for city in (0, 1)]
