"""Arrays that a step of the plant overwrites, and a drive that does nothing."""

import numpy as np

from proxops.physics.integrate.rk4 import STAGE_ROWS
from proxops.physics.multibody.tree import SCRATCH_WIDTH
from proxops.physics.orbit.reference import KEPT_SIZE
from proxops.plant import layout
from proxops.plant.entries import write_entries
from proxops.plant.model import DRIVE_WIDTH, Plant, Workspace
from proxops.plant.switching import MAX_SWITCHES, SWITCH_WIDTH


def blank_workspace(plant: Plant) -> Workspace:
    """For steps of this plant, once `write_entries` has compiled what its contacts and holds
    need."""
    bodies = len(plant.chaser) + len(plant.target)
    touching = len(plant.contacts) + len(plant.holds)
    return Workspace(
        np.zeros((bodies, SCRATCH_WIDTH)),
        np.zeros((STAGE_ROWS + 1, layout.slices(plant).size)),
        np.zeros((1 + MAX_SWITCHES * touching, SWITCH_WIDTH)),
        np.full(KEPT_SIZE, np.nan),
    )


def workspace(plant: Plant) -> Workspace:
    """The same, with that compiled."""
    write_entries(plant)
    return blank_workspace(plant)


def quiet_drive(plant: Plant) -> np.ndarray:
    """A drive that does nothing, one row a body, the chaser's first."""
    return np.zeros((len(plant.chaser) + len(plant.target), DRIVE_WIDTH))
