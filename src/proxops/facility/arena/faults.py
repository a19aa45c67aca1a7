"""Scripted faults of an arena as the vehicles and their air feel them.

Times are those of the flight, zero where the run begins.  A gust is a discrete one, of 1 - cos:

    v(t) = ½ v_max (1 - cos 2π (t - t₀)/(t₁ - t₀)),   t₀ ≤ t < t₁
"""

import math
from typing import NamedTuple

import numpy as np

from proxops.core.jit import part
from proxops.core.spatial.vector import add, get3, scale

FROM, UNTIL = 0, 1  # [s], columns of all
WHICH, ROTOR, SHARE = 2, 3, 4  # of rotors'
WIND = 2  # of gusts': velocity in L (3,) [m/s]
LEFT = 3  # of batteries', after WHICH: charge that is left [-]
ROTOR_SIZE, GUST_SIZE, BATTERY_SIZE = 5, 5, 4


class Faults(NamedTuple):
    """One row each; none where the arena is sound."""

    rotors: np.ndarray  # (n, 5)
    gusts: np.ndarray  # (n, 5)
    batteries: np.ndarray  # (n, 4)


@part
def rotor_share(faults, t, which, rotor):
    """What is left of a rotor's thrust [-]."""
    share = 1.0
    for row in faults.rotors:
        hit = row[WHICH] == which and row[ROTOR] == rotor
        if hit and row[FROM] <= t < row[UNTIL]:
            share *= row[SHARE]
    return share


@part
def wind_at(wind, faults, t):
    """Velocity of the air in L [m/s], without wakes."""
    v = get3(wind, 0)
    for row in faults.gusts:
        if row[FROM] <= t < row[UNTIL]:
            phase = math.tau * (t - row[FROM]) / (row[UNTIL] - row[FROM])
            v = add(v, scale(0.5 * (1.0 - math.cos(phase)), get3(row, WIND)))
    return v


@part
def charge_left(faults, t, which, charge):
    """State of charge [-] after what has failed in a battery."""
    for row in faults.batteries:
        if row[WHICH] == which and row[FROM] <= t:
            charge = min(charge, row[LEFT])
    return charge
