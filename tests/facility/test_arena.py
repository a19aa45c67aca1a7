"""Two multirotors with their autopilots: what they hold, what disturbs them, how they land."""

import math

import numpy as np
import pytest

from proxops.facility.arena.guard import (
    NOT_FINITE,
    NOTHING,
    OUTSIDE,
    POSE_LOST,
    REASON,
    TOO_CLOSE,
    WHEN,
    check_targets,
)
from proxops.facility.arena.memory import EST_FORCE_BIAS, LANDED
from proxops.facility.arena.vehicle import CYCLE, GRAVITY
from proxops.physics.multirotor.body import Body, acceleration
from tests.facility.arena_cases import (
    LEAD,
    PERIOD,
    SETTLE,
    circle,
    errors,
    fly,
    roll_and_pitch,
    shipped,
)

STEADY = 0.0  # [s], when the circle is flown at its speed


@pytest.fixture(scope="module")
def slow_circle():
    t, targets = circle(30.0, 1.0)
    states, _ = fly(shipped(), targets)
    return t, targets, states


def test_a_circle_is_flown_level_and_near_its_reference(slow_circle):
    t, targets, states = slow_circle
    steady = t >= STEADY
    assert errors(states, targets)[steady].max() < 0.06
    assert roll_and_pitch(states)[steady].std(axis=0).max() < 0.15


@pytest.mark.slow  # twenty flights of 100 s: some 7 s
def test_twenty_seeds_fly_the_circle_alike():
    t, targets = circle(30.0)
    steady = t >= STEADY
    for seed in range(20):
        states, _ = fly(shipped(), targets, seed)
        assert errors(states, targets)[steady].max() < 0.06, seed
        assert roll_and_pitch(states)[steady].std(axis=0).max() < 0.15, seed


def test_without_vibration_the_error_is_what_drag_leaves_of_it():
    """Drag c v, which turns at w, is left to the velocity loop: with its P, I and D

        |a| = c v/m = |e_v| |P + I/(jw) + jw D|,   |e_v| = |e| |1 + jw|

    where the position's P of 1/s makes a speed of an error e."""
    t, targets = circle(30.0)
    states, _ = fly(shipped(imu__vibration_m_s2=1e-3, imu__rate_noise_rad_s=1e-5), targets)
    w = math.tau / 30.0
    loop = abs(2.0 + 1.0 / (1j * w) + 0.25j * w) * abs(1.0 + 1j * w)
    expected = 0.3 * 1.8 * w / 2.3 / loop
    late = t > 30.0
    # the velocity's filters and the rotors' lag are left out: some 3 % at 0.2 rad/s
    assert errors(states, targets)[late].mean() == pytest.approx(expected, rel=0.06)


def test_a_fast_circle_is_flown_level_by_tilted_rotors_and_leaning_by_upright_ones():
    t, targets = circle(10.0)
    steady = t >= STEADY
    tilted, _ = fly(shipped(), targets)
    upright, _ = fly(shipped(vehicle__alpha_deg=0.0), targets)
    assert roll_and_pitch(tilted)[steady].std(axis=0).max() < 0.15
    assert roll_and_pitch(upright)[steady].std(axis=0).min() > 2.0
    assert errors(tilted, targets)[steady].max() < 0.1
    assert errors(upright, targets)[steady].max() < 0.1


def test_ten_degrees_of_roll_are_held_on_the_circle():
    t, targets = circle(30.0, 1.0, roll_deg=10.0)
    states, _ = fly(shipped(), targets)
    steady = t >= STEADY
    angles = roll_and_pitch(states)[steady]
    assert errors(states, targets)[steady].max() < 0.05
    assert np.abs(angles - [10.0, 0.0]).max() < 0.3


def test_the_wake_of_one_vehicle_pushes_the_other_down():
    _, targets = circle(30.0, 1.0)
    targets[:, 0, :3] = [1.8, 0.0, 1.0]  # the circle passes 2 m above it
    felt, _ = fly(shipped(limits__abort_deg=90.0), targets)
    still, _ = fly(shipped(wake=False), targets)
    assert errors(felt, targets, 0).max() > 0.1
    assert errors(still, targets, 0).max() < 0.03
    assert (felt[:, 0, 2] - targets[:, 0, 2]).min() < -0.1


def test_what_moves_a_vehicle_is_the_thrust_of_its_rotors():
    """A vehicle that were put where it is to be would have no such thrusts."""
    _, targets = circle(10.0, 0.2)
    fine = np.repeat(targets, 8, axis=0)
    fine[:, :, :3] += np.tile(CYCLE * np.arange(8), len(targets))[:, None, None] * fine[:, :, 3:6]
    states, lab = fly(shipped(), fine, cycles=1)
    craft = lab.arena.vehicle
    body = Body(
        craft.mass,
        craft.inertia,
        craft.mixer,
        craft.lag,
        craft.drag,
        GRAVITY,
        np.zeros(6),
        np.ones(6),
        np.zeros(3),
    )
    a = np.array([acceleration(body, np.ascontiguousarray(y)) for y in states[:, 1]])
    gained = np.diff(states[:, 1, 3:6], axis=0) / CYCLE
    # mean of both ends against the mean over a cycle: thrusts change by up to 1 N in a cycle of
    # 2.5 ms with a lag of 30 ms, which leaves (2.5/30)/12 of their curvature
    assert np.abs(gained - 0.5 * (a[1:] + a[:-1])).max() < 0.02
    assert np.linalg.norm(a, axis=1).max() > 0.5


def test_biases_of_the_imu_are_found_while_motion_capture_is_there():
    _, targets = circle(30.0, 0.5)
    bias = 0.05
    _, lab = fly(shipped(imu__force_bias_m_s2=bias, imu__rate_bias_rad_s=0.002), targets)
    found = lab.flight.estimate[1, EST_FORCE_BIAS : EST_FORCE_BIAS + 3]
    spread = np.sqrt(np.diag(lab.flight.covariance[1])[9:12])
    assert np.abs(found - bias).max() < 4.0 * spread.max()
    assert spread.max() < 0.03


@pytest.mark.parametrize("seed", range(4))
def test_a_lost_pose_lands_both_vehicles_near_where_they_were(seed):
    lost = SETTLE + LEAD + 10.0
    given = shipped(
        motion_capture__lost_at_s=lost, imu__force_bias_m_s2=0.05, imu__rate_bias_rad_s=0.002
    )
    _, targets = circle(30.0, 1.0)
    states, lab = fly(given, targets, seed)
    assert lab.ended[REASON] == POSE_LOST
    assert lost < lab.ended[WHEN] < lost + 0.5
    assert (lab.flight.modes == LANDED).all()
    there = states[math.ceil(lost / PERIOD), :, :2]
    assert np.linalg.norm(lab.flight.y[:, :2] - there, axis=1).max() < 1.0
    assert (lab.flight.y[:, 2] == 0.0).all()


def test_the_guard_knows_what_targets_break():
    _, targets = circle(30.0, 0.1)
    _, lab = fly(shipped(), targets[:2])
    good = targets[0]

    def found(which: int, column: int, value: float) -> int:
        bad = good.copy()
        bad[which, column] = value
        return int(check_targets(lab.fence, bad))

    assert check_targets(lab.fence, good) == NOTHING
    assert found(1, 5, math.nan) == NOT_FINITE
    assert found(0, 12, math.inf) == NOT_FINITE
    assert found(1, 0, 9.5) == OUTSIDE
    assert found(0, 2, 0.1) == OUTSIDE
    above = good.copy()
    least = lab.fence.apart
    above[1, :3] = above[0, :3] + [least - 0.01, 0.0, 3.0]  # in the column of the wake
    assert check_targets(lab.fence, above) == TOO_CLOSE
    above[1, 0] += 0.02
    assert check_targets(lab.fence, above) == NOTHING
