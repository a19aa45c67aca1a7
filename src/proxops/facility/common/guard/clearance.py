"""Distances between what moves in the cell: capsules, spheres and half spaces."""

from proxops.core.jit import helper, part
from proxops.core.spatial.quaternion import get4, quat_to_rotation
from proxops.core.spatial.vector import add, dot, get3, mul, norm, put3, scale, sub
from proxops.facility.common.guard import table as of

# Columns of Memory.ends
A = 0
B = 3
END_WIDTH = 6

TINY = 1e-12  # squared length [m2] below which a segment is a point
FAR = 1e300


@helper
def _within(x):
    """x, or the end of [0, 1] that is nearest."""
    return min(1.0, max(0.0, x))


@helper
def segment_distance(a, b, c, d):
    """Distance of the segments from a to b and from c to d [m].

    The nearest points a + s (b - a), c + t (d - c) of the two lines, each brought back into its
    segment and the other then chosen anew (Ericson, Real-Time Collision Detection, 5.1.9).
    """
    u, v, w = sub(b, a), sub(d, c), sub(a, c)
    uu, vv, uw, vw, uv = dot(u, u), dot(v, v), dot(u, w), dot(v, w), dot(u, v)
    if uu <= TINY and vv <= TINY:
        return norm(w)
    if uu <= TINY:
        s, t = 0.0, _within(vw / vv)
    elif vv <= TINY:
        s, t = _within(-uw / uu), 0.0
    else:
        square = uu * vv - uv * uv
        # for parallel segments any s will do
        s = _within((uv * vw - uw * vv) / square) if square > 1e-12 * uu * vv else 0.0
        t = (uv * s + vw) / vv
        if t < 0.0:
            s, t = _within(-uw / uu), 0.0
        elif t > 1.0:
            s, t = _within((uv - uw) / uu), 1.0
    return norm(add(w, sub(scale(s, u), scale(t, v))))


@helper
def _place_shapes(shapes, frames, ends):
    """Writes the ends of all shapes in L [m]."""
    for row in range(shapes.shape[0]):
        frame = frames[int(shapes[row, of.FRAME])]
        p, R = get3(frame, of.POSITION), quat_to_rotation(get4(frame, of.ATTITUDE))
        shape = shapes[row]
        put3(ends[row], A, add(p, mul(R, get3(shape, of.END_A))))
        put3(ends[row], B, add(p, mul(R, get3(shape, of.END_B))))


@helper
def pair_slack(guard, ends, row):
    """The clearance of a pair of shapes beyond what is to be kept [m]."""
    first, second = int(guard.pairs[row, of.FIRST]), int(guard.pairs[row, of.SECOND])
    one, other = ends[first], ends[second]
    gap = segment_distance(get3(one, A), get3(one, B), get3(other, A), get3(other, B))
    gap -= guard.shapes[first, of.RADIUS] + guard.shapes[second, of.RADIUS]
    return gap - guard.pairs[row, of.LEAST]


@part
def least_slack(guard, frames, ends):
    """(slack, which): the smallest clearance beyond what is to be kept [m], and the pair it is of;
    walls are counted after the pairs.  What is no number counts as -FAR."""
    _place_shapes(guard.shapes, frames, ends)
    slack, which = FAR, 0
    for row in range(guard.pairs.shape[0]):
        gap = pair_slack(guard, ends, row)
        if not gap >= slack:
            slack, which = gap, row
            if not gap > -FAR:
                return -FAR, which
    for row in range(guard.walls.shape[0]):
        shape, plane = int(guard.walls[row, of.FIRST]), int(guard.walls[row, of.SECOND])
        n = get3(guard.planes[plane], of.NORMAL)
        gap = min(dot(n, get3(ends[shape], A)), dot(n, get3(ends[shape], B)))
        gap -= guard.planes[plane, of.OFFSET] + guard.shapes[shape, of.RADIUS]
        gap -= guard.walls[row, of.LEAST]
        if not gap >= slack:
            slack, which = gap, guard.pairs.shape[0] + row
            if not gap > -FAR:
                return -FAR, which
    return slack, which
