"""Places for calls that are open at the same time: so many of each kind, and for one client no more than half of them.

Kinds are counted apart, so that streams that wait never keep out single requests. Health checks need no place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from trunkline.solver.errors import TrunklineError

CALLS, STREAMS, WATCHERS = "calls", "streams", "watchers"


class NoPlace(TrunklineError):
    """As many calls are open as may be."""


class Places:
    """Counts open calls by kind and client. ``most``: how many of each kind there may be."""

    def __init__(self, most: Mapping[str, int]) -> None:
        self._most = most
        self._open: Counter[str] = Counter()
        self._of_client: Counter[tuple[str, str]] = Counter()

    def take(self, kind: str, client: str) -> None:
        """Take a place; :meth:`leave` gives it back. Raises NoPlace: all are taken, or half of them by this client."""
        most = self._most[kind]
        if self._open[kind] >= most:
            raise NoPlace(f"{most} {kind} are open already, no more may; try later or elsewhere")
        if self._of_client[kind, client] >= max(1, most // 2):
            raise NoPlace(f"{max(1, most // 2)} {kind} of this client are open already, no more may; end one of them")
        self._open[kind] += 1
        self._of_client[kind, client] += 1

    def leave(self, kind: str, client: str) -> None:
        """Give a place back."""
        self._open[kind] -= 1
        self._of_client[kind, client] -= 1
        if not self._of_client[kind, client]:
            del self._of_client[kind, client]

    def open(self, kind: str) -> int:
        """How many calls of a kind are open."""
        return self._open[kind]


def client_of(peer: str) -> str:
    """Who calls, of gRPC's ``peer()``: ``ipv4:10.0.0.7`` of ``ipv4:10.0.0.7:50312``; all of a Unix socket are one."""
    kind, _, rest = peer.partition(":")
    return f"{kind}:{rest.rpartition(':')[0]}" if kind in ("ipv4", "ipv6") else kind
