"""Texts of homes, track, tokens and privates."""

from __future__ import annotations

from trunkline.engine import actions as a
from trunkline.engine.actions import Action
from trunkline.engine.box.box import TITLE, face
from trunkline.engine.rules import track
from trunkline.engine.state import State
from trunkline.engine.wire.notation.form import ActionText, at_most, nothing_to_add, one_word, tile_number, verb_only
from trunkline.engine.wire.notation.names import card_name, place_name
from trunkline.solver.board import CITY, TOWN, border


def _home(state: State, seat: int, words: list[str]) -> Action:
    at_most(words, 2)
    return a.PlaceHome(seat, words[0].upper(), int(words[1]) if len(words) > 1 else 0)


def _home_city(state: State, seat: int, words: list[str]) -> Action:
    hex_, tile, rotation = words
    return a.LayHome(seat, hex_.upper(), tile_number(tile), int(rotation))


def _assign(state: State, seat: int, words: list[str]) -> Action:
    company, city = words
    return a.AssignCity(seat, company.upper(), int(city))


def _lay(state: State, seat: int, words: list[str]) -> Action:
    private = words.pop().upper() if words[-1].upper().startswith("P") else ""
    hex_, tile, rotation = words
    return a.LayTile(seat, hex_.upper(), tile_number(tile), int(rotation), private)


def _describe_tile(state: State, action: a.LayTile | a.LayHome) -> str:
    printed = TITLE.tiles[action.tile].tile
    discount = state.operating.discount if isinstance(action, a.LayTile) else 0
    price = max(0, track.cost(state, action.hex, printed.rotated(action.rotation)) - discount)
    kind = "city" if printed.of_kind(CITY) else "town" if printed.of_kind(TOWN) else "track"
    name = TITLE.hexes[action.hex].name
    power = f" with {action.private}" if isinstance(action, a.LayTile) and action.private else ""
    return f"{printed.color} {kind}{f' in {name}' if name else ''}{power}{f' for {price}' if price else ''}"


def _unmark(state: State, seat: int, words: list[str]) -> Action:
    one, other = (w.upper() for w in words)
    pair = border(one, other)
    return a.RemoveMarker(seat, pair if pair in state.markers else (one, other))


def _token(state: State, seat: int, words: list[str]) -> Action:
    private = words.pop().upper() if words[-1].upper().startswith("P") and len(words) > 1 else ""
    at_most(words, 2)
    return a.PlaceToken(seat, words[0].upper(), int(words[1]) if len(words) > 1 else 0, private)


def _describe_token(state: State, action: a.PlaceToken) -> str:
    cost = "free, with the Danish company" if action.private else f"for {state.company.unplaced[0]}"
    return f"{place_name(action.hex)}, {cost}"


_HEX = "a hex is its name on the map"
_CITY = f"{_HEX}; the cities of a hex count from 0, and without a number city 0 is meant"
_TURNED = f"{_HEX}; the rotation is 0 to 5, sixths of a turn clockwise; the list has them as TILE/ROTATION"
HOMES = (
    ActionText(
        "home",
        (a.PlaceHome,),
        "home HEX [CITY]",
        "place a home token",
        read=_home,
        write=lambda x: [x.hex, str(x.city)],
        describe=lambda state, x: f"home in {place_name(x.hex)}",
        example="home G8 1",
        parts=_CITY,
    ),
    ActionText(
        "homecity",
        (a.LayHome,),
        "homecity HEX TILE ROTATION",
        "lay the home tile of the national railway",
        read=_home_city,
        write=lambda x: [x.hex, x.tile, str(x.rotation)],
        describe=_describe_tile,
        example="homecity D5 12 2",
        parts=_TURNED,
    ),
    ActionText(
        "assign",
        (a.AssignCity,),
        "assign COMPANY CITY",
        "say which city of a double city takes a token",
        read=_assign,
        write=lambda x: [x.company, str(x.city)],
        describe=nothing_to_add,
        example="assign EIR 1",
        parts="the cities of a hex count from 0",
    ),
    ActionText(
        "exchange",
        (a.ExchangeToken,),
        "exchange HEX",
        "replace the closing company's token",
        read=one_word(a.ExchangeToken),
        write=lambda x: [x.hex],
        describe=nothing_to_add,
        example="exchange G8",
        parts=_HEX,
    ),
)
TRACK = (
    ActionText(
        "lay",
        (a.LayTile,),
        "lay HEX TILE ROTATION [P2|P3]",
        "lay or upgrade a tile",
        read=_lay,
        write=lambda x: [x.hex, x.tile, str(x.rotation), x.private],
        describe=_describe_tile,
        example="lay D5 8 2",
        parts=f"{_TURNED}; with P2 or P3 the power of that private is used",
    ),
    ActionText(
        "unmark",
        (a.RemoveMarker,),
        "unmark HEX HEX",
        "remove a gauge-change marker",
        read=_unmark,
        write=lambda x: [*x.hexes],
        example="unmark D5 D7",
        parts="the two hexes on either side of the marker",
    ),
    ActionText(
        "token",
        (a.PlaceToken,),
        "token HEX [CITY] [P5]",
        "place a station token",
        read=_token,
        write=lambda x: [x.hex, str(x.city), x.private],
        describe=_describe_token,
        example="token G8 1",
        parts=f"{_CITY}; with P5 the power of that private is used",
    ),
    ActionText(
        "discount",
        (a.UseDiscount,),
        "discount",
        "use the French company: 40 off terrain",
        read=verb_only(a.UseDiscount),
    ),
    ActionText(
        "jewelry",
        (a.PlaceJewelry,),
        "jewelry HEX",
        "use the British company: place the jewelry marker",
        read=one_word(a.PlaceJewelry),
        write=lambda x: [x.hex],
        describe=nothing_to_add,
        example="jewelry D5",
        parts=_HEX,
    ),
    ActionText(
        "close",
        (a.ClosePrivate,),
        "close PRIVATE",
        "close a private for its face value",
        read=one_word(a.ClosePrivate),
        write=lambda x: [x.private],
        describe=lambda state, x: f"{card_name(x.private)} for {face(x.private)}",
        example="close P3",
        parts="a private by its id, P1 to P6",
    ),
)
