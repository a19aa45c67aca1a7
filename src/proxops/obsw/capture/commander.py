"""One turn of the capture: from what is known to what is asked of base, arm and gripper."""

from typing import NamedTuple

import numpy as np

from proxops.core.jit import helper, part
from proxops.core.spatial.pose import compose, inverse
from proxops.core.spatial.quaternion import (
    get4,
    put4,
    quat_inverse,
    quat_log,
    quat_mul,
    quat_to_rotation,
)
from proxops.core.spatial.vector import ZERO, add, cross, get3, mul, norm, put3, scale, sub, sym_mul
from proxops.obsw.capture.arm_impedance import (
    Stiffness,
    add_transposed,
    effector_pose,
    effector_velocity,
    goal,
    spring,
)
from proxops.obsw.capture.base_tracking import TrackingGains, offset, wanted_acceleration
from proxops.obsw.capture.known import Known
from proxops.obsw.capture.modes import (
    ABORT,
    APPROACH,
    ASTRAY,
    BLIND,
    GRASP,
    LATE,
    PUSHED,
    RIGIDISE,
    SYNCHRONISE,
    Timing,
    Tolerance,
)
from proxops.obsw.capture.path import PATH_WIDTH, along, end_of, put_path
from proxops.obsw.capture.whole import base_wrench, still_torques
from proxops.physics.multibody import tree as at
from proxops.physics.multibody.mass_matrix import BASE_DOF
from proxops.physics.multibody.tree import Tree, load_sym

# Entries of the memory
MODE = 0
SINCE = 1  # when the mode began [s]
SOUND = 2  # since when errors have been small [s]
REASON = 3  # of an abort
BEGUN = 4  # 1 once the first way is laid
HELD_Q, HELD_P = 5, 9  # X_GE where the hold closed
BASE_WAY = 12  # X_TC
ARM_WAY = BASE_WAY + PATH_WIDTH  # X_GE
KEPT = ARM_WAY + PATH_WIDTH  # joints that are held still

# Entries of what is asked
FORCE, TORQUE = 0, 3  # of the base, in C [N, N m]
GRIP = 6  # 1: close
HOLD = 7  # 1: close
TORQUES = 8  # of the joints [N m]

EASE = 10.0  # in which the arm takes over from the base once it holds the target [s]


class Belief(NamedTuple):
    """The two spacecraft as the capture believes them to be."""

    chaser: Tree
    target_inertia: np.ndarray  # about the target's centre of mass, xx yy zz xy xz yz, any unit
    target_com: np.ndarray  # from To, in T [m]
    effector: np.ndarray  # q, p of E on its link
    effector_body: int
    grapple: np.ndarray  # q, p of G in T
    grasp: np.ndarray  # q, p of E in G when grasped


class Plan(NamedTuple):
    """What the capture shall do."""

    timing: Timing
    tolerance: Tolerance  # of the base before it comes near
    grasp_tolerance: Tolerance  # of the end effector before the gripper closes
    corridor: Tolerance  # of base and end effector, beyond which it aborts
    base: TrackingGains
    arm: Stiffness
    stand: np.ndarray  # q, p of C in T at the grasp
    wait: float  # farther from the target while waiting, along z of G [m]
    before: float  # of E before the grasp point, along z of G [m]
    keep_kp: np.ndarray  # of joints that are held still [N m/rad]
    keep_kd: np.ndarray
    friction: float  # share of the believed viscous friction that is made up for
    most_force: float  # at the wrist [N]
    most_torque: float  # [N m]


class Instant(NamedTuple):
    """What is sensed now."""

    t: float  # [s]
    known: Known
    q: np.ndarray
    qd: np.ndarray
    blind: float  # time since the target was last seen [s]
    force: float  # at the wrist [N]
    torque: float  # [N m]
    gripped: int  # 1: the gripper has closed on something


class Room(NamedTuple):
    """What a turn overwrites."""

    scratch: np.ndarray
    loads: np.ndarray  # (6 + n,)
    net: np.ndarray  # (n,)
    qdd: np.ndarray  # (n,)


@helper
def get_pose(row):
    """A pose from quaternion and position."""
    return get4(row, 0), get3(row, 4)


@helper
def farther(X_TC, X_TG, d):
    """A place of the chaser, d [m] farther away along z of G."""
    R = quat_to_rotation(X_TG[0])
    return X_TC[0], add(X_TC[1], mul(R, (0.0, 0.0, d)))


@helper
def is_small(away, tolerance):
    """Whether an offset is within a tolerance."""
    return (
        norm(away.place) <= tolerance.place
        and norm(away.speed) <= tolerance.speed
        and norm(away.turn) <= tolerance.turn
        and norm(away.rate) <= tolerance.rate
    )


@helper
def enter(memory, mode, t):
    """Begins a mode."""
    memory[MODE] = mode
    memory[SINCE] = t
    memory[SOUND] = t


@part
def keep_joints(memory, q):
    """Remembers joints that are to be held still."""
    for joint in range(q.shape[0]):
        memory[KEPT + joint] = q[joint]


@part
def seen_through_arm(belief, memory, now, X_CE, V_CE):
    """What is known of the target once it is held: the arm tells it."""
    X_GE = get4(memory, HELD_Q), get3(memory, HELD_P)
    X_EG = inverse(X_GE)
    X_TG = get_pose(belief.grapple)
    X_CT = compose(compose(X_CE, X_EG), inverse(X_TG))
    w_rel = V_CE[1]
    lever = sub(X_CT[1], X_CE[1])
    v_rel = add(V_CE[0], cross(w_rel, lever))  # of To against the base, seen in C
    w_C = now.known.w_C
    drift = add(v_rel, cross(w_C, X_CT[1]))
    R_CT = quat_to_rotation(X_CT[0])
    w_in_C = add(w_C, w_rel)
    w_T = (
        R_CT[0] * w_in_C[0] + R_CT[3] * w_in_C[1] + R_CT[6] * w_in_C[2],
        R_CT[1] * w_in_C[0] + R_CT[4] * w_in_C[1] + R_CT[7] * w_in_C[2],
        R_CT[2] * w_in_C[0] + R_CT[5] * w_in_C[1] + R_CT[8] * w_in_C[2],
    )
    return Known(X_CT, drift, w_C, w_T)


@part
def decide(belief, plan, memory, now, X_CE, V_CE):
    """Moves on to the next mode where that is due."""
    t, known, timing = now.t, now.known, plan.timing
    X_TG, X_TS = get_pose(belief.grapple), get_pose(plan.stand)
    grasp = get_pose(belief.grasp)
    X_TC = inverse(known.X_CT)
    if memory[BEGUN] == 0.0:
        memory[BEGUN] = 1.0
        enter(memory, SYNCHRONISE, t)
        put_path(
            memory[BASE_WAY:ARM_WAY], (t, timing.synchronise), X_TC, farther(X_TS, X_TG, plan.wait)
        )
        keep_joints(memory, now.q)
    mode = memory[MODE]
    if mode == ABORT or mode == RIGIDISE:
        return
    base_off = offset(known, along(memory[BASE_WAY:ARM_WAY], t))
    if mode == SYNCHRONISE:
        if not is_small(base_off, plan.tolerance):
            memory[SOUND] = t
        done = t >= memory[SINCE] + timing.synchronise
        if done and t >= memory[SOUND] + timing.settle:
            enter(memory, APPROACH, t)
            put_path(
                memory[BASE_WAY:ARM_WAY], (t, timing.near), end_of(memory[BASE_WAY:ARM_WAY]), X_TS
            )
            X_GE = compose(inverse(compose(known.X_CT, X_TG)), X_CE)
            X_before = grasp[0], add(grasp[1], (0.0, 0.0, plan.before))
            put_path(memory[ARM_WAY:KEPT], (t, timing.near), X_GE, X_before)
    elif mode == APPROACH:
        if (
            t >= memory[SINCE] + timing.near
            and norm(sub(end_of(memory[ARM_WAY:KEPT])[1], grasp[1])) > 0.0
        ):
            put_path(memory[ARM_WAY:KEPT], (t, timing.reach), end_of(memory[ARM_WAY:KEPT]), grasp)
        if t >= memory[SINCE] + timing.near + timing.reach:
            X, v, w = goal(known, X_TG, along(memory[ARM_WAY:KEPT], t))
            close = (
                norm(sub(X[1], X_CE[1])) <= plan.grasp_tolerance.place
                and norm(quat_log(quat_mul(quat_inverse(X_CE[0]), X[0])))
                <= plan.grasp_tolerance.turn
            )
            if not close:
                memory[SOUND] = t
            elif t >= memory[SOUND] + timing.settle:
                enter(memory, GRASP, t)
    elif mode == GRASP:
        if now.gripped == 1:
            X_GE = compose(inverse(compose(known.X_CT, X_TG)), X_CE)
            put4(memory, HELD_Q, X_GE[0])
            put3(memory, HELD_P, X_GE[1])
            enter(memory, RIGIDISE, t)
            put_path(memory[BASE_WAY:ARM_WAY], (t, 1.0), X_TC, X_TC)
            keep_joints(memory, now.q)
    reason = 0.0
    if now.blind > timing.blind:
        reason = BLIND
    if now.force > plan.most_force or now.torque > plan.most_torque:
        reason = PUSHED
    if mode != SYNCHRONISE and not is_small(base_off, plan.corridor):
        reason = ASTRAY
    longest = timing.late
    if mode == SYNCHRONISE:
        longest += timing.synchronise
    elif mode == APPROACH:
        longest += timing.near + timing.reach
    if t > memory[SINCE] + longest:
        reason = LATE
    if reason > 0.0 and memory[MODE] == mode:
        enter(memory, ABORT, t)
        memory[REASON] = reason
        put_path(
            memory[BASE_WAY:ARM_WAY], (t, timing.near), X_TC, farther(X_TS, X_TG, 2.0 * plan.wait)
        )
        keep_joints(memory, now.q)


@part
def joint_torques(belief, plan, memory, now, room, asked):
    """Writes the torques of the joints beyond τ_0: held still, or drawn to the grasp point."""
    mode, tree = memory[MODE], belief.chaser
    joints = now.q.shape[0]
    for joint in range(joints):
        asked[TORQUES + joint] = 0.0
    if mode == SYNCHRONISE or mode == ABORT or mode == RIGIDISE:
        for joint in range(joints):
            apart = memory[KEPT + joint] - now.q[joint]
            asked[TORQUES + joint] = (
                plan.keep_kp[joint] * apart - plan.keep_kd[joint] * now.qd[joint]
            )
        return
    mount = belief.effector_body, get_pose(belief.effector)
    X_CE = effector_pose(mount, room.scratch)
    V_CE = effector_velocity(tree, belief.effector_body, X_CE[1], now.qd, room.scratch)
    way = along(memory[ARM_WAY:KEPT], now.t)
    F = spring(plan.arm, X_CE, V_CE, goal(now.known, get_pose(belief.grapple), way))
    add_transposed(tree, mount, F, room.scratch, asked[TORQUES:])
    for joint in range(joints):
        drag = tree.bodies[joint + 1, at.VISCOUS] * now.qd[joint]
        asked[TORQUES + joint] += plan.friction * drag


@helper
def fade(belief, plan, away, wrench, passed):
    """The base's wrench while the arm takes over: what is left of the one for a free target, and
    more and more of a mere damper of relative motion."""
    ease = max(0.0, 1.0 - passed / EASE)
    hub = belief.chaser.bodies
    damp = scale(hub[0, at.MASS] * plan.base.speed, away.speed)
    turn = load_sym(hub, 0, at.INERTIA)
    damp_turn = scale(plan.base.rate, sym_mul(turn, away.rate))
    f = add(scale(ease, wrench[0]), scale(1.0 - ease, damp))
    return f, add(scale(ease, wrench[1]), scale(1.0 - ease, damp_turn))


@part
def command(belief, plan, memory, now, room, asked):
    """Writes what is asked of base, joints, gripper and hold."""
    tree, scratch = belief.chaser, room.scratch
    joints = now.q, now.qd
    still_torques(tree, (now.known.w_C, ZERO, ZERO), joints, room.loads, scratch)
    mount = belief.effector_body, get_pose(belief.effector)
    X_CE = effector_pose(mount, scratch)
    V_CE = effector_velocity(tree, belief.effector_body, X_CE[1], now.qd, scratch)
    decide(belief, plan, memory, now, X_CE, V_CE)
    mode, known = memory[MODE], now.known
    if mode == RIGIDISE:
        known = seen_through_arm(belief, memory, now, X_CE, V_CE)
    way = along(memory[BASE_WAY:ARM_WAY], now.t)
    inertia = (
        belief.target_inertia[0],
        belief.target_inertia[1],
        belief.target_inertia[2],
        belief.target_inertia[3],
        belief.target_inertia[4],
        belief.target_inertia[5],
    )
    a, alpha = wanted_acceleration(inertia, get3(belief.target_com, 0), known, way, plan.base)
    base = known.w_C, a, alpha
    still_torques(tree, base, joints, room.loads, scratch)
    joint_torques(belief, plan, memory, now, room, asked)
    for joint in range(now.q.shape[0]):
        asked[TORQUES + joint] += room.loads[BASE_DOF + joint]
        drag = tree.bodies[joint + 1, at.VISCOUS] * now.qd[joint]
        room.net[joint] = asked[TORQUES + joint] - drag
    f, torque = base_wrench(tree, base, joints, (room.net, room.qdd), scratch)
    if mode == RIGIDISE:
        f, torque = fade(belief, plan, offset(known, way), (f, torque), now.t - memory[SINCE])
    put3(asked, FORCE, f)
    put3(asked, TORQUE, torque)
    asked[GRIP] = 1.0 if mode == GRASP or mode == RIGIDISE else 0.0
    asked[HOLD] = 1.0 if mode == RIGIDISE else 0.0
