"""The game service: what each seat sees, who may act, races, watching, undo, every refusal; and SIGKILL at any time."""

import gzip
import os
import random
import re
import shutil
import subprocess
import threading
import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, cast

import grpc
import pytest
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from tests.engine.service.serving import Client, Process, free_port, served
from tests.engine.test_view import shuffled
from tests.waiting import HANG, until
from trunkline.engine import game
from trunkline.engine.actions import Action, Bid, BuyTrain, Keep, LayTile, Pass, PlaceToken, Run
from trunkline.engine.bots.random_play import choose, play
from trunkline.engine.box.box import BOX, HIDDEN
from trunkline.engine.errors import LogError, RuleError
from trunkline.engine.log import Log, seen_by
from trunkline.engine.options import Options
from trunkline.engine.rules import finish, shares
from trunkline.engine.service.client import Games, ServiceError, Stale, UndoRefused, UnknownGame
from trunkline.engine.service.errors import StoreError
from trunkline.engine.service.refusals import STORE_CODES
from trunkline.engine.service.store import Store
from trunkline.engine.state import KEEP
from trunkline.engine.views import view
from trunkline.engine.wire.messages import action_from_proto, action_to_proto, state_from_proto
from trunkline.engine.wire.table_message import state_to_proto
from trunkline.solver.service.client import Client as SolverClient
from trunkline.solver.service.worker import Engine
from trunkline.v1 import game_pb2
from trunkline.v1 import game_service_pb2 as pb
from trunkline.v1.game_service_pb2_grpc import GameServiceStub

NAMES = ("Ann", "Bob", "Cem")
GAMES = Path(__file__).parents[1] / "games"
PLAYED = play(Options(players=NAMES), 4, most=150)


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    return tmp_path_factory.mktemp("served") / "games.sqlite"


@pytest.fixture(scope="module")
def address(file):
    with served(file) as address:
        yield address


@pytest.fixture
def games(address):
    with Games(address, patience=1) as games:
        yield games


@pytest.fixture
def stub(address):
    with grpc.insecure_channel(address) as channel:
        yield GameServiceStub(channel)


@pytest.fixture
def played(games):
    """A game with 150 actions."""
    return games.import_log(PLAYED.dumps())


def bearer(token):
    return [("authorization", f"Bearer {token}")]


def actor(seen, new):
    """Seat and token of who is to act."""
    return seen.actors[0], new.seats[seen.actors[0]]


# --- messages


def test_every_state_and_action_goes_through_the_messages_unchanged():
    def watch(before, action, after):
        assert action_from_proto(action_to_proto(action)) == action
        if random.random() < 0.2:
            assert state_from_proto(state_to_proto(after)) == after

    play(Options(players=NAMES), 5, watch=watch, most=700)
    play(Options(players=NAMES[:2], start="auction", variant="dummy"), 6, watch=watch, most=500)


def test_a_table_has_prices_limits_and_worth_worked_out():
    state = PLAYED.replay()
    table = state_to_proto(state)
    assert [space.share_price for space in table.spaces] == list(BOX.market)
    prices = {n: 0 if c.closed else state.price(n) for n, c in state.companies.items()}
    assert {n: c.share_price for n, c in table.companies.items()} == prices
    assert 0 in prices.values()
    assert [p.worth for p in table.players] == [finish.score(state, s) for s in range(3)]
    assert [p.certificate_limit for p in table.players] == [shares.limit(state, s) for s in range(3)]
    assert [p.counted_certificates for p in table.players] == [shares.counted(state, s) for s in range(3)]


# --- games and seats


def test_a_game_is_created_seen_and_listed(games):
    new = games.create(Options(players=NAMES), 7)
    assert games.get(new.id).state == view(game.new_game(Options(players=NAMES), 7), None)
    assert len({*new.seats, new.host}) == 4
    listed = next(iter(games.games()))
    assert (listed.id, listed.players, listed.number, listed.stage, listed.actors) == (
        new.id,
        NAMES,
        0,
        KEEP,
        (0, 1, 2),
    )


def test_without_a_seed_no_two_deals_are_the_same(games):
    one, other = (games.get(games.create(Options(players=NAMES)).id).state for _ in range(2))
    assert one.ipo != other.ipo


def test_a_list_has_pages(stub, games):
    made = {f"games/{games.create(Options(players=NAMES)).id}" for _ in range(5)}
    found, token = [], ""
    while True:
        page = stub.ListGames(pb.ListGamesRequest(page_size=2, page_token=token))
        found += [g.name for g in page.games]
        assert len(page.games) <= 2
        assert not any(g.HasField("table") for g in page.games)
        token = page.next_page_token
        if not token:
            break
    assert made <= set(found)
    assert len(found) == len(set(found))


def test_a_seat_sees_its_own_hand_a_spectator_and_the_host_none(games, played):
    state = PLAYED.replay()
    for seat, token in enumerate(played.seats):
        seen = games.get(played.id, token)
        assert seen.seat == seat
        assert seen.state == view(state, seat)
        assert HIDDEN not in seen.state.players[seat].hand
    for token in (None, played.host):
        seen = games.get(played.id, token)
        assert seen.seat is None
        assert seen.state == view(state, None)


def test_the_game_is_shown_as_it_was_after_any_action(games, played):
    for number in (0, 3, 77, 150):
        assert games.get(played.id, played.seats[1], number).state == view(PLAYED.replay(number), 1)
    with pytest.raises(LogError, match="no action 151; the game has 150"):
        games.get(played.id, at=151)


def test_what_is_legal_is_what_the_engine_says(games, played):
    state = PLAYED.replay()
    seat = game.actors(state)[0]
    legal = games.legal_actions(played.id, played.seats[seat])
    assert list(legal.actions) == game.legal_actions(state, seat)
    assert (legal.number, legal.revision) == (150, 150)
    assert games.legal_actions(played.id, played.seats[(seat + 1) % 3]).actions == ()


def test_an_action_is_applied_once_and_seen_by_all(games, played):
    _, token = actor(games.get(played.id), played)
    action = games.legal_actions(played.id, token).actions[0]
    longest = "r" * 128
    assert games.apply(played.id, token, action, 150, request_id=longest) == 151
    assert games.apply(played.id, token, action, 150, request_id=longest) == 151  # the same call again
    assert games.get(played.id).number == 151
    with pytest.raises(Stale) as e:  # the same action in another call
        games.apply(played.id, token, action, 150)
    assert (e.value.number, e.value.revision) == (151, 151)
    assert games.get(played.id).state == view(game.apply(PLAYED.replay(), action), None)


def test_of_clients_that_race_one_wins(address, games, played):
    _, token = actor(games.get(played.id), played)
    action = games.legal_actions(played.id, token).actions[0]
    results: list[int | None] = []

    def client():
        with Games(address) as own:
            try:
                results.append(own.apply(played.id, token, action, 150))
            except Stale:
                results.append(None)

    threads = [threading.Thread(target=client) for _ in range(6)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert sorted(r is None for r in results) == [False] + [True] * 5
    assert games.get(played.id).number == 151


def test_undo_and_a_revision_that_tells_of_it(games, played):
    seen = games.undo(played.id, played.seats[2], 100, 150)
    assert seen.state == view(PLAYED.replay(100), 2)
    assert (seen.number, seen.revision) == (100, 151)
    for number in range(100, 150):
        seat = PLAYED.actions[number].seat
        games.apply(played.id, played.seats[seat], PLAYED.actions[number], number)
    seat, token = actor(games.get(played.id), played)
    action = games.legal_actions(played.id, token).actions[0]
    with pytest.raises(Stale):  # 150 actions as before, but not the same ones
        games.apply(played.id, token, action, 150, revision=150)
    assert games.apply(played.id, token, action, 150, revision=201) == 151


def test_any_seat_undoes_unless_the_game_was_created_otherwise(games, stub, played):
    assert games.get(played.id).undo_policy == "any_seat"
    log = PLAYED.undo(140)
    last, other = log.actions[-1].seat, (log.actions[-1].seat + 1) % 3
    new = games.import_log(log.dumps(), undo_policy="last_actor")
    assert games.get(new.id).undo_policy == "last_actor"
    with pytest.raises(UndoRefused, match=f"action 140 is {NAMES[last]}'s"):
        games.undo(new.id, new.seats[other], 139, 140)
    request = pb.UndoActionsRequest(name=f"games/{new.id}", action_number=139, expected_action_number=140)
    refused(
        lambda: stub.UndoActions(request, metadata=bearer(new.seats[other])),
        CODE.PERMISSION_DENIED,
        "actions of others",
        "UNDO_POLICY",
    )
    assert games.undo(new.id, new.seats[last], 139, 140).number == 139
    host = games.create(Options(players=NAMES), 7, undo_policy="host")
    hand = games.get(host.id, host.seats[0]).state.players[0].hand
    games.apply(host.id, host.seats[0], Keep(0, tuple(hand[:7])), 0)
    with pytest.raises(UndoRefused, match="only the host"):
        games.undo(host.id, host.seats[0], 0, 1)
    assert games.undo(host.id, host.host, 0, 1).number == 0
    listed = {g.name: g.undo_policy for g in stub.ListGames(pb.ListGamesRequest()).games}
    assert listed[f"games/{host.id}"] == game_pb2.UNDO_POLICY_HOST
    assert games.export(host.id, host.host) == Log(Options(players=NAMES), 7).dumps()  # not of the log


def test_a_game_is_exported_by_its_host_and_imported_again(games, played):
    log = games.export(played.id, played.host)
    assert log == PLAYED.dumps()
    assert games.get(games.import_log(log).id).state == games.get(played.id).state


def test_a_seat_exports_only_when_the_game_is_over(games, played):
    with pytest.raises(ServiceError, match="PERMISSION_DENIED"):
        games.export(played.id, played.seats[0])
    with pytest.raises(ServiceError, match="UNAUTHENTICATED"):
        games.export(played.id, None)
    over = play(Options(players=NAMES[:2]), 1)
    new = games.import_log(over.dumps())
    assert games.export(new.id, new.seats[1]) == over.dumps()
    assert games.get(new.id).state.scores == over.replay().scores


def test_a_recorded_game_of_the_site_is_imported(games):
    with gzip.open(GAMES / "double_city.json.gz", "rt") as source:
        new = games.import_site(source.read())
    seen = games.get(new.id)
    assert seen.number == 49
    assert seen.state.options.rules == "18xx.games"


def test_the_position_of_a_company_is_that_of_the_engine(games, played):
    from trunkline.engine.rules import run

    state = PLAYED.replay()
    company = next(n for n, c in state.companies.items() if c.formed)
    assert games.position(played.id, company) == run.position(state, company)


def test_the_best_run_comes_first(tmp_path, monkeypatch):
    from trunkline.solver import solve

    monkeypatch.setattr("trunkline.engine.service.service.SOLVE_SECONDS", HANG)
    states = []
    log = play(Options(players=NAMES), 11, solve, lambda before, action, after: states.append(before), most=400)
    number = max(n for n, action in enumerate(log.actions) if isinstance(action, Run) and action.runs)
    state = states[number]
    seat = game.actors(state)[0]
    with served(tmp_path / "games.sqlite", Engine()) as address, Games(address) as games:
        new = games.import_log(log.undo(number).dumps())
        legal = games.legal_actions(new.id, new.seats[seat], solve=True)
        assert legal.actions[0] == game.best_run(state, solve)
        assert legal.best is not None
        assert legal.best.optimal
        assert legal.best.total > 0
        assert Run(seat, ()) in legal.actions
        games.apply(new.id, new.seats[seat], legal.actions[0], number)
        assert games.get(new.id).state.operating.revenue == legal.best.total


def test_the_python_of_the_page_on_the_service_runs(address, capsys):
    page = (Path(__file__).parents[3] / "docs/game-api.md").read_text()
    (example,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    exec(compile(example.replace("localhost:50051", address), "game-api.md", "exec"), {})
    assert "Keep(seat=0" in capsys.readouterr().out


@pytest.mark.long
@pytest.mark.skipif(not shutil.which("npm"), reason="needs Node and npm")
def test_the_node_clients_play(address, tmp_path):
    root = Path(__file__).parents[3]
    node = shutil.copytree(root / "examples/node", tmp_path / "node")
    subprocess.run(["npm", "install", "--no-audit", "--no-fund"], cwd=node, check=True, capture_output=True)
    result = subprocess.run(
        ["node", "game.mjs", address, "30"],
        cwd=node,
        env=os.environ | {"TRUNKLINE_PROTO": str(root / "proto")},
        capture_output=True,
        text=True,
        check=False,
        timeout=HANG,
    )
    assert result.returncode == 0, result.stderr
    assert re.search(r"^28 (Ann|Bob|Cem): draft \S+$", result.stdout, re.MULTILINE)


def test_the_page_on_the_service_names_every_method_and_reason():
    page = (Path(__file__).parents[3] / "docs/game-api.md").read_text()
    for method in pb.DESCRIPTOR.services_by_name["GameService"].methods:
        assert f"`{method.name}`" in page
    for _, reason in STORE_CODES.values():
        assert f"`{reason}`" in page
    for policy in game_pb2.UndoPolicy.keys()[1:]:
        assert f"`{policy}`" in page


# --- watching


def take(events, count):
    return [next(events) for _ in range(count)]


def test_watching_tells_what_was_and_what_comes(games, played):
    events = games.watch(played.id, after=140, state=True)
    old = take(events, 10)
    assert [e.number for e in old] == list(range(141, 151))
    assert [e.action for e in old] == list(PLAYED.actions[140:])
    assert [e.revision for e in old] == [0] * 9 + [150]
    assert old[-1].state == view(PLAYED.replay(), None)
    _, token = actor(games.get(played.id), played)
    action = games.legal_actions(played.id, token).actions[0]
    games.apply(played.id, token, action, 150)
    assert (new := next(events)).action == action
    assert (new.number, new.revision) == (151, 151)
    games.undo(played.id, token, 149, 151)
    assert (gone := next(events)).undone_to == 149
    assert (gone.number, gone.revision, gone.state) == (149, 152, view(PLAYED.replay(149), None))


def test_watching_begins_with_an_answer_even_if_nothing_happened(games, played):
    first = next(games.watch(played.id, after=150))
    assert (first.number, first.revision, first.action, first.undone_to) == (150, 150, None, None)


def test_who_was_away_is_told_of_an_undo(games, played):
    games.undo(played.id, played.seats[0], 145, 150)
    again = PLAYED.actions[145]
    games.apply(played.id, played.seats[again.seat], again, 145)
    events = games.watch(played.id, after=150, revision=150)
    assert [(e.undone_to, e.number) for e in take(events, 2)] == [(145, 145), (None, 146)]
    assert next(games.watch(played.id, after=150)).undone_to == 146  # not knowing the revision: it has no more actions


def test_an_action_of_another_process_is_seen_soon(games, played, file):
    events = games.watch(played.id, after=150)
    next(events)
    with Store(file) as store:
        kept = store.get(played.id)
        store.apply(played.id, game.legal_actions(kept.state)[0], 150)
    assert next(events).number == 151


def test_servers_that_share_a_file_play_one_game(tmp_path):
    """Four clients at two servers, and one that watches: every action once, in order, told to all."""
    file = tmp_path / "games.sqlite"
    with served(file) as one, served(file) as other, Games(one) as games, Games(other) as watching:
        new = games.create(Options(players=(*NAMES, "Dan")), 1)
        enough = threading.Event()
        clients = [
            Client(address, new.id, token, seat, partial(picked, source=random.Random(seat)), lambda _: enough.is_set())
            for seat, (token, address) in enumerate(zip(new.seats, (one, other, one, other), strict=True))
        ]
        for client in clients:
            client.start()
        told = [e.action for e in take(watching.watch(new.id), 121) if e.action]
        enough.set()
        for client in clients:
            client.join(HANG)
            assert not client.is_alive()
            assert client.error is None
    taken: dict[int, Action] = {}
    for client in clients:
        assert not set(taken) & set(client.taken)
        taken |= client.taken
    assert sorted(taken) == list(range(1, len(taken) + 1))
    assert told == [seen_by(taken[n], None) for n in range(1, len(told) + 1)]


def test_a_client_that_left_watches_no_more(games, played):
    for _ in range(130):  # more than may watch at the same time
        events = games.watch(played.id, after=150)
        next(events)
        events.close()


def test_a_server_that_stops_does_not_wait_for_who_watches(tmp_path):
    with served(tmp_path / "games.sqlite", grace=2 * HANG) as address, Games(address, patience=0.1) as games:
        new = games.create(Options(players=NAMES))
        events = games.watch(new.id)
        next(events)
    with pytest.raises(ServiceError):
        next(events)


# --- what must be hidden


def answers(games, id_, tokens):
    """Everything that seat 0 and a spectator can get of a game, without what names the game or the time."""
    token = tokens[0]
    found = [games.get(id_, token), games.get(id_), games.legal_actions(id_, token)]
    for t in (token, None):
        for event in games.watch(id_, t, state=True):
            found.append(event)
            if event.revision:
                break
    for call in (
        lambda: games.export(id_, token),
        lambda: games.apply(id_, token, Pass(0), 0),
        lambda: games.apply(id_, token, Keep(1, ("EIR_1",)), found[0].number),
        lambda: games.apply(id_, token, Keep(0, ("EIR_1", "P1")), found[0].number),
    ):
        with pytest.raises(Exception) as e:  # noqa: PT011
            call()
        found.append(str(e.value))
    return [replace(f, id="") if hasattr(f, "id") else f for f in found]


def test_who_kept_what_is_not_told_while_others_choose(games):
    """Two games that differ only in what seat 1 kept."""
    seen = []
    for keep in (slice(0, 7), slice(6, 13)):
        new = games.create(Options(players=NAMES), 5)
        hand = games.get(new.id, new.seats[1]).state.players[1].hand
        games.apply(new.id, new.seats[1], Keep(1, tuple(hand[keep])), 0)
        seen.append(answers(games, new.id, new.seats))
    assert seen[0] == seen[1]


@pytest.mark.parametrize(("variant", "stop"), [("", 60), ("removed", 50), ("dummy", 70)])
def test_games_that_differ_only_in_what_is_hidden_answer_a_seat_the_same(games, variant, stop, monkeypatch):
    log = play(Options(players=NAMES[:2], variant=variant), 6, most=stop)
    state = log.replay()
    other = shuffled(state, 0)
    assert other != state
    seen = []
    for shown in (state, other):
        monkeypatch.setattr(Log, "replay", lambda self, upto=None, shown=shown: shown)
        new = games.import_log(log.dumps())  # kept with the state that is shown
        seen.append(answers(games, new.id, new.seats))
        monkeypatch.undo()
    assert seen[0][0].state == view(state, 0)
    assert seen[0] == seen[1]


# --- refusals


def refused(call, code, match, reason=None):
    with pytest.raises(grpc.RpcError, match=match) as e:
        call()
    assert e.value.code() == code, e.value.details()
    info = error_details_pb2.ErrorInfo()
    status = rpc_status.from_call(cast("grpc.Call", e.value))
    found = {info.reason for d in (status.details if status else ()) if d.Unpack(info)}
    assert found == ({reason} if reason else set())
    return info


CODE = grpc.StatusCode


def apply_request(new, action, number=150, **fields):
    return pb.ApplyActionRequest(
        name=f"games/{new.id}", action=action_to_proto(action), expected_action_number=number, **fields
    )


def test_who_shows_a_wrong_token_waits_and_others_do_not(stub, played, monkeypatch):
    monkeypatch.setattr("trunkline.engine.service.service.WRONG_TOKEN_SECONDS", 3600)
    request = pb.GetGameRequest(name=f"games/{played.id}")
    with pytest.raises(grpc.RpcError) as refused:
        stub.GetGame(request, metadata=bearer("guess"), timeout=0.5)
    assert refused.value.code() == CODE.DEADLINE_EXCEEDED
    assert stub.GetGame(request, metadata=bearer(played.seats[0])).seat == 0


@pytest.mark.parametrize("rules", ["rulebook", "18xx.games"])
def test_a_deal_of_the_server_cannot_be_worked_out_from_a_hand(games, rules):
    new = games.create(Options(players=("Ann", "Bob", "Cem"), rules=rules))
    assert Log.loads(games.export(new.id, new.host)).seed.bit_length() > 128


@pytest.mark.parametrize("method", [m.name for m in pb.DESCRIPTOR.services_by_name["GameService"].methods])
def test_bytes_that_are_no_message_are_an_invalid_argument(address, method, caplog):
    with grpc.insecure_channel(address) as channel:
        raw: Any = channel.unary_stream(f"/trunkline.v1.GameService/{method}")
        with pytest.raises(grpc.RpcError) as refused:
            list(raw(b"\xff\xff"))
    assert refused.value.code() == CODE.INVALID_ARGUMENT
    assert "the 2 bytes are no trunkline.v1." in str(refused.value.details())
    assert not [record for record in caplog.records if record.exc_info]


def test_a_name_of_any_length_is_not_found(stub):
    for name in ("x" * 100_000, "\N{STEAM LOCOMOTIVE}" * 5000):
        with pytest.raises(grpc.RpcError) as refused:
            stub.GetGame(pb.GetGameRequest(name=f"games/{name}"))
        assert refused.value.code() == CODE.NOT_FOUND


def test_bad_requests_are_named(stub, games, played):
    name = f"games/{played.id}"
    seat, token = actor(games.get(played.id), played)
    for call, code, match in [
        (lambda: stub.GetGame(pb.GetGameRequest(name="games/nope")), CODE.NOT_FOUND, "'nope'"),
        (lambda: stub.GetGame(pb.GetGameRequest(name="nope")), CODE.INVALID_ARGUMENT, "name: 'nope'"),
        (lambda: stub.ListLegalActions(pb.ListLegalActionsRequest(name=name)), CODE.UNAUTHENTICATED, "secret token"),
        (
            lambda: stub.GetGame(pb.GetGameRequest(name=name), metadata=bearer("x")),
            CODE.PERMISSION_DENIED,
            "not of game",
        ),
        (
            lambda: stub.GetGame(pb.GetGameRequest(name=name), metadata=[("authorization", token)]),
            CODE.UNAUTHENTICATED,
            "Bearer",
        ),
        (
            lambda: stub.ApplyAction(apply_request(played, Pass(seat)), metadata=bearer(played.seats[seat - 1])),
            CODE.PERMISSION_DENIED,
            f"of seat {seat}",
        ),
        (
            lambda: stub.ApplyAction(apply_request(played, Pass(seat)), metadata=bearer(played.host)),
            CODE.PERMISSION_DENIED,
            "host's token has no seat",
        ),
        (
            lambda: stub.ApplyAction(apply_request(played, Pass(9)), metadata=bearer(token)),
            CODE.INVALID_ARGUMENT,
            "no seat 9",
        ),
        (
            lambda: stub.ApplyAction(
                pb.ApplyActionRequest(name=name, expected_action_number=150), metadata=bearer(token)
            ),
            CODE.INVALID_ARGUMENT,
            "say what is done",
        ),
        (
            lambda: stub.ApplyAction(
                pb.ApplyActionRequest(name=name, action=action_to_proto(Pass(seat))), metadata=bearer(token)
            ),
            CODE.INVALID_ARGUMENT,
            "expected_action_number: is missing",
        ),
        (
            lambda: stub.ApplyAction(apply_request(played, Pass(seat), request_id="x" * 129), metadata=bearer(token)),
            CODE.INVALID_ARGUMENT,
            "request_id: 129 characters; at most 128",
        ),
        (
            lambda: stub.UndoActions(pb.UndoActionsRequest(name=name, action_number=1), metadata=bearer(token)),
            CODE.INVALID_ARGUMENT,
            "expected_action_number",
        ),
        (
            lambda: stub.UndoActions(
                pb.UndoActionsRequest(name=name, action_number=151, expected_action_number=150), metadata=bearer(token)
            ),
            CODE.OUT_OF_RANGE,
            "no action 151",
        ),
        (
            lambda: stub.UndoActions(pb.UndoActionsRequest(name=name, expected_action_number=150)),
            CODE.UNAUTHENTICATED,
            "secret token",
        ),
        (lambda: stub.GetPosition(pb.GetPositionRequest(name=name, company="XYZ")), CODE.INVALID_ARGUMENT, "no 'XYZ'"),
        (lambda: stub.ListGames(pb.ListGamesRequest(page_size=-1)), CODE.INVALID_ARGUMENT, "negative"),
        (lambda: stub.ListGames(pb.ListGamesRequest(page_token="x")), CODE.INVALID_ARGUMENT, "not from this list"),
        (lambda: next(stub.WatchGame(pb.WatchGameRequest(name="games/no"))), CODE.NOT_FOUND, "'no'"),
        (
            lambda: next(stub.WatchGame(pb.WatchGameRequest(name=name, after_action_number=-1))),
            CODE.INVALID_ARGUMENT,
            "negative",
        ),
        (lambda: stub.ImportGame(pb.ImportGameRequest()), CODE.INVALID_ARGUMENT, "give a log"),
        (
            lambda: stub.ImportGame(pb.ImportGameRequest(log=PLAYED.dumps(), undo_policy=cast("Any", 9))),
            CODE.INVALID_ARGUMENT,
            "undo_policy: there is no policy 9",
        ),
        (lambda: stub.ImportGame(pb.ImportGameRequest(site_json="{")), CODE.INVALID_ARGUMENT, "not JSON"),
        (lambda: stub.ImportGame(pb.ImportGameRequest(site_json="[]")), CODE.INVALID_ARGUMENT, "18 India"),
    ]:
        refused(call, code, match)
    assert games.get(played.id).number == 150


@pytest.mark.parametrize(
    ("edit", "match"),
    [
        (lambda lines: [*lines[:40], *lines[41:]], "line 41: expected action number 40, found 41; the log has a gap"),
        (lambda lines: [lines[0].replace('"version":1', '"version":9'), *lines[1:]], "line 1: version 9"),
        (lambda lines: [*lines[:40], lines[40][:-9]], "line 41: is not JSON"),
        (lambda lines: [*lines[:40], lines[39], *lines[40:]], "line 41: expected action number 40, found 39"),
        (lambda lines: [lines[0].replace("trunkline-game", "chess"), *lines[1:]], "line 1: format 'chess'"),
        (lambda lines: [lines[0].replace('"Bob"', '"Ann"'), *lines[1:]], "players"),
        (lambda lines: [lines[0].replace('"seed":4', '"seed":5'), *lines[1:]], "action 1 "),
        (lambda lines: [], "empty"),
    ],
)
def test_a_log_that_is_no_game_is_refused_with_its_line(stub, edit, match):
    log = "\n".join(edit(PLAYED.dumps().splitlines()))
    refused(lambda: stub.ImportGame(pb.ImportGameRequest(log=log)), CODE.INVALID_ARGUMENT, match)


@pytest.mark.parametrize(
    ("options", "match"),
    [
        (Options(), "players"),
        ({"players": ["Ann"]}, "2 to 5"),
        ({"players": ["Ann", "Ann"]}, "name of their own"),
        ({"players": ["Ann", "Bob"], "start": "lottery"}, "start: unknown value 'lottery'"),
        ({"players": ["Ann", "Bob", "Cem"], "variant": "dummy"}, "for 2 players"),
        ({"players": ["Ann", "Bob"], "rules": "house"}, "rules: unknown value 'house'"),
        ({"players": ["Ann", "Bob"], "switches": [{"switch_id": "x", "on": True}]}, "unknown switch 'x'"),
    ],
)
def test_options_that_are_no_game_are_refused(stub, options, match):
    request = pb.CreateGameRequest()
    if isinstance(options, dict):
        request.options.MergeFrom(type(request.options)(**options))
    refused(lambda: stub.CreateGame(request), CODE.INVALID_ARGUMENT, match)
    refused(lambda: stub.GetBox(pb.GetBoxRequest(options=request.options)), CODE.INVALID_ARGUMENT, match)


def test_an_action_against_a_rule_names_the_rule_and_changes_nothing(stub, games, played):
    seat, token = actor(games.get(played.id), played)
    for action in (
        Bid(seat, 5),
        LayTile(seat, "ZZ99", "7", 0),
        LayTile(seat, "D5", "no such tile", 99),
        PlaceToken(seat, "ZZ99", 77),
        BuyTrain(seat, "9-9", "XYZ", -5, "?"),
        Keep(seat, ("?", "EIR_99", "")),
    ):
        info = refused(
            lambda action=action: stub.ApplyAction(apply_request(played, action), metadata=bearer(token)),
            CODE.FAILED_PRECONDITION,
            "rules section",
            "RULE",
        )
        assert info.metadata["section"]
    with pytest.raises(RuleError, match="not possible now") as e:
        games.apply(played.id, token, Bid(seat, 5), 150)
    assert e.value.section
    assert e.value.legal
    assert games.get(played.id).number == 150


def test_out_of_turn_is_a_rule_and_twice_is_stale(stub, games, played):
    seat, token = actor(games.get(played.id), played)
    other = (seat + 1) % 3
    refused(
        lambda: stub.ApplyAction(apply_request(played, Pass(other)), metadata=bearer(played.seats[other])),
        CODE.FAILED_PRECONDITION,
        "turn",
        "RULE",
    )
    action = games.legal_actions(played.id, token).actions[0]
    stub.ApplyAction(apply_request(played, action), metadata=bearer(token))
    info = refused(
        lambda: stub.ApplyAction(apply_request(played, action), metadata=bearer(token)), CODE.ABORTED, "151", "STALE"
    )
    assert (info.metadata["action_number"], info.metadata["revision"]) == ("151", "151")


def test_an_unknown_game_is_an_error_of_its_own(games):
    with pytest.raises(UnknownGame):
        games.get("nope")


@pytest.mark.parametrize(
    ("statement", "code", "reason"),
    [
        ("PRAGMA query_only = 1", CODE.FAILED_PRECONDITION, "STORE_READ_ONLY"),
        ("PRAGMA max_page_count = 1", CODE.RESOURCE_EXHAUSTED, "STORE_FULL"),
    ],
)
def test_a_store_that_cannot_be_written_is_told_and_the_game_can_still_be_read(
    tmp_path, monkeypatch, statement, code, reason
):
    stores = []

    def store(path, **_):
        stores.append(Store(path))
        return stores[-1]

    monkeypatch.setattr("trunkline.engine.service.service.Store", store)
    with (
        served(tmp_path / "games.sqlite") as address,
        Games(address) as games,
        grpc.insecure_channel(address) as channel,
    ):
        new = games.import_log(PLAYED.dumps())
        _, token = actor(games.get(new.id), new)
        stores[0]._db.execute(statement)
        stub = GameServiceStub(channel)
        refused(lambda: stub.ImportGame(pb.ImportGameRequest(log=PLAYED.dumps())), code, "store", reason)
        assert games.get(new.id, token).number == 150


def test_without_a_named_file_games_are_in_the_data_of_the_user(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with served(None) as address, Games(address) as games:
        assert not (tmp_path / "trunkline").exists()  # a server of the solver alone leaves no trace
        new = games.create(Options(players=NAMES))
    with Store(tmp_path / "trunkline/games.sqlite") as store:
        assert store.get(new.id).number == 0


def test_a_folder_that_cannot_be_made_is_told_and_the_solver_works(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))
    with served(None) as address, grpc.insecure_channel(address) as channel, SolverClient(address) as solver_client:
        stub = GameServiceStub(channel)
        refused(
            lambda: stub.ListGames(pb.ListGamesRequest()),
            CODE.FAILED_PRECONDITION,
            "no games can be kept",
            "STORE_UNUSABLE",
        )
        assert "18India" in solver_client.titles()


def test_a_store_that_is_locked_is_told_and_tried_again(tmp_path, monkeypatch):
    import sqlite3

    file = tmp_path / "games.sqlite"
    refusals = []

    class Told(Store):
        def apply(self, *arguments, **options):
            try:
                return super().apply(*arguments, **options)
            except StoreError as e:
                refusals.append(e.kind)
                raise

    monkeypatch.setattr(
        "trunkline.engine.service.service.Store", lambda path, **kept: Told(path, patience=0.05, **kept)
    )
    with served(file) as address, Games(address, patience=HANG) as games, grpc.insecure_channel(address) as channel:
        new = games.import_log(PLAYED.dumps())
        _, token = actor(games.get(new.id), new)
        action = games.legal_actions(new.id, token).actions[0]
        other = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
        other.execute("BEGIN IMMEDIATE")
        stub = GameServiceStub(channel)
        refused(
            lambda: stub.ApplyAction(apply_request(new, action), metadata=bearer(token)),
            CODE.UNAVAILABLE,
            "another process",
            "STORE_LOCKED",
        )

        def unlock():
            """After the client was refused as well."""
            until(lambda: len(refusals) > 1)
            other.execute("ROLLBACK")
            other.close()

        unlocking = threading.Thread(target=unlock)
        unlocking.start()
        assert games.apply(new.id, token, action, 150) == 151
        unlocking.join()
    assert set(refusals) == {"locked"}


def test_a_store_changed_from_outside_is_told(tmp_path):
    import sqlite3

    file = tmp_path / "games.sqlite"
    with Store(file) as store:
        id_ = store.create(PLAYED)[0].id
    with sqlite3.connect(file) as db:
        db.execute("UPDATE actions SET line = replace(line, 'pass', 'bond') WHERE number = 100")
        db.execute("UPDATE actions SET digest = 'x' WHERE number = 100")
    db.close()
    with served(file) as address, grpc.insecure_channel(address) as channel:
        stub = GameServiceStub(channel)
        refused(
            lambda: stub.GetGame(pb.GetGameRequest(name=f"games/{id_}")), CODE.DATA_LOSS, "action 100", "STORE_CORRUPT"
        )


# --- a server that is killed


def play_while_killing(tmp_path, kills):
    """Four clients play while the server is killed again and again."""
    file = tmp_path / "games.sqlite"
    server = Process(file, free_port())
    try:
        with Games(server.address, patience=HANG) as games:
            list(games.games())
            new = games.create(Options(players=(*NAMES, "Dan")), 3)
        stop = threading.Event()
        clients = [
            Client(
                server.address,
                new.id,
                token,
                seat,
                partial(picked, source=random.Random(seat)),
                lambda taken: stop.is_set(),
            )
            for seat, token in enumerate(new.seats)
        ]
        for client in clients:
            client.start()
        source = random.Random(1)
        for _ in range(kills):
            wait_for_progress(server, clients, sum(len(c.taken) for c in clients), source)
            server.kill()
            server.start()
        stop.set()
        for client in clients:
            client.join(HANG)
            assert not client.is_alive()
            assert client.error is None, client.error
    finally:
        server.kill()
    return new, clients, file


def picked(found, source):
    return choose(found, source)


def wait_for_progress(server, clients, before, source):
    """Until some actions were acknowledged, then a little longer, to kill at any moment of a call."""

    def progress():
        server.check()
        return sum(len(c.taken) for c in clients) >= before + 2 or not any(c.is_alive() for c in clients)

    until(progress)
    time.sleep(source.random() * 0.05)


def check_nothing_lost(new, clients, file):
    taken: dict[int, Action] = {}
    for client in clients:
        assert not set(taken) & set(client.taken)
        taken |= client.taken
    with Store(file) as store:
        kept = store.get(new.id)
    assert [taken.get(n) for n in range(1, kept.number + 1)] == list(kept.log.actions)
    assert kept.log.replay() == kept.state
    return kept.number


def test_no_acknowledged_action_is_lost_when_the_server_is_killed(tmp_path):
    assert check_nothing_lost(*play_while_killing(tmp_path, 3)) >= 6


@pytest.mark.long
@pytest.mark.timeout(36_000)
def test_no_acknowledged_action_is_lost_when_the_server_is_killed_a_hundred_times(tmp_path):
    assert check_nothing_lost(*play_while_killing(tmp_path, 100)) >= 200
