"""The classical fourth-order Runge-Kutta step, without allocation."""

from collections.abc import Callable
from typing import Any

from proxops.core.jit import part

# Rows of the workspace of a step
K = 0  # rates of the stage at hand
TOTAL = 1  # k₁ + 2k₂ + 2k₃ so far
STAGE = 2  # state of the stage at hand
STAGE_ROWS = 3

# Of each stage: the share of the step at which it is, its weight, the reach of the next one
_AT = (0.0, 0.5, 0.5, 1.0)
_WEIGHT = (1.0, 2.0, 2.0, 1.0)
_REACH = (0.5, 0.5, 1.0, 0.0)


def rk4_of(rates: Callable[..., Any]) -> Any:
    """The step for `rates(system, y, t, k)`, which writes dy/dt into k.

    A function that makes a function: handing `rates` over at run time would keep Numba from
    storing the compiled step.
    """

    @part
    def rk4_step(system, y, workspace, t, h):
        """Advances y in place from t to t + h [s]: y += h/6 (k₁ + 2k₂ + 2k₃ + k₄).

        A loop over the stages: rates that are a helper are there once, with what they read of the
        system loaded once for all stages.
        """
        for i in range(y.shape[0]):
            workspace[STAGE, i] = y[i]
            workspace[TOTAL, i] = 0.0
        for stage in range(len(_AT)):
            rates(system, workspace[STAGE], t + _AT[stage] * h, workspace[K])
            weight, reach = _WEIGHT[stage], _REACH[stage] * h
            for i in range(y.shape[0]):
                k = workspace[K, i]
                workspace[TOTAL, i] += weight * k
                workspace[STAGE, i] = y[i] + reach * k
        for i in range(y.shape[0]):
            y[i] += h / 6.0 * workspace[TOTAL, i]

    return rk4_step
