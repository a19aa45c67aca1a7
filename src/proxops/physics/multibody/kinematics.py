"""Where the links are and how they move, from the base's twist and the joints."""

import math

from proxops.core.jit import helper
from proxops.core.spatial.vector import (
    IDENTITY,
    NO_MATRIX,
    ZERO,
    add,
    cross,
    dot,
    matmul,
    mul,
    rotate_sym,
    scale,
    sub,
    sym_minus_outer,
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
def weigh(body, m, inertia, bias, scratch):
    """Writes a body's own inertia and starts its wrench with what its motion takes while base and
    joints do not accelerate, bias = (a, α):

        f = -m (a + α × c + w × (w × c)),   t = -(I α + w × (I w) + m c × a)

    about the body's origin; `inertia` is the body's I, already in base axes.
    """
    a, alpha = bias
    c = load3(scratch, body, at.C)
    w = load3(scratch, body, at.W)
    store_sym(scratch, body, at.I_FF, (m, m, m, 0.0, 0.0, 0.0))
    store_mat(scratch, body, at.I_FT, rigid_coupling(m, c))
    store_sym(scratch, body, at.I_TT, inertia)
    swing = add(cross(alpha, c), cross(w, cross(w, c)))
    turn = add(sym_mul(inertia, alpha), cross(w, sym_mul(inertia, w)))
    store3(scratch, body, at.FORCE, scale(-m, add(a, swing)))
    store3(scratch, body, at.TORQUE, sub(scale(m, cross(a, c)), turn))


@helper
def move_base(tree, v, w, scratch):
    """Fills the base's row but for its inertia: it stands at the origin of its own axes and moves
    with (v, w)."""
    store_mat(scratch, 0, at.R, IDENTITY)
    store3(scratch, 0, at.P, ZERO)
    store3(scratch, 0, at.V, v)
    store3(scratch, 0, at.W, w)
    store3(scratch, 0, at.C, load3(tree.bodies, 0, at.COM))
    store3(scratch, 0, at.BIAS_A, ZERO)
    store3(scratch, 0, at.BIAS_W, ZERO)


@helper
def weigh_base(tree, scratch):
    """Writes the base's own inertia and what its motion takes; after `move_base`."""
    inertia = load_sym(tree.bodies, 0, at.INERTIA)
    weigh(0, tree.bodies[0, at.MASS], inertia, (ZERO, ZERO), scratch)


@helper
def place_base(tree, v, w, scratch):
    """Fills the base's row."""
    move_base(tree, v, w, scratch)
    weigh_base(tree, scratch)


@helper
def move_wheel(tree, body, speed, scratch):
    """Fills the row of a wheel but for its inertia: its axes do not spin with it."""
    R_wheel, r = load_mat(tree.bodies, body, at.ROTATION), load3(tree.bodies, body, at.OFFSET)
    axis, w_p = third_column(R_wheel), load3(scratch, 0, at.W)
    along, swing = scale(speed, axis), cross(w_p, r)
    store_mat(scratch, body, at.R, R_wheel)
    store3(scratch, body, at.ARM, r)
    store3(scratch, body, at.P, r)
    store3(scratch, body, at.AXIS, axis)
    store3(scratch, body, at.W, add(w_p, along))
    store3(scratch, body, at.V, add(load3(scratch, 0, at.V), swing))
    store3(scratch, body, at.C, ZERO)
    store3(scratch, body, at.BIAS_A, cross(w_p, swing))
    store3(scratch, body, at.BIAS_W, cross(w_p, along))


@helper
def weigh_wheel(tree, body, scratch):
    """Writes a wheel's own inertia J a aᵀ, and what its spin takes: t = -J (a·w) w × a."""
    axis, w = load3(scratch, body, at.AXIS), load3(scratch, body, at.W)
    J = tree.bodies[body, at.INERTIA + 2]
    store_sym(scratch, body, at.I_FF, NO_MATRIX[:6])
    store_mat(scratch, body, at.I_FT, NO_MATRIX)
    store_sym(scratch, body, at.I_TT, sym_minus_outer(NO_MATRIX[:6], -J, axis))
    store3(scratch, body, at.FORCE, ZERO)
    store3(scratch, body, at.TORQUE, scale(-J * dot(axis, w), cross(w, axis)))


@helper
def move_link(tree, joint, q, qd, scratch):
    """Fills the row of a joint's link but for its inertia: pose, velocity, velocity-caused
    acceleration; the parent's comes before.

    With r from parent to link origin and axis z:
        revolute    w = w_p + z q̇,  v = v_p + w_p × r
                    a = a_p + α_p × r + w_p × (w_p × r),  α = α_p + w_p × z q̇
        prismatic   w = w_p,        v = v_p + w_p × r + z q̇
                    a = a_p + α_p × r + w_p × (w_p × r + 2 z q̇),  α = α_p
    """
    body = joint + 1
    if tree.topology[joint, at.KIND] == at.WHEEL:
        move_wheel(tree, body, qd[joint], scratch)
        return
    parent = tree.topology[joint, at.PARENT]
    R_p = load_mat(scratch, parent, at.R)
    w_p = load3(scratch, parent, at.W)
    v_p = load3(scratch, parent, at.V)
    a_p = load3(scratch, parent, at.BIAS_A)
    alpha_p = load3(scratch, parent, at.BIAS_W)
    R_at_zero = matmul(R_p, load_mat(tree.bodies, body, at.ROTATION))
    axis = third_column(R_at_zero)
    r = mul(R_p, load3(tree.bodies, body, at.OFFSET))
    along = scale(qd[joint], axis)
    if tree.topology[joint, at.KIND] == at.REVOLUTE:
        R_link = turned_about_z(R_at_zero, q[joint])
        swing = cross(w_p, r)
        v = add(v_p, swing)
        w = add(w_p, along)
        bias_a = cross(w_p, swing)
        bias_w = add(alpha_p, cross(w_p, along))
    else:
        R_link = R_at_zero
        r = add(r, scale(q[joint], axis))
        swing = cross(w_p, r)
        v = add(v_p, add(swing, along))
        w = w_p
        bias_a = cross(w_p, add(swing, scale(2.0, along)))
        bias_w = alpha_p
    bias_a = add(add(a_p, cross(alpha_p, r)), bias_a)
    store_mat(scratch, body, at.R, R_link)
    store3(scratch, body, at.ARM, r)
    store3(scratch, body, at.P, add(load3(scratch, parent, at.P), r))
    store3(scratch, body, at.AXIS, axis)
    store3(scratch, body, at.W, w)
    store3(scratch, body, at.V, v)
    store3(scratch, body, at.C, mul(R_link, load3(tree.bodies, body, at.COM)))
    store3(scratch, body, at.BIAS_A, bias_a)
    store3(scratch, body, at.BIAS_W, bias_w)


@helper
def weigh_link(tree, body, scratch):
    """Writes a link's own inertia and what its motion takes; after `move_link`."""
    if tree.topology[body - 1, at.KIND] == at.WHEEL:
        weigh_wheel(tree, body, scratch)
        return
    R_link = load_mat(scratch, body, at.R)
    inertia = rotate_sym(R_link, load_sym(tree.bodies, body, at.INERTIA))
    bias = load3(scratch, body, at.BIAS_A), load3(scratch, body, at.BIAS_W)
    weigh(body, tree.bodies[body, at.MASS], inertia, bias, scratch)


@helper
def move(tree, twist, q, qd, scratch):
    """Fills poses and velocities of the scratch table for the base twist (v, w) and joints q, q̇:
    enough for who asks where links are and how they move."""
    v, w = twist
    move_base(tree, v, w, scratch)
    for joint in range(joint_count(tree)):
        move_link(tree, joint, q, qd, scratch)


@helper
def weigh_all(tree, scratch):
    """Starts inertias and wrenches anew for the bodies as they were moved."""
    weigh_base(tree, scratch)
    for joint in range(joint_count(tree)):
        weigh_link(tree, joint + 1, scratch)


@helper
def place(tree, twist, q, qd, scratch):
    """Fills the scratch table for the base twist (v, w) and joints q, q̇: `move` and `weigh_all`,
    link by link."""
    v, w = twist
    place_base(tree, v, w, scratch)
    for joint in range(joint_count(tree)):
        move_link(tree, joint, q, qd, scratch)
        weigh_link(tree, joint + 1, scratch)
