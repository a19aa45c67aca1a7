"""Whether the base can follow a tumble: the capture flown ahead, once, before it begins.

The target turns freely, the chaser is one rigid body with its arm as it stands.  From where both
are known to be, the base follows its trajectory to the hold point and on to its place at the
grasp, under its own law (`base_tracking`), with no more than thrusters and wheels have
(`allocation.demand`):

    F = M (a, α) + F(w),    F ← F / max(1, demand)

Three figures decide whether the capture begins:

following   the force that the trajectory takes once it is followed exactly, without feedback,
            against the most that there is along it, less a share for feedback
in time     when the base, which does not move with the target yet, is synchronous for good, against
            the end of its trajectory less one time constant 2/k_v of its loop: the forecast knows
            no noise, no pulses of thrusters and no bending array, which may cost as much
clear       how near the straight trajectory to the hold point passes the target's centre of mass
"""

import math
from typing import Any, NamedTuple

from proxops.core.jit import helper, kernel, part
from proxops.core.spatial.pose import inverse
from proxops.core.spatial.quaternion import (
    quat_exp,
    quat_inverse,
    quat_mul,
    quat_to_rotation,
)
from proxops.core.spatial.vector import (
    ZERO,
    add,
    cross,
    dot,
    get3,
    mul,
    mul_t,
    norm,
    scale,
    sub,
    sym_mul,
)
from proxops.onboard.functions.allocation.demand import demand
from proxops.onboard.functions.capture.base_tracking import (
    NO_GAINS,
    is_within,
    offset,
    wanted_acceleration,
)
from proxops.onboard.functions.capture.modes import HIDDEN, NO_REASON, TOO_FAST, TOO_SLOW
from proxops.onboard.functions.capture.parameters import POSE_P, get_pose, inertia_of
from proxops.onboard.functions.capture.relative_state import RelativeState
from proxops.onboard.functions.capture.trajectory import (
    BEGIN,
    FROM_P,
    TO_P,
    along,
    end_time,
    farther,
    put_path,
)
from proxops.physics.multibody.forward import load_inertia
from proxops.physics.multibody.inertia import inertia_mul, inertia_solve
from proxops.physics.multibody.kinematics import move, weigh_all
from proxops.physics.multibody.mass_matrix import fold_composites
from proxops.physics.multibody.tumble import tumble

STEP = 0.1  # [s]: the base's own loop takes seconds
SHORTEST = 0.5  # of the planned time to synchronise that is left to it at least
RESERVE = 0.1  # share of thrust and torque that is left to feedback


class Forecast(NamedTuple):
    """What the capture of a tumbling target takes."""

    force: float  # of the wrench of following that is nearest to its limit [N]
    max_force: float  # that there is along it, less the reserve [N]
    when: float  # [s]
    settles: float  # when the base is synchronous for good [s]
    in_time: float  # limit of that time [s]
    passes: float  # least distance of the trajectory to there from the target's centre [m]
    min_distance: float  # of the place at the grasp, less its tolerance: none is planned nearer [m]


class Pair(NamedTuple):
    """Both spacecraft in axes at rest, about the target's centre of mass."""

    q_T: Any
    w_T: Any  # in T [rad/s]
    q_C: Any
    w_C: Any  # in C [rad/s]
    p_C: Any  # of Co [m]
    v_C: Any  # [m/s]


@helper
def pair_of(relative, com):
    """Both as they are known, axes being T's."""
    q_CT, p_CT = relative.X_CT
    R_TC = quat_to_rotation(quat_inverse(q_CT))
    v_To = cross(relative.w_T, scale(-1.0, com))
    p_C = sub(scale(-1.0, com), mul(R_TC, p_CT))
    v_C = sub(v_To, mul(R_TC, relative.drift))
    return Pair((1.0, 0.0, 0.0, 0.0), relative.w_T, quat_inverse(q_CT), relative.w_C, p_C, v_C)


@helper
def relative_state_in(pair, com):
    """What an exact navigation would know of them."""
    R_T, R_C = quat_to_rotation(pair.q_T), quat_to_rotation(pair.q_C)
    p_To = mul(R_T, scale(-1.0, com))
    v_To = mul(R_T, cross(pair.w_T, scale(-1.0, com)))
    q_CT = quat_mul(quat_inverse(pair.q_C), pair.q_T)
    X_CT = q_CT, mul_t(R_C, sub(p_To, pair.p_C))
    return RelativeState(X_CT, mul_t(R_C, sub(v_To, pair.v_C)), pair.w_C, pair.w_T)


@helper
def wrench_for(mass, w, a, alpha):
    """(f, t) at Co that (a, α) take; mass: blocks of the chaser's inertia there."""
    f, t = inertia_mul(mass, a, alpha)
    f_w, t_w = spinning(mass, w)
    return add(f, f_w), add(t, t_w)


@helper
def spinning(mass, w):
    """(f, t) that turning at a constant rate takes: m w × (w × c), w × I w."""
    _, I_ft, I_tt = mass
    # I_ft = -m [c]×
    moment = (I_ft[5], I_ft[6], I_ft[1])
    return cross(w, cross(w, moment)), cross(w, sym_mul(I_tt, w))


@helper
def advanced(belief, mass, pair, wrench, h):
    """Both after a step h [s]."""
    body = inertia_of(belief)
    q_T, w_T = tumble(body, pair.q_T, pair.w_T, h)
    f_w, t_w = spinning(mass, pair.w_C)
    a, alpha = inertia_solve(mass, sub(wrench[0], f_w), sub(wrench[1], t_w))
    R_C = quat_to_rotation(pair.q_C)
    w_C = add(pair.w_C, scale(h, alpha))
    v_C = add(pair.v_C, scale(h, mul(R_C, a)))
    q_C = quat_mul(pair.q_C, quat_exp(scale(h, w_C)))
    return Pair(q_T, w_T, q_C, w_C, add(pair.p_C, scale(h, v_C)), v_C)


@helper
def on_trajectory(w_T, trajectory):
    """What is known by a base that follows its trajectory exactly."""
    X_CT = inverse(trajectory.X)
    R_CT = quat_to_rotation(X_CT[0])
    moved = add(trajectory.v, cross(w_T, trajectory.X[1]))
    return RelativeState(
        X_CT, scale(-1.0, mul(R_CT, moved)), mul(R_CT, add(w_T, trajectory.w)), w_T
    )


@helper
def following(belief, mass, w_T, trajectory):
    """(f, t) that following a trajectory exactly takes [N, N m], in C."""
    exact = on_trajectory(w_T, trajectory)
    body = inertia_of(belief), get3(belief.target_com, 0)
    a, alpha = wanted_acceleration(body, exact, trajectory, NO_GAINS)
    return wrench_for(mass, exact.w_C, a, alpha)


@helper
def least_distance(path, c):
    """Of a straight trajectory from the point c [m]."""
    p, q = sub(get3(path, FROM_P), c), sub(get3(path, TO_P), c)
    line = sub(q, p)
    length = dot(line, line)
    s = min(max(-dot(p, line) / length, 0.0), 1.0) if length > 0.0 else 0.0
    return norm(add(p, scale(s, line)))


@part
def foresee(belief, plan, mass, relative, trajectories):
    """`Forecast` from what is known as the first of both trajectories begins: to the hold point,
    and from there to the grasp.  `mass`: blocks of the chaser's inertia at Co."""
    com = get3(belief.target_com, 0)
    body = inertia_of(belief), com
    first, second = trajectories
    pair, begin = pair_of(relative, com), first[BEGIN]
    worst, force, when, settles = 0.0, 0.0, begin, begin
    end = end_time(second) + plan.timing.reach + plan.timing.timeout
    for i in range(int((end - begin) / STEP)):
        t = begin + i * STEP
        f, torque = following(belief, mass, pair.w_T, along(second, t))
        taken = demand(belief.platform, f, torque)
        if taken > worst:
            worst, force, when = taken, norm(f), t
        seen, trajectory = relative_state_in(pair, com), along(first, t)
        a, alpha = wanted_acceleration(body, seen, trajectory, plan.base)
        f, torque = wrench_for(mass, pair.w_C, a, alpha)
        share = 1.0 / max(1.0, demand(belief.platform, f, torque))
        if not is_within(offset(seen, trajectory), plan.synchronous):
            settles = t + STEP
        pair = advanced(belief, mass, pair, (scale(share, f), scale(share, torque)), STEP)
    max_force = (1.0 - RESERVE) * force / worst if worst > 0.0 else math.inf  # nothing to follow
    near = norm(sub(get3(plan.stand, POSE_P), com)) - plan.synchronous.place
    passes = least_distance(first, com)
    in_time = max(begin, end_time(first) - 2.0 / plan.base.speed)
    return Forecast(force, max_force, when, settles, in_time, passes, near)


@helper
def exceeded(forecast):
    """(reason, value, bound) of the first bound that is exceeded, NO_REASON if none is."""
    if not forecast.force <= forecast.max_force:
        return TOO_FAST, forecast.force, forecast.max_force
    if not forecast.settles <= forecast.in_time:
        return TOO_SLOW, forecast.settles, forecast.in_time
    if not forecast.passes >= forecast.min_distance:
        return HIDDEN, forecast.passes, forecast.min_distance
    return NO_REASON, 0.0, 0.0


@part
def rigid(tree, scratch):
    """Blocks of the chaser's inertia at Co, its joints being stiff where they are; after `move`,
    which need not be done again."""
    weigh_all(tree, scratch)
    fold_composites(tree, scratch)
    return load_inertia(scratch, 0)


@part
def lay_trajectories(belief, plan, relative, times, trajectories):
    """Writes the trajectories from where the chaser is to its hold point and on to the grasp;
    times = (when the capture woke up, now).  The first ends when it was to end, however long the
    first look took, unless it would be too short."""
    since, now = times
    first, second = trajectories
    stand, planned = get_pose(plan.stand), plan.timing.synchronise
    waiting = farther(stand, get_pose(belief.grapple), plan.hold_point)
    span = now, max(since + planned - now, SHORTEST * planned)
    put_path(first, span, inverse(relative.X_CT), waiting)
    put_path(second, (end_time(first), plan.timing.near), waiting, stand)


@kernel
def foresee_from(belief, plan, relative, joints, now, trajectories, scratch):
    """`Forecast` for Python at the time now [s]; joints = (q, q̇) as they stand."""
    lay_trajectories(belief, plan, relative, (0.0, now), trajectories)
    move(belief.chaser, (ZERO, ZERO), *joints, scratch)
    return foresee(belief, plan, rigid(belief.chaser, scratch), relative, trajectories)
