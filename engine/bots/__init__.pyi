from .bots import (
    bot as bot,
)
from .random_play import (
    play as play,
)
