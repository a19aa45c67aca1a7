"""The wake of a hovering multirotor: a round jet that spreads and keeps its momentum.

Momentum theory gives the jet where it is narrowest: thrust T = ρ A_w w², and A_w = A/2 of all
rotor discs A.  From there on it is a Gaussian that spreads at a rate k with the depth d:

    w(d, r) = w_c exp(-r²/b²),   b = b₀ + k d,   b₀² = A/π,   ρ ∫ w² dA = ½ π ρ b² w_c² = T

b₀ gives the Gaussian the momentum *and* the speed on the axis of the uniform jet.  A rotor in air
that moves along its axis at w, against its thrust, loses w/w₀ of it at the same speed of rotation.
k and w₀ are calibrated to 36 % lost 3 m below and 24 % 8 m below; they come out near a free jet's
spread (0.107) and a propeller's pitch speed.  Steady: the jet's travel time is left out.  Not
compared with flights.
"""

import math
from typing import NamedTuple

from proxops.core.jit import helper
from proxops.core.spatial.vector import add, dot, norm, scale, sub

SPREAD = 0.0857747  # k [-]
NO_THRUST_SPEED = 13.4811  # w₀ [m/s]
AIR_DENSITY = 1.225  # ρ [kg/m3]
REST = (0.0, 0.0, 0.0)


class Jet(NamedTuple):
    """A multirotor's wake as the air around feels it."""

    width: float  # b₀ [m]
    spread: float  # k [-]; no wake at all where it is negative
    density: float  # ρ [kg/m3]
    no_thrust_speed: float  # w₀ [m/s]


def jet(rotors: int, radius: float) -> Jet:
    """The wake of so many rotors of that radius [m]."""
    return Jet(math.sqrt(rotors) * radius, SPREAD, AIR_DENSITY, NO_THRUST_SPEED)


@helper
def air_velocity(jet, p, axis, thrust, at):
    """Velocity of the air [m/s] at a point, from a rotorcraft at p with that thrust [N] along the
    unit vector `axis`; all in one frame.  Nothing moves above the rotors."""
    apart = sub(at, p)
    depth = -dot(axis, apart)
    if depth <= 0.0 or thrust <= 0.0 or jet.spread < 0.0:
        return REST
    b = jet.width + jet.spread * depth
    aside = norm(add(apart, scale(depth, axis)))
    w = math.sqrt(2.0 * thrust / (math.pi * jet.density)) / b * math.exp(-((aside / b) ** 2))
    return scale(-w, axis)


@helper
def thrust_share(jet, axis, air):
    """What is left of a rotor's thrust along `axis` in air of that velocity [m/s], in one frame."""
    return max(0.0, 1.0 + dot(axis, air) / jet.no_thrust_speed)
