"""Trunkline's solver: position in, best routes and revenue out.

>>> from trunkline.solver import Board, Position, solve, get_title

What users import is here; it is loaded when it is first used, so that reading a position loads neither numba nor gRPC.
"""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
