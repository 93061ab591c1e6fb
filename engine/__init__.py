"""The engine: 18 India from the deal of the certificates to the final score.

>>> from trunkline.engine import Options, apply, legal_actions, new_game
>>> state = new_game(Options(players=("Ann", "Bob", "Cem")), seed=7)
>>> state = apply(state, legal_actions(state, 0)[0])

What users import is here; it is loaded when it is first used.
"""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
