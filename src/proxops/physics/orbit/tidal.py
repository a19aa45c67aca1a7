"""What gravity does to a body near the reference orbit, seen from O: tidal force and torque.

O falls with R, so a body at r from its origin feels only the difference of two attractions.  All
vectors in any common axes (N, H, a spacecraft's own ...).  A link is taken as a point mass for the
force and as its inertia for the torque: what its size adds to the force is of the order of
3 (L/|R|)² m g for a radius of gyration L: 5e-12 m/s² for L = 3 m in low Earth orbit.
"""

import math

from proxops.core.jit import helper
from proxops.core.spatial.vector import add, cross, dot, scale, sub, sym_mul


@helper
def tidal_acceleration(mu, R, r):
    """Attraction at R + r less that at R [m/s2], with every digit at any r.

        q = r·(r + 2R)/|R|²,   1 + q = |R + r|²/|R|²,   w = (1 + q)^{3/2}

        g(R + r) - g(R) = -μ/|R|³ (1/w) [ r - R q(3 + 3q + q²)/(1 + w) ]

    Here 1 - w = -q(3 + 3q + q²)/(1 + w) stands for the difference that would cancel (as in
    Encke's method, Battin 1999).  Multiplied out over one division; what depends on R alone, a loop
    over links shares.
    """
    inverse = 1.0 / dot(R, R)
    q = dot(r, add(r, scale(2.0, R))) * inverse
    w = (1.0 + q) * math.sqrt(1.0 + q)
    s = mu * inverse * math.sqrt(inverse) / (w * (1.0 + w))
    return scale(s, sub(scale(q * (3.0 + q * (3.0 + q)), R), scale(1.0 + w, r)))


@helper
def tidal_gradient(mu, d, u):
    """How the attraction changes over a short way u, at d from the attractor [m/s2].

        T u = μ/|d|³ (3 n (n·u) - u),   n = d/|d|

    First order in |u|/|d|.
    """
    inverse = 1.0 / dot(d, d)
    s = mu * inverse * math.sqrt(inverse)
    return sub(scale(3.0 * s * inverse * dot(d, u), d), scale(s, u))


@helper
def gravity_gradient_torque(mu, d, I):
    """Torque of the gravity gradient about a body's centre of mass [N m].

        t = 3μ/|d|⁵ d × (I d)

    d [m] reaches from the attractor to the centre of mass, I = (xx, yy, zz, xy, xz, yz) [kg m2] is
    taken about it (Hughes 1986).  The first term left out is (L/|d|)² of this one for a body with
    point symmetry, L/|d| for any other.
    """
    inverse = 1.0 / dot(d, d)
    return scale(3.0 * mu * inverse * inverse * math.sqrt(inverse), cross(d, sym_mul(I, d)))
