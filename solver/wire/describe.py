"""Titles as messages for front ends: the map, tiles, companies, trains, phases and bonuses of a title's data."""

from __future__ import annotations

from functools import lru_cache

from trunkline.solver.board import Title, get_title, title_ids
from trunkline.solver.errors import TrunklineError
from trunkline.solver.wire import train_to_proto
from trunkline.v1 import title_pb2

COLLECTION = "titles/"


def title_by_name(name: str) -> title_pb2.Title:
    """The description of a title by its resource name, ``titles/18India``. Raises TrunklineError: there is none."""
    if not name.startswith(COLLECTION) or name == COLLECTION:
        raise TrunklineError(
            f"{name[:100]!r} is no name of a title; names are {', '.join(COLLECTION + t for t in title_ids())}"
        )
    return describe(get_title(name.removeprefix(COLLECTION)))


def title_in_brief(title_id: str) -> title_pb2.Title:
    """Names and layout of a title, for lists."""
    return _brief(get_title(title_id))


def _brief(t: Title) -> title_pb2.Title:
    return title_pb2.Title(name=COLLECTION + t.id, title_id=t.id, display_name=t.name, layout=t.layout, axes=t.axes)


@lru_cache(maxsize=16)
def describe(t: Title) -> title_pb2.Title:
    """The description of a title, installed or not. The same object each time: do not change it."""
    message = _brief(t)
    message.designers.extend(t.designers)
    message.publisher = t.publisher
    _add_map(message, t)
    for name, tile in t.tiles.items():
        message.tiles.add(
            tile=name, color=tile.tile.color, definition=tile.tile.code, count=tile.count, upgrades=tile.upgrades
        )
    for c in t.companies.values():
        message.companies.add(
            company_id=c.id,
            display_name=c.name,
            region=c.region,
            ipo_price=c.ipo_price,
            token_costs=c.token_costs,
            color=c.color,
            home_hex=c.home,
            home_cities=c.home_cities,
        )
    for train in t.trains.values():
        train_to_proto(train, message.trains.add())
    for card in t.cards.values():
        message.cards.add(card=card.name, count=card.count, price=card.price, buy_back=card.buy_back, trains=card.sides)
    for phase, colors in t.phases.items():
        message.phases.add(phase=phase, colors=colors)
    _add_rules(message, t)
    return message


def _add_map(message: title_pb2.Title, t: Title) -> None:
    for h in t.hexes.values():
        message.hexes.add(
            hex=h.id,
            name=h.name,
            color=h.tile.color,
            definition=h.tile.code,
            terrain=h.terrain,
            terrain_cost=h.terrain_cost,
            plus=h.plus,
            neighbors=dict(h.neighbors),
            first_tiles=t.first.get(t.hex_class(h.id), ()),
        )
    for side in sorted(t.province_borders | t.river_borders):
        message.borders.add(
            hexes=side,
            province=side in t.province_borders,
            river_cost=t.river_cost if side in t.river_borders else 0,
        )


def _add_rules(message: title_pb2.Title, t: Title) -> None:
    for c in t.connections:
        message.connections.add(display_name=c.name, hexes=c.hexes, bonus=c.value)
    for good in t.commodities.values():
        message.commodities.add(commodity_id=good.name, source_hexes=good.sources, destinations=dict(good.destinations))
    for switch, description in t.switches.items():
        message.switches.add(switch_id=switch, description=description)
    for name, switches in t.rule_sets.items():
        message.rule_sets.add(set=name, switches=dict(switches))
