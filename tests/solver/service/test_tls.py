"""TLS: who is reached and who is not, files that are of no use, several servers, the command line, the game service."""

import asyncio
import logging
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.engine.service import serving
from tests.solver.service import fakes
from tests.solver.service.certificates import OPENSSL, Authority
from tests.solver.service.fakes import board, served, total
from trunkline.engine.options import Options
from trunkline.engine.service.client import Games
from trunkline.solver import title_ids, wire
from trunkline.solver.board import DrawnRoute
from trunkline.solver.cli.main import run
from trunkline.solver.errors import TrunklineError
from trunkline.solver.service.channel import explained
from trunkline.solver.service.client import Client, ServiceError, Tls
from trunkline.solver.service.server import Server, Settings

pytestmark = pytest.mark.skipif(not OPENSSL, reason="needs the command openssl")
ROOT = Path(__file__).parents[3]
HERE = ("DNS:localhost", "IP:127.0.0.1")


@pytest.fixture(scope="module")
def authority(tmp_path_factory):
    return Authority(tmp_path_factory.mktemp("tls"), "ca")


@pytest.fixture(scope="module")
def stranger(tmp_path_factory):
    """Another authority."""
    return Authority(tmp_path_factory.mktemp("tls"), "stranger")


@pytest.fixture(scope="module")
def own(authority):
    """What a server on this machine is given."""
    cert, key = authority.sign("server", *HERE)
    return Tls(cert=cert, key=key)


@pytest.fixture(scope="module")
def address(own):
    with served(tls=own) as server:
        yield f"127.0.0.1:{server.port}"


# --- who is reached


def test_every_call_works_over_tls(address, authority):
    with Client(address, tls=Tls(authority.ca)) as client:
        assert client.solve(board("earn 50")) == fakes.solve(board("earn 50"))
        assert [s.total for s in client.solve_stream(board("earn 20"))] == [20]
        assert [total(s) for s in client.solve_batch(board(f"earn {i}") for i in range(9))] == list(range(9))
        assert client.evaluate(board("earn 1"), [DrawnRoute(0, ("A1", "A3"))]).total == 10
        assert "18India" in client.titles()
        assert client.health() == {address: "SERVING"}


def test_a_client_without_tls_is_told_what_may_be_the_matter(address):
    with Client(address) as client:
        with pytest.raises(ServiceError, match="closed the connection; it may want TLS") as e:
            client.titles()
        assert e.value.code == "UNAVAILABLE"
        assert client.health() == {address: "UNAVAILABLE"}


def test_a_server_without_tls_is_named_so(authority):
    with served() as server:
        client = Client(f"127.0.0.1:{server.port}", tls=Tls(authority.ca))
        with client, pytest.raises(ServiceError, match="the server does not use TLS"):
            client.solve(board("earn 1"))


def test_a_server_that_nobody_trusted_vouches_for_is_refused(address, stranger):
    for tls in (Tls(stranger.ca), Tls()):
        with Client(address, tls=tls) as client, pytest.raises(ServiceError, match="no authority that is trusted here"):
            client.titles()


def test_a_certificate_of_another_name_is_refused_unless_that_name_is_asked_for(authority):
    cert, key = authority.sign("other", "DNS:solver.test")
    with served(tls=Tls(cert=cert, key=key)) as server:
        here = f"127.0.0.1:{server.port}"
        with Client(here, tls=Tls(authority.ca)) as client, pytest.raises(ServiceError, match="is for another name"):
            client.titles()
        with Client(here, tls=Tls(authority.ca, name="solver.test")) as client:
            assert "18India" in client.titles()
            assert client.health() == {here: "SERVING"}


def test_a_certificate_that_is_too_old_is_refused(authority):
    cert, key = authority.sign("old", *HERE, days=0)
    time.sleep(1.1)  # it was valid for the second in which it was made
    with served(tls=Tls(cert=cert, key=key)) as server:
        client = Client(f"127.0.0.1:{server.port}", tls=Tls(authority.ca))
        with client, pytest.raises(ServiceError, match="the certificate of the server has expired"):
            client.titles()


def test_several_servers_share_a_host_or_are_asked_for_one_name(authority, own):
    with served(tls=own) as one, served(tls=own) as two:
        ports = one.port, two.port
        with Client([f"127.0.0.1:{p}" for p in ports], tls=Tls(authority.ca)) as client:
            assert len(list(client.solve_batch(board("earn 10") for _ in range(20)))) == 20
        mixed = [f"127.0.0.1:{ports[0]}", f"localhost:{ports[1]}"]
        with pytest.raises(TrunklineError, match="need one name"):
            Client(mixed, tls=Tls(authority.ca))
        with Client(mixed, tls=Tls(authority.ca, name="localhost")) as client:
            assert "18India" in client.titles()


def test_a_server_that_wants_certificates_takes_only_clients_of_its_authority(authority, stranger, own):
    with served(tls=Tls(stranger.ca, own.cert, own.key)) as server:
        here = f"127.0.0.1:{server.port}"
        with Client(here, tls=Tls(authority.ca, *stranger.sign("client"))) as client:
            assert "18India" in client.titles()
        for tls in (Tls(authority.ca), Tls(authority.ca, *authority.sign("client"))):
            with Client(here, tls=tls) as client, pytest.raises(ServiceError, match="UNAVAILABLE"):
                client.titles()


def test_games_are_played_over_tls(tmp_path, authority, own):
    with serving.served(tmp_path / "games.sqlite", tls=own) as address:
        with Games(address, tls=Tls(authority.ca)) as games:
            new = games.create(Options(players=("Ann", "Bob")), 5)
            action = games.legal_actions(new.id, new.seats[0]).actions[0]
            assert games.apply(new.id, new.seats[0], action, 0) == 1
            assert next(games.watch(new.id, new.seats[1])).number == 1
        with Games(address, patience=0.2) as games, pytest.raises(ServiceError, match="it may want TLS"):
            list(games.games())
        assert run(["game", "list", "--server", address, "--tls-ca", authority.ca]) == 0


# --- files


@pytest.fixture(scope="module")
def files(tmp_path_factory, authority, own):
    """Files by a name for tests."""
    folder = tmp_path_factory.mktemp("files")
    (folder / "text").write_text("no certificate\n")
    broken = Path(own.cert).read_text().splitlines()
    (folder / "broken").write_text("\n".join([*broken[:3], "????", *broken[4:]]))
    (folder / "empty").touch()
    (folder / "bytes").write_bytes(b"\x00\xff" * 500)
    _, other = authority.sign("more", *HERE)
    return {
        "cert": own.cert,
        "key": own.key,
        "ca": authority.ca,
        "other": other,
        "locked": authority.lock(own.key),
        "none": str(folder / "none"),
        "folder": str(folder),
        **{name: str(folder / name) for name in ("text", "broken", "empty", "bytes")},
    }


BAD_PAIRS = [
    ("none", "key", "{none}: No such file"),
    ("cert", "none", "{none}: No such file"),
    ("folder", "key", "{folder}: Is a directory"),
    ("text", "key", "{text}: holds no certificate in PEM form"),
    ("empty", "key", "{empty}: holds no certificate in PEM form"),
    ("bytes", "key", "{bytes}: holds no certificate in PEM form"),
    ("broken", "key", "{broken}: holds no certificate in PEM form"),
    ("key", "key", "{key}: holds no certificate in PEM form"),
    ("cert", "text", "{text}: holds no private key in PEM form"),
    ("cert", "cert", "{cert}: holds no private key in PEM form"),
    ("cert", "locked", "{locked}: holds no private key in PEM form without a password"),
    ("cert", "other", "{other}: is not the key of the certificate in {cert}"),
]


@pytest.mark.parametrize(("cert", "key", "message"), BAD_PAIRS)
def test_a_certificate_and_key_that_are_of_no_use_are_named(files, cert, key, message):
    message = message.format(**files)
    tls = Tls(cert=files[cert], key=files[key])
    with pytest.raises(TrunklineError) as e:
        Client("localhost", tls=tls)
    assert message in str(e.value)
    with pytest.raises(TrunklineError) as e:
        tls.of_server()
    assert message in str(e.value)


@pytest.mark.parametrize(
    ("ca", "message"),
    [("none", "No such file"), ("text", "holds no certificate"), ("broken", "holds no cert"), ("key", "holds no cert")],
)
def test_authorities_that_are_of_no_use_are_named(files, ca, message):
    for use in (Tls(files[ca]).of_client, Tls(files[ca], files["cert"], files["key"]).of_server):
        with pytest.raises(TrunklineError) as e:
            use()
        assert f"{files[ca]}: {message}" in str(e.value)


def test_a_certificate_and_its_key_go_together(files):
    for tls in (Tls(cert=files["cert"]), Tls(key=files["key"])):
        with pytest.raises(TrunklineError, match="go together"):
            tls.of_client()
    with pytest.raises(TrunklineError, match="needs a certificate"):
        Tls(files["ca"]).of_server()


# --- the command line


def test_commands_ask_a_server_with_tls(address, files, tmp_path, capsys):
    position = tmp_path / "position.json"
    position.write_text(wire.position_to_json(board("earn 70")))
    asked = ["solve", str(position), "--json", "--server", address]
    assert run([*asked, "--tls-ca", files["ca"]]) == 0
    assert '"total": 70' in capsys.readouterr().out
    assert run([*asked, "--tls-ca", files["ca"], "--tls-cert", files["cert"], "--tls-key", files["key"]]) == 0
    capsys.readouterr()
    assert run([*asked, "--tls"]) == 4
    assert "no authority that is trusted here" in capsys.readouterr().err
    assert run([*asked, "--tls-ca", files["text"]]) == 3
    assert f"{files['text']}: holds no certificate" in capsys.readouterr().err
    assert run([*asked, "--tls-cert", files["cert"]]) == 2
    assert "go together" in capsys.readouterr().err
    assert run(["titles", "--tls"]) == 2
    assert "there is none" in capsys.readouterr().err


def test_the_environment_says_how_a_server_is_reached(address, files, monkeypatch, capsys):
    monkeypatch.setenv("TRUNKLINE_TLS_CA", files["ca"])
    assert run(["titles"]) == 0  # without a server it says nothing
    monkeypatch.setenv("TRUNKLINE_SERVER", address)
    assert run(["titles"]) == 0
    assert capsys.readouterr().out == "".join(f"{id_}\n" for id_ in title_ids()) * 2


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--tls-cert", "cert"], 2, "needs both --tls-cert and --tls-key"),
        (["--tls-key", "key"], 2, "needs both"),
        (["--tls-client-ca", "ca"], 2, "needs both"),
        (["--tls-cert", "cert", "--tls-key", "other"], 3, "is not the key of the certificate"),
        (["--tls-cert", "none", "--tls-key", "key"], 3, "No such file"),
        (["--tls-cert", "cert", "--tls-key", "key", "--tls-client-ca", "text"], 3, "holds no certificate"),
    ],
)
def test_a_server_does_not_begin_with_files_that_are_of_no_use(files, tmp_path, capsys, arguments, code, message):
    named = [files.get(a, a) for a in arguments]
    assert run(["serve", "--port", "0", "--games", str(tmp_path / "games.sqlite"), *named]) == code
    assert message in " ".join(capsys.readouterr().err.split())


def test_the_command_serves_with_tls(files, tmp_path):
    command = [sys.executable, "-m", "trunkline", "serve", "--port", "0", "--workers", "1"]
    command += ["--games", str(tmp_path / "games.sqlite"), "--tls-cert", files["cert"], "--tls-key", files["key"]]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as child:
        try:
            line = fakes.first_line(child)
            with Client(line.split()[2], tls=Tls(files["ca"])) as client:
                assert "18India" in client.titles()
        finally:
            child.terminate()
    assert line.endswith(" s, TLS\n")
    assert child.returncode == 0


# --- the warning


@pytest.mark.parametrize(
    ("host", "encrypted", "warned"),
    [
        ("127.0.0.1", False, False),
        ("localhost", False, False),
        ("0.0.0.0", False, True),
        ("0.0.0.0", True, False),
    ],
)
def test_a_server_that_others_reach_without_encryption_says_so(own, caplog, host, encrypted, warned):
    async def begin():
        server = Server(Settings(host, 0, 1, tls=own if encrypted else None), fakes.ENGINE)
        await server.start()
        await server.stop(0)

    logger = "trunkline.solver.service.server"
    with caplog.at_level(logging.WARNING, logger):
        asyncio.run(begin())
    # Of this logger only: where one process has had several event loops, old grpcio makes asyncio log BlockingIOErrors
    # that harm nothing (grpc/grpc#25364).
    assert ["no encryption" in r.message for r in caplog.records if r.name == logger] == [True] * warned


@pytest.mark.parametrize("option", ["--tls-cert", "--tls-key", "--tls-client-ca"])
def test_an_empty_option_of_a_server_does_not_turn_encryption_off(option, capsys):
    assert run(["serve", option, "", "--port", "0"]) == 2
    assert f"'{option}': is empty" in " ".join(capsys.readouterr().err.split())


@pytest.mark.parametrize("option", ["--tls-ca", "--tls-cert", "--tls-key", "--tls-name"])
def test_an_empty_option_of_a_client_does_not_turn_encryption_off(option, capsys):
    assert run(["titles", "--server", "localhost:1", option, ""]) == 2
    assert f"'{option}': is empty" in " ".join(capsys.readouterr().err.split())


def test_variables_for_servers_do_not_disturb_who_asks_none(monkeypatch, capsys):
    monkeypatch.setenv("TRUNKLINE_TLS_CERT", "client.pem")
    assert run(["titles"]) == 0


def test_a_pipe_is_refused_and_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.pem")
    with pytest.raises(TrunklineError, match=r"pipe\.pem: is a pipe"):
        Tls(ca=str(tmp_path / "pipe.pem")).of_client()


def test_where_the_other_address_of_localhost_was_refused_the_one_to_ask_is_named():
    details = "failed to connect to all addresses; last error: UNKNOWN: ipv6:%5B::1%5D:5: Connection refused (111)"
    assert explained(details).endswith("name 127.0.0.1 to hear what is wrong there")
    assert explained("something else") == "something else"
