"""Measurements that come late: what they say of the estimate of now, and whether they are believed.

One of τ ago is compared with the estimate of τ ago.  That is carried back from now, so that it
contains what was learnt in between:

    p(t-τ) = p° + s (V τ - (W - W'))        s = 1 + k
    v(t-τ) = v° - s (V - V')

p°, v°: fallen back for τ as if nobody had pushed; V, W: velocity and way by own pushing.  Errors
follow it, T being the gradient of gravity:

    δp(t-τ) = (1 + ½τ²T) δp - τ (1 + τ²T/6) δv + (V τ - (W - W')) δk
    δv(t-τ) = -τ T δp + (1 + ½τ²T) δv - (V - V') δk
"""

from proxops.core.jit import helper, part
from proxops.core.linear import clear
from proxops.core.spatial.vector import add, dot, get3, mul, put3, scale, sub
from proxops.onboard.functions.navigation import layout as nav
from proxops.onboard.functions.navigation.gate import absorb, innovation_length
from proxops.onboard.functions.navigation.history import look_back
from proxops.onboard.functions.navigation.model import CHANGE
from proxops.onboard.functions.orbital_navigation import layout as at
from proxops.onboard.functions.orbital_navigation.motion import add_noise, fall, gravity_gradient


@helper
def is_new(memory, counted, count):
    """Whether a sensor has said something since it was last looked at; takes note of it."""
    new = count != memory.marks[counted]
    memory.marks[counted] = count
    return new


@helper
def is_in_reach(memory, t):
    """Whether the history reaches back to t [s]; writes what was then."""
    if look_back(memory.history, int(memory.marks[at.HEAD]), t, memory.past):
        return True
    memory.marks[at.LATE] += 1.0
    return False


@helper
def delay_of(memory):
    """Age of what `past` holds [s]."""
    return memory.marks[at.TIME] - memory.past[nav.PAST_TIME]


@part
def motion_then(params, memory):
    """p, v [m, m/s] at the time of what `past` holds, and how they change with k."""
    marks, past, x = memory.marks, memory.past, memory.x
    delay = delay_of(memory)
    p, v, gain = get3(x, at.POSITION), get3(x, at.VELOCITY), 1.0 + x[at.THRUST]
    p, v = fall(params.orbit, marks[at.TIME], -delay, p, v)
    V = get3(marks, at.THRUST_V)
    by_k = sub(scale(delay, V), sub(get3(marks, at.THRUST_P), get3(past, nav.PAST_P)))
    v_by_k = sub(get3(past, nav.PAST_V), V)
    return add(p, scale(gain, by_k)), add(v, scale(gain, v_by_k)), by_k, v_by_k


@part
def put_row(params, memory, H, row, g, by_k):
    """Writes how g · p(t-τ) changes with the errors of now."""
    delay = delay_of(memory)
    pulled = mul(gravity_gradient(params.orbit, memory.marks[at.TIME]), g)
    square = delay * delay
    put3(H[row], at.POSITION, add(g, scale(0.5 * square, pulled)))
    put3(H[row], at.VELOCITY, scale(-delay, add(g, scale(square / 6.0, pulled))))
    H[row, at.THRUST] = dot(g, by_k)


@part
def put_speed_row(params, memory, H, row, g, by_k):
    """Writes how g · v(t-τ) changes with the errors of now."""
    delay = delay_of(memory)
    pulled = mul(gravity_gradient(params.orbit, memory.marks[at.TIME]), g)
    put3(H[row], at.POSITION, scale(-delay, pulled))
    put3(H[row], at.VELOCITY, add(g, scale(0.5 * delay * delay, pulled)))
    H[row, at.THRUST] = dot(g, by_k)


@helper
def spread_of(P, a, b):
    """aᵀ P b of the position [m2]."""
    total = 0.0
    for i in range(3):
        for j in range(3):
            total += a[i] * P[at.POSITION + i, at.POSITION + j] * b[j]
    return total


@part
def take(params, memory, kind, gate, H, S):
    """Corrects the estimate by the innovation and noise in `rows`, if it is believed; returns
    whether it is.

    What noise has added since the exposure, no measurement of then can tell: it is taken off the
    covariance before and put back behind; of it only what came after the youngest measurement.
    """
    marks, P, rows = memory.marks, memory.P, memory.rows
    exposed = memory.past[nav.PAST_TIME]
    delay = delay_of(memory)
    fresh = min(delay, marks[at.TIME] - marks[at.FRESH])
    pushed = marks[at.THRUST_NOISE] - memory.past[nav.PAST_NOISE]
    density = pushed / delay if delay > 0.0 else 0.0
    add_noise(P, density, -fresh)
    length = innovation_length(P, H, S, rows)
    believed = length <= gate
    if believed:
        absorb(P, H, rows)
    add_noise(P, density, fresh)
    marks[at.LENGTH] = length
    if believed:
        for i in range(at.STATES):
            memory.x[i] += rows[CHANGE, i]
        marks[at.FRESH] = max(marks[at.FRESH], exposed)
        marks[at.REJECTED + kind] = 0.0
        if marks[at.SOURCE] == at.NOTHING:
            marks[at.SOURCE] = at.FAR
    else:
        marks[at.REFUSALS + kind] += 1.0
        doubt(params, memory, kind)
    return believed


@part
def doubt(params, memory, kind):
    """Counts a measurement that is not believed; after too many of one kind in a row it is the
    estimate that is not: it stays where it is, with the spreads of the start.  Returns whether that
    has happened."""
    marks = memory.marks
    marks[at.REJECTED + kind] += 1.0
    if marks[at.REJECTED + kind] < params.belief[at.RESTART]:
        return False
    for each in range(at.OF_POSE + 1):
        marks[at.REJECTED + each] = 0.0
    marks[at.RESTARTS] += 1.0
    clear(memory.P)
    for i in range(at.STATES):
        memory.P[i, i] = params.spreads[i] * params.spreads[i]
        if i >= at.MOTION:
            memory.x[i] = 0.0
    return True
