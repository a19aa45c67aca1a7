"""What the tide of the reference orbit does to every body of a craft.  Call `place` first."""

from proxops.core.jit import helper
from proxops.core.spatial.vector import NO_MATRIX, ZERO, add, cross, dot, scale, sym_add
from proxops.physics.multibody import tree as at
from proxops.physics.multibody.forward import push
from proxops.physics.multibody.tree import load3, load_sym
from proxops.physics.orbit.tidal import (
    gravity_gradient_torque,
    pull_at,
    pull_beside,
    tidal_acceleration,
)


@helper
def wheel_count(tree):
    """Number of wheels: they come last."""
    first = tree.topology.shape[0]
    while first > 0 and tree.topology[first - 1, at.KIND] == at.WHEEL:
        first -= 1
    return tree.topology.shape[0] - first


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
    d, at_base = add(R, p), tidal_acceleration(mu, R, p)
    pull = pull_at(mu, d)
    strength = 3.0 * pull[0] * pull[1]
    for body in range(tree.bodies.shape[0] - wheel_count(tree)):
        m = tree.bodies[body, at.MASS]
        c = load3(scratch, body, at.C)
        w = load3(scratch, body, at.W)
        com = add(load3(scratch, body, at.P), c)
        more, share = pull_beside(pull, d, com)
        f = scale(m, add(at_base, more))
        I = load_sym(scratch, body, at.I_TT)
        if body == 0:
            I = sym_add(I, wheels_inertia(tree, scratch))
        twist = gravity_gradient_torque(strength * share, add(d, com), (I, m, c))
        push(scratch, body, f, add(twist, cross(c, f)))
        force = add(force, f)
        torque = add(torque, add(twist, cross(com, f)))
        power += dot(f, add(load3(scratch, body, at.V), cross(w, c))) + dot(twist, w)
    return force, torque, power
