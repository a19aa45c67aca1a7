"""Joints along a path that was planned beforehand, from wherever the arm is.

    q_ref = h(t) + (1 - s) (q₀ - h(0))       h cubic between rows (q, q̇), s = 10σ³ - 15σ⁴ + 6σ⁵

The arm does not begin exactly where the path was planned from: the difference fades along the path,
σ being its share.
"""

from proxops.core.jit import helper, part
from proxops.onboard.functions.berthing.memory import SETPOINT
from proxops.onboard.functions.berthing.parameters import FIRST, PATH_STEP, ROWS
from proxops.onboard.functions.capture.trajectory import blend


@helper
def duration(path):
    """Of a path [s]."""
    return (path[ROWS] - 1.0) * path[PATH_STEP]


@helper
def hermite(y0, y1, d0, d1, u, h):
    """Value and slope of the cubic between two rows at the share u of their distance h."""
    a, b = 2.0 * (y0 - y1) + h * (d0 + d1), 3.0 * (y1 - y0) - h * (2.0 * d0 + d1)
    value = y0 + u * (h * d0 + u * (b + u * a))
    return value, d0 + u * (2.0 * b + 3.0 * u * a) / h


@part
def begin_path(path, table, joints, memory, q):
    """Notes by how much the arm is off where the path begins; the largest of that [rad or m]."""
    n, largest = joints.shape[0], 0.0
    for i in range(n):
        memory[SETPOINT + n + i] = q[joints[i]] - table[int(path[FIRST]), i]
        largest = max(largest, abs(memory[SETPOINT + n + i]))
    return largest


@part
def follow(path, table, joints, memory, elapsed, rates):
    """Writes where joints shall be into the memory's set-points, and their rates."""
    n, T = joints.shape[0], duration(path)
    t = min(max(elapsed, 0.0), T)
    row = min(int(t / path[PATH_STEP]), int(path[ROWS]) - 2)
    u = t / path[PATH_STEP] - row
    at = int(path[FIRST]) + row
    s, slope, _ = blend(t / T)
    for i in range(n):
        q, qd = hermite(
            table[at, i], table[at + 1, i], table[at, n + i], table[at + 1, n + i],
            u, path[PATH_STEP],
        )  # fmt: skip
        off = memory[SETPOINT + n + i]
        memory[SETPOINT + i] = q + (1.0 - s) * off
        rates[i] = qd - slope / T * off if elapsed < T else 0.0
