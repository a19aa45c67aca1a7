"""How all axes move from rest to rest, and from rest into a motion: positions, one row a cycle.

Every axis follows one clock, so a motion is a straight line in the space of joints.  Differences
of samples are means of derivatives: a law whose derivatives are inside the limits gives commands
that are, whatever the period.
"""

import math
from typing import NamedTuple

import numpy as np

from proxops.core.errors import InputError

MAX_CYCLES = 1_000_000  # of commands in one motion
STANDS = 3  # cycles at rest after which neither speed nor acceleration is left
SHORTEST_UP = 0.5  # of a run-up [s]

# Largest derivatives of τ³ (10 - 15 τ + 6 τ²), the way from rest to rest
SPEED, ACCELERATION, JERK = 15.0 / 8.0, 10.0 / math.sqrt(3.0), 60.0

# Largest derivatives of τ² (3 - 2 τ), the speed from rest into a motion
UP_ACCELERATION, UP_JERK = 1.5, 6.0


class Pace(NamedTuple):
    """What the axes may do, one entry each, and the period of commands."""

    speed: np.ndarray  # [rad/s]
    acceleration: np.ndarray  # [rad/s2]
    jerk: np.ndarray  # [rad/s3]
    period: float  # [s]


def travel(start: np.ndarray, end: np.ndarray, pace: Pace) -> np.ndarray:
    """Commands [rad] from rest at `start` to rest at `end`, as quick as the slowest axis allows.

    q = start + (end - start) τ³ (10 - 15 τ + 6 τ²),   τ = t/T
    """
    distance = np.abs(end - start)
    lasts = np.max(
        [
            SPEED * distance / pace.speed,
            np.sqrt(ACCELERATION * distance / pace.acceleration),
            np.cbrt(JERK * distance / pace.jerk),
        ]
    )
    count = max(1, cycles_in(float(lasts), pace.period))
    tau = np.arange(1, count + 1) / count
    share = tau**3 * (10.0 - 15.0 * tau + 6.0 * tau**2)
    rows = start + np.outer(share, end - start)
    rows[-1] = end
    return np.vstack([rows, stand(end, STANDS)])


def cycles_in(lasts: float, period: float) -> int:
    """Command cycles of a period [s] in a time [s], the last one begun; refused beyond
    MAX_CYCLES."""
    if not lasts / period <= MAX_CYCLES:
        raise InputError(
            f"{lasts:.4g} s are more than {MAX_CYCLES} commands, one every {period:g} s; what "
            "slows them down is procedure.speed, procedure.tare_s, guard.speed_override, "
            "guard.acceleration_override, servo.bandwidth_hz and servo.damping_ratio"
        )
    return math.ceil(lasts / period)


def stand(q: np.ndarray, count: int) -> np.ndarray:
    """So many commands [rad] to stay at q."""
    return np.tile(q, (count, 1))


def run_up(q: np.ndarray, qd: np.ndarray, pace: Pace, steady: float) -> np.ndarray:
    """Positions [rad] from rest into a motion that is at q with the speeds qd [rad/s] at the last
    row; the first row is where it begins.  For the time `steady` [s] before the end, speeds are qd.

        q(c) = q + qd (c - C),   dc/dt = τ² (3 - 2 τ) and then 1

    The clock c of all axes is that of a stop, run the other way.
    """
    fast = np.abs(qd)
    lasts = max(
        SHORTEST_UP,
        float(np.max(UP_ACCELERATION * fast / pace.acceleration)),
        float(np.max(np.sqrt(UP_JERK * fast / pace.jerk))),
    )
    h = pace.period
    up, on = cycles_in(lasts, h), max(STANDS, cycles_in(steady, h))
    tau = np.arange(up + 1) / up
    clock = up * h * (tau**3 - 0.5 * tau**4)
    clock = np.concatenate([clock, clock[-1] + h * np.arange(1, on + 1)])
    return np.asarray(q + np.outer(clock - clock[-1], qd))
