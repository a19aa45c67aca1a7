"""From the base's wrench to wheels and valves, in every turn of the on-board software.

As a period of pulses begins, wheels take what they can of the torque and thrusters get the rest.
Until the next one, wheels make up for what the pulses are off by:

    T_wheels = T - T_pulses

so that turning goes on smoothly between pulses, and below the shortest of them.

Actuators tell what they carry out: of which turn a command is, and the thrust of each thruster, as
a pressure gauge shows it.  One that does not push for a while though it is told to is not asked any
more.
"""

from typing import NamedTuple

import numpy as np

from proxops.core import asked as to
from proxops.core import seen as said
from proxops.core.jit import part
from proxops.core.spatial.vector import get3, put3, scale, sub
from proxops.obsw.platform.jets import Jets, JetState, at_rest, open_valves, plan_pulses, share_out
from proxops.obsw.platform.wheels import WheelRoom, Wheels, momentum, room_for, share_torque
from proxops.obsw.platform.within_bounds import HIGH

# Entries of PlatformState.notes
NEXT_PERIOD = 0  # of the thrusters' pulses [s]
PUSHED = 1  # mean force of the pulses that run, in C [N]
TURNED = 4  # their mean torque [N m]
WRENCH = 7  # what is left to the thrusters (6)
NOTES = 13

# Entries of PlatformState.heard
LATENESS = 0  # of the commands that are carried out [s]
THRUST = 1  # end of the fixed part: of each thruster [N]

PATIENCE = 0.05  # with a thruster that does not push, beyond its shortest pause [s]


class Platform(NamedTuple):
    """What the services know."""

    jets: Jets
    wheels: Wheels
    period: float  # of turns [s]


class PlatformState(NamedTuple):
    """What changes."""

    jets: JetState
    wheels: WheelRoom
    notes: np.ndarray
    heard: np.ndarray
    mute: np.ndarray  # how long each thruster has not pushed though told to [s]


def start(platform: Platform) -> PlatformState:
    """Nothing has been asked for."""
    count = len(platform.jets.columns)
    return PlatformState(
        at_rest(platform.jets),
        room_for(platform.wheels),
        np.zeros(NOTES),
        np.zeros(THRUST + count),
        np.zeros(count),
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
            state.jets.bounds[i, HIGH] = 0.0


@part
def pulse(platform, state, rates, motors, asked):
    """Begins a period of pulses: shares the wrench between wheels and thrusters."""
    jets, notes = platform.jets, state.notes
    for i in range(to.HOLD):
        notes[WRENCH + i] = asked[to.FORCE + i]
    rest = notes[WRENCH + 3 : NOTES]
    share_torque(platform.wheels, rates, state.wheels, rest, motors)
    share_out(jets, state.jets, notes[WRENCH:NOTES])
    plan_pulses(jets, state.jets)
    for axis in range(to.HOLD):
        notes[PUSHED + axis] = 0.0
        for i in range(state.jets.left.shape[0]):
            burning = state.jets.left[i] / jets.period
            notes[PUSHED + axis] += jets.wrenches[i, axis] * burning


@part
def serve(platform, state, seen, asked, joints):
    """Writes the wheels' torques and the valves for the next turn."""
    wheels, notes = platform.wheels, state.notes
    valves = asked[to.JOINTS + joints :]
    give_up_mute(platform, state, valves)
    first = joints - wheels.inertia.shape[0]
    rates = seen[said.ENCODERS + joints + first : said.ENCODERS + 2 * joints]
    motors = asked[to.JOINTS + first : to.JOINTS + joints]
    if seen[said.T] >= notes[NEXT_PERIOD] - 0.5 * platform.period:  # sums of periods are rounded
        notes[NEXT_PERIOD] += platform.jets.period
        pulse(platform, state, rates, motors, asked)
    lacks = sub(get3(asked, to.TORQUE), get3(notes, TURNED))
    unloads = scale(1.0 / wheels.unloading, momentum(wheels, rates))
    put3(notes, WRENCH + 3, sub(lacks, unloads))  # the pulses hold against unloading already
    share_torque(wheels, rates, state.wheels, notes[WRENCH + 3 : NOTES], motors)
    open_valves(state.jets, platform.period, valves)
