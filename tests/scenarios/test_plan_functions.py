"""Functions on board that legs of a plan start and stop: the boost as a leg, flown twice."""

import numpy as np
import pytest

import proxops

THRUST, MASS, BURN = 2.0, 306.0, 20.0  # of two engines [N]; with its wheels [kg]; [s]
LEGS = {
    "wait": {"does": "rest", "settle_s": 100.0, "next": "push"},
    "push": {"does": "run", "runs": ["boost"], "settle_s": 50.0, "next": "wait_more"},
    "wait_more": {"does": "rest", "settle_s": 50.0, "next": "again"},
    "again": {"does": "run", "runs": ["boost"]},
}


def mission(legs):
    engines = ["plus_x_a", "plus_x_b"]
    boost = {"engines": engines, "from_s": 0.0, "duration_s": BURN, "modulation": "none"}
    return proxops.load("approach-1km").replace(
        {
            "time.duration_s": 300.0,
            "requirements": None,
            "dispersions": None,
            "obsw.boost": boost,
            "obsw.plan": {"legs": legs},
        }
    )


def test_a_boost_is_flown_in_each_leg_that_runs_it_from_its_beginning():
    run = proxops.simulate(mission(LEGS))
    assert [(phase.name, phase.start_s) for phase in run.phases] == [
        ("wait", 0.0), ("push", 100.0), ("wait_more", 150.0), ("again", 200.0),
    ]  # fmt: skip
    t, spent = run["chaser.delta_v"]
    found = np.interp([100.0, 110.0, 150.0, 200.0, 210.0, 300.0], t, spent.ravel())
    once = THRUST * BURN / MASS
    np.testing.assert_allclose(found, np.array([0, 0.5, 1, 1, 1.5, 2]) * once, rtol=1e-6, atol=1e-9)
    boosts = [event.t_s for event in run.events if event.name == "boost-begins"]
    assert boosts == [100.0, 200.0]
    assert run.ledger.closed


def test_of_a_function_that_a_leg_stops_no_command_stays():
    """The leg ends in the middle of the burn: valves close."""
    cut = {**LEGS, "push": {**LEGS["push"], "settle_s": 5.0}}
    run = proxops.simulate(mission(cut))
    t, spent = run["chaser.delta_v"]
    found = np.interp([105.2, 154.0], t, spent.ravel())
    # valves have closed within the control period of 0.2 s; what is left is rounding
    assert found[1] == pytest.approx(THRUST * 5.0 / MASS, abs=THRUST * 0.2 / MASS)
    assert found[0] == pytest.approx(found[1], abs=THRUST * 0.2 / MASS)


def test_a_leg_that_runs_what_is_not_on_board_is_rejected_by_name():
    wrong = {**LEGS, "again": {"does": "run", "runs": ["bost"]}}
    with pytest.raises(proxops.ProxopsError, match=r"legs.again.runs: there is no function 'bost'"):
        proxops.simulate(mission(wrong))
