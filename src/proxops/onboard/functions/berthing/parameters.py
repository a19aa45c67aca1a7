"""What a berthing believes and shall do."""

from typing import NamedTuple

import numpy as np

from proxops.onboard.functions.capture.arm_impedance import Stiffness
from proxops.physics.multibody.tree import Tree

# What the arm does in a leg
STAY, GRAPPLE, FOLLOW, LATCH, UNLATCH, OPEN_GRIPPER, RETREAT = range(7)

# Columns of a leg's row
TASK = 0
PATH = 1  # number of its path, for FOLLOW
LEG_WIDTH = 2

# Columns of a path's row
FIRST = 0  # row of the table at which it begins
ROWS = 1
PATH_STEP = 2  # between rows [s]
PATH_WIDTH = 3


# Columns of a port's row: A in C, B in T, and its envelope
AT_TARGET = 7
OFFSET = 14  # [m]
ANGLE = 15  # [rad]
PORT_WIDTH = 16


class Belief(NamedTuple):
    """The two spacecraft as the software believes them to be."""

    chaser: Tree
    target_com: np.ndarray  # from To, in T [m]
    effector: np.ndarray  # E on its link, see capture.parameters
    effector_body: int
    grapple: np.ndarray  # G in T
    grasp: np.ndarray  # E in G when grasped
    camera: np.ndarray  # K in C
    ports: np.ndarray  # (holds, PORT_WIDTH)


class GripperDrive(NamedTuple):
    """The gripper's motor and clamps among the joints."""

    motor: int
    left: int
    right: int
    torque: float  # M_t that grips [N m]
    speed: float  # of closing and opening, at the motor [rad/s]
    gain: float  # torque per speed that lacks [N m s/rad]
    ramp: float  # in which the torque rises to M_t once the clamps have met something [s]
    travel: float  # of the motor from open to the part [rad]
    opened: float  # position of the motor at which it is open [rad]
    size: float  # position of the clamps that is expected on the part [rad]
    tolerance: float  # of that [rad]
    stands: float  # speed of the motor below which it does [rad/s]
    settle: float  # for which it must stand to have gripped [s]
    touch: float  # change of the wrist's force by which a clamp has met something [N]


class Triggers(NamedTuple):
    """When the gripper closes."""

    place: float  # error of E [m]
    angle: float  # [rad]
    settle: float  # for which both must be smaller [s]
    latched: int  # 1: each, once raised, stays raised, as published


class Limits(NamedTuple):
    """Beyond which a leg of the arm is given up."""

    force: float  # at the wrist [N]
    torque: float  # [N m]
    overload: float  # for so long [s]
    behind: float  # of a joint [rad]
    behind_time: float  # for so long [s]
    slip: float  # of E in G, seen by the camera [m]
    slip_time: float  # for so long [s]
    unseen: float  # longest without a picture while reaching [s]
    start: float  # of a joint from where its path was planned from [rad]
    unready: float  # longest that a latch may not be ready [s]


class Berthing(NamedTuple):
    """Everything that stays the same."""

    belief: Belief
    legs: np.ndarray  # (legs, LEG_WIDTH)
    leg_holds: np.ndarray  # (legs, holds): 1 for those that a leg closes or opens
    latched: np.ndarray  # (holds,): 1 for those that are closed as the mission begins
    paths: np.ndarray  # (paths, PATH_WIDTH)
    table: np.ndarray  # (rows, 2 n): joints and their rates along all paths
    joints: np.ndarray  # numbers of the arm's joints
    kp: np.ndarray  # of the arm's joints [N m/rad]
    kd: np.ndarray  # [N m s/rad]
    loose: float  # share of kd while latches draw the target in
    arrived: float  # error of joints at which a path has ended [rad]
    gripper: GripperDrive
    triggers: Triggers
    impedance: Stiffness
    limits: Limits
    pregrasp: float  # before the grasp point, along z of G [m]
    reach_time: float  # to there [s]
    final_time: float  # from there onto the grasp point [s]
    ready: float  # for which a latch must have been before it is commanded [s]
    retry: float  # after which a latch that has not closed is commanded again [s]
    brakes: int  # 1: they hold the joints in legs that do not move the arm
    retreat: float  # before the grasp point, along z of G, where a hand ends that retreats [m]
