from google.protobuf import duration_pb2 as _duration_pb2
from trunkline.v1 import position_pb2 as _position_pb2
from trunkline.v1 import solution_pb2 as _solution_pb2
from trunkline.v1 import title_pb2 as _title_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class SolveRequest(_message.Message):
    __slots__ = ("position", "time_limit")
    POSITION_FIELD_NUMBER: _ClassVar[int]
    TIME_LIMIT_FIELD_NUMBER: _ClassVar[int]
    position: _position_pb2.Position
    time_limit: _duration_pb2.Duration
    def __init__(self, position: _Optional[_Union[_position_pb2.Position, _Mapping]] = ..., time_limit: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class SolveResponse(_message.Message):
    __slots__ = ("solution",)
    SOLUTION_FIELD_NUMBER: _ClassVar[int]
    solution: _solution_pb2.Solution
    def __init__(self, solution: _Optional[_Union[_solution_pb2.Solution, _Mapping]] = ...) -> None: ...

class SolveStreamRequest(_message.Message):
    __slots__ = ("position", "time_limit")
    POSITION_FIELD_NUMBER: _ClassVar[int]
    TIME_LIMIT_FIELD_NUMBER: _ClassVar[int]
    position: _position_pb2.Position
    time_limit: _duration_pb2.Duration
    def __init__(self, position: _Optional[_Union[_position_pb2.Position, _Mapping]] = ..., time_limit: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class SolveStreamResponse(_message.Message):
    __slots__ = ("solution", "final")
    SOLUTION_FIELD_NUMBER: _ClassVar[int]
    FINAL_FIELD_NUMBER: _ClassVar[int]
    solution: _solution_pb2.Solution
    final: bool
    def __init__(self, solution: _Optional[_Union[_solution_pb2.Solution, _Mapping]] = ..., final: bool = ...) -> None: ...

class BatchSolveRequest(_message.Message):
    __slots__ = ("position", "time_limit")
    POSITION_FIELD_NUMBER: _ClassVar[int]
    TIME_LIMIT_FIELD_NUMBER: _ClassVar[int]
    position: _position_pb2.Position
    time_limit: _duration_pb2.Duration
    def __init__(self, position: _Optional[_Union[_position_pb2.Position, _Mapping]] = ..., time_limit: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class BatchSolveResponse(_message.Message):
    __slots__ = ("index", "solution", "error")
    INDEX_FIELD_NUMBER: _ClassVar[int]
    SOLUTION_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    index: int
    solution: _solution_pb2.Solution
    error: Error
    def __init__(self, index: _Optional[int] = ..., solution: _Optional[_Union[_solution_pb2.Solution, _Mapping]] = ..., error: _Optional[_Union[Error, _Mapping]] = ...) -> None: ...

class Error(_message.Message):
    __slots__ = ("code", "message", "faults")
    CODE_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    FAULTS_FIELD_NUMBER: _ClassVar[int]
    code: int
    message: str
    faults: _containers.RepeatedCompositeFieldContainer[_solution_pb2.Fault]
    def __init__(self, code: _Optional[int] = ..., message: _Optional[str] = ..., faults: _Optional[_Iterable[_Union[_solution_pb2.Fault, _Mapping]]] = ...) -> None: ...

class EvaluateRequest(_message.Message):
    __slots__ = ("position", "routes")
    POSITION_FIELD_NUMBER: _ClassVar[int]
    ROUTES_FIELD_NUMBER: _ClassVar[int]
    position: _position_pb2.Position
    routes: _containers.RepeatedCompositeFieldContainer[_solution_pb2.DrawnRoute]
    def __init__(self, position: _Optional[_Union[_position_pb2.Position, _Mapping]] = ..., routes: _Optional[_Iterable[_Union[_solution_pb2.DrawnRoute, _Mapping]]] = ...) -> None: ...

class EvaluateResponse(_message.Message):
    __slots__ = ("evaluation",)
    EVALUATION_FIELD_NUMBER: _ClassVar[int]
    evaluation: _solution_pb2.Evaluation
    def __init__(self, evaluation: _Optional[_Union[_solution_pb2.Evaluation, _Mapping]] = ...) -> None: ...

class ListTitlesRequest(_message.Message):
    __slots__ = ("page_size", "page_token")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListTitlesResponse(_message.Message):
    __slots__ = ("titles", "next_page_token")
    TITLES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    titles: _containers.RepeatedCompositeFieldContainer[_title_pb2.Title]
    next_page_token: str
    def __init__(self, titles: _Optional[_Iterable[_Union[_title_pb2.Title, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class GetTitleRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class GetTitleResponse(_message.Message):
    __slots__ = ("title",)
    TITLE_FIELD_NUMBER: _ClassVar[int]
    title: _title_pb2.Title
    def __init__(self, title: _Optional[_Union[_title_pb2.Title, _Mapping]] = ...) -> None: ...
