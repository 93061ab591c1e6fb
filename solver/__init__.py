"""Trunkline's solver: position in, best routes and revenue out.

>>> from solver import Board, Position, solve, title

``solve`` and ``warm_up`` load numba when they are first used, so that reading a position stays quick.
"""

from typing import TYPE_CHECKING

from solver.board import Board, LaidTile, Position, Rules, StopId, Token, train
from solver.check import CheckError, evaluate
from solver.errors import Cancelled, NotationError, PositionError, TrunklineError, Violation
from solver.solution import DrawnRoute, Evaluation, IdleTrain, RevenueLine, Route, Solution, Track
from solver.tile import parse_tile
from solver.title import Train, Visits, border, number_train, title, titles

if TYPE_CHECKING:
    from solver.pipeline import solve, warm_up

__all__ = [
    "Board",
    "Cancelled",
    "CheckError",
    "DrawnRoute",
    "Evaluation",
    "IdleTrain",
    "LaidTile",
    "NotationError",
    "Position",
    "PositionError",
    "RevenueLine",
    "Route",
    "Rules",
    "Solution",
    "StopId",
    "Token",
    "Track",
    "Train",
    "TrunklineError",
    "Violation",
    "Visits",
    "border",
    "evaluate",
    "number_train",
    "parse_tile",
    "solve",
    "title",
    "titles",
    "train",
    "warm_up",
]


def __getattr__(name: str) -> object:
    if name in ("solve", "warm_up"):
        from solver import pipeline

        return getattr(pipeline, name)
    raise AttributeError(f"module 'solver' has no attribute {name!r}")
