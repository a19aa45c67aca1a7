"""Predictions of a boost against a simulation of two bodies that shares no code with them.

The published study's figures, as a correct model gives them, are pinned here too.
"""

import math

import numpy as np
import pytest
from tests.cross import two_body_referee as referee
from tests.cross.two_body_referee import Case, simulate

from proxops.physics.boost import balance, course, sliding
from proxops.physics.boost.pair import Pair, placed, ring

LOCK = {"lock": (1e5, 1e5, 1e5), "lock_damping": (3e3, 3e3, 3e3)}
ROBOT = {"robot": (0.0, 75.0, 25.0), "lock": (0.0, 0.0, 1e5), "lock_damping": (0.0, 0.0, 5e3)}
TURNED = math.pi / 6.0


def pair(y, z):
    centre = np.array([-1.225, 0.0, 0.0])
    chaser = placed(1200.0, referee.CHASER_INERTIA, centre)
    target = placed(8200.0, referee.TARGET_INERTIA, np.array([5.0, y, z]), math.pi / 2.0)
    return Pair(chaser, target, np.array([1500.0, 0.0, 0.0]), centre)


def lost(t, seen):
    return t > 5.0 and seen["pads"].min() < 0.0  # pads start uncompressed


def crossing(t, margin):
    """Where the last two samples pass through zero."""
    return t[-2] + (t[-1] - t[-2]) * margin[-2] / (margin[-2] - margin[-1])


def locked(deviation, phase=0.0, until=lost):
    case = Case(deviation=(deviation, deviation), phase=phase, **LOCK)
    return simulate(case, 50.0, 0.02, until=until)


def test_the_referee_moves_both_bodies_by_the_thrust_alone():
    """Every element acts on both bodies at one point: momentum and angular momentum change by the
    thrust, to rounding, in any state."""
    rng = np.random.default_rng(3)
    case = Case(robot=(5.0, 75.0, 25.0), **LOCK)
    y = referee.start(case) + rng.normal(0.0, 0.1, 26)
    for at in (3, 16):
        y[at : at + 4] /= np.linalg.norm(y[at : at + 4])
    rate, _ = referee.evaluate(case, y)
    R_s, R_t = referee.rotation(y[3:7]), referee.rotation(y[16:20])
    push = R_s @ np.array([1500.0, 0.0, 0.0])
    np.testing.assert_allclose(1200.0 * rate[7:10] + 8200.0 * rate[20:23], push, atol=1e-8)
    total = np.cross(y[0:3], 1200.0 * rate[7:10]) + np.cross(y[13:16], 8200.0 * rate[20:23])
    for R, I, w, w_dot in (
        (R_s, case.chaser_inertia, y[10:13], rate[10:13]),
        (R_t, case.target_inertia, y[23:26], rate[23:26]),
    ):
        total += R @ (I @ w_dot + np.cross(w, I @ w))
    np.testing.assert_allclose(total, np.cross(y[0:3], push), atol=1e-7)


@pytest.mark.slow
def test_locked_bodies_carry_the_predicted_loads_as_pads_grow_stiff():
    """After 20 s.  The pads' give shifts the target by an amount inverse to their stiffness, so
    the way from pads to ten times stiffer ones, a ninth of it again, ends at the rigid prediction;
    what is left is the square of the give, which changes rates by 6 % and so leaves 1e-3."""
    both = pair(0.35, 0.35)
    w = course.course(both, 20.0).w[-1]
    load = balance.interface_load(both, w)
    pads = balance.pad_forces(load, ring(6, 0.8))
    stiff_lock = {"lock": (1e6, 1e6, 1e6), "lock_damping": (1e4, 1e4, 1e4)}
    soft, stiff = (
        simulate(Case(stiffness=1e4 * k, damping=3e3 * k, **stiff_lock), 20.0, 0.01)
        for k in (1.0, 10.0)
    )

    def rigid(name):
        first, second = getattr(soft, name)[-1], getattr(stiff, name)[-1]
        return second + (second - first) / 9.0

    np.testing.assert_allclose(rigid("rate"), w, atol=1e-4)
    np.testing.assert_allclose(rigid("pads"), pads, rtol=2e-3)
    np.testing.assert_allclose(rigid("lock")[:2], load.force[1:], atol=0.1)
    np.testing.assert_allclose(rigid("lock")[2], load.tau_x, atol=0.01)


@pytest.mark.slow
def test_the_first_pad_is_lost_when_the_study_says_it_should_be():
    """The tolerances are the digits given; a stiffer lock moves them by 0.04 s."""
    found = locked(0.35)
    assert crossing(found.t, found.pads.min(axis=1)) == pytest.approx(44.9, abs=0.06)
    assert np.abs(found.lock[found.t <= 38.0, 2]).max() == pytest.approx(4.90, abs=0.02)
    for phase, expected in ((0.0, 36.6), (TURNED, 37.8)):
        found = locked(0.39, phase)
        assert crossing(found.t, found.pads.min(axis=1)) == pytest.approx(expected, abs=0.06)


def test_friction_of_one_half_suffices_for_forty_seconds():
    def slips(t, seen):
        return t > 5.0 and math.hypot(*seen["lock"][:2]) > 0.5 * seen["normal"]

    found = locked(0.40, until=slips)
    assert found.t[-1] == pytest.approx(41.3, abs=0.1)


def test_without_friction_the_bodies_slide_back_to_zero_deviation():
    found = simulate(Case(deviation=(0.38, 0.38), **ROBOT), 60.0, 0.05)
    assert np.hypot(*found.deviation[-1]) < 0.02
    assert found.pads[found.t > 1.0].min() > 190.0
    largest = np.abs(found.robot).max(axis=0)
    torque = np.abs(found.lock[:, 2]).max()
    # published 6.0 N, 11.2 N, 31 N m: all larger by one factor
    np.testing.assert_allclose(
        [6.0, 11.2, 31.0] / np.array([*largest[1:], torque]), 1.54, atol=0.04
    )


def test_small_sliding_is_the_linear_prediction():
    """From 1 mm for 20 s, pads settled: what is quadratic is 1e-3 rad of a millimetre, and less."""
    dt, start = 0.02, np.zeros(12)
    found = simulate(Case(deviation=(1e-3, 1e-3), settled=True, **ROBOT), 20.0, dt)
    robot = sliding.Robot(np.array([0.0, 75.0, 25.0]), np.array([0.0, 2.5, 2.0]), 1e5, 5e3)
    system = sliding.sliding(pair(0.0, 0.0), sliding.Pads(ring(6, 0.8), 1e4, 3e3), robot)
    start[1:3] = 1e-3
    rows = sliding.respond(system, start, dt, len(found.t))
    np.testing.assert_allclose(found.deviation, rows[:, 1:3], atol=1e-8)
    np.testing.assert_allclose(found.pads, system.still + rows @ system.pads.T, atol=1e-3)
    loads = np.column_stack([found.robot[:, 1:], found.lock[:, 2]])
    np.testing.assert_allclose(loads, (rows @ system.arm.T)[:, 1:], atol=1e-4)
