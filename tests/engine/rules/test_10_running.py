"""Row 10: trains run, through the solver or as the player draws; concessions are claimed (rules section 9)."""

import pytest

from tests.engine.tables import lay, operating, train
from tests.solver.service.fakes import served
from trunkline.engine import game
from trunkline.engine.actions import Pass, Run, TrainRun
from trunkline.engine.errors import RuleError
from trunkline.engine.rules import run
from trunkline.engine.state import DIVIDEND, RUN
from trunkline.solver import solve
from trunkline.solver.service.client import Client
from trunkline.solver.service.worker import Engine


def test_the_solver_finds_the_best_run_and_apply_takes_it():
    state = operating("EIR", step=RUN)
    lay(state, "P17", "235", 0)
    lay(state, "Q18", "9", 1)
    train(state, "EIR", "2")
    best = game.best_run(state)
    assert len(best.runs) == 1
    after = game.apply(state, best)
    assert after.operating.step == DIVIDEND
    assert after.operating.revenue == 80, "Kolkata 30, Haldia 10, Dhaka 30 + 10"
    assert run.evaluate(state, best.runs).total == solve(run.position(state)).total


@pytest.fixture
def kolkata():
    state = operating("EIR", step=RUN)
    lay(state, "P17", "235", 0)
    lay(state, "Q18", "9", 1)
    train(state, "EIR", "2")
    train(state, "EIR", "2")
    return state


def test_legal_actions_offer_the_best_run_when_a_solver_is_given(kolkata):
    found = game.legal_actions(kolkata, solver=solve)
    assert found[0] == game.best_run(kolkata)
    assert Run(0, ()) in found
    assert game.legal_actions(kolkata) != found


def test_any_solver_can_be_put_in_its_place(kolkata):
    asked = []

    def other(position):
        asked.append(position)
        return solve(position)

    game.best_run(kolkata, other)
    assert asked[0].company == "EIR"
    assert [t.name for t in asked[0].trains] == ["2", "2"]


def test_the_solver_may_be_a_server(kolkata):
    with served(Engine(), workers=1) as server, Client(f"127.0.0.1:{server.port}") as client:
        assert game.best_run(kolkata, client.solve) == game.best_run(kolkata)


def test_a_player_may_choose_a_worse_run_or_none(kolkata):
    after = game.apply(kolkata, Run(0, ()))
    assert after.operating.revenue == 0
    assert after.operating.step != DIVIDEND, "there is nothing to decide on"


def test_a_train_runs_once_and_must_be_owned(kolkata):
    one = game.best_run(kolkata).runs[0]
    with pytest.raises(RuleError, match="runs twice"):
        game.apply(kolkata, Run(0, (one, one)))
    with pytest.raises(RuleError, match="has no train '4-0'"):
        game.apply(kolkata, Run(0, (TrainRun("4-0", one.track),)))


def test_two_trains_may_not_use_the_same_track(kolkata):
    one = game.best_run(kolkata).runs[0]
    two = TrainRun("2-1" if one.train == "2-0" else "2-0", one.track)
    with pytest.raises(RuleError, match="used by"):
        game.apply(kolkata, Run(0, (one, two)))


@pytest.mark.parametrize(
    "track", [(), ((("Z1", 0),),), ((("Q18", 5),),), ((("Q18", -1),),), ((("Q18", 0),),), ((("P17", 0), ("P17", 0)),)]
)
def test_track_that_is_not_there_or_leads_nowhere_is_refused(kolkata, track):
    with pytest.raises(RuleError, match="rules section 9"):
        game.apply(kolkata, Run(0, (TrainRun("2-0", track),)))


def test_the_run_step_cannot_be_passed(kolkata):
    with pytest.raises(RuleError, match="cannot be passed"):
        game.apply(kolkata, Pass(0))


def test_a_company_without_trains_does_not_run():
    state = operating("EIR", step="token")
    state = game.apply(state, Pass(0))
    assert state.operating.step not in (RUN, DIVIDEND)


# --- concessions


def rice(state):
    """EIR from Kolkata over the rice of P15 to Nepal's neighbour China: P17-P15-...-Q10."""
    lay(state, "P17", "235", 3)
    lay(state, "P15", "9", 0)
    lay(state, "P13", "9", 0)
    lay(state, "P11", "8", 4)
    return state


def test_the_first_to_deliver_takes_the_concession_and_then_only_it_earns():
    state = rice(operating("EIR", "BNR", step=RUN))
    train(state, "EIR", "4", "4E")
    assert solve(run.position(state)).total == 30 + (30 + 20) + 30, "Kolkata, China ?+20, rice"
    after = game.apply(state, game.best_run(state))
    assert after.companies["EIR"].concessions == ["RICE"]
    assert "RICE" not in after.unclaimed
    position = run.position(after, "BNR")
    assert "RICE" not in position.open_concessions
    assert run.position(after, "EIR").held_concessions == {"RICE"}


def test_the_position_is_what_lies_on_the_table():
    state = rice(operating("EIR", "BNR", step=RUN, phase="III"))
    state.markers = [("P13", "P15")]
    state.map_changed()
    train(state, "EIR", "4", "4E")
    position = run.position(state)
    assert position.board.phase == "III"
    assert position.board.markers == {("P13", "P15")}
    assert {(t.company, t.hex) for t in position.board.tokens} == {("EIR", "P17"), ("BNR", "I20")}
    assert [t.name for t in position.trains] == ["4E"]
    assert "JEWELRY" not in position.open_concessions


@pytest.mark.parametrize("rules", ["rulebook", "18xx.games"])
def test_the_switches_of_the_solver_are_passed_on(rules):
    state = rice(operating("EIR", step=RUN, rules=rules))
    assert run.position(state).on("jewelry_per_destination") == (rules == "rulebook")
    state = operating("EIR", step=RUN, switches={"connection_requires_counted": True})
    assert run.position(state).on("connection_requires_counted")
