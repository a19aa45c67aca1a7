"""Advancing the plant by one step."""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

from proxops.core.by_address import by_value
from proxops.core.jit import helper, kernel, part
from proxops.core.select import any_of, select
from proxops.core.spatial.quaternion import get4, put4, quat_normalised
from proxops.core.spatial.vector import dot, get3
from proxops.physics.integrate.rk4 import STAGE_ROWS, rk4_of
from proxops.plant import layout
from proxops.plant.holds import any_due, is_joined
from proxops.plant.rates import System, plant_rates
from proxops.plant.step_length import longest_step
from proxops.plant.switching import COUNT, settle_contacts, settle_holds, weakest

OK = 0
NOT_FINITE = 1  # some state became infinite or undefined
CHATTERS = 2  # contacts closed and opened too often
STATUS_TEXT = {
    CHATTERS: "contacts open and close over and over within one step: give them more damping, or "
    "make the step shorter",
    NOT_FINITE: "the state is no longer finite: the step is too long for the forces acting",
}

CUT_WITHIN = 1e-9  # of the instant at which a contact closes or opens [s]
FALSI_TRIALS = 16
REST = 1e-9  # step of a case at its end, of which nothing is kept [s]
SAME = 1e-9  # lengths of steps that differ by less, relatively, are the same

SAVED = STAGE_ROWS  # row of the stages that keeps the state before a step that may be cut


@helper
def settle(y):
    """Normalises a spacecraft's attitude; whether its motion is finite.

    Any state that is not reaches the hub's motion within a step, so the hub is all to look at.
    """
    put4(y, layout.Q, quat_normalised(get4(y, layout.Q)))
    p, v, w = get3(y, layout.P), get3(y, layout.V), get3(y, layout.W)
    return math.isfinite(dot(p, p) + dot(v, v) + dot(w, w))


@helper
def copy(source, into):
    """Copies a state."""
    for i in range(source.shape[0]):
        into[i] = source[i]


@helper
def put_back(going, saved, y):
    """Puts a state back where a case does not go on."""
    for i in range(y.shape[0]):
        y[i] = select(going, y[i], saved[i])


@helper
def equal_part(left, longest):
    """Length of the next step, of equal ones not longer than `longest` that make up `left` [s]."""
    length = left / math.ceil(left / longest)
    return select(length >= left * (1.0 - SAME), left, length)


@helper
def is_to_settle(plant, y, t, least):
    """Whether a step that ends at time t leaves anything to contacts and holds: something is closed
    or is to switch."""
    joined = is_joined(plant, y[layout.contacts_start(plant) :])
    return joined or least < 0.0 or any_due(plant, y, t)


class Search(NamedTuple):
    """A step that is tried, and cut just behind the instant at which a contact becomes unsound.

    That instant lies between `early` and `late`, where the soundness is `at_early` (0: not known)
    and `at_late` < 0.
    """

    length: float  # of the step to try [s]
    early: float
    late: float
    at_early: float
    at_late: float
    trials: int
    found: bool


@helper
def whole_step(length):
    """Tries a step as it is."""
    return Search(length, 0.0, length, 0.0, 0.0, 0, False)


@helper
def narrowed(search, soundness):
    """The search after a trial.  Regula falsi with the Illinois rule; halving, where that does not
    get on."""
    length, early, late, at_early, at_late, trials, _ = search
    if (trials == 0 and soundness >= 0.0) or (length == late and trials > 0):
        return Search(length, early, late, at_early, at_late, trials, True)
    if soundness < 0.0:
        at_early *= 0.5 if late != length and trials > 1 else 1.0
        late, at_late = length, soundness
    else:
        early, at_early = length, soundness
        at_late *= 0.5
    if late - early <= CUT_WITHIN:
        return Search(late, early, late, at_early, at_late, trials + 1, False)
    middle = 0.5 * (early + late)
    if trials < FALSI_TRIALS and at_early > 0.0:
        middle = late - (late - early) * at_late / (at_late - at_early)
    return Search(middle, early, late, at_early, at_late, trials + 1, False)


def advance_of(rates: Callable[..., Any], longest: Callable[..., Any] = longest_step) -> Any:
    """The function that advances two spacecraft which move as `rates` says, in steps that closed
    contacts and holds bear as `longest(plant, y)` says."""
    rk4_step = rk4_of(rates)

    @part
    def advance(plant, drive, work, y, t, h):
        """Advances y in place from t to t + h [s] by Runge-Kutta steps; returns a status.

        One step where nothing touches.  Steps are as short as closed contacts need, and are cut
        where a contact closes or opens.  Holds that were commanded close and open at t itself.
        All in one function: each that contains the compiled step costs a second to compile.

        Of cases that are computed together each takes steps of its own, until it is at its end;
        what others that are not there yet do with it from then on is put back.
        """
        moving, target = layout.contacts_start(plant), layout.target_start(plant)
        can_touch = plant.contacts.shape[0] + plant.holds.shape[0] > 0
        system = System(by_value(plant), drive, y[moving:], work.scratch, work.sky)
        work.switches[0, COUNT] = 0.0
        if can_touch and any_due(plant, y, t):
            settle_holds(plant, work.scratch, work.switches, y, t)
        done, least, cuts = 0.0, 1.0, 0
        while any_of(done < h):
            going = done < h
            some_rest = any_of(not going)
            left = select(going, h - done, REST)
            search = whole_step(equal_part(left, longest(plant, y)) if can_touch else left)
            if can_touch or some_rest:
                copy(y, work.stages[SAVED])
            while not search.found:
                if search.trials > 0:
                    copy(work.stages[SAVED], y)
                rk4_step(system, y[:moving], work.stages, t + done, search.length)
                chaser_is_finite, target_is_finite = settle(y[:target]), settle(y[target:])
                if going & (not (chaser_is_finite & target_is_finite)):
                    return NOT_FINITE
                if can_touch:
                    least = select(going, weakest(plant, y, work.scratch), 1.0)
                search = narrowed(search, least)
            step_end = select(search.length == left, h, done + search.length)
            done = select(going, step_end, done)
            if can_touch and is_to_settle(plant, y, t + done, least):
                settle_contacts(plant, work.scratch, work.switches, y, t + done, least)
                cuts += 1 if search.trials > 0 else 0
                capacity = work.switches.shape[0] - 1  # MAX_SWITCHES of each contact and hold
                if cuts > capacity or work.switches[0, COUNT] >= capacity:
                    return CHATTERS
            if some_rest:
                put_back(going, work.stages[SAVED], y)
                if can_touch:
                    weakest(plant, y, work.scratch)  # for the kinematics that it leaves
        return OK

    return advance


advance = advance_of(plant_rates)


@kernel
def step(plant, drive, work, y, t, h):
    """`advance`, callable from Python."""
    return advance(plant, drive, work, y, t, h)


@part
def touch_at_start(plant, work, y, t):
    """Closes what touches or is to be held when a run starts."""
    work.switches[0, COUNT] = 0.0
    if plant.contacts.shape[0] + plant.holds.shape[0] == 0:
        return
    least = weakest(plant, y, work.scratch)
    settle_contacts(plant, work.scratch, work.switches, y, t, least)
    ledger = y[layout.ledger_start(plant) :]
    ledger[layout.CONTACT_SPRING_WORK] = 0.0  # what they store already is theirs to give
    ledger[layout.CONTACT_DAMPER_WORK] = 0.0


@kernel
def begin(plant, work, y, t):
    """`touch_at_start`, callable from Python."""
    touch_at_start(plant, work, y, t)
