"""What a user's controller asks for is looked at before it is obeyed.

What is not finite is dropped as a whole: what was last asked for stays.  What is beyond motors,
thrusters and wheels goes on to them, who give what they can; it is counted.
"""

import math

from proxops.bus import commands as to
from proxops.core.clock import NS_PER_S
from proxops.core.jit import helper, part
from proxops.onboard.functions.allocation.demand import demanded
from proxops.onboard.model import TAKEN

# Rows of OnboardState.tally
NON_FINITE = 0
MOTORS = 1
BASE = 2  # thrusters and wheels
FINDINGS = 3

# Its columns
COUNT = 0  # in how many turns
FIRST = 1  # when first [s]
WORST = 2  # what was asked for over what there is, at most
WHICH = 3  # entry of what is asked that was worst; of what is not finite, the first
TALLY_WIDTH = 4


@helper
def note(row, t, share, which):
    """Counts a turn in which something was wrong."""
    if row[COUNT] == 0.0:
        row[FIRST] = t
    row[COUNT] += 1.0
    if share > row[WORST]:
        row[WORST] = share
        row[WHICH] = which


@part
def inspect(model, state, now, commands):
    """Counts a turn at `now` [ns], and what is wrong with what was asked for in it."""
    t, tally = now / NS_PER_S, state.tally
    end = to.JOINTS + model.limits.shape[0]
    state.turn[TAKEN] += 1
    for i in range(end):
        if not math.isfinite(commands[i]):
            note(tally[NON_FINITE], t, 1.0, i)
            for k in range(end):
                commands[k] = state.good[k]
            return
    share, worst = 0.0, to.JOINTS
    for i in range(to.JOINTS, end):
        of_limit = abs(commands[i]) / model.limits[i - to.JOINTS]
        if of_limit > share:
            share, worst = of_limit, i
    if share > 1.0:
        note(tally[MOTORS], t, share, worst)
    share = demanded(model.platform, commands)
    if share > 1.0:
        note(tally[BASE], t, share, to.FORCE)
    for k in range(end):
        state.good[k] = commands[k]
