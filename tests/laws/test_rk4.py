"""One step of Runge and Kutta, against what it must give: the series up to the fourth power."""

import numpy as np
import pytest

from proxops.core.jit import helper, kernel
from proxops.physics.integrate.rk4 import STAGE_ROWS, rk4_of

H, T = 0.3, 0.7  # [s]


@helper
def rates(system, y, t, k):
    """Growth by itself, and a cubic of the time."""
    k[0] = system * y[0]
    k[1] = 4.0 * t * t * t


step = rk4_of(rates)


@kernel
def stepped(y, workspace):
    """One step in place."""
    step(-2.0, y, workspace, T, H)


def test_a_step_gives_the_series_of_growth_and_integrates_cubics_exactly():
    y = np.array([1.5, T**4])
    stepped(y, np.zeros((STAGE_ROWS, 2)))
    x = -2.0 * H
    assert y[0] == pytest.approx(1.5 * (1 + x + x**2 / 2 + x**3 / 6 + x**4 / 24), rel=1e-14)
    assert y[1] == pytest.approx((T + H) ** 4, rel=1e-14)
