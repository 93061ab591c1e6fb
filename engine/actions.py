"""What a player can do: frozen values with an exact JSON form.

Every action has the ``seat`` that takes it. In an operating round it is the Director or manager of the operating
company; which company that is follows from the state. ``action_to_json`` gives ``{"type": "draft", "seat": 0, ...}``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from trunkline.engine.errors import LogError
from trunkline.engine.json_values import decode, encode


@dataclass(frozen=True, slots=True)
class Action:
    """Base of all actions. ``seat``: who takes it."""

    seat: int


@dataclass(frozen=True, slots=True)
class Pass(Action):
    """Do nothing, or no more: in the sale turn, in a buying turn, in a step of the operating round, in an auction."""


# --- set-up (rules section 2)


@dataclass(frozen=True, slots=True)
class Keep(Action):
    """Keep these cards of the dealt hand; the others go to the pool. All players choose at the same time."""

    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Draft(Action):
    """Take a card of the pool into the hand."""

    card: str


@dataclass(frozen=True, slots=True)
class Nominate(Action):
    """Put a card of the pool up for auction with a first bid, in rupees; 0 is allowed (2.1)."""

    card: str
    bid: int


@dataclass(frozen=True, slots=True)
class Bid(Action):
    """Bid more for the card that is auctioned."""

    amount: int


# --- stock round (5, 6)


@dataclass(frozen=True, slots=True)
class Sell(Action):
    """Sell certificates to the market in the sale turn; as often as wanted until Pass."""

    certificates: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BuyFromHand(Action):
    """Buy certificates of one company, or private companies, from the own hand."""

    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BuyFromIpo(Action):
    """Buy the first ``count`` cards (1 or 2; a company: 1) of an IPO row, 0 to 2."""

    row: int
    count: int = 1


@dataclass(frozen=True, slots=True)
class BuyFromMarket(Action):
    """Buy a share or private of the open market. Shares of one company are alike: the first one is taken."""

    certificate: str


@dataclass(frozen=True, slots=True)
class BuyBond(Action):
    """Buy a Railroad Bond."""


@dataclass(frozen=True, slots=True)
class ConvertBond(Action):
    """Convert an own Railroad Bond into a share of the national railway (6.6)."""


@dataclass(frozen=True, slots=True)
class DrawDummy(Action):
    """Draw the top card of the dummy hand after a purchase from the hand (2.2); Pass to leave it."""


# --- decisions that interrupt (4, 8.2, 8.4, 10.2, 10.4)


@dataclass(frozen=True, slots=True)
class PlaceHome(Action):
    """Place a home token in a city: where a company may choose, and the national railway."""

    hex: str
    city: int = 0


@dataclass(frozen=True, slots=True)
class LayHome(Action):
    """The national railway's home: turn a hex with one town into a green city and place the token there."""

    hex: str
    tile: str
    rotation: int


@dataclass(frozen=True, slots=True)
class AssignCity(Action):
    """Which city of a new double-city tile takes the token of ``company``."""

    company: str
    city: int


@dataclass(frozen=True, slots=True)
class ExchangeToken(Action):
    """Replace the closing company's token in ``hex`` by an exchange token of the national railway; or Pass."""

    hex: str


@dataclass(frozen=True, slots=True)
class AnswerOffer(Action):
    """Accept or refuse to sell a train to another player's company."""

    accept: bool


# --- operating round (8 to 10)


@dataclass(frozen=True, slots=True)
class LayTile(Action):
    """Lay or upgrade a tile; ``private``: ``P2`` or ``P3`` to use its power."""

    hex: str
    tile: str
    rotation: int
    private: str = ""


@dataclass(frozen=True, slots=True)
class RemoveMarker(Action):
    """Remove the gauge-change marker between two hexes (phase IV)."""

    hexes: tuple[str, str]


@dataclass(frozen=True, slots=True)
class PlaceToken(Action):
    """Place a station token; ``private``: ``P5`` to use its power."""

    hex: str
    city: int = 0
    private: str = ""


@dataclass(frozen=True, slots=True)
class UseDiscount(Action):
    """Use the French East India Company: up to 40 off the terrain costs of this turn."""


@dataclass(frozen=True, slots=True)
class PlaceJewelry(Action):
    """Use the British East India Company: place the jewelry marker, take its concession."""

    hex: str


@dataclass(frozen=True, slots=True)
class ClosePrivate(Action):
    """Close a private for its face value without using its power."""

    private: str


@dataclass(frozen=True, slots=True)
class TrainRun:
    """What one train runs: every piece of track as (hex, number of the path on its tile), by segment.

    ``train`` names the train (``4x2-0``). Each segment leads from one stop to the next.
    """

    train: str
    track: tuple[tuple[tuple[str, int], ...], ...]


@dataclass(frozen=True, slots=True)
class Run(Action):
    """Run the trains; a train that is not listed stands idle."""

    runs: tuple[TrainRun, ...]


@dataclass(frozen=True, slots=True)
class Dividend(Action):
    """Pay the whole revenue out, or retain it."""

    pay: bool


@dataclass(frozen=True, slots=True)
class BuyTrain(Action):
    """Buy a train. ``source``: ``bank``, ``market`` or a company; ``side``: ``4`` or ``4E``; ``price`` in rupees."""

    train: str
    source: str
    price: int
    side: str = ""


@dataclass(frozen=True, slots=True)
class SellTrain(Action):
    """Sell a train to the bank."""

    train: str


@dataclass(frozen=True, slots=True)
class CompanySell(Action):
    """The operating company sells certificates to the market."""

    certificates: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EndGame(Action):
    """End the game by agreement (only with the switch ``manual_end``)."""


def type_name(kind: type[Action]) -> str:
    """``buy_from_ipo`` for ``BuyFromIpo``."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()


KINDS: dict[str, type[Action]] = {type_name(kind): kind for kind in Action.__subclasses__()}


def action_to_json(action: Action) -> dict[str, Any]:
    """The JSON form of an action.

    Parameters
    ----------
    action
        Any action.

    Returns
    -------
    dict
        ``type``, ``seat`` and the fields of the action.

    Examples
    --------
    >>> from trunkline.engine import Bid, action_to_json
    >>> action_to_json(Bid(2, 110))
    {'type': 'bid', 'seat': 2, 'amount': 110}
    """
    return {"type": type_name(type(action)), **encode(action)}


def action_from_json(value: Any, at: str = "action") -> Action:
    """The inverse of :func:`action_to_json`.

    Parameters
    ----------
    value
        What JSON gave; nothing is taken for granted.
    at
        How to call the place in errors.

    Returns
    -------
    Action

    Raises
    ------
    LogError
        Names the field that does not fit.

    Examples
    --------
    >>> from trunkline.engine import action_from_json
    >>> action_from_json({"type": "bid", "seat": 2, "amount": 110})
    Bid(seat=2, amount=110)
    """
    if not isinstance(value, dict) or "type" not in value:
        raise LogError(f"{at}: expected an object with a type")
    if value["type"] not in KINDS:
        raise LogError(f"{at}.type: unknown action {value['type']!r}; known: {', '.join(KINDS)}")
    return decode(KINDS[value["type"]], {k: v for k, v in value.items() if k != "type"}, at)
