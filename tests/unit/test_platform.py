"""The service that opens valves: what it makes of the reports of actuators."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
from tests.laws.written import written

from proxops.core.description import ThrusterDescription
from proxops.onboard.functions.allocation import allocate, thrusters, wheels
from proxops.onboard.functions.allocation import thruster_monitor as monitor
from proxops.onboard.functions.allocation.thruster_monitor import (
    FINDING,
    PATIENCE,
    STUCK_CLOSED,
    STUCK_OPEN,
    WORKS,
)

CYCLE = 0.001
SHORTEST = 0.01
THRUST = 10.0
THRUSTERS = [
    ThrusterDescription("", np.eye(3)[i], np.eye(3)[i], THRUST, 0.0, 0.0, SHORTEST)
    for i in range(2)
]
OLDEST = 0.06
PLATFORM = allocate.Platform(
    thrusters.build(THRUSTERS, 0.1), wheels.build([], math.inf, CYCLE), CYCLE, OLDEST
)


def watched(
    seconds,
    burns,
    late=lambda t: 0.0,
    every=1,
    delay=0,
    commanded=lambda cycle: 1.0,
    cycle_s=CYCLE,
    begins=0,
):
    """State of a monitor of two thrusters, commanded to burn for a share of each cycle, of which
    the first burns so much of it and the second as it is commanded.  Reports are made every few
    cycles and come some cycles later; it begins at a cycle."""
    state, impulse = monitor.start(2, delay * cycle_s, cycle_s), np.zeros(2)
    report = SimpleNamespace(
        telemetry_t=np.zeros(1),
        telemetry_count=np.zeros(1),
        telemetry_lateness=np.zeros(1),
        telemetry_impulse=np.zeros(2),
    )
    told = []
    for cycle in range(begins, begins + round(seconds / cycle_s)):
        told.append((cycle * cycle_s, impulse.copy()))
        made = cycle - begins - delay
        if made >= 0 and made % every == 0:
            report.telemetry_count[0] += 1.0
            report.telemetry_t[0], report.telemetry_impulse[:] = told[made]
            report.telemetry_lateness[0] = late(told[made][0])
        written(monitor.note_cycle)(state, cycle * cycle_s, cycle_s)
        jets = PLATFORM.jets
        written(monitor.watch)(state, jets.wrenches, jets.shortest, report, cycle_s)
        asked = commanded(cycle)
        written(monitor.note_valves)(state, np.full(2, asked), cycle_s)
        impulse += THRUST * cycle_s * np.array([burns(cycle, asked), asked])
    return state


def verdicts(*args, **more):
    return watched(*args, **more).verdict.tolist()


def test_a_thruster_that_does_not_push_is_given_up_after_a_while_and_no_other_is():
    enough = PATIENCE + SHORTEST
    assert verdicts(enough - CYCLE, lambda cycle, asked: 0.0) == [WORKS, WORKS]
    assert verdicts(enough + 3 * CYCLE, lambda cycle, asked: 0.0) == [STUCK_CLOSED, WORKS]


def test_a_thruster_that_pushes_without_a_command_is_found_after_a_while_and_no_other_is():
    enough = PATIENCE + SHORTEST
    silent = {"commanded": lambda cycle: 0.0}
    assert verdicts(enough - CYCLE, lambda cycle, asked: 1.0, **silent) == [WORKS, WORKS]
    assert verdicts(enough + 3 * CYCLE, lambda cycle, asked: 1.0, **silent) == [STUCK_OPEN, WORKS]


@pytest.mark.parametrize("pulse", [0.1, 0.3, 0.95])
@pytest.mark.parametrize("stuck", [0.0, 1.0])
def test_pulses_within_a_cycle_are_not_missed(pulse, stuck):
    """Cycles of 0.2 s, every fifth with a pulse of a share of it, as timed burns have them: what is
    missing, or too much, adds up from pulse to pulse."""

    def commanded(cycle):
        return pulse if cycle % 5 == 0 else 0.0

    flown = {"commanded": commanded, "cycle_s": 0.2}
    assert verdicts(20.0, lambda cycle, asked: asked, **flown) == [WORKS, WORKS]
    state = watched(20.0, lambda cycle, asked: stuck, **flown)
    assert state.verdict.tolist() == [STUCK_OPEN if stuck else STUCK_CLOSED, WORKS]
    number, found, limit = state.notes[FINDING : FINDING + 3]
    assert number == (-1.0 if stuck else 1.0)
    assert limit == PATIENCE + SHORTEST < found <= 0.2 + limit


@pytest.mark.parametrize("share", [0.51, 0.9, 1.1])
def test_a_thruster_that_is_weak_or_strong_is_kept(share):
    """In pulses of 20 ms and in long burns; a tenth too much is no push without a command."""
    for commanded in (lambda cycle: 1.0, lambda cycle: float(cycle % 50 < 20)):
        found = verdicts(1.0, lambda cycle, asked: share * asked, commanded=commanded)
        assert found == [WORKS, WORKS]


def test_less_than_half_a_thrust_is_none():
    assert verdicts(1.0, lambda cycle, asked: 0.49 * asked) == [STUCK_CLOSED, WORKS]


@pytest.mark.parametrize("pause", [0.0, SHORTEST, 0.04])
def test_a_thruster_that_pushes_now_and_then_is_kept(pause):
    def burns(cycle, asked):
        return float(CYCLE * cycle % (pause + 0.01) >= pause)

    assert verdicts(1.0, burns) == [WORKS, WORKS]


def test_what_thrusters_do_is_no_sign_while_commands_are_late():
    assert verdicts(1.0, lambda cycle, asked: 0.0, late=lambda t: 0.1) == [WORKS, WORKS]

    # Late by half a second at first: what is carried out then was commanded before
    def burns(cycle, asked):
        return 0.0 if cycle < 500 else asked

    found = verdicts(1.0, burns, late=lambda t: 0.5 if t <= 0.5 else 0.0, every=20)
    assert found == [WORKS, WORKS]


@pytest.mark.parametrize("delay", [0, 7, 25])
@pytest.mark.parametrize("every", [1, 10])
@pytest.mark.parametrize("begins", [0, 1234])
def test_old_reports_are_compared_with_what_was_commanded_then(every, delay, begins):
    """Pulses of 20 ms every 50 ms: a report about one arrives while it lasts, or after it."""
    flown = {
        "every": every,
        "delay": delay,
        "begins": begins,
        "commanded": lambda cycle: float(cycle % 50 < 20),
    }
    assert verdicts(2.0, lambda cycle, asked: 0.0, **flown) == [STUCK_CLOSED, WORKS]
    assert verdicts(2.0, lambda cycle, asked: 1.0, **flown) == [STUCK_OPEN, WORKS]
    assert verdicts(2.0, lambda cycle, asked: asked, **flown) == [WORKS, WORKS]


def lateness_known(t, reported_at, reported):
    seen = SimpleNamespace(t=[t], telemetry_t=[reported_at], telemetry_lateness=[reported])
    return allocate.known_lateness.py_func(PLATFORM, seen)


def test_a_lateness_stays_as_reported_and_grows_once_reports_fail_to_come():
    assert lateness_known(3.0, 3.0, 0.2) == 0.2
    assert lateness_known(3.0, 3.0 - 0.99 * OLDEST, 0.2) == 0.2
    assert lateness_known(3.0, 2.0, 0.0) == pytest.approx(1.0 - OLDEST, abs=1e-12)
    assert lateness_known(3.0, 2.0, 0.2) == pytest.approx(1.2 - OLDEST, abs=1e-12)
