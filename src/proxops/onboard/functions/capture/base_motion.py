"""How the base shall accelerate: along its trajectory, or away."""

from proxops.core.jit import helper
from proxops.core.spatial.quaternion import IDENTITY
from proxops.core.spatial.vector import ZERO, get3
from proxops.onboard.functions.capture.base_tracking import wanted_acceleration
from proxops.onboard.functions.capture.departure import departing
from proxops.onboard.functions.capture.modes import (
    ARM_TRAJECTORY,
    AWAKE,
    BASE_TRAJECTORY,
    DEPARTING,
    FOLLOWING,
)
from proxops.onboard.functions.capture.parameters import inertia_of
from proxops.onboard.functions.capture.trajectory import TrajectoryPoint, along


@helper
def base_trajectory(memory, t):
    """The point of the base's trajectory; at rest in the target while there is none."""
    if memory[AWAKE] != FOLLOWING:
        return TrajectoryPoint((IDENTITY, ZERO), ZERO, ZERO, ZERO, ZERO)
    return along(memory[BASE_TRAJECTORY:ARM_TRAJECTORY], t)


@helper
def base_acceleration(belief, gains, memory, relative, trajectory, t):
    """(a, α) of Co that keeps the base on its trajectory; none before there is one."""
    if memory[AWAKE] == DEPARTING:
        return departing(memory, relative.w_C, t)
    if memory[AWAKE] != FOLLOWING:
        return ZERO, ZERO
    body = inertia_of(belief), get3(belief.target_com, 0)
    return wanted_acceleration(body, relative, trajectory, gains)
