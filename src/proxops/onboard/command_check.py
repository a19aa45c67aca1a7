"""What a user's function commands is looked at before it is obeyed.

What is not finite is dropped as a whole: what was last asked for stays.  What is beyond motors,
thrusters and wheels goes on to them, who give what they can; it is counted.
"""

import math
from typing import NamedTuple

import numpy as np

from proxops.bus.fields import Field, Fields
from proxops.core.jit import helper, part, pluggable
from proxops.core.spatial.vector import get3
from proxops.onboard.function import Change, Function
from proxops.onboard.functions.allocation.allocate import Platform
from proxops.onboard.functions.allocation.demand import demand

# Rows of CheckMemory.tally
NON_FINITE = 0
MOTORS = 1
BASE = 2  # thrusters and wheels
FINDINGS = 3

# Its columns
COUNT = 0  # in how many cycles
FIRST = 1  # when first [s]
WORST = 2  # what was asked for over what there is, at most
WHICH = 3  # part of the commands that was worst; of what is not finite, the first
TALLY_WIDTH = 4

# Parts of the commands: those of the base and the holds, then each joint
PARTS = ("force", "torque", "hold")
FORCE, TORQUE, HOLDS, JOINTS = range(4)


class CheckParams(NamedTuple):
    """What there is."""

    platform: Platform
    limits: np.ndarray  # of the arms' motors [N m or N]


class CheckMemory(NamedTuple):
    """What was looked at."""

    force: np.ndarray  # the latest commands that were finite
    torque: np.ndarray
    holds: np.ndarray
    joints: np.ndarray
    tally: np.ndarray
    cycles: np.ndarray  # how many, one entry


class CheckInputs(NamedTuple):
    """What it reads."""

    t: np.ndarray
    base_force: np.ndarray
    base_torque: np.ndarray
    holds: np.ndarray
    joints: np.ndarray


class CheckOutputs(NamedTuple):
    """What it may put back."""

    base_force: np.ndarray
    base_torque: np.ndarray
    holds: np.ndarray
    joints: np.ndarray
    command_check_dropped: np.ndarray


FIELDS = (Field("command_check.dropped", title="Commands that were not finite, 1: dropped"),)


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
def all_finite(numbers):
    """Whether all are."""
    wrong = 0
    for i in range(numbers.shape[0]):
        if not math.isfinite(numbers[i]):
            wrong += 1
    return wrong == 0


@helper
def first_wrong(commands):
    """Part of the commands that is not finite, -1 if all are."""
    if not all_finite(commands.base_force):
        return FORCE
    if not all_finite(commands.base_torque):
        return TORQUE
    if not all_finite(commands.holds):
        return HOLDS
    for i in range(commands.joints.shape[0]):
        if not math.isfinite(commands.joints[i]):
            return JOINTS + i
    return -1


@part
def copy(source, target):
    """Number by number."""
    for i in range(source.shape[0]):
        target[i] = source[i]


@part
def inspect(params, memory, t, commands):
    """Counts a cycle at the time t [s], and what is wrong with what was commanded in it."""
    tally = memory.tally
    memory.cycles[0] += 1
    wrong = first_wrong(commands)
    if wrong >= 0:
        note(tally[NON_FINITE], t, 1.0, wrong)
        copy(memory.force, commands.base_force)
        copy(memory.torque, commands.base_torque)
        copy(memory.holds, commands.holds)
        copy(memory.joints, commands.joints)
        return
    share, worst = 0.0, JOINTS
    for i in range(params.limits.shape[0]):
        of_limit = abs(commands.joints[i]) / params.limits[i]
        if of_limit > share:
            share, worst = of_limit, JOINTS + i
    if share > 1.0:
        note(tally[MOTORS], t, share, worst)
    share = demand(params.platform, get3(commands.base_force, 0), get3(commands.base_torque, 0))
    if share > 1.0:
        note(tally[BASE], t, share, FORCE)
    copy(commands.base_force, memory.force)
    copy(commands.base_torque, memory.torque)
    copy(commands.holds, memory.holds)
    copy(commands.joints, memory.joints)


@pluggable
def step(params, memory, inputs, outputs):
    """The check as a function on board, behind a user's."""
    dropped = memory.tally[NON_FINITE, COUNT]
    inspect(params, memory, inputs.t[0], outputs)
    outputs.command_check_dropped[0] = memory.tally[NON_FINITE, COUNT] - dropped
    return 0


def function(
    params: CheckParams, memory: CheckMemory, period: int, warns: bool = False
) -> Function:
    """The check, every period [ns]; it may warn itself, where nobody reports its tally."""
    changes = (Change("command_check.dropped", _warning),) if warns else ()
    return Function(
        "command_check", step, CheckInputs, CheckOutputs, params, memory, period, FIELDS, changes
    )


def _warning(dropped: float, details: np.ndarray) -> tuple[str, str] | None:
    text = "obsw.functions: commands that are not finite are dropped, the last ones stay"
    return ("warning", text) if dropped else None


def nothing_checked(commands: Fields) -> CheckMemory:
    """Before the first cycle."""
    return CheckMemory(
        commands["base.force"].copy(),
        commands["base.torque"].copy(),
        commands["holds"].copy(),
        commands["joints"].copy(),
        np.zeros((FINDINGS, TALLY_WIDTH)),
        np.zeros(1, dtype=np.int64),
    )
