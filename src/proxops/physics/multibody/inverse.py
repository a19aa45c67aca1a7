"""Forces from accelerations: recursive Newton-Euler in base axes, in pieces.

Call `place` first, which charges each body for what velocities alone cause.  Then charge for the
accelerations that are known, push the known wrenches, and `gather` what base and joints must
bear.  The pieces add up, so each caller pays for what it needs; all are O(n).
"""

from proxops.core.jit import helper, part
from proxops.core.spatial.vector import ZERO, add, cross, dot, scale
from proxops.physics.multibody import tree as at
from proxops.physics.multibody.forward import load_inertia, push
from proxops.physics.multibody.inertia import inertia_mul
from proxops.physics.multibody.mass_matrix import BASE_DOF
from proxops.physics.multibody.tree import joint_count, load3, store3


@helper
def charge(scratch, body, a, alpha):
    """Takes from a body's wrench what the accelerations a, α of its origin need, base axes."""
    f, t = inertia_mul(load_inertia(scratch, body), a, alpha)
    push(scratch, body, scale(-1.0, f), scale(-1.0, t))


@part
def charge_base(tree, base, scratch):
    """Charges every body for the base's inertial acceleration (a, α), base axes, the joints not
    accelerating.  Uniform gravity g is a base that accelerates with a - g."""
    a, alpha = base
    for body in range(tree.bodies.shape[0]):
        charge(scratch, body, add(a, cross(alpha, load3(scratch, body, at.P))), alpha)


@part
def charge_joints(tree, qdd, scratch):
    """Charges every link for the joint accelerations q̈, the base not accelerating.

    A rotor loads its own joint only, with rotor q̈, which is not entered here.
    """
    store3(scratch, 0, at.A, ZERO)
    store3(scratch, 0, at.ALPHA, ZERO)
    for joint in range(joint_count(tree)):
        body = joint + 1
        parent = tree.topology[joint, at.PARENT]
        alpha = load3(scratch, parent, at.ALPHA)
        a = add(load3(scratch, parent, at.A), cross(alpha, load3(scratch, body, at.ARM)))
        along = scale(qdd[joint], load3(scratch, body, at.AXIS))
        if tree.topology[joint, at.KIND] != at.PRISMATIC:
            alpha = add(alpha, along)
        else:
            a = add(a, along)
        store3(scratch, body, at.A, a)
        store3(scratch, body, at.ALPHA, alpha)
        charge(scratch, body, a, alpha)


@part
def gather(tree, loads, scratch):
    """Writes what base (its axes, its origin) and joints must bear (6 + n) [N, N m]: the wrenches
    of all bodies, summed inwards, with the opposite sign."""
    for body in range(tree.bodies.shape[0] - 1, -1, -1):
        f = load3(scratch, body, at.FORCE)
        t = load3(scratch, body, at.TORQUE)
        if body == 0:
            for i in range(3):
                loads[i] = -f[i]
                loads[3 + i] = -t[i]
        else:
            joint = body - 1
            axis = load3(scratch, body, at.AXIS)
            revolute = tree.topology[joint, at.KIND] != at.PRISMATIC
            loads[BASE_DOF + joint] = -dot(axis, t) if revolute else -dot(axis, f)
            t = add(t, cross(load3(scratch, body, at.ARM), f))
            push(scratch, tree.topology[joint, at.PARENT], f, t)
