"""What is real in the lab: mock-ups that robots carry, the arm on one of them, and their contact.

To the laws this is a second pair of spacecraft, with the state and the contacts of the plant, but

    hubs    follow their robots, which no force of this size moves: v̇ = a, ẇ = α as given
    arm     falls, and is shaken by its base: M_bqᵀ V̇ + M_q q̈ + c = τ + Jᵀ F + G

Frame L takes the place of O: at rest, gravity along -z.
"""

from proxops.core.jit import helper, kernel, part
from proxops.core.spatial.quaternion import get4, quat_to_rotation
from proxops.core.spatial.vector import ZERO, add, cross, get3, mul_t, sub
from proxops.facility.robot_cell.carried import carried_rates
from proxops.physics.multibody import tree as at
from proxops.physics.multibody.forward import accelerate_prescribed
from proxops.physics.multibody.kinematics import place
from proxops.physics.multibody.tree import Tree, stands_on
from proxops.plant import contact_array, hold_array, layout
from proxops.plant.contacts import contact_count, is_closed, press, recall, see_link
from proxops.plant.forces import pull_of_joints
from proxops.plant.holds import hold_count, is_joined, strain
from proxops.plant.rates import touch
from proxops.plant.step import advance_of
from proxops.plant.step_length import longest_step_without_balance
from proxops.plant.switching import look, sight, target_twist

ALL_BODIES = -1


@helper
def place_mock_up(tree, y, scratch):
    """Fills a mock-up's scratch table."""
    rates = layout.JOINTS + tree.topology.shape[0]
    R = quat_to_rotation(get4(y, layout.Q))
    twist = mul_t(R, get3(y, layout.V)), get3(y, layout.W)
    place(tree, twist, y[layout.JOINTS : rates], y[rates:], scratch)


@helper
def lab_rates(system, y, t, rate):
    """Writes dy/dt of both mock-ups, of the arm and of the work of contacts."""
    plant, drive, memory, scratch, _ = system
    target, start = layout.target_start(plant), layout.ledger_start(plant)
    bodies, joints = plant.chaser.shape[0], plant.chaser_topology.shape[0]
    tree = Tree(plant.chaser, plant.chaser_topology)
    other = Tree(plant.target, plant.target_topology)
    rates, end = layout.JOINTS + joints, layout.JOINTS + 2 * joints
    q, qd = y[layout.JOINTS : rates], y[rates:end]
    ledger = rate[start:]
    for i in range(layout.LEDGER_SIZE):
        ledger[i] = 0.0
    place_mock_up(tree, y[:target], scratch[:bodies])
    place_mock_up(other, y[target:start], scratch[bodies:])
    pull_of_joints(tree, drive[:bodies], q, qd, scratch[:bodies])
    if is_joined(plant, memory):
        touch(plant, memory, y, scratch, ledger)
    carried_rates(y[target:start], drive[bodies:], rate[target:start])
    base = carried_rates(y[:target], drive[:bodies], rate[:target])
    for joint in range(joints):
        rate[layout.JOINTS + joint] = qd[joint]
    tau = scratch[1:bodies, at.TAU]
    accelerate_prescribed(tree, tau, base, rate[rates:end], scratch[:bodies])


# No balance is drawn in the lab: the run's is that of the models.
advance_lab = advance_of(lab_rates, longest_step_without_balance)


@part
def contact_wrench(plant, y, scratch):
    """(f, t) [N, N m] on the target's mock-up about To, in T, of all contacts and holds."""
    look(plant, y, scratch)
    return wrench_by(plant, y, scratch, ALL_BODIES)


@helper
def counts(plant, on, body):
    """Whether what touches one body is measured through another, or through ALL_BODIES."""
    return body in (ALL_BODIES, on) or (body > 0 and stands_on(plant.chaser_topology, on, body))


@part
def wrench_by(plant, y, scratch, body):
    """The same of those with one link of the chaser, by its number, and all that stands on it; with
    the hub alone, or with ALL_BODIES.  The kinematics of both spacecraft must be in `scratch`."""
    seen, target = sight(plant, y), target_twist(plant, scratch)
    memory = y[layout.contacts_start(plant) :]
    keep = y[layout.holds_start(plant) :]
    force, torque = ZERO, ZERO
    for row in range(contact_count(plant)):
        kept = recall(memory, row)
        on = int(plant.contacts[row, contact_array.BODY])
        if is_closed(kept[contact_array.MODE]) and counts(plant, on, body):
            link = see_link(seen, scratch, on)
            did = press(plant.contacts, row, kept, link, target)
            force = sub(force, did.force)
            torque = sub(torque, cross(did.point, did.force))
    for row in range(hold_count(plant)):
        holding = keep[row * hold_array.MEMORY_WIDTH + hold_array.ENGAGED] == hold_array.HOLDING
        on = int(plant.holds[row, hold_array.BODY])
        if holding and counts(plant, on, body):
            link = see_link(seen, scratch, on)
            f, t, point, _, _ = strain(plant.holds, row, keep, link, target)
            force = sub(force, f)
            torque = sub(torque, add(t, cross(point, f)))
    return force, torque


@kernel
def step_lab(plant, drive, work, y, t, h):
    """`advance_lab`, callable from Python."""
    return advance_lab(plant, drive, work, y, t, h)
