"""Figures of the textbook cases: their paths, and what linear theory misses by."""

import math

import numpy as np

from proxops.core.plot import DASHED, POINTS, Curve, Figure
from proxops.physics.orbit.attractors import EARTH
from proxops.physics.orbit.hcw import hcw_transition
from proxops.physics.orbit.kepler import state_from_elements
from proxops.physics.orbit.transfers import Transfer, corrected, relative_motion, two_impulse
from proxops.physics.orbit.yamanaka_ankersen import transition
from proxops.validation import rendezvous as cases

SAMPLES = 200
RANGES = np.array([30.0, 100.0, 300.0, 1000.0, 3000.0])  # [m]
ECCENTRICITIES = (0.0, 0.05, 0.7)
TURNS = 0.4
DIRECTION = np.array([0.3, -1.0, 0.2, 0.0, 0.0, 0.0])  # where a transfer starts, times the range
GOAL = np.array([0.0, -0.1, 0.04, 0.0, 0.0, 0.0])
ORIGIN = Curve("target", np.zeros(1), np.zeros(1), POINTS)


def figures() -> tuple[Figure, ...]:
    """Hops, the transfer of Curtis, and the miss over the range."""
    n = cases.hop_mean_motion()
    hops = (
        ("radial, half a revolution", 0.5, cases.hop(0.5)),
        ("tangential, a whole one", 1.0, cases.hop(1.0)),
    )
    curtis = _path(cases.CURTIS_N, cases.CURTIS_START, cases.curtis_transfer(), cases.CURTIS_TIME)
    return (
        Figure(
            "Hops of 1 km along V-bar",
            "x in H, radial [m]",
            (
                *(
                    Curve(label, *_path(n, cases.hop_start(), found, turns * math.tau / n)[1::-1])
                    for label, turns, found in hops
                ),
                ORIGIN,
            ),
            x="y in H, along-track [m]",
            equal=True,
            linked=False,
        ),
        Figure(
            "Curtis, example 7.4: to the target in 8 h",
            "x in H, radial [km]",
            (Curve("HCW", curtis[1] / 1e3, curtis[0] / 1e3), ORIGIN),
            x="y in H, along-track [km]",
            equal=True,
            linked=False,
        ),
        _misses(),
    )


def _path(n: float, start: np.ndarray | tuple[float, ...], found: Transfer, t: float) -> np.ndarray:
    """p_H (3, SAMPLES) [m] of a transfer by HCW."""
    x = np.array(start) + np.concatenate([np.zeros(3), found.dv1])
    times = np.linspace(0.0, t, SAMPLES)
    return np.array([(hcw_transition(n, at) @ x)[:3] for at in times]).T


def _misses() -> Figure:
    curves = []
    for i, e in enumerate(ECCENTRICITIES):
        pairs = np.array([_miss(e, d) for d in RANGES])
        curves.append(Curve(f"e = {e:g}, linear", RANGES, pairs[:, 0], DASHED, i))
        curves.append(Curve(f"e = {e:g}, corrected once", RANGES, pairs[:, 1], colour=i))
    return Figure(
        f"Miss of a transfer of {TURNS:g} revolutions in exact two-body motion",
        "distance from the goal [m]",
        tuple(curves),
        x="range [m]",
        log=True,
        caption=(
            "Yamanaka and Ankersen's model, 400 km above the Earth at periapsis. Linear theory"
            " misses by the square of the range, what one correction leaves grows with its fourth"
            " power; below 1e-7 m it is the rounding of two Kepler motions."
        ),
        linked=False,
    )


def _miss(e: float, d: float) -> tuple[float, float]:
    """Miss [m] of linear theory, and after one correction."""
    a = (EARTH.radius + 4e5) / (1.0 - e)
    R, V = state_from_elements(EARTH.mu, a, e, 0.9, 0.4, 2.1, cases.ANOMALY)
    t = TURNS * math.tau * math.sqrt(a**3 / EARTH.mu)
    start, goal = d * DIRECTION, d * GOAL
    first = two_impulse(transition(EARTH.mu, R.tolist(), V.tolist(), t), start, goal)
    leaving = start + np.concatenate([np.zeros(3), first.dv1])
    end = relative_motion(EARTH.mu, R, V, leaving, t)
    left = corrected(EARTH.mu, R, V, start, goal, t, first).miss
    return math.dist(end[:3], goal[:3]), float(np.linalg.norm(left))
