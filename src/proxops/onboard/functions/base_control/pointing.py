"""The attitude that a leg asks for: held in the Hill frame, or camera on the target."""

import math
from typing import Any, NamedTuple

from proxops.core.jit import helper
from proxops.core.spatial.quaternion import get4, quat_exp, quat_mul, quat_to_rotation
from proxops.core.spatial.vector import ZERO, cross, dot, get3, mul, norm, scale
from proxops.onboard.functions.base_control.trajectory import turned
from proxops.onboard.functions.plan import legs as leg_at

NEAREST = 0.1  # distance below which there is no direction to the target [m]


class Attitude(NamedTuple):
    """Against the Hill frame."""

    q_HC: Any  # wxyz
    w_HC_H: Any  # [rad/s], in H


@helper
def turned_onto(a, b):
    """The least rotation that turns the unit vector a onto the unit vector b."""
    axis, cosine = cross(a, b), dot(a, b)
    sine = norm(axis)
    if sine < 1e-12:  # the same, or opposite: any axis across would do, none is worth turning
        return 1.0, 0.0, 0.0, 0.0
    return quat_exp(scale(math.atan2(sine, cosine) / sine, axis))


@helper
def wanted_attitude(row, boresight, p, v, elapsed):
    """Attitude and rate that a leg's row asks for, of a chaser at p, v in H of the target; the
    boresight is in C.

    Line of sight s = -p/|p|, which turns with  w = p × v / |p|².  A flight around
    the target carries q_HC with it: half way around, the line of sight is opposite to where it
    began, and the least rotation has no axis.
    """
    q_HC = get4(row, leg_at.Q_HC)
    distance = norm(p)
    if row[leg_at.ACTION] == leg_at.FLY_AROUND and row[leg_at.POINTING] == leg_at.TARGET:
        angle = turned(row, elapsed)[0]
        q_HC = quat_mul(quat_exp(scale(angle, get3(row, leg_at.DIRECTION))), q_HC)
    if row[leg_at.POINTING] == leg_at.HILL or distance < NEAREST:
        return Attitude(q_HC, ZERO)
    looks = mul(quat_to_rotation(q_HC), get3(boresight, 0))
    q = quat_mul(turned_onto(looks, scale(-1.0 / distance, p)), q_HC)
    return Attitude(q, scale(1.0 / (distance * distance), cross(p, v)))
