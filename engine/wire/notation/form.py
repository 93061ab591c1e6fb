"""The form of one kind of action as text: one record for each first word, with everything that is said about it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from trunkline.engine.actions import Action
from trunkline.engine.box.box import TITLE
from trunkline.engine.errors import RuleError
from trunkline.engine.state import State

Read = Callable[[State, int, list[str]], Action]
Write = Callable[[Any], list[str]]
Describe = Callable[[State, Any], str]


class ActionTextError(RuleError):
    """A text that is no action; the message says how it is written."""

    def __init__(self, message: str) -> None:
        super().__init__("3", message)
        self.args = (message,)


def no_words(_: Action) -> list[str]:
    """Of an action that is written as its verb alone."""
    return []


@dataclass(frozen=True, slots=True)
class ActionText:
    """How a kind of action is written, read and described.

    Parameters
    ----------
    verb
        The first word of the text.
    kinds
        The classes of action that are written with this verb; which of several is meant follows from the state.
    form
        The whole text, with names for its parts: ``draft CARD``.
    meaning
        What the action does, for players.
    read
        Gives the action of a state, a seat and the words after the verb. ``ValueError``, ``IndexError`` or
        ``TypeError``: the words are not of the form.
    write
        Gives the words after the verb; empty words are left out.
    describe
        Says what an action means in a state, with costs; by default ``meaning``.
    example, parts
        Where the text has more than its verb: an example, and how its parts are written.
    of
        Of two verbs that write one class (``pay`` and ``retain``) the one that writes a given action.
    """

    verb: str
    kinds: tuple[type[Action], ...]
    form: str
    meaning: str
    read: Read
    write: Write = no_words
    describe: Describe | None = None
    example: str = ""
    parts: str = ""
    of: Callable[[Any], bool] | None = None


# --- parts of texts that several kinds share


def verb_only(kind: Callable[..., Action], **fields: Any) -> Read:
    """A reader for a text without further words."""

    def read(state: State, seat: int, words: list[str]) -> Action:
        () = words
        return kind(seat, **fields)

    return read


def one_word(kind: Callable[[int, str], Action]) -> Read:
    """A reader for a text with one word more: a hex, or the id of a private."""

    def read(state: State, seat: int, words: list[str]) -> Action:
        return kind(seat, single(words).upper())

    return read


def single(words: Sequence[str]) -> str:
    """The only word. ValueError: there are none, or several."""
    (word,) = words
    return word


def at_most(words: Sequence[str], count: int) -> None:
    """ValueError: there are more words."""
    if len(words) > count:
        raise ValueError


def tile_number(word: str) -> str:
    """The number of a tile of this game."""
    name = word.upper()
    if name not in TITLE.tiles:
        raise ActionTextError(f"there is no tile {name}")
    return name


def nothing_to_add(state: State, action: Action) -> str:
    """A description for texts that say everything themselves."""
    return ""
