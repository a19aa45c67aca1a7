"""Vectors (x, y, z), matrices (nine numbers, row by row) and symmetric matrices
(xx, yy, zz, xy, xz, yz) as tuples: LLVM keeps them in registers, nothing is allocated.
"""

import math

from proxops.core.jit import helper
from proxops.core.select import select

ZERO = (0.0, 0.0, 0.0)
IDENTITY = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
NO_MATRIX = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@helper
def add(a, b):
    """a + b."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@helper
def sub(a, b):
    """a - b."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@helper
def scale(s, a):
    """s a."""
    return s * a[0], s * a[1], s * a[2]


@helper
def dot(a, b):
    """a · b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@helper
def cross(a, b):
    """a × b."""
    return (
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    )


@helper
def norm(a):
    """|a|."""
    return math.sqrt(dot(a, a))


@helper
def get3(array, at):
    """Vector stored in a one-dimensional array from index `at`."""
    return array[at], array[at + 1], array[at + 2]


@helper
def put3(array, at, a):
    """Stores a vector in a one-dimensional array from index `at`."""
    array[at] = a[0]
    array[at + 1] = a[1]
    array[at + 2] = a[2]


@helper
def put3_where(test, array, at, a):
    """The same where a test holds."""
    array[at] = select(test, a[0], array[at])
    array[at + 1] = select(test, a[1], array[at + 1])
    array[at + 2] = select(test, a[2], array[at + 2])


@helper
def add3(array, at, a):
    """Adds a vector onto the one stored in a one-dimensional array from index `at`."""
    array[at] += a[0]
    array[at + 1] += a[1]
    array[at + 2] += a[2]


# --- matrices ---------------------------------------------------------------------------------


@helper
def mul(M, a):
    """M a."""
    return (
        M[0] * a[0] + M[1] * a[1] + M[2] * a[2],
        M[3] * a[0] + M[4] * a[1] + M[5] * a[2],
        M[6] * a[0] + M[7] * a[1] + M[8] * a[2],
    )


@helper
def mul_t(M, a):
    """Mᵀ a; for a rotation R_AB: the components in B of a vector given in A."""
    return (
        M[0] * a[0] + M[3] * a[1] + M[6] * a[2],
        M[1] * a[0] + M[4] * a[1] + M[7] * a[2],
        M[2] * a[0] + M[5] * a[1] + M[8] * a[2],
    )


@helper
def matmul(A, B):
    """A B."""
    return (
        A[0] * B[0] + A[1] * B[3] + A[2] * B[6],
        A[0] * B[1] + A[1] * B[4] + A[2] * B[7],
        A[0] * B[2] + A[1] * B[5] + A[2] * B[8],
        A[3] * B[0] + A[4] * B[3] + A[5] * B[6],
        A[3] * B[1] + A[4] * B[4] + A[5] * B[7],
        A[3] * B[2] + A[4] * B[5] + A[5] * B[8],
        A[6] * B[0] + A[7] * B[3] + A[8] * B[6],
        A[6] * B[1] + A[7] * B[4] + A[8] * B[7],
        A[6] * B[2] + A[7] * B[5] + A[8] * B[8],
    )


@helper
def transpose(A):
    """Aᵀ."""
    return A[0], A[3], A[6], A[1], A[4], A[7], A[2], A[5], A[8]


@helper
def mat_scale(s, A):
    """s A."""
    x = scale(s, (A[0], A[1], A[2]))
    y = scale(s, (A[3], A[4], A[5]))
    z = scale(s, (A[6], A[7], A[8]))
    return x[0], x[1], x[2], y[0], y[1], y[2], z[0], z[1], z[2]


@helper
def mat_add(A, B):
    """A + B."""
    x = add((A[0], A[1], A[2]), (B[0], B[1], B[2]))
    y = add((A[3], A[4], A[5]), (B[3], B[4], B[5]))
    z = add((A[6], A[7], A[8]), (B[6], B[7], B[8]))
    return x[0], x[1], x[2], y[0], y[1], y[2], z[0], z[1], z[2]


@helper
def skew(a):
    """[a]×, so that [a]× b = a × b."""
    return 0.0, -a[2], a[1], a[2], 0.0, -a[0], -a[1], a[0], 0.0


# --- symmetric matrices -----------------------------------------------------------------------


@helper
def sym_mul(S, a):
    """S a for a symmetric S."""
    return (
        S[0] * a[0] + S[3] * a[1] + S[4] * a[2],
        S[3] * a[0] + S[1] * a[1] + S[5] * a[2],
        S[4] * a[0] + S[5] * a[1] + S[2] * a[2],
    )


@helper
def sym_add(A, B):
    """A + B for symmetric A, B."""
    return A[0] + B[0], A[1] + B[1], A[2] + B[2], A[3] + B[3], A[4] + B[4], A[5] + B[5]


@helper
def sym_minus_outer(S, s, a):
    """S - s a aᵀ."""
    b = scale(s, a)
    return (
        S[0] - b[0] * a[0],
        S[1] - b[1] * a[1],
        S[2] - b[2] * a[2],
        S[3] - b[0] * a[1],
        S[4] - b[0] * a[2],
        S[5] - b[1] * a[2],
    )


@helper
def sym_inverse(S):
    """S⁻¹ of a symmetric positive definite S, by cofactors."""
    xx = S[1] * S[2] - S[5] * S[5]
    xy = S[4] * S[5] - S[3] * S[2]
    xz = S[3] * S[5] - S[4] * S[1]
    s = 1.0 / (S[0] * xx + S[3] * xy + S[4] * xz)
    return (
        s * xx,
        s * (S[0] * S[2] - S[4] * S[4]),
        s * (S[0] * S[1] - S[3] * S[3]),
        s * xy,
        s * xz,
        s * (S[3] * S[4] - S[0] * S[5]),
    )


@helper
def rotate_sym(R, S):
    """R S Rᵀ: a symmetric tensor given in B, expressed in A, for R = R_AB.

    The last entry comes from the trace, which a rotation keeps; like the others it is then exact
    to the rounding of the largest.
    """
    r1 = (R[0], R[1], R[2])
    r2 = (R[3], R[4], R[5])
    r3 = (R[6], R[7], R[8])
    s1 = sym_mul(S, r1)
    s2 = sym_mul(S, r2)
    xx = dot(r1, s1)
    yy = dot(r2, s2)
    zz = S[0] + S[1] + S[2] - xx - yy
    return xx, yy, zz, dot(r2, s1), dot(r3, s1), dot(r3, s2)


@helper
def point_inertia(m, c):
    """m (|c|² 1 - c cᵀ): what a mass m at c adds to an inertia (parallel axes)."""
    xx = m * c[0] * c[0]
    yy = m * c[1] * c[1]
    zz = m * c[2] * c[2]
    return yy + zz, xx + zz, xx + yy, -m * c[0] * c[1], -m * c[0] * c[2], -m * c[1] * c[2]


@helper
def sym_sub(A, B):
    """A - B for symmetric A, B."""
    return A[0] - B[0], A[1] - B[1], A[2] - B[2], A[3] - B[3], A[4] - B[4], A[5] - B[5]
