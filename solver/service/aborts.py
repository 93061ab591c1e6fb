"""How a call over gRPC is refused: codes of google.rpc as gRPC has them, and one way to end a call with a status."""

from __future__ import annotations

from typing import Any, NoReturn

import grpc
import grpc.aio
from google.protobuf.message import Message
from google.rpc import status_pb2

MAX_MESSAGE = 1000
"""Bytes of a message; more would not fit the header of an answer (8 KiB) with its details."""

Context = grpc.aio.ServicerContext[Any, Any]
_CODES = {code.value[0]: code for code in grpc.StatusCode}


async def abort(context: Context, code: int, message: str, details: Message | None = None) -> NoReturn:
    """End a call with a code of google.rpc; ``details`` are for programs."""
    status = status_pb2.Status(code=code, message=message)
    if details is not None:
        status.details.add().Pack(details)
    await abort_with(context, status)


async def abort_with(context: Context, status: status_pb2.Status, *, final: bool = False) -> NoReturn:
    """End a call with a status; ``final``: any server would say the same, so clients need not try again."""
    if len(encoded := status.message.encode()) > MAX_MESSAGE:  # each byte may take three in the header
        status.message = encoded[: MAX_MESSAGE - 3].decode(errors="ignore") + "..."
    details: tuple[tuple[str, str | bytes], ...] = ()
    if status.details:
        details = (("grpc-status-details-bin", status.SerializeToString()),)
    if final:
        details += (("grpc-retry-pushback-ms", "-1"),)
    await context.abort(_CODES.get(status.code, grpc.StatusCode.UNKNOWN), status.message, details)
