"""From the base's wrench to wheels and valves, in every turn of the on-board software.

As a period of pulses begins, wheels take what they can of the torque and thrusters get the rest.
Until the next one, wheels make up for what the pulses are off by:

    T_wheels = T - T_pulses

so that turning goes on smoothly between pulses, and below the shortest of them.

Actuators report what they carry out, see bus.measurements: how late commands are, and the thrust of
each thruster.  A report is compared with the command at the time of the report.  A thruster that
does not push for a while though it is commanded to is not commanded any more.
"""

from typing import NamedTuple

import numpy as np

from proxops.bus import commands as to
from proxops.bus import estimates as est
from proxops.bus import measurements as said
from proxops.core.jit import helper, part, pluggable
from proxops.core.spatial.vector import get3, norm, put3, scale, sub
from proxops.onboard.functions.allocation.thrusters import (
    Jets,
    JetState,
    at_rest,
    open_valves,
    plan_pulses,
    share_out,
)
from proxops.onboard.functions.allocation.wheels import (
    WheelRoom,
    Wheels,
    momentum,
    room_for,
    share_torque,
)
from proxops.onboard.functions.allocation.within_bounds import HIGH
from proxops.physics.multibody.tree import load3

# Entries of PlatformState.notes
NEXT_PERIOD = 0  # of the thrusters' pulses [s]
HEARD = 1  # count of the latest report that was looked at
HEARD_T = 2  # when it was made [s]
PUSHED = 3  # mean force of the pulses that run, in C [N]
TURNED = 6  # their mean torque [N m]
WRENCH = 9  # what is left to the thrusters (6)
NOTES = 15

# Columns of PlatformState.pulses
OPENED = 0  # when the valve was last told to open [s]
CLOSED = 1  # and to close [s]; before that while the pulse lasts
PULSES_WIDTH = 2

PATIENCE = 0.05  # with a thruster that does not push, beyond its shortest pulse [s]
PUSHING = 0.5  # share of its thrust above which it counts as there
MISSED = 10  # reports in a row that get lost on no link that works


class Platform(NamedTuple):
    """What the services know."""

    jets: Jets
    wheels: Wheels
    period: float  # of turns [s]
    oldest: float  # age of the latest report that a link which works leaves [s]


class PlatformState(NamedTuple):
    """What changes."""

    jets: JetState
    wheels: WheelRoom
    notes: np.ndarray
    pulses: np.ndarray  # the latest of each thruster
    mute: np.ndarray  # how long each thruster has not pushed though told to [s]


def start(platform: Platform) -> PlatformState:
    """Nothing has been asked for."""
    count = len(platform.jets.columns)
    return PlatformState(
        at_rest(platform.jets),
        room_for(platform.wheels),
        np.zeros(NOTES),
        np.full((count, PULSES_WIDTH), -1.0),
        np.zeros(count),
    )


@helper
def known_lateness(platform, measurements, joints):
    """How late commands are carried out, as far as is known [s].

    That of the latest report stays until it is older than those of a link that works; from then on
    it is taken to grow, as if no command came through any more.
    """
    report = measurements[said.ENCODERS + 2 * joints :]
    age = measurements[said.T] - report[said.TELEMETRY_T]
    return report[said.LATENESS] + max(0.0, age - platform.oldest)


@helper
def was_told(platform, state, i, t):
    """Whether a thruster was told at the time t [s] to push, and had been for its shortest pulse:
    so long a valve may have to rest before."""
    opened, closed, slack = state.pulses[i, OPENED], state.pulses[i, CLOSED], 0.5 * platform.period
    lasts = closed < opened or t <= closed + slack
    return lasts and t >= opened + platform.jets.shortest[i] - slack


@part
def give_up_mute(platform, state, report):
    """Notes which thrusters did not push when a new report was made, though they were told to; what
    is late is no sign."""
    notes, t = state.notes, report[said.TELEMETRY_T]
    if report[said.TELEMETRY_COUNT] == notes[HEARD]:
        return
    since = t - notes[HEARD_T]
    notes[HEARD], notes[HEARD_T] = report[said.TELEMETRY_COUNT], t
    for i in range(state.mute.shape[0]):
        full = norm(load3(platform.jets.wrenches, i, to.FORCE))
        if report[said.THRUST + i] > PUSHING * full or report[said.LATENESS] > 0.0:
            state.mute[i] = 0.0
        elif was_told(platform, state, i, t):
            state.mute[i] += min(since, t - state.pulses[i, OPENED])
        if state.mute[i] > PATIENCE:
            state.jets.bounds[i, HIGH] = 0.0


@part
def note_pulses(pulses, valves, t):
    """Notes which valves are told to open or to close from the time t on [s]."""
    for i in range(valves.shape[0]):
        lasts = pulses[i, CLOSED] < pulses[i, OPENED]
        if valves[i] == 1.0 and not lasts:
            pulses[i, OPENED] = t
        elif valves[i] == 0.0 and lasts:
            pulses[i, CLOSED] = t


@part
def pulse(platform, state, rates, motors, commands):
    """Begins a period of pulses: shares the wrench between wheels and thrusters."""
    jets, notes = platform.jets, state.notes
    for i in range(to.HOLD):
        notes[WRENCH + i] = commands[to.FORCE + i]
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
def serve(platform, state, measurements, commands, joints):
    """Writes the wheels' torques and the valves for the next turn."""
    wheels, notes = platform.wheels, state.notes
    valves = commands[to.JOINTS + joints :]
    give_up_mute(platform, state, measurements[said.ENCODERS + 2 * joints :])
    first = joints - wheels.inertia.shape[0]
    rates = measurements[said.ENCODERS + joints + first : said.ENCODERS + 2 * joints]
    motors = commands[to.JOINTS + first : to.JOINTS + joints]
    if (
        measurements[said.T] >= notes[NEXT_PERIOD] - 0.5 * platform.period
    ):  # sums of periods are rounded
        notes[NEXT_PERIOD] += platform.jets.period
        pulse(platform, state, rates, motors, commands)
    lacks = sub(get3(commands, to.TORQUE), get3(notes, TURNED))
    unloads = scale(1.0 / wheels.unloading, momentum(wheels, rates))
    put3(notes, WRENCH + 3, sub(lacks, unloads))  # the pulses hold against unloading already
    share_torque(wheels, rates, state.wheels, notes[WRENCH + 3 : NOTES], motors)
    open_valves(state.jets, platform.period, valves)
    note_pulses(state.pulses, valves, measurements[said.T])


class AllocationParams(NamedTuple):
    """The allocation as a function on board."""

    platform: Platform
    joints: int  # of the chaser, wheels included


@pluggable
def step(params, memory, bus):
    """The allocation as a function on board: the base's wrench in, wheels and valves out; tells the
    others how its pulses push."""
    serve(params.platform, memory, bus.measurements, bus.commands, params.joints)
    put3(bus.estimates, est.BASE_FORCE, get3(memory.notes, PUSHED))
    return 0
