from .client import Games as Games
from .errors import Stale as Stale
from .errors import StoreError as StoreError
from .errors import UndoRefused as UndoRefused
from .errors import UnknownGame as UnknownGame
from .store import Store as Store
