"""Shares within bounds that make up a vector as well as they can.

    min  |W (B u - F)|² + ε |u|²,     low ≤ u ≤ high

By coordinate descent from where the shares are: each pass minimises over one after the other,
exactly, within its bounds.
"""

from proxops.core.jit import part
from proxops.core.select import any_of

# Columns of bounds
LOW = 0
HIGH = 1
BOUNDS_WIDTH = 2

PASSES = 10


@part
def nearest_within_bounds(columns, normal, wanted, bounds, shares):
    """Moves the shares (n,) towards those that make up `wanted`.

    columns is Wᵀ W B, transposed; normal is Bᵀ Wᵀ W B + ε.  Ten passes from none leave 1e-4 of
    what is wanted where the columns are those of thrusters all around; columns that are nearly
    alike take more.  A pass that moves nothing is the last.
    """
    n = shares.shape[0]
    for _ in range(PASSES):
        moved = False
        for i in range(n):
            slope = 0.0
            for k in range(columns.shape[1]):
                slope += columns[i, k] * wanted[k]
            for j in range(n):
                slope -= normal[i, j] * shares[j]
            better = shares[i] + slope / normal[i, i]
            better = min(max(better, bounds[i, LOW]), bounds[i, HIGH])
            moved = moved | (better != shares[i])
            shares[i] = better
        if not any_of(moved):
            break
