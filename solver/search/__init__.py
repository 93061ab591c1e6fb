"""The search: the network of a company, the same as flat arrays, and the best set of routes on them."""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
