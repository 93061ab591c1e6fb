"""The terms of a position's rules as parts of the message: its fields are those of the classes, by name."""

from __future__ import annotations

from dataclasses import fields

from trunkline.solver.board import ROUTE, Bonus, Stops, Terms
from trunkline.v1 import position_pb2


def terms_from_proto(m: position_pb2.Rules) -> Terms:
    """Read the terms of the rules of a position; what is wrong with them the position says."""
    return Terms(
        tuple([_bonus(b) for b in m.bonuses]),
        m.one_stop_per_hex,
        tuple(m.several_stops),
        tuple([_stops(s) for s in m.no_ends]),
    )


def _stops(m: position_pb2.StopSet) -> Stops:
    return Stops(tuple(m.hexes), tuple(m.groups), tuple(m.labels), tuple(m.markers), tuple(m.kinds))


def _bonus(m: position_pb2.Bonus) -> Bonus:
    return Bonus(
        m.name,
        m.amount,
        tuple([_stops(s) for s in m.stops]),
        _stops(m.crosses) if m.HasField("crosses") else None,
        m.per or ROUTE,
        m.visited,
        m.multiplied,
        tuple(m.companies),
        tuple(m.trains),
        tuple(m.not_trains),
        tuple(m.phases),
        m.marker,
    )


def terms_to_proto(terms: Terms, m: position_pb2.Rules) -> None:
    """Write terms into the rules of a position."""
    for bonus in terms.bonuses:
        plain = {f.name: getattr(bonus, f.name) for f in fields(bonus) if f.name not in ("stops", "crosses", "per")}
        message = m.bonuses.add(**plain, per="" if bonus.per == ROUTE else bonus.per)
        for stops in bonus.stops:
            message.stops.append(_stops_to_proto(stops))
        if bonus.crosses is not None:
            message.crosses.CopyFrom(_stops_to_proto(bonus.crosses))
    m.one_stop_per_hex = terms.one_stop_per_hex
    m.several_stops.extend(terms.several_stops)
    m.no_ends.extend(map(_stops_to_proto, terms.no_ends))


def _stops_to_proto(stops: Stops) -> position_pb2.StopSet:
    return position_pb2.StopSet(
        hexes=stops.hexes, groups=stops.groups, labels=stops.labels, markers=stops.markers, kinds=stops.kinds
    )
