"""What the tide of the reference orbit does to every body of a craft.  Call `place` first."""

from proxops.core.jit import helper
from proxops.core.spatial.vector import (
    NO_MATRIX,
    ZERO,
    add,
    cross,
    dot,
    point_inertia,
    scale,
    sym_add,
    sym_sub,
)
from proxops.physics.multibody import tree as at
from proxops.physics.multibody.forward import push
from proxops.physics.multibody.tree import load3, load_sym
from proxops.physics.orbit.tidal import gravity_gradient_torque, tidal_acceleration


@helper
def wheel_count(tree):
    """Number of wheels: they come last."""
    count = 0
    for joint in range(tree.topology.shape[0]):
        count += 1 if tree.topology[joint, at.KIND] == at.WHEEL else 0
    return count


@helper
def wheels_inertia(tree, scratch):
    """Of all wheels about their axes, base axes [kg m2]."""
    total = NO_MATRIX[:6]
    for body in range(tree.bodies.shape[0] - wheel_count(tree), tree.bodies.shape[0]):
        total = sym_add(total, load_sym(scratch, body, at.I_TT))
    return total


@helper
def pull_of_tide(tree, sky, scratch):
    """Adds tidal force and gravity-gradient torque to every body; returns the total force, the
    total torque about the base's origin (both in base axes) and the power.

    `sky` is (μ, R of O in N, p of the base in O), in base axes.  What pulls at wheels counts as the
    base's: it has no part along their axes.
    """
    mu, R, p = sky
    force, torque, power = ZERO, ZERO, 0.0
    if mu == 0.0:
        return force, torque, power
    for body in range(tree.bodies.shape[0] - wheel_count(tree)):
        m = tree.bodies[body, at.MASS]
        c = load3(scratch, body, at.C)
        w = load3(scratch, body, at.W)
        com = add(load3(scratch, body, at.P), c)
        r = add(p, com)
        f = scale(m, tidal_acceleration(mu, R, r))
        about_com = sym_sub(load_sym(scratch, body, at.I_TT), point_inertia(m, c))
        if body == 0:
            about_com = sym_add(about_com, wheels_inertia(tree, scratch))
        twist = gravity_gradient_torque(mu, add(R, r), about_com)
        push(scratch, body, f, add(twist, cross(c, f)))
        force = add(force, f)
        torque = add(torque, add(twist, cross(com, f)))
        power += dot(f, add(load3(scratch, body, at.V), cross(w, c))) + dot(twist, w)
    return force, torque, power
