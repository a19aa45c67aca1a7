"""How the base must accelerate to stay at a place that turns with the target.

The place is X_TC(t) with its rates; the target turns freely about its centre of mass c:

    ẇ_T = -I⁻¹ (w_T × I w_T),    a_To = -(ẇ_T × c + w_T × (w_T × c))
    a   = R_CT [a_To + p̈ + 2 w_T × ṗ + ẇ_T × p + w_T × (w_T × p)] + k_v ė + k_p e
    α   = R_CT [ẇ_T + w_T × w_TC + α_TC] + k_w ė_r + k_r e_r

e is the error from the chaser to its reference, in C.  Only ratios within I matter.
"""

from typing import Any, NamedTuple

from proxops.core.jit import helper
from proxops.core.spatial.quaternion import quat_log, quat_mul, quat_to_rotation
from proxops.core.spatial.vector import add, cross, mul, norm, scale, sub, sym_inverse, sym_mul


class TrackingGains(NamedTuple):
    """Of the base."""

    place: float  # k_p [1/s2]
    speed: float  # k_v [1/s]
    rotation: float  # k_r [1/s2]
    rate: float  # k_w [1/s]


NO_GAINS = TrackingGains(0.0, 0.0, 0.0, 0.0)


class Offset(NamedTuple):
    """Error from the chaser to its reference, in C."""

    place: Any  # [m]
    speed: Any  # [m/s]
    rotation: Any  # rotation vector [rad]
    rate: Any  # [rad/s]


@helper
def free_spin_change(inertia, w):
    """ẇ of a free body [rad/s2]; the inertia is symmetric, in any unit."""
    return scale(-1.0, sym_mul(sym_inverse(inertia), cross(w, sym_mul(inertia, w))))


@helper
def swung(w, change, p):
    """ẇ × p + w × (w × p)."""
    return add(cross(change, p), cross(w, cross(w, p)))


@helper
def offset(relative, trajectory):
    """From where the chaser is to where the trajectory X_TC has it."""
    q_CT, p_CT = relative.X_CT
    R, w_T = quat_to_rotation(q_CT), relative.w_T
    moved = add(trajectory.v, cross(w_T, trajectory.X[1]))
    return Offset(
        add(p_CT, mul(R, trajectory.X[1])),
        add(relative.drift, mul(R, moved)),
        quat_log(quat_mul(q_CT, trajectory.X[0])),
        sub(mul(R, add(w_T, trajectory.w)), relative.w_C),
    )


@helper
def is_within(away, tolerance):
    """Whether an offset is small enough."""
    return (
        (norm(away.place) <= tolerance.place)
        & (norm(away.speed) <= tolerance.speed)
        & (norm(away.rotation) <= tolerance.angle)
        & (norm(away.rate) <= tolerance.rate)
    )


@helper
def wanted_acceleration(body, relative, trajectory, gains):
    """(a, α) of Co [m/s2, rad/s2], inertial, in C; body = (I, c) of the target."""
    w_T, p = relative.w_T, trajectory.X[1]
    inertia, com = body
    change = free_spin_change(inertia, w_T)
    R = quat_to_rotation(relative.X_CT[0])
    away = offset(relative, trajectory)
    a_To = scale(-1.0, swung(w_T, change, com))
    a_trajectory = add(
        trajectory.a, add(scale(2.0, cross(w_T, trajectory.v)), swung(w_T, change, p))
    )
    alpha_trajectory = add(change, add(cross(w_T, trajectory.w), trajectory.alpha))
    back = add(scale(gains.place, away.place), scale(gains.speed, away.speed))
    rotation_back = add(scale(gains.rotation, away.rotation), scale(gains.rate, away.rate))
    return add(mul(R, add(a_To, a_trajectory)), back), add(mul(R, alpha_trajectory), rotation_back)
