"""Inertia of a body or of a body with all it carries, as three blocks in base axes.

[f]   [I_ff   I_ft] [a]        I_ff, I_tt symmetric (6 numbers), I_ft full (9)
[t] = [I_ftᵀ  I_tt] [α]        a of the body's origin, t about it
"""

from proxops.core.jit import helper
from proxops.core.spatial.vector import (
    add,
    cross,
    mul,
    mul_t,
    scale,
    sub,
    sym_add,
    sym_inverse,
    sym_minus_outer,
    sym_mul,
    sym_sub,
)


@helper
def rigid_coupling(m, c):
    """I_ft of a rigid body: -m [c]×."""
    x, y, z = scale(m, c)
    return 0.0, z, -y, -z, 0.0, x, y, -x, 0.0


@helper
def inertia_mul(I, a, alpha):
    """(f, t) that the accelerations a, α of the body's origin take."""
    I_ff, I_ft, I_tt = I
    f = add(sym_mul(I_ff, a), mul(I_ft, alpha))
    t = add(mul_t(I_ft, a), sym_mul(I_tt, alpha))
    return f, t


@helper
def inertia_minus_outer(I, s, u_f, u_t):
    """I - s u uᵀ with u = (u_f, u_t)."""
    I_ff, I_ft, I_tt = I
    b = scale(s, u_f)
    return (
        sym_minus_outer(I_ff, s, u_f),
        (
            I_ft[0] - b[0] * u_t[0],
            I_ft[1] - b[0] * u_t[1],
            I_ft[2] - b[0] * u_t[2],
            I_ft[3] - b[1] * u_t[0],
            I_ft[4] - b[1] * u_t[1],
            I_ft[5] - b[1] * u_t[2],
            I_ft[6] - b[2] * u_t[0],
            I_ft[7] - b[2] * u_t[1],
            I_ft[8] - b[2] * u_t[2],
        ),
        sym_minus_outer(I_tt, s, u_t),
    )


@helper
def inertia_at_parent(I, r):
    """The same inertia felt at the parent's origin, r being the way from there to here.

    I_ft' = I_ft - I_ff [r]×,   I_tt' = I_tt + [r]× I_ft - I_ft'ᵀ [r]×
    """
    S, B, D = I
    # rows of I_ff [r]×: each is row × r
    b0 = sub((B[0], B[1], B[2]), cross((S[0], S[3], S[4]), r))
    b1 = sub((B[3], B[4], B[5]), cross((S[3], S[1], S[5]), r))
    b2 = sub((B[6], B[7], B[8]), cross((S[4], S[5], S[2]), r))
    # columns of [r]× I_ft: r × column, and rows of I_ft'ᵀ [r]×: column × r
    left0 = cross(r, (B[0], B[3], B[6]))
    left1 = cross(r, (B[1], B[4], B[7]))
    left2 = cross(r, (B[2], B[5], B[8]))
    right0 = cross((b0[0], b1[0], b2[0]), r)
    right1 = cross((b0[1], b1[1], b2[1]), r)
    right2 = cross((b0[2], b1[2], b2[2]), r)
    shifted = (
        D[0] + left0[0] - right0[0],
        D[1] + left1[1] - right1[1],
        D[2] + left2[2] - right2[2],
        D[3] + left1[0] - right0[1],
        D[4] + left2[0] - right0[2],
        D[5] + left2[1] - right1[2],
    )
    return S, (b0[0], b0[1], b0[2], b1[0], b1[1], b1[2], b2[0], b2[1], b2[2]), shifted


@helper
def inertia_solve(I, f, t):
    """The accelerations (a, α) of a free body under (f, t): block elimination of a."""
    I_ff, I_ft, I_tt = I
    inv = sym_inverse(I_ff)
    c0 = (I_ft[0], I_ft[3], I_ft[6])  # columns of I_ft
    c1 = (I_ft[1], I_ft[4], I_ft[7])
    c2 = (I_ft[2], I_ft[5], I_ft[8])
    e0 = sym_mul(inv, c0)
    e1 = sym_mul(inv, c1)
    e2 = sym_mul(inv, c2)
    reduced = sym_sub(
        I_tt,
        (
            c0[0] * e0[0] + c0[1] * e0[1] + c0[2] * e0[2],
            c1[0] * e1[0] + c1[1] * e1[1] + c1[2] * e1[2],
            c2[0] * e2[0] + c2[1] * e2[1] + c2[2] * e2[2],
            c0[0] * e1[0] + c0[1] * e1[1] + c0[2] * e1[2],
            c0[0] * e2[0] + c0[1] * e2[1] + c0[2] * e2[2],
            c1[0] * e2[0] + c1[1] * e2[1] + c1[2] * e2[2],
        ),
    )
    a_free = sym_mul(inv, f)
    alpha = sym_mul(sym_inverse(reduced), sub(t, mul_t(I_ft, a_free)))
    a = sub(a_free, sym_mul(inv, mul(I_ft, alpha)))
    return a, alpha


@helper
def inertia_add(I, J):
    """I + J."""
    B = I[1]
    E = J[1]
    return (
        sym_add(I[0], J[0]),
        (
            B[0] + E[0],
            B[1] + E[1],
            B[2] + E[2],
            B[3] + E[3],
            B[4] + E[4],
            B[5] + E[5],
            B[6] + E[6],
            B[7] + E[7],
            B[8] + E[8],
        ),
        sym_add(I[2], J[2]),
    )
