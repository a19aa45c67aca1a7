"""The Hill frame H, and how positions and velocities pass between it and O.

O and H share their origin on the reference orbit (R, V); O keeps the axes of N, H turns with the
orbit.  A velocity in H is the derivative of the components in H.  A path straight through the
attractor (R × V = 0) has no Hill frame.  Vectors are tuples of three floats.
"""

import math

from proxops.core.jit import helper, kernel
from proxops.core.spatial.vector import add, cross, dot, mul, mul_t, scale, sub


@helper
def hill_frame(R, V):
    """R_NH (row by row) and w_NH_H [rad/s] of the Hill frame of a Keplerian orbit.

    x = R/|R|,  z = h/|h|,  y = z × x,   w = [0, 0, |h|/|R|²],   h = R × V
    """
    h = cross(R, V)
    h2 = dot(h, h)
    inverse = 1.0 / dot(R, R)
    x = scale(math.sqrt(inverse), R)
    z = scale(1.0 / math.sqrt(h2), h)
    y = cross(z, x)
    R_NH = (x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2])
    return R_NH, (0.0, 0.0, math.sqrt(h2) * inverse)


@kernel
def hill_from_inertial(R, V, p_O, v_O):
    """Position [m] and velocity [m/s] in H of what has p_O, v_O in O.

    p_H = R_NHᵀ p_O,   v_H = R_NHᵀ v_O - w × p_H
    """
    R_NH, w = hill_frame(R, V)
    p_H = mul_t(R_NH, p_O)
    return p_H, sub(mul_t(R_NH, v_O), cross(w, p_H))


@kernel
def inertial_from_hill(R, V, p_H, v_H):
    """Position [m] and velocity [m/s] in O of what has p_H, v_H in H.

    p_O = R_NH p_H,   v_O = R_NH (v_H + w × p_H)
    """
    R_NH, w = hill_frame(R, V)
    return mul(R_NH, p_H), mul(R_NH, add(v_H, cross(w, p_H)))
