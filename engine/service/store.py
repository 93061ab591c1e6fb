"""Games in one SQLite file: one row an action (exactly its line of the log), one transaction a change.

``Store(path)`` creates, lists, reads, applies and undoes. A change that has been returned is on the disk (WAL,
synchronous=FULL), one that failed has changed nothing. Several processes may use one file. States are cached in memory
and always rebuilt from the rows; a chain of digests over the rows tells of rows changed from outside.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
import sqlite3
import threading
import time
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from trunkline.engine import game
from trunkline.engine.actions import Action, action_to_json
from trunkline.engine.errors import LogError
from trunkline.engine.log import Log
from trunkline.engine.options import Options
from trunkline.engine.state import State
from trunkline.engine.undo import ANY_SEAT, HOST_ONLY, UNDO_POLICIES, require_policy
from trunkline.solver.errors import TrunklineError

APPLICATION, VERSION = 0x54726B31, 2
"""What marks a file as a store: ``PRAGMA application_id`` and ``user_version``."""
HOST = -1
"""In place of a seat: the host of a game, who may undo whatever the policy."""
CACHED = 32
"""Games whose state is kept in memory."""

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


class StoreError(TrunklineError):
    """The store cannot do it; nothing has changed. ``kind``: ``read-only``, ``full``, ``locked``, ``corrupt``,
    ``unusable``, or ``outgrown``: the rules of this version refuse an action that an earlier version took."""

    def __init__(self, kind: str, message: str) -> None:
        self.kind = kind
        super().__init__(message)


class UnknownGame(TrunklineError, LookupError):
    """There is no game of this id in the store."""


class Stale(TrunklineError):
    """The game has gone on since the caller looked: it has ``number`` actions now, at ``revision``."""

    def __init__(self, number: int, revision: int, expected: str) -> None:
        self.number, self.revision = number, revision
        super().__init__(f"the game has {number} actions by now (revision {revision}), not {expected}; look again")


class UndoRefused(TrunklineError):
    """The policy of the game does not let this seat undo so much; nothing has changed."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A game as it is in the store: its log, the state after it, and when it changed. ``state`` must not be changed.

    ``revision`` grows by one with each action and each undo.
    """

    id: str
    log: Log
    state: State
    revision: int
    created: float
    updated: float
    undo_policy: str
    digest: str = field(repr=False)

    @property
    def number(self) -> int:
        """How many actions have been taken."""
        return len(self.log.actions)


@dataclass(frozen=True, slots=True)
class Summary:
    """A game in a list."""

    id: str
    options: Options
    number: int
    revision: int
    stage: str
    actors: tuple[int, ...]
    scores: tuple[int, ...]
    created: float
    updated: float
    undo_policy: str


@dataclass(frozen=True, slots=True)
class Tokens:
    """The secrets of a new game, which the store itself cannot tell again."""

    seats: tuple[str, ...]
    host: str


@dataclass(slots=True)
class _Row:
    head: str
    created: float
    updated: float
    revision: int
    number: int
    digest: str
    undo_policy: str


class Store:
    """The games of a file. Threads may share it.

    ``patience``: seconds to wait for another process that writes. Raises StoreError: the file is not a store, or cannot
    be opened.
    """

    def __init__(self, path: str | Path, *, patience: float = 5.0) -> None:
        self.path = str(path)
        self._lock = threading.RLock()
        self._cache: OrderedDict[str, Kept] = OrderedDict()
        with self._errors():
            self._db = sqlite3.connect(
                self.path, timeout=patience, isolation_level=None, check_same_thread=False, cached_statements=64
            )
            self._open()

    def _open(self) -> None:
        db = self._db
        try:
            application, version = self._pragma("application_id"), self._pragma("user_version")
            if (application, version) == (0, 0) and not db.execute("SELECT 1 FROM sqlite_schema").fetchone():
                db.execute("PRAGMA journal_mode = WAL")
                self._create()
                application, version = self._pragma("application_id"), self._pragma("user_version")
            if application != APPLICATION:
                raise StoreError("unusable", f"{self.path} is a database, but no store of games")
            if version in _UPGRADES:
                self._upgrade()
                version = self._pragma("user_version")
            if version != VERSION:
                text = f"{self.path}: a store of version {version}; this program knows version {VERSION}"
                raise StoreError("unusable", text)
            db.execute("PRAGMA synchronous = FULL")
            db.execute("PRAGMA foreign_keys = ON")
        except BaseException:
            db.close()
            raise

    def _create(self) -> None:
        with self._writing():
            if self._pragma("user_version") == 0:  # no other process was quicker
                for statement in _SCHEMA.split(";"):
                    self._db.execute(statement)
                self._db.execute(f"PRAGMA application_id = {APPLICATION}")
                self._db.execute(f"PRAGMA user_version = {VERSION}")

    def _upgrade(self) -> None:
        """Make a file of an older version one of this; another process may do the same."""
        with self._writing():
            while (version := self._pragma("user_version")) in _UPGRADES:
                self._db.execute(_UPGRADES[version])
                self._db.execute(f"PRAGMA user_version = {version + 1}")

    def _pragma(self, name: str) -> int:
        return int(self._db.execute(f"PRAGMA {name}").fetchone()[0])

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._db.close()

    # --- games

    def create(self, log: Log, state: State | None = None, undo_policy: str = ANY_SEAT) -> tuple[Kept, Tokens]:
        """A new game with a log, which may have actions. ``state``: that after the log, if it is known already.

        Raises LogError: the log does not replay, or there is no such policy; StoreError.
        """
        require_policy(undo_policy)
        state = state or log.replay()
        id_ = secrets.token_hex(5)
        tokens = Tokens(tuple(secrets.token_urlsafe(18) for _ in log.options.seats), secrets.token_urlsafe(18))
        head, *lines = log.dumps().splitlines()
        now, digest, rows = time.time(), _digest("", head), []
        for n, line in enumerate(lines, 1):
            digest = _digest(digest, line)
            rows.append((id_, n, line, "", digest))
        hashed = json.dumps([_hashed(t) for t in (*tokens.seats, tokens.host)])
        with self._errors(), self._lock, self._writing():
            self._db.execute(
                "INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (id_, head, hashed, now, now, len(lines), len(lines), digest, _summary(state), undo_policy),
            )
            self._db.executemany("INSERT INTO actions VALUES (?, ?, ?, ?, ?)", rows)
        kept = Kept(id_, log, state, len(lines), now, now, undo_policy, digest)
        self._remember(kept)
        return kept, tokens

    def games(self, count: int, before: tuple[float, str] | None = None) -> list[Summary]:
        """The games that changed last, at most ``count``; ``before``: those after this (updated, id) in the list."""
        where, values = "", ()  # type: tuple[str, tuple[object, ...]]
        if before is not None:
            where, values = "WHERE updated < ? OR (updated = ? AND id > ?)", (before[0], before[0], before[1])
        query = f"SELECT id, head, created, updated, revision, number, summary, undo_policy FROM games {where} "
        with self._errors(), self._lock:
            rows = self._db.execute(query + "ORDER BY updated DESC, id LIMIT ?", (*values, count)).fetchall()
        found = []
        for id_, head, created, updated, revision, number, summary, policy in rows:
            with _corrupt(id_):
                stage, actors, scores = json.loads(summary)
                options, who, won = Log.loads(head).options, tuple(actors), tuple(scores)
                found.append(Summary(id_, options, number, revision, stage, who, won, float(created), updated, policy))
        return found

    def get(self, id_: str) -> Kept:
        """A game as it is now. Raises UnknownGame, StoreError."""
        with self._errors(), self._lock, self._reading():
            row = self._row(id_)
            return self._fresh(id_, row)

    def log(self, id_: str) -> Log:
        """The log of a game, also of one that is outgrown. Raises UnknownGame, StoreError."""
        with self._errors(), self._lock, self._reading():
            return self._log(id_, self._row(id_))

    def _to_undo(self, id_: str) -> Kept:
        """A game as it is now; the state of one that is outgrown is its first."""
        try:
            return self.get(id_)
        except StoreError as e:
            if e.kind != "outgrown":
                raise
        with self._errors(), self._lock, self._reading():
            row = self._row(id_)
            log = self._log(id_, row)
        return Kept(id_, log, log.replay(0), row.revision, row.created, row.updated, row.undo_policy, row.digest)

    def seat(self, id_: str, token: str) -> int | None:
        """The seat of a secret token, HOST for the host's, None if it is not of this game. Raises UnknownGame."""
        with self._errors(), self._lock:
            row = self._db.execute("SELECT tokens FROM games WHERE id = ?", (id_,)).fetchone()
        if row is None:
            raise UnknownGame(f"there is no game {id_!r}")
        with _corrupt(id_):
            known: list[str] = json.loads(row[0])
        hashed = _hashed(token)
        found = [i for i, k in enumerate(known) if hmac.compare_digest(k, hashed)]
        return None if not found else found[0] if found[0] < len(known) - 1 else HOST

    def revision(self, id_: str) -> int:
        """The revision of a game, quickly; for watching. Raises UnknownGame, StoreError."""
        with self._errors(), self._lock:
            row = self._db.execute("SELECT revision FROM games WHERE id = ?", (id_,)).fetchone()
        if row is None:
            raise UnknownGame(f"there is no game {id_!r}")
        return int(row[0])

    def undone_since(self, id_: str, revision: int) -> int | None:
        """The smallest action number that the game was cut to after a revision; None: nothing was undone."""
        with self._errors(), self._lock:
            query = "SELECT min(number) FROM undos WHERE game = ? AND revision > ?"
            row = self._db.execute(query, (id_, revision)).fetchone()
        return None if row[0] is None else int(row[0])

    def replied(self, id_: str, request: str) -> int | None:
        """The number of the action that came with this request text; None if there is none."""
        if not request:
            return None
        with self._errors(), self._lock:
            query = "SELECT number FROM actions WHERE game = ? AND request = ?"
            row = self._db.execute(query, (id_, request)).fetchone()
        return None if row is None else int(row[0])

    def apply(
        self, id_: str, action: Action, expected: int, expected_revision: int | None = None, request: str = ""
    ) -> Kept:
        """Take an action in a game that has ``expected`` actions so far; when this returns it is on the disk.

        Raises Stale: it has another number, or revision; RuleError: a rule forbids the action; UnknownGame, StoreError.
        """
        kept = self.get(id_)
        _require(kept, expected, expected_revision)
        after = game.apply(kept.state, action)  # outside of the transaction: others may write meanwhile
        line = action_line(kept.number + 1, action)
        digest, now = _digest(kept.digest, line), time.time()
        log = kept.log.add(action)
        new = replace(kept, log=log, state=after, revision=kept.revision + 1, updated=now, digest=digest)
        with self._errors(), self._lock, self._writing():
            self._require_same(kept, f"{expected}")
            self._db.execute("INSERT INTO actions VALUES (?, ?, ?, ?, ?)", (id_, new.number, line, request, digest))
            self._update(new)
        self._remember(new)
        return new

    def undo(self, id_: str, number: int, expected: int, seat: int = HOST) -> Kept:
        """Cut a game after ``number`` actions, on behalf of a seat or the host.

        Raises LogError: it has not so many, or the rules refuse what is left; UndoRefused: not this seat; Stale,
        UnknownGame, StoreError.
        """
        kept = self._to_undo(id_)
        _require(kept, expected, None)
        log = kept.log.undo(number)
        _require_allowed(kept, number, seat)
        if number == kept.number:
            return kept
        state, now = log.replay(), time.time()
        with self._errors(), self._lock, self._writing():
            self._require_same(kept, f"{expected}")
            query = "SELECT digest FROM actions WHERE game = ? AND number = ?"
            row = self._db.execute(query, (id_, number)).fetchone()
            digest = row[0] if row else _digest("", log.dumps().splitlines()[0])
            new = replace(kept, log=log, state=state, revision=kept.revision + 1, updated=now, digest=digest)
            self._db.execute("DELETE FROM actions WHERE game = ? AND number > ?", (id_, number))
            self._db.execute("INSERT INTO undos VALUES (?, ?, ?)", (id_, new.revision, number))
            self._update(new)
        self._remember(new)
        return new

    def _update(self, new: Kept) -> None:
        self._db.execute(
            "UPDATE games SET updated = ?, revision = ?, number = ?, digest = ?, summary = ? WHERE id = ?",
            (new.updated, new.revision, new.number, new.digest, _summary(new.state), new.id),
        )

    def _require_same(self, kept: Kept, expected: str) -> None:
        row = self._row(kept.id)
        if row.revision != kept.revision:
            raise Stale(row.number, row.revision, expected)

    # --- from rows to states

    def _row(self, id_: str) -> _Row:
        query = "SELECT head, created, updated, revision, number, digest, undo_policy FROM games WHERE id = ?"
        row = self._db.execute(query, (id_,)).fetchone()
        if row is None:
            raise UnknownGame(f"there is no game {id_!r}")
        found = _Row(*row)
        if found.undo_policy not in UNDO_POLICIES:
            raise _changed(id_, f"there is no undo policy {found.undo_policy!r}")
        return found

    def _fresh(self, id_: str, row: _Row) -> Kept:
        """The game of a row: from memory, with the new rows if it has only gone on, or rebuilt."""
        old = self._cache.get(id_)
        if old is not None and old.revision == row.revision and old.digest == row.digest:
            self._cache.move_to_end(id_)
            return old
        if old is not None and old.number < row.number and self.undone_since(id_, old.revision) is None:
            kept = self._gone_on(old, row)
        else:
            kept = self._rebuilt(id_, row)
        self._remember(kept)
        return kept

    def _lines(self, id_: str, row: _Row, digest: str, after: int) -> Iterator[str]:
        """The lines of the log after a number, each checked against the chain of digests."""
        query = "SELECT number, line, digest FROM actions WHERE game = ? AND number > ? ORDER BY number"
        number = after
        for found, line, kept in self._db.execute(query, (id_, after)):
            number += 1
            digest = _digest(digest, line)
            if found != number or digest != kept:
                raise _changed(id_, f"action {number} was changed or is missing")
            yield line
        if (number, digest) != (row.number, row.digest):
            raise _changed(id_, f"it has {number} actions and should have {row.number}")

    def _log(self, id_: str, row: _Row) -> Log:
        lines = list(self._lines(id_, row, _digest("", row.head), 0))
        with _corrupt(id_):
            return Log.loads("\n".join([row.head, *lines]))

    def _rebuilt(self, id_: str, row: _Row) -> Kept:
        log = self._log(id_, row)
        try:
            state = log.replay()
        except LogError as e:  # the rows are as they were written
            raise StoreError(
                "outgrown",
                f"game {id_} was played by another version, with rules that are not those of this one: {e}. "
                "Its host can export the log, or undo to before that action",
            ) from e
        return Kept(id_, log, state, row.revision, row.created, row.updated, row.undo_policy, row.digest)

    def _gone_on(self, old: Kept, row: _Row) -> Kept:
        lines = list(self._lines(old.id, row, old.digest, old.number))
        with _corrupt(old.id):
            actions = _actions(row.head, lines, old.number)
            state = old.state.copy()
            for action in actions:
                game.perform(state, action)
        log = replace(old.log, actions=(*old.log.actions, *actions))
        return replace(old, log=log, state=state, revision=row.revision, updated=row.updated, digest=row.digest)

    def _remember(self, kept: Kept) -> None:
        with self._lock:
            old = self._cache.get(kept.id)
            if old is None or old.revision <= kept.revision:
                self._cache[kept.id] = kept
                self._cache.move_to_end(kept.id)
            while len(self._cache) > CACHED:
                self._cache.popitem(last=False)

    # --- transactions

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """One view of the file for several queries."""
        self._db.execute("BEGIN")
        try:
            yield
        finally:
            self._db.execute("COMMIT")

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """All of it or nothing."""
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._db.execute("COMMIT")
        except BaseException:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as e:
            raise _store_error(self.path, e) from e


def _require(kept: Kept, expected: int, revision: int | None) -> None:
    if expected != kept.number:
        raise Stale(kept.number, kept.revision, f"{expected}")
    if revision is not None and revision != kept.revision:
        raise Stale(kept.number, kept.revision, f"those of revision {revision}")


def _require_allowed(kept: Kept, number: int, seat: int) -> None:
    """Raises UndoRefused: the policy lets this seat not undo all that follows action ``number``."""
    if seat == HOST or kept.undo_policy == ANY_SEAT:
        return
    if kept.undo_policy == HOST_ONLY:
        raise UndoRefused("in this game only the host undoes; ask for it")
    names = kept.log.options.players
    for at, action in enumerate(kept.log.actions[number:], number + 1):
        if action.seat != seat:
            text = f"in this game nobody undoes actions of others; action {at} is {names[action.seat]}'s"
            raise UndoRefused(text)


def action_line(number: int, action: Action) -> str:
    """The line of an action in a log, without the end of the line."""
    return json.dumps({"number": number, **action_to_json(action)}, separators=(",", ":"), ensure_ascii=False)


def _actions(head: str, lines: Sequence[str], before: int) -> tuple[Action, ...]:
    """The actions of lines from the middle of a log."""
    renumbered = []
    for i, line in enumerate(lines, 1):
        entry = json.loads(line)
        if entry.get("number") != before + i:
            raise LogError(f"expected action number {before + i}")
        renumbered.append(json.dumps(entry | {"number": i}))
    return Log.loads("\n".join([head, *renumbered])).actions


def _digest(before: str, line: str) -> str:
    return hashlib.sha256(f"{before}\n{line}".encode()).hexdigest()[:32]


def _hashed(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _summary(state: State) -> str:
    return json.dumps([state.stage, game.actors(state), state.scores])


def _changed(id_: str, what: str) -> StoreError:
    return StoreError("corrupt", f"game {id_} was changed from outside: {what}")


@contextmanager
def _corrupt(id_: str) -> Iterator[None]:
    """What cannot be read from a row is a fault of the file."""
    try:
        yield
    except (LogError, ValueError, TypeError, KeyError) as e:
        raise _changed(id_, str(e)) from e


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
            return StoreError(kind, f"the store {path} {text} ({error})")
    return StoreError("unusable", f"the store {path}: {error}")
