from trunkline.v1 import box_pb2 as _box_pb2
from trunkline.v1 import game_pb2 as _game_pb2
from trunkline.v1 import position_pb2 as _position_pb2
from trunkline.v1 import solution_pb2 as _solution_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class CreateGameRequest(_message.Message):
    __slots__ = ("options", "seed", "undo_policy")
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    UNDO_POLICY_FIELD_NUMBER: _ClassVar[int]
    options: _game_pb2.GameOptions
    seed: int
    undo_policy: _game_pb2.UndoPolicy
    def __init__(self, options: _Optional[_Union[_game_pb2.GameOptions, _Mapping]] = ..., seed: _Optional[int] = ..., undo_policy: _Optional[_Union[_game_pb2.UndoPolicy, str]] = ...) -> None: ...

class CreateGameResponse(_message.Message):
    __slots__ = ("game", "seat_tokens", "host_token")
    GAME_FIELD_NUMBER: _ClassVar[int]
    SEAT_TOKENS_FIELD_NUMBER: _ClassVar[int]
    HOST_TOKEN_FIELD_NUMBER: _ClassVar[int]
    game: _game_pb2.Game
    seat_tokens: _containers.RepeatedCompositeFieldContainer[_game_pb2.SeatToken]
    host_token: str
    def __init__(self, game: _Optional[_Union[_game_pb2.Game, _Mapping]] = ..., seat_tokens: _Optional[_Iterable[_Union[_game_pb2.SeatToken, _Mapping]]] = ..., host_token: _Optional[str] = ...) -> None: ...

class ListGamesRequest(_message.Message):
    __slots__ = ("page_size", "page_token")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListGamesResponse(_message.Message):
    __slots__ = ("games", "next_page_token")
    GAMES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    games: _containers.RepeatedCompositeFieldContainer[_game_pb2.Game]
    next_page_token: str
    def __init__(self, games: _Optional[_Iterable[_Union[_game_pb2.Game, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class GetGameRequest(_message.Message):
    __slots__ = ("name", "action_number")
    NAME_FIELD_NUMBER: _ClassVar[int]
    ACTION_NUMBER_FIELD_NUMBER: _ClassVar[int]
    name: str
    action_number: int
    def __init__(self, name: _Optional[str] = ..., action_number: _Optional[int] = ...) -> None: ...

class GetGameResponse(_message.Message):
    __slots__ = ("game", "seat")
    GAME_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    game: _game_pb2.Game
    seat: int
    def __init__(self, game: _Optional[_Union[_game_pb2.Game, _Mapping]] = ..., seat: _Optional[int] = ...) -> None: ...

class ListLegalActionsRequest(_message.Message):
    __slots__ = ("name", "solve")
    NAME_FIELD_NUMBER: _ClassVar[int]
    SOLVE_FIELD_NUMBER: _ClassVar[int]
    name: str
    solve: bool
    def __init__(self, name: _Optional[str] = ..., solve: bool = ...) -> None: ...

class ListLegalActionsResponse(_message.Message):
    __slots__ = ("legal_actions", "action_number", "revision", "best")
    LEGAL_ACTIONS_FIELD_NUMBER: _ClassVar[int]
    ACTION_NUMBER_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    BEST_FIELD_NUMBER: _ClassVar[int]
    legal_actions: _containers.RepeatedCompositeFieldContainer[LegalAction]
    action_number: int
    revision: int
    best: _solution_pb2.Solution
    def __init__(self, legal_actions: _Optional[_Iterable[_Union[LegalAction, _Mapping]]] = ..., action_number: _Optional[int] = ..., revision: _Optional[int] = ..., best: _Optional[_Union[_solution_pb2.Solution, _Mapping]] = ...) -> None: ...

class LegalAction(_message.Message):
    __slots__ = ("action", "notation", "description")
    ACTION_FIELD_NUMBER: _ClassVar[int]
    NOTATION_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    action: _game_pb2.Action
    notation: str
    description: str
    def __init__(self, action: _Optional[_Union[_game_pb2.Action, _Mapping]] = ..., notation: _Optional[str] = ..., description: _Optional[str] = ...) -> None: ...

class ApplyActionRequest(_message.Message):
    __slots__ = ("name", "action", "expected_action_number", "expected_revision", "request_id")
    NAME_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_ACTION_NUMBER_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_REVISION_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    name: str
    action: _game_pb2.Action
    expected_action_number: int
    expected_revision: int
    request_id: str
    def __init__(self, name: _Optional[str] = ..., action: _Optional[_Union[_game_pb2.Action, _Mapping]] = ..., expected_action_number: _Optional[int] = ..., expected_revision: _Optional[int] = ..., request_id: _Optional[str] = ...) -> None: ...

class ApplyActionResponse(_message.Message):
    __slots__ = ("action_number", "game")
    ACTION_NUMBER_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    action_number: int
    game: _game_pb2.Game
    def __init__(self, action_number: _Optional[int] = ..., game: _Optional[_Union[_game_pb2.Game, _Mapping]] = ...) -> None: ...

class WatchGameRequest(_message.Message):
    __slots__ = ("name", "after_action_number", "known_revision", "table")
    NAME_FIELD_NUMBER: _ClassVar[int]
    AFTER_ACTION_NUMBER_FIELD_NUMBER: _ClassVar[int]
    KNOWN_REVISION_FIELD_NUMBER: _ClassVar[int]
    TABLE_FIELD_NUMBER: _ClassVar[int]
    name: str
    after_action_number: int
    known_revision: int
    table: bool
    def __init__(self, name: _Optional[str] = ..., after_action_number: _Optional[int] = ..., known_revision: _Optional[int] = ..., table: bool = ...) -> None: ...

class WatchGameResponse(_message.Message):
    __slots__ = ("action", "undone_to", "action_number", "revision", "notation", "game")
    ACTION_FIELD_NUMBER: _ClassVar[int]
    UNDONE_TO_FIELD_NUMBER: _ClassVar[int]
    ACTION_NUMBER_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    NOTATION_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    action: _game_pb2.Action
    undone_to: int
    action_number: int
    revision: int
    notation: str
    game: _game_pb2.Game
    def __init__(self, action: _Optional[_Union[_game_pb2.Action, _Mapping]] = ..., undone_to: _Optional[int] = ..., action_number: _Optional[int] = ..., revision: _Optional[int] = ..., notation: _Optional[str] = ..., game: _Optional[_Union[_game_pb2.Game, _Mapping]] = ...) -> None: ...

class UndoActionsRequest(_message.Message):
    __slots__ = ("name", "action_number", "expected_action_number")
    NAME_FIELD_NUMBER: _ClassVar[int]
    ACTION_NUMBER_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_ACTION_NUMBER_FIELD_NUMBER: _ClassVar[int]
    name: str
    action_number: int
    expected_action_number: int
    def __init__(self, name: _Optional[str] = ..., action_number: _Optional[int] = ..., expected_action_number: _Optional[int] = ...) -> None: ...

class UndoActionsResponse(_message.Message):
    __slots__ = ("game",)
    GAME_FIELD_NUMBER: _ClassVar[int]
    game: _game_pb2.Game
    def __init__(self, game: _Optional[_Union[_game_pb2.Game, _Mapping]] = ...) -> None: ...

class ExportGameRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class ExportGameResponse(_message.Message):
    __slots__ = ("log",)
    LOG_FIELD_NUMBER: _ClassVar[int]
    log: str
    def __init__(self, log: _Optional[str] = ...) -> None: ...

class ImportGameRequest(_message.Message):
    __slots__ = ("log", "site_json", "undo_policy")
    LOG_FIELD_NUMBER: _ClassVar[int]
    SITE_JSON_FIELD_NUMBER: _ClassVar[int]
    UNDO_POLICY_FIELD_NUMBER: _ClassVar[int]
    log: str
    site_json: str
    undo_policy: _game_pb2.UndoPolicy
    def __init__(self, log: _Optional[str] = ..., site_json: _Optional[str] = ..., undo_policy: _Optional[_Union[_game_pb2.UndoPolicy, str]] = ...) -> None: ...

class ImportGameResponse(_message.Message):
    __slots__ = ("game", "seat_tokens", "host_token")
    GAME_FIELD_NUMBER: _ClassVar[int]
    SEAT_TOKENS_FIELD_NUMBER: _ClassVar[int]
    HOST_TOKEN_FIELD_NUMBER: _ClassVar[int]
    game: _game_pb2.Game
    seat_tokens: _containers.RepeatedCompositeFieldContainer[_game_pb2.SeatToken]
    host_token: str
    def __init__(self, game: _Optional[_Union[_game_pb2.Game, _Mapping]] = ..., seat_tokens: _Optional[_Iterable[_Union[_game_pb2.SeatToken, _Mapping]]] = ..., host_token: _Optional[str] = ...) -> None: ...

class GetPositionRequest(_message.Message):
    __slots__ = ("name", "company")
    NAME_FIELD_NUMBER: _ClassVar[int]
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    name: str
    company: str
    def __init__(self, name: _Optional[str] = ..., company: _Optional[str] = ...) -> None: ...

class GetPositionResponse(_message.Message):
    __slots__ = ("position",)
    POSITION_FIELD_NUMBER: _ClassVar[int]
    position: _position_pb2.Position
    def __init__(self, position: _Optional[_Union[_position_pb2.Position, _Mapping]] = ...) -> None: ...

class GetBoxRequest(_message.Message):
    __slots__ = ("options",)
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    options: _game_pb2.GameOptions
    def __init__(self, options: _Optional[_Union[_game_pb2.GameOptions, _Mapping]] = ...) -> None: ...

class GetBoxResponse(_message.Message):
    __slots__ = ("box",)
    BOX_FIELD_NUMBER: _ClassVar[int]
    box: _box_pb2.Box
    def __init__(self, box: _Optional[_Union[_box_pb2.Box, _Mapping]] = ...) -> None: ...
