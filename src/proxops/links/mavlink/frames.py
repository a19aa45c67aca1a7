"""Lab frame L (gravity -z) and body frame V (x forward, z up) to MAVLink's NED and FRD, and back.

North is L's x, so east is -y and down is -z; forward is V's x, so right is -y and down is -z.
Both changes of axes are half a turn X about x, and X X = 1.  Hence **every function here is its
own inverse**: the same call goes both ways.

    v_NED = X v_L        q_NED,FRD = X q_LV X⁻¹        yaw_NED = -yaw_L
"""

import math

Vector = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]  # (w, x, y, z)


def flip_vector(v: Vector) -> Vector:
    """Components in NED of a vector in L, or in FRD of one in V; and back."""
    return v[0], -v[1], -v[2]


def flip_attitude(q: Quaternion) -> Quaternion:
    """Attitude of FRD in NED from q_LV; and back."""
    return q[0], q[1], -q[2], -q[3]


def flip_yaw(yaw: float) -> float:
    """Heading [rad] about NED's z (clockwise from above) from the yaw about L's z; and back."""
    return -yaw


def rotate(q_AB: Quaternion, v_B: Vector) -> Vector:
    """Components in A of a vector in B: v + 2w (u × v) + 2 u × (u × v), with q = (w, u)."""
    w, x, y, z = q_AB
    cx, cy, cz = y * v_B[2] - z * v_B[1], z * v_B[0] - x * v_B[2], x * v_B[1] - y * v_B[0]
    return (
        v_B[0] + 2.0 * (w * cx + y * cz - z * cy),
        v_B[1] + 2.0 * (w * cy + z * cx - x * cz),
        v_B[2] + 2.0 * (w * cz + x * cy - y * cx),
    )


def inverse(q_AB: Quaternion) -> Quaternion:
    """q_BA of the unit q_AB."""
    return q_AB[0], -q_AB[1], -q_AB[2], -q_AB[3]


def is_unit(q: Quaternion) -> bool:
    """Whether a quaternion is an attitude; single precision rounds its norm by 1e-7."""
    return abs(math.hypot(*q) - 1.0) < 1e-3
