"""The service that opens valves: what it makes of the reports of actuators."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

from proxops.core.description import ThrusterDescription
from proxops.onboard.functions.allocation import allocate, thrusters, wheels
from proxops.onboard.functions.allocation.allocate import PATIENCE
from proxops.onboard.functions.allocation.within_bounds import HIGH

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


def asked_of(seconds, thrust, late=0.0, every=1, delay=0, commanded=lambda cycle: True):
    """What may be asked of two thrusters, commanded to push or not for so long, of which one is
    said to push so much at a time and the other as it is commanded; reports are made every few
    cycles and come some cycles later."""
    state, count = allocate.start(PLATFORM), 0
    report = SimpleNamespace(
        telemetry_t=np.zeros(1),
        telemetry_count=np.zeros(1),
        telemetry_lateness=np.zeros(1),
        telemetry_thrust=np.zeros(len(THRUSTERS)),
    )
    for cycle in range(round(seconds / CYCLE)):
        made = cycle - delay
        if made >= 0 and made % every == 0:
            count += 1
            before = made > 0 and commanded(made - 1)  # acts until the next
            pushes = [thrust(made * CYCLE), THRUST * before]
            report.telemetry_t[0], report.telemetry_count[0] = made * CYCLE, count
            report.telemetry_lateness[0], report.telemetry_thrust[:] = late, pushes
        allocate.disable_silent_thrusters.py_func(PLATFORM, state, report)
        allocate.note_pulses.py_func(
            state.pulses, np.full(2, float(commanded(cycle))), cycle * CYCLE, CYCLE
        )
    return state.jets.bounds[:, HIGH].tolist()


def test_a_thruster_that_does_not_push_is_given_up_after_a_while_and_no_other_is():
    enough = PATIENCE + SHORTEST
    assert asked_of(enough - CYCLE, lambda t: 0.0) == [1.0, 1.0]
    assert asked_of(enough + 3 * CYCLE, lambda t: 0.0) == [0.0, 1.0]


@pytest.mark.parametrize("pause", [0.0, SHORTEST, 0.04])
def test_a_thruster_that_pushes_now_and_then_is_kept(pause):
    assert asked_of(1.0, lambda t: THRUST * (t % (pause + 0.01) >= pause)) == [1.0, 1.0]


def test_silence_is_no_sign_while_commands_are_late():
    assert asked_of(1.0, lambda t: 0.0, late=0.1) == [1.0, 1.0]


def test_less_than_half_a_thrust_is_none():
    assert asked_of(1.0, lambda t: 0.49 * THRUST) == [0.0, 1.0]
    assert asked_of(1.0, lambda t: 0.51 * THRUST) == [1.0, 1.0]


@pytest.mark.parametrize("delay", [0, 7, 25])
@pytest.mark.parametrize("every", [1, 10])
def test_old_reports_are_held_against_what_a_thruster_was_told_then(every, delay):
    """Pulses of 20 ms every 50 ms: a report about one arrives while it lasts, or after it."""

    def commanded(cycle):
        return cycle % 50 < 20

    found = asked_of(2.0, lambda t: 0.0, every=every, delay=delay, commanded=commanded)
    assert found == [0.0, 1.0]


@pytest.mark.parametrize("share", [0.1, 0.5, 0.999])
def test_a_valve_that_closes_within_a_cycle_is_not_missed_at_its_end(share):
    """Open for longer than the shortest pulse, then for a share of a cycle: reports are made as
    cycles begin."""
    state = allocate.start(PLATFORM)
    for cycle, valve in enumerate((*(1.0,) * 30, share, 0.0, 0.0)):
        pushes = THRUST * (0 < cycle <= 30)
        report = SimpleNamespace(
            telemetry_t=[cycle * CYCLE],
            telemetry_count=[cycle + 1.0],
            telemetry_lateness=[0.0],
            telemetry_thrust=np.full(2, pushes),
        )
        allocate.disable_silent_thrusters.py_func(PLATFORM, state, report)
        allocate.note_pulses.py_func(state.pulses, np.full(2, valve), cycle * CYCLE, CYCLE)
    assert not state.silent_time.any()


def lateness_known(t, reported_at, reported):
    seen = SimpleNamespace(t=[t], telemetry_t=[reported_at], telemetry_lateness=[reported])
    return allocate.known_lateness.py_func(PLATFORM, seen)


def test_a_lateness_stays_as_reported_and_grows_once_reports_fail_to_come():
    assert lateness_known(3.0, 3.0, 0.2) == 0.2
    assert lateness_known(3.0, 3.0 - 0.99 * OLDEST, 0.2) == 0.2
    assert lateness_known(3.0, 2.0, 0.0) == pytest.approx(1.0 - OLDEST, abs=1e-12)
    assert lateness_known(3.0, 2.0, 0.2) == pytest.approx(1.2 - OLDEST, abs=1e-12)
