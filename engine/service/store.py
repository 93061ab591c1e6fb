"""Games in one SQLite file: one row an action (exactly its line of the log), one transaction a change.

``Store(path)`` creates, lists, reads, applies and undoes. A change that has been returned is on the disk (WAL,
synchronous=FULL), one that failed has changed nothing. Several processes may use one file. States are cached in memory
and always rebuilt from the rows; a chain of digests over the rows tells of rows changed from outside.
"""

from __future__ import annotations

import hmac
import json
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from trunkline.engine import game
from trunkline.engine.actions import Action
from trunkline.engine.errors import LogError
from trunkline.engine.log import Log
from trunkline.engine.service.database import Database
from trunkline.engine.service.errors import Stale, StoreError, UnknownGame
from trunkline.engine.service.kept import (
    HOST,
    Kept,
    Summary,
    Tokens,
    action_line,
    actions_of,
    changed_from_outside,
    hashed,
    next_digest,
    require_allowed,
    require_current,
    summary_of,
    unreadable_is_corrupt,
)
from trunkline.engine.state import State
from trunkline.engine.undo import ANY_SEAT, UNDO_POLICIES, require_policy

CACHED = 32
"""Games whose state is kept in memory."""


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

    ``patience``: seconds to wait for another process that writes. ``replay``: gives the state after a log; by default
    here, at once. Raises StoreError: the file is not a store, or cannot be opened.
    """

    def __init__(self, path: str | Path, *, patience: float = 5.0, replay: Callable[[Log], State] = Log.replay) -> None:
        self._replay = replay
        self.path = str(path)
        self._db = Database(path, patience)
        self._lock = threading.Lock()
        self._cache: OrderedDict[str, Kept] = OrderedDict()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    # --- games

    def create(self, log: Log, state: State | None = None, undo_policy: str = ANY_SEAT) -> tuple[Kept, Tokens]:
        """A new game with a log, which may have actions. ``state``: that after the log, if it is known already.

        Raises LogError: the log does not replay, or there is no such policy; StoreError.
        """
        require_policy(undo_policy)
        state = state or self._replay(log)
        id_ = secrets.token_hex(5)
        tokens = Tokens(tuple(secrets.token_urlsafe(18) for _ in log.options.seats), secrets.token_urlsafe(18))
        head, *lines = log.dumps().splitlines()
        now, digest, rows = time.time(), next_digest("", head), []
        for n, line in enumerate(lines, 1):
            digest = next_digest(digest, line)
            rows.append((id_, n, line, "", digest))
        secrets_ = json.dumps([hashed(t) for t in (*tokens.seats, tokens.host)])
        with self._db.writing():
            self._db.execute(
                "INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (id_, head, secrets_, now, now, len(lines), len(lines), digest, summary_of(state), undo_policy),
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
        with self._db.using():
            rows = self._db.execute(query + "ORDER BY updated DESC, id LIMIT ?", (*values, count)).fetchall()
        found = []
        for id_, head, created, updated, revision, number, summary, policy in rows:
            with unreadable_is_corrupt(id_):
                stage, actors, scores = json.loads(summary)
                options, who, won = Log.loads(head).options, tuple(actors), tuple(scores)
                found.append(Summary(id_, options, number, revision, stage, who, won, float(created), updated, policy))
        return found

    def get(self, id_: str) -> Kept:
        """A game as it is now. Raises UnknownGame, StoreError."""
        with self._db.reading():
            row = self._row(id_)
            old = self._cached(id_)
            if old is not None and old.revision == row.revision and old.digest == row.digest:
                return old
            if old is not None and (old.number >= row.number or self.undone_since(id_, old.revision) is not None):
                old = None
            new_lines = None if old is None else list(self._lines(id_, row, old.digest, old.number))
            log = self._log(id_, row) if old is None else old.log
        # outside of the view of the file: a replay may take long
        kept = self._rebuilt(id_, row, log) if old is None else self._gone_on(old, row, new_lines or [])
        self._remember(kept)
        return kept

    def log(self, id_: str) -> Log:
        """The log of a game, also of one that is outgrown. Raises UnknownGame, StoreError."""
        with self._db.reading():
            return self._log(id_, self._row(id_))

    def _to_undo(self, id_: str) -> Kept:
        """A game as it is now; the state of one that is outgrown is its first."""
        try:
            return self.get(id_)
        except StoreError as e:
            if e.kind != "outgrown":
                raise
        with self._db.reading():
            row = self._row(id_)
            log = self._log(id_, row)
        return Kept(id_, log, log.replay(0), row.revision, row.created, row.updated, row.undo_policy, row.digest)

    def seat(self, id_: str, token: str) -> int | None:
        """The seat of a secret token, HOST for the host's, None if it is not of this game. Raises UnknownGame."""
        with self._db.using():
            row = self._db.execute("SELECT tokens FROM games WHERE id = ?", (id_,)).fetchone()
        if row is None:
            raise UnknownGame(f"there is no game {id_!r}")
        with unreadable_is_corrupt(id_):
            known: list[str] = json.loads(row[0])
        wanted = hashed(token)
        found = [i for i, k in enumerate(known) if hmac.compare_digest(k, wanted)]
        return None if not found else found[0] if found[0] < len(known) - 1 else HOST

    def revision(self, id_: str) -> int:
        """The revision of a game, quickly; for watching. Raises UnknownGame, StoreError."""
        with self._db.using():
            row = self._db.execute("SELECT revision FROM games WHERE id = ?", (id_,)).fetchone()
        if row is None:
            raise UnknownGame(f"there is no game {id_!r}")
        return int(row[0])

    def undone_since(self, id_: str, revision: int) -> int | None:
        """The smallest action number that the game was cut to after a revision; None: nothing was undone."""
        with self._db.using():
            query = "SELECT min(number) FROM undos WHERE game = ? AND revision > ?"
            row = self._db.execute(query, (id_, revision)).fetchone()
        return None if row[0] is None else int(row[0])

    def replied(self, id_: str, request: str) -> int | None:
        """The number of the action that came with this request text; None if there is none."""
        if not request:
            return None
        with self._db.using():
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
        require_current(kept, expected, expected_revision)
        after = game.apply(kept.state, action)  # outside of the transaction: others may write meanwhile
        line = action_line(kept.number + 1, action)
        digest, now = next_digest(kept.digest, line), time.time()
        log = kept.log.add(action)
        new = replace(kept, log=log, state=after, revision=kept.revision + 1, updated=now, digest=digest)
        with self._db.writing():
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
        require_current(kept, expected, None)
        log = kept.log.undo(number)
        require_allowed(kept, number, seat)
        if number == kept.number:
            return kept
        state, now = self._replay(log), time.time()
        with self._db.writing():
            self._require_same(kept, f"{expected}")
            query = "SELECT digest FROM actions WHERE game = ? AND number = ?"
            row = self._db.execute(query, (id_, number)).fetchone()
            digest = row[0] if row else next_digest("", log.dumps().splitlines()[0])
            new = replace(kept, log=log, state=state, revision=kept.revision + 1, updated=now, digest=digest)
            self._db.execute("DELETE FROM actions WHERE game = ? AND number > ?", (id_, number))
            self._db.execute("INSERT INTO undos VALUES (?, ?, ?)", (id_, new.revision, number))
            self._update(new)
        self._remember(new)
        return new

    def _update(self, new: Kept) -> None:
        self._db.execute(
            "UPDATE games SET updated = ?, revision = ?, number = ?, digest = ?, summary = ? WHERE id = ?",
            (new.updated, new.revision, new.number, new.digest, summary_of(new.state), new.id),
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
            raise changed_from_outside(id_, f"there is no undo policy {found.undo_policy!r}")
        return found

    def _lines(self, id_: str, row: _Row, digest: str, after: int) -> Iterator[str]:
        """The lines of the log after a number, each checked against the chain of digests."""
        query = "SELECT number, line, digest FROM actions WHERE game = ? AND number > ? ORDER BY number"
        number = after
        for found, line, kept in self._db.execute(query, (id_, after)):
            number += 1
            digest = next_digest(digest, line)
            if found != number or digest != kept:
                raise changed_from_outside(id_, f"action {number} was changed or is missing")
            yield line
        if (number, digest) != (row.number, row.digest):
            raise changed_from_outside(id_, f"it has {number} actions and should have {row.number}")

    def _log(self, id_: str, row: _Row) -> Log:
        lines = list(self._lines(id_, row, next_digest("", row.head), 0))
        with unreadable_is_corrupt(id_):
            return Log.loads("\n".join([row.head, *lines]))

    def _cached(self, id_: str) -> Kept | None:
        with self._lock:
            if id_ in self._cache:
                self._cache.move_to_end(id_)
            return self._cache.get(id_)

    def _rebuilt(self, id_: str, row: _Row, log: Log) -> Kept:
        try:
            state = self._replay(log)
        except LogError as e:  # the rows are as they were written
            raise StoreError(
                "outgrown",
                f"game {id_} was played by another version, with rules that are not those of this one: {e}. "
                "Its host can export the log, or undo to before that action",
            ) from e
        return Kept(id_, log, state, row.revision, row.created, row.updated, row.undo_policy, row.digest)

    def _gone_on(self, old: Kept, row: _Row, lines: Sequence[str]) -> Kept:
        with unreadable_is_corrupt(old.id):
            actions = actions_of(row.head, lines, old.number)
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
