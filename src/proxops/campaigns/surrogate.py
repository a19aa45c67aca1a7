"""A smooth function through a few known values, with how far off it may be elsewhere.

    k(x, y) = s² exp(-½ Σ ((xᵢ - yᵢ)/ℓᵢ)²),   mean μ + kᵀ K⁻¹ (f - μ),   variance s² - kᵀ K⁻¹ k

A Gaussian process on the unit cube with a length ℓᵢ a number, chosen so that the values are most
likely (Rasmussen & Williams 2006, eq. 2.25, 2.26, 5.8); a number that changes nothing gets a long
one.
"""

import math
from dataclasses import dataclass

import numpy as np

_LENGTHS = (0.15, 0.3, 0.6, 1.2, 2.4)
_LONGEST, _SHORTEST = 20.0, 0.05
_NUGGET = 1e-6  # share of the variance that is noise: the values are those of one seed
_PASSES = 2


@dataclass(frozen=True)
class Surrogate:
    """One that was fitted."""

    x: np.ndarray
    lengths: np.ndarray
    mean: float
    size: float  # s
    lower: np.ndarray  # of the Cholesky factors of K/s²
    weights: np.ndarray  # K⁻¹ (f - μ) s²

    def at(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Mean and standard deviation at each row."""
        k = _kernel(x, self.x, self.lengths)
        v = np.linalg.solve(self.lower, k.T)
        variance = np.maximum(0.0, 1.0 - np.einsum("ij,ij->j", v, v))
        return self.mean + k @ self.weights, self.size * np.sqrt(variance)


def fitted(x: np.ndarray, f: np.ndarray) -> Surrogate:
    """The surrogate of values f at the rows of x."""
    dimensions = x.shape[1]
    tried = [(_likelihood(x, f, np.full(dimensions, length)), length) for length in _LENGTHS]
    best, length = max(tried)
    lengths = np.full(dimensions, length)
    for _ in range(_PASSES if dimensions > 1 else 0):
        for i in range(dimensions):
            for factor in (0.5, 2.0, 4.0):
                other = lengths.copy()
                other[i] = np.clip(factor * lengths[i], _SHORTEST, _LONGEST)
                found = _likelihood(x, f, other)
                if found > best:
                    best, lengths = found, other
    mean, size, lower, weights = _solved(x, f, lengths)
    return Surrogate(x, lengths, mean, size, lower, weights)


def _kernel(a: np.ndarray, b: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    a, b = a / lengths, b / lengths
    squared = (a * a).sum(1)[:, None] + (b * b).sum(1)[None, :] - 2.0 * (a @ b.T)
    return np.asarray(np.exp(-0.5 * np.maximum(0.0, squared)))


def _solved(
    x: np.ndarray, f: np.ndarray, lengths: np.ndarray
) -> tuple[float, float, np.ndarray, np.ndarray]:
    """Mean, size, factor and weights that are most likely for these lengths."""
    lower = np.linalg.cholesky(_kernel(x, x, lengths) + _NUGGET * np.eye(len(x)))

    def inverse(of: np.ndarray) -> np.ndarray:
        return np.asarray(np.linalg.solve(lower.T, np.linalg.solve(lower, of)))

    ones = inverse(np.ones(len(x)))
    mean = float(ones @ f / ones.sum())
    weights = inverse(f - mean)
    size = math.sqrt(max(float((f - mean) @ weights) / len(x), 1e-24))
    return mean, size, lower, weights


def _likelihood(x: np.ndarray, f: np.ndarray, lengths: np.ndarray) -> float:
    """Logarithm of how likely the values are, up to a constant."""
    try:
        _, size, lower, _ = _solved(x, f, lengths)
    except np.linalg.LinAlgError:
        return -math.inf
    return -len(x) * math.log(size) - float(np.log(np.diag(lower)).sum())
