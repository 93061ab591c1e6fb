from .check import (
    check as check,
)
from .check import (
    evaluate as evaluate,
)
