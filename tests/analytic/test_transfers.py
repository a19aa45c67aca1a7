"""Transfers by two impulses: closed forms, and how far linear theory misses in the true motion."""

import math

import numpy as np
import pytest
from tests.analytic.orbit_exact import exact_kepler, exact_relative
from tests.analytic.second_order import second_order

from proxops.core.errors import InputError
from proxops.physics.orbit.attractors import EARTH, MOON
from proxops.physics.orbit.forced import (
    circle,
    fly_around,
    forced_acceleration,
    rbar_hold_delta_v,
    straight_rbar,
    straight_vbar,
)
from proxops.physics.orbit.frames import hill_from_inertial, inertial_from_hill
from proxops.physics.orbit.hcw import hcw_transition
from proxops.physics.orbit.hops import (
    ellipse_velocity,
    height_change,
    radial_hop,
    rbar_hop,
    tangential_hop,
)
from proxops.physics.orbit.kepler import state_from_elements
from proxops.physics.orbit.transfers import corrected, relative_motion, transfer, two_impulse
from proxops.physics.orbit.yamanaka_ankersen import transition

EPS = np.finfo(float).eps
N = 1.1313667e-3  # mean motion in low Earth orbit [rad/s]
HALF, WHOLE = math.pi / N, math.tau / N
PERIAPSIS_HEIGHT = {EARTH: 4e5, MOON: 1e5}  # [m]


def floats(a):
    return tuple(float(x) for x in a)


def orbit(attractor, e, nu=0.7):
    """R, V at a true anomaly, and the mean motion."""
    a = (attractor.radius + PERIAPSIS_HEIGHT[attractor]) / (1.0 - e)
    R, V = state_from_elements(attractor.mu, a, e, 0.9, 0.4, 2.1, nu)
    return (floats(R), floats(V)), math.sqrt(attractor.mu / a**3)


def exact_motion(mu, epoch, state, t):
    """[p_H; v_H] after t by two-body motion in 50 digits."""
    in_O = inertial_from_hill(*epoch, floats(state[:3]), floats(state[3:]))
    true = exact_relative(mu, *epoch, *in_O, t)
    R, V = exact_kepler(mu, *epoch, t)
    p, v = hill_from_inertial(floats(R), floats(V), *map(floats, true))
    return np.array([*p, *v])


def departing(start, dv):
    return np.array([*start[:3], *np.add(start[3:], dv)])


def flown(Phi, start, found):
    """Where a transfer ends by its linear model, after both impulses."""
    end = Phi @ departing(start, found.dv1)
    return np.array([*end[:3], *(end[3:] + found.dv2)])


# --- linear theory --------------------------------------------------------------------------------


def test_a_transfer_arrives_at_the_goal_with_the_velocity_of_the_goal():
    start = [400.0, -900.0, 120.0, 0.1, -0.3, 0.2]
    goal = [-50.0, 100.0, 30.0, 0.02, 0.05, -0.01]
    epoch, n = orbit(EARTH, 0.3)
    for t in (0.1 * math.tau / n, 0.4 * math.tau / n, 0.8 * math.tau / n):
        for Phi in (hcw_transition(n, t), transition(EARTH.mu, *epoch, t)):
            # Rounding: EPS times the condition of Φ_rv (below 1e3) times a kilometre
            end = flown(Phi, start, two_impulse(Phi, start, goal))
            np.testing.assert_allclose(end[:3], goal[:3], rtol=0.0, atol=1e3 * EPS * 1e3)
            np.testing.assert_allclose(end[3:], goal[3:], rtol=0.0, atol=1e3 * EPS * 10.0)


@pytest.mark.parametrize("d", [1000.0, -340.0])
def test_hops_along_vbar_are_transfers_half_and_a_whole_revolution_long(d):
    start, goal = [0.0, -d, 0.0, 0.0, 0.0, 0.0], np.zeros(6)
    for hop, t, size in (
        (radial_hop(N, d), HALF, N * abs(d) / 4.0),
        (tangential_hop(N, d), WHOLE, N * abs(d) / (6.0 * math.pi)),
    ):
        Phi = hcw_transition(N, t)
        np.testing.assert_allclose(flown(Phi, start, hop), goal, rtol=0.0, atol=1e-11)
        assert np.linalg.norm(hop.dv1) == pytest.approx(size, rel=4.0 * EPS)
        assert hop.cost == pytest.approx(2.0 * size, rel=4.0 * EPS)
        # Half a revolution fixes both velocities; after a whole one x is free, the least is taken
        found = two_impulse(Phi, start, goal)
        np.testing.assert_allclose(found.dv1, hop.dv1, rtol=0.0, atol=1e-12)
        np.testing.assert_allclose(found.dv2, hop.dv2, rtol=0.0, atol=1e-12)


def test_hops_along_vbar_reach_as_low_as_they_say():
    d = 1000.0
    for hop, t, depth in (
        (radial_hop(N, d), HALF, d / 4.0),
        (tangential_hop(N, d), WHOLE, 2.0 * d / (3.0 * math.pi)),
    ):
        low = (hcw_transition(N, 0.5 * t) @ [0.0, 0.0, 0.0, *hop.dv1])[0]
        assert low == pytest.approx(-depth, rel=1e-12)


def test_a_hop_along_rbar_is_the_transfer_of_half_a_revolution():
    x0, x1 = -500.0, -250.0
    start, goal = [x0, 0.0, 0.0, 0.0, 0.0, 0.0], [x1, 0.0, 0.0, 0.0, 0.0, 0.0]
    Phi = hcw_transition(N, HALF)
    hop = rbar_hop(N, x0, x1)
    np.testing.assert_allclose(flown(Phi, start, hop), goal, rtol=0.0, atol=1e-11)
    found = two_impulse(Phi, start, goal)
    np.testing.assert_allclose(found.dv1, hop.dv1, rtol=0.0, atol=1e-12)
    np.testing.assert_allclose(found.dv2, hop.dv2, rtol=0.0, atol=1e-12)


def test_a_change_of_height_goes_from_one_natural_drift_to_another():
    x, d = -800.0, 300.0
    drift = [x, 0.0, 0.0, 0.0, -1.5 * N * x, 0.0]
    end = flown(hcw_transition(N, HALF), drift, height_change(N, d))
    shift = -3.0 * math.pi * (x / 2.0 + d / 4.0)
    expected = [x + d, shift, 0.0, 0.0, -1.5 * N * (x + d), 0.0]
    np.testing.assert_allclose(end, expected, rtol=0.0, atol=1e-11)


def test_out_of_reach_is_said_and_what_is_free_costs_nothing():
    # After half a revolution z comes back with the opposite sign, whatever the impulse
    Phi = hcw_transition(N, HALF)
    start = [0.0, -1000.0, 25.0, 0.0, 0.0, 0.0]
    opposite = two_impulse(Phi, start, [0.0, 0.0, -25.0, 0.0, 0.0, 0.0])
    assert abs(opposite.dv1[2]) < 1e-12
    with pytest.raises(InputError, match=r"another time .* 0\.000, -?1\.000\] of H, .* 25 m away"):
        two_impulse(Phi, start, np.zeros(6))
    # After a whole one about any orbit only what changes the period moves the arrival
    epoch, n = orbit(MOON, 0.3)
    Phi = transition(MOON.mu, *epoch, math.tau / n)
    assert np.linalg.matrix_rank(Phi[:3, 3:], tol=1e-9 * np.abs(Phi[:3, 3:]).max()) == 1
    with pytest.raises(InputError, match="another time"):
        two_impulse(Phi, [100.0, 0.0, 0.0, 0.0, 0.0, 0.0], np.zeros(6))


@pytest.mark.parametrize("bad", [[0.0] * 5, [0.0] * 5 + [math.nan]])
def test_a_state_that_is_none_is_named(bad):
    with pytest.raises(InputError, match="the goal of a transfer is six finite numbers"):
        two_impulse(hcw_transition(N, 500.0), np.zeros(6), bad)


def test_a_time_and_an_orbit_that_are_none_are_named():
    epoch, _ = orbit(EARTH, 0.05)
    for t in (0.0, -5.0, math.nan, math.inf):
        with pytest.raises(InputError, match="time above 0 s"):
            transfer(EARTH.mu, *epoch, np.zeros(6), np.zeros(6), t)
    with pytest.raises(InputError, match="check the orbit"):
        transfer(EARTH.mu, [math.nan, 0.0, 0.0], epoch[1], np.zeros(6), np.zeros(6), 100.0)


# --- in the true motion ---------------------------------------------------------------------------

START = np.array([300.0, -1000.0, 200.0, 0.0, 0.0, 0.0])
GOAL = np.array([0.0, -100.0, 40.0, 0.0, 0.0, 0.0])
CASES = [
    (attractor, e, turns)
    for attractor in (EARTH, MOON)
    for e in (0.0, 0.05, 0.3, 0.7)
    for turns in (0.2, 0.4, 0.9)
]


def misses(attractor, e, t, Phi, ranges):
    """Misses [m] (k, 3) of linear theory in exact two-body motion, start and goal scaled."""
    epoch, _ = orbit(attractor, e)
    found = []
    for s in ranges:
        x = departing(s * START, two_impulse(Phi, s * START, s * GOAL).dv1)
        found.append(exact_motion(attractor.mu, epoch, x, t)[:3] - s * GOAL[:3])
    return np.array(found)


@pytest.mark.parametrize(("attractor", "e", "turns"), CASES)
def test_linear_transfers_miss_by_the_square_of_the_range_as_second_order_theory_says(
    attractor, e, turns
):
    epoch, n = orbit(attractor, e)
    t = turns * math.tau / n
    models = [transition(attractor.mu, *epoch, t)]
    if e == 0.0:
        models.append(hcw_transition(n, t))
    for Phi in models:
        # 1 km, and the same to a half and a quarter
        found = misses(attractor, e, t, Phi, (1.0, 0.5, 0.25))
        sizes = np.linalg.norm(found, axis=1)
        orders = np.log2(sizes[:-1] / sizes[1:])
        np.testing.assert_allclose(orders, 2.0, rtol=0.0, atol=0.02)
        dv1 = two_impulse(Phi, START, GOAL).dv1
        _, predicted = second_order(attractor.mu, *epoch, departing(START, dv1), t)
        # The third order left out is some 1 km/|R| of the second: 1.5e-4, about the Moon 5.4e-4
        assert np.linalg.norm(found[0] - predicted) < 0.001 * np.linalg.norm(predicted)


@pytest.mark.parametrize("e", [0.0, 0.05, 0.3, 0.7])
@pytest.mark.parametrize("attractor", [EARTH, MOON], ids=["earth", "moon"])
def test_one_correction_leaves_less_than_a_centimetre(attractor, e):
    rng = np.random.default_rng(7)
    tried = 0
    while tried < 25:
        epoch, n = orbit(attractor, e, rng.uniform(0.0, math.tau))
        t = rng.uniform(0.05, 0.95) * math.tau / n
        start, goal = (
            np.array([*rng.uniform(-550.0, 550.0, 3), *rng.uniform(-0.05, 0.05, 3)])
            for _ in range(2)
        )
        Phi = transition(attractor.mu, *epoch, t) if e else hcw_transition(n, t)
        first = two_impulse(Phi, start, goal)
        if np.linalg.norm(first.dv1) > 2.0 * n * 1e3:
            continue  # near half a revolution z costs any amount, and flies kilometres away
        tried += 1
        found = corrected(attractor.mu, *epoch, start, goal, t, first)
        end = exact_motion(attractor.mu, epoch, departing(start, found.dv1), t)
        assert np.linalg.norm(end[:3] - goal[:3]) < 1e-2
        # The miss that is told is the true one: two Kepler motions of 1e-14 × 1e7 m
        np.testing.assert_allclose(end[:3] - goal[:3], found.miss, rtol=0.0, atol=1e-6)
        np.testing.assert_allclose(end[3:] + found.dv2, goal[3:], rtol=0.0, atol=1e-9)


@pytest.mark.parametrize("attractor", [EARTH, MOON], ids=["earth", "moon"])
def test_what_one_correction_leaves_falls_with_the_fourth_power_of_the_range(attractor):
    # Newton's step squares the error, which is of second order.  Ten kilometres and five, so that
    # what is left (some cm) stands above the 1e-7 m of two Kepler motions
    epoch, n = orbit(attractor, 0.3)
    t = 0.4 * math.tau / n
    left = [
        np.linalg.norm(transfer(attractor.mu, *epoch, s * START, s * GOAL, t).miss)
        for s in (8.0, 4.0)
    ]
    assert np.log2(left[0] / left[1]) == pytest.approx(4.0, abs=0.3)


def test_a_hop_of_a_whole_revolution_keeps_the_radial_part_of_its_miss():
    # V-bar is a tangent: 1 km ahead it is d²/2R above the orbit, and there the hop ends again,
    # 100 m ahead.  No departure velocity changes that within one period.
    epoch, n = orbit(EARTH, 0.0)
    R = np.linalg.norm(epoch[0])
    start, goal = [0.0, 1000.0, 0.0, 0.0, 0.0, 0.0], [0.0, 100.0, 0.0, 0.0, 0.0, 0.0]
    first = two_impulse(hcw_transition(n, math.tau / n), start, goal)
    found = corrected(EARTH.mu, *epoch, start, goal, math.tau / n, first)
    kept = (1000.0**2 - 100.0**2) / (2.0 * R)
    np.testing.assert_allclose(found.miss, [kept, 0.0, 0.0], rtol=0.0, atol=1e-3 * kept)
    assert found.cost < 1.01 * first.cost


def test_hcw_about_an_eccentric_orbit_misses_by_hundreds_of_metres_with_order_one():
    # 1 km to 100 m on V-bar in half a revolution at e = 0.05, from all over the orbit
    start, goal = [0.0, 1000.0, 0.0, 0.0, 0.0, 0.0], [0.0, 100.0, 0.0, 0.0, 0.0, 0.0]
    found = {}
    for nu in np.radians(range(0, 360, 15)):
        epoch, n = orbit(EARTH, 0.05, nu=nu)
        t = math.pi / n
        models = {"hcw": hcw_transition(n, t), "ya": transition(EARTH.mu, *epoch, t)}
        for s in (1.0, 0.5):
            x0, x1 = s * np.array(start), s * np.array(goal)
            for name, Phi in models.items():
                x = departing(x0, two_impulse(Phi, x0, x1).dv1)
                end = relative_motion(EARTH.mu, *epoch, x, t)
                found.setdefault((name, s), []).append(np.linalg.norm(end[:3] - x1[:3]))
    hcw, half = np.array(found["hcw", 1.0]), np.array(found["hcw", 0.5])
    assert hcw.mean() == pytest.approx(255.0, rel=0.05)
    assert hcw.max() > 400.0
    np.testing.assert_allclose(np.log2(hcw / half), 1.0, rtol=0.0, atol=0.02)
    assert np.max(found["ya", 1.0]) < 3.0


def test_exact_relative_motion_is_that_of_fifty_digits():
    for e in (0.0, 0.7):
        epoch, n = orbit(EARTH, e)
        state = [100.0, -800.0, 50.0, 0.3, -0.2, 0.1]
        t = 0.8 * math.tau / n
        ours, exact = (
            f(EARTH.mu, *orbit_and_state, t)
            for f, orbit_and_state in (
                (relative_motion, (*epoch, state)),
                (exact_motion, (epoch, state)),
            )
        )
        np.testing.assert_allclose(ours[:3], exact[:3], rtol=0.0, atol=1e-6)
        np.testing.assert_allclose(ours[3:], exact[3:], rtol=0.0, atol=1e-9)


# --- forced motion --------------------------------------------------------------------------------


def linear_thrust(p, v, a):
    """a - p̈ of HCW, written again."""
    free = [3.0 * N**2 * p[0] + 2.0 * N * v[1], -2.0 * N * v[0], -(N**2) * p[2]]
    return np.subtract(a, free)


def test_straight_lines_and_holds_need_the_coriolis_force_and_the_tide():
    v, x = 0.12, -80.0
    np.testing.assert_allclose(
        straight_vbar(N, v), linear_thrust([0, 55.0, 0], [0, v, 0], [0, 0, 0]), rtol=4 * EPS
    )
    np.testing.assert_allclose(
        straight_rbar(N, x, v), linear_thrust([x, 0, 0], [v, 0, 0], [0, 0, 0]), rtol=4 * EPS
    )
    hold = np.linalg.norm(straight_rbar(N, x, 0.0)) * 700.0
    assert rbar_hold_delta_v(N, x, 700.0) == pytest.approx(hold, rel=4 * EPS)
    # A straight line on V-bar costs 2 n d, whatever the speed
    assert np.linalg.norm(straight_vbar(N, v)) * 90.0 / v == pytest.approx(2.0 * N * 90.0)


@pytest.mark.parametrize("rate", [-N, 2.3 * N, -5.0 * N])
def test_the_thrust_of_a_fly_around_is_that_of_its_circle(rate):
    for angle in (0.3, 2.0, 4.4):
        expected = linear_thrust(*circle(60.0, rate, angle))
        # Terms of (ω² + 2nω + 3n²) × 60 m cancel to some part
        np.testing.assert_allclose(
            fly_around(N, 60.0, rate, angle), expected, rtol=0.0, atol=50 * EPS * 60.0 * 40 * N**2
        )


def test_a_circle_moves_as_its_velocity_and_acceleration_say():
    h, rate = 1e-3, 0.4
    p, v, a = circle(12.0, rate, 0.9)
    after, before = circle(12.0, rate, 0.9 + rate * h), circle(12.0, rate, 0.9 - rate * h)
    # Central differences: h²/6 × ω³ × 12 m, rounding EPS × 12 m/h
    np.testing.assert_allclose((after[0] - before[0]) / (2 * h), v, rtol=0.0, atol=2e-7)
    np.testing.assert_allclose((after[1] - before[1]) / (2 * h), a, rtol=0.0, atol=2e-7)
    np.testing.assert_allclose(np.linalg.norm(p), 12.0, rtol=4 * EPS)


def test_the_natural_ellipse_is_twice_as_long_as_high_and_closes():
    p = np.array([30.0, 45.0, 12.0])
    start = np.array([*p, *ellipse_velocity(N, p)])
    for turns in (0.13, 0.5, 0.77, 1.0):
        end = hcw_transition(N, turns * WHOLE) @ start
        assert end[0] ** 2 + end[1] ** 2 / 4.0 == pytest.approx(30.0**2 + 22.5**2, rel=1e-12)
    np.testing.assert_allclose(hcw_transition(N, WHOLE) @ start, start, rtol=0.0, atol=1e-11)


@pytest.mark.parametrize("e", [0.0, 0.05, 0.7])
def test_a_body_with_the_forced_acceleration_moves_as_prescribed(e):
    # A parabola p + v s + a s²/2 in H for some seconds: seen from the true motion with the thrust
    # held, the gap is that of the thrust's own change, of third order in time
    epoch, _ = orbit(EARTH, e)
    p, v = np.array([90.0, -700.0, 40.0]), np.array([0.3, 0.8, -0.1])
    a = np.array([2e-3, -1e-3, 5e-4])
    u = forced_acceleration(EARTH.mu, *epoch, p, v, a)
    for s in (-0.5, 0.5):
        free = exact_motion(EARTH.mu, epoch, np.array([*p, *v]), s)[:3]
        gap = free + 0.5 * u * s * s - (p + v * s + 0.5 * a * s * s)
        # |jerk| s³/6 below (2e-3 rad/s)³ × 1 km × (0.5 s)³, thrust turning in H likewise
        assert np.linalg.norm(gap) < 2e-6
        assert np.linalg.norm(0.5 * u * s * s) > 20.0 * 2e-6


def test_forced_acceleration_becomes_the_linear_one_near_the_target():
    epoch, n = orbit(EARTH, 0.0)
    for x in (-100.0, -10.0):
        u = forced_acceleration(EARTH.mu, *epoch, [x, 0.0, 0.0], [0.0] * 3, [0.0] * 3)
        # The next term of the tide is |x|/R of it
        size = np.linalg.norm(u - straight_rbar(n, x, 0.0)) / np.linalg.norm(u)
        assert size == pytest.approx(abs(x) / np.linalg.norm(epoch[0]), rel=1e-3)
