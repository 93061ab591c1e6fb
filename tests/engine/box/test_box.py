"""What is in the box, as front ends get it: it agrees with the engine's data, with the rules, and with games."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from tests.engine.service.serving import served
from trunkline.engine.actions import Keep
from trunkline.engine.bots.random_play import play
from trunkline.engine.box import box
from trunkline.engine.box.box import BOX, TITLE
from trunkline.engine.errors import LogError
from trunkline.engine.options import RULE_SETS, STARTS, SWITCHES, VARIANTS, Options
from trunkline.engine.service.client import Games
from trunkline.engine.wire.box_message import box_to_proto
from trunkline.engine.wire.messages import options_from_proto
from trunkline.solver.cli.main import run
from trunkline.solver.wire import to_dict

OPTIONS = Options(players=("Ann", "Bob", "Cem"))
FOUND = box_to_proto(OPTIONS)
RULES = (Path(__file__).parents[3] / "docs/rules-18india.md").read_text()


def table(section):
    """The rows of the first table of a section of the digest of the rules, each cell a text."""
    text = RULES.split(f"\n### {section} ", 1)[1].split("\n#", 1)[0]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line[:1] == "|"][2:]


def test_every_certificate_is_told_as_the_engine_knows_it():
    told = {c.certificate_id: c for c in FOUND.certificates}
    assert list(told) == list(box.certificates())
    for card, c in told.items():
        assert (c.company, c.percent, c.face_value) == (box.company_of(card), box.percent(card), box.face(card))
        assert (c.kind == "private", c.kind == "bond") == (box.is_private(card), box.is_bond(card))
        assert (c.kind == "director") == box.is_director(card)
        assert c.display_name
    assert [c.certificate_id for c in FOUND.certificates if c.from_bond] == list(box.bond_shares())


def test_the_certificates_of_a_company_are_the_whole_of_it():
    told = {c.certificate_id: c for c in FOUND.certificates}
    assert [c.company.company_id for c in FOUND.charters] == list(TITLE.companies)
    for charter in FOUND.charters:
        own = [*filter(None, [charter.director_certificate]), *charter.shares]
        assert sum(told[c].percent for c in own) == 100
        assert {told[c].company for c in own} == {charter.company.company_id}
        assert len(charter.bond_shares) == (10 if charter.national else 0)
        assert (charter.director_certificate == "") == charter.national == (charter.company.company_id == BOX.national)
        assert charter.exchange_tokens == (3 if charter.national else 0)
    listed = {c for charter in FOUND.charters for c in (charter.director_certificate, *charter.shares)} - {""}
    listed |= {c for charter in FOUND.charters for c in charter.bond_shares}
    listed |= {p.private_id for p in FOUND.private_companies} | set(FOUND.bonds.certificates)
    assert listed == set(told)


@pytest.mark.parametrize(
    "options",
    [OPTIONS, Options(players=("Ann", "Bob"), variant="dummy"), Options(players=("Ann", "Bob"), variant="removed")],
    ids=lambda o: o.variant,
)
def test_everything_that_lies_on_the_table_of_a_game_is_in_the_box(options):
    found = box_to_proto(options)
    certificates = {c.certificate_id for c in found.certificates}
    trains = {t for kind in found.trains for t in kind.trains}
    sides = {s.name for kind in found.trains for s in kind.sides}
    tiles, phases = {t.tile for t in found.tiles}, {p.phase.phase for p in found.phases}
    goods = {c.commodity.commodity_id for c in found.commodities}
    companies = {c.company.company_id for c in found.charters}
    seen: set[str] = set()

    def watch(before, action, state):
        places = [state.pool, state.market, state.bonds, state.bond_shares, state.dummy, state.unseen, state.gone]
        places += [*state.ipo, *(p.hand for p in state.players), *(p.certificates for p in state.players)]
        places += [c.certificates for c in state.companies.values()]
        cards = {card for place in places for card in place}
        assert cards <= certificates
        seen.update(cards)
        owned = [t for c in state.companies.values() for t in c.trains]
        assert {*state.depot, *state.used_trains, *owned} <= trains
        assert set(state.sides.values()) <= sides
        assert state.phase in phases
        assert {tile for tile, _ in state.tiles.values()} <= tiles
        assert set(state.unclaimed) <= goods
        assert {*state.companies, *state.absent} == companies
        assert len(state.spaces) == len(found.market)

    log = play(options, 9, watch=watch)
    assert log.replay().stage == "end"
    assert len(seen) > 100
    start = log.replay(0)
    assert start.players[0].cash == found.setup.cash
    assert len(start.players[0].hand) == found.setup.dealt
    assert [len(row) for row in start.ipo] == [found.setup.ipo_row] * found.setup.ipo_rows
    sizes = (len(start.market), len(start.dummy), len(start.unseen))
    assert sizes == (found.setup.open_market, found.setup.dummy, found.setup.unseen)
    first = log.actions[0]
    assert isinstance(first, Keep)
    assert len(first.cards) == found.setup.kept


def test_the_set_ups_are_those_of_the_rules():
    plain = [s for s in FOUND.setups if not s.variant]
    told = []
    for s in plain:
        limit = " / ".join(str(x.certificates) for x in s.certificate_limits)
        told.append([str(x) for x in (s.players, s.cash, limit, s.dealt, s.ipo_row, s.open_market, s.kept)])
    assert told == table("1.1")
    assert [[x.companies for x in s.certificate_limits] for s in plain] == [[10, 9, 8]] * 4
    assert [(s.variant, s.dealt, s.kept, s.unseen, s.dummy) for s in FOUND.setups if s.variant] == [
        ("removed", 13, 8, 4, 0),
        ("dummy", 13, 7, 0, 13),
    ]
    assert FOUND.setup == next(s for s in plain if s.players == 3)


def test_the_privates_are_those_of_the_rules():
    told = [[p.private_id, str(p.face_value), str(p.income)] for p in FOUND.private_companies]
    assert told == [[row[0], row[2], row[3]] for row in table("1.4")]
    sections = set(re.findall(r"^##+ ([0-9.]+) ", RULES, re.MULTILINE))
    for private in FOUND.private_companies:
        assert private.section in sections
        assert bool(private.power) == (private.private_id != "P1")
    assert [p.discount for p in FOUND.private_companies] == [0, 0, 0, 40, 0, 0]
    assert (len(FOUND.bonds.certificates), FOUND.bonds.price, FOUND.bonds.income) == (10, 100, 10)


def test_the_market_has_the_prices_where_companies_start_and_where_the_end_comes():
    assert [s.share_price for s in FOUND.market] == list(BOX.market)
    assert {c: s.share_price for s in FOUND.market for c in s.ipo_companies} == {
        c.id: c.ipo_price for c in TITLE.companies.values()
    }
    assert [s.share_price for s in FOUND.market if s.closes] == [0]
    assert [s.share_price for s in FOUND.market if s.ends] == [400, 420, 440, 460]


def test_trains_phases_tiles_and_goods_are_those_of_the_title():
    for kind, card in zip(FOUND.trains, TITLE.cards.values(), strict=True):
        assert (kind.card.card, len(kind.trains), kind.card.price) == (card.name, card.count, card.price)
        assert (kind.card.buy_back if kind.card.HasField("buy_back") else None) == card.buy_back
        assert [s.name for s in kind.sides] == list(card.sides)
        assert kind.phase_four == (card.name in box.FOURTH)
    assert [p.phase.phase for p in FOUND.phases] == list(TITLE.phases) == list(BOX.phases)
    assert [p.begins_with for p in FOUND.phases] == [p.begins for p in BOX.phases.values()]
    assert {t.tile: t.count for t in FOUND.tiles} == {n: t.count for n, t in TITLE.tiles.items()}
    assert sum(t.count for t in FOUND.tiles) == 228
    assert {c.commodity.commodity_id: dict(c.commodity.destinations) for c in FOUND.commodities} == {
        n: dict(c.destinations) for n, c in TITLE.commodities.items()
    }
    assert [c.commodity.commodity_id for c in FOUND.commodities if c.placed] == ["JEWELRY"]


def test_options_and_switches_are_told_with_their_defaults():
    known = {o.option_id: [v.value for v in o.values] for o in FOUND.game_options}
    assert known == {"start": list(STARTS), "variant": list(VARIANTS), "rules": list(RULE_SETS)}
    assert {name: list(texts) for name, texts in BOX.options.items()} == known
    default = Options()
    for option in FOUND.game_options:
        assert getattr(default, option.option_id) == option.values[0].value
    assert {s.switch_id: (*(s.rule_sets[r] for r in RULE_SETS), s.description) for s in FOUND.switches} == SWITCHES


@pytest.mark.parametrize("rules", RULE_SETS)
def test_switches_are_as_the_options_set_them(rules):
    options = replace(OPTIONS, rules=rules, switches=(("auto_pass", True), ("jewelry_per_destination", False)))
    found = box_to_proto(options)
    assert options_from_proto(found.options) == options
    assert {s.switch_id: s.on for s in found.switches} == {name: options.on(name) for name in SWITCHES}
    assert not any(c.each_destination for c in found.commodities)
    assert [c.commodity.commodity_id for c in FOUND.commodities if c.each_destination] == ["JEWELRY"]


def test_the_service_and_the_command_give_the_same(tmp_path, capsys):
    asked = ["game", "box", "--players", "2", "--variant", "dummy", "--rules", "18xx.games"]
    options = Options(("Player 1", "Player 2"), variant="dummy", rules="18xx.games")
    wanted = to_dict(box_to_proto(options))
    with served(tmp_path / "games.sqlite") as address, Games(address) as games:
        assert games.box(options) == wanted
        assert run([*asked, "--json", "--server", address]) == 0
    assert json.loads(capsys.readouterr().out) == wanted
    assert run([*asked, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == wanted


def test_the_command_prints_tables(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    assert run(["game", "box", "--players", "3"]) == 0
    out = capsys.readouterr().out
    lines = [" ".join(line.split()) for line in out.splitlines()]
    for line in (
        ">3 733 13 7 3×15 4 23 / 22 / 19",
        "4x3 3 1100 does not take it 4x3 or 4Ex3",
        "I the game the national railway does not operate",
        "manual_end off the players may end the game by off on",
        "OIL B17 D23 30",
        "Railroad Bonds RB0 to RB9: 100 each, 10 in each operating round",
    ):
        assert line in lines
    assert max(map(len, out.splitlines())) <= 100


@pytest.mark.parametrize(
    ("arguments", "code", "match"),
    [
        (["--players", "6"], 2, "6 is not in the range"),
        (["--variant", "dummy"], 3, "for 2 players, not 4"),
        (["--rules", "house"], 3, "rules: unknown value 'house'"),
        (["--switch", "x=on"], 3, "unknown switch 'x'"),
    ],
)
def test_options_that_cannot_be_are_named(capsys, arguments, code, match):
    assert run(["game", "box", *arguments]) == code
    assert match in " ".join(capsys.readouterr().err.split())


def test_options_without_players_are_named():
    with pytest.raises(LogError, match="2 to 5"):
        options_from_proto(type(FOUND.options)())
