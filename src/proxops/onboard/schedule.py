"""Sensors, then functions on board in their order, each at its period."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numba.core.errors import NumbaError

from proxops.bus.bus import Bus
from proxops.bus.truth import Truth
from proxops.core.by_address import address_of, call, pinned
from proxops.core.errors import InputError
from proxops.core.jit import entry_of, part
from proxops.onboard.function import DONE, RAISED, SWITCHED, WANTS_PYTHON, Function
from proxops.sensors.sampling import Block, Memory, Params

# Columns of Schedule.calls: addresses
ENTRY = 0  # 0: it runs in Python
ARGUMENTS = 1  # four of them
CALL_WIDTH = 5

# Columns of Schedule.changes: where they stand among the estimates
VALUE = 0
DETAILS = 1  # three numbers; -1: none
CHANGE_WIDTH = 2

LEG = "plan.leg"  # the field that says which phase of the mission it is, where there is a plan

# Entries of a schedule's progress
NEXT = 0  # function to run next at this instant: where the loop goes on after Python
ANSWERED = 1  # when a function in Python last ran [ns], -1 once that was taken note of
SAMPLED = 2  # when sensors were last asked [ns]
FAILED = 3  # sensor that has raised an error, -1 if none


class Schedule(NamedTuple):
    """What runs, by addresses; they are written as a run begins, since that compiles."""

    sensors: np.ndarray  # a call each; none without on-board software that needs them
    calls: np.ndarray  # of each function
    periods: np.ndarray  # of each function [ns]; the plan writes those of its leg
    changes: np.ndarray  # fields whose changes are events
    recorded: np.ndarray  # stretches of the bus's arrays that go into rows, see sim.rows
    activity: np.ndarray  # of each function: 1 while the plan lets it run, 0 while it does not
    running: np.ndarray  # the same, as it was carried out last
    leg: np.ndarray  # where the plan's leg stands among the estimates, -1 without a plan


@part
def sample(schedule, progress, drawn, now):
    """Lets all sensors measure, once an instant; each instant uses up a row of random numbers.
    Returns DONE, or RAISED by one of the user's own."""
    if progress[SAMPLED] == now:
        return DONE
    progress[SAMPLED] = now
    for number in range(schedule.sensors.shape[0]):
        one = schedule.sensors[number]
        if call(one[ENTRY], one[1], one[2], one[3], one[4]) != DONE:
            progress[FAILED] = number
            return RAISED
    if schedule.sensors.shape[0] > 0:
        drawn[0] += 1
    return DONE


@part
def run_functions(schedule, progress, now):
    """Runs all functions that are due at the instant `now` [ns], from where it left off.  Returns
    DONE, or the status with which to go back to Python."""
    while progress[NEXT] < schedule.calls.shape[0]:
        number = progress[NEXT]
        if schedule.activity[number] != schedule.running[number]:
            return SWITCHED
        if schedule.running[number] == 1.0 and now % schedule.periods[number] == 0:
            status, one = DONE, schedule.calls[number]
            if one[ENTRY] != 0:
                status = call(one[ENTRY], one[1], one[2], one[3], one[4])
            elif progress[ANSWERED] != now:
                progress[ANSWERED] = now
                status = WANTS_PYTHON
            else:
                progress[ANSWERED] = -1
            if status != DONE:
                return status
        progress[NEXT] = number + 1
    progress[NEXT] = 0
    return DONE


# --- Python -------------------------------------------------------------------------------------


def nothing_done() -> np.ndarray:
    """Progress at the start."""
    return np.array([0, -1, -1, -1], dtype=np.int64)


class ScheduledSensor(NamedTuple):
    """A sensor, made ready."""

    name: str
    sample: Any  # compiled, see sensors.sampling
    params: Params
    memory: Memory
    block: Block  # of the bus's measurements


@dataclass
class Scheduled:
    """A schedule, and what its addresses lead to."""

    schedule: Schedule
    _parts: list[Any] = field(repr=False, default_factory=list)
    _functions: Sequence[Function] = field(repr=False, default_factory=list)
    _bus: Bus | None = field(repr=False, default=None)
    _fresh: list[list[np.ndarray]] = field(repr=False, default_factory=list)  # memories at first

    def link(
        self,
        sensors: Sequence[ScheduledSensor],
        truth: Truth,
        functions: Sequence[Function],
        bus: Bus,
    ) -> None:
        """Writes all addresses; compiles what is not yet."""
        self._parts = []
        if sensors:
            shown = pinned(truth)
            for row, each in zip(self.schedule.sensors, sensors, strict=True):
                try:
                    self._write(row, each.sample, each.params, each.memory, shown, each.block)
                except NumbaError as error:  # of a user's own: those of ours compile
                    words = " ".join(str(error).split())[:300]
                    text = f"sensors.{each.name}: its measure cannot be compiled: {words}"
                    raise InputError(text) from error
        for row, one in zip(self.schedule.calls, functions, strict=True):
            views = (
                bus.views(each) if isinstance(each, type) else each
                for each in (one.inputs, one.outputs)
            )
            self._write(row, one.step, one.params, one.memory, *views)
        self._functions, self._bus = functions, bus
        self._fresh = [[a.copy() for a in _arrays(each.memory)] for each in functions]

    def switch(self) -> None:
        """Carries out which functions the plan has started and stopped: one that starts does so
        from its first state, and of one that stops no command stays."""
        schedule, bus = self.schedule, self._bus
        assert bus is not None  # linked
        changed = np.flatnonzero(schedule.activity != schedule.running).tolist()
        for number in changed:
            function = self._functions[number]
            if schedule.activity[number] == 1.0:
                for array, fresh in zip(_arrays(function.memory), self._fresh[number], strict=True):
                    array[...] = fresh
                if function.restart is not None:
                    function.restart()
            else:
                for name in function.written:
                    if name in bus.commands.layout:
                        bus.commands[name][:] = 0.0
        schedule.running[:] = schedule.activity

    def _write(self, row: np.ndarray, step: Any, *arguments: Any) -> None:
        fixed = [each if hasattr(each, "address") else pinned(each) for each in arguments]
        self._parts += fixed
        row[ENTRY] = 0 if step is None else entry_of(step, *fixed)
        row[ARGUMENTS:] = [address_of(each) for each in fixed]


def _arrays(value: Any) -> Iterator[np.ndarray]:
    """All arrays in a named tuple, at any depth."""
    for each in value:
        if isinstance(each, np.ndarray):
            yield each
        elif isinstance(each, tuple):
            yield from _arrays(each)


def scheduled(
    functions: Sequence[Function],
    sensors: int,
    bus: Bus,
    recorded: np.ndarray,
    activity: np.ndarray | None = None,
    periods: np.ndarray | None = None,
) -> Scheduled:
    """A schedule of these functions and so many sensors, not linked yet.  Which of them run, and at
    which periods [ns], is in `activity` and `periods`, where a plan says so; else all do, at their
    own."""
    if activity is None:
        activity = np.ones(len(functions))
    if periods is None:
        periods = own_periods(functions)
    where = bus.estimates.layout.where
    changes = [
        (where(each.field).start, where(each.details).start if each.details else -1)
        for function in functions
        for each in function.changes
    ]
    return Scheduled(
        Schedule(
            sensors=np.zeros((sensors, CALL_WIDTH), dtype=np.int64),
            calls=np.zeros((len(functions), CALL_WIDTH), dtype=np.int64),
            periods=periods,
            changes=np.array(changes, dtype=np.int64).reshape(-1, CHANGE_WIDTH),
            recorded=recorded,
            activity=activity,
            running=np.ones(len(functions)),
            leg=np.array([where(LEG).start if LEG in bus.estimates.layout else -1]),
        )
    )


def own_periods(functions: Sequence[Function]) -> np.ndarray:
    """Periods of functions as they are but for a plan [ns]."""
    return np.array([each.period for each in functions], dtype=np.int64)


def check_writers(functions: Sequence[Function]) -> None:
    """Rejects functions that write the same field, of those that run together: what the later one
    writes would count.  Who reads a field as well corrects it, and may."""
    writers: dict[str, str] = {}
    for function in functions:
        for name in set(function.written) - set(function.inputs._fields):
            other = writers.setdefault(name, function.name)
            if other != function.name:
                raise InputError(
                    f"obsw: {other} and {function.name} both command {name}; leave one of them out"
                )
