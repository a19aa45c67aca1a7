"""Small matrices of filters against NumPy's."""

import numpy as np
import pytest

from proxops.core import linear

N = 12
ROUNDING = 1e-12  # some hundred operations on numbers near one


@pytest.fixture
def rng():
    return np.random.default_rng(3)


def covariance(rng, n=N):
    """A positive definite matrix."""
    A = rng.standard_normal((n, n))
    return A @ A.T / n + 0.1 * np.eye(n)


def test_a_covariance_is_carried_from_both_sides(rng):
    P, F, at = covariance(rng), rng.standard_normal((6, 6)), 4
    whole = np.eye(N)
    whole[at : at + 6, at : at + 6] = F
    expected = whole @ P @ whole.T
    linear.carry(P, F, at, np.zeros(6))
    np.testing.assert_allclose(P, expected, atol=100.0 * ROUNDING)
    np.testing.assert_array_equal(P, P.T)


def test_an_innovation_has_the_covariance_of_state_and_noise_and_its_length_is_weighted_by_it(rng):
    P, H, noise, y = (
        covariance(rng),
        rng.standard_normal((6, N)),
        rng.uniform(0.1, 1.0, 6),
        np.ones(6),
    )
    S = np.zeros((6, 6))
    linear.innovation_covariance(P, H, noise, S, np.zeros(N))
    expected = H @ P @ H.T + np.diag(noise)
    np.testing.assert_allclose(S, expected, atol=100.0 * ROUNDING)
    assert linear.factorise(S)
    length = linear.squared_length(S, y, np.zeros(6))
    assert length == pytest.approx(y @ np.linalg.solve(expected, y), rel=1e-10)


def test_a_matrix_that_is_not_positive_has_no_factor():
    assert not linear.factorise(np.array([[1.0, 2.0], [2.0, 1.0]]))
    assert not linear.factorise(np.array([[np.nan]]))


def test_information_adds_up(rng):
    # P⁻¹ ← P⁻¹ + h hᵀ/r, and the gain is P h/r with the new P
    P, h, noise = covariance(rng), rng.standard_normal(N), 0.3
    expected = np.linalg.inv(np.linalg.inv(P) + np.outer(h, h) / noise)
    gain = np.zeros(N)
    linear.measure(P, h, noise, gain, np.zeros(N))
    np.testing.assert_allclose(P, expected, atol=100.0 * ROUNDING)
    np.testing.assert_allclose(gain, expected @ h / noise, atol=100.0 * ROUNDING)
    np.testing.assert_array_equal(P, P.T)


def test_a_very_good_measurement_of_a_very_bad_guess_leaves_a_covariance(rng):
    # Ten digits apart.  With a gain off by a thousandth, P - k hᵀ P alone ends below zero.
    for _ in range(20):
        P = 1e6 * covariance(rng)
        for _ in range(30):
            h = rng.standard_normal(N)
            linear.measure(P, h, 1e-4, np.zeros(N), np.zeros(N))
        assert np.linalg.eigvalsh(P)[0] > 0.0
