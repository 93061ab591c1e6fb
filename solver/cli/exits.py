"""Exit codes of the command, and how it says what went wrong."""

from __future__ import annotations

import click

EXIT_NOT_LEGAL, EXIT_USAGE, EXIT_INPUT, EXIT_SERVER, EXIT_FAULT, EXIT_STOPPED = 1, 2, 3, 4, 70, 130

EXIT = """\b
Exit codes:
  0    an answer was given
  1    the routes are not legal; some lines of the batch have no solution; or
       a line of a game's script is refused
  2    the command line is wrong
  3    a file cannot be read or written, or what it says cannot be
  4    the server cannot answer
  70   a fault of the program itself
  130  stopped by Ctrl-C; what was found until then is printed"""


def example(text: str) -> str:
    """The lines of an example, as the end of a help page."""
    lines = "\n".join(f"  {line}" for line in text.strip().splitlines())
    return f"\b\nExample:\n{lines}"


def say(code: int, *lines: str) -> int:
    """Print lines on standard error, each with the name of the program; gives the code."""
    for line in lines:
        click.echo(f"trunkline: {line if len(line) <= 500 else line[:497] + '...'}", err=True)
    return code
