"""From the base's wrench to wheels and valves, in every cycle of the on-board software.

As a period of pulses begins, wheels take what they can of the torque and thrusters get the rest.
Until the next one, wheels make up for what the pulses are off by:

    T_wheels = T - T_pulses

so that turning goes on smoothly between pulses, and below the shortest of them.

Actuators report what they carry out (sensors.telemetry): how late commands are, and the thrust of
each thruster.  A report is compared with the command at the time of the report.  A thruster that
does not push for a while though it is commanded to is not commanded any more.
"""

from typing import NamedTuple

import numpy as np

from proxops.bus.fields import Field
from proxops.bus.truth import WRENCH as WRENCH_SIZE
from proxops.core.jit import helper, part, pluggable
from proxops.core.spatial.vector import get3, norm, put3, scale, sub
from proxops.onboard.function import Function
from proxops.onboard.functions.allocation.demand import FORCE
from proxops.onboard.functions.allocation.thrusters import (
    Jets,
    JetState,
    at_rest,
    open_valves,
    plan_pulses,
    share_out,
)
from proxops.onboard.functions.allocation.wheels import (
    Wheels,
    WheelWorkspace,
    momentum,
    share_torque,
    workspace_for,
)
from proxops.onboard.functions.allocation.within_bounds import HIGH
from proxops.physics.multibody.tree import load3

# Entries of PlatformState.notes
NEXT_PERIOD = 0  # of the thrusters' pulses [s]
REPORT_COUNT = 1  # count of the latest report that was looked at
REPORT_T = 2  # when it was made [s]
PULSE_FORCE = 3  # mean force of the pulses that run, in C [N]
PULSE_TORQUE = 6  # their mean torque [N m]
WRENCH = 9  # what is left to the thrusters (6)
NOTES = 15

# Columns of PlatformState.pulses
OPENED = 0  # when the valve was last commanded to open [s]
CLOSED = 1  # and to close [s]; before that while the pulse lasts
PULSES_WIDTH = 2

PATIENCE = 0.05  # with a thruster that does not push, beyond its shortest pulse [s]
PUSHING = 0.5  # share of its thrust above which it counts as there
JUST_BEFORE = 0.99  # share of a cycle: earlier than its end, whatever is rounded
MISSED = 10  # reports in a row that get lost on no link that works


class Platform(NamedTuple):
    """What the services know."""

    jets: Jets
    wheels: Wheels
    period: float  # of cycles [s]
    oldest: float  # age of the latest report that a link which works leaves [s]


class PlatformState(NamedTuple):
    """What changes."""

    jets: JetState
    wheels: WheelWorkspace
    notes: np.ndarray
    pulses: np.ndarray  # the latest of each thruster
    silent_time: np.ndarray  # how long each thruster has not pushed though commanded to [s]


def start(platform: Platform) -> PlatformState:
    """Nothing has been asked for."""
    count = len(platform.jets.columns)
    return PlatformState(
        at_rest(platform.jets),
        workspace_for(platform.wheels),
        np.zeros(NOTES),
        np.full((count, PULSES_WIDTH), -1.0),
        np.zeros(count),
    )


@helper
def known_lateness(platform, inputs):
    """How late commands are carried out, as far as is known [s].

    That of the latest report stays until it is older than those of a link that works; from then on
    it is taken to grow, as if no command came through any more.
    """
    age = inputs.t[0] - inputs.telemetry_t[0]
    return inputs.telemetry_lateness[0] + max(0.0, age - platform.oldest)


@helper
def was_commanded(platform, state, i, t):
    """Whether a thruster was commanded at the time t [s] to push, and had been for its shortest
    pulse: so long a valve may have to rest before."""
    opened, closed, slack = state.pulses[i, OPENED], state.pulses[i, CLOSED], 0.5 * platform.period
    lasts = closed < opened or t <= closed + slack
    return lasts and t >= opened + platform.jets.shortest[i] - slack


@part
def disable_silent_thrusters(platform, state, inputs):
    """Counts how long thrusters have not pushed though they were commanded to, as of a new report,
    and takes the silent ones out of the allocation; what is late is no sign."""
    notes, t, count = state.notes, inputs.telemetry_t[0], inputs.telemetry_count[0]
    if count == notes[REPORT_COUNT]:
        return
    since = t - notes[REPORT_T]
    notes[REPORT_COUNT], notes[REPORT_T] = count, t
    for i in range(state.silent_time.shape[0]):
        full = norm(load3(platform.jets.wrenches, i, FORCE))
        pushes = inputs.telemetry_thrust[i] > PUSHING * full
        if pushes or inputs.telemetry_lateness[0] > 0.0:
            state.silent_time[i] = 0.0
        elif was_commanded(platform, state, i, t):
            state.silent_time[i] += min(since, t - state.pulses[i, OPENED])
        if state.silent_time[i] > PATIENCE:
            state.jets.bounds[i, HIGH] = 0.0


@part
def note_pulses(pulses, valves, t, dt):
    """Notes which valves are commanded to open or to close in the dt from the time t on [s].  One
    that closes within it has done so by the next report: half of dt is what `was_commanded`
    grants."""
    for i in range(valves.shape[0]):
        lasts = pulses[i, CLOSED] < pulses[i, OPENED]
        if valves[i] == 1.0 and not lasts:
            pulses[i, OPENED] = t
        elif valves[i] == 0.0 and lasts:
            pulses[i, CLOSED] = t
        elif valves[i] < 1.0 and lasts:
            pulses[i, CLOSED] = t + min(valves[i], JUST_BEFORE) * dt - 0.5 * dt


@part
def pulse(platform, state, rates, inputs, motors):
    """Begins a period of pulses: shares the wrench between wheels and thrusters."""
    jets, notes = platform.jets, state.notes
    put3(notes, WRENCH, get3(inputs.base_force, 0))
    put3(notes, WRENCH + 3, get3(inputs.base_torque, 0))
    rest = notes[WRENCH + 3 : NOTES]
    share_torque(platform.wheels, rates, state.wheels, rest, motors)
    share_out(jets, state.jets, notes[WRENCH:NOTES])
    plan_pulses(jets, state.jets)
    for axis in range(WRENCH_SIZE):
        notes[PULSE_FORCE + axis] = 0.0
        for i in range(state.jets.left.shape[0]):
            burning = state.jets.left[i] / jets.period
            notes[PULSE_FORCE + axis] += jets.wrenches[i, axis] * burning


@part
def allocate(platform, state, inputs, outputs):
    """Writes the wheels' torques and the valves for the next cycle."""
    wheels, notes = platform.wheels, state.notes
    disable_silent_thrusters(platform, state, inputs)
    count = wheels.inertia.shape[0]
    first = inputs.encoders_qd.shape[0] - count
    rates, motors = inputs.encoders_qd[first : first + count], outputs.wheels
    # Sums of periods are rounded
    if inputs.t[0] >= notes[NEXT_PERIOD] - 0.5 * platform.period:
        notes[NEXT_PERIOD] += platform.jets.period
        pulse(platform, state, rates, inputs, motors)
    lacks = sub(get3(inputs.base_torque, 0), get3(notes, PULSE_TORQUE))
    unloads = scale(1.0 / wheels.unloading, momentum(wheels, rates))
    put3(notes, WRENCH + 3, sub(lacks, unloads))  # the pulses hold against unloading already
    share_torque(wheels, rates, state.wheels, notes[WRENCH + 3 : NOTES], motors)
    open_valves(platform.jets, state.jets, platform.period, outputs.valves)
    note_pulses(state.pulses, outputs.valves, inputs.t[0], platform.period)


FIELDS = (Field("allocation.force", "N", "C", (3,), "Mean force of the thrusters' pulses"),)


class AllocationInputs(NamedTuple):
    """What it reads."""

    t: np.ndarray
    telemetry_t: np.ndarray
    telemetry_count: np.ndarray
    telemetry_lateness: np.ndarray
    telemetry_thrust: np.ndarray
    encoders_qd: np.ndarray
    base_force: np.ndarray
    base_torque: np.ndarray


class AllocationOutputs(NamedTuple):
    """What it writes."""

    wheels: np.ndarray
    valves: np.ndarray
    allocation_force: np.ndarray


@pluggable
def step(params, memory, inputs, outputs):
    """The allocation as a function on board: the base's wrench in, wheels and valves out; writes
    for the others how its pulses push."""
    allocate(params, memory, inputs, outputs)
    put3(outputs.allocation_force, 0, get3(memory.notes, PULSE_FORCE))
    return 0


def function(platform: Platform, period: int) -> Function:
    """The allocation, every period [ns]."""
    return Function(
        "allocation",
        step,
        AllocationInputs,
        AllocationOutputs,
        platform,
        start(platform),
        period,
        FIELDS,
    )
