"""Positions, answers and errors as protobuf messages and as JSON."""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
