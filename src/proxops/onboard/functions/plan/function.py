"""The mode manager as a function on board: which leg is flown, and why it was left.

A leg ends when all its conditions have held for its settling time; then the next one begins.  A
condition that aborts, or a leg that lasts longer than it may, leads to its way out.  Each change
is an event with the condition that decided, its value and its limit.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from proxops.bus.bus import Bus
from proxops.bus.fields import Field
from proxops.core.errors import InputError
from proxops.core.jit import part, pluggable
from proxops.core.spatial.vector import get3, put3
from proxops.core.text import nearest
from proxops.onboard.function import Change, Function
from proxops.onboard.functions.plan import legs as leg_at
from proxops.onboard.functions.plan.conditions import LIMIT, holds, value_of
from proxops.onboard.functions.plan.legs import Legs

# Why a leg was left; the number of the deciding condition is added, 1 for the first, 0 for none
START, DONE, ABORTED, TIMED_OUT = 0.0, 1000.0, 2000.0, 3000.0
_KIND = 1000.0

_YIELD = ("base_control", "joint_control", "allocation")  # to functions that a leg runs

# Entries of the memory
LEG = 0  # -1 before the first
SINCE = 1  # when it began [s]
SOUND = 2  # since when its conditions have held [s]
DECIDED = 3  # condition that was the last to hold
MEMORY = 4

FIELDS = (
    Field("plan.leg", title="Leg of the plan", start=(-1.0,)),
    Field("plan.reason", shape=(3,), title="End of the previous leg: reason, value, limit"),
    Field("plan.since", "s", title="Start time of the leg"),
    Field("plan.elapsed", "s", title="Time since the start of the leg"),
    Field(
        "plan.place", "m", "H", (3,), "Position to reach or to hold", signal="obsw.plan.place"
    ),
)  # fmt: skip


class PlanParams(NamedTuple):
    """The plan."""

    legs: np.ndarray
    conditions: np.ndarray
    activity: np.ndarray  # (legs, functions): 1 where a function runs in a leg
    periods: np.ndarray  # (legs, functions) [ns]


class PlanMemory(NamedTuple):
    """Where it is."""

    state: np.ndarray


class PlanInputs(NamedTuple):
    """All that a condition may be about, where the chaser is, and what is left of the guidance of
    the leg before: it is none of the next one's."""

    measurements: np.ndarray
    estimates: np.ndarray
    t: np.ndarray
    orbital_p_HC: np.ndarray
    guidance_nodes: np.ndarray
    guidance_failures: np.ndarray


class PlanOutputs(NamedTuple):
    """What it writes: FIELDS."""

    plan_leg: np.ndarray
    plan_reason: np.ndarray
    plan_since: np.ndarray
    plan_elapsed: np.ndarray
    plan_place: np.ndarray
    capture_permitted: np.ndarray
    activity: np.ndarray  # of all functions, see onboard.schedule
    periods: np.ndarray  # likewise [ns]


@part
def enter(params, state, inputs, outputs, number, reason):
    """Begins a leg; reason = (why the one before was left, value, limit)."""
    t, row = inputs.t[0], params.legs[int(number)]
    state[LEG], state[SINCE], state[SOUND], state[DECIDED] = number, t, t, 0.0
    outputs.plan_leg[0] = number
    outputs.plan_since[0] = t
    outputs.plan_elapsed[0] = 0.0
    put3(outputs.plan_reason, 0, reason)
    outputs.capture_permitted[0] = row[leg_at.PERMITTED]
    inputs.guidance_nodes[0] = 0.0
    inputs.guidance_failures[0] = 0.0
    for i in range(outputs.activity.shape[0]):
        outputs.activity[i] = params.activity[int(number), i]
        outputs.periods[i] = params.periods[int(number), i]
    place = get3(row, leg_at.PLACE)
    if place[0] != place[0]:  # no number: where it begins
        place = get3(inputs.orbital_p_HC, 0)
    put3(outputs.plan_place, 0, place)


@part
def first_that(params, inputs, start, count, wanted):
    """The first condition of a leg that holds (wanted = 1) or does not (0), as number from 1 on
    within the plan, and its value; 0 if there is none.  What is not a number is the worse case:
    it fulfils what aborts, and nothing that ends a leg."""
    for i in range(int(start), int(start + count)):
        row = params.conditions[i]
        value = value_of(row, inputs.measurements, inputs.estimates)
        if int(holds(row, value)) == wanted or (wanted == 1 and value != value):
            return i + 1, value
    return 0, 0.0


@part
def limit_of(params, number):
    """Limit of a condition by its number from 1 on [SI]; 0 for none."""
    return params.conditions[number - 1, LIMIT] if number > 0 else 0.0


@part
def follow(params, state, inputs, outputs):
    """Stays in its leg, or enters another one."""
    t, row = inputs.t[0], params.legs[int(state[LEG])]
    outputs.plan_elapsed[0] = t - state[SINCE]
    number, value = first_that(params, inputs, row[leg_at.ABORT_IF], row[leg_at.ABORT_COUNT], 1)
    if number > 0:
        reason = ABORTED + number, value, limit_of(params, number)
        enter(params, state, inputs, outputs, row[leg_at.ABORT_LEG], reason)
        return
    first, count = row[leg_at.UNTIL], row[leg_at.UNTIL_COUNT]
    unmet, value = first_that(params, inputs, first, count, 0)
    if unmet > 0:
        state[SOUND], state[DECIDED] = t, unmet
    if row[leg_at.NEXT] >= 0.0 and unmet == 0 and t >= state[SOUND] + row[leg_at.SETTLE]:
        number, value = int(state[DECIDED]), 0.0
        if number > 0:
            value = value_of(params.conditions[number - 1], inputs.measurements, inputs.estimates)
        reason = DONE + number, value, limit_of(params, number)
        enter(params, state, inputs, outputs, row[leg_at.NEXT], reason)
    elif t - state[SINCE] >= row[leg_at.TIMEOUT]:
        reason = TIMED_OUT + unmet, value, limit_of(params, unmet)
        enter(params, state, inputs, outputs, row[leg_at.ABORT_LEG], reason)


@pluggable
def step(params, memory, inputs, outputs):
    """One cycle of the mode manager."""
    if memory.state[LEG] < 0.0:
        enter(params, memory.state, inputs, outputs, 0.0, (START, 0.0, 0.0))
    else:
        follow(params, memory.state, inputs, outputs)
    return 0


# --- Python -------------------------------------------------------------------------------------


class LegTexts:
    """Says in words which leg has begun, and why."""

    def __init__(self, legs: Legs) -> None:
        self._legs = legs
        self._before = ""

    def __call__(self, leg: float, details: np.ndarray) -> tuple[str, str]:
        name, before = self._legs.names[int(leg)], self._before
        self._before = name
        return name, f"obsw.plan: {self._why(before, *details)}"

    def _why(self, before: str, reason: float, value: float, limit: float) -> str:
        kind, number = divmod(reason, _KIND)
        said = ""
        if number > 0:
            said = self._legs.conditions[int(number) - 1].said(value)
        kind *= _KIND
        if kind == START:
            return "the mission begins"
        if kind == DONE:
            return f"{before} is done" + (f": {said}" if said else "")
        if kind == ABORTED:
            return f"{before} aborted: {said}"
        row = self._legs.rows[self._legs.names.index(before)]
        late = f"{before} timed out after {row[leg_at.TIMEOUT]:g} s"
        return f"{late}, not fulfilled: {said}" if said else f"{late}, its conditions did not last"


def activity_of(legs: Legs, functions: Sequence[Function]) -> np.ndarray:
    """(legs, functions): 1 where a function runs in a leg.  One that some leg names runs in those
    legs alone; there the control of the base and the allocation rest if it commands what they
    would."""
    named = {name for names in legs.runs for name in names}
    known = [each.name for each in functions]
    for leg, names in zip(legs.names, legs.runs, strict=True):
        for name in names:
            if name not in known:
                raise InputError(
                    f"obsw.plan.legs.{leg}.runs: there is no function {name!r} on board"
                    + nearest(name, known)
                )
    activity = np.ones((len(legs.names), len(functions)))
    for row, names in zip(activity, legs.runs, strict=True):
        taken = {field for each in functions if each.name in names for field in each.written}
        for i, each in enumerate(functions):
            yields = each.name in _YIELD and bool(taken & set(each.written))
            row[i] = 0.0 if yields or (each.name in named and each.name not in names) else 1.0
    return activity


def running_together(functions: Sequence[Function]) -> list[list[Function]]:
    """Those functions that run in each leg; all of them without a plan."""
    plan = next((each for each in functions if isinstance(each.params, PlanParams)), None)
    if plan is None:
        return [list(functions)]
    return [
        [each for each, runs in zip(functions, row, strict=True) if runs]
        for row in plan.params.activity
    ]


def periods_of(legs: Legs, functions: Sequence[Function]) -> np.ndarray:
    """(legs, functions): period of a function while a leg is flown [ns], its own if not given."""
    known = [each.name for each in functions]
    periods = np.array([[each.period for each in functions] for _ in legs.names], dtype=np.int64)
    for row, leg, given in zip(periods, legs.names, legs.periods, strict=True):
        for name, period in given.items():
            if name not in known or not functions[known.index(name)].any_period:
                free = [each.name for each in functions if each.any_period]
                raise InputError(
                    f"obsw.plan.legs.{leg}.periods_s.{name}: a leg may change the periods of "
                    f"{', '.join(('guidance', *free))}{nearest(name, free)}"
                )
            row[known.index(name)] = period
    return periods


def linked(
    made: Function,
    legs: Legs,
    functions: Sequence[Function],
    activity: np.ndarray,
    periods: np.ndarray,
) -> None:
    """Lets the plan say which of all functions on board run, in `activity` (functions,), and how
    often, in `periods` (functions,)."""
    made.params = made.params._replace(
        activity=activity_of(legs, functions), periods=periods_of(legs, functions)
    )
    made.outputs = made.outputs._replace(activity=activity, periods=periods)


def _estimate(bus: Bus, name: str) -> np.ndarray:
    """A field of a function that is not on board in every mission."""
    return bus.estimates[name] if name in bus.estimates.layout else np.zeros(3)


def function(legs: Legs, bus: Bus, period: int) -> Function:
    """The mode manager, every period [ns]; not linked yet."""
    state = np.zeros(MEMORY)
    state[LEG] = -1.0
    inputs = PlanInputs(
        bus.measurements.array,
        bus.estimates.array,
        bus.measurements["t"],
        *(_estimate(bus, name) for name in ("orbital.p_HC", "guidance.nodes", "guidance.failures")),
    )
    written = {each.attribute: bus.estimates[each.name] for each in FIELDS}
    permitted = _estimate(bus, "capture.permitted")
    none = np.zeros(0, dtype=np.int64)
    outputs = PlanOutputs(
        **written, capture_permitted=permitted, activity=np.zeros(0), periods=none
    )
    return Function(
        "plan",
        step,
        inputs,
        outputs,
        PlanParams(
            legs.rows,
            legs.condition_rows,
            np.zeros((len(legs.names), 0)),
            np.zeros((len(legs.names), 0), dtype=np.int64),
        ),
        PlanMemory(state),
        period,
        FIELDS,
        changes=(Change("plan.leg", LegTexts(legs), "plan.reason", before=-1.0),),
        writes=tuple(written),
    )
