"""The craft with its joints as they are now, as one rigid body: its inertia M_b, and the momentum
M_bq q̇ that the joints alone make while the base rests.

    h = (p, L) = M_b V_b + M_bq q̇        about the base's origin, in base axes

Twist from momentum, momentum from twist and the tide then take no look at any link.
"""

from typing import NamedTuple

from proxops.core.jit import helper
from proxops.core.spatial.vector import (
    NO_MATRIX,
    ZERO,
    add,
    cross,
    get3,
    point_inertia,
    put3,
    rotate_sym,
    scale,
    sub,
    sym_add,
    sym_inverse,
    sym_minus_outer,
    sym_mul,
    sym_sub,
)
from proxops.physics.multibody import tree as at
from proxops.physics.multibody.kinematics import move
from proxops.physics.multibody.tree import joint_count, load3, load_mat, load_sym, store_sym
from proxops.physics.orbit.tidal import gravity_gradient_torque, pull_at, tidal_acceleration

# In a row of numbers
MASS = 0
CENTRE = 1
INERTIA = 4
LINEAR = 10
ANGULAR = 13
COMPOSITE_WIDTH = 16


class Composite(NamedTuple):
    """All bodies as one, in base axes."""

    mass: float  # [kg]
    centre: tuple[float, ...]  # of mass, from the base's origin [m]
    inertia: tuple[float, ...]  # about the centre of mass: xx, yy, zz, xy, xz, yz [kg m2]
    linear: tuple[float, ...]  # momentum of the joints' motion alone [kg m/s]
    angular: tuple[float, ...]  # about the base's origin [kg m2/s]


@helper
def place_composite(tree, q, qd, links):
    """The composite for joints q, q̇.  Leaves in `links` the bodies as they move while the base
    rests, and each one's inertia about its own origin, in base axes."""
    move(tree, (ZERO, ZERO), q, qd, links)
    mass = tree.bodies[0, at.MASS]
    moment = scale(mass, load3(tree.bodies, 0, at.COM))
    inertia = load_sym(tree.bodies, 0, at.INERTIA)
    linear, angular = ZERO, ZERO
    store_sym(links, 0, at.I_TT, inertia)
    for joint in range(joint_count(tree)):
        body = joint + 1
        w = load3(links, body, at.W)
        if tree.topology[joint, at.KIND] == at.WHEEL:  # a rotor; its mass is the hub's
            J, axis = tree.bodies[body, at.INERTIA + 2], load3(links, body, at.AXIS)
            own = sym_minus_outer(NO_MATRIX[:6], -J, axis)
            store_sym(links, body, at.I_TT, own)
            inertia = sym_add(inertia, own)
            angular = add(angular, sym_mul(own, w))
            continue
        m, c = tree.bodies[body, at.MASS], load3(links, body, at.C)
        P, v = load3(links, body, at.P), load3(links, body, at.V)
        R = load_mat(links, body, at.R)
        own = rotate_sym(R, load_sym(tree.bodies, body, at.INERTIA))
        store_sym(links, body, at.I_TT, own)
        there = add(P, c)
        p = scale(m, add(v, cross(w, c)))
        L = add(sym_mul(own, w), scale(m, cross(c, v)))
        mass += m
        moment = add(moment, scale(m, there))
        shifted = sym_sub(point_inertia(m, there), point_inertia(m, c))
        inertia = sym_add(inertia, sym_add(own, shifted))
        linear = add(linear, p)
        angular = add(angular, add(L, cross(P, p)))
    centre = scale(1.0 / mass, moment)
    return Composite(mass, centre, sym_sub(inertia, point_inertia(mass, centre)), linear, angular)


@helper
def twist_from_momentum(composite, h):
    """V_b = M_b⁻¹ (h - M_bq q̇) [m/s, rad/s]:

    I w = L - c × p,   v = p/m - w × c      of what the joints leave of h, I about c
    """
    p, L = sub(h[0], composite.linear), sub(h[1], composite.angular)
    c = composite.centre
    w = sym_mul(sym_inverse(composite.inertia), sub(L, cross(c, p)))
    return sub(scale(1.0 / composite.mass, p), cross(w, c)), w


@helper
def momentum_from_twist(composite, V):
    """h = M_b V_b + M_bq q̇ [kg m/s, kg m2/s]."""
    v, w = V
    c = composite.centre
    p = scale(composite.mass, add(v, cross(w, c)))
    L = add(sym_mul(composite.inertia, w), cross(c, p))
    return add(composite.linear, p), add(composite.angular, L)


@helper
def tide_on_composite(composite, sky):
    """(f, t) [N, N m] of the tide about the base's origin, in base axes; `sky` is (μ, R of O, p of
    the base in O), in base axes.

    The craft is taken as `physics.orbit.tidal` takes a link: as a point mass for the force, which
    neglects 3 (L/|R|)² of gravity for a radius of gyration L, and as its inertia for the torque.
    """
    mu, R, p = sky
    if mu == 0.0:
        return ZERO, ZERO
    c = composite.centre
    r = add(p, c)
    d = add(R, r)
    pull = pull_at(mu, d)
    f = scale(composite.mass, tidal_acceleration(mu, R, r))
    t = gravity_gradient_torque(3.0 * pull[0] * pull[1], d, (composite.inertia, 0.0, ZERO))
    return f, add(t, cross(c, f))


@helper
def put_composite(row, composite):
    """Stores a composite (COMPOSITE_WIDTH,)."""
    row[MASS] = composite.mass
    put3(row, CENTRE, composite.centre)
    put3(row, INERTIA, composite.inertia[:3])
    put3(row, INERTIA + 3, composite.inertia[3:])
    put3(row, LINEAR, composite.linear)
    put3(row, ANGULAR, composite.angular)


@helper
def get_composite(row):
    """A composite out of its row."""
    inertia = get3(row, INERTIA) + get3(row, INERTIA + 3)
    return Composite(row[MASS], get3(row, CENTRE), inertia, get3(row, LINEAR), get3(row, ANGULAR))
