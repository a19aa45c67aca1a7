"""The end effector on its way to the grasp point, which moves with the target.

It goes to a point before the grasp point, waits there until it is as near as the triggers ask, and
goes on straight along z of G.  The base drifts: what the arm's springs push it by, its estimate
knows.
"""

from proxops.core.jit import helper, part
from proxops.core.spatial.pose import compose, inverse
from proxops.core.spatial.quaternion import quat_inverse, quat_log, quat_mul
from proxops.core.spatial.vector import add, norm, sub
from proxops.onboard.functions.berthing.memory import (
    ANGLE_ERROR,
    AT_PREGRASP,
    ONTO,
    PHASE,
    PLACE_ERROR,
    SETPOINT,
    TRAJECTORY,
)
from proxops.onboard.functions.capture.arm_impedance import add_transposed, goal, spring
from proxops.onboard.functions.capture.parameters import get_pose
from proxops.onboard.functions.capture.trajectory import along, end_time, put_path

NEAR = 5.0  # times the triggers' errors at which it goes on from the pregrasp point


@helper
def before_grasp(params, distance):
    """E in G so far before the grasp point [m]."""
    q, p = get_pose(params.belief.grasp)
    return q, add(p, (0.0, 0.0, distance))


@part
def set_out(params, memory, X_CT, X_CE, t):
    """Lays the trajectory to the pregrasp point."""
    X_CG = compose(X_CT, get_pose(params.belief.grapple))
    memory[PHASE] = AT_PREGRASP
    start = compose(inverse(X_CG), X_CE)
    before = before_grasp(params, params.pregrasp)
    put_path(memory[TRAJECTORY:SETPOINT], (t, params.reach_time), start, before)


@part
def back_out(params, memory, X_CT, X_CE, t):
    """Lays the trajectory back from the target, once the gripper has had the time to open: from
    where E is straight to the line of approach, further out than it may have come to."""
    X_CG = compose(X_CT, get_pose(params.belief.grapple))
    memory[PHASE] = AT_PREGRASP
    start = compose(inverse(X_CG), X_CE)
    begins = t + params.gripper.travel / params.gripper.speed
    away = before_grasp(params, params.retreat)
    put_path(memory[TRAJECTORY:SETPOINT], (begins, params.reach_time), start, away)


@part
def way_back(params, memory, X_CT, X_CE, t):
    """How long the trajectory back has ended [s], negative before that, and how far E then is from
    where it leads to [m]."""
    X_CG = compose(X_CT, get_pose(params.belief.grapple))
    left, _ = error_of(X_CG, before_grasp(params, params.retreat), X_CE)
    return t - end_time(memory[TRAJECTORY:SETPOINT]), left


@helper
def error_of(X_CG, wanted, X_CE):
    """Distance and angle of E from where it is wanted in G [m, rad]."""
    q, p = compose(X_CG, wanted)
    return norm(sub(p, X_CE[1])), norm(quat_log(quat_mul(quat_inverse(X_CE[0]), q)))


@part
def lead(params, memory, X_CT, X_CE, t):
    """Notes how far E is from the grasp point, and leads it there from the pregrasp point."""
    X_CG = compose(X_CT, get_pose(params.belief.grapple))
    grasp, before = get_pose(params.belief.grasp), before_grasp(params, params.pregrasp)
    memory[PLACE_ERROR], memory[ANGLE_ERROR] = error_of(X_CG, grasp, X_CE)
    trajectory = memory[TRAJECTORY:SETPOINT]
    if memory[PHASE] == AT_PREGRASP and t >= end_time(trajectory):
        place, angle = error_of(X_CG, before, X_CE)
        if place < NEAR * params.triggers.place and angle < NEAR * params.triggers.angle:
            memory[PHASE] = ONTO
            put_path(trajectory, (t, params.final_time), before, grasp)


@part
def draw_effector(params, memory, relative, effector, t, torques):
    """Adds the torques that draw E along its trajectory; `effector` is (X_CE, V_CE, scratch)."""
    X_CE, V_CE, scratch = effector
    belief = params.belief
    wanted = goal(relative, get_pose(belief.grapple), along(memory[TRAJECTORY:SETPOINT], t))
    F = spring(params.impedance, X_CE, V_CE, wanted)
    mount = belief.effector_body, get_pose(belief.effector)
    add_transposed(belief.chaser, mount, F, scratch, torques)
