"""What has happened in a game, as the messages that those who watch it are sent."""

from __future__ import annotations

from trunkline.engine.log import seen_by
from trunkline.engine.service.answers import game_message
from trunkline.engine.service.store import Store
from trunkline.engine.wire.messages import action_to_proto
from trunkline.engine.wire.notation import write_action
from trunkline.v1 import game_service_pb2 as pb


def news(
    store: Store, id_: str, number: int, revision: int, seat: int | None, table: bool, always: bool
) -> tuple[list[pb.WatchGameResponse], int, int]:
    """What has happened since a number of actions and a revision (0: not known), and where that leads."""
    kept = store.get(id_)
    undone = store.undone_since(id_, revision) if revision else None
    cut = min(number, kept.number, number if undone is None else undone)
    found = []
    if cut < number:
        found.append(pb.WatchGameResponse(undone_to=cut, action_number=cut))
    for n, action in enumerate(kept.log.actions[cut:], cut + 1):
        shown = seen_by(action, seat)
        found.append(pb.WatchGameResponse(action=action_to_proto(shown), action_number=n, notation=write_action(shown)))
    if not found and always:
        found.append(pb.WatchGameResponse(action_number=kept.number))
    if found:
        found[-1].revision = kept.revision
        found[-1].game.CopyFrom(game_message(kept, seat, table=table))
    return found, kept.number, kept.revision
