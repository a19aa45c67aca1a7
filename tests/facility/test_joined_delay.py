"""Two bodies joined in all directions, measured late: the verge of growing motion."""

import math

import numpy as np
import pytest

from proxops.facility.common.passivity.critical_delay import (
    critical_delay,
    critical_delay_behind,
    margins,
)
from proxops.facility.common.passivity.joined_delay import Joint, joint_margins, joint_verge
from proxops.physics.flexible.linear import Lag, Loop, response

LAGS = (Lag(628.3, 1), Lag(62.8, 2, 1.0))
LOOP = Loop(LAGS, 0.0225)


def one_way(mass, stiffness, damping):
    """A spring and a damper along x between bodies that feel like a mass there."""
    x = np.diag([1.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    return Joint(np.eye(6) / mass, stiffness * x, damping * x)


@pytest.fixture(scope="module")
def latched():
    """A latch beside the centres of two bodies: displacements and rotations couple."""
    rng = np.random.default_rng(5)

    def positive(low, high):
        q, _ = np.linalg.qr(rng.normal(size=(6, 6)))
        return q @ np.diag(rng.uniform(low, high, 6)) @ q.T

    return Joint(positive(2e-3, 2e-2), positive(2e3, 2e4), positive(5e2, 2e3))


def rate_of_growth(joint, loop, start):
    """Re s of the root of det(s² + A (K + sB) L exp(-sτ)) next to `start`, by the secant rule."""

    def det(s):
        pulled = joint.mobility @ (joint.stiffness + s * joint.damping) * response(loop, s)
        return np.linalg.det(s * s * np.eye(6) + pulled)

    one, two = start, start * (1.0 + 1e-4j)
    for _ in range(60):
        f, g = det(one), det(two)
        if abs(two - one) < 1e-13 * abs(two) or g == f:
            break
        one, two = two, two - g * (two - one) / (g - f)
    return two.real


@pytest.mark.parametrize("lags", [(), LAGS])
def test_in_one_direction_it_is_the_critical_delay_of_a_contact(lags):
    known = critical_delay_behind(lags, 300.0, 2e4, 2e3)
    found = joint_verge(lags, one_way(300.0, 2e4, 2e3)).verge
    assert found.delay == pytest.approx(known.delay, rel=1e-9)
    assert found.frequency == pytest.approx(known.frequency, rel=1e-9)
    assert joint_verge((), one_way(300.0, 2e4, 2e3)).verge.delay == pytest.approx(
        critical_delay(300.0, 2e4, 2e3).delay, rel=1e-9
    )


def test_margins_in_one_direction_are_those_of_a_contact():
    """The gain is read off a grid, 0.7 % apart."""
    found, known = joint_margins(one_way(300.0, 8e3, 1e3), LOOP), margins(300.0, 8e3, 1e3, LOOP)
    assert found[:4] == pytest.approx(known[:4], rel=1e-9)
    assert found.gain == pytest.approx(known.gain, rel=0.02)


@pytest.mark.parametrize("lags", [(), LAGS])
def test_motion_dies_below_the_critical_delay_and_grows_above(latched, lags):
    delay, w = joint_verge(lags, latched).verge
    assert abs(rate_of_growth(latched, Loop(lags, delay), 1j * w)) < 1e-7 * w
    assert rate_of_growth(latched, Loop(lags, 0.99 * delay), 1j * w) < 0.0
    assert rate_of_growth(latched, Loop(lags, 1.01 * delay), 1j * w) > 0.0


def test_other_axes_do_not_change_it(latched):
    """Any linear change of coordinates."""
    change = np.random.default_rng(2).normal(size=(6, 6))
    seen = Joint(
        change @ latched.mobility @ change.T,
        *(np.linalg.solve(change.T, each) @ np.linalg.inv(change) for each in latched[1:]),
    )
    assert joint_verge(LAGS, seen).verge.delay == pytest.approx(
        joint_verge(LAGS, latched).verge.delay, rel=1e-9
    )


def test_the_slow_one_of_two_motions_decides_where_it_is_the_first_to_grow():
    """Two directions that nothing couples, a thousand times apart in frequency: each by itself has
    the critical delay of a contact."""
    fast, slow = (1000.0, 1e6, 1e5), (500.0, 1.0, 0.01)
    masses, springs, dampers = (np.array([a, b]) for a, b in zip(fast, slow, strict=True))
    two = Joint(
        np.diag([*1.0 / masses, 1.0, 1.0, 1.0, 1.0]),
        *(np.diag([*each, 0.0, 0.0, 0.0, 0.0]) for each in (springs, dampers)),
    )
    first = min((critical_delay(*each) for each in (fast, slow)), key=lambda each: each.delay)
    assert first == critical_delay(*slow)
    found = joint_verge((), two).verge
    assert found.delay == pytest.approx(first.delay, rel=1e-9)
    assert found.frequency == pytest.approx(first.frequency, rel=1e-9)


def test_nothing_that_joins_gives_nothing():
    none = Joint(np.eye(6), np.zeros((6, 6)), np.zeros((6, 6)))
    assert joint_verge(LAGS, none).verge.delay == math.inf
