"""A picture: the pose of the grapple frame G before the camera K, exposed some time ago.

    z = R_NC (p_CK + R_CK p_KG - p_CCcm) = r + R_NT l,   l = p_TG - p_TTcm
    q = q_NC q_CK q_KG q_GT = q_NT

All at the time of exposure.  There the estimate is carried back from now, not remembered: so it
contains what was learnt in the meantime.
"""

from proxops.core.jit import helper, part
from proxops.core.linear import add_diagonal, clear, get_block, put_block, trace_of
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
from proxops.core.spatial.vector import (
    IDENTITY,
    add,
    add3,
    get3,
    mat_scale,
    matmul,
    mul,
    norm,
    put3,
    scale,
    skew,
    sub,
)
from proxops.onboard.functions.navigation import layout as at
from proxops.onboard.functions.navigation.attitude import rotation_since
from proxops.onboard.functions.navigation.gate import absorb, innovation_length
from proxops.onboard.functions.navigation.history import look_back
from proxops.onboard.functions.navigation.model import CHANGE, INNOVATION, NOISE
from proxops.physics.multibody.tumble import fill_tumble_transition, tumble

_UNKNOWN = 1e4, 1.0  # variances of a position and an attitude that were never measured [m2, rad2]


@helper
def get_inertia(belief):
    """The target's inertia as believed: xx, yy, zz, xy, xz, yz."""
    x, y, z = get3(belief, at.INERTIA)
    xy, xz, yz = get3(belief, at.INERTIA + 3)
    return x, y, z, xy, xz, yz


@helper
def get_lever(belief):
    """l = p_TG - p_TTcm [m], T axes."""
    return sub(get3(belief, at.GRAPPLE_P), get3(belief, at.TARGET_COM))


@helper
def angle_density(belief, free):
    """Power density of the target's unmodelled angular acceleration [rad2/s3], in a time of which
    nothing has touched it for that share."""
    angle, alone = belief[at.ANGLE_NOISE], belief[at.FREE_ANGLE_NOISE]
    return (1.0 - free) * (angle * angle) + free * (alone * alone)


@helper
def add_push_noise(P, densities, span):
    """Adds to P what unmodelled pushes and torques do in a span [s]; takes it off again where the
    span is negative.  `densities` are those of the push and of the angular acceleration.

    Way and speed, angle and rate are driven by white noise of the power density σ²:

        Q = σ² [[h³/3, h²/2], [h²/2, h]],   σ_push² = noise² + (share |a|)²
    """
    size = abs(span)
    for first, power in ((at.DR, densities[0]), (at.DQ, densities[1])):
        add_diagonal(P, first, first, power * size * size * span / 3.0)
        add_diagonal(P, first, first + 3, 0.5 * power * size * span)
        add_diagonal(P, first + 3, first, 0.5 * power * size * span)
        add_diagonal(P, first + 3, first + 3, power * span)


@part
def take_picture(belief, state, measurements):
    """Corrects the target's motion by a picture, if it is believed.

    What noise has added since, no picture of then can tell: it is taken off the covariance before
    and put back behind; of it only what came after the youngest picture, since older ones know
    less.
    """
    memory, workspace, P = state.relative, state.workspace, state.relative_P
    head = int(state.attitude[at.HEAD])
    if not look_back(state.history, head, measurements.camera_t[0], workspace.past):
        memory[at.LATE] += 1.0
        return
    delay = state.attitude[at.TIME] - workspace.past[at.PAST_TIME]
    fresh = min(delay, state.attitude[at.TIME] - memory[at.PICTURE_TIME])
    pushed = state.history[head, at.PAST_NOISE] - workspace.past[at.PAST_NOISE]
    free = state.history[head, at.PAST_FREE] - workspace.past[at.PAST_FREE]
    push, share = (pushed / delay, free / delay) if delay > 0.0 else (0.0, 0.0)
    densities = push, angle_density(belief, share)
    z, q = observed(belief, state, measurements)
    if memory[at.STARTED] == 0.0:
        begin(belief, state, z, q)
        add_push_noise(P, densities, fresh)
    fill_picture(belief, state, z, q)
    spread_camera(belief, state, norm(get3(measurements.camera_p, 0)), norm(z))
    add_push_noise(P, densities, -fresh)
    length = innovation_length(P, workspace.picture, workspace.picture_S, workspace.rows)
    believed = length <= belief[at.CAMERA_GATE]
    if believed:
        absorb(P, workspace.picture, workspace.rows)
    add_push_noise(P, densities, fresh)
    memory[at.LENGTH] = length
    if believed:
        correct(memory, workspace.rows[CHANGE])
        memory[at.PICTURE_TIME] = max(memory[at.PICTURE_TIME], workspace.past[at.PAST_TIME])
    else:
        reject(belief, memory)


@helper
def correct(memory, change):
    """Applies the change of the error state."""
    add3(memory, at.R, get3(change, at.DR))
    add3(memory, at.V, get3(change, at.DV))
    turned = quat_mul(get4(memory, at.Q_NT), quat_exp(get3(change, at.DQ)))
    put4(memory, at.Q_NT, quat_normalised(turned))
    add3(memory, at.W_NT, get3(change, at.DW))
    memory[at.STARTED] = 1.0
    memory[at.REJECTED_RUN] = 0.0


@helper
def reject(belief, memory):
    """Counts a picture that is not believed; after too many in a row it is the estimate that is
    not, and the next picture starts it anew."""
    memory[at.REJECTED] += 1.0
    memory[at.REJECTED_RUN] += 1.0
    if memory[at.REJECTED_RUN] >= belief[at.RESTART]:
        memory[at.STARTED] = 0.0
        memory[at.REJECTED_RUN] = 0.0
        memory[at.RESTARTS] += 1.0


@helper
def observed(belief, state, measurements):
    """z [m] and q_NT as seen."""
    q_NC = quat_mul(get4(state.attitude, at.Q_NC), quat_inverse(rotation_since(state)))
    q_CK = get4(belief, at.CAMERA_Q)
    p_CG = add(
        get3(belief, at.CAMERA_P), mul(quat_to_rotation(q_CK), get3(measurements.camera_p, 0))
    )
    z = mul(quat_to_rotation(q_NC), sub(p_CG, get3(state.workspace.past, at.PAST_COM)))
    q_KG = quat_normalised(get4(measurements.camera_q, 0))
    q_NG = quat_mul(quat_mul(q_NC, q_CK), q_KG)
    return z, quat_mul(q_NG, quat_inverse(get4(belief, at.GRAPPLE_Q)))


@helper
def drifted(state, v):
    """What to add to r of now to have r of then [m]: way back at v, and what thrusters changed.

    r(t-τ) = r - (v + V) τ + P - P(t-τ),   V, P: velocity and way by own pushing
    """
    now, past = state.history[int(state.attitude[at.HEAD])], state.workspace.past
    delay = state.attitude[at.TIME] - past[at.PAST_TIME]
    trajectory = sub(get3(now, at.PAST_P), get3(past, at.PAST_P))
    return sub(trajectory, scale(delay, add(v, get3(now, at.PAST_V))))


@helper
def begin(belief, state, z, q):
    """Puts the estimate where the picture shows it, at rest, and forgets the covariance; the
    innovation of that picture is then zero, and its update writes how sure it is."""
    memory, P = state.relative, state.relative_P
    rest = (0.0, 0.0, 0.0)
    offset = add(mul(quat_to_rotation(q), get_lever(belief)), drifted(state, rest))
    put3(memory, at.R, sub(z, offset))
    put3(memory, at.V, rest)
    put4(memory, at.Q_NT, q)
    put3(memory, at.W_NT, rest)
    clear(P)
    add_diagonal(P, at.DR, at.DR, _UNKNOWN[0])
    add_diagonal(P, at.DV, at.DV, belief[at.FIRST_V] * belief[at.FIRST_V])
    add_diagonal(P, at.DQ, at.DQ, _UNKNOWN[1])
    add_diagonal(P, at.DW, at.DW, belief[at.FIRST_W] * belief[at.FIRST_W])


@helper
def fill_picture(belief, state, z, q):
    """Writes innovation and measurement matrix, in errors of now.

    z - ẑ = δr - τ δv - R_NT [l]× θ(t-τ),   log(q̂⁻¹ q) = θ(t-τ)
    θ(t-τ) = B_θ θ + B_w δw      B: of tumbling for -τ
    """
    memory, workspace = state.relative, state.workspace
    delay = state.attitude[at.TIME] - workspace.past[at.PAST_TIME]
    I, lever, w = get_inertia(belief), get_lever(belief), get3(memory, at.W_NT)
    then, _ = tumble(I, get4(memory, at.Q_NT), w, -delay)
    R_NT = quat_to_rotation(then)
    r = add(get3(memory, at.R), drifted(state, get3(memory, at.V)))
    put3(workspace.rows[INNOVATION], 0, sub(z, add(r, mul(R_NT, lever))))
    put3(workspace.rows[INNOVATION], 3, quat_log(quat_mul(quat_inverse(then), q)))
    B = workspace.transition
    fill_tumble_transition(I, w, -delay, B)
    to_z = mat_scale(-1.0, matmul(R_NT, skew(lever)))
    B_angle, B_rate = get_block(B, 0, 0), get_block(B, 0, 3)
    put_block(workspace.picture, 0, at.DR, IDENTITY)
    put_block(workspace.picture, 0, at.DV, mat_scale(-delay, IDENTITY))
    put_block(workspace.picture, 0, at.DQ, matmul(to_z, B_angle))
    put_block(workspace.picture, 0, at.DW, matmul(to_z, B_rate))
    put_block(workspace.picture, 3, at.DQ, B_angle)
    put_block(workspace.picture, 3, at.DW, B_rate)


@helper
def spread_camera(belief, state, range_, arm):
    """Writes the variances of a picture: the camera's own and what the chaser's attitude adds.

    An angle of the chaser moves z by as much times its length, the arm.  That is taken as
    independent from picture to picture and as equal in all axes: at the shipped figures it is ten
    times smaller than the camera's own.
    """
    noise, turned = state.workspace.rows[NOISE], trace_of(state.attitude_P, at.ANGLE)
    trajectory = belief[at.CAMERA_SIGMA] + belief[at.CAMERA_SHARE] * range_
    angle = belief[at.CAMERA_ANGLE]
    for axis in range(3):
        noise[axis] = trajectory * trajectory + arm * arm * turned
        noise[axis + 3] = angle * angle + turned
