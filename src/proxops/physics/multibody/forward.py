"""Accelerations from forces: the articulated-body algorithm in base axes.

Accelerations here are what comes on top of those that velocities alone cause; `place` has already
charged each body for the latter.  So the passes below carry no velocity terms.

Call `place` first, then add the known wrenches to the scratch table, then one of
- `accelerate_free`: the base floats;
- `accelerate_prescribed`: the base's motion is given (an arm standing on a moving carrier).
"""

from proxops.core.jit import helper
from proxops.core.spatial.vector import (
    add,
    cross,
    dot,
    mul,
    mul_t,
    scale,
    sub,
    sym_minus_outer,
    sym_mul,
)
from proxops.physics.multibody import tree as at
from proxops.physics.multibody.inertia import (
    inertia_add,
    inertia_at_parent,
    inertia_minus_outer,
    inertia_mul,
    inertia_solve,
)
from proxops.physics.multibody.tree import (
    accumulate3,
    joint_count,
    load3,
    load_mat,
    load_sym,
    store3,
    store_mat,
    store_sym,
)


@helper
def load_inertia(scratch, body):
    """Inertia blocks of a body."""
    return (
        load_sym(scratch, body, at.I_FF),
        load_mat(scratch, body, at.I_FT),
        load_sym(scratch, body, at.I_TT),
    )


@helper
def store_inertia(scratch, body, I):
    """Inertia blocks of a body."""
    store_sym(scratch, body, at.I_FF, I[0])
    store_mat(scratch, body, at.I_FT, I[1])
    store_sym(scratch, body, at.I_TT, I[2])


@helper
def push(scratch, body, f, t):
    """Adds a wrench on a body, about the body's origin, in base axes."""
    accumulate3(scratch, body, at.FORCE, f)
    accumulate3(scratch, body, at.TORQUE, t)


@helper
def push_at(scratch, body, r, f):
    """Adds a force at the point r from the body's origin, in base axes."""
    push(scratch, body, f, cross(r, f))


@helper
def articulate_wheel(tree, body, tau, scratch):
    """Folds a wheel into the base: of its inertia J a aᵀ the base feels J - J²/(J + rotor)."""
    axis, t = load3(scratch, body, at.AXIS), load3(scratch, body, at.TORQUE)
    J = tree.bodies[body, at.INERTIA + 2]
    d_inv = (1.0 - scratch[body, at.BRAKED]) / (J + tree.bodies[body, at.ROTOR])
    u = tau + dot(axis, t)
    scratch[body, at.D_INV] = d_inv
    scratch[body, at.U] = u
    f = load3(scratch, body, at.FORCE)
    left = sub(t, scale(J * u * d_inv, axis))
    push(scratch, 0, f, add(left, cross(load3(scratch, body, at.ARM), f)))
    I_TT = load_sym(scratch, 0, at.I_TT)
    store_sym(scratch, 0, at.I_TT, sym_minus_outer(I_TT, -J * (1.0 - J * d_inv), axis))


@helper
def unfold_wheel(tree, body, scratch):
    """The acceleration of a wheel against the base [rad/s2]."""
    alpha = load3(scratch, 0, at.ALPHA)
    axis, J = load3(scratch, body, at.AXIS), tree.bodies[body, at.INERTIA + 2]
    rate = (scratch[body, at.U] - J * dot(axis, alpha)) * scratch[body, at.D_INV]
    a = add(load3(scratch, 0, at.A), cross(alpha, load3(scratch, body, at.ARM)))
    store3(scratch, body, at.A, a)
    store3(scratch, body, at.ALPHA, add(alpha, scale(rate, axis)))
    return rate


@helper
def articulate(tree, tau, scratch):
    """From tips to base: each link is folded into its parent, free along its joint.

        U = I s,  d = sᵀU + rotor,  u = τ + sᵀF
        I_parent += shift(I) - shift(U) shift(U)ᵀ/d,   F_parent += shift(F - U u/d)

    A brake makes 1/d zero: the link is then one body with its parent.
    Shifting I before U Uᵀ/d is taken off keeps the division out of the longest chain of
    operations: the steps from link to link wait for each other, so that chain is the cost.
    """
    for joint in range(joint_count(tree) - 1, -1, -1):
        body = joint + 1
        if tree.topology[joint, at.KIND] == at.WHEEL:
            articulate_wheel(tree, body, tau[joint], scratch)
            continue
        parent = tree.topology[joint, at.PARENT]
        I = load_inertia(scratch, body)
        axis = load3(scratch, body, at.AXIS)
        f = load3(scratch, body, at.FORCE)
        t = load3(scratch, body, at.TORQUE)
        if tree.topology[joint, at.KIND] == at.REVOLUTE:
            U_f = mul(I[1], axis)
            U_t = sym_mul(I[2], axis)
            apparent = dot(axis, U_t)
            u = tau[joint] + dot(axis, t)
        else:
            U_f = sym_mul(I[0], axis)
            U_t = mul_t(I[1], axis)
            apparent = dot(axis, U_f)
            u = tau[joint] + dot(axis, f)
        free = 1.0 - scratch[body, at.BRAKED]
        d_inv = free / (apparent + tree.bodies[body, at.ROTOR])
        store3(scratch, body, at.U_F, U_f)
        store3(scratch, body, at.U_T, U_t)
        scratch[body, at.D_INV] = d_inv
        scratch[body, at.U] = u

        r = load3(scratch, body, at.ARM)
        gain = u * d_inv
        f = sub(f, scale(gain, U_f))
        t = sub(t, scale(gain, U_t))
        push(scratch, parent, f, add(t, cross(r, f)))
        here = inertia_add(load_inertia(scratch, parent), inertia_at_parent(I, r))
        U_t_there = add(U_t, cross(r, U_f))
        store_inertia(scratch, parent, inertia_minus_outer(here, d_inv, U_f, U_t_there))


@helper
def unfold(tree, qdd, scratch):
    """From base to tips: joint accelerations, given the base's in its scratch row."""
    for joint in range(joint_count(tree)):
        body = joint + 1
        if tree.topology[joint, at.KIND] == at.WHEEL:
            qdd[joint] = unfold_wheel(tree, body, scratch)
            continue
        parent = tree.topology[joint, at.PARENT]
        alpha = load3(scratch, parent, at.ALPHA)
        a = add(load3(scratch, parent, at.A), cross(alpha, load3(scratch, body, at.ARM)))
        axis = load3(scratch, body, at.AXIS)
        load = dot(load3(scratch, body, at.U_F), a) + dot(load3(scratch, body, at.U_T), alpha)
        rate = (scratch[body, at.U] - load) * scratch[body, at.D_INV]
        if tree.topology[joint, at.KIND] == at.REVOLUTE:
            alpha = add(alpha, scale(rate, axis))
        else:
            a = add(a, scale(rate, axis))
        store3(scratch, body, at.A, a)
        store3(scratch, body, at.ALPHA, alpha)
        qdd[joint] = rate


@helper
def solve_base(scratch):
    """Accelerations of the base's origin [m/s2] and axes [rad/s2], inertial, in base axes; after
    `articulate`, before `unfold`."""
    a, alpha = inertia_solve(
        load_inertia(scratch, 0), load3(scratch, 0, at.FORCE), load3(scratch, 0, at.TORQUE)
    )
    store3(scratch, 0, at.A, a)
    store3(scratch, 0, at.ALPHA, alpha)
    return a, alpha


@helper
def accelerate_free(tree, tau, qdd, scratch):
    """Acceleration of the base's origin [m/s2] and of its axes [rad/s2], inertial, base axes;
    joint accelerations into `qdd`."""
    articulate(tree, tau, scratch)
    a, alpha = solve_base(scratch)
    unfold(tree, qdd, scratch)
    return a, alpha


@helper
def accelerate_prescribed(tree, tau, base, qdd, scratch):
    """Joint accelerations of an arm whose base moves with the given (a, α), base axes.

    Uniform gravity g is a base that accelerates with a - g.  Returns the wrench (f, t) that
    the carrier must exert on the base for that motion, about its origin.
    """
    a, alpha = base
    articulate(tree, tau, scratch)
    store3(scratch, 0, at.A, a)
    store3(scratch, 0, at.ALPHA, alpha)
    unfold(tree, qdd, scratch)
    f, t = inertia_mul(load_inertia(scratch, 0), a, alpha)
    return sub(f, load3(scratch, 0, at.FORCE)), sub(t, load3(scratch, 0, at.TORQUE))
