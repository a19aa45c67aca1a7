"""Chaser and target pressed together as one rigid body, in the contact frame."""

import math
from typing import NamedTuple

import numpy as np

from proxops.core.description import RigidInertia, point_inertia
from proxops.core.errors import InputError

LEAST_PADS = 3  # a rigid face on fewer is not held against tilting


class Pair(NamedTuple):
    """Two bodies that touch, both in the contact frame, and the thrust that presses them together.
    The thrust is fixed in the chaser."""

    chaser: RigidInertia
    target: RigidInertia
    thrust: np.ndarray  # (3,) [N]
    thrust_at: np.ndarray  # a point of its line of action (3,) [m]

    @property
    def whole(self) -> RigidInertia:
        """Both as one body, about the contact frame's origin."""
        return self.chaser.joined(self.target)


def placed(mass: float, inertia: np.ndarray, com: np.ndarray, yaw: float = 0.0) -> RigidInertia:
    """A body with its centre of mass at com, turned about z by yaw [rad].

    The inertia [kg m²] is about the centre of mass, in the body's own axes.
    """
    c, s = math.cos(yaw), math.sin(yaw)
    R_AB = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    return RigidInertia(mass, np.zeros(3), np.asarray(inertia)).seen_from(R_AB, np.asarray(com))


def central_inertia(body: RigidInertia) -> np.ndarray:
    """Inertia about the body's own centre of mass (3, 3) [kg m²], axes of its frame."""
    return np.asarray(body.inertia - point_inertia(body.mass, body.com))


def reduced_mass(pair: Pair) -> float:
    """m̃ = m_t m_s/(m_t + m_s) [kg]."""
    return pair.target.mass * pair.chaser.mass / pair.whole.mass


def ring(count: int, radius: float, phase: float = 0.0) -> np.ndarray:
    """Pads (count, 3) [m] evenly on a circle about the thrust axis; the first stands on y turned
    by the phase [rad] towards z."""
    angle = phase + math.tau * np.arange(count) / count
    return np.column_stack([np.zeros(count), radius * np.cos(angle), radius * np.sin(angle)])


def checked_pads(pads: np.ndarray) -> np.ndarray:
    """The pads (n, 3) [m], refused where a face on them could tip over."""
    pads = np.asarray(pads, dtype=float)
    if pads.ndim != 2 or pads.shape[1:] != (3,) or len(pads) < LEAST_PADS:
        raise InputError(f"pads of shape {pads.shape}: at least {LEAST_PADS} points are needed")
    spread = np.linalg.svd(pads[:, 1:] - pads[:, 1:].mean(axis=0), compute_uv=False)
    if spread[-1] <= 1e-9 * spread[0]:
        raise InputError(f"the {len(pads)} pads lie on one line, so nothing resists tilting")
    return pads
