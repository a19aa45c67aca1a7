"""The classical fourth-order Runge-Kutta step, without allocation."""

from collections.abc import Callable
from typing import Any

from proxops.core.jit import part

# Rows of the room for a step
K = 0  # rates of the stage at hand
TOTAL = 1  # k₁ + 2k₂ + 2k₃ so far
STAGE = 2  # state of the stage at hand
STAGE_ROWS = 3


@part
def _next_stage(y, room, weight, reach):
    """Counts k with its weight and moves to the next stage: y + reach k."""
    for i in range(y.shape[0]):
        k = room[K, i]
        room[TOTAL, i] += weight * k
        room[STAGE, i] = y[i] + reach * k


def rk4_of(rates: Callable[..., Any]) -> Any:
    """The step for `rates(system, y, t, k)`, which writes dy/dt into k.

    A function that makes a function: handing `rates` over at run time would keep Numba from
    storing the compiled step.
    """

    @part
    def rk4_step(system, y, room, t, h):
        """Advances y in place from t to t + h [s]: y += h/6 (k₁ + 2k₂ + 2k₃ + k₄)."""
        rates(system, y, t, room[K])
        for i in range(y.shape[0]):
            room[TOTAL, i] = 0.0
        _next_stage(y, room, 1.0, 0.5 * h)
        rates(system, room[STAGE], t + 0.5 * h, room[K])
        _next_stage(y, room, 2.0, 0.5 * h)
        rates(system, room[STAGE], t + 0.5 * h, room[K])
        _next_stage(y, room, 2.0, h)
        rates(system, room[STAGE], t + h, room[K])
        for i in range(y.shape[0]):
            y[i] += h / 6.0 * (room[TOTAL, i] + room[K, i])

    return rk4_step
