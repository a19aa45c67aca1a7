"""Motion shown at another size and pace.

The Hill equations have one time, 1/n, and no length: with lengths times λ, τ times faster,

    p → λ p,   v → λ τ v,   a → λ τ² a,   w → τ w,   t → t/τ,   angles and directions as they are

and n → τ n, a solution stays one.  Mass does not enter while nothing touches.  An error e in the
lab is e/λ in orbit.
"""

from typing import NamedTuple

from proxops.core.jit import helper
from proxops.core.spatial.vector import scale


class Scaling(NamedTuple):
    """From orbit to lab."""

    length: float  # λ [-]
    time: float  # τ [-], how many times faster


@helper
def scaled_position(scaling, p):
    """λ p."""
    return scale(scaling.length, p)


@helper
def scaled_velocity(scaling, v):
    """λ τ v."""
    return scale(scaling.length * scaling.time, v)


@helper
def scaled_rate(scaling, w):
    """τ w."""
    return scale(scaling.time, w)
