"""Rates of a vehicle from its poses alone."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from proxops.facility.arena.motion_capture import CapturedMotion, rotation_between, turned

V, W = np.array([0.3, -0.2, 0.1]), np.array([0.4, -0.5, 0.6])
START = Rotation.from_euler("ZYX", [2.5, 0.3, -0.4])


def quaternion(rotation: Rotation) -> tuple[float, ...]:
    return tuple(rotation.as_quat(scalar_first=True).tolist())


def moving(times) -> CapturedMotion:
    """Steady velocity V in L and rate W in V."""
    motion = CapturedMotion()
    for t in times:
        motion.take(t, tuple((V * t).tolist()), quaternion(START * Rotation.from_rotvec(W * t)))
    return motion


def test_rates_are_those_of_a_steady_motion():
    pose = moving(np.arange(20) * 0.01).pose()
    assert pose.v_LV == pytest.approx(V)
    assert pose.w_LV_V == pytest.approx(W)


def test_a_state_is_moved_on_by_its_velocity():
    state = moving(np.arange(20) * 0.01).state_after(0.05)
    assert state[:3] == pytest.approx(V * 0.24)
    assert state[3:6] == pytest.approx(V)


def test_one_pose_has_no_rates_and_none_is_no_pose():
    assert CapturedMotion().pose() is None
    assert CapturedMotion().state_after(0.0) is None
    assert moving([1.0]).pose().v_LV == (0.0, 0.0, 0.0)


def test_old_poses_are_dropped_and_a_clock_that_begins_anew_is_followed():
    motion = moving([5.0, 5.01, 5.005])
    assert motion.time_s == 5.01
    motion.take(0.0, (9.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0))
    assert motion.time_s == 0.0
    assert motion.pose().v_LV == (0.0, 0.0, 0.0)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_rotations_lead_from_one_attitude_to_the_other(sign):
    q, r = quaternion(START), (0.3, -0.1, 0.7)
    to = tuple(sign * each for each in turned(q, r))
    assert rotation_between(q, to) == pytest.approx(r)
    assert turned(q, r) == pytest.approx(quaternion(START * Rotation.from_rotvec(r)))
    assert rotation_between(q, q) == pytest.approx((0.0, 0.0, 0.0), abs=1e-12)
