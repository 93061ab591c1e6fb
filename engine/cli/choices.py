"""What can be done, as numbered groups for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from trunkline.engine import actions as a
from trunkline.engine.actions import Action
from trunkline.engine.state import State
from trunkline.engine.wire import notation

_MANY = 30


def choices(state: State, found: Sequence[Action], words: Sequence[str] = (), *, every: bool = False) -> RenderableType:
    """The actions in numbered groups; only those with all of ``words``. Long groups are cut unless ``every``."""
    numbered = [(i, x) for i, x in enumerate(found, 1) if _matches(state, x, words)]
    if not numbered:
        return Text("nothing of that kind is possible", style="yellow")
    groups: dict[str, list[tuple[int, Action]]] = {}
    for i, x in numbered:
        groups.setdefault(notation.verb(x), []).append((i, x))
    parts: list[RenderableType] = []
    for verb, entries in groups.items():
        parts.append(Text(f"{verb}: {notation.TEXTS[verb].meaning}", style="bold cyan"))
        parts += _tiles(state, entries, every) if verb in ("lay", "homecity") else _plain(state, entries, every)
    return Group(*parts)


def _matches(state: State, action: Action, words: Sequence[str]) -> bool:
    if not words:
        return True
    text = f"{notation.write_action(action)} {notation.describe_action(state, action)}".lower().split()
    return all(any(part.startswith(w.lower()) for part in text) for w in words)


def _plain(state: State, entries: Sequence[tuple[int, Action]], every: bool) -> list[RenderableType]:
    if len(entries) > 2 and not any(notation.describe_action(state, x) for _, x in entries):
        return [Text("     " + "  ".join(f"{i}:{notation.write_action(x).partition(' ')[2]}" for i, x in entries))]
    shown = entries if every else entries[:_MANY]
    grid = Table.grid(padding=(0, 2))
    grid.add_column(justify="right", style="bold", no_wrap=True, min_width=5)
    grid.add_column(no_wrap=True)
    grid.add_column(style="dim")
    for i, x in shown:
        text = notation.write_action(x)
        text = "run" if isinstance(x, a.Run) and x.runs else text
        grid.add_row(str(i), Text(text), Text(notation.describe_action(state, x)))
    return [grid, *_rest(len(entries) - len(shown), entries)]


def _rest(left: int, entries: Sequence[tuple[int, Action]]) -> list[RenderableType]:
    if left <= 0:
        return []
    verb = notation.verb(entries[0][1])
    return [Text(f"      and {left} more; `? {verb}` lists all of them, `? {verb} WORD` some", style="dim")]


def _tiles(state: State, entries: Sequence[tuple[int, Action]], every: bool) -> list[RenderableType]:
    """Tiles by hex and colour, as ``number:tile/rotation``."""
    rows: dict[tuple[str, str], list[str]] = {}
    for i, x in entries:
        assert isinstance(x, (a.LayTile, a.LayHome))
        key = (x.hex, notation.describe_action(state, x))
        rows.setdefault(key, []).append(f"{i}:{x.tile}/{x.rotation}")
    keys = list(rows) if every else list(rows)[: 2 * _MANY]
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="bold", no_wrap=True, min_width=5)
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column()
    for hex_, text in keys:
        grid.add_row(Text(hex_, justify="right"), Text(text), Text("  ".join(rows[hex_, text])))
    return [grid, *_rest(sum(len(v) for k, v in rows.items() if k not in keys), entries)]
