"""What was some time ago: a ring with one row a tick, for measurements that come late."""

from proxops.core.jit import helper, part
from proxops.core.spatial.quaternion import (
    get4,
    put4,
    quat_exp,
    quat_inverse,
    quat_log,
    quat_mul,
    quat_normalised,
)
from proxops.core.spatial.vector import scale
from proxops.onboard.functions.navigation.layout import (
    HISTORY_WIDTH,
    PAST_Q,
    PAST_TIME,
    PAST_V,
)


@helper
def push(history, head, t):
    """The row that is written next, with the time of this tick; it starts as a copy of the last."""
    row = head + 1 if head + 1 < history.shape[0] else 0
    for column in range(HISTORY_WIDTH):
        history[row, column] = history[head, column] if head >= 0 else 0.0
    if head < 0:
        history[row, PAST_Q] = 1.0
        for other in range(history.shape[0]):
            history[other, PAST_TIME] = t
    history[row, PAST_TIME] = t
    return row


@part
def look_back(history, head, t, past):
    """Whether the history reaches back to t [s]; writes what was then.

    Between two ticks the attitude turns at a constant rate and the rest goes along a line; at a
    time that has not come yet it is what is now.
    """
    rows = history.shape[0]
    later = head
    earlier = head
    for _ in range(rows - 1):
        if history[earlier, PAST_TIME] <= t:
            break
        later = earlier
        earlier = earlier - 1 if earlier > 0 else rows - 1
    if not history[earlier, PAST_TIME] <= t:
        return False
    span = history[later, PAST_TIME] - history[earlier, PAST_TIME]
    share = (t - history[earlier, PAST_TIME]) / span if span > 0.0 else 0.0
    for column in range(PAST_V, HISTORY_WIDTH):
        begin = history[earlier, column]
        past[column] = begin + share * (history[later, column] - begin)
    past[PAST_TIME] = history[earlier, PAST_TIME] + share * span
    q = get4(history[earlier], PAST_Q)
    rotation = quat_log(quat_mul(quat_inverse(q), get4(history[later], PAST_Q)))
    put4(past, PAST_Q, quat_normalised(quat_mul(q, quat_exp(scale(share, rotation)))))
    return True
