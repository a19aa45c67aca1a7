"""How the thrust of an engine follows its valve."""

import math

from proxops.core.jit import helper


@helper
def follow(level, target, ramp, full, dt):
    """Thrust after dt and its mean over dt [N]: linear towards the target, from none to full (or
    back) within `ramp` [s]; at once where that is zero."""
    change = abs(target - level)
    if ramp * change == 0.0:
        return target, target
    rate = math.copysign(full / ramp, target - level)
    moving = change * ramp / full  # [s] until it is there
    if moving >= dt:
        return level + rate * dt, level + 0.5 * rate * dt
    return target, target + 0.5 * (level - target) * moving / dt
