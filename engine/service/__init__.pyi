from .client import (
    Games as Games,
)
from .store import (
    Stale as Stale,
)
from .store import (
    Store as Store,
)
from .store import (
    StoreError as StoreError,
)
from .store import (
    UndoRefused as UndoRefused,
)
from .store import (
    UnknownGame as UnknownGame,
)
