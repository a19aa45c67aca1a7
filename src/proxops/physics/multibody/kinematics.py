"""Where the links are and how they move, from the base's twist and the joints."""

import math

from proxops.core.jit import helper
from proxops.core.spatial.vector import (
    IDENTITY,
    ZERO,
    add,
    cross,
    matmul,
    mul,
    rotate_sym,
    scale,
    sym_mul,
)
from proxops.physics.multibody import tree as at
from proxops.physics.multibody.inertia import rigid_coupling
from proxops.physics.multibody.tree import (
    joint_count,
    load3,
    load_mat,
    load_sym,
    store3,
    store_mat,
    store_sym,
)


@helper
def turned_about_z(M, angle):
    """M R_z(angle): mixes the first two columns."""
    c = math.cos(angle)
    s = math.sin(angle)
    return (
        c * M[0] + s * M[1],
        c * M[1] - s * M[0],
        M[2],
        c * M[3] + s * M[4],
        c * M[4] - s * M[3],
        M[5],
        c * M[6] + s * M[7],
        c * M[7] - s * M[6],
        M[8],
    )


@helper
def third_column(M):
    """M e_z."""
    return M[2], M[5], M[8]


@helper
def move_base(tree, v, w, scratch):
    """Writes the base's row: it stands at the origin of its own axes and moves with (v, w)."""
    store_mat(scratch, 0, at.R, IDENTITY)
    store3(scratch, 0, at.P, ZERO)
    store3(scratch, 0, at.V, v)
    store3(scratch, 0, at.W, w)
    store3(scratch, 0, at.C, load3(tree.bodies, 0, at.COM))


@helper
def move_links(tree, q, qd, scratch):
    """Writes pose, velocity and velocity-caused acceleration of every link.

    With r from parent to link origin and axis z:
        revolute    w = w_p + z q̇,  v = v_p + w_p × r,            bias (w_p × (w_p × r), w_p × z q̇)
        prismatic   w = w_p,        v = v_p + w_p × r + z q̇,      bias (w_p × (w_p × r + 2 z q̇), 0)
    """
    for joint in range(joint_count(tree)):
        body = joint + 1
        parent = tree.topology[joint, at.PARENT]
        R_p = load_mat(scratch, parent, at.R)
        w_p = load3(scratch, parent, at.W)
        R_at_zero = matmul(R_p, load_mat(tree.bodies, body, at.ROTATION))
        axis = third_column(R_at_zero)
        r = mul(R_p, load3(tree.bodies, body, at.OFFSET))
        along = scale(qd[joint], axis)
        if tree.topology[joint, at.KIND] == at.REVOLUTE:
            R_link = turned_about_z(R_at_zero, q[joint])
            w = add(w_p, along)
            slip = ZERO
            bias_w = cross(w_p, along)
        else:
            R_link = R_at_zero
            r = add(r, scale(q[joint], axis))
            w = w_p
            slip = along
            bias_w = ZERO
        swing = cross(w_p, r)
        bias_a = cross(w_p, add(swing, scale(2.0, slip)))
        store_mat(scratch, body, at.R, R_link)
        store3(scratch, body, at.ARM, r)
        store3(scratch, body, at.P, add(load3(scratch, parent, at.P), r))
        store3(scratch, body, at.AXIS, axis)
        store3(scratch, body, at.W, w)
        store3(scratch, body, at.V, add(add(load3(scratch, parent, at.V), swing), slip))
        store3(scratch, body, at.C, mul(R_link, load3(tree.bodies, body, at.COM)))
        store3(scratch, body, at.BIAS_A, bias_a)
        store3(scratch, body, at.BIAS_W, bias_w)


@helper
def weigh(tree, scratch):
    """Writes every body's own inertia and starts its wrench with what its spin already takes:

    f = -m w × (w × c),   t = -w × (I w)      about the body's origin
    """
    for body in range(tree.bodies.shape[0]):
        m = tree.bodies[body, at.MASS]
        c = load3(scratch, body, at.C)
        w = load3(scratch, body, at.W)
        inertia = rotate_sym(load_mat(scratch, body, at.R), load_sym(tree.bodies, body, at.INERTIA))
        store_sym(scratch, body, at.I_FF, (m, m, m, 0.0, 0.0, 0.0))
        store_mat(scratch, body, at.I_FT, rigid_coupling(m, c))
        store_sym(scratch, body, at.I_TT, inertia)
        store3(scratch, body, at.FORCE, scale(-m, cross(w, cross(w, c))))
        store3(scratch, body, at.TORQUE, cross(sym_mul(inertia, w), w))


@helper
def place(tree, twist, q, qd, scratch):
    """Fills the scratch table for the base twist (v, w) and joints q, q̇."""
    v, w = twist
    move_base(tree, v, w, scratch)
    move_links(tree, q, qd, scratch)
    weigh(tree, scratch)
