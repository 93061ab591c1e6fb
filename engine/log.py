"""A game kept as its log: options and seed, then the actions. The log *is* the game.

``Log.replay()`` gives the state after any number of actions, bit for bit the same each time; undo is a shorter log.
The text form is one JSON object a line: a head with format, version, options and seed, then numbered actions.
The head (the seed tells every card) and the cards others kept are secret: show a player :meth:`Log.seen_by`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any

from trunkline.engine import game
from trunkline.engine.actions import Action, Keep, action_from_json, action_to_json
from trunkline.engine.box.box import HIDDEN
from trunkline.engine.errors import LogError, RuleError
from trunkline.engine.json_values import decode, encode
from trunkline.engine.options import Options
from trunkline.engine.state import State

FORMAT, VERSION = "trunkline-game", 1


@dataclass(frozen=True, slots=True)
class Log:
    """A game: ``options``, ``seed``, and every ``action`` taken."""

    options: Options
    seed: int
    actions: tuple[Action, ...] = ()

    def replay(self, upto: int | None = None) -> State:
        """The state after the first ``upto`` actions, by default all. Raises LogError: names action and rule."""
        if upto is not None and upto not in range(len(self.actions) + 1):
            raise LogError(f"there is no action {upto}; the log has {len(self.actions)}")
        state = game.new_game(self.options, self.seed)
        for number, action in enumerate(self.actions[:upto], 1):
            try:
                game.perform(state, action)
            except RuleError as e:
                raise LogError(f"action {number} ({action_to_json(action)}): {e}") from e
        return state

    def add(self, action: Action) -> Log:
        """The log with one action more; whether it is legal is for :func:`trunkline.engine.game.apply` to say."""
        return replace(self, actions=(*self.actions, action))

    def undo(self, upto: int) -> Log:
        """The log cut after ``upto`` actions. Raises LogError: there are not so many."""
        if upto not in range(len(self.actions) + 1):
            raise LogError(f"there is no action {upto}; the log has {len(self.actions)}")
        return replace(self, actions=self.actions[:upto])

    def seen_by(self, seat: int | None) -> tuple[Action, ...]:
        """The actions as a seat, or a spectator (None), may see them."""
        return tuple(seen_by(action, seat) for action in self.actions)

    def dumps(self) -> str:
        """The text form."""
        head = {"format": FORMAT, "version": VERSION, "options": encode(self.options), "seed": self.seed}
        lines: list[dict[str, Any]] = [head]
        lines += [{"number": n, **action_to_json(a)} for n, a in enumerate(self.actions, 1)]
        return "".join(json.dumps(line, separators=(",", ":"), ensure_ascii=False) + "\n" for line in lines)

    @staticmethod
    def loads(text: str) -> Log:
        """The inverse of :meth:`dumps`. Raises LogError: names the line, for a gap, an unknown version, bad JSON."""
        lines = text.splitlines()
        if not lines:
            raise LogError("the log is empty")
        options, seed = _head(_json(lines[0], 1))
        actions = []
        for i, line in enumerate(lines[1:], 1):
            entry = _json(line, i + 1)
            number = entry.pop("number", None)
            if number != i or isinstance(number, bool):
                raise LogError(f"line {i + 1}: expected action number {i}, found {number!r}; the log has a gap")
            action = action_from_json(entry, f"line {i + 1}")
            actions.append(action)
        return Log(options, seed, tuple(actions))


def seen_by(action: Action, seat: int | None) -> Action:
    """An action without what a seat may not see: the cards another player kept."""
    if isinstance(action, Keep) and action.seat != seat:
        return replace(action, cards=(HIDDEN,) * len(action.cards))
    return action


def _json(line: str, number: int) -> dict[str, Any]:
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError) as e:
        raise LogError(f"line {number}: is not JSON ({e})") from e
    if not isinstance(entry, dict):
        raise LogError(f"line {number}: expected an object")
    return entry


def _head(head: dict[str, Any]) -> tuple[Options, int]:
    if head.get("format") != FORMAT:
        raise LogError(f"line 1: format {head.get('format')!r} is not {FORMAT!r}")
    if type(head.get("version")) is not int or head["version"] != VERSION:  # nor true, nor 1.0
        raise LogError(f"line 1: version {head.get('version')!r} is not known; this engine reads version {VERSION}")
    if unknown := sorted(set(head) - {"format", "version", "options", "seed"}):
        raise LogError(f"line 1: unknown field {unknown[0]!r}")
    options = decode(Options, head.get("options"), "line 1: options")
    return options, decode(int, head.get("seed"), "line 1: seed")
