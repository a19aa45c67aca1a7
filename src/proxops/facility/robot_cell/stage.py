"""The cell as a stage of the loop: from commanded motions of the mock-ups to what is felt.

    command ─► guard ─► robots: delay, lag ─► mock-ups, arm, contact ─► sensors ─► readings
                                   └─► what is known of their motion ────────┘

A step brings everything from one instant to the next, for which the command is given.
"""

import math
from typing import NamedTuple

import numpy as np

from proxops.core.jit import helper, part
from proxops.core.spatial.quaternion import put4
from proxops.core.spatial.vector import put3
from proxops.facility.common.force_sensor import WRENCH, ForceSensor, read, take_sample
from proxops.facility.common.guard import table as guarding
from proxops.facility.common.guard.table import Given, Guard, Memory
from proxops.facility.robot_cell.calibration import misplace
from proxops.facility.robot_cell.guarded import Rules, send
from proxops.facility.robot_cell.industrial.forward import get6
from proxops.facility.robot_cell.industrial.motion import mock_up_motion
from proxops.facility.robot_cell.industrial.robot import AXES, Robot
from proxops.facility.robot_cell.mock_ups import (
    advance_lab,
    arrive,
    contact_wrench,
    steer,
    wrench_by,
)
from proxops.facility.robot_cell.rows import CHASER, FLANGE, PAIR, TARGET, WRIST
from proxops.facility.robot_cell.sensing import (
    Sensed,
    Sensing,
    felt_on_target,
    surplus,
    take_tare,
    weigh_tools,
)
from proxops.facility.robot_cell.servo import JOINTS, Axes, Servo, follow, take_command
from proxops.plant import layout
from proxops.plant.model import Plant, Workspace

OK = 0
HALTED = 10  # status: the guard has stopped both robots
STANDS = 1e-4  # speed of an axis below which it does [rad/s]


class Cell(NamedTuple):
    """Everything of a cell that stays the same."""

    plant: Plant  # the mock-ups as a pair of spacecraft, see `mock_ups`
    ideal: int  # 1: the carriers are where they are commanded to be
    servo: Servo
    target_robot: Robot
    chaser_robot: Robot
    flange: ForceSensor
    wrist: ForceSensor
    felt_by: int  # row of the reading that models feel
    guard: Guard
    rules: Rules
    sensing: Sensing


class CellState(NamedTuple):
    """Everything that changes; a copy of its arrays is a snapshot."""

    clock: np.ndarray  # steps done, one entry
    y: np.ndarray  # of the lab's bodies
    motions: np.ndarray  # of the mock-ups' hubs (2, 13): p, q wxyz, v in L, w in hub axes
    axes: Axes
    memory: Memory  # of the guard
    given: Given  # to the guard
    filtered: np.ndarray  # in the sensors' axes, compensated, see `sensing` (2, 6)
    samples: np.ndarray  # of both sensors (2, n, 6), written in turn
    readings: np.ndarray  # wrench on the target about To, in T, as each sensor has it (2, 6)
    wrench: np.ndarray  # as it is (6,)
    sensed: Sensed


class CellRoom(NamedTuple):
    """What a step overwrites."""

    work: Workspace
    drive: np.ndarray  # of the lab's bodies; its motor column is an input
    arriving: np.ndarray  # motions at the end of the step (2, 13)
    links: np.ndarray  # of the arm, on the chaser's mock-up (n, 7) [m, wxyz]
    loads: np.ndarray  # of the arm's weight on base and joints (6 + n,)
    still: np.ndarray  # joint speeds of an arm at rest (n,)


@helper
def put_hub(row, X, v, w):
    """Stores a hub's motion."""
    put3(row, layout.P, X[1])
    put4(row, layout.Q, X[0])
    put3(row, layout.V, v)
    put3(row, layout.W, w)


@helper
def is_halted(state):
    """Whether both robots stand because the guard has stopped them."""
    if state.memory.status[guarding.MODE] != guarding.STOPPED:
        return False
    fastest = 0.0
    for axis in range(JOINTS):
        fastest = max(fastest, abs(state.axes.qd[axis]))
    return fastest < STANDS


@part
def look_at_axes(cell, state, true):
    """Writes where the mock-ups are known to be by the robots' axes, and where they truly are."""
    known = state.sensed.known
    for which in range(PAIR):
        robot = cell.target_robot if which == TARGET else cell.chaser_robot
        first, end = which * AXES, (which + 1) * AXES
        q, qd = get6(state.axes.q[first:end]), get6(state.axes.qd[first:end])
        X, v, w = mock_up_motion(robot, q, qd)
        put_hub(known[which], X, v, w)
        misplace(cell.sensing.misplaced[which], known[which], true[which])


@part
def carry_on(cell, state, room, commands, h):
    """Writes where the carriers are at the end of a step, and are known to be; returns a status."""
    arriving, known = room.arriving, state.sensed.known
    if cell.ideal == 1:
        for which in range(PAIR):
            arrive(known[which], commands[which])
            misplace(cell.sensing.misplaced[which], known[which], arriving[which])
        return OK
    if is_halted(state):
        return HALTED
    step = state.clock[0]
    if (step + 1) % cell.servo.cycle == 0:
        send(cell, state, room, commands, h)
        take_command(cell.servo, state.axes, step + 1, state.memory.sent[guarding.Q])
    follow(cell.servo, state.axes, step, h)
    look_at_axes(cell, state, arriving)
    return OK


@part
def begin(cell, state):
    """Puts the mock-ups where they truly are at the start: robots that have come in motion are
    behind their commands."""
    if cell.ideal == 0:
        look_at_axes(cell, state, state.motions)
    else:
        for which in range(PAIR):
            known = state.sensed.known[which]
            misplace(cell.sensing.misplaced[which], known, state.motions[which])
    arrive(state.y, state.motions[CHASER])
    arrive(state.y[layout.target_start(cell.plant) :], state.motions[TARGET])


@part
def feel(cell, state, room, draws, h):
    """Evaluates the wrench now, takes samples and reads the sensors."""
    sensing, sensed, scratch = cell.sensing, state.sensed, room.work.scratch
    now = state.clock[0]
    F = contact_wrench(cell.plant, state.y, scratch)
    put3(state.wrench, 0, F[0])
    put3(state.wrench, 3, F[1])
    weigh_tools(sensing, sensed, state.motions, scratch, 1.0 / h if now > 0 else 0.0)
    for which in range(PAIR):
        sensor, filtered, samples = cell.flange, state.filtered[which], state.samples[which]
        if which == WRIST:
            sensor = cell.wrist
            F = wrench_by(cell.plant, state.y, scratch, sensing.body)
        f, t = surplus(sensing, sensed, state.motions, scratch, which, F)
        settled = now == 0 or sensor.corner == 0.0
        share = 1.0 if settled else 1.0 - math.exp(-sensor.corner * h)
        for i in range(3):
            filtered[i] += share * (f[i] - filtered[i])
            filtered[3 + i] += share * (t[i] - filtered[3 + i])
        if now == 0 and sensing.tares == 1:
            take_tare(sensing, sensor, sensed, which)
        if now % sensor.every == 0:
            take_sample(sensor, samples, now, filtered, draws[which])
        read(sensor, samples, now, state.readings[which])
        if now >= sensor.delay:
            felt_on_target(sensing, sensed, scratch, which, state.readings[which])
    for i in range(WRENCH):
        sensed.mismatch[i] = state.readings[FLANGE, i] - state.readings[WRIST, i]


@part
def advance_cell(cell, state, room, commands, draws, h):
    """Brings the cell from one instant to the next, h [s] later, for which the motions (2, 13) of
    the mock-ups are commanded; returns a status."""
    plant, hubs = cell.plant, (0, cell.plant.chaser.shape[0])
    target = layout.target_start(plant)
    status = carry_on(cell, state, room, commands, h)
    if status != OK:
        return status
    t = state.clock[0] * h
    chaser, other = state.y[:target], state.y[target:]
    steer(chaser, room.drive[hubs[0]], state.motions[CHASER], room.arriving[CHASER], h)
    steer(other, room.drive[hubs[1]], state.motions[TARGET], room.arriving[TARGET], h)
    status = advance_lab(plant, room.drive, room.work, state.y, t, h)
    if status != OK:
        return status
    for which in range(PAIR):
        arrive(state.motions[which], room.arriving[which])
    arrive(chaser, state.motions[CHASER])
    arrive(other, state.motions[TARGET])
    state.clock[0] += 1
    feel(cell, state, room, draws, h)
    return OK
