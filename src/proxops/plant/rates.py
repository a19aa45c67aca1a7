"""The time derivative of the plant's state."""

from typing import NamedTuple

import numpy as np

from proxops.core.jit import at_entry, helper
from proxops.core.spatial.quaternion import get4, put4, quat_rate, quat_to_rotation
from proxops.core.spatial.vector import ZERO, add, add3, cross, get3, mul, mul_t, norm, put3
from proxops.physics.flexible.modes import deflect, modal_power, put_back, take_out
from proxops.physics.multibody import tree as at
from proxops.physics.multibody.forward import articulate, solve_base, unfold
from proxops.physics.multibody.kinematics import place
from proxops.physics.multibody.tide import pull_of_tide
from proxops.physics.multibody.tree import Tree
from proxops.plant import layout
from proxops.plant.contacts import push_of_contacts, sight_of
from proxops.plant.forces import (
    pull_of_joints,
    pull_of_tide_on_modes,
    push_of_drive,
)
from proxops.plant.holds import is_joined, push_of_holds
from proxops.plant.model import TOUCH, Craft, Plant
from proxops.plant.phase_switch import sky_in_force


class System(NamedTuple):
    """All that the derivative needs besides state and time."""

    plant: Plant
    drive: np.ndarray
    memory: np.ndarray  # of contacts, holds, phase switch: they stay as they are during a step
    scratch: np.ndarray  # one row a body, the chaser's first
    sky: np.ndarray  # that of the latest instant, see physics.orbit.reference


@helper
def load_craft(craft, drive, sky, y, rate, workspace):
    """Places a spacecraft's bodies, puts on them all that does not depend on the other spacecraft,
    and adds these sources to the ledger's rates.  Returns the hub's attitude R_OB."""
    scratch, ledger = workspace
    mu, R_NO = sky
    tree, modes = craft
    p = get3(y, layout.P)
    v_O = get3(y, layout.V)
    w = get3(y, layout.W)
    first_rate, first_mode = layout.joint_rates(craft), layout.modes_start(craft)
    first_mode_rate = layout.mode_rates(craft)
    q, qd = y[layout.JOINTS : first_rate], y[first_rate:first_mode]
    eta, eta_rate = y[first_mode:first_mode_rate], y[first_mode_rate:]
    eta_acceleration = rate[first_mode_rate:]
    R_OB = quat_to_rotation(get4(y, layout.Q))

    place(tree, (mul_t(R_OB, v_O), w), q, qd, scratch)
    deflect(modes, eta, eta_rate, eta_acceleration, scratch)
    sky_B = (mu, mul_t(R_OB, R_NO), mul_t(R_OB, p))
    tide = pull_of_tide(tree, sky_B, scratch)
    on_modes = pull_of_tide_on_modes(modes, sky_B, eta, eta_rate, eta_acceleration)
    applied = push_of_drive(tree, drive, scratch)
    of_joints = pull_of_joints(tree, drive, q, qd, scratch)
    by_motors, by_friction, by_stops, by_gears, by_gear_losses = of_joints
    by_springs, by_dampers = modal_power(modes, eta, eta_rate)

    enter(ledger, layout.TIDE_IMPULSE, layout.TIDE_ANGULAR, p, R_OB, tide)
    enter(ledger, layout.APPLIED_IMPULSE, layout.APPLIED_ANGULAR, p, R_OB, applied)
    ledger[layout.TIDE_WORK] += tide[2] + on_modes
    ledger[layout.APPLIED_WORK] += applied[2]
    ledger[layout.MOTOR_WORK] += by_motors
    ledger[layout.FRICTION_WORK] += by_friction
    ledger[layout.STOP_WORK] += by_stops
    ledger[layout.SPRING_WORK] += by_springs
    ledger[layout.DAMPER_WORK] += by_dampers
    ledger[layout.GEAR_SPRING_WORK] += by_gears
    ledger[layout.GEAR_LOSS_WORK] += by_gear_losses
    return R_OB


@helper
def solve_craft(craft, R_OB, y, rate, scratch):
    """Writes a spacecraft's rates, once all that acts on it is in the scratch table.

    In hub axes, with a, α the inertial accelerations of hub point and axes:
        ṗ = v,   q̇ = ½ q ∘ w,   v̇ = R a,   ẇ = α

    p and v are kept in O, so that how fast the hub turns does not matter to its path.
    """
    tree, modes = craft
    first_rate, first_mode = layout.joint_rates(craft), layout.modes_start(craft)
    first_mode_rate = layout.mode_rates(craft)
    qd, qdd = y[first_rate:first_mode], rate[first_rate:first_mode]
    eta, eta_rate = y[first_mode:first_mode_rate], y[first_mode_rate:]
    eta_acceleration = rate[first_mode_rate:]

    articulate(tree, scratch[1:, at.TAU], scratch)
    take_out(modes, eta, eta_acceleration, scratch)
    a, alpha = solve_base(scratch)
    unfold(tree, qdd, scratch)
    put_back(modes, eta, a, alpha, eta_acceleration)

    put3(rate, layout.P, get3(y, layout.V))
    put4(rate, layout.Q, quat_rate(get4(y, layout.Q), get3(y, layout.W)))
    put3(rate, layout.V, mul(R_OB, a))
    put3(rate, layout.W, alpha)
    for joint in range(qd.shape[0]):
        rate[layout.JOINTS + joint] = qd[joint]
    for mode in range(eta.shape[0]):
        rate[first_mode + mode] = eta_rate[mode]


@helper
def enter(ledger, impulse, angular, p, R_OB, source):
    """Adds a source's force and its torque about O's origin to the ledger's rates, and to how much
    acts in all."""
    if source[0] == ZERO and source[1] == ZERO:
        return
    size = norm(source[0])
    ledger[layout.SUM_IMPULSE] += size
    ledger[layout.SUM_ANGULAR] += norm(p) * size + norm(source[1])
    f = mul(R_OB, source[0])
    add3(ledger, impulse, f)
    add3(ledger, angular, add(mul(R_OB, source[1]), cross(p, f)))


@at_entry(TOUCH)
def touch(plant, memory, y, scratch, ledger):
    """Adds what contacts and holds do to both spacecraft."""
    target, start = layout.target_start(plant), layout.ledger_start(plant)
    bodies = plant.chaser.shape[0]
    sight = sight_of(y[:target], y[target:start])
    both = (scratch[:bodies], scratch[bodies:])
    far = norm(get3(y[target:], layout.P))
    push_of_contacts(plant, memory, sight, both, (ledger, far))
    push_of_holds(plant, memory[layout.contacts_size(plant) :], sight, both, (ledger, far))
    return 0


@helper
def plant_rates(system, y, t, rate):
    """Writes dy/dt of both spacecraft and of the ledger."""
    plant, drive, memory, scratch, kept = system
    sky = sky_in_force(plant, memory, t, kept)
    target, bodies = layout.target_start(plant), plant.chaser.shape[0]
    start = layout.ledger_start(plant)
    ledger = rate[start:]
    for i in range(layout.LEDGER_SIZE):
        ledger[i] = 0.0
    chaser = Craft(Tree(plant.chaser, plant.chaser_topology), plant.chaser_modes)
    other = Craft(Tree(plant.target, plant.target_topology), plant.target_modes)
    R_OC = load_craft(
        chaser, drive[:bodies], sky, y[:target], rate[:target], (scratch[:bodies], ledger)
    )
    R_OT = load_craft(
        other,
        drive[bodies:],
        sky,
        y[target:start],
        rate[target:start],
        (scratch[bodies:], ledger),
    )
    if is_joined(plant, memory):
        touch(plant, memory, y, scratch, ledger)
    solve_craft(chaser, R_OC, y[:target], rate[:target], scratch[:bodies])
    solve_craft(other, R_OT, y[target:start], rate[target:start], scratch[bodies:])
