"""A user's compiled function as the schedule calls it."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from proxops.core.jit import users
from proxops.onboard.function import DONE, RAISED


class OwnParams(NamedTuple):
    """Everything that stays the same."""

    parameters: np.ndarray
    commands: int  # how many entries of the commands are its own


class OwnMemory(NamedTuple):
    """Everything that changes."""

    memory: np.ndarray


@lru_cache(maxsize=16)
def own(control: Callable[..., None]) -> Any:
    """The step of a function on board that calls control(parameters, memory, measurements,
    commands); it is compiled in every process anew, the rest of the loop is not."""

    @users
    def step(params, memory, bus):
        commands = bus.commands[: params.commands]
        remembered, before = memory.memory.copy(), commands.copy()
        try:
            control(params.parameters, memory.memory, bus.measurements, commands)
        except Exception:
            # Called once more from the same inputs it raises the same, in Python's sight
            memory.memory[:] = remembered
            commands[:] = before
            return RAISED
        return DONE

    return step
