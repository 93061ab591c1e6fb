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
    """The board as a picture.

    Parameters
    ----------
    board
        What lies on the table.
    routes
        Routes to draw along their track, each in its own colour, with a ring round each stop that pays; the legend
        lists their stops and revenue.
    company
        The company whose tokens stand out.
    title_text
        The heading; by default the title and the phase.
    notes
        Lines to write under the legend.
    width
        The width in pixels, from 100 to 20,000.
    reserved
        By company the hex and the city (-1: any of the hex) where its home token is still to come; by default what
        the title prints and the tiles say, of companies without a token.

    Returns
    -------
    str
        The text of a standalone SVG file.

    Raises
    ------
    PositionError
        A route has stops or track that are not on the board, or a reserved city is not.
    TrunklineError
        ``width`` is out of range.
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
    """The board with the routes of a solution; the legend says whether they are proven best and what stands idle.

    Parameters
    ----------
    position
        The board and the question.
    solution
        Its answer.
    title_text, width, reserved
        As for :func:`draw`.

    Returns
    -------
    str
        The text of a standalone SVG file.

    Examples
    --------
    >>> from trunkline.solver import Board, LaidTile, Position, Solution, Token, draw_solution, get_title
    >>> board = Board(get_title("18India"), (LaidTile("D5", "8", 1),), (Token("PNS", "D3"),))
    >>> nothing = Solution(routes=(), idle=(), total=0, upper_bound=0, optimal=True)
    >>> draw_solution(Position(board, "PNS"), nothing).startswith("<svg")
    True
    """
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
