"""Texts of running, of the dividend, and of trains bought and sold."""

from __future__ import annotations

import re
from collections.abc import Sequence

from trunkline.engine import actions as a
from trunkline.engine.actions import Action
from trunkline.engine.box.box import BOX, TITLE, train_card
from trunkline.engine.errors import RuleError
from trunkline.engine.rules import run, trains
from trunkline.engine.state import DIVIDEND, OPERATE, State
from trunkline.engine.wire.notation.form import ActionText, ActionTextError, at_most, single, verb_only
from trunkline.engine.wire.notation.names import place_name
from trunkline.solver.board import CITY, TOWN, DrawnRoute, StopId
from trunkline.solver.check import evaluate

# --- running


def _read_run(state: State, seat: int, words: list[str]) -> Action:
    if not words:
        raise ValueError
    if [w.lower() for w in words] == ["idle"]:
        return a.Run(seat, ())
    if [w.lower() for w in words] == ["best"]:
        return run.best(state)
    if all("=" in w for w in words):
        return a.Run(seat, tuple(map(_exact_run, words)))
    return drawn_run(state, seat, words)


def _exact_run(word: str) -> a.TrainRun:
    train, _, text = word.partition("=")
    segments = [[piece.rpartition(".") for piece in segment.split("+")] for segment in text.split("/")]
    return a.TrainRun(train, tuple(tuple((h, int(p)) for h, _, p in segment) for segment in segments))


def drawn_run(state: State, seat: int, words: Sequence[str]) -> a.Run:
    """A run by waypoints, ``0:D3-E4-F5`` or ``3-1:D23/1-E24``: the stop in D23 is city 1, ``F5/t0`` would be town 0.

    Raises RuleError: the routes are not legal, with every reason.
    """
    owned = _own_trains(state)
    drawn = []
    for word in words:
        name, colon, text = word.partition(":")
        train = owned.index(name) if name in owned else int(name)
        if not colon or train not in range(len(owned)):
            raise ValueError
        drawn.append(DrawnRoute(train, waypoints=tuple(map(waypoint, text.split("-")))))
    found = evaluate(run.position(state), drawn)
    if not found.legal:
        raise RuleError("9", "; ".join(map(str, found.faults)))
    runs = [a.TrainRun(owned[r.train], tuple(tuple((t.hex, t.path) for t in s) for s in r.track)) for r in found.routes]
    return a.Run(seat, tuple(runs))


def waypoint(text: str) -> str | StopId:
    """A hex, or a stop of a hex: ``D23/1`` is its city 1, ``F5/t0`` its town 0. ValueError: neither."""
    found = re.fullmatch(r"(\w+)(?:/([ct]?)(\d+))?", text.upper(), re.IGNORECASE)
    if not found:
        raise ValueError
    hex_, kind, number = found.groups()
    return StopId(hex_, TOWN if kind == "T" else CITY, int(number)) if number else hex_


def _write_run(x: a.Run) -> list[str]:
    runs = [f"{r.train}={'/'.join('+'.join(f'{h}.{p}' for h, p in s) for s in r.track)}" for r in x.runs]
    return runs or ["idle"]


def _describe_run(state: State, action: a.Run) -> str:
    return ", ".join(_ends(state, r) for r in action.runs) or "all trains idle"


def _ends(state: State, r: a.TrainRun) -> str:
    ends = r.track[0][0][0], r.track[-1][-1][0]
    return f"{state.sides.get(r.train, r.train)} {'–'.join(map(place_name, ends))}"


def _describe_dividend(state: State, action: a.Dividend) -> str:
    pay = action.pay
    if state.operating.step != DIVIDEND:
        return "pay" if pay else "retain"
    space = state.company.price
    to = BOX.market[min(max(space + run.steps(state, pay), 0), len(BOX.market) - 1)]
    what = f"{run.per_share(state, pay)} a share" if run.per_share(state, pay) else "nothing to the shareholders"
    return f"{what}; price {BOX.market[space]} to {to}"


# --- buying and selling


def _own_trains(state: State) -> list[str]:
    return state.company.trains if state.stage == OPERATE and state.operating.company else []


def _train_name(word: str) -> str:
    return word.upper().replace("X", "x")


def _read_purchase(state: State, seat: int, words: list[str]) -> Action:
    what, words = _train_name(words[0]), words[1:]
    side = ""
    if len(words) > 1 and words[-2].lower() == "as":
        side, words = _train_name(words[-1]), words[:-2]
    numbers = [w for w in words if w.isascii() and w.isdigit()]
    (source,) = [w for w in words if w not in numbers] or [""]
    at_most(numbers, 1)
    train, source, wanted = _find_train(state, what, source)
    card = TITLE.cards.get(train_card(train))
    if source in (trains.FROM_BANK, trains.FROM_MARKET):
        side = side or wanted or (card.sides[0] if card else "")
    price = int(numbers[0]) if numbers else card.price if card and source not in state.companies else -1
    if price < 0:
        there = f"name the price: train {what} {source} PRICE" if card else f"there is no train {what} to buy"
        raise ActionTextError(there)
    return a.BuyTrain(seat, train, source, price, side)


def _find_train(state: State, what: str, source: str) -> tuple[str, str, str]:
    """The train, its source and the side that a text means: ``3-1``, or any train of the type ``3`` or ``4E``."""
    places = {trains.FROM_BANK: trains.on_sale(state), trains.FROM_MARKET: state.used_trains}
    places |= {name: c.trains for name, c in state.companies.items()}
    known = source.lower() if source.lower() in places else source.upper()
    searched = {known: places.get(known, [])} if source else places
    for place, there in searched.items():
        for train in there:
            if train == what:
                return train, place, ""
            sides = (state.sides[train],) if place in state.companies else TITLE.cards[train_card(train)].sides
            if what in sides and (source or place not in state.companies):
                return train, place, what
    return what, known or trains.FROM_BANK, ""


def _describe_purchase(state: State, x: a.BuyTrain) -> str:
    where = {"bank": "new", "market": "from the open market"}.get(x.source, f"of {x.source}")
    return f"a {x.side or state.sides.get(x.train, x.train)} train, {where}, for {x.price}"


def _read_sale(state: State, seat: int, words: list[str]) -> Action:
    name = _train_name(single(words))
    return a.SellTrain(seat, next((t for t in _own_trains(state) if name in (t, state.sides[t])), name))


def _describe_sale(state: State, x: a.SellTrain) -> str:
    return f"a {state.sides[x.train]} train for {TITLE.cards[train_card(x.train)].buy_back}"


OFFERS = (
    ActionText(
        "accept",
        (a.AnswerOffer,),
        "accept",
        "sell the train",
        read=verb_only(a.AnswerOffer, accept=True),
        of=lambda x: x.accept,
    ),
    ActionText(
        "refuse",
        (a.AnswerOffer,),
        "refuse",
        "do not sell the train",
        read=verb_only(a.AnswerOffer, accept=False),
        of=lambda x: not x.accept,
    ),
)
TRAINS = (
    ActionText(
        "run",
        (a.Run,),
        "run TRAIN:HEX-HEX...|best|idle",
        "run the trains",
        read=_read_run,
        write=_write_run,
        describe=_describe_run,
        example="run 0:D23/1-E24 1:F5/t0-G6",
        parts="trains count from 0, in the order in which the company has them; or by id, as 3-1:D23-E24. After the "
        "colon the hexes that the train passes, end to end, or only those with stops. Where a hex has several stops, "
        "D23/1 is its city 1 and F5/t0 its town 0, both counted from 0. `run best` is the best run, `run idle` none",
    ),
    ActionText(
        "pay",
        (a.Dividend,),
        "pay",
        "pay the revenue out",
        read=verb_only(a.Dividend, pay=True),
        describe=_describe_dividend,
        of=lambda x: x.pay,
    ),
    ActionText(
        "retain",
        (a.Dividend,),
        "retain",
        "keep the revenue",
        read=verb_only(a.Dividend, pay=False),
        describe=_describe_dividend,
        of=lambda x: not x.pay,
    ),
    ActionText(
        "train",
        (a.BuyTrain,),
        "train TRAIN [bank|market|COMPANY] [PRICE] [as SIDE]",
        "buy a train",
        read=_read_purchase,
        write=lambda x: [x.train, x.source, str(x.price), f"as {x.side}" if x.side else ""],
        describe=_describe_purchase,
        example="train 4 as 4E",
        parts="a train by its type, 3, or its id, 3-1; a price is needed for a train of a company: train 2 EIR 50. "
        "`as` chooses a side of the card",
    ),
    ActionText(
        "selltrain",
        (a.SellTrain,),
        "selltrain TRAIN",
        "sell a train to the bank",
        read=_read_sale,
        write=lambda x: [x.train],
        describe=_describe_sale,
        example="selltrain 3",
        parts="a train by its type, 3, or its id, 3-1",
    ),
)
