"""How far a vehicle can be from its target, whatever it is sent within the guard's limits.

Horizontally, with the rotors' lag T, drag c, mass m, the position's P and the velocity's PID
C(s) = F (P + I/s) + D s F², F = w/(s + w), the error e of a target with acceleration a obeys

    e (s² + (c/m) s + C (s + p)/(T s + 1)) = a (T s/(T s + 1) + (c/m)/s)

Feed-forward takes care of the rest.  The largest error is that of the worst history of a: of all
with |a| ≤ A and |∫a| ≤ V, from a flight at any steady speed.  Vibration and gusts are not in it.
"""

import numpy as np
from numpy.polynomial import Polynomial

from proxops.facility.arena.vehicle import Gains, Vehicle

MEMORY = 15.0  # [s]: the slowest mode falls by exp(-0.45 t)
SPEEDS = 40  # grid between rest and the largest speed
DIAGONAL = 2.0**0.5  # limits are those of x and y, each; along their diagonal both act


def error_poles(craft: Vehicle, gains: Gains) -> tuple[np.ndarray, np.ndarray]:
    """Residues [s] and poles [1/s] of e over a: e(t) = Σ r exp(p t) after an impulse of a."""
    # upright rotors must lean before they push aside
    T = craft.lag if craft.tilted else craft.lag + 1.0 / gains.ang_p
    w = 2.0 * np.pi * gains.vel_filter
    s, filtered, lag = Polynomial([0.0, 1.0]), Polynomial([w, 1.0]), Polynomial([1.0, T])
    pid = w * Polynomial([gains.vel_i, gains.vel_p]) * filtered + gains.vel_d * w * w * s**2
    square, slowed = filtered**2, craft.drag / craft.mass
    loop = s**2 * (s + slowed) * square * lag + pid * Polynomial([gains.pos_p, 1.0])
    disturbed = T * s**2 * square + slowed * lag * square
    poles = loop.roots()
    return disturbed(poles) / loop.deriv()(poles), poles


def largest_error(craft: Vehicle, gains: Gains, speed: float, acceleration: float) -> float:
    """Largest horizontal error [m] of targets within those limits of each axis [m/s, m/s2].

    The best sum of k a over all histories, by the speed v that it ends with, grows step by step:

        J(v) ← max(J(v), J(v - A dt) + k A, J(v + A dt) - k A)
    """
    dt = speed / (SPEEDS * acceleration)
    ages = dt * (np.arange(int(MEMORY / dt)) + 0.5)
    residues, poles = error_poles(craft, gains)
    response = np.real(residues @ np.exp(np.outer(poles, ages)))
    best = np.zeros(2 * SPEEDS + 1)
    for gain in dt * acceleration * response[::-1]:
        faster = np.append(-np.inf, best[:-1]) + gain
        slower = np.append(best[1:], -np.inf) - gain
        best = np.maximum(best, np.maximum(faster, slower))
    return DIAGONAL * float(best.max())
