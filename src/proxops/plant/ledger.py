"""Momentum and energy of what moves, and how well the sources explain their change."""

from typing import NamedTuple

from proxops.core.jit import helper, part
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
    sub,
    sym_mul,
    sym_sub,
)
from proxops.physics.flexible.modes import coupling, deflect, modal_momentum, mode_count
from proxops.physics.multibody import tree as at
from proxops.physics.multibody.kinematics import place
from proxops.physics.multibody.tree import load3, load_sym
from proxops.plant import layout


class Tally(NamedTuple):
    """What a spacecraft carries, inertial axes."""

    momentum: tuple[float, float, float]  # [N s]
    angular: tuple[float, float, float]  # about O's origin [N m s]
    energy: float  # kinetic, rotors included [J]
    sum_momentum: float  # Σ m|v| over bodies and modes [N s]
    sum_angular: float  # Σ (|I w| + |r| m|v|) over bodies and modes [N m s]
    com: tuple[float, float, float]  # centre of mass in O [m]


@part
def tally(craft, y, spare, scratch):
    """What a spacecraft carries; its kinematics stay behind in `scratch`.

    The appendages' rates add Ṡ to the hub's momentum and Σ H η̇ to its angular momentum about Co.
    """
    tree, modes = craft
    first_rate, first_mode = layout.joint_rates(craft), layout.modes_start(craft)
    first_mode_rate = layout.mode_rates(craft)
    q, qd = y[layout.JOINTS : first_rate], y[first_rate:first_mode]
    eta, eta_rate = y[first_mode:first_mode_rate], y[first_mode_rate:]
    R_OB = quat_to_rotation(get4(y, layout.Q))
    place(tree, (mul_t(R_OB, get3(y, layout.V)), get3(y, layout.W)), q, qd, scratch)
    deflect(modes, eta, eta_rate, spare, scratch)
    p_modes, h_modes, energy = modal_momentum(modes, eta, eta_rate)
    p = mul_t(R_OB, get3(y, layout.P))
    mass, first, momentum, angular = 0.0, ZERO, ZERO, ZERO
    sum_momentum, sum_angular = _modal_magnitudes(modes, eta, eta_rate, p)
    for body in range(tree.bodies.shape[0]):
        m = tree.bodies[body, at.MASS]
        c = load3(scratch, body, at.C)
        w = load3(scratch, body, at.W)
        r = add(p, add(load3(scratch, body, at.P), c))
        v = add(load3(scratch, body, at.V), cross(w, c))
        spin = sym_mul(sym_sub(load_sym(scratch, body, at.I_TT), point_inertia(m, c)), w)
        own = scale(m, v)
        energy += 0.5 * (dot(own, v) + dot(spin, w))
        sum_momentum += norm(own)
        sum_angular += norm(spin) + norm(r) * norm(own)
        if body == 0:
            energy += dot(load3(scratch, 0, at.V), p_modes) + dot(w, h_modes)
            own = add(own, p_modes)
            spin = add(spin, sub(h_modes, cross(c, p_modes)))
        mass += m
        first = add(first, scale(m, r))
        momentum = add(momentum, own)
        angular = add(angular, add(spin, cross(r, own)))
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


@helper
def _modal_magnitudes(modes, eta, eta_rate, p):
    """Σ |S η̇| and Σ (|H| + |p||S|) |η̇|, p from O to the hub: hub and appendages that swing against
    each other carry momentum, though none together."""
    momentum, angular = 0.0, 0.0
    for mode in range(mode_count(modes)):
        S, H = coupling(modes, mode + 1, eta)
        momentum += norm(S) * abs(eta_rate[mode])
        angular += (norm(H) + norm(p) * norm(S)) * abs(eta_rate[mode])
    return momentum, angular
