"""The least distance between two spacecraft, of the shapes that their scenario gives them."""

import math

from proxops.core.jit import helper, part
from proxops.core.spatial.convex import distance
from proxops.core.spatial.quaternion import get4, quat_to_rotation
from proxops.core.spatial.vector import add, get3, matmul, mul, mul_t, norm, sub, transpose
from proxops.physics.multibody import tree as at
from proxops.physics.multibody.tree import load3, load_mat
from proxops.plant import layout

# Columns of Ports.shapes: see core.spatial.convex
BODY = 0  # of the chaser, or ON_TARGET
HALF = 1
DISC = 4
BALL = 5
REACH = 6  # no point is farther from the centre [m]
ROTATION = 7  # of the shape in its body
CENTRE = 16
SHAPE_WIDTH = 19
ON_TARGET = -1.0


@helper
def _solid(shapes, row):
    """(h, ρ, r) of a shape."""
    return load3(shapes, row, HALF), shapes[row, DISC], shapes[row, BALL]


@helper
def _placed(shapes, row, R_AB, p_AB):
    """Rotation and centre of a shape of the body B, in A."""
    centre = add(p_AB, mul(R_AB, load3(shapes, row, CENTRE)))
    return matmul(R_AB, load_mat(shapes, row, ROTATION)), centre


@part
def clearance(shapes, chaser, target, scratch):
    """Least distance between the chaser's shapes and the target's [m], 0 where any two overlap.
    The chaser's kinematics must be in `scratch`."""
    R_OC = quat_to_rotation(get4(chaser, layout.Q))
    R_CT = matmul(transpose(R_OC), quat_to_rotation(get4(target, layout.Q)))
    p_CT = mul_t(R_OC, sub(get3(target, layout.P), get3(chaser, layout.P)))
    least = math.inf
    for other in range(shapes.shape[0]):
        if shapes[other, BODY] != ON_TARGET:
            continue
        R_CB, p_CB = _placed(shapes, other, R_CT, p_CT)
        for own in range(shapes.shape[0]):
            if shapes[own, BODY] == ON_TARGET:
                continue
            body = int(shapes[own, BODY])
            R_CA, p_CA = _placed(
                shapes, own, load_mat(scratch, body, at.R), load3(scratch, body, at.P)
            )
            apart = sub(p_CB, p_CA)
            if norm(apart) - shapes[own, REACH] - shapes[other, REACH] >= least:
                continue
            R_AB, p_AB = matmul(transpose(R_CA), R_CB), mul_t(R_CA, apart)
            gap = distance(_solid(shapes, own), _solid(shapes, other), R_AB, p_AB, least)
            least = min(least, gap)
    return least
