"""Motors of joints and wheels: they apply the torque commanded, up to their limits."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from proxops.core.description import MountedArm, WheelDescription
from proxops.core.jit import part
from proxops.core.select import select


class Motors(NamedTuple):
    """The motors of the chaser's joints, in the plant's order: those of arms, then wheels."""

    limit: np.ndarray  # [N m or N], inf where there is none
    # Beyond which it does not accelerate [rad/s], inf for arms but motors of grippers
    max_speed: np.ndarray


def build(arms: Sequence[MountedArm], wheels: Sequence[WheelDescription] = ()) -> Motors:
    """The motors of all arms and wheels.  What keeps an arm's joint below its greatest speed is
    its controller; the drive of a wheel, or of a gripper's motor, does so by itself."""
    joints = [(arm.name, joint) for arm in arms for joint in arm.arm.joints]
    drivers = {joint.gears.driver for _, joint in joints if joint.gears is not None}
    # Nothing but its gears moves a driven joint
    efforts = [0.0 if joint.gears is not None else joint.effort for _, joint in joints]
    speeds = [joint.speed if name in drivers else np.inf for name, joint in joints]
    return Motors(
        np.array([*efforts, *(wheel.max_torque for wheel in wheels)], dtype=float),
        np.array([*speeds, *(wheel.max_speed for wheel in wheels)], dtype=float),
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
        is_too_fast = (abs(rate) >= motors.max_speed[joint]) & (torque * rate > 0.0)
        applied[joint] = select(is_too_fast, 0.0, torque)
