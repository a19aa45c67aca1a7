"""The approach that guidance tests share: 1 km to 10 m, at rest at both ends, in 6000 s."""

import math
from dataclasses import replace

import numpy as np

from proxops.onboard.functions.guidance.prediction import Orbit
from proxops.onboard.functions.guidance.problem import Corridor, IdealThrust, Problem, Thrusters
from proxops.physics.orbit.attractors import EARTH
from proxops.physics.orbit.kepler import state_from_elements

SEMI_MAJOR = 6778137.0  # 400 km above the equator [m]
ARRIVAL = 6000.0  # [s]
APEX = 5.0  # of the corridor, ahead of the target's centre of mass [m]
A_MAX = 0.02  # [m/s2]
SIX = Thrusters(directions=np.vstack([np.eye(3), -np.eye(3)]), a_max=np.full(6, A_MAX))
ANY = IdealThrust(a_max=A_MAX)


def orbit(e=0.0, nu=0.0):
    """Through true anomaly ν at t = 0, in the plane x, y of N."""
    R, V = state_from_elements(EARTH.mu, SEMI_MAJOR, e, 0.0, 0.0, 0.0, nu)
    return Orbit(mu=EARTH.mu, R0=tuple(R.tolist()), V0=tuple(V.tolist()))


def cone(degrees, axis=(0.0, -1.0, 0.0)):
    """About an axis, its apex before the target."""
    apex = tuple(APEX * x for x in axis)
    return Corridor(apex=apex, axis=axis, half_angle=math.radians(degrees))


def approach(intervals, *, axis=(0.0, -1.0, 0.0), degrees=15.0, e=0.0, **changes):
    """From 1 km to 10 m along an axis of H."""
    rest = np.zeros(3)
    problem = Problem(
        orbit=orbit(e),
        times=np.linspace(0.0, ARRIVAL, intervals + 1),
        start=np.concatenate([1000.0 * np.array(axis), rest]),
        goal=np.concatenate([10.0 * np.array(axis), rest]),
        thrust=ANY,
        corridor=None if degrees is None else cone(degrees, axis),
    )
    return replace(problem, **changes)
