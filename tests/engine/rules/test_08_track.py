"""Row 8: track (rules sections 8.1 and 8.2)."""

from typing import Any

import pytest

from tests.engine.tables import cash, lay, operating
from trunkline.engine import game
from trunkline.engine.actions import AssignCity, LayTile, Pass, RemoveMarker
from trunkline.engine.box.box import TITLE
from trunkline.engine.errors import RuleError
from trunkline.engine.invariants import violations
from trunkline.engine.rules import grid, line, track
from trunkline.engine.state import EXTRA, TRACK, PlacedToken
from trunkline.solver.board import End


def lays(state, hex_=None):
    return [a for a in game.legal_actions(state) if isinstance(a, LayTile) and hex_ in (None, a.hex)]


def do(state, *tiles):
    for hex_, tile, rotation in tiles:
        state = game.apply(state, LayTile(game.actors(state)[0], hex_, tile, rotation))
    return state


# --- yellow tiles in one line

I20_NORTH = [("I20", "57", 0), ("I18", "9", 0), ("I16", "9", 0), ("I14", "9", 0)]


def test_up_to_four_yellow_tiles_in_one_line():
    state = do(operating("BNR"), *I20_NORTH[:3])
    assert state.operating.step == TRACK
    state = do(state, I20_NORTH[3])
    assert state.operating.step != TRACK
    assert list(state.operating.line) == ["I20", "I18", "I16", "I14"]
    with pytest.raises(RuleError, match="is over"):
        game.apply(state, LayTile(0, "I12", "9", 0))


def test_each_tile_extends_the_same_end():
    state = do(operating("BNR"), ("I20", "57", 0), ("I18", "9", 0))
    with pytest.raises(RuleError, match=r"rules section 8\.1"):
        do(state, ("I22", "9", 0))
    assert lays(state, "I16")
    assert not lays(state, "I22")


def test_a_line_may_curve():
    state = do(operating("BNR"), ("I20", "57", 0), ("I18", "8", 0), ("H17", "58", 5))
    assert state.operating.line == ("I20", "I18", "H17")


def test_the_new_tile_must_connect_with_the_end_of_the_line():
    state = do(operating("BNR"), ("I20", "57", 0))
    with pytest.raises(RuleError, match="not connected with the line"):
        do(state, ("I18", "9", 1))


def test_a_line_may_pass_a_preprinted_red_city():
    state = do(operating("WIP"), ("E24", "6", 2))  # to side 2, Mumbai, whose other side leads to E22
    assert {a.hex for a in lays(state)} == {"E22", "F23"}
    state = do(state, next((a.hex, a.tile, a.rotation) for a in lays(state, "E22") if 1 in _exits(a)))
    assert state.operating.line == ("E24", "E22")


def test_a_city_filled_by_others_ends_the_line():
    state = operating("BNR", "EIR")
    lay(state, "K18", "57", 0)
    lay(state, "K16", "9", 0)
    lay(state, "K14", "57", 0)
    state.companies["BNR"].tokens.append(PlacedToken("K18", 0, 0))
    state.map_changed()
    assert line.exits(state, "BNR", ("K16",), (("K16", 3),)) == {("K14", 3)}
    state.companies["EIR"].tokens.append(PlacedToken("K14", 0, 0))
    state.map_changed()
    assert grid.grid(state).blocks("BNR", "K14", 0)
    assert line.exits(state, "BNR", ("K16",), (("K16", 3),)) == set()


@pytest.mark.parametrize("rules", ["rulebook", "18xx.games"])
def test_a_line_that_closes_into_its_own_city_goes_on_nowhere(rules):
    state = operating("MR", rules=rules)
    state = do(state, ("J29", "7", 4))
    assert ("K28", "7", 0) in {(a.hex, a.tile, a.rotation) for a in lays(state)}
    state = do(state, ("K28", "7", 0))
    assert lays(state) == []
    with pytest.raises(RuleError, match="does not extend the line"):
        do(state, ("J31", "9", 1))


@pytest.mark.parametrize("by_hex", [False, True])
def test_on_that_site_the_next_tile_may_join_other_track_if_the_line_arrives_at_its_hex(by_hex):
    state = operating("BNR", switches={"line_arrives_at_hex": by_hex})
    lay(state, "I20", "57", 0)
    beside = TITLE.hexes["I16"].neighbors[2]
    lay(state, beside, "57", 2)  # a city with a token, and track to I16
    state.companies["BNR"].tokens.append(PlacedToken(beside, 0, 0))
    state.map_changed()
    state = do(state, ("I18", "9", 0))
    assert track.line_entries(state, "I16") == {0}
    across = LayTile(0, "I16", "9", 2)  # from that city on, past the line
    assert game.allowed(state, across) == by_hex
    if by_hex:
        state = game.apply(state, across)
        assert state.operating.ends == (("I16", 5),)
        assert track.line_entries(state, TITLE.hexes["I16"].neighbors[5]) == {2}


def walks(state, company, line_):
    """Each side before a blank hex that a walk reaches, found by trying every walk from every token, step by step."""
    here = grid.grid(state)
    found: set[tuple[str, int]] = set()

    def follow(hex_, end, passed, left):
        tile = here.tiles[hex_]
        if left and hex_ == left[0]:
            left = left[1:]
        if end.kind == "stop" and here.tiles[hex_].stops[end.number].kind == "city":
            city = here.tiles[hex_].of_kind("city").index(end.number)
            if here.blocks(company, hex_, city):
                return
        for path in tile.paths:
            for one, far in ((path.a, path.b), (path.b, path.a)):
                if one != end:
                    continue
                if far.kind == "edge":
                    other = TITLE.hexes[hex_].neighbors.get(far.number)
                    side = frozenset({(hex_, far.number), (other, (far.number + 3) % 6)})
                    if other is None or side in passed:
                        continue
                    if TITLE.hexes[other].tile.color == "white" and other not in state.tiles:
                        found.update({(hex_, far.number)} if not left else ())
                    elif (far.number + 3) % 6 in here.tiles[other].exits:
                        follow(other, End("edge", (far.number + 3) % 6), passed | {side}, left)
                elif (hex_, far) not in passed:
                    follow(hex_, far, passed | {(hex_, far)}, left)

    for token in state.companies[company].tokens:
        start = End("stop", here.tiles[token.hex].of_kind("city")[token.city])
        follow(token.hex, start, frozenset({(token.hex, start)}), line_)
    return found


@pytest.mark.parametrize("seed", range(6))
def test_the_line_goes_on_exactly_where_a_walk_from_a_token_leads(seed):
    from trunkline.engine.bots.random_play import play
    from trunkline.engine.options import Options

    compared = 0

    def watch(before, action, after):
        nonlocal compared
        turn = after.operating
        if isinstance(action, LayTile) and not action.private and turn.line and not after.pending and after.round < 5:
            got = line.exits(after, turn.company, turn.line, turn.ends)
            assert got == walks(after, turn.company, turn.line), (turn, action)
            compared += 1

    play(Options(players=("A", "B", "C")), seed, watch=watch, most=400)
    assert compared > 10


def test_no_yellow_tile_after_an_upgrade_and_no_upgrade_after_a_yellow_tile():
    state = operating("BNR")
    lay(state, "I20", "57", 0)
    after = do(state, ("I20", "14", 0))
    assert after.operating.step != TRACK
    state = do(state, ("I18", "9", 0))
    with pytest.raises(RuleError, match="not after yellow tiles"):
        do(state, ("I20", "14", 0))


def test_the_first_tile_needs_a_connection_with_an_own_token():
    state = operating("BNR")
    assert {a.hex for a in lays(state)} == {"I20"}
    with pytest.raises(RuleError, match="no track of BNR leads"):
        do(state, ("K14", "57", 0))


def test_all_that_is_listed_is_accepted_and_a_turned_tile_is_refused():
    state = do(operating("BNR"), ("I20", "57", 0))
    for action in lays(state):
        assert game.apply(state, action).tiles[action.hex] == (action.tile, action.rotation)
    with pytest.raises(RuleError):
        do(state, ("I18", "9", 7))


# --- fitting


@pytest.mark.parametrize("hex_", ["D3", "B11", "C6", "C18"])
def test_printed_red_gray_and_blue_hexes_take_no_tile(hex_):
    state = operating("PNS")
    with pytest.raises(RuleError, match="cannot follow"):
        do(state, (hex_, "9", 0))


def test_no_track_off_the_map_or_into_a_blank_side():
    state = operating("PNS")
    found = lays(state)
    assert found
    for action in found:
        tile = TITLE.tiles[action.tile].tile.rotated(action.rotation)
        assert tile.exits <= TITLE.open_sides[action.hex]
    with pytest.raises(RuleError, match="off the map or blank"):
        do(state, ("E2", "9", 0))


def test_ahmedabad_may_point_to_the_sea():
    state = do(operating("WR"), ("D17", "57", 1))
    assert TITLE.hexes["D17"].neighbors[1] == "C18"
    assert violations(state) == []


def test_supply_is_limited():
    state = operating("BNR")
    for hex_ in ("H25", "E24", "K14"):
        lay(state, hex_, "57", 0)
    with pytest.raises(RuleError, match="no tile 57 is left"):
        do(state, ("I20", "57", 0))
    assert all(a.tile != "57" for a in lays(state))


@pytest.mark.parametrize(
    ("old", "new", "works"),
    [
        ("57", "14", True),
        ("57", "205", False),
        ("57", "611", False),
        ("4", "141", True),
        ("4", "205", True),
        ("4", "206", True),
        ("4", "12", False),
        ("58", "12", True),
        ("58", "13", True),
        ("3", "12", True),
        ("3", "13", False),
        ("9", "80", False),
        ("9", "82", True),
        ("205", "611", True),
        ("611", "513", True),
        ("235", "59", True),
        ("59", "64", True),
        ("984", "IND1", True),
        ("513", "60", False),
    ],
)
def test_upgrade_chains(old, new, works):
    assert (new in TITLE.tiles[old].upgrades) == works


@pytest.mark.parametrize("phase", ["I", "II", "III", "III'", "IV"])
def test_upgrades_do_not_depend_on_the_phase(phase):
    state = operating("BNR", phase=phase)
    lay(state, "I20", "611", 0)
    assert lays(state, "I20")
    state = do(state, ("I20", "513", 0))
    assert state.tiles["I20"] == ("513", 0)


def test_old_track_is_kept():
    state = operating("BNR")
    lay(state, "I20", "57", 0)
    with pytest.raises(RuleError, match="must be kept"):
        do(state, ("I20", "15", 4))
    for action in lays(state, "I20"):
        tile = TITLE.tiles[action.tile].tile.rotated(action.rotation)
        assert {0, 3} <= tile.exits


def test_a_yellow_town_becomes_a_town_or_a_city_with_one_slot():
    state = operating("BNR")
    lay(state, "I20", "57", 0)
    lay(state, "I18", "8", 0)
    lay(state, "H17", "58", 5)
    tiles = {a.tile for a in lays(state, "H17")}
    assert tiles == {"141", "142", "143", "144", "205", "206", "12", "13"}
    state = do(state, next((a.hex, a.tile, a.rotation) for a in lays(state, "H17") if a.tile == "12"))
    assert grid.grid(state).slots("H17", 0) == 1


def test_triple_towns_and_ferry_tiles_are_never_upgraded():
    for name in ("IND2", "IND3", "IND4", "IND5", "IND6", "IF1", "IF2"):
        assert TITLE.tiles[name].upgrades == ()
    for hex_ in ("E22", "F5", "H35", "K12"):
        assert set(track.successors(hex_, "")) == {"IND2", "IND3", "IND4", "IND5", "IND6"}


def test_the_ferry_leads_to_the_island():
    state = operating("MR")
    for rotation in range(6):
        for name in ("IF1", "IF2"):
            tile = TITLE.tiles[name].tile.rotated(rotation)
            to_k38 = {s for s, n in TITLE.hexes["J37"].neighbors.items() if n == "K38"}
            fits = not track.misfit("J37", "", 0, name, rotation)
            if fits:
                assert tile.exits & to_k38
    assert state.tiles == {}


def test_double_cities_keep_their_own_track():
    state = operating("NWR", "SPD")
    lay(state, "G8", "59", 0)  # city 0 to side 0, city 1 to side 2
    found = lays(state, "G8")
    assert {a.tile for a in found} >= {"64", "67"}
    for action in found:
        after = game.apply(state, action)
        tile = grid.grid(after).tiles["G8"]
        for name, side in (("NWR", 0), ("SPD", 2)):
            token = after.companies[name].tokens[0]
            assert side in grid.links(tile).exits_of_city(token.city)


def test_the_gray_double_city_joins_both_cities():
    state = operating("NWR", "SPD")
    lay(state, "G8", "67", 0)
    state = do(state, *[(a.hex, a.tile, a.rotation) for a in lays(state, "G8")][:1])
    tokens = [state.companies[n].tokens[0] for n in ("NWR", "SPD")]
    assert {t.city for t in tokens} == {0}
    assert {t.slot for t in tokens} == {0, 1}
    assert violations(state) == []


# --- costs


def test_terrain_is_paid_with_the_first_tile_only():
    state = operating("BNR", cash_=100)
    lay(state, "I20", "57", 0)
    lay(state, "I18", "9", 0)
    bank = state.bank
    after = do(state, ("I16", "9", 0))  # a hill
    assert after.companies["BNR"].cash == 85
    assert after.bank == bank + 15
    lay(state, "I16", "9", 0)
    after = do(state, ("I16", "82", 0))
    assert after.companies["BNR"].cash == 100


@pytest.mark.parametrize(("hex_", "price"), [("I16", 15), ("I14", 30), ("J37", 60), ("I18", 0)])
def test_hill_mountain_and_ferry(hex_, price):
    assert TITLE.hexes[hex_].terrain_cost == price


def test_a_river_is_paid_by_who_completes_the_connection():
    state = operating("BNR", cash_=100)
    tile = TITLE.tiles["9"].tile
    assert ("I10", "I12") in TITLE.river_borders
    assert track.cost(state, "I12", tile) == 0
    lay(state, "I10", "9", 0)
    assert track.cost(state, "I12", tile) == 30
    assert track.completed(state, "I12", tile) == [("I10", "I12")]


def test_a_tile_that_is_too_expensive_is_refused():
    state = operating("BNR", cash_=14)
    lay(state, "I20", "57", 0)
    lay(state, "I18", "9", 0)
    with pytest.raises(RuleError, match="costs 15"):
        do(state, ("I16", "9", 0))
    assert not lays(state, "I16")


# --- gauge-change markers


@pytest.mark.parametrize(("phase", "markers"), [("I", [("I18", "I20")]), ("III'", [("I18", "I20")]), ("IV", [])])
def test_a_marker_comes_where_a_connection_across_a_province_border_is_completed(phase, markers):
    state = do(operating("BNR", phase=phase), ("I20", "57", 0), ("I18", "9", 0))
    assert state.markers == markers
    assert violations(state) == []


def test_an_upgrade_that_completes_a_connection_places_a_marker_too():
    state = operating("BNR")
    lay(state, "I20", "57", 1)
    lay(state, "I18", "9", 0)
    state = do(state, next((a.hex, a.tile, a.rotation) for a in lays(state, "I20") if 3 in _exits(a)))
    assert state.markers == [("I18", "I20")]


def _exits(action):
    return TITLE.tiles[action.tile].tile.rotated(action.rotation).exits


@pytest.fixture
def marked():
    state = operating("BNR", phase="IV")
    lay(state, "I20", "57", 0)
    lay(state, "I18", "9", 0)
    state.markers = [("E22", "E24"), ("I18", "I20")]
    state.map_changed()
    return state


def test_from_phase_four_on_a_reached_marker_may_be_removed_as_the_whole_track_action(marked):
    cash(marked, "BNR", 200)
    assert RemoveMarker(0, ("I18", "I20")) in game.legal_actions(marked)
    state = game.apply(marked, RemoveMarker(0, ("I20", "I18")))
    assert state.markers == [("E22", "E24")]
    assert state.companies["BNR"].cash == 200
    assert state.operating.step != TRACK
    with pytest.raises(RuleError):
        do(state, ("I16", "9", 0))


def test_markers_out_of_reach_or_before_phase_four_stay(marked):
    with pytest.raises(RuleError, match="does not reach E2"):
        game.apply(marked, RemoveMarker(0, ("E22", "E24")))
    with pytest.raises(RuleError, match="no marker between"):
        game.apply(marked, RemoveMarker(0, ("I16", "I18")))
    marked.phase = "III"
    with pytest.raises(RuleError, match="from phase IV on"):
        game.apply(marked, RemoveMarker(0, ("I18", "I20")))


def test_not_after_a_tile(marked):
    state = do(marked, ("I16", "9", 0))
    with pytest.raises(RuleError, match="whole track action"):
        game.apply(state, RemoveMarker(0, ("I18", "I20")))


@pytest.mark.parametrize("hidden", [False, True])
def test_the_home_tile_of_the_national_railway_places_markers_but_for_the_switch(hidden):
    from trunkline.engine.actions import LayHome
    from trunkline.engine.state import Pending

    state = operating("BNR", "GIPR", switches={"home_border_unmarked": hidden})
    state.pending = [Pending("national_home", 1, "GIPR")]
    lay(state, "F19", "9", 0)
    cash(state, "GIPR", 500)
    state = game.apply(state, LayHome(1, "F17", "13", 0))
    assert state.markers == ([] if hidden else [("F17", "F19")])
    assert state.unmarked == ([("F17", "F19")] if hidden else [])


# --- the step


def test_passing_ends_the_track_step_also_after_some_tiles():
    state = do(operating("BNR"), ("I20", "57", 0))
    state = game.apply(state, Pass(0))
    assert state.operating.step != TRACK
    assert state.operating.line == ("I20",)


def test_a_double_city_starts_a_line_by_the_track_of_the_city_chosen():
    state = operating("NWR", "SPD")
    state = do(state, ("G8", "235", 0))
    state = game.apply(state, AssignCity(0, "NWR", 0))
    assert state.operating.ends == (("G8", 0),)
    assert {a.hex for a in lays(state)} == {"G10"}
    state = do(state, ("G10", "9", 0))
    assert state.operating.line == ("G8", "G10")


# --- the list is complete


@pytest.fixture(scope="module")
def late_states():
    """Track steps of the recorded game, early and late, at the start of a turn and within a line."""
    import gzip
    import json
    from pathlib import Path

    from trunkline.engine.wire.importer import import_game

    data = json.loads(gzip.decompress((Path(__file__).parents[1] / "games" / "bank.json.gz").read_bytes()))
    log = import_game(data).log
    state = game.new_game(log.options, log.seed)
    found = []
    for action in log.actions:
        if state.stage == "operate" and state.operating.step == TRACK and not state.pending:
            found.append(state)
        state = game.apply(state, action)
    return found


@pytest.mark.parametrize("part", range(6))
def test_every_lay_that_apply_accepts_is_listed_up_to_turns_of_the_same_track(late_states, part):
    state = late_states[part * (len(late_states) - 1) // 5]
    seat = game.actors(state)[0]
    listed = {(a.hex, a.tile, a.rotation) for a in lays(state)}
    every = {
        (h, t, r)
        for h in TITLE.hexes
        for t in TITLE.tiles
        for r in range(6)
        if game.allowed(state, LayTile(seat, h, t, r))
    }
    assert listed <= every
    same_track = {(h, t, _ends(t, r)) for h, t, r in listed}
    assert {(h, t, _ends(t, r)) for h, t, r in every} == same_track


def _ends(name, rotation):
    """The track of a turned tile: which sides lead to which value, or are joined."""
    tile = TITLE.tiles[name].tile.rotated(rotation)
    joined: dict[End, set[End]] = {}
    for path in tile.paths:
        for end, other in ((path.a, path.b), (path.b, path.a)):
            joined.setdefault(end, set()).add(other)
    groups: list[tuple[Any, frozenset[int]]] = []
    for end, others in joined.items():
        sides = frozenset(e.number for e in others if e.kind == "edge")
        if end.kind == "stop":
            groups.append((tile.stops[end.number].revenue, sides))
        elif end.kind == "junction":
            groups.append((None, sides))
        elif any(e.kind == "edge" for e in others):
            groups.append((None, sides | {end.number}))
    return frozenset(groups)


@pytest.mark.parametrize("beside", [False, True])
def test_a_token_beside_a_slot_that_is_reserved_does_not_fill_the_city_for_the_line(beside):
    """Only a city whose slots are all taken by others cannot be passed (rules sections 8.1, 9.1)."""
    state = operating("BNR", "EIR", also=("NCR",))
    assert state.reserved["NCR"][0] == "K14"
    if beside:
        state.companies["EIR"].tokens.append(PlacedToken("K14", 0, EXTRA))
    lay(state, "I20", "57", 1)
    lay(state, "J19", "9", 1)
    lay(state, "K18", "8", 1)
    lay(state, "K16", "9", 0)
    state = game.apply(state, LayTile(0, "K14", "57", 0))
    assert not grid.grid(state).blocks("BNR", "K14", 0)
    assert state.operating.ends == (("K14", 3),)
    assert any(isinstance(a, LayTile) and a.hex == "K12" for a in game.legal_actions(state))


def test_the_site_takes_away_a_river_border_that_the_home_tile_of_the_national_railway_crosses():
    """Read from its code: neither a marker nor a crossing; other crossings count in every phase."""
    from trunkline.engine.actions import LayHome
    from trunkline.engine.state import Pending

    state = operating("BNR", "GIPR", phase="IV", switches={"home_border_unmarked": True})
    state.pending = [Pending("national_home", 1, "GIPR")]
    lay(state, "F19", "9", 0)
    state = game.apply(state, LayHome(1, "F17", "13", 0))
    assert (state.markers, state.unmarked) == ([], [("F17", "F19")])

    state = operating("BNR", "GIPR", switches={"home_border_unmarked": True})
    state.pending = [Pending("national_home", 1, "GIPR")]
    cash(state, "GIPR", 500)
    lay(state, "M14", "9", 1)
    action = next(
        a
        for a in game.legal_actions(state)
        if isinstance(a, LayHome) and a.hex == "N13" and ("M14", "N13") in crossed(state, a)
    )
    state = game.apply(state, action)
    assert (state.markers, state.unmarked) == ([], [])


def crossed(state, lay_):
    tile = TITLE.tiles[lay_.tile].tile.rotated(lay_.rotation)
    return track.completed(state, lay_.hex, tile)
