"""A step of the plant for a group of cases in lanes: our own laws, our own order of calls.

What `plant.step.advance` does more, the search for the instant at which a contact switches, is done
case by case: a group in which any contact would switch, or any lane would take another branch than
the first, throws its step away and each of its cases takes it in scalar code.
"""

from typing import Any, NamedTuple

import llvmlite.ir as ir
import numpy as np
from numba.core import types
from numba.extending import intrinsic

from proxops.core.jit import kernel, part
from proxops.core.lanes.arrays import type_of
from proxops.core.lanes.compiled import lane_entry, lane_kernel
from proxops.core.lanes.number import Lanes
from proxops.physics.integrate.rk4 import rk4_of
from proxops.plant import layout
from proxops.plant.holds import any_due
from proxops.plant.model import Plant, Workspace
from proxops.plant.rates import System, plant_rates, touch
from proxops.plant.step import NOT_FINITE, OK, advance, copy, equal_part, settle
from proxops.plant.step_length import longest_step
from proxops.plant.switching import COUNT, settle_contacts, settle_holds, weakest

SWITCHES = 3  # a contact of some case becomes unsound within the step

_rk4_step = rk4_of(plant_rates)
_weakest = part(weakest.function.py_func)  # by address it would return one number, not lanes


@intrinsic
def lowest(typingctx: Any, value: Any) -> Any:
    """The smallest of all lanes; the number itself where all cases share it."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        if not isinstance(value, Lanes):
            return args[0]
        best = None
        for lane in range(value.width):
            each = builder.extract_element(args[0], ir.Constant(ir.IntType(64), lane))
            if best is None:
                best = each
            else:
                best = builder.select(builder.fcmp_ordered("<", each, best), each, best)
        return best

    return types.float64(value), codegen


class Job(NamedTuple):
    """What a step works on, of one case or of a group."""

    plant: Plant
    drive: np.ndarray
    work: Workspace
    y: np.ndarray
    start: np.ndarray  # the state before a step, to which a repeated one returns


@part
def advance_group(plant, drive, work, y, t, h):
    """Advances the y of all cases from t to t + h [s]; a status.  Sub-steps are those of the case
    that needs the shortest."""
    moving, target = layout.contacts_start(plant), layout.target_start(plant)
    can_touch = plant.contacts.shape[0] + plant.holds.shape[0] > 0
    system = System(plant, drive, y[moving:], work.scratch, work.sky)
    work.switches[0, COUNT] = 0.0
    if can_touch and any_due(plant, y, t):
        settle_holds(plant, work.scratch, work.switches, y, t)
    done = 0.0
    while done < h:
        left = h - done
        length = equal_part(left, lowest(longest_step(plant, y))) if can_touch else left
        _rk4_step(system, y[:moving], work.stages, t + done, length)
        chaser_is_finite, target_is_finite = settle(y[:target]), settle(y[target:])
        if not (chaser_is_finite and target_is_finite):
            return NOT_FINITE
        done = h if length == left else done + length
        if can_touch:
            least = lowest(_weakest(plant, y, work.scratch))
            if least < 0.0:
                return SWITCHES
            settle_contacts(plant, work.scratch, work.switches, y, t + done, least)
    return OK


@lane_kernel
def repeat_group(job, t, h, steps, goes_back):
    """Steps of a group, each from where the last one ended or all from the same state."""
    for step in range(steps):
        if goes_back:
            copy(job.start, job.y)
        begin = t if goes_back else t + step * h
        status = advance_group(job.plant, job.drive, job.work, job.y, begin, h)
        if status != OK:
            return status
    return OK


@kernel
def repeat_scalar(job, t, h, steps, goes_back):
    """The same of one case, as missions step."""
    for step in range(steps):
        if goes_back:
            copy(job.start, job.y)
        begin = t if goes_back else t + step * h
        status = advance(job.plant, job.drive, job.work, job.y, begin, h)
        if status != OK:
            return status
    return OK


def write_group_entries(plant: Plant, width: int) -> None:
    """The addresses of contacts and holds for lanes, in the entries of a group's plant."""
    if not plant.contacts.data.shape[0] and not plant.holds.data.shape[0]:
        return
    kind, entries = type_of(plant), plant.entries
    vector, table = (types.Array(Lanes(width), axes, "C") for axes in (1, 2))
    for called, others in (
        (touch, (vector, vector, table, vector)),
        (settle_contacts, (table, table, vector, types.float64, types.float64)),
        (settle_holds, (table, table, vector, types.float64)),
    ):
        entries[called.number] = lane_entry(called.function, kind, *others)
