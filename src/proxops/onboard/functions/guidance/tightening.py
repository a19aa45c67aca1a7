"""How far limits are drawn in, so that they hold although the chaser is not where it seems."""

import math
from functools import cache
from statistics import NormalDist

import numpy as np

from proxops.onboard.functions.guidance.prediction import Orbit

_BISECTIONS = 60  # of an interval of 40: below rounding


def _inside(q: float, dimensions: int) -> float:
    """Probability that a standard normal vector is shorter than q; in one dimension: below q."""
    if dimensions == 1:
        return NormalDist().cdf(q)
    tail = math.exp(-0.5 * q * q)
    if dimensions == 2:
        return 1.0 - tail
    return math.erf(q / math.sqrt(2.0)) - math.sqrt(2.0 / math.pi) * q * tail


@cache
def joint_quantile(probability: float, dimensions: int) -> float:
    """q [sigma] within which an error of 1, 2 or 3 dimensions stays with the probability.

    One dimension is a plane: one-sided.  Two are a cross-section, three a ball: all directions at
    once.  Three sigma, 0.9987 of a plane, leave 1.1 % in two dimensions.
    """
    low, high = 0.0, 40.0
    for _ in range(_BISECTIONS):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if _inside(middle, dimensions) < probability else (low, middle)
    return high


def sigma(covariance: np.ndarray, normals: np.ndarray) -> np.ndarray:
    """√(nᵀ P n) of covariances (..., d, d) along normals (..., d)."""
    variance = np.einsum("...a,...ab,...b->...", normals, covariance, normals)
    root: np.ndarray = np.sqrt(variance)
    return root


def grown_covariance(
    orbit: Orbit,
    times: np.ndarray,
    navigation: np.ndarray,
    *,
    execution: float,
    feedback: float,
) -> np.ndarray:
    """(m, 6, 6) of the flown state about the plan at times, times[0] being now.

        P = Φ P_nav Φᵀ + ∫ Φ(t, s) [0; 1] q² [0 1] Φ(t, s)ᵀ ds      over the last T = `feedback`

    navigation   (6, 6) of the estimate, which a filter keeps along the plan [m, m/s]
    execution    q [m/s per √s], random walk of the velocity by thrust errors
    feedback     T [s]: what is older has been measured and corrected

    The integral is taken at three points (Simpson's rule).
    """
    times = np.asarray(times, dtype=float)
    span = np.minimum(times - times[0], feedback)
    X = orbit.fundamental(times)
    before = np.linalg.inv(orbit.fundamental(times[:, None] - span[:, None] * [1.0, 0.5, 0.0]))
    Phi = X[:, None] @ before
    P: np.ndarray = Phi[:, 0] @ navigation @ np.swapaxes(Phi[:, 0], 1, 2)
    weights = span[:, None] * np.array([1.0, 4.0, 1.0]) / 6.0
    kick = Phi[:, :, :, 3:]
    P += execution**2 * np.einsum("mq,mqac,mqbc->mab", weights, kick, kick)
    return P
