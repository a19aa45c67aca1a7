"""Two planar arms of six joints each, face to face, guarded: a cell small enough for an oracle."""

import math

import numpy as np

from proxops.core.jit import kernel, part
from proxops.facility.common.guard import table as of
from proxops.facility.common.guard.build import (
    AxisLimits,
    GuardDescription,
    Pair,
    Plane,
    Shape,
    Watched,
    at_rest,
    build,
    in_motion,
)
from proxops.facility.common.guard.step import guard_of
from proxops.facility.common.guard.table import Given

JOINTS = 6
AXES = 2 * JOINTS
LINK = 0.5  # [m]
TIPS = 2  # frames: the last link of either robot, at its end
TIP_RADIUS = 0.1
CLEARANCE = 0.05  # tips keep from each other
FROM_WALL = 0.02
MARGIN = 0.01
PERIOD = 0.004
BASES = (-2.8, 2.8)  # along x [m]; the second robot's zero points along -x
WALL = 1.2  # |y| of the cell's sides


@part
def planar_frames(cell, q, frames):
    """Frames of both tips."""
    for robot in range(TIPS):
        x, y, angle = cell[robot], 0.0, robot * math.pi
        for joint in range(JOINTS):
            angle += q[robot * JOINTS + joint]
            x += LINK * math.cos(angle)
            y += LINK * math.sin(angle)
        frames[robot, of.POSITION] = x
        frames[robot, of.POSITION + 1] = y
        frames[robot, of.POSITION + 2] = 0.0
        frames[robot, of.ATTITUDE] = math.cos(0.5 * angle)
        frames[robot, of.ATTITUDE + 1] = 0.0
        frames[robot, of.ATTITUDE + 2] = 0.0
        frames[robot, of.ATTITUDE + 3] = math.sin(0.5 * angle)


guard_step = guard_of(planar_frames)


@kernel
def step_planar(guard, cell, memory, given):
    """One cycle, for Python."""
    return guard_step(guard, cell, memory, given)


def describe(**changes):
    """The cell's guard; limits differ from axis to axis."""
    fields = {
        "axes": tuple(
            AxisLimits(
                name=f"axis {axis % JOINTS + 1} of robot {axis // JOINTS + 1}",
                lower=-1.2 - 0.05 * axis,
                upper=1.1 + 0.05 * axis,
                speed=0.8 + 0.1 * (axis % JOINTS),
                acceleration=12.0 + axis,
                jerk=600.0 + 20.0 * axis,
                hard_acceleration=24.0 + axis,
                hard_jerk=2000.0,
                # the tip is never further from an axis than the links beyond it are long
                reach=LINK * (JOINTS - axis % JOINTS) + TIP_RADIUS,
            )
            for axis in range(AXES)
        ),
        "period": PERIOD,
        "oldest": 0.012,
        "watched": (
            Watched("the wrist", "measured force", 80.0),
            Watched("the wrist", "measured torque", 20.0),
            Watched("joint 2", "arm torque", 60.0),
            Watched("robot 1", "flange moment", 500.0),
        ),
        "shapes": tuple(
            Shape(f"tip {robot + 1}", robot, ((0.0, 0.0, 0.0),) * 2, TIP_RADIUS)
            for robot in range(TIPS)
        ),
        "planes": (
            Plane("left side", (0.0, -1.0, 0.0), -WALL),
            Plane("right side", (0.0, 1.0, 0.0), -WALL),
        ),
        "pairs": (
            Pair("tip 1", "tip 2", CLEARANCE),
            *(
                Pair(f"tip {robot}", f"{side} side", FROM_WALL)
                for robot in (1, 2)
                for side in ("left", "right")
            ),
        ),
        "margin": MARGIN,
        "longest_stop": 0.8,
    }
    return GuardDescription(**(fields | changes))


CELL = np.array(BASES)
# Elbows out: tips 0.3 m apart and inside the walls
HOME = np.array([0.9, -0.6, -0.6, -0.3, 0.3, 0.4] * 2)


def positions_of_tips(q):
    """x and y [m] of both tips for joint positions (..., 12): an oracle in NumPy."""
    ends = []
    for robot, base in enumerate(BASES):
        angles = robot * np.pi + np.cumsum(q[..., robot * JOINTS : (robot + 1) * JOINTS], axis=-1)
        x = base + LINK * np.cos(angles).sum(axis=-1)
        ends.append((x, LINK * np.sin(angles).sum(axis=-1)))
    return ends


class Session:
    """A guard and what is sent through it, cycle by cycle."""

    def __init__(self, q=HOME, **changes):
        self.description = describe(**changes)
        self.guard = build(self.description)
        self.memory = at_rest(self.guard, q, TIPS)
        self.number = 0.0
        self.outputs = [self.q.copy()] * 4  # it stood before

    def take_over(self, qd):
        """Begins in motion: commands have long come with these speeds [rad/s]."""
        self.memory = in_motion(self.guard, self.q.copy(), qd, TIPS)
        self.outputs = [self.q - ago * PERIOD * qd for ago in (3, 2, 1, 0)]
        return self

    @property
    def q(self):
        return self.memory.sent[of.Q]

    @property
    def mode(self):
        return int(self.memory.status[of.MODE])

    @property
    def reason(self):
        return int(self.memory.status[of.REASON])

    def send(self, q=None, watched=None, cell=CELL, **cues):
        """One cycle; as it stands, a command for where the axes are, in order and fresh."""
        self.number += 1.0
        row = np.zeros(of.CUES)
        row[of.ARRIVED], row[of.SEQUENCE], row[of.OVERRIDE] = 1.0, self.number, 1.0
        for name, value in cues.items():
            row[getattr(of, name.upper())] = value
        q = self.q.copy() if q is None else np.array(q)
        watched = np.zeros(len(self.guard.watched)) if watched is None else np.array(watched)
        mode = step_planar(self.guard, cell, self.memory, Given(q, watched, row))
        self.outputs.append(self.q.copy())
        return mode

    def release(self):
        assert self.send(reset=1.0) == of.RUNNING
        return self

    def until_stopped(self, most=400):
        """Cycles until it stands."""
        for cycle in range(most):
            if self.mode == of.STOPPED:
                return cycle
            self.send(arrived=0.0)
        raise AssertionError("it did not stop")
