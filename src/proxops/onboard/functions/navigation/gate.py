"""A measurement of several numbers: whether to believe it, and what it changes."""

from proxops.core.jit import part
from proxops.core.linear import factorise, innovation_covariance, measure, squared_length
from proxops.onboard.functions.navigation.model import CHANGE, GAIN, INNOVATION, NOISE, SCRATCH


@part
def innovation_length(P, H, S, rows):
    """yᵀ (H P Hᵀ + R)⁻¹ y [-] of the innovation in `rows`; not a number where that is none.

    For a filter that knows its errors it is chi-square distributed, with as many degrees of freedom
    as y has entries.
    """
    n = P.shape[0]
    innovation_covariance(P, H, rows[NOISE], S, rows[SCRATCH, :n])
    if not factorise(S):
        return float("nan")
    return squared_length(S, rows[INNOVATION], rows[SCRATCH])


@part
def absorb(P, H, rows):
    """Corrects P and writes the change of the error state, one number of the measurement after the
    other: their noises are independent of each other."""
    n = P.shape[0]
    for k in range(n):
        rows[CHANGE, k] = 0.0
    for i in range(H.shape[0]):
        measure(P, H[i], rows[NOISE, i], rows[GAIN, :n], rows[SCRATCH, :n])
        left = rows[INNOVATION, i]
        for k in range(n):
            left -= H[i, k] * rows[CHANGE, k]
        for k in range(n):
            rows[CHANGE, k] += rows[GAIN, k] * left
