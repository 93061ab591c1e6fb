"""What the command ``help`` says: the commands, how each action is written, examples."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from trunkline.engine.wire import notation

COMMANDS = {
    "NUMBER": "take the action of this number of the list",
    "? [WORD...]": "list what can be done; only what has all the words, such as `? lay D5`",
    "show [all]": "the table",
    "hand": "your hand; with cards it is an action",
    "best": "the best routes of the operating company, or `best COMPANY`",
    "draw FILE": "the board as SVG, with the best routes while trains run",
    "log [N]": "the last N actions",
    "undo [N]": "take back the last action, or the last N",
    "bot [N]": "let a bot take this action, or the next N",
    "help [ACTION]": "this, or how an action is written; `help all` lists all actions",
    "quit": "end; the game is kept in its file",
}


def two_columns(rows: Iterable[tuple[str, str]]) -> Table:
    """Forms, each with its meaning."""
    grid = Table.grid(padding=(0, 2))
    for form, meaning in rows:
        grid.add_row(Text(form, style="bold"), Text(meaning))
    return grid


def explained(start: str) -> list[RenderableType]:
    """The commands and actions that begin so, or the one that is just this word; with examples."""
    commands = {form.split()[0].lower(): (form, meaning) for form, meaning in COMMANDS.items()}
    words = list(dict.fromkeys([*commands, *notation.TEXTS]))
    found = [start] if start in words else [w for w in words if w.startswith(start)]
    parts: list[RenderableType] = []
    for word in found:
        text = notation.TEXTS.get(word)
        forms = [commands[word]] if word in commands else []
        parts.append(two_columns([*forms, *([(text.form, text.meaning)] if text else [])]))
        if text and text.example:
            parts.append(Padding(Text(f"for example: {text.example}"), (0, 0, 0, 4)))
            parts.append(Padding(Text(text.parts, style="dim"), (0, 0, 0, 4)))
    return parts or [Text(f"there is no command and no action {start!r}; `help all` lists the actions", style="yellow")]
