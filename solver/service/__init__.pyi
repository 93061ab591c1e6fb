from .client import (
    Client as Client,
)
from .tls import (
    Tls as Tls,
)
