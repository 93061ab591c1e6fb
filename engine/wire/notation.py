"""Actions as short texts that people type and read: ``lay D5 8 2``, ``hand EIR_0 EIR_1``, ``train 3-1 bank 300 as 3``.

``write(action)`` and ``read(state, seat, text)`` are inverse to each other; ``read`` also takes shorter forms, see
``FORMS``. ``describe(state, action)`` says what the action is to a player.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from trunkline.engine import actions as a
from trunkline.engine.actions import Action
from trunkline.engine.box.box import BOX, TITLE, company_of, face, is_bond, is_director, is_private, percent, train_card
from trunkline.engine.errors import RuleError
from trunkline.engine.rules import purchases, run, shares, track, trains
from trunkline.engine.state import DIVIDEND, OPERATE, State
from trunkline.solver.board.board import StopId
from trunkline.solver.board.solution import DrawnRoute
from trunkline.solver.board.tile import CITY, TOWN
from trunkline.solver.board.title import border
from trunkline.solver.check.check import evaluate

FORMS: dict[str, tuple[str, str]] = {
    "pass": ("pass", "do nothing, or no more"),
    "keep": ("keep CARD...", "keep these cards of the dealt hand"),
    "draft": ("draft CARD", "take a card of the pool"),
    "nominate": ("nominate CARD BID", "put a card up for auction"),
    "bid": ("bid AMOUNT", "bid for the card"),
    "sell": ("sell CARD...", "sell certificates"),
    "hand": ("hand CARD...", "buy from the hand: cards of one company, or privates"),
    "ipo": ("ipo ROW [2]", "buy the first card of IPO row 1 to 3, or the first two"),
    "market": ("market CARD", "buy from the open market"),
    "bond": ("bond", "buy a Railroad Bond"),
    "convert": ("convert", "convert a bond into a share of the national railway"),
    "draw": ("draw", "draw a card of the dummy hand"),
    "home": ("home HEX [CITY]", "place a home token"),
    "homecity": ("homecity HEX TILE ROTATION", "lay the home tile of the national railway"),
    "assign": ("assign COMPANY CITY", "say which city of a double city takes a token"),
    "exchange": ("exchange HEX", "replace the closing company's token"),
    "accept": ("accept", "sell the train"),
    "refuse": ("refuse", "do not sell the train"),
    "lay": ("lay HEX TILE ROTATION [P2|P3]", "lay or upgrade a tile"),
    "unmark": ("unmark HEX HEX", "remove a gauge-change marker"),
    "token": ("token HEX [CITY] [P5]", "place a station token"),
    "discount": ("discount", "use the French company: 40 off terrain"),
    "jewelry": ("jewelry HEX", "use the British company: place the jewelry marker"),
    "close": ("close PRIVATE", "close a private for its face value"),
    "run": ("run TRAIN:HEX-HEX...|best|idle", "run the trains"),
    "pay": ("pay", "pay the revenue out"),
    "retain": ("retain", "keep the revenue"),
    "train": ("train TRAIN [bank|market|COMPANY] [PRICE] [as SIDE]", "buy a train"),
    "selltrain": ("selltrain TRAIN", "sell a train to the bank"),
    "endgame": ("endgame", "end the game by agreement"),
}
"""The first word of each text: its form, and what it does."""


_CARDS = "cards by id: EIR_0 is the Director's certificate, P1 a private, RB0 a bond; EIR alone is any 10 % share"
_HAND = f"{_CARDS}; or by its number in the hand as it is shown"
_HEX = "a hex is its name on the map"
_CITY = f"{_HEX}; the cities of a hex count from 0, and without a number city 0 is meant"
_TURNED = f"{_HEX}; the rotation is 0 to 5, sixths of a turn clockwise; the list has them as TILE/ROTATION"
EXAMPLES: dict[str, tuple[str, str]] = {
    "keep": ("keep 1 2 EIR P3", _HAND),
    "draft": ("draft EIR_0", _CARDS),
    "nominate": ("nominate EIR_0 100", f"{_CARDS}; the bid is yours"),
    "bid": ("bid 110", "the whole amount, not what is added"),
    "sell": ("sell EIR EIR P3", _CARDS),
    "hand": ("hand EIR EIR", _HAND),
    "ipo": ("ipo 2", "the rows count from 1"),
    "market": ("market EIR", _CARDS),
    "home": ("home G8 1", _CITY),
    "homecity": ("homecity D5 12 2", _TURNED),
    "assign": ("assign EIR 1", "the cities of a hex count from 0"),
    "exchange": ("exchange G8", _HEX),
    "lay": ("lay D5 8 2", f"{_TURNED}; with P2 or P3 the power of that private is used"),
    "unmark": ("unmark D5 D7", "the two hexes on either side of the marker"),
    "token": ("token G8 1", f"{_CITY}; with P5 the power of that private is used"),
    "jewelry": ("jewelry D5", _HEX),
    "close": ("close P3", "a private by its id, P1 to P6"),
    "run": (
        "run 0:D23/1-E24 1:F5/t0-G6",
        "trains count from 0, in the order in which the company has them; or by id, as 3-1:D23-E24. After the colon "
        "the hexes that the train passes, end to end, or only those with stops. Where a hex has several stops, D23/1 "
        "is its city 1 and F5/t0 its town 0, both counted from 0. `run best` is the best run, `run idle` none",
    ),
    "train": (
        "train 4 as 4E",
        "a train by its type, 3, or its id, 3-1; a price is needed for a train of a company: train 2 EIR 50. "
        "`as` chooses a side of the card",
    ),
    "selltrain": ("selltrain 3", "a train by its type, 3, or its id, 3-1"),
}
"""For each text that has more than its first word an example, and how its parts are written."""


class NotationError(RuleError):
    """A text that is no action; the message says how it is written."""

    def __init__(self, message: str) -> None:
        super().__init__("3", message)
        self.args = (message,)


# --- writing


def write(action: Action) -> str:
    """The text of an action."""
    writer = _WRITERS[type(action)]
    return " ".join(filter(None, writer(action)))


def _w_run(x: a.Run) -> list[str]:
    runs = [f"{r.train}={'/'.join('+'.join(f'{h}.{p}' for h, p in s) for s in r.track)}" for r in x.runs]
    return ["run", *(runs or ["idle"])]


def _w_train(x: a.BuyTrain) -> list[str]:
    return ["train", x.train, x.source, str(x.price), f"as {x.side}" if x.side else ""]


_WRITERS: dict[type[Action], Callable[..., list[str]]] = {
    a.Pass: lambda x: ["pass"],
    a.Keep: lambda x: ["keep", *x.cards],
    a.Draft: lambda x: ["draft", x.card],
    a.Nominate: lambda x: ["nominate", x.card, str(x.bid)],
    a.Bid: lambda x: ["bid", str(x.amount)],
    a.Sell: lambda x: ["sell", *x.certificates],
    a.CompanySell: lambda x: ["sell", *x.certificates],
    a.BuyFromHand: lambda x: ["hand", *x.cards],
    a.BuyFromIpo: lambda x: ["ipo", str(x.row + 1), str(x.count) if x.count != 1 else ""],
    a.BuyFromMarket: lambda x: ["market", x.certificate],
    a.BuyBond: lambda x: ["bond"],
    a.ConvertBond: lambda x: ["convert"],
    a.DrawDummy: lambda x: ["draw"],
    a.PlaceHome: lambda x: ["home", x.hex, str(x.city)],
    a.LayHome: lambda x: ["homecity", x.hex, x.tile, str(x.rotation)],
    a.AssignCity: lambda x: ["assign", x.company, str(x.city)],
    a.ExchangeToken: lambda x: ["exchange", x.hex],
    a.AnswerOffer: lambda x: ["accept" if x.accept else "refuse"],
    a.LayTile: lambda x: ["lay", x.hex, x.tile, str(x.rotation), x.private],
    a.RemoveMarker: lambda x: ["unmark", *x.hexes],
    a.PlaceToken: lambda x: ["token", x.hex, str(x.city), x.private],
    a.UseDiscount: lambda x: ["discount"],
    a.PlaceJewelry: lambda x: ["jewelry", x.hex],
    a.ClosePrivate: lambda x: ["close", x.private],
    a.Run: _w_run,
    a.Dividend: lambda x: ["pay" if x.pay else "retain"],
    a.BuyTrain: _w_train,
    a.SellTrain: lambda x: ["selltrain", x.train],
    a.EndGame: lambda x: ["endgame"],
}


# --- reading


def read(state: State, seat: int, text: str) -> Action:
    """The action of a text for a seat. Raises NotationError: how it is written; whether it is legal is not asked.

    Names of companies stand for their shares where cards are asked for: ``hand EIR EIR`` are two of them.
    """
    words = text.replace(",", " ").split()
    if not words:
        raise NotationError("say what to do")
    verb = words[0].lower()
    if verb not in _READERS:
        raise NotationError(f"{words[0]!r} is no action; actions begin with {', '.join(FORMS)}")
    try:
        return _READERS[verb](state, seat, words[1:])
    except RuleError:  # routes that are not legal
        raise
    except (ValueError, IndexError, TypeError):
        raise NotationError(f"{text!r} is not of the form: {FORMS[verb][0]}") from None


def _none(kind: Callable[[int], Action]) -> Callable[[State, int, list[str]], Action]:
    def reader(state: State, seat: int, words: list[str]) -> Action:
        () = words
        return kind(seat)

    return reader


def _cards(place: Sequence[str], words: Sequence[str]) -> tuple[str, ...]:
    """Cards by name; the name of a company (or ``RB``) is the next of its ten-percent shares (bonds) in the place."""
    if not words:
        raise ValueError
    taken: list[str] = []
    for word in map(str.upper, words):
        kind = [c for c in place if c not in taken and _alike(c, word)]
        taken.append(word if word in place or not kind else kind[0])
    return tuple(taken)


def _alike(card: str, word: str) -> bool:
    return is_bond(card) if word == "RB" else company_of(card) == word and not is_director(card)


def _owned(state: State, seat: int) -> list[str]:
    if state.stage == OPERATE and state.operating.company:
        return state.company.certificates
    return state.players[seat].certificates


def _r_sell(state: State, seat: int, words: list[str]) -> Action:
    cards = _cards(_owned(state, seat), words)
    return a.CompanySell(seat, cards) if state.stage == OPERATE else a.Sell(seat, cards)


def _r_ipo(state: State, seat: int, words: list[str]) -> Action:
    row, count = [*map(int, words), 1][:2]
    _at_most(words, 2)
    return a.BuyFromIpo(seat, row - 1, count)


def _at_most(words: Sequence[str], count: int) -> None:
    if len(words) > count:
        raise ValueError


def _r_home(state: State, seat: int, words: list[str]) -> Action:
    _at_most(words, 2)
    return a.PlaceHome(seat, words[0].upper(), int(words[1]) if len(words) > 1 else 0)


def _r_homecity(state: State, seat: int, words: list[str]) -> Action:
    hex_, tile, rotation = words
    return a.LayHome(seat, hex_.upper(), _tile(tile.upper()), int(rotation))


def _r_assign(state: State, seat: int, words: list[str]) -> Action:
    company, city = words
    return a.AssignCity(seat, company.upper(), int(city))


def _r_lay(state: State, seat: int, words: list[str]) -> Action:
    private = words.pop().upper() if words[-1].upper().startswith("P") else ""
    hex_, tile, rotation = words
    return a.LayTile(seat, hex_.upper(), _tile(tile.upper()), int(rotation), private)


def _tile(name: str) -> str:
    if name not in TITLE.tiles:
        raise NotationError(f"there is no tile {name}")
    return name


def _r_unmark(state: State, seat: int, words: list[str]) -> Action:
    one, other = (w.upper() for w in words)
    pair = border(one, other)
    return a.RemoveMarker(seat, pair if pair in state.markers else (one, other))


def _r_token(state: State, seat: int, words: list[str]) -> Action:
    private = words.pop().upper() if words[-1].upper().startswith("P") and len(words) > 1 else ""
    _at_most(words, 2)
    return a.PlaceToken(seat, words[0].upper(), int(words[1]) if len(words) > 1 else 0, private)


def _one_hex(kind: Callable[[int, str], Action]) -> Callable[[State, int, list[str]], Action]:
    def reader(state: State, seat: int, words: list[str]) -> Action:
        (word,) = words
        return kind(seat, word.upper())

    return reader


def _r_train(state: State, seat: int, words: list[str]) -> Action:
    what, words = words[0].upper().replace("X", "x"), words[1:]
    side = ""
    if len(words) > 1 and words[-2].lower() == "as":
        side, words = words[-1].upper().replace("X", "x"), words[:-2]
    numbers = [w for w in words if w.isascii() and w.isdigit()]
    (source,) = [w for w in words if w not in numbers] or [""]
    _at_most(numbers, 1)
    train, source, wanted = _train(state, what, source)
    card = TITLE.cards.get(train_card(train))
    if source in (trains.FROM_BANK, trains.FROM_MARKET):
        side = side or wanted or (card.sides[0] if card else "")
    price = int(numbers[0]) if numbers else card.price if card and source not in state.companies else -1
    if price < 0:
        there = f"name the price: train {what} {source} PRICE" if card else f"there is no train {what} to buy"
        raise NotationError(there)
    return a.BuyTrain(seat, train, source, price, side)


def _train(state: State, what: str, source: str) -> tuple[str, str, str]:
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


def _r_selltrain(state: State, seat: int, words: list[str]) -> Action:
    (word,) = words
    name = word.upper().replace("X", "x")
    own = state.company.trains if state.stage == OPERATE and state.operating.company else []
    return a.SellTrain(seat, next((t for t in own if name in (t, state.sides[t])), name))


def _r_run(state: State, seat: int, words: list[str]) -> Action:
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
    owned = state.company.trains if state.stage == OPERATE and state.operating.company else []
    drawn = []
    for word in words:
        name, colon, text = word.partition(":")
        train = owned.index(name) if name in owned else int(name)
        if not colon or train not in range(len(owned)):
            raise ValueError
        drawn.append(DrawnRoute(train, waypoints=tuple(map(_waypoint, text.split("-")))))
    found = evaluate(run.position(state), drawn)
    if not found.legal:
        raise RuleError("9", "; ".join(map(str, found.faults)))
    runs = [a.TrainRun(owned[r.train], tuple(tuple((t.hex, t.path) for t in s) for s in r.track)) for r in found.routes]
    return a.Run(seat, tuple(runs))


def _waypoint(text: str) -> str | StopId:
    found = re.fullmatch(r"(\w+)(?:/([ct]?)(\d+))?", text.upper(), re.IGNORECASE)
    if not found:
        raise ValueError
    hex_, kind, number = found.groups()
    return StopId(hex_, TOWN if kind == "T" else CITY, int(number)) if number else hex_


_READERS: dict[str, Callable[[State, int, list[str]], Action]] = {
    "pass": _none(a.Pass),
    "keep": lambda s, seat, w: a.Keep(seat, _cards(s.players[seat].hand, w)),
    "draft": lambda s, seat, w: a.Draft(seat, _single(_cards(s.pool, w))),
    "nominate": lambda s, seat, w: a.Nominate(seat, _single(_cards(s.pool, w[:-1])), int(w[-1])),
    "bid": lambda s, seat, w: a.Bid(seat, int(_single(w))),
    "sell": _r_sell,
    "hand": lambda s, seat, w: a.BuyFromHand(seat, _cards(s.players[seat].hand, w)),
    "ipo": _r_ipo,
    "market": lambda s, seat, w: a.BuyFromMarket(seat, _single(_cards(s.market, w))),
    "bond": _none(a.BuyBond),
    "convert": _none(a.ConvertBond),
    "draw": _none(a.DrawDummy),
    "home": _r_home,
    "homecity": _r_homecity,
    "assign": _r_assign,
    "exchange": _one_hex(a.ExchangeToken),
    "accept": _none(lambda seat: a.AnswerOffer(seat, True)),
    "refuse": _none(lambda seat: a.AnswerOffer(seat, False)),
    "lay": _r_lay,
    "unmark": _r_unmark,
    "token": _r_token,
    "discount": _none(a.UseDiscount),
    "jewelry": _one_hex(a.PlaceJewelry),
    "close": _one_hex(a.ClosePrivate),
    "run": _r_run,
    "pay": _none(lambda seat: a.Dividend(seat, True)),
    "retain": _none(lambda seat: a.Dividend(seat, False)),
    "train": _r_train,
    "selltrain": _r_selltrain,
    "endgame": _none(a.EndGame),
}


def _single(words: Sequence[str]) -> str:
    (word,) = words
    return word


# --- describing


def card_name(card: str) -> str:
    """A card as players call it."""
    if is_private(card):
        return f"{card} {BOX.privates[card].name}"
    if is_bond(card):
        return "Railroad Bond"
    if not company_of(card):
        return "a hidden card"
    kind = "Director's certificate" if is_director(card) else f"{percent(card)} %"
    return f"{company_of(card)} {kind}"


def card_names(cards: Sequence[str]) -> str:
    """Several cards, those alike counted."""
    names = [card_name(c) for c in cards]
    return ", ".join(f"{names.count(n)} × {n}" if names.count(n) > 1 else n for n in dict.fromkeys(names))


def short(cards_: Iterable[str], *, sort: bool = True) -> str:
    """Cards in few words: ``2×EIR NWR-D P3 RB``; a company's name is a share of 10 %, D its Director's certificate."""
    names = [short_name(c) for c in cards_]
    if not sort:
        return " ".join(names)
    return " ".join(f"{names.count(n)}×{n}" if names.count(n) > 1 else n for n in sorted(set(names)))


def short_name(card: str) -> str:
    """A card in a word; several may have the same."""
    if is_bond(card):
        return "RB"
    return f"{company_of(card)}-D" if is_director(card) else company_of(card) or card


_PASS = {
    "track": "no more track",
    "token": "no token",
    "trains": "no more trains",
    "sell": "sell no more",
    "buy": "buy nothing",
}


def describe(state: State, action: Action) -> str:
    """What an action is, with what it costs or brings."""
    match action:
        case a.Pass():
            return _PASS.get(state.operating.step, "pass") if state.stage == OPERATE and not state.pending else "pass"
        case a.Keep():
            return short(action.cards)
        case a.Draft():
            return f"{card_name(action.card)}, to buy for {face(action.card)}"
        case a.Nominate():
            return f"auction {card_name(action.card)}, bid {action.bid}"
        case a.Sell() | a.CompanySell():
            return f"{card_names(action.certificates)} for {sum(shares.value(state, c) for c in action.certificates)}"
        case a.BuyFromHand():
            return f"{card_names(action.cards)} for {sum(map(face, action.cards))}"
        case a.BuyFromIpo():
            cards = state.ipo[action.row][: action.count]
            return f"{card_names(cards)} for {sum(map(face, cards))}"
        case a.BuyFromMarket():
            return f"{card_name(action.certificate)} for {shares.value(state, action.certificate)}"
        case a.ConvertBond():
            return f"a bond into a share of {BOX.national} for {purchases.conversion_price(state)}"
        case a.PlaceHome() | a.PlaceToken():
            return _token(state, action)
        case a.LayTile() | a.LayHome():
            return _lay(state, action)
        case a.Run():
            return ", ".join(_run(state, r) for r in action.runs) or "all trains idle"
        case a.Dividend():
            return _dividend(state, action.pay)
        case a.BuyTrain():
            where = {"bank": "new", "market": "from the open market"}.get(action.source, f"of {action.source}")
            return f"a {action.side or state.sides.get(action.train, action.train)} train, {where}, for {action.price}"
        case a.SellTrain():
            return f"a {state.sides[action.train]} train for {TITLE.cards[train_card(action.train)].buy_back}"
        case a.ClosePrivate():
            return f"{card_name(action.private)} for {face(action.private)}"
        case a.AssignCity() | a.ExchangeToken() | a.PlaceJewelry():
            return ""
    return FORMS[write(action).split()[0]][1]


def _place(hex_: str) -> str:
    name = TITLE.hexes[hex_].name if hex_ in TITLE.hexes else ""
    return f"{name} {hex_}" if name else hex_


def _token(state: State, action: a.PlaceHome | a.PlaceToken) -> str:
    if isinstance(action, a.PlaceHome):
        return f"home in {_place(action.hex)}"
    cost = "free, with the Danish company" if action.private else f"for {state.company.unplaced[0]}"
    return f"{_place(action.hex)}, {cost}"


def _lay(state: State, action: a.LayTile | a.LayHome) -> str:
    printed = TITLE.tiles[action.tile].tile
    discount = state.operating.discount if isinstance(action, a.LayTile) else 0
    price = max(0, track.cost(state, action.hex, printed.rotated(action.rotation)) - discount)
    kind = "city" if printed.of_kind(CITY) else "town" if printed.of_kind(TOWN) else "track"
    name = TITLE.hexes[action.hex].name
    power = f" with {action.private}" if isinstance(action, a.LayTile) and action.private else ""
    return f"{printed.color} {kind}{f' in {name}' if name else ''}{power}{f' for {price}' if price else ''}"


def _run(state: State, r: a.TrainRun) -> str:
    ends = r.track[0][0][0], r.track[-1][-1][0]
    return f"{state.sides.get(r.train, r.train)} {'–'.join(map(_place, ends))}"


def _dividend(state: State, pay: bool) -> str:
    if state.operating.step != DIVIDEND:
        return "pay" if pay else "retain"
    space = state.company.price
    to = BOX.market[min(max(space + run.steps(state, pay), 0), len(BOX.market) - 1)]
    what = f"{run.per_share(state, pay)} a share" if run.per_share(state, pay) else "nothing to the shareholders"
    return f"{what}; price {BOX.market[space]} to {to}"
