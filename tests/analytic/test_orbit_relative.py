"""Motion near the reference orbit: integrated in O and in H, against exact two-body motion."""

import math

import numpy as np
import pytest
from tests.analytic.orbit_exact import exact_kepler, exact_relative

from proxops.core.jit import helper, kernel
from proxops.core.spatial.vector import add, scale
from proxops.physics.orbit.attractors import EARTH, MOON
from proxops.physics.orbit.frames import hill_frame, hill_from_inertial, inertial_from_hill
from proxops.physics.orbit.hill import relative_acceleration
from proxops.physics.orbit.kepler import propagate, state_from_elements
from proxops.physics.orbit.tidal import tidal_acceleration

EPS = np.finfo(float).eps
IN_O, IN_H = 0, 1


@helper
def acceleration(mu, orbit, frame, p, v):
    if frame == IN_H:
        return relative_acceleration(mu, orbit[0], orbit[1], p, v)
    return tidal_acceleration(mu, orbit[0], p)


@kernel
def coast(mu, epoch, frame, start, times):
    """p, v in O or H after times = (step, number of steps), by RK4."""
    p, v = start
    h, count = times
    orbit = epoch
    for k in range(count):
        middle = propagate(mu, epoch[0], epoch[1], (k + 0.5) * h)
        end = propagate(mu, epoch[0], epoch[1], (k + 1.0) * h)
        a1 = acceleration(mu, orbit, frame, p, v)
        v2 = add(v, scale(0.5 * h, a1))
        a2 = acceleration(mu, middle, frame, add(p, scale(0.5 * h, v)), v2)
        v3 = add(v, scale(0.5 * h, a2))
        a3 = acceleration(mu, middle, frame, add(p, scale(0.5 * h, v2)), v3)
        v4 = add(v, scale(h, a3))
        a4 = acceleration(mu, end, frame, add(p, scale(h, v3)), v4)
        p = add(p, scale(h / 6.0, add(add(v, v4), scale(2.0, add(v2, v3)))))
        v = add(v, scale(h / 6.0, add(add(a1, a4), scale(2.0, add(a2, a3)))))
        orbit = end
    return p, v


@kernel
def axes_and_rate(R, V):
    return hill_frame(R, V)


def floats(a):
    return tuple(float(x) for x in a)


def reference(attractor, e):
    a = (attractor.radius + 6e5) / (1.0 - e)
    R, V = state_from_elements(attractor.mu, a, e, 0.9, 0.4, 2.1, 0.7)
    return (floats(R), floats(V)), math.tau * math.sqrt(a**3 / attractor.mu)


def start_at(distance, n):
    """p_H, v_H at a distance, moving at orbital pace n [rad/s]: no axis is special."""
    p = np.array([0.48, -0.6, 0.64]) * distance
    v = np.array([0.3, -0.9, 0.2]) * distance * n
    return floats(p), floats(v)


def gaps(attractor, e, distance, times):
    """Distances [m] from the exact motion of that integrated in O, and of that in H."""
    mu = attractor.mu
    epoch, period = reference(attractor, e)
    in_H = start_at(distance, math.tau / period)
    in_O = inertial_from_hill(*epoch, *in_H)
    seconds = times[0] * times[1]
    true_O = exact_relative(mu, *epoch, *in_O, seconds)
    R, V = exact_kepler(mu, *epoch, seconds)
    true_H = hill_from_inertial(floats(R), floats(V), *map(floats, true_O))
    p_O, _ = coast(mu, epoch, IN_O, in_O, times)
    p_H, _ = coast(mu, epoch, IN_H, in_H, times)
    return math.dist(p_O, true_O[0]), math.dist(p_H, true_H[0])


# RK4 truncates 2π (n h)⁴/120 of the range in a revolution, times how far the range grows (some 10
# at e = 0.05).  With n = 1e-3 rad/s: below 1e-11 of 1 km at h = 2 s, of 5 m at h = 1 s below 1e-12.
# Rounding adds at most EPS × range × steps.  All far below what is asked.


def test_motion_in_the_falling_frame_is_inertial_two_body_motion_at_a_kilometre():
    in_O, in_H = gaps(EARTH, 0.05, 1e3, (2.0, 1500))
    assert in_O < 1e-6
    assert in_H < 1e-6


def test_motion_at_five_metres_is_exact_to_a_nanometre_over_a_period():
    _, period = reference(EARTH, 0.05)
    count = math.ceil(period)
    in_O, in_H = gaps(EARTH, 0.05, 5.0, (period / count, count))
    assert in_O < 1e-9
    assert in_H < 1e-9


@pytest.mark.parametrize("e", [0.0, 0.3, 0.7])
def test_relative_motion_holds_for_every_eccentricity_about_the_moon_too(e):
    _, period = reference(MOON, e)
    # At periapsis the rate is up to 8 n, 1.2e-3 rad a step: RK4 errs by (1.2e-3)⁴/120 of a range
    # that grows up to 200-fold from 100 m, 4e-10 m a revolution
    count = 40_000
    in_O, in_H = gaps(MOON, e, 100.0, (period / count, count))
    assert in_O < 1e-8
    assert in_H < 1e-8


def test_hill_axes_are_radial_along_track_and_normal():
    (R, V), _ = reference(EARTH, 0.3)
    R_NH, w = axes_and_rate(R, V)
    M = np.reshape(R_NH, (3, 3))
    np.testing.assert_allclose(M.T @ M, np.eye(3), rtol=0.0, atol=4.0 * EPS)
    assert np.linalg.det(M) == pytest.approx(1.0, abs=4.0 * EPS)
    r = np.linalg.norm(R)
    np.testing.assert_allclose(M.T @ R, [r, 0.0, 0.0], rtol=0.0, atol=4.0 * EPS * r)
    v_radial, v_along, v_normal = M.T @ V
    assert v_radial == pytest.approx(np.dot(R, V) / r, rel=10.0 * EPS)
    assert v_along == pytest.approx(w[2] * r, rel=10.0 * EPS)
    assert abs(v_normal) < 10.0 * EPS * np.linalg.norm(V)


def test_velocity_in_the_hill_frame_is_the_derivative_of_position_there():
    mu = EARTH.mu
    epoch, _ = reference(EARTH, 0.3)
    p_O, v_O = (300.0, -200.0, 500.0), (0.3, 0.4, -0.2)
    h = 1.0

    def position(t):
        moved = tuple(p + t * v for p, v in zip(p_O, v_O, strict=True))
        return np.array(hill_from_inertial(*propagate(mu, *epoch, t), moved, v_O)[0])

    slope = (8.0 * (position(h) - position(-h)) - (position(2 * h) - position(-2 * h))) / (12.0 * h)
    _, v_H = hill_from_inertial(*epoch, p_O, v_O)
    # Five-point formula: h⁴/30 × fifth derivative, (2e-3 rad/s)⁵ × 600 m; rounding 2 EPS × 600 m/h
    np.testing.assert_allclose(v_H, slope, rtol=0.0, atol=2e-12)


def test_hill_and_falling_frame_lead_back_to_each_other():
    rng = np.random.default_rng(8)
    for e in (0.0, 0.05, 0.7):
        epoch, _ = reference(EARTH, e)
        p, v = floats(rng.normal(size=3) * 1e3), floats(rng.normal(size=3))
        p_back, v_back = hill_from_inertial(*epoch, *inertial_from_hill(*epoch, p, v))
        # A rotation there and back: ten roundings of |p|, and of |v| + |w||p| with |w| < 2e-3 rad/s
        assert math.dist(p_back, p) < 10.0 * EPS * np.linalg.norm(p)
        assert math.dist(v_back, v) < 10.0 * EPS * (np.linalg.norm(v) + 2e-3 * np.linalg.norm(p))
