"""The mass matrix of base and joints, from composite inertias.

    T = ½ νᵀ M ν,   ν = [v; w; q̇]      v, w: the base's twist in its own axes, v of its origin

        [M_b    M_bq]     M_b   all bodies as one rigid body, about the base's origin
    M = [M_bqᵀ  M_q ]     M_bq  momentum of the whole craft per unit of joint rate

Call `place` first.
"""

from proxops.core.jit import helper, part
from proxops.core.spatial.vector import add, cross, dot, mul, mul_t, sym_mul
from proxops.physics.multibody import tree as at
from proxops.physics.multibody.forward import load_inertia, store_inertia
from proxops.physics.multibody.inertia import inertia_add, inertia_at_parent
from proxops.physics.multibody.tree import joint_count, load3

BASE_DOF = 6  # the first columns of M, C and J: v, then w


@helper
def put_symmetric(M, row, column, value):
    """Stores a pair of equal entries."""
    M[row, column] = value
    M[column, row] = value


@part
def fold_composites(tree, scratch):
    """Turns each body's own inertia into that of the body and all it carries, as one rigid body;
    that of the base is M_b."""
    for joint in range(joint_count(tree) - 1, -1, -1):
        body = joint + 1
        parent = tree.topology[joint, at.PARENT]
        carried = inertia_at_parent(load_inertia(scratch, body), load3(scratch, body, at.ARM))
        store_inertia(scratch, parent, inertia_add(load_inertia(scratch, parent), carried))


@part
def store_base_block(M, I):
    """Writes M_b out of its three blocks."""
    I_ff, I_ft, I_tt = I
    symmetric_places = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
    for i in range(6):
        row, column = symmetric_places[i]
        put_symmetric(M, row, column, I_ff[i])
        put_symmetric(M, 3 + row, 3 + column, I_tt[i])
    for i in range(9):
        put_symmetric(M, i // 3, 3 + i % 3, I_ft[i])


@part
def fill_mass_matrix(tree, M, scratch):
    """Writes M (6 + n, 6 + n) [kg, kg m, kg m2], in base axes.

    The wrench that a unit acceleration of joint j alone asks for, f = I_j s_j, is carried
    towards the base; each joint i on the way takes M_ij = s_iᵀ f.  A rotor turns with its own
    joint only, so it stands on the diagonal.
    """
    fold_composites(tree, scratch)
    M[:, :] = 0.0
    store_base_block(M, load_inertia(scratch, 0))
    for joint in range(joint_count(tree)):
        body = joint + 1
        column = BASE_DOF + joint
        I_ff, I_ft, I_tt = load_inertia(scratch, body)
        axis = load3(scratch, body, at.AXIS)
        if tree.topology[joint, at.KIND] != at.PRISMATIC:
            f = mul(I_ft, axis)
            t = sym_mul(I_tt, axis)
        else:
            f = sym_mul(I_ff, axis)
            t = mul_t(I_ft, axis)
        while body > 0:
            axis = load3(scratch, body, at.AXIS)
            revolute = tree.topology[body - 1, at.KIND] != at.PRISMATIC
            apparent = dot(axis, t) if revolute else dot(axis, f)
            put_symmetric(M, BASE_DOF + body - 1, column, apparent)
            t = add(t, cross(load3(scratch, body, at.ARM), f))
            body = tree.topology[body - 1, at.PARENT]
        for i in range(3):
            put_symmetric(M, i, column, f[i])
            put_symmetric(M, 3 + i, column, t[i])
        M[column, column] += tree.bodies[joint + 1, at.ROTOR]
