"""Row 4: the two-player variants (rules section 2.2)."""

import pytest

from tests.engine.tables import NAMES, options, stock_round, take
from trunkline.engine import game
from trunkline.engine.actions import BuyFromHand, DrawDummy, Keep, Pass
from trunkline.engine.box.box import NATIONAL, company_of, is_private
from trunkline.engine.errors import LogError, RuleError
from trunkline.engine.invariants import violations
from trunkline.engine.options import Options
from trunkline.engine.state import DRAFT
from trunkline.engine.views import view


@pytest.mark.parametrize("seed", range(12))
def test_removed_certificates_are_four_ten_percent_shares_unseen(seed):
    state = game.new_game(options(2, variant="removed"), seed)
    assert len(state.unseen) == 4
    assert not any(map(is_private, state.unseen))
    assert [len(p.hand) for p in state.players] == [13, 13]
    assert [len(r) for r in state.ipo] == [18] * 3
    assert len(state.market) == 4
    assert violations(state) == []


def test_any_share_can_be_removed_also_of_the_national_railway():
    removed = {company_of(c) for seed in range(40) for c in game.new_game(options(2, variant="removed"), seed).unseen}
    assert NATIONAL in removed
    assert len(removed) > 10


def test_keep_eight_and_draft_nineteen():
    state = game.new_game(options(2, variant="removed"), 1)
    for seat in (0, 1):
        state = game.apply(state, Keep(seat, tuple(state.players[seat].hand[:8])))
    assert state.stage == DRAFT
    assert len(state.pool) == 19


def test_dummy_hand_is_set_up_as_for_three_but_for_money_and_limit():
    from trunkline.engine.rules import shares

    state = game.new_game(options(2, variant="dummy"), 1)
    assert [len(p.hand) for p in state.players] == [13, 13]
    assert len(state.dummy) == 13
    assert [len(r) for r in state.ipo] == [15] * 3
    assert len(state.market) == 4
    assert [p.cash for p in state.players] == [1100, 1100]
    assert shares.limit(state, 0) == 37
    for seat in (0, 1):
        state = game.apply(state, Keep(seat, tuple(state.players[seat].hand[:7])))
    assert len(state.pool) == 12 + 9
    assert len(state.dummy) == 13, "the dummy keeps all its cards"


@pytest.fixture
def bought():
    state = stock_round("NWR", "EIR", players=2, variant="dummy")
    top = state.dummy[0]
    state.players[0].hand = take(state, *[c for c in ("NWR_1", "NWR_2", "EIR_1", "EIR_2") if c in state.gone][:2])
    card = state.players[0].hand[0]
    return game.apply(state, BuyFromHand(0, (card,))), top


def test_after_a_purchase_from_the_hand_the_top_card_may_be_drawn(bought):
    state, top = bought
    assert game.actors(state) == (0,)
    assert {type(a) for a in game.legal_actions(state)} == {DrawDummy, Pass}
    after = game.apply(state, DrawDummy(0))
    assert top in after.players[0].hand
    assert top not in after.players[0].open_cards
    assert len(after.dummy) == 12
    assert game.actors(after) == (1,), "one draw a turn"


def test_the_draw_may_be_left(bought):
    state, top = bought
    after = game.apply(state, Pass(0))
    assert after.dummy[0] == top
    assert after.passes == [], "this is no pass of the turn"


def test_nobody_sees_the_dummy_or_the_removed_cards():
    state = game.new_game(options(2, variant="dummy"), 1)
    assert view(state, 0).dummy == ["?"] * 13
    state = game.new_game(options(2, variant="removed"), 1)
    assert view(state, 1).unseen == ["?"] * 4


def test_the_variants_are_for_two():
    for variant in ("removed", "dummy"):
        with pytest.raises(LogError, match="for 2 players"):
            Options(players=NAMES[:3], variant=variant)


def test_a_draw_at_another_time_is_refused():
    state = stock_round("NWR", players=2, variant="dummy")
    with pytest.raises(RuleError, match="not possible now"):
        game.apply(state, DrawDummy(0))


def test_the_draw_comes_also_when_cards_are_bought_one_by_one():
    """At the end of the turn, once, however many were bought."""
    state = stock_round("EIR", players=2, variant="dummy", rules="18xx.games", number=1)
    state.players[0].hand = take(state, *[c for c in state.gone if company_of(c) == "EIR"][:3])
    for card in state.players[0].hand[:2]:
        state = game.apply(state, BuyFromHand(0, (card,)))
        assert state.pending == []
    state = game.apply(state, Pass(0))
    assert game.legal_actions(state) == [DrawDummy(0), Pass(0)]
    state = game.apply(state, DrawDummy(0))
    assert len(state.dummy) == 12
    assert game.actors(state) == (1,)
