"""The SQLite file of a store: opened and brought up to date, with transactions and its errors as StoreErrors."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from trunkline.engine.service.errors import StoreError

APPLICATION, VERSION = 0x54726B31, 2
"""What marks a file as a store: ``PRAGMA application_id`` and ``user_version``."""

_SCHEMA = """
CREATE TABLE games (
  id TEXT PRIMARY KEY, head TEXT NOT NULL, tokens TEXT NOT NULL, created REAL NOT NULL, updated REAL NOT NULL,
  revision INTEGER NOT NULL, number INTEGER NOT NULL, digest TEXT NOT NULL, summary TEXT NOT NULL,
  undo_policy TEXT NOT NULL DEFAULT 'any_seat'
) STRICT;
CREATE INDEX games_by_time ON games (updated DESC, id);
CREATE TABLE actions (
  game TEXT NOT NULL REFERENCES games, number INTEGER NOT NULL, line TEXT NOT NULL, request TEXT NOT NULL,
  digest TEXT NOT NULL, PRIMARY KEY (game, number)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX actions_by_request ON actions (game, request) WHERE request <> '';
CREATE TABLE undos (
  game TEXT NOT NULL REFERENCES games, revision INTEGER NOT NULL, number INTEGER NOT NULL,
  PRIMARY KEY (game, revision)
) STRICT, WITHOUT ROWID;
"""


_UPGRADES = {1: "ALTER TABLE games ADD COLUMN undo_policy TEXT NOT NULL DEFAULT 'any_seat'"}
"""What makes a file of a version one of the next."""


def data_file() -> Path:
    """Where games are kept if nothing else is said: in the folder of this user's data."""
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share"
    return Path(base) / "trunkline" / "games.sqlite"


def _create_for_its_owner(path: str) -> None:
    """Make the file with rights for its owner alone, which SQLite gives to those beside it as well."""
    with contextlib.suppress(OSError):  # it is there, or SQLite will say why it cannot be
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


class Database:
    """A connection to the file, which threads may share; each unit of work is done in ``reading`` or ``writing``.

    ``patience``: seconds to wait for another process that writes. Raises StoreError: the file is not a store, or cannot
    be opened.
    """

    def __init__(self, path: str | Path, patience: float) -> None:
        self.path = str(path)
        self._lock, self._reader_lock = threading.RLock(), threading.RLock()
        self._local = threading.local()
        with self.errors():
            _create_for_its_owner(self.path)
            self._db = self._connect(patience)
            self._open()
            self._reader = self._connect(patience)

    def _connect(self, patience: float) -> sqlite3.Connection:
        return sqlite3.connect(
            self.path, timeout=patience, isolation_level=None, check_same_thread=False, cached_statements=64
        )

    @property
    def _now(self) -> sqlite3.Connection:
        """The connection of the block this thread is in."""
        found: sqlite3.Connection = getattr(self._local, "connection", self._db)
        return found

    def _open(self) -> None:
        db = self._db
        try:
            application, version = self._pragma("application_id"), self._pragma("user_version")
            if (application, version) == (0, 0) and not db.execute("SELECT 1 FROM sqlite_schema").fetchone():
                db.execute("PRAGMA journal_mode = WAL")
                self._create()
                application, version = self._pragma("application_id"), self._pragma("user_version")
            if application != APPLICATION:
                raise StoreError("unusable", "is a database, but no store of games", self.path)
            if version in _UPGRADES:
                self._upgrade()
                version = self._pragma("user_version")
            if version != VERSION:
                text = f"a store of version {version}; this program knows version {VERSION}"
                raise StoreError("unusable", text, self.path)
            db.execute("PRAGMA synchronous = FULL")
            db.execute("PRAGMA foreign_keys = ON")
        except BaseException:
            db.close()
            raise

    def _create(self) -> None:
        with self._transaction():
            if self._pragma("user_version") == 0:  # no other process was quicker
                for statement in _SCHEMA.split(";"):
                    self._db.execute(statement)
                self._db.execute(f"PRAGMA application_id = {APPLICATION}")
                self._db.execute(f"PRAGMA user_version = {VERSION}")

    def _upgrade(self) -> None:
        """Make a file of an older version one of this; another process may do the same."""
        with self._transaction():
            while (version := self._pragma("user_version")) in _UPGRADES:
                self._db.execute(_UPGRADES[version])
                self._db.execute(f"PRAGMA user_version = {version + 1}")

    def _pragma(self, name: str) -> int:
        return int(self._db.execute(f"PRAGMA {name}").fetchone()[0])

    def close(self) -> None:
        """Close the file."""
        with self._reader_lock:
            self._reader.close()
        with self._lock:
            self._db.close()

    def execute(self, statement: str, values: Sequence[object] = ()) -> sqlite3.Cursor:
        """Run one statement."""
        return self._now.execute(statement, values)

    def executemany(self, statement: str, rows: Sequence[Sequence[object]]) -> None:
        """Run one statement for each row."""
        self._now.executemany(statement, rows)

    @contextmanager
    def using(self) -> Iterator[None]:
        """Queries that need no transaction; within another block they are part of it."""
        if hasattr(self._local, "connection"):
            yield
            return
        with self._on(self._reader, self._reader_lock):
            yield

    @contextmanager
    def _on(self, connection: sqlite3.Connection, lock: threading.RLock) -> Iterator[None]:
        with self.errors(), lock:
            self._local.connection = connection
            try:
                yield
            finally:
                del self._local.connection

    @contextmanager
    def reading(self) -> Iterator[None]:
        """One view of the file for several queries; does not wait for who writes."""
        with self._on(self._reader, self._reader_lock):
            self._reader.execute("BEGIN")
            try:
                yield
            finally:
                self._reader.execute("COMMIT")

    @contextmanager
    def writing(self) -> Iterator[None]:
        """All of it or nothing."""
        with self._on(self._db, self._lock), self._transaction():
            yield

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._db.execute("COMMIT")
        except BaseException:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise

    @contextmanager
    def errors(self) -> Iterator[None]:
        """Errors of SQLite as StoreErrors."""
        try:
            yield
        except sqlite3.Error as e:
            raise _store_error(self.path, e) from e


_KINDS: tuple[tuple[tuple[int, ...], str, str], ...] = (
    ((sqlite3.SQLITE_READONLY,), "read-only", "cannot be written"),
    ((sqlite3.SQLITE_FULL,), "full", "there is no room left"),
    ((sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED), "locked", "another process is writing; try again"),
    ((sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB), "corrupt", "is damaged, or no database"),
    ((sqlite3.SQLITE_CANTOPEN,), "unusable", "cannot be opened"),
)


def _store_error(path: str, error: sqlite3.Error) -> StoreError:
    code = getattr(error, "sqlite_errorcode", None)
    primary = code & 0xFF if isinstance(code, int) else None
    for codes, kind, text in _KINDS:
        if primary in codes:
            return StoreError(kind, f"the store {text} ({error})", path)
    return StoreError("unusable", f"the store cannot be used: {error}", path)
