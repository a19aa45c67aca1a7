"""First part of a step of the cell: the commands of its carriers.

models ─► mapping: motions of the mock-ups in the lab ─► guard ─► joints of both robots
"""

from proxops.core.jit import helper, part
from proxops.facility.common.carriers import HALTED
from proxops.facility.common.guard import table as guarding
from proxops.facility.common.passivity.energy_port import lead_away
from proxops.facility.common.representation import hub_in_orbit, put_hub, reproduced
from proxops.facility.common.rows import CHASER, TARGET
from proxops.facility.robot_cell.guarded import send
from proxops.facility.robot_cell.nominal import nominal_now
from proxops.facility.robot_cell.servo import JOINTS
from proxops.plant import layout
from proxops.plant.step import OK

STANDS = 1e-4  # speed of an axis below which it does [rad/s]


@part
def command(lab, plant, y, h):
    """Asks the carriers to show both hubs as they are where a step of h [s] ends; returns a
    status."""
    put_commands(lab, plant, y)
    return guard_commands(lab.cell, lab.state.cell, lab.workspace.cell, lab.workspace.commands, h)


@part
def put_commands(lab, plant, y):
    """Writes the motions that show both hubs in the lab as they are now."""
    commands = lab.workspace.commands
    M = nominal_now(lab)
    target, end = layout.target_start(plant), layout.ledger_start(plant)
    X, v, w = reproduced(lab.representation, M, hub_in_orbit(y[:target]))
    put_hub(commands[CHASER], X, v, w)
    X, v, w = reproduced(lab.representation, M, hub_in_orbit(y[target:end]))
    put_hub(commands[TARGET], X, v, w)
    lead_away(lab.port, lab.state.port, commands)


@part
def guard_commands(cell, state, workspace, commands, h):
    """Lets the guard decide what both robots are sent, where a command cycle ends with this step
    of h [s]; returns a status.  Without robots there is nothing to guard."""
    if cell.ideal == 1:
        return OK
    if is_halted(state):
        return HALTED
    if (state.clock[0] + 1) % cell.servo.cycle == 0:
        send(cell, state, workspace, commands, h)
    return OK


@helper
def is_halted(state):
    """Whether both robots stand because the guard has stopped them."""
    if state.memory.status[guarding.MODE] != guarding.STOPPED:
        return False
    fastest = 0.0
    for axis in range(JOINTS):
        fastest = max(fastest, abs(state.axes.qd[axis]))
    return fastest < STANDS
