"""Momentum and energy of what moves, and how well the sources explain their change."""

from typing import NamedTuple

from proxops.core.jit import part
from proxops.core.spatial.quaternion import get4, quat_to_rotation
from proxops.core.spatial.vector import (
    ZERO,
    add,
    cross,
    dot,
    get3,
    mul,
    mul_t,
    norm,
    point_inertia,
    scale,
    sym_mul,
    sym_sub,
)
from proxops.physics.multibody import tree as at
from proxops.physics.multibody.kinematics import place
from proxops.physics.multibody.tree import load3, load_sym
from proxops.plant import layout


class Tally(NamedTuple):
    """What a spacecraft carries, inertial axes."""

    momentum: tuple[float, float, float]  # [N s]
    angular: tuple[float, float, float]  # about O's origin [N m s]
    energy: float  # kinetic, rotors included [J]
    sum_momentum: float  # Σ m|v| over the bodies [N s]
    sum_angular: float  # Σ |h| over the bodies [N m s]
    com: tuple[float, float, float]  # centre of mass in O [m]


@part
def tally(tree, y, scratch):
    """What a spacecraft carries; its kinematics stay behind in `scratch`."""
    rates = layout.rates_start(tree)
    q, qd = y[layout.JOINTS : rates], y[rates:]
    R_OB = quat_to_rotation(get4(y, layout.Q))
    place(tree, (mul_t(R_OB, get3(y, layout.V)), get3(y, layout.W)), q, qd, scratch)
    p = mul_t(R_OB, get3(y, layout.P))
    mass, first, momentum, angular = 0.0, ZERO, ZERO, ZERO
    energy, sum_momentum, sum_angular = 0.0, 0.0, 0.0
    for body in range(tree.bodies.shape[0]):
        m = tree.bodies[body, at.MASS]
        c = load3(scratch, body, at.C)
        w = load3(scratch, body, at.W)
        r = add(p, add(load3(scratch, body, at.P), c))
        v = add(load3(scratch, body, at.V), cross(w, c))
        spin = sym_mul(sym_sub(load_sym(scratch, body, at.I_TT), point_inertia(m, c)), w)
        own = scale(m, v)
        h = add(spin, cross(r, own))
        mass += m
        first = add(first, scale(m, r))
        momentum = add(momentum, own)
        angular = add(angular, h)
        energy += 0.5 * (dot(own, v) + dot(spin, w))
        sum_momentum += norm(own)
        sum_angular += norm(h)
    for joint in range(tree.topology.shape[0]):
        energy += 0.5 * tree.bodies[joint + 1, at.ROTOR] * qd[joint] ** 2
    return Tally(
        mul(R_OB, momentum),
        mul(R_OB, angular),
        energy,
        sum_momentum,
        sum_angular,
        mul(R_OB, scale(1.0 / mass, first)),
    )
