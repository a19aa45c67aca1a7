"""Which dispersion drives a requirement: its values against everything that was drawn.

    ρ = correlation of the ranks of values and draws (Spearman), ties with their mean rank

A correlation is clear if chance alone gives one as strong in at most 5 % of campaigns, over all
draws together: |atanh ρ| √((n - 3)/1.06) > z(1 - 0.025/draws) (Fieller, Hartley and Pearson 1957).
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np

Cases = Sequence[Mapping[str, Any]]

_LEAST = 5  # cases for a correlation
_CHANCE = 0.05
_FIELLER = 1.06  # variance of atanh ρ, times n - 3
_AXES = {3: "xyz", 4: "wxyz"}
_MEANING = {"scale": "factor", "shift": "shift", "rotation_deg": "angle [deg]"}
_MEANING |= {"isotropic": "length", "choice": "choice"}
_DIRECTED = ("rotation_deg", "isotropic")  # one number does not say where to


@dataclass(frozen=True, eq=False)
class Draw:
    """One drawn number in every case; not a number where a case has none."""

    name: str  # of the dispersion, or the key, with its axis
    title: str  # what the number is
    values: np.ndarray


@dataclass(frozen=True)
class Driver:
    """The draw with which the values of a requirement vary most."""

    requirement: str
    draw: str | None  # None where too few cases have values, or these do not vary
    correlation: float  # of ranks, -1 to 1
    cases: int  # with a value
    clear: bool  # beyond what chance explains


def draws_of(cases: Cases, dispersions: Mapping[str, Any]) -> tuple[Draw, ...]:
    """Everything that was drawn, in the order of the dispersions; these are as in the mission.

    Of rotations and of vectors in any direction, the components of the value are listed too.
    """
    columns: dict[tuple[str, str], list[float]] = {}
    for at, case in enumerate(cases):
        for key, number in _numbers(case["drawn"], dispersions):
            column = columns.setdefault(key, [math.nan] * len(cases))
            column[at] = number
    found = (Draw(*key, np.array(column)) for key, column in columns.items())
    return tuple(draw for draw in found if np.ptp(draw.values[np.isfinite(draw.values)]) > 0.0)


def values_of(cases: Cases, requirement: str) -> np.ndarray:
    """What a requirement came to in every case; not a number where it has no finite value."""
    found = np.full(len(cases), np.nan)
    for at, case in enumerate(cases):
        for item in case["requirements"]:
            if item["name"] == requirement and isinstance(item["value"], int | float):
                found[at] = item["value"]
    return np.where(np.isfinite(found), found, np.nan)


def driver_of(requirement: str, values: np.ndarray, draws: Sequence[Draw]) -> Driver:
    """The draw with the strongest rank correlation."""
    count = int(np.isfinite(values).sum())
    found = [(rank_correlation(values, draw.values), draw.name) for draw in draws]
    rho, name = max(found, key=lambda each: abs(each[0]), default=(0.0, ""))
    if rho == 0.0:
        return Driver(requirement, None, 0.0, count, clear=False)
    bound = NormalDist().inv_cdf(1.0 - 0.5 * _CHANCE / len(draws))
    strength = math.atanh(min(abs(rho), 1.0 - 1e-12)) * math.sqrt((count - 3) / _FIELLER)
    return Driver(requirement, name, rho, count, clear=strength > bound)


def rank_correlation(a: np.ndarray, b: np.ndarray) -> float:
    """Spearman's correlation of two columns where both have numbers; 0 where they are too few, or
    one does not vary."""
    both = np.isfinite(a) & np.isfinite(b)
    if both.sum() < _LEAST:
        return 0.0
    x, y = (_ranks(column[both]) for column in (a, b))
    x, y = x - x.mean(), y - y.mean()
    size = math.sqrt(float(x @ x) * float(y @ y))
    return float(x @ y) / size if size > 0.0 else 0.0


def _ranks(values: np.ndarray) -> np.ndarray:
    """Ranks from 1; equal values have their mean rank."""
    _, which, counts = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(counts) - 0.5 * (counts - 1))[which]


def _numbers(
    drawn: Mapping[str, Any], dispersions: Mapping[str, Any]
) -> list[tuple[tuple[str, str], float]]:
    """Name, title and value of every number that was drawn for a case."""
    found: dict[tuple[str, str], float] = {}
    for name, each in drawn.items():
        declared = dispersions.get(name, {})
        method = next((word for word in _MEANING if declared.get(word) is not None), "")
        title = f"{_MEANING.get(method, 'drawn')}, {each['key']}"
        found |= _components(name, title, each["by"])
        if method in _DIRECTED:
            found |= _components(each["key"], each["key"], each["value"])
    return list(found.items())


def _components(name: str, title: str, value: Any) -> dict[tuple[str, str], float]:
    if isinstance(value, int | float):
        return {(name, title): float(value)}
    if not isinstance(value, list) or not all(isinstance(each, int | float) for each in value):
        return {}
    axes = _AXES.get(len(value)) or [str(i) for i in range(len(value))]
    return {
        (f"{name} {axis}", f"{title} {axis}"): float(number)
        for axis, number in zip(axes, value, strict=True)
    }
