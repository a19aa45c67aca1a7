"""The plant as kernels read it: arrays only, so that every scenario has one signature, and few
tuples, since a call from Python pays for each of them.
"""

from typing import NamedTuple

import numpy as np

from proxops.core.by_address import large
from proxops.physics.multibody.tree import Tree

# Columns of a drive: what acts on a body during a step, held constant in the body's own axes
DRIVE_FORCE = 0  # at the body's origin [N]
DRIVE_TORQUE = 3  # [N m]
DRIVE_MOTOR = 6  # of the joint that moves the body [N m or N]
DRIVE_BRAKE = 7  # 1: a brake holds that joint, see plant.brakes
DRIVE_WIDTH = 8

# Places in Plant.entries: what only plants with contacts or holds call, see plant.entries
TOUCH = 0
WEAKEST = 1
SETTLE_CONTACTS = 2
SETTLE_HOLDS = 3
PUT_INTERFACE = 4
PUT_COMPRESSION = 5
ADD_WRIST = 6
ANY_IN_PLACE = 7
# and what only plants with a phase switch call
SWITCH_PHASE = 8
# and what only those with a sensor of latches call
PUT_LATCHES = 9
# and for the peaks of contacts and holds
PUT_FORCES = 10
ENTRIES_SIZE = 11


@large
class Plant(NamedTuple):
    """Both spacecraft and the orbit they fall along."""

    chaser: np.ndarray  # bodies and topology as in physics.multibody.tree
    chaser_topology: np.ndarray
    chaser_modes: np.ndarray  # of its appendages, as in physics.flexible.modes
    target: np.ndarray
    target_topology: np.ndarray
    target_modes: np.ndarray
    orbit: np.ndarray  # as in physics.orbit.reference
    contacts: np.ndarray  # between the two, as in plant.contacts
    holds: np.ndarray  # as in plant.holds
    entries: np.ndarray  # addresses of functions, written by plant.entries


class Craft(NamedTuple):
    """One spacecraft as the laws take it."""

    tree: Tree
    modes: np.ndarray


class Workspace(NamedTuple):
    """Room that a step overwrites."""

    scratch: np.ndarray  # one row a body, the chaser's first
    stages: np.ndarray  # see physics.integrate.rk4; one row more, for a state to go back to
    switches: np.ndarray  # contacts that closed or opened, as in plant.switching
    sky: np.ndarray  # of the latest instant, see physics.orbit.reference
