"""The arm is real: it gets the torques with which it moves as in orbit, and is measured."""

from proxops.core.jit import part
from proxops.core.spatial.pose import compose, inverse, minus
from proxops.core.spatial.quaternion import quat_to_rotation
from proxops.core.spatial.vector import mul_t
from proxops.facility.common.guard import table as guarding
from proxops.facility.common.passivity.energy_port import way_rate
from proxops.facility.common.representation import hub_in_orbit, lab_of
from proxops.facility.robot_cell.compliance import give_way
from proxops.facility.robot_cell.mock_ups import GRAVITY
from proxops.facility.robot_cell.nominal import nominal_at
from proxops.facility.robot_cell.rows import CHASER
from proxops.physics.multibody.mass_matrix import BASE_DOF
from proxops.physics.multibody.tree import Tree
from proxops.physics.orbit.reference import sky_at
from proxops.physics.relative.command import carried_rate
from proxops.physics.relative.ground_arm import DIFFERENCE, fill_difference
from proxops.plant import layout
from proxops.plant.model import DRIVE_MOTOR


@part
def drive_arm(lab, plant, y, torques, scratch, t):
    """Gives the real arm the torques with which it moves as those of the motors would move it in
    orbit (22), on a carrier that may be led away as well; lets it give way once the guard has
    dropped a command."""
    if lab.state.cell.memory.status[guarding.MODE] != guarding.RUNNING:
        give_way(lab.cell, lab.state.cell, lab.room.cell, scratch)
        return
    X_OC, V_b = hub_in_orbit(y)
    X_LC, V_s = hub_in_orbit(lab.state.cell.sensed.known[CHASER])
    M = nominal_at(lab, t)
    X_MC = compose(inverse(lab_of(lab.representation)), X_LC)
    apart = minus(carried_rate(X_MC, V_s, M[1], M[2]), way_rate(lab.state.port, V_b))
    g = mul_t(quat_to_rotation(X_LC[0]), GRAVITY)
    mu, R_NO = sky_at(plant.orbit, t)
    R_OC = quat_to_rotation(X_OC[0])
    sky = (mu, mul_t(R_OC, R_NO), mul_t(R_OC, X_OC[1]))
    joints = plant.chaser_topology.shape[0]
    rates = layout.JOINTS + joints
    arm = (y[layout.JOINTS : rates], y[rates : rates + joints])
    tree = Tree(plant.chaser, plant.chaser_topology)
    bodies = plant.chaser.shape[0]
    links = scratch[:bodies]
    fill_difference(tree, (V_b, V_s, apart, g), arm, sky, lab.room.loads, links)
    for joint in range(lab.cell.plant.chaser_topology.shape[0]):  # wheels are not in the lab
        more = lab.room.loads[DIFFERENCE, BASE_DOF + joint]
        lab.room.cell.drive[joint + 1, DRIVE_MOTOR] = torques[joint] + more


@part
def take_arm(state, h):
    """Takes the joints over as they are measured; wheels, the last, are not in the lab."""
    rates = layout.JOINTS + state.qdd.shape[0]
    measured = state.qdd.shape[0] - state.spins.shape[0]
    for joint in range(measured):
        position, rate = layout.JOINTS + joint, rates + joint
        now = state.cell.y[layout.JOINTS + measured + joint]
        state.qdd[joint] += (now - state.z[rate]) / h
        state.z[position] = state.cell.y[position]
        state.z[rate] = now
