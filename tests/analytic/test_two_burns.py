"""Flights by two burns of the guidance, against the true motion under their thrust."""

import itertools

import numpy as np
import pytest

from proxops.onboard.functions.guidance.cone_programme import Status
from proxops.onboard.functions.guidance.prediction import Orbit
from proxops.onboard.functions.guidance.reference import Reference
from proxops.onboard.functions.guidance.two_impulse import two_burns
from proxops.physics.orbit.attractors import ATTRACTORS
from proxops.physics.orbit.entry import hill_acceleration
from proxops.physics.orbit.kepler import propagate, state_from_elements
from proxops.physics.orbit.transfers import relative_motion

SPAN = (40.0, 2040.0)
START = np.array([20.0, -300.0, 15.0, 0.01, -0.02, 0.01])
AXES = np.vstack([np.eye(3), -np.eye(3)])
GOAL = np.array([0.0, -80.0, 0.0, 0.0, 0.0, 0.0])


MU = ATTRACTORS["earth"].mu


def orbit(attractor, a, e):
    mu = ATTRACTORS[attractor].mu
    R, V = state_from_elements(mu, a, e, 0.9, 0.3, 0.5, 1.1)
    return Orbit(mu=mu, R0=R, V0=V)


def epoch(where):
    """R, V of one of the orbits at t = 0."""
    found = orbit(*where)
    return found.R0, found.V0


ORBITS = [("earth", 6.8e6, 0.0), ("earth", 7.2e6, 0.05), ("moon", 1.86e6, 0.02)]


def flown(orbit, plan):
    """[p; v] at the end of a plan, its thrust acting in the nonlinear motion; RK4, 2 s."""
    x, u = plan.states[0].copy(), Reference(plan)

    def rates(t, x, a):
        R, V = propagate(orbit.mu, orbit.R0, orbit.V0, t)
        free = hill_acceleration(orbit.mu, R, V, tuple(x[:3]), tuple(x[3:]))
        return np.concatenate([x[3:], np.array(free) + a])

    ends = np.unique(np.concatenate([plan.times, plan.times[:-1] + plan.burn]))
    for begin, end in itertools.pairwise(ends):
        a, count = u.acceleration(np.array([begin]))[0], int(np.ceil((end - begin) / 2.0))
        h = (end - begin) / count
        for t in begin + h * np.arange(count):
            k1 = rates(t, x, a)
            k2 = rates(t + h / 2, x + h / 2 * k1, a)
            k3 = rates(t + h / 2, x + h / 2 * k2, a)
            x = x + h / 6 * (k1 + 2 * k2 + 2 * k3 + rates(t + h, x + h * k3, a))
    return x


@pytest.mark.parametrize("where", ORBITS)
def test_two_burns_arrive_at_rest(where):
    """Burns of 20 s are impulses in their middles but for (n b)²/24 = 2e-5 of 300 m."""
    plan = two_burns(orbit(*where), SPAN, START, GOAL, thrusters=0.02 * AXES, burn=20.0)
    assert plan.status is Status.SOLVED
    np.testing.assert_allclose(plan.miss, 0.0, atol=1e-3)
    reached = flown(orbit(*where), plan)
    np.testing.assert_allclose(reached[:3], GOAL[:3], atol=0.02)
    np.testing.assert_allclose(reached[3:], 0.0, atol=1e-4)


def test_burns_by_hcw_miss_by_its_second_order_on_a_circle_and_its_first_on_an_ellipse():
    """Of Hill, Clohessy and Wiltshire's neglected terms, d²/R about a circle, e d about an ellipse;
    the factors are those of the span, 0.36 revolutions of the first orbit.  Control is given the
    true coast all the same: as long as the chaser is on it, nothing is to be done."""
    for where, least, most in ((ORBITS[0], 1.0, 6.0), (ORBITS[1], 2.0, 6.0)):
        plan = two_burns(
            orbit(*where), SPAN, START, GOAL, thrusters=0.02 * AXES, burn=20.0, by_hcw=True
        )
        miss = np.linalg.norm(flown(orbit(*where), plan)[:3] - GOAL[:3])
        theory = 300.0**2 / where[1] if where[2] == 0.0 else where[2] * 300.0
        assert least * theory < miss < most * theory
        free = [
            relative_motion(MU, *propagate(MU, *epoch(where), t0), before, t1 - t0)
            for t0, t1, before in zip(
                plan.times[1:-2], plan.times[2:-1], plan.states[1:-2], strict=True
            )
        ]
        np.testing.assert_allclose(plan.states[2:-1], free, rtol=0.0, atol=1e-6)


def test_the_reference_between_the_nodes_is_the_coast():
    found = two_burns(orbit(*ORBITS[1]), SPAN, START, GOAL, thrusters=0.02 * AXES, burn=20.0)
    middles = 0.5 * (found.times[2:-2] + found.times[3:-1])
    before, after = found.states[2:-2], found.states[3:-1]
    cubic = 0.5 * (before[:, :3] + after[:, :3]) + (np.diff(found.times[2:-1]) / 8.0)[:, None] * (
        before[:, 3:] - after[:, 3:]
    )
    np.testing.assert_allclose(Reference(found).states(middles)[:, :3], cubic, atol=1e-3)


def test_a_burn_lasts_longer_where_thrust_is_weak():
    strong = two_burns(orbit(*ORBITS[0]), SPAN, START, GOAL, thrusters=0.02 * AXES, burn=20.0)
    weak = two_burns(orbit(*ORBITS[0]), SPAN, START, GOAL, thrusters=0.001 * AXES, burn=20.0)
    assert strong.burn[[0, -1]].tolist() == [20.0, 20.0]
    assert np.linalg.norm(weak.acceleration, axis=1).max() == pytest.approx(0.001, rel=0.05)
    assert weak.burn[0] > 100.0
    # its impulses are 7 % less far apart in time
    assert 1.0 < weak.delta_v / strong.delta_v < 1.1


REVOLUTION = 2.0 * np.pi / orbit(*ORBITS[0]).mean_motion


@pytest.mark.parametrize(
    ("end", "a_max"),
    [
        (300.0, 1e-3),  # 220 m in 300 s
        (30.0, 1.0),  # no time for two burns
        (REVOLUTION + 20.0, 1.0),  # a whole one from burn to burn: 15 m above the plane stay so
    ],
)
def test_what_two_burns_cannot_reach_is_no_plan(end, a_max):
    plan = two_burns(orbit(*ORBITS[0]), (0.0, end), START, GOAL, thrusters=a_max * AXES, burn=20.0)
    assert plan.status is Status.INFEASIBLE
