"""Texts of keeping, draft, auction and stock round, and of what companies buy and sell."""

from __future__ import annotations

from collections.abc import Sequence

from trunkline.engine import actions as a
from trunkline.engine.actions import Action
from trunkline.engine.box.box import BOX, company_of, face, is_bond, is_director
from trunkline.engine.rules import purchases, shares
from trunkline.engine.state import OPERATE, State
from trunkline.engine.wire.notation.form import ActionText, at_most, single, verb_only
from trunkline.engine.wire.notation.names import card_name, card_names, short


def read_cards(place: Sequence[str], words: Sequence[str]) -> tuple[str, ...]:
    """Cards by name; the name of a company (or ``RB``) is the next of its ten-percent shares (bonds) in the place."""
    if not words:
        raise ValueError
    taken: list[str] = []
    for word in map(str.upper, words):
        kind = [c for c in place if c not in taken and _is_called(c, word)]
        taken.append(word if word in place or not kind else kind[0])
    return tuple(taken)


def _is_called(card: str, word: str) -> bool:
    return is_bond(card) if word == "RB" else company_of(card) == word and not is_director(card)


def _keep(state: State, seat: int, words: list[str]) -> Action:
    return a.Keep(seat, read_cards(state.players[seat].hand, words))


def _draft(state: State, seat: int, words: list[str]) -> Action:
    return a.Draft(seat, single(read_cards(state.pool, words)))


def _nominate(state: State, seat: int, words: list[str]) -> Action:
    return a.Nominate(seat, single(read_cards(state.pool, words[:-1])), int(words[-1]))


def _bid(state: State, seat: int, words: list[str]) -> Action:
    return a.Bid(seat, int(single(words)))


def _sell(state: State, seat: int, words: list[str]) -> Action:
    if state.stage != OPERATE:
        return a.Sell(seat, read_cards(state.players[seat].certificates, words))
    own = state.company.certificates if state.operating.company else state.players[seat].certificates
    return a.CompanySell(seat, read_cards(own, words))


def _describe_sale(state: State, action: a.Sell | a.CompanySell) -> str:
    return f"{card_names(action.certificates)} for {sum(shares.value(state, c) for c in action.certificates)}"


def _hand(state: State, seat: int, words: list[str]) -> Action:
    return a.BuyFromHand(seat, read_cards(state.players[seat].hand, words))


def _ipo(state: State, seat: int, words: list[str]) -> Action:
    row, count = [*map(int, words), 1][:2]
    at_most(words, 2)
    return a.BuyFromIpo(seat, row - 1, count)


def _describe_ipo(state: State, action: a.BuyFromIpo) -> str:
    cards = state.ipo[action.row][: action.count]
    return f"{card_names(cards)} for {sum(map(face, cards))}"


def _market(state: State, seat: int, words: list[str]) -> Action:
    return a.BuyFromMarket(seat, single(read_cards(state.market, words)))


_CARDS = "cards by id: EIR_0 is the Director's certificate, P1 a private, RB0 a bond; EIR alone is any 10 % share"
_HAND = f"{_CARDS}; or by its number in the hand as it is shown"
CARDS = (
    ActionText(
        "keep",
        (a.Keep,),
        "keep CARD...",
        "keep these cards of the dealt hand",
        read=_keep,
        write=lambda x: [*x.cards],
        describe=lambda state, x: short(x.cards),
        example="keep 1 2 4 7 9 EIR P3",
        parts=f"{_HAND}; as many as are kept: 8, 7, 6 or 5 with 2, 3, 4 or 5 players",
    ),
    ActionText(
        "draft",
        (a.Draft,),
        "draft CARD",
        "take a card of the pool",
        read=_draft,
        write=lambda x: [x.card],
        describe=lambda state, x: f"{card_name(x.card)}, to buy for {face(x.card)}",
        example="draft EIR_0",
        parts=_CARDS,
    ),
    ActionText(
        "nominate",
        (a.Nominate,),
        "nominate CARD BID",
        "put a card up for auction",
        read=_nominate,
        write=lambda x: [x.card, str(x.bid)],
        describe=lambda state, x: f"auction {card_name(x.card)}, bid {x.bid}",
        example="nominate EIR_0 100",
        parts=f"{_CARDS}; the bid is yours",
    ),
    ActionText(
        "bid",
        (a.Bid,),
        "bid AMOUNT",
        "bid for the card",
        read=_bid,
        write=lambda x: [str(x.amount)],
        example="bid 110",
        parts="the whole amount, not what is added",
    ),
    ActionText(
        "sell",
        (a.Sell, a.CompanySell),
        "sell CARD...",
        "sell certificates",
        read=_sell,
        write=lambda x: [*x.certificates],
        describe=_describe_sale,
        example="sell EIR EIR P3",
        parts=_CARDS,
    ),
    ActionText(
        "hand",
        (a.BuyFromHand,),
        "hand CARD...",
        "buy from the hand: cards of one company, or privates",
        read=_hand,
        write=lambda x: [*x.cards],
        describe=lambda state, x: f"{card_names(x.cards)} for {sum(map(face, x.cards))}",
        example="hand EIR EIR",
        parts=_HAND,
    ),
    ActionText(
        "ipo",
        (a.BuyFromIpo,),
        "ipo ROW [2]",
        "buy the first card of IPO row 1 to 3, or the first two",
        read=_ipo,
        write=lambda x: [str(x.row + 1), str(x.count) if x.count != 1 else ""],
        describe=_describe_ipo,
        example="ipo 2",
        parts="the rows count from 1",
    ),
    ActionText(
        "market",
        (a.BuyFromMarket,),
        "market CARD",
        "buy from the open market",
        read=_market,
        write=lambda x: [x.certificate],
        describe=lambda state, x: f"{card_name(x.certificate)} for {shares.value(state, x.certificate)}",
        example="market EIR",
        parts=_CARDS,
    ),
    ActionText("bond", (a.BuyBond,), "bond", "buy a Railroad Bond", read=verb_only(a.BuyBond)),
    ActionText(
        "convert",
        (a.ConvertBond,),
        "convert",
        "convert a bond into a share of the national railway",
        read=verb_only(a.ConvertBond),
        describe=lambda state, x: f"a bond into a share of {BOX.national} for {purchases.conversion_price(state)}",
    ),
    ActionText("draw", (a.DrawDummy,), "draw", "draw a card of the dummy hand", read=verb_only(a.DrawDummy)),
)
