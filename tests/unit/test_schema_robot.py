"""Robots that a scenario may have, and those that it may not."""

import math
import re

import numpy as np
import pytest

import proxops
from proxops.assembly.robot import build_lab, describe_robot, step_of
from proxops.scenario.load import parse_set

TWO_STEPS = {
    "fine": {"until_s": 10.0, "step_s": 0.0025},
    "coarse": {"until_s": 20.0, "step_s": 0.005},
}
SAME_STEPS = TWO_STEPS | {"coarse": {"until_s": 20.0, "step_s": 0.005, "substeps": 2}}


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("robot.renders", "arm", "robot.renders: must be 'hub' or 'spacecraft', found 'arm'"),
        ("robot.order", 3, "robot.order: must be 1 or 2, found 3"),
        ("robot.order", 0, "robot.order: must be 1 or 2, found 0"),
        ("robot.bandwidth_hz", 0.0, "robot.bandwidth_hz: must be greater than 0, found 0.0"),
        ("robot.bandwidth_hz", 200.0, "200 Hz is fast for steps of 0.0025 s: at most 127.3 Hz"),
        ("robot.sensor.filter_hz", 500.0, "robot.sensor.filter_hz: 500 Hz is fast for steps"),
        ("robot.delay_s", 0.031, "robot.delay_s: 0.031 s is not a whole number of steps of 0.0025"),
        ("robot.delay_s", -0.03, "robot.delay_s: must be greater than or equal to 0"),
        ("robot.delay_s", 11.0, "robot.delay_s: must be less than or equal to 10"),
        ("robot.control_rate_hz", 300.0, "control_rate_hz: 0.00333333 s is not a whole number"),
        ("robot.control_rate_hz", 1000.0, "control_rate_hz: 0.001 s is not a whole number"),
        ("robot.sensor.rate_hz", 150.0, "robot.sensor.rate_hz: 0.00666667 s is not a whole"),
        ("robot.sensor.delay_s", 0.004, "robot.sensor.delay_s: 0.004 s is not a whole number"),
        ("robot.sensor.noise_N", [0.1, -0.1, 0.0], "robot.sensor.noise_N.1: must be greater"),
        ("robot.sensor.noise_N_m", [0.1, 1e19, 0.0], "robot.sensor.noise_N_m.1: must be less"),
        ("robot.sensor.bias_N", [-1e19, 0.0, 0.0], "robot.sensor.bias_N.0: must be greater"),
        ("robot.sensor.bias_N", [0.1, 0.0], "robot.sensor.bias_N: too few numbers"),
        ("robot.bandwith_hz", 2.0, "unknown key; did you mean 'bandwidth_hz'?"),
        ("robot.probe.direction_L", [0.0, 0.0, 0.0], "direction_L: must have a length between"),
        ("robot.probe.direction_L", [1e300, 1e300, 0.0], "direction_L.0: must not be larger"),
        ("robot.probe.p_TA_m", [0.0, 1e5, 0.0], "p_TA_m: must be within 10000 m of the hub"),
        ("robot.probe.speed_m_s", 0.0, "robot.probe.speed_m_s: must be greater than 0"),
        ("robot.probe.stiffness_N_m", None, "stiffness_N_m: missing; Stiffness of its spring"),
        ("robot.probe.damping_N_s_m", math.nan, "damping_N_s_m: must be a finite number"),
        ("time.phases", TWO_STEPS, "robot: phase 'coarse' has steps of 0.005 s, phase 'fine' of"),
    ],
)
def test_what_no_robot_can_be_is_refused_with_its_place(key, value, says):
    with pytest.raises(proxops.InputError, match=re.escape(says)):
        proxops.load("flexible-rendered").replace({key: value})


def test_phases_may_differ_where_their_substeps_are_equally_long():
    scenario = proxops.load("flexible-rendered").replace({"time.phases": SAME_STEPS})
    assert step_of(scenario) == 0.0025


def test_a_robot_is_what_its_section_says():
    robot = proxops.load("flexible-rendered").mission.robot
    described = describe_robot(robot)
    assert (described.order, described.delay) == (1, 0.03)
    assert described.bandwidth == pytest.approx(15.708, abs=1e-3)  # 2.5 Hz
    sensor = described.sensor
    assert (sensor.period, sensor.delay) == (0.005, 0.005)
    assert sensor.bandwidth == pytest.approx(314.16, abs=1e-2)  # 50 Hz
    np.testing.assert_array_equal(sensor.noise, [0.02, 0.02, 0.02, 0.002, 0.002, 0.002])


@pytest.mark.parametrize(
    "texts",
    [
        ["robot.bandwidth_hz=2.5", "robot.delay_s=0.1"],
        ['robot={renders="hub", bandwidth_hz=2.5, delay_s=0.1}'],
        ["robot={}", "robot.delay_s=0.1", "robot.bandwidth_hz=2.5"],
    ],
)
def test_settings_give_a_robot_to_a_scenario_that_has_none(texts):
    scenario = proxops.load("flexible-symmetric")
    assert scenario.mission.robot is None
    robot = scenario.replace(dict(parse_set(text) for text in texts)).mission.robot
    assert (robot.renders, robot.bandwidth_hz, robot.delay_s) == ("hub", 2.5, 0.1)


def test_what_is_not_given_is_ideal():
    described = describe_robot(
        proxops.load("flexible-symmetric").replace({"robot": {}}).mission.robot
    )
    assert (described.order, described.delay, described.control_period) == (0, 0.0, 0.0)
    sensor = described.sensor
    assert (sensor.bandwidth, sensor.period, sensor.delay) == (0.0, 0.0, 0.0)
    assert not sensor.bias.any()
    assert not sensor.noise.any()


def test_the_drawn_back_tip_stands_a_gap_before_the_point():
    """Along the line, from where the point is at the start: 0.05 m before y = 0.5 × (-1) m, turned
    half a circle about z."""
    turned = {"target.q_NT": [0.0, 0.0, 0.0, 1.0], "robot.probe.direction_L": [0.0, -2.0, 0.0]}
    probe = build_lab(proxops.load("flexible-rendered").replace(turned)).rendering.probe
    np.testing.assert_allclose(probe.along, [0.0, -1.0, 0.0], atol=1e-15)
    assert probe.origin == pytest.approx(-0.5 - 0.05, abs=1e-12)


def test_a_hub_starts_on_the_robot_as_it_does_in_the_free_satellite():
    """Off the origin by what its bent beams weigh, 2 × 0.783 × 0.83 kg × 91.3 mm of 51.66 kg."""
    lab = build_lab(proxops.load("flexible-symmetric").replace({"robot": {}}))
    assert lab.state.y[1] == pytest.approx(-2.297e-3, abs=1e-6)
    assert [each.name for each in lab.carried] == ["left", "right"]
    assert lab.built.target.appendages == ()
