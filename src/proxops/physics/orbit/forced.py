"""Thrust that a prescribed motion in H needs: straight approaches, holds, fly-arounds.

`forced_acceleration` is exact and for any orbit; the others are its linear part about a circle of
mean motion n [rad/s] (HCW), in closed form.  Source: Fehse 2003, section 3.3.
"""

import math
from collections.abc import Sequence

import numpy as np

from proxops.physics.orbit.entry import hill_acceleration

Vector = Sequence[float] | np.ndarray


def forced_acceleration(
    mu: float, R: Vector, V: Vector, p: Vector, v: Vector, a: Vector
) -> np.ndarray:
    """Thrust a body needs [m/s2] (3,) to move with p, v, a in H of the orbit that is at R, V.

        u = a - p̈(R, V, p, v),    p̈ the free motion's acceleration in H

    a is the derivative of v_H: zero on a straight line at constant speed, and at rest.
    """
    args = (tuple(float(x) for x in given) for given in (R, V, p, v))
    free = np.array(hill_acceleration(float(mu), *args))
    return np.asarray(np.array(a, dtype=float) - free)


def straight_vbar(n: float, v: float) -> np.ndarray:
    """Thrust [m/s2] (3,) on V-bar at the constant speed v [m/s] along +y.

        u = [-2n v, 0, 0]

    It holds the Coriolis force; a way of d costs 2n d, however fast, besides starting and stopping.
    """
    return np.array([-2.0 * n * v, 0.0, 0.0])


def straight_rbar(n: float, x: float, v: float) -> np.ndarray:
    """Thrust [m/s2] (3,) on R-bar at the height x [m] and the constant speed v [m/s] along +x.

        u = [-3n² x, 2n v, 0]

    v = 0 is a hold.
    """
    return np.array([-3.0 * n * n * x, 2.0 * n * v, 0.0])


def rbar_hold_delta_v(n: float, x: float, t: float) -> float:
    """What holding the height x [m] on R-bar for t [s] costs [m/s]:  3n² |x| t."""
    return 3.0 * n * n * abs(x) * t


def circle(radius: float, rate: float, angle: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """p, v, a in H [m, m/s, m/s2] on a circle around the origin in the orbit plane, at an angle
    from x [rad] that grows with a rate [rad/s]."""
    p = radius * np.array([math.cos(angle), math.sin(angle), 0.0])
    v = rate * np.array([-p[1], p[0], 0.0])
    return p, v, -rate * rate * p


def fly_around(n: float, radius: float, rate: float, angle: float) -> np.ndarray:
    """Thrust [m/s2] (3,) on that circle.

        u = -ω² p - [3n² x + 2n v_y, -2n v_x, 0] = -(ω² + 2n ω) p - [3n² x, 0, 0]

    Its peak is least at ω = -n, the sense and pace of the natural ellipse: u = n² [-2x, y, 0].
    """
    p, _, _ = circle(radius, rate, angle)
    u = -(rate * rate + 2.0 * n * rate) * p
    u[0] -= 3.0 * n * n * p[0]
    return u
