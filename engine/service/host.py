"""What the game service needs of the server that it is added to."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Protocol, TypeVar

import grpc.aio

from trunkline.solver.service.aborts import Context

T = TypeVar("T")


class Host(Protocol):
    """The server that the service is added to: :class:`trunkline.solver.service.server.Server`."""

    grpc: grpc.aio.Server

    async def solve(self, request: bytes, seconds: float) -> bytes:
        """The SolveResponse of a SolveRequest. Raises ServiceError."""

    async def take_place(self, kind: str, context: Context) -> None:
        """Take a place until the call ends; ends it if there is none."""

    def counted(self, handler: Callable[[Any, Any], Awaitable[T]]) -> Callable[[Any, Any], Awaitable[T]]:
        """A handler whose calls are waited for when the server stops."""
