"""Second part of a step of the cell: its carriers move as commanded.

Here they are virtual.  A link to real robots takes the place of this part alone: it sends
`memory.sent` and fills `axes` with what the robots say of themselves.
"""

from proxops.core.jit import part
from proxops.facility.common.guard import table as guarding
from proxops.facility.common.rows import PAIR
from proxops.facility.robot_cell.carried import arrive
from proxops.facility.robot_cell.servo import follow, take_command


@part
def carry(cell, state, commands, h):
    """Brings the robots' axes to the end of a step of h [s]; ideal carriers are where they are
    commanded to be, and known to be there."""
    if cell.ideal == 1:
        for which in range(PAIR):
            arrive(state.sensed.known[which], commands[which])
        return
    step = state.clock[0]
    if (step + 1) % cell.servo.cycle == 0:
        take_command(cell.servo, state.axes, step + 1, state.memory.sent[guarding.Q])
    follow(cell.servo, state.axes, step, h)
