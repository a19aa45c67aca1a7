"""From the base's wrench to valves, in every turn of the on-board software."""

from typing import NamedTuple

import numpy as np

from proxops.core import asked as to
from proxops.core import seen as said
from proxops.core.jit import part
from proxops.obsw.platform.jets import (
    Jets,
    JetState,
    at_rest,
    open_valves,
    plan_pulses,
    share_of_most,
    share_out,
)

# Entries of PlatformState.notes
NEXT_PERIOD = 0  # of the thrusters' pulses [s]
PUSHED = 1  # force of the period that runs, in C [N]
NOTES = 4


class Platform(NamedTuple):
    """What the services know."""

    jets: Jets
    period: float  # of turns [s]


class PlatformState(NamedTuple):
    """What changes."""

    jets: JetState
    notes: np.ndarray


def start(platform: Platform) -> PlatformState:
    """Nothing has been asked for."""
    return PlatformState(at_rest(platform.jets), np.zeros(NOTES))


@part
def demanded(platform, wrench):
    """A wrench of the base over the most that there is along it [-]."""
    return share_of_most(platform.jets, wrench)


@part
def serve(platform, state, seen, asked, joints):
    """Writes the valves for the next turn; a wrench is taken over as a period of pulses begins."""
    jets, notes = platform.jets, state.notes
    if seen[said.T] >= notes[NEXT_PERIOD]:
        notes[NEXT_PERIOD] += jets.period
        share_out(jets, state.jets.shares, asked[to.FORCE : to.HOLD])
        plan_pulses(jets, state.jets)
        for axis in range(3):
            notes[PUSHED + axis] = 0.0
            for i in range(state.jets.shares.shape[0]):
                notes[PUSHED + axis] += jets.columns[i, axis] * state.jets.shares[i]
    open_valves(state.jets, platform.period, asked[to.JOINTS + joints :])
