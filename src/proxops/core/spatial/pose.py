"""Poses X_AB = (q_AB, p_AB), twists V = (v, w) and wrenches F = (f, t), linear part first.

A twist V_AB moves the pose as Ẋ = X hat(V): both parts are components in B, v is the velocity
of B's origin.  The adjoints follow from that:

    Ad_X = [[R, [p]× R], [0, R]]        carries V given in B to A
    ad_V = [[[w]×, [v]×], [0, [w]×]]    d/dt Ad_X = Ad_X ad_V
"""

import math

from proxops.core.jit import helper
from proxops.core.spatial.quaternion import (
    IDENTITY,
    SMALL_ANGLE,
    quat_exp,
    quat_inverse,
    quat_log,
    quat_mul,
    quat_to_rotation,
)
from proxops.core.spatial.vector import ZERO, add, cross, mul, mul_t, norm, scale, sub

IDENTITY_POSE = (IDENTITY, ZERO)


@helper
def compose(X_AB, X_BC):
    """X_AC = X_AB X_BC."""
    q_AB, p_AB = X_AB
    q_BC, p_BC = X_BC
    return quat_mul(q_AB, q_BC), add(p_AB, mul(quat_to_rotation(q_AB), p_BC))


@helper
def inverse(X_AB):
    """X_BA."""
    q_AB, p_AB = X_AB
    return quat_inverse(q_AB), scale(-1.0, mul_t(quat_to_rotation(q_AB), p_AB))


@helper
def act(X_AB, p_B):
    """The point p_B, given in B, as seen from A [m]."""
    q_AB, p_AB = X_AB
    return add(p_AB, mul(quat_to_rotation(q_AB), p_B))


@helper
def Ad(X_AB, V):
    """Ad_X V: the twist V of B's axes and origin, in A's."""
    v, w = V
    q_AB, p_AB = X_AB
    R = quat_to_rotation(q_AB)
    w_A = mul(R, w)
    return add(mul(R, v), cross(p_AB, w_A)), w_A


@helper
def Ad_transposed(X_AB, F):
    """Ad_Xᵀ F: the wrench F of A's axes and origin, in B's; power is the same in both."""
    f, t = F
    q_AB, p_AB = X_AB
    R = quat_to_rotation(q_AB)
    return mul_t(R, f), mul_t(R, sub(t, cross(p_AB, f)))


@helper
def ad(V, U):
    """ad_V U."""
    v, w = V
    u, z = U
    return add(cross(w, u), cross(v, z)), cross(w, z)


@helper
def ad_transposed(V, F):
    """ad_Vᵀ F."""
    v, w = V
    f, t = F
    return scale(-1.0, cross(w, f)), scale(-1.0, add(cross(v, f), cross(w, t)))


@helper
def _left_jacobian_terms(angle):
    """(1 - cos x)/x² and (x - sin x)/x³, from their series where those cancel."""
    square = angle * angle
    # Left out are x¹⁰/12! and x⁸/11!, which the pose feels with x and x²: less than 3e-18 at 0.1,
    # where the closed forms, for their part, lose 5e-16.
    if angle < 0.1:
        a = 0.5 - square * (1 / 24 - square * (1 / 720 - square * (1 / 40320 - square / 3628800)))
        b = 1 / 6 - square * (1 / 120 - square * (1 / 5040 - square * (1 / 362880)))
        return a, b
    return (1.0 - math.cos(angle)) / square, (angle - math.sin(angle)) / (square * angle)


@helper
def exp(V):
    """Pose reached from the identity by the constant twist V in unit time."""
    v, w = V
    a, b = _left_jacobian_terms(norm(w))
    wv = cross(w, v)
    return quat_exp(w), add(v, add(scale(a, wv), scale(b, cross(w, wv))))


@helper
def log(X):
    """The twist whose exp is X, with a rotation of at most π."""
    q, p = X
    w = quat_log(q)
    angle = norm(w)
    if angle < SMALL_ANGLE:
        c = 1 / 12 + angle * angle / 720
    else:
        half = 0.5 * angle
        c = (1.0 - half * math.cos(half) / math.sin(half)) / (angle * angle)
    wp = cross(w, p)
    return add(sub(p, scale(0.5, wp)), scale(c, cross(w, wp))), w
