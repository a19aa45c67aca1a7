"""A smooth trajectory from one relative pose to another.

    p(t) = p₀ + s (p₁ - p₀),   q(t) = q₀ exp(s r),   r = log(q₀⁻¹ q₁),   s = 10σ³ - 15σ⁴ + 6σ⁵

σ runs from 0 to 1 in the path's duration; before and after, the ends are held.
"""

from typing import Any, NamedTuple

from proxops.core.jit import helper
from proxops.core.spatial.quaternion import (
    get4,
    put4,
    quat_exp,
    quat_inverse,
    quat_log,
    quat_mul,
    quat_to_rotation,
)
from proxops.core.spatial.vector import add, get3, mul, put3, scale, sub

# Entries of a stored path
BEGIN = 0  # [s]
DURATION = 1  # [s]
FROM_P, FROM_Q = 2, 5
TO_P, TO_Q = 9, 12
PATH_WIDTH = 16


class TrajectoryPoint(NamedTuple):
    """Reference pose, velocity and acceleration of a frame B in A; vectors in A."""

    X: Any  # (q_AB, p_AB)
    v: Any  # [m/s]
    w: Any  # [rad/s]
    a: Any  # [m/s2]
    alpha: Any  # [rad/s2]


@helper
def put_path(path, span, X_from, X_to):
    """Stores a trajectory that takes span = (begin, duration) [s]."""
    path[BEGIN], path[DURATION] = span
    put4(path, FROM_Q, X_from[0])
    put3(path, FROM_P, X_from[1])
    put4(path, TO_Q, X_to[0])
    put3(path, TO_P, X_to[1])


@helper
def blend(sigma):
    """s, ds/dσ, d²s/dσ²."""
    return (
        sigma**3 * (10.0 - 15.0 * sigma + 6.0 * sigma**2),
        30.0 * sigma**2 * (1.0 - sigma) ** 2,
        60.0 * sigma * (1.0 - sigma) * (1.0 - 2.0 * sigma),
    )


@helper
def along(path, t):
    """Where the trajectory is at the time t [s]."""
    T = path[DURATION]
    sigma = min(max((t - path[BEGIN]) / T, 0.0), 1.0)
    s, slope, bend = blend(sigma)
    rate, change = slope / T, bend / T**2
    q_from, p_from = get4(path, FROM_Q), get3(path, FROM_P)
    shift = sub(get3(path, TO_P), p_from)
    rotation = quat_log(quat_mul(quat_inverse(q_from), get4(path, TO_Q)))
    about = mul(quat_to_rotation(q_from), rotation)  # the axis is the same in both frames' axes
    q = quat_mul(q_from, quat_exp(scale(s, rotation)))
    return TrajectoryPoint(
        (q, add(p_from, scale(s, shift))),
        scale(rate, shift),
        scale(rate, about),
        scale(change, shift),
        scale(change, about),
    )


@helper
def end_time(path):
    """When a trajectory ends [s]."""
    return path[BEGIN] + path[DURATION]


@helper
def end_of(path):
    """The pose at which a trajectory ends."""
    return get4(path, TO_Q), get3(path, TO_P)


@helper
def ends_at(path, X):
    """Whether a trajectory ends at a pose, exactly."""
    q, p = end_of(path)
    turned, moved = X
    same_q = (q[0] == turned[0]) & (q[1] == turned[1]) & (q[2] == turned[2]) & (q[3] == turned[3])
    return same_q & (p[0] == moved[0]) & (p[1] == moved[1]) & (p[2] == moved[2])


@helper
def farther(X_TC, X_TG, d):
    """A place of the chaser, d [m] farther away along z of G."""
    return X_TC[0], add(X_TC[1], mul(quat_to_rotation(X_TG[0]), (0.0, 0.0, d)))
