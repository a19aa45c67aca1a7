"""The arm's end effector as a spring and damper towards a place that moves with the target.

    F = K e + D (v_ref - J q̇),      τ = τ_0 + Jᵀ F + friction

in C, at E; τ_0 is what the joints need while the base accelerates as it shall, see `whole`.
"""

from typing import NamedTuple

from proxops.core.jit import helper, part
from proxops.core.spatial.pose import compose
from proxops.core.spatial.quaternion import (
    quat_from_rotation,
    quat_inverse,
    quat_log,
    quat_mul,
    quat_to_rotation,
)
from proxops.core.spatial.vector import ZERO, add, cross, dot, mul, scale, sub
from proxops.onboard.functions.capture.relative_state import target_rate
from proxops.physics.multibody import tree as at
from proxops.physics.multibody.jacobian import last_column, next_column, point_column
from proxops.physics.multibody.mass_matrix import BASE_DOF
from proxops.physics.multibody.tree import load3, load_mat


class Stiffness(NamedTuple):
    """Of the end effector."""

    place: float  # [N/m]
    speed: float  # [N s/m]
    rotation: float  # [N m/rad]
    rate: float  # [N m s/rad]


@helper
def effector_pose(mount, scratch):
    """X_CE of the frame that mount = (body, X_BE) fixes on a link; call `place` first."""
    body, X_BE = mount
    X_CB = quat_from_rotation(load_mat(scratch, body, at.R)), load3(scratch, body, at.P)
    return compose(X_CB, X_BE)


@part
def effector_velocity(tree, body, p, qd, scratch):
    """(v, w) of a point p [m] of a link against the base, in C: J q̇."""
    v, w = ZERO, ZERO
    column = last_column(body)
    while column >= BASE_DOF:
        u_v, u_w = point_column(tree, column, p, scratch)
        v = add(v, scale(qd[column - BASE_DOF], u_v))
        w = add(w, scale(qd[column - BASE_DOF], u_w))
        column = next_column(tree, column)
    return v, w


@helper
def matter_velocity(relative, p):
    """(v, w) against the base, in C, of the target's matter at a point p [m] from Co."""
    w_T = target_rate(relative)
    moved = add(relative.drift, cross(w_T, sub(p, relative.X_CT[1])))
    return sub(moved, cross(relative.w_C, p)), sub(w_T, relative.w_C)


@helper
def goal(relative, X_TG, trajectory):
    """Pose and velocities against the base, in C, of where the trajectory X_GE has the effector."""
    X_CG = compose(relative.X_CT, X_TG)
    X = compose(X_CG, trajectory.X)
    R = quat_to_rotation(X_CG[0])
    v, w = matter_velocity(relative, X[1])
    return X, add(v, mul(R, trajectory.v)), add(w, mul(R, trajectory.w))


@helper
def spring(stiffness, X_CE, V_CE, wanted):
    """(f, t) towards the goal [N, N m], in C at E."""
    X, v, w = wanted
    rotation = mul(quat_to_rotation(X_CE[0]), quat_log(quat_mul(quat_inverse(X_CE[0]), X[0])))
    f = add(scale(stiffness.place, sub(X[1], X_CE[1])), scale(stiffness.speed, sub(v, V_CE[0])))
    return f, add(scale(stiffness.rotation, rotation), scale(stiffness.rate, sub(w, V_CE[1])))


@part
def add_transposed(tree, mount, F, scratch, torques):
    """Adds Jᵀ F of a wrench (f, t) at E, in C, to joint torques."""
    body, _ = mount
    p = effector_pose(mount, scratch)[1]
    column = last_column(body)
    while column >= BASE_DOF:
        u_v, u_w = point_column(tree, column, p, scratch)
        torques[column - BASE_DOF] += dot(u_v, F[0]) + dot(u_w, F[1])
        column = next_column(tree, column)
