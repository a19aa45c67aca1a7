"""Distance of two convex bodies, each the sum of a box, a disc across its z axis and a ball.

    body = {x + y + z :  |xᵢ| ≤ hᵢ,   y₁² + y₂² ≤ ρ², y₃ = 0,   |z| ≤ r}

Boxes, cylinders, balls, capsules and rounded boxes are such bodies, exactly.
"""

import math

from proxops.core.jit import helper, part
from proxops.core.spatial.vector import add, cross, dot, mul, mul_t, norm, scale, sub

CLOSE = 1e-8  # to which a distance is found [m]
_AXES = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
MAX_ITERATIONS = 100  # of the search; a dozen are usual


@helper
def _farthest(half, disc, d):
    """The point of box and disc that lies farthest along d [m]."""
    across = math.sqrt(d[0] * d[0] + d[1] * d[1])
    s = disc / across if across > 0.0 else 0.0
    return (
        math.copysign(half[0], d[0]) + s * d[0],
        math.copysign(half[1], d[1]) + s * d[1],
        math.copysign(half[2], d[2]),
    )


@helper
def _on_segment(a, b):
    """The point from a to b that is nearest to the origin."""
    u = sub(b, a)
    uu = dot(u, u)
    s = min(1.0, max(0.0, -dot(a, u) / uu)) if uu > 0.0 else 0.0
    return add(a, scale(s, u))


@helper
def _nearer(a, b):
    """That of two points which is nearer to the origin."""
    return a if dot(a, a) <= dot(b, b) else b


@part
def _on_triangle(a, b, c):
    """The point of a triangle, or of what is left of one, that is nearest to the origin.

        p = a + s u + t v,   s = n · (v × a)/n²,  t = n · (a × u)/n²,   n = u × v

    where that lies between the edges, else the nearest point of these.
    """
    edge = _nearer(_nearer(_on_segment(a, b), _on_segment(b, c)), _on_segment(c, a))
    u, v = sub(b, a), sub(c, a)
    n = cross(u, v)
    nn = dot(n, n)
    if nn > 0.0:
        s, t = dot(n, cross(v, a)) / nn, dot(n, cross(a, u)) / nn
        if s >= 0.0 and t >= 0.0 and s + t <= 1.0:
            return _nearer(add(a, add(scale(s, u), scale(t, v))), edge)
    return edge


@part
def distance(first, second, R_AB, p_AB, enough):
    """Distance of the bodies A and B, each (h, ρ, r) in its own axes [m]; 0 where they overlap.
    Of bodies farther apart than `enough`, some number beyond it.

    The search of Gilbert, Johnson and Keerthi (1988) for the point v of {a - b} that is nearest to
    the origin.  In each iteration the point w that lies farthest against v bounds the distance,

        v · w/|v|  ≤  distance  ≤  |v|,

    and the nearest point of a tetrahedron of w and three earlier points is the next v; it lies on a
    face with w, or the bodies overlap.  What comes back is the largest lower bound: never more than
    the distance, and CLOSE to it; of bodies that nearly touch, to 1e-7 m.
    """
    half_A, disc_A, ball_A = first
    half_B, disc_B, ball_B = second
    balls = ball_A + ball_B
    v = scale(-1.0, p_AB)
    a, b, c = v, v, v
    least, size = 0.0, norm(v)
    for _ in range(MAX_ITERATIONS):
        if size - least <= CLOSE or least > enough + balls:
            break
        x = _farthest(half_A, disc_A, scale(-1.0, v))
        y = add(p_AB, mul(R_AB, _farthest(half_B, disc_B, mul_t(R_AB, v))))
        w = sub(x, y)
        least = max(least, dot(v, w) / size)
        ab, bc, ca = _on_triangle(w, a, b), _on_triangle(w, b, c), _on_triangle(w, c, a)
        v = _nearer(_nearer(ab, bc), ca)
        if v == ab:
            c = w
        elif v == bc:
            a = w
        else:
            b = w
        nearer = norm(v)
        if nearer >= size:  # they overlap, or rounding ends the search
            break
        size = nearer
    return max(0.0, least - balls)


@helper
def _extent(solid, n):
    """How far a body reaches along the unit vector n from its centre [m]."""
    half, disc, ball = solid
    box = half[0] * abs(n[0]) + half[1] * abs(n[1]) + half[2] * abs(n[2])
    return box + disc * math.sqrt(n[0] * n[0] + n[1] * n[1]) + ball


@part
def depth(first, second, R_AB, p_AB):
    """By how much the bodies A and B overlap [m]: the least over the axes of both and the line of
    centres,

        min over n of  s_A(n) + s_B(n) - |n · p_AB|

    with the extents s.  Never less than the way on which they would part; below zero where they are
    apart along any of these lines.
    """
    apart = norm(p_AB)
    least = math.inf
    for axis in range(7):
        n = _AXES[axis % 3]
        if 3 <= axis < 6:
            n = mul(R_AB, n)
        elif axis == 6:
            if apart == 0.0:
                continue
            n = scale(1.0 / apart, p_AB)
        reach = _extent(first, n) + _extent(second, mul_t(R_AB, n))
        least = min(least, reach - abs(dot(n, p_AB)))
    return least
