"""Commands for both robots through the guard of the run, without the models."""

import math
from typing import NamedTuple

import numpy as np

from proxops.core.jit import kernel, part
from proxops.core.spatial.vector import ZERO, get3, put3, scale, sub
from proxops.facility.common.guard import table as of
from proxops.facility.common.guard.build import at_rest
from proxops.facility.common.guard.clearance import FAR, least_slack
from proxops.facility.common.guard.table import Given, Memory
from proxops.facility.common.representation import put_hub
from proxops.facility.common.rows import PAIR, TARGET
from proxops.facility.robot_cell.carried import CARRIED_A, CARRIED_ALPHA
from proxops.facility.robot_cell.cell import Cell
from proxops.facility.robot_cell.guarded import (
    ARM,
    ARM_FRAMES,
    FLANGES,
    Scene,
    flange_bears,
    frames_of,
    guard_step,
    place_arm,
)
from proxops.facility.robot_cell.industrial.forward import get6
from proxops.facility.robot_cell.industrial.motion import mock_up_motion
from proxops.facility.robot_cell.industrial.robot import AXES, POSE_WIDTH
from proxops.plant import layout
from proxops.plant.model import DRIVE_WIDTH


class Site(NamedTuple):
    """A cell whose robots are driven, and room to work in."""

    cell: Cell
    memory: Memory  # of its guard
    given: Given
    links: np.ndarray  # of the arm on the chaser's mock-up (n, 7)
    motions: np.ndarray  # of the mock-ups (2, 13)
    hubs: np.ndarray  # how they are accelerated, as rows of a drive


class Driven(NamedTuple):
    """What came of commands."""

    cycles: int  # until all were sent, or until both robots stood
    slack: float  # least clearance beyond what is to be kept, at what was sent [m]
    which: int  # the pair it is of, walls counted after pairs
    cycle: int  # when


def site_of(cell: Cell, memory: Memory | None = None, q: np.ndarray | None = None) -> Site:
    """A cell with its guard as it is, or stopped at joints q [rad]."""
    joints = len(cell.plant.chaser_topology)
    if memory is None:
        assert q is not None
        memory = at_rest(cell.guard, q, ARM_FRAMES + joints)
    assert len(memory.ends) == len(cell.guard.shapes)  # kernels do not look
    given = Given(memory.sent[of.Q].copy(), np.zeros(ARM + joints), np.zeros(of.CUES))
    given.cues[of.SEQUENCE] = memory.numbers[of.LAST_SEQUENCE]
    workspace = np.zeros((PAIR, layout.JOINTS)), np.zeros((PAIR, DRIVE_WIDTH))
    return Site(cell, memory, given, np.zeros((joints, POSE_WIDTH)), *workspace)


@part
def bear(site, h):
    """Writes the loads on both flanges: of weight and motion of their loads, as commanded."""
    cell, sent = site.cell, site.memory.sent
    for which in range(PAIR):
        robot = cell.target_robot if which == TARGET else cell.chaser_robot
        begin, end = which * AXES, (which + 1) * AXES
        X, v, w = mock_up_motion(robot, get6(sent[of.Q, begin:end]), get6(sent[of.V, begin:end]))
        row, hub = site.motions[which], site.hubs[which]
        put3(hub, CARRIED_A, scale(1.0 / h, sub(v, get3(row, layout.V))))
        put3(hub, CARRIED_ALPHA, scale(1.0 / h, sub(w, get3(row, layout.W))))
        put_hub(row, X, v, w)
        bears = flange_bears(robot, row, hub, (ZERO, ZERO))
        site.given.watched[FLANGES + 2 * which] = bears[0]
        site.given.watched[FLANGES + 2 * which + 1] = bears[1]


@kernel
def drive(site, arm, commands, press, sent):
    """Sends commands (n, 12) [rad] through the guard, as many cycles as `sent` has rows; once
    there are no more commands the guard brakes.  Ends early when both robots stand.

    `arm` has the joints of the arm, one row a cycle, the last one for all that follow; `press` is
    the cycle from which the emergency button is held, negative for never.  Felt forces are zero
    and the arm is not driven.
    """
    cell, memory, given, cues = site.cell, site.memory, site.given, site.given.cues
    scene = Scene(cell.target_robot, cell.chaser_robot, site.links)
    slack, which, cycle = FAR, 0, 0
    bear(site, math.inf)
    for k in range(sent.shape[0]):
        row = min(k, arm.shape[0] - 1)
        place_arm(cell.rules.mounts, cell.plant.chaser_topology, arm[row], site.links)
        bear(site, cell.guard.settings[of.PERIOD])
        cues[of.ARRIVED] = 1.0 if k < commands.shape[0] else 0.0
        cues[of.SEQUENCE] += 1.0
        cues[of.OVERRIDE] = cell.rules.override
        cues[of.EMERGENCY] = 1.0 if 0 <= press <= k else 0.0
        cues[of.RESET] = 1.0 if k == 0 else 0.0
        if k < commands.shape[0]:
            for axis in range(given.q.shape[0]):
                given.q[axis] = commands[k, axis]
        mode = guard_step(cell.guard, scene, memory, given)
        for axis in range(given.q.shape[0]):
            sent[k, axis] = memory.sent[of.Q, axis]
        frames_of(scene, memory.sent[of.Q], memory.frames)
        found, pair = least_slack(cell.guard, memory.frames, memory.ends)
        if not found >= slack:
            slack, which, cycle = found, pair, k
        if mode == of.STOPPED:
            return Driven(k + 1, slack, which, cycle)
    return Driven(sent.shape[0], slack, which, cycle)


@kernel
def least_along(site, arm, joints):
    """The least clearance over all rows of joints (n, 12) of both robots, with those of the arm
    (n, joints) [rad]."""
    cell, memory = site.cell, site.memory
    scene = Scene(cell.target_robot, cell.chaser_robot, site.links)
    slack, which, cycle = FAR, 0, 0
    for k in range(joints.shape[0]):
        row = min(k, arm.shape[0] - 1)
        place_arm(cell.rules.mounts, cell.plant.chaser_topology, arm[row], site.links)
        frames_of(scene, joints[k], memory.frames)
        found, pair = least_slack(cell.guard, memory.frames, memory.ends)
        if not found >= slack:
            slack, which, cycle = found, pair, k
    return Driven(joints.shape[0], slack, which, cycle)


@kernel
def path_clearance(site, arm, start, end, whole):
    """(slack, which, share): where the straight way of all axes from `start` to `end` [rad] is
    closest; unless the `whole` of it is asked for, up to the first place with less slack than the
    guard's margin m.

    The slack s changes by no more than D = Σ ρ |Δq| is swept; with D ≤ s + m from one look to the
    next, and s' ≥ m there, it is never negative in between.
    """
    cell, memory = site.cell, site.memory
    guard = cell.guard
    scene = Scene(cell.target_robot, cell.chaser_robot, site.links)
    place_arm(cell.rules.mounts, cell.plant.chaser_topology, arm[0], site.links)
    margin, sweep = guard.settings[of.MARGIN], 0.0
    for axis in range(start.shape[0]):
        sweep += guard.axes[axis, of.REACH] * abs(end[axis] - start[axis])
    slack, which, share, s = FAR, 0, 0.0, 0.0
    while True:
        for axis in range(start.shape[0]):
            memory.trial[axis] = start[axis] + s * (end[axis] - start[axis])
        frames_of(scene, memory.trial, memory.frames)
        found, pair = least_slack(guard, memory.frames, memory.ends)
        if not found >= slack:
            slack, which, share = found, pair, s
        if (not found >= margin and not whole) or s >= 1.0:
            return slack, which, share
        s = min(1.0, s + (max(found, margin) + margin) / sweep) if sweep > 0.0 else 1.0
