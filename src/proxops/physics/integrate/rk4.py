"""The classical fourth-order Runge-Kutta step, without allocation."""

from collections.abc import Callable
from typing import Any

from proxops.core.jit import helper, part

# Rows of the room for a step
K = 0  # rates of the stage at hand
TOTAL = 1  # k₁ + 2k₂ + 2k₃ so far
STAGE = 2  # state of the stage at hand
STAGE_ROWS = 3


@helper
def _first_stage(y, room, reach):
    """Starts the count with k and moves to the next stage: y + reach k."""
    for i in range(y.shape[0]):
        k = room[K, i]
        room[TOTAL, i] = k
        room[STAGE, i] = y[i] + reach * k


@helper
def _next_stage(y, room, reach):
    """Counts k twice and moves to the next stage: y + reach k."""
    for i in range(y.shape[0]):
        k = room[K, i]
        room[TOTAL, i] += 2.0 * k
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
        _first_stage(y, room, 0.5 * h)
        rates(system, room[STAGE], t + 0.5 * h, room[K])
        _next_stage(y, room, 0.5 * h)
        rates(system, room[STAGE], t + 0.5 * h, room[K])
        _next_stage(y, room, h)
        rates(system, room[STAGE], t + h, room[K])
        for i in range(y.shape[0]):
            y[i] += h / 6.0 * (room[TOTAL, i] + room[K, i])

    return rk4_step
