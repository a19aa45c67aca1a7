"""Two-body motion: against 50-digit solutions of the conic, and its constants of motion."""

import math

import numpy as np
import pytest
from tests.analytic.orbit_exact import exact_kepler

from proxops.core.errors import InputError
from proxops.physics.orbit.attractors import ATTRACTORS, EARTH, MOON
from proxops.physics.orbit.kepler import elements_from_state, propagate, state_from_elements

EPS = np.finfo(float).eps
PERIAPSIS = 7e6  # [m]
ELLIPSES = (0.0, 1e-3, 0.05, 0.3, 0.7, 0.9, 0.99)
CONICS = (*ELLIPSES, 0.9999, 1.0001, 1.3, 3.0, 10.0)


def floats(a):
    return tuple(float(x) for x in a)


def orbits(e, count):
    """States all over orbits of eccentricity e, and a time scale: the period, or a day if open."""
    rng = np.random.default_rng(round(e * 1e4))
    a = PERIAPSIS / (1.0 - e)
    far = math.pi if e < 1.0 else 0.95 * math.acos(-1.0 / e)
    time = math.tau * math.sqrt(a**3 / EARTH.mu) if e < 1.0 else 86400.0
    for _ in range(count):
        angles = rng.uniform(0.0, math.pi, 3)
        R, V = state_from_elements(EARTH.mu, a, e, *angles, rng.uniform(-far, far))
        yield floats(R), floats(V), rng.uniform(-1.5, 1.5) * time


def apart(a, b):
    """|a - b|/|b|, the difference taken in the digits of b."""
    gap = [float(y - x) for x, y in zip(a, b, strict=True)]
    return np.linalg.norm(gap) / np.linalg.norm(floats(b))


def one_rounding(mu, R0, V0, dt):
    """Exact R and V, and how far [of each] a rounding of the result and of V0 moves them."""
    exact = exact_kepler(mu, R0, V0, dt)
    moved = exact_kepler(mu, R0, [v * (1.0 + EPS) for v in V0], dt)
    return exact, [EPS + apart(b, a) for a, b in zip(exact, moved, strict=True)]


def misfit(mu, R0, V0, dt):
    """The larger error of R and V, in units of what one rounding does to the exact solution."""
    exact, limits = one_rounding(mu, R0, V0, dt)
    ours = propagate(mu, R0, V0, dt)
    return max(apart(*pair) / limit for *pair, limit in zip(ours, exact, limits, strict=True))


# Energy takes some four roundings, the anomaly and f, g as many again: an algorithm that is no
# worse than its data stays below ten.
ROUNDINGS = 10.0


@pytest.mark.parametrize("e", CONICS)
def test_every_conic_matches_the_exact_solution_forwards_and_backwards(e):
    assert max(misfit(EARTH.mu, *orbit) for orbit in orbits(e, 12)) < ROUNDINGS


def test_a_parabola_matches_barkers_equation():
    # 2μ/r = |V|² exactly in binary, so that no other conic is met
    for dt in (-30.0, -0.5, 1e-6, 2.0, 1e4):
        assert misfit(2.0, (1.0, 0.0, 0.0), (0.0, 2.0, 0.0), dt) < ROUNDINGS
        assert misfit(9.0, (0.0, 0.0, 2.0), (1.0, 2.0, -2.0), dt) < ROUNDINGS


def test_whole_revolutions_do_not_spoil_the_solution():
    R0, V0, _ = next(orbits(0.3, 1))
    period = math.tau * math.sqrt((PERIAPSIS / 0.7) ** 3 / EARTH.mu)
    for revolutions in (-1000.3, 17.5, 1000.7):
        assert misfit(EARTH.mu, R0, V0, revolutions * period) < ROUNDINGS


def constants(mu, R, V):
    """Energy, angular momentum and eccentricity vector, with the size of the terms they sum."""
    r, v = np.linalg.norm(R), np.linalg.norm(V)
    h = np.cross(R, V)
    yield v * v / 2.0 - mu / r, v * v / 2.0 + mu / r
    yield h, r * v
    yield np.cross(V, h) / mu - np.divide(R, r), v * v * r / mu + 1.0


@pytest.mark.parametrize("e", CONICS)
def test_energy_angular_momentum_and_eccentricity_vector_are_kept(e):
    for R0, V0, dt in orbits(e, 12):
        _, limits = one_rounding(EARTH.mu, R0, V0, dt)
        before = constants(EARTH.mu, R0, V0)
        after = constants(EARTH.mu, *propagate(EARTH.mu, R0, V0, dt))
        for (value0, size0), (value, size) in zip(before, after, strict=True):
            # Each constant is at most quadratic in R and in V, which err as in the test above
            limit = 2.0 * ROUNDINGS * sum(limits) * max(size0, size)
            assert np.linalg.norm(value - value0) < limit


@pytest.mark.parametrize("e", ELLIPSES)
def test_an_ellipse_returns_after_its_period(e):
    for R0, V0, _ in orbits(e, 10):
        a = 1.0 / (2.0 / np.linalg.norm(R0) - np.dot(V0, V0) / EARTH.mu)
        period = math.tau * math.sqrt(a**3 / EARTH.mu)
        R, V = propagate(EARTH.mu, R0, V0, period)
        # Both periods come from a, off by 3/2 of its roundings: (2/r + v²/μ) a times ~4 EPS
        late = 12.0 * EPS * period * (2.0 / np.linalg.norm(R0) + np.dot(V0, V0) / EARTH.mu) * a
        g = EARTH.mu / np.dot(R0, R0)
        assert np.linalg.norm(np.subtract(R, R0)) < late * np.linalg.norm(V0)
        assert np.linalg.norm(np.subtract(V, V0)) < late * g


def test_no_time_is_no_motion():
    for e in CONICS:
        for R0, V0, _ in orbits(e, 2):
            assert propagate(EARTH.mu, R0, V0, 0.0) == (R0, V0)


def test_a_state_that_is_no_orbit_ends_in_nan_and_not_in_a_loop():
    R, V = propagate(EARTH.mu, (math.nan, 0.0, 0.0), (0.0, 7e3, 0.0), 100.0)
    assert all(math.isnan(x) for x in (*R, *V))


def test_elements_place_periapsis_node_and_normal():
    mu, a, e, i, raan, argp = EARTH.mu, 1e7, 0.2, 0.9, 2.0, 0.7
    R, V = state_from_elements(mu, a, e, i, raan, argp, 0.0)
    near = 10.0 * EPS
    assert np.linalg.norm(R) == pytest.approx(a * (1.0 - e), rel=near)
    assert np.dot(V, V) == pytest.approx(mu / a * (1.0 + e) / (1.0 - e), rel=near)
    assert R[2] / np.linalg.norm(R) == pytest.approx(math.sin(argp) * math.sin(i), rel=near)
    h = np.cross(R, V)
    normal = [math.sin(raan) * math.sin(i), -math.cos(raan) * math.sin(i), math.cos(i)]
    np.testing.assert_allclose(h / np.linalg.norm(h), normal, rtol=0.0, atol=near)
    R, V = state_from_elements(mu, a, e, i, raan, -0.4, 0.4)
    assert R[2] == pytest.approx(0.0, abs=near * a)
    assert V[2] > 0.0  # nodes are counted where the orbit ascends


@pytest.mark.parametrize("e", [0.01, 0.3, 0.9, 1.5])
def test_elements_come_back_from_the_state(e):
    rng = np.random.default_rng(5)
    for _ in range(20):
        nu = rng.uniform(-2.0, 2.0) % math.tau
        given = (PERIAPSIS / (1.0 - e), e, rng.uniform(0.1, 3.0), *rng.uniform(0.0, 6.0, 2), nu)
        found = elements_from_state(EARTH.mu, *state_from_elements(EARTH.mu, *given))
        # The direction of periapsis is known to EPS/e, a to EPS (1 + e)/(1 - e)
        np.testing.assert_allclose(found, given, rtol=300.0 * EPS, atol=20.0 * EPS / e)


@pytest.mark.parametrize("e", [0.0, 0.3])
@pytest.mark.parametrize("i", [0.0, 0.6, math.pi])
def test_circular_and_equatorial_orbits_have_elements_that_give_the_state_back(e, i):
    state = state_from_elements(EARTH.mu, 8e6, e, i, 1.1, 0.4, 0.8)
    elements = elements_from_state(EARTH.mu, *state)
    if i != 0.6:
        assert elements.raan == 0.0
    if e == 0.0:
        assert min(elements.argp, math.tau - elements.argp) < 10.0 * EPS
    again = state_from_elements(EARTH.mu, *elements)
    # sin i = 1e-16 of a "flat" orbit is dropped, an angle costs EPS × 2π
    np.testing.assert_allclose(again[0], state[0], rtol=0.0, atol=30.0 * EPS * 8e6)
    np.testing.assert_allclose(again[1], state[1], rtol=0.0, atol=30.0 * EPS * 8e3)


def test_impossible_elements_are_refused():
    with pytest.raises(InputError, match="no orbit has"):
        state_from_elements(EARTH.mu, 7e6, 1.2, 0.0, 0.0, 0.0, 0.0)
    with pytest.raises(InputError, match="asymptote"):
        state_from_elements(EARTH.mu, -7e6, 2.0, 0.0, 0.0, 0.0, 2.5)
    with pytest.raises(InputError, match="parabolic"):
        elements_from_state(2.0, (1.0, 0.0, 0.0), (0.0, 2.0, 0.0))
    with pytest.raises(InputError, match="straight"):
        elements_from_state(2.0, (1.0, 0.0, 0.0), (1.0, 0.0, 0.0))


def test_attractors_are_earth_and_moon():
    assert set(ATTRACTORS) == {"earth", "moon"}
    # A sidereal day (86164.0905 s) belongs to the geostationary radius, 42164.17 km
    a = (EARTH.mu * (86164.0905 / math.tau) ** 2) ** (1.0 / 3.0)
    assert a == pytest.approx(42164.17e3, abs=10.0)
    # IERS 2010: the Moon has 0.0123000371 of the Earth's mass
    assert MOON.mu / EARTH.mu == pytest.approx(0.0123000371, rel=1e-7)
    # Mean lunar surface gravity 1.62 m/s², the Earth's equatorial attraction 9.80 m/s²
    assert MOON.mu / MOON.radius**2 == pytest.approx(1.624, abs=0.001)
    assert EARTH.mu / EARTH.radius**2 == pytest.approx(9.798, abs=0.001)
