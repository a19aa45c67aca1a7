"""An industrial robot: the geometry of its axes, its limits, where it stands and what it carries.

With all angles θ at zero the arm lies stretched along x of the base B, and every link frame has
the axes of B:

    axis   along   through, in the frame of the link before it
    1      z       d1 above the base
    2      y       a1 ahead of axis 1
    3      y       a2 ahead of axis 2 (upper arm)
    4      x       a3 above axis 3
    5      y       d4 ahead of axis 3, on axis 4: the wrist's centre
    6      x       the wrist's centre; the flange is d6 ahead of it

Two parallel axes after the first and three that meet in the wrist are what the closed form takes
("ortho-parallel with a spherical wrist", Brandstötter, Angerer and Hofbaur 2014).  A maker counts
from elsewhere and in another sense: θ = sign q + offset, where q are the joints as he shows them.
"""

import math
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from proxops.core.description import RigidInertia, point_inertia
from proxops.core.errors import InputError
from proxops.core.jit import helper
from proxops.core.spatial.quaternion import get4, quat_inverse, quat_to_rotation
from proxops.core.spatial.vector import get3

AXES = 6
GRAVITY = 9.80665  # standard [m/s2]

# Columns of Robot.joints, one row an axis
SIGN, OFFSET, LOWER, UPPER, SPEED, ACCELERATION, JERK = range(7)
JOINT_WIDTH = 7

# Rows of Robot.poses, and the columns of a pose
BASE_IN_LAB, LAB_IN_BASE, MOCK_UP_ON_FLANGE, FLANGE_ON_MOCK_UP = range(4)
P, Q = 0, 3
POSE_WIDTH = 7

# Robot.load, the mock-up in its own frame
MASS = 0
COM = 1
ABOUT_COM = 4  # inertia about the centre of mass: xx, yy, zz, xy, xz, yz
LARGEST = 10  # principal inertia
LOAD_WIDTH = 11


class Robot(NamedTuple):
    """Everything of a robot that kernels read."""

    a1: float  # shoulder offset [m]
    d1: float  # shoulder height [m]
    a2: float  # upper arm [m]
    a3: float  # elbow offset [m]
    d4: float  # forearm [m]
    d6: float  # wrist's centre to flange [m]
    payload: float  # [kg]
    moment: float  # about the flange's centre [N m]
    inertia: float  # largest principal one, about the load's centre of mass [kg m2]
    near_wrist: float  # angle of axis 5 that counts as singular [rad]
    near_reach: float  # what is left of the arm's reach that counts as singular [m]
    near_shoulder: float  # distance of wrist centre and axis 1 that counts as singular [m]
    joints: np.ndarray  # (6, JOINT_WIDTH)
    poses: np.ndarray  # (4, POSE_WIDTH)
    load: np.ndarray  # (LOAD_WIDTH,)


@dataclass(frozen=True)
class RobotDescription:
    """An industrial robot as its data sheet has it, in SI units and the maker's joint angles.  The
    distances to singular poses are not the maker's: closer than this, small motions of the flange
    ask for large ones of the joints."""

    name: str
    a1: float
    d1: float
    a2: float
    a3: float
    d4: float
    d6: float
    signs: tuple[float, ...]  # +1 or -1, one an axis
    offsets: tuple[float, ...]  # [rad]
    lower: tuple[float, ...]  # [rad]
    upper: tuple[float, ...]
    speed: tuple[float, ...]  # [rad/s]
    acceleration: tuple[float, ...]  # [rad/s2]
    jerk: tuple[float, ...]  # [rad/s3]
    payload: float
    moment: float
    inertia: float
    near_wrist: float = math.radians(5.0)
    near_reach: float = 0.01
    near_shoulder: float = 0.1


def _nowhere() -> np.ndarray:
    return np.array([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0])


def _nothing() -> RigidInertia:
    return RigidInertia(0.0, np.zeros(3), np.zeros((3, 3)))


@dataclass(frozen=True)
class Placement:
    """Where a robot stands and what it carries; as it stands, at the lab's origin, with an empty
    flange.  Poses are positions [m] and quaternions wxyz."""

    X_LB: np.ndarray = field(default_factory=_nowhere)
    X_KM: np.ndarray = field(default_factory=_nowhere)
    load: RigidInertia = field(default_factory=_nothing)  # all that is on the flange, in M


def build(robot: RobotDescription, placement: Placement) -> Robot:
    """The robot at its place with its load; refused if it is none."""
    joints = _joints(robot)
    poses = np.array([*_both_ways("X_LB", placement.X_LB), *_both_ways("X_KM", placement.X_KM)])
    return Robot(
        a1=float(robot.a1),
        d1=float(robot.d1),
        a2=float(robot.a2),
        a3=float(robot.a3),
        d4=float(robot.d4),
        d6=float(robot.d6),
        payload=float(robot.payload),
        moment=float(robot.moment),
        inertia=float(robot.inertia),
        near_wrist=float(robot.near_wrist),
        near_reach=float(robot.near_reach),
        near_shoulder=float(robot.near_shoulder),
        joints=joints,
        poses=poses,
        load=load_row(placement.load),
    )


def load_row(load: RigidInertia) -> np.ndarray:
    """A rigid body as kernels read it (LOAD_WIDTH,)."""
    I = load.inertia - point_inertia(load.mass, load.com)
    about_com = [I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]]
    return np.array([load.mass, *load.com, *about_com, np.linalg.eigvalsh(I)[-1]])


def _joints(robot: RobotDescription) -> np.ndarray:
    columns = {
        "signs": robot.signs,
        "offsets": robot.offsets,
        "lower": robot.lower,
        "upper": robot.upper,
        "speed": robot.speed,
        "acceleration": robot.acceleration,
        "jerk": robot.jerk,
    }
    for name, values in columns.items():
        if len(values) != AXES:
            raise InputError(f"robot {robot.name}: {name} has {len(values)} entries, not {AXES}")
    joints = np.array(list(columns.values()), dtype=float).T.copy()
    for axis, row in enumerate(joints, start=1):
        place = f"robot {robot.name}, axis {axis}"
        if abs(row[SIGN]) != 1.0:
            raise InputError(f"{place}: sign {row[SIGN]:g}; possible are +1 and -1")
        if not row[LOWER] < row[UPPER]:
            raise InputError(
                f"{place}: range from {row[LOWER]:g} to {row[UPPER]:g} rad; it must not be empty"
            )
        if not (row[SPEED:] > 0.0).all():
            raise InputError(f"{place}: speed, acceleration and jerk limits must be positive")
    for name in ("a2", "d4", "payload", "moment", "inertia"):
        if not getattr(robot, name) > 0.0:
            raise InputError(
                f"robot {robot.name}: {name} is {getattr(robot, name):g}, not positive"
            )
    return joints


def _both_ways(name: str, pose: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A pose [m, wxyz] with a unit quaternion, and its inverse."""
    pose = np.array(pose, dtype=float)
    if pose.shape != (POSE_WIDTH,) or not np.isfinite(pose).all() or not pose[Q:].any():
        raise InputError(f"{name}: found {pose}; it takes a position and a quaternion wxyz")
    pose[Q:] /= np.linalg.norm(pose[Q:])
    R = np.reshape(quat_to_rotation.py_func(pose[Q:]), (3, 3))
    return pose, np.concatenate([-R.T @ pose[:Q], quat_inverse.py_func(pose[Q:])])


@helper
def pose_of(robot, which):
    """One of the robot's fixed poses, by its row."""
    return get4(robot.poses[which], Q), get3(robot.poses[which], P)


@helper
def angle_of(robot, axis, q):
    """θ of an axis [rad] from the joint as its maker counts it."""
    return robot.joints[axis, SIGN] * q + robot.joints[axis, OFFSET]


@helper
def joint_of(robot, axis, theta):
    """The joint [rad] as its maker counts it, from θ of the axis."""
    return robot.joints[axis, SIGN] * (theta - robot.joints[axis, OFFSET])
