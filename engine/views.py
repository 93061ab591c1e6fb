"""What a seat may see of a state: no other hand, no face-down card, no card to be drawn; nothing random is in a state.

A view is a State in which hidden cards read ``?``; their number stays. Drafted cards were taken openly and stay
visible in every hand (rules section 2, step 11).
"""

from __future__ import annotations

from trunkline.engine.box.box import HIDDEN, company_of
from trunkline.engine.state import Player, State


def view(state: State, seat: int | None) -> State:
    """The state as a player or a spectator sees it.

    Parameters
    ----------
    state
        The whole state.
    seat
        Whose view; None for a spectator.

    Returns
    -------
    State
        A copy in which each hidden card reads ``?``. At the end of the game nothing more is revealed.

    Examples
    --------
    >>> from trunkline.engine import Options, new_game, view
    >>> state = new_game(Options(players=("Ann", "Bob")), seed=1)
    >>> set(view(state, 0).players[1].hand)
    {'?'}
    """
    seen = state.copy()
    for s, player in enumerate(seen.players):
        if s != seat:
            _hide(player)
    seen.dummy = [HIDDEN] * len(seen.dummy)
    seen.unseen = [HIDDEN] * len(seen.unseen)
    # Shares of closed companies are void; which of them are still face down must not show by their absence here.
    seen.gone = [c for c in seen.gone if not company_of(c)]
    return seen


def _hide(player: Player) -> None:
    open_ = list(player.open_cards)
    secret = len(player.hand) - len(open_)
    player.hand = [HIDDEN] * secret + open_
    if player.kept is not None:
        player.kept = [HIDDEN] * len(player.kept)
