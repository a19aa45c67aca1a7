"""Joint motors: they give the torque asked for, up to their limit."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from proxops.core.description import MountedArm
from proxops.core.jit import part


class Motors(NamedTuple):
    """The motors of the chaser's joints, in the plant's order."""

    limit: np.ndarray  # [N m or N], inf where there is none


def build(arms: Sequence[MountedArm]) -> Motors:
    """The motors of all arms."""
    return Motors(np.array([joint.effort for arm in arms for joint in arm.arm.joints], dtype=float))


@part
def give(motors, asked, given):
    """Writes the torques that the motors exert [N m]."""
    for joint in range(asked.shape[0]):
        limit = motors.limit[joint]
        given[joint] = min(max(asked[joint], -limit), limit)
