"""What of an input can be judged without geometry: its arrival, its numbers, its differences."""

import math

from proxops.core.jit import helper, part
from proxops.facility.common.guard import table as of
from proxops.facility.common.guard.table import Violation


@helper
def fine():
    """No fault."""
    return Violation(of.NONE, 0, 0.0, 0.0)


@part
def input_violation(guard, memory, given, starting):
    """What is wrong with the input as such; a first command may have any number."""
    cues, settings = given.cues, guard.settings
    if cues[of.EMERGENCY] != 0.0:
        return Violation(of.EMERGENCY_STOP, 0, cues[of.EMERGENCY], 0.0)
    if cues[of.ARRIVED] != 1.0:
        return Violation(of.LINK_LOST, 0, cues[of.ARRIVED], 1.0)
    for axis in range(given.q.shape[0]):
        if not math.isfinite(given.q[axis]):
            return Violation(of.NOT_FINITE, axis, given.q[axis], 0.0)
    if not math.isfinite(cues[of.SEQUENCE]):
        return Violation(of.FIELD_NOT_FINITE, of.SEQUENCE, cues[of.SEQUENCE], 0.0)
    expected = memory.numbers[of.LAST_SEQUENCE] + 1.0
    if not starting and cues[of.SEQUENCE] != expected:
        repeated = cues[of.SEQUENCE] == expected - 1.0
        reason = of.REPEATED if repeated else of.OUT_OF_ORDER
        return Violation(reason, 0, cues[of.SEQUENCE], expected)
    if not 0.0 <= cues[of.AGE] <= settings[of.OLDEST]:
        return Violation(of.STALE, 0, cues[of.AGE], settings[of.OLDEST])
    if not 0.0 <= cues[of.OVERRIDE] <= 1.0:
        return Violation(of.BAD_OVERRIDE, 0, cues[of.OVERRIDE], 1.0)
    if cues[of.SHORT] != 0.0:
        return Violation(of.UNREACHABLE, int(cues[of.SHORT_ROBOT]), cues[of.SHORT], 0.0)
    for row in range(guard.watched.shape[0]):
        value, maximum = given.watched[row], guard.watched[row, of.MAXIMUM]
        if not math.isfinite(value):
            return Violation(of.FIELD_NOT_FINITE, of.CUES + row, value, maximum)
        if abs(value) > maximum:
            return Violation(int(guard.watched[row, of.KIND]), row, abs(value), maximum)
    return fine()


@helper
def ask(guard, memory, q):
    """Writes the motion that sending q would make."""
    h = guard.settings[of.PERIOD]
    for axis in range(q.shape[0]):
        memory.commanded[of.Q, axis] = q[axis]
        memory.commanded[of.V, axis] = (q[axis] - memory.sent[of.Q, axis]) / h
        memory.commanded[of.V_BEFORE, axis] = memory.sent[of.V, axis]


@part
def motion_violation(guard, memory, override, starting):
    """The first limit of an axis that the motion asked for exceeds, or NONE.

    v_k = (q_k - q_{k-1})/h,   a_k = (v_k - v_{k-1})/h,   j_k = (a_k - a_{k-1})/h
    """
    h, tolerance = guard.settings[of.PERIOD], guard.settings[of.START]
    for axis in range(guard.axes.shape[0]):
        row = guard.axes[axis]
        q, v, before = (
            memory.commanded[of.Q, axis],
            memory.commanded[of.V, axis],
            memory.commanded[of.V_BEFORE, axis],
        )
        away = abs(q - memory.sent[of.Q, axis])
        if starting and not away <= tolerance:
            return Violation(of.AWAY_FROM_START, axis, away, tolerance)
        if not q <= row[of.UPPER]:
            return Violation(of.AXIS_POSITION, axis, q, row[of.UPPER])
        if not q >= row[of.LOWER]:
            return Violation(of.AXIS_POSITION, axis, q, row[of.LOWER])
        if not abs(v) <= override * row[of.SPEED]:
            return Violation(of.AXIS_SPEED, axis, abs(v), override * row[of.SPEED])
        a = (v - before) / h
        if not abs(a) <= row[of.ACCELERATION]:
            return Violation(of.AXIS_ACCELERATION, axis, abs(a), row[of.ACCELERATION])
        j = (a - (before - memory.sent[of.V_BEFORE, axis]) / h) / h
        if not abs(j) <= row[of.JERK]:
            return Violation(of.AXIS_JERK, axis, abs(j), row[of.JERK])
    return fine()
