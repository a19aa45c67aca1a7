"""Thrusters that must be silent because their plume would meet the target."""

import math

import numpy as np

from proxops.onboard.functions.guidance.problem import Plume


def inhibited_thrusters(plume: Plume, directions: np.ndarray, positions: np.ndarray) -> np.ndarray:
    """(m, k): thrusters with force along directions (m, k, 3) that must not burn at (m, 3) in H.

    The plume leaves against the force, and the target is at the origin, so that -d meets it where
    the angle between d and the chaser's position p is small:  d·p ≥ |p| cos(half angle).
    """
    distance = np.linalg.norm(positions, axis=1)
    along = np.einsum("mkc,mc->mk", directions, positions)
    meets: np.ndarray = along >= math.cos(plume.half_angle) * distance[:, None]
    meets &= (distance <= plume.distance)[:, None]
    return meets
