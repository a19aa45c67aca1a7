"""Why a flight ends, and what a single pair of targets may not break: finite, inside, apart.

What is sent goes through the guard (facility.arena.guarded), which also knows where targets come
from and whether they can be stopped.  Here is what a link can tell of a target by itself, and what
the ways before and after a run are planned by.
"""

import math

from proxops.core.jit import kernel, part
from proxops.core.spatial.vector import get3
from proxops.facility.arena import memory as of
from proxops.facility.common.rows import CHASER, PAIR, TARGET

REASON, WHEN, ACTED = 0, 1, 2  # entries of ArenaLab.ended; the last is when the guard acted [s]
NOTHING, NOT_FINITE, OUTSIDE, TOO_CLOSE, POSE_LOST, LINK, GUARD = 0, 1, 2, 3, 4, 5, 6
REASONS = {
    NOT_FINITE: "a target is not finite",
    OUTSIDE: "a target is outside the arena's box",
    TOO_CLOSE: "the targets come closer than {apart:.3g} m horizontally: tips or wake",
    POSE_LOST: "motion capture is lost for {timeout:g} s",
    LINK: "a watchdog of the link has ended the flight",
    GUARD: "the guard has stopped both",
}


@part
def violation_of(fence, targets):
    """What a pair of targets (2, 16) breaks."""
    for which in range(PAIR):
        for i in range(of.TARGET_SIZE):
            if not math.isfinite(targets[which, i]):
                return NOT_FINITE
        for i in range(3):
            p = targets[which, of.TARGET_P + i]
            if p < fence.lowest[i] or p > fence.highest[i]:
                return OUTSIDE
    p, r = get3(targets[TARGET], of.TARGET_P), get3(targets[CHASER], of.TARGET_P)
    if math.hypot(p[0] - r[0], p[1] - r[1]) < fence.apart:
        return TOO_CLOSE
    return NOTHING


@kernel
def check_targets(fence, targets):
    """The same, from Python."""
    return violation_of(fence, targets)


@part
def gap_between(fence, y):
    """From tips to tips of both vehicles' states (2, 19), had both all tips at their widest [m]."""
    a, b = get3(y[TARGET], 0), get3(y[CHASER], 0)
    apart = math.sqrt((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2)
    return apart - fence.tips
