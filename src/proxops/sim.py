"""The loop: start reading here.

Every tick, at time t:

    plant ─truth─► sensors ─seen─► obsw ─asked─► actuators ─given─► plant advances to t + step

The loop is deterministic: it reads no clock, opens no file and draws no random number.  Where
rows go and who watches the progress are arguments.
"""

from collections.abc import Callable
from typing import NamedTuple, Protocol

import numpy as np

from proxops.actuators.motors import Motors, give
from proxops.core.jit import kernel, mark_warm, part
from proxops.obsw.joint_control import JointControl, ask
from proxops.physics.multibody.tree import LOWER, UPPER
from proxops.plant import layout
from proxops.plant.build import quiet_drive, workspace
from proxops.plant.history import Histories, press
from proxops.plant.model import DRIVE_MOTOR, Plant, Workspace
from proxops.plant.observe import Ports, observe, signals
from proxops.plant.step import OK, STATUS_TEXT, advance
from proxops.run import Event, Run, Signal
from proxops.scenario.build import Built, build
from proxops.scenario.limits import refuse_long_steps
from proxops.scenario.load import Scenario
from proxops.verdict import check_demands, judge, provenance

NS_PER_S = 1e9  # dividing by it gives the nearest float; multiplying by 1e-9 would not
STEPS_PER_CALL = 4000  # some 20 to 50 ms: how often rows leave, progress shows, Ctrl-C is heard
EVENT_ROOM = 256  # events that one call may log

# Columns of Log.events
TIME = 0  # [s]
JOINT = 1
SIDE = 2  # -1 on the lower stop, +1 on the upper, 0 off both
EVENT_WIDTH = 3


class Model(NamedTuple):
    """Everything that stays the same during a run."""

    plant: Plant
    ports: Ports
    control: JointControl
    motors: Motors
    histories: Histories


class State(NamedTuple):
    """Everything that changes; a copy of its arrays is a snapshot."""

    clock: np.ndarray  # [ns], one entry
    y: np.ndarray
    seen_q: np.ndarray
    seen_qd: np.ndarray
    asked: np.ndarray
    given: np.ndarray
    drive: np.ndarray
    at_stop: np.ndarray


class Log(NamedTuple):
    """Where the loop writes."""

    rows: np.ndarray
    row_count: np.ndarray
    events: np.ndarray
    event_count: np.ndarray


class Span(NamedTuple):
    """A stretch with one step: integer nanoseconds."""

    phase: int
    end: int
    step: int
    substeps: int
    control: int
    record: int
    last: bool  # the mission ends with it


# --- compiled -----------------------------------------------------------------------------------


@part
def sense(model, state):
    """Ideal encoders: joint positions and rates as they are."""
    joints = state.seen_q.shape[0]
    for joint in range(joints):
        state.seen_q[joint] = state.y[layout.JOINTS + joint]
        state.seen_qd[joint] = state.y[layout.JOINTS + joints + joint]


@part
def record(model, state, work, log, span):
    """Appends one row: time, the plant's signals, motor torques, phase."""
    row = log.rows[log.row_count[0]]
    t = state.clock[0] / NS_PER_S
    row[0] = t
    end = 1 + observe(model.plant, model.ports, work, state.y, t, row[1:])
    for joint in range(state.given.shape[0]):
        row[end + joint] = state.given[joint]
    row[end + state.given.shape[0]] = span.phase
    log.row_count[0] += 1


@part
def watch_stops(model, state, log):
    """Logs when a joint runs onto a stop or leaves it."""
    bodies = model.plant.chaser
    for joint in range(state.at_stop.shape[0]):
        q = state.y[layout.JOINTS + joint]
        side = 0
        if q < bodies[joint + 1, LOWER]:
            side = -1
        elif q > bodies[joint + 1, UPPER]:
            side = 1
        if side != state.at_stop[joint]:
            state.at_stop[joint] = side
            event = log.events[log.event_count[0]]
            event[TIME] = state.clock[0] / NS_PER_S
            event[JOINT] = joint
            event[SIDE] = side
            log.event_count[0] += 1


@part
def steer(model, state, span):
    """Lets the on-board software see and act, where its time has come."""
    if state.clock[0] % span.control == 0:
        sense(model, state)
        ask(model.control, state.clock[0] / NS_PER_S, state.seen_q, state.seen_qd, state.asked)
        give(model.motors, state.asked, state.given)
        for joint in range(state.given.shape[0]):
            state.drive[joint + 1, DRIVE_MOTOR] = state.given[joint]


@part
def play_back(model, state, t, h):
    """Puts recorded wrenches on the hubs for a step of the plant."""
    press(model.histories.chaser, t, h, state.drive, 0)
    press(model.histories.target, t, h, state.drive, model.plant.chaser.shape[0])


@part
def tick(model, state, work, log, span):
    """One turn of the loop; returns a status."""
    steer(model, state, span)
    if state.clock[0] % span.record == 0:
        record(model, state, work, log, span)
    h = span.step / NS_PER_S / span.substeps
    for substep in range(span.substeps):
        t = state.clock[0] / NS_PER_S + substep * h
        play_back(model, state, t, h)
        status = advance(model.plant, state.drive, work, state.y, t, h)
        if status != OK:
            return status
    state.clock[0] += span.step
    watch_stops(model, state, log)
    return OK


@kernel
def advance_until(model, state, work, log, span, ticks):
    """Ticks until the span ends, `ticks` are done or the event log may overflow."""
    for _ in range(ticks):
        room = log.events.shape[0] - log.event_count[0]
        if state.clock[0] >= span.end or room < state.at_stop.shape[0]:
            break
        status = tick(model, state, work, log, span)
        if status != OK:
            return status
    if span.last and state.clock[0] == span.end:
        record(model, state, work, log, span)  # no tick comes after the last instant
    return OK


# --- Python -------------------------------------------------------------------------------------


class Sink(Protocol):
    """Takes rows as they are made; must not keep the array it is given."""

    def write(self, rows: np.ndarray) -> None: ...


class Lab(Protocol):
    """A facility that takes part in the loop: it brings the stages to run, and its own kernel."""

    built: Built
    signals: tuple[Signal, ...]  # recorded after the loop's own

    def advance_until(
        self, model: Model, state: State, work: Workspace, log: Log, span: Span, ticks: int
    ) -> int: ...


class Simulation:
    """A scenario made ready to run, in orbit or with a lab."""

    def __init__(self, scenario: Scenario, lab: Lab | None = None) -> None:
        self.scenario = scenario
        built = build(scenario) if lab is None else lab.built
        self.kernels = "run" if lab is None else "rehearsal"  # that must be compiled
        self._advance_until = advance_until if lab is None else lab.advance_until
        self.signals = _signals(built) + (() if lab is None else lab.signals)
        self.provenance = provenance(scenario)
        check_demands(scenario, self.signals)
        refuse_long_steps(scenario)
        self._arms = built.chaser.arms
        self._model = Model(built.plant, built.ports, built.control, built.motors, built.histories)
        self._work: Workspace = workspace(built.plant)
        joints = len(built.plant.chaser_topology)
        self._state = State(
            np.zeros(1, dtype=np.int64),
            built.y.copy(),
            np.zeros(joints),
            np.zeros(joints),
            np.zeros(joints),
            np.zeros(joints),
            quiet_drive(built.plant),
            np.zeros(joints, dtype=np.int64),
        )
        time = scenario.mission.time
        rows = 1 + time.duration_ns // time.record_ns
        width = 1 + sum(signal.width for signal in self.signals)
        self._log = Log(
            np.zeros((rows, width)),
            np.zeros(1, dtype=np.int64),
            np.zeros((EVENT_ROOM + joints, EVENT_WIDTH)),
            np.zeros(1, dtype=np.int64),
        )
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
                    ended_by = Event(self._state.clock[0] / NS_PER_S, "interrupted", "by the user")
        mark_warm(self.kernels)
        rows = self._log.rows[: self._log.row_count[0]]
        rows.flags.writeable = False
        events = (*self._events, *([ended_by] if ended_by else []))
        return judge(self.scenario, self.signals, rows, events)

    def _advance(self, span: Span, sink: Sink | None) -> Event | None:
        """One call into the compiled loop; an event if it cannot go on."""
        done = self._log.row_count[0]
        ticks = max(1, STEPS_PER_CALL // span.substeps)
        status = self._advance_until(self._model, self._state, self._work, self._log, span, ticks)
        self._collect_events()
        if sink is not None:
            sink.write(self._log.rows[done : self._log.row_count[0]])
        if status == OK:
            return None
        return Event(self._state.clock[0] / NS_PER_S, "fault", STATUS_TEXT[status])

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
            )
            for number, phase in enumerate(time.phases.values())
        ]

    def _collect_events(self) -> None:
        names = [f"{m.name}.{joint.name}" for m in self._arms for joint in m.arm.joints]
        for event in self._log.events[: self._log.event_count[0]]:
            side = {-1: "on its lower stop", 0: "off its stop", 1: "on its upper stop"}
            detail = f"{names[int(event[JOINT])]} {side[int(event[SIDE])]}"
            self._events.append(Event(float(event[TIME]), "joint-stop", detail))
        self._log.event_count[0] = 0


def _signals(built: Built) -> tuple[Signal, ...]:
    """Everything a row holds, in its order."""
    table = [Signal(*row) for row in signals(built.chaser, built.target)]
    for mounted in built.chaser.arms:
        unit = mounted.arm.unit("N m", "N")
        table.append(Signal(f"chaser.arms.{mounted.name}.tau", unit, "", mounted.q.shape))
    table.append(Signal("obsw.phase", "1", "", ()))
    return tuple(table)
