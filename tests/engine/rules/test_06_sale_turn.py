"""Row 6: the sale turn of a stock round (rules section 5)."""

import pytest

from tests.engine.tables import all_pass, cash, give, hold, stock_round
from trunkline.engine import game
from trunkline.engine.actions import BuyBond, BuyFromMarket, Pass, Sell
from trunkline.engine.errors import RuleError
from trunkline.engine.invariants import violations
from trunkline.engine.rules import shares


def sale(*companies, **kwargs):
    """A stock round that begins with its sale turn."""
    state = stock_round(*companies, **kwargs)
    state.moves = 0
    return state


def test_each_player_gets_one_sale_turn_and_then_buying_begins():
    state = sale("BNR")
    with pytest.raises(RuleError, match="nothing is bought in the sale turn"):
        game.apply(state, BuyBond(0))
    state = all_pass(state)
    assert game.actors(state) == (0,)
    state = game.apply(state, BuyBond(0))
    with pytest.raises(RuleError, match="only in the sale turn"):
        game.apply(state, Sell(1, ("BNR_1",)))


def test_there_is_no_sale_turn_in_the_first_stock_round():
    state = sale("BNR", number=1)
    assert game.allowed(state, BuyBond(0))


def test_what_each_thing_brings():
    state = sale("BNR", "EIR")
    hold(state, 0, "BNR_0", "BNR_1", "EIR_1", "P4", "RB0")
    state.companies["BNR"].price += 3  # 82 to 112
    cash(state, 0, 0)
    for certificate, brings in (("BNR_1", 112), ("EIR_1", 100), ("P4", 75), ("RB0", 100)):
        before = state.players[0].cash
        bank = state.bank
        state = game.apply(state, Sell(0, (certificate,)))
        assert state.players[0].cash - before == brings == bank - state.bank
    assert state.market == ["BNR_1", "EIR_1", "P4"]
    assert state.bonds[-1] == "RB0"


def test_selling_moves_no_price_and_ends_no_turn():
    state = sale("BNR")
    hold(state, 0, "BNR_0", "BNR_1", "BNR_2", "BNR_3")
    before = state.price("BNR")
    state = game.apply(state, Sell(0, ("BNR_1", "BNR_2")))
    state = game.apply(state, Sell(0, ("BNR_3",)))
    assert state.price("BNR") == before
    assert game.actors(state) == (0,)
    assert game.actors(game.apply(state, Pass(0))) == (1,)


def test_no_limit_by_what_lies_in_the_market():
    state = sale("BNR")
    state.market = [f"BNR_{i}" for i in range(1, 6)]
    for c in state.market:
        state.gone.remove(c)
    hold(state, 0, "BNR_6", "BNR_7", "BNR_8")
    state = game.apply(state, Sell(0, ("BNR_6", "BNR_7", "BNR_8")))
    assert len(state.market) == 8


def test_a_directors_certificate_needs_a_successor_with_twenty_percent():
    state = sale("BNR")
    hold(state, 0, "BNR_0")
    hold(state, 1, "BNR_1")
    with pytest.raises(RuleError, match="becomes Director"):
        game.apply(state, Sell(0, ("BNR_0",)))
    hold(state, 1, "BNR_2")
    state = game.apply(state, Sell(0, ("BNR_0",)))
    assert state.companies["BNR"].controller == 1
    assert state.players[1].certificates == ["BNR_0"]
    assert sorted(state.market) == ["BNR_1", "BNR_2"], "never the Director's certificate itself"
    assert state.percent(0, "BNR") == 0
    assert violations(state) == []


def test_who_stays_the_largest_cannot_sell_the_certificate():
    state = sale("BNR")
    hold(state, 0, "BNR_0", "BNR_3", "BNR_4")
    hold(state, 1, "BNR_1", "BNR_2")
    with pytest.raises(RuleError, match="sell ten-percent shares"):
        game.apply(state, Sell(0, ("BNR_0",)))
    state = game.apply(state, Sell(0, ("BNR_0", "BNR_3")))
    assert state.companies["BNR"].controller == 1
    assert len(state.market) == 3


def test_control_passes_when_ten_percent_shares_are_sold():
    state = sale("BNR")
    hold(state, 0, "BNR_0", "BNR_1", "BNR_2")
    hold(state, 1, "BNR_3", "BNR_4", "BNR_5")
    state = game.apply(state, Sell(0, ("BNR_1", "BNR_2")))
    assert state.companies["BNR"].controller == 1
    assert "BNR_0" in state.players[1].certificates
    assert state.percent(0, "BNR") == 20
    assert state.percent(1, "BNR") == 30


def test_over_the_certificate_limit_one_must_sell():
    state = sale("BNR", "EIR", players=3)
    limit = shares.limit(state, 0)
    assert limit == 23
    cards = [c for c in state.gone if c.endswith(("_1", "_2", "_3")) and "GIPR" not in c][: limit + 1]
    for c in cards:
        state.gone.remove(c)
    state.players[0].certificates = cards
    for name in state.companies:
        shares.update_control(state, name)
    with pytest.raises(RuleError, match="over the limit of 23"):
        game.apply(state, Pass(0))
    state = game.apply(state, Sell(0, (cards[0],)))
    assert game.allowed(state, Pass(0))


def test_the_limit_falls_with_the_companies_that_close():
    state = sale("BNR")
    assert [shares.limit(state, 0)] == [23]
    names = list(state.companies)
    for closed, limit in ((1, 22), (2, 19), (3, 19)):
        for name in names[:closed]:
            state.companies[name].closed = True
        assert shares.limit(state, 0) == limit


@pytest.mark.parametrize("certificates", [(), ("BNR_5",), ("BNR_1", "BNR_1"), ("nothing",)])
def test_only_what_is_owned_can_be_sold_and_once(certificates):
    state = sale("BNR")
    hold(state, 0, "BNR_1", "BNR_2")
    with pytest.raises(RuleError):
        game.apply(state, Sell(0, certificates))


@pytest.mark.parametrize(("counts", "order"), [(False, [1, 2, 0]), (True, [0, 1, 2])])
def test_a_pass_in_the_sale_turn_counts_for_the_turn_order_only_with_the_switch(counts, order):
    state = sale("BNR", switches={"sale_pass_counts": counts})
    state = all_pass(state)
    give(state, 0, 100)
    if counts:
        state = all_pass(state)
    else:
        state = game.apply(state, BuyBond(0))
        for seat in (1, 2, 0):
            state = game.apply(state, Pass(seat))
    assert state.order == order


def test_what_was_sold_in_this_round_may_be_bought_back():
    state = sale("BNR")
    hold(state, 0, "BNR_0", "BNR_1")
    state = game.apply(state, Sell(0, ("BNR_1",)))
    state = all_pass(state)
    state = game.apply(state, BuyFromMarket(0, "BNR_1"))
    assert state.percent(0, "BNR") == 30
