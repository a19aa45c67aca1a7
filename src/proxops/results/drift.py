"""A recorded run in its orbit: the Hill frame at an instant, and the free drift from a row."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from proxops.assembly.describe import describe
from proxops.core.description import OrbitDescription
from proxops.core.errors import ProxopsError
from proxops.physics.orbit.axes import hill_rotation
from proxops.physics.orbit.drift import ORBITS, drift_points
from proxops.physics.orbit.kepler import propagate
from proxops.results.run import Run
from proxops.scenario.load import Scenario

STATE = ("relative.p_TcmCcm_H", "relative.v_TcmCcm_H", "target.p_HTcm", "target.v_HT")
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
    return hill_rotation(R, V)[0], R, V


def drift_path(run: Run, row: int) -> tuple[np.ndarray, np.ndarray] | None:
    """Times from a row on (n,) [s] and where the chaser would then be from the target (n, 3) [m],
    as `drift_from` says; None without an orbit or zones, or with numbers that are none."""
    orbit = orbit_of(run)
    if orbit is None or not set(STATE) <= set(run):
        return None
    state = [run[name][1][row] for name in STATE]
    return drift_from(orbit, float(run.rows[row, 0]), state)


def drift_from(
    orbit: OrbitDescription, now: float, state: Sequence[np.ndarray], samples: int = SAMPLES
) -> tuple[np.ndarray, np.ndarray] | None:
    """Times from `now` on (n,) [s] and where the chaser would then be from the target (n, 3) [m],
    in the Hill frame of those times, if it drifted free for the revolutions that
    `safety.drift_distance` looks at.  `state` has the values of the signals STATE.  None for
    numbers that are not finite.

    Both move on Kepler orbits.  What is taken for the target's velocity is its hub's: it places the
    pair in the orbit, where a few mm/s show nothing.
    """
    r, v, p, p_rate = state
    if not np.isfinite(np.concatenate(state)).all():
        return None
    R_NH, R, V = hill_axes(orbit, now)
    w = np.array([0.0, 0.0, np.linalg.norm(np.cross(R, V)) / (R @ R)])

    def moved(position: np.ndarray, rate: np.ndarray) -> tuple[tuple[float, ...], ...]:
        at, speed = R + R_NH @ position, V + R_NH @ (rate + np.cross(w, position))
        return tuple(at.tolist()), tuple(speed.tolist())

    a = 1.0 / (2.0 / np.linalg.norm(R) - V @ V / orbit.mu)
    t = np.linspace(0.0, ORBITS * math.tau * math.sqrt(a**3 / orbit.mu), samples)
    path = np.zeros((samples, 3))
    reference = tuple(R.tolist()), tuple(V.tolist())
    drift_points(orbit.mu, reference, moved(p, p_rate), moved(p + r, p_rate + v), t, path)
    return t, path
