"""The board and its routes as a picture: an SVG file, as players know the board.

``draw(board, routes)`` and ``draw_solution(position, solution)`` give the text of a standalone SVG file; all names in
it may come from strangers and are escaped. The same board gives the same text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from trunkline.solver.board import Board, Position, Route, Solution
from trunkline.solver.draw.picture import Picture
from trunkline.solver.errors import TrunklineError

__all__ = ["draw", "draw_solution"]


def draw(
    board: Board,
    routes: Sequence[Route] = (),
    *,
    company: str = "",
    title_text: str = "",
    notes: Sequence[str] = (),
    width: int = 1200,
    reserved: Mapping[str, tuple[str, int]] | None = None,
) -> str:
    """The board as SVG text, ``width`` pixels wide.

    ``routes`` are drawn along their track, each in its own colour, counted stops with a ring of that colour; the
    legend lists their stops and revenue, and the lines of ``notes``. ``company``: whose tokens stand out.
    ``title_text``: the heading; by default the title and the phase. ``reserved``: by company the hex and the city
    (-1: any of the hex) that its home token is still to come to; by default what the title prints and the tiles say,
    of companies without a token. Raises PositionError: a route has stops or track that are not on the board, or a
    reserved city is not; TrunklineError: ``width`` is not from 100 to 20,000.
    """
    if width not in range(100, 20_001):
        raise TrunklineError(f"a picture {width} pixels wide; give 100 to 20000")
    return Picture(board, routes, company, title_text or _heading(board), notes, width, reserved).svg()


def draw_solution(
    position: Position,
    solution: Solution,
    *,
    title_text: str = "",
    width: int = 1200,
    reserved: Mapping[str, tuple[str, int]] | None = None,
) -> str:
    """The board with the routes of a solution; the legend says whether they are proven best and what stands idle."""
    proof = "proven best" if solution.optimal else f"best found so far, at most {solution.upper_bound}"
    notes = [proof, *(f"train {i.name} idle: {i.reason}" for i in solution.idle)]
    if solution.claims:
        notes.append(f"concessions claimed: {', '.join(solution.claims)}")
    return draw(
        position.board,
        solution.routes,
        company=position.company,
        title_text=title_text,
        notes=notes,
        width=width,
        reserved=reserved,
    )


def _heading(board: Board) -> str:
    name = board.title.name if board.title.id else "18xx board"
    return f"{name}, phase {board.phase}" if board.phase else name
