"""Files that commands write: complete or not at all, and never the file that is read.

``distinct`` refuses an output that is an input. ``replacing`` writes beside the file and puts the whole in its place,
so that a full disk or an error on the way leaves what was there.
"""

from __future__ import annotations

import errno
import os
import secrets
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""No room: such an error of a write does not say for which file."""


def distinct(output: str | None, *inputs: str | None) -> None:
    """Refuse to write over what is read, also by another name; - is standard input. Raises FileExistsError."""
    written = _stat(output) if output and output != "-" else None
    if written is None or not stat.S_ISREG(written.st_mode):
        return
    for name in inputs:
        read = _stat(name) if name else None
        if read and os.path.samestat(written, read):
            raise FileExistsError(errno.EEXIST, "is the input as well and would be lost; write elsewhere", output)


def _stat(name: str) -> os.stat_result | None:
    try:
        return os.fstat(sys.stdin.fileno()) if name == "-" else Path(name).stat()
    except (OSError, ValueError):  # no such file, which reading will tell; or no true standard input
        return None


@contextmanager
def replacing(file: str, *, private: bool = False) -> Iterator[IO[str]]:
    """A text that becomes the file when the block ends without an error. Raises OSError: names the file.

    ``private``: a new file is for its owner alone.
    """
    place = Path(os.path.realpath(file))  # a link stays a link
    if place.exists() and (not place.is_file() or not os.access(place, os.W_OK)):
        # a device or pipe; or a file that may not be written, which this says
        with Path(file).open("w", encoding="utf-8") as target:
            yield target
        return
    part = place.with_name(f"{place.name[:50]}.{secrets.token_hex(4)}.part")
    try:
        with part.open("x", encoding="utf-8") as target:
            if private:
                part.chmod(0o600)
            yield target
        if place.exists():
            part.chmod(stat.S_IMODE(place.stat().st_mode))
        part.replace(place)
    except BaseException as e:
        with suppress(OSError):
            part.unlink()
        if isinstance(e, OSError) and (e.filename == str(part) or (e.filename is None and e.errno in FULL)):
            raise named(e, file) from None
        raise


def named(error: OSError, file: str) -> OSError:
    """The error with the name of the file it is about."""
    return OSError(error.errno, error.strerror, file)
