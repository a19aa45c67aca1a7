"""Where things stand in the plant's state vector: [chaser | target | ledger]."""

from typing import TYPE_CHECKING

from proxops.core.jit import helper

if TYPE_CHECKING:
    from proxops.plant.model import Plant

# A spacecraft
P = 0  # position of the hub's centre of mass in O [m]
Q = 3  # attitude, hub to inertial, wxyz
V = 7  # velocity of that point in O [m/s]
W = 10  # inertial angular velocity, hub axes [rad/s]
JOINTS = 13  # joint positions, then joint rates

# The ledger: impulse about O's origin, in inertial axes, and work of every source
TIDE_IMPULSE = 0  # [N s]
TIDE_ANGULAR = 3  # [N m s]
APPLIED_IMPULSE = 6
APPLIED_ANGULAR = 9
TIDE_WORK = 12  # [J]
APPLIED_WORK = 13
MOTOR_WORK = 14
FRICTION_WORK = 15
STOP_WORK = 16
LEDGER_SIZE = 17


def slices(plant: "Plant") -> tuple[slice, slice, slice]:
    """Where chaser, target and ledger stand, for Python (calling a helper would compile it)."""
    target = JOINTS + 2 * len(plant.chaser_topology)
    ledger = target + JOINTS + 2 * len(plant.target_topology)
    return slice(0, target), slice(target, ledger), slice(ledger, ledger + LEDGER_SIZE)


@helper
def target_start(plant):
    """Index at which the target begins."""
    return JOINTS + 2 * plant.chaser_topology.shape[0]


@helper
def ledger_start(plant):
    """Index at which the ledger begins."""
    return target_start(plant) + JOINTS + 2 * plant.target_topology.shape[0]


@helper
def rates_start(tree):
    """Index at which the joint rates begin within a spacecraft's part."""
    return JOINTS + tree.topology.shape[0]
