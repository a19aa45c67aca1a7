"""The multibody laws as kernels that Python can call.

Arrays are float64, C-contiguous and writable; results go into arrays the caller owns, so that
nothing is allocated.  `scratch` comes from `scratch_for(tree)`.
"""

from typing import NamedTuple

import numpy as np

from proxops.core.jit import helper, kernel
from proxops.core.spatial.quaternion import get4
from proxops.core.spatial.vector import cross, get3, mul, put3, sub
from proxops.physics.multibody import prescribed
from proxops.physics.multibody import tree as at
from proxops.physics.multibody.coriolis import fill_bias, fill_coriolis
from proxops.physics.multibody.forward import accelerate_free, accelerate_prescribed, push
from proxops.physics.multibody.jacobian import fill_jacobian
from proxops.physics.multibody.kinematics import place
from proxops.physics.multibody.mass_matrix import BASE_DOF, fill_mass_matrix
from proxops.physics.multibody.momentum import momentum
from proxops.physics.multibody.tree import load3, load_mat


class Motion(NamedTuple):
    """Where the joints are and how all moves: ν = [twist; q̇]."""

    twist: np.ndarray  # (6,) v of the base's origin [m/s], w [rad/s]; base axes
    q: np.ndarray  # (n,) [rad or m]
    qd: np.ndarray  # (n,) [rad/s or m/s]


class Loads(NamedTuple):
    """What acts on the craft."""

    tau: np.ndarray  # (n,) joint torque or force [N m or N]
    wrenches: np.ndarray  # (n + 1, 6) on each body, at its origin, in its own axes [N, N m]


class Mount(NamedTuple):
    """A frame F fixed on body i."""

    body: int
    X_iF: np.ndarray  # (7,) q_iF (wxyz), p_iF [m]


@helper
def twist_of(six):
    """(v, w) out of six numbers; wrenches and momenta likewise."""
    return get3(six, 0), get3(six, 3)


@helper
def place_motion(tree, motion, scratch):
    """`place` from a Motion."""
    place(tree, twist_of(motion.twist), motion.q, motion.qd, scratch)


@helper
def push_all(wrenches, scratch):
    """Adds the wrench on every body."""
    for body in range(wrenches.shape[0]):
        R = load_mat(scratch, body, at.R)
        push(scratch, body, mul(R, load3(wrenches, body, 0)), mul(R, load3(wrenches, body, 3)))


@kernel
def forward_dynamics(tree, motion, loads, nu_rate, scratch):
    """Writes ν̇ = [v̇; ẇ; q̈] (6 + n) of the floating craft, rates of components in base axes.

    v̇ = a - w × v, where a is the inertial acceleration of the base's origin.
    """
    place_motion(tree, motion, scratch)
    push_all(loads.wrenches, scratch)
    a, alpha = accelerate_free(tree, loads.tau, nu_rate[BASE_DOF:], scratch)
    v, w = twist_of(motion.twist)
    put3(nu_rate, 0, sub(a, cross(w, v)))
    put3(nu_rate, 3, alpha)


@kernel
def prescribed_base(tree, motion, loads, base, qdd, scratch):
    """(f, t) [N, N m] that the carrier must exert on the base at its origin, in base axes; writes
    the joint accelerations.

    `base` (6,): inertial acceleration of the base's origin less gravity [m/s2] and angular
    acceleration [rad/s2], base axes.
    """
    place_motion(tree, motion, scratch)
    push_all(loads.wrenches, scratch)
    return accelerate_prescribed(tree, loads.tau, twist_of(base), qdd, scratch)


@kernel
def mass_matrix(tree, motion, M, scratch):
    """Writes M (6 + n, 6 + n), base axes."""
    place_motion(tree, motion, scratch)
    fill_mass_matrix(tree, M, scratch)


@kernel
def coriolis_matrix(tree, motion, C, scratch):
    """Writes C (6 + n, 6 + n) with Ṁ = C + Cᵀ, base axes."""
    place_motion(tree, motion, scratch)
    fill_coriolis(tree, C, scratch)


@kernel
def bias_force(tree, motion, bias, scratch):
    """Writes C ν (6 + n) [N, N m], base axes."""
    place_motion(tree, motion, scratch)
    fill_bias(tree, bias, scratch)


@kernel
def frame_jacobian(tree, motion, mount, J, J_rate, scratch):
    """Writes J and J̇ (6, 6 + n) of the body twist of a mounted frame, in that frame's axes."""
    place_motion(tree, motion, scratch)
    X_iF = (get4(mount.X_iF, 0), get3(mount.X_iF, 4))
    fill_jacobian(tree, (mount.body, X_iF), J, J_rate, scratch)


@kernel
def total_momentum(tree, motion, scratch):
    """`Momentum` of the whole craft, base axes."""
    place_motion(tree, motion, scratch)
    return momentum(tree, motion.qd, scratch)


@kernel
def base_twist(tree, h, q, qd, scratch):
    """(v, w) [m/s, rad/s] of the base, base axes, for the momentum h (6,) about its origin."""
    return prescribed.base_twist(tree, twist_of(h), q, qd, scratch)


@kernel
def momentum_rate(twist, h, wrench):
    """(ṗ, L̇) [N, N m]: rate of the momentum h (6,) under the external wrench (6,) at the base's
    origin, all in base axes."""
    return prescribed.momentum_rate(twist_of(twist), twist_of(h), twist_of(wrench))
