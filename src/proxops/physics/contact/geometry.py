"""Where two simple shapes overlap: a ball (a pad, with radius zero) on a face, and two balls.

All vectors of a call are in the same axes, from the same origin.
"""

from proxops.core.jit import helper
from proxops.core.spatial.vector import cross, dot, norm, scale, sub


@helper
def ball_on_face(centre, radius, origin, normal):
    """Overlap [m], positive while they overlap, and the ball's deepest point.

        δ = r - n · (s - o),   c = s - r n

    n is the face's unit normal, out of its body.  The face has no thickness limit: all behind it
    is solid.
    """
    height = dot(normal, sub(centre, origin))
    return radius - height, sub(centre, scale(radius, normal))


@helper
def ball_on_ball(centre, radius, other, other_radius):
    """Overlap [m], the unit normal from the other ball to this one, and the point halfway.

        δ = r + r' - |s - s'|,   c = s' + n (r' - δ/2)

    Valid while the centres lie apart.
    """
    away = sub(centre, other)
    distance = norm(away)
    normal = scale(1.0 / distance, away)
    overlap = radius + other_radius - distance
    reach = other_radius - 0.5 * overlap
    return (
        overlap,
        normal,
        (
            other[0] + reach * normal[0],
            other[1] + reach * normal[1],
            other[2] + reach * normal[2],
        ),
    )


@helper
def inside_face(point, origin, normal, along, half):
    """How far a point lies inside the face's edges [m], negative outside.

    The face is a rectangle about its origin, `half` = (along e₁, along n × e₁); a half may be
    infinite.
    """
    r = sub(point, origin)
    first = half[0] - abs(dot(along, r))
    second = half[1] - abs(dot(cross(normal, along), r))
    return min(first, second)
