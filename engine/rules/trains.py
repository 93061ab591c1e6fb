"""Trains: bought in order, sold back, from other companies; phases (rules sections 1.6, 1.7, 10.2)."""

from __future__ import annotations

from dataclasses import replace

from trunkline.engine.actions import Action, AnswerOffer, BuyTrain, SellTrain
from trunkline.engine.box.box import BOX, FOURTH, TITLE, train_card
from trunkline.engine.errors import RuleError, passes
from trunkline.engine.rules import money
from trunkline.engine.rules.money import BANK
from trunkline.engine.state import TRAINS, Pending, State

FROM_BANK, FROM_MARKET = "bank", "market"


def on_sale(state: State) -> list[str]:
    """The new trains that may be bought: the next type in order; once the fours are gone, any type of phase IV."""
    for card in ("2", "3", "4"):
        if left := [t for t in state.depot if train_card(t) == card]:
            return left
    return list(state.depot)


def check_buy(state: State, action: BuyTrain) -> None:
    """Raises RuleError: no room, a second train of phase IV, not on sale there, wrong price or side, no money."""
    turn, company = state.operating, state.company
    if turn.step != TRAINS:
        raise RuleError("10.2", f"trains are bought in the train step; this is step {turn.step}")
    if len(company.trains) >= BOX.train_limit:
        raise RuleError("10.2", f"{turn.company} has {len(company.trains)} trains, the limit", "sell one, or pass")
    card = train_card(action.train)
    fourth = [t for t in company.trains if train_card(t) in FOURTH]
    if card in FOURTH and fourth and state.options.on("one_phase_four_train"):
        raise RuleError("10.2", f"{turn.company} has a train of phase IV already: {fourth[0]}")
    if action.source in (FROM_BANK, FROM_MARKET):
        _check_bank(state, action, card)
    else:
        _check_company(state, action)
    money.require(state, turn.company, action.price, "10.2", f"train {action.train}")


def _check_bank(state: State, action: BuyTrain, card: str) -> None:
    sale = on_sale(state) if action.source == FROM_BANK else state.used_trains
    if action.train not in sale:
        legal = ", ".join(dict.fromkeys(map(train_card, sale))) or "none"
        raise RuleError("10.2", f"train {action.train} is not on sale in the {action.source}", legal)
    printed = TITLE.cards[card]
    if action.price != printed.price:
        raise RuleError("10.2", f"train {card} costs {printed.price}, not {action.price}", str(printed.price))
    if action.side not in printed.sides:
        raise RuleError("1.6", f"train {card} has no side {action.side!r}", " or ".join(printed.sides))


def _check_company(state: State, action: BuyTrain) -> None:
    seller = state.companies.get(action.source)
    if seller is None or not seller.formed or action.source == state.operating.company:
        raise RuleError("10.2", f"{action.source!r} is no other company that is formed", "bank, market or a company")
    if action.train not in seller.trains:
        raise RuleError("10.2", f"{action.source} has no train {action.train}", ", ".join(seller.trains) or "none")
    if action.price < 1:
        raise RuleError("10.2", "a train of another company costs 1 or more", "1 or more")
    if action.side not in ("", state.sides[action.train]):
        raise RuleError("1.6", "the side of a train changes only at the bank", state.sides[action.train])


def do_buy(state: State, action: BuyTrain) -> None:
    """Buy; from another player's company only when that player accepts."""
    if action.source in (FROM_BANK, FROM_MARKET):
        _from_bank(state, action)
        return
    seller = state.companies[action.source].controller
    if seller != action.seat and state.options.on("train_sale_consent"):
        offer = Pending("offer", seller, action.source, train=action.train, price=action.price)
        state.pending.append(offer)
        return
    _transfer(state, action.source, action.train, action.price)


def _from_bank(state: State, action: BuyTrain) -> None:
    new = action.source == FROM_BANK
    (state.depot if new else state.used_trains).remove(action.train)
    state.sides[action.train] = action.side
    state.company.trains.append(action.train)
    money.pay(state, state.operating.company, BANK, action.price)
    turn = state.operating
    state.operating = replace(turn, fresh=(*turn.fresh, action.train), from_bank=(*turn.from_bank, action.train))
    if new:
        _phase(state, train_card(action.train))


def _phase(state: State, card: str) -> None:
    """A new train may begin a phase, at once (1.7)."""
    phases = list(TITLE.phases)
    at = state.phase
    if card == "3" and at == "I":
        state.phase = "II"
    elif card == "4":
        state.phase = "III" if any(train_card(t) == "4" for t in state.depot) else "III'"
    elif card in FOURTH and at != "IV":
        state.phase = "IV"
        for c in state.companies.values():
            c.guaranty = False
    assert phases.index(state.phase) >= phases.index(at)


def _transfer(state: State, source: str, train: str, price: int) -> None:
    seller = state.companies[source]
    seller.trains.remove(train)
    state.company.trains.append(train)
    money.pay(state, state.operating.company, source, price)
    state.operating = replace(state.operating, fresh=(*state.operating.fresh, train))


def check_answer(state: State, action: AnswerOffer) -> None:
    """Raises RuleError: nothing is offered."""
    if not state.pending or state.pending[0].kind != "offer":
        raise RuleError("10.2", "no train is asked for")


def do_answer(state: State, action: AnswerOffer) -> None:
    """Sell the train, or not."""
    offer = state.pending.pop(0)
    if action.accept:
        _transfer(state, offer.company, offer.train, offer.price)


def check_sell(state: State, action: SellTrain) -> None:
    """Raises RuleError: not the step, not owned, bought in this turn, or a train the bank does not take."""
    turn = state.operating
    if turn.step != TRAINS:
        raise RuleError("10.2", f"trains are sold in the train step; this is step {turn.step}")
    trains = state.company.trains
    if action.train not in trains:
        raise RuleError("10.2", f"{turn.company} has no train {action.train}", ", ".join(trains) or "none")
    if TITLE.cards[train_card(action.train)].buy_back is None:
        raise RuleError("10.2", f"the bank does not take a {train_card(action.train)} train")
    if action.train in (turn.from_bank if state.options.on("resell_new_trains") else turn.fresh):
        raise RuleError("10.2", f"train {action.train} was bought in this turn", "an older train")


def do_sell(state: State, action: SellTrain) -> None:
    """The train goes to the open market; the bank pays its fixed value."""
    state.company.trains.remove(action.train)
    state.used_trains.append(action.train)
    state.sides.pop(action.train)
    money.pay(state, BANK, state.operating.company, TITLE.cards[train_card(action.train)].buy_back or 0)


def candidates(state: State, seat: int) -> list[Action]:
    """Purchases and sales to try: one train of each type and side; from companies for 1, list price and all cash."""
    company = state.company
    found: list[Action] = [SellTrain(seat, t) for t in company.trains]
    for source, trains in ((FROM_BANK, on_sale(state)), (FROM_MARKET, state.used_trains)):
        kinds = {train_card(t): t for t in reversed(trains)}
        for card, train in sorted(kinds.items()):
            printed = TITLE.cards[card]
            found += [BuyTrain(seat, train, source, printed.price, side) for side in printed.sides]
    for name, other in state.companies.items():
        if other.formed and name != state.operating.company:
            for train in other.trains:
                prices = {1, TITLE.cards[train_card(train)].price, company.cash}
                found += [BuyTrain(seat, train, name, price) for price in sorted(prices)]
    return found


def possible(state: State) -> bool:
    """Whether the company could buy or sell a train at all; else its train step is left out."""
    company = state.company
    if any(passes(check_sell, state, SellTrain(company.controller, t)) for t in company.trains):
        return True
    if len(company.trains) >= BOX.train_limit:
        return False
    prices = [TITLE.cards[train_card(t)].price for t in (*on_sale(state), *state.used_trains)]
    if prices and min(prices) <= company.cash:
        return True
    others = any(c.formed and c.trains for n, c in state.companies.items() if n != state.operating.company)
    return others and company.cash >= 1
