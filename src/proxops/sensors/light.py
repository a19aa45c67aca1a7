"""Whether a camera can see the target by sunlight.

    in shadow    R·s < 0  and  |R - (R·s) s| < R_body        R from the attractor's centre to Tcm
    blinded      angle between u and s below the exclusion angle
    phase        angle between s and -u, at the target; beyond the greatest the lit side is not seen

s is the direction of the Sun in N, constant over a mission; u points from the camera to the target.
The shadow is a cylinder behind the attractor: no penumbra, no atmosphere.  In low Earth orbit the
penumbra takes some 10 s to cross.  Without a Sun (s = 0) everything is lit.
"""

from proxops.core.jit import helper
from proxops.core.spatial.vector import add, dot, get3


@helper
def is_in_shadow(R, sun, radius):
    """Whether a point at R [m] from the attractor's centre is behind that body."""
    along = dot(R, sun)
    across = dot(R, R) - along * along
    return along < 0.0 and across < radius * radius


@helper
def is_lit(truth, u, exclusion, phase):
    """Whether the target is lit and seen that way; exclusion and phase are cosines of their
    limits, ends included."""
    sun = get3(truth.sun_N, 0)
    if dot(sun, sun) == 0.0:
        return True
    R = add(get3(truth.R_NO, 0), get3(truth.p_OTcm, 0))
    towards = dot(u, sun)
    seen = towards <= exclusion and -towards >= phase
    return seen and not is_in_shadow(R, sun, truth.attractor_radius[0])
