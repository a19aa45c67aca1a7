"""A six-degree-of-freedom hold: what a closed gripper, a latch or a compliant arm does.

Displacements are those of the chaser's frame A against the target's frame B since they were
joined, in A's axes; force and torque are on A and act at B's origin.
"""

import math

from proxops.core.jit import helper
from proxops.core.spatial.vector import add, cross, norm, scale, sub


@helper
def times_each(a, b):
    """Product, component by component."""
    return a[0] * b[0], a[1] * b[1], a[2] * b[2]


@helper
def hold_force(stiffness, damping, displacement, velocity):
    """Force on A [N]: f = -(k x + d ẋ), axis by axis."""
    return add(
        times_each(scale(-1.0, stiffness), displacement), times_each(scale(-1.0, damping), velocity)
    )


@helper
def hold_torque(stiffness, damping, turn, w):
    """Torque on A [N m], for a turn by the quaternion (η, ε) and an angular velocity w.

        U = 2 ε · κε,   t = -2 (η κε - ε × κε) - d w

    For small turns t = -κθ.  It is the gradient of U for any turn, so that a spring gives back what
    it took; κ [N m/rad] and d [N m s/rad] are axis by axis.
    """
    eta, eps = turn[0], (turn[1], turn[2], turn[3])
    pull = times_each(stiffness, eps)
    spring = scale(-2.0, sub(scale(eta, pull), cross(eps, pull)))
    return add(spring, times_each(scale(-1.0, damping), w))


@helper
def limited(a, limit):
    """The vector, shortened to `limit` where it is longer."""
    size = norm(a)
    return scale(limit / size, a) if size > limit and not math.isinf(limit) else a
