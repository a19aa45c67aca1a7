"""A user's compiled function as the schedule calls it, and alone."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from proxops.core.by_address import pinned
from proxops.core.interrupt import is_ctrl_c
from proxops.core.jit import compiled, users
from proxops.onboard.function import DONE, RAISED
from proxops.onboard.user.compiling import compile_for_loop
from proxops.onboard.user.exceptions import format_error

CALLS_ALONE = 500  # to time it


class OwnParams(NamedTuple):
    """Everything that stays the same."""

    parameters: Any  # an array, or a named tuple of numbers


class OwnMemory(NamedTuple):
    """Everything that changes."""

    memory: np.ndarray


class ControllerInputs(NamedTuple):
    """What a controller reads."""

    measurements: Any


class FunctionInputs(NamedTuple):
    """What a function between others reads."""

    measurements: Any
    estimates: Any


class OwnOutputs(NamedTuple):
    """What it writes, and all that it may have written before it raised an error."""

    commands: Any
    all_commands: np.ndarray
    all_estimates: np.ndarray


class CompiledFunction:
    """function(parameters, memory, *views): measurements, estimates if it is given them, commands,
    all named tuples of arrays, numbers being arrays of one."""

    def __init__(
        self,
        name: str,
        function: Callable[..., Any],
        parameters: Any,
        memory: int,
        views: tuple[Any, ...],
        arrays: tuple[np.ndarray, np.ndarray],
    ) -> None:
        self.name, self._function = name, compiled(function)
        if not hasattr(parameters, "_fields"):
            parameters = np.array(parameters, dtype=float).reshape(-1)
        self.params = OwnParams(parameters)
        self.memory = OwnMemory(np.zeros(memory))
        *inputs, commands = views
        between = len(inputs) == 2
        self.inputs: Any = FunctionInputs(*inputs) if between else ControllerInputs(*inputs)
        self.outputs = OwnOutputs(commands, *arrays)
        self._views = [pinned(each) for each in views]
        arguments = self.params.parameters, self.memory.memory, *self._views
        compile_for_loop(self._function, name, arguments)
        self.step = (_step_between if between else _step)(self._function)

    def why(self) -> str:
        """What it has raised, from the same inputs once more."""
        try:
            self._alone()
        except BaseException as error:
            if is_ctrl_c(error):
                raise
            return f"{self.name}: {format_error(error, self._function)}"
        return f"{self.name}: has raised an error, which does not come again"

    def _alone(self) -> None:
        """A cycle that nobody obeys."""
        touched = self.memory.memory, self.outputs.all_commands, self.outputs.all_estimates
        before = [each.copy() for each in touched]
        try:
            self._function(self.params.parameters, self.memory.memory, *self._views)
        finally:
            for array, copy in zip(touched, before, strict=True):
                array[:] = copy

    def timed_alone(self, clock: Callable[[], int]) -> list[int]:
        """How long it takes [ns], each of some calls; none if it raises an error."""
        took = []
        for _ in range(CALLS_ALONE + 1):
            begun = clock()
            try:
                self._alone()
            except Exception:
                return []
            took.append(clock() - begun)
        return took[1:]  # the first one is slower


@lru_cache(maxsize=16)
def _step(control: Callable[..., None]) -> Any:
    """The step of a controller; it is compiled in every process anew, the loop is not."""

    @users
    def step(params, memory, inputs, outputs):
        remembered = memory.memory.copy()
        commands, estimates = outputs.all_commands.copy(), outputs.all_estimates.copy()
        try:
            control(params.parameters, memory.memory, inputs.measurements, outputs.commands)
        except Exception:
            # Called once more from the same inputs it raises the same, in Python's sight
            memory.memory[:] = remembered
            outputs.all_commands[:], outputs.all_estimates[:] = commands, estimates
            return RAISED
        return DONE

    return step


@lru_cache(maxsize=16)
def _step_between(run: Callable[..., None]) -> Any:
    """Likewise of a function that is given estimates too."""

    @users
    def step(params, memory, inputs, outputs):
        remembered = memory.memory.copy()
        commands, estimates = outputs.all_commands.copy(), outputs.all_estimates.copy()
        try:
            run(
                params.parameters,
                memory.memory,
                inputs.measurements,
                inputs.estimates,
                outputs.commands,
            )
        except Exception:
            memory.memory[:] = remembered
            outputs.all_commands[:], outputs.all_estimates[:] = commands, estimates
            return RAISED
        return DONE

    return step
