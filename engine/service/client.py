"""A client of the game service: games kept elsewhere, with the engine's own values and errors.

    with Games("localhost:50051") as games:
        new = games.create(Options(players=("Ann", "Bob")))
        seen = games.get(new.id, new.seats[0])
        games.apply(new.id, new.seats[0], games.legal_actions(new.id, new.seats[0]).actions[0], seen.number)

Calls that fail because a server is restarting are repeated for ``patience`` seconds; an action is never taken twice.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

import grpc
from google.rpc import error_details_pb2, status_pb2
from grpc_status import rpc_status

from trunkline.engine.actions import Action
from trunkline.engine.errors import LogError, RuleError
from trunkline.engine.options import Options
from trunkline.engine.service.errors import Stale, UndoRefused, UnknownGame
from trunkline.engine.state import State
from trunkline.engine.undo import ANY_SEAT
from trunkline.engine.wire import messages
from trunkline.solver import wire
from trunkline.solver.board import Position, Solution
from trunkline.solver.errors import TrunklineError
from trunkline.solver.service.channel import Closing, connect, explained, with_port
from trunkline.solver.service.tls import Tls
from trunkline.solver.wire.status import ServiceError
from trunkline.v1 import game_pb2
from trunkline.v1 import game_service_pb2 as pb
from trunkline.v1.game_service_pb2_grpc import GameServiceStub

__all__ = [
    "Event",
    "Games",
    "Legal",
    "Listed",
    "NewGame",
    "Seen",
    "ServiceError",
    "Stale",
    "UndoRefused",
    "UnknownGame",
]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class NewGame:
    """A game just made: the secret tokens of its ``seats`` and of its ``host``, which are shown only once."""

    id: str
    seats: tuple[str, ...]
    host: str


@dataclass(frozen=True, slots=True)
class Listed:
    """A game in a list."""

    id: str
    players: tuple[str, ...]
    number: int
    revision: int
    stage: str
    actors: tuple[int, ...]
    scores: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Seen:
    """A game as a seat, or a spectator, sees it: after ``number`` actions; hidden cards of ``state`` read ``?``.

    ``undo_policy``: one of :data:`trunkline.engine.undo.UNDO_POLICIES`.
    """

    id: str
    state: State
    number: int
    revision: int
    actors: tuple[int, ...]
    undo_policy: str
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Legal:
    """What a seat can do after ``number`` actions; ``best``: the best routes, if they were asked for."""

    actions: tuple[Action, ...]
    number: int
    revision: int
    best: Solution | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """What happened in a game: ``action`` was taken, or all after ``undone_to`` were undone, or (first) nothing yet.

    ``number``: how many actions there are then. ``revision``: 0 while more is known that follows at once.
    """

    number: int
    revision: int
    action: Action | None = None
    undone_to: int | None = None
    state: State | None = None


class Games(Closing):
    """A connection to a server, ``host:port`` (port 50051 if none is given). Threads may share it.

    ``tls``: None without encryption; then whoever listens on the way can read the tokens.

    Every call raises ServiceError (the server cannot answer, or the token is wrong) and UnknownGame; RuleError,
    LogError and Stale as :class:`trunkline.engine.service.store.Store`.
    """

    def __init__(self, address: str, *, patience: float = 10.0, tls: Tls | None = None) -> None:
        self.address = with_port(address.strip())
        self._patience = patience
        options = [("grpc.max_receive_message_length", -1), ("grpc.max_reconnect_backoff_ms", 1000)]
        options += [("grpc.initial_reconnect_backoff_ms", 100), ("grpc.min_reconnect_backoff_ms", 100)]
        self._channel = connect([self.address], tls, options)
        self._stub = GameServiceStub(self._channel)  # type: ignore[no-untyped-call]

    def box(self, options: Options) -> dict[str, Any]:
        """What holds for a whole game under these options, in the JSON form of the message Box. Raises LogError."""
        request = pb.GetBoxRequest(options=messages.options_to_proto(options))
        return wire.to_dict(self._call(self._stub.GetBox, request, None).box)

    def create(self, options: Options, seed: int | None = None, *, undo_policy: str = ANY_SEAT) -> NewGame:
        """A new game; without ``seed`` a random deal. Not repeated by itself.

        ``undo_policy``: which seats may undo, one of :data:`trunkline.engine.undo.UNDO_POLICIES`.
        """
        request = pb.CreateGameRequest(options=messages.options_to_proto(options), seed=seed)
        request.undo_policy = messages.undo_policy_to_proto(undo_policy)
        return _new(self._once(self._stub.CreateGame, request))

    def import_log(self, log: str, *, undo_policy: str = ANY_SEAT) -> NewGame:
        """A game from a log. Raises LogError: names the line."""
        request = pb.ImportGameRequest(log=log, undo_policy=messages.undo_policy_to_proto(undo_policy))
        return _new(self._once(self._stub.ImportGame, request))

    def import_site(self, exported: str, *, undo_policy: str = ANY_SEAT) -> NewGame:
        """A game that 18xx.games exported (JSON). Raises LogError: names the action."""
        request = pb.ImportGameRequest(site_json=exported, undo_policy=messages.undo_policy_to_proto(undo_policy))
        return _new(self._once(self._stub.ImportGame, request))

    def games(self) -> Iterator[Listed]:
        """All games, the last changed first."""
        token = ""
        while True:
            page = self._call(self._stub.ListGames, pb.ListGamesRequest(page_token=token), None)
            for g in page.games:
                names, actors, scores = tuple(g.options.players), tuple(g.actors), tuple(g.scores)
                yield Listed(_id(g), names, g.action_number, g.revision, g.stage, actors, scores)
            token = page.next_page_token
            if not token:
                return

    def get(self, id_: str, token: str | None = None, at: int | None = None) -> Seen:
        """A game as the seat of the token sees it, or without a token a spectator; ``at``: after that action."""
        response = self._call(self._stub.GetGame, pb.GetGameRequest(name=_name(id_), action_number=at), token)
        return _seen(response.game, response.seat if response.HasField("seat") else None)

    def legal_actions(self, id_: str, token: str, *, solve: bool = False) -> Legal:
        """What the seat of the token can do now. ``solve``: while trains run, the best run first."""
        response = self._call(
            self._stub.ListLegalActions, pb.ListLegalActionsRequest(name=_name(id_), solve=solve), token
        )
        actions = tuple(messages.action_from_proto(x.action) for x in response.legal_actions)
        best = wire.solution_from_proto(response.best) if response.HasField("best") else None
        return Legal(actions, response.action_number, response.revision, best)

    def apply(
        self, id_: str, token: str, action: Action, expected: int, *, revision: int = 0, request_id: str = ""
    ) -> int:
        """Take an action in a game of ``expected`` actions; gives its number. Repeated if need be, never taken twice.

        Raises RuleError; Stale: somebody was quicker.
        """
        request = pb.ApplyActionRequest(
            name=_name(id_),
            action=messages.action_to_proto(action),
            expected_action_number=expected,
            expected_revision=revision,
            request_id=request_id or str(uuid.uuid4()),
        )
        return int(self._call(self._stub.ApplyAction, request, token).action_number)

    def undo(self, id_: str, token: str, number: int, expected: int) -> Seen:
        """Go back to the state after ``number`` actions. Raises Stale; UndoRefused: the policy of the game."""
        request = pb.UndoActionsRequest(name=_name(id_), action_number=number, expected_action_number=expected)
        return _seen(self._call(self._stub.UndoActions, request, token).game, None)

    def export(self, id_: str, token: str) -> str:
        """The log, for the host; for seats after the end."""
        return str(self._call(self._stub.ExportGame, pb.ExportGameRequest(name=_name(id_)), token).log)

    def position(self, id_: str, company: str = "") -> Position:
        """The position of a company (by default the operating one), for the solver and for drawing."""
        request = pb.GetPositionRequest(name=_name(id_), company=company)
        return wire.position_from_proto(self._call(self._stub.GetPosition, request, None).position)

    def watch(
        self, id_: str, token: str | None = None, after: int = 0, *, revision: int = 0, state: bool = False
    ) -> Iterator[Event]:
        """What happens in a game from action ``after`` on, without end; goes on by itself when a server comes back.

        ``state``: with the state after the last known action.
        """
        since = time.monotonic()
        while True:
            request = pb.WatchGameRequest(
                name=_name(id_), after_action_number=after, known_revision=revision, table=state
            )
            call = self._stub.WatchGame(request, metadata=_metadata(token))
            try:
                for response in call:
                    since = time.monotonic()
                    event = _event(response)
                    after, revision = event.number, event.revision or revision
                    yield event
            except grpc.RpcError as e:
                if e.code() != grpc.StatusCode.UNAVAILABLE or time.monotonic() - since > self._patience:
                    raise _error(e) from None
                time.sleep(0.1)
            finally:
                call.cancel()

    def _once(self, method: Any, request: Any) -> Any:
        try:
            return method(request)
        except grpc.RpcError as e:
            raise _error(e) from None

    def _call(self, method: Any, request: Any, token: str | None) -> Any:
        return self._repeated(lambda: method(request, metadata=_metadata(token)))

    def _repeated(self, call: Callable[[], T]) -> T:
        end, pause = time.monotonic() + self._patience, 0.05
        while True:
            try:
                return call()
            except grpc.RpcError as e:
                if e.code() != grpc.StatusCode.UNAVAILABLE or time.monotonic() + pause > end:
                    raise _error(e) from None
            time.sleep(pause)
            pause = min(2 * pause, 1.0)


def _metadata(token: str | None) -> list[tuple[str, str]]:
    return [] if token is None else [("authorization", f"Bearer {token}")]


def _name(id_: str) -> str:
    return f"games/{id_}"


def _id(message: game_pb2.Game) -> str:
    return message.name.removeprefix("games/")


def _new(response: Any) -> NewGame:
    return NewGame(_id(response.game), tuple(t.token for t in response.seat_tokens), response.host_token)


def _seen(message: game_pb2.Game, seat: int | None) -> Seen:
    state = messages.state_from_proto(message.table)
    policy = messages.undo_policy_from_proto(message.undo_policy)
    return Seen(_id(message), state, message.action_number, message.revision, tuple(message.actors), policy, seat)


def _event(response: pb.WatchGameResponse) -> Event:
    return Event(
        response.action_number,
        response.revision,
        messages.action_from_proto(response.action) if response.HasField("action") else None,
        response.undone_to if response.HasField("undone_to") else None,
        messages.state_from_proto(response.game.table) if response.game.HasField("table") else None,
    )


def _error(error: Any) -> TrunklineError:
    """The engine's own error where the status tells which."""
    status = rpc_status.from_call(error)
    info = _info(status) if status is not None else error_details_pb2.ErrorInfo()
    code, message = error.code(), error.details() or ""
    if info.reason == "RULE":
        return RuleError(info.metadata["section"], info.metadata["message"], info.metadata["legal"])
    if info.reason == "STALE":
        stale = Stale(int(info.metadata["action_number"]), int(info.metadata["revision"]), "")
        stale.args = (message,)
        return stale
    if info.reason == "UNDO_POLICY":
        return UndoRefused(message)
    if code == grpc.StatusCode.NOT_FOUND:
        return UnknownGame(message)
    if code in (grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.OUT_OF_RANGE):
        return LogError(message)
    return ServiceError(code.name, explained(message))


def _info(status: status_pb2.Status) -> error_details_pb2.ErrorInfo:
    info = error_details_pb2.ErrorInfo()
    for packed in status.details:
        if packed.Unpack(info):
            return info
    return info
