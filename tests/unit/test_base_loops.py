"""Sampled control of the base: where it is unstable, and what is said about it."""

import numpy as np
import pytest

import proxops
from proxops.assembly.base_loops import unstable_base_control
from proxops.assembly.joint_loops import JointLoop, growth
from proxops.results.warnings import foreseen

BESIDE = 1e-3  # of a bound, on either side of it
MISSION = proxops.load("approach-1km")
PULSE = MISSION.mission.obsw.platform.pulse_period_s
SLOWEST = max(
    leg.periods_s.get("base_control", 0.0) for leg in MISSION.mission.obsw.plan.legs.values()
)


def growth_of(omega, zeta, T):
    """Of the sampled double integrator, by the eigenvalues of one cycle."""
    gains = np.array([[omega**2]]), np.array([[2.0 * zeta * omega]])
    return growth(JointLoop(np.eye(1), np.zeros((1, 1)), *gains, period=T))


@pytest.mark.parametrize("zeta", [0.3, 0.5, 0.7, 1.0, 2.0])
@pytest.mark.parametrize("key", ["", "attitude_"])
def test_a_warning_comes_where_the_eigenvalues_of_a_cycle_leave_the_unit_circle(key, zeta):
    T = SLOWEST if key else max(SLOWEST, PULSE)  # the chaser has wheels
    highest = min(1.0 / zeta, 4.0 * zeta) / T
    for omega in ((1.0 - BESIDE) * highest, (1.0 + BESIDE) * highest):
        given = {f"{key}bandwidth_rad_s": omega, f"{key}damping_ratio": zeta}
        scenario = MISSION.replace({f"obsw.control.{k}": v for k, v in given.items()})
        warned = [path for path, _ in unstable_base_control(scenario)]
        assert (growth_of(omega, zeta, T) > 1.0) == (omega > highest)
        assert warned == [("obsw", "control", f"{key}bandwidth_rad_s")] * (omega > highest)


def test_a_leg_that_slows_control_down_is_named_with_the_cure():
    scenario = MISSION.replace({"obsw.plan.legs.hold_100.periods_s": {"base_control": 60.0}})
    [said] = [text for text in foreseen(scenario) if text.startswith("obsw.control.bandwidth")]
    assert (
        "lower it below 0.0167 rad/s: in leg 'hold_100' control holds its commands for 60 s" in said
    )


def test_without_wheels_attitude_waits_for_pulses_too():
    scenario = MISSION.replace({"obsw.control.attitude_bandwidth_rad_s": 0.99 / SLOWEST})
    assert not unstable_base_control(scenario)
    slow = {"obsw.platform.pulse_period_s": 4.0 * SLOWEST, "chaser.wheels": None}
    assert [path[-1] for path, _ in unstable_base_control(scenario.replace(slow))][-1:] == [
        "attitude_bandwidth_rad_s"
    ]


def test_shipped_missions_are_stable():
    for name in ("approach-1km", "approach-rbar", "moon-approach", "berthing", "servicing-day"):
        assert not unstable_base_control(proxops.load(name))
