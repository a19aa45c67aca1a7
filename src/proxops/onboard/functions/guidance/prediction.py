"""How thrust moves the chaser between the nodes of a plan: exact for the linear relative motion."""

import math
from dataclasses import dataclass

import numpy as np

from proxops.physics.orbit.entry import hill_acceleration
from proxops.physics.orbit.fundamental import fundamental
from proxops.physics.orbit.kepler import propagate

# Gauss and Legendre's rule over a burn: 6 points leave 1e-10 after a radian at periapsis
_POINTS, _WEIGHTS = np.polynomial.legendre.leggauss(6)


@dataclass(frozen=True, kw_only=True)
class Orbit:
    """The target's orbit as the software believes it: closed, Keplerian."""

    mu: float  # of the attractor [m3/s2]
    R0: tuple[float, float, float]  # target's centre of mass in N at t = 0 [m]
    V0: tuple[float, float, float]  # its velocity [m/s]

    @property
    def mean_motion(self) -> float:
        """n = √(μ/a³) [rad/s]."""
        inverse_a = 2.0 / math.hypot(*self.R0) - math.hypot(*self.V0) ** 2 / self.mu
        return math.sqrt(self.mu * inverse_a**3)

    def fundamental(self, times: np.ndarray) -> np.ndarray:
        """X of times' shape + (6, 6): x(t₂) = X(t₂) X(t₁)⁻¹ x(t₁), x = [p_H; v_H] [m, m/s]."""
        times = np.asarray(times, dtype=float)
        return fundamental(self.mu, self.R0, self.V0, times.ravel()).reshape(*times.shape, 6, 6)

    def transition(self, t1: float, t2: float) -> np.ndarray:
        """Φ (6, 6) with x(t₂) = Φ x(t₁)."""
        start, end = self.fundamental(np.array([t1, t2]))
        Phi: np.ndarray = end @ np.linalg.inv(start)
        return Phi

    def holding_acceleration(self, p: np.ndarray, t: float) -> np.ndarray:
        """Acceleration (3,) that holds a place p in H at the time t [m/s2]."""
        R, V = propagate(self.mu, self.R0, self.V0, t)
        return -np.array(hill_acceleration(self.mu, R, V, tuple(p), (0.0, 0.0, 0.0)))


def effects(
    orbit: Orbit, start: np.ndarray, burn: np.ndarray, end: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """A (m, 6, 6), B (m, 6, 3): x(end) = A x(start) + B u for each of m stretches.

    The acceleration u (in H) is constant from `start` for the time `burn` [s], then zero:

        A = X(end) X(start)⁻¹,    B = X(end) ∫ X(s)⁻¹ [0; 1] ds,   s from start to start + burn

    cut at `end`.
    """
    start, end = np.asarray(start, dtype=float), np.asarray(end, dtype=float)
    half = 0.5 * np.clip(end - start, 0.0, burn)  # before the start nothing burns
    instants = start[:, None] + half[:, None] * (1.0 + _POINTS)
    X = orbit.fundamental(np.concatenate([start[:, None], end[:, None], instants], axis=1))
    inverse = np.linalg.inv(X[:, [0, *range(2, 2 + _POINTS.size)]])
    weights = half[:, None] * _WEIGHTS
    kick = np.einsum("mq,mqab->mab", weights, inverse[:, 1:, :, 3:])
    return X[:, 1] @ inverse[:, 0], X[:, 1] @ kick
