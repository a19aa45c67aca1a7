"""A recorded run in its orbit: the Hill frame at an instant, and the free drift from a row."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from proxops.assembly.describe import describe
from proxops.core.description import OrbitDescription
from proxops.core.errors import ProxopsError
from proxops.physics.orbit.drift import ORBITS
from proxops.physics.orbit.kepler import propagate
from proxops.results.run import Run
from proxops.scenario.load import Scenario

POSITION, VELOCITY = "relative.p_TcmCcm_H", "relative.v_TcmCcm_H"
TARGET, TARGET_RATE = "target.p_HTcm", "target.v_HT"
SAMPLES = 300  # of a drift


def mission_of(run: Run) -> Mapping[str, Any]:
    """The mission that a run was made from, as its file says it; empty where it is not recorded."""
    scenario = run.provenance.get("scenario")
    mission = scenario.get("mission") if isinstance(scenario, Mapping) else None
    return mission if isinstance(mission, Mapping) else {}


def orbit_of(run: Run) -> OrbitDescription | None:
    """The reference orbit of a run; None without one, or if its scenario is of another version."""
    if "orbit" not in mission_of(run):
        return None
    try:
        return describe(Scenario.from_dict(run.provenance["scenario"]))[2]
    except (ProxopsError, KeyError, TypeError, ValueError):
        return None


def hill_axes(orbit: OrbitDescription, t: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """R_NH (3, 3), and position [m] and velocity [m/s] of the reference orbit at a time [s]."""
    R, V = (np.array(each) for each in propagate(orbit.mu, tuple(orbit.R), tuple(orbit.V), t))
    normal = np.cross(R, V)
    x, z = R / np.linalg.norm(R), normal / np.linalg.norm(normal)
    return np.column_stack([x, np.cross(z, x), z]), R, V


def drift_path(run: Run, row: int) -> tuple[np.ndarray, np.ndarray] | None:
    """Times from a row on (n,) [s] and where the chaser would then be from the target (n, 3) [m],
    in the Hill frame of those times, if it drifted free from that row on for the revolutions that
    `safety.drift_distance` looks at.  None without an orbit or zones.

    Both move on Kepler orbits.  What is taken for the target's velocity is its hub's: it places the
    pair in the orbit, where a few mm/s show nothing.
    """
    orbit = orbit_of(run)
    if orbit is None or not {POSITION, VELOCITY, TARGET, TARGET_RATE} <= set(run):
        return None
    now = float(run.rows[row, 0])
    r, v, p, p_rate = (run[name][1][row] for name in (POSITION, VELOCITY, TARGET, TARGET_RATE))
    R_NH, R, V = hill_axes(orbit, now)
    if not np.isfinite(np.concatenate([r, v, p, p_rate])).all():
        return None
    w = np.array([0.0, 0.0, np.linalg.norm(np.cross(R, V)) / (R @ R)])

    def moved(position: np.ndarray, rate: np.ndarray) -> tuple[tuple[float, ...], ...]:
        at, speed = R + R_NH @ position, V + R_NH @ (rate + np.cross(w, position))
        return tuple(at.tolist()), tuple(speed.tolist())

    target, chaser = moved(p, p_rate), moved(p + r, p_rate + v)
    a = 1.0 / (2.0 / np.linalg.norm(R) - V @ V / orbit.mu)
    t = np.linspace(0.0, ORBITS * math.tau * math.sqrt(a**3 / orbit.mu), SAMPLES)
    path = np.empty((SAMPLES, 3))
    for i, ahead in enumerate(t.tolist()):
        ends = [np.array(propagate(orbit.mu, *body, ahead)[0]) for body in (chaser, target)]
        path[i] = hill_axes(orbit, now + ahead)[0].T @ (ends[0] - ends[1])
    return t, path
