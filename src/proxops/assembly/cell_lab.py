"""A cell with its models, as the loop takes it."""

from typing import NamedTuple

import numpy as np

from proxops.assembly.cell import Made, build_cell
from proxops.assembly.energy_port import build_port, start_port
from proxops.assembly.nominal import NominalChoice, check_nominal
from proxops.assembly.procedure import scatter_tare
from proxops.assembly.robot import step_of
from proxops.core.random_rows import FACILITY, RandomRows, generator
from proxops.facility.common.force_sensor import WRENCH
from proxops.facility.common.rows import DRAWS, PAIR
from proxops.facility.robot_cell.ground_torque import none_yet
from proxops.facility.robot_cell.lab import CellLab, LabState, LabWorkspace
from proxops.physics.multibody.mass_matrix import BASE_DOF
from proxops.plant import layout
from proxops.scenario.load import Scenario
from proxops.scenario.schema.facility import Facility

TARE = 1  # key of random numbers while it is tared, among the facility's


class Rehearsal(NamedTuple):
    """The stages of a rehearsal, and what the loop takes of them."""

    made: Made
    lab: CellLab
    draws: RandomRows  # of sensors and carriers, a row a step


def build_rehearsal(
    scenario: Scenario,
    facility: Facility,
    representation: str,
    nominal: NominalChoice,
    draws: int,
) -> Rehearsal:
    """A scenario on a facility, with room for so many draws of random numbers at once."""
    check_nominal(nominal, representation)
    made = build_cell(scenario, facility, representation, nominal)
    step, seed = step_of(scenario), scenario.mission.seed
    scatter_tare(made, facility, step, generator(seed, FACILITY, TARE))
    rows = RandomRows(draws, (generator(seed, FACILITY), (DRAWS, WRENCH)))
    lab = CellLab(
        cell=made.cell,
        representation=made.representation,
        port=build_port(made.touching, facility, step),
        state=LabState(
            z=made.z,
            arm=made.arm,
            qdd=made.qdd,
            ground=none_yet(len(made.cell.plant.chaser_topology)),
            spins=made.spins,
            nominal=made.nominal,
            cell=made.state,
            draws=rows.rows,
            drawn=rows.used,
            port=start_port(),
        ),
        workspace=LabWorkspace(
            cell=made.workspace,
            commands=np.zeros((PAIR, layout.JOINTS)),
            loads=np.zeros(BASE_DOF + len(made.built.plant.chaser_topology)),
        ),
    )
    return Rehearsal(made, lab, rows)
