"""Momentum, centre of mass and kinetic energy of the whole craft.  Call `place` first."""

from typing import NamedTuple

from proxops.core.jit import part
from proxops.core.spatial.vector import ZERO, add, cross, dot, scale, sub
from proxops.physics.multibody import tree as at
from proxops.physics.multibody.forward import load_inertia
from proxops.physics.multibody.inertia import inertia_mul
from proxops.physics.multibody.tree import joint_count, load3


class Momentum(NamedTuple):
    """What the craft carries along, seen from inertial space, in base axes."""

    linear: tuple[float, float, float]  # p [kg m/s]
    angular: tuple[float, float, float]  # about the base's origin [kg m2/s]
    centroidal: tuple[float, float, float]  # about the craft's centre of mass [kg m2/s]
    com: tuple[float, float, float]  # centre of mass from the base's origin [m]
    com_velocity: tuple[float, float, float]  # [m/s]
    kinetic_energy: float  # rotors included [J]


@part
def momentum_at_origin(tree, scratch):
    """(p, L): momentum [kg m/s] and angular momentum about the base's origin [kg m2/s], base axes.

    p = Σ p_i,   L = Σ L_i + P_i × p_i      p_i, L_i of one body, L_i about its own origin
    """
    linear = ZERO
    angular = ZERO
    for body in range(tree.bodies.shape[0]):
        p, L = inertia_mul(
            load_inertia(scratch, body), load3(scratch, body, at.V), load3(scratch, body, at.W)
        )
        linear = add(linear, p)
        angular = add(angular, add(L, cross(load3(scratch, body, at.P), p)))
    return linear, angular


@part
def momentum(tree, qd, scratch):
    """Momentum, centre of mass and kinetic energy, as `Momentum` gives their units and frames.

    T = Σ ½ (v_i · p_i + w_i · L_i) + Σ ½ rotor q̇²
    """
    mass = 0.0
    moment = ZERO
    energy = 0.0
    for body in range(tree.bodies.shape[0]):
        m = tree.bodies[body, at.MASS]
        centre = add(load3(scratch, body, at.P), load3(scratch, body, at.C))
        mass += m
        moment = add(moment, scale(m, centre))
        v = load3(scratch, body, at.V)
        w = load3(scratch, body, at.W)
        p, L = inertia_mul(load_inertia(scratch, body), v, w)
        energy += 0.5 * (dot(v, p) + dot(w, L))
    for joint in range(joint_count(tree)):
        energy += 0.5 * tree.bodies[joint + 1, at.ROTOR] * qd[joint] * qd[joint]
    linear, angular = momentum_at_origin(tree, scratch)
    com = scale(1.0 / mass, moment)
    return Momentum(
        linear,
        angular,
        sub(angular, cross(com, linear)),
        com,
        scale(1.0 / mass, linear),
        energy,
    )
