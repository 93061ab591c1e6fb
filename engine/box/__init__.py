"""What is in the box of 18 India beside the board, read from 18India.toml."""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
