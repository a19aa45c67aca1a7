"""From the base's wrench to valves, in every turn of the on-board software.

Actuators tell what they carry out: of which turn a command is, and the thrust of each thruster, as
a pressure gauge shows it.  One that does not push for a while though it is told to is not asked any
more.
"""

from typing import NamedTuple

import numpy as np

from proxops.core import asked as to
from proxops.core import seen as said
from proxops.core.jit import part
from proxops.obsw.platform.jets import Jets, JetState, at_rest, open_valves, plan_pulses, share_out

# Entries of PlatformState.notes
NEXT_PERIOD = 0  # of the thrusters' pulses [s]
PUSHED = 1  # force of the period that runs, in C [N]
NOTES = 4

# Entries of PlatformState.heard
LATENESS = 0  # of the commands that are carried out [s]
THRUST = 1  # end of the fixed part: of each thruster [N]

PATIENCE = 0.05  # with a thruster that does not push, beyond its shortest pause [s]


class Platform(NamedTuple):
    """What the services know."""

    jets: Jets
    period: float  # of turns [s]


class PlatformState(NamedTuple):
    """What changes."""

    jets: JetState
    notes: np.ndarray
    heard: np.ndarray
    mute: np.ndarray  # how long each thruster has not pushed though told to [s]


def start(platform: Platform) -> PlatformState:
    """Nothing has been asked for."""
    count = len(platform.jets.columns)
    return PlatformState(
        at_rest(platform.jets), np.zeros(NOTES), np.zeros(THRUST + count), np.zeros(count)
    )


@part
def give_up_mute(platform, state, valves):
    """Notes which thrusters do not push, though their valves were told to be open in the last
    turn; what is late is no sign."""
    for i in range(valves.shape[0]):
        if state.heard[THRUST + i] > 0.0 or state.heard[LATENESS] > 0.0:
            state.mute[i] = 0.0
        elif valves[i] == 1.0:
            state.mute[i] += platform.period
        if state.mute[i] > platform.jets.shortest[i] + PATIENCE:
            state.jets.most[i] = 0.0


@part
def serve(platform, state, seen, asked, joints):
    """Writes the valves for the next turn; a wrench is taken over as a period of pulses begins."""
    jets, notes, valves = platform.jets, state.notes, asked[to.JOINTS + joints :]
    give_up_mute(platform, state, valves)
    if seen[said.T] >= notes[NEXT_PERIOD]:
        notes[NEXT_PERIOD] += jets.period
        share_out(jets, state.jets, asked[to.FORCE : to.HOLD])
        plan_pulses(jets, state.jets)
        for axis in range(3):
            notes[PUSHED + axis] = 0.0
            for i in range(state.jets.shares.shape[0]):
                notes[PUSHED + axis] += jets.columns[i, axis] * state.jets.shares[i]
    open_valves(state.jets, platform.period, valves)
