"""An arm that stands on a moving carrier under gravity and shall move as it does in orbit.

    on the ground  M_bqᵀ V̇_s + M_q q̈ + (C ν)_q at V_s = τ_q + J_mᵀ F_e + G                  (20)
    torque         τ_q = τ - G + M_bqᵀ (V̇_s - V̇_b) + (C ν)_q at V_s - (C ν)_q at V_b         (22)

V_b is the base's twist in orbit, V_s that of the carrier, G = -∂U/∂q.  V̇_s - V̇_b = -d/dt δV, so
nothing is differenced and no acceleration need be known.  The paper writes C ν as sums of blocks,
C_q q̇ + C_qb V; however C is factored, only those sums appear, which are unique.

The same difference in the base's six rows is what the carrier must add (18), so both come as one
vector, what the nominal motion, gravity and tide make between ground and orbit:

    X = M [-d/dt δV; 0] + C ν at V_s - C ν at V_b - gravity + tide

The arm stands and moves the same on both, so the difference needs it placed once, on a base at
rest.  A link there has its origin at P with the velocity u, and turns with ω; on a base with w and
the accelerations a₀ of its origin and α₀ it turns with w + ω and accelerates with

    a = a₀ + α₀ × P + w × (w × P) + 2 w × u + ...,   α = α₀ + w × ω + ...

beyond what is the same on both.  With Δ the difference of both bases and w̄ their mean,
Δ(w × (w × r)) = Δw × (w̄ × r) + w̄ × (Δw × r), so nothing large cancels.

Source: De Stefano et al., RA-L 2021, without the tide.  The arm on the ground is the one in orbit.
"""

from proxops.core.jit import helper, part
from proxops.core.spatial.vector import ZERO, add, cross, scale, sub, sym_mul
from proxops.physics.multibody import tree as at
from proxops.physics.multibody.inverse import gather
from proxops.physics.multibody.tide import pull_of_tide
from proxops.physics.multibody.tree import load3, load_sym, store3


@helper
def proper_acceleration(V, V_rate, g):
    """(a - g, α) [m/s2, rad/s2] of a base with the twist V, the rate V̇ of its components, and
    gravity g, all in base axes: the base that `accelerate_prescribed` takes, which then is (20)."""
    v, w = V
    v_rate, w_rate = V_rate
    return sub(add(v_rate, cross(w, v)), g), w_rate


@helper
def swing_difference(mean, apart, r):
    """Δ(w × (w × r)) for the mean and the difference of two angular velocities."""
    return add(cross(apart, cross(mean, r)), cross(mean, cross(apart, r)))


@helper
def link_difference(tree, body, bases, links):
    """(f, t) [N, N m] that a body's motion takes on the ground beyond what it takes in orbit, about
    its origin; `bases` is (w̄, Δw, Δa₀, Δα₀)."""
    mean, apart, more_a, more_alpha = bases
    P, u, omega = load3(links, body, at.P), load3(links, body, at.V), load3(links, body, at.W)
    c, I = load3(links, body, at.C), load_sym(links, body, at.I_TT)
    alpha = add(more_alpha, cross(apart, omega))
    a = add(more_a, add(cross(more_alpha, P), swing_difference(mean, apart, P)))
    a = add(a, scale(2.0, cross(apart, u)))
    w = add(mean, omega)
    is_wheel = body > 0 and tree.topology[body - 1, at.KIND] == at.WHEEL
    m = 0.0 if is_wheel else tree.bodies[body, at.MASS]
    f = scale(m, add(a, add(cross(alpha, c), swing_difference(w, apart, c))))
    spin = add(cross(apart, sym_mul(I, w)), cross(w, sym_mul(I, apart)))
    return f, add(add(sym_mul(I, alpha), spin), scale(m, cross(c, a)))


@part
def fill_difference(tree, base, sky, loads, links):
    """Writes X (6 + n) [N, N m]: wrench on the base at its origin, base axes, then τ_q - τ.

    `base` is (V_b, V_s, d/dt δV, g), `sky` (μ, R of O in N, p of the base in O), all in base axes;
    `links` as `composite.place_composite` leaves them.
    """
    V_b, V_s, apart, g = base
    back = scale(-1.0, apart[0]), scale(-1.0, apart[1])
    orbit = proper_acceleration(V_b, (ZERO, ZERO), ZERO)
    ground = proper_acceleration(V_s, back, g)
    mean, more_w = scale(0.5, add(V_s[1], V_b[1])), sub(V_s[1], V_b[1])
    bases = mean, more_w, sub(ground[0], orbit[0]), sub(ground[1], orbit[1])
    for body in range(tree.bodies.shape[0]):
        f, t = link_difference(tree, body, bases, links)
        store3(links, body, at.FORCE, f)
        store3(links, body, at.TORQUE, t)
    pull_of_tide(tree, sky, links)
    gather(tree, loads, links)
    for i in range(loads.shape[0]):
        loads[i] = -loads[i]
