"""One turn of the capture: from what is known to what is asked of base, arm and gripper."""

from typing import NamedTuple

import numpy as np

from proxops.core.jit import helper, part
from proxops.core.spatial.quaternion import get4
from proxops.core.spatial.vector import ZERO, get3, put3, scale
from proxops.onboard.functions.capture.arm_impedance import (
    add_transposed,
    effector_pose,
    effector_velocity,
    goal,
    spring,
)
from proxops.onboard.functions.capture.base_tracking import NO_GAINS, offset, wanted_acceleration
from proxops.onboard.functions.capture.departure import departing
from proxops.onboard.functions.capture.detumble import calm_rate, fade, lean_on_target, left_to_base
from proxops.onboard.functions.capture.mode_logic import decide, keep_joints
from proxops.onboard.functions.capture.modes import (
    ABORT,
    APPROACH,
    ARM_WAY,
    AWAKE,
    BASE_WAY,
    DEPARTING,
    GRASP,
    HELD_P,
    HELD_Q,
    KEPT,
    MODE,
    MONITORED,
    RIGIDISE,
    SINCE,
    STORAGE,
    UNDER_WAY,
)
from proxops.onboard.functions.capture.monitor import monitor
from proxops.onboard.functions.capture.parameters import get_pose, inertia_of
from proxops.onboard.functions.capture.relative_state import through_arm
from proxops.onboard.functions.capture.trajectory import along
from proxops.onboard.functions.capture.whole_body import base_wrench, still_torques
from proxops.physics.multibody import tree as at
from proxops.physics.multibody.mass_matrix import BASE_DOF
from proxops.physics.multibody.tree import Tree, scratch_for


class Room(NamedTuple):
    """What a turn overwrites."""

    scratch: np.ndarray
    loads: np.ndarray  # (6 + n,)
    net: np.ndarray  # (n,)
    qdd: np.ndarray  # (n,)
    torques: np.ndarray  # (n,)


def room_for(tree: Tree) -> Room:
    """For a chaser's tree."""
    joints = tree.topology.shape[0]
    return Room(
        scratch_for(tree),
        np.zeros(BASE_DOF + joints),
        np.zeros(joints),
        np.zeros(joints),
        np.zeros(joints),
    )


# Share of damping while commands are late.  k_d over a joint's inertia is some hundred 1/s: such a
# loop bears two milliseconds of delay, this one half a second.
GENTLY = 0.004
# Share of damping that stops an arm as an abort begins, and for how long [s]: all of it would be a
# blow.
STOPPING = 0.1
STOPPED = 1.0


@helper
def firmness(memory, now):
    """Share of k_d that is used; where it is not all, joints are kept wherever they come to."""
    if now.deaf == 1:
        return GENTLY
    if memory[MODE] == ABORT and now.t < memory[SINCE] + STOPPED:
        return STOPPING
    return 1.0


@part
def hold_still(plan, memory, now, torques):
    """Adds τ = k_p (q_kept - q) - s k_d q̇."""
    share = firmness(memory, now)
    if share < 1.0:
        keep_joints(memory, now.q)
    for joint in range(now.q.shape[0]):
        apart = memory[KEPT + joint] - now.q[joint]
        drag = share * plan.keep_kd[joint] * now.qd[joint]
        torques[joint] += plan.keep_kp[joint] * apart - drag


@part
def follow_target(belief, plan, memory, now, effector, torques):
    """Adds the torques that draw the end effector along its way; `effector` = (X_CE, V_CE), where
    everything is being in the scratch."""
    mount, (X_CE, V_CE), scratch = effector
    way = along(memory[ARM_WAY:STORAGE], now.t)
    wanted = goal(now.known, get_pose(belief.grapple), way)
    F = spring(plan.arm, X_CE, V_CE, wanted)
    add_transposed(belief.chaser, mount, F, scratch, torques)
    for joint in range(now.q.shape[0]):
        drag = belief.chaser.bodies[joint + 1, at.VISCOUS] * now.qd[joint]
        torques[joint] += plan.friction * drag


@helper
def base_acceleration(belief, gains, memory, known, t):
    """(a, α) of Co that keeps the base on its way; none before there is one."""
    if memory[AWAKE] == DEPARTING:
        return departing(memory, known.w_C, t)
    if memory[AWAKE] != UNDER_WAY:
        return ZERO, ZERO
    way = along(memory[BASE_WAY:ARM_WAY], t)
    body = inertia_of(belief), get3(belief.target_com, 0)
    return wanted_acceleration(body, known, way, gains)


@part
def command(belief, plan, memory, now, room, outputs):
    """Writes what is asked of base, joints and hold; call `place` first."""
    tree, scratch, known = belief.chaser, room.scratch, now.known
    joints, torques = (now.q, now.qd), room.torques
    mount = belief.effector_body, get_pose(belief.effector)
    X_CE = effector_pose(mount, scratch)
    V_CE = effector_velocity(tree, belief.effector_body, X_CE[1], now.qd, scratch)
    decide(belief, plan, memory, now, X_CE, room)
    mode = memory[MODE]
    passed = now.t - memory[MONITORED]
    if mode == RIGIDISE and now.deaf == 1 and left_to_base(plan, memory, now.t) > 0.0:
        memory[SINCE] = now.t  # not handed over yet: the base goes on
    if mode == RIGIDISE:
        held = get4(memory, HELD_Q), get3(memory, HELD_P)
        known = through_arm(known.w_C, (X_CE, V_CE), held)
    monitor(belief, plan, memory, now, known, (X_CE, V_CE))
    a, alpha = base_acceleration(belief, plan.base, memory, known, now.t)
    base = known.w_C, a, alpha
    if mode == RIGIDISE:  # what the arm takes over knows no feedback: that is its springs' own
        a, alpha = base_acceleration(belief, NO_GAINS, memory, known, now.t)
        a = scale(belief.target_share, a)  # the two turn about their common centre of mass
    still_torques(tree, (known.w_C, a, alpha), joints, room.loads, scratch)
    for joint in range(now.q.shape[0]):
        torques[joint] = room.loads[BASE_DOF + joint]
    if mode in (APPROACH, GRASP):
        follow_target(belief, plan, memory, now, (mount, (X_CE, V_CE), scratch), torques)
    else:
        hold_still(plan, memory, now, torques)
    for joint in range(now.q.shape[0]):
        drag = tree.bodies[joint + 1, at.VISCOUS] * now.qd[joint]
        room.net[joint] = torques[joint] - drag
    wrench = base_wrench(tree, base, joints, (room.net, room.qdd), scratch)
    if mode == RIGIDISE:
        way = along(memory[BASE_WAY:ARM_WAY], now.t)
        rate = calm_rate(plan, memory, offset(known, way).rate, passed)
        ease = left_to_base(plan, memory, now.t)
        wrench = fade(belief, plan, rate, wrench, ease)
        lean_on_target(tree, mount, 1.0 - ease, room, torques)
    put3(outputs.base_force, 0, wrench[0])
    put3(outputs.base_torque, 0, wrench[1])
    for hold in range(outputs.holds.shape[0]):
        outputs.holds[hold] = 1.0 if mode == RIGIDISE else 0.0
    for joint in range(outputs.joints.shape[0]):  # those of the arms: wheels are the allocation's
        outputs.joints[joint] = torques[joint]
