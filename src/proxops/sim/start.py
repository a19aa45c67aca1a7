"""Model and first state of the loop, from what was built of a scenario."""

import numpy as np

from proxops.actuators.faults import start as start_faults
from proxops.actuators.thrusters import start as start_thrusters
from proxops.assembly.build import Built
from proxops.bus.truth import HUB_WIDTH, WRENCH
from proxops.onboard.functions.boost.boost import SEEN_SIZE
from proxops.onboard.functions.boost.boost import start as start_boost
from proxops.onboard.model import Onboard
from proxops.plant.build import quiet_drive
from proxops.plant.peaks import none_yet
from proxops.sim.loop import Model, State


def model_of(built: Built, onboard: Onboard) -> Model:
    """Everything that stays the same during a run."""
    return Model(
        plant=built.plant,
        ports=built.ports,
        control=built.control,
        boost=built.boost,
        onboard=onboard.model,
        motors=built.motors,
        thrusters=built.thrusters,
        faults=built.faults,
        histories=built.histories,
    )


def start_of(built: Built, onboard: Onboard, touching: Built) -> State:
    """The state at the start; `touching` has the contacts and holds."""
    joints = len(built.plant.chaser_topology)
    return State(
        clock=np.zeros(2, dtype=np.int64),
        y=built.y.copy(),
        seen_q=np.zeros(joints),
        seen_qd=np.zeros(joints),
        commands=onboard.commands,
        given=np.zeros(joints),
        measurements=np.zeros(SEEN_SIZE),
        boost=start_boost(built.boost),
        hubs=np.zeros((2, HUB_WIDTH)),
        wrench=np.zeros(WRENCH),
        onboard=onboard.state,
        valves=np.zeros(len(built.thrusters.table), dtype=np.int64),
        thrusters=start_thrusters(built.thrusters),
        faults=start_faults(built.faults, len(onboard.commands)),
        drive=quiet_drive(built.plant),
        peaks=none_yet(touching.plant, len(touching.contacts), joints),
    )
