"""The chaser's attitude: the gyro's rates chained up, held by stars that come late.

    q_NC = q̂ ∘ exp(θ),   b = b̂ + δb          θ: error in C axes, b: bias of the gyro
    θ̇ = -ŵ × θ - δb - n,   δḃ = n_b            ŵ = gyro - b̂

The estimate moves on at every tick; its covariance, and that of the target's motion, where a star
or picture is to be weighed with them, and else every SPREAD_PERIOD: over such a span each grows in
closed form for the mean rate.  What that leaves out is of the third order in |w| h, 1e-7 for
30 deg/s, and of the first in what noise adds meanwhile, half a percent.

Multiplicative extended Kalman filter with six error states (Lefferts, Markley & Shuster 1982).
"""

from proxops.core.jit import helper, part
from proxops.core.linear import add_diagonal, carry, clear, put_block
from proxops.core.spatial.quaternion import (
    IDENTITY as NO_TURN,
)
from proxops.core.spatial.quaternion import (
    get4,
    put4,
    quat_exp,
    quat_inverse,
    quat_log,
    quat_mul,
    quat_normalised,
    quat_to_rotation,
)
from proxops.core.spatial.rotation_vector import right_jacobian
from proxops.core.spatial.vector import (
    IDENTITY,
    NO_MATRIX,
    add,
    add3,
    get3,
    mat_scale,
    matmul,
    mul,
    put3,
    scale,
    sub,
    transpose,
)
from proxops.onboard.functions.navigation import layout as at
from proxops.onboard.functions.navigation.gate import absorb, innovation_length
from proxops.onboard.functions.navigation.history import look_back, push
from proxops.onboard.functions.navigation.model import CHANGE, INNOVATION, NOISE, SCRATCH

SPREAD_PERIOD = 0.01  # of covariances, where ticks are shorter [s]
_ROUNDED = 1e-6  # of a tick: spans are sums of ticks
_UNKNOWN = 1.0  # variance of an attitude that was never measured [rad2]


@part
def advance_attitude(parameters, state, measurements):
    """Brings attitude and bias to the time of `measurements`, with all since the last tick.

    The gyro's reading is taken as the rate at this instant; over a tick the rate is the mean of
    the readings at its ends.
    """
    memory = state.attitude
    first = memory[at.HEAD] < 0.0
    step = 0.0 if first else measurements.t[0] - memory[at.TIME]
    memory[at.TIME] = measurements.t[0]
    memory[at.STEP] = step
    before = get3(memory, at.READ)
    if measurements.gyro_count[0] > 0.0:
        put3(memory, at.READ, get3(measurements.gyro_w, 0))
        if memory[at.READS] == 0.0:
            before = get3(memory, at.READ)
    memory[at.READS] = measurements.gyro_count[0]
    mean = scale(0.5, add(before, get3(memory, at.READ)))
    rotation = scale(step, sub(mean, get3(memory, at.BIAS)))

    head = push(state.history, int(memory[at.HEAD]), measurements.t[0])
    memory[at.HEAD] = head
    chained = quat_mul(get4(state.history[head], at.PAST_Q), quat_exp(rotation))
    put4(state.history[head], at.PAST_Q, quat_normalised(chained))
    if memory[at.STAR_STARTED] == 1.0:
        put4(memory, at.Q_NC, quat_normalised(quat_mul(get4(memory, at.Q_NC), quat_exp(rotation))))
    memory[at.SPAN] += step
    put4(memory, at.TURN, quat_mul(get4(memory, at.TURN), quat_exp(rotation)))
    memory[at.SPREADS] = 1.0 if is_to_spread(state, measurements, step) else 0.0
    if memory[at.SPREADS] == 1.0:
        if memory[at.STAR_STARTED] == 1.0:
            turn = quat_log(get4(memory, at.TURN))
            spread_attitude(parameters.attitude, state, turn, memory[at.SPAN])
        memory[at.SPAN] = 0.0
        put4(memory, at.TURN, NO_TURN)
    if measurements.star_count[0] != memory[at.STARS]:
        memory[at.STARS] = measurements.star_count[0]
        take_star(parameters.attitude, state, measurements)


@helper
def is_to_spread(state, measurements, step):
    """Whether covariances are to be brought to the present."""
    is_long = state.attitude[at.SPAN] >= SPREAD_PERIOD - _ROUNDED * step
    is_weighed = (
        measurements.star_count[0] != state.attitude[at.STARS]
        or measurements.camera_count[0] != state.relative[at.PICTURES]
    )
    return is_long or is_weighed


@helper
def spread_attitude(parameters, state, rotation, step):
    """Lets the covariance grow over a span: P ← Φ P Φᵀ + Q, for a constant rate in closed form.

    Φ = [[exp(-[φ]×), -h J(φ)], [0, 1]]
    Q = [[(σ² + σ_b² h²/3) h, -σ_b² h²/2], [., σ_b² h]]      σ, σ_b: noise densities
    """
    F, P = state.workspace.transition, state.attitude_P
    put_block(F, at.ANGLE, at.ANGLE, transpose(quat_to_rotation(quat_exp(rotation))))
    put_block(F, at.ANGLE, at.DRIFT, mat_scale(-step, right_jacobian(rotation)))
    put_block(F, at.DRIFT, at.ANGLE, NO_MATRIX)
    put_block(F, at.DRIFT, at.DRIFT, IDENTITY)
    carry(P, F, 0, state.workspace.rows[SCRATCH])
    add_gyro_noise(parameters, P, step, 1.0)


@helper
def add_gyro_noise(parameters, P, span, sign):
    """Adds to P what the gyro's noise does in a span [s], or takes it off again (sign -1).

    Q = [[(σ² + σ_b² h²/3) h, -σ_b² h²/2], [., σ_b² h]]      σ, σ_b: noise densities
    """
    noise = sign * parameters[at.GYRO_NOISE] * parameters[at.GYRO_NOISE]
    walk = sign * parameters[at.GYRO_WALK] * parameters[at.GYRO_WALK]
    add_diagonal(P, at.ANGLE, at.ANGLE, (noise + walk * span * span / 3.0) * span)
    add_diagonal(P, at.ANGLE, at.DRIFT, -0.5 * walk * span * span)
    add_diagonal(P, at.DRIFT, at.ANGLE, -0.5 * walk * span * span)
    add_diagonal(P, at.DRIFT, at.DRIFT, walk * span)


@part
def take_star(parameters, state, measurements):
    """Corrects attitude and bias by a star tracker's attitude of some time ago, if it is believed.

    What noise has added since, no star of then can tell: it is taken off the covariance before and
    put back behind; of it only what came after the youngest star, since older ones know less.
    """
    memory, workspace, P = state.attitude, state.workspace, state.attitude_P
    if not look_back(state.history, int(memory[at.HEAD]), measurements.star_t[0], workspace.past):
        memory[at.STAR_LATE] += 1.0
        return
    since = rotation_since(state)
    star = quat_normalised(get4(measurements.star_q, 0))
    fresh = memory[at.TIME] - max(workspace.past[at.PAST_TIME], memory[at.STAR_TIME])
    if memory[at.STAR_STARTED] == 0.0:
        # Where the first star shows it: its innovation is zero, its update writes how sure it is.
        put4(memory, at.Q_NC, quat_mul(star, since))
        forget_attitude(parameters, P)
        add_gyro_noise(parameters, P, fresh, 1.0)
    fill_star(parameters, state, star, since)
    add_gyro_noise(parameters, P, fresh, -1.0)
    length = innovation_length(P, workspace.star, workspace.star_S, workspace.rows)
    believed = length <= parameters[at.STAR_GATE]
    if believed:
        absorb(P, workspace.star, workspace.rows)
    add_gyro_noise(parameters, P, fresh, 1.0)
    if not believed:
        memory[at.STAR_REJECTED] += 1.0
        return
    rotation = get3(workspace.rows[CHANGE], at.ANGLE)
    put4(memory, at.Q_NC, quat_normalised(quat_mul(get4(memory, at.Q_NC), quat_exp(rotation))))
    add3(memory, at.BIAS, get3(workspace.rows[CHANGE], at.DRIFT))
    memory[at.STAR_TIME] = max(memory[at.STAR_TIME], workspace.past[at.PAST_TIME])
    memory[at.STAR_STARTED] = 1.0


@helper
def rotation_since(state):
    """Δ: the chaser's rotation since what `past` holds, so that q_NC = q_NC(t-τ) ∘ Δ."""
    now = get4(state.history[int(state.attitude[at.HEAD])], at.PAST_Q)
    return quat_mul(quat_inverse(get4(state.workspace.past, at.PAST_Q)), now)


@helper
def fill_star(parameters, state, star, since):
    """Writes innovation, measurement matrix and noise, about the star tracker's axes, where its
    errors are independent.

    With Δ the rotation since the exposure, τ ago, the error then was that of now carried back:

        log(q̂(t-τ)⁻¹ q_star) = θ(t-τ) = R_Δ (θ + τ J(log Δ) δb)
    """
    memory, workspace = state.attitude, state.workspace
    then = quat_mul(get4(memory, at.Q_NC), quat_inverse(since))
    R_SC = transpose(quat_to_rotation(get4(parameters, at.STAR_Q)))
    innovation = quat_log(quat_mul(quat_inverse(then), star))
    put3(workspace.rows[INNOVATION], 0, mul(R_SC, innovation))
    back = matmul(R_SC, quat_to_rotation(since))
    delay = memory[at.TIME] - workspace.past[at.PAST_TIME]
    drifted = mat_scale(delay, right_jacobian(quat_log(since)))
    put_block(workspace.star, 0, at.ANGLE, back)
    put_block(workspace.star, 0, at.DRIFT, matmul(back, drifted))
    for axis in range(3):
        sigma = parameters[at.STAR_SIGMA + axis]
        workspace.rows[NOISE, axis] = sigma * sigma


@helper
def forget_attitude(parameters, P):
    """Writes the covariance of an attitude that was never measured."""
    clear(P)
    sigma = parameters[at.BIAS_SIGMA]
    add_diagonal(P, at.ANGLE, at.ANGLE, _UNKNOWN)
    add_diagonal(P, at.DRIFT, at.DRIFT, sigma * sigma)
