"""Players without a human: ``random`` plays any legal action, ``greedy`` a simple one that makes money.

For demonstration, tests, and company at a hot-seat table. A bot sees only what its seat may see.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from trunkline.engine import actions as a
from trunkline.engine import game
from trunkline.engine.actions import Action
from trunkline.engine.bots.random_play import choose
from trunkline.engine.box.box import BOX, TITLE, company_of, face, is_bond, is_director, train_card
from trunkline.engine.rules import run, shares, trains
from trunkline.engine.rules.run import Solver
from trunkline.engine.state import OPERATE, RUN, State

Bot = Callable[[State, int], Action]
TRIES = 12
"""Tiles of which the greedy bot looks at what its company could earn after them."""


def bot(name: str, seed: int, solver: Solver) -> Bot:
    """A bot by name.

    Parameters
    ----------
    name
        ``greedy`` or ``random``; see ``BOTS``.
    seed
        A bot with the same name and seed decides the same in the same states.
    solver
        Finds the best routes, for instance :func:`trunkline.solver.solve`.

    Returns
    -------
    Bot
        A function of a view (see :func:`trunkline.engine.view`) and a seat that may act; it gives a legal action.

    Raises
    ------
    KeyError
        There is no bot of that name.

    Examples
    --------
    >>> from trunkline.engine import Options, apply, bot, new_game, view
    >>> from trunkline.solver import solve
    >>> state, player = new_game(Options(players=("Ann", "Bob")), seed=1), bot("greedy", 1, solve)
    >>> len(apply(state, player(view(state, 0), 0)).players[0].kept)
    8
    """
    return BOTS[name](random.Random(f"{name} {seed}"), solver)


def _random(source: random.Random, solver: Solver) -> Bot:
    def act(state: State, seat: int) -> Action:
        found = game.legal_actions(state, seat, solver)
        return found[0] if isinstance(found[0], a.Run) else choose(found, source)

    return act


def _greedy(source: random.Random, solver: Solver) -> Bot:
    def act(state: State, seat: int) -> Action:
        if state.stage == OPERATE and not state.pending and state.operating.step == RUN:
            return run.best(state, solver)
        found = game.legal_actions(state, seat)
        lays = [x for x in found if isinstance(x, a.LayTile) and not x.private]
        if lays:
            return _lay(state, lays, source, solver) or a.Pass(seat)
        scored = [(_score(state, x), source.random(), i) for i, x in enumerate(found)]
        return found[max(scored)[2]]

    return act


BOTS: dict[str, Callable[[random.Random, Solver], Bot]] = {"greedy": _greedy, "random": _random}


def _lay(state: State, lays: Sequence[a.LayTile], source: random.Random, solver: Solver) -> Action | None:
    """The tile after which the company could earn most, with a 4 train if it has none; none that costs too much."""
    best: tuple[int, Action] | None = None
    for lay in source.sample(lays, min(TRIES, len(lays))):
        after = game.apply(state, lay)
        cost = state.company.cash - after.companies[state.operating.company].cash
        rated = _could_earn(after, state.operating.company, solver) - cost // 2
        if cost <= max(60, state.company.cash // 3) and (best is None or rated > best[0]):
            best = (rated, lay)
    return best[1] if best else None


def _could_earn(state: State, company: str, solver: Solver) -> int:
    position = run.position(state, company)
    if not position.trains:
        position = replace(position, trains=(TITLE.trains["4"],))
    return solver(position).total


def _score(state: State, action: Action) -> float:
    """How much the greedy bot likes an action; Pass is 0."""
    score = _SCORES.get(type(action))
    return score(state, action) if score else 0.1


def _keep(state: State, action: a.Keep) -> float:
    return float(len({c for c in action.cards if company_of(c)}) * -1 + sum(map(face, action.cards)) / 1000)


def _bid(state: State, action: a.Bid) -> float:
    lot = state.lot
    return 1.0 if lot and action.amount <= min(20, face(lot.card) // 8) else -1.0


def _from_ipo(state: State, action: a.BuyFromIpo) -> float:
    cards = state.ipo[action.row][: action.count]
    return sum(_card(state, action.seat, c) for c in cards) - 2


def _token(state: State, action: a.PlaceToken) -> float:
    return 1.0 if state.company.unplaced and state.company.unplaced[0] * 4 <= state.company.cash else -1.0


def _dividend(state: State, action: a.Dividend) -> float:
    return 1.0 if action.pay == (bool(state.company.trains) and state.company.cash > 100) else 0.5


def _card(state: State, seat: int, card: str) -> float:
    """Companies that the seat is in or that do well, Directors' certificates first."""
    company = company_of(card)
    if not company:
        return 1.0
    c = state.companies[company]
    mine = state.percent(seat, company) / 10
    running = len(c.trains) if c.formed else 0
    return (6 if is_director(card) else 2) + mine + 2 * running + shares.value(state, card) / 200


def _sale(state: State, action: a.Sell | a.CompanySell) -> float:
    """Sell shares of companies that earn nothing, and what is over the limit."""
    company = company_of(action.certificates[0])
    if isinstance(action, a.CompanySell) or not company or is_bond(action.certificates[0]):
        return -1.0
    c = state.companies[company]
    return 1.0 if c.formed and not c.trains and not c.guaranty and c.controller != action.seat else -0.5


def _train(state: State, action: a.BuyTrain) -> float:
    card = TITLE.cards[train_card(action.train)]
    if action.source in state.companies:
        return -1.0
    return card.price / 100 + (0.5 if action.side.endswith("E") else 0)


def _old(state: State, action: a.SellTrain) -> float:
    """Give a train away where there is no room, for one that is better and affordable."""
    company, card = state.company, TITLE.cards[train_card(action.train)]
    money = company.cash + (card.buy_back or 0)
    better = [TITLE.cards[train_card(t)].price for t in (*trains.on_sale(state), *state.used_trains)]
    full = len(company.trains) >= BOX.train_limit
    return 4.0 - card.price / 500 if full and any(card.price < p <= money for p in better) else -1.0


def _fair(state: State) -> bool:
    offer = state.pending[0]
    return offer.price >= TITLE.cards[train_card(offer.train)].price


def _never(state: State, action: Action) -> float:
    return -1.0


_SCORES: dict[type[Action], Callable[[State, Any], float]] = {
    a.Pass: lambda state, x: 0.0,
    a.Keep: _keep,
    a.Draft: lambda state, x: _card(state, x.seat, x.card),
    a.Nominate: lambda state, x: _card(state, x.seat, x.card) - x.bid / 10,
    a.Bid: _bid,
    a.BuyFromHand: lambda state, x: sum(_card(state, x.seat, c) for c in x.cards),
    a.BuyFromIpo: _from_ipo,
    a.BuyFromMarket: lambda state, x: _card(state, x.seat, x.certificate) - 1,
    a.BuyBond: lambda state, x: 0.5,
    a.ConvertBond: lambda state, x: 2.0,
    a.Sell: _sale,
    a.CompanySell: _sale,
    a.PlaceToken: _token,
    a.BuyTrain: _train,
    a.Dividend: _dividend,
    a.SellTrain: _old,
    a.AnswerOffer: lambda state, x: 1.0 if x.accept and _fair(state) else 0.0,
    a.ClosePrivate: _never,
    a.UseDiscount: _never,
    a.PlaceJewelry: _never,
    a.LayTile: _never,
    a.EndGame: _never,
}
