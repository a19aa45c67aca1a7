"""Two gears in mesh: that of a motor, 1, drives that of another joint, 2.

Both turn in the sense that closes a gripper, an idler sees to that; along the pitch circles

    δ = r₁ q₁ - r₂ q₂         by how much the motor is ahead [m]
    ε = |δ| - b/2             overlap of the teeth that touch, ahead or behind the backlash b [m]
    F = k ε (1 + χ ε̇) ≥ 0     they push, but never pull (Hunt & Crossley 1975) [N]

    τ₁ = -r₁ F sgn δ          τ₂ = r₂ F (sgn δ - (1 - η) s),    s = q̇₂ / √(q̇₂² + q̇₀²)

Sliding teeth lose the share 1 - η of the power that they transmit.  Joints count their positions
from what carries both gears, so that what the bearings feel is in the joints' equations already:
the mesh works along δ alone.
"""

import math
from typing import NamedTuple

from proxops.core.jit import helper
from proxops.physics.multibody import tree as at


class Mesh(NamedTuple):
    """What a mesh does."""

    motor: float  # torque on the motor's joint [N m]
    driven: float  # torque on the driven joint [N m]
    elastic: float  # power of what gives back what it takes [W]
    lost: float  # power of damping and sliding, never positive [W]


@helper
def driver_of(bodies, body):
    """The body whose joint drives that of a body."""
    return int(bodies[body, at.DRIVER])


@helper
def mesh(bodies, body, motor, driven):
    """What the gears between two joints do; `motor` and `driven` are (position, rate) of each
    [rad, rad/s]."""
    r1, r2 = bodies[body, at.DRIVER_RADIUS], bodies[body, at.GEAR_RADIUS]
    ahead = r1 * motor[0] - r2 * driven[0]
    side = 1.0 if ahead > 0.0 else -1.0
    overlap = side * ahead - 0.5 * bodies[body, at.BACKLASH]
    if overlap <= 0.0:
        return Mesh(0.0, 0.0, 0.0, 0.0)
    closing = side * (r1 * motor[1] - r2 * driven[1])
    elastic = bodies[body, at.MESH_STIFFNESS] * overlap
    force = max(0.0, elastic * (1.0 + bodies[body, at.MESH_DAMPING] * closing))
    slides = driven[1] / math.sqrt(driven[1] ** 2 + bodies[body, at.COULOMB_SPEED] ** 2)
    drag = r2 * (1.0 - bodies[body, at.EFFICIENCY]) * force * slides
    return Mesh(
        -r1 * side * force,
        r2 * side * force - drag,
        -elastic * closing,
        -(force - elastic) * closing - drag * driven[1],
    )
