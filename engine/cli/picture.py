"""The board of a game as SVG."""

from __future__ import annotations

from trunkline.engine.rules import run
from trunkline.engine.rules.run import Solver
from trunkline.engine.state import State
from trunkline.solver.draw import draw, draw_solution


def picture(state: State, solver: Solver | None = None) -> str:
    """The board as SVG; with ``solver`` and an operating company with its best routes."""
    where = f"round {state.round}" + (f".{state.operating_round}" if state.operating_round else "")
    if solver is not None and state.operating.company:
        position = run.position(state)
        title = f"18 India, {where}: {position.company}"
        return draw_solution(position, solver(position), title_text=title, reserved=state.reserved)
    title = f"18 India, {where}"
    return draw(run.board(state), company=state.operating.company, title_text=title, reserved=state.reserved)
