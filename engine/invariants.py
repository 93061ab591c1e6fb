"""What must hold in every state of every game: nothing is lost and nothing comes from nowhere.

``violations(state)`` lists what does not hold; tests and random games call it after each action.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from trunkline.engine.box.box import BOX, NATIONAL, TITLE, bond_shares, director, is_bond, is_director
from trunkline.engine.box.box import shares as ten_percent
from trunkline.engine.rules import run, shares
from trunkline.engine.rules.money import overdrawn
from trunkline.engine.rules.setup import kept
from trunkline.engine.state import END, EXTRA, KEEP, NOBODY, UNFORMED, State
from trunkline.solver.errors import PositionError


def violations(state: State) -> list[str]:
    """Everything in a state that no game can lead to: money, cards, trains, tokens or tiles lost or made.

    Parameters
    ----------
    state
        A whole state, not a view.

    Returns
    -------
    list of str
        A sentence for each fault found; empty if there is none.

    Examples
    --------
    >>> from trunkline.engine import Options, new_game, violations
    >>> state = new_game(Options(players=("Ann", "Bob")), seed=1)
    >>> state.bank -= 10
    >>> violations(state)
    ['money: 8990 in all, not 9000']
    """
    return [
        *_money(state),
        *_certificates(state),
        *_trains(state),
        *_tokens(state),
        *_tiles(state),
        *_control(state),
        *_prices(state),
        *_map_cache(state),
    ]


def _money(state: State) -> Iterator[str]:
    cash = state.bank + sum(p.cash for p in state.players) + sum(c.cash for c in state.companies.values())
    if cash != BOX.bank:
        yield f"money: {cash} in all, not {BOX.bank}"
    for seat, p in enumerate(state.players):
        if p.cash < 0:
            yield f"money: player {seat} has {p.cash}"
    for name, c in state.companies.items():
        if c.cash < 0:
            yield f"money: {name} has {c.cash}"
        if c.closed and (c.cash or c.trains or c.tokens or c.certificates):
            yield f"{name} is closed and still owns something"
    if overdrawn(state) and not state.bank_broken:
        yield "money: the bank has nothing left and is not broken"


def places(state: State) -> list[list[str]]:
    """Every place where a certificate can be."""
    found = [state.pool, *state.ipo, state.market, state.bonds, state.bond_shares, state.dummy, state.unseen]
    found.append(state.gone)
    found += [p.hand for p in state.players] + [p.certificates for p in state.players]
    return found + [c.certificates for c in state.companies.values()]


def _certificates(state: State) -> Iterator[str]:
    box = [*BOX.privates, *(f"RB{i}" for i in range(BOX.bonds.count)), *bond_shares()]
    for name in state.companies:
        box += [*ten_percent(name), *([director(name)] if name != NATIONAL else [])]
    found = Counter(c for place in places(state) for c in place)
    for c, n in (found - Counter(box)).items():
        yield f"certificate {c} is there {n} times too often"
    for c in Counter(box) - found:
        yield f"certificate {c} is missing"
    if any(map(is_director, state.market)):
        yield "a Director's certificate lies in the open market"
    if any(map(is_bond, state.market)):
        yield "a bond lies in the open market, not with the bank"
    for seat, p in enumerate(state.players):
        if Counter(p.open_cards) - Counter(p.hand):
            yield f"player {seat} has an open card that is not in the hand"
        if p.kept is not None and (state.stage != KEEP or len(p.kept) != kept(state.options)):
            yield f"player {seat} has a choice of cards that is not due"
    for name, company in state.companies.items():
        if shares.counted(state, name) > BOX.company_certificate_limit:
            yield f"{name} owns more than {BOX.company_certificate_limit} certificates"
        if any(map(is_director, company.certificates)):
            yield f"{name} owns a Director's certificate"


def _trains(state: State) -> Iterator[str]:
    box = Counter(f"{card.name}-{i}" for card in TITLE.cards.values() for i in range(card.count))
    owned = [t for c in state.companies.values() for t in c.trains]
    if Counter([*state.depot, *state.used_trains, *owned]) != box:
        yield "trains: not every card is exactly once somewhere"
    if sorted(state.sides) != sorted(owned):
        yield "trains: a train without a chosen side, or a side without its train"
    for name, c in state.companies.items():
        if len(c.trains) > BOX.train_limit:
            yield f"{name} has {len(c.trains)} trains"


def _tokens(state: State) -> Iterator[str]:
    for name, c in state.companies.items():
        printed = TITLE.companies[name]
        normal = sum(not t.exchange for t in c.tokens)
        closing = c.closed or state.closing == name
        if not closing and normal + len(c.unplaced) != len(printed.token_costs):
            yield f"{name} has {normal} tokens on the map and {len(c.unplaced)} beside it"
        if not closing and printed.exchange_tokens != c.exchange + sum(t.exchange for t in c.tokens):
            yield f"{name} has lost an exchange token"
        if len({t.hex for t in c.tokens}) < len(c.tokens):
            yield f"{name} has two tokens in a hex"
        if c.tokens and not c.formed and state.closing != name:
            yield f"{name} has tokens and is not formed"
    taken = Counter((t.hex, t.city, t.slot) for c in state.companies.values() for t in c.tokens if t.slot != EXTRA)
    for slot, n in taken.items():
        if n > 1:
            yield f"{n} tokens in slot {slot[2]} of city {slot[1]} of {slot[0]}"


def _tiles(state: State) -> Iterator[str]:
    laid = Counter(name for name, _ in state.tiles.values())
    for name, n in laid.items():
        if n > TITLE.tiles[name].count:
            yield f"tile {name} lies {n} times, the box has {TITLE.tiles[name].count}"
    try:
        run.board(state)
    except PositionError as e:
        yield f"the solver refuses the board: {e}"
    here = [*state.markers, *state.unmarked]
    if len(set(here)) < len(here):
        yield "two gauge-change markers on one side"


def _control(state: State) -> Iterator[str]:
    for p in state.pending:
        if p.kind in ("home", "national_home") and p.seat != state.companies[p.company].controller:
            yield f"seat {p.seat}, who does not run {p.company}, is asked for its home"
    for name, c in state.companies.items():
        held = shares.holdings(state, name)
        if held and c.controller == NOBODY:
            yield f"{name} has shareholders and no manager"
        if held and c.controller != NOBODY and c.formed and held.get(c.controller, 0) < max(held.values()):
            yield f"{name} is run by seat {c.controller}, who does not hold most"
        if state.directed(name) and director(name) not in state.players[c.controller].certificates:
            yield f"the Director's certificate of {name} is not with who runs it"
        due = state.directed(name) or shares.out(state, name) >= BOX.forming_percent
        if due and c.controller != NOBODY and not c.formed and not c.closed:
            yield f"{name} should be formed"
        if not c.formed and not c.closed and c.trains:
            yield f"{name} has trains and is not formed"


def _prices(state: State) -> Iterator[str]:
    on_market = Counter(name for space in state.spaces for name in space)
    for name, c in state.companies.items():
        if c.formed and (on_market[name] != 1 or name not in state.spaces[c.price]):
            yield f"the price marker of {name} is not where it should be"
        if not c.formed and on_market[name]:
            yield f"{name} is not formed and has a price marker"
        if c.closed and c.price != UNFORMED:
            yield f"{name} is closed and has a price"
    claims = Counter([*state.unclaimed, *(x for c in state.companies.values() for x in c.concessions)])
    for commodity, n in claims.items():
        if n > 1:
            yield f"the concession {commodity} is there {n} times"
    if state.stage == END and len(state.scores) != len(state.players):
        yield "the game is over without scores"


def _map_cache(state: State) -> Iterator[str]:
    """Every result that is kept with the map is what the map gives now: no change of the map was left unsaid."""
    fresh = state.copy()
    fresh.map_changed()
    for (work, args), found in list(state.map_cache.results.items()):
        if work(fresh, *args) != found:
            yield f"the map has changed since {work.__name__}{args} was worked out"
