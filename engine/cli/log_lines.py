"""The log of a game as lines for a terminal."""

from __future__ import annotations

from rich.text import Text

from trunkline.engine import actions as a
from trunkline.engine import game
from trunkline.engine.actions import Action
from trunkline.engine.log import Log
from trunkline.engine.state import OPERATE, State
from trunkline.engine.wire import notation


def log_line(before: State, number: int, action: Action, after: State) -> Text:
    """An action as a line of the log."""
    who = before.options.players[action.seat]
    company = before.operating.company if before.stage == OPERATE and not before.pending else ""
    text = Text.assemble((f"{number:>4}  ", "dim"), (f"{who}{f' for {company}' if company else ''}: ", "bold"))
    if isinstance(action, a.Run):
        earned = after.operating.revenue if after.operating.company == company else 0
        text.append(f"run {notation.describe_action(before, action)} = {earned}" if action.runs else "run idle")
    elif isinstance(action, a.Keep):
        text.append(f"keep {len(action.cards)} cards")
    else:
        text.append(notation.write_action(action))
        described = notation.describe_action(before, action)
        text.append(f"  {described}" if described and described != notation.write_action(action) else "", style="dim")
    for name, c in after.companies.items():
        old = before.companies[name]
        if c.formed and not old.formed:
            text.append(f"  {name} is formed at {after.price(name)}", style="green")
        elif c.closed and not old.closed:
            text.append(f"  {name} closes", style="red")
    if after.phase != before.phase:
        text.append(f"  phase {after.phase}", style="magenta")
    return text


def log_lines(log: Log, first: int, last: int) -> list[Text]:
    """The actions after ``first`` up to ``last`` as texts."""
    if first >= last:
        return []
    state, found = log.replay(first), []
    for number, action in enumerate(log.actions[first:last], first + 1):
        after = game.apply(state, action)
        found.append(log_line(state, number, action, after))
        state = after
    return found
