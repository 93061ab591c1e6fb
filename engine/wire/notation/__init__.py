"""Actions as short texts that people type and read: ``lay D5 8 2``, ``hand EIR_0 EIR_1``, ``train 3-1 bank 300 as 3``.

:func:`write_action` and :func:`read_action` are inverse to each other; reading also takes shorter forms.
:func:`describe_action` says what an action means. ``TEXTS`` has one record for each verb; see :class:`ActionText`.
"""

from __future__ import annotations

from trunkline.engine import actions as a
from trunkline.engine.actions import Action
from trunkline.engine.errors import RuleError
from trunkline.engine.state import OPERATE, State
from trunkline.engine.wire.notation.board import HOMES, TRACK
from trunkline.engine.wire.notation.cards import CARDS
from trunkline.engine.wire.notation.form import ActionText, ActionTextError, verb_only
from trunkline.engine.wire.notation.names import card_name, card_names, place_name, short, short_name
from trunkline.engine.wire.notation.trains import OFFERS, TRAINS

__all__ = [
    "TEXTS",
    "ActionText",
    "ActionTextError",
    "card_name",
    "card_names",
    "describe_action",
    "place_name",
    "read_action",
    "short",
    "short_name",
    "verb",
    "write_action",
]

_PASSES = {
    "track": "no more track",
    "token": "no token",
    "trains": "no more trains",
    "sell": "sell no more",
    "buy": "buy nothing",
}


def _describe_pass(state: State, action: a.Pass) -> str:
    return _PASSES.get(state.operating.step, "pass") if state.stage == OPERATE and not state.pending else "pass"


_PASS = ActionText("pass", (a.Pass,), "pass", "do nothing, or no more", read=verb_only(a.Pass), describe=_describe_pass)
_END = ActionText("endgame", (a.EndGame,), "endgame", "end the game by agreement", read=verb_only(a.EndGame))
TEXTS: dict[str, ActionText] = {text.verb: text for text in (_PASS, *CARDS, *HOMES, *OFFERS, *TRACK, *TRAINS, _END)}
"""How each kind of action is written, by the first word."""

_OF_KIND: dict[type[Action], list[ActionText]] = {}
for _text in TEXTS.values():
    for _kind in _text.kinds:
        _OF_KIND.setdefault(_kind, []).append(_text)


def _text_of(action: Action) -> ActionText:
    return next(text for text in _OF_KIND[type(action)] if text.of is None or text.of(action))


def verb(action: Action) -> str:
    """The first word of the text of an action."""
    return _text_of(action).verb


def write_action(action: Action) -> str:
    """The text of an action.

    Parameters
    ----------
    action
        Any action; it need not be legal.

    Returns
    -------
    str
        A line that :func:`read_action` gives the same action for.

    Examples
    --------
    >>> from trunkline.engine import LayTile, write_action
    >>> write_action(LayTile(0, "D5", "8", 2))
    'lay D5 8 2'
    """
    text = _text_of(action)
    return " ".join(filter(None, [text.verb, *text.write(action)]))


def read_action(state: State, seat: int, text: str) -> Action:
    """The action that a text stands for. Whether it is legal is not asked.

    Parameters
    ----------
    state
        The state in which the action would be taken; short forms depend on it: ``hand EIR EIR`` are two shares of
        that company in the hand, ``train 3`` is any 3-train on sale.
    seat
        Who acts.
    text
        One line, as ``TEXTS`` and ``docs/playing.md`` describe it.

    Returns
    -------
    Action

    Raises
    ------
    ActionTextError
        The text is not of a known form; the message says how it is written.
    RuleError
        The routes of ``run`` are not legal; the message has every reason.

    Examples
    --------
    >>> from trunkline.engine import Options, new_game, read_action
    >>> state = new_game(Options(players=("Ann", "Bob")), seed=1)
    >>> read_action(state, 0, "token g8 1")
    PlaceToken(seat=0, hex='G8', city=1, private='')
    """
    words = text.replace(",", " ").split()
    if not words:
        raise ActionTextError("say what to do")
    first = words[0].lower()
    if first not in TEXTS:
        raise ActionTextError(f"{words[0]!r} is no action; actions begin with {', '.join(TEXTS)}")
    try:
        return TEXTS[first].read(state, seat, words[1:])
    except RuleError:  # routes that are not legal
        raise
    except (ValueError, IndexError, TypeError):
        raise ActionTextError(f"{text!r} is not of the form: {TEXTS[first].form}") from None


def describe_action(state: State, action: Action) -> str:
    """What an action means to a player, with what it costs or brings.

    Parameters
    ----------
    state
        The state in which the action can be taken: prices are taken from it.
    action
        A legal action.

    Returns
    -------
    str
        A few words in English; empty where the text of the action says everything.

    Examples
    --------
    >>> from trunkline.engine import Draft, Options, describe_action, new_game
    >>> state = new_game(Options(players=("Ann", "Bob")), seed=1)
    >>> describe_action(state, Draft(0, "EIR_0"))
    "EIR Director's certificate, to buy for 200"
    """
    text = _text_of(action)
    return text.describe(state, action) if text.describe else text.meaning
