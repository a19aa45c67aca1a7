"""Passive safety: without thrust from now on, the chaser stays out of the sphere."""

import math
from typing import NamedTuple

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


class Drifts:
    """Where states at k times, left alone, are at other instants, before or after."""

    def __init__(self, orbit: Orbit, times: np.ndarray):
        self.orbit = orbit
        self.inverse = np.linalg.inv(orbit.fundamental(times))  # (k, 6, 6)

    def paths(self, states: np.ndarray, instants: np.ndarray) -> np.ndarray:
        """p (k, j, 3) [m] of states (k, 6) at j common instants:  p = [1 0] X(T) X(t)⁻¹ x."""
        constant = (self.inverse @ states[:, :, None])[:, :, 0]
        return np.moveaxis(self.orbit.fundamental(instants)[:, :3] @ constant.T, 2, 0)

    def rows(
        self, which: np.ndarray, instants: np.ndarray, normals: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """(g, 6) twice, whose products with the state are n·p and n·v, of some drifts, each at an
        instant (g,)."""
        X = self.orbit.fundamental(instants).reshape(-1, 2, 3, 6)
        seen = np.einsum("ga,gsab->gsb", normals, X)
        product: np.ndarray = np.einsum("gsb,gbc->gsc", seen, self.inverse[which])
        return product[:, 0], product[:, 1]


class Closest(NamedTuple):
    """Points (g,) where drifts are closest to the sphere, each of its drift within a window."""

    which: np.ndarray  # drift
    instant: np.ndarray  # [s]
    normal: np.ndarray  # (g, 3), unit
    rate: np.ndarray  # ḣ of the height h = n·p: not zero where a drift begins or a window ends
    bend: np.ndarray  # ḧ [m/s2]


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

    The closest point is that between the samples, not one of them.  A drift that is off by a
    little, h by -Δh and ḣ by ±Δḣ there, comes closest elsewhere: by Δḣ²/(2ḧ) closer still.  Errors
    of navigation and of the burn before make Δh and Δḣ.
    """
    states = path.states(grid.times)
    distance = np.linalg.norm(states[:, :3], axis=1)
    counts = distance > safety.radius + safety.entry
    counts[0] = True  # now: no burn can help it, but it tells the kind of drift
    span = safety.orbits * math.tau / grid.rate
    total = grid.times[-1] - grid.times[0] + span
    instants = np.linspace(grid.times[0], grid.times[0] + total, math.ceil(total / safety.step))
    begin = np.concatenate([grid.times[:1], grid.times[:-1] + grid.burn])[counts]
    there = (instants > begin[:, None]) & (instants <= begin[:, None] + span)
    drifts = Drifts(orbit, grid.times[counts])
    paths = drifts.paths(states[counts], instants)
    sides = (states[:, :3] / distance[:, None])[counts]
    normals = separating_normals(paths, there, safety.radius, sides)
    height = np.where(there, np.einsum("kjc,kjc->kj", normals, paths), np.inf)
    windows = math.ceil(_WINDOWS * total * grid.rate / math.tau)
    which, sample = _closest_in_windows(height, windows)
    wanted = (which > 0) & (height[which, sample] < _NEAR * safety.radius)
    closest = _between_samples(instants, begin, paths, normals, which[wanted], sample[wanted])
    rows, rates = drifts.rows(closest.which, closest.instant, closest.normal)
    chosen = grid.nodes.take(np.flatnonzero(counts)[closest.which] - 1)
    q = errors.quantile(1)
    off = q * errors.sigma(chosen, rates)
    off += safety.thrust_error * _burnt(grid, path, chosen.interval, rates)
    margin = q * errors.sigma(chosen, rows) + _dip(closest, off, 0.5 * total / windows)
    add_half_spaces(
        programme,
        grid,
        chosen,
        rows * grid.units / grid.length,
        (safety.radius + margin) / grid.length,
        safety.thrust_error,
    )


def _burnt(
    grid: Discretisation, path: Reference, interval: np.ndarray, rows: np.ndarray
) -> np.ndarray:
    """(g,) by how much the burn of an interval, as on the path, changes rows (g, 6) x at most,
    whatever its thrusters' directions."""
    fuel = np.diff(path.fuel(grid.times))[interval]
    effect = np.linalg.norm((rows * grid.units)[:, None] @ grid.B[interval], axis=2)[:, 0]
    most: np.ndarray = effect / (grid.length * grid.rate) * fuel
    return most


def _dip(closest: Closest, off: np.ndarray, longest: float) -> np.ndarray:
    """(g,) [m] by how much closer a drift comes whose ḣ is off by so much [m/s], later or sooner by
    no more than a time [s]: beyond, another window has its own point.

        max of (Δḣ - |ḣ|) s - ḧ s²/2
    """
    excess = np.maximum(off - np.abs(closest.rate), 0.0)
    bend = np.maximum(closest.bend, 0.0)
    s = np.divide(excess, bend, out=np.full_like(excess, longest), where=bend * longest > excess)
    dip: np.ndarray = (excess - 0.5 * bend * s) * s
    return dip


def _closest_in_windows(height: np.ndarray, windows: int) -> tuple[np.ndarray, np.ndarray]:
    """Path and sample, (g,) each, of the lowest height (k, j) of each path in each window."""
    parts = np.array_split(np.arange(height.shape[1]), windows)
    sample = np.array([part[np.argmin(height[:, part], axis=1)] for part in parts])
    which = np.broadcast_to(np.arange(height.shape[0]), sample.shape)
    return which.ravel(), sample.ravel()


def _between_samples(
    instants: np.ndarray,
    begin: np.ndarray,
    paths: np.ndarray,
    normals: np.ndarray,
    which: np.ndarray,
    sample: np.ndarray,
) -> Closest:
    """The closest points of some drifts within a step of a sample, no sooner than they begin.

    The lowest point of the parabola through the heights h₋, h₀, h₊ of three samples a step apart
    is (h₋ - h₊)/(2 (h₋ - 2h₀ + h₊)) steps after the middle one.
    """
    sample = np.clip(sample, 1, instants.size - 2)
    step = instants[1] - instants[0]
    beside = sample[:, None] + np.array([-1, 0, 1])
    three = normals[which[:, None], beside]
    h = np.einsum("gsc,gsc->gs", three, paths[which[:, None], beside])
    slope, bend = 0.5 * (h[:, 2] - h[:, 0]), h[:, 0] - 2.0 * h[:, 1] + h[:, 2]
    lowest = np.divide(-slope, bend, out=-np.sign(slope), where=bend > 0.0)
    s = np.clip(lowest, np.maximum((begin[which] - instants[sample]) / step, -1.0), 1.0)
    weights = np.stack([0.5 * s * (s - 1.0), 1.0 - s * s, 0.5 * s * (s + 1.0)], axis=1)
    normal = np.einsum("gs,gsc->gc", weights, three)
    return Closest(
        which=which,
        instant=instants[sample] + s * step,
        normal=normal / np.linalg.norm(normal, axis=1)[:, None],
        rate=(slope + s * bend) / step,
        bend=bend / step**2,
    )
