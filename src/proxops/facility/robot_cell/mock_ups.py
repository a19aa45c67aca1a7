"""What is real in the lab: mock-ups that robots carry, the arm on one of them, and their contact.

To the laws this is a second pair of spacecraft, with the state and the contacts of the plant, but

    hubs    follow their robots, which no force of this size moves: v̇ = a, ẇ = α as given
    arm     falls, and is shaken by its base: M_bqᵀ V̇ + M_q q̈ + c = τ + Jᵀ F + G

Frame L takes the place of O: at rest, gravity along -z.
"""

from proxops.core.jit import helper
from proxops.core.spatial.quaternion import get4, quat_to_rotation
from proxops.core.spatial.vector import get3, mul_t
from proxops.facility.robot_cell.carried import carried_rates
from proxops.physics.multibody import tree as at
from proxops.physics.multibody.forward import accelerate_prescribed
from proxops.physics.multibody.kinematics import place
from proxops.physics.multibody.tree import Tree
from proxops.plant import layout
from proxops.plant.forces import pull_of_joints
from proxops.plant.holds import is_joined
from proxops.plant.rates import touch
from proxops.plant.step import advance_of
from proxops.plant.step_length import longest_step_without_balance


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
