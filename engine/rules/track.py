"""Track: yellow tiles in one line, an upgrade, or the removal of a gauge-change marker (rules sections 8.1, 8.2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache

from trunkline.engine.actions import Action, LayTile, RemoveMarker
from trunkline.engine.box.box import BOX, TITLE
from trunkline.engine.errors import RuleError
from trunkline.engine.rules import grid, homes, line, money, privates
from trunkline.engine.rules.privates import EXTRA_LAY, EXTRA_UPGRADE
from trunkline.engine.state import EXTRA, TRACK, State, kept_with_map
from trunkline.solver.board import ANY_CITY, CITY, End, Tile, border


@kept_with_map
def supply(state: State) -> Mapping[str, int]:
    """How many copies of each tile are left."""
    laid = Counter(name for name, _ in state.tiles.values())
    return {name: kind.count - laid[name] for name, kind in TITLE.tiles.items()}


@lru_cache(maxsize=1024)
def successors(hex_: str, laid: str) -> tuple[str, ...]:
    """The tiles that may be laid on a hex, by the tile on it (empty: none yet)."""
    if laid:
        return TITLE.tiles[laid].upgrades
    if TITLE.hexes[hex_].tile.color != "white":
        return ()
    return TITLE.first[TITLE.hex_class(hex_)]


@lru_cache(maxsize=8192)
def misfit(hex_: str, laid: str, rotation_laid: int, name: str, rotation: int) -> str:
    """Why a turned tile does not fit on a hex and its old track; empty when it does (8.2)."""
    tile = TITLE.tiles[name].tile.rotated(rotation)
    if why := TITLE.why_no_track(hex_, tile):
        return f"it has {why}"
    if not laid:
        return ""
    old = TITLE.tiles[laid].tile.rotated(rotation_laid)
    if not old.exits <= tile.exits:
        return f"the track to side {min(old.exits - tile.exits)} must be kept"
    if len(old.of_kind(CITY)) > 1 and len(tile.of_kind(CITY)) > 1:
        into = [c for c in grid.cities(old) for c in [grid.map_city(old, tile, c)]]
        kept = all(
            grid.links(old).exits_of_city(c) <= grid.links(tile).exits_of_city(into[c]) for c in grid.cities(old)
        )
        if len(set(into)) < len(into) or not kept:
            return "the two cities must keep their own track"
    return ""


def fitting(state: State, hex_: str, name: str, rotation: int) -> Tile:
    """The turned tile, when a copy is left and it fits the hex. Raises RuleError."""
    if name not in TITLE.tiles:
        raise RuleError("8.2", f"there is no tile {name!r}", ", ".join(TITLE.tiles))
    if rotation not in range(6):
        raise RuleError("8.2", f"a rotation of {rotation} is not possible", "0 to 5")
    if supply(state)[name] <= 0:
        raise RuleError("8.2", f"no tile {name} is left")
    laid, turned = state.tiles.get(hex_, ("", 0))
    if why := misfit(hex_, laid, turned, name, rotation):
        raise RuleError("8.2", f"tile {name} turned by {rotation} does not fit on {hex_}: {why}")
    return TITLE.tiles[name].tile.rotated(rotation)


def completed(state: State, hex_: str, tile: Tile) -> list[tuple[str, str]]:
    """The sides (pairs of hexes) across which this tile makes a connection that was not there."""
    here = grid.grid(state)
    new = tile.exits - here.tiles[hex_].exits
    found = []
    for side in sorted(new):
        other = TITLE.hexes[hex_].neighbors.get(side)
        if other is not None and grid.opposite(side) in here.tiles[other].exits:
            found.append(border(hex_, other))
    return found


def cost(state: State, hex_: str, tile: Tile) -> int:
    """Terrain of the hex if it is its first tile, and rivers crossed by completed connections; no discount yet."""
    terrain = 0 if hex_ in state.tiles else TITLE.hexes[hex_].terrain_cost
    rivers = sum(b in TITLE.river_borders for b in completed(state, hex_, tile))
    return terrain + rivers * TITLE.river_cost


# --- what a company may lay


def may_lay(state: State) -> bool:
    """Whether the track step allows (more) yellow tiles."""
    turn = state.operating
    if turn.step != TRACK:
        return False
    return not turn.track or (turn.track == "yellow" and len(turn.line) < BOX.yellow_tiles_of_a_turn)


def over(state: State) -> bool:
    """Whether nothing more can be laid in the track step but by the power of a private."""
    turn = state.operating
    return turn.track in ("upgrade", "marker") or len(turn.line) >= BOX.yellow_tiles_of_a_turn


def check_lay(state: State, action: LayTile) -> None:
    """Raises RuleError: not this kind of lay now, the tile does not fit, no own track leads to it, or no money."""
    if action.hex not in TITLE.hexes:
        raise RuleError("8.2", f"there is no hex {action.hex!r}")
    yellow = action.hex not in state.tiles
    _check_allowance(state, action, yellow)
    laid = state.tiles.get(action.hex, ("", 0))[0]
    options = successors(action.hex, laid)
    if action.tile not in options:
        what = f"tile {laid}" if laid else "this hex"
        raise RuleError("8.2", f"tile {action.tile} cannot follow {what} on {action.hex}", ", ".join(options) or "none")
    tile = fitting(state, action.hex, action.tile, action.rotation)
    _check_connected(state, action, tile, yellow)
    price = max(0, cost(state, action.hex, tile) - state.operating.discount)
    money.require(state, state.operating.company, price, "8.2", f"tile {action.tile} on {action.hex}")


def _check_allowance(state: State, action: LayTile, yellow: bool) -> None:
    turn = state.operating
    if action.private:
        privates.check_usable(state, action.private)
        want = EXTRA_LAY if yellow else EXTRA_UPGRADE
        if action.private != want:
            raise RuleError("1.4", f"{action.private} does not allow this", f"{want} does")
        return
    if turn.step != TRACK or turn.track == "marker":
        raise RuleError("8.1", "the track action of this turn is over", f"step {turn.step}")
    if yellow and not may_lay(state):
        raise RuleError("8.1", "no more yellow tiles after an upgrade, and at most four", "pass")
    if not yellow and turn.track:
        raise RuleError("8.1", "one upgrade only, and not after yellow tiles", "pass")


def _check_connected(state: State, action: LayTile, tile: Tile, yellow: bool) -> None:
    turn = state.operating
    if yellow and not action.private and turn.line:
        entries = line_entries(state, action.hex)
        if not entries:
            raise RuleError("8.1", f"{action.hex} does not extend the line laid in this turn", "the end of the line")
        if not entries & tile.exits and not _joins_elsewhere(state, action, tile):
            raise RuleError("8.1", f"the tile on {action.hex} is not connected with the line", _sides(entries))
        return
    if not reached_track(state, turn.company, action.hex, tile):
        entries = grid.arrivals(state, turn.company, action.hex)
        text = f"no track of {turn.company} leads to this tile on {action.hex}"
        raise RuleError("8.2", text, _sides(entries) if entries else "a hex that its track reaches")


def _joins_elsewhere(state: State, action: LayTile, tile: Tile) -> bool:
    """On 18xx.games the line has to arrive at the hex; the tile may join other track of the company there."""
    by_hex = state.options.on("line_arrives_at_hex")
    return by_hex and bool(reached_track(state, state.operating.company, action.hex, tile))


def _sides(sides: frozenset[int]) -> str:
    return "track to side " + " or ".join(map(str, sorted(sides)))


def line_entries(state: State, hex_: str) -> frozenset[int]:
    """The sides at which the end of this turn's line arrives at a hex."""
    turn = state.operating
    sides = line.exits(state, turn.company, turn.line, turn.ends) | _beside_last(state)
    return frozenset(s for s, n in TITLE.hexes[hex_].neighbors.items() if (n, grid.opposite(s)) in sides)


def _beside_last(state: State) -> frozenset[grid.Side]:
    """On 18xx.games the line goes on from the last tile without a look at the walk to it.

    It does where one or two hexes without a tile lie before the sides of that tile, unless it is a double city or a
    tile with three towns.
    """
    last = state.operating.line[-1]
    tile = grid.grid(state).tiles[last]
    if not state.options.on("line_arrives_at_hex") or len(tile.exits) in (1, 6):
        return frozenset()
    around = TITLE.hexes[last].neighbors
    empty = [s for s in tile.exits if s in around and grid.grid(state).tiles[around[s]].color == "white"]
    return frozenset((last, s) for s in empty) if len(empty) in (1, 2) else frozenset()


def _starts(state: State, company: str, hex_: str, tile: Tile) -> list[End]:
    """The ends of a tile where the company's track comes in, were it laid: sides, and cities with an own token."""
    old = grid.grid(state).tiles[hex_]
    stops = tile.of_kind(CITY)
    own = {grid.map_city(old, tile, t.city) for t in state.companies[company].tokens if t.hex == hex_}
    if own and hex_ not in state.tiles:
        own = set(range(len(stops)))  # whoever lays a double city says which of its cities gets the token
    starts = [End("stop", stops[c]) for c in sorted(own) if stops]
    return starts + [End("edge", s) for s in sorted(grid.arrivals(state, company, hex_) & tile.exits)]


def _blocked(state: State, company: str, hex_: str, tile: Tile) -> frozenset[int]:
    """The cities of a tile, were it laid, that the company could not pass."""
    here = grid.grid(state)
    old = here.tiles[hex_]
    taken: Counter[int] = Counter()
    beside: Counter[int] = Counter()
    own = set()
    for city in grid.cities(old):
        after = grid.map_city(old, tile, city)
        for name, slot in here.tokens.get((hex_, city), ()):
            (beside if slot == EXTRA else taken)[after] += 1
            if name == company:
                own.add(after)
    # Tokens beside the slots move into what is free and not reserved.
    single = len(tile.of_kind(CITY)) == 1
    kept = Counter(
        0 if single else grid.map_city(old, tile, city)
        for h, city in state.reserved.values()
        if h == hex_ and (single or city != ANY_CITY)
    )
    slots = [tile.stops[i].slots for i in tile.of_kind(CITY)]
    filled = [taken[c] + min(beside[c], max(0, n - taken[c] - kept[c])) for c, n in enumerate(slots)]
    return frozenset(c for c, n in enumerate(slots) if filled[c] >= n and c not in own)


def reached_track(state: State, company: str, hex_: str, tile: Tile) -> frozenset[int]:
    """The pieces of track of a tile that would be connected with the company's tokens.

    A new tile or an upgrade needs some; with one node on every tile that can be upgraded, but for double cities,
    these include new track whenever there is some to use (8.2).
    """
    return grid.through(tile, _starts(state, company, hex_, tile), _blocked(state, company, hex_, tile))[0]


# --- laying


def do_lay(state: State, action: LayTile) -> None:
    """Lay the tile, pay, extend the line or end the track action; a private used for it closes."""
    turn = state.operating
    yellow = action.hex not in state.tiles
    tile = TITLE.tiles[action.tile].tile.rotated(action.rotation)
    ends = _line_ends(state, action.hex, tile)
    put_tile(state, turn.company, action.hex, action.tile, action.rotation)
    if action.private:
        privates.close(state, action.private)
    elif yellow:
        state.operating = replace(state.operating, track="yellow", line=(*turn.line, action.hex), ends=ends)
    else:
        state.operating = replace(state.operating, track="upgrade")
    if yellow and len(tile.of_kind(CITY)) > 1:
        homes.free_other_city(state, action.hex)
        homes.ask_cities(state, turn.company, action.hex)


def _line_ends(state: State, hex_: str, tile: Tile) -> tuple[grid.Side, ...]:
    """Where the line leaves the new tile: the far sides from where it comes in."""
    turn = state.operating
    if turn.line:
        entries = line_entries(state, hex_) & tile.exits or grid.arrivals(state, turn.company, hex_) & tile.exits
        starts = [End("edge", s) for s in sorted(entries)]
    else:
        starts = _starts(state, turn.company, hex_, tile)
    out = grid.through(tile, starts, _blocked(state, turn.company, hex_, tile))[1]
    return tuple((hex_, s) for s in sorted(out))


def restart_line(state: State, hex_: str) -> None:
    """Work out again where the line goes on, after the token of its first tile got its city."""
    here = grid.grid(state)
    state.operating = replace(state.operating, ends=_line_ends_of_first(state, hex_, here.tiles[hex_]))


def _line_ends_of_first(state: State, hex_: str, tile: Tile) -> tuple[grid.Side, ...]:
    company = state.operating.company
    starts = [End("stop", tile.of_kind(CITY)[t.city]) for t in state.companies[company].tokens if t.hex == hex_]
    starts += [End("edge", s) for s in sorted(grid.arrivals(state, company, hex_) & tile.exits)]
    out = grid.through(tile, starts, _blocked(state, company, hex_, tile))[1]
    return tuple((hex_, s) for s in sorted(out))


def put_tile(state: State, company: str, hex_: str, name: str, rotation: int, *, home: bool = False) -> None:
    """Put a tile on a hex: costs, gauge-change markers, tokens."""
    old = grid.grid(state).tiles[hex_]
    tile = TITLE.tiles[name].tile.rotated(rotation)
    price = cost(state, hex_, tile)
    joined = completed(state, hex_, tile)
    if not home:
        turn = state.operating
        saved = min(price, turn.discount)
        price -= saved
        state.operating = replace(turn, discount=turn.discount - saved, terrain=turn.terrain + price)
    money.pay(state, company, money.BANK, price)
    state.tiles[hex_] = (name, rotation)
    state.map_changed()
    for side in joined:
        if side in TITLE.province_borders:
            if home and state.options.on("home_border_unmarked"):
                # That site takes a border with a river away, whatever the phase, and leaves the others as they are.
                state.unmarked += [side] if side not in TITLE.river_borders else []
            elif state.phase != "IV":
                state.markers.append(side)
    homes.remap(state, hex_, old, tile)


# --- markers


def check_remove_marker(state: State, action: RemoveMarker) -> None:
    """Raises RuleError: not in phase IV, not as the whole track action, no such marker, or out of reach."""
    turn = state.operating
    if state.phase != "IV":
        raise RuleError("8.1", "gauge-change markers may be removed from phase IV on")
    if turn.step != TRACK or turn.track:
        raise RuleError("8.1", "removing a marker is the whole track action of a turn", "pass")
    side = border(*action.hexes)
    if side not in state.markers:
        raise RuleError("8.1", f"there is no marker between {side[0]} and {side[1]}", _markers(state))
    hexes = grid.reach(state, turn.company).hexes
    if missing := [h for h in side if h not in hexes]:
        raise RuleError("8.1", f"the track of {turn.company} does not reach {missing[0]}")


def _markers(state: State) -> str:
    return ", ".join(f"{a}-{b}" for a, b in state.markers) or "none"


def do_remove_marker(state: State, action: RemoveMarker) -> None:
    """Take the marker off; it is free."""
    state.markers.remove(border(*action.hexes))
    state.operating = replace(state.operating, track="marker")
    state.map_changed()


# --- candidates


def lays(state: State, hex_: str) -> Iterator[tuple[str, int]]:
    """Tiles and rotations to try on a hex; a rotation that gives the same track as an earlier one is left out."""
    laid, turned = state.tiles.get(hex_, ("", 0))
    left = supply(state)
    for name in successors(hex_, laid):
        if left[name] > 0:
            for rotation in distinct_rotations(name):
                if not misfit(hex_, laid, turned, name, rotation):
                    yield name, rotation


@lru_cache(maxsize=128)
def distinct_rotations(name: str) -> tuple[int, ...]:
    """The rotations of a tile that give different track."""
    seen: set[object] = set()
    found = []
    for rotation in range(6):
        tile = TITLE.tiles[name].tile.rotated(rotation)
        stops = [(s.kind, s.revenue, s.slots) for s in tile.stops]
        track = frozenset(frozenset((e.kind, e.number) for e in (p.a, p.b)) for p in tile.paths)
        groups = frozenset(
            (
                str(stops[i]),
                frozenset(e.number for _, e in grid.links(tile).at.get(End("stop", i), ()) if e.kind == "edge"),
            )
            for i in range(len(stops))
        )
        key = (tile.exits, groups) if stops else track if not tile.junctions else tile.exits
        if key not in seen:
            seen.add(key)
            found.append(rotation)
    return tuple(found)


def candidates(state: State, seat: int, private: str = "") -> list[Action]:
    """Lays, upgrades and markers that are legal (checked), for the track step or for P2 and P3."""
    turn = state.operating
    found: list[Action] = []
    hexes = sorted(grid.reach(state, turn.company).hexes)
    lay = private == EXTRA_LAY or (not private and may_lay(state))
    upgrade = private == EXTRA_UPGRADE or (not private and turn.step == TRACK and not turn.track)
    for hex_ in hexes:
        yellow = hex_ not in state.tiles
        if (lay if yellow else upgrade) and TITLE.hexes[hex_].tile.color == "white":
            in_line = yellow and not private and bool(turn.line)
            if in_line and not line_entries(state, hex_):
                continue
            found += [LayTile(seat, hex_, n, r, private) for n, r in lays(state, hex_)]
    if not private and state.phase == "IV" and turn.step == TRACK and not turn.track:
        found += [RemoveMarker(seat, side) for side in state.markers]
    return found
