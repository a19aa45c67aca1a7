"""The places of a group of cases, side by side, and what is kept of them."""

from collections.abc import Sequence

import numpy as np

from proxops.core.lanes.arrays import PinnedLanes, UnlikeError
from proxops.sim.lanes.link import links_of
from proxops.sim.lanes.seat import Seat, Works, room_for
from proxops.sim.lanes.together import CLOCK, NOW_SIZE, ROW_COUNT, TICKS, WIDTH, Flock
from proxops.sim.prepare import Prepared
from proxops.sim.state import Span


class Seats:
    """Memory and addresses for groups of one mission, one group after the other."""

    seat: Seat
    flock: Flock

    def __init__(self, width: int) -> None:
        self.width = width
        self.source = np.arange(width)  # of each lane: itself, or the lane of which it is a copy
        self._made = self._linked = False

    def place(self, works: Sequence[Works]) -> None:
        """Cases to be flown, as many as there are lanes or fewer; the first fills what is left."""
        cases = [*works, *[works[0]] * (self.width - len(works))]
        if not self._place_again(cases):
            self._make(cases)
        self.source[:] = [lane if lane < len(works) else 0 for lane in range(self.width)]

    def _place_again(self, cases: Sequence[Works]) -> bool:
        """Places them where those before them were; whether they fit."""
        if not self._made:
            return False
        try:
            self.seat.place(cases)
        except UnlikeError:
            return False
        return True

    def _make(self, cases: Sequence[Works]) -> None:
        width, room = self.width, room_for(cases)
        self.seat = seat = Seat(cases, room)
        log, now = seat.works.log, np.zeros(NOW_SIZE, dtype=np.int64)
        now[WIDTH], now[CLOCK] = width, seat.place_of(seat.works.state.clock)
        now[ROW_COUNT] = seat.place_of(log.row_count)
        rows, events = (each.data.reshape(len(each.data), -1) for each in (log.rows, log.watch.log))
        self.flock = Flock(
            numbers=room.numbers,
            whole=room.whole,
            before=np.zeros_like(room.numbers),
            whole_before=np.zeros_like(room.whole),
            flown=np.zeros_like(room.numbers),
            whole_flown=np.zeros_like(room.whole),
            rows=rows,
            rows_flown=np.zeros((TICKS + 2, rows.shape[1])),
            log=events,
            log_flown=np.zeros_like(events),
            lengths=log.watch.length.data.reshape(width),
            status=np.zeros(width, dtype=np.int64),
            ended=np.zeros((width, 2), dtype=np.int64),
            now=now,
        )
        self.pinned_flock = PinnedLanes(self.flock)
        self._made, self._linked = True, False

    def link(self, ready: Prepared, span: Span) -> None:
        """Compiles what the mission has and is not compiled yet."""
        if not self._linked:
            self.seat.link(links_of(self.seat, ready, span, self.width))
            self._linked = True

    def draw(self, cases: Sequence[Prepared], ticks: int) -> None:
        """Makes random numbers of the sensors for so many ticks, where fewer are left."""
        drawn = self.seat.works.state.drawn
        if not self.seat.sensors:
            return
        for each in cases:
            each.onboard.draws.used[0] = drawn[0]
            each.onboard.draws.refill(ticks)
        if cases[0].onboard.draws.used[0] == drawn[0]:
            return
        drawn[0] = cases[0].onboard.draws.used[0]
        for number, (_, memory, _, _) in enumerate(self.seat.works.sensors):
            rows = [each.onboard.sensors[number].memory.draws for each in cases]
            np.stack([rows[lane] for lane in self._drawing(cases)], axis=-1, out=memory.draws.data)

    def _drawing(self, cases: Sequence[Prepared]) -> list[int]:
        """The case whose numbers each lane takes."""
        return [int(lane) if lane < len(cases) else 0 for lane in self.source]

    def retire(self, lane: int, source: int) -> None:
        """Lets a lane copy another one: its own case has ended."""
        self.source[self.source == lane] = source
        for numbers in (self.seat.room.numbers, self.seat.room.others):
            lanes = numbers.reshape(-1, self.width)
            lanes[:, self.source == source] = lanes[:, source][:, None]
