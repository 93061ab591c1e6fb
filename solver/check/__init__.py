"""The independent checker: may these routes be run, and what do they earn? Shares no code with the search."""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
