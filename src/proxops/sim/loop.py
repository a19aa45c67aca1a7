"""The loop: start reading here.

Every tick, at time t:

    plant ─truth─► sensors ─measurements─► on-board software ─commands─► actuators ─forces─► plant

and the plant advances to t + step.

The loop is deterministic: it reads no clock, opens no file and draws no random number.  Where
rows go and who watches the progress are arguments.
"""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple, Protocol

import numpy as np

from proxops.actuators.faults import Faults, FaultState
from proxops.actuators.faults import start as start_faults
from proxops.actuators.motors import Motors
from proxops.actuators.thrusters import Thrusters, ThrusterState
from proxops.actuators.thrusters import start as start_thrusters
from proxops.assembly.build import Built, build
from proxops.assembly.limits import (
    longest_phase_step,
    longest_touching_steps,
    refuse_fine_steps,
    refuse_long_steps,
)
from proxops.assembly.onboard import MOST_TURNS
from proxops.bus.truth import HUB_WIDTH, WRENCH
from proxops.core.clock import NS_PER_S
from proxops.core.errors import InputError
from proxops.core.jit import Plug, enter, kernel, mark_warm
from proxops.core.random_rows import RandomRows
from proxops.onboard.functions.boost.boost import SEEN_SIZE, Boost, BoostState, plan_cycle
from proxops.onboard.functions.boost.boost import start as start_boost
from proxops.onboard.functions.joint_control import JointControl
from proxops.onboard.model import DONE, RAISED, WANTS_CONTROL, OnboardModel, OnboardState
from proxops.onboard.plugs import plugs
from proxops.onboard.user.harness import Harness
from proxops.plant.build import quiet_drive, workspace
from proxops.plant.history import Histories
from proxops.plant.model import Plant, Workspace
from proxops.plant.observe import Ports
from proxops.plant.peaks import Peaks, none_yet
from proxops.plant.step import OK, STATUS_TEXT, advance, touch_at_start
from proxops.results.run import Event, Run, Signal
from proxops.results.verdict import check_demands, judge, provenance
from proxops.scenario.load import Scenario
from proxops.sim.events import (
    Teller,
    Watch,
    has_room,
    watch_collisions,
    watch_for,
    watch_interface,
    watch_stops,
)
from proxops.sim.rows import record, signals_of
from proxops.sim.stages import WANTS_PLAN, act, control, sense

NO_THRUST = (
    "obsw.boost: the engines can hold the torque asked for only by not pushing at all; look at "
    "their places and at p_CS_m, or use modulation = none"
)
NO_CONTROLLER = (
    "is flown by a user's controller{which}, which neither a scenario nor a recording holds: give "
    "it as controller=..., or as --controller FILE:NAME"
)
BEGUN = 1  # entry of State.clock: 1 once the loop was entered, be it that Python is asked first
STEPS_PER_CALL = 4000  # some 20 to 50 ms: how often rows leave, progress shows, Ctrl-C is heard


class Model(NamedTuple):
    """Everything that stays the same during a run."""

    plant: Plant
    ports: Ports
    control: JointControl
    boost: Boost
    onboard: OnboardModel
    motors: Motors
    thrusters: Thrusters
    faults: Faults
    histories: Histories


class State(NamedTuple):
    """Everything that changes; a copy of its arrays is a snapshot."""

    clock: np.ndarray  # [ns]; then BEGUN
    y: np.ndarray
    seen_q: np.ndarray
    seen_qd: np.ndarray
    commands: np.ndarray  # see bus.commands
    given: np.ndarray
    measurements: np.ndarray  # by the boost, see obsw.boost
    boost: BoostState
    hubs: np.ndarray  # what sensors are shown of both, see core.truth
    wrench: np.ndarray  # and of the end effector
    onboard: OnboardState
    valves: np.ndarray  # asked of each thruster
    thrusters: ThrusterState
    faults: FaultState
    drive: np.ndarray
    peaks: Peaks  # since the last row


class Log(NamedTuple):
    """Where the loop writes."""

    rows: np.ndarray
    row_count: np.ndarray
    watch: Watch


class Span(NamedTuple):
    """A stretch with one step: integer nanoseconds."""

    phase: int
    end: int
    step: int
    substeps: int
    control: int
    record: int
    last: bool  # the mission ends with it
    ticks: int  # most that one call of the loop takes


# --- compiled -----------------------------------------------------------------------------------


@kernel
def advance_until(plugged, model, state, work, log, span):
    """Ticks until the span ends, its `ticks` are done, the event log may overflow, or something is
    to be done at Python's pace (WANTS_PLAN, WANTS_CONTROL).

    The body is one turn of the loop; a function of its own would take two seconds to compile.
    """
    touching = (model.plant, state.y, work.scratch)
    if state.clock[BEGUN] == 0:
        state.clock[BEGUN] = 1
        touch_at_start(model.plant, work, state.y, 0.0)
        watch_interface(work, log.watch)
        watch_collisions(model, state, work, touching, 0.0, log.watch)
    h = span.step / NS_PER_S / span.substeps
    for _ in range(span.ticks):
        if state.clock[0] >= span.end or not has_room(log.watch):
            break
        if state.clock[0] % span.control == 0:
            sense(model, state, work)
            status = control(plugged, model, state, touching, log.watch)
            if status != DONE:
                return status
        if state.clock[0] % span.record == 0:
            record(model, state, work, log, span)
        for substep in range(span.substeps):
            t = state.clock[0] / NS_PER_S + substep * h
            act(model, state, t, h)
            status = advance(model.plant, state.drive, work, state.y, t, h)
            if status != OK:
                return status
            watch_interface(work, log.watch)
        state.clock[0] += span.step
        watch_stops(model.plant, state.y, state.clock[0] / NS_PER_S, log.watch)
        passed = span.step / NS_PER_S
        watch_collisions(model, state, work, touching, passed, log.watch)
    if span.last and state.clock[0] == span.end:
        record(model, state, work, log, span)  # no turn comes after the last instant
    return OK


# --- Python -------------------------------------------------------------------------------------


class Sink(Protocol):
    """Takes rows as they are made; must not keep the array it is given."""

    def write(self, rows: np.ndarray) -> None: ...


class Lab(Protocol):
    """A facility that takes part: it brings the stages to run, and its own loop around them."""

    built: Built
    touching: Built  # whose contacts and holds are watched
    kernels: str  # name of what must be compiled
    provenance: dict[str, Any]  # what it adds to the scenario's
    signals: tuple[Signal, ...]  # recorded after the loop's own
    kernel: Any  # its loop
    draws: RandomRows  # of which it uses one a step, and one at the start

    def around(self, model: Model, state: State, work: Workspace) -> tuple[Any, Any, Any]:
        """The loop's model, state and workspace as its own kernel takes them."""
        ...

    def tell(self) -> list[Event]: ...  # what happened in it since it was last asked

    def why(self, status: int) -> str | None: ...  # it stopped; None if it did not


class Simulation:
    """A scenario made ready to run, in orbit or with a lab, flown by a user's controller if it says
    so."""

    def __init__(
        self, scenario: Scenario, lab: Lab | None = None, controller: Harness | None = None
    ) -> None:
        self.scenario = scenario
        own = scenario.mission.obsw.controller
        if own is not None and controller is None:
            which = f" ({own.name})" if own.name else ""
            raise InputError(f"{scenario.name}: {NO_CONTROLLER.format(which=which)}")
        built = build(scenario) if lab is None else lab.built
        touching = built if lab is None else lab.touching
        self.kernels = "run" if lab is None else lab.kernels  # that must be compiled
        if built.onboard.model.acts:
            self.kernels += "-capture"
        self._lab = lab
        onboard = built.onboard if controller is None else controller.join(scenario, built)
        self._onboard, self._controller = onboard, controller
        self.signals = signals_of(built) + (() if lab is None else lab.signals)
        self.provenance = provenance(scenario) | ({} if lab is None else lab.provenance)
        check_demands(scenario, self.signals)
        refuse_long_steps(scenario)
        refuse_fine_steps(scenario, built)
        finest = min(longest_touching_steps(built).values(), default=math.inf)
        self._parts = math.ceil(longest_phase_step(scenario) / finest) or 1  # of a touching step
        self._model = Model(
            built.plant,
            built.ports,
            built.control,
            built.boost,
            onboard.model,
            built.motors,
            built.thrusters,
            built.faults,
            built.histories,
        )
        self._work: Workspace = workspace(built.plant)
        joints = len(built.plant.chaser_topology)
        self._state = State(
            np.zeros(2, dtype=np.int64),
            built.y.copy(),
            np.zeros(joints),
            np.zeros(joints),
            onboard.commands,
            np.zeros(joints),
            np.zeros(SEEN_SIZE),
            start_boost(built.boost),
            np.zeros((2, HUB_WIDTH)),
            np.zeros(WRENCH),
            onboard.state,
            np.zeros(len(built.thrusters.table), dtype=np.int64),
            start_thrusters(built.thrusters),
            start_faults(built.faults, len(built.onboard.commands)),
            quiet_drive(built.plant),
            none_yet(touching.plant, len(touching.contacts), joints),
        )
        self._kernel, self._works_on = advance_until, (self._model, self._state, self._work)
        if lab is not None:
            self._kernel, self._works_on = lab.kernel, lab.around(*self._works_on)
        time = scenario.mission.time
        rows = 1 + time.duration_ns // time.record_ns
        width = 1 + sum(signal.width for signal in self.signals)
        substeps = max(phase.substeps for phase in time.phases.values())
        self._log = Log(
            np.zeros((rows, width)), np.zeros(1, dtype=np.int64), watch_for(touching, substeps)
        )
        self._plugged: tuple[Plug, ...] | None = None  # made as the run begins: it compiles
        self._teller = Teller(touching, None if controller is None else controller.mode_name)
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
        self._events += self._teller.take(self._log.watch)
        return self._ended(self._interrupted())

    def _interrupted(self) -> Event:
        return Event(self._state.clock[0] / NS_PER_S, "interrupted", "by the user")

    def _ended(self, by: Event | None) -> Run:
        rows = self._log.rows[: self._log.row_count[0]]
        rows.flags.writeable = False
        swings = self._teller.tell_swings(self._log.watch)
        events = (*self._events, *swings, *([by] if by else []))
        told = None
        if self._controller is not None:  # one that may not come back is not called to be timed
            told = self._controller.report(alone=by is None)
        run = judge(self.scenario, self.signals, rows, events + (told.events() if told else ()))
        return replace(run, provenance=self.provenance, controller=told)

    def _advance(self, span: Span, sink: Sink | None) -> Event | None:
        """One call into the compiled loop, or one for every turn that a controller in Python has in
        the same time; an event if it cannot go on."""
        done = self._log.row_count[0]
        until = self._state.clock[0] + span.ticks * span.step
        status, failed = self._enter(span), None
        while status == WANTS_CONTROL and failed is None and self._controller is not None:
            failed = self._controller.answer()
            if self._state.clock[0] >= until:
                break
            if failed is None:
                status = self._enter(span)
        if status == RAISED and self._controller is not None:
            failed = self._controller.why()
        self._events += self._teller.take(self._log.watch)
        if self._lab is not None:
            self._events += self._lab.tell()
        if sink is not None:
            sink.write(self._log.rows[done : self._log.row_count[0]])
        if status == WANTS_PLAN:
            plan_cycle(self._model.boost, self._state.boost, self._state.measurements)
            if not self._state.boost.shares.any():
                return Event(self._state.clock[0] / NS_PER_S, "fault", NO_THRUST)
        now = self._state.clock[0] / NS_PER_S
        if failed is not None:
            return Event(now, "fault", failed)
        if status in (OK, WANTS_PLAN, WANTS_CONTROL):
            return None
        stopped = None if self._lab is None else self._lab.why(status)
        if stopped is not None:
            return Event(now, "stopped", stopped)
        return Event(now, "fault", STATUS_TEXT[status])

    def _enter(self, span: Span) -> int:
        """One call into the compiled loop; returns a status."""
        if self._plugged is None:
            self._plugged = plugs(self._onboard)
        if self._controller is not None and self._controller.in_python:  # it asks for less at once
            most = 1 + self._model.onboard.period // span.step
            span = span._replace(ticks=min(span.ticks, most))
        self._onboard.draws.refill(span.ticks)
        if self._lab is not None:
            self._lab.draws.refill(1 + span.ticks * span.substeps)
        return int(enter(self._kernel, self._plugged, *self._works_on, self._log, span))

    def _spans(self) -> list[Span]:
        time = self.scenario.mission.time
        return [
            Span(
                number,
                phase.until_ns,
                phase.step_ns,
                phase.substeps,
                time.control_ns,
                time.record_ns,
                phase.until_ns == time.duration_ns,
                max(1, min(MOST_TURNS, STEPS_PER_CALL // (phase.substeps * self._parts))),
            )
            for number, phase in enumerate(time.phases.values())
        ]
