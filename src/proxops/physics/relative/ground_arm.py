"""An arm that stands on a moving carrier under gravity and shall move as it does in orbit.

    on the ground  M_bqᵀ V̇_s + M_q q̈ + (C ν)_q at V_s = τ_q + J_mᵀ F_e + G                  (20)
    torque         τ_q = τ - G + M_bqᵀ (V̇_s - V̇_b) + (C ν)_q at V_s - (C ν)_q at V_b         (22)

V_b is the base's twist in orbit, V_s that of the carrier, G = -∂U/∂q.  V̇_s - V̇_b = -d/dt δV, so
nothing is differenced and no acceleration need be known.  The paper writes C ν as sums of blocks,
C_q q̇ + C_qb V; however C is factored, only those sums appear, which are unique.

The same difference in the base's six rows is what the carrier must add (18), so both come as one
vector, what the nominal motion, gravity and tide make between ground and orbit:

    X = M [-d/dt δV; 0] + C ν at V_s - C ν at V_b - gravity + tide

Source: De Stefano et al., RA-L 2021, without the tide.  The arm on the ground is the one in orbit.
"""

from proxops.core.jit import helper, part
from proxops.core.spatial.vector import ZERO, add, cross, scale, sub
from proxops.physics.multibody.inverse import charge_base, gather
from proxops.physics.multibody.kinematics import place
from proxops.physics.multibody.tide import pull_of_tide

# Rows of the workspace for the difference
DIFFERENCE = 0  # X
IN_ORBIT = 1
LOAD_ROWS = 2


@helper
def proper_acceleration(V, V_rate, g):
    """(a - g, α) [m/s2, rad/s2] of a base with the twist V, the rate V̇ of its components, and
    gravity g, all in base axes: the base that `accelerate_prescribed` takes, which then is (20)."""
    v, w = V
    v_rate, w_rate = V_rate
    return sub(add(v_rate, cross(w, v)), g), w_rate


@part
def fill_difference(tree, base, joints, sky, loads, scratch):
    """Writes X (6 + n) [N, N m] into a row of `loads`: wrench on the base at its origin, base axes,
    then τ_q - τ.

    `base` is (V_b, V_s, d/dt δV, g), `joints` (q, q̇), `sky` (μ, R of O in N, p of the base in O),
    all in base axes.
    """
    V_b, V_s, apart, g = base
    q, qd = joints
    place(tree, V_b, q, qd, scratch)
    pull_of_tide(tree, sky, scratch)
    charge_base(tree, proper_acceleration(V_b, (ZERO, ZERO), ZERO), scratch)
    gather(tree, loads[IN_ORBIT], scratch)
    place(tree, V_s, q, qd, scratch)
    back = scale(-1.0, apart[0]), scale(-1.0, apart[1])
    charge_base(tree, proper_acceleration(V_s, back, g), scratch)
    gather(tree, loads[DIFFERENCE], scratch)
    for i in range(loads.shape[1]):
        loads[DIFFERENCE, i] -= loads[IN_ORBIT, i]
