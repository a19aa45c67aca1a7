"""Mock-ups that vehicles carry, as mass and inertia about the centre of mass of the whole.

    m = Σ m_k,   c = Σ m_k c_k / m,   J = Σ J_k + m_k (|d_k|² 1 - d_k d_kᵀ),   d_k = c_k - c

The vehicle itself is one of the parts.  Rotors turn the body about c: their levers are p_i - c.
Autopilots know the mass, as a real one learns the throttle of its hover, and not c.
"""

import numpy as np

from proxops.core.errors import InputError
from proxops.facility.arena.vehicle import Loads
from proxops.physics.multirotor.mixer import Geometry, allocation, mixer
from proxops.scenario.schema.arena import FlightArena, Multirotor
from proxops.scenario.schema.payload import Payload

SKEWED = 0.05  # largest product of inertia, of the least moment: axes are taken as principal


def loads_of(given: FlightArena, geometry: Geometry) -> Loads:
    """Of target's and chaser's vehicle."""
    masses, moments, mixers = [], [], []
    carried = {"target": given.payloads.target, "chaser": given.payloads.chaser}
    for name, payloads in carried.items():
        mass, c, J = whole_of(given.vehicle, payloads)
        _reject_skewed(name, J)
        masses.append(mass)
        moments.append(np.diag(J))
        mixers.append(_about(geometry, c))
    return Loads(
        np.array(masses),
        np.array(moments),
        np.array(mixers),
        np.array([allocation(H) for H in mixers]),
    )


def whole_of(
    craft: Multirotor, payloads: dict[str, Payload]
) -> tuple[float, np.ndarray, np.ndarray]:
    """Mass [kg], centre of mass [m] and inertia about it (3, 3) [kg m2], axes of V."""
    parts = [(craft.mass_kg, np.zeros(3), np.diag(craft.inertia_kg_m2))]
    parts += [
        (each.mass_kg, np.array(each.p_V_m), np.diag(each.inertia_kg_m2))
        for each in payloads.values()
    ]
    mass = sum(m for m, _, _ in parts)
    c = sum((m * p for m, p, _ in parts), np.zeros(3)) / mass
    J = np.zeros((3, 3))
    for m, p, own in parts:
        d = p - c
        J += own + m * (d @ d * np.eye(3) - np.outer(d, d))
    return mass, c, J


def _about(geometry: Geometry, c: np.ndarray) -> np.ndarray:
    """H (6, 6) about c: each rotor's torque loses c × n."""
    H = mixer(geometry)
    H[3:] -= np.cross(c, H[:3].T).T
    return H


def _reject_skewed(name: str, J: np.ndarray) -> None:
    """Refuses payloads that turn the principal axes of a vehicle away from its own."""
    products, least = np.abs(J - np.diag(np.diag(J))).max(), float(np.diag(J).min())
    if products > SKEWED * least:
        raise InputError(
            f"payloads.{name}: hang payloads opposite to each other, or on one axis: products of "
            f"inertia of {products:.3g} kg m2, possible are {SKEWED:.0%} of the least moment, "
            f"{SKEWED * least:.3g} kg m2"
        )
