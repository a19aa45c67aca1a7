"""The one shape of a function on board.

    step(params, memory, inputs, outputs) -> status

`params` and `memory` are its own named tuples.  `inputs` and `outputs` are named tuples of views:
their names say which fields of the bus it reads and which it writes, estimates for other functions
and commands for actuators (bus.fields).  A compiled step is called by its address, so that the
loop is compiled once for all functions, a user's included; one without a step runs in Python.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import Any, NamedTuple

import numpy as np

from proxops.bus.fields import Field

DONE = 0  # status
WANTS_PYTHON = -2  # status: a function in Python is to run
RAISED = -3  # status: a user's compiled function has raised an error
SWITCHED = -4  # status: the plan has started or stopped a function


class Nothing(NamedTuple):
    """What a function has that needs no parameters, or remembers nothing."""

    nothing: np.ndarray


def nothing() -> Nothing:
    """Of such a function."""
    return Nothing(np.zeros(0))


@dataclass(frozen=True)
class Change:
    """A field whose changes are events: a mode, a phase, a finding."""

    field: str
    # Kind and text of the event; None: it is none
    describe: Callable[[float, np.ndarray], tuple[str, str] | None] = dataclass_field(repr=False)
    details: str = ""  # a field of three numbers that the text may name
    before: float = 0.0  # its value before the first instant


@dataclass
class Function:
    """A function on board, ready to be scheduled."""

    name: str
    step: Any = dataclass_field(repr=False)  # a pluggable function, or None: it runs in Python
    # A class of named tuples, whose names are the fields that it reads, or one that is ready
    inputs: Any = dataclass_field(repr=False)
    outputs: Any = dataclass_field(repr=False)  # likewise of those that it writes
    params: Any = dataclass_field(repr=False, default_factory=nothing)
    memory: Any = dataclass_field(repr=False, default_factory=nothing)
    period: int = 1  # [ns]: it runs at those control instants that are multiples of it
    fields: tuple[Field, ...] = ()  # estimates that it makes
    changes: tuple[Change, ...] = ()
    # What statuses of its own mean
    failures: Mapping[int, str] = dataclass_field(default_factory=dict)
    # One cycle of one without a step; returns what it raised, None if nothing
    run_in_python: Callable[[], str | None] | None = None
    start: Callable[[Any], None] | None = None  # a user's: is given a briefing before the run
    restart: Callable[[], None] | None = None  # in Python: the plan starts it (again)
    why: Callable[[], str] | None = None  # of a user's compiled one: what it has raised
    writes: tuple[str, ...] | None = None  # names of the fields, where `outputs` is ready
    any_period: bool = False  # whether it is the same at any period: legs may change it

    @property
    def written(self) -> tuple[str, ...]:
        """Names of the fields that it writes."""
        return tuple(self.outputs._fields) if self.writes is None else self.writes
