"""When the capture goes on to its next mode, and when it aborts."""

from proxops.core.jit import helper, part
from proxops.core.select import select
from proxops.core.spatial.pose import compose, inverse
from proxops.core.spatial.quaternion import put4, quat_inverse, quat_log, quat_mul
from proxops.core.spatial.vector import add, get3, norm, put3, sub
from proxops.onboard.functions.capture.base_tracking import is_within, offset
from proxops.onboard.functions.capture.departure import hold_outward, set_out
from proxops.onboard.functions.capture.forecast import exceeded, foresee, lay_trajectories, rigid
from proxops.onboard.functions.capture.modes import (
    ABORT,
    APPROACH,
    ARM_TRAJECTORY,
    ASLEEP,
    ASTRAY,
    AWAKE,
    BASE_TRAJECTORY,
    BOUND,
    COMMANDS_LATE,
    DEPARTING,
    FAR,
    FOLLOWING,
    GRASP,
    HELD_P,
    HELD_Q,
    LAST_IN_TIME,
    LAST_WITHIN_LOADS,
    LOOKING,
    MODE,
    NO_IMAGE,
    NO_REASON,
    OVERLOADED,
    READY,
    REASON,
    RIGIDISE,
    SETPOINT,
    SINCE,
    SOUND,
    STORAGE,
    SYNCHRONISE,
    TIMEOUT,
    UNSURE,
    VALUE,
)
from proxops.onboard.functions.capture.parameters import get_pose
from proxops.onboard.functions.capture.trajectory import (
    along,
    end_of,
    end_time,
    ends_at,
    farther,
    put_path,
)

# Doubt beyond which a target is no longer known: images were rejected for so long that the
# navigation began anew.  A gap in which it can be carried on from what was seen stays below.
TOO_MUCH = 3.0
FRESH = 0.5  # age of a picture after which the target has been seen just now [s]


@helper
def enter(memory, mode, t):
    """Begins a mode."""
    memory[MODE] = memory[READY] = mode
    memory[SINCE] = t
    memory[SOUND] = t


@part
def set_joint_setpoint(memory, q):
    """Makes the present joints the set-point of those that are held."""
    for joint in range(q.shape[0]):
        memory[SETPOINT + joint] = q[joint]


@part
def begin(belief, plan, memory, now, workspace):
    """Lays the trajectory from where the chaser is to its hold point, once the target is known
    well; it ends when it was to end, however long that took, unless it would be too short.  Where
    the target's motion is beyond what it can follow, it departs instead."""
    if memory[AWAKE] == ASLEEP:
        memory[AWAKE] = LOOKING
        enter(memory, SYNCHRONISE, now.t)
        set_joint_setpoint(memory, now.q)
    if now.doubt <= 1.0:
        memory[AWAKE] = FOLLOWING
        memory[LAST_WITHIN_LOADS] = memory[LAST_IN_TIME] = now.t
        trajectories = (
            memory[BASE_TRAJECTORY:ARM_TRAJECTORY],
            memory[ARM_TRAJECTORY:STORAGE],
        )  # the arm needs its own later
        lay_trajectories(belief, plan, now.relative, (memory[SINCE], now.t), trajectories)
        mass = rigid(belief.chaser, workspace.scratch)
        reason, value, bound = exceeded(foresee(belief, plan, mass, now.relative, trajectories))
        memory[VALUE], memory[BOUND] = value, bound
        if reason != NO_REASON:
            abort(belief, plan, memory, now, reason)
    elif now.t > memory[SINCE] + time_of(plan, SYNCHRONISE):
        enter(memory, ABORT, now.t)  # where it is: it knows no trajectory
        memory[REASON], memory[FAR] = NO_IMAGE, 1.0


@part
def enter_approach(belief, plan, memory, now, X_CE):
    """Begins the approach: trajectories of the base to its place at the grasp, and of the arm to
    before the grasp point."""
    enter(memory, APPROACH, now.t)
    span = now.t, plan.timing.near
    trajectory, arm_trajectory = (
        memory[BASE_TRAJECTORY:ARM_TRAJECTORY],
        memory[ARM_TRAJECTORY:STORAGE],
    )
    put_path(trajectory, span, end_of(trajectory), get_pose(plan.stand))
    X_CG = compose(now.relative.X_CT, get_pose(belief.grapple))
    grasp = get_pose(belief.grasp)
    before = grasp[0], add(grasp[1], (0.0, 0.0, plan.pregrasp))
    put_path(arm_trajectory, span, compose(inverse(X_CG), X_CE), before)


@part
def reach_out(belief, plan, memory, now, X_CE):
    """Leads the arm onto the grasp point; whether it is there, and has been for a while."""
    arm_trajectory, timing = memory[ARM_TRAJECTORY:STORAGE], plan.timing
    if now.t < memory[SINCE] + timing.near:
        return False
    grasp = get_pose(belief.grasp)
    if not ends_at(arm_trajectory, grasp):
        put_path(arm_trajectory, (now.t, timing.reach), end_of(arm_trajectory), grasp)
    X_CG = compose(now.relative.X_CT, get_pose(belief.grapple))
    q, p = compose(X_CG, grasp)
    angle = norm(quat_log(quat_mul(quat_inverse(X_CE[0]), q)))
    is_near = (norm(sub(p, X_CE[1])) <= plan.graspable.place) & (angle <= plan.graspable.angle)
    is_early = now.t < memory[SINCE] + timing.near + timing.reach
    memory[SOUND] = select(is_near & (not is_early), memory[SOUND], now.t)
    return now.t >= memory[SOUND] + timing.settle


@part
def take_hold(memory, now, X_CE):
    """The target is held from now on: remembers where."""
    X_TE = compose(inverse(now.relative.X_CT), X_CE)
    put4(memory, HELD_Q, X_TE[0])
    put3(memory, HELD_P, X_TE[1])
    enter(memory, RIGIDISE, now.t)
    X_TC = inverse(now.relative.X_CT)
    put_path(memory[BASE_TRAJECTORY:ARM_TRAJECTORY], (now.t, 1.0), X_TC, X_TC)
    set_joint_setpoint(memory, now.q)


@helper
def time_of(plan, mode):
    """Longest that a mode may take [s]."""
    timing = plan.timing
    if mode == SYNCHRONISE:
        return timing.synchronise + timing.timeout
    if mode == APPROACH:
        return timing.near + timing.reach + timing.timeout
    return timing.timeout


@helper
def reset_watchdogs(plan, memory, now):
    """Notes when commands were last in time, and when the wrist last measured no more than it
    may."""
    if now.commands_late == 0:
        memory[LAST_IN_TIME] = now.t
    force, torque = norm(get3(now.wrench, 0)), norm(get3(now.wrench, 3))
    is_within_loads = (force <= plan.max_force) & (torque <= plan.max_torque)
    memory[LAST_WITHIN_LOADS] = select(is_within_loads, now.t, memory[LAST_WITHIN_LOADS])


@helper
def abort_reason(plan, memory, now, away):
    """Why the capture must be aborted, or NO_REASON; `away` is the base's offset."""
    mode = memory[MODE]
    if now.t > memory[LAST_WITHIN_LOADS] + plan.timing.overload_time:
        return OVERLOADED
    if mode == RIGIDISE:  # it is held, and known through the arm
        return COMMANDS_LATE if now.t > memory[LAST_IN_TIME] + plan.timing.timeout else NO_REASON
    if now.image_gap > plan.timing.max_image_gap:
        return NO_IMAGE
    if now.doubt > TOO_MUCH:
        return UNSURE
    if mode != SYNCHRONISE and now.commands_late == 1:
        return COMMANDS_LATE
    if mode == SYNCHRONISE:  # it comes from afar, but stays off by less than it waits
        if norm(away.place) > plan.hold_point + plan.corridor.place:
            return ASTRAY
    elif not is_within(away, plan.corridor):
        return ASTRAY
    waits = memory[READY] > mode  # for its permission, which takes as long as it takes
    if not waits and now.t > memory[SINCE] + time_of(plan, mode):
        return TIMEOUT
    return NO_REASON


@part
def abort(belief, plan, memory, now, reason):
    """Lays the trajectory out.  A target that was held is let go by coasting, until the navigation,
    which did not know the arm's force, has seen it again."""
    if memory[MODE] == RIGIDISE:
        memory[AWAKE] = LOOKING
    if memory[MODE] != ABORT:
        memory[FAR] = 1.0 if memory[MODE] == SYNCHRONISE else 0.0
    enter(memory, ABORT, now.t)
    memory[REASON] = reason
    away = farther(get_pose(plan.stand), get_pose(belief.grapple), plan.retreat)
    span = now.t, plan.timing.retreat
    put_path(memory[BASE_TRAJECTORY:ARM_TRAJECTORY], span, inverse(now.relative.X_CT), away)
    set_joint_setpoint(memory, now.q)
    if memory[FAR] == 1.0 and now.doubt <= TOO_MUCH:
        memory[AWAKE] = DEPARTING
        set_out(belief, memory, now)


@part
def continue_retreat(belief, plan, memory, now):
    """Goes on with the retreat.  While the target is not known well or commands are late the base
    coasts, which leads away from one that turns; afterwards the trajectory out is laid anew.  A
    departure needs the chaser's own rate only."""
    if memory[AWAKE] == DEPARTING:
        hold_outward(memory, now)
    elif now.doubt > TOO_MUCH:
        memory[AWAKE] = LOOKING
    elif (
        memory[AWAKE] == LOOKING
        and now.doubt <= 1.0
        and now.image_gap <= FRESH
        and now.commands_late == 0
    ):
        memory[AWAKE] = FOLLOWING
        abort(belief, plan, memory, now, memory[REASON])


@helper
def may_enter(memory, now, mode, is_done):
    """Whether the next mode begins: the present one is done, and the plan permits it."""
    memory[READY] = mode if is_done else memory[MODE]
    return is_done and now.permitted >= mode


@part
def decide(belief, plan, memory, now, X_CE, workspace):
    """Goes on to the next mode where that is due; weighs what has been moved in
    the scratch of the workspace."""
    if memory[AWAKE] != FOLLOWING and memory[MODE] != ABORT:
        begin(belief, plan, memory, now, workspace)
    mode = memory[MODE]
    if mode == ABORT:
        continue_retreat(belief, plan, memory, now)
    if mode == ABORT or memory[AWAKE] != FOLLOWING:
        return
    reset_watchdogs(plan, memory, now)
    away = offset(now.relative, along(memory[BASE_TRAJECTORY:ARM_TRAJECTORY], now.t))
    reason = abort_reason(plan, memory, now, away)
    if reason != NO_REASON:
        abort(belief, plan, memory, now, reason)
    elif mode == SYNCHRONISE:
        memory[SOUND] = select(is_within(away, plan.synchronous), memory[SOUND], now.t)
        there = now.t >= end_time(memory[BASE_TRAJECTORY:ARM_TRAJECTORY])
        is_done = there and now.t >= memory[SOUND] + plan.timing.settle
        if may_enter(memory, now, APPROACH, is_done):
            enter_approach(belief, plan, memory, now, X_CE)
    elif mode == APPROACH:
        if may_enter(memory, now, GRASP, reach_out(belief, plan, memory, now, X_CE)):
            enter(memory, GRASP, now.t)
    elif mode == GRASP and may_enter(memory, now, RIGIDISE, now.gripped == 1):
        take_hold(memory, now, X_CE)
