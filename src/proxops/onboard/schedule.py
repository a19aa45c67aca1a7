"""Sensors, then functions on board in their order, each at its period."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from proxops.core.by_address import address_of, call, pinned
from proxops.core.jit import entry_of, part
from proxops.onboard.function import DONE, WANTS_PYTHON, Bus, Function

# Entries of Schedule.sensors
ENTRY, PARAMS, MEMORY, SHOWN = 0, 1, 2, 3
SENSORS_SIZE = 4

# Entries of a schedule's progress
NEXT = 0  # function to run next at this instant: where the loop goes on after Python's turn
ANSWERED = 1  # when a function in Python last had its turn [ns], -1 once that was taken note of
PROGRESS_SIZE = 2


class Schedule(NamedTuple):
    """What runs, by addresses; they are written as a run begins, since that compiles."""

    sensors: np.ndarray  # of all together; empty without on-board software that needs them
    entries: np.ndarray  # of each function, 0: it runs in Python
    params: np.ndarray
    memories: np.ndarray
    periods: np.ndarray  # [ns]
    bus: np.ndarray  # one entry


@part
def sample(schedule):
    """Lets all sensors measure."""
    if schedule.sensors.shape[0] > 0:
        one = schedule.sensors
        call(one[ENTRY], one[PARAMS], one[MEMORY], one[SHOWN])


@part
def run_functions(schedule, progress, now):
    """Runs all functions that are due at the instant `now` [ns], from where it left off.  Returns
    DONE, or the status with which to go back to Python."""
    while progress[NEXT] < schedule.entries.shape[0]:
        number = progress[NEXT]
        if now % schedule.periods[number] == 0:
            status = DONE
            if schedule.entries[number] != 0:
                status = call(
                    schedule.entries[number],
                    schedule.params[number],
                    schedule.memories[number],
                    schedule.bus[0],
                )
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
    return np.array([0, -1], dtype=np.int64)


@dataclass
class Sampling:
    """All sensors as the schedule calls them: step(params, memory, shown)."""

    step: Any = field(repr=False)
    params: Any = field(repr=False)
    memory: Any = field(repr=False)


@dataclass
class Scheduled:
    """A schedule, and what its addresses lead to."""

    schedule: Schedule
    _parts: list[Any] = field(repr=False, default_factory=list)

    def link(
        self, functions: Sequence[Function], bus: Bus, sampling: Sampling | None, shown: Any
    ) -> None:
        """Writes all addresses; compiles what is not yet."""
        one, on_bus = self.schedule, pinned(bus)
        self._parts = [on_bus]
        one.bus[0] = address_of(on_bus)
        if sampling is not None:
            one.sensors[:] = self._row(sampling, pinned(shown))
        for number, each in enumerate(functions):
            row = self._row(each, on_bus)
            one.entries[number], one.params[number], one.memories[number] = row[:SHOWN]

    def _row(self, each: Function | Sampling, last: Any) -> tuple[int, ...]:
        params, memory = pinned(each.params), pinned(each.memory)
        self._parts += [params, memory, last]
        entry = 0 if each.step is None else entry_of(each.step, params, memory, last)
        return entry, address_of(params), address_of(memory), address_of(last)


def scheduled(functions: Sequence[Function], senses: bool) -> Scheduled:
    """A schedule of so many functions, not linked yet."""
    count = len(functions)
    return Scheduled(
        Schedule(
            sensors=np.zeros(SENSORS_SIZE if senses else 0, dtype=np.int64),
            entries=np.zeros(count, dtype=np.int64),
            params=np.zeros(count, dtype=np.int64),
            memories=np.zeros(count, dtype=np.int64),
            periods=np.array([each.period for each in functions], dtype=np.int64),
            bus=np.zeros(1, dtype=np.int64),
        )
    )
