"""The loop: start reading here.

Every tick, at time t:

    plant ─truth─► sensors ─seen─► obsw ─asked─► actuators ─given─► plant advances to t + step

The loop is deterministic: it reads no clock, opens no file and draws no random number.  Where
rows go and who watches the progress are arguments.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple, Protocol

import numpy as np

from proxops.actuators.motors import Motors, give
from proxops.core.description import ContactDescription
from proxops.core.jit import helper, kernel, mark_warm, part
from proxops.obsw.joint_control import JointControl, ask
from proxops.physics.multibody.tree import LOWER, UPPER
from proxops.plant import layout, switching
from proxops.plant.build import quiet_drive, workspace
from proxops.plant.model import DRIVE_MOTOR, Plant, Workspace
from proxops.plant.observe import Ports, observe, signals
from proxops.plant.step import OK, STATUS_TEXT, advance, touch_at_start
from proxops.plant.switching import MOST_SWITCHES
from proxops.run import Event, Run, Signal
from proxops.scenario.build import Built, build
from proxops.scenario.limits import refuse_long_steps
from proxops.scenario.load import Scenario
from proxops.scenario.schema import Phase
from proxops.verdict import check_demands, judge, provenance

STOP_TEXT = {-1: "on its lower stop", 0: "off its stop", 1: "on its upper stop"}
CONTACT_EVENTS = ("lift-off", "touch-down")
HOLD_EVENTS = ("hold-opens", "hold-closes")

NS_PER_S = 1e9  # dividing by it gives the nearest float; multiplying by 1e-9 would not
STEPS_PER_CALL = 4000  # some 20 to 50 ms: how often rows leave, progress shows, Ctrl-C is heard
EVENT_ROOM = 256  # events that one call may log

# Columns of Log.events
TIME = 0  # [s]
SOURCE = 1
NUMBER = 2  # of the joint, or of the pad (holds are counted after the pads)
WHAT = 3  # joint: -1 on the lower stop, +1 on the upper, 0 off both; pad: 1 closes, 0 opens
EVENT_WIDTH = 4

# Sources of events
JOINT = 0
INTERFACE = 1


class Model(NamedTuple):
    """Everything that stays the same during a run."""

    plant: Plant
    ports: Ports
    control: JointControl
    motors: Motors


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


@helper
def note(log, t, source, number, what):
    """Logs an event."""
    event = log.events[log.event_count[0]]
    event[TIME] = t
    event[SOURCE] = source
    event[NUMBER] = number
    event[WHAT] = what
    log.event_count[0] += 1


@part
def watch_interface(work, log):
    """Logs which contacts and holds closed or opened in the last step."""
    for i in range(work.switch_count[0]):
        row = work.switches[i]
        note(log, row[switching.TIME], INTERFACE, row[switching.NUMBER], row[switching.CLOSED])
    work.switch_count[0] = 0


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
            note(log, state.clock[0] / NS_PER_S, JOINT, joint, side)


@part
def control(model, state):
    """On-board software and actuators: from what is seen to what drives the plant."""
    sense(model, state)
    ask(model.control, state.clock[0] / NS_PER_S, state.seen_q, state.seen_qd, state.asked)
    give(model.motors, state.asked, state.given)
    for joint in range(state.given.shape[0]):
        state.drive[joint + 1, DRIVE_MOTOR] = state.given[joint]


@kernel
def advance_until(model, state, work, log, span, ticks):
    """Ticks until the span ends, `ticks` are done or the event log may overflow.

    The body is one turn of the loop; a function of its own would take two seconds to compile.
    """
    if state.clock[0] == 0:
        touch_at_start(model.plant, work, state.y, 0.0)
        watch_interface(work, log)
    needed = state.at_stop.shape[0] + span.substeps * MOST_SWITCHES
    h = span.step / NS_PER_S / span.substeps
    for _ in range(ticks):
        room = log.events.shape[0] - log.event_count[0]
        if state.clock[0] >= span.end or room < needed:
            break
        if state.clock[0] % span.control == 0:
            control(model, state)
        if state.clock[0] % span.record == 0:
            record(model, state, work, log, span)
        for substep in range(span.substeps):
            t = state.clock[0] / NS_PER_S + substep * h
            status = advance(model.plant, state.drive, work, state.y, t, h)
            if status != OK:
                return status
            watch_interface(work, log)
        state.clock[0] += span.step
        watch_stops(model, state, log)
    if span.last and state.clock[0] == span.end:
        record(model, state, work, log, span)  # no turn comes after the last instant
    return OK


# --- Python -------------------------------------------------------------------------------------


class Sink(Protocol):
    """Takes rows as they are made; must not keep the array it is given."""

    def write(self, rows: np.ndarray) -> None: ...


class Simulation:
    """A scenario made ready to run."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        built = build(scenario)
        self.signals = _signals(built)
        self.provenance = provenance(scenario)
        check_demands(scenario, self.signals)
        refuse_long_steps(scenario)
        self._joints = [f"{m.name}.{j.name}" for m in built.chaser.arms for j in m.arm.joints]
        self._interface = _pad_names(built.contacts) + [f"holds.{h.name}" for h in built.holds]
        self._model = Model(built.plant, built.ports, built.control, built.motors)
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
            np.zeros((EVENT_ROOM + joints + _most_switches(time.phases.values()), EVENT_WIDTH)),
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
        mark_warm()
        rows = self._log.rows[: self._log.row_count[0]]
        rows.flags.writeable = False
        events = (*self._events, *([ended_by] if ended_by else []))
        return judge(self.scenario, self.signals, rows, events)

    def _advance(self, span: Span, sink: Sink | None) -> Event | None:
        """One call into the compiled loop; an event if it cannot go on."""
        done = self._log.row_count[0]
        ticks = max(1, STEPS_PER_CALL // span.substeps)
        status = advance_until(self._model, self._state, self._work, self._log, span, ticks)
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
        for event in self._log.events[: self._log.event_count[0]]:
            t, number, what = float(event[TIME]), int(event[NUMBER]), int(event[WHAT])
            if event[SOURCE] == JOINT:
                detail = f"{self._joints[number]} {STOP_TEXT[what]}"
                self._events.append(Event(t, "joint-stop", detail))
            else:
                name = self._interface[number]
                kinds = HOLD_EVENTS if name.startswith("holds.") else CONTACT_EVENTS
                self._events.append(Event(t, kinds[what], name))
        self._log.event_count[0] = 0


def _most_switches(phases: Iterable[Phase]) -> int:
    """How many switches of contacts one tick may log."""
    return MOST_SWITCHES * (1 + max(phase.substeps for phase in phases))


def _pad_names(contacts: Iterable[ContactDescription]) -> list[str]:
    return [
        f"contacts.{each.name}" + (f" pad {number}" if len(each.pads) > 1 else "")
        for each in contacts
        for number in range(len(each.pads))
    ]


def _signals(built: Built) -> tuple[Signal, ...]:
    """Everything a row holds, in its order."""
    table = [
        Signal(*row) for row in signals(built.chaser, built.target, built.contacts, built.holds)
    ]
    for mounted in built.chaser.arms:
        unit = mounted.arm.unit("N m", "N")
        table.append(Signal(f"chaser.arms.{mounted.name}.tau", unit, "", mounted.q.shape))
    table.append(Signal("obsw.phase", "1", "", ()))
    return tuple(table)
