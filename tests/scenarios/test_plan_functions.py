"""Functions on board that legs of a plan start and stop: the boost as a leg, flown twice."""

import numpy as np
import pytest

import proxops
from proxops.onboard.functions.plan.function import step as plan_step

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


class Counter:
    """A function of the user's own that notes when it runs."""

    name = "counter"
    times: tuple[float, ...] = ()

    def run(self, measurements, estimates, commands):
        Counter.times = (*Counter.times, float(measurements.t))


def counted(**legs):
    Counter.times = ()
    scenario = proxops.load("approach-1km", extensions=[Counter]).replace(
        {
            "time.duration_s": 6.0,
            "requirements": None,
            "dispersions": None,
            "obsw.functions.counter": {},
            "obsw.plan": {"legs": legs},
        }
    )
    return scenario, proxops.simulate(scenario)


def test_a_function_runs_at_the_period_of_the_leg_and_that_is_data():
    slow = {"does": "rest", "settle_s": 3.0, "next": "fast", "periods_s": {"counter": 1.0}}
    fast = {"does": "rest"}
    counted(slow=slow, fast=fast)
    # once a second, then each control period: 0.2 s
    wanted = [0.0, 1.0, 2.0, *np.arange(3.0, 6.0, 0.2)]
    np.testing.assert_allclose(Counter.times, wanted, atol=1e-9)
    versions = len(plan_step.signatures)
    counted(slow={**slow, "periods_s": {"counter": 0.6, "base_control": 0.4}}, fast=fast)
    np.testing.assert_allclose(
        Counter.times, [*np.arange(0.0, 3.0, 0.6), *np.arange(3.0, 6.0, 0.2)], atol=1e-9
    )
    assert len(plan_step.signatures) == versions


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"plan.legs.to_100.periods_s.base_control": 0.3}, "0.3 s is no multiple of the control"),
        ({"plan.legs.to_10.periods_s.guidance": 2.5}, "2.5 s is no multiple of obsw.guidance.comp"),
        ({"plan.legs.evade.periods_s": {"base_control": 1.0}}, "burns for whole periods of contr"),
        (
            {"guidance.replan_s": 20.5},
            "20.5 s is no multiple of obsw.guidance.computing_delay_s, 1",
        ),
        ({"guidance.computing_delay_s": 0.5}, "0.5 s is no multiple of the control period, 0.2 s"),
    ],
)
def test_periods_that_cannot_be_are_rejected_when_read(changes, text):
    with pytest.raises(proxops.InputError, match=text):
        proxops.load("approach-1km").replace({f"obsw.{key}": v for key, v in changes.items()})
