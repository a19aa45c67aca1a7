"""A probe in the lab: it comes along a line, pushes onto a point of the mock-up and withdraws.

    δ = n·(p_tip - p_A),     f = n max(0, k δ + c δ̇)   while δ > 0

n is the direction of its approach, A the point.  The tip is blunt and slides freely: only its way
along n counts.  Spring and damper push and never pull.
"""

import math
from typing import NamedTuple

import numpy as np

from proxops.core.jit import helper
from proxops.core.spatial.vector import add, cross, dot, get3, mul, mul_t, scale


class Probe(NamedTuple):
    """Where the probe pushes, how it moves and how stiff it is; no stiffness and no damping where
    there is none."""

    point: np.ndarray  # p_TA [m]
    along: np.ndarray  # n, unit, lab axes
    origin: float  # n·p_tip while drawn back [m]
    start: float  # of the approach [s]
    speed: float  # of approach and withdrawal [m/s]
    travel: float  # from drawn back to fully out [m]
    hold: float  # time fully out [s]
    stiffness: float  # k [N/m]
    damping: float  # c [N s/m]


def no_probe() -> Probe:
    """A probe that is not there."""
    return Probe(np.zeros(3), np.zeros(3), 0.0, math.inf, 1.0, 0.0, 0.0, 0.0, 0.0)


@helper
def reach(probe, t):
    """How far the tip is out [m] and how fast it goes [m/s], at time t [s]."""
    out = probe.travel / probe.speed
    since = t - probe.start
    back = since - out - probe.hold
    if since <= 0.0 or back >= out:
        return 0.0, 0.0
    if since < out:
        return probe.speed * since, probe.speed
    if back <= 0.0:
        return probe.travel, 0.0
    return probe.travel - probe.speed * back, -probe.speed


@helper
def push_of_probe(probe, t, pose, motion):
    """Force [N] and torque about the mock-up's origin [N m], in its axes.

    `pose` is (p, R) and `motion` (v, w) of the mock-up, both in the lab.
    """
    p, R = pose
    v, w = motion
    n, point = get3(probe.along, 0), get3(probe.point, 0)
    arm = mul(R, point)
    out, out_rate = reach(probe, t)
    depth = probe.origin + out - dot(n, add(p, arm))
    rate = out_rate - dot(n, add(v, cross(w, arm)))
    push = 0.0
    if depth > 0.0:
        push = max(0.0, probe.stiffness * depth + probe.damping * rate)
    f = mul_t(R, scale(push, n))
    return f, cross(point, f)
