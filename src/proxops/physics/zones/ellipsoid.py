"""How far a point is from an ellipsoid."""

import math

from proxops.core.jit import helper

# Of the half axis: a point on the plane of symmetry is taken to be this far off it, so that the
# equation below has its root; the distance is off by no more.
_OFF_PLANE = 1e-9
# Newton's steps grow by half at least where they begin at _OFF_PLANE: 51 to the order of one
_MAX_STEPS = 100
_LAST_STEP = 1e-14  # of the root's distance from the pole


@helper
def ellipsoid_distance(r, axes):
    """Distance from the ellipsoid Σ (rᵢ/aᵢ)² = 1 [m], negative inside.

    The nearest point x has r - x along the normal there, so with one number τ for all components

        xᵢ = aᵢ² rᵢ / (τ + aᵢ²),    F(τ) = Σ (aᵢ rᵢ / (τ + aᵢ²))² - 1 = 0

    Right of its last pole, -min a², F falls and is convex, so that Newton's method climbs to the
    root from where the term of that pole alone is one (Eberly, "Distance from a point to an
    ellipse, an ellipsoid or a hyperellipsoid").  r and the half axes [m] in the ellipsoid's axes.
    """
    y0, y1, y2 = abs(r[0]), abs(r[1]), abs(r[2])
    a0, a1, a2 = axes
    if a0 <= a1 and a0 <= a2:
        y0 = max(y0, _OFF_PLANE * a0)
        short, start = a0, y0
    elif a1 <= a2:
        y1 = max(y1, _OFF_PLANE * a1)
        short, start = a1, y1
    else:
        y2 = max(y2, _OFF_PLANE * a2)
        short, start = a2, y2
    # u = τ + short²: from the pole, where digits count
    b0, b1, b2 = a0 * a0 - short * short, a1 * a1 - short * short, a2 * a2 - short * short
    u = short * start
    for _ in range(_MAX_STEPS):
        q0, q1, q2 = a0 * y0 / (u + b0), a1 * y1 / (u + b1), a2 * y2 / (u + b2)
        excess = q0 * q0 + q1 * q1 + q2 * q2 - 1.0
        slope = q0 * q0 / (u + b0) + q1 * q1 / (u + b1) + q2 * q2 / (u + b2)
        step = 0.5 * excess / slope
        u += step
        if abs(step) <= _LAST_STEP * u:
            break
    x0, x1, x2 = a0 * a0 * y0 / (u + b0), a1 * a1 * y1 / (u + b1), a2 * a2 * y2 / (u + b2)
    distance = math.sqrt((x0 - y0) ** 2 + (x1 - y1) ** 2 + (x2 - y2) ** 2)
    inside = (y0 / a0) ** 2 + (y1 / a1) ** 2 + (y2 / a2) ** 2 < 1.0
    return -distance if inside else distance
