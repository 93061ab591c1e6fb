from .box import (
    Bonds as Bonds,
)
from .box import (
    Box as Box,
)
from .box import (
    PhaseText as PhaseText,
)
from .box import (
    PlayerRow as PlayerRow,
)
from .box import (
    Private as Private,
)
