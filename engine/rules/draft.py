"""Keeping cards, the draft, and the certificate auction in its place (rules sections 2 and 2.1)."""

from __future__ import annotations

from collections import Counter

from trunkline.engine.actions import Action, Bid, Draft, Keep, Nominate, Pass
from trunkline.engine.box.box import company_of, face, is_director
from trunkline.engine.errors import RuleError
from trunkline.engine.rules import money, setup
from trunkline.engine.state import AUCTION, DRAFT, KEEP, STOCK, Lot, State, StockTurn


def seats_to_act(state: State) -> list[int]:
    """Who may act: all that have not chosen while keeping, else one."""
    if state.stage == KEEP:
        return [seat for seat in state.options.seats if state.players[seat].kept is None]
    if state.stage == AUCTION and state.lot is not None:
        return [state.lot.turn]
    return [drafter(state, state.moves)]


def drafter(state: State, move: int) -> int:
    """Who takes the ``move``-th card: the first pass in reverse turn order, all later ones in turn order (C10).

    In an auction every pass is in turn order.
    """
    n = len(state.order)
    if state.stage != AUCTION and move < n:
        return state.order[n - 1 - move]
    return state.order[move % n]


# --- keeping


def check_keep(state: State, action: Keep) -> None:
    """Raises RuleError: not the right number of cards of the own hand."""
    want = setup.kept(state.options)
    hand = state.players[action.seat].hand
    legal = f"{want} of {', '.join(hand)}"
    if len(action.cards) != want:
        raise RuleError("2", f"keep {want} cards, not {len(action.cards)}", legal)
    extra = Counter(action.cards) - Counter(hand)
    if extra:
        raise RuleError("2", f"{next(iter(extra))} is not in the hand, or not that often", legal)


def do_keep(state: State, action: Keep) -> None:
    """Note the secret choice; when all have chosen the others go to the pool."""
    state.players[action.seat].kept = list(action.cards)
    if seats_to_act(state):
        return
    for player in state.players:
        chosen = player.kept or []
        state.pool += [c for c in player.hand if c not in chosen]
        player.hand, player.kept = chosen, None
    state.pool.sort(key=_display)
    state.stage = AUCTION if state.options.start == "auction" else DRAFT


def _display(card: str) -> tuple[str, bool, str]:
    return (company_of(card) or "~", not is_director(card), card)


# --- draft


def check_draft(state: State, action: Draft) -> None:
    """Raises RuleError: the card is not in the pool."""
    if action.card not in state.pool:
        raise RuleError("2", f"{action.card} is not in the pool", ", ".join(state.pool))


def do_draft(state: State, action: Draft) -> None:
    """Take the card, openly."""
    _take(state, action.seat, action.card)


def _take(state: State, seat: int, card: str) -> None:
    state.pool.remove(card)
    state.players[seat].hand.append(card)
    state.players[seat].open_cards.append(card)
    last = drafter(state, state.moves)
    state.moves += 1
    state.lot = None
    if not state.pool:
        _first_stock_round(state, last)


def _first_stock_round(state: State, last: int) -> None:
    """The player after the last drafter starts; the turn order is turned accordingly (2, step 10)."""
    at = state.order.index(last) + 1
    state.order = state.order[at:] + state.order[:at]
    start_stock_round(state)


def start_stock_round(state: State) -> None:
    """Begin the next stock round with the first player in turn order."""
    state.stage = STOCK
    state.round += 1
    state.operating_round = 0
    state.turn = 0
    state.moves = 0
    state.passes = []
    state.passed_in_a_row = 0
    state.stock = StockTurn()


# --- auction


def check_nominate(state: State, action: Nominate) -> None:
    """Raises RuleError: a card is being auctioned, is not in the pool, or the bid is not possible."""
    if state.lot is not None:
        raise RuleError("2.1", f"{state.lot.card} is being auctioned", "bid or pass")
    if action.card not in state.pool:
        raise RuleError("2.1", f"{action.card} is not in the pool", ", ".join(state.pool))
    _check_bid(state, action.seat, action.bid, 0)


def do_nominate(state: State, action: Nominate) -> None:
    """Open the auction of a card."""
    state.lot = Lot(action.card, action.bid, action.seat, action.seat, (), action.seat)
    _next_bidder(state)


def check_bid(state: State, action: Bid) -> None:
    """Raises RuleError: nothing is being auctioned, or the bid is too low or more than the cash."""
    if state.lot is None:
        raise RuleError("2.1", "no card is being auctioned", "nominate a card")
    _check_bid(state, action.seat, action.amount, state.lot.bid + 1)


def _check_bid(state: State, seat: int, amount: int, least: int) -> None:
    have = state.players[seat].cash
    if not least <= amount <= have:
        raise RuleError("2.1", f"a bid of {amount} is not possible", f"{least} to {have}" if least <= have else "pass")


def do_bid(state: State, action: Bid) -> None:
    """Take the lead."""
    lot = state.lot
    assert lot is not None
    state.lot = Lot(lot.card, action.amount, action.seat, lot.nominator, lot.passed, action.seat)
    _next_bidder(state)


def check_pass(state: State, action: Pass) -> None:
    """Raises RuleError: only a bidder may pass, never a drafter or nominator."""
    if state.lot is None:
        raise RuleError("2", "nobody may pass here", "take a card of the pool")


def do_pass(state: State, action: Pass) -> None:
    """A pass is final for this card."""
    lot = state.lot
    assert lot is not None
    state.lot = Lot(lot.card, lot.bid, lot.bidder, lot.nominator, (*lot.passed, action.seat), action.seat)
    _next_bidder(state)


def _next_bidder(state: State) -> None:
    """Go round clockwise to the next who is still in; alone left, the highest bidder pays the bank."""
    lot = state.lot
    assert lot is not None
    at = state.order.index(lot.turn)
    for i in range(1, len(state.order) + 1):
        seat = state.order[(at + i) % len(state.order)]
        if seat == lot.bidder:
            break
        if seat not in lot.passed:
            state.lot = Lot(lot.card, lot.bid, lot.bidder, lot.nominator, lot.passed, seat)
            return
    money.pay(state, lot.bidder, money.BANK, lot.bid)
    _take(state, lot.bidder, lot.card)


def candidates(state: State, seat: int) -> list[Action]:
    """Actions to try, the free ones as samples: three choices to keep; nominations with nothing or the face value bid;
    bids of the least, 10 more and everything."""
    if state.stage == KEEP:
        return _keep_samples(state, seat)
    if state.stage == DRAFT:
        return [Draft(seat, card) for card in state.pool]
    cash = state.players[seat].cash
    if state.lot is None:
        return [Nominate(seat, card, bid) for card in state.pool for bid in sorted({0, min(cash, face(card))})]
    least = state.lot.bid + 1
    return [Bid(seat, amount) for amount in sorted({least, least + 10, cash})] + [Pass(seat)]


def _keep_samples(state: State, seat: int) -> list[Action]:
    """The first cards of the hand, the last ones, and those of the companies it has most of."""
    want = setup.kept(state.options)
    hand = state.players[seat].hand
    often = Counter(company_of(c) for c in hand)
    most = sorted(hand, key=lambda c: (-often[company_of(c)] if company_of(c) else 0, company_of(c), c))
    choices = (tuple(hand[:want]), tuple(hand[-want:]), tuple(most[:want]))
    return [Keep(seat, cards) for cards in dict.fromkeys(choices)]
