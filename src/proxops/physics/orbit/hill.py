"""Relative motion in the Hill frame, nonlinear, for a reference orbit of any eccentricity."""

import math

from proxops.core.jit import helper
from proxops.core.spatial.vector import cross, dot
from proxops.physics.orbit.tidal import tidal_acceleration


@helper
def relative_acceleration(mu, R, V, p, v):
    """d²p/dt² in H [m/s2] of a body at p, v in H of the reference orbit (R, V).

        ẍ =  2θ̇ẏ + θ̈y + θ̇²x + a_x        a = g(R + p) - g(R) in H
        ÿ = -2θ̇ẋ - θ̈x + θ̇²y + a_y        θ̇ = |R × V|/r²
        z̈ = a_z                           θ̈ = -2 θ̇ ṙ/r = -2 θ̇ (R·V)/r²

    R, V in any inertial axes: only r, ṙ and |h| are used, so circular and equatorial orbits are no
    special case.  Without orbit perturbations (they would tilt the orbit plane).
    """
    r2 = dot(R, R)
    h = cross(R, V)
    rate = math.sqrt(dot(h, h)) / r2
    rate_dot = -2.0 * rate * dot(R, V) / r2
    a = tidal_acceleration(mu, (math.sqrt(r2), 0.0, 0.0), p)
    return (
        2.0 * rate * v[1] + rate_dot * p[1] + rate * rate * p[0] + a[0],
        -2.0 * rate * v[0] - rate_dot * p[0] + rate * rate * p[1] + a[1],
        a[2],
    )
