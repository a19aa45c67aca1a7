"""Poses X_AB = (q_AB, p_AB), twists V = (v, w) and wrenches F = (f, t), linear part first.

A twist V_AB moves the pose as Ẋ = X hat(V): both parts are components in B, v is the velocity
of B's origin.  The adjoints follow from that:

    Ad_X = [[R, [p]× R], [0, R]]        carries V given in B to A
    ad_V = [[[w]×, [v]×], [0, [w]×]]    d/dt Ad_X = Ad_X ad_V
"""

from proxops.core.jit import helper
from proxops.core.spatial.quaternion import (
    IDENTITY,
    quat_exp,
    quat_inverse,
    quat_log,
    quat_mul,
    quat_to_rotation,
)
from proxops.core.spatial.rotation_vector import inverse_jacobian_term, jacobian_terms
from proxops.core.spatial.vector import ZERO, add, cross, dot, mul, mul_t, norm, scale, sub

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
def Ad_inverse(X_AB, V):
    """Ad_X⁻¹ V: the twist V of A's axes and origin, in B's."""
    v, w = V
    q_AB, p_AB = X_AB
    R = quat_to_rotation(q_AB)
    return mul_t(R, sub(v, cross(p_AB, w))), mul_t(R, w)


@helper
def plus(V, U):
    """V + U of twists or wrenches."""
    return add(V[0], U[0]), add(V[1], U[1])


@helper
def minus(V, U):
    """V - U of twists or wrenches."""
    return sub(V[0], U[0]), sub(V[1], U[1])


@helper
def power(V, F):
    """V · F [W]."""
    return dot(V[0], F[0]) + dot(V[1], F[1])


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
def exp(V):
    """Pose reached from the identity by the constant twist V in unit time."""
    v, w = V
    a, b = jacobian_terms(norm(w))
    wv = cross(w, v)
    return quat_exp(w), add(v, add(scale(a, wv), scale(b, cross(w, wv))))


@helper
def log(X):
    """The twist whose exp is X, with a rotation of at most π."""
    q, p = X
    w = quat_log(q)
    c = inverse_jacobian_term(norm(w))
    wp = cross(w, p)
    return add(sub(p, scale(0.5, wp)), scale(c, cross(w, wp))), w
