"""The tumbling target: where it is, how it moves, from pictures that come late.

    r̈ = -R_NC f/m        r: from the chaser's centre of mass to the target's, f: asked of thrusters
    ẇ = I⁻¹ (I w × w)    w: of the target, T axes; I as believed

    r = r̂ + δr,   v = v̂ + δv   (N axes)       q_NT = q̂ ∘ exp(θ),   w = ŵ + δw   (T axes)

Extended Kalman filter with twelve error states.  Differences of gravity (2e-5 m/s2 at 5 m in low
orbit), torques on the target and a contact's force on it count as noise: there is less of it while
nothing touches the target.
"""

from proxops.core.jit import helper, part
from proxops.core.linear import carry
from proxops.core.select import any_of
from proxops.core.spatial.quaternion import get4, put4_where, quat_to_rotation
from proxops.core.spatial.vector import (
    add,
    add3,
    cross,
    dot,
    get3,
    mul,
    put3,
    put3_where,
    scale,
    sub,
)
from proxops.onboard.functions.navigation import layout as at
from proxops.onboard.functions.navigation.camera_update import (
    add_push_noise,
    angle_density,
    get_inertia,
    take_picture,
)
from proxops.onboard.functions.navigation.model import SCRATCH
from proxops.physics.multibody.tumble import fill_tumble_transition, tumble


@part
def advance_relative(parameters, state, measurements, known_inputs):
    """Brings the target's motion to the time of `measurements`; the attitude is there already."""
    belief, memory = parameters.relative, state.relative
    step = state.attitude[at.STEP]
    a = own_acceleration(belief, state, known_inputs)
    share = belief[at.PUSH_SHARE] * belief[at.PUSH_SHARE] * dot(a, a)
    free = known_inputs[at.INPUT_FREE]
    push = belief[at.FREE_PUSH_NOISE] if free == 1.0 else belief[at.PUSH_NOISE]
    density = push * push + share
    now = state.history[int(state.attitude[at.HEAD])]
    add3(now, at.PAST_P, scale(step, add(get3(now, at.PAST_V), scale(0.5 * step, a))))
    add3(now, at.PAST_V, scale(step, a))
    put3(now, at.PAST_COM, get3(known_inputs, at.INPUT_COM))
    now[at.PAST_NOISE] += density * step
    now[at.PAST_FREE] += free * step
    if memory[at.WAITING] == 0.0:
        put3(memory, at.WAITING_W, get3(memory, at.W_NT))
    memory[at.WAITING] += step
    memory[at.WAITING_PUSH] += density * step
    memory[at.WAITING_ANGLE] += angle_density(belief, free) * step
    started = memory[at.STARTED] == 1.0
    if any_of(started):
        v, w = get3(memory, at.V), get3(memory, at.W_NT)
        r = add(get3(memory, at.R), scale(step, sub(v, scale(0.5 * step, a))))
        q, w = tumble(get_inertia(belief), get4(memory, at.Q_NT), w, step)
        put3_where(started, memory, at.R, r)
        put3_where(started, memory, at.V, add(v, scale(-step, a)))
        put4_where(started, memory, at.Q_NT, q)
        put3_where(started, memory, at.W_NT, w)
    if state.attitude[at.SPREADS] == 1.0:
        # Before the first picture nothing reads the covariance, and that one forgets it
        if memory[at.WAITING] > 0.0 and any_of(started):
            spread_relative(belief, state)
        memory[at.WAITING], memory[at.WAITING_PUSH], memory[at.WAITING_ANGLE] = 0.0, 0.0, 0.0
    if measurements.camera_count[0] != memory[at.PICTURES]:
        memory[at.PICTURES] = measurements.camera_count[0]
        if state.attitude[at.STAR_STARTED] == 1.0:
            take_picture(belief, state, measurements)


@helper
def own_acceleration(belief, state, known_inputs):
    """R_NC f/m [m/s2] in N, in the middle of the tick: the chaser has turned on by ½ h w since."""
    memory, f = state.attitude, get3(known_inputs, at.INPUT_FORCE)
    w = sub(get3(memory, at.READ), get3(memory, at.BIAS))
    f = sub(f, scale(0.5 * memory[at.STEP], cross(w, f)))
    return mul(quat_to_rotation(get4(memory, at.Q_NC)), scale(1.0 / belief[at.MASS], f))


@helper
def spread_relative(belief, state):
    """Lets the covariance grow over the time for which it has waited: P ← Φ P Φᵀ + Q, with the mean
    power densities of that time."""
    P, F, memory = state.relative_P, state.workspace.transition, state.relative
    span = memory[at.WAITING]
    drift(P, span)
    fill_tumble_transition(get_inertia(belief), get3(memory, at.WAITING_W), span, F)
    carry(P, F, at.DQ, state.workspace.rows[SCRATCH])
    densities = memory[at.WAITING_PUSH] / span, memory[at.WAITING_ANGLE] / span
    add_push_noise(P, densities, span)


@helper
def drift(P, step):
    """P ← Φ P Φᵀ for r ← r + h v, the rest unchanged."""
    for axis in range(3):
        for k in range(at.RELATIVE_ERRORS):
            P[at.DR + axis, k] += step * P[at.DV + axis, k]
    for axis in range(3):
        for k in range(at.RELATIVE_ERRORS):
            P[k, at.DR + axis] += step * P[k, at.DV + axis]
