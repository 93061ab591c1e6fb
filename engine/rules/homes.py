"""Home tokens, placed free when a company forms (rules section 8.4), and tokens whose tile is upgraded (8.2, 8.3).

The national railway's own choice is in ``national``, new double cities are in ``double_city``.
"""

from __future__ import annotations

from dataclasses import replace

from trunkline.engine.actions import Action, PlaceHome
from trunkline.engine.box.box import NATIONAL, TITLE
from trunkline.engine.errors import RuleError
from trunkline.engine.rules import grid
from trunkline.engine.state import EXTRA, Pending, PlacedToken, State
from trunkline.solver.board import ANY_CITY, CITY, Tile


def place_home(state: State, company: str) -> None:
    """The home token of a company that forms; asks its Director or manager where there is a choice."""
    c = state.companies[company]
    if company == NATIONAL:
        if state.options.on("national_home_on_forming"):
            state.pending.append(Pending("national_home", c.controller, company))
        return
    home, city = state.reserved[company]
    if city != ANY_CITY:
        put(state, company, home, city)
        return
    free = [i for i in grid.cities(grid.grid(state).tiles[home]) if grid.open_slots(state, home, i, company)]
    if len(free) > 1 or (free and state.options.on("forced_choices")):
        state.pending.append(Pending("home", c.controller, company, home))
    else:
        put(state, company, home, free[0] if free else 0)


def put(state: State, company: str, hex_: str, city: int, *, exchange: bool = False) -> None:
    """Put the company's next token into a city, beside the slots if none is free to it."""
    c = state.companies[company]
    state.reserved.pop(company, None) if not c.tokens else None
    slots = grid.open_slots(state, hex_, city, company)
    c.tokens.append(PlacedToken(hex_, city, slots[0] if slots else EXTRA, exchange))
    if not exchange:
        c.unplaced.pop(0)
    state.map_changed()


def check_place_home(state: State, action: PlaceHome) -> None:
    """Raises RuleError: no such city, or no slot that is free to the company."""
    pending = state.pending[0]
    if pending.kind not in ("home", "national_home"):
        raise RuleError("8.4", "no home token is to be placed now")
    if pending.hex and action.hex != pending.hex:
        raise RuleError("8.4", f"the home of {pending.company} is {pending.hex}", f"a city of {pending.hex}")
    here = grid.grid(state)
    if action.hex not in here.tiles or action.city not in grid.cities(here.tiles[action.hex]):
        raise RuleError("8.4", f"there is no city {action.city} in {action.hex}")
    if not grid.open_slots(state, action.hex, action.city, pending.company):
        raise RuleError("8.4", f"city {action.city} of {action.hex} has no free slot", "a city with a free slot")


def do_place_home(state: State, action: PlaceHome) -> None:
    """Place the home token."""
    put(state, state.pending.pop(0).company, action.hex, action.city)


def candidates(state: State, seat: int) -> list[Action]:
    """The cities to try for a home token."""
    home = state.pending[0].hex
    return [PlaceHome(seat, home, i) for i in grid.cities(grid.grid(state).tiles[home])]


# --- tokens after a tile is laid


def ask_cities(state: State, company: str, hex_: str) -> None:
    """After the yellow double-city tile is laid: its layer says which city each token on it gets (8.2).

    The tokens in its circles get different cities, so one decision is enough for them; then each that lies beside.
    """
    there = [(name, t.slot) for name, c in state.companies.items() for t in c.tokens if t.hex == hex_]
    circles = tuple(name for name, slot in there if slot != EXTRA)
    seat = state.companies[company].controller
    if there and state.options.on("forced_choices"):  # that site no longer keeps a certain city then
        for name, (home, _) in state.reserved.items():
            if home == hex_:
                state.reserved[name] = (hex_, ANY_CITY)
    for names in (circles, *((name,) for name, slot in there if slot == EXTRA)):
        if names:
            state.pending.append(Pending("assign", seat, company, hex_, names))


def free_other_city(state: State, hex_: str) -> None:
    """On the yellow double-city tile a home to come keeps any one city, if no other company has its home there (8.2).

    The tile connects one city only; it would be closed to all otherwise (R, FAQ as told in #11719).
    """
    if state.options.on("double_city_home_fixed"):
        return
    at_home = [name for name in state.companies if TITLE.companies[name].home == hex_]
    if len(at_home) == 1 and at_home[0] in state.reserved:
        state.reserved[at_home[0]] = (hex_, ANY_CITY)


def remap(state: State, hex_: str, old: Tile, new: Tile) -> None:
    """After an upgrade: tokens and reserved homes follow their city; extra tokens move into slots that opened."""
    many = len(old.of_kind(CITY))
    for c in state.companies.values():
        for i, t in enumerate(c.tokens):
            if t.hex == hex_ and many:
                c.tokens[i] = replace(t, city=grid.map_city(old, new, t.city))
    for name, (h, city) in state.reserved.items():
        if h == hex_ and city != ANY_CITY and many:
            state.reserved[name] = (h, grid.map_city(old, new, city))
    _spread(state, hex_, new)
    state.map_changed()


def _spread(state: State, hex_: str, new: Tile) -> None:
    """Give each token a slot of its own in its city, those that had one first; then the extra ones."""
    taken: dict[int, set[int]] = {i: set() for i in grid.cities(new)}
    for c in state.companies.values():
        for i, t in enumerate(c.tokens):
            if t.hex == hex_ and t.slot != EXTRA:
                slots = new.stops[new.of_kind(CITY)[t.city]].slots
                free = [s for s in (t.slot, *range(slots)) if s < slots and s not in taken[t.city]]
                c.tokens[i] = replace(t, slot=free[0] if free else EXTRA)
                taken[t.city].add(c.tokens[i].slot)
    fill_from_extras(state, hex_)


def fill_from_extras(state: State, hex_: str) -> None:
    """Move extra tokens into slots of their city that are free and not reserved for a home."""
    state.map_changed()
    for name, c in state.companies.items():
        for i, t in enumerate(c.tokens):
            if t.hex == hex_ and t.slot == EXTRA and (slots := grid.open_slots(state, hex_, t.city, name)):
                c.tokens[i] = replace(t, slot=slots[0])
                state.map_changed()
