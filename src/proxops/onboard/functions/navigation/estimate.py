"""The estimate as other parts of the software read it."""

import math

from proxops.bus import estimates as est
from proxops.core.jit import helper, part
from proxops.core.linear import trace_of
from proxops.core.spatial.quaternion import get4, put4, quat_inverse, quat_mul, quat_to_rotation
from proxops.core.spatial.vector import (
    add,
    cross,
    dot,
    get3,
    matmul,
    mul,
    mul_t,
    put3,
    skew,
    sub,
)
from proxops.onboard.functions.navigation import layout as at
from proxops.onboard.functions.navigation.camera_update import get_lever


@part
def write_estimate(parameters, state, told, estimate):
    """Writes the estimate; while there is none of the target its entries stay as they were, and
    DOUBT is infinite.

    g = r + R_NT l,   p_CG = p_CCcm + R_CN g
    ṗ_CG = ṗ_CCcm + R_CN (v + R_NT (w_T × l)) - w_C × R_CN g,   w_CG = R_CT w_T - w_C
    """
    memory, relative = state.attitude, state.relative
    q_NC, w_NC = get4(memory, at.Q_NC), sub(get3(memory, at.READ), get3(memory, at.BIAS))
    estimate[est.T] = memory[at.TIME]
    put4(estimate, est.Q_NC, q_NC)
    put3(estimate, est.W_NC, w_NC)
    put3(estimate, est.BIAS, get3(memory, at.BIAS))
    estimate[est.SIGMA_C] = math.sqrt(trace_of(state.attitude_P, at.ANGLE) / 3.0)
    estimate[est.STAR_AGE] = memory[at.TIME] - memory[at.STAR_TIME]
    estimate[est.CAMERA_AGE] = memory[at.TIME] - relative[at.PICTURE_TIME]
    estimate[est.DOUBT] = math.inf
    if relative[at.STARTED] == 0.0:
        return
    belief = parameters.relative
    lever, q_NT, w_NT = get_lever(belief), get4(relative, at.Q_NT), get3(relative, at.W_NT)
    r, v = get3(relative, at.R), get3(relative, at.V)
    R_NC, R_NT = quat_to_rotation(q_NC), quat_to_rotation(q_NT)
    put3(estimate, est.R, r)
    put3(estimate, est.V, v)
    put4(estimate, est.Q_NT, q_NT)
    put3(estimate, est.W_NT, w_NT)
    q_NG = quat_mul(q_NT, get4(belief, at.GRAPPLE_Q))
    put4(estimate, est.Q_CG, quat_mul(quat_inverse(q_NC), q_NG))
    g = mul_t(R_NC, add(r, mul(R_NT, lever)))
    put3(estimate, est.P_CG, add(get3(told, at.TOLD_COM), g))
    swept = mul_t(R_NC, add(v, mul(R_NT, cross(w_NT, lever))))
    swept = sub(add(swept, get3(told, at.TOLD_COM_RATE)), cross(w_NC, g))
    put3(estimate, est.V_CG, swept)
    put3(estimate, est.W_CG, sub(mul_t(R_NC, mul(R_NT, w_NT)), w_NC))
    judge(belief, state.relative_P, (R_NT, lever), estimate)


@helper
def judge(belief, P, grapple, estimate):
    """Writes standard deviations, root mean square over the axes, and how they compare with what
    is asked.

    G is off by δr + M θ with M = -R_NT [l]×.
    """
    R_NT, lever = grapple
    M = matmul(R_NT, skew(lever))
    spread = trace_of(P, at.DR) + dot(lever, lever) * trace_of(P, at.DQ)
    for i in range(3):
        for j in range(3):
            spread -= 2.0 * M[3 * i + j] * P[at.DR + i, at.DQ + j]
            spread -= lever[i] * lever[j] * P[at.DQ + i, at.DQ + j]
    # A difference of large numbers: at the very first it may be rounded below zero.
    sigma_G = math.sqrt(max(0.0, spread) / 3.0)
    sigma_Q = math.sqrt(trace_of(P, at.DQ) / 3.0)
    sigma_W = math.sqrt(trace_of(P, at.DW) / 3.0)
    estimate[est.SIGMA_G] = sigma_G
    estimate[est.SIGMA_Q] = sigma_Q
    estimate[est.SIGMA_W] = sigma_W
    turning = max(sigma_Q / belief[at.READY_Q], sigma_W / belief[at.READY_W])
    estimate[est.DOUBT] = max(turning, sigma_G / belief[at.READY_G])
