from .network import (
    Segment as Segment,
)
from .network import (
    build_network as build_network,
)
