"""How far inside an approach corridor a point is: a straight cone with a flat end."""

import math

from proxops.core.jit import helper
from proxops.core.spatial.vector import dot, norm, scale, sub


@helper
def cone_margin(r, axis, half_angle, apex, length):
    """Distance from the surface of a cone [m], positive inside, negative outside.

        s = r·u - apex,   ρ = |r - (r·u) u|        along the unit axis u, and away from it
        inside:  0 < s < L  and  ρ < s tan α

    The surface is the mantle, from (s, ρ) = (0, 0) to (L, L tan α), and the flat end from there to
    (L, 0); the nearest point of either is in the half plane of r and the axis, where both are
    straight.  r [m] and the axis in the same axes; the apex stands `apex` [m] along the axis, the
    end `length` [m] behind it.
    """
    along = dot(r, axis)
    s = along - apex
    rho = norm(sub(r, scale(along, axis)))
    rim = length * math.tan(half_angle)
    # Of the mantle: the nearest point divides it at this share, as far as it reaches
    share = min(max((s * length + rho * rim) / (length * length + rim * rim), 0.0), 1.0)
    from_mantle = math.hypot(s - share * length, rho - share * rim)
    from_end = math.hypot(s - length, max(rho - rim, 0.0))
    distance = min(from_mantle, from_end)
    return distance if s < length and rho * length < s * rim else -distance
