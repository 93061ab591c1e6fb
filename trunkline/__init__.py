"""Trunkline: optimal routes and revenue for 18xx railway games.

>>> from trunkline import Board, Position, solve

The everyday names; all others are in ``trunkline.solver`` and ``trunkline.engine``. Names are loaded when they are
first used, so that reading a position loads neither numba nor gRPC; ``__init__.pyi`` lists them.
"""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
