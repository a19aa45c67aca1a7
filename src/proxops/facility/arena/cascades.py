"""The autopilot's cascades, arranged as ArduPilot's: position, velocity, attitude, rate.

    horizontal   position P (square root beyond its limit) ─► velocity PID ─► acceleration
    height       position P ─► velocity P ─► acceleration PI ─► throttle, about that of a hover
    attitude     P ─► rate ─► rate PID ─► share of the full torque

with feed-forward of velocity, acceleration and rate.  A vehicle with tilted rotors turns the
acceleration into a force and keeps roll and pitch as commanded; one with upright rotors leans.
"""

import math

from proxops.core.jit import helper, part
from proxops.core.spatial.quaternion import (
    get4,
    quat_from_rotation,
    quat_inverse,
    quat_log,
    quat_mul,
    quat_positive,
    quat_to_rotation,
)
from proxops.core.spatial.vector import add, cross, dot, get3, mul_t, norm, put3, scale, sub
from proxops.facility.arena.memory import (
    ACC_Z,
    EST_FORCE_BIAS,
    EST_P,
    EST_Q,
    EST_RATE_BIAS,
    EST_V,
    FORCE,
    GYRO,
    MASS,
    RATE_TARGET,
    RATE_X,
    SATURATED,
    TARGET_A,
    TARGET_P,
    TARGET_Q,
    TARGET_V,
    TARGET_W,
    VEL_X,
    VEL_Y,
    VEL_Z,
)
from proxops.physics.multirotor.clipping import clip
from proxops.physics.multirotor.mixer import ROTORS

ERROR, SLOPE, INTEGRAL = 0, 1, 2  # words of a PID
PID_SIZE = 3
UPRIGHT = 0.2  # least share of the weight that a leaning vehicle's thrust keeps along z


@helper
def low_pass(frequency, dt):
    """What a first-order filter [Hz] takes of a new sample."""
    return dt / (dt + 1.0 / (math.tau * frequency))


@part
def pid(memory, at, error, gains, filters, limit, held, dt):
    """Output of a PID whose words stand at `at`, with `gains` (P, I, D) and `filters` of error and
    slope; its integral [units of the output] stays within a limit and, while `held`, does not
    grow."""
    kp, ki, kd = gains
    alpha_error, alpha_slope = filters
    before = memory[at + ERROR]
    filtered = before + alpha_error * (error - before)
    memory[at + ERROR] = filtered
    memory[at + SLOPE] += alpha_slope * ((filtered - before) / dt - memory[at + SLOPE])
    integral = memory[at + INTEGRAL] + ki * filtered * dt
    if held == 0.0 or abs(integral) < abs(memory[at + INTEGRAL]):
        memory[at + INTEGRAL] = max(-limit, min(limit, integral))
    return kp * filtered + memory[at + INTEGRAL] + kd * memory[at + SLOPE]


@helper
def square_root(error, p, acceleration):
    """Speed [m/s] towards a place `error` [m] away: p error, and beyond acceleration/p² as a
    constant deceleration brings it to rest."""
    near = acceleration / (p * p)
    if error <= near:
        return p * error
    return math.sqrt(2.0 * acceleration * (error - 0.5 * near))


@part
def force_wanted(craft, gains, x, memory, target, gravity, dt):
    """Force in L [N] of the position and height cascades."""
    held = memory[SATURATED]
    e, v = sub(get3(target, TARGET_P), get3(x, EST_P)), get3(x, EST_V)
    aside = math.hypot(e[0], e[1])
    k = square_root(aside, gains.pos_p, gains.acceleration) / aside if aside > 0.0 else 0.0
    up = math.copysign(square_root(abs(e[2]), gains.pos_p, gains.acceleration), e[2])
    ev = sub(add(get3(target, TARGET_V), (k * e[0], k * e[1], up)), v)
    a, slow = get3(target, TARGET_A), low_pass(gains.vel_filter, dt)
    limit, filters = gains.vel_integral_max, (slow, slow)
    level, up_down = (gains.vel_p, gains.vel_i, gains.vel_d), (gains.vel_z_p, 0.0, 0.0)
    ax = a[0] + pid(memory, VEL_X, ev[0], level, filters, limit, held, dt)
    ay = a[1] + pid(memory, VEL_Y, ev[1], level, filters, limit, held, dt)
    az = a[2] + pid(memory, VEL_Z, ev[2], up_down, filters, limit, held, dt)
    accelerometer = sub(get3(memory, FORCE), get3(x, EST_FORCE_BIAS))
    R = quat_to_rotation(get4(x, EST_Q))
    along_z = R[6] * accelerometer[0] + R[7] * accelerometer[1] + R[8] * accelerometer[2]
    measured = along_z - gravity
    full = 0.0
    for i in range(ROTORS):
        full += craft.mixer[2, i] * craft.largest
    quick = low_pass(gains.acc_z_filter, dt)
    top = gains.integral_max
    of_throttle = (gains.acc_z_p, gains.acc_z_i, 0.0)
    throttle = pid(memory, ACC_Z, az - measured, of_throttle, (quick, quick), top, held, dt)
    mass = memory[MASS]
    return mass * ax, mass * ay, mass * gravity + full * throttle


@part
def leaning(force, q):
    """q_LV whose z points along a force, x as near as can be to the x axis of q."""
    z = scale(1.0 / norm(force), force)
    R = quat_to_rotation(q)
    heading = (R[0], R[3], R[6])
    y = cross(z, heading)
    y = scale(1.0 / norm(y), y)
    x = cross(y, z)
    return quat_from_rotation((x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]))


@part
def torque_wanted(craft, gains, x, memory, q, spin, gyro, dt):
    """Torque in V [N m] that brings the attitude to q, which turns at `spin` [rad/s] in V."""
    held, limit = memory[SATURATED], gains.integral_max
    quick = low_pass(gains.rate_filter, dt)
    e = quat_log(quat_positive(quat_mul(quat_inverse(get4(x, EST_Q)), q)))
    rate = add(spin, scale(gains.ang_p, e))
    w = sub(gyro, get3(x, EST_RATE_BIAS))
    asked = get3(memory, RATE_TARGET)
    asked = add(asked, scale(quick, sub(rate, asked)))
    put3(memory, RATE_TARGET, asked)
    now = get3(memory, GYRO)
    now = add(now, scale(quick, sub(w, now)))
    put3(memory, GYRO, now)
    e = sub(asked, now)
    filters = (1.0, quick)
    lean, yaw = (gains.rate_p, gains.rate_i, gains.rate_d), (gains.yaw_p, gains.yaw_i, 0.0)
    tx = pid(memory, RATE_X, e[0], lean, filters, limit, held, dt)
    ty = pid(memory, RATE_X + PID_SIZE, e[1], lean, filters, limit, held, dt)
    tz = pid(memory, RATE_X + 2 * PID_SIZE, e[2], yaw, filters, limit, held, dt)
    full = craft.authority
    return full[0] * tx, full[1] * ty, full[2] * tz


@part
def control(craft, gains, x, memory, target, gyro, gravity, wrench, commands, dt):
    """One cycle: writes the rotors' commands [N] for a target (16,); `wrench` (6,) is scratch."""
    f = force_wanted(craft, gains, x, memory, target, gravity, dt)
    q, R = get4(target, TARGET_Q), quat_to_rotation(get4(x, EST_Q))
    if craft.tilted == 1:
        put3(wrench, 0, mul_t(R, f))
    else:
        f = (f[0], f[1], max(f[2], UPRIGHT * memory[MASS] * gravity))
        q = leaning(f, q)
        put3(wrench, 0, (0.0, 0.0, dot(f, (R[2], R[5], R[8]))))
    spin = mul_t(R, get3(target, TARGET_W))
    put3(wrench, 3, torque_wanted(craft, gains, x, memory, q, spin, gyro, dt))
    f_z = wrench[2]
    s, left, share = clip(craft.allocation, craft.least, craft.largest, wrench, commands)
    memory[SATURATED] = 0.0 if s == 1.0 and share == 1.0 and left == f_z else 1.0
