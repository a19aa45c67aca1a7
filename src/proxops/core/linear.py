"""Small dense matrices of filters, in arrays that the caller owns.

A covariance stays symmetric to the last bit and positive: it is only ever multiplied from both
sides, added to, and halved with its mirror image.
"""

import math

from proxops.core.jit import helper, part


@helper
def put_block(A, row, column, M):
    """Stores the 3 × 3 matrix M (nine numbers, row by row) in A from (row, column)."""
    for i in range(3):
        A[row + i, column] = M[3 * i]
        A[row + i, column + 1] = M[3 * i + 1]
        A[row + i, column + 2] = M[3 * i + 2]


@helper
def get_block(A, row, column):
    """The 3 × 3 block of A from (row, column), nine numbers row by row."""
    return (
        A[row, column],
        A[row, column + 1],
        A[row, column + 2],
        A[row + 1, column],
        A[row + 1, column + 1],
        A[row + 1, column + 2],
        A[row + 2, column],
        A[row + 2, column + 1],
        A[row + 2, column + 2],
    )


@helper
def trace_of(A, first):
    """Sum of three entries of the diagonal of A from `first`."""
    return A[first, first] + A[first + 1, first + 1] + A[first + 2, first + 2]


@helper
def add_diagonal(A, row, column, value):
    """Adds value to the diagonal of the 3 × 3 block of A from (row, column)."""
    for i in range(3):
        A[row + i, column + i] += value


@helper
def clear(A):
    """A ← 0."""
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            A[i, j] = 0.0


@helper
def symmetrise(P):
    """P ← (P + Pᵀ)/2."""
    for i in range(P.shape[0]):
        for j in range(i):
            mean = 0.5 * (P[i, j] + P[j, i])
            P[i, j] = mean
            P[j, i] = mean


@part
def carry(P, F, at, workspace):
    """P ← Φ P Φᵀ with Φ the unit matrix but for the square block F on its diagonal from `at`.

    `workspace` has as many entries as F has rows.
    """
    n = F.shape[0]
    for j in range(P.shape[0]):
        for i in range(n):
            total = 0.0
            for k in range(n):
                total += F[i, k] * P[at + k, j]
            workspace[i] = total
        for i in range(n):
            P[at + i, j] = workspace[i]
    for i in range(P.shape[0]):
        for j in range(n):
            total = 0.0
            for k in range(n):
                total += P[i, at + k] * F[j, k]
            workspace[j] = total
        for j in range(n):
            P[i, at + j] = workspace[j]
    symmetrise(P)


@part
def innovation_covariance(P, H, noise, S, workspace):
    """Writes S = H P Hᵀ + diag(noise); `workspace` has as many entries as P has rows."""
    for i in range(H.shape[0]):
        for k in range(P.shape[0]):
            total = 0.0
            for j in range(P.shape[0]):
                total += H[i, j] * P[j, k]
            workspace[k] = total
        for j in range(i + 1):
            total = 0.0
            for k in range(P.shape[0]):
                total += workspace[k] * H[j, k]
            S[i, j] = total
            S[j, i] = total
        S[i, i] += noise[i]


@part
def factorise(S):
    """Whether the symmetric S is positive; its lower half becomes L of S = L Lᵀ (Cholesky)."""
    for i in range(S.shape[0]):
        for j in range(i + 1):
            total = S[i, j]
            for k in range(j):
                total -= S[i, k] * S[j, k]
            if i > j:
                S[i, j] = total / S[j, j]
            elif total > 0.0:
                S[i, i] = math.sqrt(total)
            else:
                return False
    return True


@part
def squared_length(L, y, workspace):
    """yᵀ S⁻¹ y = |L⁻¹ y|² for S = L Lᵀ; `workspace` has as many entries as y."""
    length = 0.0
    for i in range(L.shape[0]):
        total = y[i]
        for k in range(i):
            total -= L[i, k] * workspace[k]
        workspace[i] = total / L[i, i]
        length += workspace[i] * workspace[i]
    return length


@part
def measure(P, h, noise, gain, workspace):
    """P after the scalar measurement h · x of variance `noise`; writes its gain.

        k = P h/(hᵀ P h + r),   P ← (1 - k hᵀ) P (1 - k hᵀ)ᵀ + r k kᵀ

    Joseph's form: positive even where a rounded gain is not quite the best one (Bucy & Joseph
    1968).  `workspace` has as many entries as P has rows.
    """
    n = P.shape[0]
    spread = noise
    for i in range(n):
        total = 0.0
        for j in range(n):
            total += P[i, j] * h[j]
        workspace[i] = total
        spread += h[i] * total
    for i in range(n):
        gain[i] = workspace[i] / spread
    for i in range(n):
        for j in range(n):
            P[i, j] -= gain[i] * workspace[j]
    for i in range(n):
        total = 0.0
        for j in range(n):
            total += P[i, j] * h[j]
        for j in range(n):
            P[i, j] += (noise * gain[i] - total) * gain[j]
    symmetrise(P)
