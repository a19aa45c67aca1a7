"""Energy of a body that a carrier shows, and the power at the contact between two of them.

Storage of the target's carrier (25), with M_t of the body in orbit:

    W = ½ (V_MT + δV)ᵀ M_t (V_MT + δV),     Ẇ = (V_MT + δV)ᵀ F

so without contact it stays, whatever the nominal motion, if there is no tide.  At the grasp the
facility exchanges (V_E - V_G)ᵀ F_e (28), laboratory twists of end effector and grapple: δV drops
out of their difference only if both are taken in one frame, J_b δV_s = δV_c there.

Source: De Stefano et al., RA-L 2021.
"""

from proxops.core.jit import helper
from proxops.core.spatial.pose import minus, plus, power
from proxops.core.spatial.vector import cross, dot, scale, sym_mul
from proxops.physics.multibody import tree as at
from proxops.physics.multibody.tree import load3, load_sym


@helper
def kinetic_energy(bodies, body, V):
    """½ VᵀMV [J] of one rigid body with the twist V of its origin, in its axes."""
    v, w = V
    m = bodies[body, at.MASS]
    swing = scale(2.0, cross(w, load3(bodies, body, at.COM)))
    turning = dot(w, sym_mul(load_sym(bodies, body, at.INERTIA), w))
    return 0.5 * (m * (dot(v, v) + dot(v, swing)) + turning)


@helper
def storage(bodies, V_MT, apart):
    """W [J] of the rigid target, row 0 of `bodies`, shown with V_MT while M gives it δV."""
    return kinetic_energy(bodies, 0, plus(V_MT, apart))


@helper
def port_power(V_E, V_G, F):
    """Power [W] that flows out of the contact (28): twists of end effector and grapple, and the
    wrench on the end effector, all in the grapple's frame."""
    return power(minus(V_E, V_G), F)
