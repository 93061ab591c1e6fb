"""Random games, for tests and benchmarks: reproducible, biased so that games move on and every rule is met.

``play(options, seed)`` gives the log of a game played to its end. Each decision is one of ``legal_actions``: first a
kind of action by weight, then one of that kind.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from trunkline.engine import game
from trunkline.engine.actions import (
    Action,
    AnswerOffer,
    Bid,
    BuyBond,
    BuyFromHand,
    BuyTrain,
    ClosePrivate,
    CompanySell,
    LayTile,
    Nominate,
    Pass,
    PlaceJewelry,
    PlaceToken,
    RemoveMarker,
    Run,
    Sell,
    SellTrain,
    TrainRun,
)
from trunkline.engine.log import Log
from trunkline.engine.options import Options
from trunkline.engine.rules.run import Solver
from trunkline.engine.state import State

Watch = Callable[[State, Action, State], None]

# How often a kind is chosen beside the others (1): rare ones that end things, frequent ones that build.
WEIGHTS: dict[type[Action], float] = {
    Pass: 0.6,
    LayTile: 6,
    BuyFromHand: 4,
    BuyTrain: 4,
    SellTrain: 0.25,
    Sell: 0.3,
    CompanySell: 0.2,
    ClosePrivate: 0.03,
    PlaceJewelry: 0.3,
    BuyBond: 0.4,
    RemoveMarker: 0.3,
    AnswerOffer: 1,
    Run: 1,
}


def choose(found: Sequence[Action], source: random.Random) -> Action:
    """One of the actions: a kind by weight, then any of that kind."""
    kinds = list(dict.fromkeys(type(a) for a in found))
    kind = source.choices(kinds, [WEIGHTS.get(k, 1) for k in kinds])[0]
    return source.choice([a for a in found if type(a) is kind and _sane(a)] or [found[0]])


def _sane(action: Action) -> bool:
    """Not all the cash for one card: without money no company ever forms, and such a game has no end."""
    if isinstance(action, Nominate):
        return action.bid == 0
    return not isinstance(action, Bid) or action.amount <= 60


def play(
    options: Options, seed: int, solver: Solver | None = None, watch: Watch | None = None, most: int = 20_000
) -> Log:
    """Play a random game, for tests and benchmarks.

    Parameters
    ----------
    options
        Players and rules of the game.
    seed
        Of the deal and of every decision: same arguments, same game.
    solver
        Trains run the routes it finds; without one they stand idle.
    watch
        Called after each action with the state before, the action, and the state after.
    most
        Stop after so many actions.

    Returns
    -------
    Log
        The game, to its end or as far as it was played.

    Examples
    --------
    >>> from trunkline.engine import Options, play
    >>> log = play(Options(players=("Ann", "Bob", "Cem")), seed=3, most=20)
    >>> len(log.actions), log.replay().stage
    (20, 'draft')
    """
    source = random.Random(seed)
    state = game.new_game(options, seed)
    taken: list[Action] = []
    while (seats := game.actors(state)) and len(taken) < most:
        found = game.legal_actions(state, source.choice(seats), solver)
        action = found[0] if isinstance(found[0], Run) else choose(found, source)
        after = game.apply(state, action)
        taken.append(action)
        if watch:
            watch(state, action, after)
        state = after
    return Log(options, seed, tuple(taken))


def mostly_wrong(state: State, source: random.Random) -> list[Action]:
    """Actions that are mostly not legal: of other seats, with things, places and numbers that do not fit."""
    seat = source.choice([*range(len(state.players)), -1, 9])
    hex_ = source.choice(["A16", "D17", "F25", "I18", "K30", "Z9"])
    card = source.choice(["EIR_0", "EIR_1", "P1", "RB0", "GIPR_10", "?"])
    return [
        Pass(seat),
        LayTile(seat, hex_, source.choice(["9", "57", "235", "513", "x"]), source.choice([0, 3, 6, -1])),
        PlaceToken(seat, hex_, source.choice([0, 1, 5]), source.choice(["", "P5", "P2"])),
        BuyTrain(seat, source.choice(["2-0", "4x3-1", "9-9"]), source.choice(["bank", "market", "EIR"]), 180, "2"),
        Sell(seat, (card,)),
        CompanySell(seat, (card, card)),
        Run(seat, (TrainRun("2-0", ((("D3", 0), ("D5", 9)),)),)),
    ]
