"""What the loop works on, for several cases in lanes."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from proxops.core.lanes.arrays import (
    Arena,
    Interleaved,
    PinnedLanes,
    UnlikeError,
    aligned,
    sizes_of,
)
from proxops.sim.prepare import Prepared
from proxops.sim.start import truth_of

ROWS = 96  # that the log of a group holds


class Works(NamedTuple):
    """What the loop works on, by value, in a case or in lanes: a `Model`, a `State`, a workspace
    and a `Log`; functions by params, memory, inputs, outputs; sensors by params, memory, truth,
    block."""

    model: Any
    state: Any
    work: Any
    log: Any
    functions: tuple[tuple[Any, ...], ...]
    sensors: tuple[tuple[Any, ...], ...]


def works_of(ready: Prepared) -> Works:
    """Of a case that is ready."""
    model, state, work, _, log = (getattr(each, "value", each) for each in ready.arguments.works_on)
    bus, truth = ready.onboard.bus, truth_of(state)
    functions = tuple(
        tuple(
            bus.views(each) if isinstance(each, type) else each
            for each in (one.params, one.memory, one.inputs, one.outputs)
        )
        for one in ready.onboard.functions
    )
    sensors = tuple((each.params, each.memory, truth, each.block) for each in ready.onboard.sensors)
    return Works(model, state, work, log._replace(rows=log.rows[:ROWS]), functions, sensors)


def _changing(case: Works) -> tuple[Any, ...]:
    """What ticks change, but for workspace, rows and the texts of events."""
    watch = case.log.watch._replace(log=np.zeros((0, 0)))
    sensors = tuple(each[1]._replace(draws=np.zeros((0, 0))) for each in case.sensors)
    functions = tuple(each[1] for each in case.functions)
    return case.state, watch, case.log.row_count, functions, sensors


class Room(NamedTuple):
    """Memory for the arrays of a seat: numbers and whole numbers that ticks change, all else."""

    numbers: np.ndarray
    whole: np.ndarray
    others: np.ndarray
    other_whole: np.ndarray


def room_for(cases: Sequence[Works]) -> Room:
    """As much as these cases take in lanes."""
    width = len(cases)
    numbers, whole = sizes_of(_changing(cases[0]))
    others, other_whole = sizes_of(cases[0])
    return Room(
        aligned(width * numbers),
        np.zeros(whole, dtype=np.int64),
        aligned(width * others),
        np.zeros(other_whole, dtype=np.int64),
    )


class Links(NamedTuple):
    """Addresses: of the world's stages, of what contacts and holds need, and rows of those of
    functions and sensors with what they are called with."""

    entries: np.ndarray
    plant: np.ndarray
    calls: np.ndarray
    sensors: np.ndarray


class Seat:
    """Arrays of as many cases as there are lanes, and the loop's arguments by address."""

    def __init__(self, cases: Sequence[Works], room: Room) -> None:
        self.room = room
        self._shapes: list[tuple[int, ...]] | None = None
        self._place(cases)
        self.functions = [[PinnedLanes(part) for part in each] for each in self.works.functions]
        self.sensors = [[PinnedLanes(part) for part in each] for each in self.works.sensors]
        onboard = self.works.model.onboard
        for row, pins in zip(onboard.calls, self.functions, strict=True):
            row[1:] = [each.address for each in pins]
        for row, pins in zip(onboard.sensors, self.sensors, strict=True):
            row[1:] = [each.address for each in pins]
        self.pinned = [PinnedLanes(each) for each in self.works[:4]]

    def _place(self, cases: Sequence[Works]) -> None:
        """Writes the arrays of these cases."""
        room, interleaved = self.room, Interleaved()
        interleaved([_changing(each) for each in cases], Arena(room.numbers), Arena(room.whole))
        self.works = Works(*interleaved(cases, Arena(room.others), Arena(room.other_whole)))
        if self._shapes is not None and interleaved.shapes != self._shapes:
            raise UnlikeError("cases have arrays of other shapes than those before them")
        self._shapes = interleaved.shapes

    def place(self, cases: Sequence[Works]) -> None:
        """Other cases of the same mission."""
        links = self.links()
        self._place(cases)
        self.link(links)

    def links(self) -> Links:
        """Addresses as they are now."""
        return Links(*(each.copy() for each in self._linked()))

    def link(self, links: Links) -> None:
        """Writes them."""
        for mine, theirs in zip(self._linked(), links, strict=True):
            mine[:] = theirs

    def _linked(self) -> Links:
        model = self.works.model
        onboard = model.onboard
        return Links(model.entries, model.plant.entries, onboard.calls, onboard.sensors)

    def place_of(self, whole: np.ndarray) -> int:
        """Where these whole numbers stand among those that change."""
        return int(whole.ctypes.data - self.room.whole.ctypes.data) // 8
