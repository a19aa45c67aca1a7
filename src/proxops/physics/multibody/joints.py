"""What a joint does by itself: friction and end stops."""

import math

from proxops.core.jit import helper
from proxops.physics.multibody import tree as at


@helper
def friction_torque(bodies, body, qd):
    """Torque of joint friction [N m], against the motion.

        τ = -b q̇ - c q̇ / √(q̇² + q̇₀²)

    Smooth, so that it can be integrated; below q̇₀ the joint creeps instead of sticking.
    """
    viscous = -bodies[body, at.VISCOUS] * qd
    if bodies[body, at.COULOMB] == 0.0:  # spares the root, the costliest part of the formula
        return viscous
    developed = qd / math.sqrt(qd * qd + bodies[body, at.COULOMB_SPEED] ** 2)
    return viscous - bodies[body, at.COULOMB] * developed


@helper
def stop_torque(bodies, body, q, qd):
    """Torque of the end stops [N m], inward: they push but never pull.

        τ = k δ (1 + χ δ̇) ≥ 0      δ > 0 the depth beyond the stop

    The damping carries δ, so that the torque sets in without a jump (Hunt & Crossley 1975).
    """
    below = bodies[body, at.LOWER] - q
    above = q - bodies[body, at.UPPER]
    k = bodies[body, at.STOP_STIFFNESS]
    chi = bodies[body, at.STOP_DAMPING]
    if below > 0.0:
        return max(0.0, k * below * (1.0 - chi * qd))
    if above > 0.0:
        return -max(0.0, k * above * (1.0 + chi * qd))
    return 0.0
