"""The autopilot's extended Kalman filter: an IMU integrated, motion capture fused as it arrives.

    p̂̇ = v̂,   v̂̇ = R̂ (f - b_f) - g z,   q̂̇ = ½ q̂ ∘ (w - b_w),   biases constant

Errors (15): δp, δv in L, δθ in V with q = q̂ ∘ exp(δθ), δb_f, δb_w.  A captured pose is late by a
whole number of cycles; it is compared with the pose that was estimated for its own instant, and the
correction is applied to the present one, as the error hardly changes in 10 ms.  The covariance goes
on at the rate of poses.
"""

from proxops.core.jit import helper, part
from proxops.core.spatial.quaternion import (
    get4,
    put4,
    quat_exp,
    quat_inverse,
    quat_log,
    quat_mul,
    quat_normalised,
    quat_positive,
    quat_to_rotation,
)
from proxops.core.spatial.vector import add, add3, get3, matmul, mul, put3, scale, skew, sub
from proxops.facility.arena.memory import (
    ERR_A,
    ERR_FORCE,
    ERR_P,
    ERR_RATE,
    ERR_V,
    ERRORS,
    EST_FORCE_BIAS,
    EST_P,
    EST_Q,
    EST_RATE_BIAS,
    EST_V,
)

# Drift of the biases that the filter allows for
FORCE_DRIFT = 1e-3  # [m/s2/sqrt(s)]
RATE_DRIFT = 1e-5  # [rad/s/sqrt(s)]


@part
def predict(x, force, rate, gravity, dt):
    """Brings the estimate x on by one IMU sample [m/s2, rad/s] of length dt [s]."""
    f, w = sub(force, get3(x, EST_FORCE_BIAS)), sub(rate, get3(x, EST_RATE_BIAS))
    q = get4(x, EST_Q)
    a = add(mul(quat_to_rotation(q), f), (0.0, 0.0, -gravity))
    v = get3(x, EST_V)
    add3(x, EST_P, add(scale(dt, v), scale(0.5 * dt * dt, a)))
    add3(x, EST_V, scale(dt, a))
    put4(x, EST_Q, quat_normalised(quat_mul(q, quat_exp(scale(dt, w)))))


@helper
def _put_block(F, row, column, s, M):
    for i in range(3):
        for j in range(3):
            F[row + i, column + j] += s * M[3 * i + j]


@part
def spread(x, P, force, rate, sensing, cycle, h, scratch):
    """P ← Φ P Φᵀ + Q over h [s], Φ = 1 + h A at the present estimate; noise of an IMU sample of
    length `cycle` [s]."""
    unit = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
    R = quat_to_rotation(get4(x, EST_Q))
    f, w = sub(force, get3(x, EST_FORCE_BIAS)), sub(rate, get3(x, EST_RATE_BIAS))
    F, M = scratch[0], scratch[1]
    for i in range(ERRORS):
        for j in range(ERRORS):
            F[i, j] = 1.0 if i == j else 0.0
    _put_block(F, ERR_P, ERR_V, h, unit)
    _put_block(F, ERR_V, ERR_A, -h, matmul(R, skew(f)))
    _put_block(F, ERR_V, ERR_FORCE, -h, R)
    _put_block(F, ERR_A, ERR_A, -h, skew(w))
    _put_block(F, ERR_A, ERR_RATE, -h, unit)
    for i in range(ERRORS):
        for j in range(ERRORS):
            M[i, j] = 0.0
        for k in range(ERRORS):
            if F[i, k] != 0.0:
                for j in range(ERRORS):
                    M[i, j] += F[i, k] * P[k, j]
    for i in range(ERRORS):
        for j in range(ERRORS):
            total = 0.0
            for k in range(ERRORS):
                total += M[i, k] * F[j, k]
            P[i, j] = total
    # white samples of a cycle each make a walk of variance σ² cycle per second
    for i in range(3):
        P[ERR_V + i, ERR_V + i] += sensing.vibration**2 * cycle * h
        P[ERR_A + i, ERR_A + i] += sensing.rate_noise**2 * cycle * h
        P[ERR_FORCE + i, ERR_FORCE + i] += FORCE_DRIFT**2 * h
        P[ERR_RATE + i, ERR_RATE + i] += RATE_DRIFT**2 * h


@part
def fuse(x, P, pose, sensing, error):
    """Corrects the estimate by a captured pose (p, q) and the one estimated for its instant, behind
    it; `error` (15,) is scratch."""
    for i in range(ERRORS):
        error[i] = 0.0
    apart = sub(get3(pose, 0), get3(pose, 7))
    turned = quat_log(quat_positive(quat_mul(quat_inverse(get4(pose, 10)), get4(pose, 3))))
    for axis in range(3):
        _fuse_one(P, error, ERR_P + axis, apart[axis], sensing.position_noise**2)
    for axis in range(3):
        _fuse_one(P, error, ERR_A + axis, turned[axis], sensing.angle_noise**2)
    add3(x, EST_P, get3(error, ERR_P))
    add3(x, EST_V, get3(error, ERR_V))
    put4(x, EST_Q, quat_normalised(quat_mul(get4(x, EST_Q), quat_exp(get3(error, ERR_A)))))
    put3(x, EST_FORCE_BIAS, add(get3(x, EST_FORCE_BIAS), get3(error, ERR_FORCE)))
    put3(x, EST_RATE_BIAS, add(get3(x, EST_RATE_BIAS), get3(error, ERR_RATE)))


@part
def _fuse_one(P, error, at, measured, variance):
    """One scalar: K = P h/(hᵀ P h + r)."""
    innovation, S = measured - error[at], P[at, at] + variance
    for i in range(ERRORS):
        error[i] += P[i, at] / S * innovation
    for i in range(ERRORS):
        if i != at:
            gain = P[i, at] / S
            for j in range(ERRORS):
                P[i, j] -= gain * P[at, j]
    left = variance / S
    for j in range(ERRORS):
        P[at, j] *= left
