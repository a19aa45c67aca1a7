"""From the base's wrench to wheels and valves, in every cycle of the on-board software.

As a period of pulses begins, wheels take what they can of the torque and thrusters get the rest.
Until the next one, wheels make up for what the pulses are off by:

    T_wheels = T - T_pulses

so that turning goes on smoothly between pulses, and below the shortest of them.

Actuators report what they carry out (sensors.telemetry): how late commands are, and the impulse of
each thruster, see thruster_monitor.  What is stuck is not commanded any more; guidance and the
control of the base read it (`allocation.verdict`, `allocation.authority`).
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from proxops.bus.fields import Field
from proxops.bus.truth import WRENCH as WRENCH_SIZE
from proxops.core.jit import helper, part, pluggable
from proxops.core.spatial.vector import get3, put3, scale, sub
from proxops.onboard.function import Change, Function
from proxops.onboard.functions.allocation.thruster_monitor import (
    FINDING,
    FINDINGS,
    STUCK_OPEN,
    WORKS,
    FindingTexts,
    MonitorState,
    note_cycle,
    note_valves,
    watch,
)
from proxops.onboard.functions.allocation.thruster_monitor import start as start_monitor
from proxops.onboard.functions.allocation.thrusters import (
    Jets,
    JetState,
    at_rest,
    open_valves,
    plan_pulses,
    share_out,
    share_out_reduced,
)
from proxops.onboard.functions.allocation.wheels import (
    Wheels,
    WheelWorkspace,
    momentum,
    share_torque,
    workspace_for,
)
from proxops.onboard.functions.allocation.within_bounds import HIGH

# Entries of PlatformState.notes
NEXT_PERIOD = 0  # of the thrusters' pulses [s]
PULSE_FORCE = 1  # mean force of the pulses that run, in C [N]
PULSE_TORQUE = 4  # their mean torque [N m]
WRENCH = 7  # what is left to the thrusters (6)
NOTES = 13

MISSED = 10  # reports in a row that get lost on no link that works


class Platform(NamedTuple):
    """What the services know."""

    jets: Jets
    wheels: Wheels
    period: float  # of cycles [s]
    oldest: float  # age of the latest report that a link which works leaves [s]
    delay: float = 0.0  # of reports [s]


class PlatformState(NamedTuple):
    """What changes."""

    jets: JetState
    wheels: WheelWorkspace
    notes: np.ndarray
    monitor: MonitorState


def start(platform: Platform) -> PlatformState:
    """Nothing has been commanded."""
    return PlatformState(
        at_rest(platform.jets),
        workspace_for(platform.wheels),
        np.zeros(NOTES),
        start_monitor(len(platform.jets.columns), platform.delay, platform.period),
    )


@helper
def known_lateness(platform, inputs):
    """How late commands are carried out, as far as is known [s].

    That of the latest report stays until it is older than those of a link that works; from then on
    it is taken to grow, as if no command came through any more.
    """
    age = inputs.t[0] - inputs.telemetry_t[0]
    return inputs.telemetry_lateness[0] + max(0.0, age - platform.oldest)


@part
def give_up_thrusters(platform, state, inputs, outputs):
    """Takes thrusters out of the allocation that do not do as commanded, isolates those that are
    stuck open, and writes that for the others."""
    monitor, jets = state.monitor, platform.jets
    note_cycle(monitor, inputs.t[0], platform.period)
    watch(monitor, jets.wrenches, jets.shortest, inputs, platform.period)
    outputs.allocation_findings[0] = monitor.notes[FINDINGS]
    put3(outputs.allocation_finding, 0, get3(monitor.notes, FINDING))
    authority = 1.0
    for i in range(monitor.verdict.shape[0]):
        verdict = monitor.verdict[i]
        if verdict != WORKS:
            state.jets.bounds[i, HIGH] = 0.0
            authority = min(authority, jets.authority[i])
        outputs.allocation_verdict[i] = verdict
        outputs.isolation[i] = 1.0 if verdict == STUCK_OPEN else 0.0
    outputs.allocation_authority[0] = authority


@part
def pulse(platform, state, rates, inputs, motors):
    """Begins a period of pulses: shares the wrench between wheels and thrusters."""
    jets, notes = platform.jets, state.notes
    put3(notes, WRENCH, get3(inputs.base_force, 0))
    put3(notes, WRENCH + 3, get3(inputs.base_torque, 0))
    rest = notes[WRENCH + 3 : NOTES]
    share_torque(platform.wheels, rates, state.wheels, rest, motors)
    if state.monitor.notes[FINDINGS] == 0.0:
        share_out(jets, state.jets, notes[WRENCH:NOTES])
    else:
        share_out_reduced(jets, state.jets, notes[WRENCH:NOTES])
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
    give_up_thrusters(platform, state, inputs, outputs)
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
    note_valves(state.monitor, outputs.valves, platform.period)


FIELDS = (Field("allocation.force", "N", "C", (3,), "Mean force of the thrusters' pulses"),)


def monitor_fields(thrusters: Sequence[str]) -> tuple[Field, ...]:
    """What it reports to the others of thrusters with these names."""
    return (
        Field("allocation.authority", "1", start=(1.0,),
              title="Share of the force in any direction that the working thrusters can deliver"),
        Field("allocation.verdict", "1", "", (len(thrusters),),
              "Thrusters: 0 work, 1 stuck closed, 2 stuck open", parts=tuple(thrusters)),
        Field("allocation.findings", title="Thrusters that are no longer used or isolated"),
        Field("allocation.finding", "1,s,s", "", (3,), "The latest: number, time, limit"),
    )  # fmt: skip


class AllocationInputs(NamedTuple):
    """What it reads."""

    t: np.ndarray
    telemetry_t: np.ndarray
    telemetry_count: np.ndarray
    telemetry_lateness: np.ndarray
    telemetry_impulse: np.ndarray
    encoders_qd: np.ndarray
    base_force: np.ndarray
    base_torque: np.ndarray


class AllocationOutputs(NamedTuple):
    """What it writes."""

    wheels: np.ndarray
    valves: np.ndarray
    isolation: np.ndarray
    allocation_force: np.ndarray
    allocation_authority: np.ndarray
    allocation_verdict: np.ndarray
    allocation_findings: np.ndarray
    allocation_finding: np.ndarray


@pluggable
def step(params, memory, inputs, outputs):
    """The allocation as a function on board: the base's wrench in, wheels and valves out; writes
    for the others how its pulses push."""
    allocate(params, memory, inputs, outputs)
    put3(outputs.allocation_force, 0, get3(memory.notes, PULSE_FORCE))
    return 0


def function(platform: Platform, thrusters: Sequence[str], period: int) -> Function:
    """The allocation to thrusters with these names, every period [ns]."""
    return Function(
        "allocation",
        step,
        AllocationInputs,
        AllocationOutputs,
        platform,
        start(platform),
        period,
        (*FIELDS, *monitor_fields(thrusters)),
        changes=(Change("allocation.findings", FindingTexts(thrusters), "allocation.finding"),),
    )
