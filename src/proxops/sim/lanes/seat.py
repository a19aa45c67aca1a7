"""What the loop works on, for several cases in lanes."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from proxops.core.lanes.arrays import Arena, Interleaved, PinnedLanes, UnlikeError, sizes_of
from proxops.sim.prepare import Prepared

ROWS = 66  # that the log of a group holds: short, since each case alone has one of its own


class Works(NamedTuple):
    """What the loop works on, by value, in a case or in lanes: a `Model`, a `State`, a workspace
    and a `Log`; functions by params, memory, inputs, outputs."""

    model: Any
    state: Any
    work: Any
    log: Any
    functions: tuple[tuple[Any, ...], ...]


def works_of(ready: Prepared) -> Works:
    """Of a case that is ready."""
    model, state, work, _, log = (getattr(each, "value", each) for each in ready.arguments.works_on)
    bus = ready.onboard.bus
    functions = tuple(
        tuple(
            bus.views(each) if isinstance(each, type) else each
            for each in (one.params, one.memory, one.inputs, one.outputs)
        )
        for one in ready.onboard.functions
    )
    return Works(model, state, work, log._replace(rows=log.rows[:ROWS]), functions)


def _changing(case: Works) -> tuple[Any, ...]:
    """What ticks change, but for workspace, rows and the texts of events."""
    watch = case.log.watch._replace(log=np.zeros((0, 0)))
    return case.state, watch, case.log.row_count, tuple(each[1] for each in case.functions)


class Room(NamedTuple):
    """Memory for the arrays of a seat: numbers and whole numbers that ticks change, rows, and all
    else."""

    numbers: Any
    whole: Any
    rows: Any
    others: Any
    other_whole: Any


def room_for(cases: Sequence[Works]) -> Room:
    """How much of each these cases take in lanes."""
    width = len(cases)
    numbers, whole = sizes_of(_changing(cases[0]))
    others, other_whole = sizes_of(cases[0])
    return Room(width * numbers, whole, width * cases[0].log.rows.size, width * others, other_whole)


class Seat:
    """Arrays of as many cases as there are lanes, and the loop's arguments by address."""

    def __init__(self, cases: Sequence[Works], room: Room) -> None:
        self.room = room
        self._shapes: list[tuple[int, ...]] | None = None
        self._place(cases)
        self.functions = [[PinnedLanes(part) for part in each] for each in self.works.functions]
        for row, arguments in zip(self.works.model.onboard.calls, self.functions, strict=True):
            row[1:] = [each.address for each in arguments]
        self.pinned = [PinnedLanes(each) for each in self.works[:4]]

    def _place(self, cases: Sequence[Works]) -> None:
        """Writes the arrays of these cases."""
        room, interleaved = self.room, Interleaved()
        changing, others = (Arena(room.numbers), Arena(room.whole)), Arena(room.other_whole)
        interleaved([_changing(each) for each in cases], *changing)
        interleaved([each.log.rows for each in cases], Arena(room.rows), others)
        self.works = Works(*interleaved(cases, Arena(room.others), others))
        if self._shapes is not None and interleaved.shapes != self._shapes:
            raise UnlikeError("cases have arrays of other shapes than those before them")
        self._shapes = interleaved.shapes

    def place(self, cases: Sequence[Works]) -> None:
        """Other cases of the same mission."""
        links = self.links()
        self._place(cases)
        self.link(links)

    def links(self) -> tuple[np.ndarray, np.ndarray]:
        """Addresses of the world's stages and of functions on board."""
        model = self.works.model
        return model.entries.copy(), model.onboard.calls.copy()

    def link(self, links: tuple[np.ndarray, np.ndarray]) -> None:
        """Writes them."""
        self.works.model.entries[:], self.works.model.onboard.calls[:] = links

    def copy(self, other: "Seat", lane: int, width: int) -> None:
        """Takes a lane of another seat into all lanes, but for what a tick alone is given."""
        for name in ("rows", "others"):
            mine, theirs = (getattr(each.room, name).reshape(-1, width) for each in (self, other))
            mine[:] = theirs[:, lane : lane + 1]

    @property
    def addresses(self) -> list[int]:
        """Of model, state, workspace and log."""
        return [each.address for each in self.pinned]

    def place_of(self, whole: np.ndarray) -> int:
        """Where these whole numbers stand among those that change."""
        return int(whole.ctypes.data - self.room.whole.ctypes.data) // 8
