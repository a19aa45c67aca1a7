"""How near pairs of shapes come to each other while the frames that carry them move."""

import math

from proxops.core.jit import kernel
from proxops.core.spatial.convex import depth, distance
from proxops.core.spatial.vector import add, matmul, mul, mul_t, norm, sub, transpose
from proxops.physics.multibody.tree import load3, load_mat
from proxops.plant import clearance as of


@kernel
def least_gaps(shapes, pairs, R, p, gaps, where):
    """Writes the least distance of each pair over all placements [m], minus the overlap where they
    meet (see convex.depth), and the number of that placement.

    `shapes` are rows as of an Outline, their BODY the number of a frame; `pairs` (k, 2) are rows
    of it; R (m, frames, 9) and p (m, frames, 3) [m] place the frames, all in one frame.
    """
    for pair in range(pairs.shape[0]):
        own, other = pairs[pair, 0], pairs[pair, 1]
        first, second = int(shapes[own, of.BODY]), int(shapes[other, of.BODY])
        reach = shapes[own, of.REACH] + shapes[other, of.REACH]
        A = load3(shapes, own, of.HALF), shapes[own, of.DISC], shapes[own, of.BALL]
        B = load3(shapes, other, of.HALF), shapes[other, of.DISC], shapes[other, of.BALL]
        least, found = math.inf, 0
        for row in range(p.shape[0]):
            R_first, R_second = load_mat(R[row], first, 0), load_mat(R[row], second, 0)
            p_own = add(load3(p[row], first, 0), mul(R_first, load3(shapes, own, of.CENTRE)))
            p_other = add(load3(p[row], second, 0), mul(R_second, load3(shapes, other, of.CENTRE)))
            away = sub(p_other, p_own)
            if norm(away) - reach >= least:
                continue
            R_own = matmul(R_first, load_mat(shapes, own, of.ROTATION))
            R_other = matmul(R_second, load_mat(shapes, other, of.ROTATION))
            R_AB, p_AB = matmul(transpose(R_own), R_other), mul_t(R_own, away)
            gap = distance(A, B, R_AB, p_AB, max(least, 0.0))
            if gap == 0.0:
                gap = min(0.0, -depth(A, B, R_AB, p_AB))
            if gap < least:
                least, found = gap, row
        gaps[pair], where[pair] = least, found
