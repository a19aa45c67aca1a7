"""Third part of a step of the cell: mock-ups, arm and contact behind the carriers, and sensors.

axes ─► mock-ups, arm, contact ─► force sensors ─► wrench that the models get
  └─► where the mock-ups are known to be ─► mapping (23): what is seen on board
"""

from proxops.core.jit import part
from proxops.facility.common.mapping import see
from proxops.facility.common.representation import put_hub
from proxops.facility.common.rows import CARRIERS, CHASER, PAIR, TARGET
from proxops.facility.robot_cell.calibration import misplace
from proxops.facility.robot_cell.carried import arrive, steer
from proxops.facility.robot_cell.force_sensors import read_sensors
from proxops.facility.robot_cell.industrial.forward import get6
from proxops.facility.robot_cell.industrial.motion import mock_up_motion
from proxops.facility.robot_cell.industrial.robot import AXES
from proxops.facility.robot_cell.lab import next_draw
from proxops.facility.robot_cell.mock_ups import advance_lab
from proxops.facility.robot_cell.nominal import nominal_now
from proxops.plant import layout
from proxops.plant.step import OK


@part
def measure(lab, h):
    """Lets what is real follow the carriers to where a step of h [s] ends, and reads all sensors
    there; returns a status."""
    cell, state, workspace = lab.cell, lab.state.cell, lab.workspace.cell
    draws = lab.state.draws[next_draw(lab.state)]
    locate(cell, state, workspace.arriving)
    status = follow_carriers(cell, state, workspace, h)
    if status != OK:
        return status
    read_sensors(cell, state, workspace, draws, h)
    map_back(lab, draws[CARRIERS])
    return OK


@part
def locate(cell, state, true):
    """Writes where the mock-ups are known to be, with robots by their axes, and where they truly
    are."""
    known = state.sensed.known
    for which in range(PAIR):
        if cell.ideal == 0:
            robot = cell.target_robot if which == TARGET else cell.chaser_robot
            first, end = which * AXES, (which + 1) * AXES
            q, qd = get6(state.axes.q[first:end]), get6(state.axes.qd[first:end])
            X, v, w = mock_up_motion(robot, q, qd)
            put_hub(known[which], X, v, w)
        misplace(cell.sensing.misplaced[which], known[which], true[which])


@part
def follow_carriers(cell, state, workspace, h):
    """Brings mock-ups, arm and contact to where the carriers arrive, h [s] later; returns a
    status."""
    plant, hubs = cell.plant, (0, cell.plant.chaser.shape[0])
    target = layout.target_start(plant)
    t = state.clock[0] * h
    chaser, other = state.y[:target], state.y[target:]
    steer(chaser, workspace.drive[hubs[0]], state.motions[CHASER], workspace.arriving[CHASER], h)
    steer(other, workspace.drive[hubs[1]], state.motions[TARGET], workspace.arriving[TARGET], h)
    status = advance_lab(plant, workspace.drive, workspace.work, state.y, t, h)
    if status != OK:
        return status
    for which in range(PAIR):
        arrive(state.motions[which], workspace.arriving[which])
    arrive(chaser, state.motions[CHASER])
    arrive(other, state.motions[TARGET])
    state.clock[0] += 1
    return OK


@part
def map_back(lab, draws):
    """Sees the orbit in what is known of the lab now."""
    sensing, sensed = lab.cell.sensing, lab.state.cell.sensed
    M = nominal_now(lab)
    if sensing.measured == 1:
        see(lab.representation, M, sensed.known, sensing.noise, draws, sensed.seen)
    else:
        see(lab.representation, M, lab.workspace.commands, 0.0, draws, sensed.seen)
