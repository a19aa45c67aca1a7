"""How the thrust of an engine follows its valve."""

import math

from proxops.core.jit import helper
from proxops.core.select import any_of, select


@helper
def follow(level, target, ramp, full, dt):
    """Thrust after dt and its mean over dt [N]: linear towards the target, from none to full (or
    back) within `ramp` [s]; at once where that is zero."""
    change = abs(target - level)
    moves = ramp * change != 0.0
    after, mean = target, target
    if any_of(moves):
        rate = math.copysign(full / ramp, target - level)
        moving = change * ramp / full  # [s] until it is there
        goes_on = moving >= dt
        arriving = target + 0.5 * (level - target) * moving / dt
        after = select(moves, select(goes_on, level + rate * dt, target), target)
        mean = select(moves, select(goes_on, level + 0.5 * rate * dt, arriving), target)
    return after, mean
