"""How the two frames of a hold lie and move against each other, and whether it can close so.

A is the chaser's frame, the hold's port: at p_A, with the axes R_TA.  B is the target's.

    x = R_TBᵀ (p_A - p_B)         offset of A from B, B axes
    θ = 2 atan2(|ε|, |η|)         angle of the rotation (η, ε) from B to A
    ẋ = R_TBᵀ v_A                 v_A the chaser's matter against the target's at A: speed |v_A|
    |w_C - w_T|                   rate

A hold without a port has no axes on the chaser's side: only the offset of B from the arm's end
effector counts, and of a hub none.
"""

import math
from typing import NamedTuple

from proxops.core.jit import helper, part
from proxops.core.spatial.quaternion import get4, quat_from_rotation, quat_to_rotation
from proxops.core.spatial.vector import matmul, mul_t, norm, sub, transpose
from proxops.physics.multibody.tree import load3, load_mat
from proxops.plant import hold_array as of
from proxops.plant.contacts import onto, parting


class Alignment(NamedTuple):
    """Of A against B."""

    offset: tuple[float, float, float]  # B axes [m]
    angle: float  # [rad]
    speed: float  # [m/s]
    rate: float  # [rad/s]


@part
def alignment_of(holds, row, link, target):
    """How a hold's frames lie; `target` is the velocity of its origin and its rate, T axes."""
    p_A = onto(link, load3(holds, row, of.EFFECTOR))
    angle = 0.0
    if holds[row, of.HAS_PORT] == 1.0:
        aligned = quat_to_rotation(get4(holds[row], of.ALIGNED))
        q = quat_from_rotation(matmul(link.R_TB, transpose(aligned)))
        angle = 2.0 * math.atan2(norm((q[1], q[2], q[3])), abs(q[0]))
    return Alignment(
        mul_t(load_mat(holds, row, of.AXES), sub(p_A, load3(holds, row, of.POINT))),
        angle,
        norm(parting(link, target, p_A)),
        norm(sub(link.w, target[1])),
    )


@helper
def lies_ready(holds, row, found):
    """Whether a hold's frames lie within its envelope: what a switch can know, however fast they
    move."""
    return norm(found.offset) <= holds[row, of.REACH] and found.angle <= holds[row, of.MAX_ANGLE]


@helper
def can_close(holds, row, found):
    """Whether a hold closes with its frames like that."""
    return (
        lies_ready(holds, row, found)
        and found.speed <= holds[row, of.MAX_SPEED]
        and found.rate <= holds[row, of.MAX_RATE]
    )
