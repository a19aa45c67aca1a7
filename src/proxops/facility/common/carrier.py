"""A robot that carries a mock-up: it follows a commanded motion late and smoothly.

With the commanded velocity c(t), linear and angular, in lab axes:

    no lag         V = c(t - τ)
    first order    V̇ = Ω (c(t - τ) - V)
    second order   V̈ = Ω² (c(t - τ) - V) - 2 Z Ω V̇

Velocity is what is followed, so that uniform motion is carried without error; the pose is its
integral.  The transport delay τ is a whole number of steps.
"""

from typing import NamedTuple

from proxops.core.jit import helper
from proxops.core.spatial.vector import add, get3, scale, sub

# The carrier's state
P = 0  # p_LK, flange in the lab [m]
Q = 3  # q_LK
VELOCITY = 7  # of the flange, then its angular velocity, lab axes [m/s, rad/s]
ACCELERATION = 13  # rates of those six, second order only [m/s2, rad/s2]
CARRIER_SIZE = 19


class Carrier(NamedTuple):
    """How a robot follows."""

    order: int  # of its lag: 0, 1 or 2
    corner: float  # Ω [rad/s]
    damping: float  # Z of the second order [-]
    delay: int  # τ [steps]


@helper
def follow(carrier, y, command, slope, at):
    """(V̇, V̈) of three of the six velocities from index `at`, given command and its slope."""
    V, A = get3(y, VELOCITY + at), get3(y, ACCELERATION + at)
    if carrier.order == 0:
        return slope, (0.0, 0.0, 0.0)
    pull = scale(carrier.corner, sub(command, V))
    if carrier.order == 1:
        return pull, (0.0, 0.0, 0.0)
    return A, scale(carrier.corner, add(pull, scale(-2.0 * carrier.damping, A)))
