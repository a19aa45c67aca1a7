"""The functions on board for a group of cases in lanes: replayed on what their sensors measured."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from benchmarks.lanes.cases import advance
from proxops.core.by_address import address_of, call, pinned
from proxops.core.jit import entry_of, kernel
from proxops.core.lanes.arrays import Arena, Interleaved, PinnedLanes, aligned, sizes_of
from proxops.core.lanes.branches import forget, parted
from proxops.core.lanes.compiled import lane_entry, lane_kernel
from proxops.onboard.function import DONE
from proxops.onboard.schedule import CALL_WIDTH
from proxops.sim.simulation import Simulation


class Replay(NamedTuple):
    """Functions by their addresses, and measurements of as many ticks."""

    calls: np.ndarray
    measured: np.ndarray  # a row a tick
    measurements: np.ndarray  # where the functions read them


def _replay(job: Any, first: int, end: int) -> int:
    """Runs all functions at each tick on what was measured then."""
    for tick in range(first, end):
        for i in range(job.measurements.shape[0]):
            job.measurements[i] = job.measured[tick, i]
        for number in range(job.calls.shape[0]):
            one = job.calls[number]
            status = call(one[0], one[1], one[2], one[3], one[4])
            if status != DONE:
                return status
    return DONE


replay = kernel(_replay)
replay_group = lane_kernel(_replay)


class Flown:
    """A case at some instant: its functions on board, and what was measured in the ticks after."""

    def __init__(self, simulation: Simulation, ticks: int) -> None:
        ready = simulation._ready
        bus = ready.onboard.bus
        self._arrays = [each.array for each in (bus.measurements, bus.estimates, bus.commands)]
        self.functions = {}
        for one in ready.onboard.functions:
            views = tuple(
                bus.views(each) if isinstance(each, type) else each
                for each in (one.inputs, one.outputs)
            )
            self.functions[one.name] = (one.step, one.params, one.memory, *views)
            self._arrays += list(_arrays(one.memory))
        self._start = [each.copy() for each in self._arrays]
        rows = []
        for _ in range(ticks):
            advance(simulation, 1)
            rows.append(bus.measurements.array.copy())
        self.measured = np.array(rows)
        self._end = [each.copy() for each in self._arrays]

    @property
    def bus(self) -> list[np.ndarray]:
        """Measurements, estimates, commands."""
        return self._arrays[:3]

    def go_back(self) -> None:
        """To the instant before these ticks."""
        for array, start in zip(self._arrays, self._start, strict=True):
            array[...] = start

    def go_on(self) -> None:
        """To the instant behind them, from where the simulation goes on."""
        for array, end in zip(self._arrays, self._end, strict=True):
            array[...] = end


def _arrays(value: Any) -> Any:
    for each in value:
        if isinstance(each, np.ndarray):
            yield each
        elif isinstance(each, tuple):
            yield from _arrays(each)


class Replays:
    """These functions of a group of cases: one by one, and in lanes."""

    def __init__(self, cases: Sequence[Flown], names: Sequence[str]) -> None:
        self.cases, self._kept = cases, []
        self._interleaved = Interleaved()
        for each in cases:
            each.go_back()
        calls = [self._calls(names, case) for case in cases]
        self.alone = [
            pinned(Replay(each, case.measured, case.bus[0]))
            for each, case in zip(calls, cases, strict=True)
        ]
        measurements, self._estimates, self._commands = (
            self._interleave(each) for each in zip(*(case.bus for case in cases), strict=True)
        )
        measured = self._interleave([each.measured for each in cases])
        self.together = PinnedLanes(Replay(self._lane_calls(names), measured, measurements))

    def _interleave(self, cases: Sequence[Any]) -> Any:
        numbers, whole = sizes_of(cases[0])
        arenas = Arena(aligned(numbers * len(cases))), Arena(np.zeros(whole, dtype=np.int64))
        return self._interleaved(cases, *arenas)

    def _calls(self, names: Sequence[str], case: Flown) -> np.ndarray:
        calls = np.zeros((len(names), CALL_WIDTH), dtype=np.int64)
        for row, name in zip(calls, names, strict=True):
            step, *arguments = case.functions[name]
            fixed = [each if hasattr(each, "address") else pinned(each) for each in arguments]
            row[0], row[1:] = entry_of(step, *fixed), [address_of(each) for each in fixed]
            self._kept += fixed
        return calls

    def _lane_calls(self, names: Sequence[str]) -> np.ndarray:
        calls = np.zeros((len(names), CALL_WIDTH), dtype=np.int64)
        for row, name in zip(calls, names, strict=True):
            step, *arguments = zip(*(case.functions[name] for case in self.cases), strict=True)
            fixed = [PinnedLanes(self._interleave(list(map(_value, each)))) for each in arguments]
            row[0] = lane_entry(step[0], *fixed)
            row[1:] = [each.address for each in fixed]
            self._kept += fixed
        return calls

    def go_back(self) -> None:
        """To the first tick."""
        for each in self.cases:
            each.go_back()
        self._interleaved.refresh()

    def run_checked(self, ticks: int) -> tuple[int, float]:
        """In how many of the ticks the lanes took different branches, and the largest difference
        of estimates and commands where they did not.  A tick with different branches is thrown
        away: the group goes on from what its cases computed alone."""
        self.go_back()
        apart, worst = 0, 0.0
        for tick in range(ticks):
            forget()
            _must_be_done(replay_group(self.together, tick, tick + 1))
            for each in self.alone:
                _must_be_done(replay(each, tick, tick + 1))
            if parted():
                apart += 1
                self._interleaved.refresh()
            worst = max(worst, self._difference())
        return apart, worst

    def _difference(self) -> float:
        worst = 0.0
        for lane, case in enumerate(self.cases):
            for group, alone in zip((self._estimates, self._commands), case.bus[1:], strict=True):
                there = np.isfinite(alone)  # ages are infinite before the first measurement
                difference = np.abs(group.data[there, lane] - alone[there])
                scaled = difference / np.maximum(1.0, np.abs(alone[there]))
                worst = max(worst, float(scaled.max(initial=0.0)))
        return worst


def _value(argument: Any) -> Any:
    return argument.value if hasattr(argument, "address") else argument


def _must_be_done(status: int) -> None:
    if status != DONE:
        raise RuntimeError(f"a function on board returned {status}")
