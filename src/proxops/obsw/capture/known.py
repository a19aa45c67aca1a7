"""What the capture knows of the two spacecraft, from navigation, at one instant."""

from typing import NamedTuple

from proxops.core.spatial.quaternion import quat_to_rotation
from proxops.core.jit import helper
from proxops.core.spatial.vector import mul


class Known(NamedTuple):
    """The target as the chaser sees it."""

    X_CT: tuple  # target's hub in C: (q wxyz, p [m])
    drift: tuple  # inertial velocity of To less that of Co, in C [m/s]
    w_C: tuple  # inertial angular velocity of the chaser, in C [rad/s]
    w_T: tuple  # of the target, in T [rad/s]


@helper
def target_rate(known):
    """The target's inertial angular velocity in C [rad/s]."""
    return mul(quat_to_rotation(known.X_CT[0]), known.w_T)
