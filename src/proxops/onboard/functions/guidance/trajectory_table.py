"""A planned trajectory as it crosses from guidance to control: nodes in the Hill frame.

Between two nodes the position is the cubic through both positions and velocities; the
acceleration of the thrust is that of the earlier node.
"""

from proxops.bus.fields import Field
from proxops.core.jit import helper, part
from proxops.core.spatial.vector import add, get3, scale, sub

NODES = 128  # at most

# Columns of a node
T = 0  # [s]
P = 1  # in H [m]
V = 4  # derivative of its components [m/s]
A = 7  # acceleration by thrust from here to the next node, in H [m/s2]
WIDTH = 10

FIELDS = (
    Field("guidance.nodes", title="Nodes of the planned trajectory"),
    Field("guidance.trajectory", "", "H", (NODES * WIDTH,), "Planned trajectory, see guidance"),
)


@helper
def _cubic(nodes, first, second, share, span):
    """Position and velocity between two nodes, share of the time passed."""
    p0, v0 = get3(nodes, first + P), scale(span, get3(nodes, first + V))
    p1, v1 = get3(nodes, second + P), scale(span, get3(nodes, second + V))
    s, moved = share, sub(p1, p0)
    h1 = s * (1.0 - s) * (1.0 - s)
    h2 = s * s * (s - 1.0)
    blend = s * s * (3.0 - 2.0 * s)
    p = add(add(p0, scale(blend, moved)), add(scale(h1, v0), scale(h2, v1)))
    d1 = (1.0 - s) * (1.0 - 3.0 * s)
    d2 = s * (3.0 * s - 2.0)
    d = add(scale(6.0 * s * (1.0 - s), moved), add(scale(d1, v0), scale(d2, v1)))
    return p, scale(1.0 / span, d)


@part
def along_table(count, nodes, t):
    """Position, velocity and acceleration by thrust at the time t [m, m/s, m/s2], in H; at rest in
    the last node behind it, and without thrust there."""
    last = (int(count) - 1) * WIDTH
    first = 0
    while first < last and nodes[first + WIDTH + T] <= t:
        first += WIDTH
    if first >= last:
        return get3(nodes, last + P), get3(nodes, last + V), get3(nodes, last + A)
    span = nodes[first + WIDTH + T] - nodes[first + T]
    share = max(0.0, (t - nodes[first + T]) / span)
    p, v = _cubic(nodes, first, first + WIDTH, share, span)
    return p, v, get3(nodes, first + A)
