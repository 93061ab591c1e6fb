"""``trunkline titles convert FILE``: the folder of a title made from a dump of it."""

from __future__ import annotations

import errno
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from trunkline.solver.errors import TrunklineError


class WithConvert(click.Command):
    """The command ``titles``, whose word ``convert`` leads to another command."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """The context of this command, or of that one."""
        if args[:1] == ["convert"]:
            return convert.make_context(f"{info_name} convert", args[1:], parent, **extra)
        return super().make_context(info_name, args, parent, **extra)


@click.command(
    epilog="""\b
Example:
  trunkline titles convert 1889.json -o my-titles/1889""",
)
@click.argument("file")
@click.option("-o", "--output", metavar="FOLDER", help="The folder to make; by default the id of the title, here.")
def convert(file: str, output: str | None) -> int:
    """Make the folder of a title from a dump of it, and list what the folder cannot say.

    The dump is a JSON object: hexes and tiles in the notation of 18xx.games, companies, privates, trains and phases.
    All facts are copied. Rules of routes are in no dump: add them by hand. What the solver refuses in the folder is
    listed as well.
    """
    from trunkline.solver.board import load_title
    from trunkline.solver.board.convert import convert as converted

    conversion = converted(_read(file))
    folder = Path(output or conversion.title_id)
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise FileExistsError(errno.EEXIST, "is not empty", str(folder))
    for name, tables in conversion.files.items():
        (folder / f"{name}.toml").write_text(_toml(tables), encoding="utf-8")
    for line in conversion.unsaid:
        click.echo(f"not said: {line}")
    try:
        load_title(str(folder))
    except TrunklineError as e:
        refused = str(e).splitlines()
        for line in refused:
            click.echo(f"refused: {line}")
        click.echo(f"{folder}: written, and cannot be loaded before what is refused is mended")
    else:
        click.echo(f"{folder}: written, can be loaded")
    return 0


def _read(file: str) -> Any:
    import json
    import sys

    text = sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
    try:
        return json.loads(text)
    except ValueError as e:
        raise TrunklineError(f"{file}: not JSON: {e}") from None


def _toml(tables: Mapping[str, Any]) -> str:
    import tomli_w

    return tomli_w.dumps(tables)
