"""Everything of a cell that takes part in a run, as the loop hands it on."""

from typing import NamedTuple

import numpy as np

from proxops.core.jit import helper
from proxops.facility.common.passivity.energy_port import Port, PortState
from proxops.facility.common.representation import NominalState, Representation
from proxops.facility.robot_cell.cell import Cell, CellState, CellWorkspace
from proxops.facility.robot_cell.ground_torque import GroundTorque
from proxops.plant.measured_state import PosedArm


class LabState(NamedTuple):
    """Everything that changes."""

    z: np.ndarray  # see plant.measured_arm; the plant's y is what it shows
    arm: PosedArm  # the real one, as models have it after every step
    qdd: np.ndarray  # of all joints in the latest step, the guess for the next
    ground: GroundTorque
    spins: np.ndarray  # of the wheels, see plant.measured_arm [rad/s]
    nominal: NominalState
    cell: CellState
    draws: np.ndarray  # standard normal numbers (n, 3, 6)
    drawn: np.ndarray  # how many rows are used, one entry
    port: PortState


class LabWorkspace(NamedTuple):
    """What a step overwrites."""

    cell: CellWorkspace
    commands: np.ndarray  # (2, 13)
    loads: np.ndarray  # (6 + n,), see physics.relative.ground_arm


class CellLab(NamedTuple):
    """A cell, how it represents the orbit, and its energy port; the plant beside it knows no
    contacts, since they are the cell's."""

    cell: Cell
    representation: Representation
    port: Port
    state: LabState
    workspace: LabWorkspace


@helper
def next_draw(state):
    """The number of an unused row of random numbers."""
    state.drawn[0] += 1
    return state.drawn[0] - 1
