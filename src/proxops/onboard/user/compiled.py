"""A user's compiled function as the loop takes it."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from proxops.bus.commands import JOINTS
from proxops.core.jit import users
from proxops.onboard.command_check import inspect
from proxops.onboard.model import DONE, RAISED


@lru_cache(maxsize=16)
def own(control: Callable[..., None]) -> Any:
    """A pluggable function that calls `control(parameters, memory, measurements, commands)` once a
    cycle; it is compiled in every process anew, the rest of the loop is not."""

    @users
    def think(model, state, truth, commands):
        if truth.now % model.period != 0:
            return DONE
        end = JOINTS + model.limits.shape[0]
        memory, before = state.memory.copy(), commands[:end].copy()
        try:
            control(model.parameters, state.memory, state.measurements, commands[:end])
        except Exception:
            # Called once more from the same inputs it raises the same, in Python's sight
            state.memory[:] = memory
            commands[:end] = before
            return RAISED
        inspect(model, state, truth.now, commands)
        return DONE

    return think
