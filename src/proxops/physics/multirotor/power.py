"""Power that rotors draw, by momentum theory.

    P = Σ T_i^(3/2) / (η √(2 ρ A))

A is the disc of a rotor, η the share of the battery's power that becomes induced power: figure of
merit times motor, controller and battery.  In hover; the inflow of a moving vehicle is left out.
"""

import math

from proxops.core.jit import helper
from proxops.physics.multirotor.wake import AIR_DENSITY


def power_factor(radius: float, efficiency: float) -> float:
    """P/T^(3/2) [W/N^1.5] of a rotor of that radius [m]."""
    return 1.0 / (efficiency * math.sqrt(2.0 * AIR_DENSITY * math.pi * radius**2))


@helper
def rotor_power(factor, thrust):
    """P [W] of one rotor; none where it is not driven."""
    if thrust <= 0.0:
        return 0.0
    return factor * thrust * math.sqrt(thrust)
