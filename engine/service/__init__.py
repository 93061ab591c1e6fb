"""The games as a gRPC service beside the solver's: service, store, and a client."""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
