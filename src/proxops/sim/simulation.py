"""A scenario made ready to run: its stages and its world, entered again and again until it ends.

Where rows go and who watches the progress are arguments.
"""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

import numpy as np

from proxops.assembly.limits import (
    longest_phase_step,
    longest_touching_steps,
    refuse_fine_steps,
    refuse_long_steps,
)
from proxops.assembly.onboard import MOST_TURNS
from proxops.core.by_address import pinned
from proxops.core.clock import NS_PER_S
from proxops.core.errors import InputError
from proxops.core.jit import enter, mark_warm
from proxops.onboard.function import RAISED, WANTS_PYTHON
from proxops.onboard.schedule import NEXT, scheduled
from proxops.onboard.user.harness import Harness
from proxops.plant.build import workspace
from proxops.plant.step import OK, STATUS_TEXT
from proxops.results.provenance import provenance
from proxops.results.requirements import check_demands
from proxops.results.rows import Rows
from proxops.results.run import Event, Run
from proxops.results.verdict import judge
from proxops.scenario.load import Scenario
from proxops.sim.entries import write_entries
from proxops.sim.events import EventDecoder, find_collisions, watch_for
from proxops.sim.loop import STEPS_PER_CALL, Log, Span
from proxops.sim.rows import signals_of
from proxops.sim.start import model_of, shown_of, start_of
from proxops.sim.worlds.orbit import OrbitWorld
from proxops.sim.worlds.world import World

NO_CONTROLLER = (
    "is flown by a user's controller{which}, which neither a scenario nor a recording holds: give "
    "it as controller=..., or as --controller FILE:NAME"
)


class Sink(Protocol):
    """Takes rows as they are made; must not keep the array it is given."""

    def write(self, rows: np.ndarray) -> None: ...


class Simulation:
    """A scenario made ready to run in its world, in orbit unless one is given, flown by a user's
    controller if it says so."""

    def __init__(
        self, scenario: Scenario, world: World | None = None, controller: Harness | None = None
    ) -> None:
        self.scenario = scenario
        own = scenario.mission.obsw.controller
        if own is not None and controller is None:
            which = f" ({own.name})" if own.name else ""
            raise InputError(f"{scenario.name}: {NO_CONTROLLER.format(which=which)}")
        self._world: World = world or OrbitWorld(scenario)
        world = self._world
        built, touching = world.built, world.touching
        self.kernels = world.kernels + ("-capture" if built.onboard.sampling else "")
        onboard = built.onboard if controller is None else controller.join(scenario, built)
        self._onboard, self._controller = onboard, controller
        self.signals = signals_of(built) + world.signals
        self.provenance = provenance(scenario) | world.provenance
        check_demands(scenario, self.signals)
        refuse_long_steps(scenario)
        refuse_fine_steps(scenario, built)
        finest = min(longest_touching_steps(built).values(), default=math.inf)
        self._parts = math.ceil(longest_phase_step(scenario) / finest) or 1  # of a touching step
        self._scheduled = scheduled(onboard.functions, onboard.sampling is not None)
        self._model = model_of(built, self._scheduled.schedule)
        self._state = start_of(built, onboard, touching)
        time = scenario.mission.time
        width = 1 + sum(signal.width for signal in self.signals)
        substeps = max(phase.substeps for phase in time.phases.values())
        most = min(MOST_TURNS, time.duration_ns // time.record_ns) + 2  # rows of one call
        self._log = Log(
            np.zeros((most, width)), np.zeros(1, dtype=np.int64), watch_for(touching, substeps)
        )
        self._rows = Rows(width)
        works_on = self._model, self._state, workspace(built.plant), world.lab, self._log
        self._works_on = tuple(pinned(each) for each in works_on)
        self._linked = False  # as the run begins: it compiles
        self._decoder = EventDecoder(touching, None if controller is None else controller.mode_name)
        self._events: list[Event] = []

    def run(
        self,
        sink: Sink | None = None,
        progress: Callable[[float], None] | None = None,
        stop: Callable[[], bool] = lambda: False,
    ) -> Run:
        """Runs the mission to its end.  A fault of the equations, or `stop` turning true, ends it
        early: the run says so and keeps its rows."""
        ended_by = None
        duration = self.scenario.mission.time.duration_ns
        for span in self._spans():
            while self._state.clock[0] < span.end and ended_by is None:
                ended_by = self._advance(span, sink)
                if progress is not None:
                    progress(self._state.clock[0] / duration)
                if ended_by is None and stop():
                    ended_by = self._interrupted()
        mark_warm(self.kernels)
        return self._ended(ended_by)

    def so_far(self) -> Run:
        """What there is of a run that does not go on, be it that a call of the loop has not come
        back."""
        self._events += self._decoder.drain(self._log.watch)
        return self._ended(self._interrupted())

    def _interrupted(self) -> Event:
        return Event(self._state.clock[0] / NS_PER_S, "interrupted", "by the user")

    def _ended(self, by: Event | None) -> Run:
        self._take_rows()
        rows = self._rows.settled()
        swings = self._decoder.limit_cycles(self._log.watch)
        events = (*self._events, *swings, *([by] if by else []))
        told = None
        if self._controller is not None:  # one that may not come back is not called to be timed
            told = self._controller.report(alone=by is None)
        run = judge(self.scenario, self.signals, rows, events + (told.events() if told else ()))
        return replace(run, provenance=self.provenance, controller=told)

    def _advance(self, span: Span, sink: Sink | None) -> Event | None:
        """One call into the compiled loop, or one for every turn that a controller in Python has in
        the same time; an event if it cannot go on."""
        until = self._state.clock[0] + span.ticks * span.step
        status, failed = self._enter(span), None
        while status == WANTS_PYTHON and failed is None and self._controller is not None:
            failed = self._controller.answer()
            if self._state.clock[0] >= until:
                break
            if failed is None:
                status = self._enter(span)
        if status == RAISED and self._controller is not None:
            failed = self._controller.why()
        self._events += self._decoder.drain(self._log.watch)
        self._events += self._world.events()
        rows = self._take_rows()
        if sink is not None:
            sink.write(rows)
        now = self._state.clock[0] / NS_PER_S
        if failed is not None:
            return Event(now, "fault", failed)
        stopped = self._world.why(status, self._is_over())
        if stopped is not None:
            return Event(now, "stopped", stopped)
        if status in (OK, WANTS_PYTHON):
            return None
        function = self._onboard.functions[self._state.progress[NEXT]]
        return Event(now, "fault", {**STATUS_TEXT, **function.failures}[status])

    def _take_rows(self) -> np.ndarray:
        """The rows that the loop has written since the last call; it writes over them."""
        rows = self._log.rows[: self._log.row_count[0]]
        self._rows.append(rows)
        self._log.row_count[0] = 0
        return rows

    def _enter(self, span: Span) -> int:
        """One call into the compiled loop; returns a status."""
        if not self._linked:
            shown, onboard = shown_of(self._state), self._onboard
            self._scheduled.link(onboard.functions, onboard.bus, onboard.sampling, shown)
            write_entries(self._world.stages, find_collisions, self._works_on, span)
            self._linked = True
        if self._controller is not None and self._controller.in_python:  # it asks for less at once
            most = 1 + self._onboard.period // span.step
            span = span._replace(ticks=min(span.ticks, most))
        self._onboard.draws.refill(span.ticks)
        self._world.draw(1 + span.ticks * span.substeps)
        return int(enter(self._world.kernel, self._works_on, span))

    def _is_over(self) -> bool:
        return bool(self._state.clock[0] >= self.scenario.mission.time.duration_ns)

    def _spans(self) -> list[Span]:
        time = self.scenario.mission.time
        return [
            Span(
                number,
                phase.until_ns,
                phase.step_ns,
                phase.substeps,
                time.control_ns,
                self._onboard.period,
                time.record_ns,
                phase.until_ns == time.duration_ns,
                max(1, min(MOST_TURNS, STEPS_PER_CALL // (phase.substeps * self._parts))),
            )
            for number, phase in enumerate(time.phases.values())
        ]
