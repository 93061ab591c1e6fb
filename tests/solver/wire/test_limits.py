"""Lists and texts of a message have limits, told with the field; nothing is built of what is beyond them."""

import pytest

from trunkline.solver import wire
from trunkline.solver.errors import PositionError
from trunkline.solver.wire import limits
from trunkline.v1 import position_pb2, solution_pb2


def refused(message):
    with pytest.raises(PositionError) as error:
        wire.position_from_proto(message)
    return [(f.field, f.message) for f in error.value.faults]


@pytest.mark.parametrize("field", limits.MOST_OF_POSITION)
def test_every_list_of_a_position_has_a_limit(field, monkeypatch):
    monkeypatch.setattr("trunkline.solver.wire.positions.get_title", lambda _: pytest.fail("it was read"))
    message = position_pb2.Position()
    entries = getattr(message, field)
    for i in range(limits.MOST_OF_POSITION[field] + 1):
        entries.append(str(i)) if field.endswith(("colors", "concessions")) else entries.add()
    most = limits.MOST_OF_POSITION[field]
    assert refused(message) == [(field, f"{most + 1:,} entries; at most {most:,}")]


def test_no_list_of_a_position_is_without_a_limit():
    lists = {f.name for f in position_pb2.Position.DESCRIPTOR.fields if f.is_repeated}
    assert lists == set(limits.MOST_OF_POSITION)


def test_no_list_of_terms_is_without_a_limit():
    message = position_pb2.Position()
    message.rules.several_stops.extend(["A2"] * 201)
    message.rules.no_ends.add(hexes=["A2"] * 201)
    bonus = message.rules.bonuses.add(companies=["US"] * 201, trains=["2"] * 201, phases=["2"] * 201)
    bonus.not_trains.extend(["2"] * 201)
    bonus.crosses.hexes.extend(["A2"] * 201)
    bonus.stops.add(markers=["port"] * 201)
    for _ in range(9):
        bonus.stops.add()
    for _ in range(100):
        message.rules.bonuses.add()
    at = "rules.bonuses[0]"
    assert [field for field, _ in refused(message)] == [
        "rules.bonuses",
        "rules.several_stops",
        f"{at}.stops",
        f"{at}.companies",
        f"{at}.trains",
        f"{at}.not_trains",
        f"{at}.phases",
        "rules.no_ends[0].hexes",
        f"{at}.stops[0].markers",
        f"{at}.crosses.hexes",
    ]


def test_what_a_train_visits_and_switches_have_limits():
    message = position_pb2.Position(trains=[{"name": "x", "visits": [{"kinds": ["city"]}] * 33}])
    message.trains.add(visits=[{"kinds": ["city"] * 17}])
    for i in range(101):
        message.rules.switches[str(i)] = True
    assert [field for field, _ in refused(message)] == [
        "rules.switches",
        "trains[0].visits",
        "trains[1].visits[0].kinds",
    ]


@pytest.mark.parametrize("field", ["title", "layout", "phase", "company", "jewelry_hex"])
def test_a_name_has_a_limit(field):
    message = position_pb2.Position()
    setattr(message, field, "x" * 201)
    assert refused(message) == [(field, "a name of 201 characters; at most 200")]


@pytest.mark.parametrize("field", ["tiles", "tokens"])
def test_a_tile_or_token_has_a_limit(field):
    message = position_pb2.Position()
    getattr(message, field).add(hex="A1")
    getattr(message, field).add(hex="x" * 20_000)
    assert refused(message)[0][0] == f"{field}[1]"


def test_drawn_routes_have_limits():
    routes = [solution_pb2.DrawnRoute(train=0, waypoints=["A1"] * 10_001)]
    routes.append(solution_pb2.DrawnRoute(train=1, waypoints=["x" * 201]))
    with pytest.raises(PositionError) as error:
        wire.drawn_from_proto(routes)
    assert [f.field for f in error.value.faults] == ["routes[0].waypoints", "routes[1].waypoints"]
    with pytest.raises(PositionError, match="101 entries"):
        wire.drawn_from_proto([solution_pb2.DrawnRoute(train=0, waypoints=["A1"])] * 101)
