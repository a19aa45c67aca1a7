"""What gravity does to a body near the reference orbit, seen from O: tidal force and torque.

O falls with R, so a body at r from its origin feels only the difference of two attractions.  All
vectors in any common axes (N, H, a spacecraft's own ...).  A link is taken as a point mass for the
force and as its inertia for the torque: what its size adds to the force is of the order of
3 (L/|R|)² m g for a radius of gyration L: 5e-12 m/s² for L = 3 m in low Earth orbit.
"""

import math

from proxops.core.jit import helper
from proxops.core.spatial.vector import add, cross, dot, scale, sub, sym_mul

SHORT = 1e-5  # of |d|²: ways over which series are as good as closed forms


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
def tidal_gradient(pull, d, u):
    """How the attraction changes over a short way u [m/s2]; `pull` as `pull_at` gives it at d from
    the attractor.

        T u = μ/|d|³ (3 n (n·u) - u),   n = d/|d|

    First order in |u|/|d|.
    """
    s, inverse = pull
    return sub(scale(3.0 * s * inverse * dot(d, u), d), scale(s, u))


@helper
def pull_at(mu, d):
    """(μ/|d|³ [1/s2], 1/|d|² [1/m2]) at d from the attractor."""
    inverse = 1.0 / dot(d, d)
    return mu * inverse * math.sqrt(inverse), inverse


@helper
def pull_beside(pull, d, c):
    """Attraction at d + c less that at d [m/s2], and |d|⁵/|d + c|⁵; `pull` as `pull_at` gives it at
    d from the attractor.

        e = c·(c + 2d)/|d|²,   |d + c|² = |d|² (1 + e),   k = 1 - (1 + e)^{-3/2}

        g(d + c) - g(d) = μ/|d|³ (k (d + c) - c),   |d|⁵/|d + c|⁵ = (1 + e)^{-5/2}

    Over a short way by series: what they leave out is 2e-15 and 7e-15 of k and of the power.
    """
    strength, inverse = pull
    e = dot(c, add(c, scale(2.0, d))) * inverse
    if abs(e) < SHORT:
        k = e * (1.5 - e * (1.875 - 2.1875 * e))
        fifth = 1.0 - e * (2.5 - 4.375 * e)
    else:
        u = 1.0 + e
        w = u * math.sqrt(u)
        k = e * (3.0 + e * (3.0 + e)) / (w * (1.0 + w))
        fifth = 1.0 / (u * w)
    return scale(strength, sub(scale(k, add(d, c)), c)), fifth


@helper
def gravity_gradient_torque(strength, d, body):
    """Torque of the gravity gradient about a body's centre of mass [N m].

        t = 3μ/|d|⁵ d × (I d + m (c·d) c)

    d [m] reaches from the attractor to the centre of mass, `strength` is 3μ/|d|⁵; body = (I, m, c)
    with I = (xx, yy, zz, xy, xz, yz) [kg m2] about any point of the body, from which the centre of
    mass is at c [m]: of what I holds because of that, m (|c|² d - c (c·d)), the second part alone
    has a moment (Hughes 1986).  The first term left out is (L/|d|)² of this one for a body with
    point symmetry, L/|d| for any other.
    """
    I, m, c = body
    return scale(strength, cross(d, add(sym_mul(I, d), scale(m * dot(c, d), c))))
