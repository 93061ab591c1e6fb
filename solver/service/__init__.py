"""The solver as a gRPC service: server, worker processes, and a client of one or several servers."""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
