"""Where the numbers of a case come from: its seed, or a point of a design; and how numbers of
several dispersions are correlated.

    z' = L z,   z = Φ⁻¹(p),   p' = Φ(z'),   L Lᵀ = matrix of the correlations of z

p even in [0, 1] and independent, L lower triangular in the order of the file: each p' is even too,
and one that comes later follows those before it (Gaussian copula).  The correlation of ranks is
6/π asin(ρ/2).
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from statistics import NormalDist
from typing import Any, Protocol

import numpy as np

from proxops.scenario.schema import Dispersion

_NORMAL = NormalDist()
_TAIL = 1e-12  # nearest to 0 and 1 that a correlated p comes: Φ⁻¹ is finite there
SIGMAS = 3.0  # the bound of a normal dispersion, which is cut off there
_BEYOND = _NORMAL.cdf(-SIGMAS)

# Numbers of a dispersion that is neither scaled, shifted nor chosen
_TILT, _DIRECTED = 2, 3


class Numbers(Protocol):
    """Numbers of one dispersion in one case, in the order in which they are taken."""

    def even(self, count: int) -> np.ndarray:
        """Numbers even in [-1, 1]."""

    def axis(self, across: np.ndarray | None) -> np.ndarray:
        """A vector of any length even over all directions; or, for one that is given, over those
        across it, to which something along it may be added."""

    def between(self, low: float, high: float) -> float:
        """A number even in [low, high]."""


@dataclass(frozen=True)
class Seeded:
    """Of a generator."""

    rng: np.random.Generator

    def even(self, count: int) -> np.ndarray:
        """See `Numbers`."""
        return self.rng.uniform(-1.0, 1.0, count)

    def axis(self, across: np.ndarray | None) -> np.ndarray:
        """See `Numbers`."""
        return self.rng.standard_normal(3)

    def between(self, low: float, high: float) -> float:
        """See `Numbers`."""
        return float(self.rng.uniform(low, high))


@dataclass
class Given:
    """Of a point: from 0 to 1 each."""

    point: list[float]
    _taken: int = field(default=0, init=False)

    def even(self, count: int) -> np.ndarray:
        """See `Numbers`."""
        return 2.0 * np.array([self._next() for _ in range(count)]) - 1.0

    def axis(self, across: np.ndarray | None) -> np.ndarray:
        """See `Numbers`."""
        if across is None:
            z, azimuth = 2.0 * self._next() - 1.0, 2.0 * math.pi * self._next()
            r = math.sqrt(max(0.0, 1.0 - z * z))
            return np.array([r * math.cos(azimuth), r * math.sin(azimuth), z])
        azimuth = 2.0 * math.pi * self._next()
        along = across / np.linalg.norm(across)
        i = np.cross(along, np.eye(3)[int(np.argmin(np.abs(along)))])
        i = i / np.linalg.norm(i)
        return np.asarray(math.cos(azimuth) * i + math.sin(azimuth) * np.cross(along, i))

    def between(self, low: float, high: float) -> float:
        """See `Numbers`."""
        return low + (high - low) * self._next()

    def _next(self) -> float:
        self._taken += 1
        return self.point[self._taken - 1]


def count_of(each: Dispersion, value: Any, *, rigid: bool) -> int:
    """How many numbers a dispersion of this value takes."""
    if each.scale is not None or each.choice is not None:
        return 1
    if each.shift is not None:
        return int(np.size(value))
    tilted = each.rotation_deg is not None and len(value) == 3 and not rigid
    return _TILT if tilted else _DIRECTED


def shaped(each: Dispersion, u: np.ndarray) -> np.ndarray:
    """Numbers even in [-1, 1] as the dispersion's distribution has them in these bounds."""
    if each.distribution == "uniform":
        return u
    inside = 1.0 - 2.0 * _BEYOND
    z = [_NORMAL.inv_cdf(_BEYOND + inside * 0.5 * (1.0 + each)) / SIGMAS for each in u.tolist()]
    return np.array(z)


def lower_triangle(all_of_them: Mapping[str, Dispersion]) -> tuple[list[str], np.ndarray] | None:
    """Names of correlated dispersions in the order of the file, and L; LinAlgError where there is
    none."""
    pairs = {
        frozenset((name, other)): rho
        for name, each in all_of_them.items()
        for other, rho in (each.correlated_with or {}).items()
    }
    linked = [name for name in all_of_them if any(name in pair for pair in pairs)]
    if not linked:
        return None
    matrix = np.eye(len(linked))
    for i, one in enumerate(linked):
        for j in range(i):
            matrix[i, j] = matrix[j, i] = pairs.get(frozenset((one, linked[j])), 0.0)
    return linked, np.linalg.cholesky(matrix)


def correlated(
    all_of_them: Mapping[str, Dispersion], numbers: Mapping[str, np.ndarray]
) -> dict[str, list[float]]:
    """Points of those that are correlated, from their own independent numbers in [-1, 1]."""
    found = lower_triangle(all_of_them)
    if found is None:
        return {}
    names, lower = found
    z = {
        name: np.array([_NORMAL.inv_cdf(_inside(0.5 * (1.0 + u))) for u in numbers[name].tolist()])
        for name in names
        if name in numbers
    }
    points: dict[str, list[float]] = {}
    for i, name in enumerate(names):
        if name in z:
            sums = sum((lower[i, j] * z[names[j]] for j in range(i) if names[j] in z), start=0.0)
            latent = np.asarray(lower[i, i] * z[name] + sums)
            points[name] = [_NORMAL.cdf(each) for each in latent.tolist()]
    return points


def _inside(p: float) -> float:
    return min(max(p, _TAIL), 1.0 - _TAIL)
