"""Modes of appendages, coupled to the hub that carries them.

A point of an appendage stands at u = u₀ + Σ φᵢ ηᵢ from the hub's origin, in hub axes, with
mass-normalised shapes φᵢ.  For a beam φᵢ = φᵢ(s) eᵢ bends along eᵢ.  With

    σᵢ = ∫ φᵢ dm,   kᵢ = ∫ φᵢ u₀ dm,   cᵢ = ∫ φᵢ u dm = kᵢ + Σ (same shape) ηⱼ eⱼ

the participations are Sᵢ = σᵢ eᵢ and Hᵢ = cᵢ × eᵢ, and the equations of hub and modes

    I [a; α] + Σ Dᵢ η̈ᵢ = F,     Dᵢ = [Sᵢ; Hᵢ],     I with the deflected appendages
    Dᵢᵀ [a; α] + η̈ᵢ = gᵢ

are solved by taking the modes out at the hub: (I - Σ Dᵢ Dᵢᵀ) [a; α] = F - Σ Dᵢ gᵢ.
Modes from a finite-element model come with Sᵢ and Hᵢ alone: constant, no change of inertia.
"""

from proxops.core.jit import helper
from proxops.core.spatial.vector import (
    ZERO,
    add,
    cross,
    dot,
    point_inertia,
    scale,
    sub,
    sym_add,
    sym_minus_outer,
    sym_mul,
    sym_sub,
)
from proxops.physics.multibody import tree as at
from proxops.physics.multibody.forward import load_inertia, push, store_inertia
from proxops.physics.multibody.inertia import inertia_add, rigid_coupling
from proxops.physics.multibody.tree import load3, load_mat, load_sym, store3, store_mat, store_sym

BEAM = 0
MODAL = 1

# The two modes of a pair stand in neighbouring rows, so these are also the way to the partner.
ALONE = 0
FIRST = 1
SECOND = -1

# Columns of a table of modes.  Row 0 is not a mode: it holds what is constant of all of them
# together, -Σ D Dᵀ undeflected, as the three blocks of an inertia, and -Σ k kᵀ, once for each
# shape.  Modes follow from row 1.
KIND = 0
STIFFNESS = 1  # ω², clamped [1/s2]
DAMPING = 2  # 2ζω [1/s]
SIGMA = 3  # ∫ φ dm [√kg]; one for modal data
E = 4  # direction of bending, unit; S itself for modal data [√kg]
K = 7  # ∫ φ u₀ dm [√kg m]
H = 10  # k × e, the rotational participation while nothing is deflected [√kg m]
AWAY = 13  # e' × e with the partner's e', by which H grows as the partner bends; zero if alone
PAIR = 16  # whether the same shape bends along two axes: ALONE, or FIRST or SECOND of two modes
PER_ETA = 17  # modal coordinate that a user sees, per unit of η [1/√kg]
REDUCTION_FF = 0
REDUCTION_FT = 6
REDUCTION_TT = 15
MOMENT = 21  # -Σ k kᵀ [kg m2]
MODE_WIDTH = 27


@helper
def mode_count(modes):
    """Number of modes."""
    return modes.shape[0] - 1


@helper
def coupling(modes, row, eta):
    """(S, H) of a mode: momentum and angular momentum about the hub's origin per unit of η̇."""
    S = scale(modes[row, SIGMA], load3(modes, row, E))
    H_now = load3(modes, row, H)
    if modes[row, PAIR] != ALONE:
        H_now = add(H_now, scale(eta[_partner(modes, row) - 1], load3(modes, row, AWAY)))
    return S, H_now


@helper
def arm_of_mode(modes, row, eta):
    """c = ∫ φ u dm of a beam's mode, deflected [√kg m]."""
    c = add(load3(modes, row, K), scale(eta[row - 1], load3(modes, row, E)))
    if modes[row, PAIR] != ALONE:
        partner = _partner(modes, row)
        c = add(c, scale(eta[partner - 1], load3(modes, partner, E)))
    return c


@helper
def deflect(modes, eta, eta_rate, g, scratch):
    """Adds the deflected appendages to the hub's row, and writes each mode's gᵢ.

        g = -ω²η - 2ζω η̇ + e · b,     b = -(w × (w × c) + 2 w × ḋ),     d = Σ (same shape) ηⱼ eⱼ

    The hub is charged with  f = -(w × (w × ΔS) + 2 w × Ṡ)  and
    t = -(w × (ΔI w) + Σ 2 c × (w × ḋ)), where ΔI = Σ (|c|² - |k|²) 1 - (c cᵀ - k kᵀ) over shapes.
    Modes of modal data have no c: they add w × Σ H η̇ to -t.
    """
    if mode_count(modes) == 0:
        return
    w = load3(scratch, 0, at.W)
    w_twice = scale(2.0, w)
    outwards = point_inertia(1.0, w)  # -w × (w × c) = outwards c
    S, S_rate, h, turn = ZERO, ZERO, ZERO, ZERO
    second = load_sym(modes, 0, MOMENT)
    for mode in range(mode_count(modes)):
        row = mode + 1
        pair = modes[row, PAIR]
        if pair == SECOND:
            continue  # the first did it for both
        e, sigma = load3(modes, row, E), modes[row, SIGMA]
        d, d_rate = scale(eta[mode], e), scale(eta_rate[mode], e)
        pull = _spring(modes, mode, eta, eta_rate)
        if modes[row, KIND] == MODAL:
            h = add(h, scale(eta_rate[mode], load3(modes, row, H)))
        else:
            if pair == FIRST:
                e_p = load3(modes, row + 1, E)
                d = add(d, scale(eta[mode + 1], e_p))
                d_rate = add(d_rate, scale(eta_rate[mode + 1], e_p))
            c = add(load3(modes, row, K), d)
            coriolis = cross(w_twice, d_rate)
            b = sub(sym_mul(outwards, c), coriolis)
            pull += dot(e, b)
            if pair == FIRST:
                g[mode + 1] = dot(e_p, b) + _spring(modes, mode + 1, eta, eta_rate)
            turn = add(turn, cross(c, coriolis))
            second = sym_minus_outer(second, -1.0, c)
        g[mode] = pull
        S = add(S, scale(sigma, d))
        S_rate = add(S_rate, scale(sigma, d_rate))
    I = _inertia_of_second(second)
    f = add(cross(w, cross(w, S)), scale(2.0, cross(w, S_rate)))
    t = add(cross(w, add(sym_mul(I, w), h)), turn)
    push(scratch, 0, scale(-1.0, f), scale(-1.0, t))
    I_ft = _mat_add(load_mat(scratch, 0, at.I_FT), rigid_coupling(1.0, S))
    store_mat(scratch, 0, at.I_FT, I_ft)
    store_sym(scratch, 0, at.I_TT, sym_add(load_sym(scratch, 0, at.I_TT), I))
    mass = scratch[0, at.I_FF]
    store3(scratch, 0, at.C, add(load3(scratch, 0, at.C), scale(1.0 / mass, S)))


@helper
def take_out(modes, eta, g, scratch):
    """Takes the modes out of the hub's equations, once the arms are folded into them.

    Bending along e by η and along e' by η' changes -Σ D Dᵀ of the pair by less than it looks:
        ft:  -σ (η' e - η e') rᵀ,     tt:  -(m rᵀ + r mᵀ),     r = e' × e,
        m = η' H - η H' + ½ (η² + η'²) r,   with H, H' undeflected
    """
    if mode_count(modes) == 0:
        return
    I = load_inertia(scratch, 0)
    reduction = (
        load_sym(modes, 0, REDUCTION_FF),
        load_mat(modes, 0, REDUCTION_FT),
        load_sym(modes, 0, REDUCTION_TT),
    )
    I_ff, I_ft, I_tt = inertia_add(I, reduction)
    f, t = load3(scratch, 0, at.FORCE), load3(scratch, 0, at.TORQUE)
    for mode in range(mode_count(modes)):
        row = mode + 1
        e, sigma, h = load3(modes, row, E), modes[row, SIGMA], load3(modes, row, H)
        f = sub(f, scale(sigma * g[mode], e))
        t = sub(t, scale(g[mode], h))
        if modes[row, PAIR] == FIRST:
            x, x_p = eta[mode], eta[mode + 1]
            r = load3(modes, row, AWAY)
            t = sub(t, scale(x_p * g[mode] - x * g[mode + 1], r))
            lean = sub(scale(x_p, e), scale(x, load3(modes, row + 1, E)))
            m = sub(scale(x_p, h), scale(x, load3(modes, row + 1, H)))
            m = add(m, scale(0.5 * (x * x + x_p * x_p), r))
            I_ft = _minus_outer(I_ft, scale(sigma, lean), r)
            I_tt = sym_sub(I_tt, _both_ways(m, r))
    store_inertia(scratch, 0, (I_ff, I_ft, I_tt))
    store3(scratch, 0, at.FORCE, f)
    store3(scratch, 0, at.TORQUE, t)


@helper
def put_back(modes, eta, a, alpha, g):
    """Turns g into the modes' accelerations: η̈ = g - S·a - H·α."""
    for mode in range(mode_count(modes)):
        row = mode + 1
        excitation = modes[row, SIGMA] * dot(load3(modes, row, E), a) + dot(
            load3(modes, row, H), alpha
        )
        if modes[row, PAIR] != ALONE:
            excitation += eta[_partner(modes, row) - 1] * dot(load3(modes, row, AWAY), alpha)
        g[mode] -= excitation


@helper
def modal_momentum(modes, eta, eta_rate):
    """What the modes' rates add to momentum and angular momentum about the hub's origin, and
    ½ |η̇|² [J]."""
    p, h, energy = ZERO, ZERO, 0.0
    for mode in range(mode_count(modes)):
        S, H_now = coupling(modes, mode + 1, eta)
        p = add(p, scale(eta_rate[mode], S))
        h = add(h, scale(eta_rate[mode], H_now))
        energy += 0.5 * eta_rate[mode] ** 2
    return p, h, energy


@helper
def modal_power(modes, eta, eta_rate):
    """Power of the appendages' springs and of their dampers [W]."""
    springs, dampers = 0.0, 0.0
    for mode in range(mode_count(modes)):
        springs -= modes[mode + 1, STIFFNESS] * eta[mode] * eta_rate[mode]
        dampers -= modes[mode + 1, DAMPING] * eta_rate[mode] ** 2
    return springs, dampers


@helper
def _partner(modes, row):
    """Row of the same shape along the other axis."""
    return row + int(modes[row, PAIR])


@helper
def _spring(modes, mode, eta, eta_rate):
    """-ω²η - 2ζω η̇."""
    row = mode + 1
    return -modes[row, STIFFNESS] * eta[mode] - modes[row, DAMPING] * eta_rate[mode]


@helper
def _inertia_of_second(C):
    """(tr C) 1 - C: the inertia of what has the second moment C."""
    return C[1] + C[2], C[0] + C[2], C[0] + C[1], -C[3], -C[4], -C[5]


@helper
def _mat_add(A, B):
    """A + B."""
    return add(A[:3], B[:3]) + add(A[3:6], B[3:6]) + add(A[6:], B[6:])


@helper
def _minus_outer(M, a, b):
    """M - a bᵀ."""
    return (
        M[0] - a[0] * b[0],
        M[1] - a[0] * b[1],
        M[2] - a[0] * b[2],
        M[3] - a[1] * b[0],
        M[4] - a[1] * b[1],
        M[5] - a[1] * b[2],
        M[6] - a[2] * b[0],
        M[7] - a[2] * b[1],
        M[8] - a[2] * b[2],
    )


@helper
def _both_ways(a, b):
    """a bᵀ + b aᵀ."""
    return (
        2.0 * a[0] * b[0],
        2.0 * a[1] * b[1],
        2.0 * a[2] * b[2],
        a[0] * b[1] + a[1] * b[0],
        a[0] * b[2] + a[2] * b[0],
        a[1] * b[2] + a[2] * b[1],
    )
