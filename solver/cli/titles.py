"""The command ``titles``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from trunkline.solver.cli.convert import WithConvert
from trunkline.solver.cli.exits import example
from trunkline.solver.cli.files import console
from trunkline.solver.cli.options import Servers, server_option


@click.command(
    cls=WithConvert,
    short_help="List or describe the titles, or make a folder of one.",
    epilog=example(
        """
trunkline titles
trunkline titles 18India --json
trunkline titles convert 1889.json"""
    ),
)
@click.argument("name", required=False, metavar="[NAME | convert FILE]")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@server_option
def titles(name: str | None, as_json: bool, server: Servers) -> int:
    """List the titles, or describe one: companies, trains, tiles, bonuses, rule switches.

    `trunkline titles convert --help`: make the folder of a title from a dump of it.
    """
    import json

    known = _described if not server else _described_by(server)
    if name is None:
        ids = known(None)
        click.echo(json.dumps({"titles": ids}) if as_json else "\n".join(ids))
        return 0
    described = known(name)
    if as_json:
        click.echo(json.dumps(described, indent=2, ensure_ascii=False))
    else:
        from trunkline.solver.cli.report import title_report

        console().print(title_report(described))
    return 0


def _described(name: str | None) -> Any:
    from trunkline.solver.board import title_ids as known
    from trunkline.solver.wire import to_dict
    from trunkline.solver.wire.describe import COLLECTION, title_by_name

    return list(known()) if name is None else to_dict(title_by_name(COLLECTION + name), False)


def _described_by(server: Servers) -> Callable[[str | None], Any]:
    def ask(name: str | None) -> Any:
        with server.client() as client:
            return list(client.titles()) if name is None else client.describe(name)

    return ask
