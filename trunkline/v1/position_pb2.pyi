from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Position(_message.Message):
    __slots__ = ("title", "layout", "tiles", "tokens", "markers", "phase", "phase_colors", "company", "trains", "open_concessions", "held_concessions", "jewelry_hex", "rules", "axes", "assignments")
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
    AXES_FIELD_NUMBER: _ClassVar[int]
    ASSIGNMENTS_FIELD_NUMBER: _ClassVar[int]
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
    axes: str
    assignments: _containers.RepeatedCompositeFieldContainer[Assignment]
    def __init__(self, title: _Optional[str] = ..., layout: _Optional[str] = ..., tiles: _Optional[_Iterable[_Union[LaidTile, _Mapping]]] = ..., tokens: _Optional[_Iterable[_Union[Token, _Mapping]]] = ..., markers: _Optional[_Iterable[_Union[Marker, _Mapping]]] = ..., phase: _Optional[str] = ..., phase_colors: _Optional[_Iterable[str]] = ..., company: _Optional[str] = ..., trains: _Optional[_Iterable[_Union[Train, _Mapping]]] = ..., open_concessions: _Optional[_Iterable[str]] = ..., held_concessions: _Optional[_Iterable[str]] = ..., jewelry_hex: _Optional[str] = ..., rules: _Optional[_Union[Rules, _Mapping]] = ..., axes: _Optional[str] = ..., assignments: _Optional[_Iterable[_Union[Assignment, _Mapping]]] = ...) -> None: ...

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
    __slots__ = ("name", "distance", "visits", "multiplier", "own_token_counts", "card", "diesel_value")
    NAME_FIELD_NUMBER: _ClassVar[int]
    DISTANCE_FIELD_NUMBER: _ClassVar[int]
    VISITS_FIELD_NUMBER: _ClassVar[int]
    MULTIPLIER_FIELD_NUMBER: _ClassVar[int]
    OWN_TOKEN_COUNTS_FIELD_NUMBER: _ClassVar[int]
    CARD_FIELD_NUMBER: _ClassVar[int]
    DIESEL_VALUE_FIELD_NUMBER: _ClassVar[int]
    name: str
    distance: int
    visits: _containers.RepeatedCompositeFieldContainer[Visits]
    multiplier: int
    own_token_counts: bool
    card: str
    diesel_value: bool
    def __init__(self, name: _Optional[str] = ..., distance: _Optional[int] = ..., visits: _Optional[_Iterable[_Union[Visits, _Mapping]]] = ..., multiplier: _Optional[int] = ..., own_token_counts: bool = ..., card: _Optional[str] = ..., diesel_value: bool = ...) -> None: ...

class Visits(_message.Message):
    __slots__ = ("kinds", "visit", "pay", "multiplier")
    KINDS_FIELD_NUMBER: _ClassVar[int]
    VISIT_FIELD_NUMBER: _ClassVar[int]
    PAY_FIELD_NUMBER: _ClassVar[int]
    MULTIPLIER_FIELD_NUMBER: _ClassVar[int]
    kinds: _containers.RepeatedScalarFieldContainer[str]
    visit: int
    pay: int
    multiplier: int
    def __init__(self, kinds: _Optional[_Iterable[str]] = ..., visit: _Optional[int] = ..., pay: _Optional[int] = ..., multiplier: _Optional[int] = ...) -> None: ...

class Rules(_message.Message):
    __slots__ = ("set", "switches", "bonuses", "one_stop_per_hex", "several_stops", "no_ends")
    class SwitchesEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: bool
        def __init__(self, key: _Optional[str] = ..., value: bool = ...) -> None: ...
    SET_FIELD_NUMBER: _ClassVar[int]
    SWITCHES_FIELD_NUMBER: _ClassVar[int]
    BONUSES_FIELD_NUMBER: _ClassVar[int]
    ONE_STOP_PER_HEX_FIELD_NUMBER: _ClassVar[int]
    SEVERAL_STOPS_FIELD_NUMBER: _ClassVar[int]
    NO_ENDS_FIELD_NUMBER: _ClassVar[int]
    set: str
    switches: _containers.ScalarMap[str, bool]
    bonuses: _containers.RepeatedCompositeFieldContainer[Bonus]
    one_stop_per_hex: bool
    several_stops: _containers.RepeatedScalarFieldContainer[str]
    no_ends: _containers.RepeatedCompositeFieldContainer[StopSet]
    def __init__(self, set: _Optional[str] = ..., switches: _Optional[_Mapping[str, bool]] = ..., bonuses: _Optional[_Iterable[_Union[Bonus, _Mapping]]] = ..., one_stop_per_hex: bool = ..., several_stops: _Optional[_Iterable[str]] = ..., no_ends: _Optional[_Iterable[_Union[StopSet, _Mapping]]] = ...) -> None: ...

class Bonus(_message.Message):
    __slots__ = ("name", "amount", "stops", "crosses", "per", "visited", "multiplied", "companies", "trains", "phases", "not_trains", "marker")
    NAME_FIELD_NUMBER: _ClassVar[int]
    AMOUNT_FIELD_NUMBER: _ClassVar[int]
    STOPS_FIELD_NUMBER: _ClassVar[int]
    CROSSES_FIELD_NUMBER: _ClassVar[int]
    PER_FIELD_NUMBER: _ClassVar[int]
    VISITED_FIELD_NUMBER: _ClassVar[int]
    MULTIPLIED_FIELD_NUMBER: _ClassVar[int]
    COMPANIES_FIELD_NUMBER: _ClassVar[int]
    TRAINS_FIELD_NUMBER: _ClassVar[int]
    PHASES_FIELD_NUMBER: _ClassVar[int]
    NOT_TRAINS_FIELD_NUMBER: _ClassVar[int]
    MARKER_FIELD_NUMBER: _ClassVar[int]
    name: str
    amount: int
    stops: _containers.RepeatedCompositeFieldContainer[StopSet]
    crosses: StopSet
    per: str
    visited: bool
    multiplied: bool
    companies: _containers.RepeatedScalarFieldContainer[str]
    trains: _containers.RepeatedScalarFieldContainer[str]
    phases: _containers.RepeatedScalarFieldContainer[str]
    not_trains: _containers.RepeatedScalarFieldContainer[str]
    marker: str
    def __init__(self, name: _Optional[str] = ..., amount: _Optional[int] = ..., stops: _Optional[_Iterable[_Union[StopSet, _Mapping]]] = ..., crosses: _Optional[_Union[StopSet, _Mapping]] = ..., per: _Optional[str] = ..., visited: bool = ..., multiplied: bool = ..., companies: _Optional[_Iterable[str]] = ..., trains: _Optional[_Iterable[str]] = ..., phases: _Optional[_Iterable[str]] = ..., not_trains: _Optional[_Iterable[str]] = ..., marker: _Optional[str] = ...) -> None: ...

class StopSet(_message.Message):
    __slots__ = ("hexes", "groups", "labels", "markers", "kinds")
    HEXES_FIELD_NUMBER: _ClassVar[int]
    GROUPS_FIELD_NUMBER: _ClassVar[int]
    LABELS_FIELD_NUMBER: _ClassVar[int]
    MARKERS_FIELD_NUMBER: _ClassVar[int]
    KINDS_FIELD_NUMBER: _ClassVar[int]
    hexes: _containers.RepeatedScalarFieldContainer[str]
    groups: _containers.RepeatedScalarFieldContainer[str]
    labels: _containers.RepeatedScalarFieldContainer[str]
    markers: _containers.RepeatedScalarFieldContainer[str]
    kinds: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, hexes: _Optional[_Iterable[str]] = ..., groups: _Optional[_Iterable[str]] = ..., labels: _Optional[_Iterable[str]] = ..., markers: _Optional[_Iterable[str]] = ..., kinds: _Optional[_Iterable[str]] = ...) -> None: ...

class Assignment(_message.Message):
    __slots__ = ("marker", "hex", "company")
    MARKER_FIELD_NUMBER: _ClassVar[int]
    HEX_FIELD_NUMBER: _ClassVar[int]
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    marker: str
    hex: str
    company: str
    def __init__(self, marker: _Optional[str] = ..., hex: _Optional[str] = ..., company: _Optional[str] = ...) -> None: ...
