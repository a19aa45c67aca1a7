"""Linear relative motion about an eccentric orbit: Tschauner and Hempel's equations, solved."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from proxops.physics.orbit.kepler import propagate

_PLANE = (0, 1, 3, 4)  # x, y and their rates in the state
_NORMAL = (2, 5)  # z and its rate


class _Flight(NamedTuple):
    """Shape of an orbit and the true anomaly θ at both ends of a piece of it."""

    e: float  # eccentricity [-]
    k2: float  # √(μ/p³) = θ̇/ρ² [rad/s]
    start: tuple[float, float]  # cos θ, sin θ
    end: tuple[float, float]
    flown: tuple[float, float]  # cos, sin of the angle between them


def _flight(mu: float, R0: Sequence[float], V0: Sequence[float], t: float) -> _Flight:
    """The piece of orbit from R0, V0 over the time t."""
    R, V = np.array(R0, dtype=float), np.array(V0, dtype=float)
    R_t = np.array(propagate(float(mu), tuple(R.tolist()), tuple(V.tolist()), float(t))[0])
    h = np.cross(R, V)
    p = float(h @ h) / mu
    r, r_t = float(np.linalg.norm(R)), float(np.linalg.norm(R_t))
    e_cos, e_sin = p / r - 1.0, float(R @ V) * math.sqrt(p / mu) / r
    theta = math.atan2(e_sin, e_cos)
    c, s = math.cos(theta), math.sin(theta)
    # From the positions, not the anomalies: these lose their meaning as e → 0
    c_flown = float(R @ R_t) / (r * r_t)
    s_flown = float(np.cross(R, R_t) @ h) / (r * r_t * math.sqrt(p * mu))
    return _Flight(
        e=math.hypot(e_cos, e_sin),
        k2=math.sqrt(mu / p**3),
        start=(c, s),
        end=(c * c_flown - s * s_flown, s * c_flown + c * s_flown),
        flown=(c_flown, s_flown),
    )


def _solutions(e: float, theta: tuple[float, float], J: float) -> np.ndarray:
    """Four in-plane solutions (columns) in x̃, ỹ, x̃', ỹ' (rows) at the anomaly (cos θ, sin θ).

        x̃'' = 3x̃/ρ + 2ỹ',   ỹ'' = -2x̃',   ρ = 1 + e cos θ,   J' = 1/ρ²

    The last one grows with J, the time: the drift of an orbit of another period.
    """
    c, s = theta
    rho = 1.0 + e * c
    S, C = rho * s, rho * c
    S_prime, C_prime = c + e * (c * c - s * s), -s - 2.0 * e * s * c
    return np.array(
        [
            [0.0, S, C, 2.0 - 3.0 * e * S * J],
            [1.0, c + C, -s - S, -3.0 * rho * rho * J],
            [0.0, S_prime, C_prime, -3.0 * e * (S_prime * J + s / rho)],
            [0.0, -2.0 * S, e - 2.0 * C, -3.0 + 6.0 * e * S * J],
        ]
    )


def _scaling(e: float, theta: tuple[float, float], k2: float) -> np.ndarray:
    """D with [p̃; p̃'] = D [p; v]:  p̃ = ρ p,  p̃' = -e sin θ p + v/(k²ρ),  ' = d/dθ."""
    c, s = theta
    rho = 1.0 + e * c
    return np.array([[rho, 0.0], [-e * s, 1.0 / (k2 * rho)]])


def transition(mu: float, R0: Sequence[float], V0: Sequence[float], t: float) -> np.ndarray:
    """Φ with x(t) = Φ x(0), x = [p_H; v_H] [m, m/s], about the orbit that starts at R0, V0.

    With the true anomaly θ as independent variable and p̃ = ρ p, the motion is a combination of four
    solutions in the plane (J = k²t, k² = √(μ/p³), replaces Lawden's singular integral) and of
    sin θ, cos θ across it.  Equals HCW at e = 0.

    Source: Yamanaka & Ankersen 2002, in our axes.  Any e but 1; the error grows with the square of
    the range.
    """
    flight = _flight(mu, R0, V0, t)
    e, k2, (c, s) = flight.e, flight.k2, flight.flown
    plane = _solutions(e, flight.end, k2 * t) @ np.linalg.inv(_solutions(e, flight.start, 0.0))
    normal = np.array([[c, s], [-s, c]])
    before = _scaling(e, flight.start, k2)
    after = np.linalg.inv(_scaling(e, flight.end, k2))
    each = np.eye(2)  # x and y are scaled alike
    Phi = np.zeros((6, 6))
    Phi[np.ix_(_PLANE, _PLANE)] = np.kron(after, each) @ plane @ np.kron(before, each)
    Phi[np.ix_(_NORMAL, _NORMAL)] = after @ normal @ before
    return Phi
