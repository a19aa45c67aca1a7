"""What is measured in the lab acts on the models, and the energy that crosses is booked."""

from proxops.core.jit import part
from proxops.facility.common.force_sensor import WRENCH
from proxops.facility.common.guard import table as guarding
from proxops.facility.common.passivity.energy_port import (
    models_pair,
    note,
    see_lab,
    see_model,
    stray,
    take_over,
)
from proxops.facility.common.rows import CHASER, TARGET
from proxops.plant.model import DRIVE_FORCE


@part
def put_measured(lab, plant, y, drive, h):
    """Puts what is measured, or what passivity control makes of it, on the target for a step of h
    [s], and its opposite on the chaser's body that is touched.  Which body that is does not matter
    to momentum, so the link that carries all that touch may stand for them."""
    port = lab.port
    bodies, body = plant.chaser.shape[0], port.body
    measured = lab.state.cell.readings[lab.cell.feedback_sensor]
    links = lab.state.arm.links
    link, _ = models_pair(plant, y, links, body)
    take_over(port, lab.state.port, link, measured, h)
    stray(port, lab.state.port, links, h)
    fed = lab.state.port.controlled.fed
    for i in range(WRENCH):
        if body > 0:  # the hub's row is new in every step, and holds what else pushes there
            drive[body, DRIVE_FORCE + i] = 0.0
        drive[body, DRIVE_FORCE + i] += fed[CHASER, i]
        drive[bodies, DRIVE_FORCE + i] += fed[TARGET, i]


@part
def watch_port(lab, plant, y, h):
    """Books the energy of the step of h [s] that ends now, as models and carriers have it."""
    port = lab.port
    see_model(port, lab.state.port, plant, y, lab.state.arm.links, h)
    see_lab(port, lab.state.port, lab.cell, lab.state.cell, lab.workspace.cell.work.scratch, h)
    note(lab.state.port, lab.state.cell.memory.status[guarding.MODE] == guarding.RUNNING)
