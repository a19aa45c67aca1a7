"""Everything of a robot that renders the target, as the loop hands it on."""

from typing import NamedTuple

import numpy as np

from proxops.core.jit import helper, part
from proxops.core.spatial.quaternion import get4, quat_to_rotation
from proxops.core.spatial.vector import get3, mul, put3
from proxops.facility.common.force_sensor import WRENCH
from proxops.facility.rendered.rendering import (
    Inputs,
    Outputs,
    Rendering,
    RenderingWorkspace,
    State,
)
from proxops.plant import layout
from proxops.plant.model import DRIVE_FORCE


class RenderedLab(NamedTuple):
    """The robot, and what it exchanges with the plant."""

    model: Rendering
    state: State
    workspace: RenderingWorkspace  # that a step overwrites
    outputs: Outputs
    motion: np.ndarray  # of the modelled target, lab axes
    draws: np.ndarray  # standard normal numbers, a row a step
    drawn: np.ndarray  # how many rows are used, one entry


@helper
def next_inputs(lab):
    """The motion that is shown, with an unused row of random numbers."""
    lab.drawn[0] += 1
    return Inputs(lab.motion, lab.draws[lab.drawn[0] - 1])


@part
def push_target(lab, plant, drive):
    """Puts what the robot's sensor has read on the modelled target for a step."""
    hub = drive[plant.chaser.shape[0]]
    for i in range(WRENCH):
        hub[DRIVE_FORCE + i] += lab.outputs.reading[i]


@part
def see_target(lab, plant, y):
    """Takes over velocity and angular velocity of the modelled target, lab axes."""
    target = y[layout.target_start(plant) : layout.ledger_start(plant)]
    put3(lab.motion, 0, get3(target, layout.V))
    R = quat_to_rotation(get4(target, layout.Q))
    put3(lab.motion, 3, mul(R, get3(target, layout.W)))
