"""Thrusters: valves, ramps, impulse and torque."""

import math

import numpy as np
import pytest

from proxops.actuators.thrusters import build, fire, start, until_valve_moves
from proxops.core.description import ThrusterDescription
from proxops.core.jit import kernel

ALONG = np.array([0.6, 0.0, 0.8])
ARM = np.array([0.3, -1.2, 0.5])


@kernel
def fired(model, valves, state, dt, wrench):
    """`fire`, callable from Python."""
    fire(model, valves, state, dt, wrench)


@kernel
def until_moved(model, burns, state, dt):
    """`until_valve_moves`, callable from Python."""
    return until_valve_moves(model, burns, state, dt)


def thruster(rise=0.0, fall=0.0, min_pulse=0.0, thrust=20.0):
    return ThrusterDescription("one", ARM, ALONG, thrust, rise, fall, min_pulse)


def forces(description, asked, dt):
    """Force over each step along the thruster's direction [N]."""
    model = build([description])
    state = start(model)
    found = []
    for valve in asked:
        wrench = np.zeros(6)
        fired(model, np.array([dt * valve]), state, dt, wrench)
        np.testing.assert_allclose(wrench[3:], np.cross(ARM, wrench[:3]), atol=1e-14)
        found.append(wrench[:3] @ ALONG)
    # What is booked is what has pushed, to rounding of the sum
    assert state.impulse[0] == pytest.approx(sum(found) * dt, rel=1e-13)
    return np.array(found)


def test_without_ramps_thrust_is_full_while_the_valve_is_open():
    np.testing.assert_allclose(
        forces(thruster(), [0, 1, 1, 0, 1], 0.01), [0.0, 20.0, 20.0, 0.0, 20.0], rtol=1e-15
    )


@pytest.mark.parametrize("steps", [1, 2, 7, 50])
@pytest.mark.parametrize("pulse", [0.03, 0.3])
def test_the_impulse_of_a_pulse_is_exact_for_any_step(steps, pulse):
    """A trapezium; a triangle where the pulse is shorter than the rise of 0.1 s."""
    rise, fall, full = 0.1, 0.04, 20.0
    top = full * min(1.0, pulse / rise)
    up = rise * top / full
    wanted = 0.5 * top * up + top * (pulse - up) + 0.5 * top * fall * top / full
    dt = pulse / steps
    asked = [1] * steps + [0] * (2 + math.ceil(fall / dt))
    found = forces(thruster(rise, fall), asked, dt).sum() * dt
    assert found == pytest.approx(wanted, rel=1e-13)


def test_a_valve_keeps_a_new_state_for_the_minimum_pulse():
    """Of 30 ms, in steps of 10 ms: three steps, whatever is asked in them."""
    asked = [0, 1, 0, 0, 0, 1, 1, 1, 0, 1]
    given = [0, 1, 1, 1, 0, 0, 0, 1, 1, 1]
    found = forces(thruster(min_pulse=0.03), asked, 0.01)
    np.testing.assert_allclose(found, 20.0 * np.array(given), rtol=1e-15)


@pytest.mark.parametrize("dt", [1.0, 0.25, 0.1])
@pytest.mark.parametrize("burn", [0.03, 0.2, 0.41, 1.0])
def test_a_burn_ends_within_a_step_where_its_time_is_over(burn, dt):
    """F (burn + ½ (fall - rise)): what the ramp up lacks, the ramp down adds."""
    rise, fall, full = 0.02, 0.01, 20.0
    model = build([thruster(rise, fall)])
    state, burns, impulse = start(model), np.array([burn]), 0.0
    for _ in range(round(2.0 / dt)):
        wrench = np.zeros(6)
        fired(model, burns, state, dt, wrench)
        impulse += dt * (wrench[:3] @ ALONG)
    assert impulse == pytest.approx(full * (burn + 0.5 * (fall - rise)), rel=1e-12)
    assert burns[0] == 0.0


def test_a_burn_is_no_shorter_than_the_minimum_pulse():
    model = build([thruster(min_pulse=0.05)])
    state, wrench = start(model), np.zeros(6)
    fired(model, np.array([0.02]), state, 1.0, wrench)
    assert wrench[:3] @ ALONG == pytest.approx(20.0 * 0.05, rel=1e-12)


def test_the_wrench_is_the_sum_over_thrusters_added_to_what_was_there():
    two = ThrusterDescription("two", -ARM, -ALONG, 7.0, 0.0, 0.0, 0.0)
    model = build([thruster(), two])
    wrench = np.ones(6)
    fired(model, np.array([0.1, 0.1]), start(model), 0.1, wrench)
    np.testing.assert_allclose(wrench[:3], 1.0 + 13.0 * ALONG, rtol=1e-14)
    np.testing.assert_allclose(wrench[3:], 1.0 + 27.0 * np.cross(ARM, ALONG), rtol=1e-14)


def test_a_chaser_without_thrusters_feels_nothing():
    model = build([])
    wrench = np.zeros(6)
    fired(model, np.zeros(0), start(model), 0.1, wrench)
    assert not wrench.any()


@pytest.mark.parametrize("step", [0.2, 0.1, 0.05])
@pytest.mark.parametrize("min_pulse", [0.0, 0.02])
def test_parts_that_end_where_valves_move_give_one_thrust_in_time_for_any_step(step, min_pulse):
    """Three thrusters, burns of all lengths: each part has full thrust or none, and the times at
    which they open and close do not depend on the step."""
    rng, period = np.random.default_rng(3), 0.2
    asked = rng.uniform(0.0, period, (50, 3)) * rng.integers(0, 2, (50, 3))
    asked[rng.random((50, 3)) < 0.2] = period

    def changes(step):
        model = build([thruster(min_pulse=min_pulse)] * 3)
        state, t, found, before = start(model), 0.0, [], [0.0] * 3
        for burns in asked.copy():
            for _ in range(round(period / step)):
                left = step
                while left > 0.0:
                    dt = until_moved(model, burns, state, left)
                    impulse = state.impulse.copy()
                    fired(model, burns, state, dt, np.zeros(6))
                    mean = (state.impulse - impulse) / dt
                    assert np.all((np.abs(mean) < 1e-6) | (np.abs(mean - 20.0) < 1e-6))
                    for i in np.flatnonzero(np.abs(mean - before) > 1.0):
                        found.append((t, int(i), mean[i] > 1.0))
                    before, t, left = mean, t + dt, left - dt
        return found

    found, finest = changes(step), changes(0.0125)
    assert len(found) > 50
    assert [(i, up) for _, i, up in found] == [(i, up) for _, i, up in finest]
    np.testing.assert_allclose([t for t, _, _ in found], [t for t, _, _ in finest], atol=1e-8)
