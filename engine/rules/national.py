"""The national railway's home: any free city slot, or a town that becomes a green city with one slot (section 8.4)."""

from __future__ import annotations

from trunkline.engine.actions import Action, LayHome, PlaceHome
from trunkline.engine.box.box import BOX, NATIONAL, TITLE
from trunkline.engine.errors import RuleError
from trunkline.engine.rules import grid, homes, money, track
from trunkline.engine.state import State, kept_with_map
from trunkline.solver.board import TOWN


@kept_with_map
def town_hexes(state: State) -> tuple[str, ...]:
    """Hexes with exactly one town, white or yellow, where the national railway may build its home city."""
    return tuple(
        h
        for h, tile in grid.grid(state).tiles.items()
        if tile.color in ("white", "yellow")
        and len(tile.of_kind(TOWN)) == 1
        and h not in BOX.national_home_excluded
        and TITLE.hexes[h].tile.color == "white"
    )


def check_lay_home(state: State, action: LayHome) -> None:
    """Raises RuleError: not a town for this, not one of the green one-slot cities, or it does not fit or cost."""
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
    state.pending.pop(0)
    track.put_tile(state, NATIONAL, action.hex, action.tile, action.rotation, home=True)
    homes.put(state, NATIONAL, action.hex, 0)


def candidates(state: State, seat: int) -> list[Action]:
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
