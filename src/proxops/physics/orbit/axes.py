"""The Hill frame for Python that builds or reads things; kernels have their own in frames."""

from collections.abc import Sequence

import numpy as np


def hill_rotation(
    R: Sequence[float] | np.ndarray, V: Sequence[float] | np.ndarray
) -> tuple[np.ndarray, float]:
    """R_NH (3, 3), and the rate [rad/s] at which H turns about its z axis, of the orbit at R, V.

    x = R/|R|,  z = h/|h|,  y = z × x,   |h|/|R|²,   h = R × V
    """
    h = np.cross(R, V)
    size = float(np.linalg.norm(h))
    x, z = np.asarray(R) / np.linalg.norm(R), h / size
    return np.column_stack([x, np.cross(z, x), z]), size / float(np.dot(R, R))
