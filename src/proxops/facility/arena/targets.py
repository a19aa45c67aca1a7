"""Targets of both vehicles as rows of numbers (memory.TARGET_*), and as a link has them."""

import math

import numpy as np

from proxops.core.errors import InputError
from proxops.facility.arena.memory import TARGET_SIZE
from proxops.links.mavlink.content import Target
from proxops.physics.multirotor.body import Q as BODY_Q

P, V, A, Q = slice(0, 3), slice(3, 6), slice(6, 9), slice(9, 13)
LEVEL = math.radians(0.5)


def moved_on(row: np.ndarray, dt: float) -> np.ndarray:
    """A target (16,) or several, dt [s] later, by its velocity and acceleration."""
    later = row.copy()
    later[..., P] += dt * row[..., V] + 0.5 * dt * dt * row[..., A]
    later[..., V] += dt * row[..., A]
    return later


def yaw_of(q: np.ndarray) -> float:
    """Of an attitude q_LV (4,) [rad]."""
    w, x, y, z = q.tolist()
    return math.atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))


def level(q: np.ndarray) -> np.ndarray:
    """The level attitude with the yaw of another one (4,)."""
    half = 0.5 * yaw_of(q)
    return np.array([math.cos(half), 0.0, 0.0, math.sin(half)])


def hovering(y: np.ndarray) -> np.ndarray:
    """Targets (n, 16) of vehicles that stay where they are (n, 19), level."""
    targets = np.zeros((len(y), TARGET_SIZE))
    targets[:, P] = y[:, P]
    targets[:, Q] = [level(q) for q in y[:, BODY_Q : BODY_Q + 4]]
    return targets


def target_of(row: np.ndarray) -> Target:
    """A target (16,) as the link has it; its roll and pitch are left out."""
    p, v, a = (row[part].tolist() for part in (P, V, A))
    return Target(tuple(p), tuple(v), tuple(a), yaw_of(row[Q]))


def reject_leaning(row: np.ndarray) -> None:
    """Rejects a target (16,) that leans; V's z axis has cos = 1 - 2(x² + y²) from L's."""
    _, x, y, _ = row[Q].tolist()
    lean = math.acos(max(-1.0, 1.0 - 2.0 * (x * x + y * y)))
    if lean > LEVEL:
        raise InputError(
            f"fly without a link: the mission leans a vehicle by {math.degrees(lean):.1f} deg, and "
            "no message of MAVLink has roll and pitch"
        )
