"""Forces that the velocities alone cause: the matrix C and the bias C ν.

    M ν̇ + C ν = [F_b; τ] + Σ Jᵀ F

M and C are in the axes of the base, which turn; ν̇ is the rate of components, so v̇ = a - w × v.
Call `place` first.
"""

from proxops.core.jit import helper, part
from proxops.core.spatial.vector import (
    ZERO,
    add,
    cross,
    dot,
    point_inertia,
    scale,
    sub,
    sym_mul,
    sym_sub,
)
from proxops.physics.multibody import tree as at
from proxops.physics.multibody.inverse import charge_base, gather
from proxops.physics.multibody.jacobian import (
    last_column,
    next_column,
    point_column,
    point_column_rate,
)
from proxops.physics.multibody.tree import load3, load_sym


@helper
def spin_force(I_c, w, u, u_rate):
    """Torque that one column u of Jw takes: I_c (u̇ - w × u) - (I_c w) × u."""
    return sub(sym_mul(I_c, sub(u_rate, cross(w, u))), cross(sym_mul(I_c, w), u))


@part
def fill_coriolis(tree, C, scratch):
    """Writes the C (6 + n, 6 + n) for which Ṁ - 2C is skew, that is Ṁ = C + Cᵀ; base axes.

        C = Σ over bodies  m Jvᵀ J̇v + Jwᵀ (I_c (J̇w - [w]× Jw) - [I_c w]× Jw)

    Jv, Jw move the body's centre of mass and its axes, I_c is about that centre; rates are
    seen from inertial space.  A lone body at its centre of mass has blkdiag(m [w]×, -[I w]×).
    The work grows as bodies × depth².
    """
    C[:, :] = 0.0
    for body in range(tree.bodies.shape[0]):
        m = tree.bodies[body, at.MASS]
        c = load3(scratch, body, at.C)
        w = load3(scratch, body, at.W)
        I_c = sym_sub(load_sym(scratch, body, at.I_TT), point_inertia(m, c))
        p = add(load3(scratch, body, at.P), c)
        v = add(load3(scratch, body, at.V), cross(w, c))
        column = last_column(body)
        while column >= 0:
            _, u_w = point_column(tree, column, p, scratch)
            rate_v, rate_w = point_column_rate(tree, column, p, v, scratch)
            f = scale(m, rate_v)
            t = spin_force(I_c, w, u_w, rate_w)
            row = last_column(body)
            while row >= 0:
                row_v, row_w = point_column(tree, row, p, scratch)
                C[row, column] += dot(row_v, f) + dot(row_w, t)
                row = next_column(tree, row)
            column = next_column(tree, column)


@part
def fill_bias(tree, bias, scratch):
    """Writes C ν (6 + n) [N, N m], less what has been pushed onto the bodies: the wrench on the
    base (its axes, its origin) and the joint torques for which ν̇ = 0.

    `place` has charged each body for what velocities cause; ν̇ = 0 means that the base's origin,
    and all with it, also accelerates with w × v.
    """
    a = cross(load3(scratch, 0, at.W), load3(scratch, 0, at.V))
    charge_base(tree, (a, ZERO), scratch)
    gather(tree, bias, scratch)
