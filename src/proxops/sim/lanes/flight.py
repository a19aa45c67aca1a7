"""Cases of one mission, flown as many at once as there are lanes.

What a case comes to, to the last bit, depends neither on which others it is flown with nor on how
many, but for how many lanes there are: see `together`.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from proxops.core.clock import NS_PER_S
from proxops.core.jit import mark_warm
from proxops.core.lanes.arrays import UnlikeError
from proxops.plant.step import OK, STATUS_TEXT
from proxops.results.rows import Rows
from proxops.results.run import Event, Run
from proxops.results.verdict import judge
from proxops.scenario.load import Scenario
from proxops.sim.events import Watch
from proxops.sim.lanes.seat import works_of
from proxops.sim.lanes.seats import Seats
from proxops.sim.lanes.together import TICKS, UNLIKE, fly_together
from proxops.sim.prepare import Prepared, prepare
from proxops.sim.state import Span


class Case:
    """A case that is ready to fly, and what has come of it so far."""

    def __init__(self, scenario: Scenario) -> None:
        self.ready = prepare(scenario, None, None)
        self.rows = Rows(self.ready.arguments.log.rows.shape[1])
        self.events: list[Event] = []
        self.ended_by: Event | None = None

    def run(self, lanes: int, watch: Watch) -> Run:
        """The run; `watch` has the swings of its motors."""
        ready, by = self.ready, self.ended_by
        events = (*self.events, *ready.decoder.limit_cycles(watch), *([by] if by else []))
        run = judge(ready.scenario, ready.signals, self.rows.settled(), events, ready.world.given)
        provenance = ready.provenance | {"lanes": lanes}
        return replace(run, provenance=provenance, extensions=ready.scenario.extensions)


class Flight:
    """Flies groups of cases of one mission."""

    def __init__(self, lanes: int) -> None:
        self._lanes, self._seats = lanes, Seats(lanes)
        self._cases: Sequence[Case] = ()

    def fly(
        self,
        cases: Sequence[Case],
        take: Callable[[np.ndarray], None] = lambda rows: None,
        stop: Callable[[], bool] = lambda: False,
    ) -> list[Run]:
        """The runs of as many cases as there are lanes, or fewer; `take` is called as rows come.
        Cases that cannot share lanes are flown one after the other: they come to the same."""
        try:
            self._seats.place([works_of(each.ready) for each in cases])
        except UnlikeError:
            if len(cases) == 1:
                raise
            return [run for each in cases for run in self.fly([each], take, stop)]
        self._cases = cases
        seat, first = self._seats.seat, cases[0].ready
        self._seats.link(first, self._span(first))
        clock = seat.works.state.clock
        while clock[0] < first.spans.end and any(each.ended_by is None for each in cases):
            span, before = self._span(first), int(clock[0])
            ticks = max(1, span.ticks // TICKS) * TICKS
            self._seats.draw([each.ready for each in cases], ticks)
            few = span._replace(ticks=TICKS)
            fly_together(*seat.pinned, few, self._seats.pinned_flock, ticks)
            stood = clock[0] == before and not self._has_happened
            take(self._take())
            if stop():
                for each in cases:
                    each.ended_by = Event(clock[0] / NS_PER_S, "interrupted", "by the user")
            elif stood:
                raise RuntimeError("the loop does not get on in lanes")
        mark_warm(f"lanes-{self._lanes}")
        return self.so_far()

    def so_far(self) -> list[Run]:
        """The runs, up to the last rows."""
        return [each.run(self._lanes, self._watch(i)) for i, each in enumerate(self._cases)]

    @property
    def share(self) -> float:
        """Of the mission, that is flown."""
        state, first = self._seats.seat.works.state, self._cases[0].ready
        return float(state.clock[0] / first.spans.end)

    def _span(self, ready: Prepared) -> Span:
        return ready.spans.at(self._seats.seat.works.state, False)

    @property
    def _has_happened(self) -> bool:
        """Whether some case has an event, or cannot go on."""
        flock = self._seats.flock
        return bool(flock.lengths.any() or (flock.status != OK).any())

    def _take(self) -> np.ndarray:
        """Takes rows and events, and ends cases that cannot go on; the rows of the first case."""
        flock, log = self._seats.flock, self._seats.seat.works.log
        if flock.now[UNLIKE] == 1:
            raise RuntimeError("cases in lanes have come to other whole numbers")
        rows: np.ndarray = log.rows.data
        count = int(log.row_count[0])
        for lane, case in enumerate(self._cases):
            if case.ended_by is None:
                failed = flock.status[lane] != OK
                case.rows.append(rows[: flock.ended[lane, 1] if failed else count, :, lane])
                case.events += case.ready.decoder.drain(self._watch(lane))
        flock.lengths[:] = log.row_count[0] = 0
        self._end_failed()
        return rows[:count, :, 0]

    def _end_failed(self) -> None:
        """Ends cases of which a tick has failed; their lanes copy one that goes on."""
        flock = self._seats.flock
        for lane, case in enumerate(self._cases):
            status = int(flock.status[lane])
            if case.ended_by is None and status != OK:
                when = flock.ended[lane, 0] / NS_PER_S
                case.ended_by = Event(when, "fault", STATUS_TEXT[status])
        going_on = [lane for lane, each in enumerate(self._cases) if each.ended_by is None]
        for lane, case in enumerate(self._cases):
            if going_on and case.ended_by is not None and self._seats.source[lane] == lane:
                self._seats.retire(lane, going_on[0])

    def _watch(self, lane: int) -> Watch:
        """The log of a case's events, as its decoder reads it."""
        watch = self._seats.seat.works.log.watch
        return self._cases[lane].ready.arguments.log.watch._replace(
            log=watch.log.data[..., lane],
            length=watch.length.data[:, lane].copy(),
            swings=watch.swings.data[..., lane],
        )
