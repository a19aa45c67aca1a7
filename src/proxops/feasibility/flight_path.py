"""The motion of both spacecraft in the Hill frame, and the paths that an arena makes of it.

    p_L = p_LH + λ R_LH p_H,   v_L = λ τ R_LH v_H,   a_L = λ τ² R_LH a_H,   w_L = τ R_LH w_H

as `facility.arena.command` maps it.
"""

from typing import NamedTuple

import numpy as np

from proxops.assembly.arena import mapping_of
from proxops.assembly.describe import describe
from proxops.core.frame import rotation_of
from proxops.physics.orbit.axes import hill_rotation
from proxops.physics.orbit.kepler import propagate
from proxops.results.run import Run
from proxops.scenario.load import Scenario
from proxops.scenario.schema.arena import FlightArena, InArena

CRAFTS = {"target": "T", "chaser": "C"}


class Motion(NamedTuple):
    """Of one spacecraft in H, as it was recorded in orbit."""

    t: np.ndarray  # (n,) [s]
    p: np.ndarray  # (n, 3) [m]
    v: np.ndarray  # [m/s]
    a: np.ndarray  # [m/s2]
    R_HB: np.ndarray  # (n, 3, 3)
    w: np.ndarray  # against H, in H (n, 3) [rad/s]


class FlightPath(NamedTuple):
    """A vehicle's reference in L."""

    p: np.ndarray  # (n, 3) [m]
    v: np.ndarray  # [m/s]
    a: np.ndarray  # [m/s2]
    R: np.ndarray  # R_LV (n, 3, 3)
    w: np.ndarray  # in L (n, 3) [rad/s]


def motions_of(run: Run, scenario: Scenario) -> dict[str, Motion]:
    """Of target and chaser."""
    t = run.rows[:, 0]
    R_NH, w_NH = _hill_axes(scenario, t)
    R_HN = np.swapaxes(R_NH, 1, 2)
    found = {}
    for name, body in CRAFTS.items():
        v = run[f"{name}.v_H{body}"][1]
        R_HB = R_HN @ np.moveaxis(rotation_of(tuple(run[f"{name}.q_N{body}"][1].T)), -1, 0)
        w = np.einsum("nij,nj->ni", R_HB, run[f"{name}.w_N{body}_{body}"][1]) - w_NH
        a = np.gradient(v, t, axis=0) if len(t) > 1 else 0.0 * v
        found[name] = Motion(t, run[f"{name}.p_H{body}"][1], v, a, R_HB, w)
    return found


def path_of(motion: Motion, given: FlightArena, shown: InArena) -> FlightPath:
    """As an arena shows it."""
    mapping, size, pace = mapping_of(given, shown), shown.length_scale, shown.time_scale
    R_LH, R_BV = rotation_of(tuple(mapping.q_LH)), rotation_of(tuple(mapping.q_BV[0]))
    return FlightPath(
        mapping.p_LH + size * motion.p @ R_LH.T,
        size * pace * motion.v @ R_LH.T,
        size * pace**2 * motion.a @ R_LH.T,
        R_LH @ motion.R_HB @ R_BV,
        pace * motion.w @ R_LH.T,
    )


def bow_of(p: np.ndarray) -> float:
    """Largest distance [m] of a path (n, 3) from the straight line that fits it best."""
    off = p - p.mean(axis=0)
    along = np.linalg.svd(off, full_matrices=False)[2][0]
    return float(np.linalg.norm(off - np.outer(off @ along, along), axis=1).max())


def _hill_axes(scenario: Scenario, t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """R_NH (n, 3, 3) and w_NH_H (n, 3) [rad/s]."""
    orbit = describe(scenario)[2]
    if orbit is None:
        return np.tile(np.eye(3), (len(t), 1, 1)), np.zeros((len(t), 3))
    epoch = tuple(map(float, orbit.R)), tuple(map(float, orbit.V))
    axes, rates = [], []
    for each in t:
        R, V = propagate(orbit.mu, *epoch, float(each))
        R_NH, rate = hill_rotation(R, V)
        axes.append(R_NH)
        rates.append((0.0, 0.0, rate))
    return np.array(axes), np.array(rates)
