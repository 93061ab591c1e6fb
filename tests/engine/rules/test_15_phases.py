"""Row 15: the phases and all their effects (rules section 1.7)."""

import pytest

from tests.engine.tables import hold, lay, operating, stock_round, train
from trunkline.engine import game
from trunkline.engine.actions import BuyTrain, ConvertBond, LayTile
from trunkline.engine.box.box import TITLE
from trunkline.engine.state import TRAINS


def test_the_phases_in_order():
    assert list(TITLE.phases) == ["I", "II", "III", "III'", "IV"]


@pytest.mark.parametrize("phase", list(TITLE.phases))
def test_in_every_phase_two_trains_and_every_colour(phase):
    state = operating("EIR", step=TRAINS, phase=phase)
    train(state, "EIR", "2")
    train(state, "EIR", "2")
    assert not game.allowed(state, BuyTrain(0, state.depot[0], "bank", 180, "2"))
    state = operating("BNR", phase=phase)
    for tile in ("57", "14", "611"):
        lay(state, "I20", tile, 0)
        assert any(isinstance(a, LayTile) and a.hex == "I20" for a in game.legal_actions(state))


@pytest.mark.parametrize("card", ["3x2", "3x3", "4x2", "4x3"])
def test_phase_four_ends_the_guaranty_of_all(card):
    state = operating("EIR", "BNR", step=TRAINS, phase="III'", cash_=2000)
    for t in [t for t in state.depot if t.rpartition("-")[0] in ("2", "3", "4")]:
        state.depot.remove(t)
        state.used_trains.append(t)
    state.companies["BNR"].guaranty = True
    state = game.apply(state, BuyTrain(0, f"{card}-0", "bank", TITLE.cards[card].price, card))
    assert state.phase == "IV"
    assert not any(c.guaranty for c in state.companies.values())


@pytest.mark.parametrize(("phase", "possible"), [("I", False), ("II", False), ("III'", False), ("IV", True)])
def test_bonds_are_converted_from_phase_four_on(phase, possible):
    state = stock_round("BNR")
    hold(state, 0, "RB0")
    state.phase = phase
    assert game.allowed(state, ConvertBond(0)) == possible


def test_a_stock_round_is_followed_by_two_operating_rounds():
    from tests.engine.tables import all_pass
    from trunkline.engine.actions import Pass

    state = stock_round("BNR")
    hold(state, 0, "BNR_0")
    state = all_pass(state)
    seen = []
    while state.round == 2:
        if (state.round, state.operating_round) not in seen:
            seen.append((state.round, state.operating_round))
        state = game.apply(state, Pass(0))
    assert seen == [(2, 1), (2, 2)]
    assert state.stage == "stock"
    assert state.round == 3


def test_selling_a_train_does_not_turn_back_the_phase():
    from trunkline.engine.actions import SellTrain

    state = operating("EIR", step=TRAINS, phase="III")
    state = game.apply(state, SellTrain(0, train(state, "EIR", "4")))
    assert state.phase == "III"
