"""Passive safety: without thrust from now on, the chaser stays out of the sphere."""

import math

import numpy as np

from proxops.onboard.functions.guidance.cone_programme import ConeProgramme
from proxops.onboard.functions.guidance.constraints import Errors, add_half_spaces
from proxops.onboard.functions.guidance.discretisation import Discretisation
from proxops.onboard.functions.guidance.prediction import Orbit
from proxops.onboard.functions.guidance.problem import PassiveSafety
from proxops.onboard.functions.guidance.reference import Reference
from proxops.onboard.functions.guidance.separation import separating_normals

_WINDOWS = 12  # of an orbit: each has its closest point
_NEAR = 8.0  # radii: no plane for what stays farther away
_INFLATION = 1.02  # of the radius, for what happens between the points


def drifts(orbit: Orbit, times: np.ndarray, states: np.ndarray, after: np.ndarray) -> np.ndarray:
    """p (k, j, 3) [m] of states (k, 6) at times (k,), left alone for each of the times after (j,).

    p = [1 0] X(t + τ) X(t)⁻¹ x
    """
    later = orbit.fundamental(times[:, None] + after)[:, :, :3]
    still = np.linalg.solve(orbit.fundamental(times), states[:, :, None])
    return (later @ still[:, None])[:, :, :, 0]


def add_passive_safety(
    programme: ConeProgramme,
    grid: Discretisation,
    orbit: Orbit,
    safety: PassiveSafety,
    path: Reference,
    errors: Errors,
) -> None:
    """Drifts from where each burn ends stay outside: that is the drift from the whole coast.

    Planes come from the drifts of a path near the optimum, one for each window of a drift, at its
    point closest to the sphere.  A drift through the sphere stays on the side where it begins.
    """
    ends = grid.burn_ends
    later = path.states(grid.times[1:])[ends.interval]
    distance = np.linalg.norm(later[:, :3], axis=1)
    ends = ends.take(distance > safety.radius + safety.entry)
    begin = path.states(ends.time)
    span = safety.orbits * math.tau / grid.rate
    after = np.linspace(0.0, span, math.ceil(span / safety.step) + 1)[1:]
    paths = drifts(orbit, ends.time, begin, after)
    sides = begin[:, :3] / np.linalg.norm(begin[:, :3], axis=1, keepdims=True)
    normals = separating_normals(paths, safety.radius, sides)
    which, sample = _closest_in_windows(
        np.einsum("kjc,kjc->kj", normals, paths),
        windows=math.ceil(_WINDOWS * safety.orbits),
        near=_NEAR * safety.radius,
    )
    chosen = ends.take(which)
    X = orbit.fundamental(np.stack([chosen.time, chosen.time + after[sample]], axis=1))
    Phi = X[:, 1] @ np.linalg.inv(X[:, 0])
    rows = np.einsum("ga,gab->gb", normals[which, sample], Phi[:, :3])
    margin = errors.quantile(1) * errors.sigma(chosen, rows)
    add_half_spaces(
        programme,
        grid,
        chosen,
        rows * grid.units / grid.length,
        (_INFLATION * safety.radius + margin) / grid.length,
    )


def _closest_in_windows(
    height: np.ndarray, windows: int, near: float
) -> tuple[np.ndarray, np.ndarray]:
    """Path and sample, (g,) each, of the lowest height (k, j) in each window that comes near."""
    which, sample = [], []
    for window in np.array_split(np.arange(height.shape[1]), windows):
        lowest = window[np.argmin(height[:, window], axis=1)]
        comes = np.flatnonzero(height[np.arange(height.shape[0]), lowest] < near)
        which.append(comes)
        sample.append(lowest[comes])
    return np.concatenate(which), np.concatenate(sample)
