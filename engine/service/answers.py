"""Games as messages: what a seat, a spectator or the host may see of one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from google.protobuf.timestamp_pb2 import Timestamp

from trunkline.engine import game
from trunkline.engine.actions import Action
from trunkline.engine.service.kept import HOST, Kept, Summary, Tokens
from trunkline.engine.service.requests import COLLECTION
from trunkline.engine.state import State
from trunkline.engine.views import view
from trunkline.engine.wire.messages import action_to_proto, options_to_proto, undo_policy_to_proto
from trunkline.engine.wire.notation import describe_action, write_action
from trunkline.engine.wire.table_message import state_to_proto
from trunkline.v1 import game_pb2
from trunkline.v1 import game_service_pb2 as pb


def tokens_of(tokens: Tokens) -> Mapping[str, Any]:
    """The fields of an answer that hold the secrets of a new game."""
    seats = [game_pb2.SeatToken(seat=i, token=t) for i, t in enumerate(tokens.seats)]
    return {"seat_tokens": seats, "host_token": tokens.host}


def game_message(kept: Kept, seat: int | None, state: State | None = None, table: bool = True) -> game_pb2.Game:
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


def brief_message(found: Summary) -> game_pb2.Game:
    """The message of a game in a list, without its table."""
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


def add_legal(response: pb.ListLegalActionsResponse, state: State, action: Action) -> None:
    """Add an action with its text and what it does."""
    response.legal_actions.add(
        action=action_to_proto(action),
        notation=write_action(action),
        description=describe_action(state, action),
    )
