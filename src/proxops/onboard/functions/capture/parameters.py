"""What the capture believes of the two spacecraft, and what it shall do."""

from typing import NamedTuple

import numpy as np

from proxops.core.jit import helper
from proxops.core.spatial.quaternion import get4
from proxops.core.spatial.vector import get3
from proxops.onboard.functions.allocation.allocate import Platform
from proxops.onboard.functions.capture.arm_impedance import Stiffness
from proxops.onboard.functions.capture.base_tracking import TrackingGains
from proxops.physics.multibody.tree import Tree

POSE_Q, POSE_P = 0, 4  # of a stored pose


class Belief(NamedTuple):
    """The two spacecraft as the capture believes them to be."""

    chaser: Tree
    target_inertia: np.ndarray  # about the target's centre of mass, xx yy zz xy xz yz, any unit
    target_com: np.ndarray  # from To, in T [m]
    target_share: float  # of the mass of both spacecraft
    effector: np.ndarray  # E on its link
    effector_body: int
    grapple: np.ndarray  # G in T
    grasp: np.ndarray  # E in G when grasped
    platform: Platform  # thrusters and wheels


class Timing(NamedTuple):
    """Durations [s]."""

    synchronise: float  # of the trajectory to the hold point
    near: float  # of the base's trajectory from there, and of the arm's to before the grasp point
    reach: float  # of the arm's trajectory from before the grasp point onto it
    settle: float  # for which errors must be small before a mode ends
    timeout: float  # longest that a mode may take beyond its trajectories
    max_image_gap: float  # longest without a picture of the target
    overload_time: float  # longest that the wrist may measure more than it may
    retreat: float  # of the base's trajectory back in an abort
    max_command_latency: float  # that its stiffest loops tolerate


class Tolerance(NamedTuple):
    """Errors below which something is at its reference."""

    place: float  # [m]
    speed: float  # [m/s]
    angle: float  # [rad]
    rate: float  # [rad/s]


class Plan(NamedTuple):
    """What the capture shall do."""

    timing: Timing
    synchronous: Tolerance  # of the base, before it comes near
    graspable: Tolerance  # of the end effector, before the gripper closes
    corridor: Tolerance  # of the base, beyond which it aborts
    base: TrackingGains
    arm: Stiffness
    stand: np.ndarray  # C in T at the grasp
    hold_point: float  # farther from the target while waiting, along z of G [m]
    retreat: float  # farther from it after an abort [m]
    pregrasp: float  # of E before the grasp point, along z of G [m]
    joint_hold_kp: np.ndarray  # of joints that are held [N m/rad]
    joint_hold_kd: np.ndarray  # [N m s/rad]
    detumble_gain: float  # damping of the base against the held target, over its inertia [1/s]
    handover: float  # in which the arm takes over from the base once it holds the target [s]
    friction: float  # share of the believed viscous friction that is made up for
    max_force: float  # at the wrist [N]
    max_torque: float  # [N m]


@helper
def get_pose(row):
    """A pose (q, p) as it is stored."""
    return get4(row, POSE_Q), get3(row, POSE_P)


@helper
def inertia_of(belief):
    """The target's, symmetric."""
    I = belief.target_inertia
    return I[0], I[1], I[2], I[3], I[4], I[5]
