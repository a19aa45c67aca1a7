"""Where things stand in the tables of the guard, its modes and its reasons."""

from typing import NamedTuple

import numpy as np

# Columns of Guard.axes
LOWER = 0  # [rad]
UPPER = 1
SPEED = 2  # [rad/s]
ACCELERATION = 3  # [rad/s2]
JERK = 4  # [rad/s3]
HARD_ACCELERATION = 5  # both of an emergency stop
HARD_JERK = 6
REACH = 7  # how far from the axis what it moves can get [m]
AXIS_WIDTH = 8

# Columns of Guard.watched
KIND = 0  # the reason to stop for
MAXIMUM = 1  # [N] or [N m]
WATCHED_WIDTH = 2

# Columns of Guard.shapes: segments of two ends, grown by a radius
FRAME = 0  # row of the frame that carries it
END_A = 1  # in that frame [m]
END_B = 4
RADIUS = 7  # [m]
SHAPE_WIDTH = 8

# Columns of Guard.planes, of half spaces n·p ≥ offset to stay in
NORMAL = 0
OFFSET = 3  # [m]
PLANE_WIDTH = 4

# Columns of Guard.pairs (two shapes) and Guard.walls (a shape and a plane)
FIRST = 0
SECOND = 1
LEAST = 2  # clearance to keep [m]
PAIR_WIDTH = 3

# Columns of a frame, whose pose in L it is
POSITION = 0  # [m]
ATTITUDE = 3  # wxyz
FRAME_WIDTH = 7

# Entries of Guard.settings
PERIOD = 0  # h, between two commands [s]
OLDEST = 1  # age of an input [s]
START = 2  # how far the first command may be from where the axes stand [rad]
MARGIN = 3  # that clearances may fall short of between two looks [m]
MAX_CYCLES = 4  # of a stop
SETTINGS = 5

# Rows of a motion, one column an axis
Q = 0  # [rad]
V = 1  # (q_k - q_{k-1})/h [rad/s]
V_BEFORE = 2  # that of the cycle before
MOTION_ROWS = 3

# Entries of Given.cues
ARRIVED = 0  # 1 if a command came in this cycle
SEQUENCE = 1  # its number, by one more than the last
AGE = 2  # of the oldest thing it was made from [s]
OVERRIDE = 3  # share of the speed limits that is allowed, 0 to 1
EMERGENCY = 4  # 0 if nobody has pressed the button
RESET = 5  # 1 to ask for release; what counts is the rise from 0
SHORT = 6  # by how much a robot falls short of the pose asked for [m], 0 if it does not
SHORT_ROBOT = 7  # which one
CUES = 8

# Entries of Memory.status
MODE = 0
REASON = 1  # why it acted in this cycle, else NONE
CYCLES = 2  # N of the stop known to be possible, or under way; 0 before the first is found
DONE = 3  # cycles of the stop that have been sent
HARD = 4  # 1 once the stop is an emergency's
RESET_CUE = 5  # 1 if release was asked for in the last cycle
COUNT = 6  # cycles so far
STATUS = 7

# Entries of Memory.numbers
LAST_SEQUENCE = 0
SLACK = 1  # smallest clearance beyond what is to be kept, at the last command sent [m]
NUMBERS = 2

# Modes; the arm is compliant in all but RUNNING
STOPPED = 0
RUNNING = 1
BRAKING = 2

# Reasons
NONE = 0
LINK_LOST = 1
OUT_OF_ORDER = 2
REPEATED = 3
STALE = 4
NOT_FINITE = 5
FIELD_NOT_FINITE = 6  # a cue or a watched value
BAD_OVERRIDE = 7
EMERGENCY_STOP = 8
AWAY_FROM_START = 9
MEASURED_FORCE = 10
MEASURED_TORQUE = 11
ARM_TORQUE = 12
FLANGE_FORCE = 13
FLANGE_MOMENT = 14
AXIS_POSITION = 15
AXIS_SPEED = 16
AXIS_ACCELERATION = 17
AXIS_JERK = 18
STOP_POSITION = 19  # these four: the command itself is fine, but no stop from there is
STOP_SPEED = 20
STOP_ACCELERATION = 21
STOP_JERK = 22
CLEARANCE = 23
WORKSPACE = 24
STOP_CLEARANCE = 25
STOP_WORKSPACE = 26
UNPROVEN = 27  # clearances on the way could not be shown with the looks allowed
RELEASED = 28  # the one that is no fault
UNREACHABLE = 29

# Columns of Memory.log, whose first row holds the number of rows used and of those lost
USED = 0
LOST = 1
CYCLE = 0
WHY = 1
WHICH = 2  # axis, watched value, pair, or (counted after the pairs) wall
FOUND = 3
LIMIT = 4
LOG_WIDTH = 5


class Guard(NamedTuple):
    """Limits, shapes and settings, as kernels read them."""

    axes: np.ndarray
    watched: np.ndarray
    shapes: np.ndarray
    planes: np.ndarray
    pairs: np.ndarray
    walls: np.ndarray
    settings: np.ndarray


class Memory(NamedTuple):
    """What the guard knows from cycle to cycle, and room to work in."""

    sent: np.ndarray  # motion up to the last output
    commanded: np.ndarray  # motion if the command is sent
    brake: np.ndarray  # motion where the stop began
    status: np.ndarray  # int64
    numbers: np.ndarray
    log: np.ndarray
    trial: np.ndarray  # joint positions on the way of a stop
    frames: np.ndarray
    ends: np.ndarray  # of the shapes, in L


class Given(NamedTuple):
    """Inputs of a cycle."""

    q: np.ndarray  # command [rad]
    watched: np.ndarray  # magnitudes of forces and torques, in the rows of Guard.watched
    cues: np.ndarray


class Violation(NamedTuple):
    """Why not: a reason, which axis or pair, what was found and what is the limit."""

    reason: int
    which: int
    found: float
    limit: float
