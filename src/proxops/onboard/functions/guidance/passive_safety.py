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
) -> int:
    """Drifts from where each burn ends stay outside; how many planes that takes.

    Planes come from the drifts of a path near the optimum.  A burn counts if the path is outside of
    the sphere at the end of its interval: the coast that enters the sphere is the approach itself.
    """
    ends = grid.burn_ends
    later = path.states(grid.times[1:])[ends.interval]
    ends = ends.take(np.linalg.norm(later[:, :3], axis=1) > safety.radius)
    span = safety.orbits * math.tau / grid.rate
    after = np.linspace(0.0, span, math.ceil(span / safety.step) + 1)[1:]
    paths = drifts(orbit, ends.time, path.states(ends.time), after)
    normals, wanted = separating_normals(paths, safety.radius)
    which, sample = np.nonzero(wanted)
    if which.size == 0:
        return 0
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
        (safety.radius + margin) / grid.length,
    )
    return int(which.size)
