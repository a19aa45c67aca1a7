"""A commanded wrench cut down to what rotors can do: attitude first, then height, then horizontal.

Thrusts are T = s B_t t + f_z B_z + σ B_h f_h, within T_min ≤ T_i ≤ T_max, where B = H⁻¹, t is the
commanded torque, f_h the commanded horizontal force:

    1. the largest s ≤ 1 for which any f_z does, without horizontal force
    2. the f_z that is nearest to the commanded one, likewise
    3. the largest σ ≤ 1

each with what was found before it.  In s and f_z every rotor is a strip between two lines, so the
best s is where a lower line of one meets an upper line of another: the three linear programmes in
closed form.  Every rotor must lift: B_z > 0.
"""

import math

from proxops.core.jit import helper, part
from proxops.physics.multirotor.mixer import ROTORS

FORCE_X, FORCE_Y, FORCE_Z = 0, 1, 2
TORQUE_X = 3
AXES = 3


@helper
def _attitude_share(B, torques, least, largest):
    """The largest s ≤ 1 for which a vertical force exists.

    (T_min - s t_i)/z_i ≤ f_z ≤ (T_max - s t_j)/z_j for all i, j:
    s (t_j/z_j - t_i/z_i) ≤ T_max/z_j - T_min/z_i
    """
    s = 1.0
    for i in range(ROTORS):
        for j in range(ROTORS):
            zi, zj = B[i, FORCE_Z], B[j, FORCE_Z]
            slope = torques[j] / zj - torques[i] / zi
            room = largest / zj - least / zi
            if slope * s > room:
                s = room / slope
    return s


@part
def clip(B, least, largest, wrench, thrusts):
    """Writes thrusts (6,) [N] for a wrench (6,) [N, N m] in V; returns the shares s of the torque
    and σ of the horizontal force, and the vertical force [N], that are left of it."""
    for i in range(ROTORS):
        thrusts[i] = 0.0
        for k in range(AXES):
            thrusts[i] += B[i, TORQUE_X + k] * wrench[TORQUE_X + k]
    s = _attitude_share(B, thrusts, least, largest)
    low, high = -math.inf, math.inf
    for i in range(ROTORS):
        thrusts[i] *= s
        low = max(low, (least - thrusts[i]) / B[i, FORCE_Z])
        high = min(high, (largest - thrusts[i]) / B[i, FORCE_Z])
    f_z = max(min(wrench[FORCE_Z], high), low)
    share = 1.0
    for i in range(ROTORS):
        thrusts[i] += f_z * B[i, FORCE_Z]
        aside = B[i, FORCE_X] * wrench[FORCE_X] + B[i, FORCE_Y] * wrench[FORCE_Y]
        if aside > 0.0:
            share = min(share, max(0.0, (largest - thrusts[i]) / aside))
        elif aside < 0.0:
            share = min(share, max(0.0, (least - thrusts[i]) / aside))
    for i in range(ROTORS):
        aside = B[i, FORCE_X] * wrench[FORCE_X] + B[i, FORCE_Y] * wrench[FORCE_Y]
        # what is left above a limit is rounding
        thrusts[i] = min(max(thrusts[i] + share * aside, least), largest)
    return s, f_z, share
