"""Robots for the tests: a KR 120 somewhere in the lab with a mock-up on its flange."""

from dataclasses import replace

import numpy as np

from proxops.core.description import RigidInertia, point_inertia
from proxops.facility.robot_cell.industrial.forward import mock_up_pose
from proxops.facility.robot_cell.industrial.kr120 import KR120
from proxops.facility.robot_cell.industrial.robot import LOWER, UPPER, Placement, build

X_LB = np.array([1.2, -0.7, 0.3, *(np.array([0.9, 0.1, -0.2, 0.4]) / np.sqrt(1.02))])
X_KM = np.array([0.2, -0.1, 0.4, *(np.array([0.5, 0.7, -0.1, 0.5]) / 1.0)])
MASS, COM = 60.0, np.array([0.15, -0.05, 0.1])
ABOUT_COM = np.array([[4.0, 0.3, -0.2], [0.3, 5.0, 0.1], [-0.2, 0.1, 6.0]])
LOAD = RigidInertia(MASS, COM, ABOUT_COM + point_inertia(MASS, COM))
# The same with other senses and zeros: nothing may depend on the maker's way to count.
OTHER = replace(
    KR120,
    name="other",
    signs=(1.0, -1.0, 1.0, 1.0, -1.0, 1.0),
    offsets=(0.3, -1.5, 0.8, 0.0, 0.1, -2.0),
    lower=(-3.2, -1.9, -2.0, -6.0, -2.1, -6.0),
    upper=(3.2, 0.6, 1.9, 6.0, 2.1, 6.0),
    a3=0.25,
    d4=1.3,
)
TILTED = build(KR120, Placement(X_LB, X_KM, LOAD))
PLAIN = build(KR120, Placement())
COUNTED_OTHERWISE = build(OTHER, Placement(X_LB, X_KM, LOAD))


def random_joints(robot, rng):
    """Anywhere in the ranges."""
    return rng.uniform(robot.joints[:, LOWER], robot.joints[:, UPPER])


def pose_of(robot, joints):
    """X_LM [m, wxyz]."""
    pose = np.empty(7)
    mock_up_pose(robot, np.array(joints, dtype=float), pose)
    return pose


def apart(X, Y):
    """Largest difference of two poses; ±q is the same rotation."""
    same = np.sign(X[3:] @ Y[3:])
    return max(np.abs(X[:3] - Y[:3]).max(), np.abs(X[3:] - same * Y[3:]).max())
