"""Joint references, joint control and motors."""

import numpy as np
import pytest

from proxops.actuators.motors import Motors, apply
from proxops.core.jit import kernel
from proxops.onboard.functions.joint_control import ArmTask, ask, build, reference

CONTROL = build(
    [
        ArmTask(
            np.array([0.2, -1.0]),
            np.array([10.0, 20.0]),
            np.array([3.0, 4.0]),
            [(2.0, np.array([1.2, -1.0])), (6.0, np.array([-0.8, 3.0]))],
        ),
        ArmTask(np.array([0.5]), np.zeros(1), np.zeros(1), []),
    ]
)


@kernel
def reference_of(control, joint, t):
    """`reference`, callable from Python."""
    return reference(control, joint, t)


@kernel
def asked_of(control, t, q, qd, asked):
    """`ask`, callable from Python."""
    ask(control, t, q, qd, asked)


@kernel
def given_of(motors, asked, rates, applied):
    """`apply`, callable from Python."""
    apply(motors, asked, rates, applied)


@pytest.mark.parametrize(
    ("t", "pose"), [(0.0, 0.2), (1.0, 0.7), (2.0, 1.2), (4.0, 0.2), (6.0, -0.8), (99.0, -0.8)]
)
def test_the_reference_passes_start_waypoints_and_their_middles(t, pose):
    assert reference_of(CONTROL, 0, t)[0] == pytest.approx(pose, abs=1e-15)


@pytest.mark.parametrize("t", [0.0, 2.0, 6.0, 9.0])
def test_the_reference_rests_at_every_waypoint(t):
    assert reference_of(CONTROL, 1, t)[1] == 0.0


@pytest.mark.parametrize("t", [0.3, 1.7, 3.1, 5.9])
def test_the_reference_speed_is_the_derivative_of_the_reference(t):
    h = 1e-5
    slope = (reference_of(CONTROL, 0, t + h)[0] - reference_of(CONTROL, 0, t - h)[0]) / (2.0 * h)
    # h² q⃛/6 ≈ 1e-10, rounding 1e-16/h = 1e-11
    assert reference_of(CONTROL, 0, t)[1] == pytest.approx(slope, abs=1e-9)


def test_control_pulls_towards_the_reference_and_its_speed():
    asked = np.zeros(3)
    q = np.array([0.1, -1.2, 0.9])
    qd = np.array([0.3, -0.1, 0.4])
    asked_of(CONTROL, 0.0, q, qd, asked)
    assert asked == pytest.approx([10.0 * 0.1 - 3.0 * 0.3, 20.0 * 0.2 + 4.0 * 0.1, 0.0], abs=1e-14)


def test_motors_give_what_is_asked_up_to_their_limit():
    applied, fast = np.zeros(4), np.full(4, 1e9)
    motors = Motors(np.array([5.0, 5.0, 5.0, np.inf]), np.full(4, np.inf))
    given_of(motors, np.array([3.0, 7.0, -7.0, 1e6]), fast, applied)
    assert applied.tolist() == [3.0, 5.0, -5.0, 1e6]
