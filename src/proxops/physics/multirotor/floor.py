"""A multirotor that stands on a floor: four feet, each a spring, a damper and friction.

    f_n = k δ + d δ̇ ≥ 0,   δ = -z_i            normal force of foot i [N], it never pulls
    f_t = -μ f_n v_t / √(v_t² + v_s²)           friction, full from some v_s of slip on

Feet stand at (±b, ±b, 0) of V: heights are counted from where a vehicle stands, so that its centre
of mass is at z = 0 there and friction has no lever about it.  Stiffness and damping are chosen by
what a vehicle does on them: it sinks in by SINK, and rings with DAMPING of the critical one.  A
standing vehicle that is pushed creeps: at v_s f/(μ m g), a few mm/s at most.
"""

import math
from typing import NamedTuple

from proxops.core.jit import part
from proxops.core.spatial.quaternion import get4, quat_to_rotation
from proxops.core.spatial.vector import add, add3, cross, get3, mul, mul_t, scale
from proxops.physics.contact.normal import spring
from proxops.physics.integrate.rk4 import rk4_of
from proxops.physics.multirotor.body import Body, P, Q, V, W, rates

SINK = 1e-3  # [m]
DAMPING = 0.5  # [-]
FRICTION = 0.7  # μ: rubber on a floor
SLIP = 0.01  # v_s [m/s]
FEET = 4


class Floor(NamedTuple):
    """The floor as one vehicle's feet feel it."""

    reach: float  # b: feet at (±b, ±b, 0) in V [m]
    stiffness: float  # of a foot, k [N/m]
    damping: float  # d [N s/m]
    friction: float  # μ [-]
    slip: float  # v_s [m/s]


class Standing(NamedTuple):
    """A vehicle with a floor under it."""

    body: Body
    floor: Floor


def floor(mass: float, reach: float, gravity: float) -> Floor:
    """The floor for a vehicle of that mass [kg], with feet so far out [m]."""
    stiffness = mass * gravity / SINK
    damping = 2.0 * DAMPING * math.sqrt(stiffness * mass)
    return Floor(reach, stiffness / FEET, damping / FEET, FRICTION, SLIP)


@part
def foot_force(floor, p, v):
    """Force in L [N] on a foot at p [m] that moves at v [m/s]."""
    if p[2] >= 0.0:
        return 0.0, 0.0, 0.0
    elastic, damped = spring(floor.stiffness, floor.damping, -p[2], -v[2])
    normal = max(0.0, elastic + damped)
    k = -floor.friction * normal / math.sqrt(v[0] * v[0] + v[1] * v[1] + floor.slip * floor.slip)
    return k * v[0], k * v[1], normal


@part
def standing_rates(standing, y, t, k):
    """Writes dy/dt, as `rates`, with the floor."""
    body = standing.body
    rates(body, y, t, k)
    if y[P + 2] > standing.floor.reach * 2.0:
        return
    R, w, J = quat_to_rotation(get4(y, Q)), get3(y, W), body.inertia
    for i in range(FEET):
        x = standing.floor.reach if i % 2 == 0 else -standing.floor.reach
        aside = standing.floor.reach if i < FEET // 2 else -standing.floor.reach
        r = (x, aside, 0.0)
        p = add(get3(y, P), mul(R, r))
        f = foot_force(standing.floor, p, add(get3(y, V), mul(R, cross(w, r))))
        turning = cross(r, mul_t(R, f))
        add3(k, V, scale(1.0 / body.mass, f))
        add3(k, W, (turning[0] / J[0], turning[1] / J[1], turning[2] / J[2]))


standing_step = rk4_of(standing_rates)
