"""The prediction interval of a straight line against the general form of linear regression."""

import numpy as np
import pytest
from scipy import stats

from proxops.results.line_fit import fit_line


def samples(count, seed=1):
    rng = np.random.default_rng(seed)
    x = np.sort(rng.uniform(-3.0, 40.0, count))
    return x, 2.5 - 0.3 * x + 0.7 * rng.standard_normal(count)


@pytest.mark.parametrize("count", [3, 8, 400])
def test_it_is_the_interval_of_ordinary_least_squares(count):
    """With the design matrix X = [1, x]: ŷ₀ ± t s √(1 + x₀ᵀ (XᵀX)⁻¹ x₀)."""
    x, y = samples(count)
    at = np.linspace(-10.0, 60.0, 13)
    found = fit_line(x, y, at)
    X, X0 = np.column_stack([np.ones(count), x]), np.column_stack([np.ones(13), at])
    beta, *_ = np.linalg.lstsq(X, y, rcond=None)
    s = np.sqrt(np.sum((y - X @ beta) ** 2) / (count - 2))
    inverse = np.linalg.inv(X.T @ X)
    leverage = np.einsum("ni,ij,nj->n", X0, inverse, X0)
    half = stats.t.ppf(0.975, count - 2) * s * np.sqrt(1.0 + leverage)
    # rounding of a badly scaled inverse
    np.testing.assert_allclose([found.offset, found.slope], beta, rtol=1e-10)
    np.testing.assert_allclose(found.line, X0 @ beta, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(found.half, half, rtol=1e-9)
    assert found.spread == pytest.approx(s, rel=1e-10)


def test_nineteen_of_twenty_further_samples_lie_inside():
    """Of 4000 fits through 6 samples each, one further sample: 95 % within three sigma of their
    number, 3 √(0.95 0.05/4000) = 1.03 %; with the normal's quantile it would be 88 %."""
    rng = np.random.default_rng(5)
    x, inside = np.arange(6.0), 0
    for _ in range(4000):
        y = 1.0 + 0.2 * x + rng.standard_normal(6)
        found = fit_line(x, y, np.array([9.0]))
        inside += abs(1.0 + 0.2 * 9.0 + rng.standard_normal() - found.line[0]) < found.half[0]
    assert inside / 4000 == pytest.approx(0.95, abs=0.0104)


def test_samples_on_a_line_leave_no_interval():
    x = np.linspace(0.0, 5.0, 20)
    found = fit_line(x, 4.0 - 2.0 * x, x)
    np.testing.assert_allclose(found.half, 0.0, atol=1e-13)
    assert (found.slope, found.offset) == pytest.approx((-2.0, 4.0))
