from trunkline.v1 import position_pb2 as _position_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Title(_message.Message):
    __slots__ = ("name", "title_id", "display_name", "layout", "axes", "hexes", "borders", "tiles", "companies", "trains", "cards", "phases", "connections", "commodities", "switches", "rule_sets", "designers", "publisher")
    NAME_FIELD_NUMBER: _ClassVar[int]
    TITLE_ID_FIELD_NUMBER: _ClassVar[int]
    DISPLAY_NAME_FIELD_NUMBER: _ClassVar[int]
    LAYOUT_FIELD_NUMBER: _ClassVar[int]
    AXES_FIELD_NUMBER: _ClassVar[int]
    HEXES_FIELD_NUMBER: _ClassVar[int]
    BORDERS_FIELD_NUMBER: _ClassVar[int]
    TILES_FIELD_NUMBER: _ClassVar[int]
    COMPANIES_FIELD_NUMBER: _ClassVar[int]
    TRAINS_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    PHASES_FIELD_NUMBER: _ClassVar[int]
    CONNECTIONS_FIELD_NUMBER: _ClassVar[int]
    COMMODITIES_FIELD_NUMBER: _ClassVar[int]
    SWITCHES_FIELD_NUMBER: _ClassVar[int]
    RULE_SETS_FIELD_NUMBER: _ClassVar[int]
    DESIGNERS_FIELD_NUMBER: _ClassVar[int]
    PUBLISHER_FIELD_NUMBER: _ClassVar[int]
    name: str
    title_id: str
    display_name: str
    layout: str
    axes: str
    hexes: _containers.RepeatedCompositeFieldContainer[MapHex]
    borders: _containers.RepeatedCompositeFieldContainer[Border]
    tiles: _containers.RepeatedCompositeFieldContainer[TileType]
    companies: _containers.RepeatedCompositeFieldContainer[Company]
    trains: _containers.RepeatedCompositeFieldContainer[_position_pb2.Train]
    cards: _containers.RepeatedCompositeFieldContainer[TrainCard]
    phases: _containers.RepeatedCompositeFieldContainer[Phase]
    connections: _containers.RepeatedCompositeFieldContainer[Connection]
    commodities: _containers.RepeatedCompositeFieldContainer[Commodity]
    switches: _containers.RepeatedCompositeFieldContainer[RuleSwitch]
    rule_sets: _containers.RepeatedCompositeFieldContainer[RuleSet]
    designers: _containers.RepeatedScalarFieldContainer[str]
    publisher: str
    def __init__(self, name: _Optional[str] = ..., title_id: _Optional[str] = ..., display_name: _Optional[str] = ..., layout: _Optional[str] = ..., axes: _Optional[str] = ..., hexes: _Optional[_Iterable[_Union[MapHex, _Mapping]]] = ..., borders: _Optional[_Iterable[_Union[Border, _Mapping]]] = ..., tiles: _Optional[_Iterable[_Union[TileType, _Mapping]]] = ..., companies: _Optional[_Iterable[_Union[Company, _Mapping]]] = ..., trains: _Optional[_Iterable[_Union[_position_pb2.Train, _Mapping]]] = ..., cards: _Optional[_Iterable[_Union[TrainCard, _Mapping]]] = ..., phases: _Optional[_Iterable[_Union[Phase, _Mapping]]] = ..., connections: _Optional[_Iterable[_Union[Connection, _Mapping]]] = ..., commodities: _Optional[_Iterable[_Union[Commodity, _Mapping]]] = ..., switches: _Optional[_Iterable[_Union[RuleSwitch, _Mapping]]] = ..., rule_sets: _Optional[_Iterable[_Union[RuleSet, _Mapping]]] = ..., designers: _Optional[_Iterable[str]] = ..., publisher: _Optional[str] = ...) -> None: ...

class MapHex(_message.Message):
    __slots__ = ("hex", "name", "color", "definition", "terrain", "terrain_cost", "plus", "neighbors", "first_tiles")
    class NeighborsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: int
        value: str
        def __init__(self, key: _Optional[int] = ..., value: _Optional[str] = ...) -> None: ...
    HEX_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    COLOR_FIELD_NUMBER: _ClassVar[int]
    DEFINITION_FIELD_NUMBER: _ClassVar[int]
    TERRAIN_FIELD_NUMBER: _ClassVar[int]
    TERRAIN_COST_FIELD_NUMBER: _ClassVar[int]
    PLUS_FIELD_NUMBER: _ClassVar[int]
    NEIGHBORS_FIELD_NUMBER: _ClassVar[int]
    FIRST_TILES_FIELD_NUMBER: _ClassVar[int]
    hex: str
    name: str
    color: str
    definition: str
    terrain: str
    terrain_cost: int
    plus: int
    neighbors: _containers.ScalarMap[int, str]
    first_tiles: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, hex: _Optional[str] = ..., name: _Optional[str] = ..., color: _Optional[str] = ..., definition: _Optional[str] = ..., terrain: _Optional[str] = ..., terrain_cost: _Optional[int] = ..., plus: _Optional[int] = ..., neighbors: _Optional[_Mapping[int, str]] = ..., first_tiles: _Optional[_Iterable[str]] = ...) -> None: ...

class Border(_message.Message):
    __slots__ = ("hexes", "province", "river_cost")
    HEXES_FIELD_NUMBER: _ClassVar[int]
    PROVINCE_FIELD_NUMBER: _ClassVar[int]
    RIVER_COST_FIELD_NUMBER: _ClassVar[int]
    hexes: _containers.RepeatedScalarFieldContainer[str]
    province: bool
    river_cost: int
    def __init__(self, hexes: _Optional[_Iterable[str]] = ..., province: bool = ..., river_cost: _Optional[int] = ...) -> None: ...

class TileType(_message.Message):
    __slots__ = ("tile", "color", "definition", "count", "upgrades")
    TILE_FIELD_NUMBER: _ClassVar[int]
    COLOR_FIELD_NUMBER: _ClassVar[int]
    DEFINITION_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    UPGRADES_FIELD_NUMBER: _ClassVar[int]
    tile: str
    color: str
    definition: str
    count: int
    upgrades: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, tile: _Optional[str] = ..., color: _Optional[str] = ..., definition: _Optional[str] = ..., count: _Optional[int] = ..., upgrades: _Optional[_Iterable[str]] = ...) -> None: ...

class Company(_message.Message):
    __slots__ = ("company_id", "display_name", "region", "ipo_price", "token_costs", "color", "home_hex", "home_cities")
    COMPANY_ID_FIELD_NUMBER: _ClassVar[int]
    DISPLAY_NAME_FIELD_NUMBER: _ClassVar[int]
    REGION_FIELD_NUMBER: _ClassVar[int]
    IPO_PRICE_FIELD_NUMBER: _ClassVar[int]
    TOKEN_COSTS_FIELD_NUMBER: _ClassVar[int]
    COLOR_FIELD_NUMBER: _ClassVar[int]
    HOME_HEX_FIELD_NUMBER: _ClassVar[int]
    HOME_CITIES_FIELD_NUMBER: _ClassVar[int]
    company_id: str
    display_name: str
    region: str
    ipo_price: int
    token_costs: _containers.RepeatedScalarFieldContainer[int]
    color: str
    home_hex: str
    home_cities: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, company_id: _Optional[str] = ..., display_name: _Optional[str] = ..., region: _Optional[str] = ..., ipo_price: _Optional[int] = ..., token_costs: _Optional[_Iterable[int]] = ..., color: _Optional[str] = ..., home_hex: _Optional[str] = ..., home_cities: _Optional[_Iterable[int]] = ...) -> None: ...

class TrainCard(_message.Message):
    __slots__ = ("card", "count", "price", "buy_back", "trains")
    CARD_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    PRICE_FIELD_NUMBER: _ClassVar[int]
    BUY_BACK_FIELD_NUMBER: _ClassVar[int]
    TRAINS_FIELD_NUMBER: _ClassVar[int]
    card: str
    count: int
    price: int
    buy_back: int
    trains: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, card: _Optional[str] = ..., count: _Optional[int] = ..., price: _Optional[int] = ..., buy_back: _Optional[int] = ..., trains: _Optional[_Iterable[str]] = ...) -> None: ...

class Phase(_message.Message):
    __slots__ = ("phase", "colors")
    PHASE_FIELD_NUMBER: _ClassVar[int]
    COLORS_FIELD_NUMBER: _ClassVar[int]
    phase: str
    colors: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, phase: _Optional[str] = ..., colors: _Optional[_Iterable[str]] = ...) -> None: ...

class Connection(_message.Message):
    __slots__ = ("display_name", "hexes", "bonus")
    DISPLAY_NAME_FIELD_NUMBER: _ClassVar[int]
    HEXES_FIELD_NUMBER: _ClassVar[int]
    BONUS_FIELD_NUMBER: _ClassVar[int]
    display_name: str
    hexes: _containers.RepeatedScalarFieldContainer[str]
    bonus: int
    def __init__(self, display_name: _Optional[str] = ..., hexes: _Optional[_Iterable[str]] = ..., bonus: _Optional[int] = ...) -> None: ...

class Commodity(_message.Message):
    __slots__ = ("commodity_id", "source_hexes", "destinations")
    class DestinationsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: int
        def __init__(self, key: _Optional[str] = ..., value: _Optional[int] = ...) -> None: ...
    COMMODITY_ID_FIELD_NUMBER: _ClassVar[int]
    SOURCE_HEXES_FIELD_NUMBER: _ClassVar[int]
    DESTINATIONS_FIELD_NUMBER: _ClassVar[int]
    commodity_id: str
    source_hexes: _containers.RepeatedScalarFieldContainer[str]
    destinations: _containers.ScalarMap[str, int]
    def __init__(self, commodity_id: _Optional[str] = ..., source_hexes: _Optional[_Iterable[str]] = ..., destinations: _Optional[_Mapping[str, int]] = ...) -> None: ...

class RuleSwitch(_message.Message):
    __slots__ = ("switch_id", "description")
    SWITCH_ID_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    switch_id: str
    description: str
    def __init__(self, switch_id: _Optional[str] = ..., description: _Optional[str] = ...) -> None: ...

class RuleSet(_message.Message):
    __slots__ = ("set", "switches")
    class SwitchesEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: bool
        def __init__(self, key: _Optional[str] = ..., value: bool = ...) -> None: ...
    SET_FIELD_NUMBER: _ClassVar[int]
    SWITCHES_FIELD_NUMBER: _ClassVar[int]
    set: str
    switches: _containers.ScalarMap[str, bool]
    def __init__(self, set: _Optional[str] = ..., switches: _Optional[_Mapping[str, bool]] = ...) -> None: ...
