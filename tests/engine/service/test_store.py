"""The store: what was acknowledged is kept exactly, what failed has changed nothing, faults of the file are named."""

import gzip
import json
import random
import sqlite3
import threading
from pathlib import Path

import pytest

from tests.waiting import HANG
from trunkline.engine import game
from trunkline.engine.actions import Keep, Pass
from trunkline.engine.bots.random_play import play
from trunkline.engine.errors import LogError, RuleError
from trunkline.engine.log import Log
from trunkline.engine.options import Options
from trunkline.engine.service.errors import Stale, StoreError, UndoRefused, UnknownGame
from trunkline.engine.service.kept import HOST
from trunkline.engine.service.store import Store
from trunkline.engine.undo import UNDO_POLICIES
from trunkline.engine.wire.importer import import_game

GAMES = Path(__file__).parents[1] / "games"
PLAYED = play(Options(players=("Ann", "Bob", "Cem")), 4, most=120)


@pytest.fixture
def file(tmp_path):
    return tmp_path / "games.sqlite"


@pytest.fixture
def store(file):
    with Store(file) as opened:
        yield opened


def legal(kept):
    return game.legal_actions(kept.state)[0]


def go_on(store, kept, count=1):
    for _ in range(count):
        kept = store.apply(kept.id, legal(kept), kept.number)
    return kept


def edit(file, statement, *values):
    with sqlite3.connect(file) as db:
        db.execute(statement, values)
    db.close()


# --- keeping


def test_a_game_is_its_log_line_by_line(file, store):
    kept = go_on(store, store.create(PLAYED)[0], 5)
    with sqlite3.connect(file) as db:
        (head,) = db.execute("SELECT head FROM games").fetchone()
        lines = [line for (line,) in db.execute("SELECT line FROM actions ORDER BY number")]
    db.close()
    assert "\n".join([head, *lines, ""]) == kept.log.dumps()
    assert kept.number == 125


def test_what_was_applied_is_there_after_opening_anew(file):
    with Store(file) as first:
        kept = go_on(first, first.create(PLAYED)[0], 3)
    with Store(file) as second:
        again = second.get(kept.id)
    assert (again.log, again.state, again.revision) == (kept.log, kept.state, kept.revision)


def test_a_recorded_game_loads(file):
    with gzip.open(GAMES / "bank.json.gz") as source, Store(file) as first:
        id_ = first.create(import_game(json.load(source)).log)[0].id
    with Store(file) as second:
        kept = second.get(id_)
    assert sorted(kept.state.scores) == [11775, 12814, 14005, 16599]


def test_games_are_listed_with_the_last_changed_first_and_in_pages(store):
    ids = [store.create(Log(Options(), seed))[0].id for seed in range(5)]
    go_on(store, store.get(ids[1]))
    listed = store.games(10)
    assert [s.id for s in listed] == [ids[1], ids[4], ids[3], ids[2], ids[0]]
    assert [s.number for s in listed] == [1, 0, 0, 0, 0]
    paged = [s.id for s in store.games(2)]
    paged += [s.id for s in store.games(10, (listed[1].updated, listed[1].id))]
    assert paged == [s.id for s in listed]


def test_tokens_are_known_again_but_not_kept(file, store):
    kept, tokens = store.create(PLAYED)
    assert [store.seat(kept.id, t) for t in (*tokens.seats, tokens.host)] == [0, 1, 2, HOST]
    assert store.seat(kept.id, "guess") is None
    content = file.read_bytes() + Path(f"{file}-wal").read_bytes()
    assert not any(t.encode() in content for t in (*tokens.seats, tokens.host))


def test_undo_goes_back_to_any_action_and_play_goes_on(store):
    kept = store.create(PLAYED)[0]
    back = store.undo(kept.id, 50, 120)
    assert (back.number, back.state, back.revision) == (50, PLAYED.replay(50), kept.revision + 1)
    assert store.undone_since(kept.id, kept.revision) == 50
    assert store.undone_since(kept.id, back.revision) is None
    assert go_on(store, back).number == 51
    start = store.undo(kept.id, 0, 51)
    assert go_on(store, start, 2).number == 2
    with pytest.raises(LogError, match="no action 3"):
        store.undo(kept.id, 3, 2)


def test_a_request_is_known_again(store):
    kept = store.create(PLAYED)[0]
    store.apply(kept.id, legal(kept), 120, request="once")
    assert store.replied(kept.id, "once") == 121
    assert store.replied(kept.id, "other") is None
    assert store.replied(kept.id, "") is None


# --- who may undo


def acted(kept):
    """The seat of the last action, another one, and how many actions the last seat took in a row."""
    seats = [a.seat for a in kept.log.actions]
    run = next(n for n, seat in enumerate(reversed([None, *seats])) if seat != seats[-1])
    return seats[-1], (seats[-1] + 1) % 3, run


def test_any_seat_undoes_anything_unless_something_else_was_said(store):
    kept = store.create(PLAYED)[0]
    assert kept.undo_policy == "any_seat"
    assert store.undo(kept.id, 1, 120, seat=2).number == 1


def test_the_last_actor_undoes_only_its_own_run_of_actions(store):
    stop = max(n for n in range(2, 121) if PLAYED.actions[n - 1].seat == PLAYED.actions[n - 2].seat)
    kept = store.create(PLAYED.undo(stop), undo_policy="last_actor")[0]
    last, other, run = acted(kept)
    assert run >= 2
    with pytest.raises(UndoRefused, match=f"action {stop} is "):
        store.undo(kept.id, stop - 1, stop, seat=other)
    with pytest.raises(UndoRefused, match=f"action {stop - run} is "):
        store.undo(kept.id, stop - run - 1, stop, seat=last)
    assert store.get(kept.id) == kept
    assert store.undo(kept.id, stop - run, stop, seat=last).number == stop - run
    assert store.undo(kept.id, 0, stop - run, seat=HOST).number == 0


def test_where_only_the_host_undoes_no_seat_does(store):
    kept = store.create(PLAYED, undo_policy="host")[0]
    with pytest.raises(UndoRefused, match="only the host"):
        store.undo(kept.id, 119, 120, seat=acted(kept)[0])
    assert store.undo(kept.id, 5, 120).number == 5


def test_the_policy_stays_with_the_game(file):
    with Store(file) as first:
        ids = {policy: first.create(PLAYED, undo_policy=policy)[0].id for policy in UNDO_POLICIES}
        with pytest.raises(LogError, match="undo_policy: unknown value 'nobody'"):
            first.create(PLAYED, undo_policy="nobody")
        for id_ in ids.values():
            go_on(first, first.undo(id_, 100, 120), 2)
    with Store(file) as second:
        assert {p: second.get(i).undo_policy for p, i in ids.items()} == {p: p for p in UNDO_POLICIES}
        assert {s.id: s.undo_policy for s in second.games(9)} == {i: p for p, i in ids.items()}


FIRST_SCHEMA = """
CREATE TABLE games (
  id TEXT PRIMARY KEY, head TEXT NOT NULL, tokens TEXT NOT NULL, created REAL NOT NULL, updated REAL NOT NULL,
  revision INTEGER NOT NULL, number INTEGER NOT NULL, digest TEXT NOT NULL, summary TEXT NOT NULL
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
PRAGMA journal_mode = WAL;
PRAGMA application_id = 0x54726B31;
PRAGMA user_version = 1;
"""
"""What a file had before games had an undo policy."""


@pytest.fixture
def old(tmp_path):
    """A file of the first version with a game that was undone and played on, and that game."""
    with Store(tmp_path / "new.sqlite") as store:
        kept = go_on(store, store.undo(store.create(PLAYED)[0].id, 100, 120), 3)
    path = tmp_path / "old.sqlite"
    with sqlite3.connect(path) as db:
        db.executescript(FIRST_SCHEMA)
        db.execute("ATTACH ? AS new", (str(tmp_path / "new.sqlite"),))
        columns = "id, head, tokens, created, updated, revision, number, digest, summary"
        db.execute(f"INSERT INTO games SELECT {columns} FROM new.games")
        db.execute("INSERT INTO actions SELECT * FROM new.actions")
        db.execute("INSERT INTO undos SELECT * FROM new.undos")
    db.close()
    return path, kept


def test_a_file_made_before_policies_is_brought_up_to_date_and_any_seat_undoes(old):
    path, kept = old
    with Store(path) as store:
        assert store.get(kept.id) == kept
        assert store.undo(kept.id, 50, 103, seat=1).number == 50
        assert store.create(PLAYED, undo_policy="host")[0].undo_policy == "host"
    with Store(path) as again:
        assert again.get(kept.id).state == PLAYED.replay(50)
        assert len(again.games(9)) == 2


def test_several_that_open_an_old_file_at_once_bring_it_up_to_date_once(old):
    path, kept = old
    found, threads = [], []

    def open_it():
        with Store(path, patience=HANG) as store:
            found.append(store.get(kept.id))

    for _ in range(6):
        threads.append(threading.Thread(target=open_it))
        threads[-1].start()
    for t in threads:
        t.join()
    assert found == [kept] * 6


# --- nothing changes


def test_an_action_that_a_rule_forbids_changes_nothing(store):
    kept = store.create(PLAYED)[0]
    with pytest.raises(RuleError):
        store.apply(kept.id, Keep(game.actors(kept.state)[0], ("EIR_1",)), 120)
    assert store.get(kept.id) == kept


def test_another_number_of_actions_is_told(store):
    kept = store.create(PLAYED)[0]
    with pytest.raises(Stale, match="120 actions") as e:
        store.apply(kept.id, legal(kept), 119)
    assert (e.value.number, e.value.revision) == (120, kept.revision)
    store.undo(kept.id, 119, 120)
    again = go_on(store, store.get(kept.id))
    with pytest.raises(Stale):  # the number is right, but the game was undone in between
        store.apply(kept.id, legal(again), 120, kept.revision)


def test_an_unknown_game_is_named(store):
    for call in (store.get, store.revision, lambda i: store.seat(i, "x"), lambda i: store.apply(i, Pass(0), 0)):
        with pytest.raises(UnknownGame, match="'nope'"):
            call("nope")


def test_a_store_that_is_read_only_says_so_and_can_be_read(store):
    kept = store.create(PLAYED)[0]
    store._db.execute("PRAGMA query_only = 1")
    with pytest.raises(StoreError, match="cannot be written") as e:
        go_on(store, kept)
    assert e.value.kind == "read-only"
    assert store.get(kept.id) == kept


def test_a_store_that_is_full_says_so_and_nothing_is_lost(store):
    kept = store.create(PLAYED)[0]
    pages = store._db.execute("PRAGMA page_count").fetchone()[0]
    store._db.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StoreError, match="no room") as e:
        go_on(store, kept, 300)
    assert e.value.kind == "full"
    stopped = store.get(kept.id)
    store._db.execute("PRAGMA max_page_count = 100000")
    assert store.get(kept.id).state == stopped.log.replay()
    assert go_on(store, store.get(kept.id)).number == stopped.number + 1


def test_a_store_that_another_process_holds_says_so(file):
    with Store(file, patience=0.05) as store:
        kept = store.create(PLAYED)[0]
        other = sqlite3.connect(file, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="another process") as e:
            go_on(store, kept)
        assert e.value.kind == "locked"
        assert store.get(kept.id) == kept
        other.execute("ROLLBACK")
        other.close()
        assert go_on(store, kept).number == 121


# --- faults of the file


@pytest.mark.parametrize(
    ("statement", "match"),
    [
        ("UPDATE actions SET line = replace(line, 'seat\":0', 'seat\":1') WHERE number = 7", "action"),
        ("UPDATE actions SET line = '{' WHERE number = 7", "action 7"),
        ("DELETE FROM actions WHERE number = 7", "action 8|action 7"),
        ("DELETE FROM actions WHERE number = 120", "119 actions and should have 120"),
        ("UPDATE games SET head = replace(head, 'Ann', 'Eva')", "action 1"),
        ("UPDATE games SET number = 119", "120 actions and should have 119"),
        ("UPDATE games SET digest = 'x'", "120 actions"),
        ("UPDATE games SET undo_policy = 'x'", "no undo policy 'x'"),
    ],
)
def test_a_row_changed_from_outside_is_found(file, statement, match):
    with Store(file) as first:
        id_ = first.create(PLAYED)[0].id
    edit(file, statement)
    with Store(file) as second, pytest.raises(StoreError, match=match) as e:
        second.get(id_)
    assert e.value.kind == "corrupt"


def test_who_waits_to_write_does_not_hold_up_who_reads(file):
    """Another process holds the lock; the wait of an action is far longer than this test."""
    with Store(file, patience=3600) as store:
        kept = store.create(PLAYED)[0]
        other = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
        other.execute("BEGIN IMMEDIATE")
        began = threading.Event()

        def write():
            began.set()
            go_on(store, kept)

        writer = threading.Thread(target=write)
        writer.start()
        began.wait()
        for _ in range(100):
            assert store.get(kept.id).number == kept.number
            assert store.revision(kept.id) == kept.revision
        other.execute("ROLLBACK")
        writer.join()
        assert store.get(kept.id).number == kept.number + 1
        other.close()


def test_the_files_of_a_store_are_for_their_owner_alone(tmp_path):
    """The heads of games tell every card."""
    with Store(tmp_path / "games.sqlite") as store:
        store.create(PLAYED)
        modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
    assert modes == dict.fromkeys(("games.sqlite", "games.sqlite-wal", "games.sqlite-shm"), 0o600)


def test_what_a_caller_is_told_of_the_store_does_not_say_where_it_is(tmp_path):
    with pytest.raises(StoreError, match="sqlite: ") as error:
        Store(tmp_path / "no folder" / "games.sqlite")
    assert str(tmp_path) not in error.value.message


def test_a_file_that_is_no_store_is_refused_and_left_alone(tmp_path):
    text = tmp_path / "text"
    text.write_text("no database at all, but a text that is long enough to look at\n" * 20)
    with pytest.raises(StoreError, match="no database"):
        Store(text)
    other = tmp_path / "other.sqlite"
    edit(other, "CREATE TABLE plants (name)")
    with pytest.raises(StoreError, match="no store of games"):
        Store(other)
    with pytest.raises(StoreError, match="cannot be opened"):
        Store(tmp_path / "no folder" / "games.sqlite")
    newer = tmp_path / "newer.sqlite"
    Store(newer).close()
    edit(newer, "PRAGMA user_version = 7")
    with pytest.raises(StoreError, match="version 7"):
        Store(newer)


def test_a_log_that_does_not_replay_is_not_kept(store):
    with pytest.raises(LogError, match="action 1"):
        store.create(Log(Options(), 1, (Pass(0),)))
    assert store.games(10) == []


# --- several at once


def test_another_process_sees_what_was_applied_and_undone(file):
    with Store(file) as one, Store(file) as other:
        kept = one.create(PLAYED)[0]
        assert other.get(kept.id).number == 120
        new = go_on(one, kept, 2)
        assert other.get(kept.id) == one.get(kept.id) == new
        back = go_on(other, other.undo(kept.id, 60, 122), 70)
        assert one.get(kept.id).log == back.log
        assert one.get(kept.id).state == back.log.replay()


def test_of_two_that_race_one_wins(file):
    """Eight threads over two connections: every action is taken once, in the order of the log."""
    stores = [Store(file, patience=HANG), Store(file, patience=HANG)]
    id_ = stores[0].create(Log(Options(players=("Ann", "Bob")), 3))[0].id
    won: list[int] = []
    lock = threading.Lock()

    def client(number):
        source = random.Random(number)
        store = stores[number % 2]
        while True:
            kept = store.get(id_)
            if kept.number >= 60:
                return
            try:
                new = store.apply(id_, source.choice(game.legal_actions(kept.state)), kept.number)
            except Stale:
                continue
            with lock:
                won.append(new.number)

    threads = [threading.Thread(target=client, args=(n,)) for n in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert sorted(won) == list(range(1, len(won) + 1))
    assert stores[0].get(id_).number == stores[1].get(id_).number == len(won)
    assert stores[1].get(id_).state == stores[1].get(id_).log.replay()
    for store in stores:
        store.close()


def test_a_game_that_the_rules_of_this_version_refuse_can_be_exported_and_undone(file, monkeypatch):
    """As one that an earlier version played: its rows are as they were written, nothing was changed from outside."""
    log = play(Options(players=("Ann", "Bob", "Cem")), 4, most=40)
    with Store(file) as first:
        id_ = first.create(log)[0].id
    perform = game.perform

    def refused(state, action):
        if action is not None and action == log.actions[29]:
            raise RuleError("8.2", "not any more")
        perform(state, action)

    monkeypatch.setattr(game, "perform", refused)
    with Store(file) as second:
        with pytest.raises(StoreError, match=r"another version.* action 30 .*not any more.*undo to before") as e:
            second.get(id_)
        assert e.value.kind == "outgrown"
        assert second.log(id_) == log
        with pytest.raises(LogError, match="action 30 "):
            second.undo(id_, 35, 40)
        assert second.undo(id_, 29, 40).state == log.replay(29)
        assert second.get(id_).number == 29
