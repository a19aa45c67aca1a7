"""Unit quaternions (w, x, y, z).  q_AB turns components in B into components in A."""

import math

from proxops.core.jit import helper
from proxops.core.select import any_of, select

IDENTITY = (1.0, 0.0, 0.0, 0.0)
# Below this angle [rad] sin(x)/x and its like are taken from their series: at 1e-3 the first
# term left out is x⁶/5040 ≈ 2e-22 of the result.
SMALL_ANGLE = 1e-3


@helper
def get4(array, at):
    """Quaternion stored in a one-dimensional array from index `at`."""
    return array[at], array[at + 1], array[at + 2], array[at + 3]


@helper
def put4(array, at, q):
    """Stores a quaternion in a one-dimensional array from index `at`."""
    array[at] = q[0]
    array[at + 1] = q[1]
    array[at + 2] = q[2]
    array[at + 3] = q[3]


@helper
def put4_where(test, array, at, q):
    """The same where a test holds."""
    array[at] = select(test, q[0], array[at])
    array[at + 1] = select(test, q[1], array[at + 1])
    array[at + 2] = select(test, q[2], array[at + 2])
    array[at + 3] = select(test, q[3], array[at + 3])


@helper
def quat_mul(a, b):
    """q_AC = q_AB q_BC."""
    return (
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    )


@helper
def quat_inverse(q):
    """q_BA from the unit q_AB."""
    return q[0], -q[1], -q[2], -q[3]


@helper
def quat_normalised(q):
    """q / |q|."""
    s = 1.0 / math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    return s * q[0], s * q[1], s * q[2], s * q[3]


@helper
def quat_positive(q):
    """The one of ±q whose scalar part is not negative: the shorter way round."""
    sign = select(q[0] < 0.0, -1.0, 1.0)
    return sign * q[0], sign * q[1], sign * q[2], sign * q[3]


@helper
def quat_rate(q, w):
    """q̇_AB = ½ q_AB ∘ (0, w_AB_B) [1/s], w in rad/s."""
    return (
        0.5 * (-q[1] * w[0] - q[2] * w[1] - q[3] * w[2]),
        0.5 * (q[0] * w[0] + q[2] * w[2] - q[3] * w[1]),
        0.5 * (q[0] * w[1] + q[3] * w[0] - q[1] * w[2]),
        0.5 * (q[0] * w[2] + q[1] * w[1] - q[2] * w[0]),
    )


@helper
def quat_to_rotation(q):
    """R_AB of the quaternion q_AB, of any length: an integrator's stages are not quite unit, and a
    rotation that stretched vectors would cost digits there."""
    w, x, y, z = q
    s = 2.0 / (w * w + x * x + y * y + z * z)
    return (
        1.0 - s * (y * y + z * z),
        s * (x * y - w * z),
        s * (x * z + w * y),
        s * (x * y + w * z),
        1.0 - s * (x * x + z * z),
        s * (y * z - w * x),
        s * (x * z - w * y),
        s * (y * z + w * x),
        1.0 - s * (x * x + y * y),
    )


@helper
def quat_from_rotation(R):
    """q_AB of R_AB, by the largest of the four components: exact for every rotation."""
    trace = R[0] + R[4] + R[8]
    is_w, is_x, is_y = trace > 0.0, R[0] > max(R[4], R[8]), R[4] > R[8]
    y_or_z = select(is_y, 1.0 + R[4] - R[0] - R[8], 1.0 + R[8] - R[0] - R[4])
    x_to_z = select(is_x, 1.0 + R[0] - R[4] - R[8], y_or_z)
    s = 2.0 * math.sqrt(select(is_w, 1.0 + trace, x_to_z))
    wx, wy, wz = (R[7] - R[5]) / s, (R[2] - R[6]) / s, (R[3] - R[1]) / s
    xy, xz, yz = (R[1] + R[3]) / s, (R[2] + R[6]) / s, (R[5] + R[7]) / s
    q = (
        select(is_w, 0.25 * s, select(is_x, wx, select(is_y, wy, wz))),
        select(is_w, wx, select(is_x, 0.25 * s, select(is_y, xy, xz))),
        select(is_w, wy, select(is_x, xy, select(is_y, 0.25 * s, yz))),
        select(is_w, wz, select(is_x, xz, select(is_y, yz, 0.25 * s))),
    )
    return quat_positive(quat_normalised(q))


@helper
def quat_exp(r):
    """q of the rotation vector r [rad]: angle |r| about r."""
    angle = math.sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2])
    square = angle * angle
    s = 0.5 - square / 48.0 + square * square / 3840.0
    if any_of(angle >= SMALL_ANGLE):
        closed = math.sin(0.5 * angle) / max(angle, SMALL_ANGLE)
        s = select(angle < SMALL_ANGLE, s, closed)
    return math.cos(0.5 * angle), s * r[0], s * r[1], s * r[2]


@helper
def quat_log(q):
    """Rotation vector [rad] of the unit q, angle in [0, π]."""
    w, x, y, z = quat_positive(q)
    sine = math.sqrt(x * x + y * y + z * z)
    square = sine * sine
    s = 2.0 + square / 3.0 + 3.0 * (square * square) / 20.0  # 2 asin(sine)/sine
    if any_of(sine >= SMALL_ANGLE):
        closed = 2.0 * math.atan2(sine, w) / max(sine, SMALL_ANGLE)
        s = select(sine < SMALL_ANGLE, s, closed)
    return s * x, s * y, s * z
