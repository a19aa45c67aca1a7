"""The chaser's motion against the target, carried on from cycle to cycle.

    p̈ = g(R + p) - g(R) + (1 + k) R_NC f/m        p from Tcm to Ccm, N axes

R is the target's place on the orbit as believed, of any eccentricity; f is the mean force of the
thrusters' pulses, m the mass as believed, k what both are wrong by together.  Nothing is linear but
the covariance:

    δṗ = δv,   δv̇ = T δp + R_NC f/m δk + n,        T the gradient of gravity at R
"""

import math

from proxops.core.jit import helper, part
from proxops.core.linear import add_diagonal, carry, put_block
from proxops.core.spatial.quaternion import get4, quat_to_rotation
from proxops.core.spatial.vector import (
    IDENTITY,
    add,
    add3,
    cross,
    dot,
    get3,
    mat_add,
    mat_scale,
    mul,
    put3,
    scale,
    sub,
)
from proxops.onboard.functions.navigation import layout as nav
from proxops.onboard.functions.navigation.model import SCRATCH
from proxops.onboard.functions.orbital_navigation import layout as at
from proxops.physics.orbit.reference import MU, reference
from proxops.physics.orbit.tidal import tidal_acceleration


@part
def note_push(params, memory, inputs):
    """Adds what the thrusters have done since the last cycle, in every cycle of the software: the
    filter may run less often than pulses change."""
    marks, belief = memory.marks, params.belief
    step = inputs.t[0] - marks[at.CYCLE]
    marks[at.CYCLE] = inputs.t[0]
    if not marks[at.ATTITUDE_FROM] <= inputs.t[0]:
        return  # nobody knows yet where the thrusters point
    f = get3(inputs.allocation_force, 0)
    # In the middle of the cycle: the chaser has turned on by ½ h w since
    f = sub(f, scale(0.5 * step, cross(get3(inputs.navigation_w_NC_C, 0), f)))
    R_NC = quat_to_rotation(get4(inputs.navigation_q_NC, 0))
    a = scale(1.0 / belief[at.MASS], mul(R_NC, f))
    displacement = scale(step, add(get3(marks, at.THRUST_V), scale(0.5 * step, a)))
    add3(marks, at.THRUST_P, displacement)
    add3(marks, at.THRUST_V, scale(step, a))
    share = belief[at.PUSH_SHARE] * belief[at.PUSH_SHARE] * dot(a, a)
    noise = belief[at.PUSH_NOISE] * belief[at.PUSH_NOISE]
    marks[at.THRUST_NOISE] += (noise + share) * step


@part
def carry_on(params, memory, t, before):
    """Brings estimate and covariance from their time to t [s]; `before` is the history's row of
    then."""
    marks, x = memory.marks, memory.x
    step = t - marks[at.TIME]
    if step <= 0.0:
        return
    # Own thrust since then, as believed: velocity, and displacement besides that at the velocity of
    # then
    thrust_v, displacement = thrust_effect(marks, before, step)
    p, v = fall(params.orbit, marks[at.TIME], step, get3(x, at.POSITION), get3(x, at.VELOCITY))
    gain = 1.0 + x[at.THRUST]
    put3(x, at.POSITION, add(p, scale(gain, displacement)))
    put3(x, at.VELOCITY, add(v, scale(gain, thrust_v)))
    fill_transition(params.orbit, marks[at.TIME], step, memory.transition)
    carry(memory.P, memory.transition, at.POSITION, memory.rows[SCRATCH])
    spread_thrust(memory.P, displacement, thrust_v)
    density = (marks[at.THRUST_NOISE] - before[nav.PAST_NOISE]) / step
    add_noise(memory.P, density, step)
    marks[at.TIME] = t


@helper
def thrust_effect(marks, past, span):
    """What own pushing, as believed, has added since `past`, a span [s] ago: velocity [m/s] and way
    [m] besides that of the velocity of then.

    ΔV = V - V',   ΔW = W - W' - V' h
    """
    v = add(get3(marks, at.THRUST_V), scale(-1.0, get3(past, nav.PAST_V)))
    displacement = add(get3(marks, at.THRUST_P), scale(-1.0, get3(past, nav.PAST_P)))
    return v, add(displacement, scale(-span, get3(past, nav.PAST_V)))


@part
def fall(orbit, t, step, p, v):
    """p, v [m, m/s] a step [s] after t [s], nobody pushing: one of Runge and Kutta."""
    mu, half = orbit[MU], 0.5 * step
    R1 = reference(orbit, t)[0]
    R2 = reference(orbit, t + half)[0]
    R3 = reference(orbit, t + step)[0]
    a1 = tidal_acceleration(mu, R1, p)
    v2 = add(v, scale(half, a1))
    a2 = tidal_acceleration(mu, R2, add(p, scale(half, v)))
    v3 = add(v, scale(half, a2))
    a3 = tidal_acceleration(mu, R2, add(p, scale(half, v2)))
    v4 = add(v, scale(step, a3))
    a4 = tidal_acceleration(mu, R3, add(p, scale(step, v3)))
    flow = add(add(v, v4), scale(2.0, add(v2, v3)))
    pull = add(add(a1, a4), scale(2.0, add(a2, a3)))
    return add(p, scale(step / 6.0, flow)), add(v, scale(step / 6.0, pull))


@part
def gravity_gradient(orbit, t):
    """T = μ/r³ (3 n nᵀ - 1) [1/s2] at the target, n = R/r."""
    R = reference(orbit, t)[0]
    inverse = 1.0 / dot(R, R)
    s = orbit[MU] * inverse * math.sqrt(inverse)
    k = 3.0 * s * inverse
    xy, xz, yz = k * R[0] * R[1], k * R[0] * R[2], k * R[1] * R[2]
    x, y, z = k * R[0] * R[0] - s, k * R[1] * R[1] - s, k * R[2] * R[2] - s
    return x, xy, xz, xy, y, yz, xz, yz, z


@helper
def fill_transition(orbit, t, step, F):
    """Writes Φ of position and velocity over a step, T that of its middle: what is left out is
    (n h)⁴ of it."""
    T = gravity_gradient(orbit, t + 0.5 * step)
    square = step * step
    even = mat_add(IDENTITY, mat_scale(0.5 * square, T))
    put_block(F, 0, 0, even)
    put_block(F, 0, 3, mat_scale(step, mat_add(IDENTITY, mat_scale(square / 6.0, T))))
    put_block(F, 3, 0, mat_scale(step, T))
    put_block(F, 3, 3, even)


@helper
def spread_thrust(P, displacement, thrust_v):
    """P ← Φ P Φᵀ for δp ← δp + ΔW δk, δv ← δv + ΔV δk."""
    for axis in range(3):
        for j in range(at.STATES):
            P[at.POSITION + axis, j] += displacement[axis] * P[at.THRUST, j]
            P[at.VELOCITY + axis, j] += thrust_v[axis] * P[at.THRUST, j]
    for axis in range(3):
        for j in range(at.STATES):
            P[j, at.POSITION + axis] += displacement[axis] * P[j, at.THRUST]
            P[j, at.VELOCITY + axis] += thrust_v[axis] * P[j, at.THRUST]


@helper
def add_noise(P, density, span):
    """Adds to P what unmodelled pushes of that power density [m2/s3] do in a span [s]; takes it off
    again where the span is negative.

    Q = σ² [[h³/3, h²/2], [h²/2, h]]
    """
    size = abs(span)
    add_diagonal(P, at.POSITION, at.POSITION, density * size * size * span / 3.0)
    add_diagonal(P, at.POSITION, at.VELOCITY, 0.5 * density * size * span)
    add_diagonal(P, at.VELOCITY, at.POSITION, 0.5 * density * size * span)
    add_diagonal(P, at.VELOCITY, at.VELOCITY, density * span)
