"""Jacobian, joint rates and distances to singular poses of six-axis robots."""

import math

import numpy as np
import pytest

from proxops.core.spatial.pose import compose, inverse, log
from proxops.facility.robot_cell.industrial.jacobian import accelerations_for, jacobian, speeds_for
from proxops.facility.robot_cell.industrial.singularity import distances_to_singular
from tests.facility.industrial_cases import COUNTED_OTHERWISE, PLAIN, pose_of, random_joints

HOME = np.radians([10.0, -80.0, 100.0, 20.0, 40.0, 30.0])


def as_pose(row):
    return tuple(row[3:]), tuple(row[:3])


def twist_along(robot, joints, way, h=1e-5):
    """Twist of the mock-up while the joints go some way in unit time, from poses: log is odd, so
    the error is h² of third derivatives, 1e-10, as is the rounding over h."""
    back, ahead = pose_of(robot, joints - h * way), pose_of(robot, joints + h * way)
    v, w = log(compose(inverse(as_pose(back)), as_pose(ahead)))
    return np.array([*v, *w]) / (2.0 * h)


def jacobian_of(robot, joints):
    J = np.empty((6, 6))
    jacobian(robot, joints, J)
    return J


def test_the_jacobian_is_the_derivative_of_the_pose():
    rng = np.random.default_rng(1)
    for _ in range(20):
        joints = random_joints(COUNTED_OTHERWISE, rng)
        J = jacobian_of(COUNTED_OTHERWISE, joints)
        for axis, way in enumerate(np.eye(6)):
            twist = twist_along(COUNTED_OTHERWISE, joints, way)
            np.testing.assert_allclose(J[:, axis], twist, atol=1e-8)


def test_rates_of_the_joints_come_back_from_those_of_the_mock_up():
    """V̇ = J q̈ + J̇ q̇ with J̇ q̇ by a difference: h² of third derivatives and rounding over h, 1e-9,
    times what a nearly singular pose makes of it."""
    rng = np.random.default_rng(2)
    h = 1e-5
    for _ in range(50):
        q, qd, qdd = HOME + rng.uniform(-0.3, 0.3, 6), rng.normal(size=6), rng.normal(size=6)
        robot = PLAIN
        J = jacobian_of(robot, q)
        J_rate = (jacobian_of(robot, q + h * qd) - jacobian_of(robot, q - h * qd)) / (2.0 * h)
        V, V_rate = J @ qd, J @ qdd + J_rate @ qd
        pose = pose_of(robot, q)
        np.testing.assert_allclose(speeds_for(robot, q, pose, V), qd, atol=1e-12)
        np.testing.assert_allclose(accelerations_for(robot, q, pose, V, V_rate), qdd, atol=2e-7)


def test_distances_to_singular_poses_are_the_plain_lengths_and_angles():
    """Upper arm upright, forearm level ahead: the wrist's centre is 0.35 + 1 m ahead of axis 1 and
    1.15 - 0.041 m above the shoulder."""
    joints = np.radians([0.0, -90.0, 90.0, 0.0, 150.0, 0.0])
    left = distances_to_singular(PLAIN, joints)
    distance, forearm = math.hypot(1.0, 1.15 - 0.041), math.hypot(1.0, 0.041)
    assert left.shoulder == pytest.approx(1.35, abs=1e-12)
    assert left.outer == pytest.approx(1.15 + forearm - distance, abs=1e-12)
    assert left.inner == pytest.approx(distance - (1.15 - forearm), abs=1e-12)
    assert left.wrist == pytest.approx(math.radians(30.0), abs=1e-12)


@pytest.mark.parametrize(
    ("joints", "which"),
    [
        ([0.0, -1.0, 1.0, 0.3, 0.0, 0.2], "wrist"),
        ([0.0, -1.0, 1.0, 0.3, math.pi, 0.2], "wrist"),
        ([0.4, -1.0, math.atan2(-0.041, 1.0), 0.3, 0.5, 0.2], "outer"),
        ([0.4, -1.0, math.atan2(-0.041, 1.0) + math.pi, 0.3, 0.5, 0.2], "inner"),
    ],
)
def test_where_a_distance_vanishes_the_jacobian_is_singular_and_nowhere_else(joints, which):
    """The Jacobian's least singular value against one with all distances ample, 0.1 or so."""
    left = distances_to_singular(PLAIN, np.array(joints))._asdict()
    assert left.pop(which) == pytest.approx(0.0, abs=1e-12)
    assert min(left.values()) > 0.1
    assert np.linalg.svd(jacobian_of(PLAIN, np.array(joints)))[1].min() < 1e-12
    assert np.linalg.svd(jacobian_of(PLAIN, HOME))[1].min() > 0.05


def test_above_its_first_axis_the_robot_cannot_go_sideways():
    """Forearm bent back until the wrist's centre is above axis 1: radius 0 by the choice of θ₂."""
    bend = math.radians(120.0)
    forearm = math.hypot(1.0, 0.041)
    # a1 + a2 cos θ₂ + l cos(θ₂ + bend) = 0 solved for θ₂
    x, y = 1.15 + forearm * math.cos(bend), -forearm * math.sin(bend)
    lift = -math.acos(-0.35 / math.hypot(x, y)) + math.atan2(y, x)
    joints = np.array([0.3, lift, bend + math.atan2(-0.041, 1.0), 0.2, 0.6, 0.1])
    assert distances_to_singular(PLAIN, joints).shoulder == pytest.approx(0.0, abs=1e-12)
    assert np.linalg.svd(jacobian_of(PLAIN, joints))[1].min() < 1e-12
