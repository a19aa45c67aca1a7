"""From the navigation's estimate, about centres of mass, to hubs.

p_CT = R_NCᵀ r + p_CCcm - R_CT c,    c = p_TTcm
ṗ_To - ṗ_Co = R_NCᵀ v + w_C × p_CCcm + ṗ_CCcm - R_CT (w_T × c)          inertial, in C
"""

from proxops.core.jit import helper
from proxops.core.spatial.quaternion import get4, quat_inverse, quat_mul, quat_to_rotation
from proxops.core.spatial.vector import add, cross, get3, mul, mul_t, sub
from proxops.onboard.functions.capture.relative_state import RelativeState


@helper
def relative_state_of(estimate, centre, com):
    """The target as the chaser sees it; centre = (p_CCcm, its rate), com = p_TTcm."""
    p, p_rate = centre
    q_NC, q_NT = get4(estimate.navigation_q_NC, 0), get4(estimate.navigation_q_NT, 0)
    w_C, w_T = get3(estimate.navigation_w_NC_C, 0), get3(estimate.navigation_w_NT_T, 0)
    R_NC = quat_to_rotation(q_NC)
    q_CT = quat_mul(quat_inverse(q_NC), q_NT)
    R_CT = quat_to_rotation(q_CT)
    apart = add(mul_t(R_NC, get3(estimate.navigation_r, 0)), p)
    moving = add(mul_t(R_NC, get3(estimate.navigation_v, 0)), add(cross(w_C, p), p_rate))
    return RelativeState(
        (q_CT, sub(apart, mul(R_CT, com))),
        sub(moving, mul(R_CT, cross(w_T, com))),
        w_C,
        w_T,
    )
