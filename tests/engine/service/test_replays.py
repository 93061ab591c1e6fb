"""Long replays and imports run in a process of their own; what goes wrong there is told as it would be here."""

import os
import signal
from dataclasses import replace
from pathlib import Path

import pytest

from tests.engine.service.test_store import PLAYED
from trunkline.engine.errors import LogError
from trunkline.engine.service import replays as replaying
from trunkline.engine.service.refusals import Refused
from trunkline.engine.service.replays import AT_ONCE, Replays
from trunkline.engine.wire.site_files import SiteGameError


@pytest.fixture(scope="module")
def replays():
    process = Replays()
    yield process
    process.close()


def test_a_state_is_the_same_as_replayed_here(replays):
    assert len(PLAYED.actions) > AT_ONCE
    assert replays.replay(PLAYED) == PLAYED.replay()
    for upto in (0, AT_ONCE, AT_ONCE + 1):
        assert replays.replay(PLAYED, upto) == PLAYED.replay(upto)


def test_a_long_replay_leaves_this_process_alone(replays, monkeypatch):
    monkeypatch.setattr("trunkline.engine.log.Log.replay", lambda *_: pytest.fail("replayed here"))
    assert replays.replay(PLAYED).stage


def test_an_action_that_a_rule_forbids_is_named_as_here(replays):
    wrong = replace(PLAYED, actions=(*PLAYED.actions, PLAYED.actions[0]))
    with pytest.raises(LogError) as here:
        wrong.replay()
    with pytest.raises(LogError) as there:
        replays.replay(wrong)
    assert str(there.value) == str(here.value)


@pytest.mark.parametrize("text", ["no json", "{}", "[" * 100_000])
def test_what_is_no_game_of_the_site_is_told(replays, text):
    with pytest.raises(SiteGameError):
        replays.import_site(text)


def test_no_more_may_wait_than_there_are_places(monkeypatch):
    monkeypatch.setattr(replaying, "MAX_WAITING", 0)
    with pytest.raises(Refused) as full:
        Replays().replay(PLAYED)
    assert full.value.code == 8  # RESOURCE_EXHAUSTED


def test_a_process_that_is_lost_is_replaced(replays):
    replays.replay(PLAYED)
    (process,) = replays._process._processes.values()
    assert Path(f"/proc/{process.pid}").exists()
    os.kill(process.pid, signal.SIGKILL)
    process.join()
    with pytest.raises(Refused) as lost:
        replays.replay(PLAYED)
    assert lost.value.code == 14  # UNAVAILABLE
    assert replays.replay(PLAYED) == PLAYED.replay()
