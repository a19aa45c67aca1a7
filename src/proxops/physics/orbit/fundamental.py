"""Linear relative motion at many instants at once: the fundamental matrix of a closed orbit."""

import math
from collections.abc import Sequence

import numpy as np

# Newton's method from E = M + e sin M doubles its digits: six steps leave rounding for e < 0.9
_NEWTON_STEPS = 6
_CONVERGED = 1e-9  # [rad]


def _true_anomaly(
    mu: float, R0: Sequence[float], V0: Sequence[float], times: np.ndarray
) -> tuple[float, float, np.ndarray, np.ndarray]:
    """e, k² = √(μ/p³) [rad/s], and cos θ, sin θ at each time; closed orbits only."""
    R, V = np.asarray(R0, dtype=float), np.asarray(V0, dtype=float)
    r = float(np.linalg.norm(R))
    h = np.cross(R, V)
    p = float(h @ h) / mu
    e_cos, e_sin = p / r - 1.0, float(R @ V) * math.sqrt(p / mu) / r
    e, theta = math.hypot(e_cos, e_sin), math.atan2(e_sin, e_cos)
    minor = math.sqrt(1.0 - e * e)
    start = math.atan2(minor * math.sin(theta), e + math.cos(theta))
    n = math.sqrt(mu / p**3) * minor**3
    M = start - e * math.sin(start) + n * np.asarray(times, dtype=float)
    E = M + e * np.sin(M)
    for _ in range(_NEWTON_STEPS):
        change = (E - e * np.sin(E) - M) / (1.0 - e * np.cos(E))
        E -= change
        if np.abs(change).max(initial=0.0) < _CONVERGED:  # the next is below rounding
            break
    share = 1.0 / (1.0 - e * np.cos(E))
    return e, math.sqrt(mu / p**3), (np.cos(E) - e) * share, minor * np.sin(E) * share


def fundamental(
    mu: float, R0: Sequence[float], V0: Sequence[float], times: np.ndarray
) -> np.ndarray:
    """X (m, 6, 6) with x(t₂) = X(t₂) X(t₁)⁻¹ x(t₁), x = [p_H; v_H] [m, m/s], at m times [s].

        x̃'' = 3x̃/ρ + 2ỹ',   ỹ'' = -2x̃',   z̃'' = -z̃      ρ = 1 + e cos θ,   ' = d/dθ
        p = p̃/ρ,   v = k²(ρ p̃' + e sin θ p̃)              J = k² t

    Columns: four solutions in the orbit plane, the last one with the drift J, and cos θ, sin θ
    across it.  R0 [m], V0 [m/s] in N at t = 0.  The same motion as
    `yamanaka_ankersen.transition` (Yamanaka & Ankersen 2002), for closed orbits; at once for all
    instants, since a plan needs hundreds.
    """
    e, k2, c, s = _true_anomaly(mu, R0, V0, times)
    J = k2 * np.asarray(times, dtype=float)
    rho = 1.0 + e * c
    S, C = rho * s, rho * c
    S_rate, C_rate = c + e * (c * c - s * s), -s - 2.0 * e * s * c
    one, none = np.ones_like(c), np.zeros_like(c)
    scaled = np.array(
        [
            [none, S, C, 2.0 - 3.0 * e * S * J, none, none],
            [one, c + C, -s - S, -3.0 * rho * rho * J, none, none],
            [none, none, none, none, c, s],
        ]
    )
    rate = np.array(
        [
            [none, S_rate, C_rate, -3.0 * e * (S_rate * J + s / rho), none, none],
            [none, -2.0 * S, e - 2.0 * C, -3.0 + 6.0 * e * S * J, none, none],
            [none, none, none, none, -s, c],
        ]
    )
    both = np.concatenate([scaled / rho, k2 * (rho * rate + e * s * scaled)])
    return np.ascontiguousarray(np.moveaxis(both, 2, 0))
