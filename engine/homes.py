"""Home tokens: placed free when a company forms; the choice of city, the national railway's home, double cities.

Rules sections 8.2 (double cities) and 8.4.
"""

from __future__ import annotations

from dataclasses import replace

from engine import grid, money
from engine.actions import Action, AssignCity, LayHome, PlaceHome
from engine.box import BOX, NATIONAL, TITLE
from engine.errors import RuleError
from engine.state import ANY_CITY, EXTRA, Pending, PlacedToken, State
from solver.tile import CITY, TOWN, Tile


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
    if len(free) > 1:
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


# --- the national railway's home tile


def town_hexes(state: State) -> list[str]:
    """Hexes with exactly one town, white or yellow, where the national railway may build its home city."""
    if "towns" not in state.memo:
        state.memo["towns"] = [
            h
            for h, tile in grid.grid(state).tiles.items()
            if tile.color in ("white", "yellow")
            and len(tile.of_kind(TOWN)) == 1
            and h not in BOX.national_home_excluded
            and TITLE.hexes[h].tile.color == "white"
        ]
    found: list[str] = state.memo["towns"]
    return found


def check_lay_home(state: State, action: LayHome) -> None:
    """Raises RuleError: not a town for this, not one of the green one-slot cities, or it does not fit or cost."""
    from engine import track

    if state.pending[0].kind != "national_home":
        raise RuleError("8.4", "only the national railway lays a home tile")
    if action.hex not in town_hexes(state):
        raise RuleError("8.4", f"{action.hex} has not exactly one town on a white or yellow hex", "another town")
    if action.tile not in BOX.national_home_tiles:
        raise RuleError("8.4", f"tile {action.tile} is no green city with one slot", ", ".join(BOX.national_home_tiles))
    tile = track.fitting(state, action.hex, action.tile, action.rotation)
    money.require(state, NATIONAL, track.cost(state, action.hex, tile), "8.2", "the terrain")


def do_lay_home(state: State, action: LayHome) -> None:
    """Lay the tile, pay for the terrain, place the token."""
    from engine import track

    state.pending.pop(0)
    track.put_tile(state, NATIONAL, action.hex, action.tile, action.rotation, home=True)
    put(state, NATIONAL, action.hex, 0)


def national_candidates(state: State, seat: int) -> list[Action]:
    """Every home to try for the national railway."""
    here = grid.grid(state)
    places: list[Action] = [
        PlaceHome(seat, h, i)
        for h, tile in here.tiles.items()
        for i in grid.cities(tile)
        if grid.open_slots(state, h, i, NATIONAL)
    ]
    towns = [LayHome(seat, h, t, r) for h in town_hexes(state) for t in BOX.national_home_tiles for r in range(6)]
    return places + towns


def drop_impossible(state: State) -> None:
    """If the national railway has no place at all, it gets no home now."""
    from engine import game

    if state.pending and state.pending[0].kind == "national_home" and not game.legal_actions(state):
        state.pending.pop(0)


# --- tokens on a new double city


def ask_cities(state: State, company: str, hex_: str) -> None:
    """After the yellow double-city tile is laid: its layer says which city each token on it gets (8.2)."""
    there = tuple(n for n, c in state.companies.items() if any(t.hex == hex_ for t in c.tokens))
    if there:
        state.pending.append(Pending("assign", state.companies[company].controller, company, hex_, there))


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
    """Put the token into the city; a second one and the reserved home go to the other city."""
    from engine import track

    pending = state.pending.pop(0)
    cities = {action.company: action.city}
    rest = [c for c in pending.companies if c != action.company]
    for other in rest:
        cities[other] = 1 - action.city
    taken: set[int] = set()
    for name, city in cities.items():
        c = state.companies[name]
        slot = EXTRA if city in taken else 0
        taken.add(city)
        c.tokens = [replace(t, city=city, slot=slot) if t.hex == pending.hex else t for t in c.tokens]
    for name, (h, city) in state.reserved.items():
        if h == pending.hex and city in taken and 1 - city not in taken:
            state.reserved[name] = (h, 1 - city)
    state.map_changed()
    if state.operating.line == (pending.hex,):
        track.restart_line(state, pending.hex)


def candidates(state: State, seat: int) -> list[Action]:
    """Actions to try for the decision that waits."""
    pending = state.pending[0]
    if pending.kind == "national_home":
        return national_candidates(state, seat)
    if pending.kind == "home":
        tile = grid.grid(state).tiles[pending.hex]
        return [PlaceHome(seat, pending.hex, i) for i in grid.cities(tile)]
    return [AssignCity(seat, c, city) for c in pending.companies for city in (0, 1)]


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
    state.map_changed()
    for name, c in state.companies.items():
        for i, t in enumerate(c.tokens):
            if t.hex == hex_ and t.slot == EXTRA and (slots_ := grid.open_slots(state, hex_, t.city, name)):
                c.tokens[i] = replace(t, slot=slots_[0])
                state.map_changed()
