from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Solution(_message.Message):
    __slots__ = ("routes", "idle", "total", "upper_bound", "optimal", "claims", "statistics")
    ROUTES_FIELD_NUMBER: _ClassVar[int]
    IDLE_FIELD_NUMBER: _ClassVar[int]
    TOTAL_FIELD_NUMBER: _ClassVar[int]
    UPPER_BOUND_FIELD_NUMBER: _ClassVar[int]
    OPTIMAL_FIELD_NUMBER: _ClassVar[int]
    CLAIMS_FIELD_NUMBER: _ClassVar[int]
    STATISTICS_FIELD_NUMBER: _ClassVar[int]
    routes: _containers.RepeatedCompositeFieldContainer[Route]
    idle: _containers.RepeatedCompositeFieldContainer[IdleTrain]
    total: int
    upper_bound: int
    optimal: bool
    claims: _containers.RepeatedScalarFieldContainer[str]
    statistics: Statistics
    def __init__(self, routes: _Optional[_Iterable[_Union[Route, _Mapping]]] = ..., idle: _Optional[_Iterable[_Union[IdleTrain, _Mapping]]] = ..., total: _Optional[int] = ..., upper_bound: _Optional[int] = ..., optimal: bool = ..., claims: _Optional[_Iterable[str]] = ..., statistics: _Optional[_Union[Statistics, _Mapping]] = ...) -> None: ...

class Route(_message.Message):
    __slots__ = ("train", "name", "stops", "segments", "hexes", "lines", "revenue", "markers", "commodities")
    TRAIN_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    STOPS_FIELD_NUMBER: _ClassVar[int]
    SEGMENTS_FIELD_NUMBER: _ClassVar[int]
    HEXES_FIELD_NUMBER: _ClassVar[int]
    LINES_FIELD_NUMBER: _ClassVar[int]
    REVENUE_FIELD_NUMBER: _ClassVar[int]
    MARKERS_FIELD_NUMBER: _ClassVar[int]
    COMMODITIES_FIELD_NUMBER: _ClassVar[int]
    train: int
    name: str
    stops: _containers.RepeatedCompositeFieldContainer[RouteStop]
    segments: _containers.RepeatedCompositeFieldContainer[Segment]
    hexes: _containers.RepeatedScalarFieldContainer[str]
    lines: _containers.RepeatedCompositeFieldContainer[RevenueLine]
    revenue: int
    markers: int
    commodities: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, train: _Optional[int] = ..., name: _Optional[str] = ..., stops: _Optional[_Iterable[_Union[RouteStop, _Mapping]]] = ..., segments: _Optional[_Iterable[_Union[Segment, _Mapping]]] = ..., hexes: _Optional[_Iterable[str]] = ..., lines: _Optional[_Iterable[_Union[RevenueLine, _Mapping]]] = ..., revenue: _Optional[int] = ..., markers: _Optional[int] = ..., commodities: _Optional[_Iterable[str]] = ...) -> None: ...

class RouteStop(_message.Message):
    __slots__ = ("hex", "kind", "number", "counted")
    HEX_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    COUNTED_FIELD_NUMBER: _ClassVar[int]
    hex: str
    kind: str
    number: int
    counted: bool
    def __init__(self, hex: _Optional[str] = ..., kind: _Optional[str] = ..., number: _Optional[int] = ..., counted: bool = ...) -> None: ...

class Segment(_message.Message):
    __slots__ = ("track",)
    TRACK_FIELD_NUMBER: _ClassVar[int]
    track: _containers.RepeatedCompositeFieldContainer[Track]
    def __init__(self, track: _Optional[_Iterable[_Union[Track, _Mapping]]] = ...) -> None: ...

class Track(_message.Message):
    __slots__ = ("hex", "path")
    HEX_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    hex: str
    path: int
    def __init__(self, hex: _Optional[str] = ..., path: _Optional[int] = ...) -> None: ...

class RevenueLine(_message.Message):
    __slots__ = ("kind", "label", "amount", "hex")
    KIND_FIELD_NUMBER: _ClassVar[int]
    LABEL_FIELD_NUMBER: _ClassVar[int]
    AMOUNT_FIELD_NUMBER: _ClassVar[int]
    HEX_FIELD_NUMBER: _ClassVar[int]
    kind: str
    label: str
    amount: int
    hex: str
    def __init__(self, kind: _Optional[str] = ..., label: _Optional[str] = ..., amount: _Optional[int] = ..., hex: _Optional[str] = ...) -> None: ...

class IdleTrain(_message.Message):
    __slots__ = ("train", "name", "reason")
    TRAIN_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    train: int
    name: str
    reason: str
    def __init__(self, train: _Optional[int] = ..., name: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class Statistics(_message.Message):
    __slots__ = ("nodes", "network_seconds", "problem_seconds", "search_seconds", "check_seconds")
    NODES_FIELD_NUMBER: _ClassVar[int]
    NETWORK_SECONDS_FIELD_NUMBER: _ClassVar[int]
    PROBLEM_SECONDS_FIELD_NUMBER: _ClassVar[int]
    SEARCH_SECONDS_FIELD_NUMBER: _ClassVar[int]
    CHECK_SECONDS_FIELD_NUMBER: _ClassVar[int]
    nodes: int
    network_seconds: float
    problem_seconds: float
    search_seconds: float
    check_seconds: float
    def __init__(self, nodes: _Optional[int] = ..., network_seconds: _Optional[float] = ..., problem_seconds: _Optional[float] = ..., search_seconds: _Optional[float] = ..., check_seconds: _Optional[float] = ...) -> None: ...

class DrawnRoute(_message.Message):
    __slots__ = ("train", "waypoints", "segments")
    TRAIN_FIELD_NUMBER: _ClassVar[int]
    WAYPOINTS_FIELD_NUMBER: _ClassVar[int]
    SEGMENTS_FIELD_NUMBER: _ClassVar[int]
    train: int
    waypoints: _containers.RepeatedScalarFieldContainer[str]
    segments: _containers.RepeatedCompositeFieldContainer[Segment]
    def __init__(self, train: _Optional[int] = ..., waypoints: _Optional[_Iterable[str]] = ..., segments: _Optional[_Iterable[_Union[Segment, _Mapping]]] = ...) -> None: ...

class Evaluation(_message.Message):
    __slots__ = ("routes", "total", "claims", "faults", "notes", "legal")
    ROUTES_FIELD_NUMBER: _ClassVar[int]
    TOTAL_FIELD_NUMBER: _ClassVar[int]
    CLAIMS_FIELD_NUMBER: _ClassVar[int]
    FAULTS_FIELD_NUMBER: _ClassVar[int]
    NOTES_FIELD_NUMBER: _ClassVar[int]
    LEGAL_FIELD_NUMBER: _ClassVar[int]
    routes: _containers.RepeatedCompositeFieldContainer[Route]
    total: int
    claims: _containers.RepeatedScalarFieldContainer[str]
    faults: _containers.RepeatedCompositeFieldContainer[Fault]
    notes: _containers.RepeatedScalarFieldContainer[str]
    legal: bool
    def __init__(self, routes: _Optional[_Iterable[_Union[Route, _Mapping]]] = ..., total: _Optional[int] = ..., claims: _Optional[_Iterable[str]] = ..., faults: _Optional[_Iterable[_Union[Fault, _Mapping]]] = ..., notes: _Optional[_Iterable[str]] = ..., legal: bool = ...) -> None: ...

class Fault(_message.Message):
    __slots__ = ("field", "message")
    FIELD_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    field: str
    message: str
    def __init__(self, field: _Optional[str] = ..., message: _Optional[str] = ...) -> None: ...
