"""A mission's commands before the cell's guard, without the models behind them.

Everything that the guard looks at is known beforehand: commands, the arm's joints and torques, and
what the contact did in orbit.  Robots are taken to be where they are commanded to be.
"""

from typing import NamedTuple

import numpy as np

from proxops.core.jit import helper, kernel, part
from proxops.core.spatial.pose import compose
from proxops.core.spatial.quaternion import put4, quat_to_rotation
from proxops.core.spatial.vector import add, cross, mul, put3
from proxops.facility.common.force_sensor import WRENCH
from proxops.facility.common.guard import table as of
from proxops.facility.common.guard.clearance import least_slack
from proxops.facility.common.rows import CHASER, PAIR
from proxops.facility.robot_cell.carried import CARRIED_A, CARRIED_ALPHA
from proxops.facility.robot_cell.guarded import Scene, frames_of, place_arm, send
from proxops.facility.robot_cell.industrial.jacobian import get_twist
from proxops.physics.relative.motion import TWIST, get_pose
from proxops.plant import layout
from proxops.plant.model import DRIVE_MOTOR


class Commands(NamedTuple):
    """A mission, one row a command cycle: the start, then the commands."""

    hubs: np.ndarray  # X_MB and V_MB of target and chaser (2, n, REPRODUCED_WIDTH)
    rates: np.ndarray  # of their twists (2, n, 6)
    q: np.ndarray  # joints of the arms (n, joints) [rad or m]
    torques: np.ndarray  # that their motors give on the ground (n, joints) [N m or N]
    measured_wrench: np.ndarray  # wrench on the target about To, in T (n, 6) [N, N m]


class Sent(NamedTuple):
    """What the guard let through, in the rows of the commands."""

    q: np.ndarray  # joints of both robots (n, 12) [rad]
    slack: np.ndarray  # least clearance beyond what is to be kept (n,) [m]


@helper
def put_moving(motion, hub, X_LB, V, rate):
    """Writes how a mock-up moves, and its accelerations into a hub's row of the drive."""
    (v, w), (v_rate, w_rate) = V, rate
    R = quat_to_rotation(X_LB[0])
    put3(motion, layout.P, X_LB[1])
    put4(motion, layout.Q, X_LB[0])
    put3(motion, layout.V, mul(R, v))
    put3(motion, layout.W, w)
    put3(hub, CARRIED_A, mul(R, add(v_rate, cross(w, v))))
    put3(hub, CARRIED_ALPHA, w_rate)


@part
def set_scene(cell, state, workspace, X_LM, commands, k):
    """Puts robots, arm and readings where the command k has them."""
    bodies, joints = cell.plant.chaser.shape[0], cell.plant.chaser_topology.shape[0]
    for which in range(PAIR):
        hub, row = commands.hubs[which, k], 0 if which == CHASER else bodies
        X_LB = compose(get_pose(X_LM), get_pose(hub))
        V, rate = get_twist(hub[TWIST:]), get_twist(commands.rates[which, k])
        put_moving(state.motions[which], workspace.drive[row], X_LB, V, rate)
    for joint in range(joints):
        state.y[layout.JOINTS + joint] = commands.q[k, joint]
        workspace.drive[joint + 1, DRIVE_MOTOR] = commands.torques[k, joint]
    for i in range(WRENCH):
        state.readings[cell.feedback_sensor, i] = commands.measured_wrench[k, i]
        state.wrench[i] = commands.measured_wrench[k, i]


@kernel
def replay(stages, X_LM, commands, sent, h):
    """The number of rows that the guard of `stages` = (cell, state, workspace) has let through, the
    start included; steps of the models are h [s] long, and X_LM is where the lab has M."""
    cell, state, workspace = stages
    count, axes = commands.hubs.shape[1], sent.q.shape[1]
    for k in range(1, count):
        set_scene(cell, state, workspace, X_LM, commands, k)
        state.clock[0] = k * cell.servo.cycle - 1
        if send(cell, state, workspace, state.motions, h) != of.RUNNING:
            return k
        for axis in range(axes):
            sent.q[k, axis] = state.memory.sent[of.Q, axis]
        sent.slack[k] = state.memory.numbers[of.SLACK]
    return count


@kernel
def closest(stages, q, arm):
    """(slack, which): the least clearance beyond what is to be kept [m], and the pair it is of, for
    joints of the robots (12,) and of the arms."""
    cell, state, workspace = stages
    place_arm(cell.rules.mounts, cell.plant.chaser_topology, arm, workspace.links)
    scene = Scene(cell.target_robot, cell.chaser_robot, workspace.links)
    frames_of(scene, q, state.memory.frames)
    return least_slack(cell.guard, state.memory.frames, state.memory.ends)
