"""The models beside the cell: target and chaser's base move under what is measured there.

Nothing knows the future: what is measured at t acts on the models until t + h.
"""

from proxops.core.by_address import by_value
from proxops.core.jit import part
from proxops.facility.robot_cell.feedback import put_measured, watch_port
from proxops.facility.robot_cell.ground_torque import extrapolate
from proxops.facility.robot_cell.nominal import advance_nominal
from proxops.facility.robot_cell.real_arm import drive_arm, take_arm
from proxops.plant import layout
from proxops.plant.measured_arm import MeasuredSystem, advance_measured, spin_wheels
from proxops.plant.measured_state import place_arm, to_plant
from proxops.plant.step import OK


@part
def advance_models(lab, plant, state, work, t, h):
    """Gives the real arm its torques of t, and brings target, chaser's base and nominal motion to
    t + h [s]; `state` is the loop's, its drive as actuators leave it.  Returns a status."""
    y, now = state.y, lab.state
    drive_arm(lab, plant, y, state.applied, work, t)
    if lab.cell.ideal == 1:
        extrapolate(now.ground, lab.workspace.loads, lab.workspace.cell.drive, t, h)
    put_measured(lab, plant, y, state.drive, h)
    drive, arm = state.drive, now.arm
    system = MeasuredSystem(by_value(plant), drive, now.qdd, arm, work.scratch, work.sky)
    status = advance_measured(system, work.stages, now.z, t, h)
    if status != OK:
        return status
    to_plant(now.z, y, now.arm)
    advance_nominal(lab, y[layout.target_start(plant) :], t, h)
    return OK


@part
def correct_models(lab, plant, state, work, h):
    """Puts the models' joints where they are measured after a step of h [s], and books the energy
    that has crossed."""
    y, now = state.y, lab.state
    take_arm(now, h)
    place_arm(plant, now.z, now.arm)
    system = MeasuredSystem(plant, state.drive, now.qdd, now.arm, work.scratch, work.sky)
    spin_wheels(system, now.z, now.spins, h)
    to_plant(now.z, y, now.arm)
    watch_port(lab, plant, y, h)
