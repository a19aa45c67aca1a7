"""How near two bodies come in a free drift: collisions made on purpose, closed forms of relative
motion, and dense sampling of an independent solution of Kepler's equation."""

import math

import numpy as np
import pytest

from proxops.core.jit import kernel
from proxops.physics.orbit.attractors import EARTH
from proxops.physics.orbit.drift import (
    ORBITS,
    anomaly_clock,
    closest_approach,
    samples_an_orbit,
    time_to,
)
from proxops.physics.orbit.frames import inertial_from_hill
from proxops.physics.orbit.kepler import propagate, state_from_elements

MU = EARTH.mu
ECCENTRICITIES = (0.0, 0.05, 0.3, 0.7)


@kernel
def closest(mu, reference, target, chaser, samples):
    return closest_approach(mu, reference, target, chaser, samples)


@kernel
def time_after(mu, R, V, dE):
    return time_to(anomaly_clock(mu, R, V), dE)


def floats(a):
    return tuple(float(x) for x in a)


def target_on(e, nu=1.1):
    R, V = state_from_elements(MU, 7e6 / (1.0 - e), e, 0.9, 0.4, 2.0, nu)
    return floats(R), floats(V)


def beside(target, p_H, v_H):
    """The state of what has p_H, v_H in the target's Hill frame."""
    p, v = inertial_from_hill(*target, floats(p_H), floats(v_H))
    return floats(np.add(target[0], p)), floats(np.add(target[1], v))


def found(target, chaser, e):
    return closest(MU, target, target, chaser, samples_an_orbit(e))


def positions(body, t):
    """R at times t (n,), by Newton's method on E - e sin E = M in perifocal axes."""
    R, V = (np.array(each) for each in body)
    r, h = np.linalg.norm(R), np.cross(R, V)
    a = 1.0 / (2.0 / r - V @ V / MU)
    eccentricity = np.cross(V, h) / MU - R / r
    e = np.linalg.norm(eccentricity)
    P = eccentricity / e
    Q = np.cross(h / np.linalg.norm(h), P)
    b, n = a * math.sqrt(1.0 - e * e), math.sqrt(MU / a**3)
    E0 = math.atan2(R @ Q / b, R @ P / a + e)
    M = E0 - e * math.sin(E0) + n * t
    E = M + e * np.sin(M)
    for _ in range(30):
        E = E - (E - e * np.sin(E) - M) / (1.0 - e * np.cos(E))
    return np.outer(a * (np.cos(E) - e), P) + np.outer(b * np.sin(E), Q)


@pytest.mark.parametrize("e", ECCENTRICITIES)
@pytest.mark.parametrize("after", [137.0, 2900.0, 8000.0])
def test_a_collision_course_is_found_with_its_time(e, after):
    """Both bodies are put at one place at that time, with 0.4 m/s between them, and taken back.
    The refinement stops at 1e-4 m, and rounding moves positions by 7e6 m times 1e-16 times the 30
    radians of the phase that period and rate have in common: 1e-7 m."""
    target = target_on(e)
    there = propagate(MU, *target, after)
    chaser = propagate(MU, there[0], floats(np.add(there[1], (0.2, -0.3, 0.17))), -after)
    distance, when = found(target, chaser, e)
    assert distance < 2e-4
    # At 0.4 m/s the last 1e-4 m are 3e-4 s
    assert when == pytest.approx(after, abs=2e-3)


@pytest.mark.parametrize("e", [0.05, 0.3, 0.7])
def test_the_least_distance_is_that_of_dense_sampling(e):
    """20 000 samples of two orbits by another solution of Kepler's equation.  The least of them is
    above the true one by at most (v h/2)²/2D, h = 0.6 to 4 s; v/D is a few n = 1e-3 here, so 4e-5
    of the distance.  Ours promises 1e-3."""
    rng = np.random.default_rng(int(100 * e))
    period = math.tau * math.sqrt((7e6 / (1.0 - e)) ** 3 / MU)
    t = np.linspace(0.0, ORBITS * period, 20_001)
    worst = 0.0
    for _ in range(16):
        target = target_on(e, rng.uniform(0.0, math.tau))
        size = 10.0 ** rng.uniform(0.5, 3.5)
        chaser = beside(target, size * rng.normal(size=3), 1.5e-3 * size * rng.normal(size=3))
        distance, when = found(target, chaser, e)
        apart = np.linalg.norm(positions(chaser, t) - positions(target, t), axis=1)
        there = np.linalg.norm(
            positions(chaser, np.array([when])) - positions(target, np.array([when]))
        )
        assert there == pytest.approx(distance, rel=1e-6, abs=1e-5)
        worst = max(worst, abs(distance - apart.min()) / apart.min())
    assert worst < 1e-3


def test_a_drift_along_v_bar_is_the_cycloid_of_hill():
    """200 m behind and slower or faster: y = y0 + (4 sin nt/n - 3t) v, x = 2 v (1 - cos nt)/n.
    Hill's equations leave out that a straight V-bar leaves the orbit: y²/2a = 2.9 mm above it a
    body falls back by 12π of that an orbit, 0.22 m in two."""
    target = target_on(0.0)
    n = math.sqrt(MU / 7e6**3)
    for speed in (-0.008, -0.002, 0.02):
        chaser = beside(target, (0.0, -200.0, 0.0), (0.0, speed, 0.0))
        distance, when = found(target, chaser, 0.0)
        t = np.linspace(0.0, ORBITS * math.tau / n, 100_001)
        x, y = 2 * speed * (1 - np.cos(n * t)) / n, -200 + (4 * np.sin(n * t) / n - 3 * t) * speed
        apart = np.hypot(x, y)
        assert distance == pytest.approx(apart.min(), abs=0.25)
        assert when == pytest.approx(t[apart.argmin()], abs=10.0)


def test_what_opens_is_nearest_now_and_what_closes_until_the_end_is_nearest_then():
    target = target_on(0.0)
    period = math.tau * math.sqrt(7e6**3 / MU)
    away = beside(target, (-100.0, 2000.0, 0.0), (0.0, 0.15, 0.0))
    assert found(target, away, 0.0) == (pytest.approx(math.hypot(100.0, 2000.0)), 0.0)
    # On an orbit 20 m lower, y²/2a = 1.8 m of its place being the straight axis
    rate = 1.5 * 20.0 * math.tau / period
    coming = beside(target, (-21.8, -5000.0, 0.0), (0.0, rate, 0.0))
    _distance, when = found(target, coming, 0.0)
    assert when == pytest.approx(ORBITS * period, rel=1e-9)


@pytest.mark.parametrize("e", [0.0, 0.3, 0.9])
def test_samples_are_even_in_the_eccentric_anomaly(e):
    """r = a (1 - e cos E) and r ṙ = e √(μa) sin E, of which propagation leaves 1e-12."""
    a = 7e6 / (1.0 - e)
    target = target_on(e, 2.5)
    nu = 2.5
    E0 = 2.0 * math.atan(math.sqrt((1.0 - e) / (1.0 + e)) * math.tan(nu / 2.0))
    for step in (0.1, 1.7, 4.0, 6.1):
        R, V = (np.array(each) for each in propagate(MU, *target, time_after(MU, *target, step)))
        assert np.linalg.norm(R) == pytest.approx(a * (1.0 - e * math.cos(E0 + step)), rel=1e-11)
        slope = e * math.sqrt(MU * a) * math.sin(E0 + step)
        assert pytest.approx(slope, abs=1e-11 * math.sqrt(MU * a)) == R @ V
    # a whole revolution is one of the orbit, wherever it begins
    assert time_after(MU, *target, math.tau) == pytest.approx(math.tau * math.sqrt(a**3 / MU))


def test_a_body_that_keeps_its_distance_has_that_one():
    """On V-bar of a circular orbit the distance is constant; rounding alone closes and opens."""
    target = target_on(0.0)
    angle = 300.0 / 7e6
    R, V = (np.array(each) for each in target)
    x, z = R / np.linalg.norm(R), np.cross(R, V) / np.linalg.norm(np.cross(R, V))
    y = np.cross(z, x)
    turn = np.array([x, y, z]).T
    about = np.array(
        [[math.cos(angle), -math.sin(angle), 0], [math.sin(angle), math.cos(angle), 0], [0, 0, 1]]
    )
    chaser = tuple(floats(turn @ about @ turn.T @ each) for each in (R, V))
    distance, _ = found(target, chaser, 0.0)
    assert distance == pytest.approx(2 * 7e6 * math.sin(angle / 2), abs=1e-6)
