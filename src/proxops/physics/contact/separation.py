"""How two free bodies part that a spring pushes away from each other.

They are at rest against each other, held together, a spring between them compressed with the energy
E.  Let go, it pushes along n through the point p until it has stretched: the impulse J n on the
first body, -J n on the second, both at p.  With r from each centre of mass to p,

    v₁ = J n/m₁,    w₁ = I₁⁻¹ (r₁ × n) J        v₂ = -J n/m₂,    w₂ = -I₂⁻¹ (r₂ × n) J

The spring's ends part with ṡ = a J, and what it gives is E = ½ J ṡ:

    a = 1/m₁ + 1/m₂ + (r₁ × n)·I₁⁻¹ (r₁ × n) + (r₂ × n)·I₂⁻¹ (r₂ × n),    J = √(2E/a)

Where n goes through both centres of mass the relative speed is v = √(2E (1/m₁ + 1/m₂)), for any
stroke.  With a lever r both rotate on the way by about stroke/r, by which shares the result is off.
Equal springs about one line act like one there; others, of which some are at their end before, are
not of this law.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np


@dataclass(frozen=True)
class FreeBody:
    """A rigid body, in axes that it shares with the other."""

    mass: float  # [kg]
    inertia: np.ndarray  # about its centre of mass (3, 3) [kg m2]
    com: np.ndarray  # where that is (3,) [m]


class Separation(NamedTuple):
    """Velocities after the push less those before it, in the same axes."""

    v_first: np.ndarray  # of the centre of mass [m/s]
    w_first: np.ndarray  # [rad/s]
    v_second: np.ndarray
    w_second: np.ndarray


def separation(
    first: FreeBody, second: FreeBody, p: np.ndarray, n: np.ndarray, energy: float
) -> Separation:
    """What a spring with that energy [J] at p does, n from the second body to the first, unit."""
    bodies = (first, second)
    turns = [np.cross(p - each.com, n) for each in bodies]
    rates = [np.linalg.solve(each.inertia, turn) for each, turn in zip(bodies, turns, strict=True)]
    a = sum(1.0 / each.mass for each in bodies)
    a += sum(float(turn @ rate) for turn, rate in zip(turns, rates, strict=True))
    J = np.sqrt(2.0 * energy / a)
    return Separation(J * n / first.mass, J * rates[0], -J * n / second.mass, -J * rates[1])
