from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Position(_message.Message):
    __slots__ = ("title", "layout", "tiles", "tokens", "markers", "phase", "phase_colors", "company", "trains", "open_concessions", "held_concessions", "jewelry_hex", "rules")
    TITLE_FIELD_NUMBER: _ClassVar[int]
    LAYOUT_FIELD_NUMBER: _ClassVar[int]
    TILES_FIELD_NUMBER: _ClassVar[int]
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    MARKERS_FIELD_NUMBER: _ClassVar[int]
    PHASE_FIELD_NUMBER: _ClassVar[int]
    PHASE_COLORS_FIELD_NUMBER: _ClassVar[int]
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    TRAINS_FIELD_NUMBER: _ClassVar[int]
    OPEN_CONCESSIONS_FIELD_NUMBER: _ClassVar[int]
    HELD_CONCESSIONS_FIELD_NUMBER: _ClassVar[int]
    JEWELRY_HEX_FIELD_NUMBER: _ClassVar[int]
    RULES_FIELD_NUMBER: _ClassVar[int]
    title: str
    layout: str
    tiles: _containers.RepeatedCompositeFieldContainer[LaidTile]
    tokens: _containers.RepeatedCompositeFieldContainer[Token]
    markers: _containers.RepeatedCompositeFieldContainer[Marker]
    phase: str
    phase_colors: _containers.RepeatedScalarFieldContainer[str]
    company: str
    trains: _containers.RepeatedCompositeFieldContainer[Train]
    open_concessions: _containers.RepeatedScalarFieldContainer[str]
    held_concessions: _containers.RepeatedScalarFieldContainer[str]
    jewelry_hex: str
    rules: Rules
    def __init__(self, title: _Optional[str] = ..., layout: _Optional[str] = ..., tiles: _Optional[_Iterable[_Union[LaidTile, _Mapping]]] = ..., tokens: _Optional[_Iterable[_Union[Token, _Mapping]]] = ..., markers: _Optional[_Iterable[_Union[Marker, _Mapping]]] = ..., phase: _Optional[str] = ..., phase_colors: _Optional[_Iterable[str]] = ..., company: _Optional[str] = ..., trains: _Optional[_Iterable[_Union[Train, _Mapping]]] = ..., open_concessions: _Optional[_Iterable[str]] = ..., held_concessions: _Optional[_Iterable[str]] = ..., jewelry_hex: _Optional[str] = ..., rules: _Optional[_Union[Rules, _Mapping]] = ...) -> None: ...

class LaidTile(_message.Message):
    __slots__ = ("hex", "tile", "rotation", "definition", "color", "name")
    HEX_FIELD_NUMBER: _ClassVar[int]
    TILE_FIELD_NUMBER: _ClassVar[int]
    ROTATION_FIELD_NUMBER: _ClassVar[int]
    DEFINITION_FIELD_NUMBER: _ClassVar[int]
    COLOR_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    hex: str
    tile: str
    rotation: int
    definition: str
    color: str
    name: str
    def __init__(self, hex: _Optional[str] = ..., tile: _Optional[str] = ..., rotation: _Optional[int] = ..., definition: _Optional[str] = ..., color: _Optional[str] = ..., name: _Optional[str] = ...) -> None: ...

class Token(_message.Message):
    __slots__ = ("company", "hex", "city", "slot", "extra")
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    HEX_FIELD_NUMBER: _ClassVar[int]
    CITY_FIELD_NUMBER: _ClassVar[int]
    SLOT_FIELD_NUMBER: _ClassVar[int]
    EXTRA_FIELD_NUMBER: _ClassVar[int]
    company: str
    hex: str
    city: int
    slot: int
    extra: bool
    def __init__(self, company: _Optional[str] = ..., hex: _Optional[str] = ..., city: _Optional[int] = ..., slot: _Optional[int] = ..., extra: bool = ...) -> None: ...

class Marker(_message.Message):
    __slots__ = ("hexes",)
    HEXES_FIELD_NUMBER: _ClassVar[int]
    hexes: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, hexes: _Optional[_Iterable[str]] = ...) -> None: ...

class Train(_message.Message):
    __slots__ = ("name", "distance", "visits", "multiplier", "own_token_counts", "card")
    NAME_FIELD_NUMBER: _ClassVar[int]
    DISTANCE_FIELD_NUMBER: _ClassVar[int]
    VISITS_FIELD_NUMBER: _ClassVar[int]
    MULTIPLIER_FIELD_NUMBER: _ClassVar[int]
    OWN_TOKEN_COUNTS_FIELD_NUMBER: _ClassVar[int]
    CARD_FIELD_NUMBER: _ClassVar[int]
    name: str
    distance: int
    visits: _containers.RepeatedCompositeFieldContainer[Visits]
    multiplier: int
    own_token_counts: bool
    card: str
    def __init__(self, name: _Optional[str] = ..., distance: _Optional[int] = ..., visits: _Optional[_Iterable[_Union[Visits, _Mapping]]] = ..., multiplier: _Optional[int] = ..., own_token_counts: bool = ..., card: _Optional[str] = ...) -> None: ...

class Visits(_message.Message):
    __slots__ = ("kinds", "visit", "pay")
    KINDS_FIELD_NUMBER: _ClassVar[int]
    VISIT_FIELD_NUMBER: _ClassVar[int]
    PAY_FIELD_NUMBER: _ClassVar[int]
    kinds: _containers.RepeatedScalarFieldContainer[str]
    visit: int
    pay: int
    def __init__(self, kinds: _Optional[_Iterable[str]] = ..., visit: _Optional[int] = ..., pay: _Optional[int] = ...) -> None: ...

class Rules(_message.Message):
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
