"""What lies on the table: tiles, hexes, titles, the position, and the answer to it. Knows no search and no server."""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
