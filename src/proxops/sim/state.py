"""What the loop works on: a model that stays the same, a state that changes, a log, a span."""

from typing import NamedTuple

import numpy as np

from proxops.actuators.faults import Faults, FaultState
from proxops.actuators.motors import Motors
from proxops.actuators.thrusters import Thrusters, ThrusterState
from proxops.bus.bus import IdealViews
from proxops.onboard.schedule import Schedule
from proxops.plant.history import Histories
from proxops.plant.model import Plant
from proxops.plant.observe import Ports
from proxops.plant.peaks import Peaks
from proxops.plant.safety import Zones
from proxops.sim.events import Watch

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
    zones: Zones
    paces: np.ndarray  # see sim.pace, no rows with phases
    entries: np.ndarray  # addresses of the world's stages, see sim.entries


class Arrived(NamedTuple):
    """Commands that have arrived at actuators and holds: views of FaultState.arrived."""

    holds: np.ndarray
    brakes: np.ndarray  # of the arms, one entry where software has them
    motors: np.ndarray  # of joints, then wheels
    valves: np.ndarray
    isolation: np.ndarray


class State(NamedTuple):
    """Everything that changes; a copy of its arrays is a snapshot."""

    clock: np.ndarray  # [ns]; then BEGUN
    y: np.ndarray
    measurements: np.ndarray  # of the bus, see bus.bus
    estimates: np.ndarray
    commands: np.ndarray
    t: np.ndarray  # of the measurements [s], one entry
    ideal: IdealViews
    compression: np.ndarray  # of the contact that a boost measures [m], and its rate [m/s]
    progress: np.ndarray  # of sensors and functions on board, see onboard.schedule
    drawn: np.ndarray  # rows of the sensors' random numbers that are used up, one entry
    q: np.ndarray  # joint positions as sensors are shown them
    qd: np.ndarray
    hubs: np.ndarray  # both, likewise, see bus.truth
    centres: np.ndarray  # of mass of both spacecraft, likewise, see bus.truth
    sky: np.ndarray  # attractor and Sun, likewise
    wrench: np.ndarray  # on the end effector, likewise
    ready: np.ndarray  # of each hold, likewise; no entries where no sensor reports them
    closed: np.ndarray
    lateness: np.ndarray  # of the commands that are carried out [s], one entry
    applied: np.ndarray  # torques of the joints' motors
    burns: np.ndarray  # how long each thruster has yet to burn in this control period [s]
    thrusters: ThrusterState
    faults: FaultState
    arrived: Arrived
    drive: np.ndarray
    brakes: np.ndarray  # 1: those of the arms are set; no entry where nothing carries them out
    peaks: Peaks  # since the last row
    pace: np.ndarray  # see sim.pace


class Log(NamedTuple):
    """Where the loop writes."""

    rows: np.ndarray
    row_count: np.ndarray
    watch: Watch


class Span(NamedTuple):
    """A stretch with one step: integer nanoseconds."""

    phase: int
    pace: int  # 0 without paces
    look: int  # period of looks at the pace
    end: int
    step: int
    substeps: int
    control: int  # period of sensors, functions that are due, and motors
    valves: int  # period at which valves take commands
    software: int  # period of a user's function, else of control
    record: int
    last: bool  # the mission ends with it
    ticks: int  # most that one call of the loop takes
    events: int  # with which it comes back: as many as there is room for, 1 if one ends the mission
