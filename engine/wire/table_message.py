"""A state as the message Table, with what follows from it by the rules."""

from __future__ import annotations

from trunkline.engine.box.box import BOX
from trunkline.engine.rules import finish, shares
from trunkline.engine.state import State
from trunkline.engine.wire.messages import fill
from trunkline.v1 import game_pb2


def state_to_proto(state: State) -> game_pb2.Table:
    """The message of a state, which must be a view: nothing is hidden here."""
    message = game_pb2.Table()
    fill(message, state.to_json())
    for name, company in message.companies.items():
        company.share_price = 0 if company.closed else state.price(name)
    for space, price in zip(message.spaces, BOX.market, strict=True):
        space.share_price = price
    for seat, player in enumerate(message.players):
        player.counted_certificates = shares.counted(state, seat)
        player.certificate_limit = shares.limit(state, seat)
        player.worth = finish.score(state, seat)
    return message
