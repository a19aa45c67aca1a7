"""Random motions for the laws of relative motion."""

import numpy as np

from proxops.physics.relative.motion import MOTION_WIDTH, TWIST, P, Q

Pose = tuple[tuple[float, ...], tuple[float, ...]]


def row(X: Pose, V: np.ndarray, V_rate: np.ndarray) -> np.ndarray:
    """A motion as an array."""
    motion = np.empty(MOTION_WIDTH)
    motion[P:Q], motion[Q:TWIST] = X[1], X[0]
    motion[TWIST:] = np.concatenate([V, V_rate])
    return motion


def random_row(rng: np.random.Generator) -> np.ndarray:
    """Anywhere within 3 m, in any attitude; rates up to 0.5 m/s and rad/s, and so their rates."""
    q = rng.normal(size=4)
    pose = (tuple(q / np.linalg.norm(q)), tuple(rng.uniform(-3.0, 3.0, 3)))
    return row(pose, *rng.uniform(-0.5, 0.5, (2, 6)))
