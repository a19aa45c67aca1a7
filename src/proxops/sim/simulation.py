"""A run: the loop of a prepared scenario, entered again and again until it ends.

Where rows go and who watches the progress are arguments.
"""

from collections.abc import Callable, Generator, Iterator
from dataclasses import replace
from typing import Protocol

import numpy as np

from proxops.core.clock import NS_PER_S
from proxops.core.jit import enter, mark_warm
from proxops.onboard.function import RAISED, SWITCHED, WANTS_PYTHON, Function
from proxops.onboard.schedule import FAILED, NEXT
from proxops.plant.step import OK, STATUS_TEXT
from proxops.results.rows import Rows
from proxops.results.run import Event, Run
from proxops.results.verdict import judge
from proxops.scenario.load import Scenario
from proxops.sim.brakes import carry_out_brakes
from proxops.sim.controller.harness import Harness
from proxops.sim.link import link
from proxops.sim.prepare import prepare
from proxops.sim.state import Span
from proxops.sim.worlds.world import World

SHOWS_WHERE = "NUMBA_DISABLE_JIT=1 shows where"  # what nothing compiled raises is seen by Python


class Sink(Protocol):
    """Takes rows as they are made; must not keep the array it is given."""

    def write(self, rows: np.ndarray) -> None: ...


class Simulation:
    """A scenario made ready to run in its world, in orbit unless one is given, flown by a user's
    controller if it says so."""

    def __init__(
        self, scenario: Scenario, world: World | None = None, controller: Harness | None = None
    ) -> None:
        self._ready = ready = prepare(scenario, world, controller)
        self.scenario, self.signals, self.provenance = scenario, ready.signals, ready.provenance
        self.kernels = ready.world.kernels + ("-capture" if ready.onboard.sensors else "")
        self._world, self._controller = ready.world, controller
        self.state, self._log = ready.arguments.state, ready.arguments.log
        self._spans, self._decoder = ready.spans, ready.decoder
        self._rows = Rows(self._log.rows.shape[1])
        self._linked = False  # as the run begins: it compiles
        self._events: list[Event] = []
        self._over = False
        self._ended_by: Event | None = None

    def run(
        self,
        sink: Sink | None = None,
        progress: Callable[[float], None] | None = None,
        stop: Callable[[], bool] = lambda: False,
    ) -> Run:
        """Runs the mission to its end.  A fault of the equations, or `stop` turning true, ends it
        early: the run says so and keeps its rows."""
        for _ in self.cycles(sink, progress, stop):
            pass
        return self._ended(self._ended_by)

    def cycles(
        self,
        sink: Sink | None = None,
        progress: Callable[[float], None] | None = None,
        stop: Callable[[], bool] = lambda: False,
    ) -> Iterator[Function]:
        """Runs the mission to its end as well, but yields each function in Python before it runs:
        the loop then stands at the instant of its cycle."""
        ended_by, over, clock = None, False, self.state.clock
        with self._world.closed_if_interrupted():
            while not over and ended_by is None:
                braked, changed = carry_out_brakes(self._world.built, self.state, self._spans.look)
                self._events += changed
                span = self._spans.at(self.state, braked)
                ended_by = yield from self._advance(span, sink)
                over = span.last and clock[0] == span.end
                if progress is not None:
                    progress(clock[0] / self._spans.end)
                if ended_by is None and stop():
                    ended_by = self._interrupted()
        if ended_by is None:
            self._events += self._spans.ended()
        self._ended_by, self._over = ended_by, True
        mark_warm(self.kernels)

    def so_far(self) -> Run:
        """What there is of a run: all of one that has ended, else up to the last row, be it that a
        call of the loop has not come back."""
        if self._over:
            return self._ended(self._ended_by)
        self._events += self._decoder.drain(self._log.watch)
        return self._ended(self._interrupted())

    def _interrupted(self) -> Event:
        return Event(self.state.clock[0] / NS_PER_S, "interrupted", "by the user")

    def _ended(self, by: Event | None) -> Run:
        self._take_rows()
        rows = self._rows.settled()
        swings = self._decoder.limit_cycles(self._log.watch)
        events = (*self._events, *swings, *([by] if by else []))
        report = None
        if self._controller is not None:  # one that may not come back is not called to be timed
            report = self._controller.report(alone=by is None)
            events += tuple(Event(*each) for each in report.incidents)
        run = judge(self.scenario, self.signals, rows, events, self._world.given, self.provenance)
        return replace(run, controller=report, extensions=self.scenario.extensions)

    def _advance(self, span: Span, sink: Sink | None) -> Generator[Function, None, Event | None]:
        """One call into the compiled loop, or one for every cycle of a function in Python in the
        same time, which it yields; returns an event if it cannot go on."""
        until = int(self.state.clock[0]) + span.ticks * span.step
        status, failed = self._enter(span, until), None
        while status in (WANTS_PYTHON, SWITCHED) and failed is None:
            if status == SWITCHED:
                self._ready.scheduled.switch()
            else:
                function = self._next_function()
                yield function
                failed = None if function.run_in_python is None else function.run_in_python()
            if self.state.clock[0] >= until:
                break
            if failed is None:
                status = self._enter(span, until)
        if status == RAISED:
            failed = self._why()
        events = [*self._decoder.drain(self._log.watch), *self._world.events()]
        self._spans.take(events, int(self.state.clock[0]))
        self._events += events
        rows = self._take_rows()
        if sink is not None:
            sink.write(rows)
        now = self.state.clock[0] / NS_PER_S
        if failed is not None:
            return Event(now, "fault", failed)
        stopped = self._world.why(status, self._is_over())
        if stopped is not None:
            return Event(now, "stopped", stopped)
        if status in (OK, WANTS_PYTHON, SWITCHED):
            return None
        return Event(now, "fault", {**STATUS_TEXT, **self._next_function().failures}[status])

    def _next_function(self) -> Function:
        """The function on board that the loop has come to."""
        return self._ready.onboard.functions[int(self.state.progress[NEXT])]

    def _take_rows(self) -> np.ndarray:
        """The rows that the loop has written since the last call; it writes over them."""
        rows = self._log.rows[: self._log.row_count[0]]
        self._rows.append(rows)
        self._log.row_count[0] = 0
        return rows

    def _why(self) -> str:
        """What a sensor or function of the user's own has raised."""
        sensor = int(self.state.progress[FAILED])
        if sensor >= 0:
            name = self._ready.onboard.sensors[sensor].name
            return f"sensors.{name}: its measure has raised an error; {SHOWS_WHERE}"
        why = self._next_function().why
        return f"{self._next_function().name}: has raised an error" if why is None else why()

    def _enter(self, span: Span, until: int) -> int:
        """One call into the compiled loop, up to that instant [ns]; returns a status."""
        left = max(1, (until - int(self.state.clock[0])) // span.step)
        left = min(left, self._world.ticks_per_call)
        span = span._replace(ticks=min(span.ticks, left))  # the log has room for no more rows
        if not self._linked:
            link(self._ready, span)
            self._linked = True
        onboard = self._ready.onboard
        for each in onboard.functions:
            if each.run_in_python is not None:  # the loop comes back for it: no more is needed
                span = span._replace(ticks=min(span.ticks, 1 + each.period // span.step))
        onboard.draws.refill(span.ticks)
        self._world.draw(1 + span.ticks * span.substeps)
        return int(enter(self._world.kernel, self._ready.arguments.works_on, span))

    def _is_over(self) -> bool:
        return bool(self.state.clock[0] >= self._spans.end)
