"""How bodies that stay together spin up under a steady thrust, and when that has to end."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from proxops.physics.boost.balance import Load, angular_acceleration, interface_load
from proxops.physics.boost.pair import Pair

STEP = 0.1  # [s]: at 0.5 rad/s an RK4 step then errs by 3e-9 of the rate
FOUND = 1e-6  # [s] width at which the search for an instant ends


class Instant(NamedTuple):
    """When a margin is used up, and how fast the bodies turn then."""

    t: float  # [s]
    w: np.ndarray  # contact axes (3,) [rad/s]

    @property
    def rate(self) -> float:
        """|w| [rad/s]."""
        return float(np.linalg.norm(self.w))


class Course(NamedTuple):
    """Samples of a common spin-up."""

    t: np.ndarray  # (n,) [s]
    w: np.ndarray  # (n, 3) [rad/s]
    loads: tuple[Load, ...]


def advanced(pair: Pair, w: np.ndarray, dt: float) -> np.ndarray:
    """w after dt [s] of steady thrust, by one RK4 step; both in contact axes [rad/s]."""
    k1 = angular_acceleration(pair, w)
    k2 = angular_acceleration(pair, w + 0.5 * dt * k1)
    k3 = angular_acceleration(pair, w + 0.5 * dt * k2)
    k4 = angular_acceleration(pair, w + dt * k3)
    return np.asarray(w + dt / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4))


def course(pair: Pair, duration: float) -> Course:
    """The spin-up from rest, every STEP."""
    w, spins = np.zeros(3), []
    count = round(duration / STEP) + 1
    for _ in range(count):
        spins.append(w)
        w = advanced(pair, w, STEP)
    loads = tuple(interface_load(pair, w) for w in spins)
    return Course(STEP * np.arange(count), np.array(spins), loads)


def used_up(pair: Pair, margin: Callable[[np.ndarray], float], longest: float) -> Instant | None:
    """When a margin, a function of w, first falls below zero; None if not before `longest` [s]."""
    t, w = 0.0, np.zeros(3)
    if margin(w) < 0.0:
        return Instant(t, w)
    while t < longest:
        after = advanced(pair, w, STEP)
        if margin(after) < 0.0:
            low, high = 0.0, STEP
            while high - low > FOUND:
                middle = 0.5 * (low + high)
                if margin(advanced(pair, w, middle)) < 0.0:
                    high = middle
                else:
                    low = middle
            return Instant(t + high, advanced(pair, w, high))
        t, w = t + STEP, after
    return None
