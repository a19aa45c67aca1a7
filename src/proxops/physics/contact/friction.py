"""Dry friction that really sticks.

Where two bodies touch, a tangential spring with a damper is stretched between the points that met
when they stuck.  It holds any load below μN without moving further; beyond that it slides, and the
spring is let go of so much that it never carries more than μN.
"""

from proxops.core.jit import helper
from proxops.core.spatial.vector import add, dot, norm, scale


@helper
def grip(stiffness, damping, stretch, slip_rate, limit):
    """Tangential force on the body whose point has moved by `stretch` [N], never above `limit`.

        f = -(k ξ + d v),  shortened to μN where it is longer

    ξ [m] and v [m/s] lie in the tangent plane.
    """
    pull = add(scale(-stiffness, stretch), scale(-damping, slip_rate))
    size = norm(pull)
    if size > limit:
        return scale(limit / size, pull), True
    return pull, False


@helper
def let_go(stiffness, stretch, limit):
    """The stretch that is left of one that carries more than `limit` [m], and the energy that the
    spring loses with it [J].

        |k ξ| ≤ μN,   ξ keeps its direction
    """
    size = stiffness * norm(stretch)
    if size <= limit:
        return stretch, 0.0
    left = scale(limit / size, stretch)
    lost = 0.5 * stiffness * (dot(stretch, stretch) - dot(left, left))
    return left, lost


@helper
def cone_use(tangential, normal, mu):
    """Share of the friction cone that is used up: f_t/(μN), none where nothing can be held."""
    return tangential / (mu * normal) if mu * normal > 0.0 else 0.0
