"""A motion given by samples, smooth between them.

Position runs along the cubic through both ends with both velocities (Hermite).  Attitude is
q(s) = q₀ exp(r(s)) with the rotation vector r along such a cubic, so twist and twist rate are the
exact derivatives of the pose, and the pose and the twist are continuous and meet every sample.

With h between samples the pose errs by h⁴/384, the twist by h³/125, the twist rate by h²/12 of the
motion's fourth derivative; the twist rate jumps at samples.  Beyond the ends velocity in O and rate
in body axes stay as they are there, so one sample alone is motion at a constant rate.
"""

from proxops.core.jit import helper
from proxops.core.rows import last_until
from proxops.core.spatial.quaternion import get4, quat_exp, quat_inverse, quat_log, quat_mul
from proxops.core.spatial.rotation_vector import body_acceleration, body_rate, vector_rate
from proxops.core.spatial.vector import ZERO, add, get3, scale, sub
from proxops.physics.relative.motion import SPIN, STATE_WIDTH, VELOCITY, P, Q

# A row: the state in O as in `motion`, and behind it
TIME = STATE_WIDTH  # [s]
SAMPLE_WIDTH = STATE_WIDTH + 1


@helper
def hermite(t, h, start, end):
    """Value, rate and acceleration, a time t after the start, of the cubic that has (x, ẋ) at
    start and end, h apart."""
    x, x_rate = start
    end_x, end_rate = end
    mean = scale(1.0 / h, sub(end_x, x))
    # x + ẋ t + c t² + d t³
    c = scale(1.0 / h, sub(scale(3.0, mean), add(scale(2.0, x_rate), end_rate)))
    d = scale(1.0 / (h * h), sub(add(x_rate, end_rate), scale(2.0, mean)))
    value = add(x, scale(t, add(x_rate, scale(t, add(c, scale(t, d))))))
    rate = add(x_rate, scale(t, add(scale(2.0, c), scale(3.0 * t, d))))
    return value, rate, add(scale(2.0, c), scale(6.0 * t, d))


@helper
def uniform(sample, t):
    """`between` for motion at the rates of one sample, a time t after it."""
    v_O, w = get3(sample, VELOCITY), get3(sample, SPIN)
    q = quat_mul(get4(sample, Q), quat_exp(scale(t, w)))
    return (add(get3(sample, P), scale(t, v_O)), v_O, ZERO), (q, w, ZERO)


@helper
def between(begin, end, t):
    """(p, ṗ, p̈) in O and (q, w, ẇ) in body axes, a time t after the sample `begin`."""
    h = end[TIME] - begin[TIME]
    place = hermite(
        t,
        h,
        (get3(begin, P), get3(begin, VELOCITY)),
        (get3(end, P), get3(end, VELOCITY)),
    )
    q = get4(begin, Q)
    turn = quat_log(quat_mul(quat_inverse(q), get4(end, Q)))
    r, r_rate, r_acceleration = hermite(
        t, h, (ZERO, get3(begin, SPIN)), (turn, vector_rate(turn, get3(end, SPIN)))
    )
    w, w_rate = body_rate(r, r_rate), body_acceleration(r, r_rate, r_acceleration)
    return place, (quat_mul(q, quat_exp(r)), w, w_rate)


@helper
def sampled(samples, t):
    """(p, ṗ, p̈) in O and (q, w, ẇ) in body axes at the time t [s]."""
    row = last_until(samples, TIME, t)
    if row < 0:
        return uniform(samples[0], t - samples[0, TIME])
    if row == samples.shape[0] - 1:
        return uniform(samples[row], t - samples[row, TIME])
    return between(samples[row], samples[row + 1], t - samples[row, TIME])
