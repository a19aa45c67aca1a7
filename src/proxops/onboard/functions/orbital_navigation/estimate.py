"""The estimate in the Hill frame of the believed orbit, as other parts of the software read it.

p_H = R_NHᵀ p,   v_H = R_NHᵀ v - w × p_H,   P_H = J P Jᵀ,   J = [[Rᵀ, 0], [-[w]× Rᵀ, Rᵀ]]
"""

import math

from proxops.core.jit import helper, part
from proxops.core.linear import carry, put_block
from proxops.core.spatial.vector import (
    NO_MATRIX,
    cross,
    get3,
    mat_scale,
    matmul,
    mul_t,
    norm,
    put3,
    skew,
    sub,
    transpose,
)
from proxops.onboard.functions.navigation.model import SCRATCH
from proxops.onboard.functions.orbital_navigation import layout as at
from proxops.physics.orbit.frames import hill_frame
from proxops.physics.orbit.reference import reference


@part
def write_estimate(params, memory, inputs, outputs):
    """Writes the estimate of the source that counts."""
    marks = memory.marks
    near = marks[at.SOURCE] == at.NEAR
    R, V = reference(params.orbit, marks[at.TIME])
    R_NH, w = hill_frame(R, V)
    state = memory.pose if near else memory.x
    p = mul_t(R_NH, get3(state, at.POSITION))
    put3(outputs.orbital_p_HC, 0, p)
    put3(outputs.orbital_v_HC, 0, sub(mul_t(R_NH, get3(state, at.VELOCITY)), cross(w, p)))
    outputs.orbital_t[0] = marks[at.TIME]
    outputs.orbital_source[0] = marks[at.SOURCE]
    for i in range(9):
        outputs.orbital_R_NH[i] = R_NH[i]
    put3(outputs.orbital_w_NH_H, 0, w)
    age = marks[at.TIME] - marks[at.FRESH]
    outputs.orbital_age[0] = inputs.navigation_camera_age[0] if near else age
    write_spread(memory, near, (R_NH, w), outputs)
    judge(params.belief, marks[at.SOURCE], norm(p), outputs)


@helper
def write_spread(memory, near, hill, outputs):
    """Writes P_H and the standard deviations; turned in the room of the pose filter's covariance,
    which is read anew in each cycle."""
    R_NH, w = hill
    if not near:
        for i in range(at.MOTION):
            for j in range(at.MOTION):
                memory.pose_P[i, j] = memory.P[i, j]
    J, back = memory.transition, transpose(R_NH)
    put_block(J, 0, 0, back)
    put_block(J, 0, 3, NO_MATRIX)
    put_block(J, 3, 0, mat_scale(-1.0, matmul(skew(w), back)))
    put_block(J, 3, 3, back)
    carry(memory.pose_P, J, 0, memory.rows[SCRATCH])
    for i in range(at.MOTION):
        outputs.orbital_sigma[i] = math.sqrt(max(0.0, memory.pose_P[i, i]))
        for j in range(at.MOTION):
            outputs.orbital_P[at.MOTION * i + j] = memory.pose_P[i, j]


@helper
def judge(belief, source, far, outputs):
    """Writes how the standard deviations, root mean square over the axes, compare with what is
    asked; infinite before the first measurement."""
    if source == at.NOTHING:
        outputs.orbital_doubt[0] = math.inf
        return
    place, speed = 0.0, 0.0
    for i in range(3):
        place += outputs.orbital_sigma[i] * outputs.orbital_sigma[i]
        speed += outputs.orbital_sigma[3 + i] * outputs.orbital_sigma[3 + i]
    asked = belief[at.READY_P] + belief[at.READY_SHARE] * far
    place, speed = math.sqrt(place / 3.0) / asked, math.sqrt(speed / 3.0) / belief[at.READY_V]
    outputs.orbital_doubt[0] = max(place, speed)
