"""The end of the game and the scores (rules section 11)."""

from __future__ import annotations

from trunkline.engine.box.box import BOX, TITLE, company_of, face, is_bond, is_private, percent, train_card
from trunkline.engine.state import END, State


def book_value(state: State, company: str) -> int:
    """What a company owns: cash, trains at list price, privates and bonds at face, shares at the current price.

    Own shares count only with the switch ``own_shares_in_book`` (C8).
    """
    c = state.companies[company]
    total = c.cash + sum(TITLE.cards[train_card(t)].price for t in c.trains)
    for x in c.certificates:
        if is_private(x) or is_bond(x):
            total += face(x)
        elif company_of(x) != company or state.options.on("own_shares_in_book"):
            total += state.price(company_of(x)) * percent(x) // BOX.share_percent
    return total


def share_value(state: State, company: str) -> int:
    """The final value of ten percent: the price and a tenth of the book value, rounded down."""
    return state.price(company) + book_value(state, company) // 10


def score(state: State, seat: int) -> int:
    """What a player is worth: cash, shares at their final value, privates and bonds at face value.

    Cards that are still in the hand count nothing (11).

    Parameters
    ----------
    state
        A state or a view.
    seat
        The player.

    Returns
    -------
    int
        Rupees.

    Examples
    --------
    >>> from trunkline.engine import Options, new_game, score
    >>> score(new_game(Options(players=("Ann", "Bob", "Cem")), seed=1), 0)
    733
    """
    player = state.players[seat]
    total = player.cash
    for x in player.certificates:
        company = company_of(x)
        total += share_value(state, company) * percent(x) // BOX.share_percent if company else face(x)
    return total


def end(state: State, why: str) -> None:
    """End the game: ``why`` is ``bank``, ``price``, ``agreement`` or ``stalemate``."""
    state.stage = END
    state.ended_by = why
    state.pending.clear()
    state.scores = [score(state, seat) for seat in state.options.seats]
