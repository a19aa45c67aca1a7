"""The classical fourth-order Runge-Kutta step, without allocation."""

from collections.abc import Callable
from typing import Any

from proxops.core.jit import helper, part

# Rows of the workspace of a step
K = 0  # rates of the stage at hand
TOTAL = 1  # k₁ + 2k₂ + 2k₃ so far
STAGE = 2  # state of the stage at hand
STAGE_ROWS = 3


@helper
def _first_stage(y, workspace, reach):
    """Starts the count with k and moves to the next stage: y + reach k."""
    for i in range(y.shape[0]):
        k = workspace[K, i]
        workspace[TOTAL, i] = k
        workspace[STAGE, i] = y[i] + reach * k


@helper
def _next_stage(y, workspace, reach):
    """Counts k twice and moves to the next stage: y + reach k."""
    for i in range(y.shape[0]):
        k = workspace[K, i]
        workspace[TOTAL, i] += 2.0 * k
        workspace[STAGE, i] = y[i] + reach * k


def rk4_of(rates: Callable[..., Any]) -> Any:
    """The step for `rates(system, y, t, k)`, which writes dy/dt into k.

    A function that makes a function: handing `rates` over at run time would keep Numba from
    storing the compiled step.
    """

    rk4_from = rk4_from_rate_of(rates)

    @part
    def rk4_step(system, y, workspace, t, h):
        """Advances y in place from t to t + h [s]: y += h/6 (k₁ + 2k₂ + 2k₃ + k₄)."""
        rates(system, y, t, workspace[K])
        rk4_from(system, y, workspace, t, h)

    return rk4_step


def rk4_from_rate_of(rates: Callable[..., Any]) -> Any:
    """The same step for those who know the rate at its begin and have put it into workspace[K]."""

    @helper
    def rk4_from(system, y, workspace, t, h):
        """Advances y in place from t to t + h [s], k₁ being known."""
        _first_stage(y, workspace, 0.5 * h)
        rates(system, workspace[STAGE], t + 0.5 * h, workspace[K])
        _next_stage(y, workspace, 0.5 * h)
        rates(system, workspace[STAGE], t + 0.5 * h, workspace[K])
        _next_stage(y, workspace, h)
        rates(system, workspace[STAGE], t + h, workspace[K])
        for i in range(y.shape[0]):
            y[i] += h / 6.0 * (workspace[TOTAL, i] + workspace[K, i])

    return rk4_from
