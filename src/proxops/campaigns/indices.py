"""How much of what a requirement varies by comes from each dispersion: Sobol indices.

    first   Sᵢ = 1 - E[(f(B) - f(Aᵢ))²]/2V     what would vanish if i alone were known
    total   Tᵢ = E[(f(A) - f(Aᵢ))²]/2V         what would be left if all but i were known

Aᵢ is A with the numbers of dispersion i from B, V the variance of f over A and B (Jansen 1999).
The sum of first indices is 1 where effects add; Tᵢ - Sᵢ is what i does together with others or the
noise.  Bounds hold 95 % of the same indices of rows drawn again with replacement.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from proxops.campaigns.sensitivity import values_of

_LEAST = 8  # rows in which all cases have a value
_AGAIN = 400


@dataclass(frozen=True)
class Index:
    """Sobol indices of one dispersion for one requirement, with 95 % bounds."""

    requirement: str
    dispersion: str
    first: float
    first_bounds: tuple[float, float]
    total: float
    total_bounds: tuple[float, float]
    rows: int


def indices_of(
    cases: Sequence[Mapping[str, Any]], requirements: Sequence[str]
) -> tuple[Index, ...]:
    """Indices of every dispersion for each of these, from the cases of a Saltelli design; none
    where values are missing in most rows, or do not vary."""
    dispersions = list(cases[0]["drawn"]) if cases else []
    names = [name for name in dispersions if name in cases[0].get("point", {})]
    width = 2 + len(names)
    first = {case["seed"]: at for at, case in enumerate(cases)}
    rows = [
        [first[j * width + c] for c in range(width)]
        for j in range(len(cases) // width)
        if all(j * width + c in first for c in range(width))
    ]
    found: list[Index] = []
    for requirement in requirements:
        values = values_of(cases, requirement)
        table = values[np.array(rows, dtype=int).reshape(-1, width)]
        table = table[np.isfinite(table).all(1)]
        if len(table) >= _LEAST and np.ptp(table[:, :2]) > 0.0:
            found += _indices(requirement, names, table)
    return tuple(found)


def _indices(requirement: str, names: Sequence[str], table: np.ndarray) -> list[Index]:
    rng = np.random.default_rng(len(table))
    again = rng.integers(0, len(table), (_AGAIN, len(table)))
    found = []
    for i, name in enumerate(names):
        first, total = _jansen(table, i)
        drawn = np.array([_jansen(table[rows], i) for rows in again])
        low, high = np.quantile(drawn, (0.025, 0.975), axis=0).tolist()
        bounds = [(low[k], high[k]) for k in (0, 1)]
        found.append(Index(requirement, name, first, bounds[0], total, bounds[1], len(table)))
    return found


def _jansen(table: np.ndarray, i: int) -> tuple[float, float]:
    a, b, mixed = table[:, 0], table[:, 1], table[:, 2 + i]
    variance = float(table[:, :2].var()) or 1.0
    first = 1.0 - float(((b - mixed) ** 2).mean()) / (2.0 * variance)
    return first, float(((a - mixed) ** 2).mean()) / (2.0 * variance)
