"""Files with games of 18xx.games: wrapped, many, packed, and what is wrong with them."""

import gzip
import json

import pytest

from tests.engine.test_recorded_games import load
from trunkline.engine import import_game
from trunkline.engine.errors import LogError
from trunkline.engine.wire.site_files import site_games, text_of

GAME = {"title": "18 India", "players": [], "actions": []}


@pytest.mark.parametrize(
    "text",
    [
        json.dumps([GAME, {"game": GAME, "chat": []}]),
        json.dumps(GAME) + "\n" + json.dumps({"data": GAME}) + "\n\n",
    ],
)
def test_many_games_come_as_a_list_or_one_a_line_with_or_without_a_wrapper(text):
    assert site_games(text) == [GAME, GAME]


def test_one_game_may_be_written_over_several_lines():
    assert site_games(json.dumps(GAME, indent=2)) == [GAME]


def test_a_packed_file_is_unpacked():
    assert text_of(gzip.compress(b"abc")) == "abc"
    with pytest.raises(LogError, match="cannot be unpacked"):
        text_of(gzip.compress(b"abc")[:-9])
    with pytest.raises(LogError, match="is not UTF-8 at byte 0"):
        text_of(b"\xff")


@pytest.mark.parametrize(
    ("text", "message"),
    [("{", "neither a log"), ("{}\n{", "line 2: "), ("[" * 100_000, "nested too deeply")],
)
def test_what_is_no_json_is_named(text, message):
    with pytest.raises(LogError, match=message):
        site_games(text)


def test_the_wrapper_and_what_else_is_downloaded_are_left_aside():
    data = load("double_city")
    wrapped = {"chat": [{"id": 1}], "settings": {"locale": "en"}, "game": data | {"description": "for fun"}}
    assert import_game(wrapped) == import_game(data)


def test_it_tells_how_many_actions_were_read_and_how_far_it_is():
    data = load("double_city")
    seen = []
    found = import_game(data, lambda done, all_: seen.append((done, all_)))
    assert found.read == len(data["actions"])
    assert seen == [(i, len(found.after)) for i in range(1, len(found.after) + 1)]
