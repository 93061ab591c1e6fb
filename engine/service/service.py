"""Games over gRPC: ``trunkline.v1.GameService``, beside the solver in one server.

``serving(games=FILE)`` is what ``trunkline serve`` adds to its server (entry point ``trunkline.services``). Calls work
in a few threads on one ``Store``; no rule is in here, nor what a seat may see (``trunkline.engine.views``).
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import logging
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NoReturn, TypeVar

import click
import grpc
import grpc.aio
from google.rpc import code_pb2

from trunkline.engine import game
from trunkline.engine.actions import Action
from trunkline.engine.log import Log
from trunkline.engine.rules import run, setup
from trunkline.engine.service.answers import add_legal, brief_message, game_message, tokens_of
from trunkline.engine.service.database import data_file
from trunkline.engine.service.errors import Stale, StoreError
from trunkline.engine.service.host import Host
from trunkline.engine.service.kept import HOST, Kept
from trunkline.engine.service.news import news
from trunkline.engine.service.refusals import Refused, WrongToken, invalid, refusal
from trunkline.engine.service.replays import MAX_WAITING, Replays
from trunkline.engine.service.requests import (
    COLLECTION,
    field,
    game_id,
    imported_log,
    page_after,
    require_number,
    token_of,
    undo_policy,
)
from trunkline.engine.service.store import Store
from trunkline.engine.state import END, OPERATE, RUN, State
from trunkline.engine.wire.box_message import box_to_proto
from trunkline.engine.wire.messages import action_from_proto, options_from_proto
from trunkline.solver import wire
from trunkline.solver.service.aborts import Context, abort
from trunkline.solver.service.places import WATCHERS
from trunkline.solver.service.reading import reading, reading_stream
from trunkline.v1 import game_service_pb2 as pb
from trunkline.v1 import solver_service_pb2
from trunkline.v1.game_service_pb2_grpc import GameServiceServicer

SERVICE = pb.DESCRIPTOR.services_by_name["GameService"].full_name
MAX_PAGE = 200
MAX_REQUEST_ID = 128
"""Characters; a UUID has 36."""
POLL_SECONDS = 0.25
"""How soon an action that another process has taken is told to those who watch."""
THREADS = 2 * MAX_WAITING
"""So many that half of them still answer while others wait for replays."""
WRONG_TOKEN_SECONDS = 1.0
"""How long who shows a wrong token waits for the answer."""
SOLVE_SECONDS = 10.0
"""The most that a search for the best routes may take."""

log = logging.getLogger(__name__)
T = TypeVar("T")


@click.option(
    "--games",
    metavar="FILE",
    envvar="TRUNKLINE_GAMES",
    help="Keep games in this SQLite file; by default ~/.local/share/trunkline/games.sqlite, made at the first game.",
)
def serving(games: str | None) -> Callable[[Host], Iterable[str]]:
    """Adds the game service to a server. A file that is named is opened at once. Raises StoreError."""
    replays = Replays()
    store = Store(games, replay=replays.replay) if games else None
    log.info("games are kept in %s", games or data_file())

    def add(host: Host) -> Iterable[str]:
        handlers = GameService(host, replays, store).handlers()
        host.grpc.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, handlers),))
        return [SERVICE]

    return add


class GameService(GameServiceServicer):
    """The calls. ``store``: None opens the file of this user's data at the first call."""

    def __init__(self, host: Host, replays: Replays, store: Store | None = None) -> None:
        self._host, self._store = host, store
        self._opening = threading.Lock()
        self._threads = ThreadPoolExecutor(THREADS, "games")
        self._replays = replays
        self._news: dict[str, asyncio.Event] = {}

    def handlers(self) -> dict[str, grpc.RpcMethodHandler[Any, Any]]:
        """What answers each method of the contract."""
        found: dict[str, grpc.RpcMethodHandler[Any, Any]] = {}
        for method in pb.DESCRIPTOR.services_by_name["GameService"].methods:
            kind = getattr(pb, method.input_type.name)
            handler, write = getattr(self, method.name), getattr(pb, method.output_type.name).SerializeToString
            found[method.name] = (
                grpc.unary_stream_rpc_method_handler(reading_stream(kind, handler), response_serializer=write)
                if method.server_streaming
                else grpc.unary_unary_rpc_method_handler(
                    self._host.counted(reading(kind, self._answering(handler))), response_serializer=write
                )
            )
        return found

    @property
    def store(self) -> Store:
        """The store; opens it. Raises StoreError."""
        with self._opening:
            if self._store is None:
                path = data_file()
                try:
                    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                except OSError as e:
                    raise StoreError("unusable", f"no games can be kept there: {e.strerror}", str(path.parent)) from e
                self._store = Store(path, replay=self._replays.replay)
            return self._store

    def _answering(self, handler: Callable[[Any, Context], Awaitable[T]]) -> Callable[[Any, Context], Awaitable[T]]:
        @functools.wraps(handler)
        async def answer(request: Any, context: Context) -> T:
            try:
                return await handler(request, context)
            except Exception as e:
                if isinstance(e, grpc.aio.AbortError):
                    raise
                await _refuse(context, refusal(e))

        return answer

    async def _work(self, what: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, what)

    def _seat(self, context: Context, id_: str) -> int | None:
        """The seat of the call's token, HOST, or None for a spectator. Raises Refused: the token is of no seat."""
        token = token_of(context)
        if token is None:
            self.store.revision(id_)
            return None
        seat = self.store.seat(id_, token)
        if seat is None:
            raise WrongToken(code_pb2.PERMISSION_DENIED, f"the token is not of game {COLLECTION}{id_}")
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

    async def GetBox(self, request: pb.GetBoxRequest, _context: Context) -> pb.GetBoxResponse:
        """See the contract."""

        def work() -> pb.GetBoxResponse:
            with field("options"):
                return pb.GetBoxResponse(box=box_to_proto(options_from_proto(request.options)))

        return await self._work(work)

    async def CreateGame(self, request: pb.CreateGameRequest, _context: Context) -> pb.CreateGameResponse:
        """See the contract."""

        def work() -> pb.CreateGameResponse:
            with field("options"):
                options = options_from_proto(request.options)
            seed = request.seed if request.HasField("seed") else setup.secret_seed()
            kept, tokens = self.store.create(Log(options, seed), undo_policy=undo_policy(request.undo_policy))
            return pb.CreateGameResponse(game=game_message(kept, None), **tokens_of(tokens))

        return await self._work(work)

    async def ImportGame(self, request: pb.ImportGameRequest, _context: Context) -> pb.ImportGameResponse:
        """See the contract."""

        def work() -> pb.ImportGameResponse:
            log_, policy = imported_log(request, self._replays.import_site), undo_policy(request.undo_policy)
            with field(request.WhichOneof("source") or "log"):
                kept, tokens = self.store.create(log_, undo_policy=policy)
            return pb.ImportGameResponse(game=game_message(kept, None), **tokens_of(tokens))

        return await self._work(work)

    async def ListGames(self, request: pb.ListGamesRequest, _context: Context) -> pb.ListGamesResponse:
        """See the contract."""
        if request.page_size < 0:
            raise invalid("page_size", "page_size: negative")
        before, size = page_after(request.page_token), min(request.page_size or 50, MAX_PAGE)
        found = await self._work(lambda: self.store.games(size + 1, before))
        last = found[size - 1] if len(found) > size else None
        return pb.ListGamesResponse(
            games=map(brief_message, found[:size]), next_page_token=f"{last.updated!r} {last.id}" if last else ""
        )

    async def GetGame(self, request: pb.GetGameRequest, context: Context) -> pb.GetGameResponse:
        """See the contract."""

        def work() -> pb.GetGameResponse:
            id_ = game_id(request.name)
            seat = self._seat(context, id_)
            kept = self.store.get(id_)
            if request.HasField("action_number"):
                require_number(kept, request.action_number)
                shown = game_message(kept, seat, self._replays.replay(kept.log, request.action_number))
                shown.action_number = request.action_number
            else:
                shown = game_message(kept, seat)
            return pb.GetGameResponse(game=shown, seat=None if seat == HOST else seat)

        return await self._work(work)

    async def GetPosition(self, request: pb.GetPositionRequest, context: Context) -> pb.GetPositionResponse:
        """See the contract."""

        def work() -> pb.GetPositionResponse:
            id_ = game_id(request.name)
            self._seat(context, id_)
            state = self.store.get(id_).state
            company = request.company or (state.operating.company if state.stage == OPERATE else "")
            if not company:
                raise Refused(code_pb2.FAILED_PRECONDITION, "no company operates now; name one")
            if company not in state.companies:
                known = ", ".join(state.companies)
                raise invalid("company", f"company: there is no {company!r} in this game; there are {known}")
            return pb.GetPositionResponse(position=wire.position_to_proto(run.position(state, company)))

        return await self._work(work)

    async def ExportGame(self, request: pb.ExportGameRequest, context: Context) -> pb.ExportGameResponse:
        """See the contract."""

        def work() -> pb.ExportGameResponse:
            id_ = game_id(request.name)
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
            id_ = game_id(request.name)
            seat, kept = self._acting(context, id_), self.store.get(id_)
            response.action_number, response.revision = kept.number, kept.revision
            for action in game.legal_actions(kept.state, seat):
                add_legal(response, kept.state, action)
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
        add_legal(response, state, best)
        response.legal_actions.extend(others)
        response.best.CopyFrom(solution)

    async def ApplyAction(self, request: pb.ApplyActionRequest, context: Context) -> pb.ApplyActionResponse:
        """See the contract."""

        def work() -> tuple[str, pb.ApplyActionResponse]:
            id_ = game_id(request.name)
            seat = self._acting(context, id_)
            if not request.HasField("expected_action_number"):
                raise invalid("expected_action_number", "expected_action_number: is missing")
            if len(request.request_id) > MAX_REQUEST_ID:
                text = f"request_id: {len(request.request_id)} characters; at most {MAX_REQUEST_ID}, best a UUID"
                raise invalid("request_id", text)
            with field("action"):
                action = action_from_proto(request.action)
            options = self.store.get(id_).state.options
            if action.seat not in options.seats:
                raise invalid(
                    "action.seat", f"action.seat: there is no seat {action.seat}, only 0 to {options.seats[-1]}"
                )
            if action.seat != seat:
                text = f"the token is of seat {seat} ({options.players[seat]}), the action of seat {action.seat}"
                raise Refused(code_pb2.PERMISSION_DENIED, text)
            number, kept = self._apply(id_, action, request)
            return id_, pb.ApplyActionResponse(action_number=number, game=game_message(kept, seat))

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
            id_ = game_id(request.name)
            seat = self._member(context, id_)
            if not request.HasField("expected_action_number"):
                raise invalid("expected_action_number", "expected_action_number: is missing")
            require_number(self.store.get(id_), request.action_number)
            kept = self.store.undo(id_, request.action_number, request.expected_action_number, seat)
            return id_, pb.UndoActionsResponse(game=game_message(kept, seat))

        id_, response = await self._work(work)
        self._changed(id_)
        return response

    # --- watching

    async def WatchGame(self, request: pb.WatchGameRequest, context: Context) -> AsyncIterator[pb.WatchGameResponse]:
        """See the contract."""
        await self._host.take_place(WATCHERS, context)
        try:
            async for response in self._watch(request, context):
                yield response
        except grpc.aio.AbortError:
            raise
        except Exception as e:
            await _refuse(context, refusal(e))

    async def _watch(self, request: pb.WatchGameRequest, context: Context) -> AsyncIterator[pb.WatchGameResponse]:
        id_ = game_id(request.name)
        seat = await self._work(lambda: self._seat(context, id_))
        number, revision, first = request.after_action_number, request.known_revision, True
        if number < 0:
            raise invalid("after_action_number", "after_action_number: negative")
        while True:
            event = self._news.setdefault(id_, asyncio.Event())
            if first or await self._work(lambda: self.store.revision(id_)) != revision:
                since = functools.partial(news, self.store, id_, number, revision, seat, request.table, first)
                responses, number, revision = await self._work(since)
                first = False
                for response in responses:
                    yield response
            with contextlib.suppress(TimeoutError):  # not wait_for, which in Python 3.11 can forget to be cancelled
                async with asyncio.timeout(POLL_SECONDS):
                    await event.wait()


async def _refuse(context: Context, refused: Refused) -> NoReturn:
    if isinstance(refused, WrongToken):
        await asyncio.sleep(WRONG_TOKEN_SECONDS)
    await abort(context, refused.code, refused.message, refused.details)
