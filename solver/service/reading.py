"""Requests read inside their call: bytes that are no such message are an INVALID_ARGUMENT, no fault of the server."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, TypeVar

from google.protobuf.message import DecodeError, Message
from google.rpc import code_pb2

from trunkline.solver.service.aborts import Context, abort

M = TypeVar("M", bound=Message)
T = TypeVar("T")


async def _read(kind: type[M], data: bytes, context: Context) -> M:
    try:
        return kind.FromString(data)
    except DecodeError:
        text = f"the {len(data)} bytes are no {kind.DESCRIPTOR.full_name}"
        await abort(context, code_pb2.INVALID_ARGUMENT, text)


def reading(kind: type[M], handler: Callable[[M, Context], Awaitable[T]]) -> Callable[[bytes, Context], Awaitable[T]]:
    """A handler of bytes, given one of messages of a kind."""

    async def handle(data: bytes, context: Context) -> T:
        return await handler(await _read(kind, data, context), context)

    return handle


def reading_stream(
    kind: type[M], handler: Callable[[M, Context], AsyncIterator[Any]]
) -> Callable[[bytes, Context], AsyncIterator[Any]]:
    """The same for a handler that answers with a stream."""

    async def handle(data: bytes, context: Context) -> AsyncIterator[Any]:
        async for answer in handler(await _read(kind, data, context), context):
            yield answer

    return handle
