"""Linear relative motion about a circular orbit: Hill, Clohessy and Wiltshire."""

import math

import numpy as np


def hcw_transition(n: float, t: float) -> np.ndarray:
    """Φ with x(t) = Φ x(0), x = [p_H; v_H] [m, m/s], for the mean motion n [rad/s].

        ẍ = 3n²x + 2nẏ,   ÿ = -2nẋ,   z̈ = -n²z

    Source: Clohessy & Wiltshire 1960.  Circular reference orbit; the error grows with the square
    of the range: of the order of |p|²/|R| in one revolution.
    """
    s, c, nt = math.sin(n * t), math.cos(n * t), n * t
    return np.array(
        [
            [4 - 3 * c, 0, 0, s / n, 2 * (1 - c) / n, 0],
            [6 * (s - nt), 1, 0, -2 * (1 - c) / n, (4 * s - 3 * nt) / n, 0],
            [0, 0, c, 0, 0, s / n],
            [3 * n * s, 0, 0, c, 2 * s, 0],
            [-6 * n * (1 - c), 0, 0, -2 * s, 4 * c - 3, 0],
            [0, 0, -n * s, 0, 0, c],
        ]
    )
