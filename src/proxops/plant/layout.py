"""Where things stand in the plant's state vector: [chaser | target | ledger | memory of contacts,
of holds, of the phase switch].

The memory changes at the ends of steps only; all before it is integrated.
"""

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from proxops.core.jit import helper
from proxops.physics.flexible.modes import mode_count
from proxops.physics.orbit.reference import INSIDE

if TYPE_CHECKING:
    from proxops.plant.model import Plant

# A spacecraft
P = 0  # position of the hub's centre of mass in O [m]
Q = 3  # attitude, hub to inertial, wxyz
V = 7  # velocity of that point in O [m/s]
W = 10  # inertial angular velocity, hub axes [rad/s]
JOINTS = 13  # joint positions, joint rates, modal coordinates, their rates

# The ledger: impulse about O's origin, in inertial axes, and work of every source; and how much
# acted in all, for the scale of what rounding leaves of the balances
TIDE_IMPULSE = 0  # [N s]
TIDE_ANGULAR = 3  # [N m s]
APPLIED_IMPULSE = 6
APPLIED_ANGULAR = 9
SUM_IMPULSE = 12  # ∫ Σ |f| dt [N s]
SUM_ANGULAR = 13  # ∫ Σ (|p||f| + |t|) dt [N m s]
TIDE_WORK = 14  # [J]
APPLIED_WORK = 15
MOTOR_WORK = 16
FRICTION_WORK = 17
STOP_WORK = 18
SPRING_WORK = 19
DAMPER_WORK = 20
CONTACT_SPRING_WORK = 21
CONTACT_DAMPER_WORK = 22
CONTACT_FRICTION_WORK = 23
HOLD_WORK = 24
GEAR_SPRING_WORK = 25  # recorded where there are gears, as is what follows
GEAR_LOSS_WORK = 26
LEDGER_SIZE = 27

CONTACT_MEMORY = 12  # numbers that a contact remembers, see plant.contacts
HOLD_MEMORY = 14  # and a hold, see plant.holds
SWITCH_MEMORY = 12  # and the phase switch, where there is one, see plant.phase_switch


class Slices(NamedTuple):
    """Where the parts of the state stand, for Python (calling a helper would compile it)."""

    chaser: slice
    target: slice
    ledger: slice
    contacts: slice
    holds: slice
    switch: slice

    @property
    def size(self) -> int:
        return int(self.switch.stop)


def slices(plant: "Plant") -> Slices:
    """The parts of a plant's state."""
    sizes = (
        _craft_size(plant.chaser_topology, plant.chaser_modes),
        _craft_size(plant.target_topology, plant.target_modes),
        LEDGER_SIZE,
        CONTACT_MEMORY * len(plant.contacts),
        HOLD_MEMORY * len(plant.holds),
        SWITCH_MEMORY if plant.orbit[INSIDE] > 0.0 else 0,
    )
    ends = np.cumsum((0, *sizes))
    return Slices(*(slice(int(a), int(b)) for a, b in pairwise(ends)))


def _craft_size(topology: np.ndarray, modes: np.ndarray) -> int:
    return JOINTS + 2 * len(topology) + 2 * (len(modes) - 1)


@helper
def target_start(plant):
    """Index at which the target begins."""
    return JOINTS + 2 * plant.chaser_topology.shape[0] + 2 * mode_count(plant.chaser_modes)


@helper
def ledger_start(plant):
    """Index at which the ledger begins."""
    target = JOINTS + 2 * plant.target_topology.shape[0] + 2 * mode_count(plant.target_modes)
    return target_start(plant) + target


@helper
def contacts_size(plant):
    """How many numbers the contacts remember."""
    return CONTACT_MEMORY * plant.contacts.shape[0]


@helper
def contacts_start(plant):
    """Index at which the memory of contacts begins."""
    return ledger_start(plant) + LEDGER_SIZE


@helper
def holds_start(plant):
    """Index at which the memory of holds begins."""
    return contacts_start(plant) + contacts_size(plant)


@helper
def switch_start(plant):
    """Index at which the memory of the phase switch begins."""
    return holds_start(plant) + HOLD_MEMORY * plant.holds.shape[0]


@helper
def joint_rates(craft):
    """Index at which the joint rates begin within a spacecraft's part."""
    return JOINTS + craft.tree.topology.shape[0]


@helper
def modes_start(craft):
    """Index at which the modal coordinates begin within a spacecraft's part."""
    return JOINTS + 2 * craft.tree.topology.shape[0]


@helper
def mode_rates(craft):
    """Index at which the rates of the modal coordinates begin within a spacecraft's part."""
    return modes_start(craft) + mode_count(craft.modes)
