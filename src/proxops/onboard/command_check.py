"""What a user's function commands is looked at before it is obeyed.

What is not finite is dropped as a whole: what was last asked for stays.  What is beyond motors,
thrusters and wheels goes on to them, who give what they can; it is counted.
"""

import math
from typing import NamedTuple

import numpy as np

from proxops.bus import commands as to
from proxops.bus import measurements as said
from proxops.core.jit import helper, part, pluggable
from proxops.onboard.functions.allocation.allocate import Platform
from proxops.onboard.functions.allocation.demand import demanded

# Rows of CheckMemory.tally
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


class CheckParams(NamedTuple):
    """What there is."""

    platform: Platform
    limits: np.ndarray  # of the arms' motors [N m or N]


class CheckMemory(NamedTuple):
    """What was looked at."""

    good: np.ndarray  # the latest commands that were finite, see bus.commands
    tally: np.ndarray
    cycles: np.ndarray  # how many, one entry


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
def inspect(model, state, t, commands):
    """Counts a cycle at the time t [s], and what is wrong with what was commanded in it."""
    tally, end = state.tally, to.JOINTS + model.limits.shape[0]
    state.cycles[0] += 1
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


@pluggable
def step(params, memory, bus):
    """The check as a function on board, behind a user's."""
    inspect(params, memory, bus.measurements[said.T], bus.commands)
    return 0
