"""Motors of joints and wheels: they apply the torque commanded, up to their limits."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from proxops.core.description import MountedArm, WheelDescription
from proxops.core.jit import part


class Motors(NamedTuple):
    """The motors of the chaser's joints, in the plant's order: those of arms, then wheels."""

    limit: np.ndarray  # [N m or N], inf where there is none
    max_speed: np.ndarray  # beyond which it does not accelerate [rad/s], inf for arms


def build(arms: Sequence[MountedArm], wheels: Sequence[WheelDescription] = ()) -> Motors:
    """The motors of all arms and wheels.  What keeps an arm's joint below its greatest speed is
    its controller; a wheel's drive does so by itself."""
    joints = [joint.effort for arm in arms for joint in arm.arm.joints]
    return Motors(
        np.array([*joints, *(wheel.max_torque for wheel in wheels)], dtype=float),
        np.array([np.inf for _ in joints] + [wheel.max_speed for wheel in wheels], dtype=float),
    )


@part
def apply(motors, commands, rates, applied):
    """Writes the torques that the motors exert [N m], joints turning at `rates` [rad/s].

    |τ| ≤ τ_max, and a wheel at its greatest speed or beyond gets none that speeds it up.  Rates are
    looked at whenever torques are commanded, so it goes beyond by τ_max/J times the control period
    at most.
    """
    for joint in range(commands.shape[0]):
        limit, rate = motors.limit[joint], rates[joint]
        torque = min(max(commands[joint], -limit), limit)
        if abs(rate) >= motors.max_speed[joint] and torque * rate > 0.0:
            torque = 0.0
        applied[joint] = torque
