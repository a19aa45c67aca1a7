"""Rendezvous: textbook transfers and hops, and nonlinear Hill motion against two-body motion.

Curtis, *Orbital Mechanics for Engineering Students*; Vallado, *Fundamentals of Astrodynamics and
Applications*; Fehse, *Automated Rendezvous and Docking of Spacecraft*.
"""

import math

import numpy as np

from proxops.physics.orbit.attractors import EARTH
from proxops.physics.orbit.entry import hill_acceleration
from proxops.physics.orbit.forced import rbar_hold_delta_v
from proxops.physics.orbit.hcw import hcw_transition
from proxops.physics.orbit.kepler import propagate, state_from_elements
from proxops.physics.orbit.transfers import Transfer, relative_motion, two_impulse
from proxops.validation.table import Result

CURTIS_N = 0.00115697  # [rad/s]
CURTIS_START = (20e3, 20e3, 20e3, -20.0, 20.0, -5.0)  # [m, m/s] in H
CURTIS_TIME = 8.0 * 3600.0  # [s]

VALLADO_MU, VALLADO_A = 398600.4418e9, 6378.137e3 + 590e3  # [m3/s2, m]
VALLADO_START = (0.0, 0.0, 0.0, -0.1, -0.04, -0.02)
VALLADO_TIME = 300.0

HOP_A, HOP = 6778137.0, 1000.0  # [m]
HOLD_X = -100.0  # [m]

# The nonlinear case: no axis is special, moving at orbital pace
E, PERIAPSIS_HEIGHT, ANOMALY = 0.05, 6e5, 0.7
DIRECTION = (0.48, -0.6, 0.64, 0.3, -0.9, 0.2)  # of position, and of velocity in units of n
RANGE, TIME, STEP = 1e3, 3000.0, 2.0  # [m, s, s]


def results() -> dict[str, Result]:
    """Ours for every published number."""
    curtis, moved = curtis_transfer(), vallado_motion()
    radial, tangential = hop(0.5), hop(1.0)
    n = hop_mean_motion()
    size = np.linalg.norm
    how = "two impulses by HCW"
    return {
        "curtis-first": Result(float(size(curtis.dv1)), how),
        "curtis-second": Result(float(size(curtis.dv2)), how),
        "vallado-x": Result(float(moved[0]), "HCW transition"),
        "vallado-y": Result(float(moved[1]), "the same"),
        "vallado-z": Result(float(moved[2]), "the same"),
        "hop-radial": Result(float(size(radial.dv1)), f"{how}, half a revolution"),
        "hop-tangential": Result(float(size(tangential.dv1)), f"{how}, the least of a whole one"),
        "rbar-hold": Result(rbar_hold_delta_v(n, HOLD_X, math.tau / n), "closed form"),
        "nonlinear-hill": Result(hill_gap(), "RK4 of 2 s in H; two Kepler motions, good to 1e-7 m"),
    }


def curtis_transfer() -> Transfer:
    """Example 7.4 of Curtis: to the origin in 8 h."""
    return two_impulse(hcw_transition(CURTIS_N, CURTIS_TIME), CURTIS_START, np.zeros(6))


def vallado_motion() -> np.ndarray:
    """Example 6-14 of Vallado: [p_H; v_H] (6,) after 300 s."""
    n = math.sqrt(VALLADO_MU / VALLADO_A**3)
    return np.asarray(hcw_transition(n, VALLADO_TIME) @ np.array(VALLADO_START))


def hop_mean_motion() -> float:
    """n [rad/s] of the orbit on which the hops are flown."""
    return math.sqrt(EARTH.mu / HOP_A**3)


def hop(turns: float) -> Transfer:
    """The hop of 1 km along V-bar to the origin, from rest to rest, in so many revolutions."""
    n = hop_mean_motion()
    return two_impulse(hcw_transition(n, turns * math.tau / n), hop_start(), np.zeros(6))


def hop_start() -> np.ndarray:
    """[p_H; v_H] (6,) at rest behind the target."""
    return np.array([0.0, -HOP, 0.0, 0.0, 0.0, 0.0])


def hill_gap() -> float:
    """Distance [m] of the motion integrated in H from inertial two-body motion, after 3000 s."""
    a = (EARTH.radius + PERIAPSIS_HEIGHT) / (1.0 - E)
    n = math.sqrt(EARTH.mu / a**3)
    R, V = state_from_elements(EARTH.mu, a, E, 0.9, 0.4, 2.1, ANOMALY)
    start = RANGE * np.array(DIRECTION) * [1.0, 1.0, 1.0, n, n, n]
    return math.dist(_integrated(R, V, start)[:3], relative_motion(EARTH.mu, R, V, start, TIME)[:3])


def _integrated(R0: np.ndarray, V0: np.ndarray, start: np.ndarray) -> np.ndarray:
    """[p_H; v_H] (6,) after 3000 s by RK4 of the nonlinear equations in H."""
    epoch = tuple(R0.tolist()), tuple(V0.tolist())

    def rates(t: float, x: np.ndarray) -> np.ndarray:
        R, V = propagate(EARTH.mu, *epoch, t)
        p, v = tuple(x[:3].tolist()), tuple(x[3:].tolist())
        return np.array([*v, *hill_acceleration(EARTH.mu, R, V, p, v)])

    x, h = start, STEP
    for k in range(round(TIME / h)):
        t = k * h
        k1 = rates(t, x)
        k2 = rates(t + 0.5 * h, x + 0.5 * h * k1)
        k3 = rates(t + 0.5 * h, x + 0.5 * h * k2)
        k4 = rates(t + h, x + h * k3)
        x = x + h / 6.0 * (k1 + 2.0 * (k2 + k3) + k4)
    return x
