"""What a hexarotor still does without one of its rotors.

Five columns of H have rank 5 at most.  A body hovers and keeps its attitude only where thrusts
within their limits carry the weight and turn it *both* ways about each axis:

    max ±t_k   with   f_z = W,   t_j = 0 for j ≠ k,   T_min ≤ T_i ≤ T_max

A horizontal force is left free: it moves the body, and leaning makes up for it.  Where the least
of the six is not above zero, a disturbance about that axis is not answered: the vehicle falls.
With α alone that is so for every rotor and every α (Michieletto et al., IEEE T-RO 2018).
"""

import math

import numpy as np

from proxops.physics.multirotor.mixer import ROTORS, TORQUE, Geometry, mixer

_LIFT = 2  # row of H: f_z
_AXES = 3


def torque_in_hover(geometry: Geometry, weight: float, lost: int | None = None) -> float:
    """The least of the six torques [N m] in a hover of that weight [N], without the rotor `lost`;
    -inf where none of the thrusts hovers."""
    from scipy.optimize import linprog  # loaded only by those who ask

    H = np.delete(mixer(geometry), [] if lost is None else lost, axis=1)
    bounds = [(geometry.least, geometry.largest)] * H.shape[1]
    least = math.inf
    for axis in range(_AXES):
        others = np.delete(H[TORQUE], axis, axis=0)
        for sign in (1.0, -1.0):
            found = linprog(
                -sign * H[TORQUE][axis],
                A_eq=np.vstack([H[_LIFT], others]),
                b_eq=[weight, 0.0, 0.0],
                bounds=bounds,
                method="highs",
            )
            if found.status != 0:
                return -math.inf
            least = min(least, -float(found.fun))
    return least


def survives(geometry: Geometry, weight: float) -> bool:
    """Whether the body still hovers and turns both ways without any one of its rotors."""
    return all(torque_in_hover(geometry, weight, lost) > 0.0 for lost in range(ROTORS))
