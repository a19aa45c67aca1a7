"""The loop: start reading here.

Every tick, at time t:

    plant ─truth─► sensors ─measurements─► on-board software ─commands─► actuators ─forces─► plant

and the plant advances to t + step.  It is written once; what differs between the orbit, a robot
that renders the target and a cell of two robots is a *world*, four compiled functions on the same
arguments (see sim.worlds):

    begin(model, state, work, lab, watch, h)             before the first tick
    show(model, state, work, lab)                        truth, as sensors are shown it
    advance(model, state, work, lab, watch, t, h)        one sub-step from t to t + h; a status
    write(model, state, work, lab, log, span)            one row

`lab` is what a world has besides model, state and workspace of the plant.

The loop is deterministic: it reads no clock, opens no file and draws no random number.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from proxops.actuators.faults import Faults, FaultState
from proxops.actuators.motors import Motors
from proxops.actuators.thrusters import Thrusters, ThrusterState
from proxops.core.clock import NS_PER_S
from proxops.core.jit import part
from proxops.onboard.function import DONE
from proxops.onboard.schedule import Schedule
from proxops.plant.history import Histories
from proxops.plant.model import Plant
from proxops.plant.observe import Ports
from proxops.plant.peaks import Peaks
from proxops.plant.step import OK
from proxops.sim.events import Watch, has_room, watch_collisions, watch_stops
from proxops.sim.stages import control

STEPS_PER_CALL = 4000  # some 20 to 50 ms: how often rows leave, progress shows, Ctrl-C is heard
BEGUN = 1  # entry of State.clock: 1 once the loop was entered, be it that Python is asked first


class Model(NamedTuple):
    """Everything that stays the same during a run."""

    plant: Plant
    ports: Ports
    onboard: Schedule
    motors: Motors
    thrusters: Thrusters
    faults: Faults
    histories: Histories
    entries: np.ndarray  # addresses of the world's stages, see sim.entries


class State(NamedTuple):
    """Everything that changes; a copy of its arrays is a snapshot."""

    clock: np.ndarray  # [ns]; then BEGUN
    y: np.ndarray
    measurements: np.ndarray  # see bus.measurements
    ideal: np.ndarray  # see bus.ideal
    estimates: np.ndarray  # see bus.estimates
    commands: np.ndarray  # see bus.commands
    progress: np.ndarray  # of the functions on board, see onboard.schedule
    boost: np.ndarray  # memory of a boost, empty without one
    capture: np.ndarray  # memory of a capture, likewise
    q: np.ndarray  # joint positions as sensors are shown them
    qd: np.ndarray
    hubs: np.ndarray  # both, likewise, see bus.truth
    wrench: np.ndarray  # on the end effector, likewise
    lateness: np.ndarray  # of the commands that are carried out [s], one entry
    given: np.ndarray  # torques of the joints' motors
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
    software: int  # period of a user's function, else of control
    record: int
    last: bool  # the mission ends with it
    ticks: int  # most that one call of the loop takes


def loop_of(
    begin: Callable[..., None],
    show: Callable[..., None],
    advance: Callable[..., int],
    write: Callable[..., None],
) -> Any:
    """The loop of a world: a part that a kernel of the world's module wraps, since Numba stores no
    function that is made here.  `touching` = (plant, y, scratch) has contacts and holds."""

    @part
    def loop(model, state, work, lab, touching, log, span):
        """Ticks until the span ends, its `ticks` are done, the event log may overflow, or something
        is to be done in Python (WANTS_PYTHON)."""
        passed = span.step / NS_PER_S
        h = passed / span.substeps
        if state.clock[BEGUN] == 0:
            state.clock[BEGUN] = 1
            begin(model, state, work, lab, log.watch, h)
            watch_collisions(model, state, work, touching, 0.0, log.watch)
        for _ in range(span.ticks):
            if state.clock[0] >= span.end or not has_room(log.watch):
                break
            if state.clock[0] % span.control == 0:
                show(model, state, work, lab)
                status = control(model, state, touching, span, log.watch)
                if status != DONE:
                    return status
            if state.clock[0] % span.record == 0:
                write(model, state, work, lab, log, span)
            for substep in range(span.substeps):
                t = state.clock[0] / NS_PER_S + substep * h
                status = advance(model, state, work, lab, log.watch, t, h)
                if status != OK:
                    return status
            state.clock[0] += span.step
            watch_stops(model.plant, state.y, state.clock[0] / NS_PER_S, log.watch)
            watch_collisions(model, state, work, touching, passed, log.watch)
        if span.last and state.clock[0] == span.end:
            write(model, state, work, lab, log, span)  # no tick comes after the last instant
        return OK

    return loop
