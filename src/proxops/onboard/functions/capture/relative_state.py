"""What the capture knows at one instant: from navigation, or through the arm once it holds."""

from typing import Any, NamedTuple

import numpy as np

from proxops.core.jit import helper
from proxops.core.spatial.pose import compose, inverse
from proxops.core.spatial.quaternion import quat_to_rotation
from proxops.core.spatial.vector import add, cross, mul, mul_t, sub


class RelativeState(NamedTuple):
    """The target as the chaser sees it."""

    X_CT: Any  # target's hub in C: (q wxyz, p [m])
    drift: Any  # inertial velocity of To less that of Co, in C [m/s]
    w_C: Any  # inertial angular velocity of the chaser, in C [rad/s]
    w_T: Any  # of the target, in T [rad/s]


class Instant(NamedTuple):
    """What is known and measured now."""

    t: float  # [s]
    relative: RelativeState
    q: np.ndarray  # of the joints
    qd: np.ndarray
    image_gap: float  # time since the target was last seen [s]
    wrench: np.ndarray  # measured by the wrist, at E in E (6,) [N, N m]
    gripped: int  # 1: the gripper has closed on something
    doubt: float  # what is known is good enough to begin with up to 1, see navigation
    commands_late: int  # 1: actuators carry out commands too late
    permitted: float  # the latest mode that may be entered


@helper
def target_rate(relative):
    """The target's inertial angular velocity in C [rad/s]."""
    return mul(quat_to_rotation(relative.X_CT[0]), relative.w_T)


@helper
def through_arm(w_C, effector, X_TE):
    """The target as an arm knows it that holds its frame E, `effector` = (X_CE, V_CE) against the
    base, in C: it moves with the end effector."""
    X_CE, (v, w) = effector
    X_CT = compose(X_CE, inverse(X_TE))
    moved = add(v, cross(w, sub(X_CT[1], X_CE[1])))  # To against the base, seen in C
    R_CT = quat_to_rotation(X_CT[0])
    return RelativeState(X_CT, add(moved, cross(w_C, X_CT[1])), w_C, mul_t(R_CT, add(w_C, w)))
