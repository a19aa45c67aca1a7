"""Relative motion to second order in the range, integrated with code of its own: what linear theory
misses by, predicted.

    p = p₁ + p₂:   p₁ obeys the linear equations,   p̈₂ = (the same, linear in p₂) + a₂(p₁)
    a₂ = 3μ/r⁴ [(y² + z²)/2 - x², x y, x z]      the quadratic term of g(R + p) - g(R) in H

from the third Legendre polynomial of the potential.  Orbit, linear part and a₂ are written here
anew; nothing is shared with proxops.physics.orbit.
"""

import numpy as np
from scipy.integrate import solve_ivp


def _linear(mu, r, r_dot, rate, p, v):
    rate_dot = -2.0 * rate * r_dot / r
    g = mu / r**3
    return np.array(
        [
            2.0 * rate * v[1] + rate_dot * p[1] + (rate**2 + 2.0 * g) * p[0],
            -2.0 * rate * v[0] - rate_dot * p[0] + (rate**2 - g) * p[1],
            -g * p[2],
        ]
    )


def _rates(t, state, mu, h):
    r, r_dot = state[0], state[1]
    p, v, q, w = state[2:5], state[5:8], state[8:11], state[11:14]
    rate = h / r**2
    x, y, z = p
    quadratic = 3.0 * mu / r**4 * np.array([0.5 * (y * y + z * z) - x * x, x * y, x * z])
    return np.concatenate(
        [
            [r_dot, h * h / r**3 - mu / r**2],
            v,
            _linear(mu, r, r_dot, rate, p, v),
            w,
            _linear(mu, r, r_dot, rate, q, w) + quadratic,
        ]
    )


def second_order(mu, R0, V0, state, t):
    """p₁ and p₂ (3,) [m] after t [s], from [p_H; v_H] at R0, V0."""
    R, V = np.array(R0), np.array(V0)
    r = np.linalg.norm(R)
    h = float(np.linalg.norm(np.cross(R, V)))
    start = np.concatenate([[r, R @ V / r], state, np.zeros(6)])
    # p₂ is 1e-4 of p₁: each has tolerances of its own, 1e-10 of their sizes
    atol = np.array([1e-3, 1e-6, *[1e-8] * 3, *[1e-11] * 3, *[1e-10] * 3, *[1e-13] * 3])
    done = solve_ivp(_rates, (0.0, t), start, "DOP853", rtol=1e-11, atol=atol, args=(mu, h))
    return done.y[2:5, -1], done.y[8:11, -1]
