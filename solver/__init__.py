"""Trunkline's solver: position in, best routes and revenue out.

>>> from solver import Board, Position, solve, title
"""

from solver.board import Board, LaidTile, Position, Rules, StopId, Token, train
from solver.errors import NotationError, PositionError, TrunklineError, Violation
from solver.solution import DrawnRoute, Evaluation, IdleTrain, RevenueLine, Route, Solution, Track
from solver.tile import parse_tile
from solver.title import Train, Visits, border, number_train, title, titles

__all__ = [
    "Board",
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
    "number_train",
    "parse_tile",
    "title",
    "titles",
    "train",
]
