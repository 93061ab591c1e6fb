"""The operating rounds: income, order, the steps of a company's turn, and what follows (rules sections 3 and 7)."""

from __future__ import annotations

from dataclasses import replace

from trunkline.engine.actions import Action, Dividend, Pass
from trunkline.engine.box.box import BOX, NATIONAL, is_bond, is_private
from trunkline.engine.errors import RuleError, passes
from trunkline.engine.rules import (
    certificates,
    draft,
    finish,
    grid,
    market,
    money,
    privates,
    run,
    stock,
    tokens,
    track,
    trains,
)
from trunkline.engine.state import (
    BUY,
    DIVIDEND,
    OPERATE,
    RUN,
    SELL,
    STEPS,
    TOKEN,
    TRACK,
    TRAINS,
    CompanyTurn,
    Pending,
    State,
)

_OPENING = {privates.TOKEN, privates.EXTRA_LAY, privates.EXTRA_UPGRADE}


def start_round(state: State) -> None:
    """Income of privates and bonds, then the order of the companies by price."""
    state.stage = OPERATE
    state.operating_round += 1
    owners: list[tuple[money.Party, list[str]]] = [(s, state.players[s].certificates) for s in state.order]
    owners += [(name, c.certificates) for name, c in state.companies.items()]
    for party, own in owners:
        privates_ = sum(BOX.privates[c].income for c in own if is_private(c))
        money.pay(state, money.BANK, party, privates_ + BOX.bonds.income * sum(map(is_bond, own)))
    state.line_up = [name for name in market.by_price(state) if name != NATIONAL or state.phase != "I"]
    state.turn = -1
    state.operating = CompanyTurn()


def advance(state: State) -> bool:
    """One step onward where nobody has to decide; False when somebody has."""
    turn = state.operating
    if not turn.company or state.companies[turn.company].closed:
        _next_company(state)
        return True
    if not turn.step:
        _end_of_turn(state)
        return True
    if turn.step == DIVIDEND and not turn.revenue:
        run.do_dividend(state, Dividend(state.company.controller, pay=False))
        return True
    if _idle(state):
        next_step(state)
        return True
    return False


def _idle(state: State) -> bool:
    """Whether the current step is over, or there is nothing to do in it."""
    turn, company = state.operating, state.company
    if turn.step == TRACK:
        return track.over(state) and not (state.options.on("forced_choices") and _owns_track_private(state))
    if turn.step == RUN:
        return not company.trains or (state.options.on("auto_pass") and not grid.has_route(state, turn.company))
    if turn.step == DIVIDEND:
        return False
    if turn.step == TOKEN and turn.token:
        return True
    if _waits_for_private(state):
        return False
    if turn.step == TOKEN:
        return not _can_place(state)
    if turn.step == TRAINS:
        return not trains.possible(state)
    return not certificates.possible(state)


def _owns_track_private(state: State) -> bool:
    return any(p in state.company.certificates for p in (privates.EXTRA_LAY, privates.EXTRA_UPGRADE))


def _waits_for_private(state: State) -> bool:
    """Whether a private could still change what is possible in this step.

    Track that P2 or P3 adds can open a city; a private of the company itself brings money when it is closed.
    """
    usable = privates.usable(state)
    if state.operating.step == TOKEN:
        opening = {privates.TOKEN} if state.options.on("auto_pass") else _OPENING
        if opening & set(usable):
            return True
    if state.operating.step == SELL or not state.options.on("close_privates_freely"):
        return False
    return any(p in state.company.certificates for p in usable)


def _can_place(state: State) -> bool:
    return any(passes(tokens.check, state, a) for a in tokens.candidates(state, state.company.controller))


def next_step(state: State) -> None:
    """Go to the next step of the company's turn; after the last one the step is empty."""
    at = STEPS.index(state.operating.step)
    if state.operating.step == TRACK:
        privates.close_late(state)
    state.operating = replace(state.operating, step=STEPS[at + 1] if at + 1 < len(STEPS) else "")


def _end_of_turn(state: State) -> None:
    """Without a train the price falls once more."""
    company = state.operating.company
    state.operating = CompanyTurn()
    if not state.companies[company].trains:
        market.move(state, company, -1)


def _next_company(state: State) -> None:
    state.operating = CompanyTurn()
    state.turn += 1
    if state.turn >= len(state.line_up):
        _end_of_round(state)
        return
    name = state.line_up[state.turn]
    c = state.companies[name]
    if c.closed:
        return
    state.operating = CompanyTurn(name, TRACK)
    if name == NATIONAL and all(t.exchange for t in c.tokens) and not state.options.on("national_home_on_forming"):
        state.pending.append(Pending("national_home", c.controller, name))


def _end_of_round(state: State) -> None:
    """Next operating round, stock round, or the end (11)."""
    state.line_up = []
    state.turn = 0
    if state.end_price_reached:
        finish.end(state, "price")
    elif state.operating_round < BOX.operating_rounds:
        start_round(state)
    elif state.bank_broken:
        finish.end(state, "bank")
    else:
        draft.start_stock_round(state)


def after_stock_round(state: State) -> None:
    """The next turn order, then the first operating round."""
    stock.reorder(state)
    start_round(state)


def check_pass(state: State, action: Pass) -> None:
    """Raises RuleError: a run or dividend cannot be passed."""
    if state.operating.step in (RUN, DIVIDEND):
        text = "run no train" if state.operating.step == RUN else "pay or retain"
        raise RuleError("7", f"step {state.operating.step} cannot be passed", text)


def do_pass(state: State, action: Pass) -> None:
    """End the current step."""
    next_step(state)


def candidates(state: State, seat: int) -> list[Action]:
    """Actions to try in the current step, with the powers of privates."""
    step = state.operating.step
    usable = privates.usable(state)
    found: list[Action] = [Pass(seat)]
    if step == TRACK:
        found += track.candidates(state, seat)
    elif step in (RUN, DIVIDEND):
        found += run.candidates(state, seat)
    elif step == TRAINS:
        found += trains.candidates(state, seat)
    elif step in (SELL, BUY):
        found += certificates.candidates(state, seat)
    found += tokens.candidates(state, seat)
    for private in (privates.EXTRA_LAY, privates.EXTRA_UPGRADE):
        if private in usable:
            found += track.candidates(state, seat, private)
    return found + privates.candidates(state, seat)
