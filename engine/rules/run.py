"""Running trains: the position for the solver, the check of what a player runs, the dividend (rules 9 and 10.1)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from trunkline.engine.actions import Action, Dividend, Run, TrainRun
from trunkline.engine.box.box import TITLE, company_of, percent
from trunkline.engine.errors import RuleError
from trunkline.engine.options import SOLVER_SWITCHES
from trunkline.engine.rules import grid, market, money
from trunkline.engine.state import DIVIDEND, EXTRA, RUN, TRAINS, State, kept_with_map
from trunkline.solver import Board, LaidTile, Position, Rules, Solution, Token, Track
from trunkline.solver import evaluate as evaluate_drawn
from trunkline.solver.board import DrawnRoute, Evaluation

Solver = Callable[[Position], Solution]


def board(state: State) -> Board:
    """The solver's board of a state, for instance to draw it.

    Parameters
    ----------
    state
        A state or a view.

    Returns
    -------
    Board
    """
    return _board(state, state.phase)


@kept_with_map
def _board(state: State, phase: str) -> Board:
    tokens = tuple(
        Token(name, t.hex, t.city, None if t.slot == EXTRA else t.slot, t.slot == EXTRA)
        for name, c in state.companies.items()
        for t in c.tokens
    )
    tiles = tuple(LaidTile(h, name, rotation) for h, (name, rotation) in state.tiles.items())
    markers = frozenset((*state.markers, *state.unmarked))
    return Board(TITLE, tiles, tokens, markers, phase, jewelry_hex=state.jewelry_hex)


def position(state: State, company: str = "") -> Position:
    """The question for the solver: what can a company earn now?

    Parameters
    ----------
    state
        A state or a view.
    company
        By default the operating company.

    Returns
    -------
    Position
    """
    name = company or state.operating.company
    c = state.companies[name]
    switches = tuple((s, state.options.on(s)) for s in SOLVER_SWITCHES)
    return Position(
        board(state),
        name,
        tuple(TITLE.trains[state.sides[t]] for t in c.trains),
        frozenset(state.unclaimed),
        frozenset(c.concessions),
        Rules("rulebook", switches),
    )


def evaluate(state: State, runs: tuple[TrainRun, ...]) -> Evaluation:
    """What the operating company earns with these runs, or the faults."""
    trains = state.company.trains
    drawn = [
        DrawnRoute(trains.index(r.train), track=tuple(tuple(Track(h, p) for h, p in segment) for segment in r.track))
        for r in runs
    ]
    return evaluate_drawn(position(state), drawn)


def check(state: State, action: Run) -> None:
    """Raises RuleError: not the step, a train that is not there or named twice, or routes that are not legal."""
    if state.operating.step != RUN:
        raise RuleError("9", f"trains run in the run step; this is step {state.operating.step}")
    trains = state.company.trains
    for i, r in enumerate(action.runs):
        if r.train not in trains:
            raise RuleError("9", f"{state.operating.company} has no train {r.train!r}", ", ".join(trains) or "none")
        if r.train in [o.train for o in action.runs[:i]]:
            raise RuleError("9.1", f"train {r.train} runs twice")
        for segment in r.track:
            for h, p in segment:
                if h not in TITLE.hexes or p not in range(len(grid.grid(state).tiles[h].paths)):
                    raise RuleError("9.1", f"there is no track {p} on {h!r}")
    if action.runs:
        found = evaluate(state, action.runs)
        if not found.legal:
            raise RuleError("9", "; ".join(map(str, found.faults)))


def do(state: State, action: Run) -> None:
    """Note the revenue; concessions of commodities delivered first are claimed."""
    found = evaluate(state, action.runs) if action.runs else Evaluation()
    for commodity in found.claims:
        if commodity in state.unclaimed:
            state.unclaimed.remove(commodity)
            state.company.concessions.append(commodity)
    state.operating = replace(state.operating, revenue=found.total, step=DIVIDEND)


def best(state: State, solver: Solver | None = None) -> Run:
    """The run that earns most, from ``solver`` (in the process by default)."""
    seat = state.company.controller
    if solver is None:
        from trunkline.solver import solve  # loads numba, so only when it is needed

        solver = solve
    solution = solver(position(state))
    trains = state.company.trains
    runs = tuple(
        TrainRun(trains[r.train], tuple(tuple((t.hex, t.path) for t in segment) for segment in r.track))
        for r in solution.routes
    )
    return Run(seat, runs)


# --- dividend


def holders(state: State, company: str) -> list[tuple[money.Party, int]]:
    """Who gets dividends: players and companies with the percent they hold; not the market, hands or IPO."""
    parties: list[tuple[money.Party, list[str]]] = [(s, p.certificates) for s, p in enumerate(state.players)]
    parties += [(name, c.certificates) for name, c in state.companies.items()]
    held = [(party, sum(percent(c) for c in own if company_of(c) == company)) for party, own in parties]
    return [(party, p) for party, p in held if p]


def per_share(state: State, pay: bool) -> int:
    """What each ten percent gets: revenue / 10, or the guaranty of 5 % of the price when nothing is paid."""
    revenue = state.operating.revenue
    if pay and revenue:
        return revenue // 10
    return state.price(state.operating.company) // 20 if state.company.guaranty else 0


def steps(state: State, pay: bool) -> int:
    """How far the price moves, right positive (10.1)."""
    paid = state.operating.revenue if pay else 0
    price = state.price(state.operating.company)
    for times in (4, 3, 2):
        if paid >= times * price:
            return times
    if paid:
        half = 2 * paid >= price if state.options.on("half_price_raises") else paid > price // 2
        return 1 if half else 0
    return 0 if state.company.guaranty else -1


def check_dividend(state: State, action: Dividend) -> None:
    """Raises RuleError: not the step."""
    if state.operating.step != DIVIDEND:
        raise RuleError("10.1", f"no revenue to decide on; this is step {state.operating.step}")


def do_dividend(state: State, action: Dividend) -> None:
    """Pay out or retain, move the price."""
    company, revenue = state.operating.company, state.operating.revenue
    share, move = per_share(state, action.pay), steps(state, action.pay)
    if not action.pay:
        money.pay(state, money.BANK, company, revenue)
    for party, held in holders(state, company):
        money.pay(state, money.BANK, party, share * held // 10)
    state.operating = replace(state.operating, step=TRAINS)
    market.move(state, company, move)


def candidates(state: State, seat: int) -> list[Action]:
    """Without the solver: all trains idle; pay or retain."""
    if state.operating.step == RUN:
        return [Run(seat, ())]
    return [Dividend(seat, True), Dividend(seat, False)]
