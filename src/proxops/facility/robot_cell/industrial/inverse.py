"""The joints that bring the mock-up to a pose: eight ways at most, in closed form.

The wrist's centre decides axes 1 to 3: axis 1 points at it or away from it, the elbow bends one
way or the other.  What is left of the rotation is shared by axes 4 to 6, with axis 5 bent to
either side.  With l₃ = |(d4, a3)|, φ = atan2(a3, d4) and (u, w) ahead of and below axis 2:

    θ₃ = φ ± acos((u² + w² - a2² - l₃²) / (2 a2 l₃)),   θ₂ = atan2(w, u) - (its share of the bend)
    R₃₆ = Rx(θ₄) Ry(θ₅) Rx(θ₆)

Where an axis is free (axis 1 with the wrist's centre on it, axis 4 with axis 5 straight) it stays
where it was.
"""

import math
from typing import NamedTuple

from proxops.core.jit import helper, kernel, part
from proxops.core.spatial.pose import compose
from proxops.core.spatial.quaternion import get4, quat_to_rotation
from proxops.core.spatial.vector import get3
from proxops.facility.robot_cell.industrial.forward import get6
from proxops.facility.robot_cell.industrial.robot import (
    AXES,
    FLANGE_ON_MOCK_UP,
    LAB_IN_BASE,
    LOWER,
    UPPER,
    P,
    Q,
    angle_of,
    joint_of,
    pose_of,
)

# How a pose was met
REACHED, TOO_FAR, TOO_NEAR, OUT_OF_RANGE, NOT_FINITE = range(5)

# Bits of a branch
BACK, ELBOW, FLIP = 4, 2, 1
BRANCHES = 8

# A table of branches: six joints, then by how much the arm fails to reach [m]
GAP = 6
BRANCH_WIDTH = 7

TURN = 2.0 * math.pi
FREE = 1e-10  # sine, or distance [m], below which an axis is free: the pose is then met as well
TOUCH = 1e-9  # how far out of reach a pose may be for rounding [m]
FAR = 1e6  # added to what is out of range: more than any squares of turns


class Solution(NamedTuple):
    """The joints for a pose.  If it is out of reach, those of the arm stretched towards it (or
    folded), with the wrist as it was asked for; the joints as they were if it is not finite."""

    joints: tuple[float, float, float, float, float, float]  # [rad]
    branch: int
    status: int  # REACHED or what was in the way
    axis: int  # the one furthest out of its range, from 0; -1 if none is
    excess: float  # by how much [m] for TOO_FAR and TOO_NEAR, [rad] for OUT_OF_RANGE


def reason(solution: Solution) -> str:
    """What was in the way, in words."""
    if solution.status == OUT_OF_RANGE:
        over = math.degrees(solution.excess)
        return f"axis {solution.axis + 1} is {over:.3g} deg out of its range"
    return {
        REACHED: "reached",
        TOO_FAR: f"out of reach: {solution.excess:.3g} m too far from the shoulder",
        TOO_NEAR: f"out of reach: {solution.excess:.3g} m too near the shoulder",
        NOT_FINITE: "the pose is not a number",
    }[solution.status]


@helper
def commanded_wrist(robot, X_LM):
    """Centre of the wrist in the base [m] and rotation of link 6 there, row by row."""
    X_BM = compose(pose_of(robot, LAB_IN_BASE), X_LM)
    q_BK, p = compose(X_BM, pose_of(robot, FLANGE_ON_MOCK_UP))
    R = quat_to_rotation(q_BK)
    centre = (p[0] - robot.d6 * R[2], p[1] - robot.d6 * R[5], p[2] - robot.d6 * R[8])
    # x of link 6 is the flange's z, its z the flange's -x
    return centre, (R[2], R[1], -R[0], R[5], R[4], -R[3], R[8], R[7], -R[6])


@helper
def first_axis(centre, back, theta1_near):
    """θ₁ [rad] and how far ahead of axis 1 the wrist's centre then is [m]."""
    radius = math.hypot(centre[0], centre[1])
    theta1 = math.atan2(centre[1], centre[0]) if radius > FREE else theta1_near
    if back:
        return theta1 + math.pi, -radius
    return theta1, radius


@helper
def bend_arm(robot, ahead, below, elbow):
    """θ₂, θ₃ [rad] that bring the wrist's centre ahead of and below axis 2 [m], and by how much
    that fails [m]: positive if it is too far, negative if it is too near."""
    a, b = robot.a2, math.hypot(robot.d4, robot.a3)
    square = ahead * ahead + below * below
    distance = math.sqrt(square)
    gap = 0.0
    if distance > a + b + TOUCH:
        gap = distance - (a + b)
    elif distance < abs(a - b) - TOUCH:
        gap = distance - abs(a - b)
    # (2 a b sin)² as a product, exact where the arm is nearly straight
    sine = math.sqrt(max(0.0, ((a + b) ** 2 - square) * (square - (a - b) ** 2)))
    bend = math.atan2(sine, square - a * a - b * b)
    share = math.atan2(b * math.sin(bend), a + b * math.cos(bend))
    if elbow:
        bend, share = -bend, -share
    return math.atan2(below, ahead) - share, bend + math.atan2(robot.a3, robot.d4), gap


@helper
def turn_wrist(R_06, theta1, theta23, theta4_near):
    """θ₄, θ₅, θ₆ [rad] that give link 6 its rotation, with θ₅ ≥ 0."""
    c1, s1 = math.cos(theta1), math.sin(theta1)
    c, s = math.cos(theta23), math.sin(theta23)
    # rows of R₃₆ = Ry(-θ₂₃) Rz(-θ₁) R₀₆
    x = (c1 * R_06[0] + s1 * R_06[3], c1 * R_06[1] + s1 * R_06[4], c1 * R_06[2] + s1 * R_06[5])
    y = (c1 * R_06[3] - s1 * R_06[0], c1 * R_06[4] - s1 * R_06[1], c1 * R_06[5] - s1 * R_06[2])
    z = (s * x[0] + c * R_06[6], s * x[1] + c * R_06[7], s * x[2] + c * R_06[8])
    cosine = c * x[0] - s * R_06[6]
    theta4 = theta4_near if math.hypot(y[0], z[0]) < FREE else math.atan2(y[0], -z[0])
    # The rest from what θ₄ leaves over: rounding in θ₄ near the straight wrist does no harm then.
    c4, s4 = math.cos(theta4), math.sin(theta4)
    theta5 = math.atan2(s4 * y[0] - c4 * z[0], cosine)
    theta6 = math.atan2(-(c4 * y[2] + s4 * z[2]), c4 * y[1] + s4 * z[1])
    return theta4, theta5, theta6


@helper
def beyond(robot, axis, q):
    """By how much a joint is out of its range [rad]; zero inside."""
    return max(0.0, robot.joints[axis, LOWER] - q, q - robot.joints[axis, UPPER])


@helper
def unwound(robot, axis, q, near, in_range):
    """The joint, give or take full turns, nearest to where it was; of those in its range if that
    is asked for and there are any."""
    q += TURN * math.floor((near - q) / TURN + 0.5)
    if in_range:
        best = q
        over, under = q - robot.joints[axis, UPPER], robot.joints[axis, LOWER] - q
        if over > 0.0:
            best = q - TURN * math.ceil(over / TURN)
        elif under > 0.0:
            best = q + TURN * math.ceil(under / TURN)
        if beyond(robot, axis, best) < beyond(robot, axis, q):
            return best
    return q


@part
def solve_arm(robot, wrist, branch, near):
    """θ of all axes [rad] with the wrist not flipped, and by how much the arm fails to reach [m],
    as in `bend_arm`; `wrist` comes from `commanded_wrist`."""
    centre, R_06 = wrist
    n1, _, _, n4, _, _ = near
    t1, ahead = first_axis(centre, branch & BACK, angle_of(robot, 0, n1))
    t2, t3, gap = bend_arm(robot, ahead - robot.a1, robot.d1 - centre[2], branch & ELBOW)
    t4, t5, t6 = turn_wrist(R_06, t1, t2 + t3, angle_of(robot, 3, n4))
    return (t1, t2, t3, t4, t5, t6), gap


@part
def joints_of(robot, theta, flip, near, in_range):
    """Joints [rad] with these θ, or with the wrist flipped: bent to the other side by turning axes
    4 and 6 half round; unwound."""
    t1, t2, t3, t4, t5, t6 = theta
    n1, n2, n3, n4, n5, n6 = near
    if flip:
        t4, t5, t6 = t4 + math.pi, -t5, t6 + math.pi
    return (
        unwound(robot, 0, joint_of(robot, 0, t1), n1, in_range),
        unwound(robot, 1, joint_of(robot, 1, t2), n2, in_range),
        unwound(robot, 2, joint_of(robot, 2, t3), n3, in_range),
        unwound(robot, 3, joint_of(robot, 3, t4), n4, in_range),
        unwound(robot, 4, joint_of(robot, 4, t5), n5, in_range),
        unwound(robot, 5, joint_of(robot, 5, t6), n6, in_range),
    )


@part
def nearest(robot, X_LM, near, in_range):
    """The Solution nearest to the joints `near`, by the sum of the squares.

    Unless `in_range` is asked for, that is all that counts: a robot that follows a path must not
    jump to another branch, or unwind, because the one it is on comes to an end.  With it, those
    count first that reach the pose with all axes in range.
    """
    wrist = commanded_wrist(robot, X_LM)
    best, found, best_gap, best_branch = math.inf, near, 0.0, -1
    theta, gap = near, 0.0
    for branch in range(BRANCHES):
        if not branch & FLIP:
            theta, gap = solve_arm(robot, wrist, branch, near)
        joints = joints_of(robot, theta, branch & FLIP, near, in_range)
        cost = 0.0
        for axis in range(AXES):
            cost += (joints[axis] - near[axis]) ** 2
            if in_range:
                excess = beyond(robot, axis, joints[axis])
                cost += FAR * (excess + 1.0) if excess > 0.0 else 0.0
        if in_range and gap != 0.0:
            cost += FAR * FAR * (abs(gap) + 1.0)
        if cost < best:
            best, found, best_gap, best_branch = cost, joints, gap, branch
    if best_branch < 0:
        return Solution(near, best_branch, NOT_FINITE, -1, 0.0)
    if best_gap > 0.0:
        return Solution(found, best_branch, TOO_FAR, -1, best_gap)
    if best_gap < 0.0:
        return Solution(found, best_branch, TOO_NEAR, -1, -best_gap)
    worst, excess = -1, 0.0
    for axis in range(AXES):
        if beyond(robot, axis, found[axis]) > excess:
            worst, excess = axis, beyond(robot, axis, found[axis])
    return Solution(found, best_branch, REACHED if worst < 0 else OUT_OF_RANGE, worst, excess)


@kernel
def joints_for(robot, pose, near, in_range):
    """The Solution nearest to `near` (6,) that brings the mock-up to a pose X_LM [m, wxyz]."""
    return nearest(robot, (get4(pose, Q), get3(pose, P)), get6(near), in_range)


@kernel
def all_joints_for(robot, pose, near, table):
    """Writes all BRANCHES rows of joints [rad] and gaps [m] for a pose X_LM [m, wxyz], unwound
    into their ranges as near to `near` as that allows."""
    wrist = commanded_wrist(robot, (get4(pose, Q), get3(pose, P)))
    for branch in range(BRANCHES):
        theta, gap = solve_arm(robot, wrist, branch, get6(near))
        joints = joints_of(robot, theta, branch & FLIP, get6(near), True)
        for axis in range(AXES):
            table[branch, axis] = joints[axis]
        table[branch, GAP] = gap
