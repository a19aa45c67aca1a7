"""Figures of a boost, from samples made by hand."""

import math

import numpy as np
import pytest

from proxops.physics.boost.burn import burn_time, perigee, perigee_after
from proxops.physics.orbit.attractors import EARTH
from proxops.physics.orbit.frames import hill_from_inertial, inertial_from_hill
from proxops.physics.orbit.kepler import propagate
from proxops.results import boost
from proxops.results.run import Event, Ledger, Run, Signal

T = np.arange(5.0)
F_N = np.array([[0.0, 0.0], [9.0, 4.0], [0.0, 0.0], [8.0, 3.0], [0.0, 5.0]])


def circular(height):
    r = EARTH.radius + height
    return np.array([r, 0.0, 0.0]), np.array([0.0, math.sqrt(EARTH.mu / r), 0.0])


def test_the_least_pad_force_is_found_with_its_pad_and_instant():
    assert boost.contact_margin(T[1:2], F_N[1:2]) == boost.Extreme(4.0, 1.0, 1)


def test_bodies_are_apart_only_while_no_pad_touches_and_after_they_first_touched():
    assert boost.separations(T, F_N) == (boost.Interval(2.0, 3.0),)
    assert boost.separations(T, np.zeros_like(F_N)) == ()
    left = F_N * (T < 2.0)[:, np.newaxis]
    assert boost.separations(T, left) == (boost.Interval(2.0, 4.0),)


def test_a_pad_uses_its_cone_in_proportion_and_an_unloaded_one_not_at_all():
    f_t = np.array([[0.0, 0.0], [1.8, 1.0], [0.0, 0.0], [0.8, 0.9], [0.0, 0.0]])
    assert boost.friction_use(T, F_N, f_t, 0.5) == boost.Extreme(0.6, 3.0, 1)


def test_an_arm_uses_its_limit_by_the_length_of_its_force():
    force = np.array([[0.0, 0.0, 0.0], [0.0, 3.0, -4.0]])
    assert boost.arm_use(T[:2], force, 10.0) == boost.Extreme(0.5, 1.0, 0)


def test_deviation_is_across_the_thrust_axis_only():
    p = np.array([[6.0, 0.3, -0.4], [9.0, 1.3, -0.4]])
    off = boost.deviation(p, np.array([0.0, 0.0, 0.0]), np.array([2.0, 0.0, 0.0]))
    np.testing.assert_allclose(off, [[0.0, 0.3, -0.4], [0.0, 1.3, -0.4]], atol=1e-15)


def test_a_report_reads_the_recorded_signals():
    names = [
        Signal("contacts.ring.f_n", "N", "", (2,)),
        Signal("contacts.ring.f_t", "N", "", (2,)),
        Signal("holds.arm.f", "N", "T", (3,)),
        Signal("obsw.boost.impulse", "N s", "", ()),
        Signal("relative.p_CT", "m", "C", (3,)),
    ]
    n = len(T)
    impulse = 4.0 * T[:, np.newaxis]
    place = np.column_stack([np.full(n, 6.0), 0.3 - 0.1 * T, np.zeros(n)])
    rows = np.hstack([T[:, np.newaxis], F_N, 0.1 * F_N, np.ones((n, 3)), impulse, place])
    events = (Event(2.0, "lift-off", "ring"), Event(3.0, "touch-down", "ring"))
    ledger = Ledger(0.0, 0.0, 0.0, True)
    run = Run("boost", {}, tuple(names), rows, events, (), (), ledger, "passed")
    axis = (np.zeros(3), np.array([1.0, 0.0, 0.0]))
    report = boost.boost_report(run, "ring", mass=8.0, axis=axis, mu=0.5, arm=("arm", 10.0))
    assert report.lift_offs == events[:1]
    assert report.separations == (boost.Interval(2.0, 3.0),)
    assert report.friction_use is not None
    assert report.friction_use.value == pytest.approx(0.2)
    assert report.arm_use is not None
    assert report.arm_use.value == pytest.approx(math.sqrt(3.0) / 10.0)
    assert (report.impulse, report.delta_v) == (16.0, 2.0)
    assert report.largest_deviation.value == pytest.approx(0.3)
    assert report.last_deviation == pytest.approx(0.1)


def test_a_braked_circular_orbit_has_the_perigee_of_vis_viva():
    R, V = circular(800e3)
    r, v = R[0], V[1] - 50.0
    a = 1.0 / (2.0 / r - v**2 / EARTH.mu)
    # braking makes r the apogee, so r_p = 2a - r; rounding of a (1 - e) is 1e-16 of 7000 km
    assert perigee_after(EARTH.mu, R, V, 50.0) == pytest.approx(2.0 * a - r, abs=1e-6)
    assert burn_time(9400.0, 50.0, 1500.0) == pytest.approx(313.0 + 1.0 / 3.0)


def test_perigee_over_time_is_that_of_the_orbit_flown():
    """A body 1 km ahead and 20 m/s slower than the reference, seen half a revolution later too:
    unpowered it keeps its perigee.  Kepler's propagation is good to 1e-6 m here."""
    mu = EARTH.mu
    R0, V0 = (tuple(map(float, each)) for each in circular(800e3))
    p, v = (0.0, 1e3, 0.0), (0.0, -20.0, 0.0)
    p_O, v_O = inertial_from_hill(R0, V0, p, v)
    R, V = np.add(R0, p_O), np.add(V0, v_O)
    later = propagate(mu, tuple(R), tuple(V), 3000.0)
    R1, V1 = propagate(mu, R0, V0, 3000.0)
    moved = hill_from_inertial(
        R1, V1, tuple(np.subtract(later[0], R1)), tuple(np.subtract(later[1], V1))
    )
    found = boost.perigee_over_time(
        mu,
        (np.array(R0), np.array(V0)),
        np.array([0.0, 3000.0]),
        np.array([p, moved[0]]),
        np.array([v, moved[1]]),
    )
    np.testing.assert_allclose(found, perigee(mu, R, V), rtol=0.0, atol=1e-3)
