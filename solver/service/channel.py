"""Connections of clients: addresses, channels with or without TLS, and failed calls as the project's errors."""

from __future__ import annotations

import contextlib
import ipaddress
import socket
from collections.abc import Sequence
from types import TracebackType
from typing import Any, Self

import grpc
from google.rpc import status_pb2
from grpc_status import rpc_status

from trunkline.solver.errors import TrunklineError
from trunkline.solver.service.tls import Tls
from trunkline.solver.wire.status import error_of

DEFAULT_PORT = 50051
TRIES = 5
"""How often a call is made, all in all, while its servers are lost or full."""
ELSEWHERE = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.RESOURCE_EXHAUSTED)
"""What another server may do better: one was lost, or is full."""


class Closing:
    """A client with one channel; as a context manager it closes it."""

    _channel: grpc.Channel

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the connection; running calls fail."""
        self._channel.close()


def connect(addresses: Sequence[str], tls: Tls | None, options: Sequence[tuple[str, Any]]) -> grpc.Channel:
    """A channel to one server or several. Raises TrunklineError: an address, or a file of ``tls``, is of no use."""
    target = target_of(addresses)
    if tls is None:
        return grpc.insecure_channel(target, options=options)
    name = tls.name
    if len(addresses) > 1 and not name:
        hosts = {a.rpartition(":")[0] for a in addresses}
        if len(hosts) > 1:
            raise TrunklineError("several servers with TLS need one name that is in the certificates of all of them")
        (name,) = hosts
    named = [("grpc.default_authority", name)] if name else []
    return grpc.secure_channel(target, tls.of_client(), options=[*options, *named])


def with_port(address: str) -> str:
    """An address with its port. Raises TrunklineError: it is none."""
    host, colon, port = address.rpartition(":")
    if not colon or (":" in host and not host.startswith("[")) or address.endswith("]"):
        host, port = address.strip("[]"), str(DEFAULT_PORT)
    host = host.strip("[]")
    with contextlib.suppress(ValueError):
        if ":" in host:
            ipaddress.IPv6Address(host)
        if host and port.isascii() and port.isdigit() and 0 < int(port) < 65536:
            return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    raise TrunklineError(f"{address!r} is no address such as localhost:{DEFAULT_PORT}")


def target_of(addresses: Sequence[str]) -> str:
    """What gRPC connects to: one name, which it looks up itself, or a list of numeric addresses."""
    if not addresses:
        raise TrunklineError("give the address of a server")
    if len(addresses) == 1:
        return f"dns:///{addresses[0]}"
    found: dict[socket.AddressFamily, list[str]] = {socket.AF_INET: [], socket.AF_INET6: []}
    for address in addresses:
        host, _, port = address.rpartition(":")
        try:
            entries = socket.getaddrinfo(host.strip("[]"), int(port), type=socket.SOCK_STREAM)
        except OSError as e:
            raise TrunklineError(f"{address}: {e.strerror or e}") from None
        family, *_, place = min(entries, key=lambda e: e[0] != socket.AF_INET)
        found[family].append(f"{place[0]}:{port}" if family == socket.AF_INET else f"[{place[0]}]:{port}")
    if all(found.values()):
        raise TrunklineError("addresses of servers must be all IPv4 or all IPv6")
    return (
        f"ipv4:{','.join(found[socket.AF_INET])}"
        if found[socket.AF_INET]
        else f"ipv6:{','.join(found[socket.AF_INET6])}"
    )


def error_of_call(error: grpc.RpcError) -> TrunklineError:
    """The project's exception of a failed call."""
    assert isinstance(error, grpc.Call)
    status = None
    with contextlib.suppress(ValueError):  # details that belong to another status
        status = rpc_status.from_call(error)
    code = error.code().value[0]
    message = explained(error.details() or "the server does not answer")
    return error_of(status or status_pb2.Status(code=code, message=message))


_TLS_FAULTS = {
    "certificate has expired": "the certificate of the server has expired",
    "CERTIFICATE_VERIFY_FAILED": "no authority that is trusted here vouches for the certificate of the server",
    "Hostname Verification Check failed": "the certificate of the server is for another name",
    "is not in peer certificate": "the certificate of the server is for another name",  # older grpcio, as 1.72
    "WRONG_VERSION_NUMBER": "the server does not use TLS",
    "Socket closed": "the server closed the connection; it may want TLS, or a certificate of the client",
}


def explained(details: str) -> str:
    """What gRPC says of a connection that could not be made, and what that means where TLS is the matter."""
    if "; last error: " in details:  # so says gRPC of a connection that it could not make
        for sign, meaning in _TLS_FAULTS.items():
            if sign in details:
                return f"{meaning} ({details})"
        if "ipv6:%5B::1%5D" in details and "refused" in details:
            return f"{details}; localhost is tried as ::1 and as 127.0.0.1: name 127.0.0.1 to hear what is wrong there"
    return details
