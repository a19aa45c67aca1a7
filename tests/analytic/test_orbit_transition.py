"""The linear models: what a transition must obey, and how far it is from the nonlinear motion."""

import math

import numpy as np
import pytest
from tests.analytic.orbit_exact import exact_kepler, exact_relative

from proxops.physics.orbit.attractors import EARTH
from proxops.physics.orbit.frames import hill_from_inertial, inertial_from_hill
from proxops.physics.orbit.hcw import hcw_transition
from proxops.physics.orbit.kepler import propagate, state_from_elements
from proxops.physics.orbit.yamanaka_ankersen import transition

EPS = np.finfo(float).eps
MU = EARTH.mu
PERIAPSIS = 7e6  # [m]
ECCENTRICITIES = (0.0, 1e-9, 0.05, 0.3, 0.7, 1.4)


def floats(a):
    return tuple(float(x) for x in a)


def reference(e):
    a = PERIAPSIS / (1.0 - e)
    R, V = state_from_elements(MU, a, e, 0.9, 0.4, 2.1, 0.7)
    return (floats(R), floats(V)), math.sqrt(MU / abs(a) ** 3)


def without_units(Phi, n):
    """Φ for velocities in units of n × metre, so that its entries compare."""
    unit = np.array([1.0, 1.0, 1.0, n, n, n])
    return Phi * unit / unit[:, None]


def linear_gap(Phi, epoch, x0, t):
    """Distance [m] between the linear and the exact two-body motion after t, in H."""
    p, v = inertial_from_hill(*epoch, floats(x0[:3]), floats(x0[3:]))
    R, V = exact_kepler(MU, *epoch, t)
    true = exact_relative(MU, *epoch, p, v, t)
    p_H, _ = hill_from_inertial(floats(R), floats(V), *map(floats, true))
    return math.dist((Phi @ x0)[:3], p_H)


@pytest.mark.parametrize("turns", [0.1, 0.45, 1.3])
@pytest.mark.parametrize("model", ["hcw", 0.0, 0.05, 0.3, 0.7])
def test_error_of_the_linear_motion_falls_with_the_square_of_the_range(model, turns):
    e = 0.0 if model == "hcw" else model
    epoch, n = reference(e)
    t = turns * math.tau / n
    Phi = hcw_transition(n, t) if model == "hcw" else transition(MU, *epoch, t)
    direction = np.array([0.48, -0.6, 0.64, 0.3 * n, -0.9 * n, 0.2 * n])
    ranges = [1000.0, 500.0, 250.0]
    errors = [linear_gap(Phi, epoch, d * direction, t) for d in ranges]
    # Error = A d² + B d³: an order of 2 + (B/A) d/(2 ln 2).  B/A is of the order of growth/|R|
    # where the range grows by |Φ|.
    growth = np.abs(without_units(Phi, n)).max()
    atol = 2.0 * growth * ranges[0] / PERIAPSIS
    orders = np.log2(np.divide(errors[:-1], errors[1:]))
    assert atol < 0.1
    np.testing.assert_allclose(orders, 2.0, rtol=0.0, atol=atol)
    # and the coefficient is the one that geometry gives
    assert errors[0] < 2.0 * (growth * ranges[0]) ** 2 / PERIAPSIS


@pytest.mark.parametrize("turns", [-0.4, 0.2, 1.0, 3.3])
def test_the_eccentric_model_becomes_hcw_on_a_circle(turns):
    epoch, n = reference(0.0)
    t = turns * math.tau / n
    gap = transition(MU, *epoch, t) - hcw_transition(n, t)
    # e is zero to EPS, the phase good to ~10 EPS a turn; the drift multiplies both by 6 n t
    atol = 100.0 * EPS * (1.0 + 6.0 * abs(n * t))
    np.testing.assert_allclose(without_units(gap, n), 0.0, rtol=0.0, atol=atol)


@pytest.mark.parametrize("e", ECCENTRICITIES)
def test_two_transitions_in_turn_are_one(e):
    epoch, n = reference(e)
    t1, t2 = 0.3 * math.tau / n, 0.55 * math.tau / n
    midway = propagate(MU, *epoch, t1)
    second, first = transition(MU, *midway, t2), transition(MU, *epoch, t1)
    whole = transition(MU, *epoch, t1 + t2)
    # Rounding of the product: EPS times the sizes of its factors, with 100 for the phases
    size = np.linalg.norm(without_units(second, n)) * np.linalg.norm(without_units(first, n))
    gap = without_units(second @ first - whole, n)
    np.testing.assert_allclose(gap, 0.0, rtol=0.0, atol=100.0 * EPS * size)


def test_two_hcw_transitions_in_turn_are_one():
    n = 1.1e-3
    product = hcw_transition(n, 900.0) @ hcw_transition(n, 2500.0)
    np.testing.assert_allclose(
        without_units(product - hcw_transition(n, 3400.0), n), 0.0, rtol=0.0, atol=500.0 * EPS
    )


@pytest.mark.parametrize("e", ECCENTRICITIES)
def test_a_transition_starts_as_identity(e):
    epoch, n = reference(e)
    np.testing.assert_array_equal(hcw_transition(n, 0.0), np.eye(6))
    Phi = without_units(transition(MU, *epoch, 0.0), n)
    # The four solutions are inverted with a condition of ~10/|1 - e²|; units of n add θ̇/n < 30
    np.testing.assert_allclose(Phi, np.eye(6), rtol=0.0, atol=1e3 * EPS)


@pytest.mark.parametrize("e", ECCENTRICITIES)
def test_a_transition_keeps_volume(e):
    # Neither gravity gradient nor Coriolis force has a divergence (Liouville); the determinant is a
    # sum of products as large as |Φ|^6 but for what cancels: seen against the condition of Φ
    epoch, n = reference(e)
    for t in (0.2 * math.tau / n, 0.8 * math.tau / n):
        Phi = without_units(transition(MU, *epoch, t), n)
        assert np.linalg.det(Phi) == pytest.approx(1.0, abs=10.0 * EPS * np.linalg.cond(Phi))
