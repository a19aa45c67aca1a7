"""The attitude of the Hill frame during a run."""

import numpy as np

from proxops.core.description import OrbitDescription
from proxops.core.frame import quaternion_of


def hill_attitude(orbit: OrbitDescription | None, t: np.ndarray) -> np.ndarray:
    """q_HN (n, 4), wxyz, at the times t (n,) [s]; without an orbit H has the axes of N.

    The orbit stays in its plane, so that H turns about its own z axis only:

        q_HN(t) = q_z(-θ) q_HN(0),   θ the angle from the first radius to that at t
    """
    if orbit is None:
        return np.tile([1.0, 0.0, 0.0, 0.0], (len(t), 1))
    from proxops.physics.orbit.entry import POSITION, inertial_motion

    at_rest = np.zeros((len(t), 6))
    motion = np.zeros((len(t), 6))
    start = np.concatenate([orbit.R, orbit.V])
    inertial_motion(orbit.mu, start, np.array(t, dtype=float), at_rest, motion)
    x = orbit.R / np.linalg.norm(orbit.R)
    z = np.cross(orbit.R, orbit.V)
    z /= np.linalg.norm(z)
    y = np.cross(z, x)
    R = motion[:, POSITION : POSITION + 3]
    half = -0.5 * np.arctan2(R @ y, R @ x)
    return _after(np.cos(half), np.sin(half), quaternion_of(np.array([x, y, z])))


def _after(c: np.ndarray, s: np.ndarray, q: np.ndarray) -> np.ndarray:
    """(c, 0, 0, s) q for arrays c, s (n,)."""
    w, x, y, z = q
    return np.column_stack([c * w - s * z, c * x - s * y, c * y + s * x, c * z + s * w])
