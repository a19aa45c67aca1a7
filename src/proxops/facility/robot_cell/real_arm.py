"""The arm is real: it gets the torques with which it moves as in orbit, and is measured."""

from proxops.core.jit import part
from proxops.facility.common.guard import table as guarding
from proxops.facility.robot_cell.compliance import yield_arm
from proxops.facility.robot_cell.ground_loads import fill_loads
from proxops.physics.multibody.mass_matrix import BASE_DOF
from proxops.physics.orbit.reference import sky_kept
from proxops.plant import layout
from proxops.plant.model import DRIVE_MOTOR


@part
def drive_arm(lab, plant, y, torques, work, t):
    """Gives the real arm the torques with which it moves at t [s] as those of the motors would in
    orbit (22), on a carrier that may be led away as well; lets it give way once the guard has
    dropped a command."""
    if lab.state.cell.memory.status[guarding.MODE] != guarding.RUNNING:
        yield_arm(lab.cell, lab.state.cell, lab.workspace.cell, work.scratch)
        return
    fill_loads(lab, plant, y, sky_kept(plant.orbit, t, work.sky))
    for joint in range(lab.cell.plant.chaser_topology.shape[0]):  # wheels are not in the lab
        more = lab.workspace.loads[BASE_DOF + joint]
        lab.workspace.cell.drive[joint + 1, DRIVE_MOTOR] = torques[joint] + more


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
