"""The loop: start reading here.

Every tick, at time t:

    plant ─truth─► sensors ─seen─► obsw ─asked─► actuators ─given─► plant advances to t + step

The loop is deterministic: it reads no clock, opens no file and draws no random number.  Where
rows go and who watches the progress are arguments.
"""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple, Protocol

import numpy as np

from proxops.actuators.faults import Faults, FaultState, brake, deliver, lateness, shut
from proxops.actuators.faults import start as start_faults
from proxops.actuators.motors import Motors, give
from proxops.actuators.thrusters import Thrusters, ThrusterState, fire
from proxops.actuators.thrusters import start as start_thrusters
from proxops.controllers.harness import Harness
from proxops.core import asked as to
from proxops.core import seen as said
from proxops.core.errors import InputError
from proxops.core.jit import Plug, enter, kernel, mark_warm, part
from proxops.core.spatial.quaternion import get4, put4
from proxops.core.spatial.vector import get3, put3
from proxops.core.truth import CHASER, HUB_WIDTH, TARGET, WRENCH, Truth
from proxops.events import (
    Teller,
    Watch,
    has_room,
    watch_boost,
    watch_for,
    watch_interface,
    watch_mode,
    watch_stops,
)
from proxops.obsw.boost import ASKED as BOOST_TORQUE
from proxops.obsw.boost import DELIVERED as BOOST_IMPULSE
from proxops.obsw.boost import (
    SEEN_Q,
    SEEN_SIZE,
    SEEN_W,
    SEEN_X,
    SEEN_X_RATE,
    Boost,
    BoostState,
    ask_boost,
    plan_cycle,
    wants_plan,
)
from proxops.obsw.boost import start as start_boost
from proxops.obsw.capture import modes
from proxops.obsw.joint_control import JointControl, ask
from proxops.obsw.navigation import layout as nav
from proxops.obsw.platform.service import LATENESS, THRUST
from proxops.onboard.model import DONE, RAISED, WANTS_CONTROL, OnboardModel, OnboardState
from proxops.onboard.plugs import plugs
from proxops.plant import layout
from proxops.plant.build import quiet_drive, workspace
from proxops.plant.history import Histories, play
from proxops.plant.holds import tell
from proxops.plant.model import DRIVE_FORCE, DRIVE_MOTOR, Plant, Workspace
from proxops.plant.observe import Ports, observe, put_array, signals
from proxops.plant.observe_interface import compression
from proxops.plant.observe_wrist import put_wrist
from proxops.plant.step import OK, STATUS_TEXT, advance, touch_at_start
from proxops.run import Event, Run, Signal
from proxops.scenario.build import Built, build
from proxops.scenario.limits import (
    longest_phase_step,
    longest_touching_steps,
    refuse_fine_steps,
    refuse_long_steps,
)
from proxops.scenario.load import Scenario
from proxops.scenario.onboard import MOST_TURNS
from proxops.verdict import check_demands, judge, provenance

WANTS_PLAN = -1  # status: a cycle of the boost is to be planned
NO_THRUST = (
    "obsw.boost: the engines can hold the torque asked for only by not pushing at all; look at "
    "their places and at p_CS_m, or use modulation = none"
)
NO_CONTROLLER = (
    "is flown by a user's controller{which}, which neither a scenario nor a recording holds: give "
    "it as controller=..., or as --controller FILE:NAME"
)
NS_PER_S = 1e9  # dividing by it gives the nearest float; multiplying by 1e-9 would not
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
    asked: np.ndarray  # see core.asked
    given: np.ndarray
    seen: np.ndarray  # by the boost, see obsw.boost
    boost: BoostState
    hubs: np.ndarray  # what sensors are shown of both, see core.truth
    wrench: np.ndarray  # and of the end effector
    onboard: OnboardState
    valves: np.ndarray  # asked of each thruster
    thrusters: ThrusterState
    faults: FaultState
    drive: np.ndarray


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


@part
def sense(model, state, work):
    """Shows everything to sensors as it is; those that joint control and boost have are ideal."""
    joints = state.seen_q.shape[0]
    for joint in range(joints):
        state.seen_q[joint] = state.y[layout.JOINTS + joint]
        state.seen_qd[joint] = state.y[layout.JOINTS + joints + joint]
    if state.boost.shares.shape[0] > 0:
        put4(state.seen, SEEN_Q, get4(state.y, layout.Q))
        put3(state.seen, SEEN_W, get3(state.y, layout.W))
        measured = model.ports.measured_contact[0]
        x, rate = compression(model.plant, measured, state.y, work.scratch)
        state.seen[SEEN_X] = x
        state.seen[SEEN_X_RATE] = rate
    if model.onboard.acts == 1:
        target = layout.target_start(model.plant)
        for i in range(HUB_WIDTH):
            state.hubs[CHASER, i] = state.y[i]
            state.hubs[TARGET, i] = state.y[target + i]
        put_wrist(model.plant, model.ports, state.y, work.scratch, state.wrench)
        heard = state.onboard.platform.heard
        heard[LATENESS] = lateness(state.faults) * model.onboard.platform.period
        put_array(heard, THRUST, state.thrusters.level)


@part
def control(plugged, model, state, watch):
    """On-board software and motors: from what is seen to what is asked of the actuators.  Returns
    a status."""
    t = state.clock[0] / NS_PER_S
    joints = state.given.shape[0]
    valves = to.JOINTS + joints
    if model.onboard.acts == 1:
        status = consult(plugged, model, state)
        if status != DONE:
            return status
        watch_mode(state.asked, t, watch)
    else:
        wanted = state.asked[to.JOINTS : valves]
        ask(model.control, t, state.seen_q, state.seen_qd, wanted)
        ask_boost(model.boost, state.boost, state.seen, state.asked[valves:])
        watch_boost(state.boost.memory, t, watch)
    carry_out(model, state)
    return DONE


@part
def carry_out(model, state):
    """Lets actuators do what has arrived of what was asked, as far as they can."""
    now, joints = state.clock[0], state.given.shape[0]
    rates = layout.JOINTS + joints
    deliver(model.faults, state.faults, now, state.asked)
    arrived, valves = state.faults.arrived, to.JOINTS + joints
    give(model.motors, arrived[to.JOINTS : valves], state.y[rates : rates + joints], state.given)
    brake(model.faults, state.faults, now, (state.seen_q, state.seen_qd), state.given)
    for joint in range(joints):
        state.drive[joint + 1, DRIVE_MOTOR] = state.given[joint]
    for i in range(state.valves.shape[0]):
        state.valves[i] = int(arrived[valves + i])
    shut(model.faults, now, state.valves)
    if model.onboard.acts == 1:
        tell(model.plant, state.y[layout.holds_start(model.plant) :], arrived[to.HOLD])


@part
def consult(plugged, model, state):
    """Sensors, controller and services on board, in their order.  Returns a status."""
    sense_them, think, serve = plugged
    truth = Truth(state.clock[0], state.hubs, state.seen_q, state.seen_qd, state.wrench)
    sense_them(model.onboard, state.onboard, truth, state.asked)
    status = think(model.onboard, state.onboard, truth, state.asked)
    if status != DONE:
        return status
    serve(model.onboard, state.onboard, truth, state.asked)
    return DONE


@part
def record(model, state, work, log, span):
    """Appends one row: time, the plant's signals, then those of `_signals`.  Returns the next free
    place in it."""
    row = log.rows[log.row_count[0]]
    t = state.clock[0] / NS_PER_S
    row[0] = t
    end = 1 + observe(model.plant, model.ports, work, state.y, t, row[1:])
    end = put_array(row, end, state.given)
    end = put_array(row, end, state.thrusters.level)
    if state.boost.shares.shape[0] > 0:
        put3(row, end, get3(state.boost.memory, BOOST_TORQUE))
        row[end + 3] = state.boost.memory[BOOST_IMPULSE]
        end += 4
    if model.onboard.acts == 1:
        end = record_onboard(state, row, end)
    row[end] = span.phase
    log.row_count[0] += 1
    return end + 1


@part
def record_onboard(state, row, end):
    """Writes what on-board software asked for, felt and believed; returns the next free place."""
    row[end] = state.asked[to.MODE]
    put3(row, end + 1, get3(state.asked, to.FORCE))
    put3(row, end + 4, get3(state.asked, to.TORQUE))
    end = put_array(row, end + 7, state.onboard.seen[said.FORCE : said.FORCE + WRENCH])
    if state.onboard.mind.memory.shape[0] == 0:  # a user's controller: what it believes is its own
        return end
    put3(row, end, get3(state.onboard.mind.estimate, nav.EST_P_CG))
    put3(row, end + 3, get3(state.onboard.mind.estimate, nav.EST_W_CG))
    return put_array(row, end + 6, state.onboard.mind.memory[modes.STORAGE : modes.MONITORED])


@part
def act(model, state, t, h):
    """Puts thrust and recorded wrenches on the hubs for a step of the plant, from t to t + h."""
    target = model.plant.chaser.shape[0]
    for column in range(DRIVE_FORCE, DRIVE_MOTOR):
        state.drive[0, column] = 0.0
        state.drive[target, column] = 0.0
    on_chaser = state.drive[0, DRIVE_FORCE:DRIVE_MOTOR]
    fire(model.thrusters, state.valves, state.thrusters, h, on_chaser)
    play(model.histories.chaser, t, h, state.drive, 0)
    play(model.histories.target, t, h, state.drive, target)


@kernel
def advance_until(plugged, model, state, work, log, span):
    """Ticks until the span ends, its `ticks` are done, the event log may overflow, or something is
    to be done at Python's pace (WANTS_PLAN, WANTS_CONTROL).

    The body is one turn of the loop; a function of its own would take two seconds to compile.
    """
    if state.clock[BEGUN] == 0:
        state.clock[BEGUN] = 1
        touch_at_start(model.plant, work, state.y, 0.0)
        watch_interface(work, log.watch)
    h = span.step / NS_PER_S / span.substeps
    for _ in range(span.ticks):
        if state.clock[0] >= span.end or not has_room(log.watch):
            break
        if state.clock[0] % span.control == 0:
            sense(model, state, work)
            if wants_plan(model.boost, state.boost):
                return WANTS_PLAN
            status = control(plugged, model, state, log.watch)
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
    if span.last and state.clock[0] == span.end:
        record(model, state, work, log, span)  # no turn comes after the last instant
    return OK


# --- Python -------------------------------------------------------------------------------------


class Sink(Protocol):
    """Takes rows as they are made; must not keep the array it is given."""

    def write(self, rows: np.ndarray) -> None: ...


class Lab(Protocol):
    """A facility that takes part in the loop: it brings the stages to run, and its own kernel."""

    built: Built
    touching: Built  # whose contacts and holds are watched
    kernels: str  # name of what must be compiled
    provenance: dict[str, Any]  # what it adds to the scenario's
    signals: tuple[Signal, ...]  # recorded after the loop's own

    def advance_until(
        self,
        plugged: tuple[Plug, ...],
        model: Model,
        state: State,
        work: Workspace,
        log: Log,
        span: Span,
    ) -> int: ...

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
        self._advance_until = _in_orbit if lab is None else lab.advance_until
        self._lab = lab
        onboard = built.onboard if controller is None else controller.join(scenario, built)
        self._onboard, self._controller = onboard, controller
        self.signals = _signals(built) + (() if lab is None else lab.signals)
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
            onboard.asked,
            np.zeros(joints),
            np.zeros(SEEN_SIZE),
            start_boost(built.boost),
            np.zeros((2, HUB_WIDTH)),
            np.zeros(WRENCH),
            onboard.state,
            np.zeros(len(built.thrusters.table), dtype=np.int64),
            start_thrusters(built.thrusters),
            start_faults(built.faults, len(built.onboard.asked)),
            quiet_drive(built.plant),
        )
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
                    ended_by = Event(self._state.clock[0] / NS_PER_S, "interrupted", "by the user")
        mark_warm(self.kernels)
        rows = self._log.rows[: self._log.row_count[0]]
        rows.flags.writeable = False
        events = (*self._events, *([ended_by] if ended_by else []))
        told = None if self._controller is None else self._controller.report()
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
            plan_cycle(self._model.boost, self._state.boost, self._state.seen)
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
        stage = self._state.onboard
        refill(self._onboard.rng, stage.draws, stage.drawn, span.ticks)
        return self._advance_until(
            self._plugged, self._model, self._state, self._work, self._log, span
        )

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


def _in_orbit(plugged: tuple[Plug, ...], *args: Any) -> int:
    return int(enter(advance_until, plugged, *args))


def refill(rng: np.random.Generator, draws: np.ndarray, drawn: np.ndarray, needed: int) -> None:
    """Puts new random numbers behind the unused ones where fewer than needed are left: how the run
    is cut into calls does not show."""
    if drawn[0] + needed <= len(draws):
        return
    left = draws[drawn[0] :].copy()
    draws[: len(left)] = left
    draws[len(left) :] = rng.standard_normal((drawn[0], *draws.shape[1:]))
    drawn[0] = 0


def _signals(built: Built) -> tuple[Signal, ...]:
    """Everything a row holds, in its order."""
    table = [
        Signal(*row) for row in signals(built.chaser, built.target, built.contacts, built.holds)
    ]
    for mounted in built.chaser.arms:
        unit = mounted.arm.unit("N m", "N")
        table.append(Signal(f"chaser.arms.{mounted.name}.tau", unit, "", mounted.q.shape))
    for wheel in built.chaser.wheels:
        table.append(Signal(f"chaser.wheels.{wheel.name}.torque", "N m", "", ()))
    if built.thrusters.table.size:
        table.append(Signal("chaser.thrusters.thrust", "N", "", (len(built.thrusters.table),)))
    if built.boost.number.size:
        table.append(Signal("obsw.boost.torque", "N m", "C", (3,)))
        table.append(Signal("obsw.boost.impulse", "N s", "", ()))
    if built.onboard.model.acts:
        table += [
            Signal("obsw.mode", "1", "", ()),
            Signal("obsw.base.force", "N", "C", (3,)),
            Signal("obsw.base.torque", "N m", "C", (3,)),
            Signal("sensors.wrist", "N,N,N,N m,N m,N m", "E", (WRENCH,)),
        ]
    if built.onboard.model.acts and built.onboard.state.mind.memory.size:
        table += [
            Signal("obsw.navigation.p_CG", "m", "C", (3,)),
            Signal("obsw.navigation.w_CG_C", "rad/s", "C", (3,)),
            Signal("obsw.storage", "J", "", ()),
            Signal("obsw.grasp.power", "W", "", ()),
            Signal("obsw.grasp.energy", "J", "", ()),
        ]
    table.append(Signal("obsw.phase", "1", "", ()))
    return tuple(table)
