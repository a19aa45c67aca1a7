"""Tidal acceleration and gravity-gradient torque, against point masses."""

import numpy as np
import pytest
from mpmath import mp, mpf

from proxops.core.jit import kernel
from proxops.physics.orbit.attractors import EARTH
from proxops.physics.orbit.tidal import (
    gravity_gradient_torque,
    pull_at,
    pull_beside,
    tidal_acceleration,
)

EPS = np.finfo(float).eps
R = (4.1e6, -5.2e6, 2.3e6)
DIRECTIONS = np.random.default_rng(2).normal(size=(20, 3))


@kernel
def tide(mu, R, r):
    return tidal_acceleration(mu, R, r)


@kernel
def gradient(mu, d, I):
    pull, inverse = pull_at(mu, d)
    return gravity_gradient_torque(3.0 * pull * inverse, d, (I, 1.0, (0.0, 0.0, 0.0)))


@kernel
def beside(mu, d, c):
    return pull_beside(pull_at(mu, d), d, c)


def attraction(mu, d):
    distance = mp.sqrt(sum(x * x for x in d))
    return [-mu * x / distance**3 for x in d]


def exact_tide(mu, R, r):
    with mp.workdps(60):
        here = [mpf(x) for x in R]
        there = [mpf(x) + mpf(y) for x, y in zip(R, r, strict=True)]
        pairs = zip(attraction(mu, there), attraction(mu, here), strict=True)
        return np.array([float(a - b) for a, b in pairs])


@pytest.mark.parametrize("distance", [1e-6, 1.0, 5.0, 1e3, 1e6, 3e7])
def test_tidal_acceleration_keeps_every_digit_at_any_distance(distance):
    for direction in DIRECTIONS:
        r = tuple(float(x) for x in distance * direction / np.linalg.norm(direction))
        true = exact_tide(EARTH.mu, R, r)
        # About ten roundings, of terms up to three times the result
        assert np.linalg.norm(tide(EARTH.mu, R, r) - true) < 30.0 * EPS * np.linalg.norm(true)


@pytest.mark.parametrize("distance", [1e-3, 1.0, 20.0, 40.0, 1e3, 1e6])
def test_the_pull_beside_keeps_every_digit_by_series_and_beyond(distance):
    for direction in DIRECTIONS:
        c = tuple(float(x) for x in distance * direction / np.linalg.norm(direction))
        true = exact_tide(EARTH.mu, R, c)
        a, fifth = beside(EARTH.mu, R, c)
        # k by its series is off by 1e-15 at most
        assert np.linalg.norm(np.subtract(a, true)) < 30.0 * EPS * np.linalg.norm(true)
        there = np.linalg.norm(np.add(R, c)) / np.linalg.norm(R)
        assert fifth == pytest.approx(there**-5, rel=50.0 * EPS)


def test_gravity_gradient_is_the_same_from_any_point_of_the_body():
    rng = np.random.default_rng(5)
    for _ in range(20):
        m, c = rng.uniform(1.0, 20.0), rng.uniform(-1.0, 1.0, 3)
        A = rng.normal(size=(3, 3))
        own = A @ A.T
        moved = own + m * (c @ c * np.eye(3) - np.outer(c, c))
        true = 3.0 * EARTH.mu / np.linalg.norm(R) ** 5 * np.cross(R, own @ R)
        pull, inverse = pull_at.py_func(EARTH.mu, R)
        body = (six(moved), m, tuple(c))
        t = gravity_gradient_torque.py_func(3.0 * pull * inverse, R, body)
        assert t == pytest.approx(true, abs=50.0 * EPS * np.linalg.norm(true))


def six(I):
    """xx yy zz xy xz yz."""
    return I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]


def test_nothing_pulls_at_the_origin_of_the_falling_frame():
    assert tide(EARTH.mu, R, (0.0, 0.0, 0.0)) == (0.0, 0.0, 0.0)


def dumbbell(masses, size):
    """Masses and their places about the common centre of mass, and their inertia about it."""
    axis = np.array([0.36, 0.48, -0.8])
    total = sum(masses)
    arms = (size * masses[1] / total, -size * masses[0] / total)
    ends = [(m, tuple((arm * axis).tolist())) for m, arm in zip(masses, arms, strict=True)]
    inertia = sum(
        m * np.array([y * y + z * z, x * x + z * z, x * x + y * y, -x * y, -x * z, -y * z])
        for m, (x, y, z) in ends
    )
    return ends, tuple(inertia.tolist())


def pulls(ends):
    """Force, and torque about the centre of mass at R, on the point masses of a body."""
    forces = [m * np.array(tide(EARTH.mu, R, c)) for m, c in ends]
    return sum(forces), sum(np.cross(c, f) for (_, c), f in zip(ends, forces, strict=True))


@pytest.mark.parametrize(("masses", "order"), [((30.0, 10.0), 1), ((20.0, 20.0), 2)])
def test_gravity_gradient_is_the_torque_on_two_masses_but_for_higher_powers_of_their_distance(
    masses, order
):
    sizes = [2e3, 1e3, 500.0]
    errors = []
    for size in sizes:
        ends, inertia = dumbbell(masses, size)
        torque = gradient(EARTH.mu, R, inertia)
        errors.append(np.linalg.norm(pulls(ends)[1] - torque) / np.linalg.norm(torque))
    # The first term left out is (L/|R|)^order of the torque, with a factor below 7 ...
    ratio = sizes[0] / np.linalg.norm(R)
    assert errors[0] < 7.0 * ratio**order
    # ... and the next is smaller by L/|R| = 3e-4 once more, with a factor below 14 again
    measured = np.log2(np.divide(errors[:-1], errors[1:]))
    np.testing.assert_allclose(measured, order, rtol=0.0, atol=10.0 * ratio)


def test_a_sphere_feels_no_torque():
    ball = (7.0, 7.0, 7.0, 0.0, 0.0, 0.0)
    scale = EARTH.mu / np.linalg.norm(R) ** 3 * 7.0
    assert np.linalg.norm(gradient(EARTH.mu, R, ball)) < 4.0 * EPS * scale


def test_gravity_gradient_of_a_brick_on_a_diagonal_is_the_textbook_value():
    # At 45° between the principal axes y and z: t_x = 3μ/r³ (Izz - Iyy)/2
    r = 7e6
    d = (0.0, r * np.sqrt(0.5), r * np.sqrt(0.5))
    t = gradient(EARTH.mu, d, (100.0, 200.0, 500.0, 0.0, 0.0, 0.0))
    assert t[0] == pytest.approx(1.5 * EARTH.mu / r**3 * 300.0, rel=10.0 * EPS)
    assert t[1:] == (0.0, 0.0)


def test_the_force_left_out_for_a_body_of_some_size_is_three_times_its_square():
    # Masses m/2 at ± L along the radius: m g (1 + 3 (L/r)² + 5 (L/r)⁴ ...)
    for size in (2e4, 1e4):
        up = np.divide(R, np.linalg.norm(R))
        ends = tuple((0.5, tuple(float(x) for x in way * size * up)) for way in (1.0, -1.0))
        excess = np.linalg.norm(pulls(ends)[0])
        ratio = size / np.linalg.norm(R)
        g = EARTH.mu / np.dot(R, R)
        # Rounding: two tidal pulls of 2 (L/r) g that cancel to 3 (L/r)²
        assert excess == pytest.approx(3.0 * ratio**2 * g, rel=2.0 * ratio**2 + 30 * EPS / ratio)
