"""Options that several of the commands ``trunkline game ...`` have, and the end of their help."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from trunkline.engine.errors import LogError
from trunkline.solver.cli.exits import EXIT_INPUT
from trunkline.solver.cli.options import server_options, switch_values, typed

if TYPE_CHECKING:
    from trunkline.engine.options import Options

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
_EXIT = """\b
Exit codes: 0 done, 1 an action is refused, 2 the command line is wrong, 3 a file cannot be read or written,
4 the server cannot answer, 70 a fault of the program, 130 stopped by Ctrl-C."""


def example_epilog(text: str) -> str:
    """The end of the help of a command: examples, then the exit codes."""
    lines = "\n".join(f"  {line}" for line in text.strip().splitlines())
    return f"\b\nExample:\n{lines}\n\n{_EXIT}"


# --- where a game is


def game_server_option(text: str, *instead: str, whole: bool = True) -> Decorator:
    """The option --server; its variable does not count where the command line names one of the options ``instead``.

    Games are on one server: ``whole`` refuses several, else the first is asked.
    """

    def given(ctx: click.Context, option: click.Parameter, value: str | None) -> str | None:
        if value is None or (_by_variable(ctx, option) and any(map(typed, instead))):
            return None
        addresses = value.replace(",", " ").split()
        if whole and len(addresses) > 1:
            raise click.BadParameter(f"games are on one server; {value!r} is several")
        return addresses[0] if addresses else value

    return server_options(
        click.option(
            "--server",
            "-s",
            metavar="HOST:PORT",
            envvar="TRUNKLINE_SERVER",
            show_envvar=True,
            callback=given,
            help=text,
        )
    )


def store_option(text: str, *instead: str) -> Decorator:
    """The option --store; its variable does not count where a server, or one of the options ``instead``, is named."""

    def given(ctx: click.Context, option: click.Parameter, value: str | None) -> str | None:
        if _by_variable(ctx, option):
            named = any(map(typed, ("server", *instead)))
            return None if named or os.environ.get("TRUNKLINE_SERVER") else value
        return value

    return click.option(
        "--store", metavar="SQLITE", envvar="TRUNKLINE_GAMES", show_envvar=True, callback=given, help=text
    )


def _by_variable(ctx: click.Context, option: click.Parameter) -> bool:
    return ctx.get_parameter_source(option.name or "") is click.core.ParameterSource.ENVIRONMENT


def rule_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of a game but for its players."""
    for option in reversed(
        [
            click.option("--start", type=click.Choice(["draft", "auction"]), default="draft", show_default=True),
            click.option("--variant", type=click.Choice(["removed", "dummy"]), help="For two players."),
            click.option("--rules", default="rulebook", show_default=True, metavar="SET", help="Or 18xx.games."),
            click.option(
                "--switch",
                "switches",
                multiple=True,
                metavar="NAME=on|off",
                callback=switch_values,
                help="A single rule switch; docs/options.md lists them. Repeatable.",
            ),
        ]
    ):
        command = option(command)
    return command


def checked_options(*of_a_game: Any) -> Options:
    """The options of a game; what is wrong with them is told in full, also a list that is long."""
    from trunkline.engine.options import Options

    try:
        return Options(*of_a_game)
    except LogError as e:
        click.echo(f"trunkline: {e}", err=True)
        raise click.exceptions.Exit(EXIT_INPUT) from None
