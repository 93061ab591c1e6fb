"""The data of 18 India agrees with itself and with the sums of the rules (section 1)."""

from __future__ import annotations

from collections import Counter

import pytest

from trunkline.solver import TrunklineError, get_title, title_ids
from trunkline.solver.board import CITY, TOWN, UNLIMITED, Tile, border, hex_coordinates, hex_id, neighbor_id
from trunkline.solver.generate import keeps_track

INDIA = get_title("18India")
NEXT = {"yellow": "green", "green": "brown", "brown": "gray"}


def test_titles_are_found_by_their_id():
    assert "18India" in title_ids()
    assert get_title("18India") is get_title("18India")
    with pytest.raises(TrunklineError, match=r"unknown title '18Nowhere'; known: .*18India"):
        get_title("18Nowhere")


def test_hex_ids_read_and_write_the_same():
    for column in (-26, -1, 0, 3, 25, 26, 51, 52, 701):
        for row in (-3, 0, 17):
            assert hex_coordinates(hex_id(column, row)) == (column, row)
    for bad in ("", "17", "D", "dd17", "D1.7", "D17 ", "ABC1", "D-", "D1000"):
        with pytest.raises(ValueError, match="hex id"):
            hex_coordinates(bad)


@pytest.mark.parametrize("layout", ["flat", "pointy"])
def test_a_step_across_a_side_and_back_leads_home(layout):
    for side in range(6):
        there = neighbor_id("M20", side, layout)
        assert there is not None
        assert neighbor_id(there, (side + 3) % 6, layout) == "M20"
    assert len({neighbor_id("M20", s, layout) for s in range(6)}) == 6


def test_there_is_no_hex_beyond_the_first_letter():
    assert neighbor_id("A16", 1, "flat") == "a17"  # letters go on below A
    assert neighbor_id("z16", 1, "flat") is None
    assert neighbor_id("z16", 3, "pointy") is None
    assert neighbor_id("Z1", 5, "flat") == "AA2"


def test_the_map_has_183_hexes():
    assert len(INDIA.hexes) == 183


def test_neighbours_are_mutual_and_across_the_side():
    for h, hx in INDIA.hexes.items():
        for side, n in hx.neighbors.items():
            assert INDIA.hexes[n].neighbors[(side + 3) % 6] == h
            assert neighbor_id(h, side, INDIA.layout) == n
            dx, dy = (b - a for a, b in zip(hex_coordinates(h), hex_coordinates(n), strict=True))
            assert (abs(dx), abs(dy)) in ((0, 2), (1, 1))


def _check_track(tile: Tile) -> None:
    for path in tile.paths:
        assert path.a != path.b
        for end in (path.a, path.b):
            limit = {"edge": 6, "stop": len(tile.stops), "junction": tile.junctions}[end.kind]
            assert 0 <= end.number < limit


def test_track_joins_sides_stops_and_junctions_that_exist():
    for hx in INDIA.hexes.values():
        _check_track(hx.tile)
    for kind in INDIA.tiles.values():
        _check_track(kind.tile)
        if kind.tile.name != "235":  # the yellow double city joins one of its cities only
            joined = {e.number for p in kind.tile.paths for e in (p.a, p.b) if e.kind == "stop"}
            assert joined == set(range(len(kind.tile.stops)))


def test_printed_track_meets_printed_track_or_leads_to_a_hex_for_tiles():
    for h, hx in INDIA.hexes.items():
        for side in hx.tile.exits:
            other = INDIA.hexes[hx.neighbors[side]].tile
            assert other.color == "white" or (side + 3) % 6 in other.exits, (h, side)


def test_the_box_has_50_types_and_228_tiles():
    assert len(INDIA.tiles) == 50
    assert sum(t.count for t in INDIA.tiles.values()) == 228
    assert all(t.count > 0 for t in INDIA.tiles.values())


def test_every_white_hex_takes_a_first_tile_in_some_rotation_and_no_other_hex_does():
    for h, hx in INDIA.hexes.items():
        if hx.tile.color != "white":
            assert not INDIA.fitting[h]
            continue
        first = [INDIA.tiles[n].tile for n in INDIA.first[INDIA.hex_class(h)]]
        assert all(t.color == "yellow" for t in first)
        assert any(t.rotated(r).exits <= INDIA.open_sides[h] for t in first for r in range(6)), h


def test_hexes_are_of_the_class_that_is_printed():
    classes = Counter(INDIA.hex_class(h) for h, hx in INDIA.hexes.items() if hx.tile.color == "white")
    assert classes["three_towns"] == 4
    assert classes["double_city"] == 2
    assert classes["ferry"] == 1
    assert {h for h in INDIA.hexes if INDIA.hexes[h].tile.color == "white" and INDIA.hex_class(h) == "city"} == {
        "D17",
        "E24",
        "H25",
        "H31",
        "I20",
        "K14",
    }


def test_every_tile_can_be_reached_from_a_first_tile():
    assert frozenset().union(*INDIA.fitting.values()) == set(INDIA.tiles)


def test_every_upgrade_is_one_colour_up_and_keeps_all_track_in_some_rotation():
    for kind in INDIA.tiles.values():
        for name in kind.upgrades:
            new = INDIA.tiles[name].tile
            assert new.color == NEXT[kind.tile.color], (kind.tile.name, name)
            turned = [new.rotated(r) for r in range(6)]
            assert any(keeps_track(kind.tile, t) and kind.tile.exits < t.exits for t in turned), (kind.tile.name, name)


def test_upgrades_keep_stops_and_a_town_may_become_a_city():
    def cities_and_towns(tile: Tile) -> tuple[int, int]:
        return len(tile.of_kind(CITY)), len(tile.of_kind(TOWN))

    for kind in INDIA.tiles.values():
        for name in kind.upgrades:
            old, new = cities_and_towns(kind.tile), cities_and_towns(INDIA.tiles[name].tile)
            assert new == old or (old, new) in (((0, 1), (1, 0)), ((2, 0), (1, 0))), (kind.tile.name, name)


def test_gray_three_town_and_ferry_tiles_are_the_last():
    last = {n for n, t in INDIA.tiles.items() if not t.upgrades}
    assert last == {n for n, t in INDIA.tiles.items() if t.tile.color == "gray"} | {
        "IF1",
        "IF2",
        *(f"IND{i}" for i in range(2, 7)),
    }


VALUES = {"yellow": (20, 30), "green": (30, 40), "brown": (40, 50), "gray": (60, 60)}


def test_values_of_cities_and_towns_on_tiles_follow_the_rules():
    """Section 9.3: cities 20/30/40/60, double cities 30/40/50/60, towns 10, brown and gray 20, 20/10/10."""
    for kind in INDIA.tiles.values():
        tile = kind.tile
        for stop in tile.stops:
            value = stop.value(())
            if stop.kind == CITY:
                assert value == VALUES[tile.color]["OO" in tile.labels]
            elif len(tile.stops) == 3:
                assert value == (20 if stop.number == 0 else 10)
            else:
                assert value == (20 if tile.color in ("brown", "gray") else 10)


def test_variable_cities_are_those_of_the_rules():
    assert {h: hx.plus for h, hx in INDIA.hexes.items() if hx.plus is not None} == {
        "A16": 20,
        "D3": 30,
        "D23": 40,
        "G36": 20,
        "K30": 30,
        "K40": 20,
        "M10": 10,
        "Q10": 20,
        "R17": 10,
    }
    for hx in INDIA.hexes.values():
        if hx.plus is not None:
            assert hx.tile.color == "red"
            assert hx.tile.of_kind(CITY)
            assert all(s.value(()) == INDIA.variable_minimum + hx.plus for s in hx.tile.stops)
    for h in ("D23", "M10"):
        assert len({s.group for s in INDIA.hexes[h].tile.stops}) == 1
        assert len(INDIA.hexes[h].tile.stops) == 2


def test_homes_of_companies_exist():
    assert Counter(c.region for c in INDIA.companies.values()) == {"east": 6, "west": 5, "south": 6, "national": 1}
    for c in INDIA.companies.values():
        if c.id == "GIPR":
            assert not c.home
            continue
        cities = INDIA.hexes[c.home].tile.of_kind(CITY)
        assert c.home_cities
        assert set(c.home_cities) <= set(range(len(cities))), c.id
    homes = Counter((c.home, n) for c in INDIA.companies.values() for n in c.home_cities)
    assert set(homes.values()) == {1}


def test_companies_pay_for_tokens_and_have_ipo_prices_of_the_market():
    market = {56, 58, 61, 64, 67, 71, 76, 82, 90, 100, 112}
    for c in INDIA.companies.values():
        assert c.token_costs[:2] == (0, 40), c.id
        assert set(c.token_costs[2:]) <= {100}
        assert c.ipo_price in market
    assert INDIA.companies["GIPR"].exchange_tokens == 3
    assert {c.id: len(c.token_costs) for c in INDIA.companies.values()} == {
        **dict.fromkeys(("TR", "DHR", "SPD", "WR", "KGF"), 2),
        **dict.fromkeys(("EIR", "EBR", "PNS", "BR", "MR", "CGR", "WIP", "NSR"), 3),
        **dict.fromkeys(("NCR", "NWR", "SIR", "GIPR"), 4),
        "BNR": 5,
    }


def test_borders_lie_between_neighbours():
    assert INDIA.province_borders
    assert INDIA.river_borders
    assert INDIA.river_cost == 30
    for a, b in INDIA.province_borders | INDIA.river_borders:
        assert b in INDIA.hexes[a].neighbors.values()
        assert (a, b) == border(a, b) == border(b, a)


def test_connections_join_cities_of_the_map():
    assert [(c.hexes, c.value) for c in INDIA.connections] == [
        (("G8", "G36"), 100),
        (("A16", "K30"), 80),
        (("D3", "P17"), 80),
        (("M10", "D23"), 70),
    ]
    for c in INDIA.connections:
        assert all(INDIA.hexes[h].tile.of_kind(CITY) for h in c.hexes)


def test_commodities_lead_from_hexes_of_the_map_to_stops():
    assert len(INDIA.commodities) == 9
    ends = {h for c in INDIA.commodities.values() for h in c.destinations}
    assert ends == {"A16", "D3", "D23", "G36", "K30", "K40", "M10", "Q10", "P19", "M24"}
    assert all(INDIA.hexes[h].tile.stops and INDIA.hexes[h].tile.color != "white" for h in ends)
    for c in INDIA.commodities.values():
        assert c.placed != bool(c.sources)
        assert all(INDIA.hexes[h].tile.color == "white" for h in c.sources)
        assert not c.each_destination or c.each_destination in INDIA.switches
    sources = [h for c in INDIA.commodities.values() for h in c.sources]
    assert len(sources) == len(set(sources)) == 10


def test_25_train_cards_with_the_trains_of_their_sides():
    assert sum(c.count for c in INDIA.cards.values()) == 25
    assert [t for c in INDIA.cards.values() for t in c.sides] == list(INDIA.trains)
    assert {t.card for t in INDIA.trains.values()} == set(INDIA.cards)
    assert INDIA.cards["4x3"].buy_back is None
    assert all(c.buy_back is None or 0 < c.buy_back <= c.price for c in INDIA.cards.values())


def test_trains_visit_and_pay_what_their_names_say():
    for name, t in INDIA.trains.items():
        cities = int(name[0])
        assert t.multiplier == (int(name.split("x")[1]) if "x" in name else 1)
        assert t.own_token_counts == ("E" in name)
        rows = {k: v for v in t.visits for k in v.kinds}
        assert set(rows) == {"city", "town", "marker"}
        assert rows["city"].pay == cities
        if "E" in name:
            assert all(r.visit == UNLIMITED for r in rows.values())
            assert rows["town"].pay == 0
        else:
            assert rows["city"] is rows["marker"]
            assert rows["city"].visit == cities
            assert rows["town"].visit == rows["town"].pay == UNLIMITED


def test_all_colours_may_be_laid_in_all_phases():
    assert list(INDIA.phases) == ["I", "II", "III", "III'", "IV"]
    assert all(colors == ("yellow", "green", "brown", "gray") for colors in INDIA.phases.values())


def test_rule_sets_name_known_switches():
    assert set(INDIA.rule_sets) == {"rulebook", "18xx.games"}
    for switches in INDIA.rule_sets.values():
        assert set(switches) == set(INDIA.switches)
    assert INDIA.rule_sets["rulebook"]["jewelry_per_destination"]
    assert not INDIA.rule_sets["18xx.games"]["jewelry_per_destination"]
