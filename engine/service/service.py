"""Games over gRPC: ``trunkline.v1.GameService``, beside the solver in one server.

``serving(games=FILE)`` is what ``trunkline serve`` adds to its server (entry point ``trunkline.services``). Calls work
in a few threads on one ``Store``; no rule is in here, nor what a seat may see (``trunkline.engine.views``).
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import json
import logging
import os
import secrets
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NoReturn, Protocol, TypeVar

import click
import grpc
import grpc.aio
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp
from google.rpc import code_pb2, error_details_pb2, status_pb2

from trunkline.engine import game
from trunkline.engine.actions import Action
from trunkline.engine.errors import LogError, RuleError
from trunkline.engine.log import Log, seen_by
from trunkline.engine.rules import run
from trunkline.engine.service.store import (
    HOST,
    Kept,
    Stale,
    Store,
    StoreError,
    Summary,
    Tokens,
    UndoRefused,
    UnknownGame,
)
from trunkline.engine.state import END, OPERATE, RUN, State
from trunkline.engine.views import view
from trunkline.engine.wire.importer import SiteGameError, import_game
from trunkline.engine.wire.messages import (
    action_from_proto,
    action_to_proto,
    box_to_proto,
    options_from_proto,
    options_to_proto,
    state_to_proto,
    undo_policy_from_proto,
    undo_policy_to_proto,
)
from trunkline.engine.wire.notation import describe_action, write_action
from trunkline.solver import wire
from trunkline.solver.wire.status import ServiceError
from trunkline.v1 import game_pb2, solver_service_pb2
from trunkline.v1 import game_service_pb2 as pb
from trunkline.v1.game_service_pb2_grpc import GameServiceServicer, add_GameServiceServicer_to_server

SERVICE = pb.DESCRIPTOR.services_by_name["GameService"].full_name
COLLECTION = "games/"
MAX_PAGE = 200
MAX_REQUEST_ID = 128
"""Characters; a UUID has 36."""
MAX_WATCHERS = 100
"""Calls of WatchGame that may be open at the same time; the solver shares the open calls of a server."""
POLL_SECONDS = 0.25
"""How soon an action that another process has taken is told to those who watch."""
SOLVE_SECONDS = 10.0
"""The most that a search for the best routes may take."""
DOMAIN = "trunkline"

log = logging.getLogger(__name__)
Context = grpc.aio.ServicerContext[Any, Any]
T = TypeVar("T")
_CODES = {code.value[0]: code for code in grpc.StatusCode}


class Host(Protocol):
    """The server that the service is added to: :class:`trunkline.solver.service.server.Server`."""

    grpc: grpc.aio.Server

    async def solve(self, request: bytes, seconds: float) -> bytes:
        """The SolveResponse of a SolveRequest. Raises ServiceError."""

    def counted(self, handler: Callable[[Any, Any], Awaitable[T]]) -> Callable[[Any, Any], Awaitable[T]]:
        """A handler whose calls are waited for when the server stops."""


def data_file() -> Path:
    """Where games are kept if nothing else is said: in the folder of this user's data."""
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share"
    return Path(base) / "trunkline" / "games.sqlite"


@click.option(
    "--games",
    metavar="FILE",
    envvar="TRUNKLINE_GAMES",
    help="Keep games in this SQLite file; by default ~/.local/share/trunkline/games.sqlite, made at the first game.",
)
def serving(games: str | None) -> Callable[[Host], Iterable[str]]:
    """Adds the game service to a server. A file that is named is opened at once. Raises StoreError."""
    store = Store(games) if games else None
    log.info("games are kept in %s", games or data_file())

    def add(host: Host) -> Iterable[str]:
        add_GameServiceServicer_to_server(GameService(host, store), host.grpc)  # type: ignore[no-untyped-call]
        return [SERVICE]

    return add


class Refused(Exception):
    """A call that is not answered: a status code, a text, and details for programs."""

    def __init__(self, code: int, message: str, details: Message | None = None) -> None:
        self.code, self.message, self.details = code, message, details


def _invalid(field: str, message: str) -> Refused:
    request = error_details_pb2.BadRequest()
    request.field_violations.add(field=field, description=message[:300])
    return Refused(code_pb2.INVALID_ARGUMENT, message, request)


def _told(code: int, message: str, reason: str, /, **metadata: object) -> Refused:
    values = {k: str(v)[:300] for k, v in metadata.items()}
    return Refused(code, message, error_details_pb2.ErrorInfo(reason=reason, domain=DOMAIN, metadata=values))


def _rule(error: RuleError) -> dict[str, str]:
    return {"section": error.section, "message": error.message, "legal": error.legal}


_STORE = {
    "read-only": (code_pb2.FAILED_PRECONDITION, "STORE_READ_ONLY"),
    "full": (code_pb2.RESOURCE_EXHAUSTED, "STORE_FULL"),
    "locked": (code_pb2.UNAVAILABLE, "STORE_LOCKED"),
    "corrupt": (code_pb2.DATA_LOSS, "STORE_CORRUPT"),
    "unusable": (code_pb2.FAILED_PRECONDITION, "STORE_UNUSABLE"),
    "outgrown": (code_pb2.FAILED_PRECONDITION, "GAME_OUTGROWN"),
}


def refusal(error: BaseException) -> Refused:
    """How an exception is told to the caller."""
    match error:
        case Refused():
            return error
        case RuleError():
            return _told(code_pb2.FAILED_PRECONDITION, str(error), "RULE", **_rule(error))
        case Stale():
            text = {"action_number": error.number, "revision": error.revision}
            return _told(code_pb2.ABORTED, str(error), "STALE", **text)
        case UndoRefused():
            return _told(code_pb2.PERMISSION_DENIED, str(error), "UNDO_POLICY")
        case UnknownGame():
            return Refused(code_pb2.NOT_FOUND, str(error))
        case StoreError():
            code, reason = _STORE[error.kind]
            return _told(code, str(error), reason)
        case ServiceError():
            return Refused(code_pb2.Code.Value(error.code), str(error))
        case LogError():
            return Refused(code_pb2.INVALID_ARGUMENT, str(error))
    log.error("the game service failed", exc_info=error)
    return Refused(code_pb2.INTERNAL, f"the game service failed with {type(error).__name__}; its log says more")


async def _abort(context: Context, error: Refused) -> NoReturn:
    message = error.message if len(error.message) <= 1000 else error.message[:997] + "..."
    metadata: tuple[tuple[str, bytes], ...] = ()
    if error.details is not None:
        status = status_pb2.Status(code=error.code, message=message)
        status.details.add().Pack(error.details)
        metadata = (("grpc-status-details-bin", status.SerializeToString()),)
    await context.abort(_CODES[error.code], message, metadata)


class GameService(GameServiceServicer):
    """The calls. ``store``: None opens the file of this user's data at the first call."""

    def __init__(self, host: Host, store: Store | None = None) -> None:
        self._host, self._store = host, store
        self._opening = threading.Lock()
        self._threads = ThreadPoolExecutor(4, "games")
        self._news: dict[str, asyncio.Event] = {}
        self._watchers = 0
        for method in pb.DESCRIPTOR.services_by_name["GameService"].methods:
            if not method.server_streaming:
                setattr(self, method.name, host.counted(self._answering(getattr(self, method.name))))

    @property
    def store(self) -> Store:
        """The store; opens it. Raises StoreError."""
        with self._opening:
            if self._store is None:
                path = data_file()
                try:
                    path.parent.mkdir(parents=True, exist_ok=True)
                except OSError as e:
                    raise StoreError("unusable", f"no games can be kept in {path.parent}: {e.strerror}") from e
                self._store = Store(path)
            return self._store

    def _answering(self, handler: Callable[[Any, Context], Awaitable[T]]) -> Callable[[Any, Context], Awaitable[T]]:
        @functools.wraps(handler)
        async def answer(request: Any, context: Context) -> T:
            try:
                return await handler(request, context)
            except Exception as e:
                if isinstance(e, grpc.aio.AbortError):
                    raise
                await _abort(context, refusal(e))

        return answer

    async def _work(self, what: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, what)

    def _seat(self, context: Context, id_: str) -> int | None:
        """The seat of the call's token, HOST, or None for a spectator. Raises Refused: the token is of no seat."""
        token = _token(context)
        if token is None:
            self.store.revision(id_)
            return None
        seat = self.store.seat(id_, token)
        if seat is None:
            raise Refused(code_pb2.PERMISSION_DENIED, f"the token is not of game {COLLECTION}{id_}")
        return seat

    def _member(self, context: Context, id_: str) -> int:
        seat = self._seat(context, id_)
        if seat is None:
            text = 'this needs the secret token of a seat, as metadata "authorization: Bearer TOKEN"'
            raise Refused(code_pb2.UNAUTHENTICATED, text)
        return seat

    def _changed(self, id_: str) -> None:
        """Wake those who watch a game; in the event loop."""
        if event := self._news.pop(id_, None):
            event.set()

    # --- games

    async def GetBox(self, request: pb.GetBoxRequest, context: Context) -> pb.GetBoxResponse:
        """See the contract."""

        def work() -> pb.GetBoxResponse:
            with _field("options"):
                return pb.GetBoxResponse(box=box_to_proto(options_from_proto(request.options)))

        return await self._work(work)

    async def CreateGame(self, request: pb.CreateGameRequest, context: Context) -> pb.CreateGameResponse:
        """See the contract."""

        def work() -> pb.CreateGameResponse:
            with _field("options"):
                options = options_from_proto(request.options)
            seed = request.seed if request.HasField("seed") else secrets.randbelow(1 << 48)
            kept, tokens = self.store.create(Log(options, seed), undo_policy=_policy(request.undo_policy))
            return pb.CreateGameResponse(game=_game(kept, None), **_tokens(tokens))

        return await self._work(work)

    async def ImportGame(self, request: pb.ImportGameRequest, context: Context) -> pb.ImportGameResponse:
        """See the contract."""

        def work() -> pb.ImportGameResponse:
            log_, policy = _imported(request), _policy(request.undo_policy)
            with _field(request.WhichOneof("source") or "log"):
                kept, tokens = self.store.create(log_, undo_policy=policy)
            return pb.ImportGameResponse(game=_game(kept, None), **_tokens(tokens))

        return await self._work(work)

    async def ListGames(self, request: pb.ListGamesRequest, context: Context) -> pb.ListGamesResponse:
        """See the contract."""
        if request.page_size < 0:
            raise _invalid("page_size", "page_size: negative")
        before, size = _page(request.page_token), min(request.page_size or 50, MAX_PAGE)
        found = await self._work(lambda: self.store.games(size + 1, before))
        last = found[size - 1] if len(found) > size else None
        return pb.ListGamesResponse(
            games=map(_in_brief, found[:size]), next_page_token=f"{last.updated!r} {last.id}" if last else ""
        )

    async def GetGame(self, request: pb.GetGameRequest, context: Context) -> pb.GetGameResponse:
        """See the contract."""

        def work() -> pb.GetGameResponse:
            id_ = _id(request.name)
            seat = self._seat(context, id_)
            kept = self.store.get(id_)
            if request.HasField("action_number"):
                _require_number(kept, request.action_number)
                shown = _game(kept, seat, kept.log.replay(request.action_number))
                shown.action_number = request.action_number
            else:
                shown = _game(kept, seat)
            return pb.GetGameResponse(game=shown, seat=None if seat == HOST else seat)

        return await self._work(work)

    async def GetPosition(self, request: pb.GetPositionRequest, context: Context) -> pb.GetPositionResponse:
        """See the contract."""

        def work() -> pb.GetPositionResponse:
            id_ = _id(request.name)
            self._seat(context, id_)
            state = self.store.get(id_).state
            company = request.company or (state.operating.company if state.stage == OPERATE else "")
            if not company:
                raise Refused(code_pb2.FAILED_PRECONDITION, "no company operates now; name one")
            if company not in state.companies:
                known = ", ".join(state.companies)
                raise _invalid("company", f"company: there is no {company!r} in this game; there are {known}")
            return pb.GetPositionResponse(position=wire.position_to_proto(run.position(state, company)))

        return await self._work(work)

    async def ExportGame(self, request: pb.ExportGameRequest, context: Context) -> pb.ExportGameResponse:
        """See the contract."""

        def work() -> pb.ExportGameResponse:
            id_ = _id(request.name)
            seat = self._member(context, id_)
            if seat != HOST and self.store.get(id_).state.stage != END:
                text = "the log tells every card: until the game has ended it is for the host's token only"
                raise Refused(code_pb2.PERMISSION_DENIED, text)
            return pb.ExportGameResponse(log=self.store.log(id_).dumps())

        return await self._work(work)

    # --- actions

    async def ListLegalActions(
        self, request: pb.ListLegalActionsRequest, context: Context
    ) -> pb.ListLegalActionsResponse:
        """See the contract."""
        response = pb.ListLegalActionsResponse()

        def work() -> tuple[State, int]:
            id_ = _id(request.name)
            seat, kept = self._acting(context, id_), self.store.get(id_)
            response.action_number, response.revision = kept.number, kept.revision
            for action in game.legal_actions(kept.state, seat):
                _add_legal(response, kept.state, action)
            return kept.state, seat

        state, seat = await self._work(work)
        running = state.stage == OPERATE and not state.pending and state.operating.step == RUN
        if request.solve and running and game.actors(state) == (seat,):
            await self._solve(state, response)
        return response

    def _acting(self, context: Context, id_: str) -> int:
        seat = self._member(context, id_)
        if seat == HOST:
            raise Refused(code_pb2.PERMISSION_DENIED, "the host's token has no seat; use the token of a seat")
        return seat

    async def _solve(self, state: State, response: pb.ListLegalActionsResponse) -> None:
        """Put the best run first."""
        position = await self._work(lambda: wire.position_to_proto(run.position(state)))
        asked = solver_service_pb2.SolveRequest(position=position)
        asked.time_limit.FromMilliseconds(round(SOLVE_SECONDS * 1000))
        data = await self._host.solve(asked.SerializeToString(), SOLVE_SECONDS + 5)
        solution = solver_service_pb2.SolveResponse.FromString(data).solution
        best = run.best(state, lambda _: wire.solution_from_proto(solution))
        others = [a for a in response.legal_actions if action_from_proto(a.action) != best]
        del response.legal_actions[:]
        _add_legal(response, state, best)
        response.legal_actions.extend(others)
        response.best.CopyFrom(solution)

    async def ApplyAction(self, request: pb.ApplyActionRequest, context: Context) -> pb.ApplyActionResponse:
        """See the contract."""

        def work() -> tuple[str, pb.ApplyActionResponse]:
            id_ = _id(request.name)
            seat = self._acting(context, id_)
            if not request.HasField("expected_action_number"):
                raise _invalid("expected_action_number", "expected_action_number: is missing")
            if len(request.request_id) > MAX_REQUEST_ID:
                text = f"request_id: {len(request.request_id)} characters; at most {MAX_REQUEST_ID}, best a UUID"
                raise _invalid("request_id", text)
            with _field("action"):
                action = action_from_proto(request.action)
            options = self.store.get(id_).state.options
            if action.seat not in options.seats:
                raise _invalid(
                    "action.seat", f"action.seat: there is no seat {action.seat}, only 0 to {options.seats[-1]}"
                )
            if action.seat != seat:
                text = f"the token is of seat {seat} ({options.players[seat]}), the action of seat {action.seat}"
                raise Refused(code_pb2.PERMISSION_DENIED, text)
            number, kept = self._apply(id_, action, request)
            return id_, pb.ApplyActionResponse(action_number=number, game=_game(kept, seat))

        id_, response = await self._work(work)
        self._changed(id_)
        return response

    def _apply(self, id_: str, action: Action, request: pb.ApplyActionRequest) -> tuple[int, Kept]:
        if done := self.store.replied(id_, request.request_id):
            return done, self.store.get(id_)
        try:
            kept = self.store.apply(
                id_, action, request.expected_action_number, request.expected_revision or None, request.request_id
            )
        except Stale:
            if done := self.store.replied(id_, request.request_id):  # the call that this one repeats was still at work
                return done, self.store.get(id_)
            raise
        return kept.number, kept

    async def UndoActions(self, request: pb.UndoActionsRequest, context: Context) -> pb.UndoActionsResponse:
        """See the contract."""

        def work() -> tuple[str, pb.UndoActionsResponse]:
            id_ = _id(request.name)
            seat = self._member(context, id_)
            if not request.HasField("expected_action_number"):
                raise _invalid("expected_action_number", "expected_action_number: is missing")
            _require_number(self.store.get(id_), request.action_number)
            kept = self.store.undo(id_, request.action_number, request.expected_action_number, seat)
            return id_, pb.UndoActionsResponse(game=_game(kept, seat))

        id_, response = await self._work(work)
        self._changed(id_)
        return response

    # --- watching

    async def WatchGame(self, request: pb.WatchGameRequest, context: Context) -> AsyncIterator[pb.WatchGameResponse]:
        """See the contract."""
        if self._watchers >= MAX_WATCHERS:
            await _abort(context, Refused(code_pb2.RESOURCE_EXHAUSTED, f"{MAX_WATCHERS} calls watch already"))
        self._watchers += 1
        try:
            async for response in self._watch(request, context):
                yield response
        except grpc.aio.AbortError:
            raise
        except Exception as e:
            await _abort(context, refusal(e))
        finally:
            self._watchers -= 1

    async def _watch(self, request: pb.WatchGameRequest, context: Context) -> AsyncIterator[pb.WatchGameResponse]:
        id_ = _id(request.name)
        seat = await self._work(lambda: self._seat(context, id_))
        number, revision, first = request.after_action_number, request.known_revision, True
        if number < 0:
            raise _invalid("after_action_number", "after_action_number: negative")
        while True:
            event = self._news.setdefault(id_, asyncio.Event())
            if first or await self._work(lambda: self.store.revision(id_)) != revision:
                since = functools.partial(self._since, id_, number, revision, seat, request.table, first)
                responses, number, revision = await self._work(since)
                first = False
                for response in responses:
                    yield response
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(event.wait(), POLL_SECONDS)

    def _since(
        self, id_: str, number: int, revision: int, seat: int | None, table: bool, always: bool
    ) -> tuple[list[pb.WatchGameResponse], int, int]:
        """What has happened since a number of actions and a revision (0: not known), and where that leads."""
        kept = self.store.get(id_)
        undone = self.store.undone_since(id_, revision) if revision else None
        cut = min(number, kept.number, number if undone is None else undone)
        found = []
        if cut < number:
            found.append(pb.WatchGameResponse(undone_to=cut, action_number=cut))
        for n, action in enumerate(kept.log.actions[cut:], cut + 1):
            shown = seen_by(action, seat)
            found.append(
                pb.WatchGameResponse(action=action_to_proto(shown), action_number=n, notation=write_action(shown))
            )
        if not found and always:
            found.append(pb.WatchGameResponse(action_number=kept.number))
        if found:
            found[-1].revision = kept.revision
            found[-1].game.CopyFrom(_game(kept, seat, table=table))
        return found, kept.number, kept.revision


# --- messages


def _token(context: Context) -> str | None:
    """The secret of a call. Raises Refused: the metadata is not of the form."""
    metadata: Iterable[tuple[str, Any]] = context.invocation_metadata() or ()
    values = [str(v) for k, v in metadata if k == "authorization"]
    if not values:
        return None
    scheme, _, token = values[0].partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise Refused(code_pb2.UNAUTHENTICATED, 'metadata "authorization" is not of the form "Bearer TOKEN"')
    return token.strip()


def _id(name: str) -> str:
    id_ = name.removeprefix(COLLECTION)
    if id_ == name or not id_ or "/" in id_:
        raise _invalid("name", f"name: {name!r} is not of the form {COLLECTION}GAME")
    return id_


def _page(token: str) -> tuple[float, str] | None:
    if not token:
        return None
    updated, _, id_ = token.partition(" ")
    try:
        return float(updated), id_
    except ValueError:
        raise _invalid("page_token", "page_token: not from this list") from None


def _require_number(kept: Kept, number: int) -> None:
    if number not in range(kept.number + 1):
        raise Refused(code_pb2.OUT_OF_RANGE, f"there is no action {number}; the game has {kept.number}")


@contextlib.contextmanager
def _field(name: str) -> Iterator[None]:
    """A value that cannot be read is told with the field it is in."""
    try:
        yield
    except LogError as e:
        raise _invalid(name, str(e)) from e


def _imported(request: pb.ImportGameRequest) -> Log:
    source = request.WhichOneof("source")
    if source is None:
        raise _invalid("log", "give a log or site_json")
    with _field(source):
        if source == "log":
            return Log.loads(request.log)
        try:
            data = json.loads(request.site_json)
        except (ValueError, RecursionError) as e:
            raise SiteGameError(f"not JSON: {e}") from e
        return import_game(data).log


def _policy(value: int) -> str:
    with _field("undo_policy"):
        return undo_policy_from_proto(value)


def _tokens(tokens: Tokens) -> Mapping[str, Any]:
    seats = [game_pb2.SeatToken(seat=i, token=t) for i, t in enumerate(tokens.seats)]
    return {"seat_tokens": seats, "host_token": tokens.host}


def _game(kept: Kept, seat: int | None, state: State | None = None, table: bool = True) -> game_pb2.Game:
    """The message of a game as a seat, or a spectator or host, may see it."""
    shown = state or kept.state
    message = game_pb2.Game(
        name=COLLECTION + kept.id,
        options=options_to_proto(shown.options),
        action_number=kept.number,
        revision=kept.revision,
        stage=shown.stage,
        actors=game.actors(shown),
        scores=shown.scores,
        create_time=_time(kept.created),
        update_time=_time(kept.updated),
        undo_policy=undo_policy_to_proto(kept.undo_policy),
    )
    if table:
        message.table.CopyFrom(state_to_proto(view(shown, None if seat == HOST else seat)))
    return message


def _in_brief(found: Summary) -> game_pb2.Game:
    return game_pb2.Game(
        name=COLLECTION + found.id,
        options=options_to_proto(found.options),
        action_number=found.number,
        revision=found.revision,
        stage=found.stage,
        actors=found.actors,
        scores=found.scores,
        create_time=_time(found.created),
        update_time=_time(found.updated),
        undo_policy=undo_policy_to_proto(found.undo_policy),
    )


def _time(seconds: float) -> Timestamp:
    stamp = Timestamp()
    stamp.FromMicroseconds(round(seconds * 1e6))
    return stamp


def _add_legal(response: pb.ListLegalActionsResponse, state: State, action: Action) -> None:
    response.legal_actions.add(
        action=action_to_proto(action),
        notation=write_action(action),
        description=describe_action(state, action),
    )
