"""The engine: a game of 18 India is a state and the actions that are legal in it.

    >>> from trunkline.engine.game import actors, apply, legal_actions, new_game
    >>> from trunkline.engine.options import Options
    >>> state = new_game(Options(players=("Ann", "Bob", "Cem")), seed=7)
    >>> actors(state)                       # all choose at the same time what to keep
    (0, 1, 2)
    >>> action = legal_actions(state, 0)[0]
    >>> state = apply(state, action)
    >>> actors(state)
    (1, 2)

``apply`` gives the next state or raises RuleError and changes nothing; ``legal_actions`` lists what ``apply`` accepts,
and is written on the same checks. ``log`` keeps a game as its list of actions, ``views`` is what a seat may see.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from trunkline.engine import actions
from trunkline.engine.actions import Action, Pass
from trunkline.engine.errors import RuleError, passes
from trunkline.engine.options import Options
from trunkline.engine.rules import (
    certificates,
    double_city,
    draft,
    finish,
    homes,
    market,
    national,
    operate,
    privates,
    run,
    setup,
    stock,
    tokens,
    track,
    trains,
)
from trunkline.engine.rules.run import Solver
from trunkline.engine.state import AUCTION, DRAFT, END, KEEP, OPERATE, RUN, STOCK, State

__all__ = ["actors", "allowed", "apply", "best_run", "legal_actions", "new_game", "perform"]

Check = Callable[[State, Any], None]
Rule = tuple[Check, Check]


def _always(state: State, action: Action) -> None:
    """The check of an action that can always be taken when it is asked for."""


_PENDING: dict[str, dict[type[Action], Rule]] = {
    "home": {actions.PlaceHome: (homes.check_place_home, homes.do_place_home)},
    "national_home": {
        actions.PlaceHome: (homes.check_place_home, homes.do_place_home),
        actions.LayHome: (national.check_lay_home, national.do_lay_home),
    },
    "assign": {actions.AssignCity: (double_city.check_assign, double_city.do_assign)},
    "exchange": {
        actions.ExchangeToken: (market.check_exchange, market.do_exchange),
        Pass: (_always, market.do_pass),
    },
    "dummy": {
        actions.DrawDummy: (stock.check_draw, stock.do_draw),
        Pass: (_always, market.do_pass),
    },
    "offer": {actions.AnswerOffer: (trains.check_answer, trains.do_answer)},
}
_STAGES: dict[str, dict[type[Action], Rule]] = {
    KEEP: {actions.Keep: (draft.check_keep, draft.do_keep)},
    DRAFT: {actions.Draft: (draft.check_draft, draft.do_draft)},
    AUCTION: {
        actions.Nominate: (draft.check_nominate, draft.do_nominate),
        actions.Bid: (draft.check_bid, draft.do_bid),
        Pass: (draft.check_pass, draft.do_pass),
    },
    STOCK: {
        Pass: (stock.check_pass, stock.do_pass),
        actions.Sell: (stock.check_sell, stock.do_sell),
        actions.BuyFromHand: (stock.check_hand, stock.do_hand),
        actions.BuyFromIpo: (stock.check_ipo, stock.do_ipo),
        actions.BuyFromMarket: (stock.check_market, stock.do_market),
        actions.BuyBond: (stock.check_bond, stock.do_bond),
        actions.ConvertBond: (stock.check_convert, stock.do_convert),
    },
    OPERATE: {
        Pass: (operate.check_pass, operate.do_pass),
        actions.LayTile: (track.check_lay, track.do_lay),
        actions.RemoveMarker: (track.check_remove_marker, track.do_remove_marker),
        actions.PlaceToken: (tokens.check, tokens.do),
        actions.UseDiscount: (privates.check_discount, privates.do_discount),
        actions.PlaceJewelry: (privates.check_jewelry, privates.do_jewelry),
        actions.ClosePrivate: (privates.check_close, privates.do_close),
        actions.Run: (run.check, run.do),
        actions.Dividend: (run.check_dividend, run.do_dividend),
        actions.BuyTrain: (trains.check_buy, trains.do_buy),
        actions.SellTrain: (trains.check_sell, trains.do_sell),
        actions.CompanySell: (certificates.check_sell, certificates.do_sell),
        actions.BuyFromIpo: (certificates.check_ipo, certificates.do_ipo),
        actions.BuyFromMarket: (certificates.check_market, certificates.do_market),
        actions.BuyBond: (certificates.check_bond, certificates.do_bond),
        actions.ConvertBond: (certificates.check_convert, certificates.do_convert),
    },
    END: {},
}
_HOMES = {"home": homes.candidates, "national_home": national.candidates, "assign": double_city.candidates}
# The section that says what may be done, for actions that do not belong here at all.
_SECTIONS = {KEEP: "2", DRAFT: "2", AUCTION: "2.1", STOCK: "6", OPERATE: "7", END: "11"}


def new_game(options: Options, seed: int) -> State:
    """Deal the cards of a new game; everybody chooses what to keep.

    Parameters
    ----------
    options
        Players, variant and rule switches.
    seed
        Of the deal, a number of 64 bits. Same arguments, same deal; nothing else in a game is random.

    Returns
    -------
    State
        The first state, in the stage ``keep``.

    Raises
    ------
    LogError
        The seed does not fit into 64 bits.
    """
    return setup.deal(options, seed)


def actors(state: State) -> tuple[int, ...]:
    """The seats that may act now.

    Parameters
    ----------
    state
        A state or a view of it.

    Returns
    -------
    tuple of int
        Several while cards are chosen to keep, none when the game is over, else one.
    """
    if state.stage == END:
        return ()
    if state.pending:
        return (state.pending[0].seat,)
    if state.stage == STOCK:
        return (stock.seat(state),)
    if state.stage == OPERATE:
        return (state.company.controller,)
    return tuple(draft.seats_to_act(state))


def rules_now(state: State) -> dict[type[Action], Rule]:
    """The kinds of action that belong to the decision that is due."""
    return _PENDING[state.pending[0].kind] if state.pending else _STAGES[state.stage]


def check(state: State, action: Action) -> None:
    """Raises RuleError when the action cannot be taken: names the section of the rules and what could be done."""
    if isinstance(action, actions.EndGame):
        _check_end(state, action)
        return
    seats = actors(state)
    if action.seat not in seats:
        who = ", ".join(state.options.players[s] for s in seats) or "nobody: the game is over"
        raise RuleError(
            "7" if state.stage == OPERATE else "3", f"it is not seat {action.seat}'s turn", f"turn of {who}"
        )
    rules = rules_now(state)
    if type(action) not in rules:
        due = state.pending[0].kind if state.pending else state.operating.step or state.stage
        legal = ", ".join(map(actions.type_name, rules))
        text = f"{actions.type_name(type(action))} is not possible now ({due.replace('_', ' ')})"
        raise RuleError(_SECTIONS[state.stage], text, legal)
    rules[type(action)][0](state, action)


def _check_end(state: State, action: Action) -> None:
    if not state.options.on("manual_end") or state.stage == END or action.seat not in state.options.seats:
        raise RuleError("11", "the game ends when the bank breaks or a price reaches 400")


def allowed(state: State, action: Action) -> bool:
    """Whether :func:`apply` would accept an action.

    Parameters
    ----------
    state, action
        As for :func:`apply`.

    Returns
    -------
    bool
    """
    return passes(check, state, action)


def apply(state: State, action: Action) -> State:
    """The state after an action.

    Parameters
    ----------
    state
        The state before; it never changes.
    action
        What a seat does.

    Returns
    -------
    State
        The next state in which somebody has to decide, or the end.

    Raises
    ------
    RuleError
        The action is not legal: ``section`` of the rules, ``message``, and what would be ``legal``.
    """
    check(state, action)
    after = state.copy()
    _take(after, action)
    return after


def perform(state: State, action: Action) -> None:
    """Like :func:`apply`, but changes ``state`` itself; for replaying a log. Raises RuleError before any change."""
    check(state, action)
    _take(state, action)


def _take(state: State, action: Action) -> None:
    if isinstance(action, actions.EndGame):
        finish.end(state, "agreement")
        return
    rules_now(state)[type(action)][1](state, action)
    settle(state)


def settle(state: State) -> None:
    """Go on to the next decision that somebody has to take.

    When round follows round without a decision and without money moving, nobody can ever act again: the game is over.
    """
    seen: set[tuple[int, int]] = set()
    while state.stage != END:
        if state.pending:
            if state.pending[0].kind != "national_home" or legal_actions(state):
                return
            state.pending.pop(0)  # no city slot and no town is left for its home
        elif state.closing:
            market.finish_closing(state)
        elif state.stage == STOCK:
            if stock.over(state):
                operate.after_stock_round(state)
            elif state.options.on("auto_pass") and not stock.can_act(state, stock.seat(state)):
                if not state.moves:
                    if (state.bank, len(state.alive)) in seen:
                        finish.end(state, "stalemate")
                        return
                    seen.add((state.bank, len(state.alive)))
                stock.end_turn(state, passed=not state.stock.acted)
            else:
                return
        elif state.stage != OPERATE or not operate.advance(state):
            return


def legal_actions(state: State, seat: int | None = None, solver: Solver | None = None) -> list[Action]:
    """What can be done now; :func:`apply` accepts all of it.

    Complete for everything that can be listed. Free choices are samples: which cards to keep (three choices),
    nominations (nothing or the face value bid), bids (least, ten more, all), sales and purchases from the hand (each
    kind once, and whole sets), the price of a train of another company (1, list price, all cash), routes (all idle;
    with ``solver`` also its best run).
    Tiles that give the same track at several rotations are listed once; EndGame is not listed.

    Parameters
    ----------
    state
        A state, or for the own seat a view.
    seat
        By default every seat that may act. The hands of several players can show in that: a service asks for one seat.
    solver
        Finds the best run, which then comes first while trains run.

    Returns
    -------
    list of Action
        Empty for a seat that is not to act.
    """
    seats = actors(state) if seat is None else tuple(s for s in actors(state) if s == seat)
    found = [a for s in seats for a in candidates(state, s) if allowed(state, a)]
    if solver is not None and seats and state.stage == OPERATE and not state.pending and state.operating.step == RUN:
        best = best_run(state, solver)
        found = [best, *(a for a in found if a != best)]
    return found


def candidates(state: State, seat: int) -> list[Action]:
    """Actions to try, some of which may not be legal."""
    if state.pending:
        kind = state.pending[0].kind
        if kind == "exchange":
            return [actions.ExchangeToken(seat, state.pending[0].hex), Pass(seat)]
        if kind == "dummy":
            return [actions.DrawDummy(seat), Pass(seat)]
        if kind == "offer":
            return [actions.AnswerOffer(seat, True), actions.AnswerOffer(seat, False)]
        return _HOMES[kind](state, seat)
    if state.stage == STOCK:
        return stock.candidates(state, seat)
    if state.stage == OPERATE:
        return operate.candidates(state, seat)
    return draft.candidates(state, seat)


def best_run(state: State, solver: Solver | None = None) -> actions.Run:
    """The run that earns most for the operating company.

    Parameters
    ----------
    state
        A state in the step ``run``.
    solver
        Gives the best routes of a position; by default :func:`trunkline.solver.solve`, in this process.

    Returns
    -------
    Run
    """
    return run.best(state, solver)
