"""Faults of actuators: commands are not executed, or executed late.

    dead    the valve of a thruster stays closed
    open    it stays open, whatever it is commanded, until its isolation valve is closed
    weak    a thruster gives a share of its thrust
    stuck   a brake holds a joint where it is, whatever its motor is commanded:
            τ = k (q₀ - q) - d q̇,   at most the torque of the motor; beyond it q₀ slips
    held    the same as the power goes, and the brake carries the motor's torque: q₀ = q + τ/k
    late    a command arrives some cycles after it was commanded; the last to arrive stays
    push    the target thrusts by itself, see target_manoeuvre

A brake is as stiff as its sampling permits: k = J (REACH/h)², d = 2 J REACH/h with the rotor J,
the least inertia that it can act on, and h between two cycles.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from proxops.core.fault_description import DEAD, HELD, LATE, OPEN, STUCK, WEAK, FaultDescription
from proxops.core.jit import helper, part

REACH = 0.08  # frequency of a brake on its rotor times h; stable up to 0.8

# Columns of Faults.table
KIND = 0
NUMBER = 1  # of the thruster or of the joint; cycles by which commands are late
BEGIN = 2  # [ns]
END = 3  # [ns], no longer part of it
TABLE_WIDTH = 4

# Columns of Faults.brakes
STIFFNESS = 0  # k [N m/rad or N/m]
DAMPING = 1  # d [N m s/rad or N s/m]
MAX_EFFORT = 2  # [N m or N]
BRAKE_WIDTH = 3

# Entries of FaultState.cycles
NOW = 0  # number of the cycle, from 1 on
TAKEN = 1  # of the cycle whose commands have arrived


class Faults(NamedTuple):
    """All faults of a run."""

    table: np.ndarray
    brakes: np.ndarray  # one row a fault
    numbers: np.ndarray  # one row a fault (3): share of a weak thrust; force of a push, in H [N]


class FaultState(NamedTuple):
    """What changes."""

    line: np.ndarray  # commands on their way, one row a cycle
    arrived: np.ndarray  # commands, as on the bus
    cycles: np.ndarray
    held: np.ndarray  # q₀ of every fault; NaN while its brake is open


def build(faults: Sequence[FaultDescription], period: float) -> Faults:
    """The faults of a chaser whose software runs every period [s]."""
    table = np.zeros((len(faults), TABLE_WIDTH), dtype=np.int64)
    brakes = np.zeros((len(faults), BRAKE_WIDTH))
    for row, brake, each in zip(table, brakes, faults, strict=True):
        row[:] = each.kind, each.number, each.begin, each.end
        rate = REACH / period
        brake[:] = each.rotor * rate**2, 2.0 * each.rotor * rate, each.max_effort
    numbers = np.array([each.numbers for each in faults], dtype=float).reshape(-1, 3)
    return Faults(table, brakes, numbers)


def start(faults: Faults, size: int) -> FaultState:
    """Nothing has been commanded, in commands of this size."""
    late = faults.table[faults.table[:, KIND] == LATE, NUMBER]
    return FaultState(
        np.zeros((1 + int(late.max(initial=0)), size)),
        np.zeros(size),
        np.array([1, 0], dtype=np.int64),
        np.full(len(faults.table), np.nan),
    )


@helper
def is_on(faults, i, now):
    """Whether a fault is there at the time now [ns]."""
    return faults.table[i, BEGIN] <= now < faults.table[i, END]


@helper
def lateness(state):
    """By how many cycles the commands that have arrived are late."""
    return state.cycles[NOW] - 1 - state.cycles[TAKEN]


@part
def deliver(faults, state, now, commands):
    """Writes the newest commands that have arrived at the time now [ns]."""
    late = 0
    for i in range(faults.table.shape[0]):
        if faults.table[i, KIND] == LATE and is_on(faults, i, now):
            late = max(late, faults.table[i, NUMBER])
    rows, cycles = state.line.shape[0], state.cycles
    cycles[TAKEN] = max(cycles[TAKEN], cycles[NOW] - late)
    put, take = cycles[NOW] % rows, cycles[TAKEN] % rows
    for i in range(commands.shape[0]):
        state.line[put, i] = commands[i]
        state.arrived[i] = state.line[take, i]
    cycles[NOW] += 1


@part
def fail_valves(faults, now, period, burns, share):
    """Keeps the valves of dead thrusters closed and stuck ones open for the coming control period
    [s]; writes which share of its thrust each gives."""
    for i in range(share.shape[0]):
        share[i] = 1.0
    for i in range(faults.table.shape[0]):
        if not is_on(faults, i, now):
            continue
        kind, number = faults.table[i, KIND], faults.table[i, NUMBER]
        if kind == DEAD:
            burns[number] = 0.0
        elif kind == OPEN:
            burns[number] = period
        elif kind == WEAK:
            share[number] = faults.numbers[i, 0]


@part
def brake(faults, state, now, joints, applied):
    """Writes the torques of brakes that hold stuck joints; joints = (q, q̇)."""
    for i in range(faults.table.shape[0]):
        kind = faults.table[i, KIND]
        if kind != STUCK and kind != HELD:
            continue
        if not is_on(faults, i, now):
            state.held[i] = np.nan
            continue
        joint, (q, qd) = faults.table[i, NUMBER], joints
        k, max_effort = faults.brakes[i, STIFFNESS], faults.brakes[i, MAX_EFFORT]
        if np.isnan(state.held[i]):
            state.held[i] = q[joint] + (applied[joint] / k if kind == HELD else 0.0)
        apart = min(max(state.held[i] - q[joint], -max_effort / k), max_effort / k)
        state.held[i] = q[joint] + apart
        torque = k * apart - faults.brakes[i, DAMPING] * qd[joint]
        applied[joint] = min(max(torque, -max_effort), max_effort)
