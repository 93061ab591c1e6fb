"""Row 1: deck and deal (rules sections 1.1, 1.3, 2)."""

import pytest

from tests.engine.tables import NAMES, options
from trunkline.engine import game
from trunkline.engine.box.box import BOX, NATIONAL, TITLE, company_of, face, is_private
from trunkline.engine.invariants import violations
from trunkline.engine.options import Options
from trunkline.engine.rules import setup


@pytest.mark.parametrize(
    ("players", "hand", "row", "market", "cash", "pool"),
    [(2, 15, 18, 4, 1100, 23), (3, 13, 15, 4, 733, 27), (4, 11, 13, 5, 550, 29), (5, 10, 12, 2, 440, 34)],
)
def test_the_table_of_the_seed(players, hand, row, market, cash, pool):
    state = game.new_game(options(players), 1)
    assert [len(p.hand) for p in state.players] == [hand] * players
    assert [len(r) for r in state.ipo] == [row] * 3
    assert len(state.market) == market
    assert [p.cash for p in state.players] == [cash] * players
    discards = players * (hand - setup.kept(state.options))
    assert len(state.pool) + discards == pool
    assert violations(state) == []


def test_the_deck_has_88_cards_without_the_directors_certificates():
    state = game.new_game(options(4), 2)
    deck = setup.deck(list(state.companies))
    assert len(deck) == len(set(deck)) == 88
    assert sum(map(is_private, deck)) == 6
    assert sum(company_of(c) == NATIONAL for c in deck) == 10
    assert state.pool == [f"{c}_0" for c in state.companies if c != NATIONAL]


@pytest.mark.parametrize("seed", range(8))
def test_three_companies_of_each_region_one_of_them_guaranty(seed):
    state = game.new_game(options(3), seed)
    assert len(state.companies) == 10
    for region in BOX.regions:
        there = [n for n in state.companies if TITLE.companies[n].region == region]
        assert len(there) == 3
        assert sum(state.companies[n].guaranty for n in there) == 1
    assert not state.companies[NATIONAL].guaranty
    assert len(state.absent) == 8
    assert not set(state.reserved) & set(state.absent)


@pytest.mark.parametrize("seed", range(8))
def test_the_bank_pays_for_shares_of_the_open_market_into_their_company(seed):
    state = game.new_game(options(4), seed)
    for name, c in state.companies.items():
        assert c.cash == sum(face(x) for x in state.market if company_of(x) == name)
    paid = sum(face(x) for x in state.market if not is_private(x))
    assert state.bank == 9000 - 4 * 550 - paid


def test_the_seed_decides_the_deal():
    assert game.new_game(options(4), 3) == game.new_game(options(4), 3)
    assert game.new_game(options(4), 3) != game.new_game(options(4), 4)


def test_a_known_deal_stays_the_same_in_every_version():
    state = game.new_game(Options(players=NAMES[:3]), 18)
    assert state.ipo[0][:3] == ["SIR_1", "BNR_1", "CGR_6"]
    assert state.players[0].hand[:3] == ["NWR_8", "MR_4", "GIPR_7"]


@pytest.mark.parametrize("count", [0, 1, 6])
def test_other_numbers_of_players_are_refused(count):
    from trunkline.engine.errors import LogError

    with pytest.raises(LogError, match="2 to 5"):
        Options(players=tuple(f"P{i}" for i in range(count)))


@pytest.mark.parametrize("rules", ["rulebook", "18xx.games"])
def test_a_secret_seed_deals_by_a_keyed_shuffle_whatever_the_options(rules):
    """The generator of 18xx.games has 31 bits of state: there all hands would follow from one."""
    seed = setup.secret_seed()
    assert seed.bit_length() > 128
    same = Options(NAMES[:3], rules=rules)
    state = setup.deal(same, seed)
    assert state == setup.deal(same, seed)
    assert not violations(state)
    # Under a linear congruence of 31 bits, seeds that agree in their last 31 bits deal the same.
    alike = [setup.deal(same, setup.SECRET_SEEDS[i << 31 | seed % 2**31]) for i in range(4)]
    assert len({repr(other.players) for other in alike}) == 4


def test_a_keyed_deal_stays_the_same():
    """Stored games replay: by this shuffle the seed gives these cards, now and later."""
    state = setup.deal(Options(NAMES[:3]), setup.SECRET_SEEDS[1])
    assert state.players[0].hand[:4] == ["CGR_6", "NCR_6", "SIR_7", "NCR_7"]


def test_secret_seeds_differ():
    assert len({setup.secret_seed() for _ in range(50)}) == 50
