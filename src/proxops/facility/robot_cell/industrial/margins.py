"""How much is left to every limit of a robot in a moment, as one row of numbers.

A margin is 1 where there is most to spare (mid-range, at rest, unloaded), 0 at the limit and
negative beyond it, so that the least of them names the limit that matters.
"""

import math
from typing import NamedTuple

import numpy as np

from proxops.core.jit import helper, part
from proxops.core.spatial.quaternion import quat_to_rotation
from proxops.core.spatial.vector import cross, mul_t, norm, sub
from proxops.facility.robot_cell.industrial import robot as of
from proxops.facility.robot_cell.industrial.inverse import TOO_FAR, TOO_NEAR
from proxops.facility.robot_cell.industrial.jacobian import joint_accelerations, joint_speeds
from proxops.facility.robot_cell.industrial.load import load_wrench
from proxops.facility.robot_cell.industrial.robot import (
    AXES,
    FLANGE_ON_MOCK_UP,
    GRAVITY,
    Robot,
    pose_of,
)
from proxops.facility.robot_cell.industrial.singularity import distances

# Columns of a row of measures, and of a row of margins
POSITION = 0  # of six axes [rad]
SPEED = 6  # [rad/s]
ACCELERATION = 12  # [rad/s2]
OUTER = 18  # left until the arm is stretched [m]; negative: by how much it fails to reach
INNER = 19  # left until the arm is folded up [m]; negative: by how much it fails to reach
WRIST = 20  # angle between axes 4 and 6 [rad]
SHOULDER = 21  # wrist's centre to axis 1 [m]
PAYLOAD = 22  # [kg]
MOMENT = 23  # about the flange's centre [N m]
INERTIA = 24  # [kg m2]
LIMITS = 25


class Limit(NamedTuple):
    """A limit of a robot, and how it stands."""

    name: str
    value: float
    bound: float
    unit: str
    margin: float  # 1 at best, 0 at the limit


@helper
def flange_load(robot, q_LM, V, V_rate):
    """Force [N] that the load exerts on the flange by weight and motion, and its moment about the
    flange's centre [N m], in M."""
    g = mul_t(quat_to_rotation(q_LM), (0.0, 0.0, -GRAVITY))
    f, t = load_wrench(robot.load, g, V, V_rate)
    return f, sub(t, cross(pose_of(robot, FLANGE_ON_MOCK_UP)[1], f))


@part
def fill_margins(robot, solution, motion, measures, margins):
    """Writes measures and margins of all LIMITS for the Solution of a pose and the mock-up's
    `motion` (q_LM, V, V̇) there; answers the column of the least margin."""
    q_LM, V, V_rate = motion
    q = solution.joints
    speeds = joint_speeds(robot, q, q_LM, V)
    accelerations = joint_accelerations(robot, q, speeds, q_LM, V, V_rate)
    for axis in range(AXES):
        lower, upper = robot.joints[axis, of.LOWER], robot.joints[axis, of.UPPER]
        measures[POSITION + axis] = q[axis]
        margins[POSITION + axis] = 2.0 * min(q[axis] - lower, upper - q[axis]) / (upper - lower)
        measures[SPEED + axis] = speeds[axis]
        margins[SPEED + axis] = 1.0 - abs(speeds[axis]) / robot.joints[axis, of.SPEED]
        measures[ACCELERATION + axis] = accelerations[axis]
        used = abs(accelerations[axis]) / robot.joints[axis, of.ACCELERATION]
        margins[ACCELERATION + axis] = 1.0 - used
    left = distances(robot, q)
    measures[OUTER] = -solution.excess if solution.status == TOO_FAR else left.outer
    measures[INNER] = -solution.excess if solution.status == TOO_NEAR else left.inner
    measures[WRIST], measures[SHOULDER] = left.wrist, left.shoulder
    forearm = math.hypot(robot.d4, robot.a3)
    ring = min(robot.a2, forearm) - robot.near_reach
    margins[OUTER] = (measures[OUTER] - robot.near_reach) / ring
    margins[INNER] = (measures[INNER] - robot.near_reach) / ring
    margins[WRIST] = (left.wrist - robot.near_wrist) / (0.5 * math.pi - robot.near_wrist)
    longest = robot.a1 + robot.a2 + forearm
    margins[SHOULDER] = (left.shoulder - robot.near_shoulder) / (longest - robot.near_shoulder)
    measures[PAYLOAD] = robot.load[of.MASS]
    measures[MOMENT] = norm(flange_load(robot, q_LM, V, V_rate)[1])
    measures[INERTIA] = robot.load[of.LARGEST]
    margins[PAYLOAD] = 1.0 - measures[PAYLOAD] / robot.payload
    margins[MOMENT] = 1.0 - measures[MOMENT] / robot.moment
    margins[INERTIA] = 1.0 - measures[INERTIA] / robot.inertia
    return least(margins)


@helper
def least(margins):
    """Column of the least margin; one that is no number counts as least."""
    worst = 0
    for column in range(LIMITS):
        if math.isnan(margins[column]):
            return column
        if margins[column] < margins[worst]:
            worst = column
    return worst


def limit_of(robot: Robot, column: int, measures: np.ndarray, margins: np.ndarray) -> Limit:
    """How the limit of a column stands, given a row of measures and one of margins."""
    value, margin = float(measures[column]), float(margins[column])
    axis = column % AXES
    joint = robot.joints[axis]
    if column < SPEED:
        upper = value - joint[of.LOWER] > joint[of.UPPER] - value
        bound = joint[of.UPPER] if upper else joint[of.LOWER]
        return Limit(f"axis {axis + 1} position", value, float(bound), "rad", margin)
    if column < ACCELERATION:
        bound = math.copysign(joint[of.SPEED], value)
        return Limit(f"axis {axis + 1} speed", value, bound, "rad/s", margin)
    if column < OUTER:
        bound = math.copysign(joint[of.ACCELERATION], value)
        return Limit(f"axis {axis + 1} acceleration", value, bound, "rad/s2", margin)
    name, bound, unit = {
        OUTER: ("reach, arm stretched", robot.near_reach, "m"),
        INNER: ("reach, arm folded", robot.near_reach, "m"),
        WRIST: ("wrist singularity", robot.near_wrist, "rad"),
        SHOULDER: ("shoulder singularity", robot.near_shoulder, "m"),
        PAYLOAD: ("payload", robot.payload, "kg"),
        MOMENT: ("flange moment", robot.moment, "N m"),
        INERTIA: ("load inertia", robot.inertia, "kg m2"),
    }[column]
    return Limit(name, value, bound, unit, margin)
