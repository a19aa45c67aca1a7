"""The cell before its first step."""

from proxops.core.jit import part
from proxops.facility.common.passivity.energy_port import stored_in
from proxops.facility.common.rows import CARRIERS, CHASER, TARGET
from proxops.facility.robot_cell.carried import arrive
from proxops.facility.robot_cell.command import put_commands
from proxops.facility.robot_cell.feedback import watch_port
from proxops.facility.robot_cell.force_sensors import read_sensors
from proxops.facility.robot_cell.lab import next_draw
from proxops.facility.robot_cell.measure import locate, map_back
from proxops.facility.robot_cell.nominal import note_nominal
from proxops.plant import layout
from proxops.plant.step import touch_at_start


@part
def begin_lab(lab, plant, y, h):
    """Puts the mock-ups where they are at the start, closes what touches there and measures it;
    steps are h [s] long."""
    cell, now, workspace = lab.cell, lab.state.cell, lab.workspace.cell
    place(cell, now)
    touch_at_start(cell.plant, workspace.work, now.y, 0.0)
    draws = lab.state.draws[next_draw(lab.state)]
    read_sensors(cell, now, workspace, draws, h)
    lab.state.port.stored[0] = stored_in(cell.plant, now.y, workspace.work.scratch)
    watch_port(lab, plant, y, 0.0)
    note_nominal(lab, 0.0)
    put_commands(lab, plant, y)
    map_back(lab, draws[CARRIERS])


@part
def place(cell, state):
    """Puts the mock-ups where they truly are: robots that have come in motion are behind their
    commands."""
    locate(cell, state, state.motions)
    arrive(state.y, state.motions[CHASER])
    arrive(state.y[layout.target_start(cell.plant) :], state.motions[TARGET])
