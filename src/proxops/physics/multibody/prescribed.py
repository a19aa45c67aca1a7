"""Motion of the base while the arm's motion is given (measured): the base's row of the equations.

    M_b V̇_b + M_bq q̈ + (C ν)_b = F

where q̈ is known, else in momentum form.  With h = (p, L) the momentum about the base's origin, in
base axes,

    h = M_b V_b + M_bq q̇,     ḣ = ad_Vᵀ h + F      V = V_b, F every external wrench at the origin

That one needs no q̈ and cannot leak momentum.
"""

from proxops.core.jit import helper, part
from proxops.core.spatial.pose import ad_transposed
from proxops.core.spatial.vector import add, get3, scale
from proxops.physics.multibody.composite import place_composite, twist_from_momentum
from proxops.physics.multibody.forward import load_inertia
from proxops.physics.multibody.inertia import inertia_solve
from proxops.physics.multibody.inverse import charge_joints, gather
from proxops.physics.multibody.mass_matrix import fold_composites


@part
def base_twist(tree, h, q, qd, scratch):
    """(v, w) [m/s, rad/s] of the base, in its axes, for momentum h and joints q, q̇.

        V_b = M_b⁻¹ (h - M_bq q̇)

    The scratch table is left holding the motion of the joints while the base rests, see
    `composite`: call `place` again before using it.
    """
    return twist_from_momentum(place_composite(tree, q, qd, scratch), h)


@part
def base_acceleration(tree, qdd, loads, scratch):
    """Inertial acceleration (a, α) [m/s2, rad/s2] of the base's origin and axes, base axes, while
    the joints accelerate with q̈; v̇ = a - w × v.

    Call `place` and push the external wrenches first; `loads` (6 + n) is overwritten.
    """
    charge_joints(tree, qdd, scratch)
    gather(tree, loads, scratch)
    fold_composites(tree, scratch)
    f, t = get3(loads, 0), get3(loads, 3)
    return inertia_solve(load_inertia(scratch, 0), scale(-1.0, f), scale(-1.0, t))


@helper
def momentum_rate(V, h, F):
    """ḣ = ad_Vᵀ h + F [N, N m] in base axes: the first term is the turn of those axes and the
    way of their origin."""
    turned_p, turned_L = ad_transposed(V, h)
    f, t = F
    return add(turned_p, f), add(turned_L, t)
