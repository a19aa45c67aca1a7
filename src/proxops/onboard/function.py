"""The one shape of a function on board.

    step(params, memory, bus) -> status

`params` and `memory` are its own named tuples, `bus` is common to all: measurements in, estimates
for each other, commands out.  A compiled step is called by its address, so that the loop is
compiled once for all functions, a user's included; one without a step runs in Python.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

DONE = 0  # status
WANTS_PYTHON = -2  # status: a function in Python has its turn
RAISED = -3  # status: a user's compiled function has raised an error


class Bus(NamedTuple):
    """What functions read and write; the arrays are laid out in the room `bus`."""

    measurements: np.ndarray
    ideal: np.ndarray
    estimates: np.ndarray
    commands: np.ndarray


class NoMemory(NamedTuple):
    """Of a function that remembers nothing."""

    nothing: np.ndarray


@dataclass
class Function:
    """A function on board, ready to be scheduled."""

    name: str
    step: Any = field(repr=False)  # a pluggable function, or None: it runs in Python
    params: Any = field(repr=False)
    memory: Any = field(repr=False, default_factory=lambda: NoMemory(np.zeros(0)))
    period: int = 1  # [ns]: it runs at those control instants that are multiples of it
    failures: Mapping[int, str] = field(default_factory=dict)  # what statuses of its own mean
