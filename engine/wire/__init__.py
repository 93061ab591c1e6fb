"""States and actions as protobuf messages and as short texts; games of 18xx.games."""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
