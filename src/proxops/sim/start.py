"""Model and first state of the loop, from what was built of a scenario."""

import numpy as np

from proxops.actuators.faults import start as start_faults
from proxops.actuators.thrusters import start as start_thrusters
from proxops.assembly.build import Built
from proxops.assembly.onboard import Onboard
from proxops.bus import ideal
from proxops.bus.truth import HUB_WIDTH, WRENCH
from proxops.onboard.schedule import Schedule, nothing_done
from proxops.plant.build import quiet_drive
from proxops.plant.peaks import none_yet
from proxops.sensors.stage import Shown
from proxops.sim.entries import ENTRIES_SIZE
from proxops.sim.loop import Model, State


def model_of(built: Built, schedule: Schedule) -> Model:
    """Everything that stays the same during a run."""
    return Model(
        plant=built.plant,
        ports=built.ports,
        onboard=schedule,
        motors=built.motors,
        thrusters=built.thrusters,
        faults=built.faults,
        histories=built.histories,
        entries=np.zeros(ENTRIES_SIZE, dtype=np.int64),
    )


def start_of(built: Built, onboard: Onboard, touching: Built) -> State:
    """The state at the start; `touching` has the contacts and holds."""
    joints = len(built.plant.chaser_topology)
    bus = onboard.bus
    q, qd = bus.ideal[ideal.JOINTS :].reshape(2, joints)
    return State(
        clock=np.zeros(2, dtype=np.int64),
        y=built.y.copy(),
        measurements=bus.measurements,
        ideal=bus.ideal,
        estimates=bus.estimates,
        commands=bus.commands,
        progress=nothing_done(),
        boost=onboard.memory_of("boost"),
        capture=onboard.memory_of("capture"),
        q=q,
        qd=qd,
        hubs=np.zeros((2, HUB_WIDTH)),
        wrench=np.zeros(WRENCH),
        lateness=np.zeros(1),
        given=np.zeros(joints),
        valves=np.zeros(len(built.thrusters.table), dtype=np.int64),
        thrusters=start_thrusters(built.thrusters),
        faults=start_faults(built.faults, len(bus.commands)),
        drive=quiet_drive(built.plant),
        peaks=none_yet(touching.plant, len(touching.contacts), joints),
    )


def shown_of(state: State) -> Shown:
    """What sensors are shown of a state, and where they write."""
    return Shown(
        clock=state.clock,
        hubs=state.hubs,
        q=state.q,
        qd=state.qd,
        wrench=state.wrench,
        lateness=state.lateness,
        thrust=state.thrusters.level,
        measurements=state.measurements,
    )
