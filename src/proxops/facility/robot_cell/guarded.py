"""The guard in the cell: from commanded motions of the mock-ups to the joints that are sent.

In every command cycle

    motions ─► inverse kinematics ─► guard ─► both robots
                 what is felt, what flanges and arm bear, where everything is ─┘
"""

import math
from typing import NamedTuple

import numpy as np

from proxops.core.jit import helper, part
from proxops.core.spatial.pose import Ad_transposed, compose, inverse
from proxops.core.spatial.quaternion import IDENTITY, get4, quat_to_rotation
from proxops.core.spatial.vector import ZERO, add, cross, get3, mul_t, norm, scale, sub
from proxops.facility.common.guard import table as of
from proxops.facility.common.guard.step import guard_of
from proxops.facility.common.rows import CHASER, FLANGE, PAIR, TARGET
from proxops.facility.robot_cell.carried import CARRIED_A, CARRIED_ALPHA
from proxops.facility.robot_cell.industrial.forward import FLANGE as LAST_FRAME
from proxops.facility.robot_cell.industrial.forward import FRAMES, chain, get6, put_pose
from proxops.facility.robot_cell.industrial.inverse import NOT_FINITE, TOO_FAR, TOO_NEAR, nearest
from proxops.facility.robot_cell.industrial.margins import flange_load
from proxops.facility.robot_cell.industrial.robot import (
    AXES,
    FLANGE_ON_MOCK_UP,
    MOCK_UP_ON_FLANGE,
    P,
    Q,
    Robot,
    pose_of,
)
from proxops.physics.multibody.tree import KIND, PARENT, PRISMATIC
from proxops.plant import layout
from proxops.plant.model import DRIVE_MOTOR

# Frames that shapes are on: those of both robots, then the arm's links
ARM_FRAMES = PAIR * FRAMES

# Rows of what is watched
MEASURED_FORCE, MEASURED_TORQUE = 0, 1
FLANGES = 2  # force and moment on the flange of either robot
ARM = 6  # a row for every joint


class Rules(NamedTuple):
    """How the cell is guarded, besides the limits."""

    mounts: np.ndarray  # of the arm's joints on the body before, at zero (n, 7) [m, wxyz]
    damping: np.ndarray  # of the arm's joints while it is compliant (n,) [N m s/rad]
    override: float  # share of the speed limits
    emergency: float  # time of a scripted emergency stop [s], inf if there is none


class Scene(NamedTuple):
    """What stands where, once the robots' joints are given."""

    target_robot: Robot
    chaser_robot: Robot
    links: np.ndarray  # of the arm, on the chaser's mock-up (n, 7) [m, wxyz]


@helper
def get_pose(row):
    """A pose from position and quaternion."""
    return get4(row, Q), get3(row, P)


@part
def frames_of(scene, q, frames):
    """Writes the poses in L of base, links and flange of both robots, and of the arm's links."""
    for which in range(PAIR):
        robot = scene.target_robot if which == TARGET else scene.chaser_robot
        poses = chain(robot, get6(q[which * AXES : (which + 1) * AXES]))
        for frame in range(FRAMES):
            put_pose(frames[which * FRAMES + frame], poses[frame])
    X_LK = get_pose(frames[CHASER * FRAMES + LAST_FRAME])
    X_LC = compose(X_LK, pose_of(scene.chaser_robot, MOCK_UP_ON_FLANGE))
    for link in range(scene.links.shape[0]):
        put_pose(frames[ARM_FRAMES + link], compose(X_LC, get_pose(scene.links[link])))


guard_step = guard_of(frames_of)


@part
def place_arm(mounts, topology, q, links):
    """Writes where the arm's links are on the hub, for joints q."""
    for joint in range(topology.shape[0]):
        if topology[joint, KIND] == PRISMATIC:
            moved = IDENTITY, (0.0, 0.0, q[joint])
        else:
            moved = (math.cos(0.5 * q[joint]), 0.0, 0.0, math.sin(0.5 * q[joint])), ZERO
        X = compose(get_pose(mounts[joint]), moved)
        parent = topology[joint, PARENT]
        if parent > 0:
            X = compose(get_pose(links[parent - 1]), X)
        put_pose(links[joint], X)


@part
def reach_for(cell, given, commands):
    """Writes the joints for the commanded poses, both robots on the branch they are on, and which
    of them falls short."""
    given.cues[of.SHORT] = 0.0
    for which in range(PAIR):
        robot = cell.target_robot if which == TARGET else cell.chaser_robot
        q = given.q[which * AXES : (which + 1) * AXES]
        X = get4(commands[which], layout.Q), get3(commands[which], layout.P)
        solution = nearest(robot, X, get6(q), False)
        for axis in range(AXES):
            q[axis] = math.nan if solution.status == NOT_FINITE else solution.joints[axis]
        if solution.status == TOO_FAR or solution.status == TOO_NEAR:
            given.cues[of.SHORT] = solution.excess
            given.cues[of.SHORT_ROBOT] = which


@helper
def flange_bears(robot, motion, hub, wrench):
    """(force, moment) on a flange [N, N m]: of its load's weight and motion, the arm as it is at
    the start, and of the wrench on the mock-up about its origin, in its axes."""
    q = get4(motion, layout.Q)
    V = ZERO, get3(motion, layout.W)
    rate = mul_t(quat_to_rotation(q), get3(hub, CARRIED_A)), get3(hub, CARRIED_ALPHA)
    f, t = flange_load(robot, q, V, rate)
    lever = pose_of(robot, FLANGE_ON_MOCK_UP)[1]
    return norm(add(f, wrench[0])), norm(add(t, sub(wrench[1], cross(lever, wrench[0]))))


@part
def watch(cell, state, drive):
    """Writes the magnitudes that the guard watches, as of now.  The measured torque is taken about
    the centre of the flange that carries the target's mock-up."""
    watched, plant = state.given.watched, cell.plant
    measured = state.readings[cell.feedback_sensor]
    f, t = get3(measured, 0), get3(measured, 3)
    p_TK = pose_of(cell.target_robot, FLANGE_ON_MOCK_UP)[1]
    watched[MEASURED_FORCE] = norm(f)
    watched[MEASURED_TORQUE] = norm(sub(t, cross(p_TK, f)))
    here, there = state.motions[TARGET], state.motions[CHASER]
    X_LT = get4(here, layout.Q), get3(here, layout.P)
    X_LC = get4(there, layout.Q), get3(there, layout.P)
    on_target = get3(state.wrench, 0), get3(state.wrench, 3)
    f, t = Ad_transposed(compose(inverse(X_LT), X_LC), on_target)
    on_chaser = scale(-1.0, f), scale(-1.0, t)
    hub = plant.chaser.shape[0]
    bears = flange_bears(cell.target_robot, here, drive[hub], on_target)
    watched[FLANGES], watched[FLANGES + 1] = bears
    bears = flange_bears(cell.chaser_robot, there, drive[0], on_chaser)
    watched[FLANGES + 2], watched[FLANGES + 3] = bears
    for joint in range(plant.chaser_topology.shape[0]):
        watched[ARM + joint] = abs(drive[joint + 1, DRIVE_MOTOR])


@part
def send(cell, state, workspace, commands, h):
    """One command cycle: afterwards `memory.sent[Q]` is what both robots get [rad] for the end of
    this step of h [s]; returns the guard's mode."""
    plant, rules, memory, given = cell.plant, cell.rules, state.memory, state.given
    if memory.status[of.MODE] == of.RUNNING:
        reach_for(cell, given, commands)
    now = state.clock[0]
    sensor = cell.flange if cell.feedback_sensor == FLANGE else cell.wrist
    cues = given.cues
    cues[of.ARRIVED] = 1.0
    cues[of.SEQUENCE] += 1.0
    cues[of.AGE] = (sensor.delay + now % sensor.every) * h
    cues[of.OVERRIDE] = rules.override
    cues[of.EMERGENCY] = 1.0 if (now + 1) * h >= rules.emergency else 0.0
    watch(cell, state, workspace.drive)
    joints = plant.chaser_topology.shape[0]
    q = state.y[layout.JOINTS : layout.JOINTS + joints]
    place_arm(rules.mounts, plant.chaser_topology, q, workspace.links)
    scene = Scene(cell.target_robot, cell.chaser_robot, workspace.links)
    return guard_step(cell.guard, scene, memory, given)
