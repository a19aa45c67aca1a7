"""What a burn does to the orbit."""

import numpy as np

from proxops.physics.orbit.kepler import elements_from_state


def burn_time(mass: float, delta_v: float, thrust: float) -> float:
    """Time at full thrust [s] for a change of velocity [m/s]: t = M Δv/F.

    Propellant is not taken off the mass: 50 m/s at 3000 m/s exhaust are 1.7 % of it.
    """
    return mass * delta_v / thrust


def perigee(mu: float, R: np.ndarray, V: np.ndarray) -> float:
    """Least distance from the attractor's centre [m] of the orbit through R [m], V [m/s] in N.

    r_p = a (1 - e)
    """
    found = elements_from_state(mu, R.tolist(), V.tolist())
    return found.a * (1.0 - found.e)


def perigee_after(mu: float, R: np.ndarray, V: np.ndarray, delta_v: float) -> float:
    """Perigee distance [m] after braking at once by delta_v [m/s] against the velocity.

    A burn over n t radians of a circular orbit along a fixed direction falls (n t)²/24 short of
    that, half as much if it follows the velocity: 0.4 % in 5 min of 100.
    """
    return perigee(mu, R, V - delta_v * V / np.linalg.norm(V))
