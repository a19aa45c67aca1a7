"""The ground torque (22) over a step, where carriers follow exactly.

Held over the step as it is at its begin, gravity compensation is late by half a step: an arm that
nothing controls drifts away with the first order of the step.  Taken as it will be half-way, if it
goes on changing as in the step before, with the second.
"""

from typing import NamedTuple

import numpy as np

from proxops.core.jit import part
from proxops.physics.multibody.mass_matrix import BASE_DOF
from proxops.plant.model import DRIVE_MOTOR


class GroundTorque(NamedTuple):
    """τ_q - τ of (22) as the latest step began with it."""

    t: np.ndarray  # of that instant [s], one entry, -inf before the first
    torque: np.ndarray  # one entry a joint of the lab's arms [N m or N]


def none_yet(joints: int) -> GroundTorque:
    """Before the first step, which takes the torque as it is."""
    return GroundTorque(np.full(1, -np.inf), np.zeros(joints))


@part
def extrapolate(ground, loads, drive, t, h):
    """Adds to the motors in `drive`, which hold τ_q of t, its change in half of a step of h [s].

    τ_q(t + h/2) = τ_q(t) + (h/2) (X(t) - X(t'))/(t - t'),   t' the begin of the step before
    """
    ahead = 0.5 * h / (t - ground.t[0])
    for joint in range(ground.torque.shape[0]):
        now = loads[BASE_DOF + joint]
        drive[joint + 1, DRIVE_MOTOR] += ahead * (now - ground.torque[joint])
        ground.torque[joint] = now
    ground.t[0] = t
