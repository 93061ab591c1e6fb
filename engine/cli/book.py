"""A game in a file: its log, one line an action, as :mod:`trunkline.engine.log` writes it.

``Book(path)`` reads it, ``append`` and ``undo`` change it; what has been appended is on the disk. One process at a time
plays a file. A last line without its end was never acknowledged and is dropped.
"""

from __future__ import annotations

import fcntl
import os
from contextlib import suppress
from pathlib import Path
from typing import IO

from trunkline.engine import game
from trunkline.engine.actions import Action
from trunkline.engine.errors import LogError
from trunkline.engine.log import Log
from trunkline.engine.service.kept import action_line
from trunkline.solver.cli.output import named
from trunkline.solver.errors import TrunklineError

MAX_BYTES = 64_000_000
"""Of the longest log that is read."""


class Book:
    """The game of a file. ``state``: after all actions. ``dropped``: a last line that was not finished, if there was.

    Raises LogError: what is wrong and in which line; OSError; TrunklineError: another process plays it.
    """

    def __init__(self, path: str | Path, *, write: bool = False) -> None:
        self.path = str(path)
        self._file: IO[bytes] = Path(path).open("r+b" if write else "rb")  # noqa: SIM115  (closed by close)
        try:
            if write:
                self._lock()
            data = self._file.read(MAX_BYTES + 1)
            if len(data) > MAX_BYTES:
                raise LogError(f"{self.path}: longer than {MAX_BYTES} bytes")
            self._read(data)
        except BaseException:
            self._file.close()
            raise

    @staticmethod
    def create(path: str | Path, log: Log) -> Book:
        """A new file with a log, for its owner alone: it tells every card. Raises OSError: it exists, or cannot be."""
        file = open(path, "xb", buffering=0, opener=_for_its_owner)  # noqa: SIM115  (closed by the block)
        try:
            with file:
                _put(file.fileno(), 0, log.dumps().encode(), str(path))
        except BaseException:
            with suppress(OSError):
                Path(path).unlink()
            raise
        return Book(path, write=True)

    def _lock(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise TrunklineError(f"{self.path} is being played by another process") from None

    def _read(self, data: bytes) -> None:
        try:
            text = data.decode()
        except UnicodeDecodeError as e:
            raise LogError(f"{self.path}: is not UTF-8 at byte {e.start}") from None
        self.dropped = ""
        try:
            self.log = Log.loads(text)
        except LogError as e:
            whole, _, rest = text.rpartition("\n")
            if not rest or not whole:
                raise LogError(f"{self.path}: {e}") from None
            self.log, self.dropped = _loads(self.path, whole + "\n"), rest
            text = whole + "\n"
        try:
            self.state = self.log.replay()
        except LogError as e:
            raise LogError(f"{self.path}: {e}") from None
        self._ends = [0]
        for line in text.splitlines(keepends=True):
            self._ends.append(self._ends[-1] + len(line.encode()))
        self._open_end = not text.endswith("\n")

    @property
    def number(self) -> int:
        """How many actions have been taken."""
        return len(self.log.actions)

    def append(self, action: Action) -> None:
        """Take an action. Raises RuleError, OSError; then nothing has changed."""
        after = game.apply(self.state, action)
        line = action_line(self.number + 1, action).encode() + b"\n"
        end = self._ends[-1]
        try:
            _put(self._file.fileno(), end, b"\n" + line if self._open_end else line, self.path)
        except OSError:
            os.ftruncate(self._file.fileno(), end)
            raise
        self._ends.append(end + len(line) + self._open_end)
        self._open_end = False
        self.log, self.state = self.log.add(action), after

    def undo(self, number: int) -> None:
        """Go back to the state after ``number`` actions. Raises LogError: there are not so many; OSError."""
        log = self.log.undo(number)
        if number == self.number:
            return
        self.log, self.state, self._open_end = log, log.replay(), False
        del self._ends[number + 2 :]
        _put(self._file.fileno(), self._ends[-1], b"", self.path)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> Book:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _put(file: int, end: int, data: bytes, path: str) -> None:
    """Cut the file at ``end``, add the data, on the disk. No buffer: what failed must not be written later."""
    try:
        os.ftruncate(file, end)
        while data:
            count = os.pwrite(file, data, end)
            data, end = data[count:], end + count
        os.fsync(file)
    except OSError as e:
        raise named(e, path) from None


def _loads(path: str, text: str) -> Log:
    try:
        return Log.loads(text)
    except LogError as e:
        raise LogError(f"{path}: {e}") from None


def _for_its_owner(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
