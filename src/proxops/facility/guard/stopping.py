"""The stop: a cubic in the cycle number, on one time scale for all axes.

With the speeds v₋₁, v₀ of the last two cycles sent, the speeds of cycles i = 1 … N are

    v_i = (N - i)(N + 1 - i)(α + β i)
    α = v₀/(N (N + 1)),   β = α - v₋₁/((N + 1)(N + 2))

the cubic through v₋₁, v₀ and zeros at N and N + 1.  Speeds of all axes are the same two sequences
times v₋₁ and v₀: what is linear between the motions of axes, over both robots, stays as it was.
Differences of speeds have the factors, and therefore the extremes, in closed form:

    h a_i = (N + 1 - i)(c - 3β i),   c = (N + 2) β - 2α          i = 1 … N + 1
    h² j_i = 6β i - c - 3β (N + 2)                               i = 1 … N + 1

so that acceleration goes on from where it is and ends at zero.  The rest of such a stop is the stop
with N - 1 from its first cycle: a stop once shown to be possible stays so.
"""

import math
from typing import NamedTuple

from proxops.core.jit import helper, part
from proxops.facility.guard import table as of
from proxops.facility.guard.table import Fault


class Stop(NamedTuple):
    """The stop of one axis."""

    N: float
    alpha: float  # [rad/s]
    beta: float


@helper
def stop_of(motion, axis, cycles):
    """The stop of an axis within a number of cycles."""
    N = float(cycles)
    alpha = motion[of.V, axis] / (N * (N + 1.0))
    return Stop(N, alpha, alpha - motion[of.V_BEFORE, axis] / ((N + 1.0) * (N + 2.0)))


@helper
def speed_at(stop, i):
    """v_i [rad/s]."""
    return (stop.N - i) * (stop.N + 1.0 - i) * (stop.alpha + stop.beta * i)


@helper
def sum_to(stop, i):
    """v₁ + … + v_i [rad/s], which times h is how far the axis has come."""
    P, Q = stop.N * (stop.N + 1.0), 2.0 * stop.N + 1.0
    first = 0.5 * i * (i + 1.0)
    second = first * (2.0 * i + 1.0) / 3.0
    return stop.alpha * (P * i - Q * first + second) + stop.beta * (
        P * first - Q * second + first * first
    )


@helper
def turn_of(stop):
    """The last cycle before the speed changes its sign; N if it does not."""
    # the root -α/β is between 0 and N if α and β have opposite signs and |α| < N |β|
    if stop.alpha * stop.beta < 0.0 and abs(stop.alpha) < stop.N * abs(stop.beta):
        return math.floor(-stop.alpha / stop.beta)
    return stop.N


@helper
def largest_jerk(stop):
    """max h² |j_i| [rad/s]: a linear sequence is largest at one of its ends."""
    c = (stop.N + 2.0) * stop.beta - 2.0 * stop.alpha
    return abs(c) + 3.0 * stop.N * abs(stop.beta)


@helper
def largest_acceleration(stop):
    """max h |a_i| [rad/s] over i from 1 to N + 1, between whole numbers too."""
    c = (stop.N + 2.0) * stop.beta - 2.0 * stop.alpha
    last = stop.N + 1.0
    largest = stop.N * abs(c - 3.0 * stop.beta)
    if stop.beta != 0.0:
        root = c / (3.0 * stop.beta)
        if 2.0 - last < root < last:
            largest = max(largest, 0.75 * abs(stop.beta) * (last - root) ** 2)
    return largest


@helper
def largest_speed(stop):
    """The speed where the acceleration changes its sign [rad/s]; zero if it does not."""
    c = (stop.N + 2.0) * stop.beta - 2.0 * stop.alpha
    if c * stop.beta > 0.0 and abs(c) < 3.0 * stop.N * abs(stop.beta):
        return abs(speed_at(stop, math.floor(c / (3.0 * stop.beta))))
    return 0.0


@helper
def position_fault(row, q, stop, h):
    """(found, limit) of an axis that leaves its range while it stops; equal if it does not."""
    end = q + h * sum_to(stop, stop.N)
    turn = q + h * sum_to(stop, turn_of(stop))
    high, low = max(end, turn), min(end, turn)
    if not high <= row[of.UPPER]:
        return high, row[of.UPPER]
    if not low >= row[of.LOWER]:
        return low, row[of.LOWER]
    return 0.0, 0.0


@part
def stop_fault(axes, axis, motion, cycles, h, hard):
    """What keeps an axis from stopping in so many cycles, or NONE."""
    row = axes[axis]
    stop = stop_of(motion, axis, cycles)
    limit = row[of.HARD_JERK if hard else of.JERK]
    jerk = largest_jerk(stop) / (h * h)
    if not jerk <= limit:
        return Fault(of.STOP_JERK, axis, jerk, limit)
    limit = row[of.HARD_ACCELERATION if hard else of.ACCELERATION]
    acceleration = largest_acceleration(stop) / h
    if not acceleration <= limit:
        return Fault(of.STOP_ACCELERATION, axis, acceleration, limit)
    speed = largest_speed(stop)
    if not speed <= row[of.SPEED]:
        return Fault(of.STOP_SPEED, axis, speed, row[of.SPEED])
    found, limit = position_fault(row, motion[of.Q, axis], stop, h)
    if found != limit:
        return Fault(of.STOP_POSITION, axis, found, limit)
    return Fault(of.NONE, 0, 0.0, 0.0)


@part
def shortest_stop(guard, motion, hard):
    """(N, fault): the smallest number of cycles in which all axes can stop inside their limits.

    N goes up from 1, and in each the axis that failed the last one is tried first: nearly every N
    below the answer then costs one axis.  Without an answer N is 0, and the fault is the first of
    position or speed (the stop is too long) or else the last of acceleration or jerk.
    """
    h = guard.settings[of.PERIOD]
    axes = guard.axes.shape[0]
    worst = 0
    blamed = Fault(of.NONE, 0, 0.0, 0.0)
    for cycles in range(1, int(guard.settings[of.MOST_CYCLES]) + 1):
        fault = Fault(of.NONE, 0, 0.0, 0.0)
        for step in range(axes):
            axis = worst + step
            if axis >= axes:
                axis -= axes
            fault = stop_fault(guard.axes, axis, motion, cycles, h, hard)
            if fault.reason != of.NONE:
                worst = axis
                break
        if fault.reason == of.NONE:
            return cycles, fault
        if blamed.reason != of.STOP_POSITION and blamed.reason != of.STOP_SPEED:
            blamed = fault
    return 0, blamed


@helper
def sweep(guard, motion, cycles, i, k):
    """How far any two things can move against each other from cycle i to cycle k of a stop [m].

        Σ ρ |Δq| over all axes, there and back where an axis turns round

    ρ being how far from its axis what it moves can get.  Distances change by no more.
    """
    total = 0.0
    for axis in range(guard.axes.shape[0]):
        stop = stop_of(motion, axis, cycles)
        turn = turn_of(stop)
        start, end = sum_to(stop, i), sum_to(stop, k)
        way = abs(end - start)
        if i < turn < k:
            middle = sum_to(stop, turn)
            way = abs(middle - start) + abs(end - middle)
        total += guard.axes[axis, of.REACH] * way
    return guard.settings[of.PERIOD] * total


@part
def furthest(guard, motion, cycles, i, allowed):
    """The last cycle of a stop up to which no more than so much is swept from cycle i on [m]."""
    low, high = i, float(cycles)
    if sweep(guard, motion, cycles, i, high) <= allowed:
        return high
    while high - low > 1.0:
        middle = math.floor(0.5 * (low + high))
        if sweep(guard, motion, cycles, i, middle) <= allowed:
            low = middle
        else:
            high = middle
    return low


@helper
def place_on_stop(motion, cycles, i, h, q):
    """Writes the joint positions [rad] of cycle i of a stop."""
    for axis in range(q.shape[0]):
        q[axis] = motion[of.Q, axis] + h * sum_to(stop_of(motion, axis, cycles), i)
