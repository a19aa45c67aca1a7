"""The estimate as other parts of the software read it."""

import math

from proxops.core.jit import helper, part
from proxops.core.linear import trace_of
from proxops.core.select import any_of, select
from proxops.core.spatial.quaternion import (
    get4,
    put4,
    put4_where,
    quat_inverse,
    quat_mul,
    quat_to_rotation,
)
from proxops.core.spatial.vector import (
    add,
    cross,
    dot,
    get3,
    matmul,
    mul,
    mul_t,
    put3,
    put3_where,
    skew,
    sub,
)
from proxops.onboard.functions.navigation import layout as at
from proxops.onboard.functions.navigation.camera_update import get_lever


@part
def write_estimate(parameters, state, known_inputs, estimate):
    """Writes the estimate; while there is none of the target its entries stay as they were, and
    DOUBT is infinite.  Covariance and standard deviations change where they are spread.

    g = r + R_NT l,   p_CG = p_CCcm + R_CN g
    ṗ_CG = ṗ_CCcm + R_CN (v + R_NT (w_T × l)) - w_C × R_CN g,   w_CG = R_CT w_T - w_C
    """
    memory, relative = state.attitude, state.relative
    q_NC, w_NC = get4(memory, at.Q_NC), sub(get3(memory, at.READ), get3(memory, at.BIAS))
    estimate.navigation_t[0] = memory[at.TIME]
    put4(estimate.navigation_q_NC, 0, q_NC)
    put3(estimate.navigation_w_NC_C, 0, w_NC)
    put3(estimate.navigation_gyro_bias, 0, get3(memory, at.BIAS))
    if memory[at.SPREADS] == 1.0:
        estimate.navigation_sigma_C[0] = math.sqrt(trace_of(state.attitude_P, at.ANGLE) / 3.0)
    estimate.navigation_star_age[0] = memory[at.TIME] - memory[at.STAR_TIME]
    estimate.navigation_camera_age[0] = memory[at.TIME] - relative[at.PICTURE_TIME]
    started = relative[at.STARTED] != 0.0
    estimate.navigation_doubt[0] = select(started, estimate.navigation_doubt[0], math.inf)
    if not any_of(started):
        return
    belief = parameters.relative
    lever, q_NT, w_NT = get_lever(belief), get4(relative, at.Q_NT), get3(relative, at.W_NT)
    r, v = get3(relative, at.R), get3(relative, at.V)
    R_NC, R_NT = quat_to_rotation(q_NC), quat_to_rotation(q_NT)
    put3_where(started, estimate.navigation_r, 0, r)
    put3_where(started, estimate.navigation_v, 0, v)
    put4_where(started, estimate.navigation_q_NT, 0, q_NT)
    put3_where(started, estimate.navigation_w_NT_T, 0, w_NT)
    q_NG = quat_mul(q_NT, get4(belief, at.GRAPPLE_Q))
    put4_where(started, estimate.navigation_q_CG, 0, quat_mul(quat_inverse(q_NC), q_NG))
    g = mul_t(R_NC, add(r, mul(R_NT, lever)))
    put3_where(started, estimate.navigation_p_CG, 0, add(get3(known_inputs, at.INPUT_COM), g))
    swept = mul_t(R_NC, add(v, mul(R_NT, cross(w_NT, lever))))
    swept = sub(add(swept, get3(known_inputs, at.INPUT_COM_RATE)), cross(w_NC, g))
    put3_where(started, estimate.navigation_v_CG, 0, swept)
    put3_where(started, estimate.navigation_w_CG_C, 0, sub(mul_t(R_NC, mul(R_NT, w_NT)), w_NC))
    if memory[at.SPREADS] == 1.0:
        for i in range(at.DQ):
            for j in range(at.DQ):
                k, value = at.DQ * i + j, state.relative_P[at.DR + i, at.DR + j]
                estimate.navigation_P[k] = select(started, value, estimate.navigation_P[k])
        judge(belief, state.relative_P, (R_NT, lever), started, estimate)


@helper
def judge(belief, P, grapple, started, estimate):
    """Writes standard deviations, root mean square over the axes, and how they compare with what
    is asked, where the estimate has started.

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
    estimate.navigation_sigma_G[0] = select(started, sigma_G, estimate.navigation_sigma_G[0])
    estimate.navigation_sigma_Q[0] = select(started, sigma_Q, estimate.navigation_sigma_Q[0])
    estimate.navigation_sigma_W[0] = select(started, sigma_W, estimate.navigation_sigma_W[0])
    turning = max(sigma_Q / belief[at.READY_Q], sigma_W / belief[at.READY_W])
    doubt = max(turning, sigma_G / belief[at.READY_G])
    estimate.navigation_doubt[0] = select(started, doubt, estimate.navigation_doubt[0])
