"""Where the mock-ups truly are, though commands believe otherwise.

Commands and what is made of the robots' axes know a carried hub B at X⁰ with v⁰ in L and w⁰ in B.
If its robot's base stands elsewhere in the lab, and B elsewhere on the flange,

    X_LB = E X⁰ D,     v = R_E (v⁰ + R⁰ (w⁰ × p_D)),     w = R_Dᵀ w⁰

with constant poses E, seen from L, and D, seen from where B is believed to be.
"""

from proxops.core.jit import part
from proxops.core.spatial.pose import compose
from proxops.core.spatial.quaternion import put4, quat_to_rotation
from proxops.core.spatial.vector import add, cross, get3, mul, mul_t, put3
from proxops.physics.relative.motion import get_pose
from proxops.plant import layout

# Of the misplacements of a carrier, (2, 7) [m, wxyz]
IN_LAB, ON_FLANGE = 0, 1  # E and D


@part
def misplace(misplaced, known, true):
    """Writes the true motion (13,) of a hub whose motion is known to be `known`."""
    E, D = get_pose(misplaced[IN_LAB]), get_pose(misplaced[ON_FLANGE])
    X, w = get_pose(known), get3(known, layout.W)
    v = add(get3(known, layout.V), mul(quat_to_rotation(X[0]), cross(w, D[1])))
    q, p = compose(compose(E, X), D)
    put3(true, layout.P, p)
    put4(true, layout.Q, q)
    put3(true, layout.V, mul(quat_to_rotation(E[0]), v))
    put3(true, layout.W, mul_t(quat_to_rotation(D[0]), w))
