"""The command ``trunkline``: solve, evaluate and draw positions, list titles, solve batches, serve.

Works in this process, or with ``--server`` through servers. Other packages add commands by an entry point of the group
``trunkline.commands`` (name = module:command). Whatever goes wrong is told in a line, with an exit code of ``EXIT``.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence
from importlib.metadata import EntryPoint, entry_points
from typing import NoReturn

import click

from trunkline.solver.cli.exits import EXIT, EXIT_FAULT, EXIT_INPUT, EXIT_SERVER, EXIT_STOPPED, EXIT_USAGE, say
from trunkline.solver.cli.many import batch
from trunkline.solver.cli.serve import serve
from trunkline.solver.cli.solving import draw, evaluate, solve
from trunkline.solver.cli.titles import titles
from trunkline.solver.errors import Cancelled, PositionError, TrunklineError


class Commands(click.Group):
    """A group that also has the commands that other packages bring along."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Own commands, then those of other packages."""
        return [*super().list_commands(ctx), *_brought()]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """A command by name; one of another package is imported only now."""
        own = super().get_command(ctx, cmd_name)
        if own is not None or cmd_name not in _brought():
            return own
        command = _brought()[cmd_name].load()
        assert isinstance(command, click.Command)
        return command


def _brought() -> dict[str, EntryPoint]:
    return {e.name: e for e in sorted(entry_points(group="trunkline.commands"))}


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=f"""\b
Example:
  trunkline solve position.json

{EXIT}""",
)
@click.version_option(package_name="trunkline", prog_name="trunkline")
def commands() -> None:
    """The most a railway company can earn, on which routes, and why: 18 India and other 18xx boards."""


for _command in (solve, evaluate, draw, titles, batch, serve):
    commands.add_command(_command)


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit."""
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; gives the exit code."""
    try:
        code = commands.main(arguments, prog_name="trunkline", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except click.exceptions.Exit as e:
        return e.exit_code
    except click.ClickException as e:
        e.show()
        return EXIT_USAGE
    except (Cancelled, KeyboardInterrupt, click.Abort):
        return say(EXIT_STOPPED, "stopped before anything was found")
    except PositionError as e:
        shown = [str(v) for v in e.faults[:20]]
        rest = len(e.faults) - len(shown)
        return say(EXIT_INPUT, *shown, *([f"and {rest} more"] if rest else []))
    except TrunklineError as e:
        from trunkline.solver.errors import CheckError
        from trunkline.solver.wire.status import ServiceError

        if isinstance(e, CheckError):
            return say(EXIT_FAULT, f"a fault in trunkline itself: its own answer is not legal: {e}")

        return say(EXIT_SERVER if isinstance(e, ServiceError) else EXIT_INPUT, str(e))
    except OSError as e:
        if e.errno == errno.EPIPE:  # who reads has had enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 0
        return say(EXIT_INPUT, f"{e.filename}: {e.strerror}" if e.filename else str(e))
    except Exception as e:
        if os.environ.get("TRUNKLINE_DEBUG"):
            raise
        return say(EXIT_FAULT, f"a fault in trunkline itself, {type(e).__name__}: {e}; TRUNKLINE_DEBUG=1 shows more")


if __name__ == "__main__":
    main()
