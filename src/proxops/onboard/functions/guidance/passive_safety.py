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

_WINDOWS = 8  # of an orbit: each has its closest point
_NEAR = 5.0  # radii: no plane for what stays farther away
_INFLATION = 1.02  # of the radius, for what happens between the points


class Drifts:
    """Where states at k times, left alone, are at j common instants, before or after."""

    def __init__(self, orbit: Orbit, times: np.ndarray, instants: np.ndarray):
        self.X = orbit.fundamental(instants)[:, :3]  # (j, 3, 6)
        self.inverse = np.linalg.inv(orbit.fundamental(times))  # (k, 6, 6)

    def paths(self, states: np.ndarray) -> np.ndarray:
        """p (k, j, 3) [m] of states (k, 6):  p = [1 0] X(T) X(t)⁻¹ x."""
        constant = (self.inverse @ states[:, :, None])[:, :, 0]
        return np.moveaxis(self.X @ constant.T, 2, 0)

    def rows(self, which: np.ndarray, sample: np.ndarray, normals: np.ndarray) -> np.ndarray:
        """(g, 6) whose product with the state is n·p, of some drifts at some instants."""
        seen = np.einsum("ga,gab->gb", normals, self.X[sample])
        product: np.ndarray = np.einsum("gb,gbc->gc", seen, self.inverse[which])
        return product


def add_passive_safety(
    programme: ConeProgramme,
    grid: Discretisation,
    orbit: Orbit,
    safety: PassiveSafety,
    path: Reference,
    errors: Errors,
) -> None:
    """Drifts from where each burn ends stay outside: that is the drift from the whole coast.

    It is also that through the node at the end of the coast, which is a variable of its own.
    Planes come from the drifts of a path near the optimum, one for each window of a drift, at its
    point closest to the sphere.  A drift through the sphere is to stay on the side where it begins.
    So is one that passes by the target, unless that from now on does: drifts change from the one
    kind to the other in the middle of a burn, and are not safe there.
    """
    states = path.states(grid.times)
    distance = np.linalg.norm(states[:, :3], axis=1)
    counts = distance > safety.radius + safety.entry
    counts[0] = True  # now: no burn can help it, but it tells the kind of drift
    span = safety.orbits * math.tau / grid.rate
    total = grid.times[-1] - grid.times[0] + span
    instants = np.linspace(grid.times[0], grid.times[0] + total, math.ceil(total / safety.step))[1:]
    begin = np.concatenate([grid.times[:1], grid.times[:-1] + grid.burn])[counts]
    there = (instants > begin[:, None]) & (instants <= begin[:, None] + span)
    drifts = Drifts(orbit, grid.times[counts], instants)
    paths = drifts.paths(states[counts])
    sides = (states[:, :3] / distance[:, None])[counts]
    normals = separating_normals(paths, there, safety.radius, sides)
    height = np.where(there, np.einsum("kjc,kjc->kj", normals, paths), np.inf)
    which, sample = _closest_in_windows(
        height, windows=math.ceil(_WINDOWS * total * grid.rate / math.tau)
    )
    wanted = (which > 0) & (height[which, sample] < _NEAR * safety.radius)
    which, sample = which[wanted], sample[wanted]
    rows = drifts.rows(which, sample, normals[which, sample])
    chosen = grid.nodes.take(np.flatnonzero(counts)[which] - 1)
    margin = errors.quantile(1) * errors.sigma(chosen, rows)
    add_half_spaces(
        programme,
        grid,
        chosen,
        rows * grid.units / grid.length,
        (_INFLATION * safety.radius + margin) / grid.length,
        safety.thrust_error,
    )


def _closest_in_windows(height: np.ndarray, windows: int) -> tuple[np.ndarray, np.ndarray]:
    """Path and sample, (g,) each, of the lowest height (k, j) of each path in each window."""
    parts = np.array_split(np.arange(height.shape[1]), windows)
    sample = np.array([part[np.argmin(height[:, part], axis=1)] for part in parts])
    which = np.broadcast_to(np.arange(height.shape[0]), sample.shape)
    return which.ravel(), sample.ravel()
