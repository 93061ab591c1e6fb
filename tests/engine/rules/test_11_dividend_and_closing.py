"""Row 11: dividend, price moves, trainless companies, closing, exchange tokens (rules sections 10.1, 10.4)."""

import pytest

from tests.engine.tables import cash, hold, lay, operating, take, train
from trunkline.engine import game
from trunkline.engine.actions import Dividend, ExchangeToken, Pass
from trunkline.engine.box.box import BOX
from trunkline.engine.errors import RuleError
from trunkline.engine.invariants import violations
from trunkline.engine.rules import market, shares
from trunkline.engine.state import DIVIDEND, TRAINS, PlacedToken


def set_price(state, company, price):
    c = state.companies[company]
    state.spaces[c.price].remove(company)
    c.price = BOX.market.index(price)
    state.spaces[c.price].append(company)


def earning(revenue, price=100, company="EIR", **kwargs):
    """A company about to decide on its revenue; it has a train."""
    state = operating(company, step=DIVIDEND, cash_=0, **kwargs)
    set_price(state, company, price)
    train(state, company, "2")
    from dataclasses import replace

    state.operating = replace(state.operating, revenue=revenue)
    return state


# --- paying


def test_a_tenth_for_each_share_to_players_and_companies_own_treasury_included():
    state = earning(120, players=3)
    hold(state, 1, "EIR_1", "EIR_2", "EIR_3")
    hold(state, "EIR", "EIR_4")
    state.market = take(state, "EIR_5")
    state.players[2].hand = take(state, "EIR_6")
    for seat in (0, 1, 2):
        cash(state, seat, 0)
    assert state.companies["EIR"].controller == 1
    bank = state.bank
    after = game.apply(state, Dividend(1, True))
    assert [p.cash for p in after.players] == [24, 36, 0], "20 % (two shares for the certificate), 30 %, nothing"
    assert after.companies["EIR"].cash == 12
    paid = sum(p.cash for p in after.players) + 12
    assert paid == 12 * 6, "not for the market, hands or IPO"
    assert after.bank == bank - paid


def test_retained_revenue_goes_into_the_treasury():
    state = earning(120)
    after = game.apply(state, Dividend(0, False))
    assert after.companies["EIR"].cash == 120


def test_more_than_a_hundred_percent_may_be_paid_with_converted_bonds():
    state = operating("GIPR", step=DIVIDEND, phase="IV")
    hold(state, 1, *(f"GIPR_{i}" for i in range(3, 15)))
    state.pending.clear()
    from dataclasses import replace

    train(state, "GIPR", "2")
    state.operating = replace(state.operating, revenue=100)
    bank = state.bank
    after = game.apply(state, Dividend(state.company.controller, True))
    assert bank - after.bank == 150


@pytest.mark.parametrize(
    ("revenue", "price", "moves"),
    [
        (10, 100, 0),
        (40, 100, 0),
        (50, 100, 1),
        (60, 100, 1),
        (190, 100, 1),
        (200, 100, 2),
        (290, 100, 2),
        (300, 100, 3),
        (400, 100, 4),
        (900, 100, 4),
        (60, 112, 1),
        (50, 112, 0),
    ],
)
def test_the_price_moves_by_the_revenue_paid(revenue, price, moves):
    state = earning(revenue, price)
    before = state.companies["EIR"].price
    after = game.apply(state, Dividend(0, True))
    assert after.companies["EIR"].price - before == moves


@pytest.mark.parametrize(("on", "moves"), [(True, 1), (False, 0)])
def test_exactly_half_the_price_moves_it_only_in_the_seeds_reading(on, moves):
    state = earning(50, 100, switches={"half_price_raises": on})
    before = state.companies["EIR"].price
    assert game.apply(state, Dividend(0, True)).companies["EIR"].price - before == moves


def test_retaining_moves_one_left():
    state = earning(120)
    before = state.companies["EIR"].price
    assert game.apply(state, Dividend(0, False)).companies["EIR"].price == before - 1


def test_the_marker_stays_at_the_right_end():
    state = earning(2000, 460)
    after = game.apply(state, Dividend(0, True))
    assert after.price("EIR") == 460


def test_a_marker_that_moves_comes_last_on_its_space():
    state = earning(60, 100)
    state.spaces[BOX.market.index(112)] = ["BNR"]
    after = game.apply(state, Dividend(0, True))
    assert after.spaces[BOX.market.index(112)] == ["BNR", "EIR"]


# --- guaranty


@pytest.mark.parametrize(("price", "per_share"), [(100, 5), (67, 3), (112, 5), (126, 6)])
def test_a_guaranty_company_that_pays_nothing_gives_five_percent_from_the_bank(price, per_share):
    state = earning(120, price)
    state.companies["EIR"].guaranty = True
    hold(state, 1, "EIR_1")
    hold(state, "EIR", "EIR_2")
    before = [p.cash for p in state.players]
    after = game.apply(state, Dividend(0, False))
    assert [p.cash - b for p, b in zip(after.players, before, strict=True)] == [2 * per_share, per_share, 0]
    assert after.companies["EIR"].cash == 120 + per_share
    assert after.price("EIR") == price, "the price stays"


def test_without_revenue_too_and_nobody_is_asked():
    state = operating("EIR", step="run")
    state.companies["EIR"].guaranty = True
    before = state.players[0].cash
    game.settle(state)
    assert state.operating.step == TRAINS
    assert state.players[0].cash == before + 10
    assert state.price("EIR") == 100


def test_without_revenue_or_guaranty_the_price_falls():
    state = operating("EIR", step="run")
    game.settle(state)
    assert state.price("EIR") == 90


def test_a_guaranty_company_that_pays_moves_like_any_other():
    state = earning(10)
    state.companies["EIR"].guaranty = True
    before = state.players[0].cash
    after = game.apply(state, Dividend(0, True))
    assert after.players[0].cash == before + 2
    assert after.price("EIR") == 100


# --- trainless, closing


def test_a_company_without_train_falls_once_more_at_the_end_of_its_turn():
    state = operating("EIR", "BNR", step="buy", cash_=0)
    state.bonds.clear()
    game.settle(state)
    assert state.price("EIR") == 90


def falling(*others, **kwargs):
    """EIR without train at the last price before 0; its turn is about to end."""
    state = operating("EIR", *others, step="buy", **kwargs)
    set_price(state, "EIR", 56)
    return state


def test_at_zero_it_closes_and_everything_goes_back():
    state = falling("BNR", cash_=70)
    train(state, "BNR", "2")
    hold(state, "EIR", "P1", "BNR_1", "RB0")
    hold(state, 1, "EIR_1")
    state.players[2].hand = take(state, "EIR_2", "BNR_2")
    state.ipo[0] = take(state, "EIR_3", "BNR_3")
    state.market = take(state, "EIR_4")
    state.companies["EIR"].concessions = ["RICE"]
    state.unclaimed.remove("RICE")
    bank = state.bank
    state = game.apply(state, Pass(0))
    c = state.companies["EIR"]
    assert c.closed
    assert not c.formed
    assert c.cash == 0
    assert state.bank >= bank + 70 - 30, "the treasury, less income of the next round"
    assert state.market == ["P1", "BNR_1"]
    assert "RB0" in state.bonds
    assert not any("EIR" in x for p in state.players for x in p.certificates + p.hand)
    assert state.ipo[0] == ["BNR_3"]
    assert not c.tokens
    assert shares.limit(state, 0) == 22
    assert "EIR" not in state.alive
    assert "RICE" in state.unclaimed
    assert violations(state) == []


def test_trains_go_to_the_open_market():
    state = earning(0, 56)
    first = state.companies["EIR"].trains[0]
    game.settle(state)
    assert state.companies["EIR"].closed
    assert state.used_trains == [first]
    assert first not in state.sides


@pytest.mark.parametrize(("returned", "there"), [(True, True), (False, False)])
def test_concessions_of_a_closed_company(returned, there):
    state = falling("BNR", switches={"return_concessions": returned})
    state.companies["EIR"].concessions = ["RICE"]
    state.unclaimed.remove("RICE")
    state = game.apply(state, Pass(0))
    assert ("RICE" in state.unclaimed) == there


def test_a_company_that_closes_in_the_dividend_step_ends_its_turn():
    state = operating("EIR", "BNR", step="run")
    set_price(state, "EIR", 56)
    game.settle(state)
    assert state.companies["EIR"].closed
    assert state.operating.company == "BNR"


def test_the_national_railway_replaces_the_home_token_and_others_as_its_manager_chooses():
    state = falling("GIPR", "BNR")
    lay(state, "H31", "57", 0)
    state.companies["GIPR"].tokens = [PlacedToken("M10", 0, 0)]
    state.companies["GIPR"].unplaced.pop(0)
    c = state.companies["EIR"]
    c.tokens += [PlacedToken("D3", 0, 0), PlacedToken("A16", 0, 0)]
    c.unplaced = []
    state.pending.clear()
    state.map_changed()
    state = game.apply(state, Pass(0))
    national = state.companies["GIPR"]
    assert national.tokens[-1] == PlacedToken("P17", 0, 0, exchange=True)
    assert national.exchange == 2
    assert game.actors(state) == (national.controller,)
    assert {type(a) for a in game.legal_actions(state)} == {ExchangeToken, Pass}
    with pytest.raises(RuleError, match="D3 is to be decided first"):
        game.apply(state, ExchangeToken(national.controller, "A16"))
    state = game.apply(state, Pass(national.controller))
    state = game.apply(state, ExchangeToken(national.controller, "A16"))
    assert state.companies["GIPR"].tokens[-1] == PlacedToken("A16", 0, 0, exchange=True)
    assert state.companies["GIPR"].exchange == 1
    assert state.companies["EIR"].closed
    assert len(state.companies["GIPR"].unplaced) == 3, "exchange tokens only"
    assert violations(state) == []


def test_not_where_it_has_a_token_and_not_without_exchange_tokens():
    for exchange, tokens in ((3, [PlacedToken("P17", 1, 0)]), (0, [PlacedToken("M10", 0, 0)])):
        state = falling("GIPR", "BNR")
        state.pending.clear()
        national = state.companies["GIPR"]
        national.tokens, national.exchange = tokens, exchange
        national.unplaced.pop(0)
        state.map_changed()
        state = game.apply(state, Pass(0))
        assert state.companies["GIPR"].exchange == exchange
        assert state.companies["GIPR"].tokens == tokens
        assert state.companies["EIR"].closed


def test_an_unformed_national_railway_replaces_nothing():
    state = falling("BNR")
    state = game.apply(state, Pass(0))
    assert state.companies["GIPR"].tokens == []


def test_a_share_that_comes_to_the_market_by_a_closing_can_form_a_company():
    state = falling("BNR")
    hold(state, 1, "GIPR_0", "GIPR_1")
    hold(state, "EIR", "GIPR_2")
    assert not state.companies["GIPR"].formed
    state = game.apply(state, Pass(0))
    assert state.companies["GIPR"].formed


def test_the_row_of_prices():
    assert BOX.market[0] == 0
    assert len(BOX.market) == 29
    assert BOX.market[-4:] == (400, 420, 440, 460)
    assert market.by_price(operating("EIR", "BNR")) == ["EIR", "BNR"]
