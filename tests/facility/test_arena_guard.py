"""The guard of the flight arena: what is sent, what flights keep, and what is reserved for it."""

import math

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from proxops.assembly.arena import arena_of, fence_of
from proxops.core.by_address import pinned
from proxops.core.jit import kernel
from proxops.facility.arena.attitude import angles_of, attitude_of, rate_of
from proxops.facility.arena.fence import acceleration_left, describe, largest_lean
from proxops.facility.arena.guard import ACTED, GUARD, REASON
from proxops.facility.arena.guarded import HOLD, first_refused, fly_guarded, raise_floor, stand
from proxops.facility.arena.lab import carriers_of, in_blocks
from proxops.facility.arena.memory import LANDED, LANDING
from proxops.facility.arena.tracking import error_poles, largest_error
from proxops.facility.arena.vehicle import GRAVITY
from tests.facility import hostile_flights as hostile
from tests.facility.arena_cases import CYCLES, PERIOD, arena_in_air, circle, shipped

APART = np.array([[-2.0, 0.0, 3.0], [2.0, 0.0, 3.0]])


def hovering(places=APART, seconds=2.0):
    """Targets (n, 2, 16) at rest."""
    targets = np.zeros((round(seconds / PERIOD), 2, 16))
    targets[:, :, :3], targets[:, :, 9] = places, 1.0
    return targets


def moved(seconds, axis, speed, which=1, places=APART):
    """Targets of which one vehicle goes to a speed within four seconds, and keeps it."""
    targets = hovering(places, seconds)
    t = PERIOD * np.arange(len(targets))
    x = np.clip(t / 4.0, 0.0, 1.0)
    way = 4.0 * (2.5 * x**4 - 3.0 * x**5 + x**6) + np.maximum(0.0, t - 4.0)
    targets[:, which, axis] += speed * way
    return targets


def guarded(targets, places=APART, **changes):
    """Both states (n, 2, 19), the arena as it was left, and what its guard said."""
    lab, drawn = arena_in_air(shipped(**changes), places)
    stand(pinned(lab))
    states = in_blocks(fly_guarded, lab, drawn, targets, CYCLES)
    return states, lab, [text for _, text in carriers_of(lab).faults()]


# --- what is sent --------------------------------------------------------------------------------


@kernel
def _angles(q):
    return angles_of((q[0], q[1], q[2], q[3]))


@kernel
def _attitude(angles):
    return attitude_of(angles[0], angles[1], angles[2])


@kernel
def _rate(angles, rates):
    return rate_of(angles[1], angles[2], (rates[0], rates[1], rates[2]))


def test_angles_and_rates_are_those_of_the_attitude():
    rng = np.random.default_rng(5)
    for _ in range(20):
        angles, rates = rng.uniform(-1.0, 1.0, 3), rng.uniform(-1.0, 1.0, 3)
        turned = Rotation.from_euler("ZYX", angles[::-1])
        q = np.array(_attitude(angles))
        assert np.allclose(Rotation.from_quat(q, scalar_first=True).as_matrix(), turned.as_matrix())
        assert np.allclose(_angles(q), angles, atol=1e-12)
        step = 1e-6
        later = Rotation.from_euler("ZYX", (angles + step * rates)[::-1])
        # half a step away from the middle: 1e-6 of the rates' change
        assert np.allclose(
            _rate(angles, rates), (later * turned.inv()).as_rotvec() / step, atol=1e-5
        )


def test_what_is_let_through_is_flown_with_the_velocity_that_it_has():
    targets = circle(10.0, 0.5)[1]
    lab, drawn = arena_in_air(shipped(), targets[0, :, :3])
    stand(pinned(lab))
    sent = []
    for each in targets:
        in_blocks(fly_guarded, lab, drawn, each[np.newaxis], CYCLES)
        sent.append(lab.commands.copy())
    sent = np.array(sent)
    assert carriers_of(lab).running
    assert np.array_equal(sent[:, :, :3], targets[:, :, :3])
    assert np.array_equal(sent[:, :, 9:13], targets[:, :, 9:13])
    # second-order differences are off by j h²/3, those of the acceleration by j h; at most 0.5 m/s3
    # on the circle, 3 m/s3 while it is taken up
    assert np.abs(sent - targets)[5:, :, 3:6].max() < 3.0 * PERIOD**2
    assert np.abs(sent - targets)[5:, :, 6:9].max() < 3.0 * PERIOD


@pytest.mark.parametrize("height", [0.0, 3.0])  # the column has none
def test_targets_that_aim_at_the_other_vehicle_are_braked_held_and_landed(height):
    places = APART + np.array([[0.0, 0.0, 0.0], [0.0, 0.0, height]])
    targets = moved(9.0, axis=0, speed=-1.0, places=places)
    states, lab, faults = guarded(targets, places)
    assert len(faults) == 1
    assert faults[0].startswith("no stop from there: the column of the target's vehicle and the")
    apart = np.hypot(*(states[:, 0, :2] - states[:, 1, :2]).T)
    assert lab.fence.flown_apart < apart.min() < lab.fence.apart + lab.fence.tracking
    assert lab.ended[REASON] == GUARD
    assert set(lab.flight.modes) <= {LANDING, LANDED}
    held = states[round((lab.ended[1] - 0.5 * HOLD) / PERIOD)]
    assert (
        np.linalg.norm(held[:, 3:6], axis=1).max() < 0.15
    )  # no longer moves, but for its overshoot
    assert lab.ended[ACTED] < lab.ended[1] - HOLD


@pytest.mark.parametrize(
    ("targets", "words"),
    [
        (moved(8.0, axis=1, speed=1.3), "y of the chaser's vehicle would reach 1.2 m/s"),
        (moved(9.0, axis=2, speed=0.9), "no stop from there: z of the chaser's vehicle would come"),
        (moved(8.0, axis=1, speed=1.0)[::5], "acceleration of y of the chaser's vehicle"),
        (np.vstack([hovering(), hovering(APART + 0.01)]), "m/s2, limit 0.75 m/s2"),
        (np.vstack([hovering(), np.nan * hovering()]), "x of the target's vehicle is not finite"),
        (
            np.vstack([hovering(), hovering(1e300 * APART)]),
            "position of x of the target's vehicle -2e+300 m",
        ),
    ],
)
def test_what_is_refused_is_said_in_words(targets, words):
    assert words in guarded(targets)[2][0]


def test_the_floor_is_fenced_off_once_both_are_above_it():
    down = moved(6.0, axis=2, speed=-1.0)
    lab, _ = arena_in_air(shipped(), APART)
    stand(pinned(lab))
    low = first_refused(pinned(lab), down)
    stand(pinned(lab))
    raise_floor(pinned(lab))
    high = first_refused(pinned(lab), down)
    assert high < low < len(down)
    least = lab.fence.lowest[2]
    assert down[high - 1, 1, 2] > least
    assert least == pytest.approx(0.6 + lab.fence.tracking)


# --- rotors --------------------------------------------------------------------------------------


def test_a_vehicle_that_leans_is_left_what_its_rotors_have():
    given = shipped()
    fence, craft = fence_of(given), arena_of(given).vehicle
    lean = math.radians(10.0)
    left = acceleration_left.py_func(fence, math.sin(lean))
    assert 0.1 < left < 0.25
    assert acceleration_left.py_func(fence, 0.0) == fence.acceleration
    assert largest_lean(fence) > lean
    worst = []
    for azimuth in np.linspace(0.0, math.tau, 48):
        # both axes at their limit, and the lean towards any side
        a = math.sqrt(2.0) * left * np.array([math.cos(azimuth), math.sin(azimuth), 0.0])
        a[2] = GRAVITY
        force = Rotation.from_euler("x", lean).inv().apply(craft.mass * a)
        thrusts = craft.allocation[:, :3] @ force
        worst.append(min(thrusts.min() - craft.least, craft.largest - thrusts.max()))
    assert 0.0 < min(worst) < 0.5  # some is kept for the attitude


# --- what is reserved ----------------------------------------------------------------------------


@kernel
def _follow(lab, targets, room, errors):
    hostile.hover(lab, targets[0], room[0], room[1], room[2])
    for i in range(targets.shape[0]):
        for k in range(16):
            lab.flight.targets[1, k] = targets[i, 1, k]
        errors[i] = targets[i, 1, 0] - room[0][1, 0]
        hostile.fly_simply(lab, room[0], room[1], room[2])


def test_the_error_of_a_vehicle_is_that_of_the_transfer_function():
    lab, _ = arena_in_air(shipped(), APART)
    targets = hovering(seconds=8.0)
    t = PERIOD * np.arange(len(targets))
    a = np.where(t < 1.0, 0.7, 0.0) - np.where((t >= 3.0) & (t < 4.0), 0.7, 0.0)
    v = PERIOD * np.cumsum(np.append(0.0, a[:-1]))
    p = PERIOD * np.cumsum(np.append(0.0, v[:-1] + 0.5 * PERIOD * a[:-1]))
    targets[:, 1, 0] += p
    targets[:, 1, 3], targets[:, 1, 6] = v, a
    errors = np.zeros(len(t))
    _follow(pinned(lab), targets, hostile.scratch(), errors)
    residues, poles = error_poles(lab.arena.vehicle, lab.arena.gains)
    # response to a constant acceleration of one period, at the end of each later one
    grown = residues / poles * (np.exp(poles * PERIOD) - 1.0)
    pulse = np.real(np.exp(np.outer(t, poles)) @ grown)
    expected = np.append(0.0, np.convolve(a, pulse)[: len(t) - 1])
    assert np.abs(expected).max() > 0.015
    # cycles of 2.5 ms beside filters of 32 ms and a lag of 30 ms: some 5 %
    assert np.abs(errors - expected).max() < 0.06 * np.abs(expected).max()


def test_no_history_within_the_limits_leads_further_than_what_is_reserved():
    model = arena_of(shipped())
    craft, gains = model.vehicle, model.gains
    bound = largest_error(craft, gains, 1.2, 0.75) / math.sqrt(2.0)
    residues, poles = error_poles(craft, gains)
    dt = 0.02
    ages = dt * (np.arange(750) + 0.5)
    response = dt * np.real(np.exp(np.outer(ages, poles)) @ residues)
    rng, worst = np.random.default_rng(3), 0.0
    for _ in range(300):
        switches = np.cumsum(rng.uniform(0.2, 4.0, 20))
        v, reached = 0.0, np.zeros(750)
        for i, now in enumerate(dt * np.arange(750)):
            sign = 1.0 if np.searchsorted(switches, now) % 2 else -1.0
            gain = min(1.2 - v, max(-1.2 - v, sign * 0.75 * dt))
            v += gain
            reached[i] = gain / dt
        worst = max(worst, float(np.abs(np.convolve(reached, response)[:750]).max()))
    assert 0.75 * bound < worst < bound
    # drag alone, reversed at the largest speed: (c/m) v of it, through what the loop leaves
    assert largest_error(craft._replace(drag=0.0), gains, 1.2, 0.75) < 0.4 * bound


def test_reserve_and_separation_are_in_what_targets_keep():
    fence = fence_of(shipped())
    assert fence.flown_apart == pytest.approx(1.5 * 0.79)
    assert fence.apart == pytest.approx(fence.flown_apart + 2.0 * fence.tracking + 0.005)
    assert 0.05 < fence.tracking < 0.1
    (pair,) = describe(fence, 0.02).pairs
    assert pair.least == pytest.approx(fence.apart - fence.tips)


# --- hostile -------------------------------------------------------------------------------------


def judge(found, fence):
    assert found[hostile.APART] >= fence.flown_apart
    assert found[hostile.APART] - fence.tips >= 0.39
    assert found[hostile.OUTSIDE] <= fence.tracking
    assert found[hostile.ERROR] <= fence.tracking
    assert found[hostile.ALTERED] == found[hostile.ENDLESS] == 0.0
    for limit in (hostile.SPEED, hostile.ACCELERATION, hostile.JERK):
        assert found[limit] <= 1.0 + 1e-6  # positions of some metres, rounded, over h³


@pytest.mark.slow
def test_hostile_targets_bring_no_flight_closer_than_the_column():
    found, fence = hostile.simple_flights(400)
    judge(found, fence)
    assert found[hostile.STOPS] == 400
    # the adversary came close
    assert found[hostile.APART] < fence.apart + 0.01
    assert found[hostile.SPEED] > 0.99
    assert found[hostile.ACCELERATION] > 0.999
    assert found[hostile.ERROR] > 0.02


def test_hostile_targets_bring_no_whole_vehicle_closer_either():
    found, fence = hostile.full_flights(20)
    judge(found, fence)
    assert found[hostile.STOPS] == 20
