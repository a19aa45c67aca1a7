"""The places of a group of cases: side by side, and of each case alone in all lanes."""

from collections.abc import Sequence

import numpy as np

from proxops.core.lanes.arrays import PinnedLanes, UnlikeError, aligned
from proxops.sim.lanes.link import links_of
from proxops.sim.lanes.seat import ROWS, Room, Seat, Works, room_for
from proxops.sim.lanes.together import APART, EVENTS, NOW_SIZE, WIDTH, Flock
from proxops.sim.prepare import Prepared
from proxops.sim.state import Span


class Seats:
    """Memory and addresses for groups of one mission, one group after the other."""

    together: Seat
    alone: list[Seat]
    flock: Flock

    def __init__(self, width: int) -> None:
        self.width = width
        self._made = self._linked = False

    def place(self, works: Sequence[Works]) -> None:
        """Cases to be flown, as many as there are lanes or fewer; the first fills what is left."""
        cases = [*works, *[works[0]] * (self.width - len(works))]
        if not self._place_again(cases):
            self._make(cases)
        for lane, seat in enumerate(self.alone):
            seat.copy(self.together, lane, self.width)
        self.flock.source[:] = [lane if lane < len(works) else 0 for lane in range(self.width)]
        self.flock.status[:] = 0
        self.flock.now[APART] = 0

    def _place_again(self, cases: Sequence[Works]) -> bool:
        """Places them where those before them were; whether they fit."""
        if not self._made:
            return False
        try:
            self.together.place(cases)
        except UnlikeError:
            return False
        return True

    def _make(self, cases: Sequence[Works]) -> None:
        width, size = self.width, room_for(cases)
        numbers, whole, rows, others, other_whole = size
        # what changes, at last: of all cases together, and before ticks that may be thrown away
        memory = Room(
            aligned((width + 2) * numbers).reshape(width + 2, -1),
            np.zeros((width + 2, whole), dtype=np.int64),
            aligned((width + 1) * rows).reshape(width + 1, -1),
            aligned((width + 1) * others).reshape(width + 1, -1),
            np.zeros((width + 1, other_whole), dtype=np.int64),
        )
        rooms = [Room(*(each[i] for each in memory)) for i in range(width + 1)]
        self.alone = [Seat([cases[i]] * width, rooms[i]) for i in range(width)]
        self.together = seat = Seat(cases, rooms[width])
        now = np.zeros(NOW_SIZE, dtype=np.int64)
        now[WIDTH], now[EVENTS] = width, seat.place_of(seat.works.log.watch.length)
        self.flock = Flock(
            numbers=memory.numbers[width],
            whole=memory.whole[width],
            kept=memory.numbers[width + 1],
            kept_whole=memory.whole[width + 1],
            alone=memory.numbers[:width],
            alone_whole=memory.whole[:width],
            addresses=np.array([each.addresses for each in self.alone]),
            source=np.zeros(width, dtype=np.int64),
            rows=memory.rows[width].reshape(ROWS, -1),
            alone_rows=memory.rows[:width].reshape(width, ROWS, -1),
            status=np.zeros(width, dtype=np.int64),
            now=now,
        )
        self.pinned_flock = PinnedLanes(self.flock)
        self._made, self._linked = True, False

    def link(self, ready: Prepared, span: Span) -> None:
        """Compiles what the mission has and is not compiled yet."""
        if self._linked:
            return
        links = links_of(self.together, ready, span, self.width)
        self.together.link(links)
        for seat in self.alone:
            entries, calls = links[0], seat.links()[1]
            calls[:, 0] = links[1][:, 0]
            seat.link((entries, calls))
        self._linked = True

    def retire(self, lane: int, source: int) -> None:
        """Lets a lane copy another one: its own case has ended."""
        flock, together = self.flock, self.together
        flock.source[flock.source == lane] = source
        for numbers in (together.room.numbers, together.room.others):
            lanes = numbers.reshape(-1, self.width)
            lanes[:, flock.source == source] = lanes[:, source][:, None]
        flock.alone_whole[lane] = flock.alone_whole[source]
