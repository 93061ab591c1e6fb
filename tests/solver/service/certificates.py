"""Certificates for tests of TLS, made by the command `openssl`: an authority, and what it signs."""

import shutil
import subprocess
from pathlib import Path

OPENSSL = shutil.which("openssl")
_NEW_KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")


class Authority:
    """An authority in a folder; ``ca`` is its certificate."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder, self._name = folder, name
        self.ca = str(folder / f"{name}.pem")
        key = str(folder / f"{name}.key")
        self._openssl("req", "-x509", *_NEW_KEY, "-keyout", key, "-out", self.ca, "-days", "2", "-subj", f"/CN={name}")

    def sign(self, name: str, *names: str, days: int = 2) -> tuple[str, str]:
        """The files of a new certificate for these names (such as ``DNS:localhost``) and of its key.

        With 0 ``days`` it is no longer valid.
        """
        base = self._folder / f"{self._name}-{name}"
        cert, key, request, extension = (f"{base}.{end}" for end in ("pem", "key", "csr", "ext"))
        self._openssl("req", *_NEW_KEY, "-keyout", key, "-out", request, "-subj", f"/CN={name}")
        Path(extension).write_text(f"subjectAltName={','.join(names or ('DNS:client.test',))}\n")
        signed = (
            "-CA",
            self.ca,
            "-CAkey",
            str(self._folder / f"{self._name}.key"),
            "-CAcreateserial",
            "-days",
            f"{days}",
        )
        self._openssl("x509", "-req", "-in", request, "-out", cert, *signed, "-extfile", extension)
        return cert, key

    def lock(self, key: str) -> str:
        """A copy of a key with a password."""
        locked = f"{key}.locked"
        self._openssl("pkey", "-in", key, "-out", locked, "-aes256", "-passout", "pass:secret")
        return locked

    def _openssl(self, *arguments: str) -> None:
        assert OPENSSL
        subprocess.run([OPENSSL, *arguments], check=True, capture_output=True, stdin=subprocess.DEVNULL)
