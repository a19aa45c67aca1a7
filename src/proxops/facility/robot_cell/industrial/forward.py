"""Where the links, the flange and the mock-up are, for given joints."""

import math
from typing import NamedTuple

from proxops.core.jit import helper, kernel
from proxops.core.spatial.pose import compose
from proxops.core.spatial.quaternion import put4
from proxops.core.spatial.vector import ZERO, put3
from proxops.facility.robot_cell.industrial.robot import (
    BASE_IN_LAB,
    MOCK_UP_ON_FLANGE,
    P,
    Q,
    angle_of,
    pose_of,
)

# Rows of a table of frames: the base, links 1 to 5 at their axes, link 6 as the flange
BASE, LINK_1, LINK_2, LINK_3, LINK_4, LINK_5, FLANGE = range(7)
FRAMES = 7

# Link 6 has x along its axis, the flange z: a quarter turn about y.
_ONTO_FLANGE = (math.sqrt(0.5), 0.0, math.sqrt(0.5), 0.0)
_ROTATES_ONLY = ZERO


class Arm(NamedTuple):
    """The arm in its own vertical plane [m]: x ahead of the base, z up."""

    radius: float  # of the wrist's centre from axis 1; negative behind it
    height: float  # of the wrist's centre above the base
    upper_x: float  # axis 2 to axis 3
    upper_z: float
    fore_x: float  # axis 3 to the wrist's centre
    fore_z: float


@helper
def angles(robot, joints):
    """θ of all axes [rad]."""
    q1, q2, q3, q4, q5, q6 = joints
    return (
        angle_of(robot, 0, q1),
        angle_of(robot, 1, q2),
        angle_of(robot, 2, q3),
        angle_of(robot, 3, q4),
        angle_of(robot, 4, q5),
        angle_of(robot, 5, q6),
    )


@helper
def get6(array):
    """The six numbers of an array."""
    return array[0], array[1], array[2], array[3], array[4], array[5]


@helper
def arm_in_plane(robot, theta2, theta3):
    """The arm in its vertical plane, as turned about axes 2 and 3 [rad]."""
    c2, s2 = math.cos(theta2), math.sin(theta2)
    c23, s23 = math.cos(theta2 + theta3), math.sin(theta2 + theta3)
    upper_x, upper_z = robot.a2 * c2, -robot.a2 * s2
    fore_x = robot.d4 * c23 + robot.a3 * s23
    fore_z = robot.a3 * c23 - robot.d4 * s23
    return Arm(
        robot.a1 + upper_x + fore_x,
        robot.d1 + upper_z + fore_z,
        upper_x,
        upper_z,
        fore_x,
        fore_z,
    )


@helper
def _about_x(angle):
    return math.cos(0.5 * angle), math.sin(0.5 * angle), 0.0, 0.0


@helper
def _about_y(angle):
    return math.cos(0.5 * angle), 0.0, math.sin(0.5 * angle), 0.0


@helper
def _about_z(angle):
    return math.cos(0.5 * angle), 0.0, 0.0, math.sin(0.5 * angle)


@helper
def chain(robot, joints):
    """X_LB and the poses in the lab of links 1 to 5 and of the flange, X_LK."""
    t1, t2, t3, t4, t5, t6 = angles(robot, joints)
    X_LB = pose_of(robot, BASE_IN_LAB)
    X_L1 = compose(X_LB, (_about_z(t1), (0.0, 0.0, robot.d1)))
    X_L2 = compose(X_L1, (_about_y(t2), (robot.a1, 0.0, 0.0)))
    X_L3 = compose(X_L2, (_about_y(t3), (robot.a2, 0.0, 0.0)))
    X_L4 = compose(X_L3, (_about_x(t4), (robot.d4, 0.0, robot.a3)))
    X_L5 = compose(X_L4, (_about_y(t5), _ROTATES_ONLY))
    X_L6 = compose(X_L5, (_about_x(t6), (robot.d6, 0.0, 0.0)))
    return X_LB, X_L1, X_L2, X_L3, X_L4, X_L5, compose(X_L6, (_ONTO_FLANGE, _ROTATES_ONLY))


@helper
def mock_up_of(robot, joints):
    """X_LM, the pose of the mock-up in the lab."""
    X_LK = chain(robot, joints)[FLANGE]
    return compose(X_LK, pose_of(robot, MOCK_UP_ON_FLANGE))


@helper
def put_pose(row, X):
    """Stores a pose as position and quaternion."""
    q, p = X
    put3(row, P, p)
    put4(row, Q, q)


@kernel
def link_frames(robot, joints, table):
    """Writes the poses in the lab of base, links and flange, FRAMES rows [m, wxyz]."""
    poses = chain(robot, get6(joints))
    for frame in range(FRAMES):
        put_pose(table[frame], poses[frame])


@kernel
def mock_up_pose(robot, joints, pose):
    """Writes the pose X_LM of the mock-up in the lab [m, wxyz]."""
    put_pose(pose, mock_up_of(robot, get6(joints)))
