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
    sym_mul,
)
from proxops.physics.multibody import tree as at
from proxops.physics.multibody.forward import load_inertia, push, store_inertia
from proxops.physics.multibody.inertia import inertia_add, inertia_minus_outer, rigid_coupling
from proxops.physics.multibody.tree import load3, load_mat, load_sym, store3

BEAM = 0
MODAL = 1
NO_PARTNER = -1

# Columns of a table of modes.  Row 0 is not a mode: it holds -Σ D Dᵀ of the modes without a
# partner, whose coupling is constant, as the three blocks of an inertia.  Modes follow from row 1.
KIND = 0
OMEGA = 1  # clamped angular frequency [rad/s]
ZETA = 2  # damping ratio [-]
SIGMA = 3  # ∫ φ dm [√kg]; one for modal data
E = 4  # direction of bending, unit; S itself for modal data [√kg]
K = 7  # ∫ φ u₀ dm [√kg m]
KE = 10  # k · e
H = 11  # k × e, the rotational participation while nothing is deflected [√kg m]
J = 14  # how the inertia grows with η: 2 (k · e) 1 - k eᵀ - e kᵀ, symmetric [√kg m]
PARTNER = 20  # number of the mode with the same shape along the other axis
PER_ETA = 21  # modal coordinate that a user sees, per unit of η [1/√kg]
MODE_WIDTH = 22
REDUCTION_FF = 0
REDUCTION_FT = 6
REDUCTION_TT = 15


@helper
def mode_count(modes):
    """Number of modes."""
    return modes.shape[0] - 1


@helper
def coupling(modes, row, eta):
    """(S, H) of a mode: momentum and angular momentum about the hub's origin per unit of η̇."""
    S = scale(modes[row, SIGMA], load3(modes, row, E))
    H_now = load3(modes, row, H)
    partner = int(modes[row, PARTNER])
    if partner != NO_PARTNER:
        away = cross(load3(modes, partner + 1, E), load3(modes, row, E))
        H_now = add(H_now, scale(eta[partner], away))
    return S, H_now


@helper
def arm_of_mode(modes, row, eta):
    """c = ∫ φ u dm of a beam's mode, deflected [√kg m]."""
    c = add(load3(modes, row, K), scale(eta[row - 1], load3(modes, row, E)))
    partner = int(modes[row, PARTNER])
    if partner != NO_PARTNER:
        c = add(c, scale(eta[partner], load3(modes, partner + 1, E)))
    return c


@helper
def deflect(modes, eta, eta_rate, g, scratch):
    """Adds the deflected appendages to the hub's row, and writes each mode's gᵢ.

        g = -ω²η - 2ζω η̇ + (c·e)|w|² - (c·w)(e·w) - 2 w · (ḋ × e)

    The hub is charged with  f = -(w × (w × ΔS) + 2 w × Ṡ)  and
    t = -(w × (ΔI w) + Σ 2η̇ ((c·e) w - (c·w) e)).
    """
    if mode_count(modes) == 0:
        return
    w = load3(scratch, 0, at.W)
    spin = dot(w, w)
    S, S_rate, turn, spread = ZERO, ZERO, ZERO, 0.0
    I = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    for mode in range(mode_count(modes)):
        row = mode + 1
        x, x_rate = eta[mode], eta_rate[mode]
        omega = modes[row, OMEGA]
        e = load3(modes, row, E)
        sigma = modes[row, SIGMA]
        S = add(S, scale(sigma * x, e))
        S_rate = add(S_rate, scale(sigma * x_rate, e))
        pull = -omega * (omega * x + 2.0 * modes[row, ZETA] * x_rate)
        if modes[row, KIND] == BEAM:
            ew = dot(e, w)
            ce = modes[row, KE] + x
            cw = dot(load3(modes, row, K), w) + x * ew
            I = sym_add(I, sym_add(_times(x, load_sym(modes, row, J)), point_inertia(x * x, e)))
            partner = int(modes[row, PARTNER])
            if partner != NO_PARTNER:
                e_p = load3(modes, partner + 1, E)
                cw += eta[partner] * dot(e_p, w)
                pull -= 2.0 * eta_rate[partner] * dot(w, cross(e_p, e))
                # once for the pair
                I = sym_add(I, _times(-0.5 * x * eta[partner], _both_ways(e, e_p)))
            pull += ce * spin - cw * ew
            spread += x_rate * ce
            turn = sub(turn, scale(x_rate * cw, e))
        else:
            turn = add(turn, scale(0.5 * x_rate, cross(w, load3(modes, row, H))))
        g[mode] = pull
    f = add(cross(w, cross(w, S)), scale(2.0, cross(w, S_rate)))
    t = add(cross(w, sym_mul(I, w)), scale(2.0, add(turn, scale(spread, w))))
    push(scratch, 0, scale(-1.0, f), scale(-1.0, t))
    added = ((0.0, 0.0, 0.0, 0.0, 0.0, 0.0), rigid_coupling(1.0, S), I)
    I_hub = inertia_add(load_inertia(scratch, 0), added)
    store_inertia(scratch, 0, I_hub)
    store3(scratch, 0, at.C, add(load3(scratch, 0, at.C), scale(1.0 / I_hub[0][0], S)))


@helper
def take_out(modes, eta, g, scratch):
    """Takes the modes out of the hub's equations, once the arms are folded into them."""
    if mode_count(modes) == 0:
        return
    I = load_inertia(scratch, 0)
    reduction = (
        load_sym(modes, 0, REDUCTION_FF),
        load_mat(modes, 0, REDUCTION_FT),
        load_sym(modes, 0, REDUCTION_TT),
    )
    I = inertia_add(I, reduction)
    f, t = load3(scratch, 0, at.FORCE), load3(scratch, 0, at.TORQUE)
    for mode in range(mode_count(modes)):
        row = mode + 1
        S, H_now = coupling(modes, row, eta)
        if modes[row, PARTNER] != NO_PARTNER:
            I = inertia_minus_outer(I, 1.0, S, H_now)
        f = sub(f, scale(g[mode], S))
        t = sub(t, scale(g[mode], H_now))
    store_inertia(scratch, 0, I)
    store3(scratch, 0, at.FORCE, f)
    store3(scratch, 0, at.TORQUE, t)


@helper
def put_back(modes, eta, a, alpha, g):
    """Turns g into the modes' accelerations: η̈ = g - S·a - H·α."""
    for mode in range(mode_count(modes)):
        S, H_now = coupling(modes, mode + 1, eta)
        g[mode] -= dot(S, a) + dot(H_now, alpha)


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
        omega = modes[mode + 1, OMEGA]
        springs -= omega * omega * eta[mode] * eta_rate[mode]
        dampers -= 2.0 * modes[mode + 1, ZETA] * omega * eta_rate[mode] ** 2
    return springs, dampers


@helper
def _times(s, S):
    """s S for a symmetric S."""
    return s * S[0], s * S[1], s * S[2], s * S[3], s * S[4], s * S[5]


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
