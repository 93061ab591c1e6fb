"""The solver in this process, or that of servers, as the commands use it: what is compiled, how far it is, Ctrl-C."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING

from trunkline.solver.cli.exits import say
from trunkline.solver.cli.files import console
from trunkline.solver.cli.options import Servers

if TYPE_CHECKING:
    from trunkline.solver.board import DrawnRoute, Evaluation, Position, Solution
    from trunkline.solver.service.client import Client


class Here:
    """The solver in this process."""

    @property
    def solve(self) -> Callable[..., Solution]:
        """Solve, with the kernels compiled."""
        from trunkline.solver import solve, warm_up

        with _telling_of_compilation():
            warm_up()  # outside of the time that is told, of the deadline, and of the first Ctrl-C
        return solve

    @property
    def evaluate(self) -> Callable[[Position, Sequence[DrawnRoute]], Evaluation]:
        """Evaluate drawn routes."""
        from trunkline.solver import evaluate

        return evaluate

    def __enter__(self) -> Here:
        return self

    def __exit__(self, *_: object) -> None:
        pass


def solver_for(server: Servers) -> Here | Client:
    """What solves: the servers, or this process if none is named."""
    return server.client() if server else Here()


@contextmanager
def searching() -> Iterator[Callable[[Solution], None]]:
    """A line on a terminal that says how far the search is."""
    terminal = console(stderr=True)
    if not terminal.is_terminal:
        yield lambda _: None
        return
    with terminal.status("searching; Ctrl-C gives the best found so far") as status:
        yield lambda s: status.update(f"best so far {s.total}, at most {s.upper_bound}; Ctrl-C gives it")


@contextmanager
def _telling_of_compilation() -> Iterator[None]:
    """Passes on what the log says when kernels are compiled, at the very first use."""
    import logging

    class Handler(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            say(0, record.getMessage())

    log, handler = logging.getLogger("trunkline.solver.search.kernel"), Handler()
    before = log.level
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    try:
        yield
    finally:
        log.removeHandler(handler)
        log.setLevel(before)


class Interrupt:
    """Within it the first Ctrl-C is only noted; a second one ends the program."""

    def __init__(self) -> None:
        self._came = False

    def came(self) -> bool:
        """Whether Ctrl-C was pressed."""
        return self._came

    def _note(self, _number: int, _frame: FrameType | None) -> None:
        if self._came:
            raise KeyboardInterrupt
        self._came = True

    def __enter__(self) -> Interrupt:
        self._before = signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(self, *_: object) -> None:
        signal.signal(signal.SIGINT, self._before)
