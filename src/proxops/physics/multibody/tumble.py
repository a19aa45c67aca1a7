"""A rigid body that nothing turns, and how small differences of its motion grow.

Only ratios of the inertia matter, so that any multiple of the tensor does.
"""

from proxops.core.jit import helper, part
from proxops.core.linear import put_block
from proxops.core.spatial.quaternion import (
    quat_exp,
    quat_normalised,
    quat_rate,
    quat_to_rotation,
)
from proxops.core.spatial.rotation_vector import right_jacobian
from proxops.core.spatial.vector import (
    IDENTITY,
    NO_MATRIX,
    add,
    cross,
    mat_add,
    mat_scale,
    matmul,
    scale,
    sub,
    sym_inverse,
    sym_mul,
    transpose,
)


@helper
def torque_free_rate(I, inverse, w):
    """ẇ = I⁻¹ (I w × w) [rad/s2], body axes."""
    return sym_mul(inverse, cross(sym_mul(I, w), w))


@helper
def _moved(q, h, k):
    """q + h k of quaternions."""
    return q[0] + h * k[0], q[1] + h * k[1], q[2] + h * k[2], q[3] + h * k[3]


@part
def tumble(I, q, w, h):
    """(q, w) after h [s], by one step of Runge-Kutta; h may be negative.

    q̇ = ½ q ∘ (0, w),   ẇ = I⁻¹ (I w × w)

    One step is off by (|w| h)⁵/100 or so: 2e-14 rad for 2.5 deg/s and 100 ms.
    """
    inverse = sym_inverse(I)
    q1, w1 = quat_rate(q, w), torque_free_rate(I, inverse, w)
    at = add(w, scale(0.5 * h, w1))
    q2, w2 = quat_rate(_moved(q, 0.5 * h, q1), at), torque_free_rate(I, inverse, at)
    at = add(w, scale(0.5 * h, w2))
    q3, w3 = quat_rate(_moved(q, 0.5 * h, q2), at), torque_free_rate(I, inverse, at)
    at = add(w, scale(h, w3))
    q4, w4 = quat_rate(_moved(q, h, q3), at), torque_free_rate(I, inverse, at)
    middle = add(w2, w3)
    q = _moved(_moved(q, h / 6.0, q1), h / 6.0, q4)
    q = _moved(_moved(q, h / 3.0, q2), h / 3.0, q3)
    w = add(w, scale(h / 6.0, add(add(w1, w4), scale(2.0, middle))))
    return quat_normalised(q), w


@helper
def slope_of_rate(I, inverse, w):
    """A = I⁻¹ ([I w]× - [w]× I) [1/s]: how ẇ changes with w, nine numbers row by row."""
    h = sym_mul(I, w)
    x = sub(cross(h, (1.0, 0.0, 0.0)), cross(w, (I[0], I[3], I[4])))
    y = sub(cross(h, (0.0, 1.0, 0.0)), cross(w, (I[3], I[1], I[5])))
    z = sub(cross(h, (0.0, 0.0, 1.0)), cross(w, (I[4], I[5], I[2])))
    x, y, z = sym_mul(inverse, x), sym_mul(inverse, y), sym_mul(inverse, z)
    return x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]


@part
def fill_tumble_transition(I, w, h, F):
    """Writes F (6, 6): small differences of attitude (body axes) and rate after h [s] of tumbling.

        [θ]      [exp(-[w h]×)   h J(w h) + ½ h² A] [θ]
        [δw](h) = [0              1 + h A + ½ h² A²] [δw](0)

    with w as in the middle of the span.  J is the Jacobian of rotation vectors.  Terms of the third
    order in h are left out: 1e-7 for 2.5 deg/s and 100 ms.
    """
    inverse = sym_inverse(I)
    w = add(w, scale(0.5 * h, torque_free_rate(I, inverse, w)))
    A = slope_of_rate(I, inverse, w)
    turn, half = scale(h, w), mat_scale(0.5 * h * h, A)
    put_block(F, 0, 0, transpose(quat_to_rotation(quat_exp(turn))))
    put_block(F, 0, 3, mat_add(mat_scale(h, right_jacobian(turn)), half))
    put_block(F, 3, 0, NO_MATRIX)
    put_block(F, 3, 3, mat_add(mat_add(IDENTITY, mat_scale(h, A)), matmul(half, A)))
