"""Encryption of connections between clients and servers: the files for it, read and checked before they are used."""

from __future__ import annotations

import ssl
from dataclasses import dataclass
from pathlib import Path

import grpc

from trunkline.solver.errors import TrunklineError


@dataclass(frozen=True, slots=True)
class Tls:
    """Encryption of a connection, for either end of it.

    Parameters
    ----------
    ca
        The path of a PEM file with the authorities to trust. A client checks the certificates of servers with them (by
        default those gRPC comes with), a server those of its clients, which then must show one.
    cert, key
        The paths of PEM files with the certificate of this end and its key; a server needs them.
    name
        For a client, the name in the certificate of the server if it is not that of the address.
    """

    ca: str = ""
    cert: str = ""
    key: str = ""
    name: str = ""

    def of_client(self) -> grpc.ChannelCredentials:
        """The credentials of a client. Raises TrunklineError: names the file and what is wrong with it."""
        return grpc.ssl_channel_credentials(self._authorities(), *(self._identity() or (None, None)))

    def of_server(self) -> grpc.ServerCredentials:
        """The credentials of a server. Raises TrunklineError: names the file and what is wrong with it."""
        identity = self._identity()
        if identity is None:
            raise TrunklineError("a server with TLS needs a certificate and its key")
        return grpc.ssl_server_credentials([identity], self._authorities(), bool(self.ca))

    def _authorities(self) -> bytes | None:
        if not self.ca:
            return None
        authorities = _content(self.ca)
        if not _has_certificate(self.ca):
            raise TrunklineError(f"{self.ca}: holds no certificate in PEM form")
        return authorities

    def _identity(self) -> tuple[bytes, bytes] | None:
        """The key and the certificate, which gRPC would not say much about if they did not fit."""
        if not (self.cert or self.key):
            return None
        if not (self.cert and self.key):
            raise TrunklineError("a certificate and its key go together: give both files")
        identity = _content(self.key), _content(self.cert)
        try:
            # A password would be asked for at the terminal.
            ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(self.cert, self.key, password=lambda: b"")
        except (ssl.SSLError, ValueError) as e:
            raise TrunklineError(self._fault(getattr(e, "reason", None))) from None
        return identity

    def _fault(self, reason: str | None) -> str:
        if reason == "KEY_VALUES_MISMATCH":
            return f"{self.key}: is not the key of the certificate in {self.cert}"
        if not _has_certificate(self.cert):
            return f"{self.cert}: holds no certificate in PEM form"
        if reason is None or "DECRYPT" in reason:
            return f"{self.key}: holds no private key in PEM form without a password"
        return f"{self.cert} and {self.key}: cannot be used ({reason.lower().replace('_', ' ')})"


def _content(file: str) -> bytes:
    try:
        if Path(file).is_fifo():  # it is read more than once
            raise TrunklineError(f"{file}: is a pipe; give a file")
        return Path(file).read_bytes()
    except OSError as e:
        raise TrunklineError(f"{file}: {e.strerror}") from None


def _has_certificate(file: str) -> bool:
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(file)
    except (ssl.SSLError, ValueError):
        return False
    return True
