"""How each component of ν = [v; w; q̇] moves a point or a frame of the craft.

Component k moves what it carries along or about one axis: for k < 3 along a base axis, for
k < 6 about one, beyond that along or about the axis of joint k - 6.  Call `place` first.
"""

from proxops.core.jit import helper, part
from proxops.core.spatial.quaternion import quat_to_rotation
from proxops.core.spatial.vector import ZERO, add, cross, matmul, mul, mul_t, sub
from proxops.physics.multibody import tree as at
from proxops.physics.multibody.mass_matrix import BASE_DOF
from proxops.physics.multibody.tree import load3, load_mat

BASE_AXES = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


@helper
def last_column(body):
    """The column of J nearest to the body: its joint's, or the last of the base's."""
    return BASE_DOF - 1 + body


@helper
def next_column(tree, column):
    """The next column towards the base that moves the same body; negative past the last."""
    if column < BASE_DOF:
        return column - 1
    return last_column(tree.topology[column - BASE_DOF, at.PARENT])


@helper
def column_axis(tree, column, scratch):
    """(turns, axis, body): whether component `column` turns or shifts, its axis in base axes,
    and the body to which the axis is fixed and whose origin lies on it."""
    if column < BASE_DOF:
        return column >= 3, BASE_AXES[column % 3], 0
    joint = column - BASE_DOF
    turns = tree.topology[joint, at.KIND] != at.PRISMATIC
    return turns, load3(scratch, joint + 1, at.AXIS), joint + 1


@helper
def point_column(tree, column, p, scratch):
    """Velocity of the point at p [m] from the base's origin, and angular velocity of the body
    it belongs to, per unit of component `column`; inertial, base axes.

        turning  (z × (p - p_axis), z),   shifting  (z, 0)
    """
    turns, axis, body = column_axis(tree, column, scratch)
    if turns:
        return cross(axis, sub(p, load3(scratch, body, at.P))), axis
    return axis, ZERO


@helper
def point_column_rate(tree, column, p, v, scratch):
    """Rate of `point_column` as seen from inertial space, in base axes; v [m/s] is the point's
    velocity.

        ż = w × z;   turning  (ż × (p - p_axis) + z × (v - v_axis), ż),   shifting  (ż, 0)
    """
    turns, axis, body = column_axis(tree, column, scratch)
    axis_rate = cross(load3(scratch, body, at.W), axis)
    if turns:
        swung = cross(axis_rate, sub(p, load3(scratch, body, at.P)))
        return add(swung, cross(axis, sub(v, load3(scratch, body, at.V)))), axis_rate
    return axis_rate, ZERO


@helper
def put_column(J, column, v, w):
    """Stores a twist as a column."""
    for i in range(3):
        J[i, column] = v[i]
        J[3 + i, column] = w[i]


@part
def fill_jacobian(tree, mount, J, J_rate, scratch):
    """Writes J and dJ/dt (6, 6 + n) of the frame F that `mount` = (body i, X_iF) fixes on a body.

        V_NF = J ν,   V̇_NF = J ν̇ + J̇ ν      V: body twist of F, in F's axes, linear first

    With u a column seen from inertial space, the column of J is R_FB u, so that of J̇ is
    R_FB (u̇ - w_F × u).
    """
    body, X_iF = mount
    q_iF, p_iF = X_iF
    R_Bi = load_mat(scratch, body, at.R)
    R_BF = matmul(R_Bi, quat_to_rotation(q_iF))
    arm = mul(R_Bi, p_iF)
    w = load3(scratch, body, at.W)
    p = add(load3(scratch, body, at.P), arm)
    v = add(load3(scratch, body, at.V), cross(w, arm))
    J[:, :] = 0.0
    J_rate[:, :] = 0.0
    column = last_column(body)
    while column >= 0:
        u_v, u_w = point_column(tree, column, p, scratch)
        rate_v, rate_w = point_column_rate(tree, column, p, v, scratch)
        put_column(J, column, mul_t(R_BF, u_v), mul_t(R_BF, u_w))
        put_column(
            J_rate,
            column,
            mul_t(R_BF, sub(rate_v, cross(w, u_v))),
            mul_t(R_BF, sub(rate_w, cross(w, u_w))),
        )
        column = next_column(tree, column)
