"""What thrust can do at all: bounds to check a mission by, before anything is planned."""

import math

import numpy as np

_BISECTIONS = 60  # to rounding
_LARGEST_POWER = 600.0  # of e; the bound is empty long before


def _gravity(start: np.ndarray, time: float, a_max: float, rate: float) -> float:
    """Bound [m/s2] of what acts in H besides thrust, over a time from a state on.

        |g| ≤ 4ω²|p| + 2ω|v| ≤ 4ω s,   s = ω|p| + |v|,   ṡ ≤ 5ω s + a,   s ≤ (s₀ + a t) e^{5ωt}

    ω is the largest rate of H, at periapsis; 3 + 2e ≤ 4 stands before ω²|p| for e ≤ 0.5.
    """
    s = rate * float(np.linalg.norm(start[:3])) + float(np.linalg.norm(start[3:]))
    return 4.0 * rate * (s + a_max * time) * math.exp(min(5.0 * rate * time, _LARGEST_POWER))


def thrust_may_suffice(
    start: np.ndarray, goal: np.ndarray, time: float, *, a_max: float, rate: float
) -> bool:
    """Whether [p; v] may get from start to goal in H in the time [s]; False: certainly not.

    All that acts, w, is at most a_max + |g|, and with it both moments of w over the time:

        |Δv| = |∫ w dt| ≤ |w| t,    |Δp - ½(v₀ + v₁) t| = |∫ (½t - s) w ds| ≤ ¼ |w| t²

    rate    of the Hill frame at periapsis [rad/s]

    The bound is sharp while ω t is small, and empty beyond a radian or so: there the programme
    itself has to answer.
    """
    w = a_max + _gravity(start, time, a_max, rate)
    speed = float(np.linalg.norm(goal[3:] - start[3:]))
    distance = float(np.linalg.norm(goal[:3] - start[:3] - 0.5 * (start[3:] + goal[3:]) * time))
    return speed <= w * time and distance <= 0.25 * w * time**2


def shortest_time(start: np.ndarray, goal: np.ndarray, *, a_max: float, rate: float) -> float:
    """Bound [s]: no transfer between two points at rest in H takes less.

    2√(d/a) without gravity: half the way faster and faster, half the way slower and slower.
    """
    distance = float(np.linalg.norm(goal[:3] - start[:3]))
    low, high = 0.0, 2.0 * math.sqrt(distance / a_max)
    for _ in range(_BISECTIONS):
        middle = 0.5 * (low + high)
        if thrust_may_suffice(start, goal, middle, a_max=a_max, rate=rate):
            high = middle
        else:
            low = middle
    return high


def hold_acceleration(p: np.ndarray, n: float) -> float:
    """Acceleration [m/s2] that holds a point p [m] at rest in H of a circular orbit.

        |(-3n²x, 0, n²z)|

    None on V-bar; 3n²|x| on R-bar, so that a chaser of mass m needs the thrust F ≥ 3n²|x| m.
    """
    return n * n * math.hypot(3.0 * p[0], p[2])
