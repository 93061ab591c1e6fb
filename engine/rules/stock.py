"""The stock round: one sale turn round the table, then buying turns until all pass in succession (rules 5 and 6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from trunkline.engine.actions import (
    Action,
    BuyBond,
    BuyFromHand,
    BuyFromIpo,
    BuyFromMarket,
    ConvertBond,
    DrawDummy,
    Pass,
    Sell,
)
from trunkline.engine.box.box import NATIONAL, company_of, face, is_bond
from trunkline.engine.errors import RuleError, passes
from trunkline.engine.rules import money, purchases, shares
from trunkline.engine.state import Pending, State, StockTurn

PRIVATES = "privates"


def selling(state: State) -> bool:
    """Whether this is the sale turn; there is none in the first stock round."""
    return state.round > 1 and state.moves < len(state.order)


def seat(state: State) -> int:
    """Whose turn it is."""
    return state.order[state.turn]


def end_turn(state: State, passed: bool) -> None:
    """Next player. A pass in a buying turn is noted; who acts loses the place noted before.

    Who bought from the hand may draw from the dummy hand (2.2).
    """
    who, sale = seat(state), selling(state)
    if state.stock.source == "hand" and state.dummy:
        state.pending.append(Pending("dummy", who))
    if passed and (not sale or state.options.on("sale_pass_counts")):
        if who not in state.passes:
            state.passes.append(who)
    elif not passed and who in state.passes:
        state.passes.remove(who)
    if not sale:
        state.passed_in_a_row = state.passed_in_a_row + 1 if passed else 0
    state.moves += 1
    state.turn = (state.turn + 1) % len(state.order)
    state.stock = StockTurn()


def over(state: State) -> bool:
    """Whether all have passed in succession."""
    return state.passed_in_a_row >= len(state.order)


def reorder(state: State) -> None:
    """Who passes keeps that place in the next turn order until they act again."""
    state.order = state.passes + [s for s in state.order if s not in state.passes]


# --- sale turn


def must_sell(state: State, who: int) -> bool:
    """Whether a player is over the certificate limit."""
    return shares.counted(state, who) > shares.limit(state, who)


def check_sell(state: State, action: Sell) -> None:
    """Raises RuleError: not the sale turn, not owned, or a directorship that cannot pass."""
    if not selling(state):
        raise RuleError("5", "things are sold only in the sale turn", "buy or pass")
    purchases.check_owned(state, action.seat, action.certificates, "5")
    shares.check_directorship(state, action.seat, list(action.certificates))


def do_sell(state: State, action: Sell) -> None:
    """Sell; the turn goes on."""
    purchases.sell(state, action.seat, list(action.certificates))
    state.stock = StockTurn(acted=True)


# --- buying turns


def _check_first(state: State) -> None:
    if selling(state):
        raise RuleError("5", "nothing is bought in the sale turn", "sell or pass")
    if state.stock.acted:
        raise RuleError("6", "one purchase a turn", "pass")


def check_hand(state: State, action: BuyFromHand) -> None:
    """Raises RuleError: not in the hand, of several companies, no room, or not enough money."""
    cards = action.cards
    hand = state.players[action.seat].hand
    if selling(state):
        _check_first(state)
    if not cards:
        raise RuleError("6", "name the cards to buy", ", ".join(hand))
    extra = Counter(cards) - Counter(hand)
    if extra:
        raise RuleError("6", f"{next(iter(extra))} is not in the hand", ", ".join(hand))
    kinds = {company_of(c) or PRIVATES for c in cards}
    if state.stock.acted:
        if state.stock.source != "hand":
            raise RuleError("6", "one purchase a turn", "pass")
        kinds.add(state.stock.what)
    if len(kinds) > 1:
        raise RuleError("6", f"cards of {' and '.join(sorted(kinds))}", "cards of one company, or privates")
    shares.require_room(state, action.seat, len(cards))
    money.require(state, action.seat, sum(map(face, cards)), "6", " and ".join(cards))


def do_hand(state: State, action: BuyFromHand) -> None:
    """Buy all of it at one time; the company is paid, for privates the bank."""
    player = state.players[action.seat]
    for card in action.cards:
        player.hand.remove(card)
        if card in player.open_cards:
            player.open_cards.remove(card)
        money.pay(state, action.seat, purchases.payee(card), face(card))
    shares.acquire(state, action.seat, *action.cards)
    bought = state.stock.bought + len(action.cards)
    state.stock = StockTurn(True, "hand", company_of(action.cards[0]) or PRIVATES, bought)
    if not state.options.on("piecemeal_buying"):
        end_turn(state, passed=False)


def check_ipo(state: State, action: BuyFromIpo) -> None:
    """Raises RuleError: closed to players in the first round, not the first cards of one row, no room, no money."""
    if selling(state):
        _check_first(state)
    if state.round == 1 and state.options.on("ipo_closed_first_round"):
        raise RuleError("6", "players buy from the IPO from the second stock round on", "hand or open market")
    turn = state.stock
    if turn.acted and not (turn.source == "ipo" and turn.what == str(action.row) and turn.bought == 1):
        raise RuleError("6", "one purchase a turn, from the IPO the first two cards of one row", "pass")
    if action.count not in (1, 2) or action.count + turn.bought > 2:
        raise RuleError("6", f"{action.count} cards from the IPO", "the first card of a row, or the first two")
    purchases.check_ipo(state, action.seat, action.row, action.count)


def do_ipo(state: State, action: BuyFromIpo) -> None:
    """Buy the first card or two of a row."""
    purchases.buy_ipo(state, action.seat, action.row, action.count)
    bought = state.stock.bought + action.count
    state.stock = StockTurn(True, "ipo", str(action.row), bought)
    if bought == 2 or not state.options.on("piecemeal_buying"):
        end_turn(state, passed=False)


def _single(
    check: Callable[[State, int], None], do: Callable[[State, int], None]
) -> tuple[Callable[[State, Action], None], Callable[[State, Action], None]]:
    """A purchase that is the whole turn."""

    def check_(state: State, action: Action) -> None:
        _check_first(state)
        check(state, action.seat)

    def do_(state: State, action: Action) -> None:
        do(state, action.seat)
        end_turn(state, passed=False)

    return check_, do_


check_bond, do_bond = _single(purchases.check_bond, purchases.buy_bond)
check_convert, do_convert = _single(purchases.check_convert, purchases.convert)


def check_market(state: State, action: BuyFromMarket) -> None:
    """Raises RuleError: not the buying turn, not there, no room, or not enough money."""
    _check_first(state)
    purchases.check_market(state, action.seat, action.certificate)


def do_market(state: State, action: BuyFromMarket) -> None:
    """Buy it; this is the whole turn."""
    purchases.buy_market(state, action.seat, action.certificate)
    end_turn(state, passed=False)


def check_pass(state: State, action: Pass) -> None:
    """Raises RuleError: over the certificate limit at the end of the sale turn."""
    if selling(state) and must_sell(state, action.seat) and _can_sell(state, action.seat):
        have, most = shares.counted(state, action.seat), shares.limit(state, action.seat)
        raise RuleError("5", f"{have} certificates are over the limit of {most}", "sell")


def _can_sell(state: State, who: int) -> bool:
    """Whether anything that counts against the limit can be sold (a lone Director's certificate cannot)."""
    own = [c for c in state.players[who].certificates if not is_bond(c)]
    return any(passes(shares.check_directorship, state, who, [c]) for c in own)


def do_pass(state: State, action: Pass) -> None:
    """Done, or pass."""
    end_turn(state, passed=not state.stock.acted)


def check_draw(state: State, action: DrawDummy) -> None:
    """Raises RuleError: only after a purchase from the hand."""
    if not state.pending or state.pending[0].kind != "dummy":
        raise RuleError("2.2", "a card of the dummy hand is drawn after a purchase from the hand")


def do_draw(state: State, action: DrawDummy) -> None:
    """Take the top card of the dummy hand into the hand; a share of a closed company is void."""
    state.pending.pop(0)
    card = state.dummy.pop(0)
    void = company_of(card) and state.companies[company_of(card)].closed
    (state.gone if void else state.players[action.seat].hand).append(card)


# --- what is possible


def candidates(state: State, who: int) -> list[Action]:
    """Actions to try. From the hand: single cards, and per company all that there is money and room for."""
    player = state.players[who]
    found: list[Action] = [Pass(who)]
    if selling(state):
        found += [Sell(who, (c,)) for c in purchases.distinct(player.certificates)]
        return found
    found += [BuyFromHand(who, (c,)) for c in player.hand]
    found += [BuyFromHand(who, cards) for cards in _bundles(state, who)]
    found += [BuyFromIpo(who, row, n) for row in range(len(state.ipo)) for n in (1, 2)]
    found += [BuyFromMarket(who, c) for c in purchases.distinct(state.market)]
    found += [BuyBond(who), ConvertBond(who)]
    return found


def _bundles(state: State, who: int) -> list[tuple[str, ...]]:
    """For each company (and the privates) in the hand the longest affordable start of its cards, if several."""
    player = state.players[who]
    room = shares.limit(state, who) - shares.counted(state, who)
    groups: dict[str, list[str]] = {}
    for card in sorted(player.hand, key=lambda c: (company_of(c), -face(c), c)):
        groups.setdefault(company_of(card) or PRIVATES, []).append(card)
    bundles = []
    for cards in groups.values():
        taken: list[str] = []
        cash = player.cash
        for card in cards:
            if face(card) <= cash and len(taken) < room:
                taken.append(card)
                cash -= face(card)
        if len(taken) > 1:
            bundles.append(tuple(taken))
    return bundles


_CHECKS: dict[type[Action], Callable[[State, Any], None]] = {
    Sell: check_sell,
    BuyFromHand: check_hand,
    BuyFromIpo: check_ipo,
    BuyFromMarket: check_market,
    BuyBond: check_bond,
    ConvertBond: check_convert,
}


def can_act(state: State, who: int) -> bool:
    """Whether there is anything but to pass; for the switch ``auto_pass``."""
    if state.stock.acted and state.stock.source == "hand":
        # 18xx.games asks as long as the hand has more of the kind and there is room, whatever it costs.
        same = [c for c in state.players[who].hand if (company_of(c) or PRIVATES) == state.stock.what]
        return bool(same) and shares.counted(state, who) < shares.limit(state, who)
    if any(passes(_CHECKS[type(a)], state, a) for a in candidates(state, who) if not isinstance(a, Pass)):
        return True
    return state.options.on("forced_choices") and _asked_in_vain(state, who)


def _asked_in_vain(state: State, who: int) -> bool:
    """Whether 18xx.games offers a conversion although no share of the national railway is left for it."""
    if selling(state) or state.stock.acted or state.phase != "IV":
        return False
    player, national = state.players[who], state.companies[NATIONAL]
    room = shares.counted(state, who) < shares.limit(state, who)
    price = 0 if national.closed else purchases.conversion_price(state)
    return room and player.cash >= price and any(map(is_bond, player.certificates))
