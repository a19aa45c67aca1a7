"""Control of the base as a function on board: estimates, leg and trajectory in, wrench out.

    f = m R_CH [a + k_p (p_ref - p) + k_v (v_ref - v)]           at the centre of mass
    T = w × (I w + h) + I [k_r θ + k_w (w_ref - w)],   θ = log(q_NC⁻¹ q_ref)

p, v in the Hill frame H of the believed orbit; a is what the trajectory takes (see trajectory).
h is the momentum of the wheels against the hub: 2 N m s that turn with the Hill frame take 2 mN m,
which gains alone hold at some tenths of a degree.
Errors within the dead band count as none, so that noise of the navigation costs no fuel.
"""

import math
from typing import NamedTuple

import numpy as np

from proxops.bus.fields import Field
from proxops.core.jit import helper, part, pluggable
from proxops.core.spatial.quaternion import (
    get4,
    put4,
    quat_from_rotation,
    quat_inverse,
    quat_log,
    quat_mul,
    quat_positive,
    quat_to_rotation,
)
from proxops.core.spatial.vector import (
    ZERO,
    add,
    cross,
    dot,
    get3,
    mul,
    mul_t,
    norm,
    put3,
    scale,
    sub,
    sym_mul,
)
from proxops.onboard.function import Function
from proxops.onboard.functions.allocation.wheels import Wheels, momentum
from proxops.onboard.functions.base_control.pointing import Attitude, wanted_attitude
from proxops.onboard.functions.base_control.trajectory import wanted
from proxops.onboard.functions.plan import legs as leg_at
from proxops.physics.multibody.tree import load3
from proxops.physics.orbit.frames import hill_frame
from proxops.physics.orbit.reference import MU, reference

FIELDS = (
    Field("control.position_error", "m", title="Distance from the goal of the leg"),
    Field("control.speed_error", "m/s", title="Speed in the Hill frame"),
    Field(
        "control.tracking_error",
        "m",
        title="Distance from the present reference position",
        signal="obsw.control.tracking_error",
    ),
    Field("control.attitude_error", "rad", title="Angle to the reference attitude"),
    Field("control.rate_error", "rad/s", title="Difference to the reference rate"),
    Field("control.p_ref", "m", "H", (3,), "Reference position", signal="obsw.control.p_ref"),
    Field("control.v_ref", "m/s", "H", (3,), "Reference velocity", signal="obsw.control.v_ref"),
)

# Entries of the memory
BEGAN = 0  # when the leg began that it knows of [s], NaN before
START = 1  # where it began, in H (3) [m]
DELTA_V = 4  # of an avoidance manoeuvre, in H (3) [m/s]
Q_HC = 7  # attitude as that began (4)
DELIVERED = 11  # of that Δv, by pulses that were commanded so far [m/s]
UPDATED = 12  # when that was brought up to date [s]
MEMORY = 13

LEFT = 1e-3  # of an avoidance manoeuvre, of which it counts as over


class ControlParams(NamedTuple):
    """Everything that stays the same."""

    legs: np.ndarray  # see plan.legs
    orbit: np.ndarray  # believed, see physics.orbit.reference
    mass: float  # of the whole chaser, believed [kg]
    inertia: np.ndarray  # about its centre of mass, in C: xx yy zz xy xz yz [kg m2]; likewise of
    # the pair, the target at its port, about theirs (2, 6)
    centre: np.ndarray  # of mass, from Co in C [m]
    boresight: np.ndarray  # of the camera, unit, in C
    gains: np.ndarray  # k_p [1/s2], k_v [1/s], k_r [1/s2], k_w [1/s]
    dead_band: np.ndarray  # of position [m] and velocity [m/s]
    wheels: Wheels
    max_force: float  # that thrusters can give in any direction, believed [N]
    pulse_period: float  # of thrusters: as one begins, it is settled how long they burn in it [s]


class ControlMemory(NamedTuple):
    """What changes."""

    state: np.ndarray


class ControlInputs(NamedTuple):
    """What it reads."""

    t: np.ndarray
    encoders_qd: np.ndarray  # of joints, then wheels
    navigation_q_NC: np.ndarray
    navigation_w_NC_C: np.ndarray
    navigation_star_age: np.ndarray
    orbital_t: np.ndarray
    orbital_p_HC: np.ndarray
    orbital_v_HC: np.ndarray
    orbital_source: np.ndarray
    plan_leg: np.ndarray
    plan_since: np.ndarray
    plan_elapsed: np.ndarray
    plan_place: np.ndarray
    guidance_nodes: np.ndarray
    guidance_trajectory: np.ndarray
    allocation_authority: np.ndarray
    allocation_force: np.ndarray


class ControlOutputs(NamedTuple):
    """What it writes."""

    base_force: np.ndarray
    base_torque: np.ndarray
    control_position_error: np.ndarray
    control_speed_error: np.ndarray
    control_tracking_error: np.ndarray
    control_attitude_error: np.ndarray
    control_rate_error: np.ndarray
    control_p_ref: np.ndarray
    control_v_ref: np.ndarray


@helper
def carried_on(inputs):
    """Position and velocity in H now [m, m/s]: the navigation may run less often, so its estimate
    is carried on at its velocity.  Within a second accelerations move it by millimetres."""
    p, v = get3(inputs.orbital_p_HC, 0), get3(inputs.orbital_v_HC, 0)
    return add(p, scale(inputs.t[0] - inputs.orbital_t[0], v)), v


@helper
def beyond(error, band):
    """What of an error is beyond the dead band."""
    size = norm(error)
    return scale(1.0 - band / size, error) if size > band else ZERO


@part
def avoidance(params, row, q_HC, w_HC, distance):
    """Δv of an avoidance manoeuvre in H [m/s], of a chaser that turns with w_HC in H, the target
    being so far ahead of its camera [m].

        Δv = ± Δv_d d + Δv_a b       d the leg's direction, b = -s straight back, s the boresight

    What the camera looks at is what is to be avoided, so that attitude alone tells where that is.
    With a part straight back, Δv_a > 0, the sign is that of the velocity along d which the chaser
    has without that part, d·(Δv_a b + r w × b): who turns with a target moves along w × b, and
    whatever the attitude leaves at Δv_d or more along d, which is what makes the two drift apart.
    But it never leads forwards: ± Δv_d d·b + Δv_a ≥ 0.
    """
    along, size, away = get3(row, leg_at.DIRECTION), row[leg_at.DELTA_V], row[leg_at.AWAY]
    if away == 0.0:
        return scale(size, along)
    back = scale(-1.0, mul(quat_to_rotation(q_HC), get3(params.boresight, 0)))
    moves = add(scale(away, back), scale(distance, cross(w_HC, back)))
    sign = 1.0 if dot(along, moves) >= 0.0 else -1.0
    if sign * size * dot(along, back) + away < 0.0:
        sign = -sign
    return add(scale(sign * size, along), scale(away, back))


@part
def begin(params, memory, row, frame, inputs):
    """Notes what a leg begins with: its place, its attitude, and Δv of an avoidance manoeuvre."""
    if memory[BEGAN] == inputs.plan_since[0]:
        return
    memory[BEGAN] = inputs.plan_since[0]
    place = carried_on(inputs)[0]
    put3(memory, START, place)
    R_NH, w_NH = frame
    q_HC = quat_mul(quat_inverse(quat_from_rotation(R_NH)), get4(inputs.navigation_q_NC, 0))
    w_HC = sub(mul(quat_to_rotation(q_HC), get3(inputs.navigation_w_NC_C, 0)), w_NH)
    put4(memory, Q_HC, q_HC)
    memory[DELIVERED], memory[UPDATED] = 0.0, inputs.t[0]
    put3(memory, DELTA_V, avoidance(params, row, q_HC, w_HC, norm(place)))


@part
def manoeuvre(params, memory, axes, inputs):
    """Acceleration of an avoidance manoeuvre in H [m/s2]: full thrust, of the share that thrusters
    which work can give, and in the last period of pulses as much as is still lacking.  What was
    delivered is known from the pulses that were commanded."""
    R_NH, R_NC = axes
    delta_v = get3(memory, DELTA_V)
    size = norm(delta_v)
    if size == 0.0:  # away and braking may cancel
        return ZERO
    along = scale(1.0 / size, delta_v)
    pushed = mul_t(R_NH, mul(R_NC, get3(inputs.allocation_force, 0)))
    memory[DELIVERED] += (inputs.t[0] - memory[UPDATED]) * dot(along, pushed) / params.mass
    memory[UPDATED] = inputs.t[0]
    full = inputs.allocation_authority[0] * params.max_force / params.mass
    lacks = size - memory[DELIVERED]
    if lacks <= LEFT * size:
        return ZERO
    return scale(min(lacks / params.pulse_period, full), along)


@part
def translate(params, memory, row, orbit_state, axes, inputs, outputs):
    """Acceleration by thrust in H [m/s2]; writes errors and reference.  axes = (R_NH, R_NC)."""
    p, v = carried_on(inputs)
    shall = wanted(row, orbit_state, get3(memory, START), (p, v), inputs)
    away, slow = sub(shall.p, p), sub(shall.v, v)
    outputs.control_tracking_error[0] = norm(away)
    outputs.control_position_error[0] = norm(sub(get3(inputs.plan_place, 0), p))
    outputs.control_speed_error[0] = norm(v)
    put3(outputs.control_p_ref, 0, shall.p)
    put3(outputs.control_v_ref, 0, shall.v)
    if row[leg_at.ACTION] == leg_at.AVOID:
        return manoeuvre(params, memory, axes, inputs)
    if row[leg_at.ACTION] == leg_at.REST or inputs.orbital_source[0] == 0.0:
        return ZERO
    back = scale(params.gains[0], beyond(away, params.dead_band[0]))
    return add(shall.a, add(back, scale(params.gains[1], beyond(slow, params.dead_band[1]))))


@helper
def by_wheels(wheels, torque):
    """A torque reduced to what the motors of the wheels can give [N m]; as it is without wheels."""
    share = 1.0
    for i in range(wheels.inertia.shape[0]):
        size = abs(dot(load3(wheels.inverse, i, 0), torque))
        if size > wheels.max_torque[i]:
            share = min(share, wheels.max_torque[i] / size)
    return scale(share, torque)


@part
def rotate(params, memory, row, frame, inputs, outputs):
    """Torque in C [N m]; writes errors.  frame = (R_NH, w_NH_H).  While the chaser evades, it keeps
    the attitude in H with which it began, by wheels: to turn would take thrust that it needs."""
    R_NH, w_NH = frame
    p, v = carried_on(inputs)
    shall = wanted_attitude(row, params.boresight, p, v, inputs.plan_elapsed[0])
    if row[leg_at.ACTION] == leg_at.AVOID:
        shall = Attitude(get4(memory, Q_HC), ZERO)
    q_NC, w = get4(inputs.navigation_q_NC, 0), get3(inputs.navigation_w_NC_C, 0)
    q_ref = quat_mul(quat_from_rotation(R_NH), shall.q_HC)
    away = quat_log(quat_positive(quat_mul(quat_inverse(q_NC), q_ref)))
    w_ref = mul_t(quat_to_rotation(q_NC), mul(R_NH, add(w_NH, shall.w_HC_H)))
    slow = sub(w_ref, w)
    outputs.control_attitude_error[0], outputs.control_rate_error[0] = norm(away), norm(slow)
    I = params.inertia[int(row[leg_at.WITH_TARGET])]
    inertia = I[0], I[1], I[2], I[3], I[4], I[5]
    back = add(scale(params.gains[2], away), scale(params.gains[3], slow))
    first = inputs.encoders_qd.shape[0] - params.wheels.inertia.shape[0]
    h = momentum(params.wheels, inputs.encoders_qd[first:])
    torque = add(cross(w, add(sym_mul(inertia, w), h)), sym_mul(inertia, back))
    return by_wheels(params.wheels, torque) if row[leg_at.ACTION] == leg_at.AVOID else torque


@pluggable
def step(params, memory, inputs, outputs):
    """One cycle of the control of the base; nothing before the first leg."""
    if inputs.plan_leg[0] < 0.0:
        return 0
    row, t = params.legs[int(inputs.plan_leg[0])], inputs.t[0]
    R, V = reference(params.orbit, t)
    frame = hill_frame(R, V)
    orbit_state = params.orbit[MU], R, V
    begin(params, memory.state, row, frame, inputs)
    R_NC = quat_to_rotation(get4(inputs.navigation_q_NC, 0))
    axes = frame[0], R_NC
    a_H = translate(params, memory.state, row, orbit_state, axes, inputs, outputs)
    f = scale(params.mass, mul_t(R_NC, mul(frame[0], a_H)))
    torque = rotate(params, memory.state, row, frame, inputs, outputs)
    # It does not know yet how it is turned, or is to drift without any control
    if inputs.navigation_star_age[0] == math.inf or row[leg_at.ACTION] == leg_at.FREE:
        f, torque = ZERO, ZERO
    put3(outputs.base_force, 0, f)
    put3(outputs.base_torque, 0, add(torque, cross(get3(params.centre, 0), f)))
    return 0


def function(params: ControlParams, period: int) -> Function:
    """Control of the base, every period [ns]."""
    state = np.zeros(MEMORY)
    state[BEGAN] = np.nan
    return Function(
        "base_control",
        step,
        ControlInputs,
        ControlOutputs,
        params,
        ControlMemory(state),
        period,
        any_period=True,
        fields=FIELDS,
    )
