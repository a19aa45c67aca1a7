"""The stop: all axes go on along their path while its clock runs down.

The last three positions sent lie on a parabola, in cycles s of a clock that stands at 0 now:

    q(s) = q₀ + h s v₀ + h² a₀ s (s + 1)/2,   h a₀ = v₀ - v₋₁

A stop within N cycles reads it at the times s_i = w₁ + … + w_i of a clock whose pace

    w_i = (N - i)(N + 1 - i)(N + 2 + 2i)/(N (N + 1)(N + 2))

is the cubic through 1 at i = -1 and 0, and 0 at N and N + 1: it starts as it is, and ends without
acceleration.  The clock is one for all axes of both robots, so what they hold between them stays
as it was up to the third order of the way.  Speeds are v_i = w_i v₀ + u_i h a₀ with
u_i = w_i (s_i + s_{i-1} + 1)/2; accelerations and jerks are differences of these.
"""

import math
from typing import NamedTuple

from proxops.core.jit import helper, part
from proxops.facility.common.guard import table as of
from proxops.facility.common.guard.table import Violation

HALVINGS = 6  # find a time to 1/64 of what is left


class Pace(NamedTuple):
    """A cycle of a stop: shares of v₀ and of h a₀ in its speed, and their differences."""

    w: float
    u: float
    dw: float  # w_i - w_{i-1}, in the acceleration
    du: float
    ddw: float  # dw_i - dw_{i-1}, in the jerk
    ddu: float


@helper
def pace_at(N, i):
    """w_i."""
    return (N - i) * (N + 1.0 - i) * (N + 2.0 + 2.0 * i) / (N * (N + 1.0) * (N + 2.0))


@helper
def clock_at(N, i):
    """s_i, from the sums of powers; s₋₁ = -1 and s₋₂ = -2, as before the stop."""
    first = 0.5 * i * (i + 1.0)
    second = first * (2.0 * i + 1.0) / 3.0
    third = first * first
    P, R = N * (N + 1.0), 2.0 * N + 1.0
    steady = P * i - R * first + second
    return ((N + 2.0) * steady + 2.0 * (P * first - R * second + third)) / (P * (N + 2.0))


@helper
def cycle_of(N, i):
    """The cycle i, 1 to N + 1, of a stop within N."""
    w, w1, w2 = pace_at(N, i), pace_at(N, i - 1.0), pace_at(N, i - 2.0)
    s = clock_at(N, i)
    u = w * (s - 0.5 * w + 0.5)
    u1 = w1 * (s - w - 0.5 * w1 + 0.5)
    u2 = w2 * (s - w - w1 - 0.5 * w2 + 0.5)
    return Pace(w, u, w - w1, u - u1, w - 2.0 * w1 + w2, u - 2.0 * u1 + u2)


@helper
def displacement(motion, axis, s, h):
    """q(s) - q₀ of an axis [rad]."""
    v, before = motion[of.V, axis], motion[of.V_BEFORE, axis]
    return h * s * (v + 0.5 * (v - before) * (s + 1.0))


@helper
def reversal_of(motion, axis, end):
    """The time in (0, end) at which an axis turns round; `end` if it does not."""
    v, change = motion[of.V, axis], motion[of.V, axis] - motion[of.V_BEFORE, axis]
    if change == 0.0:
        return end
    reversal = -0.5 - v / change
    return reversal if 0.0 < reversal < end else end


@part
def position_violation(axes, axis, motion, end, h):
    """Whether an axis leaves its range before the clock stands at `end`."""
    row, q = axes[axis], motion[of.Q, axis]
    last = q + displacement(motion, axis, end, h)
    reversal = q + displacement(motion, axis, reversal_of(motion, axis, end), h)
    high, low = max(last, reversal), min(last, reversal)
    if not high <= row[of.UPPER]:
        return Violation(of.STOP_POSITION, axis, high, row[of.UPPER])
    if not low >= row[of.LOWER]:
        return Violation(of.STOP_POSITION, axis, low, row[of.LOWER])
    return Violation(of.NONE, 0, 0.0, 0.0)


@helper
def pace_violation(row, axis, motion, pace, scale):
    """Whether an axis exceeds a limit in a cycle; `scale` is h, negative for hard limits."""
    h = abs(scale)
    v, change = motion[of.V, axis], motion[of.V, axis] - motion[of.V_BEFORE, axis]
    jerk = abs(v * pace.ddw + change * pace.ddu) / (h * h)
    limit = row[of.HARD_JERK if scale < 0.0 else of.JERK]
    if not jerk <= limit:
        return Violation(of.STOP_JERK, axis, jerk, limit)
    acceleration = abs(v * pace.dw + change * pace.du) / h
    limit = row[of.HARD_ACCELERATION if scale < 0.0 else of.ACCELERATION]
    if not acceleration <= limit:
        return Violation(of.STOP_ACCELERATION, axis, acceleration, limit)
    speed = abs(v * pace.w + change * pace.u)
    if not speed <= row[of.SPEED]:
        return Violation(of.STOP_SPEED, axis, speed, row[of.SPEED])
    return Violation(of.NONE, 0, 0.0, 0.0)


@part
def stop_violation(guard, motion, cycles, scale):
    """(fault, i): the first thing that is wrong with a stop, and the cycle it happens in."""
    N = float(cycles)
    axes = guard.axes.shape[0]
    violation = Violation(of.NONE, 0, 0.0, 0.0)
    for i in range(1, cycles + 2):
        pace = cycle_of(N, float(i))
        for axis in range(axes):
            violation = pace_violation(guard.axes[axis], axis, motion, pace, scale)
            if violation.reason != of.NONE:
                return violation, i
    end = clock_at(N, N)
    for axis in range(axes):
        violation = position_violation(guard.axes, axis, motion, end, abs(scale))
        if violation.reason != of.NONE:
            return violation, cycles
    return violation, 0


@part
def shortest_stop(guard, motion, hard):
    """(N, fault): the smallest number of cycles in which all axes can stop inside their limits.

    N goes up from 1.  What was wrong with the last N is tried first, the same axis at the same
    share of the way: nearly every N below the answer costs one evaluation.  Without an answer N is
    0, and the fault is the first of position or speed (the stop is too long) or else the last of
    acceleration or jerk.
    """
    scale = guard.settings[of.PERIOD] * (-1.0 if hard else 1.0)
    blamed = Violation(of.NONE, 0, 0.0, 0.0)
    worst, share = 0, 0.0
    for cycles in range(1, int(guard.settings[of.MAX_CYCLES]) + 1):
        N = float(cycles)
        pace = cycle_of(N, 1.0 + math.floor(share * N))
        violation = pace_violation(guard.axes[worst], worst, motion, pace, scale)
        if violation.reason == of.NONE:
            violation, i = stop_violation(guard, motion, cycles, scale)
            if violation.reason == of.NONE:
                return cycles, violation
            worst, share = violation.which, (i - 1.0) / N
        if blamed.reason != of.STOP_POSITION and blamed.reason != of.STOP_SPEED:
            blamed = violation
    return 0, blamed


@helper
def sweep(guard, motion, start, end):
    """How far any two things can move against each other between two times of the clock [m].

        Σ ρ |Δq| over all axes, there and back where an axis turns round

    ρ being how far from its axis what it moves can get.  Distances change by no more.
    """
    h = guard.settings[of.PERIOD]
    total = 0.0
    for axis in range(guard.axes.shape[0]):
        reversal = max(start, reversal_of(motion, axis, end))
        middle = displacement(motion, axis, reversal, h)
        there, back = (
            middle - displacement(motion, axis, start, h),
            displacement(motion, axis, end, h) - middle,
        )
        total += guard.axes[axis, of.REACH] * (abs(there) + abs(back))
    return total


@part
def furthest(guard, motion, start, end, allowed):
    """A time of the clock up to which no more than so much is swept from `start` on [m]: `end`, or
    as late as halving finds."""
    if sweep(guard, motion, start, end) <= allowed:
        return end
    low, high = start, end
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        if sweep(guard, motion, start, middle) <= allowed:
            low = middle
        else:
            high = middle
    return low


@helper
def place_at(motion, s, h, q):
    """Writes the joint positions [rad] at a time of the clock."""
    for axis in range(q.shape[0]):
        q[axis] = motion[of.Q, axis] + displacement(motion, axis, s, h)
